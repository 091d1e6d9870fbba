//! In which way a path ends, without what happened there.

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
