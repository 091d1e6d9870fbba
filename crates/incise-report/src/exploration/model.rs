//! What an exploration found, as plain data: the model of `incise run`.

use crate::{FoundPath, LimitKind, Outcome, Place};
use std::collections::BTreeMap;

/// What was explored: enough to do it again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramIdentity {
    /// The files, as the user named them.
    pub files: Vec<String>,
    /// What was passed to the compiler.
    pub flags: Vec<String>,
    /// The function where the exploration starts.
    pub entry: String,
    /// A hash of the files' bytes.
    pub hash: String,
}

/// What one run of the engine found.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// What was explored.
    pub program: ProgramIdentity,
    /// The paths, in the order of their decisions.
    pub paths: Vec<FoundPath>,
    /// The limits that cut something, in order.
    pub limits: Vec<LimitKind>,
    /// What was made concrete although other values were possible.
    pub concretised: Vec<String>,
    /// Variables that other files can see, and that are taken at their initial values because nothing in the program
    /// writes them.
    pub initial: Vec<String>,
    /// What the inputs were taken to be.
    pub taken: Vec<crate::verdict::TakenInput>,
    /// The inputs that were too small, or not followed: how far they go.
    pub bounds: Vec<crate::verdict::Bound>,
    /// Paths that end in errors of which the inputs are not what they were taken to be, one for each kind and place.
    pub others: Vec<FoundPath>,
    /// States that a limit gave up, without a path of their own.
    pub abandoned_states: u64,
    /// The most threads at one time; 0 if none was started.
    pub threads: u32,
    /// Executions that were given up half-way.
    pub blocked: u64,
    /// The data races, each pair of places once.
    pub races: Vec<crate::Race>,
    /// Whether they count as errors.
    pub races_are_errors: bool,
    /// Whether nothing was cut, unsupported, undecided or made concrete.
    pub complete: bool,
    /// Which lines and branches were reached.
    pub coverage: Coverage,
    /// Effort.
    pub effort: Effort,
}

impl Run {
    /// The number of paths that end in an error, and of data races.
    pub fn error_count(&self) -> usize {
        let races = if self.races_are_errors { self.races.len() } else { 0 };
        races + self.paths.iter().filter(|path| matches!(path.outcome, Outcome::Error(_))).count()
    }
}

/// Which lines and branches were reached.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// For each file, for each line with code: whether it was executed.
    pub lines: BTreeMap<String, BTreeMap<u32, bool>>,
    /// For each branch, for each side: whether it was taken.
    pub branches: BTreeMap<Place, Vec<bool>>,
}

impl Coverage {
    /// Lines executed, and lines with code.
    pub fn line_counts(&self) -> (usize, usize) {
        let lines = self.lines.values().flat_map(|lines| lines.values());
        (lines.clone().filter(|&&hit| hit).count(), lines.count())
    }

    /// Branch sides taken, and all.
    pub fn branch_counts(&self) -> (usize, usize) {
        let sides = self.branches.values().flatten();
        (sides.clone().filter(|&&hit| hit).count(), sides.count())
    }
}

/// Effort spent.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    /// States made.
    pub states: u64,
    /// Forks.
    pub forks: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Questions put to the solver chain.
    pub queries: u64,
    /// Milliseconds in the solver chain.
    pub solver_ms: f64,
    /// The mean time of a query in the first and in the last tenth of them, in microseconds.
    pub tenths_us: (f64, f64),
    /// Milliseconds of the exploration.
    pub time_ms: f64,
    /// The most memory that the process used, in bytes.
    pub peak_memory: u64,
    /// The most states that waited at one time.
    pub peak_states: u64,
    /// What each solver stage did.
    pub stages: Vec<Stage>,
}

/// What one stage of the solver chain did.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// Questions it was asked.
    pub asked: u64,
    /// Questions it answered.
    pub answered: u64,
    /// Milliseconds spent in it.
    pub time_ms: f64,
}
