//! The files of the tests of a suite that is being written. There are tens of thousands of them: names are looked up
//! in their folder, and not from the root.

use super::read_note::{ReadNote, Stamp};
use crate::error::SuiteError;
use incise_report::suite::{SUITE_TESTS, hash_number};
use incise_report::test::bytes::TestReader;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, openat};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// A new folder for the tests of a suite.
pub(super) struct TestFiles {
    folder: OwnedFd,
    /// What is known of the files.
    pub(super) seen: ReadNote,
    reader: TestReader,
}

impl TestFiles {
    /// Makes the folder in that of the suite.
    pub(super) fn new(suite: &Path, seen: ReadNote) -> Result<Self, SuiteError> {
        let folder = suite.join(SUITE_TESTS);
        std::fs::create_dir(&folder)?;
        Ok(Self { folder: open_folder(&folder)?, seen, reader: TestReader::default() })
    }

    /// Writes a test, and notes what is in it.
    pub(super) fn write(&mut self, name: &str, text: &[u8]) -> Result<(), SuiteError> {
        let stamp = self.put(name, text)?;
        if let Some(stamp) = stamp
            && let Some(test) = self.reader.read(text, name)
        {
            self.seen.note(name, hash_number(text), stamp, &test);
        }
        Ok(())
    }

    /// Writes the file of a test; tells its stamp if that is of use.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<Option<Stamp>, SuiteError> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = openat(&self.folder, format!("{name}.json"), flags, Mode::from_raw_mode(0o666))?;
        let mut file = File::from(file);
        file.write_all(bytes)?;
        Ok(self.seen.is_wanted().then(|| Stamp::of_file(&file)).flatten())
    }

    /// Takes over the file of a test from another folder, if the file system can.
    pub(super) fn link(&self, from: &OwnedFd, name: &str) -> bool {
        let name = format!("{name}.json");
        linkat(from, &name, &self.folder, &name, AtFlags::empty()).is_ok()
    }
}

/// Opens a folder, to look up names in it.
pub(super) fn open_folder(folder: &Path) -> std::io::Result<OwnedFd> {
    Ok(openat(CWD, folder, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}
