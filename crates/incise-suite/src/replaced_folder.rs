//! A folder that is replaced as a whole: at any moment, also after a kill or with a full disk, it is the old one or
//! the new one.
//!
//! The new folder is written beside the old one, brought to the disk, and exchanged with it in one step of the file
//! system. Where the file system cannot exchange, the old folder steps aside first; if the process ends between the
//! two steps, the next command that looks for the folder puts the old one back. What an earlier process left behind is
//! removed; a lock tells it from what another process is writing at the moment.

use crate::error::SuiteError;
use rustix::fs::{CWD, FlockOperation, RenameFlags, flock, rename, renameat_with, syncfs};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// In the name of a folder that is being written, or that was replaced.
const NEW: &str = ".incise-new-";
/// In the name of a folder that stepped aside.
const OLD: &str = ".incise-old-";
/// From so many files on the whole file system is brought to the disk, which takes less time than one by one.
const MANY_FILES: usize = 32;

/// Room beside a folder, for what will replace it.
pub(crate) struct ReplacedFolder {
    /// What the user called it.
    shown: PathBuf,
    target: TargetFolder,
    folder: TempDir,
    /// Held for as long as the folder is being written.
    _lock: Option<File>,
}

/// The folder that is replaced.
struct TargetFolder {
    parent: PathBuf,
    name: OsString,
}

impl TargetFolder {
    fn of(directory: &Path) -> Result<Self, SuiteError> {
        // A link stays, and what it leads to is replaced.
        let directory =
            if directory.exists() { directory.canonicalize()? } else { std::path::absolute(directory)? };
        let (Some(parent), Some(name)) = (directory.parent(), directory.file_name()) else {
            return Err(SuiteError::NotReplaceable(directory));
        };
        Ok(Self { parent: parent.to_owned(), name: name.to_owned() })
    }

    fn path(&self) -> PathBuf {
        self.parent.join(&self.name)
    }

    fn prefix(&self, kind: &str) -> OsString {
        let mut prefix = OsString::from(".");
        prefix.push(&self.name);
        prefix.push(kind);
        prefix
    }

    /// The folders of that kind that lie beside the target, in order.
    fn beside(&self, kind: &str) -> Vec<PathBuf> {
        let prefix = self.prefix(kind);
        let prefix = prefix.as_encoded_bytes();
        let Ok(entries) = std::fs::read_dir(&self.parent) else { return Vec::new() };
        let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
        let ours = names.filter(|name| name.as_encoded_bytes().starts_with(prefix));
        let mut paths: Vec<PathBuf> = ours.map(|name| self.parent.join(name)).collect();
        paths.sort();
        paths
    }

    /// Nobody else recovers, cleans up or swaps while this is held. A file system without locks has to do without.
    fn lock(&self) -> Option<File> {
        let parent = File::open(&self.parent).ok()?;
        flock(&parent, FlockOperation::LockExclusive).ok()?;
        Some(parent)
    }

    /// Puts back a folder that stepped aside for one that never came, and removes what processes left that are no
    /// more. The lock is held.
    fn clean(&self) -> Result<(), SuiteError> {
        for aside in self.beside(OLD) {
            if self.path().exists() {
                remove(&aside);
            } else {
                rename(&aside, self.path()).map_err(|error| SuiteError::NotPutBack(aside, error.into()))?;
            }
        }
        for left in self.beside(NEW) {
            let Ok(folder) = File::open(&left) else { continue };
            if flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok() {
                remove(&left);
            }
        }
        Ok(())
    }
}

/// What cannot be removed lies in nobody's way.
fn remove(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder);
}

/// Puts a folder back that stepped aside when its writer was stopped at the wrong moment. For everyone who is about to
/// read one.
pub(crate) fn recover(directory: &Path) -> Result<(), SuiteError> {
    if directory.exists() {
        return Ok(());
    }
    let target = TargetFolder::of(directory)?;
    if target.beside(OLD).is_empty() {
        return Ok(());
    }
    let _lock = target.lock();
    target.clean()
}

