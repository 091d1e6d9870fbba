//! The lexer: a position in the bytes of a text, and the small steps that all parsers are made of.
//!
//! No token is ever stored: parsers look at the next byte and take what they need as a slice of the text.

use super::failure::{Failure, Parse};
use memchr::memchr;

const SPACE: u8 = 1;
const WORD: u8 = 2;
const NAME: u8 = 4;

/// For each byte, what it can be part of.
static CLASSES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        if b == b' ' || b == b'\n' || b == b'\t' || b == b'\r' {
            table[byte] |= SPACE;
        }
        if b.is_ascii_alphanumeric() || b == b'_' {
            table[byte] |= WORD;
        }
        if b.is_ascii_alphanumeric() || b == b'_' || b == b'.' || b == b'$' || b == b'-' {
            table[byte] |= NAME;
        }
        byte += 1;
    }
    table
};

/// The largest alignment of LLVM.
const MAXIMUM_ALIGNMENT: u64 = 1 << 32;

/// The name of a local, a global, a type or a label, without its sigil.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Name<'a> {
    /// `%12`.
    Number(u32),
    /// `%name` or `%"quoted name"`, as it is written between the quotes.
    Text(&'a [u8]),
}

/// A position in a text.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    /// The whole text.
    pub(crate) bytes: &'a [u8],
    /// The offset of the next byte.
    pub(crate) at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next byte, 0 at the end.
    #[inline]
    pub(crate) fn byte(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    /// The byte after the next, 0 at the end.
    #[inline]
    pub(crate) fn second_byte(&self) -> u8 {
        self.bytes.get(self.at + 1).copied().unwrap_or(0)
    }

    /// Whether nothing is left, not even space.
    pub(crate) fn at_end(&mut self) -> bool {
        self.skip_space();
        self.at >= self.bytes.len()
    }

    /// Goes past spaces, line ends and comments.
    #[inline]
    pub(crate) fn skip_space(&mut self) {
        loop {
            let byte = self.byte();
            if CLASSES[byte as usize] & SPACE != 0 {
                self.at += 1;
            } else if byte == b';' {
                self.skip_line();
            } else {
                return;
            }
        }
    }

    /// Goes to the end of the line.
    pub(crate) fn skip_line(&mut self) {
        self.at = memchr(b'\n', &self.bytes[self.at..]).map_or(self.bytes.len(), |length| self.at + length);
    }

    /// The next byte that is not space.
    #[inline]
    pub(crate) fn peek(&mut self) -> u8 {
        self.skip_space();
        self.byte()
    }

    /// Takes `byte` if it comes next.
    #[inline]
    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        if self.peek() == byte {
            self.at += 1;
            true
        } else {
            false
        }
    }

    /// Takes `byte` or fails.
    #[inline]
    pub(crate) fn expect(&mut self, byte: u8) -> Parse<()> {
        if self.eat(byte) { Ok(()) } else { self.expected(&format!("'{}'", byte as char)) }
    }

    /// A keyword, empty if there is none.
    #[inline]
    pub(crate) fn word(&mut self) -> &'a [u8] {
        self.skip_space();
        let start = self.at;
        if self.byte().is_ascii_digit() {
            return &[];
        }
        while CLASSES[self.byte() as usize] & WORD != 0 {
            self.at += 1;
        }
        &self.bytes[start..self.at]
    }

    /// The keyword that comes next, without taking it.
    #[inline]
    pub(crate) fn peek_word(&mut self) -> &'a [u8] {
        let word = self.word();
        self.at -= word.len();
        word
    }

    /// Takes the keyword if it comes next.
    #[inline]
    pub(crate) fn eat_word(&mut self, word: &[u8]) -> bool {
        if self.peek_word() == word {
            self.at += word.len();
            true
        } else {
            false
        }
    }

    /// Takes the keyword or fails.
    pub(crate) fn expect_word(&mut self, word: &str) -> Parse<()> {
        if self.eat_word(word.as_bytes()) { Ok(()) } else { self.expected(&format!("'{word}'")) }
    }

    /// Takes a run of digits that fits, or fails.
    pub(crate) fn number(&mut self) -> Parse<u64> {
        self.skip_space();
        let start = self.at;
        let mut value: u64 = 0;
        while self.byte().is_ascii_digit() {
            let digit = u64::from(self.byte() - b'0');
            value = match value.checked_mul(10).and_then(|value| value.checked_add(digit)) {
                Some(value) => value,
                None => return Failure::broken(start, "this number is too large"),
            };
            self.at += 1;
        }
        if self.at == start { self.expected("a number") } else { Ok(value) }
    }

    /// Takes a run of digits that fits 32 bits, or fails.
    pub(crate) fn small_number(&mut self) -> Parse<u32> {
        self.skip_space();
        let start = self.at;
        let number = self.number()?;
        u32::try_from(number).or_else(|_| Failure::broken(start, "this number is too large"))
    }

    /// Takes an alignment in bytes, 0 for that of the type.
    pub(crate) fn alignment(&mut self) -> Parse<u64> {
        self.skip_space();
        let start = self.at;
        let align = self.number()?;
        if align == 0 || (align.is_power_of_two() && align <= MAXIMUM_ALIGNMENT) {
            return Ok(align);
        }
        Failure::broken(start, "an alignment is a power of two up to 4294967296")
    }

    /// Takes a name that follows a sigil, or a label.
    #[inline]
    pub(crate) fn name(&mut self) -> Parse<Name<'a>> {
        if self.byte() == b'"' {
            return Ok(Name::Text(self.string()?));
        }
        let start = self.at;
        while CLASSES[self.byte() as usize] & NAME != 0 {
            self.at += 1;
        }
        let text = &self.bytes[start..self.at];
        match text.first() {
            None => self.expected("a name"),
            Some(first) if first.is_ascii_digit() && text.iter().all(u8::is_ascii_digit) => {
                let value = text.iter().try_fold(0u32, |value, digit| {
                    value.checked_mul(10)?.checked_add(u32::from(digit - b'0'))
                });
                match value {
                    Some(number) => Ok(Name::Number(number)),
                    None => Failure::broken(start, "this number is too large"),
                }
            }
            Some(_) => Ok(Name::Text(text)),
        }
    }

    /// Takes a name that follows a sigil, as it is written.
    pub(crate) fn raw_name(&mut self) -> Parse<&'a [u8]> {
        let start = self.at;
        Ok(match self.name()? {
            Name::Text(text) => text,
            Name::Number(_) => &self.bytes[start..self.at],
        })
    }

    /// Takes a string with its quotes; the result is what is written between them.
    pub(crate) fn string(&mut self) -> Parse<&'a [u8]> {
        self.expect(b'"')?;
        let start = self.at;
        match memchr(b'"', &self.bytes[start..]) {
            Some(length) => {
                self.at = start + length + 1;
                Ok(&self.bytes[start..start + length])
            }
            None => Failure::broken(start - 1, "this string has no end"),
        }
    }

    /// Goes past a bracket and all that is inside it.
    pub(crate) fn skip_balanced(&mut self) -> Parse<()> {
        self.skip_nested(&NESTING)
    }

    /// Goes past a function's body, from its `{` on.
    pub(crate) fn skip_body(&mut self) -> Parse<()> {
        self.skip_nested(&BODY_NESTING)
    }

    fn skip_nested(&mut self, classes: &[u8; 256]) -> Parse<()> {
        self.skip_space();
        if classes[self.byte() as usize] != OPEN {
            return self.expected("a bracket");
        }
        let start = self.at;
        let mut depth = 0usize;
        while let Some(&byte) = self.bytes.get(self.at) {
            match classes[byte as usize] {
                0 => self.at += 1,
                OPEN => {
                    depth += 1;
                    self.at += 1;
                }
                CLOSE => {
                    self.at += 1;
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Ok(());
                    }
                }
                QUOTE => {
                    self.string()?;
                }
                _ => self.skip_line(),
            }
        }
        let bracket = self.bytes.get(start).map_or(' ', |&byte| byte as char);
        Failure::broken(
            self.at,
            format!("the text ends before the '{bracket}' of line {} is closed", self.line_of(start)),
        )
    }

    /// The number of the line that holds an offset.
    fn line_of(&self, offset: usize) -> usize {
        memchr::memchr_iter(b'\n', &self.bytes[..offset]).count() + 1
    }

    /// Fails, saying what was expected and what comes next.
    #[cold]
    pub(crate) fn expected<T>(&mut self, what: &str) -> Parse<T> {
        self.skip_space();
        let found = self.describe_next();
        let word = self.peek_word();
        // A word that is out of place may be one that a newer LLVM introduced; anything else is a broken text.
        let unknown = !word.is_empty() && !is_top_level_word(word);
        let message = format!("expected {what}, found {found}");
        if unknown { Failure::unknown(self.at, message) } else { Failure::broken(self.at, message) }
    }

    /// The next token in words, for messages.
    fn describe_next(&self) -> String {
        let rest = &self.bytes[self.at.min(self.bytes.len())..];
        let Some(first) = rest.first() else {
            return "the end of the file".to_owned();
        };
        let is_sigil = matches!(first, b'%' | b'@' | b'!' | b'#' | b'$');
        let start = usize::from(is_sigil);
        let length =
            rest[start..].iter().take_while(|&&byte| CLASSES[byte as usize] & NAME != 0).count().min(40);
        let end = (start + length).max(1);
        format!("'{}'", String::from_utf8_lossy(&rest[..end]).escape_debug())
    }
}

