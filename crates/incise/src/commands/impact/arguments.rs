//! The command line of `incise impact`, as it is typed.

use crate::arguments::{CommandLimitArguments, CompileArguments, OutputArguments, VersionArguments};
use crate::change::rules::RuleSet;
use clap::{Args, ValueEnum};

pub(crate) const IMPACT_HELP: &str = "\
No solver is needed: this is the static part of `incise diff`. Statements are compared by what they do, so that white space, comments,
moved lines and renamed locals are no change. A statement is affected if a chain of these rules leads to it from a change:
  (1) an affected condition decides whether a condition is reached      (2) ... or whether a write is
  (3) a condition reads what an affected statement writes               (4) a write gives what an affected statement reads
  (5) a write reads what an affected statement writes (not in the paper: --rules paper leaves it out)
  (6) a condition decides about an affected statement (only with --rules idise)
The change is followed through the program, from main (and, where something changed that main does not come to, from what nothing calls), or in a library from every
function that others can see: into calls and back, through arguments, results, global variables and memory. With --intra each function is looked at by itself.

Examples:
  incise impact old.c new.c                     the lines that the change concerns, in both versions
  incise impact old.c new.c --why               ... and how each follows from the change
  incise impact old.c new.c --entry update      ... in what update() does, and what it calls
  incise impact old.c new.c --callgraph         who passes impact on to whom, and by what
  incise impact old.c new.c --callgraph=dot | dot -Tsvg > impact.svg
  incise impact old.c new.c --prove             ... without what functions hand on that are proved to do the same
  incise impact src-1.0 src-1.1 --function parse --format json | jq .functions

Exit status: 0 nothing changed, 1 something changed, 2 the comparison failed, 3 it was cut by a limit or a signal.";

/// How a call graph is shown.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum GraphForm {
    /// In the format of the report
    Text,
    /// For Graphviz
    Dot,
}

#[derive(Args, Debug)]
pub(crate) struct ImpactArguments {
    #[command(flatten)]
    pub(crate) versions: VersionArguments,
    /// Show how each affected statement follows from the change
    #[arg(long)]
    pub(crate) why: bool,
    /// The rules by which statements are affected [default: complete, or idise with --callgraph]
    #[arg(long, value_enum)]
    pub(crate) rules: Option<RuleSet>,
    /// Show functions up to so many steps from the change (calls, returns, what one entry leaves for others), the rest
    /// as counts [default in text: 2]
    #[arg(long, value_name = "STEPS", conflicts_with = "intra")]
    pub(crate) depth: Option<u32>,
    /// Only this function (may be repeated)
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Vec<String>,
    /// Where executions begin (may be repeated) [default: main; in a library, every function that others can see]
    #[arg(long, short, value_name = "FUNCTION", conflicts_with = "intra")]
    pub(crate) entry: Vec<String>,
    /// Look at each function by itself: a call of what changed counts as changed, and impact goes no further
    #[arg(long)]
    pub(crate) intra: bool,
    /// Show the call graph with what carries impact along its calls; =dot for Graphviz
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "text", conflicts_with = "intra")]
    pub(crate) callgraph: Option<GraphForm>,
    /// Ask the solver, for a while, which changed functions do the same on every input: they hand on nothing
    #[arg(long, conflicts_with = "intra")]
    pub(crate) prove: bool,
    /// Count what a plain forward slice would mark, to compare with (always in JSON)
    #[arg(long, conflicts_with = "intra")]
    pub(crate) precision: bool,

    #[command(flatten)]
    pub(crate) limits: CommandLimitArguments,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}
