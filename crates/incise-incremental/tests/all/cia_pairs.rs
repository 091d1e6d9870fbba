//! Random pairs of versions with threads: the executions that a change concerns, against all executions. Every trace of
//! affected events is there, once, and so is every error and every data race that the old version does not have.
//!
//! What is cheap makes them many: pairs are compiled together, and programs with many orders are replaced by others.

use crate::cia::{config, slice_from};
use incise_exec::{Config, Detail, Exploration, Outcome, Path, Schedules, explore};
use incise_incremental::cia::{AffectedTrace, AffectedTraces, ThreadStrategy, explore_by, explore_concerned};
use incise_ir::Program;
use incise_testing::threads::{Case, Interpreter, Text, mutated};
use incise_testing::{Compiler, Random, hooks_with, in_parallel, shorter};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// So many pairs are compiled together.
const IN_A_FILE: u64 = 20;
/// Programs with more orders are replaced by others.
const MOST: usize = 400;
/// Of one pair of so many every order is explored too.
const BASELINE: u64 = 10;

#[derive(Default)]
struct Counts {
    pairs: AtomicUsize,
    all: AtomicUsize,
    explored: AtomicUsize,
    reported: AtomicUsize,
    /// Errors and data races that the old version does not have.
    errors: AtomicUsize,
}

struct Pair {
    seed: u64,
    number: usize,
    cases: (Case, Case),
}

/// Both versions of a file, with their texts.
struct Versions {
    old: (Program, String),
    new: (Program, String),
}

fn is_small(case: &Case) -> bool {
    let lines = Text::new().add(case, 0);
    Interpreter::new(case, &lines, MOST).run()
}

fn pair(seed: u64) -> (Case, Case) {
    for attempt in 0.. {
        let old = Case::random(seed, 3000 + attempt).joining();
        let mut random = Random::new(seed, 9000 + attempt);
        if old.awaits_two() || !is_small(&old) {
            continue;
        }
        let new = mutated(&old, &mut random);
        if !new.awaits_two() && is_small(&new) {
            return (old, new);
        }
    }
    unreachable!("small programs are many")
}

/// The statement of a line: lines move from version to version.
fn statement(text: &str, line: u32) -> String {
    text.lines().nth((line as usize).wrapping_sub(1)).unwrap_or_default().trim().to_owned()
}

/// The errors of executions and the data races, with the statements at which they happen.
fn errors(exploration: &Exploration, text: &str) -> BTreeSet<String> {
    let error = |path: &Path| match &path.outcome {
        Outcome::Error(error) => {
            let line = path.position.as_ref().map_or(0, |position| position.line);
            Some(format!("{:?} {}", error.kind, statement(text, line)))
        }
        _ => None,
    };
    let race = |race: &incise_exec::Race| {
        let access = |access: &incise_exec::RaceAccess| {
            statement(text, access.position.as_ref().map_or(0, |position| position.line))
        };
        let mut both = race.accesses.each_ref().map(access);
        both.sort();
        format!("data race {both:?}")
    };
    let found = exploration.paths.iter().filter_map(error);
    found.chain(exploration.races.iter().map(race)).collect()
}

fn explored(program: &Program, config: &Config) -> Exploration {
    explore(program, config, &hooks_with(Detail::All)).expect("it is explored")
}

