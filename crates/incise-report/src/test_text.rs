//! Tests of schema `incise-test/1` by the lines that we write them in.
//!
//! A suite has tens of thousands of tests, and of most of them only the bytes are needed: those of the inputs, and those that are expected in the end. To find these, lines are taken
//! apart as [`TestCase::to_json`](crate::TestCase::to_json) puts them together. A text in another form is none that can be read here, although it may be a test. What nobody needs is not looked at, so that a text should be known
//! to be as it was written: by its hash. What is the same in test after test is kept once.

mod shapes;

use crate::json_value::from_latin1;
use crate::test_json::TEST_SCHEMA;
use serde::{Deserialize, Serialize};
pub use shapes::{Packed, Shapes};
use std::ops::Range;
use std::sync::Arc;

/// The bytes of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestBytes {
    outline: Arc<Outline>,
    /// Those of the inputs; then of the result and of each final value the bytes and, for each of them, zero if it cannot be compared.
    bytes: Box<[u8]>,
    expected: Option<Ending>,
}

/// What tests have in common.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Outline {
    inputs: Vec<Part>,
    /// One, or none.
    result: Vec<Part>,
    finals: Vec<Part>,
}

/// An input, or something that is looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Part {
    /// The line until the bytes.
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
    outcome: Outcome,
    /// Standard output and standard error as JSON strings, if there is any.
    output: Option<Box<(String, String)>>,
    indeterminate: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Outcome {
    Returned,
    Exited(i32),
    Error(Box<str>),
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
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OutcomeName<'a> {
    /// The entry returns.
    Returned,
    /// The program exits with a status.
    Exited(i32),
    /// An error of a kind.
    Error(&'a str),
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

impl TestBytes {
    /// Takes a text apart; `None` if it is not as we write the test of this name in a suite. Tests of a suite are much like each other: what is the same as in `like` is known, and kept once.
    pub fn read(text: &str, name: &str, like: Option<&Self>) -> Option<Self> {
        let mut lines = Lines(text);
        lines.exactly("{")?;
        let schema = between(lines.next()?, "  \"schema\": ", ",")?;
        if plain(schema)? != TEST_SCHEMA || plain(between(lines.next()?, "  \"name\": ", ",")?)? != name {
            return None;
        }
        between(lines.next()?, "  \"condition\": \"", "\",")?;
        let nothing = Outline::default();
        let known = like.map_or(&nothing, |like| &*like.outline);
        let mut bytes = Vec::with_capacity(like.map_or(256, |like| like.bytes.len()));
        let inputs = lines.list("  ", "\"inputs\"", &known.inputs, &mut bytes, input)?;
        let (mut result, mut finals) = (Parts::of(&known.result), Parts::of(&known.finals));
        let expected = match lines.next()? {
            "  \"expected\": null" => None,
            "  \"expected\": {" => {
                let outcome = lines.outcome()?;
                lines.exactly("    \"location\": null,")?;
                match between(lines.next()?, "    \"result\": ", ",")? {
                    "null" => {}
                    object => result.push(observed(
                        object.strip_prefix('{')?,
                        None,
                        known.result.first(),
                        &mut bytes,
                    )?),
                }
                finals = lines.list("    ", "\"finals\"", &known.finals, &mut bytes, seen)?;
                Some(lines.ending(outcome)?)
            }
            _ => return None,
        };
        lines.exactly("}")?;
        lines.0.is_empty().then_some(())?;
        let outline = match like {
            Some(like) if inputs.are_known() && result.are_known() && finals.are_known() => {
                Arc::clone(&like.outline)
            }
            _ => Arc::new(Outline { inputs: inputs.all(), result: result.all(), finals: finals.all() }),
        };
        Some(Self { outline, bytes: bytes.into_boxed_slice(), expected })
    }

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
    pub fn outcome(self) -> OutcomeName<'a> {
        match &self.ending.outcome {
            Outcome::Returned => OutcomeName::Returned,
            Outcome::Exited(status) => OutcomeName::Exited(*status),
            Outcome::Error(kind) => OutcomeName::Error(kind),
        }
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

impl Part {
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

/// The parts of a test. As long as they are those of another test, there is nothing to keep.
struct Parts<'a> {
    known: &'a [Part],
    count: usize,
    other: Option<Vec<Part>>,
}

impl<'a> Parts<'a> {
    fn of(known: &'a [Part]) -> Self {
        Self { known, count: 0, other: None }
    }

    /// Adds one, or the next that is known.
    fn push(&mut self, part: Option<Part>) {
        if part.is_some() && self.other.is_none() {
            self.other = Some(self.known[..self.count].to_vec());
        }
        if let Some(other) = &mut self.other {
            other.extend(part.or_else(|| self.known.get(self.count).cloned()));
        }
        self.count += 1;
    }

    fn are_known(&self) -> bool {
        self.other.is_none() && self.count == self.known.len()
    }

    fn all(self) -> Vec<Part> {
        self.other.unwrap_or_else(|| self.known[..self.count].to_vec())
    }
}

/// Takes a line apart, and keeps its bytes. Says what it is about, if that is another part than known.
type ReadPart = fn(&str, Option<&Part>, &mut Vec<u8>) -> Option<Option<Part>>;

/// `{"name": "x", "origin": {...}, "bytes": "00", ...}`
fn input(line: &str, known: Option<&Part>, bytes: &mut Vec<u8>) -> Option<Option<Part>> {
    let (part, rest) = head(line, known)?;
    let (digits, rest) = string(rest.strip_prefix("\"bytes\": ")?)?;
    let size = hexadecimal(digits, bytes)?;
    // Where pointers point to, and the value for people, are not needed.
    (rest.starts_with(", ") && rest.ends_with('}')).then_some(())?;
    Some(unless_known(part, known, size, false))
}

/// `{"name": "x", "origin": {...}, "bytes": "00", "comparable": "ff", "value": 0}`
fn seen(line: &str, known: Option<&Part>, bytes: &mut Vec<u8>) -> Option<Option<Part>> {
    let (part, rest) = head(line, known)?;
    observed(rest, part, known, bytes)
}

/// `"bytes": "00", "comparable": "ff", "value": 0}`
fn observed(
    text: &str,
    part: Option<Part>,
    known: Option<&Part>,
    bytes: &mut Vec<u8>,
) -> Option<Option<Part>> {
    let (digits, rest) = string(text.strip_prefix("\"bytes\": ")?)?;
    let (comparable, rest) = string(rest.strip_prefix(", \"comparable\": ")?)?;
    let value = between(rest, ", \"value\": ", "}")?;
    let size = hexadecimal(digits, bytes)?;
    (hexadecimal(comparable, bytes)? == size).then_some(())?;
    Some(unless_known(part, known, size, value == "null" || value.starts_with("\"&")))
}

/// What a line begins with, if it is another part than known, and what follows.
fn head<'a>(line: &'a str, known: Option<&Part>) -> Option<(Option<Part>, &'a str)> {
    if let Some(known) = known
        && let Some(rest) = line.strip_prefix(&*known.head)
    {
        return Some((None, rest));
    }
    let (name, rest) = string(line.strip_prefix("{\"name\": ")?)?;
    let (kind, rest) = string(rest.strip_prefix(", \"origin\": {\"kind\": ")?)?;
    let within = |part: &str| {
        let start = part.as_ptr() as usize - line.as_ptr() as usize;
        start..start + part.len()
    };
    let (origin, rest) = match kind {
        "global" => {
            let (symbol, rest) = string(rest.strip_prefix(", \"symbol\": ")?)?;
            (Origin::Global(within(symbol)), rest)
        }
        "pointee" => {
            let (pointer, rest) = string(rest.strip_prefix(", \"pointer\": ")?)?;
            (Origin::Pointee(within(pointer)), rest)
        }
        // Quotation marks within a string have a backslash before them.
        _ => (Origin::Other, &rest[rest.find("}, \"bytes\": \"")?..]),
    };
    let rest = rest.strip_prefix("}, ")?;
    let head = line[..line.len() - rest.len()].into();
    Some((Some(Part { head, name: within(name), origin, size: 0, may_be_pointer: false }), rest))
}

/// A part, if it is another than known. Without a head it has that of the known one, or none.
fn unless_known(part: Option<Part>, known: Option<&Part>, size: usize, may_be_pointer: bool) -> Option<Part> {
    match (part, known) {
        (None, Some(known)) if (known.size, known.may_be_pointer) == (size, may_be_pointer) => None,
        (part, known) => {
            let nameless =
                || Part { head: "".into(), name: 0..0, origin: Origin::Other, size, may_be_pointer };
            let part = part.or_else(|| known.cloned()).unwrap_or_else(nameless);
            Some(Part { size, may_be_pointer, ..part })
        }
    }
}

/// Keeps the bytes of hexadecimal digits, and says how many there are.
fn hexadecimal(digits: &str, bytes: &mut Vec<u8>) -> Option<usize> {
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let mut all = 0;
    for &[high, low] in pairs {
        let (high, low) = (VALUES[usize::from(high)], VALUES[usize::from(low)]);
        all |= high | low;
        bytes.push(high << 4 | low);
    }
    (rest.is_empty() && all < 16).then_some(pairs.len())
}

/// The value of each hexadecimal digit; all bits of what is none.
const VALUES: [u8; 256] = {
    let mut values = [0xff; 256];
    let mut digit = 0;
    while digit < 16 {
        values[b"0123456789abcdef"[digit] as usize] = digit as u8;
        digit += 1;
    }
    values
};

/// What is left of a text. There are no line breaks within strings.
struct Lines<'a>(&'a str);

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (line, rest) = self.0.split_once('\n')?;
        self.0 = rest;
        Some(line)
    }

    fn exactly(&mut self, line: &str) -> Option<()> {
        (self.next()? == line).then_some(())
    }

    /// The elements of an array, each on a line.
    fn list<'k>(
        &mut self,
        indent: &str,
        name: &str,
        known: &'k [Part],
        bytes: &mut Vec<u8>,
        read: ReadPart,
    ) -> Option<Parts<'k>> {
        let mut parts = Parts::of(known);
        match self.next()?.strip_prefix(indent)?.strip_prefix(name)? {
            ": [" => {}
            ": []," => return Some(parts),
            _ => return None,
        }
        loop {
            let line = self.next()?.strip_prefix(indent)?.strip_prefix("  ")?;
            let element = line.strip_suffix(',');
            parts.push(read(element.unwrap_or(line), known.get(parts.count), bytes)?);
            if element.is_none() {
                return (self.next()?.strip_prefix(indent)? == "],").then_some(parts);
            }
        }
    }

    fn outcome(&mut self) -> Option<Outcome> {
        Some(match plain(between(self.next()?, "    \"outcome\": ", ",")?)? {
            "returned" => Outcome::Returned,
            "exited" => Outcome::Exited(between(self.next()?, "    \"exit_status\": ", ",")?.parse().ok()?),
            "error" => {
                let error = between(self.next()?, "    \"error\": {\"kind\": ", "},")?;
                let (kind, _) = error.split_once(", \"message\": ")?;
                Outcome::Error(plain(kind)?.into())
            }
            _ => return None,
        })
    }

    /// What follows the final values.
    fn ending(&mut self, outcome: Outcome) -> Option<Ending> {
        let stdout = between(self.next()?, "    \"stdout\": ", ",")?;
        let stderr = between(self.next()?, "    \"stderr\": ", ",")?;
        let indeterminate = between(self.next()?, "    \"indeterminate\": ", "")?.parse().ok()?;
        self.exactly("  }")?;
        let silent = (stdout, stderr) == ("\"\"", "\"\"");
        let output = (!silent).then(|| Box::new((stdout.to_owned(), stderr.to_owned())));
        Some(Ending { outcome, output, indeterminate })
    }
}

