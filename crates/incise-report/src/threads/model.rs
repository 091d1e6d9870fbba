//! Schedules and data races, as plain data.

use crate::{Frame, Place};

/// What a thread did that others can see.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScheduleStep {
    /// The thread, from 0; the first is the one of the entry.
    pub thread: u32,
    /// The number of the step among those of its thread, from 1.
    pub number: u32,
    /// Where in the source.
    pub place: Option<Place>,
    /// What was done: a stable name.
    pub event: String,
    /// To what.
    pub object: Option<String>,
    /// How many bytes.
    pub size: u64,
    /// What was read or written.
    pub value: Option<String>,
    /// The threads that were started.
    pub starts: Vec<u32>,
}

/// One of the two accesses of a data race.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RaceAccess {
    /// The thread.
    pub thread: u32,
    /// What it does: a stable name.
    pub event: String,
    /// Where.
    pub place: Option<Place>,
    /// The bytes.
    pub size: u64,
    /// Whether it is atomic.
    pub atomic: bool,
    /// The active functions, innermost first.
    pub stack: Vec<Frame>,
    /// The locks that the thread holds.
    pub locks: Vec<String>,
}

/// Two accesses that nothing orders, and of which one writes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Race {
    /// To what.
    pub object: String,
    /// Both, in the order of the schedule.
    pub accesses: Vec<RaceAccess>,
    /// How it came to it.
    pub schedule: Vec<ScheduleStep>,
}
