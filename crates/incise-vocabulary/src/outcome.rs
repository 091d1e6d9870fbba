//! How a path ends: a closed set, none of which is dropped on the way to the report.

use crate::{ErrorKind, LimitKind, OutcomeKind};
use serde::{Deserialize, Serialize};

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Outcome {
    /// The entry function returned.
    #[default]
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
    /// Positions differ between versions, and so do the words of an error, a condition that is asserted included. What
    /// a program reports in its own words is known by these.
    pub fn ends_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Error(one), Self::Error(two)) => {
                one.kind == two.kind && (one.kind != ErrorKind::Reported || one.message == two.message)
            }
            (Self::Exited { .. }, Self::Exited { .. }) => true,
            _ => self == other,
        }
    }

    /// Whether two runs end alike, with the same status if they exit.
    pub fn ends_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Exited { status: one }, Self::Exited { status: two }) => one == two,
            _ => self.ends_like(other),
        }
    }

    /// Whether the program itself did not come to this end: something cut the path.
    pub fn is_cut(&self) -> bool {
        !matches!(self, Self::Returned | Self::Exited { .. } | Self::Error(_))
    }

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
            // That no run of the program comes there is no news to whoever reads of paths.
            Self::Discarded | Self::Pruned => OutcomeKind::Pruned,
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

/// An error of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramError {
    /// Which kind.
    pub kind: ErrorKind,
    /// What happened, in a sentence with the source's names.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(kind: ErrorKind, message: &str) -> Outcome {
        Outcome::Error(ProgramError { kind, message: message.to_owned() })
    }

    #[test]
    fn an_error_is_known_by_its_kind_and_one_that_is_reported_by_its_words() {
        let alike = |one: &Outcome, two: &Outcome| {
            assert_eq!(one.ends_like(two), one.ends_alike(two));
            one.ends_alike(two)
        };
        assert!(alike(&error(ErrorKind::OutOfBounds, "of 's'"), &error(ErrorKind::OutOfBounds, "of 't'")));
        assert!(!alike(&error(ErrorKind::OutOfBounds, ""), &error(ErrorKind::NullPointer, "")));
        assert!(alike(&error(ErrorKind::Assertion, "n > 0"), &error(ErrorKind::Assertion, "n >= 1")));
        assert!(alike(&error(ErrorKind::Reported, "x"), &error(ErrorKind::Reported, "x")));
        assert!(!alike(&error(ErrorKind::Reported, "x"), &error(ErrorKind::Reported, "y")));
        assert!(!alike(&error(ErrorKind::OutOfBounds, ""), &Outcome::Returned));
    }

    #[test]
    fn a_status_that_is_known_tells() {
        let (one, two) = (Outcome::Exited { status: 1 }, Outcome::Exited { status: 2 });
        assert!(one.ends_like(&two) && !one.ends_alike(&two) && one.ends_alike(&one));
    }
}
