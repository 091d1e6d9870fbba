//! Suites that follow the code: folders with a manifest (`suite.json`), a file for each test, and test sources if they were asked for. `docs/suite.md` describes them.

use super::bring::{BroughtTest, Content};
use super::c_context::{KLEE_INCLUDE, Subject, flags_from};
use super::fingerprint::{program_hash, signature};
use super::options::options;
use super::paths::{Functions, identity, names};
use super::place::{self, Place};
use super::relative::relative_to;
use super::scrub;
use crate::frontend::Loaded;
use crate::replay::INPUT_FUNCTIONS;
use crate::sources::Sources;
use anyhow::{Context, Result, anyhow, bail};
use incise_exec::{Config, Exploration, Outcome as Ended};
use incise_ir::FunctionId;
use incise_report::c_test::INPUTS_FILE;
use incise_report::emit::{Emit, Emitted, emit};
use incise_report::suite::{
    SUITE_FILE, SUITE_TESTS, SuiteEntry, SuiteManifest, SuiteProgram, TestOrigin, UnsolvedPath, content_hash,
    hash_text,
};
use incise_report::suite_update::SuiteUpdate;
use incise_report::test_json::Expected;
use incise_report::{Outcome, Path as FoundPath, Program as Identity, Run, TestCase};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A suite that was read. Tests may be damaged.
pub(crate) struct StoredSuite {
    pub(crate) manifest: SuiteManifest,
    /// Each test of the manifest, in order, or what is wrong with its file.
    pub(crate) tests: Vec<Result<TestCase, String>>,
    /// Files among the tests that the manifest does not name.
    pub(crate) strangers: Vec<String>,
}

/// Reads a suite. What is wrong with a single test is said of that test.
pub(crate) fn read(directory: &Path) -> Result<StoredSuite> {
    place::recover(directory)?;
    let manifest = read_manifest(directory)?;
    let tests = manifest.tests.iter().map(|entry| read_test(directory, &manifest, entry)).collect();
    let known: BTreeSet<String> = manifest.tests.iter().map(|entry| format!("{}.json", entry.name)).collect();
    let mut strangers = names_in(&directory.join(SUITE_TESTS));
    strangers.retain(|name| !known.contains(name));
    Ok(StoredSuite { manifest, tests, strangers })
}

fn read_manifest(directory: &Path) -> Result<SuiteManifest> {
    let file = directory.join(SUITE_FILE);
    let text = std::fs::read_to_string(&file).map_err(|error| {
        anyhow!(
            "{} holds no suite: {SUITE_FILE} cannot be read: {error}; `incise suite generate` makes one",
            directory.display()
        )
    })?;
    SuiteManifest::from_json(&text).with_context(|| format!("{} cannot be used", file.display()))
}

fn read_test(directory: &Path, manifest: &SuiteManifest, entry: &SuiteEntry) -> Result<TestCase, String> {
    let name = format!("{SUITE_TESTS}/{}.json", entry.name);
    let bytes = std::fs::read(directory.join(&name)).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("{name} is missing"),
        _ => format!("{name} cannot be read: {error}"),
    })?;
    let text = std::str::from_utf8(&bytes).map_err(|_| format!("{name} is no text"))?;
    let mut test = TestCase::from_json(text).map_err(|error| format!("{name}: {error}"))?;
    if hash_text(content_hash(bytes.iter().copied())) != entry.hash {
        return Err(format!("{name} is not as incise wrote it: its hash differs from that in {SUITE_FILE}"));
    }
    if test.name != entry.name {
        return Err(format!("{name} is the test {:?}", test.name));
    }
    test.program.entry = manifest.entry.clone();
    Ok(test)
}

/// The names in a folder, in order; none if there is no such folder.
fn names_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The program of a suite: its files and flags, from the current folder.
pub(crate) fn sources(directory: &Path, manifest: &SuiteManifest) -> Sources {
    let program = &manifest.program;
    let here = |path: &Path| shortened(&directory.join(path)).to_string_lossy().into_owned();
    let flags = absolute_or(&program.flags, directory, &here);
    Sources {
        files: program.files.iter().map(|file| here(Path::new(file)).into()).collect(),
        flags: flags.into_iter().map(Into::into).collect(),
        optimisation: program.optimisation.clone(),
        clang: None,
    }
}

