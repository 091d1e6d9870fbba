//! A run as JSON, schema `incise-run/1`: see `docs/json.md`. Names are never changed within a version, only added.

use crate::json_value::{self, latin1, place, unused_key};
use crate::{Coverage, Outcome, Path, Run};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json, json};
use std::io::Write;

/// The name and version of the schema.
pub const RUN_SCHEMA: &str = "incise-run/1";

#[derive(Serialize)]
struct RunDocument<'a> {
    schema: &'static str,
    program: ProgramDocument<'a>,
    summary: Summary<'a>,
    #[serde(serialize_with = "paths")]
    paths: &'a [Path],
    coverage: Json,
    stages: Vec<Json>,
}

#[derive(Serialize)]
struct ProgramDocument<'a> {
    files: &'a [String],
    flags: &'a [String],
    entry: &'a str,
    hash: &'a str,
}

#[derive(Serialize)]
struct Summary<'a> {
    paths: usize,
    errors: usize,
    states: u64,
    instructions: u64,
    queries: u64,
    solver_ms: f64,
    time_ms: f64,
    complete: bool,
    limits: &'a [String],
    outcomes: Json,
    concretised: &'a [String],
    abandoned_states: u64,
    forks: u64,
    peak_states: u64,
    peak_memory: u64,
}

/// Writes the whole document, with a line feed at its end.
pub fn render(run: &Run, out: &mut dyn Write) -> std::io::Result<()> {
    let document = RunDocument {
        schema: RUN_SCHEMA,
        program: ProgramDocument {
            files: &run.program.files,
            flags: &run.program.flags,
            entry: &run.program.entry,
            hash: &run.program.hash,
        },
        summary: summary(run),
        paths: &run.paths,
        coverage: coverage(&run.coverage),
        stages: run
            .effort
            .stages
            .iter()
            .map(|stage| {
                json!({"name": stage.name, "asked": stage.asked, "answered": stage.answered,
                       "time_ms": rounded(stage.time_ms)})
            })
            .collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

/// Path after path, so that a million of them are not all in memory once more.
fn paths<S: Serializer>(paths: &[Path], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(path))
}

fn summary(run: &Run) -> Summary<'_> {
    Summary {
        paths: run.paths.len(),
        errors: run.error_count(),
        states: run.effort.states,
        instructions: run.effort.instructions,
        queries: run.effort.queries,
        solver_ms: rounded(run.effort.solver_ms),
        time_ms: rounded(run.effort.time_ms),
        complete: run.complete,
        limits: &run.limits,
        outcomes: outcome_counts(run),
        concretised: &run.concretised,
        abandoned_states: run.abandoned_states,
        forks: run.effort.forks,
        peak_states: run.effort.peak_states,
        peak_memory: run.effort.peak_memory,
    }
}

fn outcome_counts(run: &Run) -> Json {
    let mut counts = Map::new();
    for path in &run.paths {
        let count = counts.entry(path.outcome.name()).or_insert(json!(0));
        *count = json!(count.as_u64().unwrap_or(0) + 1);
    }
    counts.sort_keys();
    Json::Object(counts)
}

/// Milliseconds with three digits behind the point.
fn rounded(milliseconds: f64) -> f64 {
    (milliseconds * 1000.0).round() / 1000.0
}

fn path(path: &Path) -> Json {
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| object.insert(key.to_owned(), value);
    put("id", json!(path.id));
    put("outcome", json!(path.outcome.name()));
    put("condition", json!(condition(path)));
    put("inputs", path.inputs.as_ref().map_or(Json::Null, |inputs| input_values(inputs)));
    put("result", result(path));
    put("location", place(path.place.as_ref()));
    match &path.outcome {
        Outcome::Error { kind, message } => {
            put("error", json!({"kind": kind, "message": message}));
        }
        Outcome::Exited { status } => {
            put("exit_status", json!(status));
        }
        Outcome::External { function } => {
            put("reason", json!(format!("call of {function}, which has neither a body nor a model")));
        }
        Outcome::Unsupported(reason) | Outcome::Limit(reason) | Outcome::Undecided(reason) => {
            put("reason", json!(reason));
        }
        Outcome::Returned | Outcome::Pruned => {}
    }
    let stack = path
        .stack
        .iter()
        .map(|frame| json!({"function": frame.function, "location": place(frame.place.as_ref())}));
    put("stack", stack.collect());
    let constraints =
        path.condition.iter().map(|each| json!({"text": each.text, "location": place(each.place.as_ref())}));
    put("constraints", constraints.collect());
    let finals = path.finals.iter().map(|each| {
        json!({"name": each.name, "origin": json_value::origin(&each.origin), "value": json_value::value(&each.observed.value)})
    });
    put("finals", finals.collect());
    put("stdout", json!(latin1(&path.stdout)));
    put("stderr", json!(latin1(&path.stderr)));
    put("indeterminate", json!(path.indeterminate));
    put("decisions", json!(path.decisions));
    put("instructions", json!(path.instructions));
    Json::Object(object)
}

/// The path condition as one C expression.
pub fn condition(path: &Path) -> String {
    match path.condition.as_slice() {
        [] => "1".to_owned(),
        [only] => only.text.clone(),
        several => {
            let parts: Vec<_> = several.iter().map(|each| parenthesised(&each.text)).collect();
            parts.join(" && ")
        }
    }
}

/// Operators that bind weaker than `&&` need parentheses.
fn parenthesised(text: &str) -> String {
    if text.contains("||") || text.contains('?') || text.contains(" = ") {
        format!("({text})")
    } else {
        text.to_owned()
    }
}

fn input_values(inputs: &[crate::Input]) -> Json {
    let mut object = Map::new();
    for input in inputs {
        object.insert(unused_key(&object, input.name.clone()), json_value::value(&input.value));
    }
    Json::Object(object)
}

fn result(path: &Path) -> Json {
    match (&path.result, &path.outcome) {
        (Some(result), _) => json_value::value(&result.value),
        (None, Outcome::Exited { status }) => json!(status),
        (None, _) => Json::Null,
    }
}

fn coverage(coverage: &Coverage) -> Json {
    let (lines, all_lines) = coverage.line_counts();
    let (branches, all_branches) = coverage.branch_counts();
    let files = coverage.lines.iter().map(|(file, lines)| {
        let with = |wanted: bool| -> Vec<u32> {
            lines.iter().filter(|&(_, &hit)| hit == wanted).map(|(&line, _)| line).collect()
        };
        let branches = coverage.branches.iter().filter(|(place, _)| place.file == *file).map(
            |(place, taken)| json!({"line": place.line, "column": place.column, "taken": taken}),
        );
        json!({"file": file, "covered": with(true), "missed": with(false), "branches": branches.collect::<Vec<_>>()})
    });
    json!({
        "lines": {"covered": lines, "total": all_lines},
        "branches": {"covered": branches, "total": all_branches},
        "files": files.collect::<Vec<_>>(),
    })
}