fn between<'a>(line: &'a str, before: &str, after: &str) -> Option<&'a str> {
    line.strip_prefix(before)?.strip_suffix(after)
}

/// What a JSON string stands for, if that is what is written there.
fn plain(quoted: &str) -> Option<&str> {
    let text = between(quoted, "\"", "\"")?;
    (!text.bytes().any(|byte| byte == b'"' || byte == b'\\')).then_some(text)
}

/// A plain string at the start of a text, and what follows it.
fn string(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('"')?;
    // Most are so short that a search by words would not pay.
    let end = text.bytes().position(|byte| byte == b'"' || byte == b'\\')?;
    Some((&text[..end], text[end..].strip_prefix('"')?))
}

#[cfg(test)]
mod tests {
    use super::{ExpectedBytes, OriginName, OutcomeName, SeenBytes, TestBytes};
    use crate::test_json::{Expected, TestCase};
    use crate::{Final, Input, Observed, Origin, Outcome, PointerTo, Program, Value};
    use std::sync::Arc;

    fn input(name: &str, origin: Origin, bytes: &[u8], value: Value) -> Input {
        Input { name: name.to_owned(), origin, bytes: bytes.to_vec(), pointers: Vec::new(), value }
    }

    fn observed(bytes: &[u8], value: Value) -> Observed {
        Observed { bytes: bytes.to_vec(), comparable: (0..bytes.len()).map(|at| at != 2).collect(), value }
    }

