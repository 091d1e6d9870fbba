//! The symbolic executor: explores the paths of an `incise_ir::Program` and tells how each ends.
//!
//! It knows nothing of versions and changes: an exploration is steered by a [`Strategy`], and full exploration is the trivial one.
//! It does no input or output, and nothing downstream sees its expressions: results are plain data ([`Exploration`]).

#![allow(clippy::vec_box, reason = "states move from list to list, and a pointer moves faster")]

mod config;
mod decisions;
mod engine;
mod exploration;
mod externals;
mod inputs;
mod memory;
mod native;
mod outcome;
mod relate;
mod result;
mod seeds;
mod session;

pub use config::{Checks, Config, Externals, InputConfig, Limits, SearcherKind, SymbolicGlobals};
pub use decisions::strategy::{End, FullExploration, Note, Origin, Stack, Strategy, Visit, Watches};
pub use exploration::explore::{ExploreError, Hooks, Progress, explore, explore_with};
pub use exploration::finish::Detail;
pub use inputs::common::CommonTypes;
pub use inputs::given::{Given, GivenValue};
pub use inputs::sizes::{Need, Needs, Sizes};
pub use inputs::start::PROGRAM_NAME;
pub use inputs::world::MOST_FILES;
pub use native::{is_native, may_discard, required_model};
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
pub use session::near::ChangedElement;
pub use session::trace::{
    Assignment, Condition, Conjunction, Observation, Observed, Satisfiable, Session, Trace,
};
