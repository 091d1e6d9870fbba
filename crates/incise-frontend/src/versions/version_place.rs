//! Two versions that lie in different places: what is said of one place, put in terms of the other.
//!
//! A folder of headers that lies in one version has its counterpart in the other, or else both would be compiled with
//! the headers of one of them, and a change in a header would not be seen. And `__FILE__` in OLD is what it would be
//! in NEW, because where somebody put the versions is no difference between them. NEW is compiled exactly as it always
//! is, so that tests for it fit whatever comes after.

use crate::sources::{Sources, named_as};
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

/// Flags of clang with a path behind them, in the next word or, for most, in the same.
const PATH_FLAGS: [&str; 7] = ["-iquote", "-isystem", "-idirafter", "-include", "-imacros", "-iprefix", "-I"];

/// Where a version lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct VersionPlace {
    /// The folder, as it was named.
    pub(crate) folder: PathBuf,
    /// The same from the root of the file system, and up to where both versions are laid out alike.
    root: PathBuf,
    /// What OLD or NEW is called in words.
    name: &'static str,
}

/// The places of two versions; `None` if they lie in one folder, or are made of several files.
pub(crate) fn places(old: &Sources, new: &Sources) -> Option<(VersionPlace, VersionPlace)> {
    let ([old], [new]) = (old.files.as_slice(), new.files.as_slice()) else { return None };
    let (old_folder, new_folder) = (folder_of(old), folder_of(new));
    let mut roots = (old_folder.canonicalize().ok()?, new_folder.canonicalize().ok()?);
    if roots.0 == roots.1 {
        return None;
    }
    // `old/src` and `new/src` are parts of `old` and `new`, and so is what lies beside them.
    while let (Some(one), Some(other)) = (roots.0.file_name(), roots.1.file_name()) {
        if one != other || !roots.0.pop() || !roots.1.pop() {
            break;
        }
    }
    let old = VersionPlace { folder: old_folder, root: roots.0, name: "OLD" };
    let new = VersionPlace { folder: new_folder, root: roots.1, name: "NEW" };
    Some((old, new))
}

/// The folder that a version is, or that its only file is in.
fn folder_of(version: &Path) -> PathBuf {
    match version.is_dir() {
        true => version.to_owned(),
        false => match version.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            _ => PathBuf::from("."),
        },
    }
}

/// Gives each version its own headers; what was done is said in notes.
pub(crate) fn own_headers(old: &mut Sources, new: &mut Sources) -> Vec<String> {
    // What is of a repository has its own already.
    if old.extra.tree.is_some() {
        return Vec::new();
    }
    let Some((old_place, new_place)) = places(old, new) else { return Vec::new() };
    let mut notes = Vec::new();
    let given = new.flags.clone();
    new.flags = flags_for(&given, &new_place, &old_place, &mut notes);
    let given = old.flags.clone();
    old.flags = flags_for(&given, &old_place, &new_place, &mut notes);
    notes
}

/// The flags as one version needs them.
fn flags_for(
    flags: &[OsString],
    own: &VersionPlace,
    other: &VersionPlace,
    notes: &mut Vec<String>,
) -> Vec<OsString> {
    let (mut result, mut last) = (Vec::new(), Vec::new());
    let mut index = 0;
    while index < flags.len() {
        let (flag, path, words) = match path_flag(flags, index) {
            Some(found) => found,
            None => {
                result.push(flags[index].clone());
                index += 1;
                continue;
            }
        };
        let meaning = meaning(&path, own, other);
        let shown = format!("{flag} {}", path.display());
        let (list, path) = match meaning {
            PathMeaning::Here => (&mut result, path),
            PathMeaning::Own(mapped) => {
                notes.push(format!("note: {shown} is {} for {}", mapped.display(), own.name));
                (&mut result, mapped)
            }
            // Headers of the version itself come first, wherever they were named.
            PathMeaning::Foreign => {
                notes.push(format!("note: {shown} is {}'s, and {} has no such thing", other.name, own.name));
                (&mut last, path)
            }
            PathMeaning::Unclear(inner) => {
                notes.push(format!(
                    "note: {shown} is taken from here, and not {} of {}",
                    inner.display(),
                    own.name
                ));
                (&mut result, path)
            }
        };
        match words {
            1 => list.push(joined(flag, path.as_os_str())),
            _ => list.extend([flag.into(), path.into_os_string()]),
        }
        index += words;
    }
    result.append(&mut last);
    result
}

/// What a path means for a version.
enum PathMeaning {
    /// What it says.
    Here,
    /// This one, which is the version's own.
    Own(PathBuf),
    /// The other version's, without a counterpart.
    Foreign,
    /// What it says, although the version has one of that name.
    Unclear(PathBuf),
}

