//! What Incise found, as plain data, and its renderers: a folder a finding, with its model, text and JSON.
//!
//! Findings are an [`exploration`], the [`impact`] of a change with its [`call_graph`], the paths that it affects
//! ([`difference`]), the [`verdict`] on two versions, what tests have to [`cover`], an explanation ([`explain`]), a
//! [`monitor`] with its marks, a [`replay`], a [`suite`] and its [`test`]s; [`change_report`] is a change for people
//! and their machines, in many formats. What several of them speak of stands beside them: paths, outcomes, inputs,
//! values.
//!
//! Models are plain; the types that are serialised live beside their renderer, carry a version, and are described in
//! `docs/json.md`. Nothing here touches files or processes: renderers write to what they are given.

pub mod call_graph;
pub mod change_report;
pub mod cover;
pub mod difference;
pub mod emit;
pub mod explain;
pub mod exploration;
pub mod impact;
mod input;
mod json;
pub mod monitor;
pub mod names;
mod observed;
mod path;
pub mod replay;
pub mod repository;
mod shared_text;
pub mod suite;
pub mod test;
mod text;
pub mod threads;
mod value;
pub mod verdict;

pub use call_graph::{CallEdge, CallGraph, CallNode, EdgeKind, Flow, ParameterImpact};
pub use difference::{
    AffectedSite, DiffStrategy, Difference, Entry, Full, PathChange, StrategyFigures, ThreadFigures, TraceRow,
};
pub use explain::{
    Aspect, Behaviour, BothBehaviours, Cause, ConstraintCounts, ExplainVerdict, Explanation, Nearby,
};
pub use exploration::{Coverage, Effort, ProgramIdentity, Run, Stage};
pub use impact::{
    CallSite, Carrier, CarrierKind, EqualEffect, EqualFunction, ForwardSlice, FunctionImpact, Impact,
    ImpactStep, LaterFunction, Passing, Reason, RuleSet, Spot, StartedThread, Statement, StatementKind,
    StatementStatus, Unresolved, UnseenCode, Version,
};
pub use incise_vocabulary::{ErrorKind, LimitKind, Outcome, OutcomeKind, ProgramError};
pub use input::{Input, Origin, PointerTo};
pub use json::condition;
pub use observed::{Final, LeftPointer, Observed, PointerTarget, keep_finals};
pub use path::{Constraint, FoundPath, Frame, Place};
pub use replay::{FreeRuns, Replay, ReplayVerdict, ReplayedTest};
pub use shared_text::SharedText;
pub use test::TestCase;
pub use test::manifest::Manifest;
pub use text::{Advice, Adviser, TextOptions};
pub use threads::{Race, RaceAccess, Schedule, ScheduleStep, Site};
pub use value::{FloatFormat, Value, c_string};
