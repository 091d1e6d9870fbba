//! What can be wrong with the files of a program.

use incise_llvm::{ClangError, InputError, LinkError, LoadError, ReadError};
use std::io;
use thiserror::Error;

/// Why a program cannot be read, or a function in it cannot be found.
#[derive(Debug, Error)]
pub enum FrontendError {
    /// A file or folder cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// There is no clang.
    #[error(transparent)]
    Clang(#[from] ClangError),
    /// It does not compile.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It cannot be linked.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The IR cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The models of the C library are at odds with it.
    #[error("the models of the C library do not link with the program")]
    Models(#[source] ReadError),
    /// Nothing can be written to the system's temporary folder.
    #[error("no temporary folder")]
    NoTemporaryFolder(#[source] io::Error),
    /// Something cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is no function with a body.
    #[error("there is no function to explore: nothing in these files has a body")]
    NothingToExplore,
    /// There is no `main`, and several other functions.
    #[error("there is no main, but {}", .names.join(", "))]
    SeveralFunctions {
        /// Those that could be meant.
        names: Vec<String>,
    },
    /// A function is only declared.
    #[error("the function {name} has no body in these files; add the file that defines it")]
    NoBody {
        /// Its name.
        name: String,
    },
    /// There is no such function.
    #[error("there is no function {name}{}", .near.as_ref().map_or_else(String::new, |near| format!("; did you mean {near}?")))]
    NoFunction {
        /// The name.
        name: String,
        /// One that is nearly called so.
        near: Option<String>,
    },
    /// Two versions are not of one program.
    #[error("OLD and NEW have no function in common: OLD has {old}, NEW has {new}")]
    NothingInCommon {
        /// The functions of the old one, in words.
        old: String,
        /// The functions of the new one, in words.
        new: String,
    },
}
