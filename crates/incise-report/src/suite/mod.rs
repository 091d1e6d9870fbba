//! Suites of tests that follow the code: the manifest, how paths are written in it, and what became of their tests.

pub mod check;
mod lines;
mod manifest;
pub mod path;
pub mod text;
pub mod update;

pub use manifest::{
    SUITE_FILE, SUITE_SCHEMA, SUITE_TESTS, SuiteEntry, SuiteFact, SuiteFormatError, SuiteManifest,
    SuiteOptions, SuiteProgram, SuiteSizes, TestOrigin, UnsolvedPath, file_hash, hash_number,
};
