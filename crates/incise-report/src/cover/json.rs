//! Impacted coverage as JSON: schema `incise-cover/1`, and the member `coverage` of `incise-diff/1`; see
//! `docs/json.md`. Names are never changed within a version, only added.

use crate::FoundPath;
use crate::cover::{Cover, CoverReport, CoverStatus, CoverTarget, Obligation, SourceSpot};
use crate::impact::json::{spot, version};
use crate::json::{condition, input_values, member, rounded};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// The name and version of the schema.
pub const COVER_SCHEMA: &str = "incise-cover/1";

/// Writes the whole document, one line for each obligation.
pub fn render(report: &CoverReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{{\n  \"schema\": \"{COVER_SCHEMA}\",")?;
    member(out, "old", &version(&report.old), ",")?;
    member(out, "new", &version(&report.new), ",")?;
    member(out, "rules", &report.rules.name(), ",")?;
    member(out, "scope", &report.scope, ",")?;
    member(out, "tests", &json!({"directory": report.tests, "count": report.test_count}), ",")?;
    let inputs = |(entry, taken): &(String, Vec<crate::verdict::TakenInput>)| json!({"entry": entry, "inputs": crate::verdict::json::taken(taken)});
    member(out, "taken", &report.taken.iter().map(inputs).collect::<Vec<_>>(), ",")?;
    let criteria: Vec<Json> = report.covers.iter().map(figures).collect();
    member(out, "criteria", &criteria, ",")?;
    write!(out, "  \"obligations\": [")?;
    let mut first = true;
    for cover in &report.covers {
        for each in &cover.obligations {
            write!(out, "{}\n    ", if first { "" } else { "," })?;
            let mut object = obligation(cover, each);
            object.insert("criterion".to_owned(), json!(cover.criterion.name()));
            serde_json::to_writer(&mut *out, &object)?;
            first = false;
        }
    }
    writeln!(out, "{}],", if first { "" } else { "\n  " })?;
    member(out, "notes", &report.notes, "")?;
    writeln!(out, "}}")
}

/// What one criterion came to, from one entry.
fn figures(cover: &Cover) -> Json {
    json!({
        "entry": cover.entry,
        "criterion": cover.criterion.name(),
        "summary": summary(&[cover]),
        "states": cover.states,
        "time_ms": rounded(cover.time_ms),
    })
}

/// The member `coverage` of a difference.
pub(crate) fn coverage(covers: &[&Cover]) -> Json {
    let criterion = covers.first().map(|cover| cover.criterion.name());
    let obligations: Vec<Map<String, Json>> = covers
        .iter()
        .flat_map(|cover| cover.obligations.iter().map(|each| obligation(cover, each)))
        .collect();
    json!({"criterion": criterion, "summary": summary(covers), "obligations": obligations})
}

fn summary(covers: &[&Cover]) -> Json {
    let counts: Vec<_> = covers.iter().map(|cover| cover.counts()).collect();
    let sum = |count: fn(&crate::cover::CoverCounts) -> usize| counts.iter().map(count).sum::<usize>();
    let mut reasons: Vec<&String> = counts.iter().flat_map(|counts| &counts.reasons).collect();
    reasons.sort();
    reasons.dedup();
    json!({
        "obligations": sum(|counts| counts.all),
        "covered": sum(|counts| counts.covered),
        "uncertain": sum(|counts| counts.uncertain),
        "missing": sum(|counts| counts.missing),
        "infeasible": sum(|counts| counts.infeasible),
        "not_as_taken": sum(|counts| counts.not_as_taken),
        "unreachable": sum(|counts| counts.unreachable),
        "not_reached": sum(|counts| counts.not_reached),
        "complete": covers.iter().all(|cover| cover.is_decided()),
        "as_taken": covers.iter().any(|cover| cover.as_taken),
        "reasons": reasons,
    })
}

fn obligation(cover: &Cover, obligation: &Obligation) -> Map<String, Json> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| object.insert(key.to_owned(), value);
    put("entry", json!(cover.entry));
    put("kind", json!(obligation.what.name()));
    let at = obligation.what.spot();
    put("function", json!(at.map(|at| &at.function)));
    put("file", json!(at.map(|at| &at.file)));
    put("line", at.map_or(Json::Null, |at| spot(at.spot)));
    put("text", json!(at.and_then(|at| at.text.as_ref())));
    if let Some(side) = obligation.what.side() {
        put("side", json!(side));
    }
    match &obligation.what {
        CoverTarget::Combination(sides) => {
            let sides = sides.iter().map(|(at, side)| {
                let mut object = source_spot(at);
                object.insert("side".to_owned(), json!(side));
                Json::Object(object)
            });
            put("sides", sides.collect());
        }
        CoverTarget::Use(each) => {
            put("variable", json!(each.variable));
            put("definition", Json::Object(source_spot(&each.definition)));
            put("use", Json::Object(source_spot(&each.usage)));
            put("certain", json!(each.certain));
        }
        _ => {}
    }
    put("status", json!(obligation.status.name()));
    let (path, test, reasons, example) = match &obligation.status {
        CoverStatus::Covered { path, test } => (json!(path), json!(test), Vec::new(), None),
        CoverStatus::Missing { example } | CoverStatus::NotAsTaken { example } => {
            (Json::Null, Json::Null, Vec::new(), *example)
        }
        CoverStatus::NotReached(reasons) => (Json::Null, Json::Null, reasons.clone(), None),
        CoverStatus::Unreachable | CoverStatus::Infeasible => (Json::Null, Json::Null, Vec::new(), None),
    };
    put("path", path);
    put("test", test);
    let reason = if reasons.is_empty() { Json::Null } else { json!(reasons.join(", ")) };
    put("reason", reason);
    let path = cover.examples.iter().find(|path| Some(path.id) == example);
    if let Some(path) = path {
        put("example", example_of(path));
    }
    object
}

