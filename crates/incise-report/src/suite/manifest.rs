//! A suite of tests that follows the code: its manifest, `suite.json`, schema `incise-suite/1`. Described in
//! `docs/suite.md`.
//!
//! It is made for version control: nothing in it depends on the time, the machine or the number of workers, and each
//! test has a line of its own, so that a change of the program changes the lines that it concerns.

use crate::suite::lines;
use crate::suite::path::PathCheck;
use crate::{LimitKind, OutcomeKind, SharedText};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use twox_hash::XxHash3_64;

/// The name of the schema, without its version.
const SCHEMA_NAME: &str = "incise-suite/";
/// The version that is written.
const SCHEMA_VERSION: u64 = 1;
/// The name and version of the schema.
pub const SUITE_SCHEMA: &str = "incise-suite/1";
/// The file's name in the folder of the suite.
pub const SUITE_FILE: &str = "suite.json";
/// What the hashes of files begin with.
const HASH_NAME: &str = "xxh3:";
/// The folder of the tests in that of the suite.
pub const SUITE_TESTS: &str = "tests";

/// A suite: what it was made from, and its tests.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SuiteManifest {
    /// The function under test.
    pub entry: String,
    /// How that function is declared, without its name; empty if debug information does not tell.
    pub signature: String,
    /// The program.
    pub program: SuiteProgram,
    /// How it was explored.
    pub options: SuiteOptions,
    /// The test sources that are written beside the tests, by name of the format.
    pub emit: Vec<String>,
    /// Whether the tests cover all paths: nothing was cut, unsupported, undecided or made concrete. On inputs as they
    /// were taken to be, if the options restrict them.
    pub complete: bool,
    /// The limits that cut something, in order.
    pub limits: Vec<LimitKind>,
    /// What was made concrete although other values were possible.
    pub concretised: Vec<String>,
    /// The paths without a test, because the solver gave no input for them.
    pub unsolved: Vec<UnsolvedPath>,
    /// The tests, in the order of a depth-first search.
    pub tests: Vec<SuiteEntry>,
}

/// The program of a suite. Files are named from the folder of the suite.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SuiteProgram {
    /// The files.
    pub files: Vec<String>,
    /// What was passed to the compiler.
    pub flags: Vec<String>,
    /// The optimisation level, e.g. `0`.
    pub optimisation: String,
    /// A hash of the files and of the headers of the user that they include.
    pub hash: String,
}

/// How a program was explored, as far as the result depends on it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SuiteOptions {
    /// `--array`: the elements that pointers point to.
    pub array: BTreeMap<String, u64>,
    /// `--concrete`: inputs with one value, in decimal.
    pub concrete: BTreeMap<String, String>,
    /// `--symbolic-globals`: `default`, `all`, `none`, or names separated by commas.
    pub symbolic_globals: String,
    /// `--pointer-depth`.
    pub pointer_depth: u32,
    /// `--no-null`.
    pub no_null: bool,
    /// `--malloc-fails`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub malloc_fails: bool,
    /// `--sym-args`, where it is so many arguments of one length: number and length.
    pub symbolic_arguments: Option<(u32, u32)>,
    /// `--sym-args` else: each time the least number, the largest, and the length.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub argument_groups: Vec<(u32, u32, u32)>,
    /// `--sym-stdin`.
    pub symbolic_stdin: u32,
    /// `--sym-file`: names and lengths, in the order in which the program finds them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symbolic_files: Vec<(String, u32)>,
    /// `--sym-env`: names and lengths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symbolic_environment: Vec<(String, u32)>,
    /// `--arg`.
    pub arguments: Vec<String>,
    /// `--closed`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
    /// `--check overflow`.
    pub check_overflow: bool,
    /// `--externals`: `error` or `havoc`.
    pub externals: String,
    /// `--search`: matters where a limit cuts.
    pub search: String,
    /// `--seed`: likewise.
    pub seed: u64,
    /// `--max-time`, in milliseconds.
    pub max_time_ms: u64,
    /// `--max-memory`, in bytes.
    pub max_memory: u64,
    /// `--max-paths`.
    pub max_paths: u64,
    /// `--max-depth`.
    pub max_depth: u64,
    /// `--max-loop`.
    pub max_loop: u64,
    /// `--max-instructions`.
    pub max_instructions: u64,
    /// `--max-stack`.
    pub max_stack: u64,
    /// `--solver-timeout`, in milliseconds.
    pub solver_timeout_ms: u64,
    /// `--inputs any`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any_inputs: bool,
    /// What the inputs were taken to be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<SuiteFact>,
    /// Pointers to structs of which the same is taken as of others: `list->next` as of `list`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub alike: BTreeMap<String, String>,
    /// How large inputs were made that nobody gave a size, where that is more than at first.
    #[serde(default, skip_serializing_if = "SuiteSizes::is_empty")]
    pub sizes: SuiteSizes,
}

