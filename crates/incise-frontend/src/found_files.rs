//! The files that the user's paths stand for: folders are walked.

use crate::error::FrontendError;
use crate::load::Unseen;
use incise_llvm::{FolderFiles, InputError};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The files that the user's paths stand for.
#[derive(Default)]
pub(crate) struct FoundFiles {
    pub(crate) files: Vec<PathBuf>,
    /// Those of folders.
    pub(crate) in_folders: BTreeSet<PathBuf>,
    /// Those of folders below the ones that were named.
    pub(crate) below: BTreeSet<PathBuf>,
    pub(crate) unseen: Vec<Unseen>,
}

impl FoundFiles {
    pub(crate) fn of(paths: &[PathBuf]) -> Result<Self, FrontendError> {
        let mut found = Self::default();
        for path in paths {
            if !path.is_dir() {
                found.files.push(path.clone());
                continue;
            }
            let FolderFiles { sources, others, skipped, .. } = FolderFiles::of(path)?;
            if sources.is_empty() {
                return Err(InputError::NoSources(path.clone()).into());
            }
            let below = sources.iter().filter(|file| file.parent() != Some(path));
            found.below.extend(below.cloned());
            found.in_folders.extend(sources.iter().cloned());
            found.files.extend(sources);
            for (list, why, made) in
                [(others, "is not C", false), (skipped, "is hidden, a link, or what a build made", true)]
            {
                let unseen = list.into_iter().map(|path| Unseen { path, why: why.to_owned(), made });
                found.unseen.extend(unseen);
            }
        }
        Ok(found)
    }
}
