//! The paths that a change affects, as plain data: the model of `incise diff`.

use crate::verdict::Verdicts;
use crate::{FunctionImpact, LimitKind, RuleSet, Run, Spot, Version};
use std::sync::Arc;

/// What exploring a change found.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    /// The old version; `None` if the changed lines of one version were given.
    pub old: Option<Version>,
    /// The new version.
    pub new: Version,
    /// How the paths were found.
    pub strategy: DiffStrategy,
    /// The set of rules that was applied.
    pub rules: RuleSet,
    /// How far the change is followed: `program`, into calls and back, or `function`.
    pub scope: String,
    /// The functions that changed, those that were explored, and those with something affected in them.
    pub functions: Vec<FunctionImpact>,
    /// The functions that only the new version has.
    pub added: Vec<String>,
    /// The functions that only the old version has.
    pub removed: Vec<String>,
    /// Whether the versions do the same, if they were compared.
    pub verdicts: Option<Verdicts>,
    /// What was explored, one entry after the other.
    pub entries: Vec<Entry>,
    /// The same of the old version, if that was asked for.
    pub old_entries: Vec<Entry>,
    /// Who calls whom where the change has influence, if that was asked for.
    pub calls: Option<crate::CallGraph>,
    /// What the user should know of the whole.
    pub notes: Vec<String>,
    /// Milliseconds that finding the affected statements took.
    pub analysis_ms: f64,
}

/// How the paths were found that a change affects.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum DiffStrategy {
    /// One for each sequence of affected statements.
    #[default]
    Exact,
    /// As the paper prints it.
    Paper,
    /// All of them.
    Full,
    /// Those that cover something.
    Cover,
    /// None: the versions are only compared.
    Verdict,
    /// With threads: every order.
    Baseline,
    /// With threads: one execution for each trace.
    Dpor,
    /// With threads: one execution for each trace of affected events.
    Cia,
}

impl DiffStrategy {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Paper => "paper",
            Self::Full => "full",
            Self::Cover => "cover",
            Self::Verdict => "verdict",
            Self::Baseline => "baseline",
            Self::Dpor => "dpor",
            Self::Cia => "cia",
        }
    }
}

impl Difference {
    /// Whether nothing was cut, unsupported, undecided or made concrete.
    pub fn complete(&self) -> bool {
        self.entries.iter().chain(&self.old_entries).all(|entry| entry.run.complete)
    }

    /// How many of the reported paths of the new version the change affects.
    pub fn affected_count(&self) -> usize {
        self.entries.iter().map(Entry::affected_count).sum()
    }

    /// How many of the reported paths of the old version the change affects.
    pub fn old_affected_count(&self) -> usize {
        self.old_entries.iter().map(Entry::affected_count).sum()
    }
}

/// What was found from one entry function.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The reported paths, and the effort.
    pub run: Run,
    /// What each of the run's paths has to do with the change.
    pub changes: Vec<PathChange>,
    /// How many statements in scope are changed, added or removed: of the entry function, and of what it calls if the
    /// change is followed there.
    pub changed_nodes: usize,
    /// How many of the statements in scope are affected.
    pub affected_nodes: usize,
    /// How many statements are in scope.
    pub nodes: usize,
    /// A full exploration to compare with, if one was asked for.
    pub full: Option<Full>,
    /// What is known of the executions of threads, if there are any.
    pub threads: Option<ThreadFigures>,
    /// The paper's Table 1, if it was asked for.
    pub trace: Vec<TraceRow>,
    /// What had to be covered, if the paths were looked for that cover it.
    pub cover: Option<crate::cover::Cover>,
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
    pub sequence: Vec<AffectedSite>,
    /// The name of its test, if one was written.
    pub test: Option<String>,
}

/// A statement on a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AffectedSite {
    /// The function that it is in; `None` for the entry.
    pub function: Option<Arc<str>>,
    /// Where it is.
    pub spot: Spot,
}

impl std::fmt::Display for AffectedSite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "{function}:")?;
        }
        write!(f, "{}", self.spot)
    }
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
    pub limits: Vec<LimitKind>,
}

/// An exploration of threads, in figures.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ThreadFigures {
    /// The traces of affected events.
    pub traces: u64,
    /// The executions that were explored.
    pub executions: u64,
    /// How many of them a summary of what was explored before cut short.
    pub cut_by_summary: u64,
    /// Explorations by several strategies to compare with, if they were asked for.
    pub compared: Vec<StrategyFigures>,
}

/// What it takes to explore threads by a strategy.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StrategyFigures {
    /// Which.
    pub strategy: DiffStrategy,
    /// The executions that were explored.
    pub executions: u64,
    /// How many of them a summary of what was explored before cut short.
    pub cut_by_summary: u64,
    /// The errors, each kind and place once.
    pub errors: usize,
    /// States made.
    pub states: u64,
    /// Questions put to the solver chain.
    pub queries: u64,
    /// Milliseconds.
    pub time_ms: f64,
    /// Whether nothing was cut.
    pub complete: bool,
    /// The limits that cut something.
    pub limits: Vec<LimitKind>,
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
