//! Numbers that most people do not mean.

use serde::{Deserialize, Serialize};

/// Numbers that most people do not mean, and that a difference may need.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Special {
    /// The old version overflows a signed number.
    Overflow,
    /// An index of the old version is beyond its array, or one of any version wraps around.
    Index,
    /// Something is not a number.
    NotANumber,
    /// A zero has a sign.
    SignOfZero,
}

impl Special {
    /// The name in JSON: stable.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overflow => "overflow",
            Self::Index => "index",
            Self::NotANumber => "not-a-number",
            Self::SignOfZero => "sign-of-zero",
        }
    }

    /// Where the versions differ, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Overflow => "only where OLD overflows a signed number",
            Self::Index => "only where an index is beyond its array",
            Self::NotANumber => "only where something is not a number",
            Self::SignOfZero => "only in the sign of a zero, or by it",
        }
    }
}
