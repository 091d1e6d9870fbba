//! What units were made of when they were looked at last, for who looks at a repository again and again.
//!
//! Clang says the same of a unit as long as the files that it is made of are as they were, and nothing came that would
//! be found in their place: no file of C in a folder that is searched, none that the repository has. What a build puts
//! deeper into such a folder, and git is told to ignore, is not noticed until something else changes.

use super::database::Unit;
use super::kinds::kind;
use crate::listing::Listing;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Flags of clang with a folder that is searched behind them, in the same word or in the next one.
const SEARCHED: [&str; 4] = ["-iquote", "-isystem", "-idirafter", "-I"];

/// Files are dated so exactly.
const GRAIN: Duration = Duration::from_millis(10);

/// What is known of units; nothing at first.
#[derive(Debug, Default)]
pub struct KnownIncludes {
    units: Mutex<BTreeMap<(PathBuf, Vec<OsString>), Entry>>,
}

#[derive(Clone, Debug)]
struct Entry {
    files: BTreeSet<PathBuf>,
    /// Of each of these files when it was written and how long it was, and of each folder the names in it.
    stamps: u64,
    /// The names of all files of the repository.
    names: u64,
}

/// One look at the units of a repository.
pub(super) struct Look<'k> {
    known: &'k KnownIncludes,
    names: u64,
    /// Each file and folder is looked at once.
    seen: Mutex<BTreeMap<PathBuf, u64>>,
    begun: SystemTime,
}

impl KnownIncludes {
    /// Begins to look at the units of a version.
    pub(super) fn look(&self, files: &Listing) -> Look<'_> {
        let mut hasher = DefaultHasher::new();
        files.0.keys().for_each(|name| name.hash(&mut hasher));
        Look { known: self, names: hasher.finish(), seen: Mutex::default(), begun: SystemTime::now() }
    }
}

