//! Tests of schema `incise-test/1` by the lines that we write them in.
//!
//! A suite has tens of thousands of tests, and of most of them only the bytes are needed: those of the inputs, and those that are expected in the end. To find these, lines are taken
//! apart as [`TestCase::to_json`](crate::TestCase::to_json) puts them together. A text in another form is none that can be read here, although it may be a test. What nobody needs is not looked at, so that a text should be known
//! to be as it was written: by its hash.

use crate::json_value::from_latin1;
use crate::test_json::TEST_SCHEMA;

/// A test, as far as it can be read without being parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestText<'a> {
    /// Its name.
    pub name: &'a str,
    /// The inputs.
    pub inputs: Vec<InputText<'a>>,
    /// What is expected.
    pub expected: Option<ExpectedText<'a>>,
}

/// An input.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct InputText<'a> {
    /// The line until the bytes.
    head: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Where it comes from.
    pub origin: OriginText<'a>,
    /// Its bytes.
    pub bytes: Hexadecimal<'a>,
}

/// Where an input comes from, or what is looked at.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OriginText<'a> {
    /// A global variable, by its symbol.
    Global(&'a str),
    /// What a pointer leads to.
    Pointee(&'a str),
    /// Anything else.
    Other,
}

/// What is expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectedText<'a> {
    /// How it ends.
    pub outcome: OutcomeText<'a>,
    /// What the entry returns.
    pub result: Option<ObservedText<'a>>,
    /// What variables and objects hold at the end.
    pub finals: Vec<FinalText<'a>>,
    /// What is written to standard output and standard error.
    pub output: (Quoted<'a>, Quoted<'a>),
    /// Whether this depends on memory that was never initialised.
    pub indeterminate: bool,
}

/// What a variable or an object holds at the end.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FinalText<'a> {
    /// The line until the bytes.
    head: &'a str,
    /// What it is.
    pub origin: OriginText<'a>,
    /// What it holds.
    pub observed: ObservedText<'a>,
}

/// How a test ends.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OutcomeText<'a> {
    /// The entry returns.
    Returned,
    /// The program exits with a status.
    Exited(i32),
    /// An error of a kind.
    Error(&'a str),
}

/// Bytes that are looked at.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ObservedText<'a> {
    /// Themselves.
    pub bytes: Hexadecimal<'a>,
    /// For each of them zero if it cannot be compared.
    pub comparable: Hexadecimal<'a>,
    /// Whether the value may be a pointer, so that the bytes do not tell.
    pub may_be_pointer: bool,
}

/// Bytes as hexadecimal digits, two for each.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Hexadecimal<'a>(&'a [[u8; 2]]);

impl<'a> Hexadecimal<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let mut values = 0;
        for &digit in text.as_bytes() {
            values |= VALUES[usize::from(digit)];
        }
        (rest.is_empty() && values < 16).then_some(Self(pairs))
    }

    /// How many bytes these are.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The bytes.
    pub fn bytes(self) -> impl ExactSizeIterator<Item = u8> + 'a {
        let value = |digit: u8| VALUES[usize::from(digit)];
        self.0.iter().map(move |&[high, low]| value(high) << 4 | value(low))
    }
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

/// Bytes as a JSON string.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Quoted<'a>(&'a str);

impl Quoted<'_> {
    /// Whether it stands for these bytes.
    pub fn is(self, bytes: &[u8]) -> bool {
        match self.0 {
            "\"\"" => bytes.is_empty(),
            text => serde_json::from_str(text)
                .is_ok_and(|text: String| from_latin1(&text).as_deref() == Some(bytes)),
        }
    }
}

