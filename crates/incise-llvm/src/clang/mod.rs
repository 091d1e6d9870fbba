//! The clang driver: finds clang, tells inputs apart, compiles C to LLVM IR text.
//!
//! The environment is the caller's: it hands in the folders to search and the options. Messages of the tools are passed
//! on in their own words.

mod compile;
mod find;
mod folder;
mod input;
mod load;

pub use compile::{CompileError, CompileOptions, Compiled};
pub use find::{Clang, ClangError, OLDEST_CLANG};
pub use folder::FolderFiles;
pub use input::{Input, InputError, InputKind, find_inputs};
pub use load::{LeftOut, LoadError, LoadOptions, Loaded, LoadedModule, load};
