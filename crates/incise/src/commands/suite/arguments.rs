//! The command line of `incise suite`.

use crate::arguments::{
    CommandLimitArguments, CompileArguments, EngineArguments, NativeArguments, OutputArguments,
    RevisionArguments, StoreArguments,
};
use clap::{Args, Subcommand, ValueEnum};
use incise_report::emit::Emit;
use std::path::PathBuf;

pub(crate) const SUITE_HELP: &str = "\
A suite is a folder fit for version control: suite.json, and a file for each test in tests/. Names of tests depend on
their paths, so that a change of the program changes only what it concerns. docs/suite.md describes the format.

Examples:
  incise suite generate mid.c --entry mid -o suite    one test for each path
  incise suite update old.c new.c --suite suite       bring them over to another version
  incise suite select old.c new.c --suite suite       which of them the change concerns
  incise suite check mid.c --suite suite              run them natively against mid.c as it is now
  incise suite emit suite --emit cmocka -o tests      the same tests as C source for cmocka";

const GENERATE_HELP: &str = "\
Examples:
  incise suite generate mid.c --entry mid -o suite
  incise suite generate list.c --entry insert --pointer-depth 3 -o suite --emit unity --emit ctest
      Test sources for Unity and for CTest are written to suite/unity and suite/ctest.

SUITE is replaced as a whole, and only if it holds a suite for the same function: also when the run is killed or the disk
is full it is the old one or the new one. The same program and options give the same bytes.

Inputs are what the function was made for, and that is said (`taken:`) and kept in SUITE; --inputs any takes nothing.

Exit status: 0 written, with a test for every path on inputs as taken; 2 not written; 3 written, but something was cut or undecided.";

const UPDATE_HELP: &str = "\
Every test of the suite gets a class:
  kept       same inputs, same outcome: its file stays byte by byte
  changed    it still stands for a path, but the outcome is another one; the new one is written only with --accept
  redundant  another test stands for its path now
  obsolete   it no longer runs
  added      it is new, for a path that no test takes

Afterwards there is one test for each path of NEW, as if the suite had been made anew. Tests are split along the paths of NEW by evaluating conditions; the solver is asked only for
what no test decides and the change can have opened. The suite is the same for any number of workers (-j).

Examples:
  incise suite update old.c new.c --suite suite             SUITE becomes that of new.c
  incise suite update old.c new.c --suite suite --accept    ... with the outcomes that new.c has
  incise suite update old.c new.c --suite suite -o suite2   ... in another folder
  git show HEAD:mid.c > old.c && incise suite update old.c mid.c --suite suite

OLD is the version that the suite was made for. NEW is explored with the options of the suite, and takes inputs to be what the suite took them to be.

Exit status: 0 all tests are kept and none was added, 1 some are not, 2 not written, 3 written, but something was cut or undecided.";

const SELECT_HELP: &str = "\
Nothing is written. A test is selected if its path meets the change.

Examples:
  incise suite select old.c new.c --suite suite
  incise suite select old.c new.c --suite suite -q          the names alone

Exit status: 0 no test is selected and none would be added, 1 some are, 2 the comparison failed, 3 something was cut or undecided.";

const CHECK_HELP: &str = "\
Examples:
  incise suite check --suite suite                    the program that the suite was made from, as it is now
  incise suite check new/mid.c --suite suite          another version of it
  incise suite check --suite suite --junit report.xml --format json

The program is compiled with the flags that the suite was made with.

Exit status: 0 all passed, 1 some failed or are damaged, 2 the check failed, 3 some could not be checked.";

const EMIT_HELP: &str = "\
Examples:
  incise suite emit suite --emit c -o tests           test_mid.c with a main of its own
  incise suite emit suite --emit unity -o tests       test_mid.c for Unity
  incise suite emit suite --emit ctest -o tests       test_mid.c and a CMakeLists.txt

Files of those names that incise did not write are left alone.";

