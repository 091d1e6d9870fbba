//! The command line of `incise build`, as it is typed.

use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const BUILD_HELP: &str = "\
The build runs as it always does; which compilers it calls, where and with what, is watched by a library that is loaded into what it starts (LD_PRELOAD).
What it does not compile because nothing changed is not seen: entries that are there already are kept for that, and the first time the build has to be a whole one.
CMake writes the same with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, and Meson always does.

Examples:
  incise build -- make                          record what make compiles, in compile_commands.json
  incise build -- sh -c './configure && make'
  incise build -o build/compile_commands.json -- cmake --build build
  incise build -- ninja -C build

Exit status: 0 it is written; 2 the build failed, or no call of a compiler was seen; then nothing is written.";

#[derive(Args, Debug)]
pub(crate) struct BuildCommandArguments {
    /// Where to write [default: compile_commands.json here]
    #[arg(long = "output", short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Say nothing but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// The clang that makes the library, instead of the one on the path
    #[arg(long, value_name = "PATH")]
    pub(crate) clang: Option<PathBuf>,
    /// The build: a program and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}
