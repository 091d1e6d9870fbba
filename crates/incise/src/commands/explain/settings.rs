//! What `incise explain` is asked to do.

use super::arguments::{ExplainArguments, GivenInput};
use crate::settings::{OutputSettings, config, reading};
use crate::trees::ComparedSettings;
use anyhow::Result;
use incise_exec::Config;
use incise_reading::InputReading;
use std::path::PathBuf;

/// What `incise explain` is asked to do.
pub(crate) struct ExplainSettings {
    pub(crate) versions: ComparedSettings,
    /// The test to read.
    pub(crate) test: Option<PathBuf>,
    /// Values for inputs.
    pub(crate) inputs: Vec<GivenInput>,
    pub(crate) entry: Option<String>,
    /// Whether all conditions are looked at.
    pub(crate) all: bool,
    /// Whether inputs are run natively.
    pub(crate) replay: bool,
    /// For the engine; the entry is filled in once it is known.
    pub(crate) config: Config,
    /// How inputs are read.
    pub(crate) reading: InputReading,
    pub(crate) output: OutputSettings,
}

impl ExplainSettings {
    /// What the command line says.
    pub(crate) fn of(arguments: &ExplainArguments) -> Result<Self> {
        let versions = ComparedSettings::of(&arguments.versions, &arguments.compile)?;
        let engine = &versions.configured(&arguments.engine)?;
        Ok(Self {
            versions,
            test: arguments.test.clone(),
            inputs: arguments.input.clone(),
            entry: arguments.entry.clone(),
            all: arguments.all_conditions,
            replay: !arguments.no_replay,
            config: config(engine),
            reading: reading(&engine.inputs)?,
            output: OutputSettings::of(&arguments.output, false),
        })
    }
}
