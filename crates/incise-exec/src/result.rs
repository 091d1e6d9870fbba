//! What an exploration found, as plain data that no longer needs the engine.

use crate::{LimitKind, Note, Origin, Outcome, StackFrame};
use incise_ir::{LocationId, SourcePosition};
use incise_solver::Contradictions;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What an exploration found.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// The paths in the order of their decisions (the order of a depth-first search), whatever the searcher and the
    /// workers.
    pub paths: Vec<Path>,
    /// The limits that cut something, each once, in order.
    pub limits: BTreeSet<LimitKind>,
    /// Values that were made concrete although others were possible: what and where, each once.
    pub concretised: BTreeSet<String>,
    /// Effort.
    pub counters: Counters,
    /// Which lines and branches were reached.
    pub coverage: Coverage,
    /// The inputs that were too small or not deep enough for some path.
    pub needs: crate::Needs,
    /// States given up by a limit, without a path of their own.
    pub abandoned_states: u64,
    /// States that could not be brought to a decision again, because a followed branch had an influence after all:
    /// paths may be missing.
    pub diverged: u64,
    /// The most threads at one time.
    pub threads: u32,
    /// Executions that were given up half-way.
    pub blocked: u64,
    /// Executions that were cut short where everything that follows was explored before.
    pub summarised: u64,
    /// The data races, each pair of places once.
    pub races: Vec<crate::Race>,
    /// What the solver found to be impossible, if that is of use to other runs.
    pub contradictions: Contradictions,
}

impl Exploration {
    /// Whether nothing was cut, unsupported, undecided or made concrete.
    pub fn complete(&self) -> bool {
        self.limits.is_empty()
            && self.concretised.is_empty()
            && self.abandoned_states == 0
            && self.diverged == 0
            && self.needs.is_empty()
            && self.paths.iter().all(|path| {
                matches!(path.outcome, Outcome::Returned | Outcome::Exited { .. } | Outcome::Error(_))
            })
    }
}

/// One path of the program.
#[derive(Clone, Debug)]
pub struct Path {
    /// Which way it went at each place where more than one was possible.
    pub decisions: Vec<Decision>,
    /// Where each of them was made; empty for a path of which not everything is kept.
    pub decided: Vec<Decided>,
    /// How it ended.
    pub outcome: Outcome,
    /// Where it ended.
    pub position: Option<SourcePosition>,
    /// The active functions at its end, innermost first; library models are left out.
    pub stack: Vec<StackFrame>,
    /// The path condition, a conjunction, in path order.
    pub condition: Vec<Constraint>,
    /// An input that takes this path; `None` if the solver gave none in time.
    pub inputs: Option<Vec<Input>>,
    /// What the entry returned, for that input.
    pub returned: Option<InputValue>,
    /// The same as bytes.
    pub result: Option<ResultBytes>,
    /// The global variables that the path wrote, and the objects its pointer parameters point to, for that input, at
    /// its end.
    pub finals: Vec<FinalValue>,
    /// What it wrote to standard output, for that input.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, for that input.
    pub stderr: Vec<u8>,
    /// Whether it depends on a value that the program never initialised: a replay may differ.
    pub indeterminate: bool,
    /// The instructions executed on it.
    pub instructions: u64,
    /// What the strategy noted on it.
    pub note: Note,
    /// What the oracle noted on it.
    pub label: u64,
    /// Whether it is told what happened.
    pub described: bool,
    /// What its threads did, in this order, as far as others can see it; empty if there is only one.
    pub schedule: Vec<crate::Step>,
    /// The threads that were started before the first step.
    pub first_threads: Vec<u32>,
    /// Where the threads stand that have not ended.
    pub left_threads: Vec<(u32, crate::Site)>,
}

/// A way that a path went where there was more than one. Paths are in the order of their decisions.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// A side of a condition.
    Side {
        /// Whether it holds.
        holds: bool,
    },
    /// One of several alternatives.
    Alternative(u32),
    /// The thread that goes on.
    Schedule(u32),
}

impl Decision {
    /// The number of the way among those of its decision: 0 is the true side, the first alternative, or the first
    /// thread.
    #[inline]
    pub fn number(self) -> u32 {
        match self {
            Self::Side { holds } => u32::from(!holds),
            Self::Alternative(number) | Self::Schedule(number) => number,
        }
    }
}

