//! How a path ends: a closed set, none of which is dropped on the way to the report.

use incise_ir::SourcePosition;

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The entry function returned.
    Returned,
    /// The program called `exit`, `_exit`, or returned from `main`.
    Exited {
        /// The status that the parent process sees.
        status: i32,
    },
    /// An error of the program was found.
    Error(ProgramError),
    /// The path reached something that the engine cannot execute.
    Unsupported(String),
    /// The path called a function that has neither a body nor a model.
    External {
        /// The function's name.
        function: String,
    },
    /// A limit ended the path before its end.
    Limit(LimitKind),
    /// The solver could not tell, within its limits, whether the path goes on.
    Undecided(String),
    /// The path was cut by an assumption that cannot hold (`klee_assume`, `klee_silent_exit`): not a path of the
    /// program.
    Discarded,
    /// The exploration strategy had no further interest in the path.
    Pruned,
}

impl Outcome {
    /// Whether the program went wrong in memory.
    pub fn is_memory_error(&self) -> bool {
        matches!(self, Self::Error(error) if error.kind.is_memory())
    }

    /// Whether two paths end alike, but for the status that they exit with, which may be an expression.
    ///
    /// Positions differ between versions, and so do the words of an error; those of an assertion say which one it is.
    pub fn ends_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Error(one), Self::Error(two)) => {
                one.kind == two.kind && (!one.kind.is_told_by_words() || one.message == two.message)
            }
            (Self::Exited { .. }, Self::Exited { .. }) => true,
            _ => self == other,
        }
    }

    /// Whether the program itself did not come to this end: something cut the path.
    pub fn is_cut(&self) -> bool {
        !matches!(self, Self::Returned | Self::Exited { .. } | Self::Error(_))
    }
}

/// An error of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramError {
    /// Which kind.
    pub kind: ErrorKind,
    /// What happened, in a sentence with the source's names.
    pub message: String,
}

/// The kinds of errors that the engine looks for.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ErrorKind {
    /// `assert`, `klee_assert`, `reach_error`, `__VERIFIER_error`.
    Assertion,
    /// `abort`, a trap.
    Abort,
    /// A read or write outside of its object.
    OutOfBounds,
    /// A read or write through a null pointer, or a pointer near null.
    NullPointer,
    /// A read or write of an object that is no longer there.
    UseAfterFree,
    /// `free` of what was freed already.
    DoubleFree,
    /// `free` of what `malloc` did not return.
    InvalidFree,
    /// Integer division or remainder by zero.
    DivisionByZero,
    /// A shift by the width of its operand or more.
    Overshift,
    /// Signed arithmetic whose result does not fit; checked always for division, else with `--check overflow`.
    SignedOverflow,
    /// `__builtin_unreachable`, or falling off a function that must return.
    Unreachable,
    /// A write to a constant.
    ReadOnly,
    /// A call through a pointer that is no function's address, or with the wrong arguments.
    BadCall,
    /// What the program reported itself (`klee_report_error`).
    Reported,
}

impl ErrorKind {
    /// All kinds.
    pub const ALL: [Self; 14] = [
        Self::Assertion,
        Self::Abort,
        Self::OutOfBounds,
        Self::NullPointer,
        Self::UseAfterFree,
        Self::DoubleFree,
        Self::InvalidFree,
        Self::DivisionByZero,
        Self::Overshift,
        Self::SignedOverflow,
        Self::Unreachable,
        Self::ReadOnly,
        Self::BadCall,
        Self::Reported,
    ];

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether the words of an error say which one it is, and not only how it came about.
    pub fn is_told_by_words(self) -> bool {
        matches!(self, Self::Assertion | Self::Reported)
    }

    /// Whether the program went wrong in memory: what it does on such an input nobody can rely on.
    pub fn is_memory(self) -> bool {
        matches!(
            self,
            Self::OutOfBounds
                | Self::NullPointer
                | Self::UseAfterFree
                | Self::DoubleFree
                | Self::InvalidFree
                | Self::ReadOnly
                | Self::BadCall
        )
    }

    /// The name in JSON and on the command line: stable.
    pub fn name(self) -> &'static str {
        match self {
            Self::Assertion => "assertion",
            Self::Abort => "abort",
            Self::OutOfBounds => "out-of-bounds",
            Self::NullPointer => "null-pointer",
            Self::UseAfterFree => "use-after-free",
            Self::DoubleFree => "double-free",
            Self::InvalidFree => "invalid-free",
            Self::DivisionByZero => "division-by-zero",
            Self::Overshift => "overshift",
            Self::SignedOverflow => "signed-overflow",
            Self::Unreachable => "unreachable",
            Self::ReadOnly => "read-only",
            Self::BadCall => "bad-call",
            Self::Reported => "reported",
        }
    }
}

/// The limits that can cut an exploration.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LimitKind {
    /// `--max-time`.
    Time,
    /// The work that it was worth.
    Work,
    /// `--max-memory`.
    Memory,
    /// `--max-paths`.
    Paths,
    /// `--max-depth`: branches on one path.
    Depth,
    /// `--max-loop`: iterations of one loop.
    Loop,
    /// `--max-instructions` on one path.
    Instructions,
    /// `--max-stack`: frames on one path.
    Stack,
    /// `--pointer-depth`: the input data structure ends here.
    PointerDepth,
    /// The object that a pointer input leads to was taken to be no larger.
    InputSize,
    /// An object larger than the engine is willing to make.
    ObjectSize,
    /// The user pressed Ctrl-C.
    Interrupt,
}

impl LimitKind {
    /// All limits.
    pub const ALL: [Self; 11] = [
        Self::Time,
        Self::Memory,
        Self::Paths,
        Self::Depth,
        Self::Loop,
        Self::Instructions,
        Self::Stack,
        Self::PointerDepth,
        Self::InputSize,
        Self::ObjectSize,
        Self::Interrupt,
    ];

    /// The limit of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|limit| limit.name() == name)
    }

    /// The name in JSON and in messages: stable.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "max-time",
            Self::Work => "work",
            Self::Memory => "max-memory",
            Self::Paths => "max-paths",
            Self::Depth => "max-depth",
            Self::Loop => "max-loop",
            Self::Instructions => "max-instructions",
            Self::Stack => "max-stack",
            Self::PointerDepth => "pointer-depth",
            Self::InputSize => "input-size",
            Self::ObjectSize => "max-object",
            Self::Interrupt => "interrupt",
        }
    }
}

/// A function that was active when a path ended, and where in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackFrame {
    /// The function's name.
    pub function: String,
    /// Where it was; `None` without debug information.
    pub position: Option<SourcePosition>,
}
