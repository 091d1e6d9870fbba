//! Writes the files of tests.
//!
//! Tests of a suite have the same inputs and look at the same objects, one after the other: what a line begins with is
//! made once.

use crate::json::lines as json_lines;
use crate::json::value::{ShownOrigin, ShownValue};
use crate::test::json::{PlaceDocument, ProgramDocument, pointer_documents};
use crate::test::schedule::ScheduleDocument;
use crate::test::{Expected, TEST_SCHEMA, TestCase, TestError};
use crate::{Observed, Origin, Outcome, ProgramError, Value};

/// Writes tests that are much like each other.
#[derive(Debug, Default)]
pub struct TestWriter {
    inputs: Vec<Head>,
    finals: Vec<Head>,
    text: Vec<u8>,
}

/// What the line of an input, or of an object that is looked at, begins with.
#[derive(Debug)]
struct Head {
    name: String,
    origin: Origin,
    text: Vec<u8>,
}

impl TestWriter {
    /// The text of a test's file.
    pub fn text(&mut self, test: &TestCase) -> Result<&[u8], TestError> {
        self.text.clear();
        self.write(test)?;
        Ok(&self.text)
    }

    fn write(&mut self, test: &TestCase) -> Result<(), TestError> {
        let Self { inputs, finals, text } = self;
        text.extend_from_slice(b"{\n  \"schema\": \"");
        text.extend_from_slice(TEST_SCHEMA.as_bytes());
        text.extend_from_slice(b"\",\n  \"name\": ");
        string(text, &test.name)?;
        if test.program != crate::ProgramIdentity::default() {
            text.extend_from_slice(b",\n  \"program\": ");
            text.extend(json_lines::to_member(&ProgramDocument::from(&test.program))?.into_bytes());
        }
        text.extend_from_slice(b",\n  \"condition\": ");
        string(text, &test.condition)?;
        if !test.taken.is_empty() {
            text.extend_from_slice(b",\n  \"taken\": ");
            text.extend(json_lines::to_member(&test.taken)?.into_bytes());
        }
        text.extend_from_slice(b",\n  \"inputs\": [");
        for (index, input) in test.inputs.iter().enumerate() {
            text.extend_from_slice(if index == 0 { b"\n    " } else { b",\n    " });
            head(text, inputs, index, &input.name, &input.origin)?;
            hexadecimal(text, &input.bytes);
            if !input.pointers.is_empty() {
                text.extend_from_slice(b"\", \"pointers\": ");
                text.extend(json_lines::to_line(&pointer_documents(&input.pointers))?.into_bytes());
                text.extend_from_slice(b", \"value\": ");
            } else {
                text.extend_from_slice(b"\", \"value\": ");
            }
            value(text, &input.value)?;
            text.push(b'}');
        }
        text.extend_from_slice(if test.inputs.is_empty() { b"]" } else { b"\n  ]" });
        if let Some(schedule) = &test.schedule {
            text.extend_from_slice(b",\n  \"schedule\": ");
            text.extend(json_lines::to_member(&ScheduleDocument::of(schedule))?.into_bytes());
        }
        text.extend_from_slice(b",\n  \"expected\": ");
        match &test.expected {
            None => text.extend_from_slice(b"null"),
            Some(expected) => write_expected(text, finals, expected)?,
        }
        text.extend_from_slice(b"\n}\n");
        Ok(())
    }
}

fn write_expected(text: &mut Vec<u8>, heads: &mut Vec<Head>, expected: &Expected) -> Result<(), TestError> {
    text.extend_from_slice(b"{\n    \"outcome\": \"");
    text.extend_from_slice(expected.outcome.name().as_bytes());
    text.extend_from_slice(b"\",");
    match &expected.outcome {
        Outcome::Exited { status } => {
            text.extend_from_slice(format!("\n    \"exit_status\": {status},").as_bytes());
        }
        Outcome::Error(ProgramError { kind, message }) => {
            text.extend_from_slice(b"\n    \"error\": {\"kind\": ");
            string(text, kind.name())?;
            text.extend_from_slice(b", \"message\": ");
            string(text, message)?;
            text.extend_from_slice(b"},");
        }
        _ => {}
    }
    text.extend_from_slice(b"\n    \"location\": ");
    match &expected.place {
        None => text.extend_from_slice(b"null"),
        Some(place) => text.extend(json_lines::to_line(&PlaceDocument::from(place))?.into_bytes()),
    }
    text.extend_from_slice(b",\n    \"result\": ");
    match &expected.result {
        None => text.extend_from_slice(b"null"),
        Some(result) => {
            text.extend_from_slice(b"{\"bytes\": \"");
            observed(text, result)?;
        }
    }
    text.extend_from_slice(b",\n    \"finals\": [");
    for (index, each) in expected.finals.iter().enumerate() {
        text.extend_from_slice(if index == 0 { b"\n      " } else { b",\n      " });
        head(text, heads, index, &each.name, &each.origin)?;
        observed(text, &each.observed)?;
    }
    text.extend_from_slice(if expected.finals.is_empty() { b"]" } else { b"\n    ]" });
    for (name, bytes) in [("stdout", &expected.stdout), ("stderr", &expected.stderr)] {
        text.extend_from_slice(b",\n    \"");
        text.extend_from_slice(name.as_bytes());
        text.extend_from_slice(b"\": ");
        string(text, &crate::json::value::latin1(bytes))?;
    }
    text.extend_from_slice(b",\n    \"indeterminate\": ");
    text.extend_from_slice(if expected.indeterminate { b"true" } else { b"false" });
    text.extend_from_slice(b"\n  }");
    Ok(())
}

