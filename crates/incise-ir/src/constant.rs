//! Constants: literals, addresses of globals and functions, and the constant expressions over them.

use crate::arena::define_id;
use crate::{BinaryOp, BlockId, CastOp, FunctionId, GlobalId, IntegerPredicate, TypeId};

define_id!(
    /// A constant of a program.
    ConstantId,
    "const"
);

/// A constant and its type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constant {
    /// The type of the value.
    pub ty: TypeId,
    /// What the value is.
    pub kind: ConstantKind,
}

/// What a constant is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstantKind {
    /// An integer, masked to its width.
    Integer(u128),
    /// An integer of more than 128 bits, which we do not execute.
    WideInteger,
    /// The bits of a floating-point number in the format of its type.
    Float(u128),
    /// The null pointer.
    Null,
    /// Any value, possibly another at each use.
    Undef,
    /// A value that must not be used.
    Poison,
    /// All bits zero, of any type.
    Zero,
    /// An array of `i8`.
    Bytes(Box<[u8]>),
    /// The elements of a struct, array or vector.
    Aggregate(Box<[ConstantId]>),
    /// The address of a global variable.
    Global(GlobalId),
    /// The address of a function.
    Function(FunctionId),
    /// `base` plus a number of bytes: a constant `getelementptr`.
    Offset {
        /// The address to start from.
        base: ConstantId,
        /// The bytes to add, possibly negative.
        offset: i64,
    },
    /// A conversion of another constant to this constant's type.
    Cast {
        /// Which conversion.
        op: CastOp,
        /// What is converted.
        value: ConstantId,
    },
    /// An integer operation on two constants.
    Binary {
        /// Which operation.
        op: BinaryOp,
        /// The left operand.
        left: ConstantId,
        /// The right operand.
        right: ConstantId,
    },
    /// A comparison of two constants.
    Compare {
        /// Which comparison.
        predicate: IntegerPredicate,
        /// The left operand.
        left: ConstantId,
        /// The right operand.
        right: ConstantId,
    },
    /// A choice between two constants.
    Select {
        /// Chooses.
        condition: ConstantId,
        /// The value if it is true.
        then: ConstantId,
        /// The value if it is false.
        otherwise: ConstantId,
    },
    /// The address of a basic block (GNU C's `&&label`).
    BlockAddress {
        /// The function that holds the block.
        function: FunctionId,
        /// The block.
        block: BlockId,
    },
    /// A constant that we cannot execute, in its own words.
    Unsupported(Box<str>),
}
