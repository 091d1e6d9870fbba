//! The command line of `incise cover`, as it is typed.

use crate::arguments::{
    CompileArguments, EngineArguments, OutputArguments, StoreArguments, VersionArguments,
};
use crate::change::rules::RuleSet;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(crate) const COVER_HELP: &str = "\
A change has to be tested where it has an effect. What there is to cover depends on the criterion:
  statement      each affected statement
  block          each basic block with an affected statement
  branch         each side of each affected condition, the start and each return of every function with something affected
  path-fragment  each combination of sides that a path can take at the affected conditions
  data-flow      each use of a variable that is written by an affected statement; in a condition, for each side
The tests are executed on NEW. What they do not cover is then looked for: what is feasible is missing, with an input that would cover it; what no
input leads to is infeasible, and nothing to worry about. The search takes inputs to be what OLD was made for, and says so (`taken:`); what takes other inputs does not count as missing.
Options about inputs are for this search: give those that the tests were written with.

Examples:
  incise run old.c --entry update --tests t         tests of the old version,
  incise cover old.c new.c --tests t                what of the change do they cover?
  incise cover old.c new.c --tests t --criterion branch --criterion data-flow
  incise diff old.c new.c --entry update --cover branch --tests t2     tests that cover it
  incise cover old.c new.c --tests t --format json | jq '.obligations[] | select(.status == \"missing\")'

Exit status: 0 all that can be covered is, 1 something is missing, 2 the run failed, 3 undecided within the limits.";

/// What has to be covered.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Criterion {
    /// Affected statements
    Statement,
    /// Basic blocks with an affected statement
    Block,
    /// Sides of affected conditions, starts and returns of functions with something affected
    Branch,
    /// Combinations of sides of affected conditions
    PathFragment,
    /// Uses of what affected statements write
    DataFlow,
}

impl From<Criterion> for incise_incremental::Criterion {
    fn from(criterion: Criterion) -> Self {
        match criterion {
            Criterion::Statement => Self::Statement,
            Criterion::Block => Self::Block,
            Criterion::Branch => Self::Branch,
            Criterion::PathFragment => Self::PathFragment,
            Criterion::DataFlow => Self::DataFlow,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct CoverArguments {
    #[command(flatten)]
    pub(crate) versions: VersionArguments,
    /// The folder of the tests, as `incise run --tests`, `incise diff --tests` or `incise suite` wrote it
    #[arg(long, value_name = "DIR")]
    pub(crate) tests: PathBuf,
    /// Only the tests of this function [default: all]
    #[arg(long, short, value_name = "FUNCTION")]
    pub(crate) entry: Option<String>,
    /// What has to be covered (may be repeated) [default: all five]
    #[arg(long, value_enum, value_name = "CRITERION")]
    pub(crate) criterion: Vec<Criterion>,
    /// The rules by which statements are affected
    #[arg(long, value_enum, default_value_t = RuleSet::Complete)]
    pub(crate) rules: RuleSet,
    /// Follow the change within the entry function only
    #[arg(long)]
    pub(crate) intra: bool,

    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}
