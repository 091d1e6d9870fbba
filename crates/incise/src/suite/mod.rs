//! A folder of tests: written at once or not at all, and read again.
//!
//! This file is about the folders of `incise run --tests` and `incise diff --tests`; `store.rs` is about suites that follow the code.

pub(crate) mod bring;
mod c_context;
mod files;
mod fingerprint;
pub(crate) mod judge;
pub(crate) mod lines;
mod notes;
mod options;
mod paths;
mod place;
pub(crate) mod proved;
pub(crate) mod ready;
mod relative;
pub(crate) mod retake;
mod scrub;
mod seen;
pub(crate) mod store;
pub(crate) mod stored;

pub(crate) use fingerprint::{program_hash, signature};
pub(crate) use options::{config, reading};

use crate::replay::INPUT_FUNCTIONS;
use crate::settings::TestSettings;
use crate::sources::Sources;
use anyhow::{Context, Result, anyhow, bail};
use c_context::Subject;
use incise_exec::Config;
use incise_ir::{FunctionId, Program};
use incise_report::c_test::{self, INPUTS_FILE};
use incise_report::ktest::Ktest;
use incise_report::manifest::MANIFEST_FILE;
use incise_report::suite::SUITE_FILE;
use incise_report::test_json::Expected;
use incise_report::{Manifest, Origin, Path as FoundPath, Run, TestCase};
use place::Place;
use relative::relative_to;
use std::path::{Component, Path, PathBuf};

/// A folder of tests.
pub(crate) struct Suite {
    pub(crate) manifest: Manifest,
    pub(crate) tests: Vec<TestCase>,
}

/// What was asked for beside the tests themselves.
pub(crate) struct SuiteOptions<'a> {
    /// Whether C programs are written too.
    pub(crate) c_tests: bool,
    /// The arguments of `main` that are not symbolic.
    pub(crate) arguments: &'a [String],
    /// The number and length of symbolic arguments.
    pub(crate) symbolic_arguments: Option<(u32, u32)>,
    /// Whether overflow was looked for.
    pub(crate) check_overflow: bool,
}

impl<'a> SuiteOptions<'a> {
    /// What the settings say.
    pub(crate) fn of(tests: &TestSettings, config: &'a Config) -> Self {
        Self {
            c_tests: tests.c_tests,
            arguments: &config.inputs.given_arguments,
            symbolic_arguments: config.inputs.arguments,
            check_overflow: config.checks.overflow,
        }
    }
}

/// What was written.
pub(crate) struct Written {
    pub(crate) suite: Suite,
    /// How many C programs were written.
    pub(crate) c_tests: usize,
    /// The reasons for which others were not, each once.
    pub(crate) without_c: Vec<String>,
}

/// A place for a folder of tests, found out to be usable before the work is done. Nothing is at the target until all is written.
pub(crate) struct Target<'a> {
    directory: &'a Path,
    place: Place,
}

impl<'a> Target<'a> {
    /// Makes room beside the target. An earlier folder of ours will be replaced; any other is left alone.
    pub(crate) fn new(directory: &'a Path) -> Result<Self> {
        place::recover(directory)?;
        refuse_foreign(directory)?;
        Ok(Self { directory, place: Place::new(directory)? })
    }

    /// Writes a test for each path of a run that has inputs.
    pub(crate) fn write(
        self,
        run: &Run,
        program: &Program,
        entry: FunctionId,
        sources: &Sources,
        options: &SuiteOptions<'_>,
    ) -> Result<Written> {
        let writer = Writer { run, program, entry, sources, options, folder: self.place.path() };
        let written = writer.write_all(&relative_to(self.directory, Path::new("."))?);
        let written =
            written.with_context(|| format!("tests cannot be written to {}", self.directory.display()))?;
        self.place.commit()?;
        Ok(written)
    }

    /// Writes the tests of several runs, each into a folder named after its entry. Without a run the folder is empty.
    pub(crate) fn write_each(
        self,
        runs: &[(&Run, FunctionId)],
        program: &Program,
        sources: &Sources,
        options: &SuiteOptions<'_>,
    ) -> Result<Vec<Written>> {
        // From the folder of a function it is one step more.
        let back = format!("../{}", relative_to(self.directory, Path::new("."))?);
        let write = |&(run, entry): &(&Run, FunctionId)| {
            let folder = self.place.path().join(folder_name(&run.program.entry));
            std::fs::create_dir(&folder)?;
            Writer { run, program, entry, sources, options, folder: &folder }.write_all(&back)
        };
        let written: Result<Vec<Written>> = runs.iter().map(write).collect();
        let written =
            written.with_context(|| format!("tests cannot be written to {}", self.directory.display()))?;
        self.place.commit()?;
        Ok(written)
    }
}

