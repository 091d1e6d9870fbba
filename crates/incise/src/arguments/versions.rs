//! The versions that are compared, as they are typed.

use clap::Args;
use std::path::PathBuf;

/// Two versions of a program. Commands that do more with one of them say so in its help.
#[derive(Args, Debug)]
pub(crate) struct VersionArguments {
    /// The old version: a C file, LLVM IR (.ll, .bc), or a folder with C files in it and below
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The new version, likewise
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
}
