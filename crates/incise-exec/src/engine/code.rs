//! Decoded functions: what the step loop runs.
//!
//! A function is decoded when it is first called. Operands become register numbers or constants, widths and sizes are
//! looked up once, and locals whose address is never taken live in registers ("frame slots"): a store to one stays an
//! instruction with its own line, a load from one disappears where those who use it can read the slot itself. What is
//! rare (vectors, aggregates, atomics) is left to [`Inst::Slow`], which interprets the IR instruction itself.

use crate::engine::value::Value;
use crate::memory::ObjectInfo;
use incise_ir::{BlockId, FloatKind, FunctionId, InstructionId, LocationId};
use incise_solver::{BinaryOp, CompareOp, FloatFormat};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::rc::Rc;

/// Where an operand comes from: a register, or with the top bit set a constant of the function.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Source(u32);

const CONSTANT: u32 = 1 << 31;

impl Source {
    pub(crate) fn register(index: usize) -> Self {
        Self(index as u32)
    }
    pub(crate) fn constant(index: usize) -> Self {
        Self(index as u32 | CONSTANT)
    }
    pub(crate) fn is_constant(self) -> bool {
        self.0 & CONSTANT != 0
    }
}

/// A register's number: the number of its value in the IR function.
pub(crate) type Register = u32;
/// The number of an edge in [`Code::edges`].
pub(crate) type EdgeId = u32;

/// A decoded function.
pub struct Code {
    pub function: FunctionId,
    /// Whether it belongs to a library model.
    pub(crate) model: bool,
    /// Whether it is done in one step, as its name says.
    pub(crate) atomic: bool,
    pub(crate) instructions: Vec<Inst>,
    /// For each instruction, the one of the IR that it was made from.
    pub(crate) origins: Vec<InstructionId>,
    /// For each instruction, the number of its block.
    pub block_of: Vec<u32>,
    pub(crate) constants: Vec<Value>,
    pub(crate) edges: Vec<Edge>,
    /// The register copies of all edges.
    pub(crate) moves: Vec<(Register, Source)>,
    pub(crate) registers: usize,
    /// For each block, whether a path returned at its end.
    pub(crate) returned: Vec<Cell<bool>>,
    /// For each block, the number of its instructions in the IR.
    pub(crate) lengths: Vec<u32>,
    /// The branches and switches at which a state goes the way of its model.
    pub(crate) followed: FxHashSet<u32>,
}

/// A way from one block to another: phi nodes are copies on it.
pub(crate) struct Edge {
    pub(crate) from: BlockId,
    pub(crate) to: BlockId,
    pub(crate) target: u32,
    /// The instructions of the block it leaves.
    pub(crate) length: u32,
    /// Whether a path took it.
    pub(crate) taken: Cell<bool>,
    pub(crate) moves: std::ops::Range<u32>,
    /// The strategy wants to be told when a path takes it.
    pub(crate) watch: Option<u32>,
}

/// A decoded instruction.
pub(crate) enum Inst {
    Binary {
        op: BinaryOp,
        width: u8,
        signed_overflow: bool,
        to: Register,
        left: Source,
        right: Source,
    },
    Compare {
        op: CompareOp,
        width: u8,
        /// Whether pointers are compared, and not numbers.
        pointers: bool,
        to: Register,
        left: Source,
        right: Source,
    },
    ZeroExtend {
        from: u8,
        width: u8,
        to: Register,
        value: Source,
    },
    SignExtend {
        from: u8,
        width: u8,
        to: Register,
        value: Source,
    },
    Truncate {
        from: u8,
        width: u8,
        to: Register,
        value: Source,
    },
    /// A copy: a conversion that keeps the bits, or `freeze`.
    Move {
        to: Register,
        value: Source,
    },
    /// Reads a frame slot; one that was never written gets an arbitrary value.
    LoadSlot {
        to: Register,
        slot: Register,
        width: u8,
    },
    StoreSlot {
        slot: Register,
        value: Source,
    },
    /// Starts the life of a frame slot.
    ClearSlot {
        slot: Register,
    },
    Load {
        to: Register,
        width: u8,
        pointer: Source,
    },
    Store {
        value: Source,
        width: u8,
        pointer: Source,
    },
    /// `base + offset`.
    Offset {
        to: Register,
        base: Source,
        offset: i64,
    },
    /// `base + offset + index * stride`.
    Element {
        to: Register,
        width: u8,
        stride: i32,
        base: Source,
        index: Source,
        offset: i32,
    },
    Select {
        to: Register,
        width: u8,
        condition: Source,
        then: Source,
        otherwise: Source,
    },
    FloatBinary {
        op: incise_solver::FloatBinary,
        format: FloatFormat,
        to: Register,
        left: Source,
        right: Source,
    },
    FloatCompare {
        predicate: incise_ir::FloatPredicate,
        format: FloatFormat,
        to: Register,
        left: Source,
        right: Source,
    },
    Alloca(Box<AllocaCode>),
    Jump {
        edge: EdgeId,
    },
    Branch {
        condition: Source,
        then: EdgeId,
        otherwise: EdgeId,
    },
    Switch(Box<SwitchCode>),
    Call(Box<CallCode>),
    Return {
        value: Option<Source>,
    },
    /// A place that the exploration strategy asked to be told of.
    Watch {
        point: u32,
    },
    /// A place at which a run of a state comes back.
    Pause,
    /// Interpreted from the IR.
    Slow,
}

