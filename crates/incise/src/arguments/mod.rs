//! The command line as it is typed. It is turned once into resolved settings (`settings.rs`), and nothing else reads
//! it. What several commands have in common is here, and the rest in their folders.

mod compile;
mod exploration;
mod inputs;
mod limits;
mod native;
mod output;
mod revisions;
mod store;
mod tests;
pub(crate) mod units;
pub(crate) mod values;
mod versions;

pub(crate) use compile::CompileArguments;
pub(crate) use exploration::{Check, EngineArguments, Externals, Search, Volatile};
pub(crate) use inputs::InputArguments;
pub(crate) use limits::CommandLimitArguments;
pub(crate) use native::{NativeArguments, NoNativeArgument};
pub(crate) use output::{ColorChoice, Format, OutputArguments};
pub(crate) use revisions::{BuildArguments, RevisionArguments};
pub(crate) use store::StoreArguments;
pub(crate) use tests::TestArguments;
pub(crate) use versions::VersionArguments;

use crate::commands::build::arguments::{BUILD_HELP, BuildCommandArguments};
use crate::commands::cache::arguments::{CACHE_HELP, CacheCommand};
use crate::commands::config::command::CONFIG_HELP;
use crate::commands::cover::arguments::{COVER_HELP, CoverArguments};
use crate::commands::diff::arguments::{DIFF_HELP, DiffArguments};
use crate::commands::explain::arguments::{EXPLAIN_HELP, ExplainArguments};
use crate::commands::git_diff::GIT_DIFF_HELP;
use crate::commands::impact::arguments::{IMPACT_HELP, ImpactArguments};
use crate::commands::monitor::arguments::{MONITOR_HELP, MonitorArguments};
use crate::commands::replay::arguments::{REPLAY_HELP, ReplayArguments};
use crate::commands::run::arguments::{RUN_HELP, RunArguments};
use crate::commands::suite::arguments::{SUITE_HELP, SuiteCommand};
use crate::exit::{FAILED, Status};
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand};
use std::ffi::OsString;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const MAIN_HELP: &str = "\
Examples:
  incise run abs.c --entry abs_value            explore one function: its paths and errors
  incise run abs.c --entry abs_value --tests t  ... and write a test for each path into t/
  incise replay t                               run those tests natively and compare
  incise diff                                   what the changes in a repository do; main... since a branch left main
  incise build -- make                          record how a repository is built
  incise diff old.c new.c                       what a change does, and the paths that it affects
  incise diff a.c --entry slow --with fast      do two functions do the same?
  incise impact old.c new.c                     the lines that a change concerns
  incise explain old.c new.c --test t/test000003    why a test of old.c fails on new.c
  incise cover old.c new.c --tests t            what of the change those tests cover
  incise monitor net.bif old.c new.c --entry f  which nodes of a health monitor a change concerns
  incise suite generate abs.c --entry abs_value -o suite    a test for each path, for version control
  incise run --help                             all about inputs, limits and output

Exit status:
  0  nothing found        1  errors or differences found, something changed, or a test or replay disagrees
  2  the run failed (bad usage, code that does not compile)
  3  undecided: something was cut or could not be checked, and nothing was found";

