//! The command line of `incise diff`, as it is typed.

use crate::arguments::{
    BuildArguments, CompileArguments, EngineArguments, NoNativeArgument, OutputArguments, RevisionArguments,
    StoreArguments, TestArguments,
};
use crate::change::changed_lines::LineRanges;
use crate::change::rules::RuleSet;
use crate::commands::cover::arguments::Criterion;
use crate::commands::diff::reports::arguments::ReportArguments;
use crate::commands::diff::verdict_arguments::VerdictArguments;
use clap::{Args, ValueEnum};
use incise_incremental::cia::ThreadStrategy;
use incise_report::DiffStrategy;

pub(crate) const DIFF_HELP: &str = "\
The verdict says whether OLD and NEW do the same: on every input, within bounds, or not, with an input for each way to differ that was run natively on both.
Compared are what the function returns, global variables, memory that is passed in, output, calls of external functions, and errors (--observe). A function that
nobody can see into is taken to do the same in both versions where it is called alike and finds the same in memory, unless --externals says otherwise. Without --max-loop loops are compared up
to 16 iterations, without --max-time for 60 seconds, or for 100 that several changed functions share, and once a difference is known for as long as new ways to differ turn up; the paths below have the limits that are shown. Of the functions that --entry calls those that changed are compared
by themselves too, with any input.

Strategies:
  exact  one path for every feasible sequence of affected statements that meets the change, and no other
  paper  Figure 6 of \"Directed Incremental Symbolic Execution\" (PLDI 2011) to the letter, which loses some of them
  full   every path of NEW

With threads:
  exact     as cia, which is the strongest that is proved
  cia       one execution of NEW for every trace of affected events: what the change does not concern is executed, and no order of it explored
  dpor      one execution for every trace (also: full)
  baseline  every order

Without --entry, each function whose code changed is an entry of its own, and so is main if it changed or calls what did. Inputs, limits and tests
are as in `incise run`; of several entries each has a folder of tests of its own. Functions are compared -j at once; the paths of one are explored by one worker.
The paths of NEW are explored: a constraint that comes from an affected statement has a star. The change is followed into the functions that the entry calls
and back, through arguments, results, global variables and memory; not with --intra or --strategy paper.

With threads (pthread.h, threads.h) the sets of outcomes are compared: what one version can do on an input, and the other cannot whatever the order of its threads, is shown
with a schedule. Without --entry, main stands for all that it comes to if it starts threads. Its affected executions are explored if --strategy, --tests, --compare or --no-verdict
asks for them. See docs/threads.md.

In a repository revisions are compared as git's own diff takes them: each function whose code changed, in every unit that has it, the most trouble first.
Old trees are laid out beside; nothing in the repository is written. See docs/repository.md.

Examples:
  incise diff                                   HEAD against the working tree
  incise diff main...                           what the branch does since it left main
  incise diff v1.2 v1.3 -- src                  two revisions; only what changed in src
  incise diff main... --html report.html        ... as a page; also --sarif, --markdown, --gitlab, --junit
  incise diff old.c new.c --entry update        what the change does to update(), and the paths that it affects
  incise diff old.c new.c --verdict-only        do they do the same? an input if not
  incise diff fast.c --entry slow --with fast   ... do two functions of one file?
  incise diff old.c new.c                       with threads: what can happen now that could not before, and in which order
  incise diff old.c new.c --entry sum:total     ... does a function that was renamed?
  incise diff old.c new.c --witnesses w         a test for each way to differ: `incise replay w` runs them
  incise diff old.c new.c --fail-on introduced  for continuous integration: only new errors count
  incise diff old.c new.c --tests t --replay    ... of every changed function, with tests that run natively
  incise diff old.c new.c --compare full        ... and what exploring everything would have taken
  incise diff old.c new.c --compare             with threads: executions, states and time of all strategies
  incise diff old.c new.c --entry update --both ... and the paths of the old update() that the change affects
  incise diff old.c new.c --cover branch --tests t      tests for every affected branch; see `incise cover --help`
  incise diff new.c --changed 12,30-34          one version; these lines changed
  incise diff old.c new.c --strategy paper --trace
  incise diff old.c new.c --format json | jq '.path_conditions[].affected_sequence'

Exit status: 0 the versions do the same, within bounds at least; 1 they differ; 2 the run failed; 3 undecided. --fail-on chooses what counts.
Without a verdict: 0 nothing is affected, 1 affected paths found, 2 the run failed, 3 cut or undecided without an affected path.";

/// How affected paths are found.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Strategy {
    /// One path for every affected sequence that meets the change; with threads, the strongest of those below
    Exact,
    /// The algorithm as the paper prints it
    Paper,
    /// Every path; with threads as dpor
    Full,
    /// With threads: every order
    Baseline,
    /// With threads: one execution for every trace
    Dpor,
    /// With threads: one execution for every trace of affected events
    Cia,
}

