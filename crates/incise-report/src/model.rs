//! The finding model: what a run found, as plain data that every renderer reads.
//!
//! It knows nothing of the engine (the command line fills it in) and nothing of formats (each renderer has its own
//! serialised types, with a version).

use crate::Value;
use std::collections::BTreeMap;

/// A place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 where unknown.
    pub column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// What was explored: enough to do it again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The files, as the user named them.
    pub files: Vec<String>,
    /// What was passed to the compiler.
    pub flags: Vec<String>,
    /// The function where the exploration starts.
    pub entry: String,
    /// A hash of the files' bytes.
    pub hash: String,
}

/// What one run of the engine found.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// What was explored.
    pub program: Program,
    /// The paths, in the order of their decisions.
    pub paths: Vec<Path>,
    /// The names of the limits that cut something, in order.
    pub limits: Vec<String>,
    /// What was made concrete although other values were possible.
    pub concretised: Vec<String>,
    /// Variables that other files can see, and that are taken at their initial values because nothing in the program
    /// writes them.
    pub initial: Vec<String>,
    /// What the inputs were taken to be.
    pub taken: Vec<crate::verdict::TakenInput>,
    /// The inputs that were too small, or not followed: how far they go.
    pub bounds: Vec<crate::verdict::Bound>,
    /// Paths that end in errors of which the inputs are not what they were taken to be, one for each kind and place.
    pub others: Vec<Path>,
    /// States that a limit gave up, without a path of their own.
    pub abandoned_states: u64,
    /// Whether nothing was cut, unsupported, undecided or made concrete.
    pub complete: bool,
    /// Which lines and branches were reached.
    pub coverage: Coverage,
    /// Effort.
    pub effort: Effort,
}

impl Run {
    /// The number of paths that end in an error.
    pub fn error_count(&self) -> usize {
        self.paths.iter().filter(|path| matches!(path.outcome, Outcome::Error { .. })).count()
    }
}

/// One path of the program.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// Its number, from 1.
    pub id: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// Where it ended.
    pub place: Option<Place>,
    /// The active functions at its end, innermost first.
    pub stack: Vec<Frame>,
    /// The path condition, a conjunction.
    pub condition: Vec<Constraint>,
    /// An input that takes this path; `None` if the solver gave none in time.
    pub inputs: Option<Vec<Input>>,
    /// What the entry returned.
    pub result: Option<Observed>,
    /// The global variables that the path wrote and the objects that its pointer inputs point to, at its end.
    pub finals: Vec<Final>,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// Whether it depends on a value that the program never initialised.
    pub indeterminate: bool,
    /// Which way it went wherever more than one was possible.
    pub decisions: Vec<u32>,
    /// The instructions executed on it.
    pub instructions: u64,
}

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Outcome {
    /// The entry function returned.
    #[default]
    Returned,
    /// The program exited.
    Exited {
        /// With this status.
        status: i32,
    },
    /// An error of the program.
    Error {
        /// The stable name of its kind.
        kind: String,
        /// What happened, in a sentence.
        message: String,
    },
    /// The path reached something that the engine cannot execute.
    Unsupported(String),
    /// The path called a function that has neither a body nor a model.
    External {
        /// The function.
        function: String,
    },
    /// A limit ended the path.
    Limit(String),
    /// The solver could not tell within its limits.
    Undecided(String),
    /// The engine's strategy had no further interest in the path.
    Pruned,
}

/// In which way a path ended.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OutcomeKind {
    /// The entry function returned.
    Returned,
    /// The program exited.
    Exited,
    /// An error of the program.
    Error,
    /// The engine cannot execute something.
    Unsupported,
    /// A function has neither a body nor a model.
    External,
    /// A limit.
    Limit,
    /// The solver could not tell.
    Undecided,
    /// The strategy had no further interest.
    Pruned,
}

impl OutcomeKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Returned,
        Self::Exited,
        Self::Error,
        Self::Unsupported,
        Self::External,
        Self::Limit,
        Self::Undecided,
        Self::Pruned,
    ];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Returned => "returned",
            Self::Exited => "exited",
            Self::Error => "error",
            Self::Unsupported => "unsupported",
            Self::External => "external",
            Self::Limit => "limit",
            Self::Undecided => "undecided",
            Self::Pruned => "pruned",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether the program itself ended the path, so that a native run can be compared with it.
    pub fn is_conclusive(self) -> bool {
        matches!(self, Self::Returned | Self::Exited | Self::Error)
    }
}

impl Outcome {
    /// In which way the path ended.
    pub fn kind(&self) -> OutcomeKind {
        match self {
            Self::Returned => OutcomeKind::Returned,
            Self::Exited { .. } => OutcomeKind::Exited,
            Self::Error { .. } => OutcomeKind::Error,
            Self::Unsupported(_) => OutcomeKind::Unsupported,
            Self::External { .. } => OutcomeKind::External,
            Self::Limit(_) => OutcomeKind::Limit,
            Self::Undecided(_) => OutcomeKind::Undecided,
            Self::Pruned => OutcomeKind::Pruned,
        }
    }

    /// The stable name of the outcome.
    pub fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// Whether the program itself ended the path, so that a native run can be compared with it.
    pub fn is_conclusive(&self) -> bool {
        self.kind().is_conclusive()
    }
}

