//! How C is compiled, as it is typed.

use clap::Args;
use incise_repository::build::shell_words;
use std::ffi::OsString;
use std::path::PathBuf;

/// What is passed to clang, for every command that takes C.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Compiling")]
pub(crate) struct CompileArguments {
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", allow_hyphen_values = true)]
    pub(crate) define: Vec<OsString>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    pub(crate) undefine: Vec<OsString>,
    /// Add a folder to the include path
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) include_path: Vec<OsString>,
    /// The language standard, as in -std=c99
    #[arg(long = "std", value_name = "STANDARD")]
    pub(crate) standard: Option<OsString>,
    /// Include a file first, as in -include config.h
    #[arg(long = "include", value_name = "FILE")]
    pub(crate) include: Vec<OsString>,
    /// More flags for clang, as a shell splits them
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, value_parser = parse_flags)]
    pub(crate) cflags: Vec<String>,
    /// The level that clang optimises at before the code is explored
    #[arg(short = 'O', value_name = "LEVEL", default_value = "0", value_parser = ["0", "1", "2", "3", "s", "z"])]
    pub(crate) optimise: String,
    /// The clang to use (any version from 15 on) instead of the one on the path
    #[arg(long, value_name = "PATH")]
    pub(crate) clang: Option<PathBuf>,
}

fn parse_flags(text: &str) -> Result<String, String> {
    shell_words(text).map(|_| text.to_owned()).ok_or_else(|| "a quote in it does not end".to_owned())
}
