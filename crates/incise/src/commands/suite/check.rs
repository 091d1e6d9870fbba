//! `incise suite check`: run the tests of a suite natively against a version of the program.

use super::settings::CheckSettings;
use crate::arguments::Format;
use crate::exit::Status;
use crate::frontend::{self, Loaded};
use crate::replay::{ReplayOptions, replay};
use crate::session::Session;
use crate::session::output::write_data;
use crate::sources::{Compilation, Sources};
use crate::suite::stored::{self, StoredSuite};
use crate::suite::{Suite, program_hash, signature, store};
use anyhow::{Context, Result, bail};
use incise_ir::Program;
use incise_report::suite::{SuiteEntry, SuiteManifest};
use incise_report::suite_check::{CheckStatus, CheckedTest, SuiteCheck, render_json, render_text};
use incise_report::{Manifest, Origin, Program as Identity, ReplayedTest, TestCase, Verdict, suite_junit};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Does what `incise suite check` is asked to do.
pub(crate) fn run(settings: &CheckSettings, session: &Session) -> Result<Status> {
    let CheckSettings { files, suite: directory, compilation, junit, timeout, jobs, output } = settings;
    let suite = stored::read(directory)?;
    say_strangers(&suite, session);
    let sources = sources_of(directory, &suite.manifest, files, compilation)?;
    let loaded = session.load_silently(sources)?;
    check_entry(&loaded.program, &suite.manifest, directory)?;
    let usual = session.replaying();
    let options = ReplayOptions { timeout: *timeout, jobs: jobs.unwrap_or(usual.jobs), ..usual };
    let check = check(&suite, &loaded, &options)?;
    if let Some(file) = junit {
        write_junit(&check, file)?;
    }
    write_data(|out| match output.format {
        Format::Text => render_text(&check, output.text.quiet, output.text.color, out),
        Format::Json => render_json(&check, out),
    })?;
    if check.count(CheckStatus::Damaged) > 0 {
        session.say(
            "damaged tests can be restored from version control, or made anew by `incise suite generate`",
        );
    }
    Ok(status(&check))
}

/// Says which files among the tests are none.
pub(crate) fn say_strangers(suite: &StoredSuite, session: &Session) {
    for stranger in &suite.strangers {
        session.warn(&format!("warning: {stranger} lies among the tests, but the suite does not name it"));
    }
}

/// These files, or those of the suite if there are none, compiled as the suite says.
pub(crate) fn sources_of(
    suite: &Path,
    manifest: &SuiteManifest,
    files: &[PathBuf],
    compilation: &Compilation,
) -> Result<Sources> {
    let made_from = store::sources(suite, manifest, compilation.tools.clone());
    let files = if files.is_empty() { made_from.files.clone() } else { files.to_vec() };
    // Whether nothing is said of how to compile.
    if compilation.flags.is_empty() && compilation.optimisation == "0" {
        return Ok(Sources { files, ..made_from });
    }
    let given = Sources::new(&files, compilation);
    let told =
        |sources: &Sources| (without_include_path(&sources.flag_texts()), sources.optimisation.clone());
    if told(&given) != told(&made_from) {
        let words = |sources: &Sources| {
            let mut flags = sources.flag_texts();
            flags.push(format!("-O{}", sources.optimisation));
            flags.join(" ")
        };
        bail!(
            "the suite was made with `{}`, but the flags given are `{}`: leave them away to use those of the suite, \
             or make a suite for them with `incise suite generate`",
            words(&made_from),
            words(&given)
        );
    }
    Ok(given)
}

/// The flags but for the folders of headers: those of another version may lie elsewhere.
fn without_include_path(flags: &[String]) -> Vec<String> {
    let mut result = Vec::new();
    let mut words = flags.iter();
    while let Some(flag) = words.next() {
        match flag.strip_prefix("-I") {
            Some("") => {
                words.next();
            }
            Some(_) => {}
            None => result.push(flag.clone()),
        }
    }
    result
}

/// A program without the function, or with another function of that name, is not the one that the suite is for.
fn check_entry(program: &Program, manifest: &SuiteManifest, directory: &Path) -> Result<()> {
    let entry = &manifest.entry;
    let function = frontend::find_function(program, entry).with_context(|| {
        format!(
            "the suite in {} tests {entry}, which this program does not have: give the files that define it, \
             or make another suite with `incise suite generate`",
            directory.display()
        )
    })?;
    let now = signature(program, function);
    // The arguments of main are given as the command line has them, whatever it declares.
    let comparable = !manifest.signature.is_empty() && !now.is_empty() && entry != "main";
    if comparable && now != manifest.signature {
        bail!(
            "{entry} is declared as `{now}`, but the suite in {} was made for `{}`: its inputs do not fit; \
             make another suite with `incise suite generate`",
            directory.display(),
            manifest.signature
        );
    }
    Ok(())
}

/// Runs what can be run.
fn check(suite: &StoredSuite, loaded: &Loaded, settings: &ReplayOptions<'_>) -> Result<SuiteCheck> {
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
    let mut replayed = replayed(manifest, to_run, loaded, settings)?;
    let result = |(entry, checked): (&SuiteEntry, Option<CheckedTest>)| {
        checked.or_else(|| Some(with_run(entry, replayed.remove(&*entry.name)?)))
    };
    let tests: Option<Vec<CheckedTest>> = manifest.tests.iter().zip(checked).map(result).collect();
    Ok(SuiteCheck {
        program: Identity {
            files: loaded.sources.file_texts(),
            flags: loaded.sources.flag_texts(),
            entry: manifest.entry.clone(),
            hash: hash.clone(),
        },
        changed: hash != manifest.program.hash,
        tests: tests.context("a test was not run")?,
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
    settings: &ReplayOptions<'_>,
) -> Result<BTreeMap<String, ReplayedTest>> {
    if tests.is_empty() {
        return Ok(BTreeMap::new());
    }
    let program = Identity { entry: manifest.entry.clone(), ..Identity::default() };
    let arguments = manifest.options.arguments.clone();
    let suite = Suite { manifest: Manifest { program, arguments, ..Manifest::default() }, tests };
    let replayed = replay(&suite, loaded, settings)?;
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
            Verdict::Confirmed => CheckStatus::Passed,
            Verdict::Disagrees => CheckStatus::Failed,
            Verdict::Indeterminate => CheckStatus::Indeterminate,
            Verdict::NotChecked => CheckStatus::NotChecked,
        },
        expected: test.predicted,
        actual: test.actual,
        notes: test.notes,
    }
}

fn write_junit(check: &SuiteCheck, file: &Path) -> Result<()> {
    let mut text = Vec::new();
    suite_junit::render(check, &mut text)?;
    std::fs::write(file, text).with_context(|| format!("{} cannot be written", file.display()))
}

/// Failures, or tests that could not be checked, or neither.
fn status(check: &SuiteCheck) -> Status {
    if check.tests.iter().any(|test| test.status.is_failure()) {
        Status::Found
    } else if check.count(CheckStatus::NotChecked) > 0 {
        Status::Undecided
    } else {
        Status::Nothing
    }
}
