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
    /// Errors that the old version does not have.
    errors: AtomicUsize,
}

/// The errors of executions, with the statements at which they happen: lines move from version to version.
fn errors(paths: &[incise_exec::Path], text: &str) -> BTreeSet<String> {
    let error = |path: &incise_exec::Path| match &path.outcome {
        Outcome::Error(error) => {
            let line = path.position.as_ref().map_or(0, |position| position.line as usize);
            let statement = text.lines().nth(line.wrapping_sub(1)).unwrap_or_default().trim();
            Some(format!("{:?} {statement}", error.kind))
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
    let known = errors(&before.paths, &old_text);
    let found_errors = errors(&found.exploration.paths, &new_text);
    let all_errors = errors(&all.paths, &new_text);
    if let Some(lost) =
        all_errors.iter().find(|error| !known.contains(*error) && !found_errors.contains(*error))
    {
        return what(format!("an error is lost: {lost}"));
    }
    if let Some(made_up) = found_errors.difference(&all_errors).next() {
        return what(format!("an error that no execution has: {made_up}"));
    }
    counts.errors.fetch_add(all_errors.difference(&known).count(), Ordering::Relaxed);
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
    let all = [&counts.pairs, &counts.all, &counts.explored, &counts.reported, &counts.errors];
    let [pairs, all, explored, reported, errors] = all.map(|count| count.load(Ordering::Relaxed));
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), seeds.len(), failures.join("\n"));
    println!(
        "{pairs} pairs: {all} traces, {explored} executions explored, {reported} reported, {errors} new errors"
    );
    assert!(pairs * 2 > seeds.len(), "{pairs} pairs");
    assert!(explored < all, "{explored} of {all} executions");
    assert!(errors > 0, "there are errors to be found");
}
