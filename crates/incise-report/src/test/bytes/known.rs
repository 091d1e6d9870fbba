//! Reads a test that looks like one that was taken apart before: what is known has to be there, and between it are the
//! bytes.
//!
//! Whatever is read here, [`lines`](super::lines) reads too, and in the same way.

use super::lines::{
    COMPARABLE, EXPECTED, Lines, NO_RESULT, NOTHING_EXPECTED, VALUE, decode, line_break, may_be_pointer,
};
use super::{BytesLine, BytesOutcome, Ending, Outline, TestBytes};
use crate::test::TEST_SCHEMA;
use std::sync::Arc;

/// Takes a text apart; `None` if it looks otherwise than known.
pub(super) fn read(outline: &Arc<Outline>, text: &[u8], name: &str) -> Option<TestBytes> {
    let Outline { inputs, result, finals } = &**outline;
    let mut lines = Rest(text);
    lines.opening(name)?;
    let mut bytes = vec![0; outline.bytes()].into_boxed_slice();
    let mut left = Left(&mut bytes);
    lines
        .list_of(inputs, "  \"inputs\": [", "  ],\n", |lines, part, end| lines.input(part, end, &mut left))?;
    let outcome = lines.known_outcome()?;
    let expected = match outcome {
        None => (result.is_empty() && finals.is_empty()).then_some(None)?,
        Some(outcome) => {
            match result.first() {
                Some(result) => lines.observed(result, "},", &mut left)?,
                None => lines.skip(NO_RESULT).and_then(|()| lines.skip("\n"))?,
            }
            lines.list_of(finals, "    \"finals\": [", "    ],\n", |lines, part, end| {
                lines.observed(part, end, &mut left)
            })?;
            Some(lines.known_ending(outcome)?)
        }
    };
    lines.skip("}\n")?;
    lines.0.is_empty().then(|| TestBytes { outline: Arc::clone(outline), bytes, expected })
}

/// How what is expected begins, mostly.
const USUAL_START: &str = "  \"expected\": {\n    \"outcome\": \"returned\",\n    \"location\": null,\n";
/// What follows the final values, mostly.
const USUAL_END: &str = "    \"stdout\": \"\",\n    \"stderr\": \"\",\n    \"indeterminate\": false\n  }\n";

/// The bytes that are not read yet.
struct Left<'a>(&'a mut [u8]);

impl Left<'_> {
    fn next(&mut self, size: usize) -> Option<&mut [u8]> {
        self.0.split_off_mut(..size)
    }
}

/// What is left of a text. Not all of it is looked at, so that it may as well be none.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    /// Goes on behind a text, if it is there.
    #[inline]
    fn skip(&mut self, text: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(text.as_bytes())?;
        Some(())
    }

    /// Goes on behind the line, and says what is left of it.
    fn line(&mut self) -> Option<&'a [u8]> {
        let (line, rest) = self.0.split_at(line_break(self.0)?);
        self.0 = &rest[1..];
        Some(line)
    }

    /// What is rare is taken apart.
    fn apart<T>(&mut self, read: impl FnOnce(&mut Lines<'a>) -> Option<T>) -> Option<T> {
        let mut lines = Lines(std::str::from_utf8(self.0).ok()?);
        let result = read(&mut lines)?;
        self.0 = lines.0.as_bytes();
        Some(result)
    }

    /// What is before the inputs.
    fn opening(&mut self, name: &str) -> Option<()> {
        self.skip("{\n  \"schema\": \"")?;
        self.skip(TEST_SCHEMA)?;
        self.skip("\",\n  \"name\": \"")?;
        self.skip(name)?;
        self.skip("\",\n  \"condition\": \"")?;
        self.line()?.ends_with(b"\",").then_some(())
    }

    /// The elements of an array; `read` is told how the line ends.
    fn list_of(
        &mut self,
        parts: &[BytesLine],
        open: &str,
        close: &str,
        mut read: impl FnMut(&mut Self, &BytesLine, &str) -> Option<()>,
    ) -> Option<()> {
        self.skip(open)?;
        let Some((last, others)) = parts.split_last() else { return self.skip("],\n") };
        self.skip("\n")?;
        for part in others {
            read(self, part, "},")?;
        }
        read(self, last, "}")?;
        self.skip(close)
    }

    fn input(&mut self, part: &BytesLine, end: &str, left: &mut Left<'_>) -> Option<()> {
        self.skip(&part.head)?;
        self.digits(left.next(part.size)?)?;
        self.skip("\", ")?;
        self.line()?.ends_with(end.as_bytes()).then_some(())
    }

    fn observed(&mut self, part: &BytesLine, end: &str, left: &mut Left<'_>) -> Option<()> {
        self.skip(&part.head)?;
        self.digits(left.next(part.size)?)?;
        self.skip(COMPARABLE)?;
        self.digits(left.next(part.size)?)?;
        self.skip(VALUE)?;
        let value = self.line()?.strip_suffix(end.as_bytes())?;
        (may_be_pointer(value) == part.may_be_pointer).then_some(())
    }

    fn digits(&mut self, bytes: &mut [u8]) -> Option<()> {
        let (digits, rest) = self.0.split_at_checked(2 * bytes.len())?;
        self.0 = rest;
        decode(digits, bytes).then_some(())
    }

    /// How it ends, if anything is expected.
    fn known_outcome(&mut self) -> Option<Option<BytesOutcome>> {
        if self.skip(USUAL_START).is_some() {
            return Some(Some(BytesOutcome::Returned));
        }
        self.apart(|lines| match lines.next()? {
            NOTHING_EXPECTED => Some(None),
            EXPECTED => Some(Some(lines.outcome()?)),
            _ => None,
        })
    }

    fn known_ending(&mut self, outcome: BytesOutcome) -> Option<Ending> {
        match self.skip(USUAL_END) {
            Some(()) => Some(Ending { outcome, output: None, indeterminate: false }),
            None => self.apart(|lines| lines.ending(outcome)),
        }
    }
}
