//! The exit status of every command, as diff(1) has it.

use incise_report::{Replay, ReplayVerdict};

/// What a command that did its work has to say.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// Nothing was found.
    Nothing,
    /// Errors or disagreements were found.
    Found,
    /// Nothing was found, but something was cut or not checked.
    Undecided,
}

/// The status of a command that could not do its work.
pub(crate) const FAILED: u8 = 2;

impl Status {
    /// The exit status.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Nothing => 0,
            Self::Found => 1,
            Self::Undecided => 3,
        }
    }

    /// Disagreements, or tests that could not be checked, or neither.
    pub(crate) fn of_replay(replay: &Replay) -> Self {
        if replay.count(ReplayVerdict::Disagrees) > 0 {
            Self::Found
        } else if replay.count(ReplayVerdict::NotChecked) > 0 {
            Self::Undecided
        } else {
            Self::Nothing
        }
    }

    /// Of two, the one that the user must know of: found, then undecided, then nothing.
    pub(crate) fn worse(self, other: Self) -> Self {
        match (self, other) {
            (Self::Found, _) | (_, Self::Found) => Self::Found,
            (Self::Undecided, _) | (_, Self::Undecided) => Self::Undecided,
            (Self::Nothing, Self::Nothing) => Self::Nothing,
        }
    }
}
