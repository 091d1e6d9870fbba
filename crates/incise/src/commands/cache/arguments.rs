//! The command line of `incise cache`, as it is typed.

use crate::arguments::Format;
use clap::{Args, Subcommand};
use std::path::PathBuf;

pub(crate) const CACHE_HELP: &str = "\
What was found out is kept for other runs in a folder, and goes when it was not used for long: docs/store.md. It is the one that --store, INCISE_STORE or
incise.toml name, or that of the user's caches, which also stands before a server. Everything in it can be found out again.

Examples:
  incise cache size
  incise cache size --format json
  incise cache clear
  du -h $(incise cache path)";

#[derive(Subcommand, Debug)]
pub(crate) enum CacheCommand {
    /// Show how much is kept
    Size(CacheArguments),
    /// Remove all that is kept
    Clear(CacheArguments),
    /// Show the folder
    Path(CacheArguments),
}

#[derive(Args, Debug)]
pub(crate) struct CacheArguments {
    /// The folder, if it is not the one that holds here
    #[arg(long, value_name = "FOLDER")]
    pub(crate) store: Option<PathBuf>,
    /// How results are written to standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}
