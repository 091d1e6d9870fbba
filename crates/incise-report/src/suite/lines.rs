//! The tests of a manifest by the lines that we write them in: there may be tens of thousands.
//!
//! A manifest that people wrote or formatted may look otherwise, and is read by a parser of JSON.

use super::manifest::{Document, SuiteEntry, TestOrigin};
use crate::SharedText;
use crate::json::lines as json_lines;
use std::sync::Arc;

/// What is before the tests. There are no line breaks within strings.
const OPEN: &str = "\n  \"tests\": [\n";
/// What is behind them.
const CLOSE: &str = "\n  ]\n}\n";

/// Fewer bytes than the line of a test has.
const SHORT_LINE: usize = 128;

/// Reads a manifest; `None` if it is not as we write it.
pub(super) fn read(text: &Arc<String>) -> Option<Document> {
    let (header, mut rest) = text.split_at(text.find(OPEN)? + OPEN.len());
    // If this is a document, the tests are where its last array was open.
    let mut document: Document = serde_json::from_str(&format!("{header}]}}")).ok()?;
    document.tests.reserve(rest.len() / SHORT_LINE);
    loop {
        document.tests.push(read_line(text, &mut rest)?);
        match rest.strip_prefix(",\n") {
            Some(more) => rest = more,
            None => return (rest == CLOSE).then_some(document),
        }
    }
}

/// A test, and what follows it. The rest is one of the text.
fn read_line(text: &Arc<String>, rest: &mut &str) -> Option<SuiteEntry> {
    let mut string = |before: &str| {
        let after = rest.strip_prefix(before)?;
        let start = text.len() - after.len();
        let length = plain_length(after.as_bytes());
        *rest = after.get(length..)?.strip_prefix('"')?;
        SharedText::part_of(text, start..start + length)
    };
    let name = string("    {\"name\": \"")?;
    let path = string(", \"path\": \"")?;
    let outcome = string(", \"outcome\": \"")?;
    let expected = string(", \"expected\": \"")?;
    let origin = string(", \"origin\": \"")?;
    let origin = ORIGINS.into_iter().find(|each| *origin_name(*each) == *origin)?;
    let hash = string(", \"hash\": \"")?;
    let after = rest.strip_prefix(PENDING);
    *rest = after.unwrap_or(rest).strip_prefix('}')?;
    Some(SuiteEntry { name, path, outcome, expected, origin, hash, pending: after.is_some() })
}

/// Adds a test, without an end of the line.
pub(super) fn write(test: &SuiteEntry, text: &mut String) -> serde_json::Result<()> {
    let SuiteEntry { name, path, outcome, expected, origin, hash, pending } = test;
    let is_plain = |text: &&SharedText| plain_length(text.as_bytes()) == text.len();
    if ![name, path, outcome, expected, hash].iter().all(is_plain) {
        text.push_str(&json_lines::to_line(test)?);
        return Ok(());
    }
    for part in ["{\"name\": \"", name, "\", \"path\": \"", path, "\", \"outcome\": \"", outcome] {
        text.push_str(part);
    }
    let origin = origin_name(*origin);
    for part in ["\", \"expected\": \"", expected, "\", \"origin\": \"", origin, "\", \"hash\": \"", hash] {
        text.push_str(part);
    }
    text.push('"');
    text.push_str(if *pending { PENDING } else { "" });
    text.push('}');
    Ok(())
}

const PENDING: &str = ", \"pending\": true";
const ORIGINS: [TestOrigin; 3] = [TestOrigin::Generated, TestOrigin::Kept, TestOrigin::Added];

fn origin_name(origin: TestOrigin) -> &'static str {
    match origin {
        TestOrigin::Generated => "generated",
        TestOrigin::Kept => "kept",
        TestOrigin::Added => "added",
    }
}

