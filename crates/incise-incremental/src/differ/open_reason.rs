//! Why it could not be told whether two versions do the same.

use incise_exec::Outcome;
use incise_vocabulary::{Bound, LimitKind};
use std::fmt;

/// Why something is open. What has to do with limits is data: whoever sets them has words for them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OpenReason {
    /// A limit stopped a path or the whole search.
    Stopped {
        /// Which.
        limit: LimitKind,
        /// How many states were left, if it stopped the search.
        left: Option<u64>,
    },
    /// The versions differ, and the search for more ways to do so ended because no new one turned up.
    NothingNew {
        /// In so many pairs of paths.
        pairs: u64,
        /// How many states were left.
        left: u64,
    },
    /// The versions differ, and more ways to do so were looked for only for a while.
    ShortTime {
        /// How many states were left.
        left: u64,
    },
    /// Nothing that was compared came by a part of the change.
    Missed {
        /// Where that part is.
        place: String,
        /// The inputs that were too small for it; none if that is not the reason.
        too_small: Vec<Bound>,
        /// The bounds that are the reason otherwise.
        bounds: Vec<LimitKind>,
    },
    /// The old version goes wrong in memory on all inputs that came to a part of the change, or would have.
    OnlyInvalid {
        /// Where that part is.
        place: String,
    },
    /// No input that was looked at meets the change and comes to an end.
    NothingMeets {
        /// The inputs that were too small for it, if that is known.
        too_small: Vec<Bound>,
    },
    /// The search gave up by itself, after as much work as it was worth.
    GaveUp {
        /// How many states were left.
        left: u64,
    },
    /// The search gave up by itself, because it would not have come to its end.
    TooSlow {
        /// About so much of it was compared, and nothing differs there.
        percent: u32,
        /// How many states were left.
        left: u64,
    },
    /// Something else, in words.
    Other(String),
}

/// What is said of a difference that was found, and not seen.
pub(super) const NOT_SEEN: &str = "was predicted, and not seen when both versions ran on its input";

impl OpenReason {
    /// Whether a difference was found, and not seen: larger inputs than before may well have one.
    pub(super) fn is_not_seen(&self) -> bool {
        matches!(self, Self::Other(words) if words.ends_with(NOT_SEEN))
    }
}

impl From<String> for OpenReason {
    fn from(words: String) -> Self {
        Self::Other(words)
    }
}

impl From<&str> for OpenReason {
    fn from(words: &str) -> Self {
        Self::Other(words.to_owned())
    }
}

impl fmt::Display for OpenReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped { limit, left: None } => write!(f, "stopped by the limit {}", limit.name()),
            Self::Stopped { limit, left: Some(left) } => {
                write!(f, "stopped by the limit {} with {left} states left", limit.name())
            }
            Self::NothingNew { pairs, left } => {
                write!(
                    f,
                    "the last {pairs} pairs of paths showed no new way to differ, and {left} states are left"
                )
            }
            Self::ShortTime { left } => {
                write!(f, "more ways to differ were looked for only for a while, and {left} states are left")
            }
            Self::Missed { place, too_small, bounds } if bounds.is_empty() => {
                write!(f, "nothing that was compared came by {place}{}", sentences(too_small))
            }
            Self::Missed { place, bounds, .. } => {
                let bounds: Vec<&str> = bounds.iter().map(|bound| bound.name()).collect();
                let bounds = bounds.join(", ");
                write!(f, "nothing that was compared came by {place}: paths were cut by the limits {bounds}")
            }
            Self::OnlyInvalid { place } => {
                write!(
                    f,
                    "nothing that was compared came by {place}: the old version itself goes wrong in memory \
                     before, or there"
                )
            }
            Self::NothingMeets { too_small } => {
                let why = sentences(too_small);
                write!(f, "no input that was looked at meets the change and comes to an end{why}")
            }
            Self::GaveUp { left } => {
                write!(f, "given up with {left} states left, after as much work as it was worth")
            }
            Self::TooSlow { percent, left } => {
                let share =
                    if *percent == 0 { "less than 1%".to_owned() } else { format!("about {percent}%") };
                write!(
                    f,
                    "nothing differs in {share} of what there is to compare, and the rest would take too long: \
                           {left} states are left"
                )
            }
            Self::Other(words) => f.write_str(words),
        }
    }
}

/// What inputs were taken to be, behind a colon.
fn sentences(bounds: &[Bound]) -> String {
    let words: Vec<String> = bounds.iter().map(Bound::sentence).collect();
    if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) }
}

/// What it means for a verdict that a path or an execution was not brought to its end.
pub(super) enum CutEnd {
    /// It is beyond a bound, which is named.
    Bound(LimitKind),
    /// It leaves something open.
    Open(OpenReason),
    /// It is an end after all.
    Whole,
}

impl CutEnd {
    /// `what` is a path or an execution, in words.
    pub(super) fn of(outcome: &Outcome, what: &str) -> Self {
        use LimitKind::{CopySize, Depth, InputSize, Instructions, Loop, ObjectSize, PointerDepth, Stack};
        Self::Open(match outcome {
            Outcome::Limit(
                limit @ (Loop | Depth | Instructions | Stack | PointerDepth | InputSize | ObjectSize
                | CopySize),
            ) => return Self::Bound(*limit),
            Outcome::Limit(limit) => OpenReason::Stopped { limit: *limit, left: None },
            Outcome::Unsupported(what) => format!("not supported: {what}").into(),
            Outcome::External { function } => {
                format!("{function} is called, and has neither a body nor a model").into()
            }
            Outcome::Undecided(reason) => format!("whether {what} is possible: {reason}").into(),
            _ => return Self::Whole,
        })
    }
}
