//! Which tests are written, as it is typed.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Tests")]
pub(crate) struct TestArguments {
    /// Write a test for each path into a folder; one that an earlier run wrote is replaced
    #[arg(long, value_name = "DIR")]
    pub(crate) tests: Option<PathBuf>,
    /// Write each test as a C program too
    #[arg(long)]
    pub(crate) c_tests: bool,
    /// Run the tests natively right away
    #[arg(long, requires = "tests")]
    pub(crate) replay: bool,
}
