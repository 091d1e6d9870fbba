//! `incise diff`: what a change does, and the paths that it affects.

pub(crate) mod arguments;
pub(crate) mod command;
pub(crate) mod directed;
mod directed_threads;
pub(crate) mod parts;
mod report;
pub(crate) mod reports;
pub(crate) mod repository;
pub(crate) mod settings;
pub(crate) mod so_far;
pub(crate) mod verdict;
pub(crate) mod verdict_arguments;
pub(crate) mod verdict_settings;