/// The flags of a manifest, with what they name in the folder of the suite as seen from here.
fn absolute_or(flags: &[String], directory: &Path, here: &dyn Fn(&Path) -> String) -> Vec<String> {
    let mut result: Vec<String> = Vec::with_capacity(flags.len());
    for flag in flags {
        let before = result.last().map(String::as_str);
        let named = before == Some("-I") || (before == Some("-include") && directory.join(flag).is_file());
        let fixed = match flag.strip_prefix("-I") {
            Some(folder) if !folder.is_empty() => format!("-I{}", here(Path::new(folder))),
            _ if named => here(Path::new(flag)),
            _ => flag.clone(),
        };
        result.push(fixed);
    }
    result
}

/// A path as people would write it: from the current folder, if it lies in there.
fn shortened(path: &Path) -> PathBuf {
    let real = path.canonicalize().ok();
    let current = std::env::current_dir().ok().and_then(|current| current.canonicalize().ok());
    match (real, current) {
        (Some(real), Some(current)) => match real.strip_prefix(&current) {
            Ok(inside) if inside != Path::new("") => inside.to_owned(),
            _ => real,
        },
        _ => path.to_owned(),
    }
}

/// Where a new suite will be, found out to be usable before the work is done.
pub(crate) struct NewSuite<'a> {
    directory: &'a Path,
    place: Place,
}

/// What was explored, and what is made of it.
pub(crate) struct Explored<'a> {
    pub(crate) loaded: &'a Loaded,
    pub(crate) entry: FunctionId,
    pub(crate) config: &'a Config,
    pub(crate) emit: &'a [Emit],
}

impl<'a> NewSuite<'a> {
    /// Makes room for a suite. An earlier one for the same function is replaced; anything else is left alone.
    pub(crate) fn new(directory: &'a Path, entry: &str) -> Result<Self> {
        place::recover(directory)?;
        refuse_others(directory, entry)?;
        Ok(Self { directory, place: Place::new(directory)? })
    }

    /// Writes a test for each path, and puts the suite in place.
    pub(crate) fn write(self, exploration: Exploration, explored: &Explored<'_>) -> Result<Generated> {
        let generated = self.write_all(exploration, explored);
        let generated =
            generated.with_context(|| format!("{} cannot be written", self.directory.display()))?;
        self.place.commit()?;
        Ok(generated)
    }

    fn write_all(&self, exploration: Exploration, explored: &Explored<'_>) -> Result<Generated> {
        let Explored { loaded, entry, config, .. } = *explored;
        let mut manifest = self.manifest(explored)?;
        manifest.complete = exploration.complete();
        let functions = Functions::of(&loaded.program);
        // A path that an assumption cut is no path of the program.
        let real: Vec<_> = exploration.paths.iter().filter(|path| path.outcome != Ended::Discarded).collect();
        let decisions: Vec<String> = real.iter().map(|path| functions.decisions(path).to_string()).collect();
        let identities: Vec<u64> = real.iter().map(|path| identity(path)).collect();
        let names = names(&config.entry, &identities, BTreeSet::new());
        let run = crate::convert::run(&loaded.program, entry, Identity::default(), exploration);
        manifest.limits = run.limits.clone();
        manifest.concretised = run.concretised.iter().map(|what| without_places(what)).collect();
        std::fs::create_dir(self.place.path().join(SUITE_TESTS))?;
        let mut tests = Vec::new();
        for ((path, decisions), name) in run.paths.iter().zip(decisions).zip(names) {
            let Some(test) = test_of(path, &name, &run) else {
                manifest.unsolved.push(UnsolvedPath { path: decisions, reason: ending(&path.outcome) });
                continue;
            };
            let text = test.to_json()?;
            self.put(&format!("{SUITE_TESTS}/{name}.json"), text.as_bytes())?;
            manifest.tests.push(SuiteEntry {
                name,
                path: decisions,
                outcome: path.outcome.name().to_owned(),
                expected: expectation(&test, &path.outcome),
                origin: TestOrigin::Generated,
                hash: hash_text(content_hash(text.bytes())),
                pending: false,
            });
            // As it will be read, so that test sources are the same whenever they are written.
            let mut test = TestCase::from_json(&text)?;
            test.program.entry = config.entry.clone();
            tests.push(test);
        }
        let emitted = self.emit(&tests, explored)?;
        // The manifest comes last: a folder with one is whole.
        self.put(SUITE_FILE, manifest.to_json()?.as_bytes())?;
        Ok(Generated { manifest, emitted })
    }

