//! The kinds of errors that tests expect and native runs show.

/// The kind of an error of the program.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ErrorKind {
    /// An assertion fails.
    Assertion,
    /// `abort`, or a trap.
    Abort,
    /// A read or write outside of its object.
    OutOfBounds,
    /// A read or write through a null pointer.
    NullPointer,
    /// A read or write of what is no longer there.
    UseAfterFree,
    /// `free` of what was freed already.
    DoubleFree,
    /// `free` of what `malloc` did not return.
    InvalidFree,
    /// Integer division by zero.
    DivisionByZero,
    /// A shift by the width of its operand or more.
    Overshift,
    /// Signed arithmetic whose result does not fit.
    SignedOverflow,
    /// Code that must not be reached.
    Unreachable,
    /// A write to a constant.
    ReadOnly,
    /// A call of what is no function, or of another one.
    BadCall,
    /// What the program reports itself.
    Reported,
}

impl ErrorKind {
    /// All kinds.
    pub const ALL: [Self; 14] = [
        Self::Assertion,
        Self::Abort,
        Self::OutOfBounds,
        Self::NullPointer,
        Self::UseAfterFree,
        Self::DoubleFree,
        Self::InvalidFree,
        Self::DivisionByZero,
        Self::Overshift,
        Self::SignedOverflow,
        Self::Unreachable,
        Self::ReadOnly,
        Self::BadCall,
        Self::Reported,
    ];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Assertion => "assertion",
            Self::Abort => "abort",
            Self::OutOfBounds => "out-of-bounds",
            Self::NullPointer => "null-pointer",
            Self::UseAfterFree => "use-after-free",
            Self::DoubleFree => "double-free",
            Self::InvalidFree => "invalid-free",
            Self::DivisionByZero => "division-by-zero",
            Self::Overshift => "overshift",
            Self::SignedOverflow => "signed-overflow",
            Self::Unreachable => "unreachable",
            Self::ReadOnly => "read-only",
            Self::BadCall => "bad-call",
            Self::Reported => "reported",
        }
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
