//! Metadata nodes, decoded field by field and only where something reaches them.

use super::cursor::Cursor;
use super::failure::{Failure, Parse};
use super::scan::{Module, NO_NODE};

/// A reference to a metadata node: its number, or where it is written in place.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum NodeReference {
    /// `!12`.
    Number(u32),
    /// `!DILocation(...)` or `!{...}`, at that offset.
    Inline(usize),
}

/// A metadata node of a text: `!DILocation(line: 1, ...)`.
pub(crate) struct MetadataNode<'a> {
    /// `DILocation`, or empty for a tuple `!{...}`.
    pub(crate) kind: &'a [u8],
    cursor: Cursor<'a>,
}

/// The value of a field of a node, as it is written.
#[derive(Copy, Clone)]
pub(crate) struct FieldValue<'a> {
    /// The text.
    pub(crate) text: &'a [u8],
    /// Where it starts.
    pub(crate) at: usize,
}

impl<'a> FieldValue<'a> {
    /// The number, 0 if it is something else or negative.
    pub(crate) fn number(&self) -> u64 {
        self.signed().and_then(|value| u64::try_from(value).ok()).unwrap_or(0)
    }

    /// The number, if it is one.
    pub(crate) fn signed(&self) -> Option<i128> {
        let (negative, digits) = match self.text {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        if digits.is_empty() || digits.len() > 30 {
            return None;
        }
        let value = digits.iter().try_fold(0i128, |value, digit| {
            digit.is_ascii_digit().then(|| value * 10 + i128::from(digit - b'0'))
        })?;
        Some(if negative { -value } else { value })
    }

    /// The number in 32 bits, 0 if it does not fit.
    pub(crate) fn small_number(&self) -> u32 {
        u32::try_from(self.number()).unwrap_or(0)
    }

    /// The string without its quotes, as it is written.
    pub(crate) fn string(&self) -> &'a [u8] {
        let text = self.text.strip_prefix(b"!").unwrap_or(self.text);
        text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or_default()
    }

    /// The node it refers to; `None` for `null` and for anything else.
    pub(crate) fn node(&self) -> Option<NodeReference> {
        match self.text {
            [b'!', digits @ ..] if digits.first().is_some_and(u8::is_ascii_digit) => {
                let number = digits.iter().try_fold(0u32, |value, digit| {
                    if !digit.is_ascii_digit() {
                        return None;
                    }
                    value.checked_mul(10)?.checked_add(u32::from(digit - b'0'))
                });
                number.map(NodeReference::Number)
            }
            [b'!', b'"', ..] => None,
            [b'!', ..] => Some(NodeReference::Inline(self.at)),
            _ => None,
        }
    }

    /// Whether one of the words joined by `|` is `flag`.
    pub(crate) fn has_flag(&self, flag: &[u8]) -> bool {
        self.text.split(|&byte| byte == b'|').any(|word| word.trim_ascii() == flag)
    }
}

impl<'a> Module<'a> {
    /// The node that a reference names; `None` if there is none.
    pub(crate) fn node(&self, reference: NodeReference) -> Option<MetadataNode<'a>> {
        let at = match reference {
            NodeReference::Number(number) => match self.metadata.get(number as usize) {
                Some(&at) if at != NO_NODE => at as usize,
                _ => return None,
            },
            NodeReference::Inline(at) => at,
        };
        let mut cursor = Cursor { bytes: self.text, at };
        cursor.eat_word(b"distinct");
        if !cursor.eat(b'!') {
            return None;
        }
        let kind = if cursor.byte() == b'{' { &[] } else { cursor.word() };
        cursor.skip_space();
        matches!(cursor.byte(), b'{' | b'(').then(|| {
            cursor.at += 1;
            MetadataNode { kind, cursor }
        })
    }
}

impl<'a> MetadataNode<'a> {
    /// Calls `visit` with the name and value of each field. A node that is written in a way we do not know ends early.
    pub(crate) fn fields(mut self, mut visit: impl FnMut(&'a [u8], FieldValue<'a>)) {
        loop {
            let name = self.cursor.word();
            if name.is_empty() || !self.cursor.eat(b':') {
                return;
            }
            let Ok(value) = field_value(&mut self.cursor) else { return };
            visit(name, value);
            if !self.cursor.eat(b',') {
                return;
            }
        }
    }

    /// Whether the node holds nothing.
    pub(crate) fn holds_nothing(mut self) -> bool {
        matches!(self.cursor.peek(), b')' | b'}')
    }

    /// The elements of a tuple `!{...}`.
    pub(crate) fn elements(mut self) -> Vec<FieldValue<'a>> {
        let mut found = Vec::new();
        while self.cursor.peek() != b'}' {
            let Ok(value) = field_value(&mut self.cursor) else { break };
            found.push(value);
            if !self.cursor.eat(b',') {
                break;
            }
        }
        found
    }
}

/// Takes the text of a value, up to the comma or bracket after it.
fn field_value<'a>(cursor: &mut Cursor<'a>) -> Parse<FieldValue<'a>> {
    cursor.skip_space();
    let at = cursor.at;
    loop {
        match cursor.byte() {
            b',' | b')' | b'}' => break,
            b'"' => drop(cursor.string()?),
            b'(' | b'{' | b'[' | b'<' => cursor.skip_balanced()?,
            0 if cursor.at >= cursor.bytes.len() => return Failure::broken(at, "this node has no end"),
            _ => cursor.at += 1,
        }
    }
    Ok(FieldValue { text: cursor.bytes[at..cursor.at].trim_ascii_end(), at })
}
