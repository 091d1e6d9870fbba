//! Folders of tests, as explorations leave them: written at once or not at all. Suites that follow the code are
//! another matter (`new_suite.rs`).

use crate::c_context::{self, Subject};
use crate::error::SuiteError;
use crate::path_test::{race_test, test_case};
use crate::read_folder::read_manifest;
use crate::relative_path::{self, relative_to};
use crate::replaced_folder::{ReplacedFolder, recover};
use incise_exec::ArgumentGroup;
use incise_frontend::Sources;
use incise_ir::{FunctionId, Program};
use incise_replay::{INPUT_FUNCTIONS, ReplayRequest};
use incise_report::test::c_program::{self, INPUTS_FILE};
use incise_report::test::ktest::Ktest;
use incise_report::test::manifest::MANIFEST_FILE;
use incise_report::{Manifest, Run, TestCase};
use std::path::Path;

/// A folder of tests.
pub struct TestFolder {
    /// What it says of itself.
    pub manifest: Manifest,
    /// The tests.
    pub tests: Vec<TestCase>,
}

impl TestFolder {
    /// The tests, to be run natively.
    pub fn request(&self) -> ReplayRequest<'_> {
        let Manifest { program, arguments, .. } = &self.manifest;
        ReplayRequest { entry: &program.entry, tests: &self.tests, arguments }
    }
}

/// What was asked for beside the tests themselves.
pub struct TestFolderOptions<'a> {
    /// Whether C programs are written too.
    pub c_tests: bool,
    /// The arguments of `main` that are not symbolic.
    pub arguments: &'a [String],
    /// The symbolic arguments.
    pub symbolic_arguments: &'a [ArgumentGroup],
    /// Whether overflow was looked for.
    pub check_overflow: bool,
}

/// What was written.
pub struct WrittenTests {
    /// The folder.
    pub folder: TestFolder,
    /// How many C programs were written.
    pub c_tests: usize,
    /// The reasons for which others were not, each once.
    pub without_c: Vec<String>,
}

/// A place for a folder of tests, found out to be usable before the work is done. Nothing is at the target until all
/// is written.
pub struct NewTestFolder<'a> {
    directory: &'a Path,
    place: ReplacedFolder,
}

impl<'a> NewTestFolder<'a> {
    /// Makes room beside the target. An earlier folder of ours will be replaced; any other is left alone.
    pub fn new(directory: &'a Path) -> Result<Self, SuiteError> {
        recover(directory)?;
        refuse_foreign(directory)?;
        Ok(Self { directory, place: ReplacedFolder::new(directory)? })
    }

    fn not_written(&self, error: SuiteError) -> SuiteError {
        SuiteError::TestsNotWritten(self.directory.to_owned(), Box::new(error))
    }

    /// Writes a test for each path of a run that has inputs.
    pub fn write(
        self,
        run: &Run,
        program: &Program,
        entry: FunctionId,
        sources: &Sources,
        options: &TestFolderOptions<'_>,
    ) -> Result<WrittenTests, SuiteError> {
        let writer = Writer { run, program, entry, sources, options, folder: self.place.path() };
        let written = writer.write_all(&relative_to(self.directory, Path::new("."))?);
        let written = written.map_err(|error| self.not_written(error))?;
        self.place.commit()?;
        Ok(written)
    }

    /// Writes the tests of several runs, each into a folder named after its entry. Without a run the folder is empty.
    pub fn write_each(
        self,
        runs: &[(&Run, FunctionId)],
        program: &Program,
        sources: &Sources,
        options: &TestFolderOptions<'_>,
    ) -> Result<Vec<WrittenTests>, SuiteError> {
        // From the folder of a function it is one step more.
        let back = format!("../{}", relative_to(self.directory, Path::new("."))?);
        let write = |&(run, entry): &(&Run, FunctionId)| {
            let folder = self.place.path().join(folder_name(&run.program.entry));
            std::fs::create_dir(&folder)?;
            Writer { run, program, entry, sources, options, folder: &folder }.write_all(&back)
        };
        let written: Result<Vec<WrittenTests>, SuiteError> = runs.iter().map(write).collect();
        let written = written.map_err(|error| self.not_written(error))?;
        self.place.commit()?;
        Ok(written)
    }
}

