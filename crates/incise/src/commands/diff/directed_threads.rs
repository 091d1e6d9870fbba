//! Explores the executions of a program with threads that a change concerns, and compares strategies.

use super::arguments::Strategy;
use super::directed::Explorer;
use anyhow::{Context, Result};
use incise_change::{Entries, FunctionImpact, Impact, Rules, ThreadSlice, Versions, WholeImpact};
use incise_exec::{Config, Detail, Exploration, Outcome, Races, Schedules, ThreadConfig};
use incise_findings as findings;
use incise_incremental::cia::{
    ConcernedExecutions, ExecutionChange, ThreadStrategy, explore_by, explore_executions,
};
use incise_ir::{FunctionId, InstructionId, Program};
use incise_report::{AffectedSite, Entry, PathChange, Spot, StrategyFigures, ThreadFigures};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// What to do with entries that start threads.
pub(super) struct ThreadJob<'a> {
    /// Which orders are explored of what is explored.
    pub(super) schedules: Schedules,
    /// The strategies that are compared.
    pub(super) compared: &'a [Strategy],
}

/// What a change means for a program with threads.
struct ThreadScope {
    slice: ThreadSlice,
    changed: usize,
    nodes: usize,
}

impl Explorer<'_> {
    /// Explores from a function that starts threads in one of the versions.
    pub(super) fn explore_threads(
        &self,
        old: &Program,
        entry: FunctionId,
        job: &ThreadJob<'_>,
    ) -> Result<Entry> {
        let start = Instant::now();
        let scope = ThreadScope::new((old, self.program), entry, self.config_of(entry, true).checks.overflow);
        let Some(scope) = scope else {
            let run = findings::run(self.identity(entry), Exploration::default());
            return Ok(Entry { run, threads: Some(ThreadFigures::default()), ..Entry::default() });
        };
        let preparation = start.elapsed();
        let strategy = self.job.strategy.of_threads().context("threads have no such strategy")?;
        let config = self.thread_config(entry, job, true);
        let found = self.session.exploring(Detail::All, |hooks| {
            explore_executions(self.program, &config, hooks, &scope.slice, strategy)
        })?;
        let ConcernedExecutions { mut exploration, executions, traces, changes } = found;
        let cut_by_summary = exploration.summarised;
        exploration.counters.time += preparation;
        let mut run = findings::run(self.identity(entry), exploration);
        run.races_are_errors = true;
        run.taken = findings::taken(&self.reading.reading(self.program, entry));
        let compared = self.compared(entry, &scope.slice, job)?;
        let (traces, executions) = (traces as u64, executions as u64);
        Ok(Entry {
            changes: changes.iter().map(|change| self.execution_change(entry, change)).collect(),
            changed_nodes: scope.changed,
            affected_nodes: scope.slice.affected.len(),
            nodes: scope.nodes,
            threads: Some(ThreadFigures { traces, executions, cut_by_summary, compared }),
            run,
            ..Entry::default()
        })
    }

    fn thread_config(&self, entry: FunctionId, job: &ThreadJob<'_>, shared: bool) -> Config {
        let mut config = self.config_of(entry, shared);
        let (schedules, world, races) = (job.schedules, true, Races::Error);
        config.threads = Some(ThreadConfig { schedules, world, races, ..ThreadConfig::default() });
        config
    }

    /// Each of the strategies, in figures. Nothing is described, so that all do the same besides.
    fn compared(
        &self,
        entry: FunctionId,
        slice: &ThreadSlice,
        job: &ThreadJob<'_>,
    ) -> Result<Vec<StrategyFigures>> {
        let mut rows = Vec::new();
        for (number, &strategy) in job.compared.iter().enumerate() {
            // What one of them does not come to an end with is no reason that the others do not.
            let share = u32::try_from(job.compared.len() - number).unwrap_or(u32::MAX);
            let Some(kind) = strategy.of_threads().filter(|_| !self.session.is_interrupted()) else {
                continue;
            };
            let mut config = self.thread_config(entry, job, false);
            if let Some(left) = config.limits.deadline().time_left() {
                config.limits.time = config.limits.time.min(left / share);
            }
            rows.push(self.figures(&config, slice, (strategy, kind))?);
        }
        Ok(rows)
    }

    fn figures(
        &self,
        config: &Config,
        slice: &ThreadSlice,
        (strategy, kind): (Strategy, ThreadStrategy),
    ) -> Result<StrategyFigures> {
        let found = self
            .session
            .exploring(Detail::First(0), |hooks| explore_by(self.program, config, hooks, slice, kind))?;
        let executions = found.paths.iter().filter(|path| path.outcome != Outcome::Discarded).count();
        Ok(StrategyFigures {
            strategy: strategy.into(),
            executions: executions as u64 + found.summarised,
            cut_by_summary: found.summarised,
            errors: errors(&found),
            states: found.counters.states,
            queries: found.counters.queries,
            time_ms: found.counters.time.as_secs_f64() * 1e3,
            complete: found.complete(),
            limits: found.limits.iter().copied().collect(),
        })
    }

    fn execution_change(&self, entry: FunctionId, change: &ExecutionChange) -> PathChange {
        let mut sequence: Vec<AffectedSite> = Vec::new();
        for &(function, instruction) in &change.sequence {
            let Some(line) = self.line(function, instruction) else { continue };
            let name = (function != entry).then(|| Arc::from(self.program.functions[function].name.as_str()));
            let site = AffectedSite { function: name, spot: Spot::Line(line) };
            // A statement may be several steps.
            if sequence.last() != Some(&site) {
                sequence.push(site);
            }
        }
        PathChange {
            affected: change.affected,
            constraints: change.constraints.clone(),
            sequence,
            test: None,
        }
    }

    fn line(&self, function: FunctionId, instruction: InstructionId) -> Option<u32> {
        let location = self.program.functions[function].instructions[instruction].location?;
        Some(self.program.locations[location].line)
    }
}