impl Strategy {
    /// Which executions of threads are explored; `None` if there is no such strategy for them.
    pub(crate) fn of_threads(self) -> Option<ThreadStrategy> {
        match self {
            Self::Exact | Self::Cia => Some(ThreadStrategy::Concerned),
            Self::Full | Self::Dpor => Some(ThreadStrategy::Traces),
            Self::Baseline => Some(ThreadStrategy::Baseline),
            Self::Paper => None,
        }
    }
}

impl From<Strategy> for DiffStrategy {
    fn from(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Exact => Self::Exact,
            Strategy::Paper => Self::Paper,
            Strategy::Full => Self::Full,
            Strategy::Baseline => Self::Baseline,
            Strategy::Dpor => Self::Dpor,
            Strategy::Cia => Self::Cia,
        }
    }
}

impl From<Strategy> for incise_incremental::Kind {
    fn from(strategy: Strategy) -> Self {
        match strategy {
            Strategy::Exact | Strategy::Cia => Self::Exact,
            Strategy::Paper => Self::Paper,
            // With one thread there is one order.
            Strategy::Full | Strategy::Baseline | Strategy::Dpor => Self::Full,
        }
    }
}

/// What a directed exploration is compared with.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Compare {
    /// A full exploration of NEW; with threads, all that are below
    Full,
    /// With threads: every order
    Baseline,
    /// With threads: one execution for every trace
    Dpor,
    /// With threads: one execution for every trace of affected events
    Cia,
}

impl Compare {
    /// The strategies for threads that are compared.
    pub(crate) fn strategies(asked: &[Self]) -> Vec<Strategy> {
        let all =
            [(Self::Baseline, Strategy::Baseline), (Self::Dpor, Strategy::Dpor), (Self::Cia, Strategy::Cia)];
        let wanted = |one: &Self| asked.contains(one) || asked.contains(&Self::Full);
        all.into_iter().filter(|(one, _)| wanted(one)).map(|(_, strategy)| strategy).collect()
    }
}

impl DiffArguments {
    /// How affected paths are found.
    pub(crate) fn strategy(&self) -> Strategy {
        self.strategy.unwrap_or(Strategy::Exact)
    }
}

#[derive(Args, Debug, Clone)]
pub(crate) struct DiffArguments {
    #[command(flatten)]
    pub(crate) versions: RevisionArguments,
    /// The function to compare and explore; OLD_NAME:NEW_NAME if it was renamed [default: each that changed, and main
    /// if that is concerned]
    #[arg(long, short, value_name = "FUNCTION")]
    pub(crate) entry: Option<String>,
    /// Compare --entry with this function of the same FILE
    #[arg(long, value_name = "FUNCTION", requires = "entry", conflicts_with = "changed")]
    pub(crate) with: Option<String>,
    /// The lines that changed in a single FILE, as in 12 or 3,7,9-11
    #[arg(long, value_name = "LINES")]
    pub(crate) changed: Option<LineRanges>,
    /// How affected paths are found [default: exact]
    #[arg(long, value_enum)]
    pub(crate) strategy: Option<Strategy>,
    /// The rules by which statements are affected [default: complete, or paper with --strategy paper]
    #[arg(long, value_enum)]
    pub(crate) rules: Option<RuleSet>,
    /// Follow the change within the entry function only: a call of what changed counts as changed, and nothing in the
    /// called function does
    #[arg(long)]
    pub(crate) intra: bool,
    /// Explore OLD as well: the paths of it that the change affects
    #[arg(long)]
    pub(crate) both: bool,
    /// Look for paths that cover what tests of the change have to cover, and say what of it cannot be
    #[arg(long, value_enum, value_name = "CRITERION", conflicts_with = "strategy")]
    pub(crate) cover: Option<Criterion>,
    /// Show the sets of explored and unexplored statements step by step (with --strategy paper: its Table 1)
    #[arg(long)]
    pub(crate) trace: bool,
    /// Explore NEW a second time, in full, and show what that takes; with threads, by several strategies
    #[arg(long, value_enum, value_name = "WITH", value_delimiter = ',', num_args = 0..=1,
        default_missing_value = "full")]
    pub(crate) compare: Vec<Compare>,

    #[command(flatten)]
    pub(crate) verdict: VerdictArguments,
    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) tests: TestArguments,
    #[command(flatten)]
    pub(crate) native: NoNativeArgument,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) build: BuildArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) reports: ReportArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Show effort, memory and what each solver stage did
    #[arg(long, help_heading = "Output")]
    pub(crate) stats: bool,
}
