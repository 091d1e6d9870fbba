//! What can be wrong with a file that describes a monitor, or with a map.

/// Why a file was not understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{}: {message}", file, line.map_or_else(String::new, |line| format!(":{line}")))]
pub struct ReadError {
    /// The file.
    pub file: String,
    /// The line, if the mistake has one.
    pub line: Option<u32>,
    /// What was expected, what was found, and what to do.
    pub message: String,
}

/// How a file of one format complains: where, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Complaint {
    pub(crate) line: Option<u32>,
    pub(crate) message: String,
}

impl Complaint {
    pub(crate) fn at(line: u32, message: impl Into<String>) -> Self {
        Self { line: Some(line), message: message.into() }
    }

    pub(crate) fn in_file(self, file: &str) -> ReadError {
        ReadError { file: file.to_owned(), line: self.line, message: self.message }
    }
}
