//! Units of a version without a database: every source, with the folders of the headers that it includes.

use super::database::{Database, Unit};
use super::dependencies::include_paths;
use super::kinds::{FileKind, is_made_by_build, kind};
use crate::repository::LaidOut;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A database of what can be guessed: each source is a unit, with these flags in front, and with folders of headers
/// that its includes need.
pub fn guessed(version: &LaidOut, flags: &[OsString]) -> Database {
    let files = || version.files.0.keys().filter(|file| !is_made_by_build(file));
    let headers: Vec<&PathBuf> = files().filter(|file| kind(file) == FileKind::Header).collect();
    let sources = files().filter(|file| kind(file) == FileKind::Source);
    let unit = |file: &PathBuf| {
        let mut all = flags.to_vec();
        all.extend(folders(version, file, &headers).into_iter().map(|folder| {
            let mut flag = OsString::from("-I");
            flag.push(version.root.join(folder));
            flag
        }));
        Unit { file: version.root.join(file), flags: all, variant: String::new() }
    };
    Database { units: sources.map(unit).collect(), ..Database::default() }
}

/// The folders that the includes of a source need, and those of what it includes.
fn folders(version: &LaidOut, source: &Path, headers: &[&PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    let mut open = vec![source.to_owned()];
    while let Some(file) = open.pop() {
        let Ok(text) = std::fs::read(version.root.join(&file)) else { continue };
        for (name, quoted) in include_paths(&text) {
            let beside = crate::repository::clean(&file.parent().unwrap_or(Path::new("")).join(&name));
            let header = match version.files.has(&beside) && quoted {
                true => Some((beside, None)),
                false => from_folder(&name, &file, headers),
            };
            let Some((header, folder)) = header else { continue };
            if let Some(folder) = folder.filter(|folder| !found.contains(folder)) {
                found.push(folder);
            }
            if seen.insert(header.clone()) {
                open.push(header);
            }
        }
    }
    found
}

/// The header that a name means, and the folder that it is found from: the one nearest to the file, then to the top.
fn from_folder(name: &Path, file: &Path, headers: &[&PathBuf]) -> Option<(PathBuf, Option<PathBuf>)> {
    let common = |header: &Path| {
        header.components().zip(file.components()).take_while(|(one, other)| one == other).count()
    };
    let fitting = headers.iter().filter(|header| header.ends_with(name));
    let best =
        fitting.min_by_key(|header| (usize::MAX - common(header), header.components().count(), **header))?;
    let folder: PathBuf =
        best.components().take(best.components().count() - name.components().count()).collect();
    Some((best.to_path_buf(), Some(folder)))
}
