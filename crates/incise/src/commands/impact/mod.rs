//! `incise impact`.

mod call_graph_model;
pub(crate) mod command;
