//! Random pairs of versions with threads, against an interpreter that tries every order: a statement that is not
//! affected reads and writes the same numbers in both versions, for every input.
//!
//! Inputs on which one version fails or waits for ever in some order are left aside: what would follow is missing there
//! in both versions, and the rules do not follow that.

use incise_change::{Entries, Impact, NodeId, Rules, StatementGraph, Versions, WholeImpact};
use incise_ir::Program;
use incise_testing::concurrent::{ConcurrentPair, interpret};
use incise_testing::{Compiler, in_parallel, shorter};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Programs with more states are left out.
const MOST: usize = 60_000;

fn line(program: &Program, graph: &StatementGraph, node: NodeId) -> u32 {
    graph.node(node).location.map_or(0, |location| program.locations[location].line)
}

/// The lines of the new version with the lines of the old one that belong to them, of statements that are not affected
/// in either; and how many lines there are.
fn unaffected_lines(old: &Program, new: &Program) -> (BTreeMap<u32, u32>, usize) {
    let versions = Versions::compare(old, new);
    let changed_old = versions.functions.iter().filter_map(|pair| pair.old).collect();
    let (old_entries, new_entries) =
        (Entries::of(old, &changed_old), Entries::of(new, &versions.changed_new()));
    let functions = (old_entries.functions.as_slice(), new_entries.functions.as_slice());
    let (impact, mirrored) = Impact::both_ways(old, new, versions, functions, Rules::Closed, false);
    let whole = WholeImpact::new(&impact, &mirrored, &new_entries, &old_entries, Rules::Closed);
    let (mut found, mut dropped) = (BTreeMap::new(), BTreeSet::new());
    for pair in &impact.versions.functions {
        let (Some(before), Some(after)) = (pair.old, pair.new) else { continue };
        if !new.functions[after].is_definition() {
            continue;
        }
        match whole.functions.iter().find(|each| each.impact.function == after) {
            Some(known) => {
                let (alignment, impact) = (&known.impact.alignment, &known.impact);
                let old_graph = alignment.old_graph.as_ref().expect("both versions have it");
                for node in alignment.new_graph.ids() {
                    let here = line(new, &alignment.new_graph, node);
                    let there = alignment.to_old[node.index()];
                    let kept = there.filter(|there| {
                        !impact.affected.contains(node) && !impact.affected_old.contains(*there)
                    });
                    match kept {
                        Some(there) => {
                            found.insert(here, line(old, old_graph, there));
                        }
                        None => {
                            dropped.insert(here);
                        }
                    }
                }
            }
            None => {
                let graphs = (StatementGraph::new(old, before), StatementGraph::new(new, after));
                for (one, other) in graphs.0.ids().zip(graphs.1.ids()) {
                    found.insert(line(new, &graphs.1, other), line(old, &graphs.0, one));
                }
            }
        }
    }
    let count = found.keys().copied().chain(dropped.iter().copied()).collect::<BTreeSet<u32>>().len();
    found.retain(|line, _| !dropped.contains(line));
    (found, count)
}

/// What was compared in all pairs.
#[derive(Default)]
struct Counts {
    pairs: AtomicUsize,
    compared: AtomicUsize,
    unaffected: AtomicUsize,
    lines: AtomicUsize,
}

fn check(seed: u64, counts: &Counts) -> Result<(), String> {
    let pair = ConcurrentPair::random(seed);
    let (Some(before), Some(after)) = (interpret(&pair.old, MOST), interpret(&pair.new, MOST)) else {
        return Ok(());
    };
    let (old_text, new_text) = (pair.old.text(), pair.new.text());
    let (old, new) = (Compiler::default().fresh(&old_text), Compiler::default().fresh(&new_text));
    let (lines, count) = unaffected_lines(&old, &new);
    counts.pairs.fetch_add(1, Ordering::Relaxed);
    counts.lines.fetch_add(count, Ordering::Relaxed);
    counts.unaffected.fetch_add(lines.len(), Ordering::Relaxed);
    for (input, (before, after)) in before.iter().zip(&after).enumerate() {
        if !before.ends_well || !after.ends_well {
            continue;
        }
        for (here, there) in &lines {
            let (now, then) = (after.values.get(here), before.values.get(there));
            counts.compared.fetch_add(1, Ordering::Relaxed);
            if now != then {
                return Err(format!(
                    "seed {seed}: line {here} (OLD {there}) has {now:?} and had {then:?} with input {input}\n\
                     {old_text}\n{new_text}"
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn what_is_not_affected_reads_and_writes_the_same_in_every_order() {
    let seeds: Vec<u64> = (0..shorter(300, 4_000)).collect();
    let counts = Counts::default();
    let failures = in_parallel(&seeds, |&seed| check(seed, &counts));
    let [pairs, compared, unaffected, lines] =
        [&counts.pairs, &counts.compared, &counts.unaffected, &counts.lines]
            .map(|count| count.load(Ordering::Relaxed));
    assert!(failures.is_empty(), "{} of {pairs}:\n{}", failures.len(), failures.join("\n"));
    println!("{pairs} pairs, {compared} statements compared, {unaffected} of {lines} lines are not affected");
    // Most pairs are looked at, and the analysis tells something.
    assert!(pairs * 2 > seeds.len(), "{pairs} pairs");
    assert!(unaffected * 4 > lines, "{unaffected} of {lines} lines are not affected");
}
