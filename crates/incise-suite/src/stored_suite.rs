//! Reads suites. Tests are taken apart only where they are needed: most of a large suite is kept as it is.

use super::read_note::{ReadNote, Stamp};
use super::replaced_folder::recover;
use super::test_files::open_folder;
use crate::cache_note::Caches;
use crate::error::SuiteError;
use incise_report::TestCase;
use incise_report::suite::{SUITE_FILE, SUITE_TESTS, SuiteEntry, SuiteManifest, hash_number};
use incise_report::test::bytes::{TestBytes, TestReader};
use rustc_hash::FxHashSet;
use rustix::fs::{AtFlags, Mode, OFlags, RawDir, openat, statat};
use std::cell::RefCell;
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// A suite. Its tests stay where they are until they are needed; they may be damaged.
pub struct StoredSuite {
    directory: PathBuf,
    /// What it says of itself.
    pub manifest: SuiteManifest,
    /// Files among the tests that the manifest does not name.
    pub strangers: Vec<String>,
    /// What is known of the files of the tests.
    seen: RefCell<ReadNote>,
}

impl StoredSuite {
    /// The folder that it was read from.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// How many tests there are.
    pub fn len(&self) -> usize {
        self.manifest.tests.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of a test, or what is wrong with it.
    pub fn case(&self, index: usize) -> Result<TestCase, String> {
        case(&self.directory, &self.manifest.tests[index], &self.manifest.entry)
    }

    /// All of each test, or what is wrong with it.
    pub fn cases(&self) -> impl Iterator<Item = Result<TestCase, String>> + '_ {
        (0..self.len()).map(|index| self.case(index))
    }

    /// The files of tests, to be read one after the other.
    pub(crate) fn files(&self) -> Files<'_> {
        let folder = open_folder(&self.directory.join(SUITE_TESTS)).ok();
        let reader = TestReader::default();
        Files { suite: self, folder, reader, name: String::new(), buffer: vec![0; 1 << 14] }
    }

    /// What is known of the files of the tests; nothing any more after that.
    pub(super) fn take_seen(&self) -> ReadNote {
        self.seen.take()
    }
}

/// Reads the files of tests, or knows that they are as they were written.
pub(crate) struct Files<'a> {
    suite: &'a StoredSuite,
    /// That of the tests, if it can be opened.
    folder: Option<OwnedFd>,
    reader: TestReader,
    name: String,
    buffer: Vec<u8>,
}

