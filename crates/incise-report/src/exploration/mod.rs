//! What one exploration found: the model, and one renderer a file.

pub mod json;
mod model;
pub mod text;

pub use model::{Coverage, Effort, ProgramIdentity, Run, Stage};
