//! What was seen in the files of a large suite, so that they need not be read again while nobody writes to them.
//!
//! It is a note (`cache_note.rs`). As in version control, a file is what it was if it is the same one, as large and as
//! old as it was. Times are not exact: a file that was written right before the manifest could be written again
//! without a trace, and is not noted. Small suites are read faster than anything about them.

use super::cache_note::{CacheNote, Caches, Noted};
use incise_report::suite::{SUITE_FILE, SuiteEntry, hash_number};
use incise_report::test::bytes::{Packed, Shapes, TestBytes};
use rustc_hash::FxHashMap;
use rustix::fd::AsFd;
use rustix::fs::Stat;
use serde_json::Map;
use std::path::Path;

/// Suites with fewer tests are simply read.
const FEW: usize = 1000;
/// What changes with the form of a note, or with what is read from a test.
const FORM: &str = concat!("seen 1 ", env!("CARGO_PKG_VERSION"));
/// How long before the manifest a file must have been written, in nanoseconds: longer than a tick of the clock that
/// files get their times from. Where times are coarser, those of both are, and a file of the same time is too new.
const APART: i64 = 20_000_000;
/// A note is written anew if more than one in so many of its tests is new.
const NEW_ENOUGH: usize = 16;

/// What tells whether a file was written to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    /// When it was written, in nanoseconds.
    modified: i64,
}

impl Stamp {
    /// That of a file.
    pub(crate) fn of(stat: &Stat) -> Self {
        Self {
            device: stat.st_dev,
            inode: stat.st_ino,
            size: stat.st_size as u64,
            modified: stat.st_mtime.wrapping_mul(1_000_000_000).wrapping_add(stat.st_mtime_nsec as i64),
        }
    }

    /// That of an open file.
    pub(crate) fn of_file(file: impl AsFd) -> Option<Self> {
        rustix::fs::fstat(file).ok().map(|stat| Self::of(&stat))
    }
}

/// What was seen in the files of a suite, and what is seen in addition.
#[derive(Default)]
pub(crate) struct ReadNote {
    /// Whether anything is kept.
    wanted: bool,
    shapes: Shapes,
    /// The records, one after the other, behind what else the file has.
    records: Vec<u8>,
    /// Where those begin that are on the disk already.
    first: usize,
    /// Where they end.
    old: usize,
    /// Where the record of each test is; filled when they are not asked for one after the other.
    places: Places,
    /// Where the next record begins.
    next: usize,
}

/// Where the records of tests begin, by the hashes of their names. If two tests have one hash, only one of them is
/// found, and the other's file is read.
type Places = FxHashMap<u64, usize>;

/// A record, taken apart.
struct Record<'a> {
    name: &'a [u8],
    stamp: Stamp,
    hash: u64,
    test: Packed<'a>,
    whole: &'a [u8],
}

impl ReadNote {
    /// What is known of a suite of so many tests.
    pub(crate) fn of(caches: &Caches, directory: &Path, tests: usize) -> Self {
        match tests < FEW {
            true => Self::default(),
            false => Self::read(caches, directory).unwrap_or_else(Self::empty),
        }
    }

    /// Nothing is known yet, of a suite of so many tests.
    pub(crate) fn nothing(tests: usize) -> Self {
        if tests < FEW { Self::default() } else { Self::empty() }
    }

    fn empty() -> Self {
        Self { wanted: true, ..Self::default() }
    }

