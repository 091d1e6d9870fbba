//! The versions of one program that are compared, as they are typed.

use super::RevisionArguments;
use clap::Args;
use std::path::PathBuf;

/// Two versions of a program.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct VersionArguments {
    #[command(flatten)]
    pub(crate) versions: RevisionArguments,
    /// Of a repository: where compile_commands.json is [default: the top of the repository, or build/ and its like]
    #[arg(short = 'p', long = "build-dir", value_name = "DIR")]
    pub(crate) database: Option<PathBuf>,
    /// Of a repository: a unit of the program (may be repeated; several are linked) [default: those that the change
    /// concerns]
    #[arg(long = "unit", value_name = "FILE")]
    pub(crate) units: Vec<PathBuf>,
}
