//! What the commands of `incise suite` are asked to do.

use super::arguments::{
    CheckArguments, EmitArguments, GenerateArguments, SelectArguments, SuiteVersionArguments, UpdateArguments,
};
use crate::arguments::{CommandLimitArguments, CompileArguments};
use crate::session::{CommandLimits, TalkSettings};
use crate::settings::{AskedVersions, OutputSettings, compilation, config, reading, sources, tools};
use anyhow::Result;
use incise_exec::Config;
use incise_frontend::{Compilation, Sources, Tools};
use incise_reading::InputReading;
use incise_report::emit::Emit;
use std::path::PathBuf;
use std::time::Duration;

/// What `incise suite generate` is asked to do.
pub(crate) struct GenerateSettings {
    pub(crate) sources: Sources,
    pub(crate) entry: Option<String>,
    /// The folder of the suite.
    pub(crate) directory: PathBuf,
    /// The test sources that are written beside it, each once.
    pub(crate) emit: Vec<Emit>,
    /// For the engine; the entry is filled in once it is known.
    pub(crate) config: Config,
    /// How inputs are read.
    pub(crate) reading: InputReading,
    pub(crate) output: OutputSettings,
}

impl GenerateSettings {
    /// What the command line says.
    pub(crate) fn of(arguments: &GenerateArguments) -> Result<Self> {
        let mut emit: Vec<Emit> = arguments.emit.iter().map(|&format| format.into()).collect();
        emit.sort();
        emit.dedup();
        Ok(Self {
            sources: sources(&arguments.files, &arguments.compile),
            entry: arguments.entry.clone(),
            directory: arguments.output_directory.clone(),
            emit,
            config: config(&arguments.engine),
            reading: reading(&arguments.engine.inputs)?,
            output: OutputSettings::of(&arguments.output, false),
        })
    }
}

/// A suite and the two versions that it stands between.
pub(crate) struct VersionSettings {
    pub(crate) versions: AskedVersions,
    /// The folder of the suite.
    pub(crate) suite: PathBuf,
    /// How the versions are compiled, if that is said.
    pub(crate) compilation: Compilation,
    pub(crate) limits: CommandLimits,
}

impl VersionSettings {
    fn of(
        versions: &SuiteVersionArguments,
        compile: &CompileArguments,
        limits: &CommandLimitArguments,
    ) -> Result<Self> {
        Ok(Self {
            limits: limits.limits(),
            versions: AskedVersions::of(&versions.versions, false)?,
            suite: versions.suite.clone(),
            compilation: compilation(compile),
        })
    }
}

/// What `incise suite update` is asked to do.
pub(crate) struct UpdateSettings {
    pub(crate) versioned: VersionSettings,
    /// The folder to write to.
    pub(crate) directory: PathBuf,
    /// Whether new outcomes are written.
    pub(crate) accept: bool,
    pub(crate) workers: usize,
    pub(crate) output: OutputSettings,
}

impl UpdateSettings {
    /// What the command line says.
    pub(crate) fn of(arguments: &UpdateArguments) -> Result<Self> {
        Ok(Self {
            versioned: VersionSettings::of(&arguments.versions, &arguments.compile, &arguments.limits)?,
            directory: arguments.output_directory.as_ref().unwrap_or(&arguments.versions.suite).clone(),
            accept: arguments.accept,
            workers: usize::from(arguments.jobs),
            output: OutputSettings::of(&arguments.output, false),
        })
    }
}

/// What `incise suite select` is asked to do.
pub(crate) struct SelectSettings {
    pub(crate) versioned: VersionSettings,
    pub(crate) output: OutputSettings,
}

impl SelectSettings {
    /// What the command line says.
    pub(crate) fn of(arguments: &SelectArguments) -> Result<Self> {
        Ok(Self {
            versioned: VersionSettings::of(&arguments.versions, &arguments.compile, &arguments.limits)?,
            output: OutputSettings::of(&arguments.output, false),
        })
    }
}

/// What `incise suite check` is asked to do.
pub(crate) struct CheckSettings {
    /// The files of the program; those of the suite if there are none.
    pub(crate) files: Vec<PathBuf>,
    /// The folder of the suite.
    pub(crate) suite: PathBuf,
    /// How the files are compiled, if that is said.
    pub(crate) compilation: Compilation,
    /// Where the result is written as JUnit XML too.
    pub(crate) junit: Option<PathBuf>,
    pub(crate) timeout: Duration,
    /// How many tests run at once, if the user says so.
    pub(crate) jobs: Option<usize>,
    pub(crate) output: OutputSettings,
    pub(crate) limits: CommandLimits,
}

impl CheckSettings {
    /// What the command line says.
    pub(crate) fn of(arguments: &CheckArguments) -> Self {
        Self {
            files: arguments.files.clone(),
            suite: arguments.suite.clone(),
            compilation: compilation(&arguments.compile),
            junit: arguments.junit.clone(),
            limits: arguments.limits.limits(),
            timeout: arguments.native.timeout,
            jobs: arguments.native.jobs.map(usize::from),
            output: OutputSettings::of(&arguments.output, false),
        }
    }
}

/// What `incise suite emit` is asked to do.
pub(crate) struct EmitSettings {
    /// The folder of the suite.
    pub(crate) suite: PathBuf,
    pub(crate) kind: Emit,
    /// The folder to write to.
    pub(crate) directory: PathBuf,
    pub(crate) tools: Tools,
    pub(crate) talk: TalkSettings,
    pub(crate) limits: CommandLimits,
}

impl EmitSettings {
    /// What the command line says.
    pub(crate) fn of(arguments: &EmitArguments) -> Self {
        Self {
            suite: arguments.suite.clone(),
            kind: arguments.emit.into(),
            directory: arguments.output_directory.clone(),
            limits: arguments.limits.limits(),
            tools: tools(arguments.clang.clone()),
            talk: TalkSettings { quiet: arguments.quiet, verbose: false, color: false },
        }
    }
}
