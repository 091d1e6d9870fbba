//! Schedules and data races as JSON: parts of `incise-run/1`.

use super::{Race, ScheduleStep};
use crate::json::value::place;
use serde_json::{Map, Value as Json, json};

/// What threads did, in the order of the schedule.
pub fn schedule(steps: &[ScheduleStep]) -> Json {
    let step = |step: &ScheduleStep| {
        let mut object = Map::new();
        let mut put = |key: &str, value: Json| object.insert(key.to_owned(), value);
        put("thread", json!(step.thread));
        put("number", json!(step.number));
        put("location", place(step.place.as_ref()));
        put("event", json!(step.event));
        put("object", json!(step.object));
        put("size", json!(step.size));
        put("value", json!(step.value));
        put("starts", json!(step.starts));
        Json::Object(object)
    };
    steps.iter().map(step).collect()
}

/// Data races.
pub fn races(races: &[Race]) -> Json {
    let race = |race: &Race| {
        let accesses = race.accesses.iter().map(|access| {
            let stack = access
                .stack
                .iter()
                .map(|frame| json!({"function": frame.function, "location": place(frame.place.as_ref())}));
            json!({
                "thread": access.thread,
                "event": access.event,
                "location": place(access.place.as_ref()),
                "size": access.size,
                "atomic": access.atomic,
                "stack": stack.collect::<Vec<_>>(),
                "locks": access.locks,
            })
        });
        json!({
            "object": race.object,
            "accesses": accesses.collect::<Vec<_>>(),
            "schedule": schedule(&race.schedule),
        })
    };
    races.iter().map(race).collect()
}
