//! Takes the lines of a test apart.

use super::{BytesLine, BytesOutcome, Ending, Origin, Outline, TestBytes};
use crate::ErrorKind;
use crate::test::TEST_SCHEMA;
use std::sync::Arc;

/// Takes a text apart; `None` if it is not as we write the test of this name in a suite.
pub(super) fn read(text: &[u8], name: &str) -> Option<TestBytes> {
    let mut lines = Lines(std::str::from_utf8(text).ok()?);
    let mut outline = Outline::default();
    let mut bytes = Vec::new();
    lines.opening(name)?;
    outline.inputs = lines.list("  ", "\"inputs\"", |line| input(line, &mut bytes))?;
    let expected = match lines.next()? {
        NOTHING_EXPECTED => None,
        EXPECTED => {
            let outcome = lines.outcome()?;
            match lines.next()? {
                NO_RESULT => {}
                line => outline.result.push(result(line.strip_suffix(',')?, &mut bytes)?),
            }
            outline.finals = lines.list("    ", "\"finals\"", |line| {
                let (part, rest) = part(line)?;
                observed(part, rest, &mut bytes)
            })?;
            Some(lines.ending(outcome)?)
        }
        _ => return None,
    };
    lines.closing()?;
    Some(TestBytes { outline: Arc::new(outline), bytes: bytes.into_boxed_slice(), expected })
}

pub(super) const NOTHING_EXPECTED: &str = "  \"expected\": null";
pub(super) const EXPECTED: &str = "  \"expected\": {";
pub(super) const NO_RESULT: &str = "    \"result\": null,";
/// What is before the digits of a result.
const RESULT: &str = "    \"result\": {\"bytes\": \"";
/// What is between the digits of the bytes and those that say which of them can be compared.
pub(super) const COMPARABLE: &str = "\", \"comparable\": \"";
/// What is between the digits and the value.
pub(super) const VALUE: &str = "\", \"value\": ";

/// `{"name": "x", "origin": {...}, "bytes": "00", ...}`
fn input(line: &str, bytes: &mut Vec<u8>) -> Option<BytesLine> {
    let (part, rest) = part(line)?;
    let (digits, rest) = until_quotation_mark(rest)?;
    let size = hexadecimal(digits, bytes)?;
    // Where pointers point to, and the value for people, are not needed.
    (rest.starts_with(", ") && rest.ends_with('}')).then_some(())?;
    Some(BytesLine { size, ..part })
}

/// `"result": {"bytes": "00", "comparable": "ff", "value": 0}`
fn result(line: &str, bytes: &mut Vec<u8>) -> Option<BytesLine> {
    let rest = line.strip_prefix(RESULT)?;
    let part =
        BytesLine { head: RESULT.into(), name: 0..0, origin: Origin::Other, size: 0, may_be_pointer: false };
    observed(part, rest, bytes)
}

/// The rest of something that is looked at: `00", "comparable": "ff", "value": 0}`
fn observed(part: BytesLine, rest: &str, bytes: &mut Vec<u8>) -> Option<BytesLine> {
    let (digits, rest) = rest.split_once(COMPARABLE)?;
    let (comparable, rest) = rest.split_once(VALUE)?;
    let value = rest.strip_suffix('}')?;
    let size = hexadecimal(digits, bytes)?;
    (hexadecimal(comparable, bytes)? == size).then_some(())?;
    Some(BytesLine { size, may_be_pointer: may_be_pointer(value.as_bytes()), ..part })
}

/// Whether a value as JSON may be a pointer.
pub(super) fn may_be_pointer(value: &[u8]) -> bool {
    value == b"null" || value.starts_with(b"\"&")
}

/// What a line begins with, and what follows: the digits.
fn part(line: &str) -> Option<(BytesLine, &str)> {
    let (name, rest) = string(line.trim_start_matches(' ').strip_prefix("{\"name\": ")?)?;
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
        _ => (Origin::Other, &rest[rest.find(BYTES)?..]),
    };
    let rest = rest.strip_prefix(BYTES)?;
    let head = line[..line.len() - rest.len()].into();
    Some((BytesLine { head, name: within(name), origin, size: 0, may_be_pointer: false }, rest))
}

/// What is between the origin and the digits.
const BYTES: &str = "}, \"bytes\": \"";