/// A folder for the tests of a function: names in IR may hold anything.
pub(crate) fn folder_name(entry: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '$';
    entry.chars().map(|character| if plain(character) { character } else { '_' }).collect()
}

/// A folder that holds something else is not ours to replace.
fn refuse_foreign(directory: &Path) -> Result<()> {
    if !directory.exists() {
        return Ok(());
    }
    if !directory.is_dir() {
        bail!("{} exists and is no folder; choose another one for the tests", directory.display());
    }
    let entries =
        std::fs::read_dir(directory).with_context(|| format!("{} cannot be read", directory.display()))?;
    // Ours are folders of tests, folders of such folders, and empty ones.
    let mut each_is_ours = entries.map(|entry| entry.is_ok_and(|entry| read_manifest(&entry.path()).is_ok()));
    if read_manifest(directory).is_ok() || each_is_ours.all(|ours| ours) {
        return Ok(());
    }
    bail!(
        "{} holds files that incise did not write; choose an empty or new folder for the tests",
        directory.display()
    )
}

struct Writer<'a> {
    run: &'a Run,
    program: &'a Program,
    entry: FunctionId,
    sources: &'a Sources,
    options: &'a SuiteOptions<'a>,
    folder: &'a Path,
}

impl Writer<'_> {
    /// `back` leads from the folder of the tests to the current one.
    fn write_all(&self, back: &str) -> Result<Written> {
        let subject = Subject {
            program: self.program,
            entry: self.entry,
            sources: self.sources,
            arguments: self.options.arguments,
        };
        let from_tests = |path: &Path| relative::join(back, path);
        let context = self.options.c_tests.then(|| {
            let mut context = subject.c_context(&from_tests)?;
            context.flags.extend(c_context::KLEE_INCLUDE.map(str::to_owned));
            Ok(context)
        });
        let mut written = Written {
            suite: Suite { manifest: self.manifest(back), tests: Vec::new() },
            c_tests: 0,
            without_c: Vec::new(),
        };
        for path in &self.run.paths {
            let Some(test) = test_case(self.run, path) else { continue };
            self.put(&format!("{}.json", test.name), test.to_json()?.as_bytes())?;
            self.put(&format!("{}.ktest", test.name), &self.ktest(&test).to_bytes()?)?;
            match context.as_ref().map(|context| {
                context.as_ref().map_err(Clone::clone).and_then(|it| c_test::render(&test, it))
            }) {
                None => {}
                Some(Ok(text)) => {
                    self.put(&format!("{}.c", test.name), text.as_bytes())?;
                    written.c_tests += 1;
                }
                Some(Err(why)) if written.without_c.contains(&why) => {}
                Some(Err(why)) => written.without_c.push(why),
            }
            written.suite.manifest.tests.push(test.name.clone());
            written.suite.tests.push(test);
        }
        if written.c_tests > 0 {
            self.put(INPUTS_FILE, INPUT_FUNCTIONS.as_bytes())?;
            std::fs::create_dir_all(self.folder.join("include/klee"))?;
            self.put("include/klee/klee.h", incise_libc::KLEE_HEADER.as_bytes())?;
        }
        // The manifest comes last: a folder with one is whole.
        self.put(MANIFEST_FILE, written.suite.manifest.to_json()?.as_bytes())?;
        Ok(written)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        Ok(std::fs::write(self.folder.join(name), bytes)?)
    }

    fn manifest(&self, back: &str) -> Manifest {
        Manifest {
            directory: back.to_owned(),
            program: self.run.program.clone(),
            optimisation: self.sources.optimisation.clone(),
            arguments: self.options.arguments.to_vec(),
            check_overflow: self.options.check_overflow,
            tests: Vec::new(),
        }
    }

    fn ktest(&self, test: &TestCase) -> Ktest {
        let (count, length) = self.options.symbolic_arguments.unwrap_or((0, 0));
        let program = self.run.program.files.first().cloned().unwrap_or_default();
        let mut arguments = vec![program.into_bytes()];
        arguments.extend(self.options.arguments.iter().map(|word| word.clone().into_bytes()));
        let name = |input: &incise_report::Input| {
            input.origin.ktest_name().unwrap_or_else(|| input.name.clone()).into_bytes()
        };
        Ktest {
            arguments,
            symbolic_arguments: count,
            symbolic_argument_length: length,
            objects: test.inputs.iter().map(|input| (name(input), input.bytes.clone())).collect(),
        }
    }
}

