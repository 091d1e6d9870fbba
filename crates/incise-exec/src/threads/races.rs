//! Data races: told once for each pair of places.

use super::event::{Mode, Touch};
use super::explorer::Explorer;
use super::schedule::{Race, RaceAccess};
use super::sites::first_threads;
use crate::engine::machine::Exit;
use crate::engine::state::State;
use crate::engine::thread::ThreadId;
use crate::exploration::describe::stack;
use crate::exploration::finish::Detail;
use crate::outcome::Outcome;
use crate::result::Input;
use incise_ir::LocationId;
use incise_solver::CompareOp;
use std::collections::BTreeMap;

/// The data races that were found, by their places.
#[derive(Default)]
pub(crate) struct Found(BTreeMap<Pair, Race>);

/// The places of two accesses, and whether they read.
type Pair = [Option<(LocationId, bool)>; 2];

/// The places of two accesses, in order.
pub(super) fn pair(one: &Touch, other: &Touch) -> Pair {
    let place = |touch: &Touch| touch.location.map(|location| (location, touch.mode == Mode::Read));
    let mut pair = [place(one), place(other)];
    pair.sort_unstable();
    pair
}

impl Found {
    /// Whether one was found at these places.
    pub(super) fn has(&self, pair: Pair) -> bool {
        self.0.contains_key(&pair)
    }

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
                let touch =
                    |event: usize, number: usize| &self.history.events[event].footprint.touches[number];
                pair(touch(earlier, theirs), touch(later, own))
            };
            // Where the order of some things is not looked at, nothing is moved.
            let adjacent = self.machine.config.ordered.is_none()
                && !self.history.within(earlier, &self.history.events[later].base);
            let known = self.machine.decider.sink.races.0.get(&key);
            // One in which both can be next to each other says more, and one that is much shorter does.
            let shorter =
                |known: &Race| adjacent == known.adjacent && 2 * (later + 1) <= known.schedule.len();
            if known.is_some_and(|known| (known.adjacent || !adjacent) && !shorter(known)) {
                continue;
            }
            let is_new = known.is_none();
            let Some(state_there) = self.overlapping((earlier, theirs), (later, own)) else { continue };
            let one = self.access(&self.nodes[earlier].state, earlier, theirs);
            let Some(node) = self.nodes.last() else { return };
            let two = self.access(&node.state, later, own);
            let touch = &self.history.events[later].footprint.touches[own];
            let object = self.machine.decider.touched_thing(state, touch);
            let order = self.with_race_last(earlier, later, adjacent);
            let left = self.left_at(&order, state);
            let mut schedule = self.steps((state, None), order);
            schedule.iter_mut().zip(1..).for_each(|(step, turn)| step.turn = turn);
            let first = self.nodes.first().map_or_else(Vec::new, |node| first_threads(&node.state));
            let inputs = self.race_inputs(&state_there);
            let race = Race { object, accesses: [one, two], schedule, first, left, adjacent, inputs };
            self.machine.decider.sink.races.0.insert(key, race);
            self.machine.decider.sink.errors += u64::from(is_new && self.config.races == super::Races::Error);
        }
    }

    /// What comes before either of two events, in the order with few switches, and then these two if they can be next
    /// to each other. Where something comes after the one and before the other, all stays in its place.
    fn with_race_last(&self, earlier: usize, later: usize, adjacent: bool) -> Vec<usize> {
        if !adjacent {
            return self.few_switches(&(0..=later).collect::<Vec<usize>>());
        }
        let needed = |index: &usize| {
            let before = |other: usize| self.history.within(*index, &self.history.events[other].base);
            *index != earlier && *index != later && (before(earlier) || before(later))
        };
        let mut order = self.fewest_switches(&(0..=later).filter(needed).collect::<Vec<usize>>());
        order.extend([earlier, later]);
        order
    }

    /// The state before the last event, for inputs with which two accesses have bytes in common; none if there are no
    /// such inputs.
    fn overlapping(&mut self, earlier: (usize, usize), later: (usize, usize)) -> Option<State> {
        let mut state = self.nodes.last()?.state.fork();
        let decider = &mut self.machine.decider;
        let mut place = |(event, number): (usize, usize)| {
            let touch = &self.history.events[event].footprint.touches[number];
            let offset = match touch.offset {
                Some(offset) => Some(decider.exprs.constant(u128::from(offset), 64)),
                None => touch.depends,
            };
            let size = decider.exprs.constant(u128::from(touch.size), 64);
            offset.map(|offset| (offset, decider.exprs.add(offset, size)))
        };
        // Where nobody knows, as in a copy of so many bytes, it may be.
        let (Some(one), Some(two)) = (place(earlier), place(later)) else { return Some(state) };
        let before = decider.exprs.compare(CompareOp::Ult, one.0, two.1);
        let behind = decider.exprs.compare(CompareOp::Ult, two.0, one.1);
        let both = decider.exprs.and(before, behind);
        state.memory.watch(false);
        let possible = decider.assume(&mut state, both);
        state.memory.watch(true);
        match possible {
            Err(Exit::End(Outcome::Discarded)) => None,
            _ => Some(state),
        }
    }

    /// Inputs that lead to a state, if everything is wanted of it.
    fn race_inputs(&mut self, state: &State) -> Option<Vec<Input>> {
        if self.machine.decider.sink.detail != Detail::All {
            return None;
        }
        self.machine.decider.describer().inputs_of(state)
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
                object.name(program, state)
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
