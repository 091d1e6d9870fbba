//! What `incise replay` is asked to do.

use super::arguments::ReplayArguments;
use crate::session::CommandLimits;
use crate::settings::{OutputSettings, tools};
use anyhow::Result;
use incise_frontend::Tools;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) struct ReplaySettings {
    /// The folder of the tests.
    pub(crate) directory: PathBuf,
    /// The files of the version to run them on instead of the one that they were written for, from the root.
    pub(crate) on: Vec<PathBuf>,
    /// What the function is called there, if it has another name.
    pub(crate) entry: Option<String>,
    pub(crate) timeout: Duration,
    /// How many tests run at once, if the user says so.
    pub(crate) jobs: Option<usize>,
    /// How often tests with threads are run freely.
    pub(crate) stress: u32,
    pub(crate) tools: Tools,
    pub(crate) limits: CommandLimits,
    pub(crate) output: OutputSettings,
}

impl ReplaySettings {
    /// What the command line says. Paths do not depend on the current folder, because tests are run from another one.
    pub(crate) fn of(arguments: &ReplayArguments) -> Result<Self> {
        let on = arguments.on.iter().map(std::path::absolute).collect::<std::io::Result<Vec<_>>>()?;
        let clang = arguments.clang.as_ref().map(std::path::absolute).transpose()?;
        Ok(Self {
            directory: arguments.directory.clone(),
            on,
            entry: arguments.entry.clone(),
            timeout: arguments.native.timeout,
            jobs: arguments.native.jobs.map(usize::from),
            stress: arguments.stress,
            tools: tools(clang),
            limits: arguments.limits.limits(),
            output: OutputSettings::of(&arguments.output, false),
        })
    }
}