impl Ord for Decision {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // At one place of a tree all decisions are of one kind.
        let key = |decision: &Self| match *decision {
            Self::Side { holds } => u64::from(!holds) << 2,
            Self::Alternative(number) => u64::from(number) << 2 | 1,
            Self::Schedule(number) => u64::from(number) << 2 | 2,
        };
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Decision {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A decision of a path, beside the way that it went.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Decided {
    /// The number of its conjunct in the path condition, if it added one.
    pub conjunct: Option<u32>,
    /// Where that comes from.
    pub location: Option<LocationId>,
}

/// One conjunct of a path condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// In C syntax, over the names of the inputs.
    pub text: String,
    /// The branch that it comes from.
    pub position: Option<SourcePosition>,
    /// The same as an instruction of the innermost active function that the strategy watches.
    pub origin: Option<Origin>,
    /// Whether it is one that the strategy is about.
    pub marked: bool,
}

/// An input of the program and its value on a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its name in the source.
    pub name: String,
    /// Where it comes from.
    pub origin: InputOrigin,
    /// Its bytes in memory, as a `.ktest` object has them.
    pub bytes: Vec<u8>,
    /// The pointers in these bytes.
    pub pointers: Vec<PointerAt>,
    /// The same, typed.
    pub value: InputValue,
}

/// A pointer in the bytes of an input, or of what a path leaves behind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointerAt {
    /// Where in the bytes it is.
    pub offset: u64,
    /// Where it leads; `None` if it is null.
    pub target: Option<PointerTarget>,
}

/// Where a pointer leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointerTarget {
    /// What people call the object or function, or an address in hexadecimal.
    pub name: String,
    /// The bytes from its start.
    pub addend: u64,
}

impl PointerTarget {
    /// The same as text.
    pub fn text(&self) -> String {
        match self.addend {
            0 => self.name.clone(),
            addend => format!("{}+{addend}", self.name),
        }
    }
}

/// What the entry returned, as bytes in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResultBytes {
    /// The bytes; zero for those of an address.
    pub bytes: Vec<u8>,
    /// Which of them a replay can compare.
    pub comparable: Vec<bool>,
    /// The pointer that it is.
    pub pointers: Vec<PointerAt>,
}

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputOrigin {
    /// Parameter number `index` of the entry, passed by value.
    Parameter {
        /// From 0.
        index: u32,
    },
    /// What a pointer of the input points to; `pointer` is its C expression over the inputs, e.g. `p` or `list->next`.
    Pointee {
        /// The pointer's expression.
        pointer: String,
    },
    /// What is in the file of a stream that a pointer of the input leads to; among final values also where the stream
    /// stands.
    Stream {
        /// The pointer's expression.
        pointer: String,
    },
    /// A global variable.
    Global {
        /// Its symbol.
        symbol: String,
    },
    /// `klee_make_symbolic`, `klee_int`, `klee_range`: in the order of the calls.
    Klee,
    /// `__VERIFIER_nondet_...`: in the order of the calls.
    Nondet {
        /// The function's name.
        function: String,
    },
    /// Argument number `index` of the command line.
    Argument {
        /// From 1.
        index: u32,
    },
    /// Standard input.
    Stdin,
    /// A file, by its name; among final values also one that the program made.
    File {
        /// Its name, a character for each byte.
        name: String,
    },
    /// An environment variable.
    Environment {
        /// Its name.
        name: String,
    },
    /// What the clock said: in the order of the questions.
    Time,
    /// How much of another input there is: the bytes of a file or of standard input, or whether an environment variable
    /// is set.
    Extent {
        /// The name of that input.
        of: String,
    },
    /// The result of an external function (`--externals havoc`), in the order of the calls.
    External {
        /// The function's name.
        function: String,
    },
    /// The result of the unknown function that a pointer leads to, in the order of the calls.
    Callback {
        /// The pointer's expression.
        pointer: String,
    },
    /// What a device gave that was read at a fixed address, in the order of the accesses; among final values all
    /// accesses, those of volatile variables included.
    Device,
    /// What was read from a volatile variable that others may change, in the order of the accesses.
    Volatile,
    /// Among final values, an object that the path allocated and left behind a pointer.
    Heap {
        /// The name of the final value that the pointer lies in; empty for the result.
        within: String,
        /// The bytes before the pointer.
        offset: u64,
        /// The bytes of the object before what the pointer leads to.
        addend: u64,
    },
    /// What an external function or a callback wrote to memory.
    Written {
        /// What is called.
        function: String,
        /// Which call it is of all that leave the program, from 1.
        call: u32,
        /// The way from the call's arguments to the object: `arg2` or `arg1:8` for what the pointer at offset 8 of what
        /// `arg1` points to leads to, `@symbol` for a global variable. What follows a `-` is how far into the object
        /// the pointer leads. Other ways cannot be followed from outside.
        way: String,
    },
}

