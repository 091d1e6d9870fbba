//! An update of a suite as JSON, schemas `incise-suite-update/1` and `incise-suite-select/1`: see `docs/json.md`. Names
//! are never changed within a version, only added.

use crate::json::{limits, program};
use crate::suite::update::{SuiteUpdate, TestClass, UpdatedTest};
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// The name and version of the schema of an update.
pub const SUITE_UPDATE_SCHEMA: &str = "incise-suite-update/1";
/// The name and version of the schema of a selection.
pub const SUITE_SELECT_SCHEMA: &str = "incise-suite-select/1";

/// Writes what became of the tests, as JSON.
pub fn render(update: &SuiteUpdate, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(update))?;
    out.write_all(b"\n")
}

/// Writes which tests are worth running again, as JSON.
pub fn render_selection(update: &SuiteUpdate, out: &mut dyn Write) -> io::Result<()> {
    let names = |tests: &mut dyn Iterator<Item = &UpdatedTest>| -> Vec<Json> {
        tests
            .map(|test| json!({"name": test.name, "class": test.class.name(), "meets_change": test.met}))
            .collect()
    };
    let (selected, rest) = (names(&mut update.selected()), names(&mut update.unselected()));
    let document = json!({
        "schema": SUITE_SELECT_SCHEMA,
        "old": program(&update.old),
        "new": program(&update.new),
        "summary": {"tests": selected.len() + rest.len(), "selected": selected.len(), "unselected": rest.len(),
                    "added": update.count(TestClass::Added), "paths": update.paths, "queries": update.queries, "solved": update.solved,
                    "time_ms": update.time_ms},
        "complete": update.complete,
        "as_taken": update.is_as_taken(),
        "selected": selected,
        "unselected": rest,
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

pub(crate) fn document(update: &SuiteUpdate) -> Json {
    let mut summary = serde_json::Map::new();
    let tests = update.tests.iter().filter(|test| test.path.is_some()).count();
    summary.insert("tests".to_owned(), json!(tests));
    for class in TestClass::ALL {
        summary.insert(class.name().to_owned(), json!(update.count(class)));
    }
    summary.insert("paths".to_owned(), json!(update.paths));
    summary.insert("states".to_owned(), json!(update.states));
    summary.insert("queries".to_owned(), json!(update.queries));
    summary.insert("solved".to_owned(), json!(update.solved));
    summary.insert("time_ms".to_owned(), json!(update.time_ms));
    let tests = update.tests.iter().map(|test| {
        json!({"name": test.name, "path": test.path, "class": test.class.name(), "meets_change": test.met,
               "before": test.before, "after": test.after, "reason": test.reason})
    });
    let ranges = update
        .ranges
        .iter()
        .map(|range| json!({"after": range.after, "before": range.before, "paths": range.paths}));
    json!({
        "schema": SUITE_UPDATE_SCHEMA,
        "old": program(&update.old),
        "new": program(&update.new),
        "suite": update.place,
        "accepted": update.accepted,
        "summary": summary,
        "complete": update.complete,
        "as_taken": update.is_as_taken(),
        "taken": crate::verdict::json::taken(&update.taken),
        "limits": limits(&update.limits),
        "concretised": update.concretised,
        "unsolved": update.unsolved,
        "asked_again": update.asked_again,
        "ranges": ranges.collect::<Vec<_>>(),
        "tests": tests.collect::<Vec<_>>(),
    })
}
