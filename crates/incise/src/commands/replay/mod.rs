//! `incise replay`.

pub(crate) mod command;
