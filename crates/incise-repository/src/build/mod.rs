//! How a build compiles the files of a repository: compilation databases, and the words of compilers in them.

mod command_words;
mod compiler_call;
mod database;
mod dependencies;
mod flags;
mod guessed;
mod kinds;
mod known_includes;
mod pairs;
mod response;
mod watched;
mod written_database;

pub use command_words::shell_words;
pub use compiler_call::CompilerCall;
pub use database::{Database, DatabasePlace, Unit};
pub use dependencies::{dependencies, includes};
pub use flags::{Kept, known_to_clang};
pub use guessed::guessed;
pub use kinds::{FileKind, is_made_by_build, kind};
pub use known_includes::KnownIncludes;
pub use pairs::{Plan, Planned, UnitPair};
pub use watched::{BuildWatch, CompiledFile, WatchedBuild};
pub use written_database::{WrittenDatabase, write_database};
