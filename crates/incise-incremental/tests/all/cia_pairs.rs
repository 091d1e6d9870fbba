//! Random pairs of versions with threads: the executions that a change concerns, against all executions. Every trace of
//! affected events is there, once, and every error that the old version does not have.

use crate::cia::{concerned, explored, slice_of};
use incise_exec::{Outcome, Schedules};
use incise_incremental::cia::{AffectedTrace, AffectedTraces};
use incise_testing::concurrent::{ConcurrentPair, interpret};
use incise_testing::{Compiler, in_parallel, shorter};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Programs with more states, or more executions, are left out.
const MOST: usize = 2_500;
const MOST_EXECUTIONS: usize = 150;

#[derive(Default)]
struct Counts {
    pairs: AtomicUsize,
    all: AtomicUsize,
    explored: AtomicUsize,
    reported: AtomicUsize,
}

fn errors(paths: &[incise_exec::Path]) -> BTreeSet<String> {
    let error = |path: &incise_exec::Path| match &path.outcome {
        Outcome::Error(error) => {
            let line = path.position.as_ref().map(|position| position.line);
            Some(format!("{:?} {line:?}", error.kind))
        }
        _ => None,
    };
    paths.iter().filter_map(error).collect()
}

fn check(seed: u64, counts: &Counts) -> Result<(), String> {
    let pair = ConcurrentPair::random(seed);
    if interpret(&pair.new, MOST).is_none() || interpret(&pair.old, MOST).is_none() {
        return Ok(());
    }
    let (old_text, new_text) = (pair.old.text(), pair.new.text());
    let (old, new) = (Compiler::default().fresh(&old_text), Compiler::default().fresh(&new_text));
    let Some(slice) = slice_of(&old, &new) else { return Ok(()) };
    let all = explored(&new, Schedules::Optimal, MOST_EXECUTIONS);
    if !all.limits.is_empty() {
        return Ok(());
    }
    let before = explored(&old, Schedules::Optimal, MOST_EXECUTIONS);
    if !before.limits.is_empty() {
        return Ok(());
    }
    let found = concerned(&new, &slice, MOST_EXECUTIONS);
    let what = |problem: String| Err(format!("seed {seed}: {problem}\n{old_text}\n{new_text}"));
    if found.executions > all.paths.len() {
        return what(format!("{} executions of {}", found.executions, all.paths.len()));
    }
    let traces = AffectedTraces::new(&new, &slice);
    let wanted: BTreeSet<AffectedTrace> = all.paths.iter().map(|path| traces.of(path)).collect();
    let reported: Vec<AffectedTrace> = found.exploration.paths.iter().map(|path| traces.of(path)).collect();
    let distinct: BTreeSet<AffectedTrace> = reported.iter().cloned().collect();
    if distinct != wanted || reported.len() != wanted.len() {
        let (missing, more) = (wanted.difference(&distinct).next(), distinct.difference(&wanted).next());
        return what(format!(
            "{} of {} traces, missing {missing:#?}, not feasible {more:#?}",
            distinct.len(),
            wanted.len()
        ));
    }
    let lost: BTreeSet<String> = errors(&all.paths)
        .difference(&errors(&before.paths))
        .filter(|error| !errors(&found.exploration.paths).contains(*error))
        .cloned()
        .collect();
    // Lines move: an error of the old version may be on another line there.
    if !lost.is_empty() && errors(&found.exploration.paths).len() < errors(&all.paths).len() {
        return what(format!("errors are lost: {lost:?}"));
    }
    counts.pairs.fetch_add(1, Ordering::Relaxed);
    counts.all.fetch_add(all.paths.len(), Ordering::Relaxed);
    counts.explored.fetch_add(found.executions, Ordering::Relaxed);
    counts.reported.fetch_add(reported.len(), Ordering::Relaxed);
    Ok(())
}

#[test]
fn each_trace_of_affected_events_is_explored_and_reported_once() {
    let seeds: Vec<u64> = (0..shorter(120, 3_000)).collect();
    let counts = Counts::default();
    let failures = in_parallel(&seeds, |&seed| check(seed, &counts));
    let [pairs, all, explored, reported] = [&counts.pairs, &counts.all, &counts.explored, &counts.reported]
        .map(|count| count.load(Ordering::Relaxed));
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), seeds.len(), failures.join("\n"));
    println!("{pairs} pairs: {all} traces, {explored} executions explored, {reported} reported");
    assert!(pairs * 2 > seeds.len(), "{pairs} pairs");
    assert!(explored < all, "{explored} of {all} executions");
}
