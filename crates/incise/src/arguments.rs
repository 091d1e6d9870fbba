//! The command line as it is typed. It is turned once into resolved settings (`settings.rs`), and nothing else reads it.

use crate::commands::cover::arguments::{COVER_HELP, CoverArguments};
use crate::commands::diff::arguments::{DIFF_HELP, DiffArguments, IMPACT_HELP, ImpactArguments};
use crate::commands::explain::arguments::{EXPLAIN_HELP, ExplainArguments};
use crate::commands::suite::arguments::{SUITE_HELP, SuiteCommand};
use crate::inputs::Inputs;
use crate::units::{parse_duration, parse_size};
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

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
  incise diff old.c new.c                       what a change does, and the paths that it affects
  incise diff a.c --entry slow --with fast      do two functions do the same?
  incise impact old.c new.c                     the lines that a change concerns
  incise explain old.c new.c --test t/test000003    why a test of old.c fails on new.c
  incise cover old.c new.c --tests t            what of the change those tests cover
  incise suite generate abs.c --entry abs_value -o suite    a test for each path, for version control
  incise run --help                             all about inputs, limits and output

Exit status:
  0  nothing found        1  errors or differences found, something changed, or a test or replay disagrees
  2  the run failed (bad usage, code that does not compile)
  3  undecided: something was cut or could not be checked, and nothing was found";

const RUN_HELP: &str = "\
Inputs:
  The parameters of the entry function are symbolic, and so are non-constant global variables. A pointer is null, or
  points to a fresh object of its type; --array gives it more elements. If the entry is main, nothing is
  symbolic unless the program asks for it (klee_make_symbolic, __VERIFIER_nondet_int...) or the command
  line does (--sym-args, --sym-stdin, --sym-file, --sym-env). What the clock says is symbolic too.

Examples:
  incise run list.c --entry insert
      Every path of insert(), for every list up to the pointer depth.
  incise run sum.c --entry sum --array values=4 --no-null
      values points to four ints and is never null.
  incise run parse.c --entry parse --array text=8 --concrete mode=2
      A buffer of eight bytes; the parameter mode is 2.
  incise run tool.c --sym-args 2 3 --sym-stdin 10
      main with two arguments of up to three bytes and up to ten bytes of standard input.
  incise run tool.c --arg -c --sym-args 1 2 --sym-file in=4 --sym-env MODE=3
      main finds a file `in` of up to four bytes, which its argument may name, and no other file.
  incise run a.c b.c -Iinclude -DDEBUG --cflags '-fshort-enums' --check overflow
      Two files linked together, flags for clang, and signed overflow is an error too.
  incise run sum.c --entry sum --tests out --c-tests --replay
      Writes .ktest, JSON and C tests into out/, then runs them natively.
  incise run sum.c --entry sum --format json | jq '.paths[] | select(.outcome == \"error\")'

Exit status: 0 no error and complete, 1 errors found, 2 the run failed, 3 cut or undecided without an error.";

const REPLAY_HELP: &str = "\
Examples:
  incise run sum.c --entry sum --tests out      write the tests
  incise replay out                             compile sum.c natively, run every test, compare
  incise replay out --format json | jq .summary
  incise diff old.c new.c --witnesses w         write the inputs on which two versions differ
  incise replay w --on old.c                    ... all of them pass on old.c, and fail on new.c

Errors of memory (out of bounds, use after free...) are confirmed by a second build with clang's sanitizers.

