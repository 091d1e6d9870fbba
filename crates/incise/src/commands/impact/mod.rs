//! `incise impact`: what changed, and what the change can affect; nothing of it is run.

pub(crate) mod arguments;
pub(crate) mod call_graph_model;
pub(crate) mod command;
mod proofs;
pub(crate) mod settings;
