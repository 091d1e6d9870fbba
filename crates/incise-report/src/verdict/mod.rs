//! Whether two versions do the same: the model, and one renderer a file.

pub(crate) mod json;
mod model;
pub mod text;

pub use model::{
    Bound, ChangedValue, Comparison, ComparisonEffort, ErrorChange, OtherInputs, PairCounts, Sameness,
    Special, TakenInput, ValueKind, Verdicts, Witness,
};
