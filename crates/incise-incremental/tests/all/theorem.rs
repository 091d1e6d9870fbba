//! The guarantee of directed exploration, on random version pairs: full exploration and native runs are the judges.

use incise_change::{FunctionImpact, Impact, NodeId, Rules, Scope, StatementGraph};
use incise_exec::{Config, Detail, ErrorKind, Outcome};
use incise_incremental::{ChangedPath, Directed, Kind, Statement, Subject, explore_change};
use incise_ir::Program;
use incise_testing::hooks_with;
use incise_testing::pairs::{Batch, NativeJudge, Pair, Run, Visit, batch};
use incise_testing::program_in;
use incise_testing::shorter;
use std::collections::{BTreeMap, BTreeSet};

/// Functions in one file.
const BATCH: usize = 250;
/// Inputs that are tried natively for each function.
const INPUTS: usize = 150;

fn explore(program: &Program, subject: &Subject<'_>, name: &str, kind: Kind) -> Directed {
    let hooks = hooks_with(Detail::First(0));
    let mut config = Config::new(name);
    config.limits.time = std::time::Duration::from_secs(120);
    explore_change(program, &config, &hooks, subject, kind, false).expect("it is explored")
}

/// What makes a reported path one of its own: the affected statements, and how the last of them fails.
type Key = (Vec<Statement>, Option<ErrorKind>);

fn key(path: &ChangedPath) -> Key {
    let kind = match &path.path.outcome {
        Outcome::Error(error) if path.fails => Some(error.kind),
        _ => None,
    };
    (path.sequence.clone(), kind)
}

/// The statements that the judge's visits stand for, by line and part.
fn statements(program: &Program, graph: &StatementGraph) -> BTreeMap<Visit, NodeId> {
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for node in graph.ids() {
        let line = graph.node(node).location.map_or(0, |location| program.locations[location].line);
        let part = counts.entry(line).or_default();
        found.insert(Visit { line, part: *part }, node);
        *part += 1;
    }
    found
}

/// The statements of all functions in scope that the judge's visits stand for.
fn visits(subject: &Subject<'_>) -> BTreeMap<Visit, Statement> {
    let functions = subject.scope.functions.iter();
    let found = functions.flat_map(|(&function, facts)| {
        statements(subject.program, &facts.graph)
            .into_iter()
            .map(move |(visit, node)| (visit, (function, node)))
    });
    found.collect()
}

/// The affected statements of a native run. Helpers of the pairs call nothing themselves, so that a statement of one
/// was called by the last statement of the function itself.
fn sequence(subject: &Subject<'_>, visits: &BTreeMap<Visit, Statement>, run: &Run) -> Vec<Statement> {
    let root = subject.activations()[0];
    let mut caller = None;
    let mut found = Vec::new();
    for &(function, node) in run.trace.iter().filter_map(|visit| visits.get(visit)) {
        let activation = if function == subject.entry {
            caller = Some(node);
            Some(root)
        } else {
            let call = caller.map(|caller| (caller, function));
            call.and_then(|call| subject.scope.activation(root).calls.get(&call).copied())
        };
        if activation.is_some_and(|activation| subject.scope.activation(activation).affected.contains(node)) {
            found.push((function, node));
        }
    }
    found
}

/// Whether a run of the old version and one of the new are the same, statement by statement.
fn same_path(impact: &FunctionImpact, old: &[NodeId], new: &[NodeId]) -> bool {
    let unchanged = |node: &NodeId| !impact.changes[node.index()];
    let mapped: Vec<Option<NodeId>> = old.iter().map(|node| impact.alignment.to_new[node.index()]).collect();
    new.iter().all(unchanged) && mapped == new.iter().copied().map(Some).collect::<Vec<_>>()
}

#[derive(Default)]
struct Tally {
    functions: usize,
    affected: usize,
    paths_full: usize,
    paths_exact: usize,
    states_full: u64,
    states_exact: u64,
    queries_full: u64,
    queries_exact: u64,
    different_inputs: usize,
    paper_lost: usize,
    paper_twice: usize,
}

