//! `incise diff`: what a change does, and the paths that it affects.

pub(crate) mod arguments;
pub(crate) mod command;
mod directed;
mod report;
pub(crate) mod settings;
mod so_far;
pub(crate) mod verdict;
pub(crate) mod verdict_arguments;
mod verdict_settings;
