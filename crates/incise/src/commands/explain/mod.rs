//! `incise explain`.

pub(crate) mod arguments;
pub(crate) mod command;
pub(crate) mod written_test;
