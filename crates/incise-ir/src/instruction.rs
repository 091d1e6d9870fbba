//! Instructions, one enum: the executor decodes it, the analyses walk it.

use crate::arena::define_id;
use crate::{BlockId, ConstantId, FunctionId, Intrinsic, LocationId, TypeId, ValueId};

define_id!(
    /// An instruction of a function.
    InstructionId,
    "inst"
);

/// What an instruction uses.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A parameter or the result of an instruction.
    Value(ValueId),
    /// A constant.
    Constant(ConstantId),
}

/// An instruction.
#[derive(Clone, Hash, Debug)]
pub struct Instruction {
    /// What it does.
    pub op: Op,
    /// The value it defines.
    pub result: Option<ValueId>,
    /// Where it comes from.
    pub location: Option<LocationId>,
}

/// Arithmetic on two numbers or two vectors of them.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

/// What the front end promises about arithmetic; breaking a promise is undefined behaviour of the source.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct ArithmeticFlags {
    /// No signed wrap: how clang marks signed C arithmetic.
    pub no_signed_wrap: bool,
    /// No unsigned wrap.
    pub no_unsigned_wrap: bool,
    /// No remainder, or no bits shifted out.
    pub exact: bool,
}

/// Conversions.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum CastOp {
    Truncate,
    ZeroExtend,
    SignExtend,
    FloatTruncate,
    FloatExtend,
    FloatToUnsigned,
    FloatToSigned,
    UnsignedToFloat,
    SignedToFloat,
    PointerToInteger,
    IntegerToPointer,
    Bitcast,
    AddressSpace,
}

/// Comparisons of integers and pointers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum IntegerPredicate {
    Equal,
    NotEqual,
    UnsignedGreater,
    UnsignedGreaterEqual,
    UnsignedLess,
    UnsignedLessEqual,
    SignedGreater,
    SignedGreaterEqual,
    SignedLess,
    SignedLessEqual,
}

/// Comparisons of floating-point numbers. `Ordered...` are false if an operand is NaN, `Unordered...` are true.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatPredicate {
    False,
    OrderedEqual,
    OrderedGreater,
    OrderedGreaterEqual,
    OrderedLess,
    OrderedLessEqual,
    OrderedNotEqual,
    Ordered,
    UnorderedEqual,
    UnorderedGreater,
    UnorderedGreaterEqual,
    UnorderedLess,
    UnorderedLessEqual,
    UnorderedNotEqual,
    Unordered,
    True,
}

/// How an atomic access is ordered among those of other threads, from weak to strong.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AtomicOrdering {
    /// No value from nowhere, and nothing else.
    Unordered,
    /// One order of all accesses to an object: C's `memory_order_relaxed`.
    Monotonic,
    /// What is read was written before what follows.
    Acquire,
    /// What is written comes after what was before.
    Release,
    /// Both.
    AcquireRelease,
    /// One order of all such accesses.
    SequentiallyConsistent,
}

impl AtomicOrdering {
    /// As LLVM writes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unordered => "unordered",
            Self::Monotonic => "monotonic",
            Self::Acquire => "acquire",
            Self::Release => "release",
            Self::AcquireRelease => "acq_rel",
            Self::SequentiallyConsistent => "seq_cst",
        }
    }

    /// The ordering that LLVM writes so.
    pub fn of_word(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"unordered" => Self::Unordered,
            b"monotonic" => Self::Monotonic,
            b"acquire" => Self::Acquire,
            b"release" => Self::Release,
            b"acq_rel" => Self::AcquireRelease,
            b"seq_cst" => Self::SequentiallyConsistent,
            _ => return None,
        })
    }
}

/// Read-modify-write operations.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum AtomicOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    SignedMax,
    SignedMin,
    UnsignedMax,
    UnsignedMin,
    FAdd,
    FSub,
    FMax,
    FMin,
    UnsignedIncrementWrap,
    UnsignedDecrementWrap,
}

/// Who is called.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A function by its name.
    Direct(FunctionId),
    /// A function by its address.
    Indirect(Operand),
    /// A function of the compiler.
    Intrinsic(Intrinsic),
    /// Inline assembly: its template. An empty template (a compiler barrier) does nothing.
    Assembly(Box<str>),
}

/// A call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Call {
    /// Who is called.
    pub callee: Callee,
    /// The arguments.
    pub arguments: Box<[Operand]>,
    /// The arguments that point to a copy the call makes (`byval`): the number and the type copied.
    pub by_value: Box<[(u32, TypeId)]>,
    /// What the call returns.
    pub result: TypeId,
}