/// Writes a line until the digits of its bytes. What the line before it in the same place began with is known.
fn head(
    text: &mut Vec<u8>,
    known: &mut Vec<Head>,
    index: usize,
    name: &str,
    origin: &Origin,
) -> Result<(), TestError> {
    if known.get(index).is_none_or(|head| head.name != name || head.origin != *origin) {
        let mut line = b"{\"name\": ".to_vec();
        string(&mut line, name)?;
        line.extend_from_slice(b", \"origin\": ");
        line.extend(json_lines::to_line(&ShownOrigin(origin))?.into_bytes());
        line.extend_from_slice(b", \"bytes\": \"");
        known.truncate(index);
        known.push(Head { name: name.to_owned(), origin: origin.clone(), text: line });
    }
    text.extend_from_slice(&known[index].text);
    Ok(())
}

/// Writes what follows the quotation mark before the bytes of something that is looked at.
fn observed(text: &mut Vec<u8>, observed: &Observed) -> Result<(), TestError> {
    hexadecimal(text, &observed.bytes);
    text.extend_from_slice(b"\", \"comparable\": \"");
    for &is_comparable in &observed.comparable {
        text.extend_from_slice(if is_comparable { b"ff" } else { b"00" });
    }
    text.extend_from_slice(b"\", \"value\": ");
    value(text, &observed.value)?;
    text.push(b'}');
    Ok(())
}

fn value(text: &mut Vec<u8>, value: &Value) -> Result<(), TestError> {
    match value {
        // What has parts is written with blanks between them.
        Value::Struct(_) | Value::Array(_) | Value::Bytes(_) => {
            text.extend(json_lines::to_line(&ShownValue(value))?.into_bytes());
            Ok(())
        }
        Value::Enumerator(Some(name), _) => string(text, name),
        _ => Ok(serde_json::to_writer(text, &ShownValue(value))?),
    }
}

fn string(text: &mut Vec<u8>, string: &str) -> Result<(), TestError> {
    // All bytes are looked at, which takes less time than to stop at the first.
    let special = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
    if !string.bytes().fold(false, |any, byte| any | special(byte)) {
        text.push(b'"');
        text.extend_from_slice(string.as_bytes());
        text.push(b'"');
        return Ok(());
    }
    Ok(serde_json::to_writer(text, string)?)
}

fn hexadecimal(text: &mut Vec<u8>, bytes: &[u8]) {
    text.extend(bytes.iter().flat_map(|&byte| PAIRS[usize::from(byte)]));
}