/// The name of the function in [`InputOrigin::Nondet`] for the number of the allocation that fails; 0 for none.
pub const FAILING_MALLOC: &str = "__incise_failing_malloc";

/// A value as the source sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputValue {
    /// A signed integer.
    Signed(i128),
    /// An unsigned integer.
    Unsigned(u128),
    /// A `char`.
    Character(u8),
    /// `_Bool`.
    Boolean(bool),
    /// A floating-point number: its bits, and how to read them.
    Float {
        /// The format.
        format: incise_ir::FloatKind,
        /// The bits.
        bits: u128,
    },
    /// A pointer: null, or the name of what it points to (an input object, a global), or an address in hexadecimal.
    Pointer(Option<String>),
    /// An enumerator: its name if it has one, and its value.
    Enumerator(Option<String>, i128),
    /// The members of a struct, with their names.
    Struct(Vec<(String, InputValue)>),
    /// The elements of an array.
    Array(Vec<InputValue>),
    /// An array of `char`.
    Text(Vec<u8>),
    /// Bytes of an object without a type.
    Bytes(Vec<u8>),
}

impl InputValue {
    /// Whether it is a floating-point number that is none.
    pub fn is_nan(&self) -> bool {
        let Self::Float { format, bits } = self else { return false };
        incise_solver::concrete::float_compare(
            incise_solver::FloatCompare::Unordered,
            crate::engine::code::float_format(*format),
            *bits,
            *bits,
        )
    }
}

/// A global variable or an object reached through a parameter, at the end of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinalValue {
    /// Its name: a global's, or an input object's as in [`Input::name`].
    pub name: String,
    /// Which input object or global it is.
    pub origin: InputOrigin,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Which bytes a replay can compare: not padding, not pointers, not what was never initialised.
    pub comparable: Vec<bool>,
    /// The pointers in these bytes.
    pub pointers: Vec<PointerAt>,
    /// The same, typed.
    pub value: InputValue,
}

/// Effort spent.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// States made, the first included.
    pub states: u64,
    /// Forks.
    pub forks: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Questions put to the solver chain.
    pub queries: u64,
    /// Time in the solver chain.
    pub solver_time: Duration,
    /// The mean time of the first and of the last tenth of the solver's queries, of one worker.
    pub first_and_last_tenth: (Duration, Duration),
    /// Time of the whole exploration.
    pub time: Duration,
    /// The most memory that the process used, in bytes.
    pub peak_memory: u64,
    /// The most states that waited at one time.
    pub peak_states: u64,
    /// What each stage of the solver chain answered: name, asked, answered, time.
    pub stages: Vec<StageCounter>,
}

impl Counters {
    /// The queries that neither a model at hand nor an earlier answer decided.
    pub fn solved(&self) -> u64 {
        self.stages.iter().find(|stage| stage.name == "cache").map_or(0, |stage| stage.asked - stage.answered)
    }
}

/// What one stage of the solver chain did.
#[derive(Clone, Debug, Default)]
pub struct StageCounter {
    /// The stage's name.
    pub name: String,
    /// Questions it was asked.
    pub asked: u64,
    /// Questions it answered.
    pub answered: u64,
    /// Time spent in it.
    pub time: Duration,
}

/// Which lines and branches of the user's code were reached.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// For each file, for each line with code in a function that was entered: whether it was executed.
    pub lines: BTreeMap<String, BTreeMap<u32, bool>>,
    /// For each conditional branch or switch in a function that was entered: the position, and for each side whether it
    /// was taken.
    pub branches: BTreeMap<SourcePosition, Vec<bool>>,
}

impl Coverage {
    /// Lines executed, and lines with code.
    pub fn line_counts(&self) -> (usize, usize) {
        let lines = self.lines.values().flat_map(|lines| lines.values());
        (lines.clone().filter(|&&hit| hit).count(), lines.count())
    }

    /// Branch sides taken, and all.
    pub fn branch_counts(&self) -> (usize, usize) {
        let sides = self.branches.values().flatten();
        (sides.clone().filter(|&&hit| hit).count(), sides.count())
    }
}
