//! Which files changed between two versions: added, removed, changed, or moved.

use crate::listing::{Content, Listing};
use crate::repository::LaidOut;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file that is not the same in both versions. At least one of the names is there; with two that differ it moved.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FileChange {
    /// What it is called in the old version.
    pub old: Option<PathBuf>,
    /// What it is called in the new version.
    pub new: Option<PathBuf>,
}

/// A file moved if at least this part of its lines is the same, in percent.
const ALIKE: usize = 50;
/// No more pairs of files are looked at: a tree in which more moved is another one.
const MOST_PAIRS: usize = 40_000;

/// The files that are not the same in both versions, in the order of their names.
pub fn changes(old: &LaidOut, new: &LaidOut) -> Vec<FileChange> {
    let (mut changed, mut removed, mut added) = (Vec::new(), Vec::new(), Vec::new());
    for (file, before) in &old.files.0 {
        match new.files.0.get(file) {
            Some(after) if is_same(before, after, &old.root.join(file), &new.root.join(file)) => {}
            Some(_) => changed.push(FileChange { old: Some(file.clone()), new: Some(file.clone()) }),
            None => removed.push(file.clone()),
        }
    }
    added.extend(lone(&new.files, &old.files));
    for (one, other) in moved(&old.root, &removed, &new.root, &added) {
        removed.retain(|file| *file != one);
        added.retain(|file| *file != other);
        changed.push(FileChange { old: Some(one), new: Some(other) });
    }
    changed.extend(removed.into_iter().map(|file| FileChange { old: Some(file), new: None }));
    changed.extend(added.into_iter().map(|file| FileChange { old: None, new: Some(file) }));
    changed.sort_by(|one, other| {
        one.new.as_ref().or(one.old.as_ref()).cmp(&other.new.as_ref().or(other.old.as_ref()))
    });
    changed
}

fn lone(files: &Listing, others: &Listing) -> Vec<PathBuf> {
    files.0.keys().filter(|file| !others.has(file)).cloned().collect()
}

fn is_same(before: &Content, after: &Content, old: &Path, new: &Path) -> bool {
    match (before, after) {
        (Content::Object(one), Content::Object(other)) => one == other,
        _ => same_on_disk(old, new),
    }
}

/// Whether two files hold the same bytes, or two links lead to the same place.
fn same_on_disk(old: &Path, new: &Path) -> bool {
    match (std::fs::read_link(old), std::fs::read_link(new)) {
        (Ok(one), Ok(other)) => one == other,
        (Err(_), Err(_)) => {
            matches!((std::fs::read(old), std::fs::read(new)), (Ok(one), Ok(other)) if one == other)
        }
        _ => false,
    }
}

/// The files that moved: those that are most alike first, each once.
fn moved(
    old_root: &Path,
    removed: &[PathBuf],
    new_root: &Path,
    added: &[PathBuf],
) -> Vec<(PathBuf, PathBuf)> {
    let same_kind =
        |one: &Path, other: &Path| one.extension() == other.extension() && one.extension().is_some();
    let is_code = |file: &&PathBuf| {
        file.extension().is_some_and(|ending| ["c", "h", "inc", "def"].iter().any(|each| ending == *each))
    };
    let (removed, added): (Vec<&PathBuf>, Vec<&PathBuf>) =
        (removed.iter().filter(is_code).collect(), added.iter().filter(is_code).collect());
    if removed.is_empty() || added.is_empty() || removed.len() * added.len() > MOST_PAIRS {
        return Vec::new();
    }
    let texts = |root: &Path, files: &[&PathBuf]| -> Vec<Vec<u8>> {
        files.iter().map(|file| std::fs::read(root.join(file)).unwrap_or_default()).collect()
    };
    let (before, after) = (texts(old_root, &removed), texts(new_root, &added));
    let mut pairs = Vec::new();
    for (one, text) in before.iter().enumerate() {
        for (other, there) in after.iter().enumerate() {
            if same_kind(removed[one], added[other]) && !text.is_empty() {
                let same_name = removed[one].file_name() == added[other].file_name();
                pairs.push((alike(text, there), same_name, one, other));
            }
        }
    }
    pairs.retain(|&(percent, ..)| percent >= ALIKE);
    // The most alike first; of those that are as alike, the ones of one name, then in the order of names.
    pairs.sort_by_key(|&(percent, same_name, one, other)| (usize::MAX - percent, !same_name, one, other));
    let (mut used, mut taken) = (vec![false; removed.len()], vec![false; added.len()]);
    let mut found = Vec::new();
    for (_, _, one, other) in pairs {
        if !used[one] && !taken[other] {
            (used[one], taken[other]) = (true, true);
            found.push((removed[one].clone(), added[other].clone()));
        }
    }
    found
}

/// How many of the bytes of the larger text stand on lines that the other one has too, in percent.
fn alike(one: &[u8], other: &[u8]) -> usize {
    let most = one.len().max(other.len());
    if one.len().min(other.len()) * 100 < most * ALIKE {
        return 0;
    }
    let mut lines: BTreeMap<&[u8], usize> = BTreeMap::new();
    for line in one.split_inclusive(|&byte| byte == b'\n') {
        *lines.entry(line).or_default() += 1;
    }
    let mut same = 0;
    for line in other.split_inclusive(|&byte| byte == b'\n') {
        if let Some(count) = lines.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            same += line.len();
        }
    }
    same * 100 / most.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_alike_by_their_lines() {
        assert_eq!(alike(b"a\nb\n", b"a\nb\n"), 100);
        assert_eq!(alike(b"a\nb\n", b"a\nc\n"), 50);
        assert_eq!(alike(b"a\n", b"b\n"), 0);
        assert_eq!(alike(b"a\n", b"a\na\na\na\n"), 0);
    }
}