/// What an input was taken to be.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SuiteFact {
    /// The fact, as a contract says it: `length to=room:bytes`.
    pub contract: String,
    /// The same, in words.
    pub words: String,
    /// Why.
    pub because: String,
    /// Where the evidence comes from.
    pub source: String,
    /// Whether inputs are left out by it.
    pub restricts: bool,
}

/// How large inputs were made.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SuiteSizes {
    /// The elements that pointers lead to.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elements: BTreeMap<String, u64>,
    /// The elements before the one that a pointer points to.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub before: BTreeMap<String, u64>,
    /// The words before it, by their distance, that are no pointers.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub numbers: BTreeSet<(String, u64)>,
    /// Pointers that were followed beyond the pointer depth, and how many steps further.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub deeper: BTreeMap<String, u32>,
    /// Pointers that may lead to the objects of others.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub same: BTreeSet<(String, String)>,
    /// Pointers to the end of what others begin.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ends: BTreeMap<String, String>,
    /// Variables of the environment that may be set.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub present: BTreeSet<String>,
}

impl SuiteSizes {
    /// Whether everything is as large as at first.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl SuiteOptions {
    /// Whether inputs are left out because of what they were taken to be.
    pub fn is_restricted(&self) -> bool {
        self.taken.iter().any(|fact| fact.restricts)
    }

    /// What inputs were taken to be, in a line; empty if nothing was taken.
    pub fn taken_words(&self) -> String {
        self.taken.iter().map(|fact| fact.words.as_str()).collect::<Vec<_>>().join("; ")
    }
}

/// A path without a test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnsolvedPath {
    /// Its decisions.
    pub path: String,
    /// Why it has none.
    pub reason: String,
}

/// One test of a suite.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SuiteEntry {
    /// Its name, which is also that of its file.
    pub name: SharedText,
    /// The decisions of its path.
    pub path: SharedText,
    /// The name of the path's outcome.
    pub outcome: SharedText,
    /// What is expected to happen, in words.
    pub expected: SharedText,
    /// Where it comes from.
    pub origin: TestOrigin,
    /// A hash of the test's file.
    pub hash: SharedText,
    /// Whether the program does something else than the test expects, and nobody accepted that so far.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pending: bool,
}

/// Where a test comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestOrigin {
    /// The exploration that the suite began with.
    Generated,
    /// An earlier version of the program, whose test is still good.
    Kept,
    /// A change of the program, which opened its path.
    Added,
}

/// Why a file is not the manifest of a suite that we can use.
#[derive(Debug, thiserror::Error)]
pub enum SuiteFormatError {
    /// It is not JSON, or not of the right form.
    #[error("not a suite of schema {SUITE_SCHEMA}: {0}")]
    Json(#[from] serde_json::Error),
    /// It was written for something else.
    #[error("its schema is {0:?}, expected {SUITE_SCHEMA:?}")]
    Schema(String),
    /// It was written by a later version of Incise.
    #[error(
        "its schema {0:?} is newer than {SUITE_SCHEMA:?}, the newest that this incise knows: use the incise that wrote it, or a later one"
    )]
    Newer(String),
    /// The name of a test could not be that of a file.
    #[error("it names a test {0:?}, which is no name of a test")]
    Name(String),
    /// Two tests have one name.
    #[error("it names the test {0:?} twice")]
    Twice(String),
    /// A limit means nothing.
    #[error("it names a limit {0:?}, which this incise does not know")]
    Limit(String),
    /// A path means nothing.
    #[error("the path of {0}: {1}")]
    Path(String, crate::suite::path::NoPath),
}

#[derive(Serialize)]
struct Header<'a> {
    schema: &'a str,
    entry: &'a str,
    signature: &'a str,
    program: &'a SuiteProgram,
    options: &'a SuiteOptions,
    emit: &'a [String],
    complete: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    as_taken: bool,
    limits: Vec<&'static str>,
    concretised: &'a [String],
    unsolved: &'a [UnsolvedPath],
}

