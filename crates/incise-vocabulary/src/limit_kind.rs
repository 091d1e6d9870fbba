//! The limits that can cut an exploration.

use serde::{Deserialize, Serialize};

/// The limits that can cut an exploration.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum LimitKind {
    /// The time of the whole.
    Time,
    /// The work that it was worth.
    Work,
    /// The memory of the whole.
    Memory,
    /// The number of paths.
    Paths,
    /// The branches on one path.
    Depth,
    /// The iterations of one loop.
    Loop,
    /// The instructions on one path.
    Instructions,
    /// The frames on one path.
    Stack,
    /// The depth of input data structures: they end there.
    PointerDepth,
    /// The object that a pointer input leads to was taken to be no larger.
    InputSize,
    /// An object larger than the engine is willing to make.
    ObjectSize,
    /// A run of bytes of symbolic length that is longer than the engine is willing to copy or set.
    CopySize,
    /// The user pressed Ctrl-C.
    Interrupt,
    /// Inputs were taken to be different objects.
    Apart,
    /// The address in an input was read as a number: what numbers would do is not looked at.
    Reinterpreted,
    /// Something around the program, a file or a variable of the environment, was taken not to be there.
    Absent,
    /// Something that only one version has and writes: there is nothing to compare it with.
    OneSided,
    /// The threads on one path.
    Threads,
    /// How often a thread was interrupted that could have gone on.
    Preemptions,
    /// Atomic accesses were taken to be sequentially consistent that need not be.
    WeakMemory,
    /// Threads that wait at a condition variable were taken to be woken by others only.
    Wakeups,
}

impl LimitKind {
    /// All limits.
    pub const ALL: [Self; 21] = [
        Self::Time,
        Self::Work,
        Self::Memory,
        Self::Paths,
        Self::Depth,
        Self::Loop,
        Self::Instructions,
        Self::Stack,
        Self::PointerDepth,
        Self::InputSize,
        Self::ObjectSize,
        Self::CopySize,
        Self::Interrupt,
        Self::Apart,
        Self::Reinterpreted,
        Self::Absent,
        Self::OneSided,
        Self::Threads,
        Self::Preemptions,
        Self::WeakMemory,
        Self::Wakeups,
    ];

    /// Those that may hide paths without cutting one.
    pub const HIDING: [Self; 3] = [Self::Apart, Self::InputSize, Self::Absent];

    /// The limit of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|limit| limit.name() == name)
    }

    /// Whether larger inputs, or more of them, move it.
    pub fn is_of_inputs(self) -> bool {
        matches!(self, Self::InputSize | Self::PointerDepth | Self::Apart | Self::Absent)
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
            Self::CopySize => "max-copy",
            Self::Interrupt => "interrupt",
            Self::Apart => "apart",
            Self::Reinterpreted => "reinterpreted",
            Self::Absent => "absent",
            Self::OneSided => "one-sided",
            Self::Threads => "max-threads",
            Self::Preemptions => "preemptions",
            Self::WeakMemory => "weak-memory",
            Self::Wakeups => "spurious-wakeups",
        }
    }
}

impl std::fmt::Display for LimitKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
