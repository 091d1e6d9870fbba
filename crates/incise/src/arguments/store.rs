//! Where what was found out is kept, as it is typed.

use clap::Args;

#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Store")]
pub(crate) struct StoreArguments {
    /// Where verdicts are kept for other runs: a folder, redis://, memcached://, s3:// or webdav://, or none [default:
    /// the user's caches; INCISE_STORE and incise.toml may say otherwise]
    #[arg(long, value_name = "PLACE", conflicts_with = "no_store")]
    pub(crate) store: Option<String>,
    /// Keep nothing, and take nothing that was kept
    #[arg(long)]
    pub(crate) no_store: bool,
    /// Find everything out again that is taken from the store, and compare; otherwise a sample is
    #[arg(long)]
    pub(crate) check_store: bool,
}
