//! What `incise cover` is asked to do.

use super::arguments::CoverArguments;
use crate::change::rules::RuleSet;
use crate::settings::{OutputSettings, config, reading};
use crate::trees::ComparedSettings;
use anyhow::Result;
use incise_exec::Config;
use incise_reading::InputReading;
use std::path::PathBuf;

/// What `incise cover` is asked to do.
pub(crate) struct CoverSettings {
    pub(crate) versions: ComparedSettings,
    pub(crate) tests: PathBuf,
    pub(crate) entry: Option<String>,
    /// In the order of the paper, each once.
    pub(crate) criteria: Vec<incise_incremental::Criterion>,
    pub(crate) rules: RuleSet,
    /// Whether the change is followed into calls.
    pub(crate) across: bool,
    /// For the engine; the entry is filled in once it is known.
    pub(crate) config: Config,
    /// How inputs are read.
    pub(crate) reading: InputReading,
    pub(crate) output: OutputSettings,
}

impl CoverSettings {
    /// What the command line says.
    pub(crate) fn of(arguments: &CoverArguments) -> Result<Self> {
        let versions = ComparedSettings::of(&arguments.versions, &arguments.compile)?;
        let engine = &versions.configured(&arguments.engine)?;
        let mut criteria: Vec<incise_incremental::Criterion> =
            arguments.criterion.iter().map(|&each| each.into()).collect();
        criteria.sort();
        criteria.dedup();
        if criteria.is_empty() {
            criteria.extend(incise_incremental::Criterion::ALL);
        }
        let mut config = config(engine);
        // What was explored decides about what is explored next: that takes one worker.
        config.workers = 1;
        Ok(Self {
            versions,
            tests: arguments.tests.clone(),
            entry: arguments.entry.clone(),
            criteria,
            rules: arguments.rules,
            across: !arguments.intra,
            config,
            reading: reading(&engine.inputs)?,
            output: OutputSettings::of(&arguments.output, false),
        })
    }
}