    /// Whether anything will be kept.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted
    }

    fn read(caches: &Caches, directory: &Path) -> Option<Self> {
        let Noted { header, bytes, start } = CacheNote::of(caches, directory, FORM)?.read()?;
        let shapes = Shapes::from_json(header["shapes"].as_str()?.as_bytes())?;
        Some(Self { first: start, next: start, old: bytes.len(), records: bytes, shapes, ..Self::empty() })
    }

    /// What a test has in it, if its file is as it was, and as the manifest has it.
    pub(crate) fn test(&mut self, name: &str, hash: u64, stamp: Stamp) -> Option<TestBytes> {
        let start = self.find(name)?;
        let record = Record::at(&self.records, start)?;
        match (record.stamp, record.hash) == (stamp, hash) {
            true => self.shapes.unpack(&record.test),
            false => None,
        }
    }

    /// Whether the file of a test is known to be as the manifest has it.
    pub(crate) fn is_whole(&mut self, name: &str, hash: u64, stamp: Stamp) -> bool {
        let Some(start) = self.find(name) else { return false };
        Record::at(&self.records, start).is_some_and(|record| (record.stamp, record.hash) == (stamp, hash))
    }

    /// Notes what a file has in it.
    pub(crate) fn note(&mut self, name: &str, hash: u64, stamp: Stamp, test: &TestBytes) {
        if !self.wanted || name.len() > usize::from(u8::MAX) {
            return;
        }
        let Some(packed) = self.shapes.pack(test) else { return };
        let start = self.records.len();
        Record { name: name.as_bytes(), stamp, hash, test: packed, whole: &[] }.write(&mut self.records);
        // What comes later counts.
        if !self.places.is_empty() {
            self.places.insert(hash_number(name.as_bytes()), start);
        }
    }

    /// Where the record of a test begins.
    fn find(&mut self, name: &str) -> Option<usize> {
        // Mostly they come in the order of the manifest.
        let next =
            Record::at(&self.records[..self.old], self.next).filter(|next| next.name == name.as_bytes());
        let start = match &next {
            Some(_) => self.next,
            None => {
                if self.places.is_empty() {
                    self.places = self.all_places();
                }
                self.place(&self.places, name)?
            }
        };
        self.next = start + Record::at(&self.records, start)?.whole.len();
        Some(start)
    }

    fn place(&self, places: &Places, name: &str) -> Option<usize> {
        let start = *places.get(&hash_number(name.as_bytes()))?;
        Record::at(&self.records, start).filter(|record| record.name == name.as_bytes()).map(|_| start)
    }

    /// Where the record of each test begins: the last one, if there are several.
    fn all_places(&self) -> Places {
        let (mut places, mut start) = (Places::default(), self.first);
        while let Some(record) = Record::at(&self.records, start) {
            places.insert(hash_number(record.name), start);
            start += record.whole.len();
        }
        places
    }

    /// Keeps what is known of the tests that a suite has. That this does not work is no trouble: next time files are
    /// read. So they are if there is little that is new, rather than that all is written.
    pub(crate) fn keep(self, caches: &Caches, directory: &Path, tests: &[SuiteEntry]) {
        let new = self.records.len() - self.old;
        if self.wanted && tests.len() >= FEW && new > (self.old - self.first) / NEW_ENOUGH {
            let _ = self.write(caches, directory, tests);
        }
    }

    fn write(&self, caches: &Caches, directory: &Path, tests: &[SuiteEntry]) -> Option<()> {
        let note = CacheNote::of(caches, directory, FORM)?;
        let manifest = Stamp::of(&rustix::fs::stat(directory.join(SUITE_FILE)).ok()?);
        let latest = manifest.modified.saturating_sub(APART);
        let shapes = self.shapes.to_json().ok()?;
        note.write(&Map::from_iter([("shapes".to_owned(), shapes.into())]), |bytes| {
            bytes.reserve(self.records.len());
            let places = self.all_places();
            for test in tests {
                let Some(start) = self.place(&places, &test.name) else { continue };
                let record = Record::at(&self.records, start)?;
                if Some(record.hash) == test.hash_number() && record.stamp.modified < latest {
                    bytes.extend_from_slice(record.whole);
                }
            }
            Some(())
        })
    }
}

impl<'a> Record<'a> {
    fn at(records: &'a [u8], start: usize) -> Option<Self> {
        let rest = records.get(start..)?;
        let (&length, _) = rest.split_first_chunk::<4>()?;
        let whole = rest.get(..u32::from_le_bytes(length) as usize)?;
        let (&name, rest) = whole.get(4..)?.split_first()?;
        let (name, mut rest) = rest.split_at_checked(usize::from(name))?;
        let mut number = || {
            let (&number, after) = rest.split_first_chunk::<8>()?;
            rest = after;
            Some(u64::from_le_bytes(number))
        };
        let stamp =
            Stamp { device: number()?, inode: number()?, size: number()?, modified: number()? as i64 };
        let (hash, shape) = (number()?, number()?);
        let test = Packed { outline: shape as u32, ending: (shape >> 32) as u32, bytes: rest };
        Some(Self { name, stamp, hash, test, whole })
    }

