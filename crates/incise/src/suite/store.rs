//! Writes suites that follow the code: folders with a manifest (`suite.json`), a file for each test, and test sources if they were asked for. `docs/suite.md` describes them.

use super::bring::{BroughtTest, Content};
use super::c_context::{KLEE_INCLUDE, Subject, flags_from};
use super::files::{TestFiles, open_folder};
use super::fingerprint::{program_hash, signature};
use super::options::options;
use super::paths::{Functions, identity, names};
use super::place::{self, Place};
use super::relative::relative_to;
use super::scrub;
use super::seen::Seen;
use super::stored::{self, StoredSuite, names_in, read_manifest};
use crate::frontend::Loaded;
use crate::replay::INPUT_FUNCTIONS;
use crate::sources::{Sources, Tools};
use anyhow::{Context, Result, anyhow, bail};
use incise_exec::{Config, Exploration, Needs, Outcome as Ended};
use incise_ir::FunctionId;
use incise_report::c_test::INPUTS_FILE;
use incise_report::emit::{Emit, Emitted, emit};
use incise_report::suite::{
    SUITE_FILE, SUITE_TESTS, SuiteEntry, SuiteManifest, SuiteOptions, SuiteProgram, TestOrigin, UnsolvedPath,
    file_hash,
};
use incise_report::suite_update::SuiteUpdate;
use incise_report::test_json::Expected;
use incise_report::test_writer::TestWriter;
use incise_report::{Outcome, Path as FoundPath, Program as Identity, TestCase};
use rustc_hash::FxHashSet;
use rustix::fd::OwnedFd;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Among the limits: pointers that were compared and taken to lead to different objects. No path shows that.
pub(super) const APART: &str = "apart";

/// Whether inputs were taken to lead to different objects where it matters.
pub(super) fn is_apart(needs: &Needs) -> bool {
    !needs.same.is_empty() || !needs.ordered.is_empty()
}

