//! What a change means statically, for all commands that compare versions.

pub(crate) mod analysis;
pub(crate) mod callers;
pub(crate) mod changed_lines;
pub(crate) mod concerned_calls;
pub(crate) mod model;
pub(crate) mod rules;
