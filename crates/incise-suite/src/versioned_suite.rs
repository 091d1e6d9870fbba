//! A suite between two versions: what becomes of its tests when the program changes.

use crate::cache_note::Caches;
use crate::changed_reading::ChangedReading;
use crate::contradiction_note;
use crate::decision_lines::DecisionLines;
use crate::error::SuiteError;
use crate::fingerprint::program_hash;
use crate::seeded_exploration::changed_signature;
use crate::stored_options::config;
use crate::stored_suite::StoredSuite;
use crate::update::{TestClassifier, UpdatedTests};
use incise_change::Versions;
use incise_exec::{Assignment, Config, FullExploration, Given, Hooks, Path as ExecPath, Session};
use incise_frontend::versions::refuse_strangers;
use incise_frontend::{Loaded, find_function};
use incise_incremental::{initial, update::met};
use incise_ir::{FunctionId, Program};
use incise_report::{ProgramIdentity, TestCase};
use incise_solver::Contradictions;
use std::collections::BTreeMap;
use std::time::Instant;

/// A suite, the program that it was made for, and the one that it is to be brought over to.
pub struct VersionedSuite {
    /// The suite.
    pub suite: StoredSuite,
    /// `None` if both versions are the same files.
    pub(crate) old: Option<Loaded>,
    /// The new version.
    pub new: Loaded,
    /// The function that tests call.
    pub entry: FunctionId,
    /// How it is explored.
    pub config: Config,
    /// How inputs have to be taken instead once something is executed.
    pub(crate) retaken: Option<ChangedReading>,
    hashes: (String, String),
}

/// A suite that was brought over.
pub struct BroughtSuite {
    /// Its tests, and what to tell of them.
    pub tests: UpdatedTests,
    /// What was found to be impossible.
    pub contradictions: Contradictions,
    /// How the new version was explored.
    pub config: Config,
}

impl VersionedSuite {
    /// A suite between two versions; there is no old one if both are the same files.
    pub fn new(
        suite: StoredSuite,
        (mut old, new): (Option<Loaded>, Loaded),
        accept: bool,
        caches: &Caches,
    ) -> Result<Self, SuiteError> {
        let directory = suite.directory();
        let new_hash = program_hash(&new)?;
        let mut old_hash = old.as_ref().map_or_else(|| Ok(new_hash.clone()), program_hash)?;
        let manifest = &suite.manifest;
        if old_hash != manifest.program.hash && new_hash == manifest.program.hash {
            // What an update showed can be accepted by the same command.
            if !accept || manifest.tests.iter().all(|test| !test.pending) {
                return Err(SuiteError::AlreadyForNew(directory.to_owned()));
            }
            (old, old_hash) = (None, new_hash.clone());
        }
        if old_hash != manifest.program.hash {
            return Err(SuiteError::OtherProgram(directory.to_owned()));
        }
        let entry = &manifest.entry;
        let Ok(function) = find_function(&new.program, entry) else {
            return Err(SuiteError::FunctionGone {
                entry: entry.clone(),
                tests: manifest.tests.len(),
                folder: directory.to_owned(),
            });
        };
        let mut config = config(entry, &manifest.options)?;
        initial::of_program(&new.program, &mut config.inputs);
        config.solver.noted = contradiction_note::read(caches, directory);
        let old_program = old.as_ref().map_or(&new.program, |old| &old.program);
        let other_signature = changed_signature(manifest, &new.program, function).is_some();
        let retaken = ChangedReading::of(&config, old_program, (&new.program, function), other_signature);
        Ok(Self { old, new, entry: function, config, retaken, hashes: (old_hash, new_hash), suite })
    }

    pub(crate) fn old_program(&self) -> &Program {
        self.old.as_ref().map_or(&self.new.program, |old| &old.program)
    }

    /// Finds out what becomes of the tests, and in doing so what is impossible.
    pub fn bring(&self, accept: bool, hooks: &Hooks<'_>) -> Result<BroughtSuite, SuiteError> {
        let start = Instant::now();
        let versions = Versions::compare(self.old_program(), &self.new.program);
        refuse_strangers(&versions)?;
        let mut config = self.config.clone();
        let (mut found, asked_again) = self.explore(&mut config, &versions, hooks)?;
        let contradictions = found.as_mut().map_or_else(Contradictions::default, |found| {
            std::mem::take(&mut found.seeded.exploration.contradictions)
        });
        let (old, new) = (self.old_program(), &self.new.program);
        let observe = |test: &TestCase| self.observe(test, &config, hooks);
        let classifier = TestClassifier {
            suite: &self.suite,
            program: new,
            lines: DecisionLines::new(old, new, &versions),
            accept,
            met,
            observe: &observe,
        };
        let mut brought = classifier.classify(found)?;
        let update = &mut brought.update;
        let identity = |loaded: &Loaded, hash: &String| ProgramIdentity {
            files: loaded.sources.file_texts(),
            flags: loaded.sources.flag_texts(),
            entry: self.suite.manifest.entry.clone(),
            hash: hash.clone(),
        };
        update.old = identity(self.old.as_ref().unwrap_or(&self.new), &self.hashes.0);
        update.new = identity(&self.new, &self.hashes.1);
        update.taken = incise_findings::taken(&config.inputs.reading);
        update.asked_again = asked_again;
        update.time_ms = start.elapsed().as_secs_f64() * 1e3;
        Ok(BroughtSuite { tests: brought, contradictions, config })
    }

    /// What a test does in the new version.
    fn observe(
        &self,
        test: &TestCase,
        config: &Config,
        hooks: &Hooks<'_>,
    ) -> Result<Option<ExecPath>, SuiteError> {
        let mut session = Session::new(config, &hooks.interrupt);
        let inputs = Assignment::given(Given { bytes: bytes(test), ..Given::default() });
        let trace = session.trace(&self.new.program, config, hooks, &mut FullExploration, &inputs)?;
        Ok(trace.path)
    }
}

fn bytes(test: &TestCase) -> BTreeMap<String, Vec<u8>> {
    test.inputs.iter().map(|input| (input.name.clone(), input.bytes.clone())).collect()
}
