//! The command line of `incise replay`, as it is typed.

use crate::arguments::{CommandLimitArguments, NativeArguments, OutputArguments};
use clap::Args;
use std::path::PathBuf;

pub(crate) const REPLAY_HELP: &str = "\
Examples:
  incise run sum.c --entry sum --tests out      write the tests
  incise replay out                             compile sum.c natively, run every test, compare
  incise replay out --format json | jq .summary
  incise diff old.c new.c --witnesses w         write the inputs on which two versions differ
  incise replay w --on old.c                    ... all of them pass on old.c, and fail on new.c
  incise run bank.c --tests out                 a program with threads: each test has a schedule,
  incise replay out --stress                    ... along which it is led; then it runs freely, too

Errors of memory (out of bounds, use after free...) are confirmed by a second build with clang's sanitizers.

Exit status: 0 all confirmed, 1 some disagree, 2 the replay failed, 3 some could not be checked.";

#[derive(Args, Debug)]
pub(crate) struct ReplayArguments {
    /// The folder that `incise run --tests` or `incise diff --witnesses` wrote
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// Run them on this version instead of the one that they were written for (may be repeated)
    #[arg(long, value_name = "FILE")]
    pub(crate) on: Vec<PathBuf>,
    /// What the function is called there, if it has another name
    #[arg(long, short, value_name = "FUNCTION", requires = "on")]
    pub(crate) entry: Option<String>,
    #[command(flatten)]
    pub(crate) native: NativeArguments,
    /// Run tests of programs with threads freely, too, up to N times each, to see if they show by themselves
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1000", default_value = "0",
          hide_default_value = true, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) stress: u32,
    /// The clang to compile with instead of the one on the path
    #[arg(long, value_name = "PATH")]
    pub(crate) clang: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: CommandLimitArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}
