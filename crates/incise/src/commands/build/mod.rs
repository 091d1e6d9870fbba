//! `incise build`: how a build compiles files, found out by watching it.

pub(crate) mod arguments;
pub(crate) mod command;
