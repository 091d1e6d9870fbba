//! `incise cache`: how much is kept for other runs, and where.

pub(crate) mod arguments;
pub(crate) mod command;