    pub(super) fn example(outcome: Outcome) -> TestCase {
        let mut list =
            input("list", Origin::Pointee("list".to_owned()), &[0, 1, 2, 255], Value::Bytes(vec![1]));
        list.pointers = vec![PointerTo { offset: 0, target: "a\"}, \"bytes\": \"".to_owned(), addend: 3 }];
        let look = |origin, observed| Final { name: "x".to_owned(), origin, observed };
        TestCase {
            name: "f-1".to_owned(),
            program: Program::default(),
            condition: "a == \"\\n".to_owned(),
            inputs: vec![
                input("n", Origin::Parameter(0), &[1, 0], Value::Signed(1)),
                list,
                input("g", Origin::Global("g".to_owned()), &[], Value::Bytes(Vec::new())),
                input("time_1", Origin::External("ti\"me".to_owned()), &[9], Value::Signed(9)),
            ],
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
        TestBytes::read(text, "f-1", None)
    }

    /// Whether what was read is the test.
    fn check(test: &TestCase) {
        let text = test.to_json().unwrap();
        let read = read(&text).unwrap_or_else(|| panic!("{text}"));
        // What is known of another test makes no difference.
        let other = TestCase { name: "f-2".to_owned(), ..example(Outcome::Returned) };
        let fewer = TestCase { inputs: other.inputs[1..].to_vec(), ..other.clone() };
        let more = TestCase { inputs: [&other.inputs[..], &other.inputs[..]].concat(), ..other.clone() };
        for other in [other, fewer, more, test.clone()] {
            let same = other.name == test.name;
            let other = TestBytes::read(&other.to_json().unwrap(), &other.name, None).unwrap();
            let again = TestBytes::read(&text, "f-1", Some(&other));
            assert_eq!(again.as_ref(), Some(&read));
            assert!(!same || Arc::ptr_eq(&again.unwrap().outline, &other.outline));
        }
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
            (Outcome::Returned, OutcomeName::Returned) => {}
            (Outcome::Exited { status }, OutcomeName::Exited(name)) => assert_eq!(*status, name),
            (Outcome::Error { kind, .. }, OutcomeName::Error(name)) => assert_eq!(kind, name),
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
        let error = Outcome::Error { kind: "null-pointer".to_owned(), message: "\", \"}".to_owned() };
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
}
