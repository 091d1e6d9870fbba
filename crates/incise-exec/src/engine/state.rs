//! States: one path on its way. A fork copies pointers and the top frame's registers.

use crate::decisions::oracle::Ticket;
use crate::decisions::strategy::{Note, Origin};
use crate::engine::code::{Code, EdgeId, Register};
use crate::engine::list::SharedList;
use crate::engine::oddity::Oddity;
use crate::engine::thread::{Concurrency, Thread, Turn};
use crate::engine::value::Value;
use crate::externals::{ConstantCall, KnownObject, Sight, TakenApart, Wrote};
use crate::inputs::input::InputObject;
use crate::memory::{Memory, Slot};
use crate::result::Decision;
use incise_ir::{FunctionId, LocationId};
use incise_solver::{Constraints, ExprId, Exprs, Model, SymbolKind};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where a returning function gives control to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum ReturnTo {
    /// The caller's frame, and the register that takes the result there; after an `invoke`, the edge to take.
    Caller { to: Option<Register>, edge: Option<EdgeId> },
    /// Nobody: the path ends.
    Entry,
    /// The next step of leaving the program.
    Exit,
    /// The next constructor, or the entry.
    Start,
    /// Nobody: the thread ends, and others go on.
    Thread,
    /// The caller of `pthread_once`, for this object.
    Once { slot: Slot, offset: u64, to: Option<Register>, edge: Option<EdgeId> },
}

/// An active function.
#[derive(Clone)]
pub struct Frame {
    /// What it executes.
    pub code: Rc<Code>,
    /// The next instruction.
    pub pc: u32,
    /// Its registers.
    pub registers: Vec<Value>,
    /// The objects that end with the frame.
    pub objects: Vec<Slot>,
    /// The object that holds the variable arguments, made when `va_start` asks for it.
    pub variable_arguments: Option<Rc<VariableArguments>>,
    pub(crate) return_to: ReturnTo,
    /// Decisions at conditional branches of this activation: (instruction, count).
    pub branch_counts: Vec<(u32, u32)>,
}

/// The arguments after the fixed ones, laid out as the System V ABI has them in memory.
pub struct VariableArguments {
    /// Each with its width in bits, its offset and its value; a struct by value is bytes of another object.
    pub(crate) items: Vec<VariableArgument>,
    pub(crate) size: u64,
}

pub(crate) struct VariableArgument {
    pub(crate) offset: u64,
    pub(crate) width: u32,
    pub(crate) value: VariableValue,
}

pub(crate) enum VariableValue {
    Scalar(Value),
    /// The bytes at this address.
    Copy {
        address: Value,
        size: u64,
    },
}

/// A decision on a path, where there was more than one way.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Turning {
    /// Which way.
    pub(crate) decision: Decision,
    /// How many decisions, forced ones included, came before it on the path.
    pub(crate) number: u64,
    /// The number of its conjunct in the path condition, if it adds one.
    pub(crate) conjunct: Option<u32>,
}

impl Turning {
    /// A decision that a state is about to make.
    pub(crate) fn of(state: &State, decision: Decision) -> Self {
        let conjunct = match decision {
            Decision::Side { .. } | Decision::Alternative(_) => Some(state.path.len() as u32),
            Decision::Schedule(_) => None,
        };
        Self { decision, number: state.decided, conjunct }
    }
}

/// A conjunct of the path condition and the branch it comes from.
#[derive(Copy, Clone, Debug)]
pub struct PathConstraint {
    /// What holds.
    pub condition: ExprId,
    pub(crate) location: Option<LocationId>,
    /// The instruction of the innermost active function that the strategy watches.
    pub(crate) origin: Option<Origin>,
    /// Whether it is one that the strategy is about.
    pub(crate) marked: bool,
}

/// Something that the program wrote.
#[derive(Clone)]
pub struct Output {
    /// 1 is standard output, 2 standard error.
    pub stream: u8,
    pub pieces: Rc<[OutputPiece]>,
}

/// A part of what the program wrote: evaluated under the path's model at its end.
#[derive(Clone, Debug)]
pub enum OutputPiece {
    /// These bytes.
    Bytes(Rc<[u8]>),
    /// One byte.
    Byte(Value),
    /// Bytes up to the first zero, formatted.
    Text {
        /// As long as they may be.
        bytes: Rc<[Value]>,
        /// How they are written.
        conversion: Rc<crate::native::Conversion>,
    },
    /// A number, formatted.
    Number {
        /// Which.
        value: Value,
        /// How it is written.
        conversion: Rc<crate::native::Conversion>,
    },
}

