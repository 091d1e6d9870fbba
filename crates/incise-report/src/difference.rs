//! The paths that a change affects, as plain data: the model of `incise diff`.

use crate::{FunctionImpact, Run, Spot, Version};

/// What exploring a change found.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    /// The old version; `None` if the changed lines of one version were given.
    pub old: Option<Version>,
    /// The new version.
    pub new: Version,
    /// How the paths were found: `exact`, `paper` or `full`.
    pub strategy: String,
    /// The set of rules that was applied: `complete` or `paper`.
    pub rules: String,
    /// The functions that changed, and those that were explored.
    pub functions: Vec<FunctionImpact>,
    /// The functions that only the new version has.
    pub added: Vec<String>,
    /// The functions that only the old version has.
    pub removed: Vec<String>,
    /// What was explored, one entry after the other.
    pub entries: Vec<Entry>,
    /// What the user should know of the whole.
    pub notes: Vec<String>,
    /// Milliseconds that finding the affected statements took.
    pub analysis_ms: f64,
}

impl Difference {
    /// Whether nothing was cut, unsupported, undecided or made concrete.
    pub fn complete(&self) -> bool {
        self.entries.iter().all(|entry| entry.run.complete)
    }

    /// How many of the reported paths the change affects.
    pub fn affected_count(&self) -> usize {
        self.entries.iter().map(Entry::affected_count).sum()
    }
}

/// What was found from one entry function.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The reported paths of the new version, and the effort.
    pub run: Run,
    /// What each of the run's paths has to do with the change.
    pub changes: Vec<PathChange>,
    /// How many statements of the entry function are changed, added or removed.
    pub changed_nodes: usize,
    /// How many of its statements are affected.
    pub affected_nodes: usize,
    /// How many statements it has.
    pub nodes: usize,
    /// A full exploration to compare with, if one was asked for.
    pub full: Option<Full>,
    /// The paper's Table 1, if it was asked for.
    pub trace: Vec<TraceRow>,
}

impl Entry {
    /// How many of the reported paths the change affects.
    pub fn affected_count(&self) -> usize {
        self.changes.iter().filter(|change| change.affected).count()
    }
}

/// What a path has to do with the change.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathChange {
    /// Whether the change affects the path: it executes what changed, or goes where something was removed.
    pub affected: bool,
    /// For each constraint of the path's condition, whether it comes from an affected statement.
    pub constraints: Vec<bool>,
    /// The affected statements on it, one for each visit, in order.
    pub sequence: Vec<Spot>,
    /// The name of its test, if one was written.
    pub test: Option<String>,
}

/// A full exploration, in figures.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Full {
    /// The paths.
    pub paths: usize,
    /// States made.
    pub states: u64,
    /// Questions put to the solver chain.
    pub queries: u64,
    /// Milliseconds.
    pub time_ms: f64,
    /// Whether nothing was cut.
    pub complete: bool,
    /// The names of the limits that cut something.
    pub limits: Vec<String>,
}

/// A row of the paper's Table 1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceRow {
    /// The statements of the path so far.
    pub path: Vec<Spot>,
    /// Whether the last of them is not explored, because no unexplored affected statement can be reached from it.
    pub no_path: bool,
    /// Explored writes.
    pub explored_writes: Vec<Spot>,
    /// Explored conditions.
    pub explored_conditions: Vec<Spot>,
    /// Unexplored writes.
    pub unexplored_writes: Vec<Spot>,
    /// Unexplored conditions.
    pub unexplored_conditions: Vec<Spot>,
}