struct Check<'a> {
    batch: &'a Batch,
    seed: u64,
    old: &'a Program,
    new: &'a Program,
    judges: (&'a NativeJudge, &'a NativeJudge),
}

impl Check<'_> {
    fn context(&self, pair: &Pair) -> String {
        format!(
            "seed {}, {}\nOLD\n{}\nNEW\n{}",
            self.seed,
            pair.name,
            Batch::excerpt(&self.batch.old, &pair.old_lines),
            Batch::excerpt(&self.batch.new, &pair.new_lines)
        )
    }

    fn runs(&self, number: usize, pair: &Pair) -> Vec<(incise_testing::pairs::Input, Run, Run)> {
        let calls: Vec<_> = pair.inputs(INPUTS).into_iter().map(|input| (number, input)).collect();
        let old = self.judges.0.run(&calls).unwrap_or_else(|why| panic!("{why}"));
        let new = self.judges.1.run(&calls).unwrap_or_else(|why| panic!("{why}"));
        calls
            .into_iter()
            .zip(old.into_iter().zip(new))
            .map(|((_, input), (old, new))| (input, old, new))
            .collect()
    }

    fn function(&self, impact: &Impact<'_>, number: usize, pair: &Pair, tally: &mut Tally) {
        tally.functions += 1;
        let runs = self.runs(number, pair);
        let Some(function) = impact.function(&pair.name) else {
            for (input, old, new) in &runs {
                assert!(
                    old.same_behaviour(new),
                    "called unchanged, differs on {input:?}\n{}",
                    self.context(pair)
                );
            }
            return;
        };
        let effects = impact.effects.as_ref().expect("something changed");
        // The function alone, and with what it calls.
        let alone = impact.within(function, effects, Rules::Closed);
        let below = impact.below(&[function.function], effects, Rules::Closed);
        for scope in [alone, below] {
            self.scope(scope, function, pair, &runs, tally);
        }
    }

    fn scope(
        &self,
        mut scope: Scope<'_>,
        function: &FunctionImpact,
        pair: &Pair,
        runs: &[(incise_testing::pairs::Input, Run, Run)],
        tally: &mut Tally,
    ) {
        let root = scope.root(function.function);
        let subject = Subject::new(&scope, root);
        let full = explore(self.new, &subject, &pair.name, Kind::Full);
        let exact = explore(self.new, &subject, &pair.name, Kind::Exact);
        assert!(full.complete && exact.complete, "{}", self.context(pair));
        assert_eq!(exact.exploration.diverged, 0, "diverged\n{}", self.context(pair));
        let feasible: BTreeSet<Key> = full.paths.iter().filter(|path| path.met).map(key).collect();
        let mut reported = BTreeSet::new();
        for path in &exact.paths {
            let key = key(path);
            assert!(feasible.contains(&key), "reported, but not feasible: {key:?}\n{}", self.context(pair));
            assert!(reported.insert(key.clone()), "reported twice: {key:?}\n{}", self.context(pair));
        }
        let lost: Vec<&Key> = feasible.difference(&reported).collect();
        assert!(lost.is_empty(), "lost: {lost:?}\nreported {reported:?}\n{}", self.context(pair));
        self.paper(&subject, pair, &feasible, tally);
        self.native(&subject, function, pair, &reported, runs, tally);
        tally.affected += usize::from(!reported.is_empty());
        tally.paths_full += full.paths.len();
        tally.paths_exact += exact.paths.len();
        tally.states_full += full.exploration.counters.states;
        tally.states_exact += exact.exploration.counters.states;
        tally.queries_full += full.exploration.counters.queries;
        tally.queries_exact += exact.exploration.counters.queries;
    }

    /// What Figure 6 loses or explores twice.
    fn paper(&self, subject: &Subject<'_>, pair: &Pair, feasible: &BTreeSet<Key>, tally: &mut Tally) {
        let paper = explore(self.new, subject, &pair.name, Kind::Paper);
        let found: Vec<&[Statement]> = paper.paths.iter().map(|path| &path.sequence[..]).collect();
        // Figure 6 stops where nothing unexplored is ahead: a reported path covers what begins with its sequence.
        let covered = |sequence: &[Statement]| found.iter().any(|each| each.starts_with(sequence));
        tally.paper_lost += usize::from(!feasible.iter().all(|(sequence, _)| covered(sequence)));
        let distinct: BTreeSet<&[Statement]> = found.iter().copied().collect();
        tally.paper_twice += usize::from(distinct.len() < found.len());
    }

    /// No input on which the versions differ is called unaffected.
    fn native(
        &self,
        subject: &Subject<'_>,
        function: &FunctionImpact,
        pair: &Pair,
        reported: &BTreeSet<Key>,
        runs: &[(incise_testing::pairs::Input, Run, Run)],
        tally: &mut Tally,
    ) {
        let old_graph = function.alignment.old_graph.as_ref().expect("both versions are there");
        let old_statements = statements(self.old, old_graph);
        let new_statements = statements(self.new, &function.alignment.new_graph);
        let sequences: BTreeSet<&[Statement]> = reported.iter().map(|(sequence, _)| &sequence[..]).collect();
        let walk = |run: &Run, statements: &BTreeMap<Visit, NodeId>| -> Vec<NodeId> {
            run.trace.iter().filter_map(|visit| statements.get(visit).copied()).collect()
        };
        let visits = visits(subject);
        for (input, old, new) in runs {
            let (before, after) = (walk(old, &old_statements), walk(new, &new_statements));
            if old.same_behaviour(new) && same_path(function, &before, &after) {
                continue;
            }
            tally.different_inputs += 1;
            let sequence = sequence(subject, &visits, new);
            assert!(
                sequences.contains(&sequence[..]),
                "called unaffected: {input:?} takes {sequence:?}\nold {old:?}\nnew {new:?}\nreported {reported:?}\n{}",
                self.context(pair)
            );
        }
    }
}

