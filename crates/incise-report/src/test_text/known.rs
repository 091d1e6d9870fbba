//! Reads a test that looks like one that was taken apart before: what is known has to be there, and between it are the bytes.
//!
//! Whatever is read here, [`lines`](super::lines) reads too, and in the same way.

use super::lines::{COMPARABLE, EXPECTED, Lines, NO_RESULT, NOTHING_EXPECTED, VALUE, decode, may_be_pointer};
use super::{Ending, Outcome, Outline, Part, TestBytes};
use std::sync::Arc;

/// Takes a text apart; `None` if it looks otherwise than known.
pub(super) fn read(outline: &Arc<Outline>, text: &str, name: &str) -> Option<TestBytes> {
    let Outline { inputs, result, finals } = &**outline;
    let mut lines = Lines(text);
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
                None => lines.exactly(NO_RESULT)?,
            }
            lines.list_of(finals, "    \"finals\": [", "    ],\n", |lines, part, end| {
                lines.observed(part, end, &mut left)
            })?;
            Some(lines.known_ending(outcome)?)
        }
    };
    lines.closing()?;
    Some(TestBytes { outline: Arc::clone(outline), bytes, expected })
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

impl Lines<'_> {
    /// Goes on behind a text, if it is there.
    fn skip(&mut self, text: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(text)?;
        Some(())
    }

    /// The elements of an array; `read` is told how the line ends.
    fn list_of(
        &mut self,
        parts: &[Part],
        open: &str,
        close: &str,
        mut read: impl FnMut(&mut Self, &Part, &str) -> Option<()>,
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

    fn input(&mut self, part: &Part, end: &str, left: &mut Left<'_>) -> Option<()> {
        self.skip(&part.head)?;
        self.digits(left.next(part.size)?)?;
        self.skip("\", ")?;
        self.next()?.ends_with(end).then_some(())
    }

    fn observed(&mut self, part: &Part, end: &str, left: &mut Left<'_>) -> Option<()> {
        self.skip(&part.head)?;
        self.digits(left.next(part.size)?)?;
        self.skip(COMPARABLE)?;
        self.digits(left.next(part.size)?)?;
        self.skip(VALUE)?;
        let value = self.next()?.strip_suffix(end)?;
        (may_be_pointer(value) == part.may_be_pointer).then_some(())
    }

    fn digits(&mut self, bytes: &mut [u8]) -> Option<()> {
        let (digits, rest) = self.0.split_at_checked(2 * bytes.len())?;
        self.0 = rest;
        decode(digits.as_bytes(), bytes).then_some(())
    }

    /// How it ends, if anything is expected.
    fn known_outcome(&mut self) -> Option<Option<Outcome>> {
        if self.skip(USUAL_START).is_some() {
            return Some(Some(Outcome::Returned));
        }
        match self.next()? {
            NOTHING_EXPECTED => Some(None),
            EXPECTED => Some(Some(self.outcome()?)),
            _ => None,
        }
    }

    fn known_ending(&mut self, outcome: Outcome) -> Option<Ending> {
        match self.skip(USUAL_END) {
            Some(()) => Some(Ending { outcome, output: None, indeterminate: false }),
            None => self.ending(outcome),
        }
    }
}
