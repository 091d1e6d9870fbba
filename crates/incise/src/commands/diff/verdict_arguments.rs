//! What `incise diff` is told of the verdict, as it is typed.

use crate::commands::run::arguments::Schedules;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug, Clone)]
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
    /// With threads: which orders are explored
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Schedules::Optimal)]
    pub(crate) schedules: Schedules,
    /// List the inputs that are not compared because OLD itself goes wrong in memory on them
    #[arg(long)]
    pub(crate) show_invalid: bool,
    /// Show everything that was found, and not only as much as fits on a screen
    #[arg(long)]
    pub(crate) all: bool,
    /// What makes the command fail [default: difference,undecided; a difference that could not be run natively is
    /// undecided]
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
    /// A difference that could not be run natively: status 1
    Unconfirmed,
    /// No verdict could be reached: status 3
    Undecided,
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
