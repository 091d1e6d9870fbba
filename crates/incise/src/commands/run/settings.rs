//! What `incise run` is asked to do.

use super::arguments::{Races, RunArguments, Schedules, ThreadArguments};
use crate::settings::{OutputSettings, TestSettings, config, reading, sources};
use anyhow::{Result, bail};
use incise_exec::Config;
use incise_frontend::Sources;
use incise_reading::InputReading;

/// What `incise run` is asked to do.
pub(crate) struct RunSettings {
    pub(crate) sources: Sources,
    pub(crate) entry: Option<String>,
    /// For the engine; the entry is filled in once it is known.
    pub(crate) config: Config,
    /// How inputs are read.
    pub(crate) reading: InputReading,
    pub(crate) tests: Option<TestSettings>,
    pub(crate) output: OutputSettings,
}

impl RunSettings {
    /// What the command line says, if that makes sense as a whole.
    pub(crate) fn of(arguments: &RunArguments) -> Result<Self> {
        if arguments.tests.c_tests && arguments.tests.tests.is_none() {
            bail!("--c-tests says in which form tests are written: say where with --tests DIR");
        }
        Ok(Self {
            sources: sources(&arguments.files, &arguments.compile),
            entry: arguments.entry.clone(),
            config: Config { threads: Some(threads(&arguments.threads)), ..config(&arguments.engine) },
            reading: reading(&arguments.engine.inputs)?,
            tests: TestSettings::of(&arguments.tests),
            output: {
                let mut output = OutputSettings::of(&arguments.output, arguments.stats);
                output.text.all = arguments.all;
                output
            },
        })
    }
}

/// Which orders are explored.
pub(crate) fn schedules(argument: Schedules) -> incise_exec::Schedules {
    match argument {
        Schedules::Optimal => incise_exec::Schedules::Optimal,
        Schedules::Dpor => incise_exec::Schedules::Dpor,
        Schedules::All => incise_exec::Schedules::All,
    }
}

/// How threads are explored.
fn threads(arguments: &ThreadArguments) -> incise_exec::ThreadConfig {
    incise_exec::ThreadConfig {
        schedules: schedules(arguments.schedules),
        preemptions: arguments.preemptions,
        spurious: arguments.spurious,
        races: match arguments.races {
            Races::Error => incise_exec::Races::Error,
            Races::Warn => incise_exec::Races::Warn,
            Races::Off => incise_exec::Races::Off,
        },
        steps: None,
        world: false,
    }
}
