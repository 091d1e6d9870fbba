//! Directed exploration of programs with threads: one execution for each trace of affected events.
//!
//! The mode +CIA of Guo, Kusano, Wang, "Conc-iSE: Incremental Symbolic Execution of Concurrent Software" (ASE 2016),
//! made sound. The paper explores one side of a branch that is not in its forward set, which may be one that the change
//! depends on; we explore the orders of all that is in the backward slice of what is affected, over all threads
//! ([`ThreadSlice`]). What is not in the slice is executed, and no order of it is explored. Of executions that have the
//! same trace of affected events, and end alike, one is reported.
//!
//! *Guarantee:* for every trace of affected events that a feasible execution of the new version has, exactly one
//! execution is reported; and every error that the old version does not have is found. An execution that a statement
//! outside of the slice ends early ends there like any other.
//!
//! Two modes of the paper are here to compare with: every order, and one execution for each trace. The mode +SCIA cuts
//! executions short by summaries; ours are states of the same exploration from which everything was explored, with the
//! accesses of what follows them. It finds the same errors and data races, and does not tell every trace. The paper's
//! summaries of the old version are not there.
//!
//! Not done: sides of branches outside of the slice are explored, although what they lead to is reported once.

mod traces;

pub use traces::{AffectedTrace, AffectedTraces, ExecutionChange};

use incise_change::ThreadSlice;
use incise_exec::{
    Config, Exploration, ExploreError, Hooks, OrderedInstructions, Outcome, Schedules, ThreadConfig, explore,
};
use incise_ir::{FunctionId, InstructionId, Program};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Which executions of a program with threads are explored.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ThreadStrategy {
    /// In every order.
    Baseline,
    /// One for each trace.
    Traces,
    /// One for each trace of what affected events depend on.
    Concerned,
    /// Every state that those come to, each once.
    Summarised,
}

/// What an exploration of threads found.
#[derive(Debug)]
pub struct ConcernedExecutions {
    /// What was explored; with [`ThreadStrategy::Concerned`], of executions with the same trace of affected events only
    /// the first is kept.
    pub exploration: Exploration,
    /// How many executions were explored.
    pub executions: usize,
    /// How many traces of affected events they have.
    pub traces: usize,
    /// What each of the kept executions has to do with the change.
    pub changes: Vec<ExecutionChange>,
}

/// The slice as the executor asks for it.
#[derive(Debug)]
struct Ordered(ThreadSlice);

impl OrderedInstructions for Ordered {
    fn counts(&self, function: FunctionId, instruction: InstructionId) -> bool {
        self.0.is_in_slice(function, instruction)
    }
}

/// Explores executions of the new version. `config` says how threads are explored besides.
pub fn explore_by(
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    slice: &ThreadSlice,
    strategy: ThreadStrategy,
) -> Result<Exploration, ExploreError> {
    let mut config = config.clone();
    match strategy {
        ThreadStrategy::Baseline => {
            let threads = config.threads.unwrap_or_default();
            config.threads = Some(ThreadConfig { schedules: Schedules::All, ..threads });
        }
        ThreadStrategy::Traces => {}
        ThreadStrategy::Concerned => config.ordered = Some(Arc::new(Ordered(slice.clone()))),
        ThreadStrategy::Summarised => {
            let threads = config.threads.unwrap_or_default();
            config.ordered = Some(Arc::new(Ordered(slice.clone())));
            config.threads = Some(ThreadConfig { schedules: Schedules::States, ..threads });
        }
    }
    explore(program, &config, hooks)
}

/// Explores executions of the new version, and says what each has to do with the change. The hooks must ask for all
/// details.
pub fn explore_executions(
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    slice: &ThreadSlice,
    strategy: ThreadStrategy,
) -> Result<ConcernedExecutions, ExploreError> {
    let mut exploration = explore_by(program, config, hooks, slice, strategy)?;
    let finder = AffectedTraces::new(program, slice);
    // What an assumption cuts is no execution of the program.
    exploration.paths.retain(|path| path.outcome != Outcome::Discarded);
    let executions = exploration.paths.len() + exploration.summarised as usize;
    let mut known = BTreeSet::new();
    let once = matches!(strategy, ThreadStrategy::Concerned | ThreadStrategy::Summarised);
    exploration.paths.retain(|path| known.insert(finder.of(path)) || !once);
    let changes = exploration.paths.iter().map(|path| finder.change(path)).collect();
    Ok(ConcernedExecutions { exploration, executions, traces: known.len(), changes })
}

/// Explores the executions of the new version that a change concerns. The hooks must ask for all details.
pub fn explore_concerned(
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    slice: &ThreadSlice,
) -> Result<ConcernedExecutions, ExploreError> {
    explore_executions(program, config, hooks, slice, ThreadStrategy::Concerned)
}
