//! The guarantee of directed exploration across calls, on random versions of programs of several functions: full
//! exploration and native runs are the judges.

use incise_change::{ActivationId, Impact, NodeId, Rules, StatementGraph, Versions};
use incise_exec::{Config, Detail, ErrorKind, Outcome, SymbolicGlobals};
use incise_incremental::{ChangedPath, Directed, Kind, Statement, Subject, explore_change};
use incise_ir::{FunctionId, Program};
use incise_testing::hooks_with;
use incise_testing::program_in;
use incise_testing::programs::{Batch, End, Input, Mark, Pair, Run, batch, function_lines, judge};
use incise_testing::shorter;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Programs in one file.
const BATCH: usize = 40;
/// Inputs that are tried natively for each program.
const INPUTS: usize = 60;
/// A program with more paths than this is left out: it says nothing that a smaller one does not.
const MOST_PATHS: u64 = 300;

fn explore(
    program: &Program,
    subject: &Subject<'_>,
    entry: &str,
    globals: &[String],
    kind: Kind,
) -> Directed {
    let hooks = hooks_with(Detail::First(0));
    let mut config = Config::new(entry);
    config.limits.time = std::time::Duration::from_secs(120);
    config.limits.paths = MOST_PATHS;
    config.inputs.globals = SymbolicGlobals::Named(globals.to_vec());
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

/// Follows native runs of a version through the statements in scope. Those of the old version are known by what they
/// are in the new one.
struct Follower<'a> {
    subject: &'a Subject<'a>,
    /// The functions in scope, by the lines that they begin on.
    functions: BTreeMap<u32, FunctionId>,
    /// The statements, by their lines and their positions there; without a node if the new version does not have it.
    statements: BTreeMap<(u32, u32), (FunctionId, Option<NodeId>)>,
}

/// A function that is being executed: what is affected in it, and the statement that control is at.
struct Frame {
    function: Option<FunctionId>,
    activation: Option<ActivationId>,
    at: Option<NodeId>,
    /// Whether an affected statement called it, or one that only the old version has.
    below: bool,
}

/// What a run did in terms of the new version.
#[derive(Default)]
struct Followed {
    /// The affected statements, each in its calling context.
    affected: Vec<Statement>,
    /// The others, without what affected statements called.
    unaffected: Vec<Statement>,
}

/// The statements of a function by their lines and their positions there.
fn positions(program: &Program, graph: &StatementGraph) -> Vec<((u32, u32), NodeId)> {
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    let position = |node| {
        let location = graph.node(node).location;
        let line = location.map_or(0, |location| program.locations[location].line);
        let part = counts.entry(line).or_default();
        *part += 1;
        ((line, *part - 1), node)
    };
    graph.ids().map(position).collect()
}

impl<'a> Follower<'a> {
    fn of_new(subject: &'a Subject<'a>, lines: &BTreeMap<u32, &str>) -> Self {
        let mut follower = Self { subject, functions: BTreeMap::new(), statements: BTreeMap::new() };
        follower.name_functions(lines);
        for (&function, facts) in &subject.scope.functions {
            for (position, node) in positions(subject.program, &facts.graph) {
                follower.statements.insert(position, (function, Some(node)));
            }
        }
        follower
    }

    fn of_old(subject: &'a Subject<'a>, lines: &BTreeMap<u32, &str>, impact: &Impact<'_>) -> Self {
        let mut follower = Self { subject, functions: BTreeMap::new(), statements: BTreeMap::new() };
        follower.name_functions(lines);
        for &function in subject.scope.functions.keys() {
            let name = &subject.program.functions[function].name;
            let Some(old) = impact.old.function_named(name) else { continue };
            let alignment = impact.function(name).map(|function| &function.alignment);
            for (position, node) in positions(impact.old, &StatementGraph::new(impact.old, old)) {
                // A function that is not among those of the impact is the same statement by statement.
                let new = alignment.map_or(Some(node), |alignment| alignment.to_new[node.index()]);
                follower.statements.insert(position, (function, new));
            }
        }
        follower
    }

