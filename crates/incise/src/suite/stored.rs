//! Reads suites. Tests are taken apart only where they are needed: most of a large suite is kept as it is.

use super::place;
use anyhow::{Context, Result, anyhow};
use incise_report::TestCase;
use incise_report::suite::{SUITE_FILE, SUITE_TESTS, SuiteEntry, SuiteManifest, file_hash};
use std::collections::HashSet;
use std::path::Path;

/// A suite that was read. Tests may be damaged.
pub(crate) struct StoredSuite {
    pub(crate) manifest: SuiteManifest,
    /// Each test of the manifest, in order, or what is wrong with its file.
    pub(crate) tests: Vec<Result<StoredTest, String>>,
    /// Files among the tests that the manifest does not name.
    pub(crate) strangers: Vec<String>,
}

/// A test whose file is as it was written.
pub(crate) struct StoredTest {
    name: String,
    pub(crate) text: String,
}

impl StoredSuite {
    /// All of a test, or what is wrong with it.
    pub(crate) fn case(&self, index: usize) -> Result<TestCase, String> {
        self.tests[index].as_ref().map_err(String::clone)?.case(&self.manifest.entry)
    }

    /// All of each test, or what is wrong with it.
    pub(crate) fn cases(&self) -> impl Iterator<Item = Result<TestCase, String>> + '_ {
        (0..self.tests.len()).map(|index| self.case(index))
    }
}

impl StoredTest {
    /// All of a test for a function, or what is wrong with it.
    pub(super) fn case(&self, entry: &str) -> Result<TestCase, String> {
        let mut test = TestCase::from_json(&self.text)
            .map_err(|error| format!("{SUITE_TESTS}/{}.json: {error}", self.name))?;
        self.check_name(&test.name)?;
        entry.clone_into(&mut test.program.entry);
        Ok(test)
    }

    /// The name in a test must be that of its file.
    pub(super) fn check_name(&self, name: &str) -> Result<(), String> {
        match name == self.name {
            true => Ok(()),
            false => Err(format!("{SUITE_TESTS}/{}.json is the test {name:?}", self.name)),
        }
    }
}

/// Reads a suite. What is wrong with a single test is said of that test.
pub(crate) fn read(directory: &Path) -> Result<StoredSuite> {
    place::recover(directory)?;
    let manifest = read_manifest(directory)?;
    let tests = manifest.tests.iter().map(|entry| read_test(directory, entry)).collect();
    let known: HashSet<&str> = manifest.tests.iter().map(|entry| entry.name.as_str()).collect();
    let mut strangers = names_in(&directory.join(SUITE_TESTS));
    strangers.retain(|name| !name.strip_suffix(".json").is_some_and(|name| known.contains(name)));
    Ok(StoredSuite { manifest, tests, strangers })
}

pub(super) fn read_manifest(directory: &Path) -> Result<SuiteManifest> {
    let file = directory.join(SUITE_FILE);
    let text = std::fs::read_to_string(&file).map_err(|error| {
        anyhow!(
            "{} holds no suite: {SUITE_FILE} cannot be read: {error}; `incise suite generate` makes one",
            directory.display()
        )
    })?;
    SuiteManifest::from_json(&text).with_context(|| format!("{} cannot be used", file.display()))
}

pub(super) fn read_test(directory: &Path, entry: &SuiteEntry) -> Result<StoredTest, String> {
    let name = format!("{SUITE_TESTS}/{}.json", entry.name);
    let bytes = std::fs::read(directory.join(&name)).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("{name} is missing"),
        _ => format!("{name} cannot be read: {error}"),
    })?;
    let is_whole = file_hash(&bytes) == entry.hash;
    let text = String::from_utf8(bytes).map_err(|_| format!("{name} is no text"))?;
    let test = StoredTest { name: entry.name.clone(), text };
    if !is_whole {
        // What is wrong in particular says more.
        test.case("")?;
        return Err(format!("{name} is not as incise wrote it: its hash differs from that in {SUITE_FILE}"));
    }
    Ok(test)
}

/// The names in a folder, in order; none if there is no such folder.
pub(super) fn names_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    let text = |name: std::ffi::OsString| {
        name.into_string().unwrap_or_else(|name| name.to_string_lossy().into_owned())
    };
    let mut names: Vec<String> = names.map(text).collect();
    names.sort_unstable();
    names
}
