//! What the solver found to be impossible when a suite was made or brought over, so that the next update need not find
//! it out again.
//!
//! It is a note (`cache_note.rs`), beside the one of what was seen in the files of a suite (`read_note.rs`). What
//! another build of Incise found is not used: an error in a solver must not outlive its correction.

use super::cache_note::{CacheNote, Caches, Noted};
use super::read_note::Stamp;
use incise_solver::Contradictions;
use serde_json::Map;
use std::path::Path;
use std::sync::Arc;

/// Fewer are found out as fast as they are read.
const FEW: usize = 16;
/// What tells the note from the other one.
const EXTENSION: &str = "impossible";

/// What is known of the conditions of a suite.
pub fn read(caches: &Caches, directory: &Path) -> Option<Arc<Contradictions>> {
    read_in(caches.folder.as_deref()?, directory, &form(caches)?).map(Arc::new)
}

/// Keeps what is known of the conditions of a suite: what was known of the one that it was made from, and what is new.
/// That this does not work is no trouble.
pub fn keep(caches: &Caches, directory: &Path, from: Option<(&Path, &Contradictions)>, new: Contradictions) {
    let has_more = !new.is_empty() || from.is_some_and(|(place, _)| place != directory);
    let mut all = new;
    if let Some((_, known)) = from {
        all.extend(known);
    }
    if has_more
        && all.len() >= FEW
        && let (Some(folder), Some(form)) = (&caches.folder, form(caches))
    {
        let _ = write_in(folder, directory, &form, &all);
    }
}

/// What changes with the form of a note, and with what found out what is in it.
fn form(caches: &Caches) -> Option<String> {
    let build = rustix::fs::stat(caches.build.as_ref()?).ok()?;
    Some(form_of(&Stamp::of(&build)))
}

fn form_of(build: &Stamp) -> String {
    format!("impossible 1 {} {build}", env!("CARGO_PKG_VERSION"))
}

fn read_in(caches: &Path, directory: &Path, form: &str) -> Option<Contradictions> {
    let Noted { bytes, start, .. } = CacheNote::of(caches, directory, EXTENSION, form)?.read()?;
    Contradictions::from_bytes(&bytes[start..])
}

fn write_in(caches: &Path, directory: &Path, form: &str, all: &Contradictions) -> Option<()> {
    let note = CacheNote::of(caches, directory, EXTENSION, form)?;
    let mut bytes = note.begin(Map::new())?;
    bytes.extend(all.to_bytes());
    note.write(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_known_to_the_same_build() {
        let root = tempfile::tempdir().unwrap();
        let suite = root.path().join("suite");
        std::fs::create_dir(&suite).unwrap();
        // The first build of two, in the same place.
        let [one, other] = ["one", "another"].map(|content| {
            std::fs::write(root.path().join("program"), content).unwrap();
            form_of(&Stamp::of(&rustix::fs::stat(root.path().join("program")).unwrap()))
        });
        assert!(read_in(root.path(), &suite, &one).is_none());
        let bytes: Vec<u8> = (0..16 * FEW as u32).map(|number| (number * 31 % 251) as u8).collect();
        let some = Contradictions::from_bytes(&bytes).unwrap();
        write_in(root.path(), &suite, &one, &some).unwrap();
        assert_eq!(read_in(root.path(), &suite, &one), Some(some));
        assert!(read_in(root.path(), &suite, &other).is_none());
        let caches = Caches { folder: None, build: Some(root.path().join("program")) };
        assert!(form(&caches).is_some() && form(&Caches::default()).is_none());
    }
}