#[derive(Subcommand, Debug)]
pub(crate) enum SuiteCommand {
    /// Explore a program and write a test for each path
    #[command(after_help = GENERATE_HELP)]
    Generate(Box<GenerateArguments>),
    /// Bring a suite over to another version of the program
    #[command(after_help = UPDATE_HELP)]
    Update(Box<UpdateArguments>),
    /// Say which tests a change makes worth running again, and which it does not
    #[command(after_help = SELECT_HELP)]
    Select(Box<SelectArguments>),
    /// Run the tests natively and say which fail
    #[command(after_help = CHECK_HELP)]
    Check(Box<CheckArguments>),
    /// Write the tests as C sources
    #[command(after_help = EMIT_HELP)]
    Emit(EmitArguments),
}

#[derive(Args, Debug)]
pub(crate) struct GenerateArguments {
    /// C files (.c, .i), LLVM IR (.ll) or bitcode (.bc); several are linked together
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The function to test [default: main, or the only function]
    #[arg(long, short, value_name = "FUNCTION")]
    pub(crate) entry: Option<String>,
    /// The folder of the suite
    #[arg(long = "output", short, value_name = "SUITE")]
    pub(crate) output_directory: PathBuf,
    /// Write the tests as C sources too, into a folder of that name in SUITE
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) emit: Vec<EmitFormat>,

    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// A suite and the two versions that it stands between.
#[derive(Args, Debug)]
pub(crate) struct SuiteVersionArguments {
    #[command(flatten)]
    pub(crate) versions: RevisionArguments,
    /// The folder of the suite
    #[arg(long, value_name = "SUITE")]
    pub(crate) suite: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct UpdateArguments {
    #[command(flatten)]
    pub(crate) versions: SuiteVersionArguments,
    /// Write to another folder, and leave SUITE as it is
    #[arg(long = "output", short, value_name = "SUITE2")]
    pub(crate) output_directory: Option<PathBuf>,
    /// Write the new outcomes of tests whose outcome changed
    #[arg(long)]
    pub(crate) accept: bool,
    /// Workers that explore at once; the result is the same for any number
    #[arg(short = 'j', long = "jobs", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: u16,
    #[command(flatten)]
    pub(crate) limits: CommandLimitArguments,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct SelectArguments {
    #[command(flatten)]
    pub(crate) versions: SuiteVersionArguments,
    #[command(flatten)]
    pub(crate) limits: CommandLimitArguments,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    /// The files of the program [default: those that the suite was made from]
    #[arg(value_name = "NEW")]
    pub(crate) files: Vec<PathBuf>,
    /// The folder of the suite
    #[arg(long, value_name = "SUITE")]
    pub(crate) suite: PathBuf,
    /// Write the result as JUnit XML too
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) native: NativeArguments,
    #[command(flatten)]
    pub(crate) limits: CommandLimitArguments,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args, Debug)]
pub(crate) struct EmitArguments {
    /// The folder of the suite
    #[arg(value_name = "SUITE")]
    pub(crate) suite: PathBuf,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) emit: EmitFormat,
    /// The folder to write to
    #[arg(long = "output", short, value_name = "DIR")]
    pub(crate) output_directory: PathBuf,
    /// The clang to use (any version from 15 on) instead of the one on the path
    #[arg(long, value_name = "PATH")]
    pub(crate) clang: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: CommandLimitArguments,
    /// Say nothing but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// A form of test sources.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum EmitFormat {
    /// A C program with a main of its own
    C,
    /// Unity
    Unity,
    /// cmocka
    Cmocka,
    /// A C program and a CMakeLists.txt that registers each test with CTest
    Ctest,
}

impl From<EmitFormat> for Emit {
    fn from(format: EmitFormat) -> Self {
        match format {
            EmitFormat::C => Self::C,
            EmitFormat::Unity => Self::Unity,
            EmitFormat::Cmocka => Self::Cmocka,
            EmitFormat::Ctest => Self::Ctest,
        }
    }
}
