//! What goes wrong while reading, before it is known which file and line it is.

/// A failure to read at a byte offset of the text.
#[derive(Debug)]
pub(crate) struct Failure {
    /// Where, in bytes from the start of the text.
    pub(crate) at: usize,
    /// What was expected, and what was found.
    pub(crate) message: String,
    /// Whether the text may be right but holds something that this reader does not know. Such a failure inside an
    /// instruction makes that one instruction unsupported; any other failure makes the file unreadable.
    pub(crate) unknown: bool,
}

/// The result of reading something. The failure is boxed, so that the usual case stays small.
pub(crate) type Parse<T> = Result<T, Box<Failure>>;

impl Failure {
    /// The text is broken at `at`.
    pub(crate) fn broken<T>(at: usize, message: impl Into<String>) -> Parse<T> {
        Err(Box::new(Self { at, message: message.into(), unknown: false }))
    }

    /// The text holds something at `at` that this reader does not know.
    pub(crate) fn unknown<T>(at: usize, message: impl Into<String>) -> Parse<T> {
        Err(Box::new(Self { at, message: message.into(), unknown: true }))
    }
}
