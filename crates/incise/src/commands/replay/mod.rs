//! `incise replay`: run generated tests natively and compare.

pub(crate) mod arguments;
pub(crate) mod command;
pub(crate) mod settings;
