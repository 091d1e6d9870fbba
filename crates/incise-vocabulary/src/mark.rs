//! What a change does to a part of a health monitor.

/// What a change does to a node of a network, a formula or a measurement.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// Proved: what it stands for is the same in both versions on every input.
    Same,
    /// Nothing in the program is known to stand for it, nor for what it hangs on.
    Unmapped,
    /// The change can concern it, and it was not decided.
    MayDiffer,
    /// There is an input on which it differs.
    Differs,
}

impl Mark {
    /// All of them, the most harmless first.
    pub const ALL: [Self; 4] = [Self::Same, Self::Unmapped, Self::MayDiffer, Self::Differs];

    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Unmapped => "unmapped",
            Self::MayDiffer => "may-differ",
            Self::Differs => "differs",
        }
    }

    /// The same for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::MayDiffer => "may differ",
            other => other.name(),
        }
    }
}

impl std::fmt::Display for Mark {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.words())
    }
}
