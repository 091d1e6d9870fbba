//! The verdict on two versions.

use serde::{Deserialize, Serialize};

/// Whether two versions do the same. The order is that in which one of several counts for the whole.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum Sameness {
    /// They do, on every input.
    #[default]
    Same,
    /// They do, as far as the limits go.
    WithinBounds,
    /// It could not be told.
    Undecided,
    /// They do not, on some input.
    Differs,
}

impl Sameness {
    /// The verdict where versions differ on some input or on none, where something is open, and where limits cut paths.
    pub fn of(differs: bool, open: bool, bounded: bool) -> Self {
        match (differs, open, bounded) {
            (true, _, _) => Self::Differs,
            (false, true, _) => Self::Undecided,
            (false, false, true) => Self::WithinBounds,
            (false, false, false) => Self::Same,
        }
    }

    /// The name in JSON: stable.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::WithinBounds => "same-within-bounds",
            Self::Undecided => "undecided",
            Self::Differs => "differs",
        }
    }
}
