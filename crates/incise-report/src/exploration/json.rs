//! A run as JSON, schema `incise-run/1`: see `docs/json.md`. Names are never changed within a version, only added.

use crate::json::value::{self as json_value, latin1, place};
use crate::json::{condition, input_values, limits, member, outcome_detail, program, result, rounded};
use crate::{Coverage, FoundPath, Replay, Run, Stage};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// The name and version of the schema.
pub const RUN_SCHEMA: &str = "incise-run/1";

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
    limits: Json,
    outcomes: Json,
    concretised: &'a [String],
    initial_values: &'a [String],
    taken: Json,
    bounds: Json,
    abandoned_states: u64,
    threads: u32,
    blocked: u64,
    races: usize,
    forks: u64,
    peak_states: u64,
    peak_memory: u64,
    solver_first_tenth_us: f64,
    solver_last_tenth_us: f64,
}

/// Writes the whole document: one line for each path, so that a million of them stay readable, and are never all in
/// memory once more. A replay of the run's tests, if there was one, is a part of it.
pub fn render(run: &Run, replay: Option<&Replay>, out: &mut dyn Write) -> io::Result<()> {
    let stages: Vec<_> = run.effort.stages.iter().map(stage).collect();
    writeln!(out, "{{\n  \"schema\": \"{RUN_SCHEMA}\",")?;
    member(out, "program", &program(&run.program), ",")?;
    member(out, "summary", &summary(run), ",")?;
    write!(out, "  \"paths\": [")?;
    for (index, each) in run.paths.iter().enumerate() {
        write!(out, "{}\n    ", if index == 0 { "" } else { "," })?;
        serde_json::to_writer(&mut *out, &path(each))?;
    }
    writeln!(out, "{}],", if run.paths.is_empty() { "" } else { "\n  " })?;
    member(out, "other_inputs", &run.others.iter().map(path).collect::<Vec<_>>(), ",")?;
    member(out, "races", &crate::threads::json::races(&run.races), ",")?;
    member(out, "coverage", &coverage(&run.coverage), ",")?;
    if let Some(replay) = replay {
        member(out, "replay", &crate::replay::json::document(replay), ",")?;
    }
    member(out, "stages", &stages, "")?;
    writeln!(out, "}}")
}

fn stage(stage: &Stage) -> Json {
    json!({"name": stage.name, "asked": stage.asked, "answered": stage.answered, "time_ms": rounded(stage.time_ms)})
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
        limits: limits(&run.limits),
        outcomes: outcome_counts(run),
        concretised: &run.concretised,
        initial_values: &run.initial,
        taken: crate::verdict::json::taken(&run.taken),
        bounds: json!(crate::verdict::json::bound_list(&run.bounds)),
        abandoned_states: run.abandoned_states,
        threads: run.threads,
        blocked: run.blocked,
        races: run.races.len(),
        forks: run.effort.forks,
        peak_states: run.effort.peak_states,
        peak_memory: run.effort.peak_memory,
        solver_first_tenth_us: rounded(run.effort.tenths_us.0),
        solver_last_tenth_us: rounded(run.effort.tenths_us.1),
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

fn path(path: &FoundPath) -> Json {
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| object.insert(key.to_owned(), value);
    put("id", json!(path.id));
    put("outcome", json!(path.outcome.name()));
    put("condition", json!(condition(path)));
    put("inputs", path.inputs.as_ref().map_or(Json::Null, |inputs| input_values(inputs)));
    put("result", result(path));
    put("location", place(path.place.as_ref()));
    if let Some((key, detail)) = outcome_detail(&path.outcome) {
        put(key, detail);
    }
    let stack = path
        .stack
        .iter()
        .map(|frame| json!({"function": frame.function, "location": place(frame.place.as_ref())}));
    put("stack", stack.collect());
    let finals = path.finals.iter().map(|each| {
        json!({"name": each.name, "origin": json_value::origin(&each.origin), "value": json_value::value(&each.observed.value)})
    });
    put("finals", finals.collect());
    put("stdout", json!(latin1(&path.stdout)));
    put("stderr", json!(latin1(&path.stderr)));
    put("indeterminate", json!(path.indeterminate));
    put("decisions", json!(path.decisions));
    put("instructions", json!(path.instructions));
    if !path.schedule.is_empty() {
        put("schedule", crate::threads::json::schedule(&path.schedule));
    }
    Json::Object(object)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Constraint, ErrorKind, Input, LimitKind, Observed, Origin, Outcome, Place, ProgramError, Value,
    };

    fn example() -> Run {
        let constraint = |text: &str| Constraint { text: text.to_owned(), place: None };
        let input = |name: &str, value| Input {
            name: name.to_owned(),
            origin: Origin::Klee,
            bytes: vec![0],
            pointers: Vec::new(),
            value,
        };
        let failing = FoundPath {
            id: 1,
            outcome: Outcome::Error(ProgramError {
                kind: ErrorKind::Abort,
                message: "abort is called".to_owned(),
            }),
            place: Some(Place { file: "a.c".to_owned(), line: 3, column: 0 }),
            condition: vec![constraint("x < 3"), constraint("x == 1 || y")],
            inputs: Some(vec![input("x", Value::Signed(1)), input("x", Value::Signed(2))]),
            ..FoundPath::default()
        };
        let returning = FoundPath {
            id: 2,
            result: Some(Observed::new(vec![7], vec![true], Value::Unsigned(7))),
            ..FoundPath::default()
        };
        Run { paths: vec![failing, returning], limits: vec![LimitKind::Time], ..Run::default() }
    }

    fn rendered(run: &Run) -> Json {
        let mut bytes = Vec::new();
        render(run, Some(&Replay::default()), &mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    #[test]
    fn the_document_is_json_with_the_fixed_names() {
        let document = rendered(&example());
        assert_eq!(document["schema"], "incise-run/1");
        assert_eq!(document["replay"]["schema"], "incise-replay/1");
        assert_eq!(document["summary"]["paths"], 2);
        assert_eq!(document["summary"]["errors"], 1);
        assert_eq!(document["summary"]["limits"], json!(["max-time"]));
        assert_eq!(document["summary"]["outcomes"], json!({"error": 1, "returned": 1}));
        let failing = &document["paths"][0];
        assert_eq!(failing["condition"], "x < 3 && (x == 1 || y)");
        assert_eq!(failing["inputs"], json!({"x": 1, "x_1": 2}));
        assert_eq!(failing["location"], json!({"file": "a.c", "line": 3, "column": 0}));
        assert_eq!(failing["error"]["kind"], "abort");
        let returning = &document["paths"][1];
        assert_eq!((&returning["result"], &returning["condition"]), (&json!(7), &json!("1")));
        assert_eq!((&returning["inputs"], &returning["location"]), (&Json::Null, &Json::Null));
    }

    #[test]
    fn a_run_without_paths_is_json_too() {
        assert_eq!(rendered(&Run::default())["paths"], json!([]));
    }
}
