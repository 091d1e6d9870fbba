//! What the solver found to be impossible when a suite was made or brought over, so that the next update need not find it out again.
//!
//! It is kept beside what was seen in the files of suites (`seen.rs`), among the caches of the user, and may be removed at any time. What a damaged or foreign note says is not used.

use super::seen::{caches, place_of, put};
use incise_report::suite::hash_number;
use incise_solver::Contradictions;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Fewer are found out as fast as they are read.
const FEW: usize = 16;
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

/// Where the note about a suite is, and the suite's real place.
fn note_of(caches: &Path, directory: &Path) -> Option<(PathBuf, PathBuf)> {
    let (file, suite) = place_of(caches, directory)?;
    Some((file.with_extension("impossible"), suite))
}

fn read_in(caches: &Path, directory: &Path) -> Option<Contradictions> {
    let (file, suite) = note_of(caches, directory)?;
    let bytes = std::fs::read(file).ok()?;
    let (bytes, hash) = bytes.split_last_chunk()?;
    if *hash != hash_number(bytes).to_le_bytes() {
        return None;
    }
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let header: Value = serde_json::from_slice(&bytes[..end]).ok()?;
    if header["form"] != FORM || header["suite"] != *suite.to_string_lossy() {
        return None;
    }
    Contradictions::from_bytes(&bytes[end + 1..])
}

fn write_in(caches: &Path, directory: &Path, all: &Contradictions) -> Option<()> {
    let (file, suite) = note_of(caches, directory)?;
    let header = json!({"form": FORM, "suite": suite.to_string_lossy()});
    let mut bytes = serde_json::to_vec(&header).ok()?;
    bytes.push(b'\n');
    bytes.extend(all.to_bytes());
    bytes.extend_from_slice(&hash_number(&bytes).to_le_bytes());
    put(&file, &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Contradictions {
        let bytes: Vec<u8> = (0..16 * FEW as u32).map(|number| (number * 31 % 251) as u8).collect();
        Contradictions::from_bytes(&bytes).unwrap()
    }

    #[test]
    fn damaged_and_foreign_notes_are_not_used() {
        let root = tempfile::tempdir().unwrap();
        let (suite, other) = (root.path().join("suite"), root.path().join("other"));
        for directory in [&suite, &other] {
            std::fs::create_dir(directory).unwrap();
        }
        assert!(read_in(root.path(), &suite).is_none());
        write_in(root.path(), &suite, &some()).unwrap();
        assert_eq!(read_in(root.path(), &suite), Some(some()));
        let (file, _) = note_of(root.path(), &suite).unwrap();
        let whole = std::fs::read(&file).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(&file, &damaged).unwrap();
            assert!(read_in(root.path(), &suite).is_none(), "{at}");
            std::fs::write(&file, &whole[..at]).unwrap();
            assert!(read_in(root.path(), &suite).is_none(), "{at}");
        }
        // The note of one suite in the place of another's.
        std::fs::write(note_of(root.path(), &other).unwrap().0, &whole).unwrap();
        assert!(read_in(root.path(), &other).is_none());
    }
}
