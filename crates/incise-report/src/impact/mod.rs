//! What a change means for the code, statement by statement: the model, and one renderer a file.

pub mod json;
mod model;
pub mod text;

pub use model::{
    CallSite, Carrier, CarrierKind, EqualEffect, EqualFunction, ForwardSlice, FunctionImpact, Impact,
    ImpactStep, LaterFunction, Passing, Reason, RuleSet, Spot, StartedThread, Statement, StatementKind,
    StatementStatus, Unresolved, UnseenCode, Version,
};
