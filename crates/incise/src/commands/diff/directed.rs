//! Explores a changed function and turns what was found into the finding model.

use super::arguments::Strategy;
use crate::change::model::spot;
use crate::commands::cover::model::{Obligations, note_taken};
use crate::inputs::{self, others};
use crate::session::Session;
use anyhow::{Context, Result};
use incise_change::{Effects, NodeId, Scope};
use incise_exec::{Config, Detail, ExploreError, Hooks, LimitKind, Outcome};
use incise_findings as findings;
use incise_frontend::Sources;
use incise_incremental::{
    ChangedPath, Covered, Criterion, Directed, Kind, Plan, Statement, Subject, explore_change,
    explore_cover_grown, explore_other_inputs, figure6,
};
use incise_ir::{FunctionId, Program};
use incise_reading::InputReading;
use incise_report::{AffectedSite, Entry, Full, PathChange, ProgramIdentity, Run, Spot, TraceRow};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What to do with each entry.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Job {
    pub(crate) strategy: Strategy,
    /// Whether the paper's Table 1 is kept.
    pub(crate) trace: bool,
    /// Whether to explore in full as well.
    pub(crate) compare: bool,
    /// What has to be covered, if paths are looked for that do.
    pub(crate) cover: Option<Criterion>,
}

/// Explores one entry after the other, all within the same limit of time.
pub(crate) struct Explorer<'a> {
    pub(super) program: &'a Program,
    sources: &'a Sources,
    config: &'a Config,
    pub(super) reading: &'a InputReading,
    pub(super) session: &'a Session,
    pub(super) job: Job,
    hash: String,
    start: Instant,
}

impl<'a> Explorer<'a> {
    /// For one version of a program.
    pub(crate) fn new(
        (program, sources): (&'a Program, &'a Sources),
        (config, reading): (&'a Config, &'a InputReading),
        session: &'a Session,
        job: Job,
    ) -> Result<Self> {
        let hash = sources.hash().context("the source files cannot be read again")?;
        Ok(Self { program, sources, config, reading, session, job, hash, start: Instant::now() })
    }

    /// Explores from one function in its scope, of which `changed` statements changed. `effects` are those that the
    /// scope was made with.
    pub(crate) fn explore(
        &self,
        mut scope: Scope<'_>,
        entry: FunctionId,
        changed: usize,
        effects: Option<&Effects>,
    ) -> Result<Entry> {
        let start = Instant::now();
        let root = scope.root(entry);
        let subject = Subject::new(&scope, root);
        let (found, preparation, cover) = match self.job.cover.zip(effects) {
            Some((criterion, effects)) => {
                let plan = Plan::new(&subject, effects, criterion);
                let preparation = start.elapsed();
                let covered = self.explore_cover(&plan)?;
                let name = &self.program.functions[entry].name;
                let mut cover = Obligations::new(&scope).covered(name, &covered);
                note_taken(&mut cover, &covered, &self.reading.reading(self.program, entry));
                // Examples are paths that are reported, and those of other inputs are not.
                cover.forget_other_examples();
                (covered.directed, preparation, Some(cover))
            }
            None => {
                let preparation = start.elapsed();
                (self.explore_with(&subject, self.job.strategy.into(), self.job.trace)?, preparation, None)
            }
        };
        let trace = found.rows.iter().map(|row| trace_row(entry, &scope, row)).collect();
        let (run, changes) = self.converted(entry, &scope, found, preparation);
        let mut affected: BTreeSet<Statement> = BTreeSet::new();
        for (_, activation) in scope.activations() {
            affected.extend(activation.affected.nodes().map(|node| (activation.function, node)));
        }
        let mut explored = Entry {
            run,
            changes,
            changed_nodes: changed,
            affected_nodes: affected.len(),
            nodes: scope.functions.values().map(|facts| facts.graph.nodes.len()).sum(),
            full: None,
            threads: None,
            trace,
            cover,
        };
        if self.job.compare {
            explored.full = self.full(&explored, &subject)?;
        }
        Ok(explored)
    }

    /// What is said of a function whose paths there was no time for.
    pub(crate) fn not_explored(&self, entry: FunctionId, changed: usize, limit: LimitKind) -> Entry {
        let exploration = incise_exec::Exploration { limits: [limit].into(), ..Default::default() };
        let run = findings::run(self.identity(entry), exploration);
        Entry { run, changed_nodes: changed, ..Entry::default() }
    }

    /// A full exploration, for its figures; none if the user does not want to wait any longer.
    fn full(&self, entry: &Entry, subject: &Subject<'_>) -> Result<Option<Full>> {
        if self.session.is_interrupted() {
            return Ok(None);
        }
        if Kind::from(self.job.strategy) == Kind::Full {
            let Run { paths, limits, complete, effort, .. } = &entry.run;
            let (states, queries, time_ms) = (effort.states, effort.queries, effort.time_ms);
            let limits = limits.clone();
            return Ok(Some(Full {
                paths: paths.len(),
                states,
                queries,
                time_ms,
                complete: *complete,
                limits,
            }));
        }
        let Directed { exploration, complete, paths, .. } = self.explore_with(subject, Kind::Full, false)?;
        Ok(Some(Full {
            paths: paths.iter().filter(|each| each.path.outcome != Outcome::Discarded).count(),
            states: exploration.counters.states,
            queries: exploration.counters.queries,
            time_ms: exploration.counters.time.as_secs_f64() * 1e3,
            complete,
            limits: exploration.limits.iter().copied().collect(),
        }))
    }

