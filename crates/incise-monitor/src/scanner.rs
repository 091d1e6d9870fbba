//! The text of a file, and a place in it: what the readers of formats that are no XML share.

use crate::error::Complaint;

/// A file as text. What is not UTF-8 (or UTF-16 with its mark) is taken to be Latin-1: older tools write that.
pub(crate) fn decoded(bytes: &[u8]) -> String {
    let wide = |rest: &[u8], read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = rest.chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            match std::str::from_utf8(bytes) {
                Ok(text) => text.to_owned(),
                Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
            }
        }
    }
}

/// How comments are written.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Comments {
    /// `//` to the end of the line, `/*` to `*/`.
    C,
    /// `%` to the end of the line.
    Percent,
    /// `--` to the end of the line.
    Dashes,
}

/// A place in a text.
pub(crate) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    comments: Comments,
    /// Where lines begin.
    lines: Vec<usize>,
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t str, comments: Comments) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, at: 0, comments, lines }
    }

    /// The line of the place.
    pub(crate) fn line(&self) -> u32 {
        self.line_of(self.at)
    }

    fn line_of(&self, at: usize) -> u32 {
        u32::try_from(self.lines.partition_point(|&start| start <= at)).unwrap_or(u32::MAX)
    }

    /// What is left of the text.
    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Goes on by so many bytes.
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.text.len());
    }

    /// The place, to come back to.
    pub(crate) fn place(&self) -> usize {
        self.at
    }

    /// Goes to a place.
    pub(crate) fn go_to(&mut self, place: usize) {
        self.at = place;
    }

    /// Leaves blanks and comments behind.
    pub(crate) fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            let to_line_end = || trimmed.find('\n').unwrap_or(trimmed.len());
            let comment = match self.comments {
                Comments::C if trimmed.starts_with("//") => to_line_end(),
                Comments::C if trimmed.starts_with("/*") => {
                    trimmed[2..].find("*/").map_or(trimmed.len(), |end| end + 4)
                }
                Comments::Percent if trimmed.starts_with('%') => to_line_end(),
                Comments::Dashes if trimmed.starts_with("--") => to_line_end(),
                _ => return,
            };
            self.at += comment;
        }
    }

    /// Whether nothing is left but blanks and comments.
    pub(crate) fn at_end(&mut self) -> bool {
        self.skip();
        self.at >= self.text.len()
    }

    /// The next character behind blanks and comments.
    pub(crate) fn peek(&mut self) -> Option<char> {
        self.skip();
        self.rest().chars().next()
    }

    /// Goes on behind a character if it is the next.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// Goes on behind a character that has to be the next. `context` says where it is expected.
    pub(crate) fn expect(&mut self, wanted: char, context: &str) -> Result<(), Complaint> {
        if self.eat(wanted) { Ok(()) } else { Err(self.expected(&format!("`{wanted}` {context}"))) }
    }

    /// A run of characters up to a blank or one of `ends`; empty if there is none.
    pub(crate) fn word(&mut self, ends: &str) -> &'t str {
        self.skip();
        let rest = self.rest();
        let end = rest.find(|each: char| each.is_whitespace() || ends.contains(each)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// What is between quotes, if a quote is next; `\` takes the character behind it as it is.
    pub(crate) fn quoted(&mut self) -> Result<Option<String>, Complaint> {
        if self.peek() != Some('"') {
            return Ok(None);
        }
        let line = self.line();
        let mut text = String::new();
        let mut escaped = false;
        for (offset, each) in self.rest().char_indices().skip(1) {
            match each {
                _ if escaped => {
                    text.push(each);
                    escaped = false;
                }
                '\\' => escaped = true,
                '"' => {
                    self.at += offset + 1;
                    return Ok(Some(text));
                }
                _ => text.push(each),
            }
        }
        Err(Complaint::at(
            line,
            "expected `\"` at the end of the text that begins here, found the end of the file",
        ))
    }

    /// A complaint about what stands here.
    pub(crate) fn expected(&mut self, what: &str) -> Complaint {
        self.skip();
        Complaint::at(self.line(), format!("expected {what}, found {}", self.found()))
    }

    /// What stands here, in a few words.
    fn found(&self) -> String {
        /// How much is shown.
        const SHOWN: usize = 24;
        let line = self.rest().lines().next().unwrap_or_default().trim_end();
        match line.chars().count() {
            0 => "the end of the file".to_owned(),
            count if count > SHOWN => format!("`{}...`", line.chars().take(SHOWN).collect::<String>()),
            _ => format!("`{line}`"),
        }
    }

    /// Leaves everything behind up to a character outside of quotes and comments, and that character itself.
    pub(crate) fn skip_behind(&mut self, wanted: char, context: &str) -> Result<(), Complaint> {
        let line = self.line();
        loop {
            match self.peek() {
                None => {
                    let message = format!("expected `{wanted}` {context}, found the end of the file");
                    return Err(Complaint::at(line, message));
                }
                Some('"') => drop(self.quoted()?),
                Some(each) => {
                    self.at += each.len_utf8();
                    if each == wanted {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// A number that a probability can be written as.
pub(crate) fn number(word: &str) -> Option<f64> {
    let plain = |each: char| each.is_ascii_digit() || matches!(each, '.' | '-' | '+' | 'e' | 'E');
    word.chars().all(plain).then(|| word.parse::<f64>().ok()).flatten().filter(|value| value.is_finite())
}
