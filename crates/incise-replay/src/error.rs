//! What stands in the way of native runs.

use incise_frontend::FrontendError;
use std::io;
use thiserror::Error;

/// Why tests cannot be run natively.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The function is not there, or there is no clang.
    #[error(transparent)]
    Frontend(#[from] FrontendError),
    /// Something cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Nothing can be written to the system's temporary folder.
    #[error("no temporary folder")]
    NoTemporaryFolder(#[source] io::Error),
    /// The signature of the entry has something that cannot be passed.
    #[error("the entry cannot be called natively: {0}")]
    NotCallable(String),
    /// A function that an input points to returns something that cannot be given.
    #[error("what {0} returns cannot be given")]
    ResultCannotBeGiven(String),
    /// A function that an input points to returns now this and now that.
    #[error("{0} returns values of several types, which cannot be given")]
    SeveralResultTypes(String),
    /// What is built for a run with threads is not what was explored.
    #[error("{0} is not compiled as it was explored, so that no schedule can be followed in it")]
    OtherText(String),
    /// A tool is not there.
    #[error("{what}: {tool} cannot be started; is it installed (Debian: clang-19, binutils)?")]
    ToolNotStarted {
        /// What it was to do.
        what: String,
        /// The tool.
        tool: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A tool failed.
    #[error("{what} failed:\n{said}")]
    ToolFailed {
        /// What it was to do.
        what: String,
        /// What it said.
        said: String,
    },
    /// Nobody waits for it any more.
    #[error("interrupted")]
    Interrupted,
    /// No folder for a test to run in can be made.
    #[error("no folder for a test to run in: {0}")]
    NoCell(String),
    /// The process of a test cannot be started.
    #[error("{0} cannot be run")]
    NotRun(String, #[source] io::Error),
    /// A worker is gone.
    #[error("a worker of the replay failed")]
    WorkerFailed,
    /// A worker is gone with its test.
    #[error("a test was not run")]
    Unfinished,
}

impl ReplayError {
    /// The error and its causes in one sentence.
    pub(crate) fn with_causes(&self) -> String {
        let mut words = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            words.push_str(&format!(": {error}"));
            cause = error.source();
        }
        words
    }
}