fn meaning(path: &Path, own: &VersionPlace, other: &VersionPlace) -> PathMeaning {
    if path.is_relative() && !path.exists() {
        let inside = [own.folder.join(path), own.root.join(path)];
        return inside.into_iter().find(|each| each.exists()).map_or(PathMeaning::Here, PathMeaning::Own);
    }
    let Ok(whole) = path.canonicalize() else { return PathMeaning::Here };
    // A version may lie in the folder of the other one: the nearer place counts.
    let nearer = |place: &VersionPlace| whole.strip_prefix(&place.root).ok().map(Path::to_owned);
    let (mine, theirs) = (nearer(own), nearer(other));
    let is_theirs = match (&mine, &theirs) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(mine), Some(theirs)) => theirs.components().count() < mine.components().count(),
    };
    if let (true, Some(inner)) = (is_theirs, theirs) {
        let counterpart = spelled(own, &inner);
        return if counterpart.exists() { PathMeaning::Own(counterpart) } else { PathMeaning::Foreign };
    }
    let inside = own.folder.join(path);
    let clash = path.is_relative() && mine.is_none() && inside.exists();
    if clash { PathMeaning::Unclear(inside) } else { PathMeaning::Here }
}

/// A path in a version as the user would spell it.
fn spelled(place: &VersionPlace, inner: &Path) -> PathBuf {
    let whole = place.root.join(inner);
    let Ok(folder) = place.folder.canonicalize() else { return whole };
    match whole.strip_prefix(&folder) {
        Ok(rest) => place.folder.join(rest),
        Err(_) => whole,
    }
}

/// A flag with a path, and how many words it takes.
fn path_flag(flags: &[OsString], index: usize) -> Option<(&'static str, PathBuf, usize)> {
    let text = flags[index].to_str()?;
    let flag = PATH_FLAGS.into_iter().find(|flag| text.starts_with(flag))?;
    match &text[flag.len()..] {
        "" => Some((flag, PathBuf::from(flags.get(index + 1)?), 2)),
        path => Some((flag, PathBuf::from(path), 1)),
    }
}

fn joined(flag: &str, path: &OsStr) -> OsString {
    let mut word = OsString::from(flag);
    word.push(path);
    word
}

/// Flags for OLD that make `__FILE__` what it is in NEW.
pub(crate) fn file_names(old: &Sources, new: &Sources) -> Vec<OsString> {
    let mut maps: Vec<(PathBuf, PathBuf)> = Vec::new();
    if let ([one], [other]) = (old.files.as_slice(), new.files.as_slice())
        && one.is_file()
        && other.is_file()
    {
        maps.push((one.clone(), other.clone()));
    }
    if let Some((old, new)) = places(old, new) {
        maps.push((with_slash(&old.folder), with_slash(&new.folder)));
        maps.push((with_slash(&old.root), with_slash(&new.root)));
    }
    maps.into_iter().filter_map(|(from, to)| named_as(&from, &to)).collect()
}

/// A folder as names of files in it begin.
fn with_slash(folder: &Path) -> PathBuf {
    match folder.components().next_back() {
        // `./` is how names begin if the folder was named so, and nothing if only a file was.
        Some(Component::RootDir) => folder.to_owned(),
        _ => folder.join(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder is made");
            std::fs::write(path, "int x;").expect("a file is written");
        }
        folder
    }

    fn sources(file: PathBuf, flags: &[OsString]) -> Sources {
        Sources { flags: flags.to_vec(), ..Sources::new(&[file], &Default::default()) }
    }

    #[test]
    fn headers_of_one_version_are_not_used_for_the_other() {
        let place = folder(&["old/src/a.c", "old/inc/c.h", "new/src/a.c", "new/inc/c.h", "old/only/d.h"]);
        let at = |name: &str| place.path().join(name);
        let flags = [joined("-I", at("old/only").as_os_str()), joined("-I", at("old/inc").as_os_str())];
        let (mut old, mut new) = (sources(at("old/src"), &flags), sources(at("new/src"), &flags));
        let notes = own_headers(&mut old, &mut new);
        assert_eq!(old.flags, flags);
        let root = place.path().canonicalize().expect("it is there");
        let own = joined("-I", root.join("new/inc").as_os_str());
        assert_eq!(new.flags, [own, flags[0].clone()], "its own come first");
        assert_eq!(notes.len(), 2, "{notes:?}");
    }

    #[test]
    fn what_is_in_neither_version_stays_as_it_is() {
        let place = folder(&["old/a.c", "new/a.c", "both/c.h"]);
        let at = |name: &str| place.path().join(name);
        let flags = [OsString::from("-isystem"), at("both").into_os_string(), "-DX=-I".into()];
        let (mut old, mut new) = (sources(at("old"), &flags), sources(at("new"), &flags));
        assert!(own_headers(&mut old, &mut new).is_empty());
        assert_eq!((old.flags.as_slice(), new.flags.as_slice()), (&flags[..], &flags[..]));
    }

    #[test]
    fn files_in_one_folder_share_their_headers() {
        let place = folder(&["a-old.c", "a-new.c", "inc/c.h"]);
        let at = |name: &str| place.path().join(name);
        let (old, new) = (sources(at("a-old.c"), &[]), sources(at("a-new.c"), &[]));
        assert_eq!(places(&old, &new), None);
        assert_eq!(file_names(&old, &new).len(), 1);
    }
}
