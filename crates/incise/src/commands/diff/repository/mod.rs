//! `incise diff` in a repository: every function whose code changed between two revisions, unit by unit.

pub(crate) mod command;
mod data;
mod details;
mod judged_unit;
mod linked;
mod moved;
mod remembered;
mod risk;
pub(crate) mod settings;
mod watch;
