//! The tests that are looked at, function by function: from folders of tests, or from suites.

use crate::commands::explain::written_test::{WrittenTest, widen};
use anyhow::{Result, anyhow, bail};
use incise_exec::Config;
use incise_report::suite::{SUITE_FILE, SuiteOptions};
use incise_suite::{Caches, TestFolder, read_folder};
use std::path::{Path, PathBuf};

/// The tests of one function.
pub(crate) struct EntrySuite {
    pub(crate) entry: String,
    /// How the paths of the tests were found, as far as that is known.
    pub(crate) options: SuiteOptions,
    pub(crate) tests: Vec<WrittenTest>,
}

impl EntrySuite {
    /// Tells the engine what the tests were written with, where the command line does not.
    pub(crate) fn configure(&self, config: &mut Config) {
        let (inputs, options) = (&mut config.inputs, &self.options);
        if inputs.arrays.is_empty() {
            inputs.arrays = options.array.clone().into_iter().collect();
        }
        if inputs.concrete.is_empty() {
            let number = |(name, value): (&String, &String)| Some((name.clone(), value.parse().ok()?));
            inputs.concrete = options.concrete.iter().filter_map(number).collect();
        }
        inputs.pointer_depth = inputs.pointer_depth.max(options.pointer_depth);
        inputs.null_pointers &= !options.no_null;
        inputs.malloc_fails |= options.malloc_fails;
        if inputs.arguments.is_empty() {
            inputs.arguments = incise_suite::stored_arguments(options);
        }
        inputs.stdin = inputs.stdin.max(options.symbolic_stdin);
        for (name, length) in &options.symbolic_files {
            widen(&mut inputs.files, name, *length);
        }
        for (name, length) in &options.symbolic_environment {
            widen(&mut inputs.environment, name, *length);
        }
        inputs.environment.sort();
        if inputs.given_arguments.is_empty() {
            inputs.given_arguments.clone_from(&options.arguments);
        }
        inputs.closed |= options.closed;
        config.checks.overflow |= options.check_overflow;
    }
}

/// The suites of a folder: it holds tests itself, or a folder of tests for each function.
pub(crate) fn suites(directory: &Path, wanted: Option<&str>, caches: &Caches) -> Result<Vec<EntrySuite>> {
    let mut found = Vec::new();
    if directory.join(SUITE_FILE).is_file() {
        found.push(kept_suite(directory, caches)?);
        return only_of(directory, found, wanted);
    }
    match read_folder(directory) {
        Ok(suite) => found.push(entry_suite(directory, suite)?),
        Err(error) => {
            let folders = folders(directory);
            if folders.is_empty() {
                return Err(error.into());
            }
            for folder in folders {
                let suite = read_folder(&folder)?;
                found.push(entry_suite(&folder, suite)?);
            }
        }
    }
    only_of(directory, found, wanted)
}

/// The tests of the function that was asked for.
fn only_of(directory: &Path, mut found: Vec<EntrySuite>, wanted: Option<&str>) -> Result<Vec<EntrySuite>> {
    if let Some(wanted) = wanted {
        let known: Vec<String> = found.iter().map(|suite| suite.entry.clone()).collect();
        found.retain(|suite| suite.entry == wanted);
        if found.is_empty() {
            bail!("{} holds no tests of {wanted}, but of {}", directory.display(), known.join(", "));
        }
    }
    Ok(found)
}

/// The folders in a folder that hold tests, in order.
fn folders(directory: &Path) -> Vec<PathBuf> {
    let inner = std::fs::read_dir(directory).into_iter().flatten();
    let inner = inner.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<PathBuf> =
        inner.filter(|folder| folder.join(incise_report::test::manifest::MANIFEST_FILE).is_file()).collect();
    found.sort();
    found
}

fn entry_suite(folder: &Path, suite: TestFolder) -> Result<EntrySuite> {
    let read = |name: &String| WrittenTest::read(&folder.join(format!("{name}.json")));
    let tests: Result<Vec<WrittenTest>> = suite.manifest.tests.iter().map(read).collect();
    let options = SuiteOptions {
        check_overflow: suite.manifest.check_overflow,
        arguments: suite.manifest.arguments.clone(),
        ..SuiteOptions::default()
    };
    Ok(EntrySuite { entry: suite.manifest.program.entry.clone(), options, tests: tests? })
}

/// A suite that `incise suite` keeps.
fn kept_suite(directory: &Path, caches: &Caches) -> Result<EntrySuite> {
    let stored = incise_suite::read_suite(directory, caches)?;
    let mut tests = Vec::with_capacity(stored.len());
    for test in stored.cases() {
        let case = test.map_err(|why| anyhow!("{}: {why}", directory.display()))?;
        tests.push(WrittenTest::of(case));
    }
    Ok(EntrySuite { entry: stored.manifest.entry, options: stored.manifest.options, tests })
}
