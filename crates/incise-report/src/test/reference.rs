//! The files of tests as serde writes them: what the writer of tests is compared with.

use crate::json::lines as json_lines;
use crate::json::value::{ShownOrigin, ShownValue, hex, latin1};
use crate::test::json::{ErrorDocument, PlaceDocument, PointerDocument, ProgramDocument, pointer_documents};
use crate::test::schedule::ScheduleDocument;
use crate::test::{Expected, TEST_SCHEMA, TestCase};
use crate::{Final, Input, Observed, Outcome, ProgramError};
use serde::Serialize;

/// The text of a test's file.
pub(crate) fn reference_text(test: &TestCase) -> String {
    let document = TestDocument {
        schema: TEST_SCHEMA,
        name: &test.name,
        program: (&test.program).into(),
        condition: &test.condition,
        taken: &test.taken,
        inputs: test.inputs.iter().map(input_document).collect(),
        schedule: test.schedule.as_ref().map(ScheduleDocument::of),
        expected: test.expected.as_ref().map(expected_document),
    };
    json_lines::to_text(&document).expect("a document is written")
}

fn no_program(program: &ProgramDocument) -> bool {
    program.files.is_empty()
        && program.flags.is_empty()
        && program.entry.is_empty()
        && program.hash.is_empty()
}

#[derive(Serialize)]
struct TestDocument<'a> {
    schema: &'static str,
    name: &'a str,
    /// Left out in a suite, whose manifest says it once for all.
    #[serde(skip_serializing_if = "no_program")]
    program: ProgramDocument,
    condition: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    taken: &'a [String],
    inputs: Vec<InputDocument<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<ScheduleDocument>,
    expected: Option<ExpectedDocument<'a>>,
}

#[derive(Serialize)]
struct InputDocument<'a> {
    name: &'a str,
    origin: ShownOrigin<'a>,
    bytes: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pointers: Vec<PointerDocument>,
    value: ShownValue<'a>,
}

#[derive(Serialize)]
struct ExpectedDocument<'a> {
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_status: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorDocument>,
    location: Option<PlaceDocument>,
    result: Option<ObservedDocument<'a>>,
    finals: Vec<FinalDocument<'a>>,
    stdout: String,
    stderr: String,
    indeterminate: bool,
}

#[derive(Serialize)]
struct ObservedDocument<'a> {
    bytes: String,
    /// Two digits a byte as `bytes`: `ff` where it can be compared, `00` where not.
    comparable: String,
    value: ShownValue<'a>,
}

#[derive(Serialize)]
struct FinalDocument<'a> {
    name: &'a str,
    origin: ShownOrigin<'a>,
    bytes: String,
    comparable: String,
    value: ShownValue<'a>,
}

fn input_document(input: &Input) -> InputDocument<'_> {
    InputDocument {
        name: &input.name,
        origin: ShownOrigin(&input.origin),
        bytes: hex(&input.bytes),
        pointers: pointer_documents(&input.pointers),
        value: ShownValue(&input.value),
    }
}

fn expected_document(expected: &Expected) -> ExpectedDocument<'_> {
    ExpectedDocument {
        outcome: expected.outcome.name(),
        exit_status: match expected.outcome {
            Outcome::Exited { status } => Some(status),
            _ => None,
        },
        error: match &expected.outcome {
            Outcome::Error(ProgramError { kind, message }) => {
                Some(ErrorDocument { kind: kind.to_string(), message: message.clone() })
            }
            _ => None,
        },
        location: expected.place.as_ref().map(PlaceDocument::from),
        result: expected.result.as_ref().map(observed_document),
        finals: expected.finals.iter().map(final_document).collect(),
        stdout: latin1(&expected.stdout),
        stderr: latin1(&expected.stderr),
        indeterminate: expected.indeterminate,
    }
}

fn final_document(each: &Final) -> FinalDocument<'_> {
    let ObservedDocument { bytes, comparable, value } = observed_document(&each.observed);
    FinalDocument { name: &each.name, origin: ShownOrigin(&each.origin), bytes, comparable, value }
}

fn observed_document(observed: &Observed) -> ObservedDocument<'_> {
    let mask: Vec<u8> = observed.comparable.iter().map(|&yes| if yes { 0xff } else { 0 }).collect();
    ObservedDocument {
        bytes: hex(&observed.bytes),
        comparable: hex(&mask),
        value: ShownValue(&observed.value),
    }
}
