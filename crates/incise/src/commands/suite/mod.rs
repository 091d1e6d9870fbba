//! `incise suite`: a test suite that follows the code.

pub(crate) mod arguments;
pub(crate) mod check;
pub(crate) mod emit;
pub(crate) mod generate;
pub(crate) mod settings;
mod trees;
pub(crate) mod update;