impl<'a> TestText<'a> {
    /// Takes a text apart; `None` if it is not as we write it in a suite. Tests of a suite are much like each other, and where a line begins as it does in the test `like`, what it begins with is known.
    pub fn read(text: &'a str, like: Option<&Self>) -> Option<Self> {
        let mut lines = Lines(text);
        lines.exactly("{")?;
        let schema = between(lines.next()?, "  \"schema\": ", ",")?;
        if plain(schema)? != TEST_SCHEMA {
            return None;
        }
        let name = plain(between(lines.next()?, "  \"name\": ", ",")?)?;
        between(lines.next()?, "  \"condition\": \"", "\",")?;
        let inputs = lines.list("  ", "\"inputs\"", like.map_or(&[], |like| &like.inputs), input)?;
        let expected = match lines.next()? {
            "  \"expected\": null" => None,
            "  \"expected\": {" => Some(lines.expected(like.and_then(|like| like.expected.as_ref()))?),
            _ => return None,
        };
        lines.exactly("}")?;
        lines.0.is_empty().then_some(Self { name, inputs, expected })
    }
}

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
    fn list<T>(
        &mut self,
        indent: &str,
        name: &str,
        like: &[T],
        read: fn(&'a str, Option<&T>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let start = self.next()?.strip_prefix(indent)?.strip_prefix(name)?;
        let mut all = Vec::new();
        match start {
            ": [" => all.reserve(like.len().max(4)),
            ": []," => return Some(all),
            _ => return None,
        }
        loop {
            let line = self.next()?.strip_prefix(indent)?.strip_prefix("  ")?;
            match line.strip_suffix(',') {
                Some(element) => all.push(read(element, like.get(all.len()))?),
                None => {
                    all.push(read(line, like.get(all.len()))?);
                    let end = self.next()?.strip_prefix(indent)?;
                    return (end == "],").then_some(all);
                }
            }
        }
    }

    fn expected(&mut self, like: Option<&ExpectedText<'a>>) -> Option<ExpectedText<'a>> {
        let outcome = match plain(between(self.next()?, "    \"outcome\": ", ",")?)? {
            "returned" => OutcomeText::Returned,
            "exited" => {
                OutcomeText::Exited(between(self.next()?, "    \"exit_status\": ", ",")?.parse().ok()?)
            }
            "error" => {
                let error = between(self.next()?, "    \"error\": {\"kind\": ", "},")?;
                let (kind, _) = error.split_once(", \"message\": ")?;
                OutcomeText::Error(plain(kind)?)
            }
            _ => return None,
        };
        self.exactly("    \"location\": null,")?;
        let result = match between(self.next()?, "    \"result\": ", ",")? {
            "null" => None,
            object => Some(observed(object.strip_prefix('{')?)?),
        };
        let finals = self.list("    ", "\"finals\"", like.map_or(&[], |like| &like.finals), seen)?;
        let stdout = Quoted(between(self.next()?, "    \"stdout\": ", ",")?);
        let stderr = Quoted(between(self.next()?, "    \"stderr\": ", ",")?);
        let indeterminate = between(self.next()?, "    \"indeterminate\": ", "")?.parse().ok()?;
        self.exactly("  }")?;
        Some(ExpectedText { outcome, result, finals, output: (stdout, stderr), indeterminate })
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

/// `{"name": "x", "origin": {...}, "bytes": "00", ...}`
fn input<'a>(line: &'a str, like: Option<&InputText<'a>>) -> Option<InputText<'a>> {
    let (head, name, origin, rest) = match like {
        Some(like) if line.starts_with(like.head) => {
            (like.head, like.name, like.origin, &line[like.head.len()..])
        }
        _ => {
            let (name, origin, rest) = named(line)?;
            (&line[..line.len() - rest.len()], name, origin, rest)
        }
    };
    let (bytes, rest) = string(rest.strip_prefix("\"bytes\": ")?)?;
    // Where pointers point to, and the value for people, are not needed.
    (rest.starts_with(", ") && rest.ends_with('}')).then_some(())?;
    Some(InputText { head, name, origin, bytes: Hexadecimal::of(bytes)? })
}

/// `{"name": "x", "origin": {...}, "bytes": "00", "comparable": "ff", "value": 0}`
fn seen<'a>(line: &'a str, like: Option<&FinalText<'a>>) -> Option<FinalText<'a>> {
    let (head, origin, rest) = match like {
        Some(like) if line.starts_with(like.head) => (like.head, like.origin, &line[like.head.len()..]),
        _ => {
            let (_, origin, rest) = named(line)?;
            (&line[..line.len() - rest.len()], origin, rest)
        }
    };
    Some(FinalText { head, origin, observed: observed(rest)? })
}

/// The start of a line, and what follows it.
fn named(line: &str) -> Option<(&str, OriginText<'_>, &str)> {
    let (name, rest) = string(line.strip_prefix("{\"name\": ")?)?;
    let (kind, rest) = string(rest.strip_prefix(", \"origin\": {\"kind\": ")?)?;
    let (origin, rest) = match kind {
        "global" => {
            let (symbol, rest) = string(rest.strip_prefix(", \"symbol\": ")?)?;
            (OriginText::Global(symbol), rest)
        }
        "pointee" => {
            let (pointer, rest) = string(rest.strip_prefix(", \"pointer\": ")?)?;
            (OriginText::Pointee(pointer), rest)
        }
        // Quotation marks within a string have a backslash before them.
        _ => (OriginText::Other, &rest[rest.find("}, \"bytes\": \"")?..]),
    };
    Some((name, origin, rest.strip_prefix("}, ")?))
}

/// `"bytes": "00", "comparable": "ff", "value": 0}`
fn observed(text: &str) -> Option<ObservedText<'_>> {
    let (bytes, rest) = string(text.strip_prefix("\"bytes\": ")?)?;
    let (comparable, rest) = string(rest.strip_prefix(", \"comparable\": ")?)?;
    let value = between(rest, ", \"value\": ", "}")?;
    let (bytes, comparable) = (Hexadecimal::of(bytes)?, Hexadecimal::of(comparable)?);
    let may_be_pointer = value == "null" || value.starts_with("\"&");
    (bytes.len() == comparable.len()).then_some(ObservedText { bytes, comparable, may_be_pointer })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_json::{Expected, TestCase};
    use crate::{Final, Input, Observed, Origin, Outcome, PointerTo, Program, Value};

    fn input(name: &str, origin: Origin, bytes: &[u8], value: Value) -> Input {
        Input { name: name.to_owned(), origin, bytes: bytes.to_vec(), pointers: Vec::new(), value }
    }

    fn observed(bytes: &[u8], value: Value) -> Observed {
        Observed { bytes: bytes.to_vec(), comparable: (0..bytes.len()).map(|at| at != 2).collect(), value }
    }

    fn example(outcome: Outcome) -> TestCase {
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

    /// Whether what was read is the test.
    fn check(test: &TestCase) {
        let text = test.to_json().unwrap();
        let read = TestText::read(&text, None).unwrap_or_else(|| panic!("{text}"));
        // What is known of another test makes no difference.
        let other = TestCase { name: "f-2".to_owned(), ..example(Outcome::Returned) };
        let fewer = TestCase { inputs: other.inputs[1..].to_vec(), ..other.clone() };
        for other in [other, fewer, test.clone()] {
            let other = other.to_json().unwrap();
            assert_eq!(TestText::read(&text, TestText::read(&other, None).as_ref()), Some(read.clone()));
        }
        let origin = |origin: &Origin, text: OriginText<'_>| match (origin, text) {
            (Origin::Global(symbol), OriginText::Global(text)) => symbol == text,
            (Origin::Pointee(pointer), OriginText::Pointee(text)) => pointer == text,
            (Origin::Global(_) | Origin::Pointee(_), _) => false,
            (_, text) => text == OriginText::Other,
        };
        let same = |observed: &Observed, text: &ObservedText<'_>| {
            text.bytes.bytes().eq(observed.bytes.iter().copied())
                && text.comparable.bytes().map(|mask| mask != 0).eq(observed.comparable.iter().copied())
                && (text.may_be_pointer || !matches!(observed.value, Value::Pointer(_)))
        };
        assert_eq!((read.name, read.inputs.len()), (test.name.as_str(), test.inputs.len()));
        for (input, text) in test.inputs.iter().zip(&read.inputs) {
            assert!(input.name == text.name && origin(&input.origin, text.origin), "{text:?}");
            assert!(text.bytes.bytes().eq(input.bytes.iter().copied()), "{text:?}");
        }
        let (Some(expected), Some(text)) = (&test.expected, &read.expected) else {
            assert!(test.expected.is_none() && read.expected.is_none());
            return;
        };
        match (&expected.outcome, text.outcome) {
            (Outcome::Returned, OutcomeText::Returned) => {}
            (Outcome::Exited { status }, OutcomeText::Exited(text)) => assert_eq!(*status, text),
            (Outcome::Error { kind, .. }, OutcomeText::Error(text)) => assert_eq!(kind, text),
            other => panic!("{other:?}"),
        }
        assert_eq!(expected.result.is_some(), text.result.is_some());
        assert!(expected.result.iter().zip(&text.result).all(|(result, text)| same(result, text)));
        assert_eq!(expected.finals.len(), text.finals.len());
        for (each, seen) in expected.finals.iter().zip(&text.finals) {
            assert!(origin(&each.origin, seen.origin) && same(&each.observed, &seen.observed), "{seen:?}");
        }
        assert!(text.output.0.is(&expected.stdout) && text.output.1.is(&expected.stderr));
        assert!(!text.output.0.is(b"b") && !text.output.1.is(b"b"));
        assert_eq!(expected.indeterminate, text.indeterminate);
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
        assert!(TestText::read(&text, None).is_some());
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
            assert!(other != text && TestText::read(&other, None).is_none(), "{to}");
        }
        // Cut off anywhere, it is no test; with one character less, it is none or says what the parser says.
        for end in 0..text.len() {
            assert!(!text.is_char_boundary(end) || TestText::read(&text[..end], None).is_none());
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
                let (Some(read), Ok(parsed)) =
                    (TestText::read(&changed, None), TestCase::from_json(&changed))
                else {
                    continue;
                };
                both += 1;
                let bytes =
                    read.inputs.iter().map(|input| (input.name, input.bytes.bytes().collect::<Vec<_>>()));
                let wanted = parsed.inputs.iter().map(|input| (input.name.as_str(), input.bytes.clone()));
                assert!(bytes.eq(wanted), "{changed}");
                let finals = read.expected.iter().flat_map(|expected| &expected.finals);
                let finals = finals.map(|seen| seen.observed.bytes.bytes().collect::<Vec<_>>());
                let wanted = parsed.expected.iter().flat_map(|expected| &expected.finals);
                assert!(finals.eq(wanted.map(|each| each.observed.bytes.clone())), "{changed}");
            }
        }
        assert!(both > 100, "{both}");
    }
}
