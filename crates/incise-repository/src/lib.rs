//! Versions in a git repository, and how a build compiles their files.
//!
//! [`Repository`] finds out what words mean as revisions, lists the files of a version, and lays old trees out beside.
//! It asks git's own binary, and nothing in the repository is ever written: not its work tree, its index, its objects
//! or its list of worktrees.
//!
//! Nothing is known here of C programs beyond the words that compilers are called with, and nothing of what is done
//! with the versions.

pub mod build;
mod changes;
mod configuration;
mod error;
mod git;
mod layout;
mod listing;
mod repository;
mod revisions;
mod submodules;

pub use changes::{FileChange, changes};
pub use configuration::{CONFIGURATION, Configuration, ConfigurationError, LeftOut, LeftOutKind};
pub use error::RepositoryError;
pub use listing::{Content, Listing};
pub use repository::{LaidOut, Repository};
pub use revisions::{Side, Sides};
