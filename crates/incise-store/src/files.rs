//! Entries in a folder, one file each.
//!
//! A file is written beside and renamed: whoever reads sees all of it or nothing, whatever ends in the middle, and many
//! processes may use the folder at once. What a process left that was killed while it wrote is removed by others later.
//! That a file was used is noted in its time, so that what was not used for longest can go once all are too large.
//!
//! Nothing is written out to the disk before it is renamed: after a power failure a file may be empty or have holes,
//! which its checksum tells.

mod eviction;

use crate::{Key, Store, StoreError};
use eviction::Evicted;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// What the names of files begin with that are not whole yet.
const UNFINISHED: &str = ".new-";
/// After so many entries it is looked again whether all are too large.
const LOOKED_AFTER: u64 = 64;
/// An entry that would take more than one of so many parts of the whole is not kept.
const LARGE_PART: u64 = 4;

/// How much is in a folder.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct StoreSize {
    /// How many entries.
    pub entries: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Entries in a folder.
#[derive(Debug)]
pub struct FileStore {
    folder: PathBuf,
    limit: u64,
    /// How many entries were put.
    put: AtomicU64,
}

impl FileStore {
    /// Entries in a folder, which is made when the first is put. All together they take little more than `limit` bytes.
    pub fn new(folder: PathBuf, limit: u64) -> Self {
        Self { folder, limit, put: AtomicU64::new(0) }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How much its entries may take.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// How much there is.
    pub fn size(&self) -> Result<StoreSize, StoreError> {
        let mut size = StoreSize::default();
        for found in eviction::list(&self.folder)? {
            (size.entries, size.bytes) = (size.entries + 1, size.bytes + found.bytes);
        }
        Ok(size)
    }

    /// Removes all entries, and tells how much that was. What is not ours in the folder stays.
    pub fn clear(&self) -> Result<StoreSize, StoreError> {
        eviction::clear(&self.folder)
    }

    /// Removes what was not used for longest, until there is room.
    fn make_room(&self) -> Result<Evicted, StoreError> {
        eviction::evict(&self.folder, self.limit)
    }

    fn file(&self, key: &Key) -> PathBuf {
        let name = key.to_string();
        self.folder.join(&name[..2]).join(&name[2..])
    }

    fn write(&self, path: &Path, entry: &[u8]) -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
        file.write_all(entry)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

fn at(path: &Path) -> impl FnOnce(std::io::Error) -> StoreError + '_ {
    |error| StoreError::Io { path: path.to_owned(), error }
}

impl Store for FileStore {
    fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.file(key);
        let entry = match std::fs::read(&path) {
            Ok(entry) => entry,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(at(&path)(error)),
        };
        // In a folder that may only be read everything is as old as it is.
        if let Ok(file) = File::options().write(true).open(&path) {
            let _ = file.set_modified(SystemTime::now());
        }
        Ok(Some(entry))
    }

    fn put(&self, key: &Key, entry: &[u8]) -> Result<(), StoreError> {
        if entry.len() as u64 > self.limit / LARGE_PART {
            return Ok(());
        }
        let path = self.file(key);
        self.write(&path, entry).map_err(at(&path))?;
        if self.put.fetch_add(1, Ordering::Relaxed).is_multiple_of(LOOKED_AFTER) {
            let evicted = self.make_room()?;
            tracing::debug!(?evicted, folder = %self.folder.display(), "looked for room");
        }
        Ok(())
    }

    fn place(&self) -> String {
        self.folder.display().to_string()
    }
}