    fn name_functions(&mut self, lines: &BTreeMap<u32, &str>) {
        let known = lines.iter().filter_map(|(&line, name)| {
            let function = self.subject.program.function_named(name)?;
            self.subject.scope.functions.contains_key(&function).then_some((line, function))
        });
        self.functions = known.collect();
    }

    fn follow(&self, run: &Run) -> Followed {
        let mut stack: Vec<Frame> = Vec::new();
        let mut found = Followed::default();
        for mark in &run.trace {
            match *mark {
                Mark::Enter(line) => {
                    let function = self.functions.get(&line).copied();
                    stack.push(self.enter(stack.last(), function));
                }
                Mark::Leave => {
                    stack.pop();
                }
                Mark::Statement(line, part) => {
                    let Some(&(function, node)) = self.statements.get(&(line, part)) else { continue };
                    let frame = stack.last_mut().expect("a statement is executed in a function");
                    assert_eq!(
                        frame.function,
                        Some(function),
                        "line {line} is in the function that was entered"
                    );
                    frame.at = node;
                    let Some(node) = node else { continue };
                    if self.is_affected(frame) {
                        found.affected.push((function, node));
                    } else if !frame.below {
                        found.unaffected.push((function, node));
                    }
                }
            }
        }
        found
    }

    fn is_affected(&self, frame: &Frame) -> bool {
        let activation = frame.activation.map(|id| self.subject.scope.activation(id));
        activation.zip(frame.at).is_some_and(|(activation, node)| activation.affected.contains(node))
    }

    fn enter(&self, caller: Option<&Frame>, function: Option<FunctionId>) -> Frame {
        let Some(caller) = caller else {
            let activation = self.subject.activations().first().copied();
            return Frame { function, activation, at: None, below: false };
        };
        let call = caller.at.zip(function);
        let calls = caller.activation.map(|id| &self.subject.scope.activation(id).calls);
        let activation = calls.zip(call).and_then(|(calls, call)| calls.get(&call).copied());
        let below = caller.below || call.is_none() || self.is_affected(caller);
        Frame { function, activation, at: None, below }
    }
}

/// Whether what both runs did that is not affected is the same. A run that stops early does a part of it.
fn alike(old: (&Run, &Followed), new: (&Run, &Followed)) -> bool {
    let (left, right) = (&old.1.unaffected[..], &new.1.unaffected[..]);
    let ends = |run: &Run| matches!(run.end, End::Returned(_));
    left == right || (!ends(old.0) && right.starts_with(left)) || (!ends(new.0) && left.starts_with(right))
}

#[derive(Default)]
struct Tally {
    programs: usize,
    recursive: usize,
    unchanged: usize,
    large: usize,
    affected: usize,
    paths_full: usize,
    paths_exact: usize,
    states_full: u64,
    states_exact: u64,
    queries_full: u64,
    queries_exact: u64,
    different_inputs: usize,
}

struct Check<'a> {
    seed: u64,
    new: &'a Program,
    rules: Rules,
    /// The functions of the new version, by the lines that they begin on.
    functions: BTreeMap<u32, &'a str>,
    /// Those of the old version.
    old_functions: BTreeMap<u32, &'a str>,
}

