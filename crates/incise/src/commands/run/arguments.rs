//! The command line of `incise run`, as it is typed.

use crate::arguments::{CompileArguments, EngineArguments, NoNativeArgument, OutputArguments, TestArguments};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(crate) const RUN_HELP: &str = "\
Inputs:
  The parameters of the entry function are symbolic, and so are non-constant global variables. A pointer is null, or
  points to a fresh object of its type; --array gives it more elements. If the entry is main, nothing is
  symbolic unless the program asks for it (klee_make_symbolic, __VERIFIER_nondet_int...) or the command
  line does (--sym-args, --sym-stdin, --sym-file, --sym-env). What the clock says is symbolic too.

Examples:
  incise run list.c --entry insert
      Every path of insert(), for every list up to the pointer depth.
  incise run sum.c --entry sum --array values=4 --no-null
      values points to four ints and is never null.
  incise run parse.c --entry parse --array text=8 --concrete mode=2
      A buffer of eight bytes; the parameter mode is 2.
  incise run tool.c --sym-args 2 3 --sym-stdin 10
      main with two arguments of up to three bytes and up to ten bytes of standard input.
  incise run tool.c --arg -c --sym-args 1 2 --sym-file in=4 --sym-env MODE=3
      main finds a file `in` of up to four bytes, which its argument may name, and no other file.
  incise run a.c b.c -Iinclude -DDEBUG --cflags '-fshort-enums' --check overflow
      Two files linked together, flags for clang, and signed overflow is an error too.
  incise run sum.c --entry sum --tests out --c-tests --replay
      Writes .ktest, JSON and C tests into out/, then runs them natively.
  incise run sum.c --entry sum --format json | jq '.paths[] | select(.outcome == \"error\")'

Exit status: 0 no error and complete, 1 errors found, 2 the run failed, 3 cut or undecided without an error.";

#[derive(Args, Debug)]
#[command(next_help_heading = "Threads")]
pub(crate) struct ThreadArguments {
    /// Which orders of what threads do are explored
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Schedules::Optimal)]
    pub(crate) schedules: Schedules,
    /// Only executions in which a thread is interrupted so many times although it could go on
    #[arg(long, value_name = "N")]
    pub(crate) preemptions: Option<u32>,
    /// Each thread may wake N times at condition variables although nobody woke it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) spurious: u32,
    /// What is done with data races
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Races::Error)]
    pub(crate) races: Races,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Schedules {
    /// One for each trace: orders that differ in what does not matter are one
    Optimal,
    /// One at least for each trace, with less to remember
    Dpor,
    /// Every order
    All,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Races {
    /// They are errors
    Error,
    /// They are told
    Warn,
    /// Nobody looks for them
    Off,
}

#[derive(Args, Debug)]
pub(crate) struct RunArguments {
    /// C files (.c, .i), LLVM IR (.ll) or bitcode (.bc); several are linked together
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The function to explore [default: main, or the only function]
    #[arg(long, short, value_name = "FUNCTION")]
    pub(crate) entry: Option<String>,

    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) threads: ThreadArguments,
    #[command(flatten)]
    pub(crate) tests: TestArguments,
    #[command(flatten)]
    pub(crate) native: NoNativeArgument,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Show effort, memory and what each solver stage did
    #[arg(long, help_heading = "Output")]
    pub(crate) stats: bool,
    /// Show everything that was found, and not only as much as fits on a screen
    #[arg(long)]
    pub(crate) all: bool,
}