fn check_pair(versions: &Versions, pair: &Pair, counts: &Counts) -> Result<(), String> {
    let ((old, old_text), (new, new_text)) = (&versions.old, &versions.new);
    let entry = format!("e{}", pair.number);
    let Some(slice) = slice_from(old, new, &entry) else { return Ok(()) };
    let config = config(&entry, Schedules::Optimal);
    let (before, all) = (explored(old, &config), explored(new, &config));
    let found = explore_concerned(new, &config, &hooks_with(Detail::All), &slice).expect("it is explored");
    if found.executions > all.paths.len() {
        return Err(format!("{} executions of {}", found.executions, all.paths.len()));
    }
    let traces = AffectedTraces::new(new, &slice);
    let wanted: BTreeSet<AffectedTrace> = all.paths.iter().map(|path| traces.of(path)).collect();
    let reported: Vec<AffectedTrace> = found.exploration.paths.iter().map(|path| traces.of(path)).collect();
    let distinct: BTreeSet<AffectedTrace> = reported.iter().cloned().collect();
    let lacks = |some: &BTreeSet<AffectedTrace>, others: &BTreeSet<AffectedTrace>| {
        some.iter().find(|one| !others.iter().any(|other| one.is_like(other))).cloned()
    };
    let (missing, more) = (lacks(&wanted, &distinct), lacks(&distinct, &wanted));
    if missing.is_some() || more.is_some() || reported.len() != distinct.len() {
        let counts = format!("{} of {} traces", distinct.len(), wanted.len());
        return Err(format!("{counts}, missing {missing:#?}, not feasible {more:#?}"));
    }
    let known = errors(&before, old_text);
    let (mine, theirs) = (errors(&found.exploration, new_text), errors(&all, new_text));
    if let Some(lost) = theirs.iter().find(|error| !known.contains(*error) && !mine.contains(*error)) {
        return Err(format!("an error is lost: {lost}"));
    }
    if let Some(made_up) = mine.difference(&theirs).next() {
        return Err(format!("an error that no execution has: {made_up}"));
    }
    let hooks = hooks_with(Detail::All);
    let states =
        explore_by(new, &config, &hooks, &slice, ThreadStrategy::Summarised).expect("it is explored");
    let summarised = errors(&states, new_text);
    if summarised != mine {
        return Err(format!("with summaries {summarised:?}, without {mine:?}"));
    }
    if pair.seed.is_multiple_of(BASELINE) {
        let baseline = errors(&explored(new, &crate::cia::config(&entry, Schedules::All)), new_text);
        if baseline != theirs {
            return Err(format!("every order has {baseline:?}, one for each trace {theirs:?}"));
        }
    }
    check_states(new, new_text, (&entry, &theirs))?;
    let add = |count: &AtomicUsize, more: usize| count.fetch_add(more, Ordering::Relaxed);
    add(&counts.errors, theirs.difference(&known).count());
    add(&counts.pairs, 1);
    add(&counts.all, all.paths.len());
    add(&counts.explored, found.executions);
    add(&counts.reported, reported.len());
    Ok(())
}

/// What follows each state once, in all that the program does, has the errors and data races of all executions.
fn check_states(
    program: &Program,
    text: &str,
    (entry, wanted): (&str, &BTreeSet<String>),
) -> Result<(), String> {
    let found = errors(&explored(program, &config(entry, Schedules::States)), text);
    match found == *wanted {
        true => Ok(()),
        false => Err(format!("states have {found:?}, executions {wanted:?}")),
    }
}

fn check(file: u64, counts: &Counts) -> Result<(), String> {
    let (mut old_text, mut new_text) = (Text::new(), Text::new());
    let seeds = file * IN_A_FILE..(file + 1) * IN_A_FILE;
    let pairs: Vec<Pair> = seeds
        .zip(0..)
        .map(|(seed, number)| {
            let cases = pair(seed);
            old_text.add_with(&cases.0, number, true);
            new_text.add_with(&cases.1, number, true);
            Pair { seed, number, cases }
        })
        .collect();
    let compiled = |text: Text| (Compiler::default().fresh(&text.text), text.text);
    let versions = Versions { old: compiled(old_text), new: compiled(new_text) };
    let failure = |pair: &Pair| {
        let what = check_pair(&versions, pair, counts).err()?;
        let [mut one, mut two] = [Text::new(), Text::new()];
        one.add_with(&pair.cases.0, 0, true);
        two.add_with(&pair.cases.1, 0, true);
        Some(format!("seed {}: {what}\nOLD\n{}\nNEW\n{}", pair.seed, one.text, two.text))
    };
    let failures: Vec<String> = pairs.iter().filter_map(failure).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

#[test]
fn each_trace_of_affected_events_is_explored_and_reported_once() {
    let pairs = shorter(120, 3_000);
    let files: Vec<u64> = (0..pairs / IN_A_FILE).collect();
    let counts = Counts::default();
    let failures = in_parallel(&files, |file| check(*file, &counts));
    let all = [&counts.pairs, &counts.all, &counts.explored, &counts.reported, &counts.errors];
    let [looked, all, explored, reported, errors] = all.map(|count| count.load(Ordering::Relaxed));
    let heads = failures.iter().flat_map(|failure| failure.lines()).filter(|line| line.starts_with("seed"));
    let heads: Vec<&str> = heads.collect();
    assert!(failures.is_empty(), "{}:\n{}\n{}", heads.len(), heads.join("\n"), failures.join("\n"));
    println!(
        "{looked} pairs: {all} traces, {explored} executions explored, {reported} reported, {errors} new errors"
    );
    assert!(looked as u64 * 2 > pairs, "{looked} pairs");
    assert!(explored < all, "{explored} of {all} executions");
    assert!(errors > 0, "there are errors to be found");
}
