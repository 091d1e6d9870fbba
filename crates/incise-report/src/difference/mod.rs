//! The paths that a change affects: their model, and one renderer a file.

pub mod json;
mod model;
pub mod text;
mod threads;

pub use model::{
    AffectedSite, DiffStrategy, Difference, Entry, Full, PathChange, StrategyFigures, ThreadFigures, TraceRow,
};
