//! What `incise diff` is told of the verdict: as it is typed, and resolved.

use crate::commands::diff::arguments::DiffArguments;
use crate::inputs::InputReading;
use crate::settings::TestSettings;
use clap::{Args, ValueEnum};
use incise_exec::{Config, Externals};
use incise_relate::Visible;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// How often a loop is gone round in a comparison if the user does not say: pairs of paths are many.
const LOOP_ITERATIONS: u64 = 16;
/// How long the comparison of an entry may take if the user does not say.
const TIME: Duration = Duration::from_secs(60);

#[derive(Args, Debug)]
#[command(next_help_heading = "Verdict")]
pub(crate) struct VerdictArguments {
    /// Do not find out whether OLD and NEW do the same, only which paths are affected
    #[arg(long, conflicts_with_all = ["verdict_only", "witnesses", "fail_on", "observe", "float_tolerance", "with"])]
    pub(crate) no_verdict: bool,
    /// Only the verdict: leave out the affected paths
    #[arg(long, conflicts_with_all = ["tests", "compare", "both"])]
    pub(crate) verdict_only: bool,
    /// Write a test for each way to differ into a folder: it expects what OLD does, and fails on NEW
    #[arg(long, value_name = "DIR")]
    pub(crate) witnesses: Option<PathBuf>,
    /// What is compared [default: all of them]
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) observe: Vec<Observe>,
    /// Floating-point numbers that are no further apart than this are the same [default: bit for bit; NaN is NaN]
    #[arg(long, value_name = "EPSILON", allow_negative_numbers = true, value_parser = parse_tolerance)]
    pub(crate) float_tolerance: Option<f64>,
    /// List the inputs that are not compared because OLD itself goes wrong in memory on them
    #[arg(long)]
    pub(crate) show_invalid: bool,
    /// Show everything that was found, and not only as much as fits on a screen
    #[arg(long)]
    pub(crate) all: bool,
    /// What makes the command fail [default: difference,undecided]
    #[arg(long, value_enum, value_name = "WHEN", value_delimiter = ',')]
    pub(crate) fail_on: Vec<FailOn>,
}

/// What is compared.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub(crate) enum Observe {
    /// What the function returns
    Result,
    /// Global variables
    Globals,
    /// Memory that parameters, globals and the result lead to
    Memory,
    /// Standard output and error, and the exit status
    Output,
    /// Calls of functions that have neither a body nor a model, with their arguments
    Calls,
    /// Errors that only one version has
    Errors,
}

/// What makes `incise diff` fail.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, ValueEnum)]
pub(crate) enum FailOn {
    /// An error that OLD does not have on the same input: status 1
    Introduced,
    /// Any difference: status 1
    Difference,
    /// No verdict could be reached: status 3
    Undecided,
}

/// What is asked of a verdict.
#[derive(Clone, Debug)]
pub(crate) struct VerdictSettings {
    /// What is looked at.
    pub(crate) visible: Visible,
    /// Whether errors are.
    pub(crate) errors: bool,
    /// What makes the command fail.
    pub(crate) fail_on: BTreeSet<FailOn>,
    /// Where witnesses are written to.
    pub(crate) witnesses: Option<TestSettings>,
    /// Whether the affected paths are left out.
    pub(crate) only: bool,
    /// Whether all ways to differ are looked for, as long as there is time.
    pub(crate) all_ways: bool,
    /// Whether loops may be gone round more often where inputs grow.
    pub(crate) loops_grow: bool,
    /// How inputs are read.
    pub(crate) reading: InputReading,
    /// For the comparison; the entry is filled in for each.
    pub(crate) config: Config,
}

impl VerdictSettings {
    /// What the command line says. `config` is that of the exploration.
    pub(crate) fn of(arguments: &DiffArguments, config: &Config) -> anyhow::Result<Self> {
        let DiffArguments { verdict: arguments, exploration, limits, tests, inputs, .. } = arguments;
        let looks = |what: Observe| arguments.observe.is_empty() || arguments.observe.contains(&what);
        let mut config = config.clone();
        if limits.max_loop.is_none() {
            config.limits.loop_iterations = LOOP_ITERATIONS;
        }
        if limits.max_time.is_none() {
            config.limits.time = TIME;
        }
        if exploration.externals.is_none() {
            config.externals = Externals::Recorded;
        }
        let fail_on: BTreeSet<FailOn> = match arguments.fail_on.is_empty() {
            true => [FailOn::Difference, FailOn::Undecided].into(),
            false => arguments.fail_on.iter().copied().collect(),
        };
        let decisive = fail_on.contains(&FailOn::Difference);
        Ok(Self {
            visible: Visible {
                result: looks(Observe::Result),
                globals: looks(Observe::Globals),
                memory: looks(Observe::Memory),
                output: looks(Observe::Output),
                calls: looks(Observe::Calls),
                float_tolerance: arguments.float_tolerance,
            },
            errors: looks(Observe::Errors),
            fail_on,
            witnesses: arguments.witnesses.clone().map(|directory| TestSettings {
                directory,
                c_tests: tests.c_tests,
                replay: false,
            }),
            only: arguments.verdict_only,
            // Whoever names a time wants it used; and where a difference is no failure, more must not be overlooked for it.
            loops_grow: limits.max_loop.is_none(),
            all_ways: limits.max_time.is_some() || arguments.witnesses.is_some() || !decisive,
            reading: InputReading::of(inputs)?,
            config,
        })
    }
}

fn parse_tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("expected a number that is not negative, as in 1e-9".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_is_a_distance() {
        assert_eq!(parse_tolerance("1e-9"), Ok(1e-9));
        for text in ["-1", "nan", "inf", "", "small"] {
            assert!(parse_tolerance(text).is_err(), "{text}");
        }
    }
}
