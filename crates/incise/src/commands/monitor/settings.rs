//! What `incise monitor` is asked to do.

use super::arguments::{MonitorArguments, MonitorRules};
use crate::commands::diff::verdict_settings::VerdictSettings;
use crate::settings::{OutputSettings, config};
use crate::trees::ComparedSettings;
use anyhow::{Result, bail};
use incise_exec::Config;
use std::path::PathBuf;

/// What `incise monitor` is asked to do.
pub(crate) struct MonitorSettings {
    pub(crate) network: PathBuf,
    pub(crate) versions: ComparedSettings,
    pub(crate) entry: Option<String>,
    pub(crate) map: Option<PathBuf>,
    pub(crate) signals: Option<PathBuf>,
    pub(crate) init: bool,
    pub(crate) rules: MonitorRules,
    pub(crate) suite: Option<PathBuf>,
    /// Files that are written beside the report.
    pub(crate) pictures: Pictures,
    pub(crate) verdict: VerdictSettings,
    pub(crate) config: Config,
    pub(crate) output: OutputSettings,
}

/// Files that are written beside the report.
pub(crate) struct Pictures {
    pub(crate) dot: Option<PathBuf>,
    pub(crate) svg: Option<PathBuf>,
    pub(crate) html: Option<PathBuf>,
    pub(crate) evidence: Option<PathBuf>,
}

impl MonitorSettings {
    /// What the command line says, if that makes sense as a whole.
    pub(crate) fn of(arguments: &MonitorArguments) -> Result<Self> {
        let versions = ComparedSettings::of(&arguments.versions, &arguments.compile)?;
        let engine = &versions.configured(&arguments.engine)?;
        let mut config = config(engine);
        config.workers = 1;
        if arguments.init && arguments.rules == MonitorRules::Paper {
            bail!("--init writes a map and marks nothing: leave out --rules");
        }
        Ok(Self {
            network: arguments.network.clone(),
            versions,
            entry: arguments.entry.clone(),
            map: arguments.map.clone(),
            signals: arguments.signals.clone(),
            init: arguments.init,
            rules: arguments.rules,
            suite: arguments.suite.clone(),
            pictures: Pictures {
                dot: arguments.dot.clone(),
                svg: arguments.svg.clone(),
                html: arguments.html.clone(),
                evidence: arguments.evidence.clone(),
            },
            verdict: VerdictSettings::watching(engine, &config)?,
            config,
            output: OutputSettings::of(&arguments.output, false),
        })
    }
}