    fn write(&self, records: &mut Vec<u8>) {
        let start = records.len();
        records.extend_from_slice(&[0; 4]);
        records.push(self.name.len() as u8);
        records.extend_from_slice(self.name);
        let Stamp { device, inode, size, modified } = self.stamp;
        let shape = u64::from(self.test.outline) | u64::from(self.test.ending) << 32;
        for number in [device, inode, size, modified as u64, self.hash, shape] {
            records.extend_from_slice(&number.to_le_bytes());
        }
        records.extend_from_slice(self.test.bytes);
        let length = (records.len() - start) as u32;
        records[start..start + 4].copy_from_slice(&length.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache_note::tests::caches;
    use incise_report::TestCase;
    use incise_report::suite::{TestOrigin, file_hash};
    use incise_report::test::bytes::TestReader;
    use std::fs::File;
    use std::path::PathBuf;
    use std::time::{Duration, SystemTime};

    const TEXT: &str = r#"{
  "schema": "incise-test/1",
  "name": "NAME",
  "condition": "x == 1",
  "inputs": [
    {"name": "x", "origin": {"kind": "parameter", "index": 0}, "bytes": "01000000", "value": 1}
  ],
  "expected": {
    "outcome": "returned",
    "location": null,
    "result": {"bytes": "02000000", "comparable": "ffffffff", "value": 2},
    "finals": [],
    "stdout": "",
    "stderr": "",
    "indeterminate": false
  }
}
"#;

    /// A suite with three tests, written long ago.
    struct Example {
        root: tempfile::TempDir,
        tests: Vec<SuiteEntry>,
    }

    impl Example {
        fn new() -> Self {
            let root = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(root.path().join("suite/tests")).unwrap();
            let tests = ["f-1", "f-2", "f-3"].map(|name| {
                let text = TEXT.replace("NAME", name);
                assert!(TestCase::from_json(&text).is_ok());
                std::fs::write(root.path().join("suite/tests").join(name), &text).unwrap();
                SuiteEntry {
                    name: name.into(),
                    path: Default::default(),
                    outcome: "returned".into(),
                    expected: Default::default(),
                    origin: TestOrigin::Generated,
                    hash: file_hash(text.as_bytes()).into(),
                    pending: false,
                }
            });
            let example = Self { root, tests: tests.to_vec() };
            for test in &example.tests {
                example.set_time(&format!("tests/{}", test.name), 60_000);
            }
            std::fs::write(example.suite().join(SUITE_FILE), "").unwrap();
            example.set_time(SUITE_FILE, 0);
            example
        }

        fn suite(&self) -> PathBuf {
            self.root.path().join("suite")
        }

        fn set_time(&self, name: &str, before: u64) {
            let time =
                SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000) - Duration::from_millis(before);
            File::options().write(true).open(self.suite().join(name)).unwrap().set_modified(time).unwrap();
        }

        fn text(&self, test: &SuiteEntry) -> String {
            std::fs::read_to_string(self.suite().join("tests").join(&*test.name)).unwrap()
        }

        fn stamp(&self, test: &SuiteEntry) -> Stamp {
            Stamp::of_file(File::open(self.suite().join("tests").join(&*test.name)).unwrap()).unwrap()
        }

        fn note(&self, seen: &mut ReadNote, test: &SuiteEntry) -> TestBytes {
            let bytes = TestReader::default().read(self.text(test).as_bytes(), &test.name).unwrap();
            seen.note(&test.name, test.hash_number().unwrap(), self.stamp(test), &bytes);
            bytes
        }

        fn write(&self, seen: &ReadNote) -> Option<()> {
            seen.write(&caches(self.root.path()), &self.suite(), &self.tests)
        }

        fn read(&self) -> Option<ReadNote> {
            ReadNote::read(&caches(self.root.path()), &self.suite())
        }

        fn known(&self, seen: &mut ReadNote, test: &SuiteEntry) -> Option<TestBytes> {
            let (hash, stamp) = (test.hash_number().unwrap(), self.stamp(test));
            let known = seen.test(&test.name, hash, stamp);
            assert_eq!(seen.is_whole(&test.name, hash, stamp), known.is_some());
            known
        }
    }

