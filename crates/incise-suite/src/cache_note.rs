//! Notes about suites, among the caches of the user: what can be found out again, but takes time. They may be removed
//! at any time.
//!
//! A note is a line of JSON, what is noted, and a hash of both. The line says of what form it is and which suite it is
//! about. What a damaged or foreign note says is not used.

use incise_report::suite::{SUITE_TESTS, hash_number};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// From so many notes on it is looked for those of suites that are gone.
const MANY: usize = 16;

/// Where notes are kept, and who keeps them.
#[derive(Clone, Debug, Default)]
pub struct Caches {
    /// Where the user keeps what can be made again; nothing is kept without it.
    pub folder: Option<PathBuf>,
    /// The program that runs: what another build found is not used.
    pub build: Option<PathBuf>,
}

/// Where a note is, and what it is about.
pub(super) struct CacheNote {
    pub(super) file: PathBuf,
    suite: String,
    form: String,
}

/// What was read.
pub(super) struct Noted {
    pub(super) header: Value,
    /// All bytes but the hash.
    pub(super) bytes: Vec<u8>,
    /// Where what is noted begins among them.
    pub(super) start: usize,
}

impl CacheNote {
    /// The note of a form about a suite. The extension tells notes of several kinds apart, the form has to change with
    /// what is in them.
    pub(super) fn of(caches: &Path, directory: &Path, extension: &str, form: &str) -> Option<Self> {
        let suite = directory.canonicalize().ok()?;
        let name = hash_number(suite.as_os_str().as_encoded_bytes());
        let file = caches.join("incise/suites").join(format!("{name:016x}")).with_extension(extension);
        Some(Self { file, suite: suite.to_string_lossy().into_owned(), form: form.to_owned() })
    }

    pub(super) fn read(&self) -> Option<Noted> {
        let mut bytes = std::fs::read(&self.file).ok()?;
        let length = bytes.len().checked_sub(8)?;
        if bytes[length..] != hash_number(&bytes[..length]).to_le_bytes() {
            return None;
        }
        bytes.truncate(length);
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        let header: Value = serde_json::from_slice(&bytes[..end]).ok()?;
        (header["form"] == self.form && header["suite"] == self.suite).then_some(Noted {
            header,
            bytes,
            start: end + 1,
        })
    }

    /// What a note begins with; `more` goes into its first line.
    pub(super) fn begin(&self, more: Map<String, Value>) -> Option<Vec<u8>> {
        let mut header = more;
        header.insert("form".to_owned(), self.form.as_str().into());
        header.insert("suite".to_owned(), self.suite.as_str().into());
        let mut bytes = serde_json::to_vec(&header).ok()?;
        bytes.push(b'\n');
        Some(bytes)
    }

    /// Writes a note that was begun and filled.
    pub(super) fn write(&self, mut bytes: Vec<u8>) -> Option<()> {
        bytes.extend_from_slice(&hash_number(&bytes).to_le_bytes());
        let folder = self.file.parent()?;
        std::fs::create_dir_all(folder).ok()?;
        let mut temporary = tempfile::NamedTempFile::new_in(folder).ok()?;
        temporary.write_all(&bytes).ok()?;
        temporary.persist(&self.file).ok()?;
        sweep(folder);
        Some(())
    }
}

/// Removes what is about suites that are gone.
fn sweep(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let notes: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    if notes.len() < MANY {
        return;
    }
    for note in notes {
        let gone = || -> Option<bool> {
            let mut line = Vec::new();
            BufReader::new(File::open(&note).ok()?).read_until(b'\n', &mut line).ok()?;
            let header: Value = serde_json::from_slice(&line).ok()?;
            Some(!Path::new(header["suite"].as_str()?).join(SUITE_TESTS).exists())
        };
        if gone() == Some(true) {
            let _ = std::fs::remove_file(&note);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = "example 1";

    struct Example(tempfile::TempDir);

    impl Example {
        fn new() -> Self {
            let root = tempfile::tempdir().unwrap();
            for suite in ["suite", "other"] {
                std::fs::create_dir_all(root.path().join(suite).join(SUITE_TESTS)).unwrap();
            }
            Self(root)
        }

        fn note(&self, suite: &str, form: &str) -> CacheNote {
            CacheNote::of(self.0.path(), &self.0.path().join(suite), "example", form).unwrap()
        }

        fn write(&self, suite: &str) -> CacheNote {
            let note = self.note(suite, FORM);
            let mut bytes = note.begin(Map::new()).unwrap();
            bytes.extend_from_slice(b"what\nwas found out");
            note.write(bytes).unwrap();
            note
        }
    }

    #[test]
    fn damaged_and_foreign_notes_are_not_used() {
        let example = Example::new();
        assert!(example.note("suite", FORM).read().is_none());
        let note = example.write("suite");
        let noted = note.read().unwrap();
        assert_eq!(&noted.bytes[noted.start..], b"what\nwas found out");
        assert!(example.note("suite", "example 2").read().is_none());
        let whole = std::fs::read(&note.file).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(&note.file, &damaged).unwrap();
            assert!(note.read().is_none(), "{at}");
            std::fs::write(&note.file, &whole[..at]).unwrap();
            assert!(note.read().is_none(), "{at}");
        }
        // The note of one suite in the place of another's.
        let other = example.note("other", FORM);
        std::fs::write(&other.file, &whole).unwrap();
        assert!(other.read().is_none());
    }

    #[test]
    fn notes_of_suites_that_are_gone_go_away() {
        let example = Example::new();
        let folder = example.0.path().join("incise/suites");
        std::fs::create_dir_all(&folder).unwrap();
        for number in 0..MANY {
            let header = serde_json::json!({"form": FORM, "suite": format!("/nowhere/{number}")});
            std::fs::write(folder.join(format!("{number}")), format!("{header}\n")).unwrap();
        }
        // What is not ours stays.
        std::fs::write(folder.join("thesis.tex"), "years of work").unwrap();
        let note = example.write("suite");
        assert!(note.read().is_some() && folder.join("thesis.tex").exists());
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    }
}