#[derive(PartialEq, Debug, Deserialize)]
pub(super) struct Document {
    schema: String,
    entry: String,
    signature: String,
    program: SuiteProgram,
    options: SuiteOptions,
    emit: Vec<String>,
    complete: bool,
    limits: Vec<String>,
    concretised: Vec<String>,
    unsolved: Vec<UnsolvedPath>,
    pub(super) tests: Vec<SuiteEntry>,
}

/// What every version of the schema has.
#[derive(Deserialize)]
struct Versioned<'a> {
    #[serde(borrow, default)]
    schema: Cow<'a, str>,
}

impl SuiteManifest {
    /// The text of the file: each test on a line of its own.
    pub fn to_json(&self) -> Result<String, SuiteFormatError> {
        let header = Header {
            schema: SUITE_SCHEMA,
            entry: &self.entry,
            signature: &self.signature,
            program: &self.program,
            options: &self.options,
            emit: &self.emit,
            complete: self.complete,
            as_taken: self.options.is_restricted(),
            limits: self.limits.iter().map(|limit| limit.name()).collect(),
            concretised: &self.concretised,
            unsolved: &self.unsolved,
        };
        let mut text = serde_json::to_string_pretty(&header)?;
        // The tests come last, in the same object.
        text.truncate(text.trim_end_matches(['\n', '}']).len());
        text.push_str(",\n  \"tests\": [");
        text.reserve(self.tests.iter().map(|test| 128 + test.path.len() + test.expected.len()).sum());
        for (index, test) in self.tests.iter().enumerate() {
            text.push_str(if index == 0 { "\n    " } else { ",\n    " });
            lines::write(test, &mut text)?;
        }
        text.push_str(if self.tests.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
        Ok(text)
    }

    /// Reads the text of a file, which the tests have in common afterwards.
    pub fn from_json(text: impl Into<String>) -> Result<Self, SuiteFormatError> {
        let text = Arc::new(text.into());
        let document = match lines::read(&text).map_or_else(|| serde_json::from_str::<Document>(&text), Ok) {
            Ok(document) => document,
            // A later version may have another form, and then that is what is wrong.
            Err(error) => {
                check_schema(&serde_json::from_str::<Versioned<'_>>(&text)?.schema)?;
                return Err(error.into());
            }
        };
        check_schema(&document.schema)?;
        check_tests(&document.tests)?;
        Ok(Self {
            entry: document.entry,
            signature: document.signature,
            program: document.program,
            options: document.options,
            emit: document.emit,
            complete: document.complete,
            limits: document.limits.into_iter().map(limit).collect::<Result<_, _>>()?,
            concretised: document.concretised,
            unsolved: document.unsolved,
            tests: document.tests,
        })
    }
}

fn limit(name: String) -> Result<LimitKind, SuiteFormatError> {
    LimitKind::named(&name).ok_or(SuiteFormatError::Limit(name))
}

fn check_schema(schema: &str) -> Result<(), SuiteFormatError> {
    match schema.strip_prefix(SCHEMA_NAME).and_then(|version| version.parse::<u64>().ok()) {
        Some(SCHEMA_VERSION) => Ok(()),
        Some(version) if version > SCHEMA_VERSION => Err(SuiteFormatError::Newer(schema.to_owned())),
        _ => Err(SuiteFormatError::Schema(schema.to_owned())),
    }
}

fn check_tests(tests: &[SuiteEntry]) -> Result<(), SuiteFormatError> {
    let mut paths = PathCheck::default();
    let mut names = FxHashSet::with_capacity_and_hasher(tests.len(), Default::default());
    for test in tests {
        // A name with a separator in it would lead out of the folder.
        let plain = |each: u8| each.is_ascii_alphanumeric() || matches!(each, b'_' | b'$' | b'-');
        if test.name.is_empty() || !test.name.bytes().all(plain) {
            return Err(SuiteFormatError::Name(test.name.to_string()));
        }
        if !names.insert(test.name.as_str()) {
            return Err(SuiteFormatError::Twice(test.name.to_string()));
        }
        if let Err(error) = paths.check(&test.path) {
            return Err(SuiteFormatError::Path(test.name.to_string(), error));
        }
    }
    Ok(())
}

impl SuiteEntry {
    /// In which way its path ended; `None` if another Incise has a way that this one does not know.
    pub fn ending(&self) -> Option<OutcomeKind> {
        OutcomeKind::named(&self.outcome)
    }

    /// The hash as a number; `None` if it is no hash of ours.
    pub fn hash_number(&self) -> Option<u64> {
        let digits = self.hash.strip_prefix(HASH_NAME)?;
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let plain = digits.len() == 16 && digits.bytes().all(is_digit);
        plain.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
    }
}

/// The hash of a file as manifests have it (XXH3, 64 bits): finds damage, not malice.
pub fn file_hash(bytes: &[u8]) -> String {
    format!("{HASH_NAME}{:016x}", hash_number(bytes))
}

/// The same as a number.
pub fn hash_number(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> SuiteManifest {
        let test = |name: &str, path: &str| SuiteEntry {
            name: name.into(),
            path: path.into(),
            outcome: "returned".into(),
            expected: "returns \"2\"".into(),
            origin: TestOrigin::Generated,
            hash: file_hash(b"a").into(),
            pending: false,
        };
        SuiteManifest {
            entry: "mid".to_owned(),
            signature: "int (int, int, int)".to_owned(),
            complete: true,
            options: SuiteOptions {
                concrete: [("x".to_owned(), "-3".to_owned())].into(),
                ..SuiteOptions::default()
            },
            tests: vec![test("mid-1", "mid+1T +2F"), test("mid-2", "")],
            ..SuiteManifest::default()
        }
    }

    #[test]
    fn a_suite_survives_both_ways() {
        let text = example().to_json().unwrap();
        assert_eq!(SuiteManifest::from_json(text).unwrap(), example());
        let empty = SuiteManifest { tests: Vec::new(), ..example() };
        assert_eq!(SuiteManifest::from_json(empty.to_json().unwrap()).unwrap(), empty);
    }

    #[test]
    fn hashes_are_numbers() {
        let entry = |hash: &str| SuiteEntry { hash: hash.into(), ..example().tests[0].clone() };
        assert_eq!(entry(&file_hash(b"a")).hash_number(), Some(hash_number(b"a")));
        assert_eq!(entry("xxh3:00000000000000ff").hash_number(), Some(255));
        for other in ["xxh3:ff", "xxh3:00000000000000FF", "xxh3:+0000000000000ff", "fnv:00000000000000ff", ""]
        {
            assert_eq!(entry(other).hash_number(), None, "{other}");
        }
    }

    #[test]
    fn each_test_has_a_line() {
        let text = example().to_json().unwrap();
        let line = r#"    {"name": "mid-1", "path": "mid+1T +2F", "outcome": "returned", "expected": "returns \"2\"", "origin": "generated", "hash": "xxh3:e6c632b61e964e1f"},"#;
        assert!(text.lines().any(|each| each == line), "{text}");
        let fewer = SuiteManifest { tests: example().tests[1..].to_vec(), ..example() }.to_json().unwrap();
        let kept: Vec<&str> = text.lines().filter(|each| !each.contains("mid-1")).collect();
        assert_eq!(kept, fewer.lines().collect::<Vec<_>>());
    }

    #[test]
    fn other_files_are_refused_with_their_reason() {
        let text = example().to_json().unwrap();
        let read = |text: &str| SuiteManifest::from_json(text);
        assert!(matches!(read(&text[..text.len() / 2]), Err(SuiteFormatError::Json(_))));
        assert!(matches!(read(&text.replace("\"entry\"", "\"entri\"")), Err(SuiteFormatError::Json(_))));
        assert!(matches!(read("{\"schema\": \"incise-suite/2\"}"), Err(SuiteFormatError::Newer(_))));
        assert!(matches!(read(&text.replace("suite/1", "tests/1")), Err(SuiteFormatError::Schema(_))));
        assert!(matches!(read("{}"), Err(SuiteFormatError::Schema(_))));
        assert!(matches!(read(&text.replace("\"mid-1", "\"../mid")), Err(SuiteFormatError::Name(_))));
        assert!(matches!(read(&text.replace("mid-1", "mid-2")), Err(SuiteFormatError::Twice(_))));
        assert!(matches!(read(&text.replace("+2F", "+2G")), Err(SuiteFormatError::Path(..))));
    }
}
