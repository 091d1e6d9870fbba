//! The sources that reports show, read when they are written.

use incise_report::change_report::SourceText;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file that is larger is not shown.
const LARGEST: u64 = 8 << 20;

/// Where the files of both versions are.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourcePlaces {
    /// What names of files are relative to, in OLD and in NEW.
    roots: (PathBuf, PathBuf),
    /// Files that are known to belong together, by their names in OLD and in NEW.
    pairs: Vec<(Option<String>, Option<String>)>,
}

impl SourcePlaces {
    /// The trees of two revisions, and the files in them that changed.
    pub(crate) fn of_trees(
        roots: (PathBuf, PathBuf),
        pairs: Vec<(Option<PathBuf>, Option<PathBuf>)>,
    ) -> Self {
        let name = |path: Option<PathBuf>| path.map(|path| path.to_string_lossy().into_owned());
        let is_shown = |path: &Option<PathBuf>| {
            let ending = path.as_ref().and_then(|path| path.extension());
            ending.is_some_and(|ending| ["c", "h", "inc"].iter().any(|known| ending == *known))
        };
        let pairs = pairs.into_iter().filter(|(old, new)| is_shown(old) || is_shown(new));
        Self { roots, pairs: pairs.map(|(old, new)| (name(old), name(new))).collect() }
    }

    /// Two files, or two folders.
    pub(crate) fn of_versions(old: &Path, new: &Path) -> Self {
        let name = |path: &Path| path.to_string_lossy().into_owned();
        Self { roots: Default::default(), pairs: vec![(Some(name(old)), Some(name(new)))] }
    }

    /// The texts of files that are named, and of those that are known to have changed.
    pub(crate) fn texts(&self, names: &[&str]) -> Vec<SourceText> {
        let mut found: Vec<SourceText> = Vec::new();
        let mut seen: BTreeSet<(Option<String>, Option<String>)> = BTreeSet::new();
        let changed = self.pairs.iter().filter(|(old, new)| !self.is_folder(old, new));
        let named = names.iter().map(|name| self.paired(name));
        for (old, new) in changed.cloned().chain(named) {
            if seen.insert((old.clone(), new.clone())) {
                found.extend(self.text(old, new));
            }
        }
        // What has a partner is not shown by itself as well.
        let old_names: BTreeSet<String> = found.iter().filter_map(|text| text.old_name.clone()).collect();
        found.retain(|text| text.new.is_some() && text.old.is_some() || !old_names.contains(&text.name));
        found
    }

    fn is_folder(&self, old: &Option<String>, new: &Option<String>) -> bool {
        old.iter().any(|name| self.roots.0.join(name).is_dir())
            || new.iter().any(|name| self.roots.1.join(name).is_dir())
    }

    /// What a file is called in both versions.
    fn paired(&self, name: &str) -> (Option<String>, Option<String>) {
        for (old, new) in &self.pairs {
            if new.as_deref() == Some(name) || old.as_deref() == Some(name) {
                return (old.clone(), new.clone());
            }
            let (Some(old), Some(new)) = (old, new) else { continue };
            let below = |folder: &str| {
                let inner = Path::new(name).strip_prefix(folder).ok()?;
                (!inner.as_os_str().is_empty()).then(|| inner.to_owned())
            };
            if let Some(inner) = below(new).or_else(|| below(old)) {
                let joined =
                    |folder: &str| Some(Path::new(folder).join(&inner).to_string_lossy().into_owned());
                return (joined(old), joined(new));
            }
        }
        (Some(name.to_owned()), Some(name.to_owned()))
    }

    /// The text of a file in both versions; none if neither has it.
    fn text(&self, old: Option<String>, new: Option<String>) -> Option<SourceText> {
        let read = |root: &Path, name: &Option<String>| {
            let path = root.join(name.as_ref()?);
            let there = path.metadata().ok()?;
            if !there.is_file() || there.len() > LARGEST {
                return None;
            }
            std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        let (before, after) = (read(&self.roots.0, &old), read(&self.roots.1, &new));
        let name = match after.is_some() {
            true => new.clone(),
            false => old.clone().filter(|_| before.is_some()),
        }?;
        let old_name = old.filter(|old| before.is_some() && *old != name);
        Some(SourceText { name, old_name, old: before, new: after })
    }
}
