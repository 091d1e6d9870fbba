//! Reads suites. Tests are taken apart only where they are needed: most of a large suite is kept as it is.

use super::place;
use anyhow::{Context, Result, anyhow};
use incise_report::TestCase;
use incise_report::suite::{SUITE_FILE, SUITE_TESTS, SuiteEntry, SuiteManifest, hash_number};
use rustix::fs::{Mode, OFlags, open, openat};
use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// A suite. Its tests stay where they are until they are needed; they may be damaged.
pub(crate) struct StoredSuite {
    directory: PathBuf,
    pub(crate) manifest: SuiteManifest,
    /// Files among the tests that the manifest does not name.
    pub(crate) strangers: Vec<String>,
}

impl StoredSuite {
    /// How many tests there are.
    pub(crate) fn len(&self) -> usize {
        self.manifest.tests.len()
    }

    /// All of a test, or what is wrong with it.
    pub(crate) fn case(&self, index: usize) -> Result<TestCase, String> {
        case(&self.directory, &self.manifest.tests[index], &self.manifest.entry)
    }

    /// All of each test, or what is wrong with it.
    pub(crate) fn cases(&self) -> impl Iterator<Item = Result<TestCase, String>> + '_ {
        (0..self.len()).map(|index| self.case(index))
    }

    /// The files of tests, to be read one after the other.
    pub(crate) fn files(&self) -> Files<'_> {
        let folder =
            open(self.directory.join(SUITE_TESTS), OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
        Files { suite: self, folder: folder.ok(), name: String::new(), buffer: vec![0; 1 << 14] }
    }
}

/// Reads the files of tests. What is handed out is as it was written.
pub(crate) struct Files<'a> {
    suite: &'a StoredSuite,
    /// That of the tests, if it can be opened.
    folder: Option<OwnedFd>,
    name: String,
    buffer: Vec<u8>,
}

impl Files<'_> {
    /// The file of a test, or what is wrong with it.
    pub(crate) fn read(&mut self, index: usize) -> Result<&[u8], String> {
        let entry = &self.suite.manifest.tests[index];
        let length = match self.whole(entry) {
            Some(length) => length,
            None => {
                read_into(&self.suite.directory, entry, &mut self.buffer)?;
                text(&self.buffer, entry)?;
                self.buffer.len()
            }
        };
        Ok(&self.buffer[..length])
    }

    /// Reads a file with as few system calls as can be; says how long it is, if it is as it was written.
    fn whole(&mut self, entry: &SuiteEntry) -> Option<usize> {
        let hash = entry.hash_number()?;
        self.name.clear();
        self.name.push_str(&entry.name);
        self.name.push_str(".json");
        let file = openat(self.folder.as_ref()?, &self.name, OFlags::CLOEXEC, Mode::empty()).ok()?;
        let mut length = 0;
        loop {
            if length == self.buffer.len() {
                self.buffer.resize(2 * length.max(1 << 13), 0);
            }
            let count = rustix::io::read(&file, &mut self.buffer[length..]).ok()?;
            length += count;
            // Mostly there is nothing behind what did not fill the buffer; the hash knows.
            if length < self.buffer.len() && hash_number(&self.buffer[..length]) == hash {
                return Some(length);
            }
            if count == 0 {
                return None;
            }
        }
    }
}

/// Reads a suite, but for its tests.
pub(crate) fn read(directory: &Path) -> Result<StoredSuite> {
    place::recover(directory)?;
    let manifest = read_manifest(directory)?;
    let known: HashSet<&str> = manifest.tests.iter().map(|entry| entry.name.as_str()).collect();
    let mut strangers = names_in(&directory.join(SUITE_TESTS));
    strangers.retain(|name| !name.strip_suffix(".json").is_some_and(|name| known.contains(name)));
    Ok(StoredSuite { directory: directory.to_owned(), strangers, manifest })
}

/// All of a test for a function, or what is wrong with it.
pub(super) fn case(directory: &Path, entry: &SuiteEntry, function: &str) -> Result<TestCase, String> {
    let mut bytes = Vec::new();
    read_into(directory, entry, &mut bytes)?;
    let mut test = parsed(text(&bytes, entry)?, entry)?;
    function.clone_into(&mut test.program.entry);
    Ok(test)
}

fn parsed(text: &str, entry: &SuiteEntry) -> Result<TestCase, String> {
    let name = file_name(entry);
    let test = TestCase::from_json(text).map_err(|error| format!("{name}: {error}"))?;
    match test.name == entry.name {
        true => Ok(test),
        false => Err(format!("{name} is the test {:?}", test.name)),
    }
}

fn file_name(entry: &SuiteEntry) -> String {
    format!("{SUITE_TESTS}/{}.json", entry.name)
}

fn read_into(directory: &Path, entry: &SuiteEntry, buffer: &mut Vec<u8>) -> Result<(), String> {
    let name = file_name(entry);
    buffer.clear();
    let read = File::open(directory.join(&name)).and_then(|mut file| file.read_to_end(buffer));
    read.map(|_| ()).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("{name} is missing"),
        _ => format!("{name} cannot be read: {error}"),
    })
}

/// The text of a test, if it is as it was written.
fn text<'a>(bytes: &'a [u8], entry: &SuiteEntry) -> Result<&'a str, String> {
    let is_whole = entry.hash_number() == Some(hash_number(bytes));
    let text = std::str::from_utf8(bytes).map_err(|_| format!("{} is no text", file_name(entry)))?;
    if !is_whole {
        // What is wrong in particular says more.
        parsed(text, entry)?;
        let name = file_name(entry);
        return Err(format!("{name} is not as incise wrote it: its hash differs from that in {SUITE_FILE}"));
    }
    Ok(text)
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