impl OutputPiece {
    fn mentions_made_up(&self, exprs: &Exprs) -> bool {
        match self {
            Self::Bytes(_) => false,
            Self::Byte(value) | Self::Number { value, .. } => value.mentions_made_up(exprs),
            Self::Text { bytes, .. } => bytes.iter().any(|value| value.mentions_made_up(exprs)),
        }
    }
}

/// A call of a function with neither a body nor a model.
#[derive(Clone)]
pub struct ExternalCall {
    /// What it is called.
    pub function: String,
    /// What it was called with.
    pub arguments: Rc<[Value]>,
    /// What it returned.
    pub result: Option<Value>,
    /// What it could see; nothing if it depends on its arguments alone.
    pub sight: Option<Rc<Sight>>,
    /// What it may have written.
    pub wrote: Rc<[Wrote]>,
    /// What it does, if it is no call but an access of a device: its arguments are the address, how many bytes it has,
    /// and what is written.
    pub device: Option<DeviceAccess>,
}

/// An access of a device, or of a volatile variable that others may change.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct DeviceAccess {
    /// Whether it writes.
    pub writes: bool,
    /// For a variable, its number (`variable_number` of `incise-ir`), by which native runs know it.
    pub variable: Option<u64>,
}

/// What code that nobody can see knows of a path.
#[derive(Clone, Default)]
pub struct Outside {
    /// How many calls there were that may change the world.
    pub(crate) calls: u32,
    /// How many objects these could see, all of them together.
    pub(crate) seen: usize,
    /// The objects that it came to know by them.
    pub(crate) known: Rc<[KnownObject]>,
    /// Objects that it gave and that were taken not to be others that it knew.
    pub(crate) apart: Rc<[TakenApart]>,
    /// How often each register of a device was read.
    pub(crate) registers: Rc<BTreeMap<String, u32>>,
    /// The calls of functions that depend on their arguments alone, of the program that is followed included.
    pub constant: SharedList<ConstantCall>,
}

/// What the path does on its way out of the program.
#[derive(Clone, Debug)]
pub struct Exiting {
    pub status: Value,
}

/// The decisions that lead to a state, given to another worker: it follows them without asking the solver.
pub struct Replay {
    pub(crate) decisions: Vec<Turning>,
    pub(crate) next: usize,
}

/// One path on its way.
pub struct State {
    /// The thread that runs. The others wait in `parked`; which one is next is the scheduler's choice.
    pub thread: Thread,
    /// The threads that do not run.
    pub parked: Vec<Rc<Thread>>,
    /// What there is besides, where functions of threads are used.
    pub(crate) concurrency: Option<Box<Concurrency>>,
    /// How many threads were started beside the first.
    pub(crate) threads: u32,
    /// Whether it was decided that the running thread goes on.
    pub(crate) turn: Turn,
    /// All objects.
    pub memory: Memory,
    /// What holds of the inputs.
    pub constraints: Constraints,
    /// The constraints without those of branches that were followed and not explored; `None` if there were no such.
    pub(crate) relevant: Option<Constraints>,
    /// The path condition, with where it comes from.
    pub path: SharedList<PathConstraint>,
    /// Satisfies the constraints.
    pub model: Model,
    pub(crate) decisions: SharedList<Turning>,
    /// The depth in the tree of paths: decisions where there was more than one way.
    pub depth: u32,
    /// Decisions so far, those included that had only one way.
    pub(crate) decided: u64,
    /// How many instructions were executed.
    pub instructions: u64,
    /// What is symbolic.
    pub inputs: SharedList<Rc<InputObject>>,
    /// What was written.
    pub outputs: SharedList<Output>,
    /// Calls of functions with neither a body nor a model, and accesses of devices.
    pub calls: SharedList<ExternalCall>,
    /// What was touched in arrays without an end.
    pub touched: SharedList<crate::memory::endless::Touch>,
    /// What code that nobody can see knows.
    pub outside: Outside,
    /// Functions given to `atexit`.
    pub exit_handlers: SharedList<FunctionId>,
    /// How it leaves the program, once it does.
    pub exiting: Option<Rc<Exiting>>,
    /// Allocations that could have failed, those that did included.
    pub allocations: u32,
    /// Arithmetic that may not fit and indices that may be beyond their arrays, if they are noted.
    pub odd: SharedList<Oddity>,
    /// How many arbitrary values were made up.
    pub made_up: u32,
    /// Whether a decision depends on one, or output on an address.
    pub indeterminate: bool,
    /// The choices made so far in the current instruction; a fork repeats the instruction with them.
    pub(crate) choices: Vec<u32>,
    pub(crate) next_choice: usize,
    /// The decisions that it still follows.
    pub replay: Option<Box<Replay>>,
    /// What the strategy noted.
    pub note: Note,
    /// What the oracle keeps with it.
    pub ticket: Ticket,
    /// Whether nothing more is explored: the path goes to its end the way of the model.
    pub(crate) following: bool,
    /// Which constructor runs next.
    pub(crate) constructor: u32,
    /// Which destructor runs next.
    pub(crate) destructor: u32,
    /// What the entry returned.
    pub returned: Option<Value>,
}

