//! `incise run`.

pub(crate) mod command;
