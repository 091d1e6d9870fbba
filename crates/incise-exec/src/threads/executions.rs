//! Executions that are given away as they end: whoever takes them compares their states, and needs no paths.
//!
//! The explorer knows nothing of what they are wanted for. A schedule is only made for an execution that is kept: of
//! thousands that end alike one is enough.

use super::explorer::{Explorer, Flow, explore_threads};
use super::schedule::{Race, Step};
use super::sites::{Site, first_threads};
use crate::engine::machine::Machine;
use crate::engine::state::State;
use crate::exploration::ended::Ended;

/// What threads did in an execution, and where those stand that have not ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scheduled {
    /// The steps, in an order with few switches.
    pub steps: Vec<Step>,
    /// The threads that were started before the first step.
    pub first: Vec<u32>,
    /// Where the threads stand that have not ended.
    pub left: Vec<(u32, Site)>,
}

/// Takes executions.
pub trait Executions {
    /// Whether this one is kept. It is counted in any case.
    fn wants(&mut self, machine: &mut Machine<'_>, ended: &mut Ended) -> bool;

    /// Keeps it.
    fn keep(&mut self, ended: Ended, schedule: Scheduled);

    /// How many there were.
    fn count(&self) -> u64;
}

/// Explores everything below a state with several threads. Whether all of it was; else a limit is reached.
pub fn explore_executions(machine: &mut Machine<'_>, state: &State, taker: &mut dyn Executions) -> bool {
    // What the state forked off comes later.
    let rest = std::mem::take(&mut machine.decider.forked);
    machine.thread_numbers_for(state);
    let flow = explore_threads(machine, state, &mut |_, _| {}, Some(taker));
    machine.decider.forked = rest;
    matches!(flow, Flow::On)
}

/// The data races that were found so far, each pair of places once.
pub fn take_races(machine: &mut Machine<'_>) -> Vec<Race> {
    machine.decider.sink.races.take()
}

/// Whether a thread went to sleep at a condition variable.
pub fn went_to_sleep(machine: &Machine<'_>) -> bool {
    machine.decider.sink.slept
}

/// Whether something was not explored further, since an assumption of the program does not hold or others are the same.
pub fn gave_some_up(machine: &Machine<'_>) -> bool {
    machine.decider.sink.blocked > 0
}

impl Explorer<'_, '_> {
    /// Gives the end of the current execution away. `end` is where its threads stand, if that is not where they stood
    /// before the last event.
    pub(super) fn hand_over(&mut self, kept: Option<Ended>, end: Option<&State>) {
        let (Some(mut ended), Some(taker)) = (kept, self.taker.take()) else { return };
        if taker.wants(self.machine, &mut ended) {
            let schedule = self.scheduled(end.unwrap_or(&ended.state));
            taker.keep(ended, schedule);
        }
        self.taker = Some(taker);
    }

    fn scheduled(&self, end: &State) -> Scheduled {
        let state = self.nodes.last().map_or(end, |node| &*node.state);
        let order = self.fewest_switches(self.history.events.len());
        Scheduled {
            left: self.left_at(&order, end),
            steps: self.steps((state, Some(end)), order),
            first: first_threads(self.nodes.first().map_or(state, |node| &node.state)),
        }
    }
}