/// Keeps the bytes of hexadecimal digits, and says how many there are.
fn hexadecimal(digits: &str, bytes: &mut Vec<u8>) -> Option<usize> {
    let start = bytes.len();
    let size = digits.len() / 2;
    bytes.resize(start + size, 0);
    (digits.len() == 2 * size && decode(digits.as_bytes(), &mut bytes[start..])).then_some(size)
}

/// Puts down the bytes that hexadecimal digits stand for, two for each; says whether that is what they are.
#[inline]
pub(super) fn decode(digits: &[u8], bytes: &mut [u8]) -> bool {
    // Most inputs are an `int`.
    if let (Ok(eight), Ok(four)) = (<[u8; 8]>::try_from(digits), <&mut [u8; 4]>::try_from(&mut *bytes)) {
        let (values, are_digits) = decode_eight(u64::from_le_bytes(eight));
        *four = values.to_le_bytes();
        return are_digits;
    }
    let (eights, digits) = digits.as_chunks::<8>();
    let (fours, bytes) = bytes.as_chunks_mut::<4>();
    let mut good = true;
    for (eight, four) in eights.iter().zip(fours) {
        let (values, are_digits) = decode_eight(u64::from_le_bytes(*eight));
        *four = values.to_le_bytes();
        good &= are_digits;
    }
    for (&[high, low], byte) in digits.as_chunks::<2>().0.iter().zip(bytes) {
        let (values, are_digits) =
            decode_eight(u64::from_le_bytes([high, low, b'0', b'0', b'0', b'0', b'0', b'0']));
        *byte = values as u8;
        good &= are_digits;
    }
    good
}

/// The bytes that eight digits stand for, the first in the lowest, and whether they are digits.
#[inline]
fn decode_eight(digits: u64) -> (u32, bool) {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    // Letters have a bit that figures have not; the other bits tell the value, counted from nine.
    let letters = (digits >> 6) & ONES;
    let values = (digits & (0x0f * ONES)) + 9 * letters;
    // Written again, they are the same; no byte overflows.
    let above_nine = ((values + (0x80 - 10) * ONES) >> 7) & ONES;
    let again = values + u64::from(b'0') * ONES + u64::from(b'a' - b'0' - 10) * above_nine;
    let are_digits = values & (0xf0 * ONES) == 0 && again == digits;
    let pairs = ((values << 4) | (values >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs | (pairs >> 8)) & 0x0000_ffff_0000_ffff;
    ((fours | (fours >> 16)) as u32, are_digits)
}

/// What is left of a text. There are no line breaks within strings.
pub(super) struct Lines<'a>(pub(super) &'a str);

impl<'a> Lines<'a> {
    pub(super) fn next(&mut self) -> Option<&'a str> {
        let end = line_break(self.0.as_bytes())?;
        let line = &self.0[..end];
        self.0 = &self.0[end + 1..];
        Some(line)
    }

    fn exactly(&mut self, line: &str) -> Option<()> {
        (self.next()? == line).then_some(())
    }

    /// What is before the inputs.
    fn opening(&mut self, name: &str) -> Option<()> {
        self.exactly("{")?;
        let schema = between(self.next()?, "  \"schema\": \"", "\",")?;
        let named = between(self.next()?, "  \"name\": \"", "\",")?;
        (schema == TEST_SCHEMA && named == name).then_some(())?;
        between(self.next()?, "  \"condition\": \"", "\",").map(|_| ())
    }

    /// The elements of an array, each on a line.
    fn list(
        &mut self,
        indent: &str,
        name: &str,
        mut read: impl FnMut(&str) -> Option<BytesLine>,
    ) -> Option<Vec<BytesLine>> {
        let mut parts = Vec::new();
        match self.next()?.strip_prefix(indent)?.strip_prefix(name)? {
            ": [" => {}
            ": []," => return Some(parts),
            _ => return None,
        }
        loop {
            let line = self.next()?;
            line.strip_prefix(indent)?.strip_prefix("  {")?;
            let element = line.strip_suffix(',');
            parts.push(read(element.unwrap_or(line))?);
            if element.is_none() {
                return (self.next()?.strip_prefix(indent)? == "],").then_some(parts);
            }
        }
    }

    /// How it ends, and where: that is not kept in suites.
    pub(super) fn outcome(&mut self) -> Option<BytesOutcome> {
        let outcome = match between(self.next()?, "    \"outcome\": \"", "\",")? {
            "returned" => BytesOutcome::Returned,
            "exited" => {
                BytesOutcome::Exited(between(self.next()?, "    \"exit_status\": ", ",")?.parse().ok()?)
            }
            "error" => {
                let error = between(self.next()?, "    \"error\": {\"kind\": ", "},")?;
                let (kind, rest) = string(error)?;
                rest.starts_with(", \"message\": ")
                    .then(|| ErrorKind::named(kind))?
                    .map(BytesOutcome::Error)?
            }
            _ => return None,
        };
        self.exactly("    \"location\": null,")?;
        Some(outcome)
    }

    /// What follows the final values.
    pub(super) fn ending(&mut self, outcome: BytesOutcome) -> Option<Ending> {
        let stdout = between(self.next()?, "    \"stdout\": ", ",")?;
        let stderr = between(self.next()?, "    \"stderr\": ", ",")?;
        let indeterminate = between(self.next()?, "    \"indeterminate\": ", "")?.parse().ok()?;
        self.exactly("  }")?;
        let silent = (stdout, stderr) == ("\"\"", "\"\"");
        let output = (!silent).then(|| Box::new((stdout.to_owned(), stderr.to_owned())));
        Some(Ending { outcome, output, indeterminate })
    }

    fn closing(&mut self) -> Option<()> {
        self.exactly("}")?;
        self.0.is_empty().then_some(())
    }
}

