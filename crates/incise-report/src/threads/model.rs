//! Schedules and data races, as plain data.

use crate::{Frame, Input, Place};
use serde::{Deserialize, Serialize};

/// What a thread did that others can see.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
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
    /// The threads that were woken at a condition variable.
    pub wakes: Vec<u32>,
    /// Its number in the order in which all steps were executed, from 1.
    pub turn: u32,
    /// The instruction.
    pub site: Option<Site>,
}

/// An instruction of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Site {
    /// The symbol of the function.
    pub function: String,
    /// Which function of that symbol, from 0: several files may have their own.
    pub same_named: u32,
    /// The number of the instruction in it.
    pub instruction: u32,
    /// Whether the same call of a library function had a step before.
    pub goes_on: bool,
}

/// What threads do in a test.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schedule {
    /// The threads that are started before the first step.
    pub first: Vec<u32>,
    /// The steps, in their order.
    pub steps: Vec<ScheduleStep>,
    /// Where the threads stand in the end that have not ended.
    pub left: Vec<(u32, Site)>,
    /// Whether the last two steps are the accesses of a data race: both threads come to them, and nothing orders them.
    pub race: bool,
}

impl Schedule {
    /// What threads did in an execution, in the order in which they did it.
    pub fn new(first: Vec<u32>, mut steps: Vec<ScheduleStep>, left: Vec<(u32, Site)>) -> Self {
        steps.sort_by_key(|step| step.turn);
        Self { first, steps, left, race: false }
    }
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
    /// The threads that were started before the first step.
    pub first: Vec<u32>,
    /// Where the other threads stand.
    pub left: Vec<(u32, Site)>,
    /// Whether nothing has to come between the two: these are then the last steps, and could change places.
    pub adjacent: bool,
    /// Inputs that lead to it, if they are wanted.
    pub inputs: Option<Vec<Input>>,
}

/// How often another thread goes on than the one before.
pub(crate) fn turns(steps: &[ScheduleStep]) -> usize {
    steps.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
}
