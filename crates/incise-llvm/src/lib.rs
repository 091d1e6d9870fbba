//! Finds and drives clang, and reads LLVM IR text into incise-ir.
//!
//! The reader is tolerant: it takes the text of LLVM 15 to 22, skips attributes and metadata that it does not know, and
//! turns an instruction that it does not know into one that is unsupported when it is reached. Nothing here reads the
//! environment or prints; only the clang driver touches files and processes.

mod clang;
mod error;
mod text;

pub use clang::{
    Clang, ClangError, CompileError, CompileOptions, Compiled, FolderFiles, Input, InputError, InputKind,
    LeftOut, LoadError, LoadOptions, Loaded, LoadedModule, OLDEST_CLANG, find_inputs, load,
};
pub use error::ReadError;
pub use text::{
    FunctionText, InstructionText, LinkError, Models, ModuleText, link, link_models, link_with_places,
};