/// Explores the paths of C programs exactly: inputs for every path, errors with a proof, tests that replay.
#[derive(Parser, Debug)]
#[command(name = "incise", version, styles = STYLES, after_help = MAIN_HELP, arg_required_else_help = true)]
#[command(disable_help_subcommand = true, max_term_width = 120)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Explore a program: paths, errors, coverage, tests
    #[command(after_long_help = RUN_HELP, after_help = "`incise run --help` has examples.")]
    Run(Box<RunArguments>),
    /// Find out what a change does: a verdict with inputs that show it, and the paths that it affects
    #[command(after_long_help = DIFF_HELP, after_help = "`incise diff --help` has examples.")]
    Diff(Box<DiffArguments>),
    /// Show which lines a change concerns, without exploring them
    #[command(after_help = IMPACT_HELP)]
    Impact(Box<ImpactArguments>),
    /// Find out why a test passes on the old version and fails on the new one
    #[command(after_long_help = EXPLAIN_HELP, after_help = "`incise explain --help` has examples.")]
    Explain(Box<ExplainArguments>),
    /// Find out what the tests of a suite cover of a change, and what they miss
    #[command(after_long_help = COVER_HELP, after_help = "`incise cover --help` has examples.")]
    Cover(Box<CoverArguments>),
    /// Mark the nodes of a health monitor that a change concerns
    #[command(after_long_help = MONITOR_HELP, after_help = "`incise monitor --help` has examples.")]
    Monitor(Box<MonitorArguments>),
    /// Run generated tests natively and compare with what was predicted
    #[command(after_help = REPLAY_HELP)]
    Replay(ReplayArguments),
    /// Keep a test suite that follows the code
    #[command(after_help = SUITE_HELP, arg_required_else_help = true)]
    Suite {
        #[command(subcommand)]
        command: SuiteCommand,
    },
    /// Run a build and record how it compiles files, in compile_commands.json
    #[command(after_help = BUILD_HELP)]
    Build(BuildCommandArguments),
    /// Be git's external diff: show the diff of a file, and the verdict below it
    #[command(after_help = GIT_DIFF_HELP)]
    GitDiff {
        /// What git calls it with: PATH OLD-FILE OLD-HEX OLD-MODE NEW-FILE NEW-HEX NEW-MODE
        #[arg(value_name = "WORDS", required = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
    /// Show what incise.toml says of how changes in this repository are checked
    #[command(after_help = CONFIG_HELP)]
    Config,
    /// Show or remove what is kept for other runs
    #[command(after_help = CACHE_HELP, arg_required_else_help = true)]
    Cache {
        #[command(subcommand)]
        command: CacheCommand,
    },
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  incise completions bash > ~/.local/share/bash-completion/completions/incise"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

impl Arguments {
    /// Whether something may run natively.
    pub(crate) fn may_run_natively(&self) -> bool {
        let choice = match &self.command {
            Command::Run(arguments) => &arguments.native,
            Command::Diff(arguments) => &arguments.native,
            Command::Explain(arguments) => &arguments.native,
            Command::Monitor(arguments) => &arguments.native,
            Command::Replay(arguments) => &arguments.native.choice,
            Command::Suite { command: SuiteCommand::Check(arguments) } => &arguments.native.choice,
            // The verdict is made by a process of its own.
            Command::GitDiff { .. } => return false,
            _ => return true,
        };
        !choice.no_native
    }

    /// Where what was found out is kept, for commands that keep something.
    pub(crate) fn store(&self) -> Option<&StoreArguments> {
        Some(match &self.command {
            Command::Diff(arguments) => &arguments.store,
            Command::Cover(arguments) => &arguments.store,
            Command::Monitor(arguments) => &arguments.store,
            Command::Suite { command: SuiteCommand::Generate(arguments) } => &arguments.store,
            Command::Suite { command: SuiteCommand::Update(arguments) } => &arguments.store,
            Command::Suite { command: SuiteCommand::Select(arguments) } => &arguments.store,
            Command::Suite { command: SuiteCommand::Check(arguments) } => &arguments.store,
            _ => return None,
        })
    }

    /// The exit status if the command fails. Git's own diff is not to fail with ours.
    pub(crate) fn failed(&self) -> u8 {
        if matches!(self.command, Command::GitDiff { .. }) { Status::Nothing.code() } else { FAILED }
    }
}

/// The arguments with clang's long options of one dash (`-std=c99`, `-include file`) and KLEE's for arguments of the
/// program (`--sym-arg 3`, `--sym-args 0 2 3`) in a form that clap reads.
pub(crate) fn normalised(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    with_argument_groups(with_long_options(arguments))
}

/// As many numbers follow `--sym-args` as we take: how many arguments, maybe as a range, and how long they are.
fn with_argument_groups(words: Vec<OsString>) -> Vec<OsString> {
    let number = |at: usize| words.get(at)?.to_str()?.parse::<u32>().ok();
    let mut result: Vec<OsString> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let literal = result.last().is_some_and(|last| last == "--arg");
        if words[at] == "--" {
            result.extend(words[at..].iter().cloned());
            break;
        }
        if words[at] == "--sym-arg" && !literal {
            result.extend(["--sym-args".into(), "1".into()]);
        } else if words[at] == "--sym-args"
            && !literal
            && let (Some(least), Some(most), Some(length)) = (number(at + 1), number(at + 2), number(at + 3))
        {
            result.extend([
                "--sym-args".into(),
                format!("{least}..{most}").into(),
                length.to_string().into(),
            ]);
            at += 3;
        } else {
            result.push(words[at].clone());
        }
        at += 1;
    }
    result
}

