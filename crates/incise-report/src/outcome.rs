//! How a path ends.

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
