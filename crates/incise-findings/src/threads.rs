//! Schedules and data races.

use crate::path::place;
use incise_exec::{Race, RaceAccess, StackFrame, Step};
use incise_report::{Frame, ScheduleStep};

/// A step of a schedule.
pub(crate) fn step(step: Step) -> ScheduleStep {
    ScheduleStep {
        thread: step.thread,
        number: step.number,
        place: step.position.as_ref().map(place),
        event: step.kind.name().to_owned(),
        object: step.object,
        size: step.size,
        value: step.value,
        starts: step.starts,
    }
}

/// A data race.
pub(crate) fn race(race: Race) -> incise_report::Race {
    incise_report::Race {
        object: race.object,
        accesses: race.accesses.into_iter().map(access).collect(),
        schedule: race.schedule.into_iter().map(step).collect(),
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
