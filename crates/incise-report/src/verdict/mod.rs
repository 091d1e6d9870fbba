//! Whether two versions do the same: the model, and one renderer a file.

pub(crate) mod json;
mod model;
pub mod text;
mod threads;
mod threads_text;

pub use incise_vocabulary::{Bound, Sameness, SizeUnit, Special};
pub use model::{
    ChangedValue, Comparison, ComparisonEffort, ErrorChange, OtherInputs, PairCounts, TakenInput, ValueKind,
    Verdicts, Witness,
};
pub use threads::{ComparedThreads, Only, RaceChange};