/// A function that was active when a path ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Its name.
    pub function: String,
    /// Where it was.
    pub place: Option<Place>,
}

/// One conjunct of a path condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// In C syntax.
    pub text: String,
    /// The branch that it comes from.
    pub place: Option<Place>,
}

/// An input and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its name in the source.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Its bytes in memory.
    pub bytes: Vec<u8>,
    /// The pointers in those bytes that lead to other input objects: what a native run must fill in with its own
    /// addresses.
    pub pointers: Vec<PointerTo>,
    /// The same, typed.
    pub value: Value,
}

impl Input {
    /// Whether it is nothing but zeros. In a file or standard input a zero is a byte like any other, and a variable
    /// that is set is something.
    pub fn is_zero(&self) -> bool {
        match self.origin {
            Origin::Stdin | Origin::File(_) | Origin::Stream(_) => self.bytes.is_empty(),
            Origin::Environment(_) => self.value == Value::Pointer(None),
            _ => self.bytes.iter().all(|&byte| byte == 0),
        }
    }
}

/// A pointer inside an input's bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointerTo {
    /// Where in the bytes it is.
    pub offset: u64,
    /// The name of the input or global that it points to.
    pub target: String,
    /// How far behind the target's start.
    pub addend: u64,
}

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A parameter of the entry, from 0, passed by value.
    Parameter(u32),
    /// What the pointer, a C expression over the inputs, points to.
    Pointee(String),
    /// What is in the file of the open stream that the pointer, a C expression over the inputs, leads to. Among final
    /// values also where the stream stands: 8 bytes for the position or -1, 4 bytes with 1 if its end was met, 2 if an
    /// error was and 4 if it was closed, then the content.
    Stream(String),
    /// A global variable, by its symbol.
    Global(String),
    /// An object made symbolic by a `klee_...` call, in the order of the calls.
    Klee,
    /// The result of a `__VERIFIER_nondet_...` function, in the order of the calls.
    Nondet(String),
    /// An argument of the command line, from 1.
    Argument(u32),
    /// Standard input.
    Stdin,
    /// A file, by its name; among final values also one that the program made.
    File(String),
    /// An environment variable, by its name.
    Environment(String),
    /// What the clock said, in the order of the questions.
    Time,
    /// How much there is of the input of that name: bytes of a file or of standard input, or whether an environment
    /// variable is set.
    Extent(String),
    /// The result of an external function, in the order of the calls.
    External(String),
    /// The result of the unknown function that the pointer, a C expression over the inputs, leads to, in the order of
    /// the calls.
    Callback(String),
    /// What an external function or a callback wrote to memory.
    Written {
        /// What is called.
        function: String,
        /// Which call it is of all that leave the program, from 1.
        call: u32,
        /// The way from its arguments to the object.
        way: String,
    },
}

/// A value with the bytes that a native run can be compared with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observed {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Which of them can be compared.
    pub comparable: Vec<bool>,
    /// The same, typed.
    pub value: Value,
    /// The pointers in the bytes, as far as they are known: a test that was read again does not tell.
    pub pointers: Vec<LeftPointer>,
}

impl Observed {
    /// Something without a pointer in it, or of which nobody asks where pointers lead.
    pub fn new(bytes: Vec<u8>, comparable: Vec<bool>, value: Value) -> Self {
        Self { bytes, comparable, value, pointers: Vec::new() }
    }
}

/// A pointer in something that is looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftPointer {
    /// Where in the bytes it is.
    pub offset: u64,
    /// Where it leads; `None` if it is null.
    pub target: Option<PointerTarget>,
}

/// Where a pointer leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointerTarget {
    /// The name of an input, of a variable or of a function, or something else in words.
    pub name: String,
    /// How far behind its start.
    pub addend: u64,
}

impl std::fmt::Display for PointerTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.addend {
            0 => f.write_str(&self.name),
            addend => write!(f, "{}+{addend}", self.name),
        }
    }
}

/// A global variable or an input object at the end of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Final {
    /// Its name.
    pub name: String,
    /// Which object it is.
    pub origin: Origin,
    /// What it holds.
    pub observed: Observed,
}

/// Which lines and branches were reached.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// For each file, for each line with code: whether it was executed.
    pub lines: BTreeMap<String, BTreeMap<u32, bool>>,
    /// For each branch, for each side: whether it was taken.
    pub branches: BTreeMap<Place, Vec<bool>>,
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

/// Effort spent.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    /// States made.
    pub states: u64,
    /// Forks.
    pub forks: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Questions put to the solver chain.
    pub queries: u64,
    /// Milliseconds in the solver chain.
    pub solver_ms: f64,
    /// The mean time of a query in the first and in the last tenth of them, in microseconds.
    pub tenths_us: (f64, f64),
    /// Milliseconds of the exploration.
    pub time_ms: f64,
    /// The most memory that the process used, in bytes.
    pub peak_memory: u64,
    /// The most states that waited at one time.
    pub peak_states: u64,
    /// What each solver stage did.
    pub stages: Vec<Stage>,
}

/// What one stage of the solver chain did.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// Questions it was asked.
    pub asked: u64,
    /// Questions it answered.
    pub answered: u64,
    /// Milliseconds spent in it.
    pub time_ms: f64,
}
