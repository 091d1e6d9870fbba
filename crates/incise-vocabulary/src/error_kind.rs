//! What goes wrong in a program: the kinds of errors that the engine looks for, tests expect and native runs show.

use serde::{Deserialize, Serialize};

/// The kinds of errors that the engine looks for.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
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
    /// Signed arithmetic whose result does not fit; checked always for division, else if that is asked for.
    SignedOverflow,
    /// `__builtin_unreachable`, or falling off a function that must return.
    Unreachable,
    /// A copy between places that overlap, by what copies only between others: `memcpy`, `strcpy`.
    Overlap,
    /// A write to a constant.
    ReadOnly,
    /// A call through a pointer that is no function's address, or with the wrong arguments.
    BadCall,
    /// What the program reported itself (`klee_report_error`).
    Reported,
    /// Threads that wait for each other in a circle.
    Deadlock,
    /// A thread waits for what never comes.
    EndlessWait,
    /// A lock is given back, or waited with, that the thread does not hold.
    BadUnlock,
    /// A thread is waited for or detached that cannot be: for the second time, or there is no such.
    BadJoin,
    /// A lock or the like is destroyed or initialised while somebody holds it or waits for it.
    DestroyedInUse,
    /// A lock or the like is used before it was initialised, or after it was destroyed.
    NotInitialised,
    /// Another wrong use of a function of threads: a block ends that has not begun, a key is deleted that is not there.
    ThreadMisuse,
    /// Two accesses of which one writes, and which nothing orders.
    DataRace,
}

impl ErrorKind {
    /// All kinds.
    pub const ALL: [Self; 23] = [
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
        Self::Overlap,
        Self::ReadOnly,
        Self::BadCall,
        Self::Reported,
        Self::Deadlock,
        Self::EndlessWait,
        Self::BadUnlock,
        Self::BadJoin,
        Self::DestroyedInUse,
        Self::NotInitialised,
        Self::ThreadMisuse,
        Self::DataRace,
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
                | Self::Overlap
                | Self::ReadOnly
                | Self::BadCall
        )
    }

    /// Whether functions of threads are used wrongly.
    pub fn is_thread_misuse(self) -> bool {
        matches!(
            self,
            Self::BadUnlock
                | Self::BadJoin
                | Self::DestroyedInUse
                | Self::NotInitialised
                | Self::ThreadMisuse
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
            Self::Overlap => "overlapping-copy",
            Self::ReadOnly => "read-only",
            Self::BadCall => "bad-call",
            Self::Reported => "reported",
            Self::Deadlock => "deadlock",
            Self::EndlessWait => "endless-wait",
            Self::BadUnlock => "bad-unlock",
            Self::BadJoin => "bad-join",
            Self::DestroyedInUse => "destroyed-in-use",
            Self::NotInitialised => "not-initialised",
            Self::ThreadMisuse => "thread-misuse",
            Self::DataRace => "data-race",
        }
    }
}

impl std::fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
