//! The guarantee of directed exploration, on random versions of functions, each alone and with what it calls: full
//! exploration and native runs are the judges.

use crate::theorem_check::{Check, Key, Runs, Tally, check_batch, explore, positions};
use incise_change::{FunctionImpact, Impact, NodeId, Rules, Scope, StatementGraph};
use incise_incremental::{Kind, Statement, Subject};
use incise_ir::Program;
use incise_testing::judge::{Mark, Run};
use incise_testing::{Features, Pair, shorter};
use std::collections::{BTreeMap, BTreeSet};

/// Functions in one file.
const BATCH: usize = 250;
/// Inputs that are tried natively for each function.
const INPUTS: usize = 150;

/// The statements of a function by their lines and their positions there.
type Statements = BTreeMap<(u32, u32), NodeId>;

/// What tells whether two runs took the same path.
struct Paths<'a> {
    function: &'a FunctionImpact,
    old: Statements,
    new: Statements,
    /// Where the change is met in the new version.
    changed: BTreeSet<(u32, u32)>,
}

impl<'a> Paths<'a> {
    /// Of a function alone, or with what it calls.
    fn new(check: &Check<'_>, impact: &'a Impact<'_>, function: &'a FunctionImpact, alone: bool) -> Self {
        let statements = |program: &Program, graph: &StatementGraph| -> Statements {
            positions(program, graph).into_iter().collect()
        };
        let old_graph = function.alignment.old_graph.as_ref().expect("both versions are there");
        let old = statements(check.old, old_graph);
        let new = statements(check.new, &function.alignment.new_graph);
        let mut changed = BTreeSet::new();
        if alone {
            let own = new.iter().filter(|(_, node)| function.changes[node.index()]);
            changed.extend(own.map(|(&position, _)| position));
        } else {
            for each in &impact.functions {
                let nodes: BTreeSet<NodeId> = each.changed_nodes().collect();
                let all = positions(check.new, &each.alignment.new_graph).into_iter();
                changed.extend(all.filter(|(_, node)| nodes.contains(node)).map(|(position, _)| position));
            }
        }
        Self { function, old, new, changed }
    }

    /// Whether a run of the old version and one of the new are the same, statement by statement.
    fn are_same(&self, old: &Run, new: &Run) -> bool {
        let to_new = &self.function.alignment.to_new;
        let before = visited(old).filter_map(|position| self.old.get(&position));
        let before: Vec<Option<NodeId>> = before.map(|node| to_new[node.index()]).collect();
        let after = visited(new).filter_map(|position| self.new.get(&position).copied());
        let after: Vec<Option<NodeId>> = after.map(Some).collect();
        visited(new).all(|position| !self.changed.contains(&position)) && before == after
    }
}

fn visited(run: &Run) -> impl Iterator<Item = (u32, u32)> {
    run.trace.iter().filter_map(|mark| match *mark {
        Mark::Statement(line, part) => Some((line, part)),
        _ => None,
    })
}

/// What Figure 6 loses or explores twice.
fn paper(check: &Check<'_>, scope: &mut Scope<'_>, pair: &Pair, feasible: &BTreeSet<Key>, tally: &mut Tally) {
    let entry = check.new.function_named(&pair.entry()).expect("the entry");
    let root = scope.root(entry);
    let paper = explore(check.new, &Subject::new(scope, root), &pair.config(), Kind::Paper);
    let found: Vec<&[Statement]> = paper.paths.iter().map(|path| &path.sequence[..]).collect();
    // Figure 6 stops where nothing unexplored is ahead: a reported path covers what begins with its sequence.
    let covered = |sequence: &[Statement]| found.iter().any(|each| each.starts_with(sequence));
    tally.paper_lost += usize::from(!feasible.iter().all(|(sequence, _)| covered(sequence)));
    let distinct: BTreeSet<&[Statement]> = found.iter().copied().collect();
    tally.paper_twice += usize::from(distinct.len() < found.len());
}

fn check_function(check: &Check<'_>, impact: &Impact<'_>, pair: &Pair, runs: &Runs, tally: &mut Tally) {
    tally.programs += 1;
    let Some(function) = impact.function(&pair.entry()) else { return check.unchanged(pair, runs, tally) };
    let effects = impact.effects.as_ref().expect("something changed");
    let alone = impact.within(function, effects, Rules::Closed);
    let below = impact.below(&[function.function], effects, Rules::Closed);
    for (mut scope, is_alone) in [(alone, true), (below, false)] {
        let paths = Paths::new(check, impact, function, is_alone);
        let differ = |old: &Run, new: &Run| !(old.same_behaviour(new) && paths.are_same(old, new));
        let place = (&mut scope, function.function);
        if let Some(feasible) = check.scope(impact, place, (pair, runs), &differ, tally) {
            paper(check, &mut scope, pair, &feasible, tally);
        }
    }
}

fn check(seeds: std::ops::Range<u64>) {
    let mut tally = Tally::default();
    for seed in seeds {
        check_batch(&Features::functions(), seed, (BATCH, INPUTS), |check, batch, runs| {
            let impact = Impact::new(check.old, check.new, Rules::Closed, false);
            for (pair, runs) in batch.pairs.iter().zip(runs) {
                check_function(check, &impact, pair, runs, &mut tally);
            }
        });
    }
    tally.summary();
    assert!(tally.different_inputs * 5 > tally.programs * 2, "many inputs tell the versions apart");
    assert!(tally.paper_lost > 0, "the algorithm of Figure 6 loses sequences");
}

#[test]
fn each_affected_sequence_is_reported_once_and_no_difference_is_missed() {
    check(shorter(0..1, 0..10));
}

#[test]
fn each_affected_sequence_is_reported_once_on_more_programs() {
    check(shorter(10..11, 10..20));
}
