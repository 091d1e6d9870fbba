//! Whether two versions do the same: the model, and one renderer a file.

pub(crate) mod json;
mod model;
pub mod text;

pub use incise_vocabulary::{Sameness, Special};
pub use model::{
    Bound, ChangedValue, Comparison, ComparisonEffort, ErrorChange, OtherInputs, PairCounts, SizeUnit,
    TakenInput, ValueKind, Verdicts, Witness,
};
