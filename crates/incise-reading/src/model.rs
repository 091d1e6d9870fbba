//! The facts of a reading, and their words.

use incise_ir::SourcePosition;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What the inputs of a function are taken to be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// The facts, in the order of the parameters that they are about.
    pub parts: Vec<Taken>,
    /// The pointer inputs that the function compares with null, or hands on to a function that does: null means
    /// something there.
    pub checked: BTreeSet<String>,
    /// Pointers that lead to a struct of a type that the way to them went through already (`list->next`), and where
    /// that was (`list`): what is taken of the one holds for the other.
    pub repeats: BTreeMap<String, String>,
}

/// One fact about an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The input that it is about, as a C expression over the inputs: `name`, `*count`, `list->data`, `ring.size`.
    pub input: String,
    /// What it is taken to be.
    pub what: What,
    /// Why.
    pub evidence: Evidence,
}

/// What an input is taken to be. Numbers of elements are those that a pointer leads to, from where it points on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A pointer that is not null.
    NotNull,
    /// A pointer to elements of which one is zero: a string.
    Text,
    /// A pointer to at least so many elements, and to no more than `most` if that is given.
    Elements {
        /// At least so many.
        least: u64,
        /// At most so many.
        most: Option<u64>,
    },
    /// A pointer to at least as many elements or bytes as a number says.
    Room {
        /// The number, an expression over the inputs as [`Taken::input`] is, or a product of such and of numbers.
        number: String,
        /// What it counts.
        unit: Unit,
        /// How many more there are, or fewer if it is negative.
        more: i64,
    },
    /// A pointer into the object of another one, not before it and at most one past the last element: `end` beside
    /// `begin`.
    EndOf {
        /// The pointer to the start.
        begin: String,
    },
    /// A number within bounds, both included.
    Range {
        /// The smallest.
        low: i128,
        /// The largest.
        high: i128,
    },
    /// A number that is not above another one: a length and its capacity.
    AtMost {
        /// The other number.
        number: String,
    },
    /// A number that is below another one: an index and its size.
    Below {
        /// The other number.
        number: String,
    },
    /// A number that is one of its type's enumerators.
    Enumerator,
    /// A pointer that may lead to the same object as another one.
    MaySame {
        /// The other pointer.
        other: String,
    },
    /// A pointer that may lead into the object of another one, at any element.
    MayOverlap {
        /// The other pointer.
        other: String,
    },
    /// A pointer to no part of another one's object, of the same type: nothing says so, it is what most callers mean.
    Apart {
        /// The other pointer.
        other: String,
    },
    /// A pointer to a member of a struct: what is around it is the rest of that.
    MemberOf {
        /// The struct, as C names the type.
        whole: String,
        /// The member, with the way to it: `link`, `queue.link`, `links[1]`.
        member: String,
    },
    /// A pointer to what `malloc` gave: it may be freed.
    Allocated,
    /// A pointer to a stream of the C library, open on a file of its own, at its start.
    Stream {
        /// Whether there is nothing in the file: the stream is only written to.
        empty: bool,
    },
    /// A pointer to a function: one of these, or one that nobody can see into.
    Calls {
        /// Functions of the program that are passed there.
        functions: Vec<String>,
        /// Whether it may be an unknown one.
        unknown: bool,
    },
}

/// What a number counts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Elements of the pointer's type.
    Elements,
    /// Bytes.
    Bytes,
}

/// Why something is taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// Where from.
    pub source: Source,
    /// In words, to be put behind 'because': `it is passed to strlen`.
    pub words: String,
    /// Where in the source, if it is at one place.
    pub place: Option<SourcePosition>,
}

/// Where evidence comes from.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// The user said so.
    Contract,
    /// An attribute of the function or the parameter.
    Attribute,
    /// A type.
    Type,
    /// What the function itself does with it.
    Use,
    /// What callers in the program pass.
    Caller,
}

impl Source {
    /// The name in JSON: stable.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contract => "contract",
            Self::Attribute => "attribute",
            Self::Type => "type",
            Self::Use => "use",
            Self::Caller => "caller",
        }
    }
}

impl What {
    /// The name in JSON: stable.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotNull => "not-null",
            Self::Text => "string",
            Self::Elements { .. } => "elements",
            Self::Room { .. } => "room",
            Self::EndOf { .. } => "end-of",
            Self::Range { .. } => "range",
            Self::AtMost { .. } => "at-most",
            Self::Below { .. } => "below",
            Self::Enumerator => "enumerator",
            Self::MaySame { .. } => "may-be-same",
            Self::MayOverlap { .. } => "may-overlap",
            Self::Apart { .. } => "apart",
            Self::MemberOf { .. } => "member-of",
            Self::Allocated => "allocated",
            Self::Stream { empty: false } => "stream",
            Self::Stream { empty: true } => "empty-stream",
            Self::Calls { .. } => "callback",
        }
    }

    /// Whether it tells how many elements a pointer leads to.
    pub fn tells_size(&self) -> bool {
        matches!(self, Self::Text | Self::Elements { .. } | Self::Room { .. })
    }

    /// Whether it leaves inputs out; the others add some.
    pub fn restricts(&self) -> bool {
        !matches!(
            self,
            Self::MaySame { .. }
                | Self::MayOverlap { .. }
                | Self::MemberOf { .. }
                | Self::Allocated
                | Self::Calls { .. }
        )
    }
}

