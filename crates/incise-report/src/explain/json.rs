//! An explanation as JSON, schema `incise-explain/1`: see `docs/json.md`. Names are never changed within a version,
//! only added.

use crate::explain::{Aspect, Behaviour, BothBehaviours, Cause, ConstraintCounts, Explanation, Nearby};
use crate::impact::json::version;
use crate::json::value::{latin1, place, unused_key, value};
use crate::json::{input_values, member, outcome_detail, result};
use crate::{Place, ReplayedTest, Value};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// The name and version of the schema.
pub const EXPLAIN_SCHEMA: &str = "incise-explain/1";

/// Writes the whole document.
pub fn render(explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{{\n  \"schema\": \"{EXPLAIN_SCHEMA}\",")?;
    member(out, "old", &version(&explanation.old), ",")?;
    member(out, "new", &version(&explanation.new), ",")?;
    member(out, "entry", &explanation.entry, ",")?;
    member(out, "test", &explanation.test, ",")?;
    member(out, "verdict", &explanation.verdict().name(), ",")?;
    member(out, "behaviour", &both(&explanation.behaviour), ",")?;
    write!(out, "  \"causes\": [")?;
    for (index, each) in explanation.causes.iter().enumerate() {
        write!(out, "{}\n    ", if index == 0 { "" } else { "," })?;
        serde_json::to_writer(&mut *out, &cause(index + 1, each))?;
    }
    writeln!(out, "{}],", if explanation.causes.is_empty() { "" } else { "\n  " })?;
    let agreeing = explanation.agreeing.as_ref().map_or(Json::Null, nearby);
    member(out, "agreeing", &agreeing, ",")?;
    let places = |places: &[Place]| places.iter().map(|each| place(Some(each))).collect::<Json>();
    let statements =
        json!({"old": places(&explanation.changed_old), "new": places(&explanation.changed_new)});
    member(out, "changed_statements", &statements, ",")?;
    let counts = json!({
        "restricted": explanation.restricted,
        "old": constraints(explanation.constraints_old),
        "new": constraints(explanation.constraints_new),
    });
    member(out, "constraints", &counts, ",")?;
    let undecided: Json =
        explanation.undecided.iter().map(|(why, count)| json!({"reason": why, "count": count})).collect();
    member(out, "undecided", &undecided, ",")?;
    member(out, "taken", &crate::verdict::json::taken(&explanation.taken), ",")?;
    member(out, "notes", &explanation.notes, "")?;
    writeln!(out, "}}")
}

fn constraints(counts: ConstraintCounts) -> Json {
    json!({"all": counts.all, "affected": counts.affected, "looked_at": counts.asked})
}

fn cause(rank: usize, cause: &Cause) -> Json {
    json!({
        "rank": rank,
        "version": if cause.in_new { "new" } else { "old" },
        "function": cause.function,
        "location": place(cause.constraint.place.as_ref()),
        "condition": cause.constraint.text,
        "occurrences": cause.occurrences,
        "changed": cause.changed_statement,
        "removed": cause.removed,
        "parts": cause.parts,
        "nearby": nearby(&cause.nearby),
    })
}

fn nearby(nearby: &Nearby) -> Json {
    let mut object = both(&nearby.behaviour);
    object["changed_inputs"] = values(&nearby.changed);
    object
}

fn both(both: &BothBehaviours) -> Json {
    let inputs: Vec<_> = both.inputs().into_iter().cloned().collect();
    json!({
        "inputs": input_values(&inputs),
        "same": both.is_same(),
        "differences": both.differences.iter().map(aspect).collect::<Json>(),
        "old": behaviour(&both.old),
        "new": behaviour(&both.new),
    })
}

fn aspect(aspect: &Aspect) -> Json {
    match aspect {
        Aspect::Ending => json!("ending"),
        Aspect::Result => json!("result"),
        Aspect::Value(name) => json!({"value": name}),
        Aspect::Stdout => json!("stdout"),
        Aspect::Stderr => json!("stderr"),
    }
}

fn behaviour(behaviour: &Behaviour) -> Json {
    let path = &behaviour.path;
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| object.insert(key.to_owned(), value);
    put("outcome", json!(if behaviour.assumed_away { "assumed-away" } else { path.outcome.name() }));
    put("result", result(path));
    put("location", place(path.place.as_ref()));
    if let Some((key, detail)) = outcome_detail(&path.outcome) {
        put(key, detail);
    }
    put("values", values(&behaviour.values));
    put("stdout", json!(latin1(&path.stdout)));
    put("stderr", json!(latin1(&path.stderr)));
    put("indeterminate", json!(path.indeterminate));
    put("replay", behaviour.replay.as_ref().map_or(Json::Null, replay));
    Json::Object(object)
}

fn replay(replay: &ReplayedTest) -> Json {
    json!({"verdict": replay.verdict.name(), "predicted": replay.predicted, "actual": replay.actual, "notes": replay.notes})
}

fn values(values: &[(String, Value)]) -> Json {
    let mut object = Map::new();
    for (name, each) in values {
        object.insert(unused_key(&object, name.clone()), value(each));
    }
    Json::Object(object)
}
