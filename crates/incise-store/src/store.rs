//! What every store can do.

use crate::Key;
use std::path::PathBuf;

/// Gets and puts entries by their keys. What is under a key may be gone at any time, and need not be what was put.
pub trait Store: Send + Sync {
    /// What is under a key, if there is anything.
    fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, StoreError>;

    /// Puts an entry under a key: all of it or nothing, also if the process ends in the middle.
    fn put(&self, key: &Key, entry: &[u8]) -> Result<(), StoreError>;

    /// Where it is, in words for people, without secrets.
    fn place(&self) -> String;
}

/// Why a store did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file could not be read or written.
    #[error("'{}': {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A server did not answer in time.
    #[error("no answer within {0} ms")]
    Slow(u64),
    /// A server or the way to it failed.
    #[error("{0}")]
    Failed(String),
}
