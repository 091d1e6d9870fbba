//! What `incise diff` is asked of a repository.

use crate::commands::diff::arguments::{DiffArguments, Strategy};
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::time::Duration;

/// How long all functions together may take if the user does not say.
const BUDGET: Duration = Duration::from_secs(300);

/// What `incise diff` is asked of a repository.
#[derive(Clone, Debug)]
pub(crate) struct RepositoryQuestion {
    /// The revisions.
    pub(crate) words: Vec<String>,
    /// The paths that count; all if there are none.
    pub(crate) paths: Vec<PathBuf>,
    /// Where the compilation database is, if the user says so.
    pub(crate) database: Option<PathBuf>,
    /// How long all functions together may take.
    pub(crate) budget: Duration,
}

impl RepositoryQuestion {
    /// What the command line says, if that can be asked of a repository.
    pub(crate) fn of(arguments: &DiffArguments, words: Vec<String>, paths: Vec<PathBuf>) -> Result<Self> {
        let of_paths = [
            (arguments.strategy != Strategy::Exact, "--strategy"),
            (arguments.rules.is_some(), "--rules"),
            (arguments.intra, "--intra"),
            (arguments.both, "--both"),
            (arguments.cover.is_some(), "--cover"),
            (arguments.trace, "--trace"),
            (arguments.compare.is_some(), "--compare"),
            (arguments.tests.tests.is_some(), "--tests"),
            (arguments.verdict.no_verdict, "--no-verdict"),
            (arguments.verdict.witnesses.is_some(), "--witnesses"),
            (arguments.entry.as_ref().is_some_and(|entry| entry.contains(':')), "--entry OLD_NAME:NEW_NAME"),
        ];
        if let Some((_, name)) = of_paths.iter().find(|(asked, _)| *asked) {
            bail!("{name} is about the paths of one program: give two files or folders instead of revisions");
        }
        let budget = arguments.build.budget.or(arguments.engine.limits.max_time).unwrap_or(BUDGET);
        Ok(Self { words, paths, database: arguments.build.database.clone(), budget })
    }
}