Exit status: 0 all confirmed, 1 some disagree, 2 the replay failed, 3 some could not be checked.";

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
    /// Run generated tests natively and compare with what was predicted
    #[command(after_help = REPLAY_HELP)]
    Replay(ReplayArguments),
    /// Keep a test suite that follows the code
    #[command(after_help = SUITE_HELP, arg_required_else_help = true)]
    Suite {
        #[command(subcommand)]
        command: SuiteCommand,
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

/// What is passed to clang, for every command that takes C.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Compiling")]
pub(crate) struct CompileArguments {
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", allow_hyphen_values = true)]
    pub(crate) define: Vec<OsString>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    pub(crate) undefine: Vec<OsString>,
    /// Add a folder to the include path
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) include_path: Vec<OsString>,
    /// The language standard, as in -std=c99
    #[arg(long = "std", value_name = "STANDARD")]
    pub(crate) standard: Option<OsString>,
    /// Include a file first, as in -include config.h
    #[arg(long = "include", value_name = "FILE")]
    pub(crate) include: Vec<OsString>,
    /// More flags for clang, separated by blanks
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub(crate) cflags: Vec<String>,
    /// The level that clang optimises at before the code is explored
    #[arg(short = 'O', value_name = "LEVEL", default_value = "0", value_parser = ["0", "1", "2", "3", "s", "z"])]
    pub(crate) optimise: String,
    /// The clang to use (any version from 15 on) instead of the one on the path
    #[arg(long, value_name = "PATH")]
    pub(crate) clang: Option<PathBuf>,
}

/// How results are shown.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// How results are written to standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// No progress; of the text only errors and one line
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto, value_name = "WHEN")]
    pub(crate) color: ColorChoice,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

#[derive(Args, Debug)]
pub(crate) struct RunArguments {
    /// C files (.c, .i), LLVM IR (.ll) or bitcode (.bc); several are linked together
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The function to explore [default: main, or the only function]
    #[arg(long, short, value_name = "FUNCTION")]
    pub(crate) entry: Option<String>,

    #[command(flatten)]
    pub(crate) inputs: InputArguments,
    #[command(flatten)]
    pub(crate) exploration: ExplorationArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) tests: TestArguments,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Show effort, memory and what each solver stage did
    #[arg(long, help_heading = "Output")]
    pub(crate) stats: bool,
    /// Show everything that was found, and not only as much as fits on a screen
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct InputArguments {
    /// Which inputs count: those that the code was made for, or all that its types allow
    #[arg(long, value_enum, default_value_t = Inputs::Natural)]
    pub(crate) inputs: Inputs,
    /// A pointer input is a string: one of its elements is zero
    #[arg(long, value_name = "NAME")]
    pub(crate) string: Vec<String>,
    /// A pointer input is not null
    #[arg(long, value_name = "NAME")]
    pub(crate) nonnull: Vec<String>,
    /// A pointer input has room for as many elements as a number input says (with :bytes, for as many bytes)
    #[arg(long, value_name = "NAME=NUMBER")]
    pub(crate) length: Vec<String>,
    /// A number input is within bounds
    #[arg(long, value_name = "NAME=LOW..HIGH", allow_hyphen_values = true)]
    pub(crate) range: Vec<String>,
    /// A pointer input has from LOW to HIGH elements
    #[arg(long, value_name = "NAME=LOW..HIGH")]
    pub(crate) size: Vec<String>,
    /// Two pointer inputs may lead to the same object
    #[arg(long, value_name = "NAME,NAME")]
    pub(crate) same: Vec<String>,
    /// Two pointer inputs may lead into one object
    #[arg(long, value_name = "NAME,NAME")]
    pub(crate) overlap: Vec<String>,
    /// What inputs of functions are taken to be, in a file: see docs/inputs.md
    #[arg(long, value_name = "FILE")]
    pub(crate) contracts: Option<PathBuf>,
    /// A pointer input points to exactly N elements
    #[arg(long, value_name = "NAME=N", value_parser = parse_array)]
    pub(crate) array: Vec<(String, u64)>,
    /// A scalar input has one value
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_concrete, allow_hyphen_values = true)]
    pub(crate) concrete: Vec<(String, i128)>,
    /// Which global variables are symbolic: all, none, or names separated by commas [default: those that something writes, or none for main]
    #[arg(long, value_name = "WHICH")]
    pub(crate) symbolic_globals: Option<String>,
    /// How deep pointers in inputs lead to fresh objects
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) pointer_depth: u32,
    /// Pointer inputs are never null
    #[arg(long)]
    pub(crate) no_null: bool,
    /// One allocation of a path may fail: malloc, calloc, realloc, strdup and their like return NULL
    #[arg(long)]
    pub(crate) malloc_fails: bool,
    /// main gets N symbolic arguments of at most LENGTH bytes
    #[arg(long, num_args = 2, value_names = ["N", "LENGTH"], action = clap::ArgAction::Set)]
    pub(crate) sym_args: Option<Vec<u32>>,
    /// Standard input is any number of symbolic bytes up to N
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) sym_stdin: u32,
    /// There is a file NAME with any number of symbolic bytes up to N (may be repeated)
    #[arg(long, value_name = "NAME=N", value_parser = parse_file)]
    pub(crate) sym_file: Vec<(String, u32)>,
    /// The environment variable NAME is unset, or a string of up to N symbolic bytes (may be repeated)
    #[arg(long, value_name = "NAME=N", value_parser = parse_variable)]
    pub(crate) sym_env: Vec<(String, u32)>,
    /// main gets this argument, before the symbolic ones
    #[arg(long = "arg", value_name = "WORD", allow_hyphen_values = true)]
    pub(crate) given: Vec<String>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Exploration")]
