//! `incise config`: what a repository says of how its changes are checked.

pub(crate) mod command;
