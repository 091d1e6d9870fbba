//! A call graph with what carries impact along its calls: its model, and one renderer a file.

pub mod dot;
pub(crate) mod json;
mod model;
pub mod text;

pub use model::{CallEdge, CallGraph, CallNode, EdgeKind, Flow, ParameterImpact};
