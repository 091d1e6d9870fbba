//! What can be done about something that a text says, as data: whoever shows the text has the words for it.

use crate::LimitKind;

/// What can be done about something that a text says.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// All errors can be shown as a whole.
    AllErrors,
    /// What is left out can be shown.
    ShowRest,
    /// The JSON has the whole of a text that is cut.
    WholeText,
    /// The JSON has all of what is left out.
    AllOfThem,
    /// The JSON lists what is left out.
    Listed,
    /// What is farther from the change can be shown.
    Depth,
    /// Inputs that are not compared can be listed.
    ListInvalid,
    /// A function without a body can be given one, or be taken to do anything.
    External,
    /// A limit can be raised.
    Raise(LimitKind),
    /// Inputs can be made larger.
    LargerInputs,
    /// The new outcomes of changed tests can be written.
    AcceptOutcomes,
    /// Another strategy finds what the paper's loses.
    ExactStrategy,
    /// Tests can be made that cover what is missing.
    MakeTests,
    /// What would add tests: who does it, not what it is good for.
    SuiteUpdate,
}

/// Words advice. They are put in parentheses or behind a semicolon, and have no full stop.
pub type Adviser = fn(Advice) -> Option<&'static str>;
