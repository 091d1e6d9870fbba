//! `incise diff`.

pub(crate) mod arguments;
pub(crate) mod command;
mod directed;
pub(crate) mod verdict;
pub(crate) mod verdict_arguments;