impl Look<'_> {
    /// What a unit is made of, if that is what it was made of before.
    pub(super) fn files(&self, unit: &Unit) -> Option<BTreeSet<PathBuf>> {
        let key = (unit.file.clone(), unit.flags.clone());
        let entry = lock(&self.known.units).get(&key).filter(|entry| entry.names == self.names).cloned()?;
        (self.stamps(unit, &entry.files)? == entry.stamps).then_some(entry.files)
    }

    /// Keeps what a unit is made of.
    pub(super) fn keep(&self, unit: &Unit, files: &BTreeSet<PathBuf>) {
        // Clang may have read a file as it was before it was written.
        let before = |file: &PathBuf| {
            let written = file.metadata().and_then(|metadata| metadata.modified());
            written.is_ok_and(|written| written + GRAIN < self.begun)
        };
        if !files.iter().all(before) {
            return;
        }
        if let Some(stamps) = self.stamps(unit, files) {
            let entry = Entry { files: files.clone(), stamps, names: self.names };
            lock(&self.known.units).insert((unit.file.clone(), unit.flags.clone()), entry);
        }
    }

    /// What files are made of and where they are looked for is known by; nothing if one is not there.
    fn stamps(&self, unit: &Unit, files: &BTreeSet<PathBuf>) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        for file in files {
            self.seen(file, stamp_of_file)?.hash(&mut hasher);
        }
        let own = files.iter().filter_map(|file| file.parent().map(Path::to_owned));
        for folder in own.chain(searched(&unit.flags)).collect::<BTreeSet<PathBuf>>() {
            // One that is not there may come.
            self.seen(&folder, |folder| Some(stamp_of_folder(folder)))?.hash(&mut hasher);
        }
        Some(hasher.finish())
    }

    fn seen(&self, path: &Path, look: impl FnOnce(&Path) -> Option<u64>) -> Option<u64> {
        if let Some(stamp) = lock(&self.seen).get(path) {
            return Some(*stamp);
        }
        let stamp = look(path)?;
        lock(&self.seen).insert(path.to_owned(), stamp);
        Some(stamp)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn stamp_of_file(file: &Path) -> Option<u64> {
    let metadata = file.metadata().ok()?;
    let written = metadata.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let mut hasher = DefaultHasher::new();
    (file, written, metadata.len()).hash(&mut hasher);
    Some(hasher.finish())
}

/// The names in a folder that may be included, or lead to what may.
fn stamp_of_folder(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let counts = |entry: &std::fs::DirEntry| {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        !is_file || kind(&entry.path()).holds_c()
    };
    let names: BTreeSet<OsString> = entries.filter(counts).map(|entry| entry.file_name()).collect();
    let mut hasher = DefaultHasher::new();
    (folder, names).hash(&mut hasher);
    hasher.finish()
}

/// The folders that flags name.
fn searched(flags: &[OsString]) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let mut next = false;
    for flag in flags {
        let text = flag.to_string_lossy();
        if std::mem::take(&mut next) {
            folders.push(PathBuf::from(flag));
        } else if SEARCHED.contains(&&*text) {
            next = true;
        } else if let Some(folder) = SEARCHED.iter().find_map(|word| text.strip_prefix(word)) {
            folders.push(PathBuf::from(folder));
        }
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(folder: &Path) -> Unit {
        let flags = vec!["-I".into(), folder.join("inc").into(), OsString::from("-DX")];
        Unit { file: folder.join("a.c"), flags, variant: String::new() }
    }

    /// A folder with a unit and a header, which are known.
    fn known() -> (tempfile::TempDir, KnownIncludes, Listing) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("inc")).expect("a folder");
        for name in ["a.c", "b.h"] {
            std::fs::write(folder.path().join(name), "int a;\n").expect("a file");
            let file = std::fs::File::options().write(true).open(folder.path().join(name)).expect("a file");
            file.set_modified(SystemTime::now() - Duration::from_secs(60)).expect("a time");
        }
        let known = KnownIncludes::default();
        let files = ["a.c", "b.h"].map(|name| folder.path().join(name)).into();
        known.look(&Listing::default()).keep(&unit(folder.path()), &files);
        (folder, known, Listing::default())
    }

    #[test]
    fn what_did_not_change_is_known() {
        let (folder, known, files) = known();
        let found = known.look(&files).files(&unit(folder.path())).expect("it is known");
        assert_eq!(found.len(), 2);
        std::fs::write(folder.path().join(".a.c.swp"), "x").expect("a file");
        assert!(known.look(&files).files(&unit(folder.path())).is_some(), "an editor's file says nothing");
        let other = Unit { flags: Vec::new(), ..unit(folder.path()) };
        assert!(known.look(&files).files(&other).is_none(), "other flags");
    }

    #[test]
    fn what_was_written_meanwhile_is_not_kept() {
        let (folder, known, files) = known();
        let other = Unit { flags: Vec::new(), ..unit(folder.path()) };
        let look = known.look(&files);
        std::fs::write(folder.path().join("b.h"), "int a;\n").expect("a file");
        look.keep(&other, &["a.c", "b.h"].map(|name| folder.path().join(name)).into());
        assert!(known.look(&files).files(&other).is_none());
    }

    #[test]
    fn what_may_be_made_of_something_else_is_not_known() {
        for (name, why) in
            [("b.h", "a header changed"), ("inc/b.h", "found before the other"), ("x.h", "a new one")]
        {
            let (folder, known, files) = known();
            std::fs::write(folder.path().join(name), "int longer_than_before;\n").expect("a file");
            assert!(known.look(&files).files(&unit(folder.path())).is_none(), "{why}");
        }
        let (folder, known, mut files) = known();
        std::fs::remove_file(folder.path().join("b.h")).expect("a file");
        assert!(known.look(&files).files(&unit(folder.path())).is_none(), "it is gone");
        std::fs::write(folder.path().join("b.h"), "int a;\n").expect("a file");
        files.0.insert("deep/er/b.h".into(), crate::listing::Content::Untracked);
        assert!(known.look(&files).files(&unit(folder.path())).is_none(), "the repository has another file");
    }
}
