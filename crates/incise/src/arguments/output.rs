//! How results are shown, as it is typed.

use clap::{Args, ValueEnum};

/// How results are shown.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// How results are written to standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// No progress; of the text only errors and one line
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Pass on what clang warns of
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto, value_name = "WHEN")]
    pub(crate) color: ColorChoice,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}
