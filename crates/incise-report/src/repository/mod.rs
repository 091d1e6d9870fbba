//! What a change in a repository does: one model, and one renderer a file.

pub mod json;
mod model;
pub mod text;

pub use model::{Counts, Reached, RepositoryReport, Row, Trouble, UnitReport};
