//! Witnesses of programs with threads, run natively along their schedules.
//!
//! What one version can do is shown by a run of that version alone. That the other cannot do it whatever the order of
//! its threads no run can show: it is proved, and the report says so. Data races are run likewise: both threads come to
//! their accesses at the same time.

use super::{Entries, VersionJudge};
use anyhow::Result;
use incise_frontend::NativeSource;
use incise_ir::FunctionId;
use incise_replay::{NativeRequest, NativeRun, run_natively};
use incise_report::verdict::{Comparison, RaceChange, Witness};
use incise_report::{FoundPath, ReplayVerdict, Run, TestCase};
use incise_suite::{race_test, test_case};

/// What a native run says.
enum Said {
    /// It does what was predicted.
    Confirmed,
    /// There was none; why.
    NotRun(Option<String>),
    /// It does something else.
    Contradicted(String),
}

/// Runs all witnesses and data races that only one version has, and keeps those that are not contradicted.
pub(super) fn confirm(
    judge: &VersionJudge<'_>,
    entries: Entries,
    externals: &[String],
    comparison: &mut Comparison,
) {
    let said = [false, true].map(|new| {
        let tests = tests(comparison, new);
        run(judge, entries, externals, &tests, new)
    });
    let mut said = said.map(Vec::into_iter);
    let mut reasons = Vec::new();
    let mut keep = |new: bool, what: &str| -> Option<(bool, Option<String>)> {
        match said[usize::from(new)].next() {
            Some(Said::Confirmed) => Some((true, None)),
            Some(Said::NotRun(note)) => Some((false, note)),
            None => Some((false, None)),
            Some(Said::Contradicted(note)) => {
                reasons.push(format!("{what} was predicted, and natively something else happens: {note}"));
                None
            }
        }
    };
    let is_new = |witness: &Witness| witness.only.as_ref().is_none_or(|only| only.new);
    let mut keep_witness = |witness: &mut Witness| match keep(is_new(witness), "a difference") {
        Some((replayed, note)) => {
            (witness.replayed, witness.ran, witness.replay_note) = (replayed, replayed, note);
            true
        }
        None => false,
    };
    comparison.differences.retain_mut(&mut keep_witness);
    comparison.introduced.retain_mut(|error| keep_witness(&mut error.witness));
    comparison.fixed.retain_mut(|error| keep_witness(&mut error.witness));
    let mut keep_race = |change: &mut RaceChange, new: bool| match keep(new, "a data race") {
        Some((replayed, note)) => {
            (change.replayed, change.replay_note) = (replayed, note);
            true
        }
        None => false,
    };
    if let Some(threads) = &mut comparison.threads {
        threads.introduced.retain_mut(|change| keep_race(change, true));
        threads.fixed.retain_mut(|change| keep_race(change, false));
    }
    comparison.differences.sort_by_key(|witness| !witness.ran);
    for reason in reasons {
        if !comparison.reasons.contains(&reason) {
            comparison.reasons.push(reason);
        }
    }
}

/// The tests of one version, in the order in which they are asked for; `None` where there can be no test.
fn tests(comparison: &Comparison, new: bool) -> Vec<Option<TestCase>> {
    let own = |witness: &&Witness| witness.only.as_ref().is_none_or(|only| only.new) == new;
    let errors = comparison.introduced.iter().chain(&comparison.fixed).map(|error| &error.witness);
    let witnesses = comparison.differences.iter().chain(errors).filter(own);
    let path =
        |witness: &Witness| -> FoundPath { if new { witness.new.clone() } else { witness.old.clone() } };
    let run = Run::default();
    let mut tests: Vec<Option<TestCase>> = witnesses
        .enumerate()
        .map(|(index, witness)| test_case(&run, &FoundPath { id: index as u64 + 1, ..path(witness) }))
        .collect();
    if let Some(threads) = &comparison.threads {
        let races = if new { &threads.introduced } else { &threads.fixed };
        let test = |(index, change): (usize, &RaceChange)| race_test(&run, &change.race, index + 1);
        tests.extend(races.iter().enumerate().map(test));
    }
    tests
}

/// Runs tests on one version.
fn run(
    judge: &VersionJudge<'_>,
    entries: Entries,
    externals: &[String],
    tests: &[Option<TestCase>],
    new: bool,
) -> Vec<Said> {
    let known: Vec<TestCase> = tests.iter().flatten().cloned().collect();
    if known.is_empty() || !judge.session.runs_natively() {
        return tests.iter().map(|_| Said::NotRun(None)).collect();
    }
    let (source, entry) = if new { (judge.new, entries.new) } else { (judge.old, entries.old) };
    let runs = match natively(judge, source, entry, externals, &known) {
        Ok(runs) => runs,
        Err(error) => {
            let note = format!("{error:#}").lines().next().unwrap_or_default().to_owned();
            return tests.iter().map(|_| Said::NotRun(Some(note.clone()))).collect();
        }
    };
    let mut runs = runs.into_iter();
    let said = |test: &Option<TestCase>| match (test, test.as_ref().and_then(|_| runs.next())) {
        (Some(_), Some(run)) => of_run(run),
        _ => Said::NotRun(Some("no run can come to it".to_owned())),
    };
    tests.iter().map(said).collect()
}

fn of_run(run: NativeRun) -> Said {
    let note = run.test.notes.first().cloned();
    match run.test.verdict {
        ReplayVerdict::Confirmed => Said::Confirmed,
        ReplayVerdict::NotChecked => Said::NotRun(note),
        _ => Said::Contradicted(note.unwrap_or_else(|| "it cannot be told what".to_owned())),
    }
}

fn natively(
    judge: &VersionJudge<'_>,
    source: NativeSource<'_>,
    entry: FunctionId,
    externals: &[String],
    tests: &[TestCase],
) -> Result<Vec<NativeRun>> {
    if judge.session.is_interrupted() {
        anyhow::bail!("interrupted");
    }
    let named = externals.iter().filter(|name| source.program.function_named(name).is_some());
    let known: Vec<String> = named.cloned().collect();
    let arguments = &judge.settings.config.inputs.given_arguments;
    let request = NativeRequest { entry, tests, arguments, externals: &known, pointers: false };
    Ok(run_natively(&request, source, &judge.session.replaying())?)
}
