//! What tests of a change have to cover, and what becomes of it, as plain data: the model of `incise cover`, and a part
//! of that of `incise diff`.

use crate::verdict::TakenInput;
use crate::{FoundPath, RuleSet, Spot, Version};
use incise_vocabulary::Criterion;

/// Which obligations the tests of a suite cover.
#[derive(Clone, Debug, Default)]
pub struct CoverReport {
    /// The old version.
    pub old: Version,
    /// The new version.
    pub new: Version,
    /// The set of rules that was applied.
    pub rules: RuleSet,
    /// How far the change is followed: `program` or `function`.
    pub scope: String,
    /// The folder of the tests.
    pub tests: String,
    /// How many tests were run.
    pub test_count: usize,
    /// What the inputs of each entry were taken to be.
    pub taken: Vec<(String, Vec<TakenInput>)>,
    /// One for each entry and criterion.
    pub covers: Vec<Cover>,
    /// What the user should know of the whole.
    pub notes: Vec<String>,
}

/// What a criterion asks for, from one entry.
#[derive(Clone, Debug, Default)]
pub struct Cover {
    /// The entry function.
    pub entry: String,
    /// The criterion.
    pub criterion: Criterion,
    /// What has to be covered, in the order of the program.
    pub obligations: Vec<Obligation>,
    /// Why there may be obligations that are not listed.
    pub open: Vec<String>,
    /// Whether it is about inputs as they were taken to be, and others may cover more.
    pub as_taken: bool,
    /// Paths that cover what is missing, each for the obligations that name it.
    pub examples: Vec<FoundPath>,
    /// States that the exploration took.
    pub states: u64,
    /// Milliseconds that it took.
    pub time_ms: f64,
}

/// One thing to cover.
#[derive(Clone, PartialEq, Debug)]
pub struct Obligation {
    /// What.
    pub what: CoverTarget,
    /// What became of it.
    pub status: CoverStatus,
}

/// A statement in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceSpot {
    /// Its function.
    pub function: String,
    /// The file that it is in.
    pub file: Option<String>,
    /// Where.
    pub spot: Spot,
    /// What it says.
    pub text: Option<String>,
}

/// What is to be covered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CoverTarget {
    /// A statement.
    Statement(SourceSpot),
    /// A basic block, by its first affected statement.
    Block(SourceSpot),
    /// The start of a function.
    Entry(SourceSpot),
    /// A side of a condition: `true`, `false`, `case 3`, `default`.
    Side(SourceSpot, String),
    /// A return statement, or the end of a function that returns nothing.
    Exit(SourceSpot),
    /// Sides of conditions, in the order in which a path takes them.
    Combination(Vec<(SourceSpot, String)>),
    /// A use of what a statement defines.
    Use(Box<Use>),
}

/// A definition and its use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// Where it is defined.
    pub definition: SourceSpot,
    /// Where it is used.
    pub usage: SourceSpot,
    /// The side that is taken, if it is used in a condition.
    pub side: Option<String>,
    /// The variable, if it has a name.
    pub variable: Option<String>,
    /// Whether both certainly go to the same place.
    pub certain: bool,
}

impl CoverTarget {
    /// The stable name of the kind.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Statement(_) => "statement",
            Self::Block(_) => "block",
            Self::Entry(_) => "entry",
            Self::Side(..) => "side",
            Self::Exit(_) => "exit",
            Self::Combination(_) => "combination",
            Self::Use(_) => "use",
        }
    }

    /// Where it is: of a use where it is used, of a combination where it begins.
    pub fn spot(&self) -> Option<&SourceSpot> {
        match self {
            Self::Statement(at) | Self::Block(at) | Self::Entry(at) | Self::Side(at, _) | Self::Exit(at) => {
                Some(at)
            }
            Self::Combination(sides) => sides.first().map(|(at, _)| at),
            Self::Use(each) => Some(&each.usage),
        }
    }

    /// The side, if there is one.
    pub fn side(&self) -> Option<&str> {
        match self {
            Self::Side(_, side) => Some(side),
            Self::Use(each) => each.side.as_deref(),
            _ => None,
        }
    }
}

/// What became of an obligation.
#[derive(Clone, PartialEq, Debug)]
pub enum CoverStatus {
    /// A path covers it, or a test.
    Covered {
        /// The path that is the first to cover it, if paths were looked for.
        path: Option<u64>,
        /// The name of a test that covers it.
        test: Option<String>,
    },
    /// No test covers it, but this one of the examples would.
    Missing {
        /// The example's path.
        example: Option<u64>,
    },
    /// No way leads there from the entry.
    Unreachable,
    /// No path covers it.
    Infeasible,
    /// No path of inputs as they were taken to be covers it.
    NotAsTaken {
        /// The example of another input that does, if one is known.
        example: Option<u64>,
    },
    /// No path that was looked at covers it; why others were not.
    NotReached(Vec<String>),
}

impl CoverStatus {
    /// The stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Covered { .. } => "covered",
            Self::Missing { .. } => "missing",
            Self::Unreachable => "unreachable",
            Self::Infeasible => "infeasible",
            Self::NotAsTaken { .. } => "not-as-taken",
            Self::NotReached(_) => "not-reached",
        }
    }
}

/// How many obligations came to what.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CoverCounts {
    /// All.
    pub all: usize,
    /// Covered.
    pub covered: usize,
    /// Covered uses of which it is not certain that they read what was defined.
    pub uncertain: usize,
    /// Not covered, and a path is known that would cover it.
    pub missing: usize,
    /// Without a way from the entry.
    pub unreachable: usize,
    /// Without a path.
    pub infeasible: usize,
    /// Without a path of inputs as they were taken to be.
    pub not_as_taken: usize,
    /// Not found within the limits.
    pub not_reached: usize,
    /// Why paths were not looked at, each once, in order.
    pub reasons: Vec<String>,
}

impl Cover {
    /// How many obligations came to what.
    pub fn counts(&self) -> CoverCounts {
        let mut counts = CoverCounts { all: self.obligations.len(), ..CoverCounts::default() };
        counts.reasons.extend(self.open.iter().cloned());
        for obligation in &self.obligations {
            match &obligation.status {
                CoverStatus::Covered { .. } => {
                    counts.covered += 1;
                    let unsure = matches!(&obligation.what, CoverTarget::Use(each) if !each.certain);
                    counts.uncertain += usize::from(unsure);
                }
                CoverStatus::Missing { .. } => counts.missing += 1,
                CoverStatus::Unreachable => counts.unreachable += 1,
                CoverStatus::Infeasible => counts.infeasible += 1,
                CoverStatus::NotAsTaken { .. } => counts.not_as_taken += 1,
                CoverStatus::NotReached(reasons) => {
                    counts.not_reached += 1;
                    counts.reasons.extend(reasons.iter().cloned());
                }
            }
        }
        counts.reasons.sort();
        counts.reasons.dedup();
        counts
    }

    /// Forgets examples of inputs that are not what they were taken to be.
    pub fn forget_other_examples(&mut self) {
        for obligation in &mut self.obligations {
            if let CoverStatus::NotAsTaken { example } = &mut obligation.status {
                *example = None;
            }
        }
    }

    /// Whether it is known of each obligation whether it can be covered, and that there are no others: on inputs as
    /// they were taken to be, if [`Cover::as_taken`] says so.
    pub fn is_decided(&self) -> bool {
        self.open.is_empty()
            && !self.obligations.iter().any(|each| matches!(each.status, CoverStatus::NotReached(_)))
    }
}