fn example_of(path: &FoundPath) -> Json {
    let inputs = path.inputs.as_ref().map_or(Json::Null, |inputs| input_values(inputs));
    json!({"condition": condition(path), "inputs": inputs})
}

fn source_spot(at: &SourceSpot) -> Map<String, Json> {
    let mut object = Map::new();
    object.insert("function".to_owned(), json!(at.function));
    object.insert("file".to_owned(), json!(at.file));
    object.insert("line".to_owned(), spot(at.spot));
    object.insert("text".to_owned(), json!(at.text));
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spot;
    use crate::cover::Use;
    use incise_vocabulary::Criterion;

    fn at(line: u32) -> SourceSpot {
        SourceSpot {
            function: "f".to_owned(),
            file: Some("f.c".to_owned()),
            spot: Spot::Line(line),
            text: None,
        }
    }

    #[test]
    fn obligations_carry_what_their_kind_has() {
        let side = Obligation {
            what: CoverTarget::Side(at(3), "true".to_owned()),
            status: CoverStatus::Covered { path: Some(2), test: None },
        };
        let usage = Use { definition: at(3), usage: at(5), side: None, variable: None, certain: true };
        let usage = Obligation {
            what: CoverTarget::Use(Box::new(usage)),
            status: CoverStatus::NotReached(vec!["max-loop".to_owned(), "max-time".to_owned()]),
        };
        let missing = Obligation {
            what: CoverTarget::Statement(at(7)),
            status: CoverStatus::Missing { example: Some(9) },
        };
        let cover = Cover {
            entry: "f".to_owned(),
            criterion: Criterion::Branch,
            obligations: vec![side, usage, missing],
            examples: vec![FoundPath { id: 9, ..FoundPath::default() }],
            ..Cover::default()
        };
        let report = CoverReport { covers: vec![cover.clone()], ..CoverReport::default() };
        let mut bytes = Vec::new();
        render(&report, &mut bytes).unwrap();
        let document: Json = serde_json::from_slice(&bytes).unwrap();
        let all = &document["obligations"];
        assert_eq!(
            (&all[0]["side"], &all[0]["path"], &all[0]["status"]),
            (&json!("true"), &json!(2), &json!("covered"))
        );
        assert_eq!((&all[1]["definition"]["line"], &all[1]["use"]["line"]), (&json!(3), &json!(5)));
        assert_eq!(all[1]["reason"], "max-loop, max-time");
        assert_eq!((all[0].get("example"), all[2]["example"]["condition"].as_str()), (None, Some("1")));
        assert_eq!(document["criteria"][0]["summary"]["not_reached"], 1);
        assert_eq!(document["criteria"][0]["summary"]["complete"], false);
        let member = coverage(&[&cover, &cover]);
        assert_eq!((&member["criterion"], &member["summary"]["obligations"]), (&json!("branch"), &json!(6)));
    }
}