impl State {
    /// An arbitrary value of `width` bits, for what the program never initialised.
    pub(crate) fn arbitrary(&mut self, exprs: &mut Exprs, width: u32) -> ExprId {
        self.made_up += 1;
        let name = self.thread.next_made_up();
        exprs.symbol(&name, width, SymbolKind::Unsigned)
    }

    /// Whether a decision, or what is seen of the path from outside, depends on what was never initialised. What it
    /// left in memory is not looked at.
    pub fn is_indeterminate(&self, exprs: &Exprs) -> bool {
        if self.indeterminate || self.made_up == 0 {
            return self.indeterminate;
        }
        let status = self.exiting.as_ref().map(|exiting| &exiting.status);
        if self.returned.iter().chain(status).any(|value| value.mentions_made_up(exprs)) {
            return true;
        }
        let printed = |output: &Output| output.pieces.iter().any(|piece| piece.mentions_made_up(exprs));
        let passed = |call: &ExternalCall| call.arguments.iter().any(|value| value.mentions_made_up(exprs));
        self.outputs.iter_newest_first().any(printed) || self.calls.iter_newest_first().any(passed)
    }

    /// Whether there is a second thread, so that it takes the explorer of threads to go on.
    pub fn has_threads(&self) -> bool {
        self.memory.is_watched()
    }

    /// A copy that goes another way. Its decisions so far in this instruction will be repeated.
    pub fn fork(&self) -> Self {
        Self {
            thread: self.thread.clone(),
            parked: self.parked.clone(),
            concurrency: self.concurrency.clone(),
            threads: self.threads,
            turn: self.turn,
            memory: self.memory.clone(),
            constraints: self.constraints.clone(),
            relevant: self.relevant.clone(),
            path: self.path.clone(),
            model: self.model.clone(),
            decisions: self.decisions.clone(),
            depth: self.depth,
            decided: self.decided,
            instructions: self.instructions,
            inputs: self.inputs.clone(),
            outputs: self.outputs.clone(),
            calls: self.calls.clone(),
            touched: self.touched.clone(),
            outside: self.outside.clone(),
            exit_handlers: self.exit_handlers.clone(),
            exiting: self.exiting.clone(),
            allocations: self.allocations,
            odd: self.odd.clone(),
            made_up: self.made_up,
            indeterminate: self.indeterminate,
            choices: self.choices.clone(),
            next_choice: 0,
            replay: None,
            note: self.note,
            ticket: self.ticket,
            following: self.following,
            constructor: self.constructor,
            destructor: self.destructor,
            returned: self.returned.clone(),
        }
    }

    /// The constraints that decisions depend on.
    pub fn deciding(&self) -> &Constraints {
        self.relevant.as_ref().unwrap_or(&self.constraints)
    }

    #[inline]
    pub(crate) fn get(&self, source: crate::engine::code::Source) -> &Value {
        let frame = &self.thread.frame;
        frame.code.get(&frame.registers, source)
    }

    #[inline]
    pub(crate) fn set(&mut self, register: Register, value: Value) {
        self.thread.frame.registers[register as usize] = value;
    }

    /// Notes a decision; one that had only one way is counted and not listed.
    pub(crate) fn decide(&mut self, decision: Decision, forced: bool) {
        if !forced {
            self.decisions.push(Turning::of(self, decision));
            self.depth += 1;
        }
        if let Some(concurrency) = &mut self.concurrency
            && !matches!(decision, Decision::Schedule(_))
        {
            concurrency.ways.push(decision.number());
        }
        self.decided += 1;
    }
}
