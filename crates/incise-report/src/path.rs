//! A path of the program: how it ended, an input that takes it, and what it leaves behind.
//!
//! It knows nothing of the engine (`incise-findings` fills it in) and nothing of formats (each renderer has its own
//! serialised types, with a version).

use crate::{Final, Input, Observed, Outcome};
use serde::{Deserialize, Serialize};

/// A place in the source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 where unknown.
    pub column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// One path of the program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FoundPath {
    /// Its number, from 1.
    pub id: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// Where it ended.
    pub place: Option<Place>,
    /// The active functions at its end, innermost first.
    pub stack: Vec<Frame>,
    /// The path condition, a conjunction.
    pub condition: Vec<Constraint>,
    /// An input that takes this path; `None` if the solver gave none in time.
    pub inputs: Option<Vec<Input>>,
    /// What the entry returned.
    pub result: Option<Observed>,
    /// The global variables that the path wrote and the objects that its pointer inputs point to, at its end.
    pub finals: Vec<Final>,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// Whether it depends on a value that the program never initialised.
    pub indeterminate: bool,
    /// Which way it went wherever more than one was possible.
    pub decisions: Vec<u32>,
    /// The instructions executed on it.
    pub instructions: u64,
    /// What its threads did, in this order; empty if there is only one.
    pub schedule: Vec<crate::ScheduleStep>,
    /// The threads that were started before the first step.
    pub first_threads: Vec<u32>,
    /// Where the threads stand that have not ended.
    pub left_threads: Vec<(u32, crate::Site)>,
}

/// A function that was active when a path ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// Its name.
    pub function: String,
    /// Where it was.
    pub place: Option<Place>,
}

/// One conjunct of a path condition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Constraint {
    /// In C syntax.
    pub text: String,
    /// The branch that it comes from.
    pub place: Option<Place>,
}
