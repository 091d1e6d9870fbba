//! Where a path ends: the functions that are active there. How it ends is a word of `incise-vocabulary`.

use incise_ir::SourcePosition;
pub use incise_vocabulary::{ErrorKind, LimitKind, Outcome, ProgramError};

/// A function that was active when a path ended, and where in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackFrame {
    /// The function's name.
    pub function: String,
    /// Where it was; `None` without debug information.
    pub position: Option<SourcePosition>,
}
