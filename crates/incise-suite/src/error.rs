//! What can be wrong with folders of tests and suites.

use incise_exec::ExploreError;
use incise_frontend::FrontendError;
use incise_reading::ContractError;
use incise_replay::ReplayError;
use incise_report::suite::path::NoPath;
use incise_report::suite::{SUITE_FILE, SuiteFormatError};
use incise_report::test::TestError;
use incise_report::test::ktest::KtestError;
use incise_report::test::manifest::{MANIFEST_FILE, ManifestError};
use std::io;
use std::num::ParseIntError;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why tests or a suite cannot be read, written, run or brought over.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// A program or a function is not as it has to be.
    #[error(transparent)]
    Frontend(#[from] FrontendError),
    /// Tests cannot be run natively.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A program cannot be explored.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// Something cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A manifest of tests cannot be written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A manifest of a suite cannot be written.
    #[error(transparent)]
    Format(#[from] SuiteFormatError),
    /// A test cannot be written.
    #[error(transparent)]
    Test(#[from] TestError),
    /// A test cannot be written for KLEE's tools.
    #[error(transparent)]
    Ktest(#[from] KtestError),
    /// A test is no text.
    #[error(transparent)]
    Text(#[from] std::str::Utf8Error),
    /// A path of a suite cannot be read.
    #[error(transparent)]
    Path(#[from] NoPath),
    /// A file or folder cannot be read.
    #[error("{} cannot be read", .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    /// A file or folder is not there.
    #[error("{} cannot be found", .0.display())]
    NotFound(PathBuf, #[source] io::Error),
    /// A path has bytes that are no text.
    #[error("the path {} is no text", .0.display())]
    PathIsNoText(PathBuf),
    /// A test is damaged.
    #[error("{}", .0.display())]
    DamagedTest(PathBuf, #[source] TestError),
    /// A test of a suite is damaged.
    #[error("{0}")]
    Damaged(String),
    /// The manifest of a folder of tests is damaged.
    #[error("{}", .0.display())]
    DamagedManifest(PathBuf, #[source] ManifestError),
    /// The manifest of a suite is damaged.
    #[error("{} cannot be used", .0.display())]
    DamagedSuite(PathBuf, #[source] SuiteFormatError),
    /// A manifest names something that is no file in its folder.
    #[error("{} names a test {name:?}, which is no file name", .manifest.display())]
    NoFileName {
        /// The manifest.
        manifest: PathBuf,
        /// What it names.
        name: String,
    },
    /// A folder of tests was expected, and there is a suite.
    #[error("{} holds a suite", .0.display())]
    HoldsSuite(PathBuf),
    /// A folder of tests was expected, and there is a folder of such folders.
    #[error("{} holds no tests of incise itself, but {} does", .outer.display(), .inner.display())]
    TestsWithin {
        /// The folder.
        outer: PathBuf,
        /// The first in it that holds tests.
        inner: PathBuf,
    },
    /// A folder of tests was expected.
    #[error("{} holds no tests of incise: {MANIFEST_FILE} cannot be read: {why}", .folder.display())]
    NoTests {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        why: io::Error,
    },
    /// A suite was expected.
    #[error("{} holds no suite: {SUITE_FILE} cannot be read: {why}; `incise suite generate` makes one", .folder.display())]
    NoSuite {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        why: io::Error,
    },
    /// A file is where a folder is to be.
    #[error("{} exists and is no folder; choose another one for the {what}", .path.display())]
    NoFolder {
        /// Where.
        path: PathBuf,
        /// What it is to hold.
        what: &'static str,
    },
    /// A folder is not ours to replace.
    #[error("{} holds files that incise did not write; choose an empty or new folder for the tests", .0.display())]
    ForeignFolder(PathBuf),
    /// A file in a folder is not ours to remove.
    #[error("{} holds {file}, which incise did not write; move it away, or choose another folder for the suite", .folder.display())]
    ForeignFile {
        /// The folder.
        folder: PathBuf,
        /// The file.
        file: String,
    },
    /// There is a suite for another function.
    #[error("{} holds a suite for {holds}, not for {entry}; choose another folder, or remove it first", .folder.display())]
    OtherSuite {
        /// The folder.
        folder: PathBuf,
        /// The function of the suite that is there.
        holds: String,
        /// The function that was asked for.
        entry: String,
    },
    /// The root of the file system, or its like.
    #[error("{} is no folder that could be replaced", .0.display())]
    NotReplaceable(PathBuf),
    /// A folder cannot be made.
    #[error("the folder {} cannot be made", .0.display())]
    NotMade(PathBuf, #[source] io::Error),
    /// Nothing can be made beside a folder.
    #[error("{} cannot be written: nothing can be made in {}", .folder.display(), .parent.display())]
    NoRoom {
        /// The folder.
        folder: PathBuf,
        /// Where there is no room.
        parent: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A folder that stepped aside cannot come back.
    #[error("{} cannot be put back", .0.display())]
    NotPutBack(PathBuf, #[source] io::Error),
    /// What was written cannot be put where it belongs.
    #[error("{} cannot be put in place", .0.display())]
    NotPutInPlace(PathBuf, #[source] io::Error),
    /// A file or folder cannot be written.
    #[error("{} cannot be written", .0.display())]
    NotWritten(PathBuf, #[source] Box<SuiteError>),
    /// A folder of tests cannot be written.
    #[error("tests cannot be written to {}", .0.display())]
    TestsNotWritten(PathBuf, #[source] Box<SuiteError>),
    /// Somebody wrote to a test while it was taken over.
    #[error("{} changed while the suite was brought over", .0.display())]
    ChangedMeanwhile(PathBuf),
    /// Test sources cannot be written for this program.
    #[error("test sources for {form} cannot be written: {why}")]
    NoTestSources {
        /// The form of the sources.
        form: &'static str,
        /// Why.
        why: String,
    },
    /// Clang is not there.
    #[error("clang cannot be started")]
    ClangNotStarted(#[source] io::Error),
    /// Clang was ended from outside.
    #[error("interrupted")]
    Interrupted,
    /// Clang does not tell what a file includes.
    #[error("clang cannot tell which headers {} includes: {said}", .file.display())]
    HeadersUnknown {
        /// The file.
        file: PathBuf,
        /// What clang said.
        said: String,
    },
    /// A suite was written by another Incise.
    #[error("what the suite takes of inputs comes from {0:?}, which this incise does not know")]
    UnknownEvidence(String),
    /// What a suite takes of inputs cannot be read.
    #[error("what the suite takes of inputs: {0:?}")]
    NoFact(String, #[source] ContractError),
    /// A value of a suite cannot be read.
    #[error("the option concrete gives {name} the value {value:?}")]
    NoValue {
        /// The input.
        name: String,
        /// Its value.
        value: String,
        /// What is wrong with it.
        #[source]
        source: ParseIntError,
    },
    /// An option of a suite is not known.
    #[error("the option {option} is {value:?}, which this incise does not know")]
    UnknownOption {
        /// Its name.
        option: &'static str,
        /// Its value.
        value: String,
    },
    /// The program is compiled otherwise than the suite says.
    #[error(
        "the suite was made with `{made_with}`, but the flags given are `{given}`: leave them away to use those of the suite, \
         or make a suite for them with `incise suite generate`"
    )]
    OtherFlags {
        /// The flags of the suite.
        made_with: String,
        /// The others.
        given: String,
    },
    /// The suite was brought over already.
    #[error(
        "the suite in {} is for NEW already: give the version that it was made for as OLD, and what comes after it as NEW",
        .0.display()
    )]
    AlreadyForNew(PathBuf),
    /// The old version is not the one that the suite was made for.
    #[error(
        "the suite in {} was made for another program than OLD: give the version that it was made for, \
         or make it anew with `incise suite generate`",
        .0.display()
    )]
    OtherProgram(PathBuf),
    /// The function is gone.
    #[error(
        "NEW has no function {entry}, so that all {tests} tests in {} are obsolete: remove the suite, or make one \
         for another function with `incise suite generate`",
        .folder.display()
    )]
    FunctionGone {
        /// The function.
        entry: String,
        /// How many tests it has.
        tests: usize,
        /// The folder of the suite.
        folder: PathBuf,
    },
    /// The program does not have the function that the suite tests.
    #[error(
        "the suite in {} tests {entry}, which this program does not have: give the files that define it, \
         or make another suite with `incise suite generate`",
        .folder.display()
    )]
    NoEntry {
        /// The folder of the suite.
        folder: PathBuf,
        /// The function.
        entry: String,
        /// What is there instead.
        #[source]
        source: Box<FrontendError>,
    },
    /// The function of that name is another one.
    #[error(
        "{entry} is declared as `{now}`, but the suite in {} was made for `{before}`: its inputs do not fit; \
         make another suite with `incise suite generate`",
        .folder.display()
    )]
    OtherSignature {
        /// The function.
        entry: String,
        /// How it is declared.
        now: String,
        /// The folder of the suite.
        folder: PathBuf,
        /// How it was declared.
        before: String,
    },
    /// A test has no result.
    #[error("a test was not run")]
    NotRun,
}

impl From<rustix::io::Errno> for SuiteError {
    fn from(error: rustix::io::Errno) -> Self {
        Self::Io(error.into())
    }
}

impl SuiteError {
    /// That a file or folder cannot be written, because of this.
    pub(crate) fn writing(self, path: &Path) -> Self {
        Self::NotWritten(path.to_owned(), Box::new(self))
    }
}
