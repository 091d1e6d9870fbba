//! What can be wrong with a repository, a revision or a build. Each message says what to do.

use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a version cannot be had from a repository.
#[derive(Debug, Error)]
pub enum RepositoryError {
    /// There is no git.
    #[error("git is not found: install it with apt-get install git, or give two files or folders")]
    NoGit,
    /// The folder is in no repository.
    #[error(
        "'{}' is not in a git repository, so there are no revisions",
        .0.display()
    )]
    NotARepository(PathBuf),
    /// Git does not trust the folder.
    #[error("git does not read this repository, because it belongs to somebody else; it says:\n{0}")]
    NotTrusted(String),
    /// Nothing is committed.
    #[error("there are no commits yet, so there is nothing to compare with: commit first")]
    NoCommits,
    /// A name that git does not know.
    #[error("'{name}' is neither a revision nor a file{}", hint.as_ref().map_or_else(String::new, |hint| format!(": {hint}")))]
    UnknownRevision {
        /// What was given.
        name: String,
        /// What may help.
        hint: Option<String>,
    },
    /// A name that may be both.
    #[error(
        "'{name}' is both a revision and a file: write './{name}' for the file, or '{name} --' for the revision"
    )]
    Ambiguous {
        /// What was given.
        name: String,
    },
    /// Words that are not understood.
    #[error("{0}")]
    NotUnderstood(String),
    /// Two revisions without a common ancestor.
    #[error("{old} and {new} have no common ancestor{}", if *shallow {
        ": this is a shallow clone, and it may lie beyond; get it with `git fetch --unshallow`"
    } else {
        ": write two dots or two revisions to compare them as they are"
    })]
    NoCommonAncestor {
        /// The one.
        old: String,
        /// The other.
        new: String,
        /// Whether history is missing.
        shallow: bool,
    },
    /// A revision whose files are not there.
    #[error(
        "the files of {revision} are not all here: {said}\nget them with `git fetch`, or `git fetch --unshallow`"
    )]
    MissingObjects {
        /// Which.
        revision: String,
        /// What git says.
        said: String,
    },
    /// There is no work tree.
    #[error("this repository has no working tree: name two revisions, as in HEAD~1..HEAD")]
    NoWorkTree,
    /// A path that is not in the repository.
    #[error("'{}' is outside of the repository '{}'", path.display(), root.display())]
    Outside {
        /// The path.
        path: PathBuf,
        /// Where the repository lies.
        root: PathBuf,
    },
    /// A path that neither version has.
    #[error("'{}' is in neither version", .0.display())]
    NoSuchPath(PathBuf),
    /// Git failed.
    #[error("`git {command}` failed: {said}")]
    Git {
        /// What it was asked.
        command: String,
        /// What it said.
        said: String,
    },
    /// The user interrupted.
    #[error("interrupted")]
    Interrupted,
    /// Nothing can be written to the system's temporary folder.
    #[error("no temporary folder")]
    NoTemporaryFolder(#[source] io::Error),
    /// A compilation database that cannot be used.
    #[error("'{}' is no compilation database: {why}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// There is none where the user says.
    #[error("there is no compile_commands.json in '{}': CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always, and `incise build -- make` records what make calls", .0.display())]
    NoDatabase(PathBuf),
    /// A build cannot be watched.
    #[error("the build cannot be watched: {0}")]
    NoWatch(String),
    /// A file cannot be read or written.
    #[error("'{}' cannot be used: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

impl RepositoryError {
    /// An error of the system about a file.
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |error| Self::Io { path, error }
    }
}
