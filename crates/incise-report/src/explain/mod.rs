//! Why an input behaves differently in two versions: the model, and one renderer a file.

pub mod json;
mod model;
pub mod text;

pub use model::{
    Aspect, Behaviour, BothBehaviours, Cause, ConstraintCounts, ExplainVerdict, Explanation, Nearby,
};
