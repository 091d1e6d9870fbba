//! What the solver found to be impossible when a suite was made or brought over, so that the next update need not find
//! it out again.
//!
//! It is a note (`cache_note.rs`), beside the one of what was seen in the files of a suite (`read_note.rs`). What
//! another build of Incise found is not used: an error in a solver must not outlive its correction.

use super::cache_note::{CacheNote, Caches, Noted};
use incise_solver::Contradictions;
use serde_json::Map;
use std::path::Path;
use std::sync::Arc;

/// Fewer are found out as fast as they are read.
const FEW: usize = 16;

/// What is known of the conditions of a suite.
pub fn read(caches: &Caches, directory: &Path) -> Option<Arc<Contradictions>> {
    let Noted { bytes, start, .. } = CacheNote::of(caches, directory, &form(caches)?)?.read()?;
    Contradictions::from_bytes(&bytes[start..]).map(Arc::new)
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
        && let Some(note) = form(caches).and_then(|form| CacheNote::of(caches, directory, &form))
    {
        note.write(&Map::new(), |bytes| {
            bytes.extend(all.to_bytes());
            Some(())
        });
    }
}

/// What changes with the form of a note, and with what found out what is in it.
fn form(caches: &Caches) -> Option<String> {
    Some(format!("impossible 1 {} {}", env!("CARGO_PKG_VERSION"), caches.build.as_ref()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache_note::tests::caches;

    #[test]
    fn what_was_found_is_known_to_the_same_build() {
        let root = tempfile::tempdir().unwrap();
        let suite = root.path().join("suite");
        std::fs::create_dir(&suite).unwrap();
        let one = caches(root.path());
        let other = Caches { build: Some("another".to_owned()), ..one.clone() };
        assert!(read(&one, &suite).is_none());
        let bytes: Vec<u8> = (0..16 * FEW as u32).map(|number| (number * 31 % 251) as u8).collect();
        let some = Contradictions::from_bytes(&bytes).unwrap();
        keep(&one, &suite, None, some.clone());
        assert_eq!(read(&one, &suite).as_deref(), Some(&some));
        assert!(read(&other, &suite).is_none());
        let nobody = Caches { build: None, ..one };
        assert!(read(&nobody, &suite).is_none());
    }
}
