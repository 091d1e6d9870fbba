//! `incise run`: read, explore, report, write tests.

pub(crate) mod arguments;
pub(crate) mod command;
pub(crate) mod settings;
mod so_far;
