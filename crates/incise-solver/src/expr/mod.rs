//! The expression arena: hash-consed nodes over bit-vectors of 1 to 128 bits, byte arrays and floats as their bits.
//!
//! Rewriting at construction lives in [`crate::rewrite`], the meaning of operations in [`crate::concrete`].

mod arena;
mod arrays;
mod build;
mod floats;
mod hash;
mod kind;
mod known;
mod numbers;
mod symbols;

pub use arena::Exprs;
pub use kind::{
    ArrayId, ArrayKind, BinaryOp, CompareOp, ExprId, ExprKind, FloatBinary, FloatCompare, FloatFormat,
    FloatUnary, MathFunction, Operands, Relation, Symbol, SymbolId, SymbolKind, SymbolSetId, WideId,
};
pub use known::KnownBits;
pub(crate) use numbers::ChangedSign;
pub use symbols::SymbolIter;