    /// Writes the test sources that are kept beside the tests.
    fn emit(&self, tests: &[TestCase], explored: &Explored<'_>) -> Result<Vec<(Emit, Emitted)>> {
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

    fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        Ok(std::fs::write(self.place.path().join(name), bytes)?)
    }

    /// Writes a suite that was brought over, and puts it in place. `from` is the folder of the old one.
    pub(crate) fn write_brought(
        self,
        brought: Vec<BroughtTest>,
        update: &SuiteUpdate,
        old: &StoredSuite,
        from: &Path,
        explored: &Explored<'_>,
    ) -> Result<Vec<(Emit, Emitted)>> {
        let written = self.write_all_brought(brought, update, old, from, explored);
        let written = written.with_context(|| format!("{} cannot be written", self.directory.display()))?;
        match written {
            Some(emitted) => {
                self.place.commit()?;
                Ok(emitted)
            }
            None => Ok(Vec::new()),
        }
    }

    /// `None` if the suite that is replaced is the same.
    fn write_all_brought(
        &self,
        brought: Vec<BroughtTest>,
        update: &SuiteUpdate,
        old: &StoredSuite,
        from: &Path,
        explored: &Explored<'_>,
    ) -> Result<Option<Vec<(Emit, Emitted)>>> {
        let mut manifest = self.manifest(explored)?;
        manifest.options = old.manifest.options.clone();
        manifest.complete = update.complete;
        manifest.limits = update.limits.clone();
        manifest.concretised = update.concretised.clone();
        manifest.unsolved = update.unsolved.clone();
        let mut texts = Vec::with_capacity(brought.len());
        for BroughtTest { mut entry, content } in brought {
            let text = match content {
                Content::Old => None,
                Content::New(test) => Some(test.to_json()?),
            };
            if let Some(text) = &text {
                entry.hash = hash_text(content_hash(text.bytes()));
            }
            manifest.tests.push(entry);
            texts.push(text);
        }
        let in_place = is_same_folder(self.directory, from);
        // Test sources may have been lost.
        if in_place && manifest == old.manifest && manifest.emit.is_empty() {
            return Ok(None);
        }
        std::fs::create_dir(self.place.path().join(SUITE_TESTS))?;
        for (entry, text) in manifest.tests.iter().zip(&texts) {
            let name = format!("{SUITE_TESTS}/{}.json", entry.name);
            match text {
                Some(text) => self.put(&name, text.as_bytes())?,
                None => self.keep(&from.join(&name), &name, &entry.hash, in_place)?,
            }
        }
        let mut tests = Vec::new();
        if !explored.emit.is_empty() {
            for entry in &manifest.tests {
                tests.push(read_test(self.place.path(), &manifest, entry).map_err(|why| anyhow!(why))?);
            }
        }
        let emitted = self.emit(&tests, explored)?;
        // The manifest comes last: a folder with one is whole.
        self.put(SUITE_FILE, manifest.to_json()?.as_bytes())?;
        Ok(Some(emitted))
    }

    /// Takes over the file of a test byte by byte, and not as it would be written today.
    fn keep(&self, file: &Path, name: &str, hash: &str, in_place: bool) -> Result<()> {
        // The old folder goes away: the file itself can move.
        if in_place && std::fs::hard_link(file, self.place.path().join(name)).is_ok() {
            return Ok(());
        }
        let bytes = std::fs::read(file)?;
        if hash_text(content_hash(bytes.iter().copied())) != hash {
            bail!("{} changed while the suite was brought over", file.display());
        }
        self.put(name, &bytes)
    }

