//! A check of a suite as JSON, schema `incise-suite-check/1`: see `docs/json.md`. Names are never changed within a
//! version, only added.

use crate::json::program;
use crate::suite::check::{CheckStatus, SuiteCheck};
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// The name and version of the schema.
pub const SUITE_CHECK_SCHEMA: &str = "incise-suite-check/1";

/// Writes the check as JSON.
pub fn render(check: &SuiteCheck, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(check))?;
    out.write_all(b"\n")
}

pub(crate) fn document(check: &SuiteCheck) -> Json {
    let mut summary = serde_json::Map::new();
    summary.insert("tests".to_owned(), json!(check.tests.len()));
    for status in CheckStatus::ALL {
        summary.insert(status.name().replace('-', "_"), json!(check.count(status)));
    }
    let tests = check.tests.iter().map(|test| {
        json!({"name": test.name, "path": test.path, "status": test.status.name(), "expected": test.expected,
               "actual": test.actual, "notes": test.notes})
    });
    json!({
        "schema": SUITE_CHECK_SCHEMA,
        "program": program(&check.program),
        "changed": check.changed,
        "summary": summary,
        "tests": tests.collect::<Vec<_>>(),
    })
}