/// Whether a word starts a top-level entity.
pub(crate) fn is_top_level_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"define"
            | b"declare"
            | b"attributes"
            | b"source_filename"
            | b"target"
            | b"module"
            | b"uselistorder"
            | b"uselistorder_bb"
    )
}

const OPEN: u8 = 1;
const CLOSE: u8 = 2;
const QUOTE: u8 = 3;
const COMMENT: u8 = 4;

static NESTING: [u8; 256] = nesting(b"([{<", b")]}>");
static BODY_NESTING: [u8; 256] = nesting(b"{", b"}");

const fn nesting(open: &[u8], close: &[u8]) -> [u8; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < open.len() {
        table[open[index] as usize] = OPEN;
        table[close[index] as usize] = CLOSE;
        index += 1;
    }
    table[b'"' as usize] = QUOTE;
    table[b';' as usize] = COMMENT;
    table
}

/// The bytes of a string or quoted name, with its `\xx` escapes replaced.
pub(crate) fn unescape(text: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    if !text.contains(&b'\\') {
        return text.into();
    }
    let digit = |at: usize| text.get(at).and_then(|&byte| (byte as char).to_digit(16));
    let mut bytes = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match (text[at], digit(at + 1), digit(at + 2)) {
            (b'\\', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                at += 3;
            }
            (b'\\', ..) if text.get(at + 1) == Some(&b'\\') => {
                bytes.push(b'\\');
                at += 2;
            }
            (byte, ..) => {
                bytes.push(byte);
                at += 1;
            }
        }
    }
    bytes.into()
}

/// A string or quoted name as text.
pub(crate) fn unescape_text(text: &[u8]) -> String {
    String::from_utf8_lossy(&unescape(text)).into_owned()
}
