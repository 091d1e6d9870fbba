//! Tests of schema `incise-test/1` by the lines that we write them in.
//!
//! A suite has tens of thousands of tests, and of most of them only the bytes are needed: those of the inputs, and
//! those that are expected in the end. To find these, lines are taken apart as
//! [`TestCase::to_json`](crate::TestCase::to_json) puts them together (`lines.rs`). A text in another form is none that
//! can be read here, although it may be a test. What nobody needs is not looked at, so that a text should be known to
//! be as it was written: by its hash. What is the same in test after test is kept once, and found by comparison
//! (`known.rs`).
//!
//! This is a second reader beside [`TestCase::from_json`](crate::TestCase::from_json), which reads every test. It is
//! there because it is measured to matter: the 16,384 tests of `bench/diamonds.c` with N=14 are read here in 5 ms, and
//! there in 77 ms (release build), while all of `incise suite update` on them takes 120 to 170 ms of processor time. A
//! check of the suite starts a process for each test, and reads them by the other. The tests below hold both against
//! each other, on whatever one changed character makes of a test.

mod known;
mod lines;
mod shapes;

use crate::ErrorKind;
use crate::json::value::from_latin1;
use serde::{Deserialize, Serialize};
pub use shapes::{Packed, Shapes};
use std::ops::Range;
use std::sync::Arc;

/// The bytes of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestBytes {
    outline: Arc<Outline>,
    /// Those of the inputs; then of the result and of each final value the bytes and, for each of them, zero if it
    /// cannot be compared.
    bytes: Box<[u8]>,
    expected: Option<Ending>,
}

/// What tests have in common.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Outline {
    inputs: Vec<BytesLine>,
    /// One, or none.
    result: Vec<BytesLine>,
    finals: Vec<BytesLine>,
}

/// An input, or something that is looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct BytesLine {
    /// The line until the digits of its bytes.
    head: Box<str>,
    /// Where its name is in there.
    name: Range<usize>,
    origin: Origin,
    size: usize,
    /// Whether the value may be a pointer, so that the bytes do not tell.
    may_be_pointer: bool,
}

/// Where something comes from; names are places in the head of the line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Origin {
    Global(Range<usize>),
    Pointee(Range<usize>),
    Other,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Ending {
    outcome: BytesOutcome,
    /// Standard output and standard error as JSON strings, if there is any.
    output: Option<Box<(String, String)>>,
    indeterminate: bool,
}

/// Where an input comes from, or what is looked at.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OriginName<'a> {
    /// A global variable, by its symbol.
    Global(&'a str),
    /// What a pointer leads to.
    Pointee(&'a str),
    /// Anything else.
    Other,
}

/// How a test ends.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum BytesOutcome {
    /// The entry returns.
    Returned,
    /// The program exits with a status.
    Exited(i32),
    /// An error of a kind.
    #[serde(with = "kind_name")]
    Error(ErrorKind),
}

/// Kinds of errors are kept by their names.
mod kind_name {
    use crate::ErrorKind;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::borrow::Cow;

    pub(super) fn serialize<S: Serializer>(kind: &ErrorKind, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(kind.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ErrorKind, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        ErrorKind::named(&name).ok_or_else(|| D::Error::custom("no kind of error"))
    }
}

/// Bytes that are looked at.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SeenBytes<'a> {
    /// Themselves.
    pub bytes: &'a [u8],
    /// For each of them zero if it cannot be compared.
    pub comparable: &'a [u8],
    /// Whether the value may be a pointer, so that the bytes do not tell.
    pub may_be_pointer: bool,
}

/// What is expected.
#[derive(Copy, Clone, Debug)]
pub struct ExpectedBytes<'a> {
    test: &'a TestBytes,
    ending: &'a Ending,
}

/// Reads the tests of a suite. They are much like each other: a text that looks like an earlier one is compared with
/// that, and not taken apart.
#[derive(Clone, Default, Debug)]
pub struct TestReader {
    /// What tests looked like, that of the last one first.
    seen: Vec<Arc<Outline>>,
}

