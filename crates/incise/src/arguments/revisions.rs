//! Versions that may be files, folders or revisions, as they are typed.

use super::units::parse_duration;
use crate::commands::diff::parts::Shard;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Two files or folders, or revisions of the repository that the current folder is in.
#[derive(Args, Debug, Clone, Default)]
pub(crate) struct RevisionArguments {
    /// OLD and NEW: each a C file, LLVM IR (.ll, .bc), or a folder with C files in it and below. Or revisions as git
    /// takes them: none (HEAD against the working tree), REV, A B, A..B, A...B
    #[arg(value_name = "VERSIONS")]
    pub(crate) words: Vec<OsString>,
    /// Only what changed in these files and folders of the repository
    #[arg(last = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// How a repository is built, and how long its functions may take.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Repository")]
pub(crate) struct BuildArguments {
    /// Where compile_commands.json is [default: the top of the repository, or build/ and its like]
    #[arg(short = 'p', long = "build-dir", value_name = "DIR")]
    pub(crate) database: Option<PathBuf>,
    /// A unit of the program (may be repeated; several are linked) if it is to be compared as one program, with its
    /// paths, and not function by function [default with options about paths and tests: those that the change concerns]
    #[arg(long = "unit", value_name = "FILE")]
    pub(crate) units: Vec<PathBuf>,
    /// Answer again whenever a file of the working tree is saved, until Ctrl-C
    #[arg(long)]
    pub(crate) watch: bool,
    /// Time for all functions of a change together, as in 90s, 5m or 1h [default: --max-time, or 5m]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) budget: Option<Duration>,
    /// Compare only the functions of one of several parts, as in 2/5, and keep what is found for --merge: a part may be
    /// made on any machine
    #[arg(long, value_name = "K/N", value_parser = Shard::parse, requires = "part")]
    pub(crate) shard: Option<Shard>,
    /// The folder for what the part finds
    #[arg(long, value_name = "FOLDER", requires = "shard")]
    pub(crate) part: Option<PathBuf>,
    /// The folder of a part (to be repeated for each): what is there is not compared again. All other options have to
    /// be those of the parts
    #[arg(long, value_name = "FOLDER", conflicts_with = "shard")]
    pub(crate) merge: Vec<PathBuf>,
}
