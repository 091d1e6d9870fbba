//! What a change in a repository does as JSON, schema `incise-repository/1`: see `docs/json.md`. Names are never
//! changed within a version, only added.

use super::model::{Reached, RepositoryReport, Row, Trouble, UnitReport};
use crate::json::member;
use crate::verdict::json::{named, one};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// The name and version of the schema.
pub const REPOSITORY_SCHEMA: &str = "incise-repository/1";

/// Writes the whole document, one line for each function.
pub fn render(report: &RepositoryReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{{\n  \"schema\": \"{REPOSITORY_SCHEMA}\",")?;
    member(out, "old", &json!({"name": report.old}), ",")?;
    member(out, "new", &json!({"name": report.new}), ",")?;
    member(out, "database", &report.database, ",")?;
    let verdicts = report.verdicts();
    member(out, "verdict", &verdicts.sameness().name(), ",")?;
    member(out, "confirmed", &!verdicts.is_unconfirmed(), ",")?;
    member(out, "summary", &summary(report), ",")?;
    let rows = report.rows();
    writeln!(out, "  \"functions\": [")?;
    for (number, row) in rows.iter().enumerate() {
        let comma = if number + 1 < rows.len() { "," } else { "" };
        writeln!(out, "    {}{comma}", function(row))?;
    }
    writeln!(out, "  ],")?;
    let units: Vec<Json> = report.units.iter().map(unit).collect();
    member(out, "units", &units, ",")?;
    member(out, "added_units", &report.added, ",")?;
    member(out, "removed_files", &report.removed, ",")?;
    member(out, "reasons", &report.all_reasons(), ",")?;
    member(out, "left_out", &report.all_left_out(), ",")?;
    member(out, "notes", &report.notes, "")?;
    writeln!(out, "}}")
}

fn summary(report: &RepositoryReport) -> Json {
    let counts = report.counts();
    let mut object = Map::new();
    object.insert("functions".to_owned(), json!(counts.functions.iter().sum::<usize>()));
    for (trouble, count) in Trouble::ALL.iter().zip(counts.functions) {
        object.insert(trouble.name().replace('-', "_"), json!(count));
    }
    object.insert("units".to_owned(), json!(report.units.len()));
    object.insert("units_failed".to_owned(), json!(counts.failed));
    object.insert("units_not_reached".to_owned(), json!(counts.not_reached));
    Json::Object(object)
}

fn function(row: &Row<'_>) -> Json {
    let mut object = Map::new();
    object.insert("unit".to_owned(), json!(row.unit.name));
    object.insert("name".to_owned(), json!(row.comparison.entry));
    object.insert("trouble".to_owned(), json!(Trouble::of(row.comparison).name()));
    object.extend(one(row.comparison));
    Json::Object(object)
}

fn unit(unit: &UnitReport) -> Json {
    let (status, why) = match &unit.reached {
        Reached::Compared => ("compared", None),
        Reached::Not => ("not-reached", None),
        Reached::Failed(why) => ("failed", Some(why)),
    };
    json!({
        "name": unit.name,
        "status": status,
        "why": why,
        "changed_functions": unit.verdicts.below.iter().map(named).collect::<Vec<_>>(),
        "added_functions": unit.added,
        "removed_functions": unit.removed,
        "notes": unit.notes,
    })
}
