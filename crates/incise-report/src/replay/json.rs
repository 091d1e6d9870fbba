//! A replay as JSON, schema `incise-replay/1`: see `docs/json.md`. Names are never changed within a version, only
//! added.

use crate::replay::{Replay, ReplayVerdict};
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// The name and version of the schema.
pub const REPLAY_SCHEMA: &str = "incise-replay/1";

/// Writes the replay as JSON.
pub fn render(replay: &Replay, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(replay))?;
    out.write_all(b"\n")
}

pub(crate) fn document(replay: &Replay) -> Json {
    let tests = replay.tests.iter().map(|test| {
        let mut object = json!({"name": test.name, "verdict": test.verdict.name(), "predicted": test.predicted,
               "actual": test.actual, "notes": test.notes});
        if let Some(free) = test.free_runs {
            object["free_runs"] = json!({"runs": free.runs, "shown": free.shown});
        }
        object
    });
    json!({
        "schema": REPLAY_SCHEMA,
        "entry": replay.entry,
        "summary": {
            "tests": replay.tests.len(),
            "confirmed": replay.count(ReplayVerdict::Confirmed),
            "disagrees": replay.count(ReplayVerdict::Disagrees),
            "indeterminate": replay.count(ReplayVerdict::Indeterminate),
            "not_checked": replay.count(ReplayVerdict::NotChecked),
        },
        "warnings": replay.warnings,
        "tests": tests.collect::<Vec<_>>(),
    })
}
