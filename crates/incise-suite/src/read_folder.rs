//! Reads folders of tests, and single tests.

use crate::error::SuiteError;
use crate::test_folder::TestFolder;
use incise_report::suite::SUITE_FILE;
use incise_report::test::manifest::MANIFEST_FILE;
use incise_report::{Manifest, TestCase};
use std::path::{Component, Path, PathBuf};

/// Reads a test.
pub fn read_test(file: &Path) -> Result<TestCase, SuiteError> {
    let text =
        std::fs::read_to_string(file).map_err(|error| SuiteError::Unreadable(file.to_owned(), error))?;
    TestCase::from_json(&text).map_err(|error| SuiteError::DamagedTest(file.to_owned(), error))
}

/// Reads a folder of tests.
pub fn read_folder(directory: &Path) -> Result<TestFolder, SuiteError> {
    let manifest = read_manifest(directory)?;
    let mut tests = Vec::with_capacity(manifest.tests.len());
    for name in &manifest.tests {
        // A name with a separator in it would lead out of the folder.
        if Path::new(name).components().count() != 1
            || !matches!(Path::new(name).components().next(), Some(Component::Normal(_)))
        {
            return Err(SuiteError::NoFileName {
                manifest: directory.join(MANIFEST_FILE),
                name: name.clone(),
            });
        }
        tests.push(read_test(&directory.join(format!("{name}.json")))?);
    }
    Ok(TestFolder { manifest, tests })
}

pub(crate) fn read_manifest(directory: &Path) -> Result<Manifest, SuiteError> {
    let file = directory.join(MANIFEST_FILE);
    let text = std::fs::read_to_string(&file).map_err(|why| no_tests(directory, why))?;
    Manifest::from_json(&text).map_err(|error| SuiteError::DamagedManifest(file, error))
}

/// What is there instead of a manifest.
fn no_tests(directory: &Path, why: std::io::Error) -> SuiteError {
    let folder = directory.to_owned();
    match inner_suite(directory) {
        _ if directory.join(SUITE_FILE).is_file() => SuiteError::HoldsSuite(folder),
        Some(inner) => SuiteError::TestsWithin { outer: folder, inner },
        None => SuiteError::NoTests { folder, why },
    }
}

/// The first of the folders in a folder that holds tests.
fn inner_suite(directory: &Path) -> Option<PathBuf> {
    let inner = std::fs::read_dir(directory).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    inner.filter(|folder| folder.join(MANIFEST_FILE).is_file()).min()
}
