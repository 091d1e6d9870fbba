//! What tests of a change have to cover.

/// What has to be covered.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Criterion {
    /// Affected statements.
    #[default]
    Statement,
    /// Basic blocks with an affected statement.
    Block,
    /// Sides of affected conditions, starts and returns of functions with something affected.
    Branch,
    /// Combinations of sides of affected conditions.
    PathFragment,
    /// Uses of what affected statements define.
    DataFlow,
}

impl Criterion {
    /// All of them, in the order of the paper.
    pub const ALL: [Self; 5] =
        [Self::Statement, Self::Block, Self::Branch, Self::PathFragment, Self::DataFlow];

    /// The name on the command line and in JSON: stable.
    pub fn name(self) -> &'static str {
        match self {
            Self::Statement => "statement",
            Self::Block => "block",
            Self::Branch => "branch",
            Self::PathFragment => "path-fragment",
            Self::DataFlow => "data-flow",
        }
    }
}
