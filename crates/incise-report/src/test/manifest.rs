//! What a folder of tests holds, as `manifest.json`, schema `incise-tests/1`: how to build the program, and the names
//! of the tests.

use crate::ProgramIdentity;
use crate::test::json::ProgramDocument;
use serde::{Deserialize, Serialize};

/// The name and version of the schema.
pub const MANIFEST_SCHEMA: &str = "incise-tests/1";
/// The file's name in the folder.
pub const MANIFEST_FILE: &str = "manifest.json";

/// What a folder of tests holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Manifest {
    /// The folder that the program's files and flags are relative to, itself relative to the folder of the tests.
    pub directory: String,
    /// The program under test.
    pub program: ProgramIdentity,
    /// The optimisation level that the program was compiled with, e.g. `0`.
    pub optimisation: String,
    /// The arguments of `main` that are not symbolic, after its name.
    pub arguments: Vec<String>,
    /// Whether overflow of signed arithmetic was looked for.
    pub check_overflow: bool,
    /// The names of the tests, in order.
    pub tests: Vec<String>,
}

/// Why a file is not a manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It is not JSON, or not of the right form.
    #[error("not a manifest of schema {MANIFEST_SCHEMA}: {0}")]
    Json(#[from] serde_json::Error),
    /// It has another schema.
    #[error("its schema is {0:?}, expected {MANIFEST_SCHEMA:?}")]
    Schema(String),
}

#[derive(Serialize, Deserialize)]
struct ManifestDocument {
    schema: String,
    directory: String,
    program: ProgramDocument,
    optimisation: String,
    arguments: Vec<String>,
    check_overflow: bool,
    tests: Vec<String>,
}

impl Manifest {
    /// The text of the file.
    pub fn to_json(&self) -> Result<String, ManifestError> {
        let mut text = serde_json::to_string_pretty(&ManifestDocument {
            schema: MANIFEST_SCHEMA.to_owned(),
            directory: self.directory.clone(),
            program: (&self.program).into(),
            optimisation: self.optimisation.clone(),
            arguments: self.arguments.clone(),
            check_overflow: self.check_overflow,
            tests: self.tests.clone(),
        })?;
        text.push('\n');
        Ok(text)
    }

    /// Reads the text of a file.
    pub fn from_json(text: &str) -> Result<Self, ManifestError> {
        let document: ManifestDocument = serde_json::from_str(text)?;
        if document.schema != MANIFEST_SCHEMA {
            return Err(ManifestError::Schema(document.schema));
        }
        Ok(Self {
            directory: document.directory,
            program: document.program.into(),
            optimisation: document.optimisation,
            arguments: document.arguments,
            check_overflow: document.check_overflow,
            tests: document.tests,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_survives_both_ways() {
        let manifest = Manifest {
            directory: "..".to_owned(),
            program: ProgramIdentity {
                entry: "f".to_owned(),
                files: vec!["../a.c".to_owned()],
                ..ProgramIdentity::default()
            },
            optimisation: "0".to_owned(),
            arguments: vec!["-v".to_owned()],
            check_overflow: true,
            tests: vec!["test000001".to_owned()],
        };
        let text = manifest.to_json().unwrap();
        assert_eq!(Manifest::from_json(&text).unwrap(), manifest);
        let other = text.replace(MANIFEST_SCHEMA, "something/9");
        assert!(matches!(Manifest::from_json(&other), Err(ManifestError::Schema(_))));
    }
}
