//! One test as JSON, schema `incise-test/1`: the inputs of a path and what is expected to happen. Written by
//! `incise run --tests`, read by `incise replay`; described in `docs/json.md`.

use crate::json::value::{OriginDocument, from_hex, from_latin1, read_value};
use crate::test::schedule::ScheduleDocument;
use crate::test::writer::TestWriter;
use crate::test::{Expected, TestCase};
use crate::{
    ErrorKind, Final, Input, Observed, Origin, Outcome, Place, PointerTo, ProgramError, ProgramIdentity,
};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::borrow::Cow;

/// The name and version of the schema.
pub const TEST_SCHEMA: &str = "incise-test/1";

/// Why a file is not a test.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// It is not JSON, or not of the right form.
    #[error("not a test of schema {TEST_SCHEMA}: {0}")]
    Json(#[from] serde_json::Error),
    /// It has another schema.
    #[error("its schema is {0:?}, expected {TEST_SCHEMA:?}")]
    Schema(String),
    /// It is no text.
    #[error(transparent)]
    Text(#[from] std::str::Utf8Error),
    /// A field has a value that means nothing.
    #[error("the value of {0:?} means nothing")]
    Field(&'static str),
}

#[derive(Serialize, Deserialize, Default)]
pub(crate) struct ProgramDocument {
    pub(crate) files: Vec<String>,
    pub(crate) flags: Vec<String>,
    pub(crate) entry: String,
    pub(crate) hash: String,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct PointerDocument {
    offset: u64,
    target: String,
    addend: u64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct ErrorDocument {
    pub(crate) kind: String,
    pub(crate) message: String,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct PlaceDocument {
    file: String,
    line: u32,
    column: u32,
}

/// The same as they are read: suites have tens of thousands of tests, and nothing is copied that is not kept.
#[derive(Deserialize)]
struct ReadTest<'a> {
    #[serde(borrow)]
    schema: Cow<'a, str>,
    name: String,
    #[serde(default)]
    program: ProgramDocument,
    condition: String,
    #[serde(default)]
    taken: Vec<String>,
    #[serde(borrow)]
    inputs: Vec<ReadInput<'a>>,
    #[serde(default)]
    schedule: Option<ScheduleDocument>,
    #[serde(borrow)]
    expected: Option<ReadExpected<'a>>,
}

#[derive(Deserialize)]
struct ReadInput<'a> {
    name: String,
    #[serde(borrow)]
    origin: OriginDocument<'a>,
    #[serde(borrow)]
    bytes: Cow<'a, str>,
    #[serde(default)]
    pointers: Vec<PointerDocument>,
    value: Json,
}

#[derive(Deserialize)]
struct ReadExpected<'a> {
    #[serde(borrow)]
    outcome: Cow<'a, str>,
    exit_status: Option<i32>,
    error: Option<ErrorDocument>,
    location: Option<PlaceDocument>,
    #[serde(borrow)]
    result: Option<ReadObserved<'a>>,
    #[serde(borrow)]
    finals: Vec<ReadFinal<'a>>,
    #[serde(borrow)]
    stdout: Cow<'a, str>,
    #[serde(borrow)]
    stderr: Cow<'a, str>,
    indeterminate: bool,
}

#[derive(Deserialize)]
struct ReadObserved<'a> {
    #[serde(borrow)]
    bytes: Cow<'a, str>,
    #[serde(borrow)]
    comparable: Cow<'a, str>,
    value: Json,
}

#[derive(Deserialize)]
struct ReadFinal<'a> {
    name: String,
    #[serde(borrow)]
    origin: OriginDocument<'a>,
    #[serde(borrow)]
    bytes: Cow<'a, str>,
    #[serde(borrow)]
    comparable: Cow<'a, str>,
    value: Json,
}

impl From<&ProgramIdentity> for ProgramDocument {
    fn from(program: &ProgramIdentity) -> Self {
        Self {
            files: program.files.clone(),
            flags: program.flags.clone(),
            entry: program.entry.clone(),
            hash: program.hash.clone(),
        }
    }
}

impl From<&Place> for PlaceDocument {
    fn from(place: &Place) -> Self {
        Self { file: place.file.clone(), line: place.line, column: place.column }
    }
}

impl From<PlaceDocument> for Place {
    fn from(place: PlaceDocument) -> Self {
        Self { file: place.file, line: place.line, column: place.column }
    }
}

impl From<ProgramDocument> for ProgramIdentity {
    fn from(document: ProgramDocument) -> Self {
        Self { files: document.files, flags: document.flags, entry: document.entry, hash: document.hash }
    }
}

impl TestCase {
    /// The text of the file: each input, and each object that is looked at, on a line of its own.
    pub fn to_json(&self) -> Result<String, TestError> {
        let mut writer = TestWriter::default();
        Ok(std::str::from_utf8(writer.text(self)?)?.to_owned())
    }

    /// Reads the text of a file. Typed values are for people, and are read well enough to be shown again.
    pub fn from_json(text: &str) -> Result<Self, TestError> {
        let document: ReadTest<'_> = serde_json::from_str(text)?;
        if document.schema != TEST_SCHEMA {
            return Err(TestError::Schema(document.schema.into_owned()));
        }
        Ok(Self {
            name: document.name,
            program: document.program.into(),
            condition: document.condition,
            taken: document.taken,
            inputs: document.inputs.into_iter().map(read_input).collect::<Result<_, _>>()?,
            schedule: document.schedule.map(ScheduleDocument::read),
            expected: document.expected.map(read_expected).transpose()?,
        })
    }
}

