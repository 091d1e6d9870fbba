//! The guarantee of directed exploration across calls, on random versions of programs of several functions: full
//! exploration and native runs are the judges.

use crate::theorem_check::{Check, Key, Runs, Tally, check_batch, explore, key};
use incise_change::{Impact, Rules, Versions};
use incise_exec::Config;
use incise_incremental::{Kind, Subject};
use incise_ir::FunctionId;
use incise_testing::{Features, Pair, program_in, shorter};
use std::collections::BTreeSet;

/// Programs in one file.
const BATCH: usize = 40;
/// Inputs that are tried natively for each program.
const INPUTS: usize = 60;

fn check_program(
    check: &Check<'_>,
    (impact, rules): (&Impact<'_>, Rules),
    pair: &Pair,
    runs: &Runs,
    tally: &mut Tally,
) {
    tally.programs += 1;
    tally.recursive += usize::from(pair.is_recursive());
    let entry = check.new.function_named(&pair.entry()).expect("the entry");
    let touched = |effects| {
        let scope = impact.below(&[entry], effects, rules);
        scope.is_dirty(entry).then_some(scope)
    };
    match impact.effects.as_ref().and_then(touched) {
        None => check.unchanged(pair, runs, tally),
        Some(mut scope) => {
            let place = (&mut scope, entry);
            check.scope(impact, place, (pair, runs), &|old, new| !old.same_behaviour(new), tally);
        }
    }
}

fn check(seeds: std::ops::Range<u64>) {
    let mut tally = Tally::default();
    for seed in seeds {
        check_batch(&Features::programs(), seed, (BATCH, INPUTS), |check, batch, runs| {
            let (old, new) = (check.old, check.new);
            let rules = if seed % 4 < 2 { Rules::Across } else { Rules::Closed };
            let impact = match seed % 2 {
                0 => Impact::new(old, new, rules, false),
                // What the command does: more is known of pointers if execution begins in the entries only.
                _ => {
                    let entries = batch.pairs.iter().filter_map(|pair| new.function_named(&pair.entry()));
                    let entries: Vec<FunctionId> = entries.collect();
                    Impact::for_entries(old, new, Versions::compare(old, new), &entries, rules, false)
                }
            };
            for (pair, runs) in batch.pairs.iter().zip(runs) {
                check_program(check, (&impact, rules), pair, runs, &mut tally);
            }
        });
    }
    tally.summary();
    assert!(tally.affected * 2 > tally.programs, "most programs are affected");
    assert!(tally.different_inputs * 10 > tally.programs * 9, "many inputs tell the versions apart");
}

#[test]
fn each_affected_sequence_of_a_program_is_reported_once() {
    check(shorter(0..2, 0..28));
}

#[test]
fn each_affected_sequence_of_another_program_is_reported_once() {
    check(shorter(30..32, 28..56));
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
        let paths = explore(&new, &subject, &Config::new("e"), kind).paths;
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
