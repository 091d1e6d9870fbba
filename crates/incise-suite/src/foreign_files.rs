//! What is not ours to replace.

use crate::error::SuiteError;
use crate::stored_suite::{names_in, read_manifest};
use incise_report::emit::Emit;
use incise_report::suite::{SUITE_FILE, SUITE_TESTS};
use std::ffi::OsStr;
use std::path::Path;

/// Whether two names lead to one folder.
pub(crate) fn is_same_folder(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// A folder that holds something else than a suite is not ours to replace.
pub(crate) fn refuse_others(directory: &Path) -> Result<(), SuiteError> {
    if !directory.exists() {
        return Ok(());
    }
    if !directory.is_dir() {
        return Err(SuiteError::NoFolder { path: directory.to_owned(), what: "suite" });
    }
    refuse_strangers(directory, &names_in(&directory.join(SUITE_TESTS)))
}

/// What incise did not write is not to be lost with the folder; `tests` are names among the tests.
pub(crate) fn refuse_strangers(directory: &Path, tests: &[String]) -> Result<(), SuiteError> {
    let ours = |name: &String| *name == SUITE_FILE || *name == SUITE_TESTS || Emit::named(name).is_some();
    let mut strangers: Vec<String> = names_in(directory).into_iter().filter(|name| !ours(name)).collect();
    let others = tests.iter().filter(|name| Path::new(name).extension() != Some(OsStr::new("json")));
    strangers.extend(others.map(|name| format!("{SUITE_TESTS}/{name}")));
    match strangers.first() {
        Some(stranger) => {
            Err(SuiteError::ForeignFile { folder: directory.to_owned(), file: stranger.clone() })
        }
        None => Ok(()),
    }
}

/// A suite for another function is not replaced.
pub(crate) fn refuse_other_suite(directory: &Path, entry: &str) -> Result<(), SuiteError> {
    if names_in(directory).is_empty() {
        return Ok(());
    }
    let manifest = read_manifest(directory)?;
    if manifest.entry != entry {
        return Err(SuiteError::OtherSuite {
            folder: directory.to_owned(),
            holds: manifest.entry,
            entry: entry.to_owned(),
        });
    }
    Ok(())
}
