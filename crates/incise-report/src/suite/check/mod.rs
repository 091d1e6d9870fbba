//! What native runs of a suite showed: the model, and one renderer a file.

pub mod json;
pub mod junit;
mod model;
pub mod text;

pub use model::{CheckStatus, CheckedTest, SuiteCheck};
