//! What native runs of tests showed: the model, and one renderer a file.

pub mod json;
mod model;
pub mod text;

pub use model::{FreeRuns, Replay, ReplayVerdict, ReplayedTest};
