//! The files of two versions beside each other: which of them are the same file, which may be left out, and which are
//! not looked at.

use super::moved_lines::renumbered;
use super::version_place;
use crate::load::{Loaded, Unseen};
use crate::sources::{MovedFile, Sources, VersionTree, named_as};
use incise_llvm::FolderFiles;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// How many files a note names.
const SHOWN: usize = 5;

/// A version's files by their names within it.
pub(super) struct Version {
    /// What the user named, if that is a folder.
    folder: Option<PathBuf>,
    pub(super) sources: BTreeMap<PathBuf, PathBuf>,
    pub(super) headers: BTreeMap<PathBuf, PathBuf>,
}

impl Version {
    pub(super) fn of(files: &[PathBuf]) -> Option<Self> {
        let [only] = files else { return None };
        if !only.is_dir() {
            let name = PathBuf::from(only.file_name()?);
            let sources = BTreeMap::from([(name, only.clone())]);
            return Some(Self { folder: None, sources, headers: BTreeMap::new() });
        }
        let found = FolderFiles::of(only).ok()?;
        let by_name = |list: Vec<PathBuf>| {
            list.into_iter().map(|path| (within(only, &path), path)).collect::<BTreeMap<_, _>>()
        };
        Some(Self {
            folder: Some(only.clone()),
            sources: by_name(found.sources),
            headers: by_name(found.headers),
        })
    }
}

/// A path within a folder.
fn within(folder: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(folder).unwrap_or(path).to_owned()
}

/// The files of OLD with those of NEW that they are: of the same name within the version, else of a name that only one
/// file has, and single files.
pub(super) fn pairs(
    old: &BTreeMap<PathBuf, PathBuf>,
    new: &BTreeMap<PathBuf, PathBuf>,
) -> Vec<(PathBuf, PathBuf)> {
    if let (1, 1, Some(one), Some(other)) = (old.len(), new.len(), old.values().next(), new.values().next()) {
        return vec![(one.clone(), other.clone())];
    }
    let alone = |mine: &BTreeMap<PathBuf, PathBuf>, theirs: &BTreeMap<PathBuf, PathBuf>| {
        let mut names: BTreeMap<OsString, Vec<PathBuf>> = BTreeMap::new();
        for (_, path) in mine.iter().filter(|(name, _)| !theirs.contains_key(*name)) {
            names.entry(path.file_name().unwrap_or_default().to_owned()).or_default().push(path.clone());
        }
        names
    };
    let (lone, others) = (alone(old, new), alone(new, old));
    let same = old.iter().filter_map(|(name, path)| Some((path.clone(), new.get(name)?.clone())));
    let moved =
        lone.iter().filter_map(|(name, paths)| match (paths.as_slice(), others.get(name)?.as_slice()) {
            ([one], [other]) => Some((one.clone(), other.clone())),
            _ => None,
        });
    same.chain(moved).collect()
}

/// Lets files that are the same in both versions be left out if they do not compile: what does not change cannot be
/// what is looked for. Any other file must compile.
pub(super) fn spare_unchanged(old: &mut Sources, new: &mut Sources) {
    let (mut in_old, mut in_new) = (BTreeSet::new(), BTreeSet::new());
    if let (Some(before), Some(after)) = (Version::of(&old.files), Version::of(&new.files)) {
        for (one, other) in pairs(&before.sources, &after.sources) {
            if before.folder.is_some() && after.folder.is_some() && same_bytes(&one, &other) {
                in_old.insert(one);
                in_new.insert(other);
            }
        }
    }
    (old.extra.may_fail, new.extra.may_fail) = (Some(in_old), Some(in_new));
}

fn same_bytes(one: &Path, other: &Path) -> bool {
    std::fs::read(one).is_ok_and(|one| std::fs::read(other).is_ok_and(|other| one == other))
}

/// Has OLD compiled as if it lay where NEW lies: with its names of files, and its numbers of lines.
pub(super) fn as_if_in_place(old: &mut Sources, new: &Sources) {
    if let (Some(before), Some(after)) = (old.extra.tree.clone(), &new.extra.tree) {
        return as_if_in_tree(old, &before, &after.root);
    }
    old.extra.flags.extend(version_place::file_names(old, new));
    let (Some(before), Some(after)) = (Version::of(&old.files), Version::of(&new.files)) else { return };
    let sources = pairs(&before.sources, &after.sources);
    for (one, other) in &sources {
        // A file that moved to another folder.
        if one.file_name() == other.file_name() && !one.to_string_lossy().contains('=') {
            let mut flag = OsString::from("-fmacro-prefix-map=");
            let words: [&OsStr; 3] = [one.as_os_str(), "=".as_ref(), other.as_os_str()];
            words.into_iter().for_each(|word| flag.push(word));
            let name =
                |version: &Version, path: &Path| version.folder.as_deref().map(|folder| within(folder, path));
            if name(&before, one) != name(&after, other) {
                old.extra.flags.push(flag);
            }
        }
    }
    for (one, other) in sources.into_iter().chain(pairs(&before.headers, &after.headers)) {
        old.extra.moved.extend(moved_file(&one, &other));
    }
}

