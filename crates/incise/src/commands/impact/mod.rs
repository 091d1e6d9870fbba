//! `incise impact`: what changed, and what the change can affect, without running anything.

pub(crate) mod arguments;
pub(crate) mod call_graph_model;
pub(crate) mod command;
pub(crate) mod settings;