impl ReplacedFolder {
    /// Makes room beside a folder, which need not exist.
    pub(crate) fn new(directory: &Path) -> Result<Self, SuiteError> {
        let target = TargetFolder::of(directory)?;
        std::fs::create_dir_all(&target.parent)
            .map_err(|error| SuiteError::NotMade(target.parent.clone(), error))?;
        let _lock = target.lock();
        target.clean()?;
        // Beside the target, so that it can be renamed into place; readable as other folders of the user are.
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        let folder = tempfile::Builder::new()
            .prefix(&target.prefix(NEW))
            .permissions(mode)
            .tempdir_in(&target.parent)
            .map_err(|source| SuiteError::NoRoom {
                folder: directory.to_owned(),
                parent: target.parent.clone(),
                source,
            })?;
        let lock = File::open(folder.path())?;
        let lock = flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok().then_some(lock);
        Ok(Self { shown: directory.to_owned(), target, folder, _lock: lock })
    }

    /// The folder to write to.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Puts what was written in place of the old folder, which is removed.
    pub(crate) fn commit(self) -> Result<(), SuiteError> {
        self.commit_by(exchange)
    }

    /// Puts a single file that was written in place of that in the folder, which is there and otherwise stays.
    pub(crate) fn commit_file(self, name: &str) -> Result<(), SuiteError> {
        let written = self.folder.path().join(name);
        let target = self.target.path();
        let put = || -> std::io::Result<()> {
            File::open(&written)?.sync_all()?;
            std::fs::rename(&written, target.join(name))?;
            sync_folder(&target)
        };
        put().map_err(|error| SuiteError::from(error).writing(&self.shown.join(name)))
    }

    fn commit_by(self, exchange: fn(&Path, &Path) -> bool) -> Result<(), SuiteError> {
        let not_placed = |error: std::io::Error| SuiteError::NotPutInPlace(self.shown.clone(), error);
        let not_renamed = |error: rustix::io::Errno| not_placed(error.into());
        bring_to_disk(self.folder.path()).map_err(|error| SuiteError::from(error).writing(&self.shown))?;
        let target = self.target.path();
        if target.exists() && exchange(self.folder.path(), &target) {
            sync_folder(&self.target.parent).map_err(not_placed)?;
            // What has the temporary name now is the old folder.
            remove(self.folder.path());
            let _ = self.folder.keep();
            return Ok(());
        }
        let _lock = self.target.lock();
        let mut aside = None;
        if target.exists() {
            let mut name = self.target.prefix(OLD);
            name.push(format!("{}", std::process::id()));
            let path = self.target.parent.join(name);
            rename(&target, &path).map_err(not_renamed)?;
            aside = Some(path);
        }
        if let Err(error) = rename(self.folder.path(), &target) {
            if let Some(aside) = &aside {
                rename(aside, &target).map_err(not_renamed)?;
            }
            return Err(not_renamed(error));
        }
        // It is no longer there to be removed.
        let _ = self.folder.keep();
        sync_folder(&self.target.parent).map_err(not_placed)?;
        if let Some(aside) = aside {
            remove(&aside);
        }
        Ok(())
    }
}

/// Exchanges two folders in one step, if the file system can.
fn exchange(new: &Path, old: &Path) -> bool {
    renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE).is_ok()
}

/// Brings a folder and everything in it to the disk: a rename must not get there before what it names.
fn bring_to_disk(folder: &Path) -> std::io::Result<()> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    let mut next = 0;
    while let Some(current) = folders.get(next).cloned() {
        next += 1;
        for entry in std::fs::read_dir(&current)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                files.push(entry.path());
            }
            if files.len() > MANY_FILES {
                return Ok(syncfs(File::open(folder)?)?);
            }
        }
    }
    for file in files.iter().chain(&folders) {
        File::open(file)?.sync_all()?;
    }
    Ok(())
}

