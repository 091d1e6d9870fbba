//! Data races: told once for each pair of places.

use super::event::Touch;
use super::explorer::Explorer;
use super::schedule::{Race, RaceAccess};
use crate::engine::state::State;
use crate::engine::thread::ThreadId;
use crate::exploration::describe::stack;
use incise_ir::LocationId;
use std::collections::BTreeMap;

/// The data races that were found, by their places.
#[derive(Default)]
pub(crate) struct Found(BTreeMap<[Option<(LocationId, bool)>; 2], Race>);

impl Found {
    pub(crate) fn take(&mut self) -> Vec<Race> {
        std::mem::take(&mut self.0).into_values().collect()
    }
}

impl Explorer<'_, '_> {
    /// The last event has accesses that nothing orders: earlier event, number of its access, number of the own one.
    pub(super) fn tell_races(&mut self, state: &State, unordered: &[(usize, usize, usize)]) {
        let later = self.history.events.len() - 1;
        for &(earlier, theirs, own) in unordered {
            let key = {
                let place = |event: usize, number: usize| {
                    let touch = &self.history.events[event].footprint.touches[number];
                    touch.location.map(|location| (location, touch.mode == super::event::Mode::Read))
                };
                let mut key = [place(earlier, theirs), place(later, own)];
                key.sort_unstable();
                key
            };
            if self.machine.decider.sink.races.0.contains_key(&key) {
                continue;
            }
            let one = self.access(&self.nodes[earlier].state, earlier, theirs);
            let Some(node) = self.nodes.last() else { return };
            let two = self.access(&node.state, later, own);
            let touch = &self.history.events[later].footprint.touches[own];
            let object = self.machine.decider.touched_name(state, touch);
            let schedule = self.steps(state, self.with_race_last(earlier, later));
            let race = Race { object, accesses: [one, two], schedule };
            self.machine.decider.sink.races.0.insert(key, race);
            self.machine.decider.sink.errors += u64::from(self.config.races == super::Races::Error);
        }
    }

    /// What comes before either of two events, in the order with few switches, and then these two.
    fn with_race_last(&self, earlier: usize, later: usize) -> Vec<usize> {
        let needed = |index: &usize| {
            let before = |other: usize| {
                let event = &self.history.events[*index];
                let clock = &self.history.events[other].base;
                clock.get(event.thread as usize).is_some_and(|&number| number >= event.number)
            };
            *index != earlier && *index != later && (before(earlier) || before(later))
        };
        let mut order: Vec<usize> = self.fewest_switches(later + 1).into_iter().filter(needed).collect();
        order.extend([earlier, later]);
        order
    }

    /// An access, as it was about to happen in a state.
    fn access(&self, state: &State, event: usize, number: usize) -> RaceAccess {
        let event = &self.history.events[event];
        let touch: &Touch = &event.footprint.touches[number];
        let program = self.machine.program;
        let thread = state.thread_named(ThreadId(event.thread));
        let locks = thread.and_then(|thread| thread.own.as_ref()).map_or_else(Vec::new, |own| {
            let name = |held: &crate::engine::thread::Held| {
                let object =
                    crate::threads::objects::Object { slot: held.slot, offset: held.offset, size: 0 };
                object.name(state)
            };
            own.held.iter().map(name).collect()
        });
        let stack = {
            let mut copy = state.fork();
            copy.switch_to(ThreadId(event.thread));
            // The instruction is about to be executed, and not behind us.
            copy.thread.frame.pc += 1;
            stack(program, &copy)
        };
        RaceAccess {
            thread: event.thread,
            kind: touch.kind,
            position: touch.location.map(|location| program.position(location)),
            size: touch.size,
            atomic: touch.is_atomic(),
            stack,
            locks,
        }
    }
}
