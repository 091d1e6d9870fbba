//! The program representation that everything in Incise works on.
//!
//! A [`Program`] holds interned [`Types`], constants, globals and functions in typed-index arenas. It is made by a
//! reader (`incise-llvm`) and never changed afterwards: the executor decodes it, the change analyses compare two of
//! them. Nothing here knows LLVM, files, processes or solvers.

mod arena;
pub mod c_types;
mod cfg;
mod constant;
mod content;
mod debug;
mod declared;
mod display;
mod dominators;
mod function;
mod inline;
mod instruction;
mod intrinsic;
mod join;
pub mod parameters;
mod parts;
pub mod places;
mod private;
mod program;
mod recursion;
mod slots;
mod spell_out;
mod thread_functions;
mod types;
mod verify;

pub use arena::{Arena, Id};
pub use cfg::Cfg;
pub use constant::{Constant, ConstantId, ConstantKind};
pub use debug::{
    DebugMember, DebugType, DebugTypeId, Encoding, FileId, Location, LocationId, SourceFile, SourcePosition,
};
pub use declared::{DeclaredSizes, SizeOf};
pub use display::Text;
pub use dominators::{Dominators, PostDominators};
pub use function::{
    Block, BlockId, Function, FunctionId, Linkage, LocalVariable, MemoryUse, Parameter, ValueId, ValueInfo,
};
pub use instruction::{
    ArithmeticFlags, AtomicOp, AtomicOrdering, BinaryOp, Call, Callee, CastOp, FloatPredicate, Instruction,
    InstructionId, IntegerPredicate, Op, Operand,
};
pub use intrinsic::{Intrinsic, IntrinsicKind};
pub use join::join_branches;
pub use parts::part_in_c;
pub use private::{private_addresses, variable_number, volatile_accesses};
pub use program::{Global, GlobalId, Program, Symbol};
pub use recursion::{called_by_name, recursion_as_loops};
pub use slots::promotable;
pub use spell_out::spell_out;
pub use thread_functions::ThreadFunction;
pub use types::{FloatKind, Type, TypeId, Types};
pub use verify::{VerifyError, verify, verify_constant, verify_function};
