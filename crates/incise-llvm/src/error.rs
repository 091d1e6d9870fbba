//! What can be wrong with a text.

/// A text that cannot be read, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct ReadError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The column in bytes, from 1.
    pub column: u64,
    /// What was expected, and what was found.
    pub message: String,
}

impl ReadError {
    /// The error at a byte offset of a text.
    pub(crate) fn at(file: &str, text: &[u8], offset: usize, message: String) -> Self {
        let before = &text[..offset.min(text.len())];
        let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
        let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        Self { file: file.to_owned(), line, column: (before.len() - start) as u64 + 1, message }
    }
}
