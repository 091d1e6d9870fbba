//! The symbolic executor: explores the paths of an `incise_ir::Program` and tells how each ends.
//!
//! It knows nothing of versions and changes: an exploration is steered by a [`Strategy`], and full exploration is the
//! trivial one. It does no input or output, and nothing downstream sees its expressions: results are plain data
//! ([`Exploration`]).

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
mod result;
mod session;
mod threads;

pub use config::{
    ArgumentGroup, Checks, Config, Externals, InputConfig, Limits, SearcherKind, SymbolicGlobals, Volatile,
};
pub use decisions::strategy::{End, FullExploration, Note, Origin, Stack, Strategy, Visit, Watches};
pub use exploration::explore::{ExploreError, Hooks, Progress, explore, explore_with, explore_with_oracle};
pub use exploration::finish::Detail;
pub use exploration::found::FoundSoFar;
pub use externals::is_maker;
pub use incise_reading::split_container;
pub use incise_solver::work::{Deadline, Passed, Work};
pub use inputs::given_values::{Given, GivenValue};
pub use inputs::sizes::{Need, Needs, Sizes};
pub use inputs::start::PROGRAM_NAME;
pub use inputs::symbol_types::{SymbolType, SymbolTypes};
pub use inputs::world::MOST_FILES;
pub use native::{is_native, may_discard, required_model};
pub use outcome::{ErrorKind, LimitKind, Outcome, ProgramError, StackFrame};
pub use result::{
    Constraint, Counters, Coverage, Decided, Decision, Exploration, FAILING_MALLOC, FinalValue, Input,
    InputOrigin, InputValue, Path, PointerAt, PointerTarget, ResultBytes, StageCounter,
};
pub use session::near::ChangedElement;
pub use session::trace::{
    Assignment, Condition, Conjunction, Observation, Observed, Satisfiable, Session, Trace,
};
pub use threads::event::Kind as EventKind;
pub use threads::{
    OrderedInstructions, Race, RaceAccess, Races, Scheduled, Schedules, Site, Step, Thing, ThreadConfig,
    starts_threads,
};

/// States, memory and values, for the few crates that work on them: two programs side by side, seeds. Nobody else looks
/// inside.
pub mod inside {
    pub use crate::decisions::decider::Decider;
    pub use crate::decisions::oracle::{Oracle, OracleAnswer, Ticket};
    pub use crate::engine::arithmetic::overflows;
    pub use crate::engine::code::float_format;
    pub use crate::engine::list::SharedList;
    pub use crate::engine::machine::Machine;
    pub use crate::engine::merge::{Either, advance, may_merge};
    pub use crate::engine::oddity::Oddity;
    pub use crate::engine::state::{ExternalCall, Frame, OutputPiece, PathConstraint, State};
    pub use crate::engine::step::Stop;
    pub use crate::engine::thread::{Thread, ThreadId, Turn};
    pub use crate::engine::value::{Value, mask, sign_extend};
    pub use crate::exploration::describe::{name_of, stack};
    pub use crate::exploration::ended::Ended;
    pub use crate::exploration::explore::{check_names, find_entry, order_forks, stop_signal};
    pub use crate::exploration::finish::{LARGEST_TEST, Sink, decided as decided_by, evaluate};
    pub use crate::exploration::search::Random;
    pub use crate::externals::reach::{addresses_in, shape_of};
    pub use crate::externals::{access_text, bases};
    pub use crate::inputs::given_values::{Tracing, Values, bits_at, invert};
    pub use crate::inputs::input::{Counted, InputObject, Leaf};
    pub use crate::inputs::locks::is_lock;
    pub use crate::inputs::parts::{PartKind, ShapePart, expression, fitted, parts, same_byte};
    pub use crate::inputs::shape::{ScalarKind, Shape};
    pub use crate::inputs::streams::{LeftStream, OpenStream, Stream};
    pub use crate::inputs::symbol_types::without_indices;
    pub use crate::inputs::world::{File, latin1};
    pub use crate::memory::access::{Access, AccessKind, ObjectPlace, Offset};
    pub use crate::memory::endless::Touch;
    pub use crate::memory::{AddressTarget, Byte, Memory, Object, ObjectKind, PAGE, Page, Slot};
    pub use crate::native::render;
    pub use crate::threads::{Executions, explore_executions, gave_some_up, take_races, went_to_sleep};
}