pub(crate) struct ExplorationArguments {
    /// Look for more errors than those that are always looked for
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) check: Vec<Check>,
    /// What a call to a function with neither body nor model does: end the path [default], or return any value
    #[arg(long, value_enum)]
    pub(crate) externals: Option<Externals>,
    /// The order in which states are taken
    #[arg(long, value_enum, default_value_t = Search::Dfs)]
    pub(crate) search: Search,
    /// The seed of the random search
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Workers that explore at once; the result is the same
    #[arg(short = 'j', long = "jobs", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: u16,
    /// Check each answer of the solver chain against a fresh solver: for tests of incise itself
    #[arg(long, hide = true)]
    pub(crate) validate: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Check {
    /// Signed arithmetic whose result does not fit
    Overflow,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Externals {
    Error,
    Havoc,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Search {
    /// Depth first, the true side before the false side
    Dfs,
    /// Breadth first
    Bfs,
    /// A random walk down the tree of states
    RandomPath,
    /// Code that was not executed yet, first
    Coverage,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArguments {
    /// Wall-clock time, as in 90s, 5m or 1h [default: 5m]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) max_time: Option<Duration>,
    /// Memory of the process, as in 500M or 4G
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = parse_size)]
    pub(crate) max_memory: u64,
    /// Paths
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) max_paths: u64,
    /// Branches on one path
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) max_depth: u64,
    /// Iterations of one loop that a symbolic condition decides [default: 10000]
    #[arg(long, value_name = "N")]
    pub(crate) max_loop: Option<u64>,
    /// Instructions on one path
    #[arg(long, value_name = "N", default_value_t = 10_000_000_000)]
    pub(crate) max_instructions: u64,
    /// Nested calls on one path
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub(crate) max_stack: u64,
    /// Time for one question to the solver
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    pub(crate) solver_timeout: Duration,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Tests")]
pub(crate) struct TestArguments {
    /// Write a test for each path into a folder; one that an earlier run wrote is replaced
    #[arg(long, value_name = "DIR")]
    pub(crate) tests: Option<PathBuf>,
    /// Write each test as a C program too
    #[arg(long)]
    pub(crate) c_tests: bool,
    /// Run the tests natively right away
    #[arg(long, requires = "tests")]
    pub(crate) replay: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ReplayArguments {
    /// The folder that `incise run --tests` or `incise diff --witnesses` wrote
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// Run them on this version instead of the one that they were written for (may be repeated)
    #[arg(long, value_name = "FILE")]
    pub(crate) on: Vec<PathBuf>,
    /// What the function is called there, if it has another name
    #[arg(long, short, value_name = "FUNCTION", requires = "on")]
    pub(crate) entry: Option<String>,
    /// Time for one test, as in 500ms or 10s
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    pub(crate) timeout: Duration,
    /// Tests that run at once [default: the number of processors]
    #[arg(short = 'j', long = "jobs", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// The clang to compile with instead of the one on the path
    #[arg(long, value_name = "PATH")]
    pub(crate) clang: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

pub(crate) fn name_and_value(text: &str) -> Result<(&str, &str), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim(), value.trim())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

fn parse_array(text: &str) -> Result<(String, u64), String> {
    let (name, count) = name_and_value(text)?;
    let count = count.parse().map_err(|_| format!("{count:?} is not a number of elements"))?;
    Ok((name.to_owned(), count))
}

/// As many bytes an input may have that a path looks at one by one.
const LONGEST: u32 = 1 << 20;

fn parse_length(count: &str) -> Result<u32, String> {
    let length = count.parse().ok().filter(|&length| length <= LONGEST);
    length.ok_or_else(|| format!("{count:?} is not a number of bytes up to {LONGEST}"))
}

fn parse_file(text: &str) -> Result<(String, u32), String> {
    let (name, count) = name_and_value(text)?;
    let plain = name.bytes().all(|byte| (b' '..=b'~').contains(&byte) && byte != b'/');
    if !plain || matches!(name, "." | "..") {
        return Err(format!("{name:?} is not the name of a file in the folder where the program runs"));
    }
    Ok((name.to_owned(), parse_length(count)?))
}

fn parse_variable(text: &str) -> Result<(String, u32), String> {
    let (name, count) = name_and_value(text)?;
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !plain {
        return Err(format!("{name:?} is not the name of an environment variable"));
    }
    Ok((name.to_owned(), parse_length(count)?))
}

fn parse_concrete(text: &str) -> Result<(String, i128), String> {
    let (name, value) = name_and_value(text)?;
    let number = parse_integer(value)
        .ok_or_else(|| format!("{value:?} is no integer; write it as 42, -1, 0x2a or 'a'"))?;
    Ok((name.to_owned(), number))
}

/// An integer in C's notations: decimal, hexadecimal, octal, or a character.
pub(crate) fn parse_integer(text: &str) -> Option<i128> {
    if let Some(character) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let mut characters = character.chars();
        return match (characters.next(), characters.next()) {
            (Some(only), None) => Some(i128::from(u32::from(only))),
            _ => None,
        };
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    // Rust would take another sign.
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let lower = digits.to_ascii_lowercase();
    let number = if let Some(hexadecimal) = lower.strip_prefix("0x") {
        i128::from_str_radix(hexadecimal, 16).ok()?
    } else if lower.len() > 1 && lower.starts_with('0') {
        i128::from_str_radix(&lower[1..], 8).ok()?
    } else {
        lower.parse().ok()?
    };
    Some(if negative { -number } else { number })
}

/// The arguments with clang's long options of one dash (`-std=c99`, `-include file`) in a form that clap reads.
pub(crate) fn normalised(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
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
mod tests {
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

    #[test]
    fn integers_are_read_as_c_writes_them() {
        let cases = [("42", 42), ("-1", -1), ("0x2A", 42), ("-0x10", -16), ("010", 8), ("0", 0), ("'a'", 97)];
        for (text, number) in cases {
            assert_eq!(parse_integer(text), Some(number), "{text}");
        }
        for text in ["", "x", "1.5", "0x", "09", "''", "'ab'", "--1"] {
            assert_eq!(parse_integer(text), None, "{text}");
        }
    }

    #[test]
    fn two_numbers_follow_sym_args() {
        let words = ["incise", "run", "--sym-args", "2", "3", "a.c"];
        let arguments = Arguments::try_parse_from(words).unwrap();
        let Command::Run(run) = arguments.command else { panic!("not run") };
        assert_eq!(run.inputs.sym_args, Some(vec![2, 3]));
        assert!(Arguments::try_parse_from(["incise", "run", "a.c", "--sym-args", "2"]).is_err());
    }
}
