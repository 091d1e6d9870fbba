//! Writes suites that were brought over to another version: what did not change stays as it is.

use crate::cache_note::Caches;
use crate::error::SuiteError;
use crate::foreign_files::{is_same_folder, refuse_strangers};
use crate::new_suite::{Explored, NewSuite};
use crate::read_note::ReadNote;
use crate::replaced_folder::ReplacedFolder;
use crate::stored_suite::{StoredSuite, case as stored_case};
use crate::test_files::{TestFiles, open_folder};
use crate::update::{FileContent, UpdatedFile};
use incise_report::emit::{Emit, Emitted};
use incise_report::suite::update::SuiteUpdate;
use incise_report::suite::{SUITE_FILE, SUITE_TESTS, SuiteEntry, SuiteOptions, file_hash};
use incise_report::test::writer::TestWriter;
use rustix::fd::OwnedFd;
use std::path::Path;

/// Where a suite that is brought over will be.
pub struct UpdatedSuite<'a> {
    new: NewSuite<'a>,
    old: &'a StoredSuite,
    from: &'a Path,
    /// Whether it takes the place of the old one.
    in_place: bool,
}

/// What became of a suite that was brought over.
enum SuiteChange {
    /// It is as it was.
    Nothing,
    /// Only the manifest is another.
    Manifest,
    /// The whole folder is another.
    Folder(Vec<(Emit, Emitted)>),
}

impl<'a> UpdatedSuite<'a> {
    /// Makes room for what becomes of a suite.
    pub fn new(directory: &'a Path, old: &'a StoredSuite, caches: &Caches) -> Result<Self, SuiteError> {
        let from = old.directory();
        let in_place = is_same_folder(directory, from);
        let new = match in_place {
            false => NewSuite::new(directory, &old.manifest.entry, caches)?,
            true => {
                refuse_strangers(directory, &old.strangers)?;
                NewSuite { directory, place: ReplacedFolder::new(directory)?, caches: caches.clone() }
            }
        };
        Ok(Self { new, old, from, in_place })
    }

    /// Writes a suite that was brought over, and puts it in place.
    pub fn write(
        self,
        brought: Vec<UpdatedFile>,
        update: &SuiteUpdate,
        explored: &Explored<'_>,
    ) -> Result<Vec<(Emit, Emitted)>, SuiteError> {
        let written = self.write_all(brought, update, explored);
        let (change, tests, seen) = written.map_err(|error| error.writing(self.new.directory))?;
        let emitted = match change {
            SuiteChange::Nothing => Vec::new(),
            SuiteChange::Manifest => self.new.place.commit_file(SUITE_FILE).map(|()| Vec::new())?,
            SuiteChange::Folder(emitted) => self.new.place.commit().map(|()| emitted)?,
        };
        seen.keep(&self.new.caches, self.new.directory, &tests);
        Ok(emitted)
    }

    fn write_all(
        &self,
        brought: Vec<UpdatedFile>,
        update: &SuiteUpdate,
        explored: &Explored<'_>,
    ) -> Result<(SuiteChange, Vec<SuiteEntry>, ReadNote), SuiteError> {
        let Self { new, old, from, in_place } = self;
        let mut manifest = new.manifest(explored)?;
        let SuiteOptions { taken, alike, sizes, .. } = manifest.options;
        manifest.options = SuiteOptions { taken, alike, sizes, ..old.manifest.options.clone() };
        manifest.complete = update.complete;
        manifest.limits = update.limits.clone();
        manifest.concretised = update.concretised.clone();
        manifest.unsolved = update.unsolved.clone();
        // Test sources may have been lost.
        let same_files = *in_place
            && manifest.emit.is_empty()
            && old.strangers.is_empty()
            && brought.len() == old.manifest.tests.len()
            && brought.iter().all(|test| matches!(test.content, FileContent::Old));
        // Without that folder all tests are damaged, and none is kept.
        let folder = open_folder(&from.join(SUITE_TESTS)).ok();
        let mut writer = TestWriter::default();
        let mut files = None;
        if !same_files {
            let seen = if *in_place { old.take_seen() } else { ReadNote::default() };
            files = Some(TestFiles::new(new.place.path(), seen)?);
        }
        for UpdatedFile { mut entry, content } in brought {
            if let Some(files) = &files {
                match content {
                    FileContent::Old => self.keep(files, folder.as_ref(), &entry)?,
                    FileContent::New(test) => {
                        let text = writer.text(&test)?;
                        entry.hash = file_hash(text).into();
                        files.put(&entry.name, text)?;
                    }
                }
            }
            manifest.tests.push(entry);
        }
        let seen = files.map_or_else(|| old.take_seen(), |files| files.seen);
        if same_files && manifest == old.manifest {
            return Ok((SuiteChange::Nothing, manifest.tests, seen));
        }
        let mut tests = Vec::new();
        if !explored.emit.is_empty() {
            for entry in &manifest.tests {
                let test = stored_case(new.place.path(), entry, &manifest.entry);
                tests.push(test.map_err(SuiteError::Damaged)?);
            }
        }
        let emitted = new.emit(&tests, explored)?;
        // The manifest comes last: a folder with one is whole.
        new.put(SUITE_FILE, manifest.to_json()?.as_bytes())?;
        let change = if same_files { SuiteChange::Manifest } else { SuiteChange::Folder(emitted) };
        Ok((change, manifest.tests, seen))
    }

    /// Takes over the file of a test byte by byte, and not as it would be written today.
    fn keep(
        &self,
        files: &TestFiles,
        folder: Option<&OwnedFd>,
        entry: &SuiteEntry,
    ) -> Result<(), SuiteError> {
        // The old folder goes away: the file itself can move.
        if self.in_place && folder.is_some_and(|folder| files.link(folder, &entry.name)) {
            return Ok(());
        }
        let file = self.from.join(SUITE_TESTS).join(format!("{}.json", entry.name));
        let bytes = std::fs::read(&file)?;
        if *entry.hash != *file_hash(&bytes) {
            return Err(SuiteError::ChangedMeanwhile(file));
        }
        files.put(&entry.name, &bytes)?;
        Ok(())
    }
}