/// Brings the names in a folder to the disk.
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(folder: &Path) -> Option<String> {
        std::fs::read_to_string(folder.join("content")).ok()
    }

    fn write(directory: &Path, content: &str) -> ReplacedFolder {
        let place = ReplacedFolder::new(directory).unwrap();
        std::fs::create_dir(place.path().join("inner")).unwrap();
        std::fs::write(place.path().join("content"), content).unwrap();
        place
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_is_made_and_replaced_with_and_without_exchange() {
        let root = tempfile::tempdir().unwrap();
        let suite = root.path().join("deep/suite");
        write(&suite, "1").commit().unwrap();
        assert_eq!(read(&suite).as_deref(), Some("1"));
        write(&suite, "2").commit().unwrap();
        assert_eq!(read(&suite).as_deref(), Some("2"));
        write(&suite, "3").commit_by(|_, _| false).unwrap();
        assert_eq!(read(&suite).as_deref(), Some("3"));
        assert_eq!(names(suite.parent().unwrap()), ["suite"]);
    }

    #[test]
    fn a_single_file_is_replaced_and_the_rest_stays() {
        let root = tempfile::tempdir().unwrap();
        let suite = root.path().join("suite");
        write(&suite, "1").commit().unwrap();
        std::fs::write(suite.join("inner/more"), "kept").unwrap();
        write(&suite, "2").commit_file("content").unwrap();
        assert_eq!(read(&suite).as_deref(), Some("2"));
        assert_eq!(std::fs::read_to_string(suite.join("inner/more")).unwrap(), "kept");
        assert_eq!(names(root.path()), ["suite"]);
    }

    #[test]
    fn what_is_not_committed_leaves_no_trace() {
        let root = tempfile::tempdir().unwrap();
        let suite = root.path().join("suite");
        write(&suite, "1").commit().unwrap();
        drop(write(&suite, "2"));
        assert_eq!(read(&suite).as_deref(), Some("1"));
        assert_eq!(names(root.path()), ["suite"]);
    }

    #[test]
    fn a_folder_that_stepped_aside_comes_back() {
        let root = tempfile::tempdir().unwrap();
        let suite = root.path().join("suite");
        write(&suite, "1").commit().unwrap();
        let aside = root.path().join(".suite.incise-old-77");
        std::fs::rename(&suite, &aside).unwrap();
        recover(&suite).unwrap();
        assert_eq!(read(&suite).as_deref(), Some("1"));
        // The same before the next one is written; beside a folder that is there it has no meaning any more.
        std::fs::rename(&suite, &aside).unwrap();
        drop(ReplacedFolder::new(&suite).unwrap());
        assert_eq!(read(&suite).as_deref(), Some("1"));
        std::fs::create_dir(&aside).unwrap();
        drop(ReplacedFolder::new(&suite).unwrap());
        assert_eq!(names(root.path()), ["suite"]);
        recover(&root.path().join("never")).unwrap();
    }

    #[test]
    fn leftovers_go_away_but_not_what_another_writes() {
        let root = tempfile::tempdir().unwrap();
        let suite = root.path().join("suite");
        std::fs::create_dir(root.path().join(".suite.incise-new-dead")).unwrap();
        std::fs::create_dir(root.path().join(".other.incise-new-dead")).unwrap();
        let first = write(&suite, "1");
        let second = write(&suite, "2");
        assert!(first.path().exists());
        assert_eq!(names(root.path()).len(), 3, "{:?}", names(root.path()));
        second.commit().unwrap();
        first.commit().unwrap();
        assert_eq!(read(&suite).as_deref(), Some("1"));
        assert_eq!(names(root.path()), [".other.incise-new-dead", "suite"]);
    }

    #[test]
    fn a_link_stays_a_link() {
        let root = tempfile::tempdir().unwrap();
        let (suite, link) = (root.path().join("suite"), root.path().join("link"));
        write(&suite, "1").commit().unwrap();
        std::os::unix::fs::symlink("suite", &link).unwrap();
        write(&link, "2").commit().unwrap();
        assert!(link.is_symlink());
        assert_eq!(read(&suite).as_deref(), Some("2"));
    }
}
