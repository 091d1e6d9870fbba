//! The symbolic executor: explores the paths of an `incise_ir::Program` and tells how each ends.
//!
//! It knows nothing of versions and changes: an exploration is steered by a [`Strategy`], and full exploration is the trivial one.
//! It does no input or output, and nothing downstream sees its expressions: results are plain data ([`Exploration`]).

#![allow(clippy::vec_box, reason = "states move from list to list, and a pointer moves faster")]

mod access;
mod arithmetic;
mod ask;
mod bytes;
mod call;
mod code;
mod common;
mod config;
mod constants;
mod coverage;
mod decode;
mod distinct;
mod endless;
mod explore;
mod extent;
mod externals;
mod finish;
mod given;
mod guess;
mod input;
mod intrinsics;
mod list;
mod machine;
mod memo;
mod memory;
mod native;
mod near;
mod outcome;
mod relate;
mod result;
mod search;
mod seeds;
mod shape;
mod sizes;
mod slow;
mod start;
mod state;
mod step;
mod stop;
mod strategy;
mod streams;
mod taken;
mod trace;
mod value;
mod world;

pub use common::CommonTypes;
pub use config::{Checks, Config, Externals, InputConfig, Limits, SearcherKind, SymbolicGlobals};
pub use explore::{ExploreError, Hooks, Progress, explore, explore_with};
pub use finish::Detail;
pub use given::{Given, GivenValue};
pub use native::{is_native, may_discard, required_model};
pub use near::ChangedElement;
pub use outcome::{ErrorKind, LimitKind, Outcome, ProgramError, StackFrame};
pub use relate::{
    Compared, Comparing, Concerned, Effort, Ended, Induction, LONGEST_ARRAY, Leaf, Oddities, Pair, Party,
    Relation, Seen, Visible, induct,
};
pub use result::{
    Constraint, Counters, Coverage, Decided, Exploration, FAILING_MALLOC, FinalValue, Input, InputOrigin,
    InputValue, Path, StageCounter,
};
pub use seeds::{Finding, Judge, LeftBehind, Seed, SeedEnd, Seeded, Seeds, explore_seeded};
pub use sizes::{Need, Needs, Sizes};
pub use start::PROGRAM_NAME;
pub use strategy::{End, FullExploration, Note, Origin, Stack, Strategy, Visit, Watches};
pub use trace::{Assignment, Condition, Conjunction, Observation, Observed, Satisfiable, Session, Trace};
pub use world::MOST_FILES;
