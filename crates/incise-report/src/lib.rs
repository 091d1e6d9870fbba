//! What Incise found, as plain data, and its renderers: one a file.
//!
//! The model ([`Run`], [`TestCase`], [`Replay`]) is plain; the types that are serialised live beside their renderer, carry a version, and
//! are described in `docs/json.md`. Nothing here touches files or processes: renderers write to what they are given.

pub mod c_test;
pub mod json;
mod json_value;
pub mod ktest;
pub mod manifest;
mod model;
pub mod replay;
mod style;
pub mod test_json;
pub mod text;
mod value;

pub use manifest::Manifest;
pub use model::{
    Constraint, Coverage, Effort, Final, Frame, Input, Observed, Origin, Outcome, Path, Place, PointerTo,
    Program, Run, Stage,
};
pub use replay::{Replay, ReplayedTest, Verdict};
pub use test_json::TestCase;
pub use value::{FloatFormat, Value, c_string};