/// The program of a suite: its files and flags, from the current folder.
pub(crate) fn sources(directory: &Path, manifest: &SuiteManifest, tools: Tools) -> Sources {
    let program = &manifest.program;
    let here = |path: &Path| shortened(&directory.join(path)).to_string_lossy().into_owned();
    let flags = absolute_or(&program.flags, directory, &here);
    Sources {
        files: program.files.iter().map(|file| here(Path::new(file)).into()).collect(),
        flags: flags.into_iter().map(Into::into).collect(),
        optimisation: program.optimisation.clone(),
        tools,
        extra: Default::default(),
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

/// Where a suite that is brought over will be.
pub(crate) struct UpdatedSuite<'a> {
    new: NewSuite<'a>,
    old: &'a StoredSuite,
    from: &'a Path,
    /// Whether it takes the place of the old one.
    in_place: bool,
}

/// What became of a suite that was brought over.
enum Change {
    /// It is as it was.
    Nothing,
    /// Only the manifest is another.
    Manifest,
    /// The whole folder is another.
    Folder(Vec<(Emit, Emitted)>),
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
        refuse_others(directory)?;
        refuse_other_suite(directory, entry)?;
        Ok(Self { directory, place: Place::new(directory)? })
    }

    /// Makes room for what becomes of a suite in the folder `from`.
    pub(crate) fn for_update(
        directory: &'a Path,
        old: &'a StoredSuite,
        from: &'a Path,
    ) -> Result<UpdatedSuite<'a>> {
        let in_place = is_same_folder(directory, from);
        let new = match in_place {
            false => Self::new(directory, &old.manifest.entry)?,
            true => {
                refuse_strangers(directory, &old.strangers)?;
                Self { directory, place: Place::new(directory)? }
            }
        };
        Ok(UpdatedSuite { new, old, from, in_place })
    }

    /// Writes a test for each path, and puts the suite in place.
    pub(crate) fn write(self, exploration: Exploration, explored: &Explored<'_>) -> Result<Generated> {
        let generated = self.write_all(exploration, explored);
        let (generated, seen) =
            generated.with_context(|| format!("{} cannot be written", self.directory.display()))?;
        self.place.commit()?;
        seen.keep(self.directory, &generated.manifest.tests);
        Ok(generated)
    }

    fn write_all(&self, exploration: Exploration, explored: &Explored<'_>) -> Result<(Generated, Seen)> {
        let Explored { loaded, entry, config, .. } = *explored;
        let mut manifest = self.manifest(explored)?;
        manifest.complete = exploration.complete();
        let apart = is_apart(&exploration.needs);
        let mut functions = Functions::of(&loaded.program);
        // A path that an assumption cut is no path of the program.
        let real: Vec<_> = exploration.paths.iter().filter(|path| path.outcome != Ended::Discarded).collect();
        let decisions: Vec<String> = real.iter().map(|path| functions.decisions(path).to_owned()).collect();
        let identities: Vec<u64> = real.iter().map(|path| identity(path)).collect();
        let names = names(&config.entry, &identities, &FxHashSet::default());
        let run = crate::convert::run(&loaded.program, entry, Identity::default(), exploration);
        manifest.limits = run.limits;
        manifest.limits.extend(apart.then(|| APART.to_owned()));
        manifest.concretised = run.concretised.iter().map(|what| without_places(what)).collect();
        let mut writer = TestWriter::default();
        let mut files = TestFiles::new(self.place.path(), Seen::nothing(names.len()))?;
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

impl UpdatedSuite<'_> {
    /// Writes a suite that was brought over, and puts it in place.
    pub(crate) fn write_brought(
        self,
        brought: Vec<BroughtTest>,
        update: &SuiteUpdate,
        explored: &Explored<'_>,
    ) -> Result<Vec<(Emit, Emitted)>> {
        let written = self.write_all_brought(brought, update, explored);
        let (change, tests, seen) =
            written.with_context(|| format!("{} cannot be written", self.new.directory.display()))?;
        let emitted = match change {
            Change::Nothing => Vec::new(),
            Change::Manifest => self.new.place.commit_file(SUITE_FILE).map(|()| Vec::new())?,
            Change::Folder(emitted) => self.new.place.commit().map(|()| emitted)?,
        };
        seen.keep(self.new.directory, &tests);
        Ok(emitted)
    }

    fn write_all_brought(
        &self,
        brought: Vec<BroughtTest>,
        update: &SuiteUpdate,
        explored: &Explored<'_>,
    ) -> Result<(Change, Vec<SuiteEntry>, Seen)> {
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
            && brought.iter().all(|test| matches!(test.content, Content::Old));
        // Without that folder all tests are damaged, and none is kept.
        let folder = open_folder(&from.join(SUITE_TESTS)).ok();
        let mut writer = TestWriter::default();
        let mut files = None;
        if !same_files {
            let seen = if *in_place { old.take_seen() } else { Seen::default() };
            files = Some(TestFiles::new(new.place.path(), seen)?);
        }
        for BroughtTest { mut entry, content } in brought {
            if let Some(files) = &files {
                match content {
                    Content::Old => self.keep(files, folder.as_ref(), &entry)?,
                    Content::New(test) => {
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
            return Ok((Change::Nothing, manifest.tests, seen));
        }
        let mut tests = Vec::new();
        if !explored.emit.is_empty() {
            for entry in &manifest.tests {
                let test = stored::case(new.place.path(), entry, &manifest.entry);
                tests.push(test.map_err(|why| anyhow!(why))?);
            }
        }
        let emitted = new.emit(&tests, explored)?;
        // The manifest comes last: a folder with one is whole.
        new.put(SUITE_FILE, manifest.to_json()?.as_bytes())?;
        let change = if same_files { Change::Manifest } else { Change::Folder(emitted) };
        Ok((change, manifest.tests, seen))
    }

    /// Takes over the file of a test byte by byte, and not as it would be written today.
    fn keep(&self, files: &TestFiles, folder: Option<&OwnedFd>, entry: &SuiteEntry) -> Result<()> {
        // The old folder goes away: the file itself can move.
        if self.in_place && folder.is_some_and(|folder| files.link(folder, &entry.name)) {
            return Ok(());
        }
        let file = self.from.join(SUITE_TESTS).join(format!("{}.json", entry.name));
        let bytes = std::fs::read(&file)?;
        if *entry.hash != *file_hash(&bytes) {
            bail!("{} changed while the suite was brought over", file.display());
        }
        files.put(&entry.name, &bytes)?;
        Ok(())
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

/// A folder that holds something else than a suite is not ours to replace.
fn refuse_others(directory: &Path) -> Result<()> {
    if !directory.exists() {
        return Ok(());
    }
    if !directory.is_dir() {
        bail!("{} exists and is no folder; choose another one for the suite", directory.display());
    }
    refuse_strangers(directory, &names_in(&directory.join(SUITE_TESTS)))
}

/// What incise did not write is not to be lost with the folder; `tests` are names among the tests.
fn refuse_strangers(directory: &Path, tests: &[String]) -> Result<()> {
    let ours = |name: &String| *name == SUITE_FILE || *name == SUITE_TESTS || Emit::named(name).is_some();
    let mut strangers: Vec<String> = names_in(directory).into_iter().filter(|name| !ours(name)).collect();
    let others = tests.iter().filter(|name| Path::new(name).extension() != Some(OsStr::new("json")));
    strangers.extend(others.map(|name| format!("{SUITE_TESTS}/{name}")));
    match strangers.first() {
        Some(stranger) => bail!(
            "{} holds {stranger}, which incise did not write; move it away, or choose another folder for the suite",
            directory.display()
        ),
        None => Ok(()),
    }
}

/// A suite for another function is not replaced.
fn refuse_other_suite(directory: &Path, entry: &str) -> Result<()> {
    if names_in(directory).is_empty() {
        return Ok(());
    }
    let manifest = read_manifest(directory)?;
    if manifest.entry != entry {
        bail!(
            "{} holds a suite for {}, not for {entry}; choose another folder, or remove it first",
            directory.display(),
            manifest.entry
        );
    }
    Ok(())
}

/// The test of a path; `None` if the solver found no inputs for it. There are no places in it, since they move.
pub(super) fn test_of(path: FoundPath, name: &str) -> Option<TestCase> {
    let mut test = super::into_test(path, name.to_owned())?;
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
    let taken = crate::convert::taken(&explored.config.inputs.reading);
    context.taken = taken.iter().map(|taken| taken.with_evidence()).collect();
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