    fn explore_with(&self, subject: &Subject<'_>, kind: Kind, trace: bool) -> Result<Directed> {
        // The comparison has the same time for itself that all entries have together.
        let shared = kind != Kind::Full || Kind::from(self.job.strategy) == Kind::Full;
        self.with_hooks(subject.entry, shared, |config, hooks| {
            explore_change(self.program, config, hooks, subject, kind, trace)
        })
    }

    fn explore_cover(&self, plan: &Plan<'_>) -> Result<Covered> {
        let entry = plan.subject().entry;
        self.with_hooks(entry, true, |config, hooks| {
            let covered = explore_cover_grown(config, hooks, plan, &BTreeSet::new())?;
            match others(config) {
                Some((config, all)) => explore_other_inputs(covered, &config, all, hooks, plan),
                None => Ok(covered),
            }
        })
    }

    /// Explores from a function; `shared` tells whether that is within the time that all entries have together.
    fn with_hooks<T>(
        &self,
        entry: FunctionId,
        shared: bool,
        explore: impl FnOnce(&Config, &Hooks<'_>) -> Result<T, ExploreError>,
    ) -> Result<T> {
        let config = self.config_of(entry, shared);
        Ok(self.session.exploring(Detail::All, |hooks| explore(&config, hooks))?)
    }

    /// What an exploration from a function is asked to do.
    pub(super) fn config_of(&self, entry: FunctionId, shared: bool) -> Config {
        let mut config = self.config.clone();
        config.entry = self.program.functions[entry].name.clone();
        inputs::apply(self.reading, &mut config, self.program, entry);
        if shared {
            config.limits.time = config.limits.time.saturating_sub(self.start.elapsed());
        }
        config
    }

    /// The run that the paths make, and what each has to do with the change.
    fn converted(
        &self,
        entry: FunctionId,
        scope: &Scope<'_>,
        found: Directed,
        preparation: Duration,
    ) -> (Run, Vec<PathChange>) {
        let Directed { mut exploration, complete, paths, .. } = found;
        let mut changes = Vec::with_capacity(paths.len());
        let names = Names::new(scope, entry);
        // A path that an assumption cut is no path of the program.
        for changed in paths.into_iter().filter(|each| each.path.outcome != Outcome::Discarded) {
            changes.push(self.path_change(scope, &names, &changed));
            exploration.paths.push(changed.path);
        }
        exploration.counters.time += preparation;
        let mut run = findings::run(self.identity(entry), exploration);
        run.taken = findings::taken(&self.reading.reading(self.program, entry));
        run.complete &= complete;
        (run, changes)
    }

    pub(super) fn identity(&self, entry: FunctionId) -> ProgramIdentity {
        ProgramIdentity {
            files: self.sources.file_texts(),
            flags: self.sources.flag_texts(),
            entry: self.program.functions[entry].name.clone(),
            hash: self.hash.clone(),
        }
    }

    fn path_change(&self, scope: &Scope<'_>, names: &Names, changed: &ChangedPath) -> PathChange {
        let is_change = |&(function, node): &Statement| scope.facts(function).changes[node.index()];
        let conclusive =
            matches!(changed.path.outcome, Outcome::Returned | Outcome::Exited { .. } | Outcome::Error(_));
        let affected = match self.job.strategy {
            // What has to be covered may be affected without meeting the change.
            _ if self.job.cover.is_some() => changed.met,
            // A path that was cut is reported because it might have met the change later.
            Strategy::Exact | Strategy::Cia => conclusive || changed.sequence.iter().any(is_change),
            Strategy::Paper => changed.met || !changed.sequence.is_empty(),
            Strategy::Full | Strategy::Baseline | Strategy::Dpor => changed.met,
        };
        PathChange {
            affected,
            constraints: changed.affected.clone(),
            sequence: changed.sequence.iter().map(|&statement| names.site(scope, statement)).collect(),
            test: None,
        }
    }
}

/// The names of the functions in a scope, for the sites of statements; that of the entry is left out.
struct Names(BTreeMap<FunctionId, Arc<str>>);

impl Names {
    fn new(scope: &Scope<'_>, entry: FunctionId) -> Self {
        let others = scope.functions.keys().filter(|&&function| function != entry);
        Self(others.map(|&id| (id, Arc::from(scope.program.functions[id].name.as_str()))).collect())
    }

    fn site(&self, scope: &Scope<'_>, statement: Statement) -> AffectedSite {
        AffectedSite { function: self.0.get(&statement.0).cloned(), spot: spot_of(scope, statement) }
    }
}

fn spot_of(scope: &Scope<'_>, (function, node): Statement) -> Spot {
    spot(scope.program, &scope.facts(function).graph, node)
}

fn trace_row(entry: FunctionId, scope: &Scope<'_>, row: &figure6::Row) -> TraceRow {
    let name = |&node: &NodeId| spot_of(scope, (entry, node));
    let set =
        |nodes: &BTreeSet<NodeId>| nodes.iter().map(name).collect::<BTreeSet<Spot>>().into_iter().collect();
    TraceRow {
        path: row.path.iter().map(name).collect(),
        no_path: row.no_path,
        explored_writes: set(&row.explored_writes),
        explored_conditions: set(&row.explored_conditions),
        unexplored_writes: set(&row.unexplored_writes),
        unexplored_conditions: set(&row.unexplored_conditions),
    }
}