    #[test]
    fn what_was_noted_is_known() {
        let example = Example::new();
        assert!(example.read().is_none());
        let mut seen = ReadNote::empty();
        let all: Vec<TestBytes> = example.tests.iter().map(|test| example.note(&mut seen, test)).collect();
        example.write(&seen).unwrap();
        // In any order, and more than once.
        for order in [[0, 1, 2], [2, 0, 1], [1, 1, 0]] {
            let mut seen = example.read().unwrap();
            for index in order {
                assert_eq!(example.known(&mut seen, &example.tests[index]).as_ref(), Some(&all[index]));
            }
        }
    }

    #[test]
    fn what_was_written_to_is_not_known() {
        let example = Example::new();
        let mut seen = ReadNote::empty();
        example.tests.iter().for_each(|test| drop(example.note(&mut seen, test)));
        example.write(&seen).unwrap();
        let [one, two, three] = &example.tests[..] else { panic!("three tests") };
        // Another time, another size, another file, and another hash in the manifest.
        std::fs::write(example.suite().join("tests/f-1"), example.text(one)).unwrap();
        std::fs::write(example.suite().join("tests/f-2"), "").unwrap();
        example.set_time("tests/f-2", 60_000);
        let mut seen = example.read().unwrap();
        assert!(example.known(&mut seen, one).is_none() && example.known(&mut seen, two).is_none());
        assert!(example.known(&mut seen, three).is_some());
        let other = SuiteEntry { hash: file_hash(b"").into(), ..three.clone() };
        assert!(example.known(&mut seen, &other).is_none());
        std::fs::copy(example.suite().join("tests/f-3"), example.suite().join("tests/copy")).unwrap();
        std::fs::rename(example.suite().join("tests/copy"), example.suite().join("tests/f-3")).unwrap();
        example.set_time("tests/f-3", 60_000);
        assert!(example.known(&mut seen, three).is_none());
        // What is noted anew counts.
        let bytes = example.note(&mut seen, three);
        assert_eq!(example.known(&mut seen, three), Some(bytes.clone()));
        example.write(&seen).unwrap();
        assert_eq!(example.known(&mut example.read().unwrap(), three), Some(bytes));
    }

    /// As if two names had one hash.
    #[test]
    fn the_record_of_another_test_is_not_used() {
        let example = Example::new();
        let mut seen = ReadNote::empty();
        let [one, two, three] = &example.tests[..] else { panic!("three tests") };
        let bytes = example.note(&mut seen, one);
        example.note(&mut seen, two);
        example.note(&mut seen, three);
        seen.places = seen.all_places();
        let place = |test: &SuiteEntry| hash_number(test.name.as_bytes());
        let other = seen.places[&place(two)];
        assert_eq!(example.known(&mut seen, one), Some(bytes));
        seen.places.insert(place(one), other);
        assert_eq!(seen.find(&one.name), None);
        assert_eq!(example.known(&mut seen, one), None);
        assert!(example.known(&mut seen, two).is_some());
    }

    #[test]
    fn what_could_be_written_unseen_is_not_noted() {
        let example = Example::new();
        example.set_time("tests/f-2", 10);
        let mut seen = ReadNote::empty();
        example.tests.iter().for_each(|test| drop(example.note(&mut seen, test)));
        example.write(&seen).unwrap();
        let mut seen = example.read().unwrap();
        let known = example.tests.iter().map(|test| example.known(&mut seen, test).is_some());
        assert_eq!(known.collect::<Vec<_>>(), [true, false, true]);
    }
}
