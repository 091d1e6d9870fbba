//! The words that the engine, its reports and native runs have in common: how a path ends, what goes wrong in a
//! program, which limits cut an exploration, what tests have to cover, the verdict on two versions, and what a change
//! does to a monitor.
//!
//! Each is a closed set with stable names, and is defined here and nowhere else, so that nobody has to translate one
//! into another or compare names. When two runs end alike is said here too ([`Outcome::ends_alike`]).

mod bound;
mod criterion;
mod error_kind;
mod limit_kind;
mod mark;
mod outcome;
mod outcome_kind;
mod sameness;
mod special;

pub use bound::{Bound, SizeUnit};
pub use criterion::Criterion;
pub use error_kind::ErrorKind;
pub use limit_kind::LimitKind;
pub use mark::Mark;
pub use outcome::{Outcome, ProgramError};
pub use outcome_kind::OutcomeKind;
pub use sameness::Sameness;
pub use special::Special;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_both_ways() {
        assert!(ErrorKind::ALL.iter().all(|kind| ErrorKind::named(kind.name()) == Some(*kind)));
        assert!(LimitKind::ALL.iter().all(|limit| LimitKind::named(limit.name()) == Some(*limit)));
        assert!(OutcomeKind::ALL.iter().all(|kind| OutcomeKind::named(kind.name()) == Some(*kind)));
        assert_eq!(ErrorKind::named("x"), None);
    }
}