impl fmt::Display for Taken {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let input = &self.input;
        match &self.what {
            What::NotNull => write!(out, "{input} is not null"),
            What::Text => write!(out, "{input} is a string"),
            What::Elements { least, most: None } => write!(out, "{input} has {} or more", elements(*least)),
            What::Elements { least, most: Some(most) } if least == most => {
                write!(out, "{input} has {}", elements(*least))
            }
            What::Elements { least, most: Some(most) } => {
                write!(out, "{input} has {least} to {}", elements(*most))
            }
            What::Room { number, unit, more } => {
                let unit = match unit {
                    Unit::Elements => "elements",
                    Unit::Bytes => "bytes",
                };
                match more {
                    0 => write!(out, "{input} has room for `{number}` {unit}"),
                    more if *more > 0 => write!(out, "{input} has room for `{number} + {more}` {unit}"),
                    more => write!(out, "{input} has room for `{number} - {}` {unit}", more.unsigned_abs()),
                }
            }
            What::EndOf { begin } => write!(out, "{input} is the end of {begin}"),
            What::Range { low, high } => write!(out, "{input} is {low} to {high}"),
            What::AtMost { number } => write!(out, "{input} is at most `{number}`"),
            What::Below { number } => write!(out, "{input} is below `{number}`"),
            What::Enumerator => write!(out, "{input} is an enumerator"),
            What::MaySame { other } => write!(out, "{input} may be {other}"),
            What::MayOverlap { other } => write!(out, "{input} may overlap {other}"),
            What::Apart { other } => write!(out, "{other} and {input} do not overlap"),
            What::MemberOf { whole, member } => write!(out, "{input} is the member {member} of a {whole}"),
            What::Allocated => write!(out, "{input} is from malloc"),
            What::Stream { empty: false } => write!(out, "{input} is an open stream"),
            What::Stream { empty: true } => write!(out, "{input} is an open stream, empty at first"),
            What::Calls { functions, unknown } => match (functions.as_slice(), unknown) {
                ([], _) => write!(out, "{input} is an unknown function"),
                (some, false) => write!(out, "{input} is {}", some.join(" or ")),
                (some, true) => write!(out, "{input} is {} or an unknown function", some.join(", ")),
            },
        }
    }
}

/// A C expression with another name for the variable that it begins with.
fn renamed(path: &str, names: &BTreeMap<String, String>) -> String {
    let root = crate::containers::root(path);
    let start = crate::containers::root_start(path);
    match names.get(root) {
        Some(name) => format!("{}{name}{}", &path[..start], &path[start + root.len()..]),
        None => path.to_owned(),
    }
}

fn elements(count: u64) -> String {
    if count == 1 { "1 element".to_owned() } else { format!("{count} elements") }
}

impl Reading {
    /// The reading with what is said beside it. What is said of an input counts more than what was found out of the
    /// same kind.
    pub fn with(mut self, said: &[Taken]) -> Self {
        let kind = |taken: &Taken| std::mem::discriminant(&taken.what);
        // A range that is given says of an enumeration which numbers it may be.
        let ranges = |each: &Taken, taken: &Taken| {
            matches!((&each.what, &taken.what), (What::Range { .. }, What::Enumerator))
        };
        let instead = |each: &Taken, taken: &Taken| {
            each.input == taken.input && (kind(each) == kind(taken) || ranges(each, taken))
        };
        self.parts.retain(|taken| !said.iter().any(|each| instead(each, taken)));
        for taken in said {
            if !self.parts.contains(taken) {
                self.parts.push(taken.clone());
            }
        }
        self
    }

    /// The reading with other names for parameters.
    pub fn renamed(mut self, names: &BTreeMap<String, String>) -> Self {
        if names.is_empty() {
            return self;
        }
        for taken in &mut self.parts {
            taken.input = renamed(&taken.input, names);
            match &mut taken.what {
                What::Room { number, .. } => {
                    *number = crate::product::with_factors(number, |factor| renamed(factor, names));
                }
                What::EndOf { begin: other }
                | What::AtMost { number: other }
                | What::Below { number: other }
                | What::MaySame { other }
                | What::MayOverlap { other }
                | What::Apart { other } => *other = renamed(other, names),
                _ => {}
            }
        }
        self.checked = self.checked.iter().map(|path| renamed(path, names)).collect();
        self.repeats =
            self.repeats.iter().map(|(from, to)| (renamed(from, names), renamed(to, names))).collect();
        self
    }
}
