//! Whether two versions do the same: the model, and one renderer a file.

mod glance;
pub(crate) mod json;
mod model;
pub mod stored;
pub mod text;
mod threads;
pub(crate) mod threads_text;

pub use incise_vocabulary::{Bound, Sameness, SizeUnit, Special};
pub use model::{
    ChangedValue, Comparison, ComparisonEffort, ErrorChange, NotPassed, OtherInputs, PairCounts, TakenInput,
    ValueKind, Verdicts, WayBranch, Witness, WitnessWay,
};
pub use threads::{ComparedThreads, Only, RaceChange};
