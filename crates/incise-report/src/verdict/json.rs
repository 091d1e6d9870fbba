//! Verdicts as JSON, a part of schema `incise-diff/1`: see `docs/json.md`.

use crate::json::value::{latin1, place, unused_key, value};
use crate::json::{input_values, outcome_detail, result, rounded};
use crate::verdict::{
    ComparedThreads, Comparison, ErrorChange, NotPassed, Only, RaceChange, Sameness, Verdicts, Witness,
};
use crate::{FoundPath, Frame, Outcome};
use serde_json::{Map, Value as Json, json};

/// What the document says of the whole.
pub(crate) fn whole(verdicts: &Verdicts) -> Map<String, Json> {
    let entries = &verdicts.entries;
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| object.insert(key.to_owned(), value);
    put("verdict", json!(verdicts.sameness().name()));
    put("confirmed", json!(!verdicts.is_unconfirmed()));
    let each = |of: fn(&Comparison) -> Json| -> Vec<Json> {
        entries.iter().flat_map(|entry| of(entry).as_array().cloned().unwrap_or_default()).collect()
    };
    put("differences", json!(each(differences)));
    let errors = |of: fn(&Comparison) -> &Vec<ErrorChange>| -> Vec<Json> {
        entries.iter().flat_map(|entry| of(entry).iter().map(|error| error_change(entry, error))).collect()
    };
    put(
        "errors",
        json!({
            "introduced": errors(|entry| &entry.introduced),
            "fixed": errors(|entry| &entry.fixed),
            "preexisting": errors(|entry| &entry.preexisting),
        }),
    );
    put("bounds", json!(distinct(entries.iter().flat_map(bounds))));
    let reasons = entries.iter().flat_map(|entry| entry.reasons.iter().map(|reason| json!(reason)));
    put("reasons", json!(distinct(verdicts.reasons.iter().map(|reason| json!(reason)).chain(reasons))));
    put("changed_functions", verdicts.below.iter().map(named).collect());
    object
}

/// A comparison with the names of its function.
pub(crate) fn named(comparison: &Comparison) -> Json {
    let mut object = Map::from_iter([("name".to_owned(), json!(comparison.entry))]);
    object.extend(one(comparison));
    Json::Object(object)
}

/// What the document says of one comparison.
pub(crate) fn one(comparison: &Comparison) -> Map<String, Json> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| object.insert(key.to_owned(), value);
    if comparison.old_entry != comparison.entry {
        put("old_name", json!(comparison.old_entry));
    }
    put("verdict", json!(comparison.sameness.name()));
    put("confirmed", json!(!comparison.is_unconfirmed()));
    put("differences", differences(comparison));
    let errors = |errors: &[ErrorChange]| -> Json {
        errors.iter().map(|error| error_change(comparison, error)).collect()
    };
    put(
        "errors",
        json!({
            "introduced": errors(&comparison.introduced),
            "fixed": errors(&comparison.fixed),
            "preexisting": errors(&comparison.preexisting),
        }),
    );
    put("bounds", json!(bounds(comparison)));
    put("taken", taken(&comparison.taken));
    put("as_taken", json!(comparison.is_as_taken()));
    put("invalid", errors(&comparison.invalid));
    if let Some(others) = &comparison.others {
        let differences: Json = others.differences.iter().map(|each| difference(comparison, each)).collect();
        put(
            "other_inputs",
            json!({
                "differences": differences,
                "introduced": errors(&others.introduced),
                "fixed": errors(&others.fixed),
                "complete": others.complete,
            }),
        );
    }
    if let Some(threads) = &comparison.threads {
        put("threads", compared_threads(threads));
    }
    put("reasons", json!(comparison.reasons));
    put("verdict_notes", json!(comparison.notes));
    if !comparison.composed.is_empty() {
        put("composed_of", json!(comparison.composed));
    }
    if comparison.unchanged {
        put("unchanged", json!(true));
    }
    if let Some(NotPassed { callers, errors_only }) = &comparison.not_passed {
        put("not_passed_by", json!({"callers": callers, "errors_only": errors_only}));
    }
    put("partial", json!(comparison.partial));
    let (pairs, effort) = (&comparison.pairs, &comparison.effort);
    put(
        "compared",
        json!({
            "pairs": pairs.all(),
            "identical": pairs.identical,
            "proved": pairs.proved,
            "differing": pairs.differing,
            "unasked": pairs.unasked,
            "open": pairs.open,
            "paths": effort.paths,
            "states": effort.states,
            "instructions": effort.instructions,
            "queries": effort.queries,
            "time_ms": rounded(effort.time_ms),
            "complete": comparison.sameness == Sameness::Same,
        }),
    );
    object
}