/// The test of a path; `None` if the solver found no inputs for it.
pub(crate) fn test_case(run: &Run, path: &FoundPath) -> Option<TestCase> {
    let needed = FoundPath {
        id: path.id,
        outcome: path.outcome.clone(),
        place: path.place.clone(),
        inputs: path.inputs.clone(),
        result: path.result.clone(),
        finals: path.finals.clone(),
        stdout: path.stdout.clone(),
        stderr: path.stderr.clone(),
        indeterminate: path.indeterminate,
        ..FoundPath::default()
    };
    let condition = incise_report::json::condition(path);
    let test = assembled(needed, condition, format!("test{:06}", path.id), run.program.clone())?;
    Some(TestCase { taken: run.taken.iter().map(|taken| taken.with_evidence()).collect(), ..test })
}

/// The test of a path that is not needed any more, as [`test_case`] makes it.
pub(crate) fn into_test(path: FoundPath, name: String) -> Option<TestCase> {
    let condition = incise_report::json::condition(&path);
    assembled(path, condition, name, incise_report::Program::default())
}

/// Where the program did not end the path, there is nothing to expect.
fn assembled(
    path: FoundPath,
    condition: String,
    name: String,
    program: incise_report::Program,
) -> Option<TestCase> {
    let inputs = path.inputs?;
    let expected = path.outcome.is_conclusive().then(|| {
        let mut finals = path.finals;
        finals.retain(|each| is_observable(&each.origin));
        Expected {
            outcome: path.outcome,
            place: path.place,
            result: path.result.filter(|result| !result.bytes.is_empty()),
            finals,
            stdout: path.stdout,
            stderr: path.stderr,
            indeterminate: path.indeterminate,
        }
    });
    Some(TestCase { name, program, condition, taken: Vec::new(), inputs, expected })
}

fn is_observable(origin: &Origin) -> bool {
    matches!(origin, Origin::Global(_) | Origin::Pointee(_) | Origin::Stream(_) | Origin::File(_))
}

/// Reads a folder that [`write`] made.
pub(crate) fn read(directory: &Path) -> Result<Suite> {
    let manifest = read_manifest(directory)?;
    let mut tests = Vec::with_capacity(manifest.tests.len());
    for name in &manifest.tests {
        // A name with a separator in it would lead out of the folder.
        if Path::new(name).components().count() != 1
            || !matches!(Path::new(name).components().next(), Some(Component::Normal(_)))
        {
            bail!("{} names a test {name:?}, which is no file name", directory.join(MANIFEST_FILE).display());
        }
        let file = directory.join(format!("{name}.json"));
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("{} cannot be read", file.display()))?;
        tests.push(TestCase::from_json(&text).with_context(|| file.display().to_string())?);
    }
    Ok(Suite { manifest, tests })
}

fn read_manifest(directory: &Path) -> Result<Manifest> {
    let file = directory.join(MANIFEST_FILE);
    let text = std::fs::read_to_string(&file).map_err(|error| match inner_suite(directory) {
        _ if directory.join(SUITE_FILE).is_file() => {
            anyhow!("{0} holds a suite: `incise suite check --suite {0}` runs its tests", directory.display())
        }
        Some(inner) => {
            anyhow!("{} holds no tests of incise itself, but {} does", directory.display(), inner.display())
        }
        None => {
            anyhow!(
                "{} holds no tests of incise: {MANIFEST_FILE} cannot be read: {error}",
                directory.display()
            )
        }
    })?;
    Manifest::from_json(&text).with_context(|| file.display().to_string())
}

/// The first of the folders in a folder that holds tests.
fn inner_suite(directory: &Path) -> Option<PathBuf> {
    let inner = std::fs::read_dir(directory).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    inner.filter(|folder| folder.join(MANIFEST_FILE).is_file()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_folders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        refuse_foreign(&folder.path().join("new")).unwrap();
        refuse_foreign(folder.path()).unwrap();
        let suite = folder.path().join("update");
        std::fs::create_dir(&suite).unwrap();
        std::fs::write(suite.join(MANIFEST_FILE), Manifest::default().to_json().unwrap()).unwrap();
        refuse_foreign(&suite).unwrap();
        refuse_foreign(folder.path()).unwrap();
        std::fs::write(folder.path().join("thesis.tex"), "years of work").unwrap();
        assert!(refuse_foreign(folder.path()).unwrap_err().to_string().contains("did not write"));
        assert!(refuse_foreign(&folder.path().join("thesis.tex")).is_err());
    }
}
