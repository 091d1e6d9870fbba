//! The paths that a change affects as JSON, schema `incise-diff/1`: see `docs/json.md`. Names are never changed within
//! a version, only added.

use super::threads;
use crate::cover::json::coverage;
use crate::impact::json::{function, spots, version};
use crate::json::value::{latin1, place};
use crate::json::{condition, input_values, limits, member, outcome_detail, result, rounded};
use crate::{Difference, Entry, FoundPath, Full, LimitKind, PathChange, Replay, TraceRow, verdict};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// The name and version of the schema.
pub const DIFF_SCHEMA: &str = "incise-diff/1";

/// Writes the whole document, one line for each path condition. Replays of the tests, if there were any, are a part of
/// it.
pub fn render(difference: &Difference, replays: &[Replay], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{{\n  \"schema\": \"{DIFF_SCHEMA}\",")?;
    member(out, "old", &difference.old.as_ref().map(version), ",")?;
    member(out, "new", &version(&difference.new), ",")?;
    member(out, "strategy", &difference.strategy.name(), ",")?;
    member(out, "rules", &difference.rules.name(), ",")?;
    member(out, "scope", &difference.scope, ",")?;
    member(out, "summary", &summary(difference), ",")?;
    if let Some(compared) = compared(difference) {
        member(out, "compare", &compared, ",")?;
    }
    if let Some(verdicts) = &difference.verdicts {
        for (name, value) in verdict::json::whole(verdicts) {
            member(out, &name, &value, ",")?;
        }
    }
    member(out, "entries", &entries(difference), ",")?;
    let covers: Vec<_> = difference.entries.iter().filter_map(|entry| entry.cover.as_ref()).collect();
    if !covers.is_empty() {
        member(out, "coverage", &coverage(&covers), ",")?;
    }
    let functions: Vec<_> = difference.functions.iter().map(function).collect();
    member(out, "functions", &functions, ",")?;
    member(out, "added_functions", &difference.added, ",")?;
    member(out, "removed_functions", &difference.removed, ",")?;
    path_conditions("path_conditions", &difference.entries, out)?;
    if !difference.old_entries.is_empty() {
        let entries: Vec<Json> = difference.old_entries.iter().map(entry).collect();
        member(out, "old_entries", &entries, ",")?;
        path_conditions("old_path_conditions", &difference.old_entries, out)?;
    }
    if difference.entries.iter().any(|entry| !entry.trace.is_empty()) {
        trace(difference, out)?;
    }
    if !replays.is_empty() {
        let replays: Vec<Json> = replays.iter().map(crate::replay::json::document).collect();
        member(out, "replays", &replays, ",")?;
    }
    member(out, "notes", &difference.notes, "")?;
    writeln!(out, "}}")
}

/// The figures of all entries, with those of threads if there are any.
fn summary(difference: &Difference) -> Json {
    let mut summary = Figures::of_all(difference).document();
    threads::add_all_figures(&mut summary, difference);
    summary
}

/// The figures of an entry, or of all of them.
#[derive(Clone, Debug, Default)]
struct Figures {
    changed_nodes: usize,
    affected_nodes: usize,
    nodes: usize,
    path_conditions: usize,
    affected_paths: usize,
    errors: usize,
    states: u64,
    queries: u64,
    instructions: u64,
    solver_ms: f64,
    time_ms: f64,
    complete: bool,
    limits: Vec<LimitKind>,
    concretised: Vec<String>,
    abandoned_states: u64,
}

impl Figures {
    fn of(entry: &Entry) -> Self {
        let effort = &entry.run.effort;
        Self {
            changed_nodes: entry.changed_nodes,
            affected_nodes: entry.affected_nodes,
            nodes: entry.nodes,
            path_conditions: entry.run.paths.len(),
            affected_paths: entry.affected_count(),
            errors: entry.run.error_count(),
            states: effort.states,
            queries: effort.queries,
            instructions: effort.instructions,
            solver_ms: effort.solver_ms,
            time_ms: effort.time_ms,
            complete: entry.run.complete,
            limits: entry.run.limits.clone(),
            concretised: entry.run.concretised.clone(),
            abandoned_states: entry.run.abandoned_states,
        }
    }

    /// The sum of all entries, and the analysis before them.
    fn of_all(difference: &Difference) -> Self {
        let mut all = Self { time_ms: difference.analysis_ms, complete: true, ..Self::default() };
        for each in difference.entries.iter().map(Self::of) {
            all.changed_nodes += each.changed_nodes;
            all.affected_nodes += each.affected_nodes;
            all.nodes += each.nodes;
            all.path_conditions += each.path_conditions;
            all.affected_paths += each.affected_paths;
            all.errors += each.errors;
            all.states += each.states;
            all.queries += each.queries;
            all.instructions += each.instructions;
            all.solver_ms += each.solver_ms;
            all.time_ms += each.time_ms;
            all.complete &= each.complete;
            add_new(&mut all.limits, each.limits);
            add_new(&mut all.concretised, each.concretised);
            all.abandoned_states += each.abandoned_states;
        }
        all
    }

    fn document(&self) -> Json {
        json!({
            "changed_nodes": self.changed_nodes,
            "affected_nodes": self.affected_nodes,
            "nodes": self.nodes,
            "path_conditions": self.path_conditions,
            "affected_paths": self.affected_paths,
            "errors": self.errors,
            "states": self.states,
            "queries": self.queries,
            "instructions": self.instructions,
            "solver_ms": rounded(self.solver_ms),
            "time_ms": rounded(self.time_ms),
            "complete": self.complete,
            "limits": limits(&self.limits),
            "concretised": self.concretised,
            "abandoned_states": self.abandoned_states,
        })
    }
}

/// Adds what is not there yet.
fn add_new<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) {
    for each in more {
        if !all.contains(&each) {
            all.push(each);
        }
    }
}

