//! What the solver found to be impossible when a suite was made or brought over, so that the next update need not find it out again.
//!
//! It is a note (`notes.rs`), beside the one of what was seen in the files of a suite (`seen.rs`).

use super::notes::{Note, Noted, caches};
use incise_solver::Contradictions;
use serde_json::Map;
use std::path::Path;
use std::sync::Arc;

/// Fewer are found out as fast as they are read.
const FEW: usize = 16;
/// What tells the note from the other one.
const EXTENSION: &str = "impossible";
/// What changes with the form of a note, and with what keys of conditions stand for.
const FORM: &str = concat!("impossible 1 ", env!("CARGO_PKG_VERSION"));

/// What is known of the conditions of a suite.
pub(crate) fn read(directory: &Path) -> Option<Arc<Contradictions>> {
    read_in(&caches()?, directory).map(Arc::new)
}

/// Keeps what is known of the conditions of a suite: what was known of the one that it was made from, and what is new. That this does not work is no trouble.
pub(crate) fn keep(directory: &Path, from: Option<(&Path, &Contradictions)>, new: Contradictions) {
    let has_more = !new.is_empty() || from.is_some_and(|(place, _)| place != directory);
    let mut all = new;
    if let Some((_, known)) = from {
        all.extend(known);
    }
    if has_more
        && all.len() >= FEW
        && let Some(caches) = caches()
    {
        let _ = write_in(&caches, directory, &all);
    }
}

fn read_in(caches: &Path, directory: &Path) -> Option<Contradictions> {
    let Noted { bytes, start, .. } = Note::of(caches, directory, EXTENSION, FORM)?.read()?;
    Contradictions::from_bytes(&bytes[start..])
}

fn write_in(caches: &Path, directory: &Path, all: &Contradictions) -> Option<()> {
    let note = Note::of(caches, directory, EXTENSION, FORM)?;
    let mut bytes = note.begin(Map::new())?;
    bytes.extend(all.to_bytes());
    note.write(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_known() {
        let root = tempfile::tempdir().unwrap();
        let suite = root.path().join("suite");
        std::fs::create_dir(&suite).unwrap();
        assert!(read_in(root.path(), &suite).is_none());
        let bytes: Vec<u8> = (0..16 * FEW as u32).map(|number| (number * 31 % 251) as u8).collect();
        let some = Contradictions::from_bytes(&bytes).unwrap();
        write_in(root.path(), &suite, &some).unwrap();
        assert_eq!(read_in(root.path(), &suite), Some(some));
    }
}