    /// The manifest without what the exploration found.
    fn manifest(&self, explored: &Explored<'_>) -> Result<SuiteManifest> {
        let Explored { loaded, entry, config, emit } = *explored;
        let files: Result<Vec<String>> =
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

/// What was written.
pub(crate) struct Generated {
    pub(crate) manifest: SuiteManifest,
    pub(crate) emitted: Vec<(Emit, Emitted)>,
}

fn is_same_folder(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// A folder that holds something else than a suite for this function is not ours to replace.
fn refuse_others(directory: &Path, entry: &str) -> Result<()> {
    if !directory.exists() {
        return Ok(());
    }
    let shown = directory.display();
    if !directory.is_dir() {
        bail!("{shown} exists and is no folder; choose another one for the suite");
    }
    let names = names_in(directory);
    if names.is_empty() {
        return Ok(());
    }
    let ours = |name: &String| *name == SUITE_FILE || *name == SUITE_TESTS || Emit::named(name).is_some();
    let mut strangers: Vec<String> = names.iter().filter(|name| !ours(name)).cloned().collect();
    let tests = names_in(&directory.join(SUITE_TESTS));
    let others = tests.iter().filter(|name| Path::new(name).extension() != Some(OsStr::new("json")));
    strangers.extend(others.map(|name| format!("{SUITE_TESTS}/{name}")));
    if let Some(stranger) = strangers.first() {
        bail!(
            "{shown} holds {stranger}, which incise did not write; move it away, or choose another folder for the suite"
        );
    }
    let manifest = read_manifest(directory)?;
    if manifest.entry != entry {
        bail!(
            "{shown} holds a suite for {}, not for {entry}; choose another folder, or remove it first",
            manifest.entry
        );
    }
    Ok(())
}

/// The test of a path; `None` if the solver found no inputs for it. There are no places in it, since they move.
pub(super) fn test_of(path: &FoundPath, name: &str, run: &Run) -> Option<TestCase> {
    let mut test = super::test_case(run, path)?;
    test.name = name.to_owned();
    for input in &mut test.inputs {
        scrub::value(&mut input.value);
    }
    if let Some(expected) = &mut test.expected {
        expected.place = None;
        if let Outcome::Error { message, .. } = &mut expected.outcome {
            *message = without_places(message);
        }
        let observed = expected.finals.iter_mut().map(|each| &mut each.observed);
        for each in observed.chain(expected.result.iter_mut()) {
            scrub::value(&mut each.value);
        }
    }
    Some(test)
}

pub(super) fn without_places(text: &str) -> String {
    scrub::text(text)
}

/// How a path ended, in words, where that says something.
pub(super) fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Unsupported(what) => format!("unsupported: {}", without_places(what)),
        Outcome::External { function } => format!("external: {function}"),
        Outcome::Limit(limit) => format!("limit: {limit}"),
        Outcome::Undecided(why) => format!("undecided: {why}"),
        other => format!("{}: the solver gave no input", other.name()),
    }
}

/// What a test expects, in a few words.
pub(super) fn expectation(test: &TestCase, outcome: &Outcome) -> String {
    let Some(Expected { outcome, result, .. }) = &test.expected else {
        return format!("nothing ({})", ending(outcome));
    };
    match outcome {
        Outcome::Exited { status } => format!("exits with status {status}"),
        Outcome::Error { kind, message } => format!("{kind}: {message}"),
        _ => match result {
            Some(result) => format!("returns {}", result.value),
            None => "returns".to_owned(),
        },
    }
}

/// Test sources, as they must be in the folder `seen_from`.
pub(crate) fn test_sources(
    kind: Emit,
    tests: &[TestCase],
    explored: &Explored<'_>,
    seen_from: &Path,
) -> Result<Emitted> {
    let from_there =
        |path: &Path| relative_to(seen_from, path).unwrap_or_else(|_| path.to_string_lossy().into_owned());
    let subject = Subject {
        program: &explored.loaded.program,
        entry: explored.entry,
        sources: &explored.loaded.sources,
        arguments: &explored.config.inputs.given_arguments,
    };
    let mut context = subject
        .c_context(&from_there)
        .map_err(|why| anyhow!("test sources for {} cannot be written: {why}", kind.name()))?;
    if context.input_functions {
        context.flags.extend(KLEE_INCLUDE.map(str::to_owned));
    }
    Ok(emit(kind, &explored.config.entry, tests, &context))
}

/// Writes test sources into a folder.
pub(crate) fn put_sources(folder: &Path, emitted: &Emitted) -> Result<()> {
    for (name, text) in &emitted.files {
        std::fs::write(folder.join(name), text)?;
    }
    if emitted.calls {
        std::fs::write(folder.join(INPUTS_FILE), INPUT_FUNCTIONS)?;
        std::fs::create_dir_all(folder.join("include/klee"))?;
        std::fs::write(folder.join("include/klee/klee.h"), incise_libc::KLEE_HEADER)?;
    }
    Ok(())
}
