//! Schedules and data races.

use crate::path::place;
use incise_exec::{Race, RaceAccess, StackFrame, Step};
use incise_report::{Frame, ScheduleStep, Site};

/// A step of a schedule.
pub(crate) fn step(step: Step) -> ScheduleStep {
    ScheduleStep {
        thread: step.thread,
        number: step.number,
        place: step.position.as_ref().map(place),
        event: step.kind.name().to_owned(),
        object: step.object.map(|object| object.to_string()),
        size: step.size,
        value: step.value,
        starts: step.starts,
        wakes: step.wakes,
        turn: step.turn,
        site: step.site.map(site),
    }
}

/// An instruction.
pub(crate) fn site(site: incise_exec::Site) -> Site {
    let incise_exec::Site { function, same_named, instruction, goes_on } = site;
    Site { function, same_named, instruction, goes_on }
}

/// Where threads stand.
pub(crate) fn left(threads: Vec<(u32, incise_exec::Site)>) -> Vec<(u32, Site)> {
    threads.into_iter().map(|(thread, at)| (thread, site(at))).collect()
}

/// A data race.
pub fn race(race: Race) -> incise_report::Race {
    incise_report::Race {
        object: race.object.to_string(),
        accesses: race.accesses.into_iter().map(access).collect(),
        schedule: race.schedule.into_iter().map(step).collect(),
        first: race.first,
        left: left(race.left),
        adjacent: race.adjacent,
        inputs: race.inputs.map(|inputs| inputs.into_iter().map(crate::path::input).collect()),
    }
}

fn access(access: RaceAccess) -> incise_report::RaceAccess {
    let frame =
        |frame: StackFrame| Frame { function: frame.function, place: frame.position.as_ref().map(place) };
    incise_report::RaceAccess {
        thread: access.thread,
        event: access.kind.name().to_owned(),
        place: access.position.as_ref().map(place),
        size: access.size,
        atomic: access.atomic,
        stack: access.stack.into_iter().map(frame).collect(),
        locks: access.locks,
    }
}
