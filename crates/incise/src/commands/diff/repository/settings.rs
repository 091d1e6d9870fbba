//! What `incise diff` is asked of a repository.

use crate::arguments::units::parse_duration;
use crate::commands::diff::arguments::{DiffArguments, Strategy};
use crate::commands::diff::verdict_arguments::FailOn;
use crate::commands::diff::verdict_settings::VerdictSettings;
use crate::settings::{configured, parsed};
use crate::trees::TreeQuestion;
use anyhow::{Result, anyhow};
use clap::ValueEnum;
use incise_repository::Configuration;
use std::collections::BTreeSet;
use std::time::Duration;

/// How long all functions together may take if the user does not say.
pub(crate) const BUDGET: Duration = Duration::from_secs(300);

/// What `incise diff` is asked of a repository.
#[derive(Clone, Debug)]
pub(crate) struct RepositoryQuestion {
    /// Which versions, and how they are compiled.
    pub(crate) trees: TreeQuestion,
    /// How long all functions together may take.
    pub(crate) budget: Duration,
}

impl RepositoryQuestion {
    /// What the command line says.
    pub(crate) fn of(arguments: &DiffArguments, trees: TreeQuestion) -> Result<Self> {
        let said = resolved_budget(&trees.configuration)?;
        let given = [arguments.build.budget, arguments.engine.limits.max_time].into_iter().flatten().min();
        let time = configured(&arguments.engine, &trees.configuration)?.limits.max_time;
        let budget = given.or(said).or(time).unwrap_or(BUDGET);
        Ok(Self { trees, budget })
    }

    /// What the repository says of verdicts, where the command line says nothing.
    pub(crate) fn apply(&self, arguments: &DiffArguments, verdict: &mut VerdictSettings) -> Result<()> {
        if arguments.verdict.fail_on.is_empty() && !self.trees.configuration.fail_on.is_empty() {
            verdict.fail_on = resolved_fail_on(&self.trees.configuration)?;
            verdict.all_ways |= !verdict.fail_on.contains(&FailOn::Difference);
        }
        Ok(())
    }
}

/// Whether versions of a repository are to be compared as those of one program: what is asked for are its paths, or
/// tests for it.
pub(crate) fn is_of_program(arguments: &DiffArguments) -> bool {
    !arguments.build.units.is_empty()
        || arguments.strategy() != Strategy::Exact
        || arguments.rules.is_some()
        || arguments.intra
        || arguments.both
        || arguments.cover.is_some()
        || arguments.trace
        || !arguments.compare.is_empty()
        || arguments.tests.tests.is_some()
        || arguments.verdict.no_verdict
        || arguments.verdict.witnesses.is_some()
        || arguments.entry.as_ref().is_some_and(|entry| entry.contains(':'))
}

/// The time that the repository names.
pub(crate) fn resolved_budget(configuration: &Configuration) -> Result<Option<Duration>> {
    parsed(configuration, "limits.budget", configuration.budget.as_deref(), parse_duration)
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