/// How many bytes there are before the first that ends a JSON string, or cannot be as it is in one.
fn plain_length(text: &[u8]) -> usize {
    const LOW: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = LOW << 7;
    let (words, rest) = text.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The lowest byte that is marked in one of these is the first that is smaller than what is taken away.
        let is = |byte: u8| {
            let other = word ^ (LOW * u64::from(byte));
            other.wrapping_sub(LOW) & !other
        };
        let control = word.wrapping_sub(LOW * 0x20) & !word;
        let marked = (is(b'"') | is(b'\\') | control) & HIGH;
        if marked != 0 {
            return 8 * index + marked.trailing_zeros() as usize / 8;
        }
    }
    let plain = rest.iter().position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\');
    8 * words.len() + plain.unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::SuiteManifest;

    fn entry(name: &str, expected: &str, origin: TestOrigin, pending: bool) -> SuiteEntry {
        SuiteEntry {
            name: name.into(),
            path: "f+1T +2=3".into(),
            outcome: "returned".into(),
            expected: expected.into(),
            origin,
            hash: "xxh3:e6c632b61e964e1f".into(),
            pending,
        }
    }

    fn manifest(tests: Vec<SuiteEntry>) -> String {
        let concretised = vec!["\"tests\": [".to_owned()];
        SuiteManifest { concretised, tests, ..SuiteManifest::default() }.to_json().unwrap()
    }

    #[test]
    fn a_line_is_written_as_json_has_it() {
        for expected in ["returns 2", "returns \"2\"", "a\\b", "\n", "\u{1f}", "\u{7f}", "\u{e9}\u{ffff}", ""]
        {
            for origin in ORIGINS {
                for pending in [false, true] {
                    let entry = entry("f-1", expected, origin, pending);
                    let mut text = String::new();
                    write(&entry, &mut text).unwrap();
                    assert_eq!(text, json_lines::to_line(&entry).unwrap());
                    let line = Arc::new(format!("    {text}"));
                    let read = read_line(&line, &mut line.as_str());
                    assert_eq!(serde_json::from_str::<SuiteEntry>(&text).unwrap(), entry);
                    assert_eq!(read.is_some(), !text.contains('\\'), "{text}");
                    assert!(read.is_none_or(|read| read == entry));
                }
            }
        }
    }

    /// Whatever is read by lines, a parser reads too, and in the same way.
    #[test]
    fn what_is_read_by_lines_is_what_the_parser_reads() {
        let one = entry("f-1", "returns \u{e9}", TestOrigin::Kept, true);
        let text = manifest(vec![one, entry("f-2", "", TestOrigin::Added, false)]);
        let read = |text: &str| read(&Arc::new(text.to_owned()));
        assert!(read(&text).is_some());
        let (mut both, mut others) = (0, 0);
        for at in (0..text.len()).filter(|&at| text.as_bytes()[at].is_ascii()) {
            for other in ["", "0", "\"", "\\", " ", "\n", "x", "]", "}", "{", ",", "\t", "\n  \"tests\": [\n"]
            {
                let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
                match read(&changed) {
                    Some(read) => {
                        both += 1;
                        assert_eq!(read, serde_json::from_str(&changed).unwrap(), "{changed}");
                    }
                    None => others += 1,
                }
            }
        }
        assert!(both > 500 && others > 500, "{both} {others}");
        // Without a test there is no line.
        assert!(read(&manifest(Vec::new())).is_none());
    }

    #[test]
    fn what_is_not_plain_is_found_wherever_it_is() {
        for length in 0..40 {
            let text: Vec<u8> =
                (0..length).map(|at| [b'a', 0x20, 0xff, 0x80, b'#', b'!', b']'][at % 7]).collect();
            assert_eq!(plain_length(&text), length);
            for special in [b'"', b'\\', 0, 0x1f, b'\n'] {
                let mut text = text.clone();
                for at in (0..length).rev() {
                    text[at] = special;
                    assert_eq!(plain_length(&text), at);
                }
            }
        }
    }
}