/// Where pointers point to, as they are written.
pub(crate) fn pointer_documents(pointers: &[PointerTo]) -> Vec<PointerDocument> {
    pointers.iter().map(pointer_document).collect()
}

fn pointer_document(pointer: &PointerTo) -> PointerDocument {
    PointerDocument { offset: pointer.offset, target: pointer.target.clone(), addend: pointer.addend }
}

fn read_input(document: ReadInput<'_>) -> Result<Input, TestError> {
    let bytes = from_hex(&document.bytes).ok_or(TestError::Field("bytes"))?;
    let pointer =
        |each: PointerDocument| PointerTo { offset: each.offset, target: each.target, addend: each.addend };
    Ok(Input {
        name: document.name,
        origin: document.origin.read().ok_or(TestError::Field("origin"))?,
        value: read_value(&document.value, &bytes),
        bytes,
        pointers: document.pointers.into_iter().map(pointer).collect(),
    })
}

fn read_expected(document: ReadExpected<'_>) -> Result<Expected, TestError> {
    let outcome = match (document.outcome.as_ref(), document.exit_status, document.error) {
        ("returned", None, None) => Outcome::Returned,
        ("exited", Some(status), None) => Outcome::Exited { status },
        ("error", None, Some(ErrorDocument { kind, message })) => {
            let kind = ErrorKind::named(&kind).ok_or(TestError::Field("kind"))?;
            Outcome::Error(ProgramError { kind, message })
        }
        _ => return Err(TestError::Field("outcome")),
    };
    let final_value = |each: ReadFinal<'_>| -> Result<Final, TestError> {
        let ReadFinal { name, origin, bytes, comparable, value } = each;
        let origin = origin.read().ok_or(TestError::Field("origin"))?;
        Ok(Final { name, origin, observed: read_observed(ReadObserved { bytes, comparable, value })? })
    };
    Ok(Expected {
        outcome,
        place: document.location.map(Place::from),
        result: document.result.map(read_observed).transpose()?,
        finals: document.finals.into_iter().map(final_value).collect::<Result<_, _>>()?,
        stdout: from_latin1(&document.stdout).ok_or(TestError::Field("stdout"))?,
        stderr: from_latin1(&document.stderr).ok_or(TestError::Field("stderr"))?,
        indeterminate: document.indeterminate,
    })
}

fn read_observed(document: ReadObserved<'_>) -> Result<Observed, TestError> {
    let bytes = from_hex(&document.bytes).ok_or(TestError::Field("bytes"))?;
    let mask = from_hex(&document.comparable).ok_or(TestError::Field("comparable"))?;
    if mask.len() != bytes.len() {
        return Err(TestError::Field("comparable"));
    }
    let comparable = mask.iter().map(|&each| each != 0).collect();
    let value = read_value(&document.value, &bytes);
    Ok(Observed::new(bytes, comparable, value))
}

impl Origin {
    /// The name that a `.ktest` object of this origin has, if it has one of its own: as KLEE names them.
    pub fn ktest_name(&self) -> Option<String> {
        match self {
            Self::Argument(index) => Some(format!("arg{:02}", index.saturating_sub(1))),
            Self::Stdin => Some("stdin".to_owned()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    fn example() -> TestCase {
        let bytes = vec![1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        TestCase {
            name: "test000001".to_owned(),
            program: ProgramIdentity {
                files: vec!["list.c".to_owned()],
                flags: vec!["-DN=3".to_owned()],
                entry: "sum".to_owned(),
                hash: "fnv1a:0".to_owned(),
            },
            condition: "list != 0".to_owned(),
            taken: vec!["list is not null: it is always dereferenced".to_owned()],
            inputs: vec![Input {
                name: "list".to_owned(),
                origin: Origin::Pointee("list".to_owned()),
                bytes: bytes.clone(),
                pointers: vec![PointerTo { offset: 8, target: "list->next".to_owned(), addend: 0 }],
                value: Value::Bytes(bytes),
            }],
            schedule: None,
            expected: Some(Expected {
                outcome: Outcome::Exited { status: 3 },
                place: Some(Place { file: "list.c".to_owned(), line: 3, column: 0 }),
                result: Some(Observed::new(vec![7, 8], vec![true, false], Value::Bytes(vec![7, 8]))),
                finals: Vec::new(),
                stdout: b"\xff\n".to_vec(),
                stderr: Vec::new(),
                indeterminate: false,
            }),
        }
    }

    #[test]
    fn a_test_survives_both_ways() {
        let text = example().to_json().unwrap();
        assert_eq!(TestCase::from_json(&text).unwrap(), example());
        let without = TestCase { expected: None, ..example() };
        assert_eq!(TestCase::from_json(&without.to_json().unwrap()).unwrap(), without);
        // In a suite, the manifest names the program.
        let in_suite = TestCase { program: ProgramIdentity::default(), taken: Vec::new(), ..example() };
        let text = in_suite.to_json().unwrap();
        assert!(!text.contains("\"program\"") && !text.contains("\"taken\""), "{text}");
        assert_eq!(TestCase::from_json(&text).unwrap(), in_suite);
    }

    #[test]
    fn other_files_are_refused() {
        assert!(matches!(TestCase::from_json("{"), Err(TestError::Json(_))));
        let text = example().to_json().unwrap();
        let newer = text.replace("incise-test/1", "incise-test/2");
        assert!(matches!(TestCase::from_json(&newer), Err(TestError::Schema(_))));
        let unequal = text.replace("ff00", "ff");
        assert!(matches!(TestCase::from_json(&unequal), Err(TestError::Field("comparable"))));
        let strange = text.replace("exited", "returned");
        assert!(matches!(TestCase::from_json(&strange), Err(TestError::Field("outcome"))));
    }
}
