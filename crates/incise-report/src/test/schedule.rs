//! The schedule of a test as JSON.

use crate::test::json::PlaceDocument;
use crate::{Place, Schedule, ScheduleStep, Site};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct ScheduleDocument {
    first: Vec<u32>,
    steps: Vec<StepDocument>,
    left: Vec<LeftDocument>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    race: bool,
}

#[derive(Serialize, Deserialize)]
struct StepDocument {
    thread: u32,
    event: String,
    #[serde(flatten)]
    site: SiteDocument,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    location: Option<PlaceDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    object: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    starts: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    wakes: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
struct LeftDocument {
    thread: u32,
    #[serde(flatten)]
    site: SiteDocument,
}

/// An instruction; of a step that is nowhere, as the return of the entry, there is none.
#[derive(Serialize, Deserialize)]
struct SiteDocument {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    #[serde(default, skip_serializing_if = "is_zero")]
    same_named: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    instruction: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    goes_on: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl SiteDocument {
    fn of(site: Option<&Site>) -> Self {
        let function = site.map(|site| site.function.clone());
        let Site { same_named, instruction, goes_on, .. } = site.cloned().unwrap_or_default();
        Self { function, same_named, instruction, goes_on }
    }

    fn read(self) -> Option<Site> {
        let Self { function, same_named, instruction, goes_on } = self;
        Some(Site { function: function?, same_named, instruction, goes_on })
    }
}

impl ScheduleDocument {
    pub(crate) fn of(schedule: &Schedule) -> Self {
        let step = |step: &ScheduleStep| StepDocument {
            thread: step.thread,
            event: step.event.clone(),
            site: SiteDocument::of(step.site.as_ref()),
            location: step.place.as_ref().map(PlaceDocument::from),
            object: step.object.clone(),
            starts: step.starts.clone(),
            wakes: step.wakes.clone(),
        };
        let left = |(thread, site): &(u32, Site)| LeftDocument {
            thread: *thread,
            site: SiteDocument::of(Some(site)),
        };
        Self {
            first: schedule.first.clone(),
            steps: schedule.steps.iter().map(step).collect(),
            left: schedule.left.iter().map(left).collect(),
            race: schedule.race,
        }
    }

    pub(crate) fn read(self) -> Schedule {
        let step = |(index, step): (usize, StepDocument)| ScheduleStep {
            thread: step.thread,
            place: step.location.map(Place::from),
            event: step.event,
            object: step.object,
            starts: step.starts,
            wakes: step.wakes,
            turn: index as u32 + 1,
            site: step.site.read(),
            ..ScheduleStep::default()
        };
        let left = |left: LeftDocument| Some((left.thread, left.site.read()?));
        Schedule {
            first: self.first,
            steps: self.steps.into_iter().enumerate().map(step).collect(),
            left: self.left.into_iter().filter_map(left).collect(),
            race: self.race,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_survives_both_ways() {
        let site = |function: &str, instruction| Site {
            function: function.to_owned(),
            instruction,
            ..Site::default()
        };
        let step = |turn, site| ScheduleStep {
            thread: turn % 2,
            turn,
            event: "write".to_owned(),
            object: Some("'x'".to_owned()),
            place: (turn == 1).then(|| Place { file: "a.c".to_owned(), line: 3, column: 1 }),
            starts: vec![2; turn as usize - 1],
            site,
            ..ScheduleStep::default()
        };
        let schedule = Schedule {
            first: vec![1],
            steps: vec![step(1, Some(site("f", 0))), step(2, None)],
            left: vec![(1, Site { goes_on: true, same_named: 1, ..site("main", 7) })],
            race: true,
        };
        let text = crate::json::lines::to_member(&ScheduleDocument::of(&schedule)).unwrap();
        let read: ScheduleDocument = serde_json::from_str(&text).unwrap();
        assert_eq!(read.read(), schedule);
        // Each step is on a line of its own.
        assert_eq!(text.lines().filter(|line| line.contains("\"thread\"")).count(), 3, "{text}");
    }
}
