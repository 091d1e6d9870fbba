//! The rules by which statements are affected, as users name them.

use clap::ValueEnum;

/// Which rules make statements affected.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum RuleSet {
    /// Rules (1) to (5): the fewest statements with which no difference is lost
    Complete,
    /// Rules (1) to (4): those of the first paper
    Paper,
    /// Rules (1) to (6): the impact sets of the second paper, with what decides about an affected statement, and what
    /// a result is made of
    Idise,
}

impl From<RuleSet> for incise_report::RuleSet {
    fn from(rules: RuleSet) -> Self {
        match rules {
            RuleSet::Complete => Self::Complete,
            RuleSet::Paper => Self::Paper,
            RuleSet::Idise => Self::Idise,
        }
    }
}

impl From<RuleSet> for incise_change::Rules {
    fn from(rules: RuleSet) -> Self {
        match rules {
            RuleSet::Complete => Self::Closed,
            RuleSet::Paper => Self::Paper,
            RuleSet::Idise => Self::Across,
        }
    }
}
