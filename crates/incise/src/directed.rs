//! Explores a changed function and turns what was found into the finding model.

use crate::change_arguments::Strategy;
use crate::change_model::spot;
use crate::convert;
use crate::frontend::Loaded;
use crate::memory::memory_used;
use crate::progress::ProgressLine;
use anyhow::{Context, Result};
use incise_change::{Effects, FunctionFacts, FunctionImpact, NodeId, Rules, Scope};
use incise_exec::{Config, Detail, Hooks, Outcome, Progress};
use incise_incremental::{ChangedPath, Directed, Kind, Statement, Subject, explore_change, figure6};
use incise_ir::Program;
use incise_report::{Entry, Full, PathChange, Program as Identity, Run, Spot, TraceRow};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What to do with each entry.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Job {
    pub(crate) strategy: Strategy,
    /// The rules that made statements affected.
    pub(crate) rules: Rules,
    /// Whether the paper's Table 1 is kept.
    pub(crate) trace: bool,
    /// Whether to explore in full as well.
    pub(crate) compare: bool,
}

/// Explores one entry after the other, all within the same limit of time.
pub(crate) struct Explorer<'a> {
    new: &'a Loaded,
    config: &'a Config,
    interrupt: &'a Arc<AtomicBool>,
    quiet: bool,
    job: Job,
    hash: String,
    start: Instant,
}

impl<'a> Explorer<'a> {
    /// For the new version of a program.
    pub(crate) fn new(
        new: &'a Loaded,
        config: &'a Config,
        interrupt: &'a Arc<AtomicBool>,
        quiet: bool,
        job: Job,
    ) -> Result<Self> {
        let hash = new.sources.hash().context("the source files cannot be read again")?;
        Ok(Self { new, config, interrupt, quiet, job, hash, start: Instant::now() })
    }

    /// Explores from one function.
    pub(crate) fn explore(&self, impact: &FunctionImpact, effects: Option<&Effects>) -> Result<Entry> {
        let start = Instant::now();
        let program = &self.new.program;
        let made;
        let effects = match effects {
            Some(effects) => effects,
            None => {
                made = Effects::with_overflow_checks(program, self.config.checks.overflow);
                &made
            }
        };
        let mut scope = scope_of(program, effects, impact, self.job.rules);
        let root = scope.root(impact.function);
        let subject = Subject::new(&scope, root);
        let preparation = start.elapsed();
        let found = self.explore_with(&subject, impact, self.job.strategy.into(), self.job.trace)?;
        let trace = found.rows.iter().map(|row| trace_row(impact, &scope, row)).collect();
        let (run, changes) = self.converted(impact, &scope, found, preparation);
        let mut entry = Entry {
            run,
            changes,
            changed_nodes: impact.changed_nodes().count() + impact.removed_nodes().count(),
            affected_nodes: impact.affected.nodes().count(),
            nodes: impact.alignment.new_graph.nodes.len(),
            full: None,
            trace,
        };
        if self.job.compare {
            entry.full = self.full(&entry, &subject, impact)?;
        }
        Ok(entry)
    }