impl Check<'_> {
    fn context(&self, pair: &Pair) -> String {
        format!("seed {}, {}\nOLD\n{}\nNEW\n{}", self.seed, pair.entry, pair.old, pair.new)
    }

    fn program(&self, impact: &Impact<'_>, pair: &Pair, runs: &[(Input, Run, Run)], tally: &mut Tally) {
        tally.programs += 1;
        tally.recursive += usize::from(pair.recursive);
        let entry = self.new.function_named(&pair.entry).expect("the entry");
        let touched = |effects| {
            let scope = impact.below(&[entry], effects, self.rules);
            scope.is_dirty(entry).then_some(scope)
        };
        let Some(mut scope) = impact.effects.as_ref().and_then(touched) else {
            tally.unchanged += 1;
            for (input, old, new) in runs {
                assert!(
                    old.same_behaviour(new),
                    "called unchanged, differs on {input:?}\nold {old:?}\nnew {new:?}\n{}",
                    self.context(pair)
                );
            }
            return;
        };
        let root = scope.root(entry);
        let subject = Subject::new(&scope, root);
        let full = explore(self.new, &subject, &pair.entry, &pair.globals, Kind::Full);
        if full.paths.len() as u64 >= MOST_PATHS {
            tally.large += 1;
            return;
        }
        let exact = explore(self.new, &subject, &pair.entry, &pair.globals, Kind::Exact);
        assert!(full.complete && exact.complete, "not complete\n{}", self.context(pair));
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
        self.native(impact, &subject, pair, &reported, runs, tally);
        tally.affected += usize::from(!reported.is_empty());
        tally.paths_full += full.paths.len();
        tally.paths_exact += exact.paths.len();
        tally.states_full += full.exploration.counters.states;
        tally.states_exact += exact.exploration.counters.states;
        tally.queries_full += full.exploration.counters.queries;
        tally.queries_exact += exact.exploration.counters.queries;
    }

    /// No input on which the versions differ is called unaffected, and no statement that differs.
    fn native(
        &self,
        impact: &Impact<'_>,
        subject: &Subject<'_>,
        pair: &Pair,
        reported: &BTreeSet<Key>,
        runs: &[(Input, Run, Run)],
        tally: &mut Tally,
    ) {
        let sequences: BTreeSet<&[Statement]> = reported.iter().map(|(sequence, _)| &sequence[..]).collect();
        let in_old = Follower::of_old(subject, &self.old_functions, impact);
        let in_new = Follower::of_new(subject, &self.functions);
        for (input, old, new) in runs {
            let (before, after) = (in_old.follow(old), in_new.follow(new));
            assert!(
                alike((old, &before), (new, &after)),
                "unaffected statements differ: {input:?}\nold {:?}\nnew {:?}\n{}",
                before.unaffected,
                after.unaffected,
                self.context(pair)
            );
            if old.same_behaviour(new) {
                continue;
            }
            tally.different_inputs += 1;
            assert!(
                sequences.contains(&after.affected[..]),
                "called unaffected: {input:?} takes {:?}\nold {old:?}\nnew {new:?}\nreported {reported:?}\n{}",
                after.affected,
                self.context(pair)
            );
        }
    }
}

/// What both versions of each program do natively.
fn runs(folder: &Path, batch: &Batch) -> Vec<Vec<(Input, Run, Run)>> {
    let inputs: Vec<Vec<Input>> = batch.programs.iter().map(|pair| pair.inputs(INPUTS)).collect();
    let judged = |name, text| judge(folder, name, batch, text, &inputs).unwrap_or_else(|why| panic!("{why}"));
    let (old, new) = (judged("old", &batch.old), judged("new", &batch.new));
    let pairs = inputs.iter().zip(old.into_iter().zip(new));
    pairs
        .map(|(inputs, (old, new))| {
            let each = inputs.iter().zip(old.into_iter().zip(new));
            each.map(|(&input, (old, new))| (input, old, new)).collect()
        })
        .collect()
}

fn check(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let batch = batch(seed, BATCH);
        let runs = runs(folder.path(), &batch);
        let old = program_in(folder.path(), "old", &batch.old);
        let new = program_in(folder.path(), "new", &batch.new);
        let rules = if seed % 4 < 2 { Rules::Across } else { Rules::Closed };
        let impact = match seed % 2 {
            0 => Impact::new(&old, &new, rules, false),
            // What the command does: more is known of pointers if execution begins in the entries only.
            _ => {
                let entries = batch.programs.iter().filter_map(|pair| new.function_named(&pair.entry));
                let entries: Vec<FunctionId> = entries.collect();
                let versions = Versions::compare(&old, &new);
                Impact::for_entries(&old, &new, versions, &entries, rules, false)
            }
        };
        let (functions, old_functions) = (function_lines(&batch.new), function_lines(&batch.old));
        let check = Check { seed, new: &new, rules, functions, old_functions };
        for (pair, runs) in batch.programs.iter().zip(&runs) {
            check.program(&impact, pair, runs, &mut tally);
        }
    }
    tally
}