/// The digits of each byte.
const PAIRS: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ErrorKind, Final, FloatFormat, Input, Place, PointerTo, ProgramIdentity, Schedule, ScheduleStep, Site,
    };

    /// A stream of numbers that looks random, and is the same each time.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, count: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % count
        }

        fn bytes(&mut self) -> Vec<u8> {
            (0..self.below(6)).map(|_| self.below(256) as u8).collect()
        }

        fn text(&mut self) -> String {
            let texts = ["x", "a long name", "\"", "\\", "\n\u{1}", "é", "", "s->next[2]"];
            texts[self.below(texts.len() as u64) as usize].to_owned()
        }

        fn origin(&mut self) -> Origin {
            match self.below(18) {
                0 => Origin::Parameter(self.below(3) as u32),
                1 => Origin::Pointee(self.text()),
                2 => Origin::Global(self.text()),
                3 => Origin::Klee,
                4 => Origin::Nondet(self.text()),
                5 => Origin::Argument(self.below(3) as u32),
                6 => Origin::Stdin,
                7 => Origin::Callback(self.text()),
                8 => Origin::Written { function: self.text(), call: self.below(3) as u32, way: self.text() },
                9 => Origin::File(self.text()),
                10 => Origin::Environment(self.text()),
                11 => Origin::Time,
                12 => Origin::Extent(self.text()),
                13 => Origin::Stream(self.text()),
                14 => Origin::Device,
                15 => Origin::Volatile,
                16 => Origin::Heap { within: self.text(), offset: self.below(99), addend: self.below(9) },
                _ => Origin::External(self.text()),
            }
        }

        fn value(&mut self, depth: u64) -> Value {
            match self.below(if depth == 0 { 9 } else { 11 }) {
                0 => Value::Signed(self.below(99) as i128 - 50),
                1 => Value::Signed(i128::from(i64::MIN) + i128::from(self.below(3))),
                2 => Value::Unsigned(u128::from(u64::MAX) * u128::from(self.below(3))),
                3 => Value::Boolean(self.below(2) == 0),
                4 => Value::Pointer((self.below(2) == 0).then(|| self.text())),
                5 => Value::Text(self.bytes()),
                6 => Value::Bytes(self.bytes()),
                7 => Value::Enumerator((self.below(2) == 0).then(|| self.text()), -3),
                8 => Value::Float(FloatFormat::Double, u128::from(self.0 | 1)),
                9 => Value::Array((0..self.below(3)).map(|_| self.value(depth - 1)).collect()),
                _ => {
                    Value::Struct((0..self.below(3)).map(|_| (self.text(), self.value(depth - 1))).collect())
                }
            }
        }

        fn observed(&mut self) -> Observed {
            let bytes = self.bytes();
            let comparable = bytes.iter().map(|_| self.below(3) > 0).collect();
            Observed::new(bytes, comparable, self.value(2))
        }

        fn schedule(&mut self) -> Schedule {
            let step = |numbers: &mut Self| ScheduleStep {
                thread: numbers.below(3) as u32,
                event: numbers.text(),
                object: (numbers.below(2) == 0).then(|| numbers.text()),
                starts: (0..numbers.below(3)).map(|each| each as u32).collect(),
                site: (numbers.below(3) > 0).then(|| Site {
                    function: numbers.text(),
                    instruction: numbers.below(9) as u32,
                    ..Site::default()
                }),
                ..ScheduleStep::default()
            };
            let steps = (0..self.below(4)).map(|_| step(self)).collect();
            Schedule {
                first: vec![1; self.below(3) as usize],
                steps,
                left: Vec::new(),
                race: self.below(2) == 0,
            }
        }

        fn test(&mut self) -> TestCase {
            let pointer = |numbers: &mut Self| PointerTo {
                offset: numbers.below(9),
                target: numbers.text(),
                addend: numbers.below(9),
            };
            let inputs = (0..self.below(4))
                .map(|_| Input {
                    name: self.text(),
                    origin: self.origin(),
                    bytes: self.bytes(),
                    pointers: (0..self.below(4).saturating_sub(1)).map(|_| pointer(self)).collect(),
                    value: self.value(2),
                })
                .collect();
            let outcome = match self.below(3) {
                0 => Outcome::Returned,
                1 => Outcome::Exited { status: self.below(300) as i32 - 9 },
                _ => {
                    let kind = ErrorKind::ALL[self.below(ErrorKind::ALL.len() as u64) as usize];
                    Outcome::Error(ProgramError { kind, message: self.text() })
                }
            };
            let expected = (self.below(8) > 0).then(|| Expected {
                outcome,
                place: (self.below(20) == 0).then(|| Place { file: self.text(), line: 1, column: 2 }),
                result: (self.below(2) == 0).then(|| self.observed()),
                finals: (0..self.below(4))
                    .map(|_| Final { name: self.text(), origin: self.origin(), observed: self.observed() })
                    .collect(),
                stdout: self.bytes(),
                stderr: if self.below(2) == 0 { Vec::new() } else { self.bytes() },
                indeterminate: self.below(2) == 0,
            });
            let files = (0..self.below(20) / 19).map(|_| self.text()).collect();
            let program = ProgramIdentity { files, ..ProgramIdentity::default() };
            TestCase {
                name: self.text(),
                program,
                condition: self.text(),
                taken: (0..self.below(20) / 18).map(|_| self.text()).collect(),
                inputs,
                schedule: (self.below(4) == 0).then(|| self.schedule()),
                expected,
            }
        }
    }

    #[test]
    fn tests_are_written_as_serde_writes_them() {
        let mut numbers = Numbers(1);
        let mut writer = TestWriter::default();
        let mut test = numbers.test();
        for _ in 0..3000 {
            // Some have the same lines as the one before, with other values.
            if numbers.below(2) == 0 {
                test = numbers.test();
            }
            for input in &mut test.inputs {
                (input.bytes, input.value) = (numbers.bytes(), numbers.value(1));
            }
            let text = String::from_utf8(writer.text(&test).unwrap().to_vec()).unwrap();
            assert_eq!(text, crate::test::reference::reference_text(&test));
        }
    }
}
