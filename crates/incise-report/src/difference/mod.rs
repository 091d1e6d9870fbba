//! The paths that a change affects: their model, and one renderer a file.

pub mod json;
mod model;
pub mod text;

pub use model::{AffectedSite, DiffStrategy, Difference, Entry, Full, PathChange, TraceRow};