/// What an instruction does. Those from `Return` on are terminators.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Arithmetic.
    Binary {
        /// Which operation.
        op: BinaryOp,
        /// The left operand.
        left: Operand,
        /// The right operand.
        right: Operand,
        /// Promises of the front end.
        flags: ArithmeticFlags,
    },
    /// Flips the sign of a floating-point number.
    FloatNegate(Operand),
    /// Compares integers or pointers.
    IntegerCompare {
        /// Which comparison.
        predicate: IntegerPredicate,
        /// The left operand.
        left: Operand,
        /// The right operand.
        right: Operand,
    },
    /// Compares floating-point numbers.
    FloatCompare {
        /// Which comparison.
        predicate: FloatPredicate,
        /// The left operand.
        left: Operand,
        /// The right operand.
        right: Operand,
    },
    /// Converts to the type of the result.
    Cast {
        /// Which conversion.
        op: CastOp,
        /// What is converted.
        value: Operand,
    },
    /// Makes an object in the frame.
    Alloca {
        /// What it holds.
        ty: TypeId,
        /// How many of them; `None` is one.
        count: Option<Operand>,
        /// Its alignment in bytes.
        align: u64,
    },
    /// Reads memory.
    Load {
        /// What is read.
        ty: TypeId,
        /// Where.
        pointer: Operand,
        /// Whether it is volatile.
        volatile: bool,
        /// How it is ordered among those of other threads, if it is atomic.
        ordering: Option<AtomicOrdering>,
    },
    /// Writes memory.
    Store {
        /// What is written.
        value: Operand,
        /// Where.
        pointer: Operand,
        /// Whether it is volatile.
        volatile: bool,
        /// How it is ordered among those of other threads, if it is atomic.
        ordering: Option<AtomicOrdering>,
    },
    /// Reads, changes and writes memory in one step; the result is the old value.
    AtomicReadModifyWrite {
        /// How it changes.
        op: AtomicOp,
        /// Where.
        pointer: Operand,
        /// The other operand.
        value: Operand,
        /// How it is ordered among accesses of other threads.
        ordering: AtomicOrdering,
    },
    /// Writes memory if it holds the expected value; the result is the old value and whether it did.
    CompareExchange {
        /// Where.
        pointer: Operand,
        /// What it must hold.
        expected: Operand,
        /// What is written.
        replacement: Operand,
        /// Whether it may fail although memory holds the expected value.
        weak: bool,
        /// How it is ordered among accesses of other threads if it writes.
        success: AtomicOrdering,
        /// The same if it does not write.
        failure: AtomicOrdering,
    },
    /// Orders memory accesses between threads.
    Fence {
        /// How.
        ordering: AtomicOrdering,
    },
    /// Address arithmetic: `base + offset + sum of index * stride`, indices sign-extended to 64 bits.
    ElementPointer {
        /// The address to start from.
        base: Operand,
        /// The constant part, in bytes.
        offset: i64,
        /// The variable part: an index and its stride in bytes.
        terms: Box<[(Operand, i64)]>,
        /// Whether the result must stay within the object.
        in_bounds: bool,
    },
    /// Chooses between two values.
    Select {
        /// Chooses.
        condition: Operand,
        /// The value if it is true.
        then: Operand,
        /// The value if it is false.
        otherwise: Operand,
    },
    /// The value that belongs to the block that control came from.
    Phi(Box<[(BlockId, Operand)]>),
    /// Calls a function.
    Call(Box<Call>),
    /// Reads an element of a struct or array value.
    ExtractValue {
        /// The value that holds it.
        aggregate: Operand,
        /// The way to it.
        indices: Box<[u32]>,
    },
    /// A struct or array value with one element replaced.
    InsertValue {
        /// The value to change.
        aggregate: Operand,
        /// The new element.
        value: Operand,
        /// The way to it.
        indices: Box<[u32]>,
    },
    /// Reads a lane of a vector.
    ExtractElement {
        /// The vector.
        vector: Operand,
        /// Which lane.
        index: Operand,
    },
    /// A vector with one lane replaced.
    InsertElement {
        /// The vector.
        vector: Operand,
        /// The new lane.
        value: Operand,
        /// Which lane.
        index: Operand,
    },
    /// Lanes picked from two vectors; `None` is any value.
    ShuffleVector {
        /// The first vector.
        left: Operand,
        /// The second vector.
        right: Operand,
        /// For each lane of the result, which lane of the two vectors one after the other.
        mask: Box<[Option<u32>]>,
    },
    /// Reads the next variable argument of the type of the result.
    VaArg {
        /// The `va_list`.
        list: Operand,
    },
    /// The value itself, but one and the same at each use if it is undefined.
    Freeze(Operand),
    /// The start of an exception handler: unsupported when it is reached.
    LandingPad,
    /// An instruction that we cannot execute, in its own words; unsupported when it is reached.
    Unsupported(Box<str>),

    /// Returns from the function.
    Return(Option<Operand>),
    /// Goes to a block.
    Branch(BlockId),
    /// Goes to one of two blocks.
    ConditionalBranch {
        /// Chooses.
        condition: Operand,
        /// Where if it is true.
        then: BlockId,
        /// Where if it is false.
        otherwise: BlockId,
    },
    /// Goes to the block of a value.
    Switch {
        /// Chooses.
        value: Operand,
        /// Where if no case fits.
        default: BlockId,
        /// The values and their blocks.
        cases: Box<[(u128, BlockId)]>,
    },
    /// Calls a function that may throw; only the normal side is executed.
    Invoke {
        /// The call.
        call: Box<Call>,
        /// Where after it returns.
        normal: BlockId,
        /// Where if it throws.
        unwind: BlockId,
    },
    /// Goes to a block by its address (GNU C's computed goto).
    IndirectBranch {
        /// The address of the block.
        address: Operand,
        /// The blocks that it can be.
        targets: Box<[BlockId]>,
    },
    /// Must not be reached.
    Unreachable,
    /// Continues an exception: unsupported when it is reached.
    Resume,
    /// A terminator that we cannot execute, in its own words; unsupported when it is reached.
    UnsupportedTerminator(Box<str>),
}

