//! How a program is explored and within which limits, as it is typed.

use super::inputs::InputArguments;
use super::units::{parse_duration, parse_size};
use clap::{Args, ValueEnum};
use std::time::Duration;

/// What the engine is told, for every command that explores.
#[derive(Args, Debug, Clone)]
pub(crate) struct EngineArguments {
    #[command(flatten)]
    pub(crate) inputs: InputArguments,
    #[command(flatten)]
    pub(crate) exploration: ExplorationArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Exploration")]
pub(crate) struct ExplorationArguments {
    /// Look for more errors than those that are always looked for
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) check: Vec<Check>,
    /// What a call to a function with neither body nor model does: end the path [default], or return any value
    #[arg(long, value_enum)]
    pub(crate) externals: Option<Externals>,
    /// Who changes volatile variables: the program alone, or others too, at any time [default: others where versions
    /// are compared, else program]
    #[arg(long, value_enum, value_name = "WHO")]
    pub(crate) volatile: Option<Volatile>,
    /// The order in which states are taken
    #[arg(long, value_enum, default_value_t = Search::Dfs)]
    pub(crate) search: Search,
    /// The seed of the random search
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Workers that explore at once; the result is the same [default: 1; as many as there are processors, and 4 at
    /// most, for the functions of a repository]
    #[arg(short = 'j', long = "jobs", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Check each answer of the solver chain against a fresh solver: for tests of incise itself
    #[arg(long, hide = true)]
    pub(crate) validate: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Check {
    /// Signed arithmetic whose result does not fit
    Overflow,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Externals {
    Error,
    Havoc,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Volatile {
    /// They are memory like any other
    Program,
    /// Each read gives any value, and accesses are compared in their order
    Others,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Search {
    /// Depth first, the true side before the false side
    Dfs,
    /// Breadth first
    Bfs,
    /// A random walk down the tree of states
    RandomPath,
    /// Code that was not executed yet, first
    Coverage,
}

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArguments {
    /// Wall-clock time of the whole command, as in 90s, 5m or 1h [default: 5m]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) max_time: Option<Duration>,
    /// Memory of the process and its children, as in 500M or 4G [default: 4G]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_memory: Option<u64>,
    /// Paths [default: 1000000]
    #[arg(long, value_name = "N")]
    pub(crate) max_paths: Option<u64>,
    /// Branches on one path
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) max_depth: u64,
    /// Iterations of one loop that a symbolic condition decides [default: 10000]
    #[arg(long, value_name = "N")]
    pub(crate) max_loop: Option<u64>,
    /// Instructions on one path
    #[arg(long, value_name = "N", default_value_t = 10_000_000_000)]
    pub(crate) max_instructions: u64,
    /// Nested calls on one path
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub(crate) max_stack: u64,
    /// Time for one question to the solver
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    pub(crate) solver_timeout: Duration,
}