/// Each value once, in the order of their first occurrences.
fn distinct(values: impl Iterator<Item = Json>) -> Vec<Json> {
    let mut found = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

fn bounds(comparison: &Comparison) -> Vec<Json> {
    bound_list(&comparison.bounds)
}

/// Limits, and how far they go.
pub(crate) fn bound_list(bounds: &[crate::verdict::Bound]) -> Vec<Json> {
    let bound = |bound: &crate::verdict::Bound| {
        let mut object = json!({"limit": bound.limit.name(), "value": bound.value});
        if let Some(input) = &bound.input {
            object["input"] = json!(input);
        }
        if let Some(unit) = bound.unit {
            object["unit"] = json!(unit.name());
        }
        object
    };
    bounds.iter().map(bound).collect()
}

/// What inputs were taken to be.
pub(crate) fn taken(taken: &[crate::verdict::TakenInput]) -> Json {
    let fact = |taken: &crate::verdict::TakenInput| {
        json!({
            "input": taken.input,
            "kind": taken.kind,
            "words": taken.words,
            "because": taken.because,
            "source": taken.source,
            "location": place(taken.place.as_ref()),
            "restricts": taken.restricts,
        })
    };
    taken.iter().map(fact).collect()
}

fn differences(comparison: &Comparison) -> Json {
    comparison.differences.iter().map(|witness| difference(comparison, witness)).collect()
}

fn difference(comparison: &Comparison, witness: &Witness) -> Json {
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| object.insert(key.to_owned(), value);
    put("entry", json!(comparison.entry));
    let inputs = |path: &FoundPath| path.inputs.as_ref().map_or(Json::Null, |inputs| input_values(inputs));
    let (new, old) = (inputs(&witness.new), inputs(&witness.old));
    if old != new {
        put("old_inputs", old);
    }
    put("inputs", new);
    put("old", behaviour(witness, &witness.old, |value| &value.old));
    put("new", behaviour(witness, &witness.new, |value| &value.new));
    let names: Vec<&str> = witness.values.iter().map(|value| value.kind.name()).collect();
    put("observed", json!(distinct(names.into_iter().map(|name| json!(name)))));
    put("location", place(witness.place.as_ref()));
    put("group", json!(witness.group));
    put("endless", json!(witness.endless));
    put("indeterminate", json!(witness.indeterminate));
    put("special", json!(witness.special.map(crate::verdict::Special::name)));
    put("replayed", json!(witness.replayed));
    if let Some(note) = &witness.replay_note {
        put("replay_note", json!(note));
    }
    if let Some(only) = &witness.only {
        let of = if only.new { &witness.new } else { &witness.old };
        put("only", only_in(only));
        put("schedule", crate::threads::json::schedule(&of.schedule));
    }
    Json::Object(object)
}

/// What one version does: how it ends, and what it leaves of that which differs.
fn behaviour(
    witness: &Witness,
    path: &FoundPath,
    of: impl Fn(&crate::verdict::ChangedValue) -> &crate::Value,
) -> Json {
    let mut object = Map::new();
    object.insert("outcome".to_owned(), json!(path.outcome.name()));
    object.insert("result".to_owned(), result(path));
    if let Some((key, detail)) = outcome_detail(&path.outcome) {
        object.insert(key.to_owned(), detail);
    }
    object.insert("location".to_owned(), place(path.place.as_ref().filter(|_| ends_inside(&path.outcome))));
    let mut values = Map::new();
    for changed in &witness.values {
        let name = if changed.name.is_empty() { changed.kind.name() } else { &changed.name }.to_owned();
        values.insert(unused_key(&values, name), value(of(changed)));
    }
    object.insert("values".to_owned(), Json::Object(values));
    object.insert("stdout".to_owned(), json!(latin1(&path.stdout)));
    object.insert("stderr".to_owned(), json!(latin1(&path.stderr)));
    Json::Object(object)
}

/// Where a path ended tells something if it did not just return.
fn ends_inside(outcome: &Outcome) -> bool {
    !matches!(outcome, Outcome::Returned)
}

fn error_change(comparison: &Comparison, error: &ErrorChange) -> Json {
    let stack = |frame: &Frame| json!({"function": frame.function, "location": place(frame.place.as_ref())});
    let inputs = error.witness.new.inputs.as_ref().or(error.witness.old.inputs.as_ref());
    let mut object = json!({
        "entry": comparison.entry,
        "kind": error.kind.name(),
        "message": error.message,
        "location": place(error.place.as_ref()),
        "stack": error.stack.iter().map(stack).collect::<Vec<_>>(),
        "inputs": inputs.map_or(Json::Null, |inputs| input_values(inputs)),
        "replayed": error.witness.replayed,
    });
    if let Some(only) = &error.witness.only {
        let of = if only.new { &error.witness.new } else { &error.witness.old };
        object["only"] = only_in(only);
        object["schedule"] = crate::threads::json::schedule(&of.schedule);
    }
    object
}

/// Which version can end so, and what is known of the other.
fn only_in(only: &Only) -> Json {
    json!({
        "version": only.version(),
        "other_executions": only.executions,
        "other_outcomes": only.outcomes,
    })
}

/// What was compared of threads.
fn compared_threads(threads: &ComparedThreads) -> Json {
    let races = |changes: &[RaceChange]| -> Json {
        let races: Vec<crate::Race> = changes.iter().map(|change| change.race.clone()).collect();
        let mut documents = crate::threads::json::races(&races);
        for (document, change) in documents.as_array_mut().into_iter().flatten().zip(changes) {
            document["replayed"] = json!(change.replayed);
            if let Some(note) = &change.replay_note {
                document["replay_note"] = json!(note);
            }
        }
        documents
    };
    let both = |(old, new): (u64, u64)| json!({"old": old, "new": new});
    json!({
        "executions": both(threads.executions),
        "outcomes": both(threads.outcomes),
        "races": {
            "introduced": races(&threads.introduced),
            "fixed": races(&threads.fixed),
            "preexisting": races(&threads.preexisting),
        },
    })
}