/// The same for a tree of a repository, of which it is known what changed.
fn as_if_in_tree(old: &mut Sources, tree: &VersionTree, new_root: &Path) {
    for (one, other) in &tree.changed {
        // Names in the program begin behind the top of the tree.
        if within(&tree.root, one) != within(new_root, other) {
            old.extra.flags.extend(named_as(one, &within(new_root, other)));
        }
        old.extra.moved.extend(moved_file(one, other));
    }
}

/// A file with the numbers of lines of another one, if these differ.
fn moved_file(one: &Path, other: &Path) -> Option<MovedFile> {
    let read = |path: &Path| std::fs::read_to_string(path).ok();
    let (text, lines) = renumbered(&read(one)?, &read(other)?)?;
    Some(MovedFile { path: one.to_owned(), text, lines })
}

/// What is not looked at in two versions.
#[derive(Default)]
pub(super) struct NotSeen {
    /// To be told.
    pub(super) notes: Vec<String>,
    /// What of it changed, so that the verdict does not speak of it.
    pub(super) reasons: Vec<String>,
}

impl NotSeen {
    pub(super) fn of(
        (old_files, old): (&[PathBuf], &Loaded),
        (new_files, new): (&[PathBuf], &Loaded),
    ) -> Self {
        let mut found = Self::default();
        let folders = match (old_files, new_files) {
            ([old], [new]) if old.is_dir() && new.is_dir() => Some((old.as_path(), new.as_path())),
            _ => None,
        };
        let mut unseen: BTreeMap<PathBuf, &Unseen> = BTreeMap::new();
        for (loaded, files) in [(new, new_files), (old, old_files)] {
            for each in &loaded.unseen {
                let name =
                    files.first().map_or_else(|| each.path.clone(), |folder| within(folder, &each.path));
                unseen.entry(name).or_insert(each);
            }
        }
        let changed =
            |name: &Path| folders.is_some_and(|(old, new)| !same_bytes(&old.join(name), &new.join(name)));
        let mut listed: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (name, each) in &unseen {
            let shown = name.display().to_string();
            if changed(name) && !each.made {
                found.reasons.push(format!("{shown} changed and is not looked at: it {}", each.why));
            } else {
                listed.entry(&each.why).or_default().push(shown);
            }
        }
        found.notes = listed.into_iter().map(|(why, names)| note(&names, why)).collect();
        if let Some((old, new_folder)) = folders {
            found.reasons.extend(unused_headers(old, new_folder, &new.sources.files));
        }
        found
    }
}

/// That files are not looked at, and why.
pub(super) fn note(names: &[String], why: &str) -> String {
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("note: not looked at: {shown}{more} ({why})")
}

/// The headers that changed, and that no file which is compared can include, in words.
fn unused_headers(old: &Path, new: &Path, sources: &[PathBuf]) -> Vec<String> {
    let (Ok(before), Ok(after)) = (FolderFiles::of(old), FolderFiles::of(new)) else { return Vec::new() };
    let names = |folder: &Path, list: &[PathBuf]| -> BTreeSet<PathBuf> {
        list.iter().map(|path| within(folder, path)).collect()
    };
    let all: BTreeSet<PathBuf> =
        names(old, &before.headers).union(&names(new, &after.headers)).cloned().collect();
    let changed: Vec<&PathBuf> =
        all.iter().filter(|name| !same_bytes(&old.join(name), &new.join(name))).collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let included = included(sources, &after.headers);
    let unused = changed.into_iter().filter(|name| !included.contains(name.file_name().unwrap_or_default()));
    unused
        .map(|name| format!("{} changed, and no C file that is compared includes it", name.display()))
        .collect()
}

/// The names of files that sources include, by way of headers too. Which side of a condition counts is not looked at,
/// so that too many are found rather than too few.
fn included(sources: &[PathBuf], headers: &[PathBuf]) -> BTreeSet<OsString> {
    let mut by_name: BTreeMap<&OsStr, Vec<&PathBuf>> = BTreeMap::new();
    for header in headers {
        by_name.entry(header.file_name().unwrap_or_default()).or_default().push(header);
    }
    let mut work: Vec<&PathBuf> = sources.iter().collect();
    let mut found = BTreeSet::new();
    while let Some(file) = work.pop() {
        let Ok(text) = std::fs::read(file) else { continue };
        for line in String::from_utf8_lossy(&text).lines() {
            let Some(rest) = line.trim_start().strip_prefix('#') else { continue };
            let Some(name) = rest.trim_start().strip_prefix("include") else { continue };
            let name = name.split(['"', '<', '>']).nth(1).unwrap_or_default();
            let name = Path::new(name).file_name().unwrap_or_default();
            if found.insert(name.to_owned()) {
                work.extend(by_name.get(name).into_iter().flatten());
            }
        }
    }
    found
}
