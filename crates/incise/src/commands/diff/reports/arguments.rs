//! The reports that are files, as they are asked for.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Reports")]
pub(crate) struct ReportArguments {
    /// Write a page to read and to print: the change, each verdict, inputs with what both versions do, affected paths
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write SARIF 2.1.0, for code scanning and editors
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
    /// Write Markdown for a pull request, at most 60 kB
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
    /// Write a code quality report for GitLab
    #[arg(long, value_name = "FILE")]
    pub(crate) gitlab: Option<PathBuf>,
    /// Write JUnit XML: a test for each function
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}