fn with_long_options(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut result: Vec<OsString> = Vec::new();
    let mut literal = false;
    for argument in arguments {
        let is_value = result.last().is_some_and(|last| {
            ["--cflags", "--arg", "-D", "--concrete", "--input"].iter().any(|option| last == option)
        });
        let text = argument.to_str().unwrap_or("");
        literal |= text == "--";
        let long = text.starts_with("-std=") || text == "-std" || text == "-include";
        if long && !literal && !is_value {
            result.push(format!("-{text}").into());
        } else {
            result.push(argument);
        }
    }
    result
}

#[cfg(test)]
mod command_line {
    use super::values::Number;
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn clangs_options_of_one_dash_are_understood() {
        let words =
            ["incise", "run", "a.c", "-std=c99", "-include", "x.h", "--cflags", "-std=c89", "-O1", "-DN=3"];
        let arguments = Arguments::try_parse_from(normalised(words.iter().map(OsString::from))).unwrap();
        let Command::Run(run) = arguments.command else { panic!("not run") };
        assert_eq!(run.compile.standard.unwrap(), "c99");
        assert_eq!(run.compile.include, ["x.h"]);
        assert_eq!(run.compile.cflags, ["-std=c89"]);
        assert_eq!((run.compile.optimise.as_str(), run.compile.define), ("1", vec!["N=3".into()]));
    }

    fn numbers(words: &[Number]) -> Vec<(u32, u32)> {
        words.iter().map(|each| (each.least, each.most)).collect()
    }

    #[test]
    fn arguments_are_given_as_for_klee_too() {
        let words =
            "incise run --sym-args 0 2 3 --sym-arg 4 --sym-args 1..2 5 a.c --sym-args 1 6 --sym-files 2 8";
        let words = normalised(words.split(' ').map(OsString::from));
        let Command::Run(run) = Arguments::try_parse_from(words).unwrap().command else { panic!("not run") };
        let expected = [(0, 2), (3, 3), (1, 1), (4, 4), (1, 2), (5, 5), (1, 1), (6, 6)];
        assert_eq!(numbers(&run.engine.inputs.sym_args), expected);
        assert_eq!((run.engine.inputs.sym_files, run.files), (vec![2, 8], vec!["a.c".into()]));
        for wrong in ["--sym-args 3..2 1", "--sym-args x 1", "--sym-arg", "--sym-files 1"] {
            let words = normalised(format!("incise run a.c {wrong}").split(' ').map(OsString::from));
            assert!(Arguments::try_parse_from(words).is_err(), "{wrong}");
        }
    }

    #[test]
    fn two_numbers_follow_sym_args() {
        let words = ["incise", "run", "--sym-args", "2", "3", "a.c"];
        let arguments = Arguments::try_parse_from(words).unwrap();
        let Command::Run(run) = arguments.command else { panic!("not run") };
        assert_eq!(numbers(&run.engine.inputs.sym_args), [(2, 2), (3, 3)]);
        assert!(Arguments::try_parse_from(["incise", "run", "a.c", "--sym-args", "2"]).is_err());
    }
}
