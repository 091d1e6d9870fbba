//! `incise cover`: what the tests of a suite cover of a change, and what they miss.

pub(crate) mod arguments;
pub(crate) mod command;
pub(crate) mod entry_suite;
pub(crate) mod model;
pub(crate) mod settings;