impl Files<'_> {
    /// The bytes of a test; `None` if it is in another form than we write today. Or what is wrong with its file.
    pub(crate) fn bytes(&mut self, index: usize) -> Result<Option<TestBytes>, String> {
        let entry = &self.suite.manifest.tests[index];
        let seen = &mut *self.suite.seen.borrow_mut();
        let stamp = self.stamp(entry, seen);
        if let Some((stamp, hash)) = stamp
            && let Some(test) = seen.test(&entry.name, hash, stamp)
        {
            return Ok(Some(test));
        }
        let length = self.read(entry)?;
        let test = self.reader.read(&self.buffer[..length], &entry.name);
        if let (Some((stamp, hash)), Some(test)) = (stamp, &test) {
            seen.note(&entry.name, hash, stamp, test);
        }
        Ok(test)
    }

    /// Whether the file of a test is as it was written.
    pub(crate) fn is_whole(&mut self, index: usize) -> bool {
        let entry = &self.suite.manifest.tests[index];
        let seen = &mut *self.suite.seen.borrow_mut();
        let stamp = self.stamp(entry, seen);
        if stamp.is_some_and(|(stamp, hash)| seen.is_whole(&entry.name, hash, stamp)) {
            return true;
        }
        let Ok(length) = self.read(entry) else { return false };
        if let Some((stamp, hash)) = stamp
            && let Some(test) = self.reader.read(&self.buffer[..length], &entry.name)
        {
            seen.note(&entry.name, hash, stamp, &test);
        }
        true
    }

    /// What tells whether the file of a test was written to, taken before it is read, and the hash that it should
    /// have. `None` where nothing is noted.
    fn stamp(&mut self, entry: &SuiteEntry, seen: &ReadNote) -> Option<(Stamp, u64)> {
        if !seen.is_wanted() {
            return None;
        }
        self.set_name(entry);
        // A link is as new as what it leads to.
        let stat = statat(self.folder.as_ref()?, &self.name, AtFlags::empty()).ok()?;
        Some((Stamp::of(&stat), entry.hash_number()?))
    }

    fn set_name(&mut self, entry: &SuiteEntry) {
        self.name.clear();
        self.name.push_str(&entry.name);
        self.name.push_str(".json");
    }

    /// Reads the file of a test into the buffer; says how long it is, or what is wrong with it.
    fn read(&mut self, entry: &SuiteEntry) -> Result<usize, String> {
        if let Some(length) = self.whole(entry) {
            return Ok(length);
        }
        read_into(&self.suite.directory, entry, &mut self.buffer)?;
        text(&self.buffer, entry)?;
        Ok(self.buffer.len())
    }

    /// Reads a file with as few system calls as can be; says how long it is, if it is as it was written.
    fn whole(&mut self, entry: &SuiteEntry) -> Option<usize> {
        let hash = entry.hash_number()?;
        self.set_name(entry);
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
pub fn read(directory: &Path, caches: &Caches) -> Result<StoredSuite, SuiteError> {
    recover(directory)?;
    let manifest = read_manifest(directory)?;
    let strangers = strangers(&directory.join(SUITE_TESTS), &manifest);
    let seen = RefCell::new(ReadNote::of(caches, directory, manifest.tests.len()));
    Ok(StoredSuite { directory: directory.to_owned(), strangers, manifest, seen })
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
    match *test.name == *entry.name {
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

pub(super) fn read_manifest(directory: &Path) -> Result<SuiteManifest, SuiteError> {
    let file = directory.join(SUITE_FILE);
    let text = std::fs::read_to_string(&file)
        .map_err(|why| SuiteError::NoSuite { folder: directory.to_owned(), why })?;
    SuiteManifest::from_json(text).map_err(|error| SuiteError::DamagedSuite(file, error))
}

/// The names in the folder of the tests that are no file of a test, in order; none if there is no such folder.
fn strangers(folder: &Path, manifest: &SuiteManifest) -> Vec<String> {
    let Ok(folder) = open_folder(folder) else { return Vec::new() };
    let known: FxHashSet<&[u8]> = manifest.tests.iter().map(|entry| entry.name.as_bytes()).collect();
    let mut buffer = Vec::with_capacity(1 << 15);
    let mut entries = RawDir::new(folder, buffer.spare_capacity_mut());
    let mut strangers = Vec::new();
    while let Some(Ok(entry)) = entries.next() {
        let name = entry.file_name().to_bytes();
        let is_test = name.strip_suffix(b".json").is_some_and(|name| known.contains(name));
        if !is_test && name != b"." && name != b".." {
            strangers.push(String::from_utf8_lossy(name).into_owned());
        }
    }
    strangers.sort_unstable();
    strangers
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

#[cfg(test)]
mod tests {
    use super::*;
    use incise_report::suite::{TestOrigin, file_hash};

    /// However long a file is, all of it is read, and nothing of the one before.
    #[test]
    fn files_are_read_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(SUITE_TESTS)).unwrap();
        let lengths = [5, 1 << 14, (1 << 14) - 1, (1 << 14) + 1, 100_000, 0, 3, 1 << 15, 7];
        let contents = lengths.map(|length| vec![b'a' + (length % 7) as u8; length]);
        let entry = |(index, bytes): (usize, &Vec<u8>)| {
            let name = format!("f-{index}");
            std::fs::write(folder.path().join(format!("{SUITE_TESTS}/{name}.json")), bytes).unwrap();
            SuiteEntry {
                name: name.into(),
                path: Default::default(),
                outcome: Default::default(),
                expected: Default::default(),
                origin: TestOrigin::Generated,
                hash: file_hash(bytes).into(),
                pending: false,
            }
        };
        let tests = contents.iter().enumerate().map(entry).collect();
        let manifest = SuiteManifest { tests, ..SuiteManifest::default() };
        for name in ["stranger", "f-9.json", "f-1.jso"] {
            std::fs::write(folder.path().join(format!("{SUITE_TESTS}/{name}")), "").unwrap();
        }
        let strangers = strangers(&folder.path().join(SUITE_TESTS), &manifest);
        assert_eq!(strangers, ["f-1.jso", "f-9.json", "stranger"]);
        let suite = StoredSuite {
            directory: folder.path().to_owned(),
            manifest,
            strangers,
            seen: RefCell::default(),
        };
        let tests = &suite.manifest.tests;
        let read = |files: &mut Files<'_>, index: usize| {
            files.read(&tests[index]).map(|length| files.buffer[..length] == contents[index])
        };
        let mut files = suite.files();
        for (index, content) in contents.iter().enumerate() {
            assert_eq!(files.whole(&tests[index]), Some(content.len()));
            assert_eq!(read(&mut files, index), Ok(true));
        }
        std::fs::write(folder.path().join(format!("{SUITE_TESTS}/f-0.json")), "other").unwrap();
        std::fs::remove_file(folder.path().join(format!("{SUITE_TESTS}/f-1.json"))).unwrap();
        assert!(read(&mut files, 0).is_err_and(|why| why.starts_with("tests/f-0.json: ")));
        assert_eq!(read(&mut files, 1), Err("tests/f-1.json is missing".to_owned()));
        assert_eq!(read(&mut files, 2), Ok(true), "after what is damaged");
        // Without a folder there is nothing but the slow way, which says what is wrong.
        let mut files = Files { folder: None, ..suite.files() };
        assert_eq!(read(&mut files, 1), Err("tests/f-1.json is missing".to_owned()));
        assert_eq!(read(&mut files, 4), Ok(true));
    }
}