    /// A full exploration, for its figures; none if the user does not want to wait any longer.
    fn full(&self, entry: &Entry, subject: &Subject<'_>, impact: &FunctionImpact) -> Result<Option<Full>> {
        if self.interrupt.load(Ordering::SeqCst) {
            return Ok(None);
        }
        if self.job.strategy == Strategy::Full {
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
        let Directed { exploration, complete, paths, .. } =
            self.explore_with(subject, impact, Kind::Full, false)?;
        Ok(Some(Full {
            paths: paths.iter().filter(|each| each.path.outcome != Outcome::Discarded).count(),
            states: exploration.counters.states,
            queries: exploration.counters.queries,
            time_ms: exploration.counters.time.as_secs_f64() * 1e3,
            complete,
            limits: exploration.limits.iter().map(|limit| limit.name().to_owned()).collect(),
        }))
    }

    fn explore_with(
        &self,
        subject: &Subject<'_>,
        impact: &FunctionImpact,
        kind: Kind,
        trace: bool,
    ) -> Result<Directed> {
        let mut config = self.config.clone();
        config.entry = impact.name.clone();
        // The comparison has the same time for itself that all entries have together.
        if kind != Kind::Full || self.job.strategy == Strategy::Full {
            config.limits.time = config.limits.time.saturating_sub(self.start.elapsed());
        }
        let line = ProgressLine::new(self.quiet);
        let show = |progress: &Progress| {
            if let Some(line) = &line {
                line.show(progress);
            }
        };
        let hooks = Hooks {
            interrupt: Arc::clone(self.interrupt),
            progress: Some(&show),
            memory_used: Some(memory_used),
            detail: Detail::All,
        };
        Ok(explore_change(&self.new.program, &config, &hooks, subject, kind, trace)?)
    }

    /// The run that the paths make, and what each has to do with the change.
    fn converted(
        &self,
        impact: &FunctionImpact,
        scope: &Scope<'_>,
        found: Directed,
        preparation: Duration,
    ) -> (Run, Vec<PathChange>) {
        let Directed { mut exploration, complete, paths, .. } = found;
        let mut changes = Vec::with_capacity(paths.len());
        // A path that an assumption cut is no path of the program.
        for changed in paths.into_iter().filter(|each| each.path.outcome != Outcome::Discarded) {
            changes.push(self.path_change(scope, &changed));
            exploration.paths.push(changed.path);
        }
        exploration.counters.time += preparation;
        let identity = Identity {
            files: self.new.sources.file_texts(),
            flags: self.new.sources.flag_texts(),
            entry: impact.name.clone(),
            hash: self.hash.clone(),
        };
        let mut run = convert::run(&self.new.program, impact.function, identity, exploration);
        run.complete &= complete;
        (run, changes)
    }

    fn path_change(&self, scope: &Scope<'_>, changed: &ChangedPath) -> PathChange {
        let is_change = |&(function, node): &Statement| scope.facts(function).changes[node.index()];
        let conclusive =
            matches!(changed.path.outcome, Outcome::Returned | Outcome::Exited { .. } | Outcome::Error(_));
        let affected = match self.job.strategy {
            // A path that was cut is reported because it might have met the change later.
            Strategy::Exact => conclusive || changed.sequence.iter().any(is_change),
            Strategy::Paper => changed.met || !changed.sequence.is_empty(),
            Strategy::Full => changed.met,
        };
        PathChange {
            affected,
            constraints: changed.affected.clone(),
            sequence: changed.sequence.iter().map(|&statement| spot_of(scope, statement)).collect(),
            test: None,
        }
    }
}

/// The scope of one function: what it calls is executed, and a call of a function that changed is where the change is met.
fn scope_of<'a>(program: &'a Program, effects: &Effects, impact: &FunctionImpact, rules: Rules) -> Scope<'a> {
    let mut facts = FunctionFacts::new(program, effects, impact.alignment.new_graph.clone());
    facts.changes = impact.changes.clone();
    facts.gaps = impact.alignment.gaps.iter().copied().collect();
    // What no rule gave is what the rules begin with.
    let first = impact.affected.steps.iter().take_while(|step| step.rule.number().is_none());
    facts.seeds = first.copied().collect();
    let functions = BTreeMap::from([(impact.function, facts)]);
    Scope::new(program, effects, functions, BTreeSet::from([impact.function]), rules)
}

fn spot_of(scope: &Scope<'_>, (function, node): Statement) -> Spot {
    spot(scope.program, &scope.facts(function).graph, node)
}

fn trace_row(impact: &FunctionImpact, scope: &Scope<'_>, row: &figure6::Row) -> TraceRow {
    let name = |&node: &NodeId| spot_of(scope, (impact.function, node));
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