fn summary(tally: &Tally) {
    println!(
        "{} programs ({} of them recursive), {} unchanged, {} too large, {} affected; paths {} of {}, states {} of {}, queries {} of {}; {} different inputs",
        tally.programs,
        tally.recursive,
        tally.unchanged,
        tally.large,
        tally.affected,
        tally.paths_exact,
        tally.paths_full,
        tally.states_exact,
        tally.states_full,
        tally.queries_exact,
        tally.queries_full,
        tally.different_inputs,
    );
    assert!(tally.large * 20 < tally.programs, "few programs are left out");
    assert!(tally.affected * 2 > tally.programs, "most programs are affected");
    assert!(tally.paths_exact < tally.paths_full, "directed exploration leaves something out");
    assert!(tally.states_exact < tally.states_full, "directed exploration does less");
    assert!(tally.different_inputs * 10 > tally.programs * 9, "many inputs tell the versions apart");
}

#[test]
fn each_affected_sequence_of_a_program_is_reported_once() {
    summary(&check(shorter(0..5, 0..28)));
}

#[test]
fn each_affected_sequence_of_another_program_is_reported_once() {
    summary(&check(shorter(28..33, 28..56)));
}

/// The affected lines of an entry `e`, and the sequences that are found fully and exactly.
fn removed(old: &str, new: &str) -> (Vec<u32>, BTreeSet<Key>, BTreeSet<Key>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (old, new) = (program_in(folder.path(), "old", old), program_in(folder.path(), "new", new));
    let impact = Impact::new(&old, &new, Rules::Across, false);
    let entry = new.function_named("e").expect("the entry");
    let mut scope = impact.below(&[entry], impact.effects.as_ref().expect("a change"), Rules::Across);
    let root = scope.root(entry);
    let subject = Subject::new(&scope, root);
    let found = |kind| -> BTreeSet<Key> {
        let paths = explore(&new, &subject, "e", &["g".to_owned()], kind).paths;
        paths.iter().filter(|path| path.met).map(key).collect()
    };
    let graph = &scope.facts(entry).graph;
    let line = |node| graph.node(node).location.map_or(0, |location| new.locations[location].line);
    let lines = scope.activation(root).affected.nodes().map(line).collect();
    (lines, found(Kind::Full), found(Kind::Exact))
}

const REMOVED_GLOBAL: &str = "int g;
void set(int v) {
    g = v;
}
int e(int a) {
    set(a);
    if (g > 3)
        return 1;
    return 0;
}
";

#[test]
fn what_a_function_no_longer_writes_is_affected_where_it_was_called() {
    let (lines, full, exact) = removed(REMOVED_GLOBAL, &REMOVED_GLOBAL.replace("    g = v;\n", "\n"));
    assert_eq!(lines, [6, 7, 8, 9]);
    assert_eq!(exact, full);
    assert!(!exact.is_empty());
}

#[test]
fn a_function_of_which_nothing_is_left_is_met_where_it_is_called() {
    let old = REMOVED_GLOBAL.replace("g = v", "v = 1");
    let (lines, full, exact) = removed(&old, &old.replace("    v = 1;\n", "\n"));
    assert!(lines.is_empty());
    assert_eq!(full, BTreeSet::from([(Vec::new(), None)]));
    assert_eq!(exact, full);
}

const REMOVED_MEMORY: &str = "int g;
void set(int *p) {
    *p = 5;
}
int e(int a) {
    int x = a;
    set(&x);
    if (x > 3)
        return 1;
    return 0;
}
";

#[test]
fn what_a_function_no_longer_writes_through_a_pointer_is_affected_where_it_was_called() {
    let (lines, full, exact) = removed(REMOVED_MEMORY, &REMOVED_MEMORY.replace("    *p = 5;\n", "\n"));
    assert_eq!(lines, [6, 7, 8, 9, 10]);
    assert_eq!(exact, full);
}
