//! What goes when entries are too large together: what was not used for longest. One process at a time looks for it.

use super::{StoreSize, UNFINISHED, at};
use crate::StoreError;
use std::fs::{DirEntry, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Who looks holds a lock on this file; a process that ends loses it.
const LOCK: &str = "lock";
/// Room is made for more than one entry: this part of all that may be there is left, in percent.
const LEFT: u64 = 90;
/// What is not whole after so long was left by a process that was killed.
const FORSAKEN: Duration = Duration::from_secs(3600);

/// A file of an entry, or of one that is not whole.
pub(super) struct FoundFile {
    path: PathBuf,
    pub(super) bytes: u64,
    used: SystemTime,
}

/// What was removed.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Evicted {
    pub(super) entries: u64,
    pub(super) bytes: u64,
}

/// All entries in a folder.
pub(super) fn list(folder: &Path) -> Result<Vec<FoundFile>, StoreError> {
    let mut found = Vec::new();
    walk(folder, &mut |each, whole| found.extend(whole.then_some(each)))?;
    Ok(found)
}

/// Removes what was not used for longest, if all together are larger than the limit, and what was never finished. Does
/// nothing if another process is at it.
pub(super) fn evict(folder: &Path, limit: u64) -> Result<Evicted, StoreError> {
    let lock = folder.join(LOCK);
    let file = File::options().create(true).truncate(false).write(true).open(&lock).map_err(at(&lock))?;
    if file.try_lock().is_err() {
        return Ok(Evicted::default());
    }
    let now = SystemTime::now();
    let mut found = Vec::new();
    walk(folder, &mut |each, whole| match whole {
        true => found.push(each),
        false if now.duration_since(each.used).is_ok_and(|age| age > FORSAKEN) => remove(&each.path),
        false => {}
    })?;
    let mut bytes: u64 = found.iter().map(|each| each.bytes).sum();
    let mut evicted = Evicted::default();
    if bytes <= limit {
        return Ok(evicted);
    }
    found.sort_by(|one, other| (one.used, &one.path).cmp(&(other.used, &other.path)));
    for each in found {
        if bytes <= limit / 100 * LEFT {
            break;
        }
        remove(&each.path);
        bytes -= each.bytes;
        (evicted.entries, evicted.bytes) = (evicted.entries + 1, evicted.bytes + each.bytes);
    }
    Ok(evicted)
}

/// Removes all entries, and what was never finished.
pub(super) fn clear(folder: &Path) -> Result<StoreSize, StoreError> {
    let mut size = StoreSize::default();
    let mut failed = None;
    walk(folder, &mut |each, whole| match std::fs::remove_file(&each.path) {
        Ok(()) if whole => (size.entries, size.bytes) = (size.entries + 1, size.bytes + each.bytes),
        Err(error) if error.kind() != ErrorKind::NotFound => failed = Some((each.path, error)),
        _ => {}
    })?;
    match failed {
        Some((path, error)) => Err(StoreError::Io { path, error }),
        None => Ok(size),
    }
}

/// Shows all files that are ours, and whether they are whole entries. What others do meanwhile is no error.
fn walk(folder: &Path, show: &mut dyn FnMut(FoundFile, bool)) -> Result<(), StoreError> {
    let parts = match std::fs::read_dir(folder) {
        Ok(parts) => parts,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(at(folder)(error)),
    };
    for part in parts.flatten().filter(|part| is_hexadecimal(part, 2)) {
        let Ok(files) = std::fs::read_dir(part.path()) else { continue };
        for file in files.flatten() {
            let unfinished = file.file_name().as_encoded_bytes().starts_with(UNFINISHED.as_bytes());
            let Ok(metadata) = file.metadata() else { continue };
            if !metadata.is_file() || !(unfinished || is_hexadecimal(&file, 62)) {
                continue;
            }
            let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            show(FoundFile { path: file.path(), bytes: metadata.len(), used }, !unfinished);
        }
    }
    Ok(())
}

fn is_hexadecimal(entry: &DirEntry, length: usize) -> bool {
    let name = entry.file_name();
    let name = name.as_encoded_bytes();
    name.len() == length && name.iter().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte))
}

/// Another process may have been faster.
fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
}
