//! `incise diff --watch`: answers again whenever a file of the working tree is saved.
//!
//! Files are looked at a few times a second instead of having the system tell: that takes a few milliseconds for
//! thousands of files, works on every file system, in containers and for editors that put a new file in the place of
//! the old one, and needs no limit of the system to be raised.

use super::command::Comparing;
use super::remembered::Remembered;
use crate::exit::Status;
use crate::session::output::talk;
use crate::trees::Prepared;
use crate::words::of_error;
use anyhow::{Result, bail};
use incise_repository::Side;
use incise_repository::build::{FileKind, kind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How often files are looked at.
const POLL: Duration = Duration::from_millis(100);

/// What stays so long as it is was saved.
const SETTLED: Duration = Duration::from_millis(20);

/// The files that count, each with when it was written and how long it is.
type Snapshot = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Compares again and again, until it has to stop.
pub(super) fn watch(comparing: &Comparing<'_>) -> Result<Status> {
    let Comparing { verdict, session, .. } = comparing;
    let remembered = Remembered::keeping();
    let mut begun = SystemTime::now();
    let (report, prepared) = comparing.compare(&remembered)?;
    if prepared.sides.new != Side::WorkTree {
        bail!(
            "{} does not change: watch the working tree, with one revision or none",
            prepared.sides.new.name()
        );
    }
    let mut status = comparing.shown.finish(&report, verdict)?;
    let mut files = watched(&prepared);
    let mut before = snapshot(&files);
    // What was saved while it was compared may not have counted.
    let mut again = is_later(&before, begun);
    while !session.is_interrupted() {
        if !again {
            std::thread::sleep(POLL);
            let now = snapshot(&files);
            // Who saves may write a file in several steps: it is looked at once it stays as it is.
            again = now != before && now == settled(&files);
            if again {
                before = now;
            }
            continue;
        }
        begun = SystemTime::now();
        match comparing.compare(&remembered) {
            Ok((report, prepared)) => {
                status = comparing.shown.finish(&report, verdict)?;
                files = watched(&prepared);
            }
            Err(_) if session.is_interrupted() => break,
            // What is wrong now may be right after the next change.
            Err(error) => talk(&format!("error: {}", of_error(&error))),
        }
        before = snapshot(&files);
        again = is_later(&before, begun);
    }
    session.reports();
    Ok(status)
}

/// The files that count: sources and what they are built with, their folders, in which new ones may appear, and what
/// tells that another commit is there.
fn watched(prepared: &Prepared) -> BTreeSet<PathBuf> {
    let counts = |file: &&PathBuf| kind(file).holds_c() || kind(file) == FileKind::Build;
    let root = &prepared.new.root;
    let own = prepared.new.files.0.keys().filter(counts).map(|file| root.join(file));
    let mut files: BTreeSet<PathBuf> = own.chain(prepared.head.iter().cloned()).collect();
    let folders: BTreeSet<PathBuf> =
        files.iter().filter_map(|file| Some(file.parent()?.to_owned())).collect();
    files.extend(folders.into_iter().filter(|folder| folder.starts_with(root) && !is_of_git(folder)));
    files.extend(prepared.planned.included.values().flatten().cloned());
    files.extend(prepared.database.clone());
    files
}

/// The files a moment later.
fn settled(files: &BTreeSet<PathBuf>) -> Snapshot {
    std::thread::sleep(SETTLED);
    snapshot(files)
}

fn is_of_git(folder: &Path) -> bool {
    folder.components().any(|part| part.as_os_str() == ".git")
}

fn snapshot(files: &BTreeSet<PathBuf>) -> Snapshot {
    let look = |file: &PathBuf| {
        let metadata = file.metadata().ok()?;
        Some((metadata.modified().ok()?, metadata.len()))
    };
    files.iter().map(|file| (file.clone(), look(file))).collect()
}

/// Whether a file was written after a time.
fn is_later(snapshot: &Snapshot, time: SystemTime) -> bool {
    snapshot.iter().any(|(file, each)| each.is_some_and(|(written, _)| written > time) && file.is_file())
}