fn check(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let batch = batch(seed, BATCH);
        let judge = |name, text| {
            NativeJudge::build(folder.path(), name, &batch, text).unwrap_or_else(|why| panic!("{why}"))
        };
        let (old_judge, new_judge) = (judge("old", &batch.old), judge("new", &batch.new));
        let old = program_in(folder.path(), "old", &batch.old);
        let new = program_in(folder.path(), "new", &batch.new);
        let impact = Impact::new(&old, &new, Rules::Closed, false);
        let check = Check { batch: &batch, seed, old: &old, new: &new, judges: (&old_judge, &new_judge) };
        for (number, pair) in batch.functions.iter().enumerate() {
            check.function(&impact, number, pair, &mut tally);
        }
    }
    tally
}

fn summary(tally: &Tally) {
    println!(
        "{} functions; alone and with what they call: {} affected, paths {} of {}, states {} of {}, queries {} of {}; {} different inputs; Figure 6 loses in {}, repeats in {}",
        tally.functions,
        tally.affected,
        tally.paths_exact,
        tally.paths_full,
        tally.states_exact,
        tally.states_full,
        tally.queries_exact,
        tally.queries_full,
        tally.different_inputs,
        tally.paper_lost,
        tally.paper_twice
    );
    assert!(tally.paths_exact < tally.paths_full, "directed exploration leaves something out");
    assert!(tally.states_exact < tally.states_full, "directed exploration does less");
    assert!(tally.different_inputs * 5 > tally.functions * 2, "many inputs tell the versions apart");
    assert!(tally.paper_lost > 0, "the algorithm of Figure 6 loses sequences");
}

#[test]
fn each_affected_sequence_is_reported_once_and_no_difference_is_missed() {
    summary(&check(shorter(0..2, 0..10)));
}

#[test]
fn each_affected_sequence_is_reported_once_on_more_programs() {
    summary(&check(shorter(10..12, 10..20)));
}