/// The errors of an exploration, each kind and place once, data races included.
fn errors(found: &Exploration) -> usize {
    let error = |path: &incise_exec::Path| match &path.outcome {
        Outcome::Error(error) => Some((error.kind.name(), path.position.clone())),
        _ => None,
    };
    let errors: BTreeSet<_> = found.paths.iter().filter_map(error).collect();
    errors.len() + found.races.len()
}

impl ThreadScope {
    /// `None` if nothing changed.
    fn new((old, new): (&Program, &Program), entry: FunctionId, overflow: bool) -> Option<Self> {
        let versions = Versions::compare(old, new);
        if versions.is_unchanged() {
            return None;
        }
        let alone = |functions: Vec<FunctionId>| Entries { functions, sharing: Vec::new() };
        let (before, after) = (alone(versions.old_of(entry).into_iter().collect()), alone(vec![entry]));
        let functions = (before.functions.as_slice(), after.functions.as_slice());
        let (impact, mirrored) = Impact::both_ways(old, new, versions, functions, Rules::Closed, overflow);
        let whole = WholeImpact::new(&impact, &mirrored, &after, &before, Rules::Closed);
        let slice = impact.effects.as_ref().and_then(|effects| whole.thread_slice(effects));
        let in_scope = |each: &&FunctionImpact| {
            whole.scope.as_ref().is_some_and(|scope| scope.functions.contains_key(&each.function))
        };
        let changed = impact.functions.iter().filter(in_scope);
        let changed = changed.map(|each| each.changed_nodes().count() + each.removed_nodes().count()).sum();
        let functions = whole.scope.iter().flat_map(|scope| scope.functions.values());
        let nodes = functions.map(|facts| facts.graph.nodes.len()).sum();
        // Where nothing is known of the threads of NEW, all that it does counts.
        Some(Self { slice: slice.unwrap_or_default(), changed, nodes })
    }
}
