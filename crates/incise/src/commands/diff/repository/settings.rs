//! What `incise diff` is asked of a repository.

use crate::arguments::units::parse_duration;
use crate::commands::diff::arguments::{DiffArguments, Strategy};
use crate::commands::diff::verdict_arguments::FailOn;
use crate::commands::diff::verdict_settings::VerdictSettings;
use crate::settings::reading_with;
use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use incise_repository::Configuration;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// How long all functions together may take if the user does not say.
pub(crate) const BUDGET: Duration = Duration::from_secs(300);

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
    /// What the repository says of itself.
    pub(crate) configuration: Configuration,
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
        let here = std::env::current_dir().context("the current folder is gone")?;
        let configuration = Configuration::nearest(&here)?;
        let said = resolved_budget(&configuration)?;
        let given = arguments.build.budget.or(arguments.engine.limits.max_time);
        let budget = given.or(said).unwrap_or(BUDGET);
        let database = arguments.build.database.clone().or_else(|| configuration.build_folder.clone());
        Ok(Self { words, paths, database, budget, configuration })
    }

    /// What the repository says of verdicts, where the command line says nothing.
    pub(crate) fn apply(&self, arguments: &DiffArguments, verdict: &mut VerdictSettings) -> Result<()> {
        let Configuration { contracts, max_loop, .. } = &self.configuration;
        if arguments.verdict.fail_on.is_empty() && !self.configuration.fail_on.is_empty() {
            verdict.fail_on = resolved_fail_on(&self.configuration)?;
            verdict.all_ways |= !verdict.fail_on.contains(&FailOn::Difference);
        }
        if let (None, Some(count)) = (arguments.engine.limits.max_loop, max_loop) {
            (verdict.config.limits.loop_iterations, verdict.loops_grow) = (*count, false);
        }
        if let (None, Some(path)) = (&arguments.engine.inputs.contracts, contracts) {
            verdict.reading = reading_with(&arguments.engine.inputs, Some(path))?;
        }
        Ok(())
    }
}

/// The time that the repository names.
pub(crate) fn resolved_budget(configuration: &Configuration) -> Result<Option<Duration>> {
    let parse = |text: &String| {
        parse_duration(text).map_err(|why| anyhow!("{}: `limits.budget`: {why}", place(configuration)))
    };
    configuration.budget.as_ref().map(parse).transpose()
}

/// What makes a check of the repository fail.
pub(crate) fn resolved_fail_on(configuration: &Configuration) -> Result<BTreeSet<FailOn>> {
    let one = |name: &String| {
        FailOn::from_str(name, false).map_err(|_| {
            let known: Vec<String> = FailOn::value_variants()
                .iter()
                .filter_map(|each| Some(each.to_possible_value()?.get_name().to_owned()))
                .collect();
            anyhow!("{}: `fail-on` has {name:?}, which is none of {}", place(configuration), known.join(", "))
        })
    };
    configuration.fail_on.iter().map(one).collect()
}

fn place(configuration: &Configuration) -> String {
    configuration.path.as_ref().map_or_else(String::new, |path| path.display().to_string())
}
