//! One folder for all temporary files of the process, so that none is left when it has to leave in a hurry.

use std::path::PathBuf;
use std::sync::OnceLock;
use tempfile::TempDir;

static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// Makes the folder, which goes away with what is returned. Where none can be made, whoever needs one says so.
pub(crate) fn begin() -> Option<TempDir> {
    let folder = tempfile::Builder::new().prefix("incise-").tempdir().ok()?;
    let path = FOLDER.get_or_init(|| folder.path().to_owned());
    tempfile::env::override_temp_dir(path).ok()?;
    Some(folder)
}

/// Removes it now, whoever works in it.
pub(crate) fn remove_all() {
    incise_children::end_all();
    if let Some(folder) = FOLDER.get() {
        // Nobody is left to tell.
        let _ = std::fs::remove_dir_all(folder);
    }
}
