//! `incise explain`: why a test passes on the old version and fails on the new one.

pub(crate) mod arguments;
pub(crate) mod command;
mod model;
mod native;
pub(crate) mod settings;
pub(crate) mod written_test;