pub(crate) struct AllocaCode {
    pub(crate) to: Register,
    /// The bytes of one element.
    pub(crate) size: u64,
    pub(crate) count: Option<(Source, u32)>,
    pub(crate) info: Rc<ObjectInfo>,
}

pub(crate) struct SwitchCode {
    pub(crate) value: Source,
    pub(crate) width: u32,
    /// Each target once, in the order of the cases, with its case values; the default has none of its own and is last.
    pub(crate) targets: Vec<(Vec<u128>, EdgeId)>,
    /// The values in order, for a binary search, with the index of their target.
    pub(crate) sorted: Vec<(u128, u32)>,
    /// The index of the default in `targets`.
    pub(crate) default: u32,
}

pub(crate) enum CalleeCode {
    Function(FunctionId),
    Pointer(Source),
    Intrinsic(incise_ir::Intrinsic),
    Assembly(Box<str>),
}

/// An argument of a call.
#[derive(Clone)]
pub(crate) struct Argument {
    pub(crate) source: Source,
    pub(crate) kind: ArgumentKind,
}

/// How an argument travels.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum ArgumentKind {
    /// An integer or a pointer of so many bits.
    Integer(u32),
    Float(FloatKind),
    /// A pointer to an object of so many bytes that the call copies.
    ByValue {
        size: u64,
        align: u64,
    },
    /// A struct, array or vector value.
    Aggregate,
}

pub(crate) struct CallCode {
    pub(crate) callee: CalleeCode,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) to: Option<Register>,
    /// The bits of a scalar result, 0 if there is none.
    pub(crate) result_width: u32,
    /// Where control goes after an `invoke` returns.
    pub(crate) normal: Option<EdgeId>,
    pub(crate) result_type: incise_ir::TypeId,
}

/// The solver's name of a floating-point format.
pub fn float_format(kind: FloatKind) -> FloatFormat {
    match kind {
        FloatKind::Half => FloatFormat::Half,
        FloatKind::BFloat => FloatFormat::BFloat,
        FloatKind::Single => FloatFormat::Single,
        FloatKind::Double => FloatFormat::Double,
        FloatKind::X87 => FloatFormat::X87,
        FloatKind::Quad => FloatFormat::Quad,
    }
}

/// The IR's name of a format.
pub(crate) fn float_kind(format: FloatFormat) -> FloatKind {
    match format {
        FloatFormat::Half => FloatKind::Half,
        FloatFormat::BFloat => FloatKind::BFloat,
        FloatFormat::Single => FloatKind::Single,
        FloatFormat::Double => FloatKind::Double,
        FloatFormat::X87 => FloatKind::X87,
        FloatFormat::Quad => FloatKind::Quad,
    }
}

impl Code {
    /// The value of an operand that is a constant or in `registers`.
    #[inline(always)]
    pub(crate) fn get<'a>(&'a self, registers: &'a [Value], source: Source) -> &'a Value {
        if source.0 & CONSTANT == 0 {
            &registers[source.0 as usize]
        } else {
            &self.constants[(source.0 & !CONSTANT) as usize]
        }
    }

    /// The location of the instruction at `pc`, or the nearest before it in its block that has one.
    pub(crate) fn location(&self, function: &incise_ir::Function, pc: u32) -> Option<LocationId> {
        let origin = *self.origins.get(pc as usize)?;
        function.instructions[origin].location
    }
}
