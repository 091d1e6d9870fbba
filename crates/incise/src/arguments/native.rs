//! How tests run natively, as it is typed.

use super::units::parse_duration;
use clap::Args;
use std::time::Duration;

/// Whether anything runs natively at all.
#[derive(Args, Debug, Clone)]
pub(crate) struct NoNativeArgument {
    /// Run nothing natively: what is found is not replayed
    #[arg(long, help_heading = "Native runs")]
    pub(crate) no_native: bool,
}

#[derive(Args, Debug, Clone)]
pub(crate) struct NativeArguments {
    #[command(flatten)]
    pub(crate) choice: NoNativeArgument,
    /// Time for one test, as in 500ms or 10s
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    pub(crate) timeout: Duration,
    /// Tests that run at once [default: the number of processors]
    #[arg(short = 'j', long = "jobs", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
}
