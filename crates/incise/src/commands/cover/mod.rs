//! `incise cover`.

pub(crate) mod arguments;
pub(crate) mod command;
pub(crate) mod model;