impl Op {
    /// Whether this ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Self::Return(_)
                | Self::Branch(_)
                | Self::ConditionalBranch { .. }
                | Self::Switch { .. }
                | Self::Invoke { .. }
                | Self::IndirectBranch { .. }
                | Self::Unreachable
                | Self::Resume
                | Self::UnsupportedTerminator(_)
        )
    }

    /// Calls `visit` with each block that control can go to, in order, possibly twice with the same.
    pub fn for_each_successor(&self, mut visit: impl FnMut(BlockId)) {
        match self {
            Self::Branch(target) => visit(*target),
            Self::ConditionalBranch { then, otherwise, .. } => {
                visit(*then);
                visit(*otherwise);
            }
            Self::Switch { default, cases, .. } => {
                cases.iter().for_each(|&(_, target)| visit(target));
                visit(*default);
            }
            Self::Invoke { normal, unwind, .. } => {
                visit(*normal);
                visit(*unwind);
            }
            Self::IndirectBranch { targets, .. } => targets.iter().for_each(|&target| visit(target)),
            _ => {}
        }
    }

    /// Calls `visit` with each operand, in order.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        let call_operands = |call: &Call, visit: &mut dyn FnMut(Operand)| {
            if let Callee::Indirect(callee) = &call.callee {
                visit(*callee);
            }
            call.arguments.iter().for_each(|&argument| visit(argument));
        };
        match self {
            Self::Binary { left, right, .. }
            | Self::IntegerCompare { left, right, .. }
            | Self::FloatCompare { left, right, .. }
            | Self::ShuffleVector { left, right, .. } => {
                visit(*left);
                visit(*right);
            }
            Self::FloatNegate(value)
            | Self::Cast { value, .. }
            | Self::Freeze(value)
            | Self::VaArg { list: value }
            | Self::ExtractValue { aggregate: value, .. }
            | Self::Load { pointer: value, .. }
            | Self::Switch { value, .. }
            | Self::IndirectBranch { address: value, .. }
            | Self::ConditionalBranch { condition: value, .. } => visit(*value),
            Self::Alloca { count, .. } => count.iter().for_each(|&count| visit(count)),
            Self::Return(value) => value.iter().for_each(|&value| visit(value)),
            Self::Store { value, pointer, .. } => {
                visit(*value);
                visit(*pointer);
            }
            Self::AtomicReadModifyWrite { pointer, value, .. } => {
                visit(*pointer);
                visit(*value);
            }
            Self::CompareExchange { pointer, expected, replacement, .. } => {
                visit(*pointer);
                visit(*expected);
                visit(*replacement);
            }
            Self::ElementPointer { base, terms, .. } => {
                visit(*base);
                terms.iter().for_each(|&(index, _)| visit(index));
            }
            Self::Select { condition, then, otherwise } => {
                visit(*condition);
                visit(*then);
                visit(*otherwise);
            }
            Self::Phi(incoming) => incoming.iter().for_each(|&(_, value)| visit(value)),
            Self::Call(call) => call_operands(call, &mut visit),
            Self::Invoke { call, .. } => call_operands(call, &mut visit),
            Self::InsertValue { aggregate, value, .. } => {
                visit(*aggregate);
                visit(*value);
            }
            Self::ExtractElement { vector, index } => {
                visit(*vector);
                visit(*index);
            }
            Self::InsertElement { vector, value, index } => {
                visit(*vector);
                visit(*value);
                visit(*index);
            }
            Self::Fence { .. }
            | Self::LandingPad
            | Self::Unsupported(_)
            | Self::Branch(_)
            | Self::Unreachable
            | Self::Resume
            | Self::UnsupportedTerminator(_) => {}
        }
    }
}
