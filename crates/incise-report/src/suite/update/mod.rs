//! What became of the tests of a suite when the program changed: the model, and one renderer a file.

pub mod json;
mod model;
pub mod text;

pub use model::{Range, SuiteUpdate, TestClass, UpdatedTest};