/// If a suite has more kinds of tests than this, looking for the right one does not pay.
const MOST_SEEN: usize = 8;

impl TestReader {
    /// Takes a text apart; `None` if it is not as we write the test of this name in a suite.
    pub fn read(&mut self, text: &[u8], name: &str) -> Option<TestBytes> {
        // A name that has to be quoted is none of ours.
        if name.bytes().any(|byte| byte == b'"' || byte == b'\\') {
            return None;
        }
        for at in 0..self.seen.len() {
            if let Some(test) = known::read(&self.seen[at], text, name) {
                self.seen[..=at].rotate_right(1);
                debug_assert!(
                    std::str::from_utf8(text).is_err() || lines::read(text, name).as_ref() == Some(&test),
                    "{name}"
                );
                return Some(test);
            }
        }
        let test = lines::read(text, name)?;
        self.seen.truncate(MOST_SEEN - 1);
        self.seen.insert(0, Arc::clone(&test.outline));
        Some(test)
    }
}

impl TestBytes {
    /// The inputs: names and bytes.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let mut rest = &*self.bytes;
        self.outline.inputs.iter().map(move |part| {
            let (bytes, after) = rest.split_at(part.size);
            rest = after;
            (&part.head[part.name.clone()], bytes)
        })
    }

    /// What it sets a global variable to, by its symbol.
    pub fn input_of(&self, symbol: &str) -> Option<&[u8]> {
        let mut inputs = self.inputs().zip(&self.outline.inputs);
        inputs.find(|(_, part)| part.origin() == OriginName::Global(symbol)).map(|((_, bytes), _)| bytes)
    }

    /// The global variables that it sets and looks at, by their symbols, and their sizes.
    pub fn globals(&self) -> impl Iterator<Item = (&str, usize)> {
        let parts = self.outline.inputs.iter().chain(&self.outline.finals);
        parts.filter_map(|part| match part.origin() {
            OriginName::Global(symbol) => Some((symbol, part.size)),
            _ => None,
        })
    }

    /// What is expected, if anything is.
    pub fn expected(&self) -> Option<ExpectedBytes<'_>> {
        self.expected.as_ref().map(|ending| ExpectedBytes { test: self, ending })
    }
}

impl<'a> ExpectedBytes<'a> {
    /// How it ends.
    pub fn outcome(self) -> BytesOutcome {
        self.ending.outcome
    }

    /// Whether this depends on memory that was never initialised.
    pub fn is_indeterminate(self) -> bool {
        self.ending.indeterminate
    }

    /// What the entry returns.
    pub fn result(self) -> Option<SeenBytes<'a>> {
        let part = self.test.outline.result.first()?;
        let start = self.test.outline.inputs.iter().map(|part| part.size).sum();
        Some(part.seen(&self.test.bytes[start..]).0)
    }

    /// What variables and objects hold at the end.
    pub fn finals(self) -> impl Iterator<Item = (OriginName<'a>, SeenBytes<'a>)> {
        let Outline { inputs, result, finals } = &*self.test.outline;
        let inputs: usize = inputs.iter().map(|part| part.size).sum();
        let result: usize = result.iter().map(|part| 2 * part.size).sum();
        let mut rest = &self.test.bytes[inputs + result..];
        finals.iter().map(move |part| {
            let (seen, after) = part.seen(rest);
            rest = after;
            (part.origin(), seen)
        })
    }

    /// Whether this is written to standard output and standard error.
    pub fn writes(self, stdout: &[u8], stderr: &[u8]) -> bool {
        let is = |quoted: &str, bytes: &[u8]| {
            serde_json::from_str(quoted)
                .is_ok_and(|text: String| from_latin1(&text).as_deref() == Some(bytes))
        };
        match &self.ending.output {
            None => stdout.is_empty() && stderr.is_empty(),
            Some(output) => is(&output.0, stdout) && is(&output.1, stderr),
        }
    }
}

