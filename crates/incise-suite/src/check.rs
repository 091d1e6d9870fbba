//! Runs the tests of a suite natively against a version of the program.

use crate::error::SuiteError;
use crate::fingerprint::{program_hash, signature};
use crate::stored_suite::StoredSuite;
use incise_frontend::{Loaded, find_function};
use incise_ir::Program;
use incise_replay::{ReplayOptions, ReplayRequest, replay};
use incise_report::suite::check::{CheckStatus, CheckedTest, SuiteCheck};
use incise_report::suite::{SuiteEntry, SuiteManifest};
use incise_report::{Origin, ProgramIdentity, ReplayVerdict, ReplayedTest, TestCase};
use std::collections::BTreeMap;

/// A program without the function, or with another function of that name, is not the one that the suite is for.
pub fn check_entry(program: &Program, suite: &StoredSuite) -> Result<(), SuiteError> {
    let (manifest, directory) = (&suite.manifest, suite.directory());
    let entry = &manifest.entry;
    let function = find_function(program, entry).map_err(|source| SuiteError::NoEntry {
        folder: directory.to_owned(),
        entry: entry.clone(),
        source: Box::new(source),
    })?;
    let now = signature(program, function);
    // The arguments of main are given as the command line has them, whatever it declares.
    let comparable = !manifest.signature.is_empty() && !now.is_empty() && entry != "main";
    if comparable && now != manifest.signature {
        return Err(SuiteError::OtherSignature {
            entry: entry.clone(),
            now,
            folder: directory.to_owned(),
            before: manifest.signature.clone(),
        });
    }
    Ok(())
}

/// Runs what can be run.
pub fn check(
    suite: &StoredSuite,
    loaded: &Loaded,
    options: &ReplayOptions<'_>,
) -> Result<SuiteCheck, SuiteError> {
    let manifest = &suite.manifest;
    let hash = program_hash(loaded)?;
    let mut checked: Vec<Option<CheckedTest>> = Vec::with_capacity(suite.len());
    let mut to_run = Vec::new();
    for (entry, test) in manifest.tests.iter().zip(suite.cases()) {
        match test.map_err(Unrunnable::Damaged).and_then(|test| runnable(test, &loaded.program)) {
            Ok(test) => {
                to_run.push(test);
                checked.push(None);
            }
            Err(why) => checked.push(Some(without_run(entry, why))),
        }
    }
    let mut replayed = replayed(manifest, to_run, loaded, options)?;
    let result = |(entry, checked): (&SuiteEntry, Option<CheckedTest>)| {
        checked.or_else(|| Some(with_run(entry, replayed.remove(&*entry.name)?)))
    };
    let tests: Option<Vec<CheckedTest>> = manifest.tests.iter().zip(checked).map(result).collect();
    Ok(SuiteCheck {
        program: ProgramIdentity {
            files: loaded.sources.file_texts(),
            flags: loaded.sources.flag_texts(),
            entry: manifest.entry.clone(),
            hash: hash.clone(),
        },
        changed: hash != manifest.program.hash,
        tests: tests.ok_or(SuiteError::NotRun)?,
    })
}

/// Why a test is not run.
enum Unrunnable {
    Damaged(String),
    NothingExpected,
    DoesNotFit(String),
}

/// A test that the program can run: it expects something, and what it sets is there and as large as before.
fn runnable(test: TestCase, program: &Program) -> Result<TestCase, Unrunnable> {
    if test.expected.is_none() {
        return Err(Unrunnable::NothingExpected);
    }
    match fits(globals_of(&test), program) {
        Ok(()) => Ok(test),
        Err(why) => Err(Unrunnable::DoesNotFit(why)),
    }
}

/// The global variables that a test sets and looks at, with their sizes.
pub(crate) fn globals_of(test: &TestCase) -> impl Iterator<Item = (&str, usize)> {
    let inputs = test.inputs.iter().map(|input| (&input.origin, input.bytes.len()));
    let finals = test.expected.iter().flat_map(|expected| &expected.finals);
    let finals = finals.map(|each| (&each.origin, each.observed.bytes.len()));
    inputs.chain(finals).filter_map(|(origin, size)| match origin {
        Origin::Global(symbol) => Some((symbol.as_str(), size)),
        _ => None,
    })
}

/// Whether global variables are there and have these sizes; if not, why.
pub(crate) fn fits<'a>(
    mut globals: impl Iterator<Item = (&'a str, usize)>,
    program: &Program,
) -> Result<(), String> {
    globals.try_for_each(|(symbol, size)| {
        let Some(global) = program.global_named(symbol) else {
            return Err(format!("the program no longer has the variable {symbol}"));
        };
        let now = program.types.size_of(program.globals[global].ty);
        match now == size as u64 {
            true => Ok(()),
            false => Err(format!("the variable {symbol} now has {now} bytes, and {size} in the test")),
        }
    })
}

/// Runs tests natively; nothing is built for none.
fn replayed(
    manifest: &SuiteManifest,
    tests: Vec<TestCase>,
    loaded: &Loaded,
    options: &ReplayOptions<'_>,
) -> Result<BTreeMap<String, ReplayedTest>, SuiteError> {
    if tests.is_empty() {
        return Ok(BTreeMap::new());
    }
    let arguments = &manifest.options.arguments;
    let request = ReplayRequest { entry: &manifest.entry, tests: &tests, arguments };
    let replayed = replay(&request, loaded, options)?;
    Ok(replayed.tests.into_iter().map(|test| (test.name.clone(), test)).collect())
}

fn without_run(entry: &SuiteEntry, why: Unrunnable) -> CheckedTest {
    let (status, note) = match why {
        Unrunnable::Damaged(why) => (CheckStatus::Damaged, why),
        Unrunnable::NothingExpected => (CheckStatus::Skipped, format!("expects {}", entry.expected)),
        Unrunnable::DoesNotFit(why) => (CheckStatus::Failed, why),
    };
    CheckedTest {
        name: entry.name.to_string(),
        path: entry.path.to_string(),
        status,
        expected: entry.expected.to_string(),
        actual: "not run".to_owned(),
        notes: vec![note],
    }
}

fn with_run(entry: &SuiteEntry, test: ReplayedTest) -> CheckedTest {
    CheckedTest {
        name: test.name,
        path: entry.path.to_string(),
        status: match test.verdict {
            ReplayVerdict::Confirmed => CheckStatus::Passed,
            ReplayVerdict::Disagrees => CheckStatus::Failed,
            ReplayVerdict::Indeterminate => CheckStatus::Indeterminate,
            ReplayVerdict::NotChecked => CheckStatus::NotChecked,
        },
        expected: test.predicted,
        actual: test.actual,
        notes: test.notes,
    }
}
