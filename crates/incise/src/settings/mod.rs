//! Arguments, resolved once into what the commands work with: no command sees what was typed.

mod compile;
mod configured;
mod engine;
mod reading;
mod revisions;
mod store;

pub(crate) use compile::{compilation, sources, tools, version};
pub(crate) use configured::{configured, parsed};
pub(crate) use engine::config;
pub(crate) use reading::reading;
pub(crate) use revisions::AskedVersions;
pub(crate) use store::{LIMIT as STORE_LIMIT, StoreSettings, resolved_limit, resolved_place};

use crate::advice::advise;
use crate::arguments::{Arguments, Command, Format, OutputArguments, TestArguments};
use crate::commands::build::command::BuildSettings;
use crate::commands::cache::command::CacheSettings;
use crate::commands::cover::settings::CoverSettings;
use crate::commands::diff::settings::DiffSettings;
use crate::commands::explain::settings::ExplainSettings;
use crate::commands::git_diff::GitDiffSettings;
use crate::commands::impact::settings::ImpactSettings;
use crate::commands::monitor::settings::MonitorSettings;
use crate::commands::replay::settings::ReplaySettings;
use crate::commands::run::settings::RunSettings;
use crate::commands::suite::arguments::SuiteCommand;
use crate::commands::suite::settings::{
    CheckSettings, EmitSettings, GenerateSettings, SelectSettings, UpdateSettings,
};
use crate::session::{CommandLimits, TalkSettings, output};
use anyhow::Result;
use incise_exec::Config;
use incise_report::TextOptions;
use incise_suite::TestFolderOptions;
use std::path::PathBuf;

/// What the program is asked to do.
pub(crate) enum Settings {
    Run(Box<RunSettings>),
    Diff(Box<DiffSettings>),
    Impact(Box<ImpactSettings>),
    Explain(Box<ExplainSettings>),
    Cover(Box<CoverSettings>),
    Monitor(Box<MonitorSettings>),
    Replay(Box<ReplaySettings>),
    SuiteGenerate(Box<GenerateSettings>),
    SuiteUpdate(Box<UpdateSettings>),
    SuiteSelect(Box<SelectSettings>),
    SuiteCheck(Box<CheckSettings>),
    SuiteEmit(Box<EmitSettings>),
    Build(Box<BuildSettings>),
    GitDiff(Box<GitDiffSettings>),
    Config,
    Cache(Box<CacheSettings>),
    Completions(clap_complete::Shell),
}

impl Settings {
    /// What the command line says, if that makes sense as a whole.
    pub(crate) fn of(arguments: &Arguments) -> Result<Self> {
        Ok(match &arguments.command {
            Command::Run(arguments) => Self::Run(Box::new(RunSettings::of(arguments)?)),
            Command::Diff(arguments) => Self::Diff(Box::new(DiffSettings::of(arguments)?)),
            Command::Impact(arguments) => Self::Impact(Box::new(ImpactSettings::of(arguments)?)),
            Command::Explain(arguments) => Self::Explain(Box::new(ExplainSettings::of(arguments)?)),
            Command::Cover(arguments) => Self::Cover(Box::new(CoverSettings::of(arguments)?)),
            Command::Monitor(arguments) => Self::Monitor(Box::new(MonitorSettings::of(arguments)?)),
            Command::Replay(arguments) => Self::Replay(Box::new(ReplaySettings::of(arguments)?)),
            Command::Suite { command } => Self::of_suite(command)?,
            Command::Build(arguments) => Self::Build(Box::new(BuildSettings::of(arguments))),
            Command::GitDiff { words } => Self::GitDiff(Box::new(GitDiffSettings::of(words))),
            Command::Config => Self::Config,
            Command::Cache { command } => Self::Cache(Box::new(CacheSettings::of(command)?)),
            Command::Completions { shell } => Self::Completions(*shell),
        })
    }

    fn of_suite(command: &SuiteCommand) -> Result<Self> {
        Ok(match command {
            SuiteCommand::Generate(arguments) => {
                Self::SuiteGenerate(Box::new(GenerateSettings::of(arguments)?))
            }
            SuiteCommand::Update(arguments) => Self::SuiteUpdate(Box::new(UpdateSettings::of(arguments)?)),
            SuiteCommand::Select(arguments) => Self::SuiteSelect(Box::new(SelectSettings::of(arguments)?)),
            SuiteCommand::Check(arguments) => Self::SuiteCheck(Box::new(CheckSettings::of(arguments))),
            SuiteCommand::Emit(arguments) => Self::SuiteEmit(Box::new(EmitSettings::of(arguments))),
        })
    }

