//! What a change does to a health monitor: the model, and one renderer a file.

pub mod csv;
pub mod json;
mod model;
pub mod text;

pub use model::{
    ChainStep, EdgeFinding, Evidence, MonitorEdge, MonitorNode, MonitorReport, NodeStates, NodeWitness,
};
