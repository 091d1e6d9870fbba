//! What a path leaves behind, with the bytes that a native run can be compared with.

use crate::{Origin, Value};
use serde::{Deserialize, Serialize};

/// A value with the bytes that a native run can be compared with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Observed {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Which of them can be compared.
    pub comparable: Vec<bool>,
    /// The same, typed.
    pub value: Value,
    /// The pointers in the bytes, as far as they are known: a test that was read again does not tell.
    pub pointers: Vec<LeftPointer>,
}

impl Observed {
    /// Something without a pointer in it, or of which nobody asks where pointers lead.
    pub fn new(bytes: Vec<u8>, comparable: Vec<bool>, value: Value) -> Self {
        Self { bytes, comparable, value, pointers: Vec::new() }
    }
}

/// A pointer in something that is looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LeftPointer {
    /// Where in the bytes it is.
    pub offset: u64,
    /// Where it leads; `None` if it is null.
    pub target: Option<PointerTarget>,
}

/// Where a pointer leads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PointerTarget {
    /// The name of an input, of a variable or of a function, or something else in words.
    pub name: String,
    /// How far behind its start.
    pub addend: u64,
}

impl std::fmt::Display for PointerTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.addend {
            0 => f.write_str(&self.name),
            addend => write!(f, "{}+{addend}", self.name),
        }
    }
}

/// A global variable, an input object or an object on the heap at the end of a path.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Final {
    /// Its name.
    pub name: String,
    /// Which object it is.
    pub origin: Origin,
    /// What it holds.
    pub observed: Observed,
}

/// Keeps some of the final values, and of objects on the heap only those that the others still lead to.
pub fn keep_finals(finals: &mut Vec<Final>, keep: impl Fn(&Final) -> bool) {
    let mut kept: Vec<Final> = Vec::with_capacity(finals.len());
    for each in finals.drain(..) {
        let is_reached = match &each.origin {
            Origin::Heap { within, .. } => {
                within.is_empty() || kept.iter().any(|other| other.name == *within)
            }
            _ => true,
        };
        if is_reached && keep(&each) {
            kept.push(each);
        }
    }
    *finals = kept;
}
