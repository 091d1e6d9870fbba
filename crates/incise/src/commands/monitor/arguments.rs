//! The command line of `incise monitor`, as it is typed.

use crate::arguments::{
    CompileArguments, EngineArguments, NoNativeArgument, OutputArguments, StoreArguments, VersionArguments,
};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(crate) const MONITOR_HELP: &str = "\
Each node of the network stands for a variable, parameter, field or result of the program. A node differs if its variable can hold another value in NEW than in OLD
when --entry returns, on the same input: with an input that was run natively on both. It is the same if that is proved, and may differ where the
change can concern it and that was not decided. Health nodes follow what they watch, nodes without a variable follow their parents.
Nodes are matched by name, without regard to case, underscores and the prefixes H_ (health) and U_ (command); --map says the rest, and --init writes a map to begin with.

The versions are compared in bounds that grow, without --max-time for 60 seconds at most.

Networks: BIF (.bif), XMLBIF 0.3 (.xml, .bifxml), GeNIe (.xdsl), Hugin (.net); also specifications for R2U2 (.c2po) and measurements (.a2l).

Examples:
  incise monitor brakes.bif old.c new.c --entry update
  incise monitor brakes.bif old.c new.c --entry update --init > brakes.toml
  incise monitor brakes.bif old.c new.c --map brakes.toml --html brakes.html --evidence cases.csv
  incise monitor brakes.c2po old.c new.c --entry cycle --signals brakes.map
  incise monitor brakes.bif old.c new.c --entry update --rules paper    the marks of the paper, which misses some
  incise monitor brakes.bif old.c new.c --entry update --format json | jq '.nodes[] | select(.mark != \"same\").name'

Exit status: 0 nothing is marked, 1 something differs, 2 the run failed, 3 something may differ, now or in later calls, and nothing is known to.";

/// How nodes are marked.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum MonitorRules {
    /// By comparing what both versions do
    Compare,
    /// As "Maintaining the Health of Software Monitors" does it: what changed statements write, and what affected
    /// paths of NEW write
    Paper,
}

#[derive(Args, Debug)]
pub(crate) struct MonitorArguments {
    /// The monitor: a network, a specification or measurements
    #[arg(value_name = "NETWORK")]
    pub(crate) network: PathBuf,
    #[command(flatten)]
    pub(crate) versions: VersionArguments,
    /// The function whose end is looked at [default: what the map says, or the only one that nobody calls]
    #[arg(long, short, value_name = "FUNCTION")]
    pub(crate) entry: Option<String>,
    /// What nodes stand for, in TOML: see docs/monitor.md
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    /// R2U2's map of signals, as C2PO takes it (`.map`, or a trace): calls of r2u2_load_..._signal say what signals
    /// stand for
    #[arg(long, value_name = "FILE")]
    pub(crate) signals: Option<PathBuf>,
    /// Write a map to standard output, with what is matched and what is open, and compare nothing
    #[arg(long)]
    pub(crate) init: bool,
    /// How nodes are marked
    #[arg(long, value_enum, default_value_t = MonitorRules::Compare)]
    pub(crate) rules: MonitorRules,
    /// Name the tests of this suite that come by what gives marked nodes their values
    #[arg(long, value_name = "DIR")]
    pub(crate) suite: Option<PathBuf>,
    /// Write the picture for Graphviz
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) dot: Option<PathBuf>,
    /// Write the picture as SVG
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the picture as a page to click through
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) html: Option<PathBuf>,
    /// Write the states of all nodes for each input that shows a difference, as CSV
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) evidence: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) native: NoNativeArgument,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}
