//! The symbolic executor: explores the paths of an `incise_ir::Program` and tells how each ends.
//!
//! It knows nothing of versions and changes: an exploration is steered by a [`Strategy`], and full exploration is the trivial one.
//! It does no input or output, and nothing downstream sees its expressions: results are plain data ([`Exploration`]).

mod config;
mod outcome;
mod result;

pub use config::{Checks, Config, Externals, InputConfig, Limits, SearcherKind, SymbolicGlobals};
pub use outcome::{ErrorKind, LimitKind, Outcome, ProgramError, StackFrame};
pub use result::{
    Constraint, Counters, Coverage, Exploration, FinalValue, Input, InputOrigin, InputValue, Path, StageCounter,
};
