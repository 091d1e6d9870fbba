//! Tests on the disk: folders of tests as explorations leave them, and suites that follow the code.
//!
//! A folder of tests is written by `test_folder` and read by `read_folder`. A suite is written by `new_suite`, read by
//! `stored_suite`, run by `check`, and brought over to another version by `versioned_suite`: `seeded_exploration`
//! explores the new version with the old tests, `update` finds the class of each, `updated_suite` writes what became
//! of them. Every folder that is replaced goes through `replaced_folder`.
//!
//! Nothing here prints or reads the environment; errors are [`SuiteError`].

mod c_context;
mod cache_note;
mod changed_reading;
mod check;
pub mod contradiction_note;
mod decision_lines;
mod error;
mod expectation;
mod fingerprint;
mod foreign_files;
mod new_suite;
mod ordered_tests;
mod path_names;
mod path_test;
mod read_folder;
mod read_note;
mod relative_path;
mod replaced_folder;
mod seed_test;
mod seeded_exploration;
mod stored_options;
mod stored_suite;
mod suite_sources;
mod test_files;
mod test_folder;
mod test_sources;
mod update;
mod updated_suite;
mod versioned_suite;
mod without_places;

pub use cache_note::Caches;
pub use check::{check, check_entry};
pub use error::SuiteError;
pub use fingerprint::program_hash;
pub use new_suite::{Explored, Generated, NewSuite};
pub use path_test::{race_test, test_case};
pub use read_folder::{read_folder, read_test};
pub use stored_options::{arguments as stored_arguments, reading};
pub use stored_suite::{StoredSuite, read as read_suite};
pub use suite_sources::{sources_of, suite_sources};
pub use test_folder::{NewTestFolder, TestFolder, TestFolderOptions, WrittenTests, folder_name};
pub use test_sources::{put_sources, test_sources};
pub use update::{FileContent, UpdatedFile, UpdatedTests};
pub use updated_suite::UpdatedSuite;
pub use versioned_suite::{BroughtSuite, VersionedSuite};
