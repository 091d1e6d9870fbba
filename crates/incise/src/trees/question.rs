//! What is asked of a repository, whatever is done with its versions then.

use anyhow::{Context, Result};
use incise_repository::Configuration;
use std::path::{Path, PathBuf};

/// Which versions of a repository are compared, and how they are compiled.
#[derive(Clone, Debug)]
pub(crate) struct TreeQuestion {
    /// The revisions.
    pub(crate) words: Vec<String>,
    /// The paths that count; all if there are none.
    pub(crate) paths: Vec<PathBuf>,
    /// Where the compilation database is, if the user says so.
    pub(crate) database: Option<PathBuf>,
    /// Units that are wanted whether the change concerns them or not.
    pub(crate) units: Vec<PathBuf>,
    /// What the repository says of itself.
    pub(crate) configuration: Configuration,
}

impl TreeQuestion {
    /// What the command line says, beside what the repository says of itself.
    pub(crate) fn of(words: Vec<String>, paths: Vec<PathBuf>, database: Option<&Path>) -> Result<Self> {
        let here = std::env::current_dir().context("the current folder is gone")?;
        let configuration = Configuration::nearest(&here)?;
        let database = database.map(Path::to_owned).or_else(|| configuration.build_folder.clone());
        Ok(Self { words, paths, database, units: Vec::new(), configuration })
    }
}
