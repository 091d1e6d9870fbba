//! Witnesses as a folder of tests, in the formats of `--tests`.
//!
//! A test has the inputs of NEW and expects what OLD does: it fails on NEW, until NEW does again what OLD did, and
//! passes on OLD. Where OLD does not come to an end there is nothing to expect, so that it expects what NEW does.

use super::native::untouched;
use crate::commands::written::say_written;
use crate::session::Session;
use crate::settings::TestSettings;
use anyhow::{Context, Result};
use incise_exec::Config;
use incise_frontend::{Loaded, find_function};
use incise_ir::{FunctionId, Program};
use incise_report::verdict::{Comparison, Verdicts, Witness};
use incise_report::{Final, FoundPath, Observed, Origin, ProgramIdentity, Run, Value, keep_finals};
use incise_suite::{NewTestFolder, folder_name};

/// Writes a test for each way to differ: of one entry into the folder itself, of several each into a folder of its own.
pub(crate) fn write(
    target: NewTestFolder<'_>,
    verdicts: &Verdicts,
    new: &Loaded,
    (tests, config): (&TestSettings, &Config),
    session: &Session,
) -> Result<()> {
    let options = tests.folder_options(config);
    let hash = new.sources.hash().context("the source files cannot be read again")?;
    let mut runs = Vec::new();
    for comparison in &verdicts.entries {
        let entry = find_function(&new.program, &comparison.entry)?;
        runs.push((run(comparison, new, &hash), entry));
    }
    let written = match runs.as_slice() {
        [(run, entry)] => vec![target.write(run, &new.program, *entry, &new.sources, &options)?],
        several => {
            let several: Vec<(&Run, FunctionId)> = several.iter().map(|(run, entry)| (run, *entry)).collect();
            target.write_each(&several, &new.program, &new.sources, &options)?
        }
    };
    for (comparison, each) in verdicts.entries.iter().zip(&written) {
        let directory = match runs.len() {
            1 => tests.directory.clone(),
            _ => tests.directory.join(folder_name(&comparison.entry)),
        };
        say_written(session, each, &directory, tests.c_tests);
        let missing = comparison.differences.len().saturating_sub(each.folder.tests.len());
        if missing > 0 {
            session.say(&format!(
                "{missing} more ways to differ have no test: what differs there is not seen from outside"
            ));
        }
    }
    Ok(())
}

/// The witnesses of a function as the paths of a run; one that no test can tell is left out.
fn run(comparison: &Comparison, new: &Loaded, hash: &str) -> Run {
    let program = ProgramIdentity {
        files: new.sources.file_texts(),
        flags: new.sources.flag_texts(),
        entry: comparison.entry.clone(),
        hash: hash.to_owned(),
    };
    // What only OLD can do with threads has no schedule in NEW.
    let only_old = |witness: &&Witness| witness.only.as_ref().is_some_and(|only| !only.new);
    let witnesses = comparison.differences.iter().filter(|witness| !only_old(witness));
    let paths = witnesses.map(|witness| (path(witness, &new.program), witness));
    let telling = paths.filter(|(path, witness)| {
        witness.only.is_some() || !witness.old.outcome.is_conclusive() || tells(path, &witness.new)
    });
    let paths = telling.zip(1..).map(|((path, _), id)| FoundPath { id, ..path });
    let races = comparison.threads.iter().flat_map(|threads| &threads.introduced);
    let races = races.map(|change| change.race.clone()).collect();
    Run { program, paths: paths.collect(), races, ..Run::default() }
}

/// What is expected on the inputs of NEW.
fn path(witness: &Witness, program: &Program) -> FoundPath {
    // With threads a test shows what NEW can do: no test can show that nothing else can happen.
    if !witness.old.outcome.is_conclusive() || witness.only.is_some() {
        return witness.new.clone();
    }
    let mut path = FoundPath { inputs: witness.new.inputs.clone(), ..witness.old.clone() };
    let inputs = path.inputs.as_deref().unwrap_or_default();
    // What only OLD has cannot be looked at in NEW.
    let known = |origin: &Origin, name: &str| match origin {
        Origin::Global(symbol) => program.global_named(symbol).is_some(),
        Origin::Pointee(_) | Origin::Stream(_) => inputs.iter().any(|input| input.name == name),
        _ => true,
    };
    let mut finals = path.finals.clone();
    keep_finals(&mut finals, |each| known(&each.origin, &each.name));
    // What NEW writes and OLD leaves alone has to be what it was.
    let missing =
        witness.new.finals.iter().filter(|each| !finals.iter().any(|own| own.origin == each.origin));
    let untouched: Vec<Final> = missing.filter_map(|each| untouched(each, program, inputs)).collect();
    finals.extend(untouched.into_iter().filter(|each| each.observed.comparable.contains(&true)));
    path.finals = finals;
    path
}

/// Whether a native run that does what is expected can be told from one that does what NEW does.
fn tells(expected: &FoundPath, new: &FoundPath) -> bool {
    let differ = |one: &Observed, two: &Observed| {
        let comparable = one.comparable.iter().zip(&two.comparable).map(|(one, two)| *one && *two);
        let bytes = one.bytes.iter().zip(&two.bytes).zip(comparable);
        one.bytes.len() != two.bytes.len() || bytes.into_iter().any(|((one, two), known)| known && one != two)
    };
    let results = expected.result.as_ref().zip(new.result.as_ref());
    let gone = |file: &Final| file.observed.value == Value::Pointer(None);
    // A native run looks at all files that are left, so that one which only a version writes tells.
    let files = |one: &FoundPath, two: &FoundPath| {
        let files = one.finals.iter().filter(|each| matches!(each.origin, Origin::File(_)));
        let mut alone = files.filter(|one| {
            let other = two.finals.iter().find(|two| two.origin == one.origin);
            other.is_none_or(|two| gone(one) != gone(two))
        });
        alone.next().is_some()
    };
    let finals = expected.finals.iter().filter_map(|one| {
        let two = new.finals.iter().find(|two| two.origin == one.origin)?;
        Some((&one.observed, &two.observed))
    });
    !expected.outcome.ends_alike(&new.outcome)
        || expected.stdout != new.stdout
        || expected.stderr != new.stderr
        || files(expected, new)
        || files(new, expected)
        || results.into_iter().chain(finals).any(|(one, two)| differ(one, two))
}
