//! What tests of a change have to cover, and what becomes of it: its model, and one renderer a file.

pub mod json;
mod model;
pub mod text;

pub use model::{Cover, CoverCounts, CoverReport, CoverStatus, CoverTarget, Obligation, SourceSpot, Use};
