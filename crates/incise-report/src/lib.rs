//! What Incise found, as plain data, and its renderers: one a file.
//!
//! The model ([`Run`], [`Impact`], [`Difference`], [`Explanation`], [`TestCase`], [`Replay`]) is plain; the types that
//! are serialised live beside their renderer, carry a version, and are described in `docs/json.md`. Nothing here
//! touches files or processes: renderers write to what they are given.

pub mod c_test;
mod call_graph;
pub mod call_graph_dot;
mod call_graph_json;
pub mod call_graph_text;
pub mod cover;
pub mod cover_json;
pub mod cover_text;
mod difference;
pub mod difference_json;
pub mod difference_text;
pub mod emit;
mod error_kind;
mod explain;
pub mod explain_json;
pub mod explain_text;
mod impact;
pub mod impact_json;
pub mod impact_text;
pub mod json;
mod json_lines;
mod json_value;
pub mod ktest;
pub mod manifest;
mod model;
pub mod names;
pub mod replay;
mod shared_text;
mod style;
pub mod suite;
pub mod suite_check;
pub mod suite_junit;
pub mod suite_path;
pub mod suite_text;
pub mod suite_update;
pub mod test_json;
#[cfg(test)]
mod test_reference;
pub mod test_text;
pub mod test_writer;
pub mod text;
mod value;
pub mod verdict;
mod verdict_json;
pub mod verdict_text;

pub use call_graph::{CallEdge, CallGraph, CallNode, EdgeKind, Flow, ParameterImpact};
pub use difference::{Difference, Entry, Full, PathChange, Site, TraceRow};
pub use error_kind::ErrorKind;
pub use explain::{Aspect, Behaviour, Both, Cause, Constraints, ExplainVerdict, Explanation, Nearby};
pub use impact::{
    CallSite, Carrier, CarrierKind, ForwardSlice, FunctionImpact, Impact, Reason, Spot, Statement,
    StatementKind, Status, Step, Unresolved, Unseen, Version,
};
pub use manifest::Manifest;
pub use model::{
    Constraint, Coverage, Effort, Final, Frame, Input, LeftPointer, Observed, Origin, Outcome, OutcomeKind,
    Path, Place, PointerTarget, PointerTo, Program, Run, Stage,
};
pub use replay::{Replay, ReplayedTest, Verdict};
pub use shared_text::SharedText;
pub use test_json::TestCase;
pub use value::{FloatFormat, Value, c_string};
