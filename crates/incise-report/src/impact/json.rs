//! The impact of a change as JSON, schema `incise-impact/1`: see `docs/json.md`. Names are never changed within a
//! version, only added.

use crate::call_graph;
use crate::impact::{
    CallSite, Carrier, EqualFunction, FunctionImpact, Impact, ImpactStep, LaterFunction, Reason, Spot,
    StartedThread, Statement, Unresolved, UnseenCode, Version,
};
use crate::json::{member, rounded};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// The name and version of the schema.
pub const IMPACT_SCHEMA: &str = "incise-impact/1";

/// Writes the whole document, one line for each function.
pub fn render(impact: &Impact, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{{\n  \"schema\": \"{IMPACT_SCHEMA}\",")?;
    member(out, "old", &version(&impact.old), ",")?;
    member(out, "new", &version(&impact.new), ",")?;
    member(out, "rules", &impact.rules.name(), ",")?;
    member(out, "scope", &impact.scope, ",")?;
    member(out, "entries", &impact.entries, ",")?;
    member(out, "summary", &summary(impact), ",")?;
    write!(out, "  \"functions\": [")?;
    let shown = impact.functions.iter().filter(|function| impact.is_shown(function));
    for (index, each) in shown.enumerate() {
        write!(out, "{}\n    ", if index == 0 { "" } else { "," })?;
        serde_json::to_writer(&mut *out, &detailed(each))?;
    }
    writeln!(out, "{}],", if impact.functions.is_empty() { "" } else { "\n  " })?;
    member(out, "later", &impact.later.iter().map(later).collect::<Json>(), ",")?;
    if let Some(proved) = &impact.proved {
        member(out, "proved", &proved.iter().map(equal).collect::<Json>(), ",")?;
    }
    member(out, "added_functions", &impact.added, ",")?;
    member(out, "removed_functions", &impact.removed, ",")?;
    member(out, "unreached_functions", &impact.unreached, ",")?;
    member(out, "unresolved", &impact.unresolved.iter().map(unresolved).collect::<Json>(), ",")?;
    member(out, "threads", &impact.threads.iter().map(thread).collect::<Json>(), ",")?;
    if let Some(graph) = &impact.call_graph {
        member(out, "callgraph", &call_graph::json::graph(graph), ",")?;
    }
    member(out, "notes", &impact.notes, "")?;
    writeln!(out, "}}")
}

fn equal(function: &EqualFunction) -> Json {
    let effects: Vec<&str> = function.effects.iter().map(|effect| effect.name()).collect();
    json!({"name": function.name, "effects": effects, "all": function.all})
}

fn summary(impact: &Impact) -> Json {
    let counts = impact.functions.iter().map(FunctionImpact::affected_counts);
    let (conditions, writes) = counts.fold((0, 0), |sum, each| (sum.0 + each.0, sum.1 + each.1));
    let of = |change: &str| impact.functions.iter().filter(|each| each.change() == change).count();
    let mut summary = json!({
        "changed_functions": of("changed"),
        "calling_functions": of("calls-changed"),
        "reached_functions": of("reached"),
        "added_functions": impact.added.len(),
        "removed_functions": impact.removed.len(),
        "unconcerned_functions": impact.unconcerned,
        "changed_nodes": impact.functions.iter().map(FunctionImpact::changed_count).sum::<usize>(),
        "affected_nodes": conditions + writes,
        "affected_conditions": conditions,
        "affected_writes": writes,
        "nodes": impact.functions.iter().map(|each| each.statements).sum::<usize>(),
        "complete": !impact.stopped,
        "time_ms": rounded(impact.time_ms),
    });
    if let Some(all) = impact.reachable_statements {
        summary["reachable_nodes"] = json!(all);
        summary["later_nodes"] = json!(impact.later.iter().map(|each| each.statements).sum::<usize>());
        summary["later_functions"] = json!(impact.later.len());
    }
    if let Some(depth) = impact.depth {
        let hidden = impact.functions.iter().filter(|function| !impact.is_shown(function));
        summary["depth"] = json!(depth);
        summary["deeper_functions"] = json!(hidden.count());
    }
    if let Some(slice) = &impact.forward_slice {
        summary["forward_slice"] = json!({
            "sliced_nodes": slice.sliced,
            "forward_nodes": slice.forward,
            "affected_nodes": slice.affected,
            "nodes": slice.nodes,
        });
    }
    summary
}

fn later(each: &LaterFunction) -> Json {
    let lines: Vec<Json> = each.spots.iter().map(|&each| spot(each)).collect();
    json!({ "name": each.name, "file": each.file, "lines": lines, "nodes": each.statements })
}

fn unresolved(each: &Unresolved) -> Json {
    let mut object = json!({
        "function": each.function,
        "file": each.file,
        "line": spot(each.spot),
        "kind": each.callee.name(),
        "affected": each.affected,
    });
    match &each.callee {
        UnseenCode::External(name) => object["name"] = json!(name),
        UnseenCode::Pointer(candidates) => object["candidates"] = json!(candidates),
        UnseenCode::Assembly | UnseenCode::Operation => {}
    }
    object
}

fn carrier(carrier: &Carrier) -> Json {
    json!({
        "kind": carrier.kind.name(),
        "name": carrier.name,
        "calls": carrier.calls.iter().map(call_site).collect::<Json>(),
    })
}

fn call_site(site: &CallSite) -> Json {
    json!({"function": site.function, "file": site.file, "line": spot(site.spot)})
}

fn thread(thread: &StartedThread) -> Json {
    json!({
        "function": thread.function,
        "started_by": call_site(&thread.site),
        "several": thread.several,
        "functions": thread.functions,
    })
}

/// A version as JSON.
pub(crate) fn version(version: &Version) -> Json {
    json!({"files": version.files, "flags": version.flags, "hash": version.hash})
}

/// A statement's name as JSON: its line, or block and instruction as a string.
pub(crate) fn spot(spot: Spot) -> Json {
    match spot {
        Spot::Line(line) => json!(line),
        Spot::Code { .. } => json!(spot.to_string()),
    }
}

/// Statements' names as JSON.
pub(crate) fn spots(spots: impl IntoIterator<Item = Spot>) -> Json {
    spots.into_iter().map(spot).collect()
}

/// The sets of a function, which the documents of `impact` and `diff` share.
pub(crate) fn function(function: &FunctionImpact) -> Map<String, Json> {
    let signature = function.signature.as_ref();
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| object.insert(key.to_owned(), value);
    put("name", json!(function.name));
    put("file", json!(function.file));
    put("change", json!(function.change()));
    put("signature", signature.map_or(Json::Null, |(old, new)| json!({"old": old, "new": new})));
    put("nodes", json!(function.statements));
    put("changed", spots(function.changed_spots()));
    put("added", spots(function.added_spots()));
    put("affected_conditions", spots(function.affected_conditions()));
    put("affected_writes", spots(function.affected_writes()));
    put("removed", spots(function.removed_spots()));
    object
}

fn detailed(each: &FunctionImpact) -> Json {
    let mut object = function(each);
    object.insert("new".to_owned(), each.new.iter().map(|each| statement(each, "old_line")).collect());
    object.insert("old".to_owned(), each.old.iter().map(|each| statement(each, "new_line")).collect());
    if let Some(distance) = each.distance {
        object.insert("distance".to_owned(), json!(distance));
    }
    object.insert("derivation".to_owned(), each.derivation.iter().map(step).collect());
    Json::Object(object)
}

fn statement(statement: &Statement, partner: &str) -> Json {
    json!({
        "line": spot(statement.spot),
        partner: statement.partner.map(spot),
        "kind": statement.kind.name(),
        "status": statement.status.name(),
        "affected": statement.affected,
        "text": statement.text,
    })
}

fn step(step: &ImpactStep) -> Json {
    let version = match (&step.reason, step.cause) {
        (_, None) => Json::Null,
        (Reason::ThroughOld | Reason::OtherVersion, _) => json!("old"),
        _ => json!("new"),
    };
    let mut object = json!({
        "line": spot(step.spot),
        "kind": step.kind.name(),
        "reason": step.reason.name(),
        "rule": step.reason.number(),
        "cause": step.cause.map(spot),
        "cause_version": version,
    });
    match &step.reason {
        Reason::Calls(names) => object["functions"] = json!(names),
        Reason::Input(carriers) => object["inputs"] = carriers.iter().map(carrier).collect(),
        Reason::OtherThread(by) | Reason::Competes(by) | Reason::Ordered(by) => {
            object["passed_by"] = json!({"thread": by.thread, "statement": call_site(&by.site)});
        }
        _ => {}
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impact::{StatementKind, StatementStatus};

    #[test]
    fn statements_without_lines_are_strings() {
        let statement = |spot, kind, status| Statement {
            spot,
            partner: None,
            kind,
            status,
            affected: status != StatementStatus::Removed,
            text: "x = 1".to_owned(),
        };
        let code = Spot::Code { block: 2, index: 0 };
        let function = FunctionImpact {
            name: "f".to_owned(),
            changed: true,
            statements: 3,
            new: vec![
                statement(code, StatementKind::Condition, StatementStatus::Added),
                statement(Spot::Line(7), StatementKind::Return, StatementStatus::Unchanged),
                statement(Spot::Line(7), StatementKind::Write, StatementStatus::Unchanged),
            ],
            old: vec![statement(Spot::Line(9), StatementKind::Write, StatementStatus::Removed)],
            derivation: vec![ImpactStep {
                spot: Spot::Line(7),
                kind: StatementKind::Write,
                reason: Reason::ControlledWrite,
                cause: Some(code),
            }],
            ..FunctionImpact::default()
        };
        let impact = Impact { functions: vec![function], ..Impact::default() };
        let mut bytes = Vec::new();
        render(&impact, &mut bytes).unwrap();
        let document: Json = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(document["schema"], "incise-impact/1");
        assert_eq!(
            (&document["summary"]["changed_nodes"], &document["summary"]["affected_nodes"]),
            (&json!(2), &json!(3))
        );
        let function = &document["functions"][0];
        assert_eq!(function["changed"], json!(["2:0"]));
        assert_eq!(function["affected_conditions"], json!(["2:0"]));
        assert_eq!(function["affected_writes"], json!([7]), "each line once");
        assert_eq!(function["removed"], json!([9]));
        assert_eq!(
            function["derivation"][0],
            json!({"line": 7, "kind": "write", "reason": "controlled-write", "rule": 2, "cause": "2:0", "cause_version": "new"})
        );
    }
}