fn entry(entry: &Entry) -> Json {
    let figures = Figures::of(entry);
    let mut summary = figures.document();
    if let Some(found) = &entry.threads {
        threads::add_figures(&mut summary, found);
    }
    let mut object = json!({"name": entry.run.program.entry, "summary": summary});
    if let Some(full) = &entry.full {
        object["compare"] = comparison(&figures, full);
    }
    if let Some(compared) = entry.threads.as_ref().and_then(threads::compared) {
        object["compare"] = compared;
    }
    object
}

/// The entries that were explored, each with its verdict, then those that were only compared.
fn entries(difference: &Difference) -> Vec<Json> {
    let comparisons = difference.verdicts.iter().flat_map(|verdicts| &verdicts.entries);
    let mut waiting: Vec<_> = comparisons.collect();
    let mut documents = Vec::new();
    for explored in &difference.entries {
        let mut document = entry(explored);
        let known = waiting.iter().position(|each| each.entry == explored.run.program.entry);
        if let (Some(index), Json::Object(object)) = (known, &mut document) {
            object.extend(verdict::json::one(waiting.remove(index)));
        }
        documents.push(document);
    }
    documents.extend(waiting.into_iter().map(verdict::json::named));
    documents
}

/// The comparison of all entries that have one.
fn compared(difference: &Difference) -> Option<Json> {
    let mut all = Full { complete: true, ..Full::default() };
    let mut any = false;
    for full in difference.entries.iter().filter_map(|entry| entry.full.as_ref()) {
        any = true;
        all.paths += full.paths;
        all.states += full.states;
        all.queries += full.queries;
        all.time_ms += full.time_ms;
        all.complete &= full.complete;
        add_new(&mut all.limits, full.limits.clone());
    }
    any.then(|| comparison(&Figures::of_all(difference), &all))
}

fn comparison(figures: &Figures, full: &Full) -> Json {
    let ratio = |part: f64, all: f64| if all > 0.0 { json!(rounded(part / all)) } else { Json::Null };
    json!({
        "full": {
            "path_conditions": full.paths,
            "states": full.states,
            "queries": full.queries,
            "time_ms": rounded(full.time_ms),
            "complete": full.complete,
            "limits": limits(&full.limits),
        },
        "ratios": {
            "path_conditions": ratio(figures.path_conditions as f64, full.paths as f64),
            "states": ratio(figures.states as f64, full.states as f64),
            "queries": ratio(figures.queries as f64, full.queries as f64),
            "time": ratio(figures.time_ms, full.time_ms),
        },
    })
}

fn path_conditions(name: &str, entries: &[Entry], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "  \"{name}\": [")?;
    let mut first = true;
    for entry in entries {
        for (path, change) in entry.run.paths.iter().zip(&entry.changes) {
            write!(out, "{}\n    ", if first { "" } else { "," })?;
            serde_json::to_writer(&mut *out, &path_condition(&entry.run.program.entry, path, change))?;
            first = false;
        }
    }
    writeln!(out, "{}],", if first { "" } else { "\n  " })
}

