//! The commands, one folder each: arguments as they are typed, settings, and what the command does.

pub(crate) mod build;
pub(crate) mod cache;
pub(crate) mod config;
pub(crate) mod cover;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod git_diff;
pub(crate) mod impact;
pub(crate) mod monitor;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod suite;
pub(crate) mod threads;
mod written;
