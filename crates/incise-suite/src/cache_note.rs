//! Notes about suites, in the store: what can be found out again, but takes time. They may be gone at any time.
//!
//! A note is a line of JSON and what is noted. It is kept under its form and the suite that it is about, so that
//! what is of another form or about another suite is not found. That it is whole is the affair of the store.

use incise_store::{Key, KeyBuilder, StoreAccess};
use serde_json::{Map, Value};
use std::path::Path;

/// Where notes are kept, and who keeps them.
#[derive(Clone, Debug, Default)]
pub struct Caches {
    /// Where what can be made again is kept, on this machine: notes speak of files that others do not have.
    pub store: StoreAccess,
    /// What the program that runs is told from others by: what another build found is not used. Nothing that rests on
    /// it is kept if that is not known.
    pub build: Option<String>,
}

/// Where a note is.
pub(super) struct CacheNote<'c> {
    store: &'c StoreAccess,
    key: Key,
}

/// What was read.
pub(super) struct Noted {
    pub(super) header: Value,
    /// All bytes.
    pub(super) bytes: Vec<u8>,
    /// Where what is noted begins among them.
    pub(super) start: usize,
}

impl<'c> CacheNote<'c> {
    /// The note of a form about a suite. The form tells notes of several kinds apart, and has to change with what is in
    /// them.
    pub(super) fn of(caches: &'c Caches, directory: &Path, form: &str) -> Option<Self> {
        if !caches.store.is_there() {
            return None;
        }
        let suite = directory.canonicalize().ok()?;
        let suite = suite.as_os_str().as_encoded_bytes();
        let key = KeyBuilder::new("note about a suite").with("form", form).with("suite", suite).key();
        Some(Self { store: &caches.store, key })
    }

    pub(super) fn read(&self) -> Option<Noted> {
        let bytes = self.store.get(&self.key)?;
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        let header: Value = serde_json::from_slice(&bytes[..end]).ok()?;
        Some(Noted { header, bytes, start: end + 1 })
    }

    /// Keeps a note. `header` is its first line, and `fill` adds the rest.
    pub(super) fn write(
        &self,
        header: &Map<String, Value>,
        fill: impl FnOnce(&mut Vec<u8>) -> Option<()>,
    ) -> Option<()> {
        let mut bytes = serde_json::to_vec(header).ok()?;
        bytes.push(b'\n');
        fill(&mut bytes)?;
        self.store.put(&self.key, &bytes);
        Some(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use incise_store::FileStore;
    use std::sync::Arc;

    /// Notes in a folder.
    pub(crate) fn caches(folder: &Path) -> Caches {
        let store = FileStore::new(folder.join("store"), 1 << 30);
        Caches { store: StoreAccess::new(vec![Arc::new(store)]), build: Some("one".to_owned()) }
    }

    #[test]
    fn notes_of_others_are_not_used() {
        let root = tempfile::tempdir().unwrap();
        for suite in ["suite", "other"] {
            std::fs::create_dir(root.path().join(suite)).unwrap();
        }
        let caches = caches(root.path());
        let note = |suite: &str, form: &str| CacheNote::of(&caches, &root.path().join(suite), form).unwrap();
        assert!(note("suite", "example 1").read().is_none());
        let fill = |bytes: &mut Vec<u8>| {
            bytes.extend_from_slice(b"what\nwas found out");
            Some(())
        };
        note("suite", "example 1").write(&Map::new(), fill).unwrap();
        let noted = note("suite", "example 1").read().unwrap();
        assert_eq!(&noted.bytes[noted.start..], b"what\nwas found out");
        assert!(note("suite", "example 2").read().is_none());
        assert!(note("other", "example 1").read().is_none());
        assert!(CacheNote::of(&Caches::default(), &root.path().join("suite"), "example 1").is_none());
        assert!(CacheNote::of(&caches, &root.path().join("nowhere"), "example 1").is_none());
    }
}