fn path_condition(entry: &str, path: &FoundPath, change: &PathChange) -> Json {
    let constraints = || path.condition.iter().zip(&change.constraints);
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| object.insert(key.to_owned(), value);
    put("entry", json!(entry));
    put("path", json!(path.id));
    put("condition", json!(condition(path)));
    let affected = constraints().filter(|&(_, &affected)| affected).map(|(each, _)| each.text.as_str());
    put("affected_constraints", affected.collect());
    let all = constraints().map(|(each, affected)| {
        json!({"text": each.text, "affected": affected, "location": place(each.place.as_ref())})
    });
    put("constraints", all.collect());
    put("inputs", path.inputs.as_ref().map_or(Json::Null, |inputs| input_values(inputs)));
    put("affected_sequence", spots(change.sequence.iter().map(|site| site.spot)));
    let functions = change.sequence.iter().map(|site| json!(site.function.as_deref().unwrap_or(entry)));
    put("affected_sequence_functions", functions.collect());
    put("affected", json!(change.affected));
    put("outcome", json!(path.outcome.name()));
    put("result", result(path));
    put("location", place(path.place.as_ref()));
    if let Some((key, detail)) = outcome_detail(&path.outcome) {
        put(key, detail);
    }
    put("stdout", json!(latin1(&path.stdout)));
    put("stderr", json!(latin1(&path.stderr)));
    put("indeterminate", json!(path.indeterminate));
    put("test", json!(change.test));
    if !path.schedule.is_empty() {
        put("schedule", crate::threads::json::schedule(&path.schedule));
    }
    Json::Object(object)
}

fn trace(difference: &Difference, out: &mut dyn Write) -> io::Result<()> {
    let rows = difference.entries.iter().flat_map(|entry| {
        let name = entry.run.program.entry.as_str();
        entry.trace.iter().map(move |row| trace_row(name, row))
    });
    member(out, "trace", &rows.collect::<Vec<Json>>(), ",")
}

fn trace_row(entry: &str, row: &TraceRow) -> Json {
    let set = |names: &[crate::Spot]| spots(names.iter().copied());
    json!({
        "entry": entry,
        "path": set(&row.path),
        "no_path": row.no_path,
        "ex_write": set(&row.explored_writes),
        "ex_cond": set(&row.explored_conditions),
        "unex_write": set(&row.unexplored_writes),
        "unex_cond": set(&row.unexplored_conditions),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AffectedSite, Constraint, ProgramIdentity, Run, Spot};

    fn entry_named(name: &str, limits: &[LimitKind]) -> Entry {
        let constraint = |text: &str| Constraint { text: text.to_owned(), place: None };
        let path = FoundPath {
            id: 1,
            condition: vec![constraint("a > 0"), constraint("b || c")],
            ..FoundPath::default()
        };
        let run = Run {
            program: ProgramIdentity { entry: name.to_owned(), ..ProgramIdentity::default() },
            paths: vec![path],
            limits: limits.to_vec(),
            complete: limits.is_empty(),
            ..Run::default()
        };
        let change = PathChange {
            affected: true,
            constraints: vec![false, true],
            sequence: [(None, 3), (Some("h".into()), 9), (None, 3)]
                .map(|(function, line)| AffectedSite { function, spot: Spot::Line(line) })
                .to_vec(),
            test: None,
        };
        Entry {
            run,
            changes: vec![change],
            changed_nodes: 1,
            affected_nodes: 2,
            nodes: 5,
            full: Some(Full { paths: 4, complete: true, ..Full::default() }),
            threads: None,
            trace: Vec::new(),
            cover: None,
        }
    }

    fn rendered(difference: &Difference) -> Json {
        let mut bytes = Vec::new();
        render(difference, &[], &mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    #[test]
    fn entries_are_summed_up_and_paths_name_theirs() {
        let entries =
            vec![entry_named("f", &[LimitKind::Time]), entry_named("g", &[LimitKind::Time, LimitKind::Loop])];
        let document = rendered(&Difference { entries, ..Difference::default() });
        let summary = &document["summary"];
        assert_eq!((&summary["changed_nodes"], &summary["affected_nodes"]), (&json!(2), &json!(4)));
        assert_eq!(
            (&summary["complete"], &summary["limits"]),
            (&json!(false), &json!(["max-time", "max-loop"]))
        );
        assert_eq!(document["entries"][1]["name"], "g");
        assert_eq!(document["entries"][1]["summary"]["path_conditions"], 1);
        assert_eq!(document["compare"]["ratios"]["path_conditions"], 0.25);
        assert_eq!(document["compare"]["ratios"]["states"], Json::Null, "nothing to divide by");
        let path = &document["path_conditions"][1];
        assert_eq!((&path["entry"], &path["condition"]), (&json!("g"), &json!("a > 0 && (b || c)")));
        assert_eq!(path["affected_constraints"], json!(["b || c"]));
        assert_eq!(path["affected_sequence"], json!([3, 9, 3]), "one for each visit");
        assert_eq!(path["affected_sequence_functions"], json!(["g", "h", "g"]));
        assert_eq!((document.get("trace"), document.get("old_path_conditions")), (None, None));
    }

    #[test]
    fn nothing_explored_is_complete() {
        let document = rendered(&Difference::default());
        assert_eq!(
            (&document["summary"]["complete"], &document["path_conditions"]),
            (&json!(true), &json!([]))
        );
    }
}