impl BytesLine {
    fn origin(&self) -> OriginName<'_> {
        match &self.origin {
            Origin::Global(symbol) => OriginName::Global(&self.head[symbol.clone()]),
            Origin::Pointee(pointer) => OriginName::Pointee(&self.head[pointer.clone()]),
            Origin::Other => OriginName::Other,
        }
    }

    /// What the first of these bytes say of it, and those that follow.
    fn seen<'a>(&self, bytes: &'a [u8]) -> (SeenBytes<'a>, &'a [u8]) {
        let (own, rest) = bytes.split_at(2 * self.size);
        let (bytes, comparable) = own.split_at(self.size);
        (SeenBytes { bytes, comparable, may_be_pointer: self.may_be_pointer }, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        BytesOutcome, ExpectedBytes, MOST_SEEN, OriginName, SeenBytes, TestBytes, TestReader, known, lines,
    };
    use crate::test::{Expected, TestCase};
    use crate::{
        ErrorKind, Final, Input, Observed, Origin, Outcome, PointerTo, ProgramError, ProgramIdentity, Value,
    };
    use std::sync::Arc;

    fn input(name: &str, origin: Origin, bytes: &[u8], value: Value) -> Input {
        Input { name: name.to_owned(), origin, bytes: bytes.to_vec(), pointers: Vec::new(), value }
    }

    fn observed(bytes: &[u8], value: Value) -> Observed {
        Observed::new(bytes.to_vec(), (0..bytes.len()).map(|at| at != 2).collect(), value)
    }

    pub(super) fn example(outcome: Outcome) -> TestCase {
        let mut list =
            input("list", Origin::Pointee("list".to_owned()), &[0, 1, 2, 255], Value::Bytes(vec![1]));
        list.pointers = vec![PointerTo { offset: 0, target: "a\"}, \"bytes\": \"".to_owned(), addend: 3 }];
        let look = |origin, observed| Final { name: "x".to_owned(), origin, observed };
        TestCase {
            name: "f-1".to_owned(),
            program: ProgramIdentity::default(),
            condition: "a == \"\\n".to_owned(),
            taken: Vec::new(),
            inputs: vec![
                input("n", Origin::Parameter(0), &[1, 0], Value::Signed(1)),
                list,
                input("g", Origin::Global("g".to_owned()), &[], Value::Bytes(Vec::new())),
                input("time_1", Origin::External("ti\"me".to_owned()), &[9], Value::Signed(9)),
            ],
            schedule: None,
            expected: Some(Expected {
                outcome,
                result: Some(observed(&[5, 6, 7], Value::Pointer(None))),
                finals: vec![
                    look(Origin::Global("g".to_owned()), observed(&[1], Value::Text(b"&".to_vec()))),
                    look(Origin::Pointee("list".to_owned()), observed(&[1, 2, 3, 4], Value::Signed(7))),
                ],
                stdout: b"a\n\xff".to_vec(),
                indeterminate: true,
                ..Expected::default()
            }),
        }
    }

    fn read(text: &str) -> Option<TestBytes> {
        lines::read(text.as_bytes(), "f-1")
    }

    /// Whether what was read is the test.
    fn check(test: &TestCase) {
        let text = test.to_json().unwrap();
        let read = read(&text).unwrap_or_else(|| panic!("{text}"));
        // What is known of another test makes no difference.
        let other = TestCase { name: "f-2".to_owned(), ..example(Outcome::Returned) };
        let fewer = TestCase { inputs: other.inputs[1..].to_vec(), ..other.clone() };
        let more = TestCase { inputs: [&other.inputs[..], &other.inputs[..]].concat(), ..other.clone() };
        let mut reader = TestReader::default();
        for other in [other, fewer, more, test.clone()] {
            let same = other.name == test.name;
            let other = reader.read(other.to_json().unwrap().as_bytes(), &other.name).unwrap();
            let again = reader.read(text.as_bytes(), "f-1").unwrap();
            assert_eq!(again, read);
            assert!(!same || Arc::ptr_eq(&again.outline, &other.outline));
        }
        assert!(known::read(&read.outline, text.as_bytes(), "f-1").is_some_and(|known| known == read));
        let origin = |origin: &Origin, name: OriginName<'_>| match (origin, name) {
            (Origin::Global(symbol), OriginName::Global(name)) => symbol == name,
            (Origin::Pointee(pointer), OriginName::Pointee(name)) => pointer == name,
            (Origin::Global(_) | Origin::Pointee(_), _) => false,
            (_, name) => name == OriginName::Other,
        };
        let same = |observed: &Observed, seen: &SeenBytes<'_>| {
            seen.bytes == observed.bytes
                && seen.comparable.iter().map(|&mask| mask != 0).eq(observed.comparable.iter().copied())
                && (seen.may_be_pointer || !matches!(observed.value, Value::Pointer(_)))
        };
        let wanted = test.inputs.iter().map(|input| (input.name.as_str(), input.bytes.as_slice()));
        assert!(read.inputs().eq(wanted), "{read:?}");
        let (Some(expected), Some(ending)) = (&test.expected, read.expected()) else {
            assert!(test.expected.is_none() && read.expected().is_none());
            return;
        };
        match (&expected.outcome, ending.outcome()) {
            (Outcome::Returned, BytesOutcome::Returned) => {}
            (Outcome::Exited { status }, BytesOutcome::Exited(name)) => assert_eq!(*status, name),
            (Outcome::Error(error), BytesOutcome::Error(name)) => assert_eq!(error.kind, name),
            other => panic!("{other:?}"),
        }
        assert_eq!(expected.result.is_some(), ending.result().is_some());
        assert!(expected.result.iter().zip(&ending.result()).all(|(result, seen)| same(result, seen)));
        assert_eq!(expected.finals.len(), ending.finals().count());
        for (each, (place, seen)) in expected.finals.iter().zip(ending.finals()) {
            assert!(origin(&each.origin, place) && same(&each.observed, &seen), "{seen:?}");
        }
        let globals = test.inputs.iter().map(|input| (&input.origin, input.bytes.len()));
        let finals = expected.finals.iter().map(|each| (&each.origin, each.observed.bytes.len()));
        let globals = globals.chain(finals).filter_map(|(origin, size)| match origin {
            Origin::Global(symbol) => Some((symbol.as_str(), size)),
            _ => None,
        });
        assert!(read.globals().eq(globals));
        assert_eq!(read.input_of("g"), (!test.inputs.is_empty()).then_some(&[][..]));
        assert_eq!(read.input_of("list"), None);
        assert!(ending.writes(&expected.stdout, &expected.stderr) && !ending.writes(b"b", &expected.stderr));
        assert!(!ending.writes(&expected.stdout, b"b"));
        assert_eq!(expected.indeterminate, ending.is_indeterminate());
    }

    #[test]
    fn what_was_written_is_read() {
        let error =
            Outcome::Error(ProgramError { kind: ErrorKind::NullPointer, message: "\", \"}".to_owned() });
        for outcome in [Outcome::Returned, Outcome::Exited { status: -3 }, error] {
            check(&example(outcome));
        }
        check(&TestCase { expected: None, ..example(Outcome::Returned) });
        let nothing = Expected { result: None, ..Expected::default() };
        check(&TestCase { inputs: Vec::new(), expected: Some(nothing), ..example(Outcome::Returned) });
    }

    #[test]
    fn other_texts_are_not_read() {
        let text = example(Outcome::Exited { status: 3 }).to_json().unwrap();
        assert!(read(&text).is_some());
        for (from, to) in [
            ("incise-test/1", "incise-test/2"),
            ("\"f-1\"", "\"f\\u002d1\""),
            ("\"0100\"", "\"010\""),
            ("\"0100\"", "\"01g0\""),
            ("ffff00", "ffff"),
            ("\"exit_status\": 3", "\"exit_status\": x"),
            ("    {\"name\": \"n\"", "    {\"named\": \"n\""),
            ("\"indeterminate\": true\n", "\"indeterminate\": true\n\n"),
            ("\n}\n", "\n}\n\n"),
            ("    {", "     {"),
        ] {
            let other = text.replace(from, to);
            assert!(other != text && read(&other).is_none(), "{to}");
        }
        // Cut off anywhere, it is no test; with one character less, it is none or says what the parser says.
        for end in 0..text.len() {
            assert!(!text.is_char_boundary(end) || read(&text[..end]).is_none());
        }
    }

    #[test]
    fn what_is_read_is_what_the_parser_reads() {
        let text = example(Outcome::Exited { status: 3 }).to_json().unwrap();
        let mut both = 0;
        // Lines are taken for granted.
        let is_within =
            |at: &usize| text.is_char_boundary(*at) && !matches!(text.as_bytes()[*at], b'\n' | 0x80..);
        for at in (0..text.len()).filter(is_within) {
            for other in ["", "0", "\"", "x", "\\", " "] {
                let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
                let (Some(read), Ok(parsed)) = (read(&changed), TestCase::from_json(&changed)) else {
                    continue;
                };
                both += 1;
                let wanted = parsed.inputs.iter().map(|input| (input.name.as_str(), input.bytes.as_slice()));
                assert!(read.inputs().eq(wanted), "{changed}");
                let finals =
                    read.expected().into_iter().flat_map(ExpectedBytes::finals).map(|(_, seen)| seen.bytes);
                let wanted = parsed.expected.iter().flat_map(|expected| &expected.finals);
                assert!(finals.eq(wanted.map(|each| each.observed.bytes.as_slice())), "{changed}");
            }
        }
        assert!(both > 100, "{both}");
    }

    /// What is known is found wherever taking the text apart finds it, and nowhere else.
    #[test]
    fn what_is_known_is_what_is_read() {
        let loud = example(Outcome::Exited { status: 3 });
        let mut quiet = example(Outcome::Returned);
        quiet.expected = quiet.expected.map(|expected| Expected {
            stdout: Vec::new(),
            indeterminate: false,
            result: None,
            ..expected
        });
        let nothing = TestCase { inputs: Vec::new(), expected: None, ..example(Outcome::Returned) };
        for test in [loud, quiet, nothing] {
            let text = test.to_json().unwrap();
            let outline = read(&text).unwrap().outline;
            let (mut known_ones, mut others) = (0, 0);
            for at in (0..text.len()).filter(|&at| text.as_bytes()[at].is_ascii()) {
                for other in ["", "0", "f", "\"", "x", "\\", " ", "\n", "}", "},", "}\n", "&", "null"] {
                    let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
                    let alike = read(&changed).filter(|read| read.outline == outline);
                    assert_eq!(known::read(&outline, changed.as_bytes(), "f-1"), alike, "{changed}");
                    *(if alike.is_some() { &mut known_ones } else { &mut others }) += 1;
                }
            }
            assert!(known_ones > 100 && others > 100, "{known_ones} {others}");
        }
    }

    #[test]
    fn what_tests_have_in_common_is_kept_once() {
        let mut reader = TestReader::default();
        let with = |count: usize| {
            let mut test = example(Outcome::Returned);
            test.inputs = test.inputs.iter().cycle().take(count).cloned().collect();
            test.to_json().unwrap()
        };
        let mut read = |count| reader.read(with(count).as_bytes(), "f-1").unwrap().outline;
        let all: Vec<_> = (0..MOST_SEEN).map(&mut read).collect();
        for (count, outline) in all.iter().enumerate().rev().chain(all.iter().enumerate()) {
            assert!(Arc::ptr_eq(outline, &read(count)));
        }
        // One more, and the one that was longest ago is forgotten.
        read(MOST_SEEN);
        assert!(!Arc::ptr_eq(&all[0], &read(0)) && Arc::ptr_eq(&all[MOST_SEEN - 1], &read(MOST_SEEN - 1)));
        assert!(reader.seen.len() == MOST_SEEN);
    }
}
