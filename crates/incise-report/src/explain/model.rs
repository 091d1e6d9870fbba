//! Why an input behaves differently in two versions, as plain data: the model of `incise explain`.

use crate::{Constraint, FoundPath, Input, Outcome, Place, ReplayVerdict, ReplayedTest, Value, Version};

/// What two versions do on an input, and why that differs.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// The old version.
    pub old: Version,
    /// The new version.
    pub new: Version,
    /// The function that is called.
    pub entry: String,
    /// The name of the test; `None` if inputs were given on the command line alone.
    pub test: Option<String>,
    /// What both versions do on the input in question.
    pub behaviour: BothBehaviours,
    /// The conditions at which the paths part, likeliest cause first.
    pub causes: Vec<Cause>,
    /// An input on the same two paths on which both versions do the same, where no cause has one.
    pub agreeing: Option<Nearby>,
    /// The statements on the old path that the new version has no longer, or not as they were.
    pub changed_old: Vec<Place>,
    /// The statements on the new path that are new or changed.
    pub changed_new: Vec<Place>,
    /// The constraints of the old path.
    pub constraints_old: ConstraintCounts,
    /// The constraints of the new path.
    pub constraints_new: ConstraintCounts,
    /// Whether only constraints of affected statements were looked at.
    pub restricted: bool,
    /// What inputs are taken to be: nearby inputs are that, as far as the input itself is.
    pub taken: Vec<crate::verdict::TakenInput>,
    /// Why constraints could not be decided, each reason once, with how often.
    pub undecided: Vec<(String, usize)>,
    /// What the user should know beside.
    pub notes: Vec<String>,
}

impl Explanation {
    /// What came out.
    pub fn verdict(&self) -> ExplainVerdict {
        let shown = !self.causes.is_empty() || !self.changed_new.is_empty() || !self.changed_old.is_empty();
        match (self.behaviour.is_conclusive(), self.behaviour.differences.is_empty(), shown) {
            (true, true, _) => ExplainVerdict::Same,
            (true, false, true) => ExplainVerdict::Differs,
            _ => ExplainVerdict::Undecided,
        }
    }
}

/// What came out.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ExplainVerdict {
    /// Both versions do the same.
    Same,
    /// They differ, and there is something to show for it.
    Differs,
    /// A run did not come to its end, or no cause was found.
    Undecided,
}

impl ExplainVerdict {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Differs => "differs",
            Self::Undecided => "undecided",
        }
    }
}

/// How many constraints a path has.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct ConstraintCounts {
    /// All of them.
    pub all: usize,
    /// Those that come from affected statements.
    pub affected: usize,
    /// Those that were looked at.
    pub asked: usize,
}

/// What both versions do on an input.
#[derive(Clone, Debug, Default)]
pub struct BothBehaviours {
    /// What the old version does.
    pub old: Behaviour,
    /// What the new version does.
    pub new: Behaviour,
    /// In what they differ.
    pub differences: Vec<Aspect>,
}

impl BothBehaviours {
    /// Whether both came to their end.
    pub fn is_conclusive(&self) -> bool {
        self.old.is_conclusive() && self.new.is_conclusive()
    }

    /// Whether both do the same.
    pub fn is_same(&self) -> bool {
        self.is_conclusive() && self.differences.is_empty()
    }

    /// The inputs, those that only the old version has last.
    pub fn inputs(&self) -> Vec<&Input> {
        let new = self.new.path.inputs.as_deref().unwrap_or_default();
        let old = self.old.path.inputs.as_deref().unwrap_or_default();
        let only_old = old.iter().filter(|old| !new.iter().any(|new| new.name == old.name));
        new.iter().chain(only_old).collect()
    }
}

/// Something that two versions do differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aspect {
    /// They end otherwise.
    Ending,
    /// They return something else.
    Result,
    /// A global variable or an input object holds something else at the end.
    Value(String),
    /// They write something else to standard output.
    Stdout,
    /// They write something else to standard error.
    Stderr,
}

/// What a version does on an input.
#[derive(Clone, Debug, Default)]
pub struct Behaviour {
    /// The path it takes.
    pub path: FoundPath,
    /// Whether an assumption of the program ends it, so that it is no path of the program.
    pub assumed_away: bool,
    /// What globals and input objects hold at its end, changed or not.
    pub values: Vec<(String, Value)>,
    /// The same run natively; `None` if that was not asked for or not possible.
    pub replay: Option<ReplayedTest>,
}

impl Behaviour {
    /// Whether the program itself ended it.
    pub fn is_conclusive(&self) -> bool {
        self.assumed_away || self.path.outcome.is_conclusive()
    }

    /// Whether it ends in an error.
    pub fn fails(&self) -> bool {
        matches!(self.path.outcome, Outcome::Error(_))
    }

    /// Whether a native run did what was predicted.
    pub fn is_confirmed(&self) -> bool {
        self.replay.as_ref().is_some_and(|replay| replay.verdict == ReplayVerdict::Confirmed)
    }
}

/// A condition at which the paths part.
#[derive(Clone, Debug)]
pub struct Cause {
    /// Whether it is a condition of the new version, and not of the old one.
    pub in_new: bool,
    /// The condition as it holds for the input in question.
    pub constraint: Constraint,
    /// The function that it is in.
    pub function: Option<String>,
    /// At how many points of the path the same statement is a candidate.
    pub occurrences: usize,
    /// Whether its statement changed, and is not only affected.
    pub changed_statement: bool,
    /// Whether it is a statement of the old version that the new one has no longer.
    pub removed: bool,
    /// Whether the other version keeps its path for the nearby input.
    pub parts: bool,
    /// A nearby input for which the condition does not hold.
    pub nearby: Nearby,
}

/// An input that is like the one in question.
#[derive(Clone, Debug, Default)]
pub struct Nearby {
    /// What both versions do on it.
    pub behaviour: BothBehaviours,
    /// What of the input is another.
    pub changed: Vec<(String, Value)>,
}
