//! Writes suites that follow the code: folders with a manifest (`suite.json`), a file for each test, and test sources
//! if they were asked for. `docs/suite.md` describes them.

use crate::c_context::flags_from;
use crate::cache_note::Caches;
use crate::error::SuiteError;
use crate::fingerprint::{program_hash, signature};
use crate::foreign_files::{refuse_other_suite, refuse_others};
use crate::path_names::{Functions, identity, names};
use crate::path_test::{ending, expectation, test_of, without_places};
use crate::read_note::ReadNote;
use crate::relative_path::relative_to;
use crate::replaced_folder::{ReplacedFolder, recover};
use crate::stored_options::options;
use crate::test_files::TestFiles;
use crate::test_sources::{put_sources, test_sources};
use incise_exec::{Config, Exploration, LimitKind, Outcome};
use incise_frontend::Loaded;
use incise_ir::FunctionId;
use incise_report::emit::{Emit, Emitted};
use incise_report::suite::{
    SUITE_FILE, SuiteEntry, SuiteManifest, SuiteProgram, TestOrigin, UnsolvedPath, file_hash,
};
use incise_report::test::writer::TestWriter;
use incise_report::{ProgramIdentity, TestCase};
use rustc_hash::FxHashSet;
use std::path::Path;

/// Where a new suite will be, found out to be usable before the work is done.
pub struct NewSuite<'a> {
    pub(crate) directory: &'a Path,
    pub(crate) place: ReplacedFolder,
    pub(crate) caches: Caches,
}

impl<'a> NewSuite<'a> {
    /// Makes room for a suite. An earlier one for the same function is replaced; anything else is left alone.
    pub fn new(directory: &'a Path, entry: &str, caches: &Caches) -> Result<Self, SuiteError> {
        recover(directory)?;
        refuse_others(directory)?;
        refuse_other_suite(directory, entry)?;
        Ok(Self { directory, place: ReplacedFolder::new(directory)?, caches: caches.clone() })
    }

    /// Writes a test for each path, and puts the suite in place.
    pub fn write(self, exploration: Exploration, explored: &Explored<'_>) -> Result<Generated, SuiteError> {
        let generated = self.write_all(exploration, explored);
        let (generated, seen) = generated.map_err(|error| error.writing(self.directory))?;
        self.place.commit()?;
        seen.keep(&self.caches, self.directory, &generated.manifest.tests);
        Ok(generated)
    }

    fn write_all(
        &self,
        exploration: Exploration,
        explored: &Explored<'_>,
    ) -> Result<(Generated, ReadNote), SuiteError> {
        let Explored { loaded, config, .. } = *explored;
        let mut manifest = self.manifest(explored)?;
        manifest.complete = exploration.complete();
        // What these hide no path shows.
        let hiding: Vec<LimitKind> = exploration.needs.hiding().collect();
        let mut functions = Functions::of(&loaded.program);
        // A path that an assumption cut is no path of the program.
        let real: Vec<_> =
            exploration.paths.iter().filter(|path| path.outcome != Outcome::Discarded).collect();
        let decisions: Vec<String> = real.iter().map(|path| functions.decisions(path).to_owned()).collect();
        let identities: Vec<u64> = real.iter().map(|path| identity(path)).collect();
        let names = names(&config.entry, &identities, &FxHashSet::default());
        let run = incise_findings::run(ProgramIdentity::default(), exploration);
        manifest.limits = run.limits;
        for limit in hiding {
            if !manifest.limits.contains(&limit) {
                manifest.limits.push(limit);
            }
        }
        manifest.concretised = run.concretised.iter().map(|what| without_places(what)).collect();
        let mut writer = TestWriter::default();
        let mut files = TestFiles::new(self.place.path(), ReadNote::nothing(names.len()))?;
        let mut tests = Vec::new();
        for ((path, decisions), name) in run.paths.into_iter().zip(decisions).zip(names) {
            let outcome = path.outcome.clone();
            let Some(test) = test_of(path, &name) else {
                manifest.unsolved.push(UnsolvedPath { path: decisions, reason: ending(&outcome) });
                continue;
            };
            let text = writer.text(&test)?;
            files.write(&name, text)?;
            manifest.tests.push(SuiteEntry {
                name: name.into(),
                path: decisions.into(),
                outcome: outcome.name().into(),
                expected: expectation(&test, &outcome).into(),
                origin: TestOrigin::Generated,
                hash: file_hash(text).into(),
                pending: false,
            });
            if !explored.emit.is_empty() {
                // As it will be read, so that test sources are the same whenever they are written.
                let mut test = TestCase::from_json(std::str::from_utf8(text)?)?;
                test.program.entry = config.entry.clone();
                tests.push(test);
            }
        }
        let emitted = self.emit(&tests, explored)?;
        // The manifest comes last: a folder with one is whole.
        self.put(SUITE_FILE, manifest.to_json()?.as_bytes())?;
        Ok((Generated { manifest, emitted }, files.seen))
    }

    /// Writes the test sources that are kept beside the tests.
    pub(crate) fn emit(
        &self,
        tests: &[TestCase],
        explored: &Explored<'_>,
    ) -> Result<Vec<(Emit, Emitted)>, SuiteError> {
        let mut emitted = Vec::new();
        for &kind in explored.emit {
            let folder = self.place.path().join(kind.name());
            std::fs::create_dir(&folder)?;
            let seen_from = self.directory.join(kind.name());
            let sources = test_sources(kind, tests, explored, &seen_from)?;
            put_sources(&folder, &sources)?;
            emitted.push((kind, sources));
        }
        Ok(emitted)
    }

    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> Result<(), SuiteError> {
        Ok(std::fs::write(self.place.path().join(name), bytes)?)
    }

    /// The manifest without what the exploration found.
    pub(crate) fn manifest(&self, explored: &Explored<'_>) -> Result<SuiteManifest, SuiteError> {
        let Explored { loaded, entry, config, emit } = *explored;
        let files: Result<Vec<String>, SuiteError> =
            loaded.sources.files.iter().map(|file| relative_to(self.directory, file)).collect();
        let from_suite = |path: &Path| {
            relative_to(self.directory, path).unwrap_or_else(|_| path.to_string_lossy().into_owned())
        };
        Ok(SuiteManifest {
            entry: config.entry.clone(),
            signature: signature(&loaded.program, entry),
            program: SuiteProgram {
                files: files?,
                flags: flags_from(&loaded.sources.flag_texts(), &from_suite),
                optimisation: loaded.sources.optimisation.clone(),
                hash: program_hash(loaded)?,
            },
            options: options(config),
            emit: emit.iter().map(|kind| kind.name().to_owned()).collect(),
            ..SuiteManifest::default()
        })
    }
}

/// What was explored, and what is made of it.
pub struct Explored<'a> {
    /// The program.
    pub loaded: &'a Loaded,
    /// The function that tests call.
    pub entry: FunctionId,
    /// How it was explored.
    pub config: &'a Config,
    /// The test sources that are wanted.
    pub emit: &'a [Emit],
}

/// What was written.
pub struct Generated {
    /// The manifest.
    pub manifest: SuiteManifest,
    /// The test sources beside the tests.
    pub emitted: Vec<(Emit, Emitted)>,
}