/// Where the first line break is. Most lines are so short, or their rest is, that a search by words pays and one by
/// larger pieces would not.
#[inline]
pub(super) fn line_break(text: &[u8]) -> Option<usize> {
    const LOW: u64 = u64::from_le_bytes([1; 8]);
    let (words, rest) = text.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        // The lowest byte that is marked here is the first zero of what is a zero for each line break.
        let breaks = u64::from_le_bytes(*word) ^ (LOW * u64::from(b'\n'));
        let marked = breaks.wrapping_sub(LOW) & !breaks & (LOW << 7);
        if marked != 0 {
            return Some(8 * index + marked.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|&byte| byte == b'\n')?;
    Some(8 * words.len() + at)
}

fn between<'a>(line: &'a str, before: &str, after: &str) -> Option<&'a str> {
    line.strip_prefix(before)?.strip_suffix(after)
}

/// A plain string at the start of a text, and what follows it.
fn string(text: &str) -> Option<(&str, &str)> {
    until_quotation_mark(text.strip_prefix('"')?)
}

/// The rest of a plain string, and what follows it.
fn until_quotation_mark(text: &str) -> Option<(&str, &str)> {
    let end = text.bytes().position(|byte| byte == b'"' || byte == b'\\')?;
    Some((&text[..end], text[end..].strip_prefix('"')?))
}

#[cfg(test)]
mod tests {
    use super::{decode, line_break};

    #[test]
    fn digits_are_those_of_the_bytes() {
        for size in 0..10 {
            let wanted: Vec<u8> = (0..size).map(|at| (0x1f + 0x3d * at) as u8).collect();
            let text: String = wanted.iter().map(|byte| format!("{byte:02x}")).collect();
            let mut bytes = vec![0; size];
            assert!(decode(text.as_bytes(), &mut bytes) && bytes == wanted, "{text}");
            for at in 0..text.len() {
                for other in 0..=u8::MAX {
                    let mut changed = text.clone().into_bytes();
                    changed[at] = other;
                    let value = (other as char).to_digit(16).filter(|_| !other.is_ascii_uppercase());
                    assert_eq!(decode(&changed, &mut bytes), value.is_some(), "{other}");
                    let half = if at % 2 == 0 { bytes[at / 2] >> 4 } else { bytes[at / 2] & 15 };
                    assert!(value.is_none_or(|value| value == u32::from(half)), "{other}");
                }
            }
        }
    }

    #[test]
    fn the_first_line_break_is_found_wherever_it_is() {
        for length in 0..40 {
            let mut text: Vec<u8> = (0..length).map(|at| [0x0b, 0x8a, 0xff, 0, 9][at % 5]).collect();
            assert_eq!(line_break(&text), None);
            for at in (0..length).rev() {
                text[at] = b'\n';
                assert_eq!(line_break(&text), Some(at));
            }
        }
    }
}