    /// What the command may take.
    pub(crate) fn limits(&self) -> CommandLimits {
        let of = |config: &Config| CommandLimits {
            time: Some(config.limits.time),
            memory: Some(config.limits.memory),
        };
        match self {
            Self::Run(settings) => of(&settings.config),
            // Who watches has a budget for each answer.
            Self::Diff(settings) if settings.watch => CommandLimits { time: None, ..of(&settings.config) },
            Self::Diff(settings) => of(&settings.config),
            Self::Impact(settings) => settings.limits,
            Self::Explain(settings) => of(&settings.config),
            Self::Cover(settings) => of(&settings.config),
            Self::Monitor(settings) => of(&settings.config),
            Self::Replay(settings) => settings.limits,
            Self::SuiteGenerate(settings) => of(&settings.config),
            Self::SuiteUpdate(settings) => settings.versioned.limits,
            Self::SuiteSelect(settings) => settings.versioned.limits,
            Self::SuiteCheck(settings) => settings.limits,
            Self::SuiteEmit(settings) => settings.limits,
            Self::Build(_) | Self::GitDiff(_) | Self::Config | Self::Cache(_) | Self::Completions(_) => {
                CommandLimits { time: None, memory: None }
            }
        }
    }

    /// How many functions the command works on at once.
    pub(crate) fn jobs(&self) -> Option<usize> {
        match self {
            Self::Diff(settings) => settings.jobs,
            _ => None,
        }
    }

    /// How the command talks.
    pub(crate) fn talk(&self) -> TalkSettings {
        match self {
            Self::Run(settings) => settings.output.talk,
            Self::Diff(settings) => settings.output.talk,
            Self::Impact(settings) => settings.output.talk,
            Self::Explain(settings) => settings.output.talk,
            Self::Cover(settings) => settings.output.talk,
            Self::Monitor(settings) => settings.output.talk,
            Self::Replay(settings) => settings.output.talk,
            Self::SuiteGenerate(settings) => settings.output.talk,
            Self::SuiteUpdate(settings) => settings.output.talk,
            Self::SuiteSelect(settings) => settings.output.talk,
            Self::SuiteCheck(settings) => settings.output.talk,
            Self::SuiteEmit(settings) => settings.talk,
            Self::Build(settings) => settings.talk,
            Self::GitDiff(_) | Self::Config | Self::Cache(_) | Self::Completions(_) => {
                TalkSettings { quiet: false, verbose: false, color: false }
            }
        }
    }
}

/// What is written beside the report.
#[derive(Clone, Debug)]
pub(crate) struct TestSettings {
    pub(crate) directory: PathBuf,
    pub(crate) c_tests: bool,
    pub(crate) replay: bool,
}

impl TestSettings {
    /// What the command line says; `None` if no tests are wanted.
    pub(crate) fn of(arguments: &TestArguments) -> Option<Self> {
        let directory = arguments.tests.clone()?;
        Some(Self { directory, c_tests: arguments.c_tests, replay: arguments.replay })
    }

    /// How a folder of tests is written for paths that were found in a way.
    pub(crate) fn folder_options<'a>(&self, config: &'a Config) -> TestFolderOptions<'a> {
        TestFolderOptions {
            c_tests: self.c_tests,
            arguments: &config.inputs.given_arguments,
            symbolic_arguments: &config.inputs.arguments,
            check_overflow: config.checks.overflow,
        }
    }
}

/// How results are shown.
#[derive(Clone, Debug)]
pub(crate) struct OutputSettings {
    pub(crate) format: Format,
    pub(crate) text: TextOptions,
    pub(crate) talk: TalkSettings,
}

impl OutputSettings {
    /// What the command line says, beside what standard output and error are.
    pub(crate) fn of(arguments: &OutputArguments, statistics: bool) -> Self {
        let OutputArguments { format, quiet, verbose, color } = *arguments;
        let text = TextOptions {
            color: output::color_output(color),
            quiet,
            statistics,
            advise: Some(advise),
            ..TextOptions::default()
        };
        let talk = TalkSettings { quiet, verbose, color: output::color_talk(color) };
        Self { format, text, talk }
    }
}