/// A folder that holds something else is not ours to replace.
fn refuse_foreign(directory: &Path) -> Result<(), SuiteError> {
    if !directory.exists() {
        return Ok(());
    }
    if !directory.is_dir() {
        return Err(SuiteError::NoFolder { path: directory.to_owned(), what: "tests" });
    }
    let entries =
        std::fs::read_dir(directory).map_err(|error| SuiteError::Unreadable(directory.to_owned(), error))?;
    // Ours are folders of tests, folders of such folders, and empty ones.
    let mut each_is_ours = entries.map(|entry| entry.is_ok_and(|entry| read_manifest(&entry.path()).is_ok()));
    if read_manifest(directory).is_ok() || each_is_ours.all(|ours| ours) {
        return Ok(());
    }
    Err(SuiteError::ForeignFolder(directory.to_owned()))
}

struct Writer<'a> {
    run: &'a Run,
    program: &'a Program,
    entry: FunctionId,
    sources: &'a Sources,
    options: &'a TestFolderOptions<'a>,
    folder: &'a Path,
}

impl Writer<'_> {
    /// `back` leads from the folder of the tests to the current one.
    fn write_all(&self, back: &str) -> Result<WrittenTests, SuiteError> {
        let subject = Subject {
            program: self.program,
            entry: self.entry,
            sources: self.sources,
            arguments: self.options.arguments,
        };
        let from_tests = |path: &Path| relative_path::join(back, path);
        let context = self.options.c_tests.then(|| {
            let mut context = subject.c_context(&from_tests)?;
            context.flags.extend(c_context::KLEE_INCLUDE.map(str::to_owned));
            Ok(context)
        });
        let mut written = WrittenTests {
            folder: TestFolder { manifest: self.manifest(back), tests: Vec::new() },
            c_tests: 0,
            without_c: Vec::new(),
        };
        let paths = self.run.paths.iter().filter_map(|path| test_case(self.run, path));
        let races = (1..).zip(&self.run.races).filter_map(|(number, race)| race_test(self.run, race, number));
        for test in paths.chain(races) {
            self.put(&format!("{}.json", test.name), test.to_json()?.as_bytes())?;
            self.put(&format!("{}.ktest", test.name), &self.ktest(&test).to_bytes()?)?;
            match context.as_ref().map(|context| {
                context.as_ref().map_err(Clone::clone).and_then(|it| c_program::render(&test, it))
            }) {
                None => {}
                Some(Ok(text)) => {
                    self.put(&format!("{}.c", test.name), text.as_bytes())?;
                    written.c_tests += 1;
                }
                Some(Err(why)) if written.without_c.contains(&why) => {}
                Some(Err(why)) => written.without_c.push(why),
            }
            written.folder.manifest.tests.push(test.name.clone());
            written.folder.tests.push(test);
        }
        if written.c_tests > 0 {
            self.put(INPUTS_FILE, INPUT_FUNCTIONS.as_bytes())?;
            std::fs::create_dir_all(self.folder.join("include/klee"))?;
            self.put("include/klee/klee.h", incise_libc::KLEE_HEADER.as_bytes())?;
        }
        // The manifest comes last: a folder with one is whole.
        self.put(MANIFEST_FILE, written.folder.manifest.to_json()?.as_bytes())?;
        Ok(written)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), SuiteError> {
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
        let groups = self.options.symbolic_arguments.iter();
        let (count, length) =
            groups.fold((0, 0), |(count, length), group| (count + group.most, group.length.max(length)));
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

/// A folder for the tests of a function: names in IR may hold anything.
pub fn folder_name(entry: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '$';
    entry.chars().map(|character| if plain(character) { character } else { '_' }).collect()
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
