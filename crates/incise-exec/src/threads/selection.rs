//! Of which instructions the order among threads counts.
//!
//! What does not count is executed all the same, together with what its thread did before: no order of it and of what
//! other threads do is explored. A lock that is not free is waited for whether it counts or not. It is noted for the
//! schedule, so that a native run can be led along it.

use super::event::{Kind, Touch};
use super::explorer::Explorer;
use super::schedule::Step;
use super::sites::own_frame;
use crate::decisions::decider::Decider;
use crate::engine::state::State;
use crate::engine::thread::{Concurrency, ThreadId};
use crate::engine::value::Value;
use crate::memory::Slot;
use crate::threads::awaits::is_same;
use incise_ir::{FunctionId, InstructionId, LocationId};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Tells of which instructions the order among threads is explored.
pub trait OrderedInstructions: Debug + Send + Sync {
    /// Whether it is explored in which order other threads and this instruction access memory.
    fn counts(&self, function: FunctionId, instruction: InstructionId) -> bool;
}

/// Something that others can see, and of which the order does not count.
#[derive(Clone)]
pub(crate) struct Unordered {
    thread: ThreadId,
    /// The instruction of the program itself.
    site: Option<(FunctionId, InstructionId)>,
    location: Option<LocationId>,
    /// What it touches.
    touch: Option<Touch>,
    /// How many threads the event had started before.
    pub(crate) created: usize,
    /// How many instructions were executed before: what one instruction does is one step.
    instructions: u64,
    /// The registers of the caller, within a model of the C library.
    caller: Option<Vec<Value>>,
    /// Whether the same call of a library function had a step before.
    goes_on: bool,
}

impl Concurrency {
    /// Notes what is touched by what was passed by.
    pub(crate) fn passed_touch(&mut self, touch: Touch) {
        if let Some(last) = self.unordered.last_mut() {
            last.touch.get_or_insert(touch);
        }
    }

    /// Notes the value that was found or left there.
    pub(crate) fn passed_value(&mut self, slot: Slot, value: &Value) {
        let touch = self.unordered.last_mut().and_then(|last| last.touch.as_mut());
        if let Some(touch) = touch.filter(|touch| touch.slot == slot) {
            touch.value = Some(value.clone());
        }
    }
}

impl Decider<'_> {
    /// Whether the order counts of what the running thread is about to do. A model of the C library does what the
    /// program does where it calls it.
    pub(super) fn order_counts(&self, state: &State) -> bool {
        let Some(ordered) = &self.config.ordered else { return true };
        if state.concurrency.as_ref().is_some_and(|concurrency| concurrency.alone.is_some()) {
            return true;
        }
        let mut frames = std::iter::once(&state.thread.frame).chain(state.thread.below.iter_newest_first());
        let Some(frame) = frames.find(|frame| !frame.code.model) else { return true };
        let origin = frame.code.origins.get(frame.pc.saturating_sub(1) as usize);
        origin.is_none_or(|&origin| ordered.counts(frame.code.function, origin))
    }

    /// The running thread does something of which the order does not count.
    pub(super) fn pass_by(&self, state: &mut State) {
        let Some((frame, inside)) = own_frame(&state.thread) else { return };
        let origin = frame.code.origins.get(frame.pc.saturating_sub(1) as usize).copied();
        let site = origin.map(|origin| (frame.code.function, origin));
        let caller = inside.then(|| frame.registers.to_vec());
        let (thread, instructions) = (state.thread.id, state.instructions);
        let location = self.location(state);
        let concurrency = state.concurrency_mut();
        let last = concurrency.unordered.last().filter(|last| last.thread == thread && last.site == site);
        if last.is_some_and(|last| last.instructions == instructions) {
            return;
        }
        // A loop that calls again has counted something meanwhile.
        let goes_on = last.and_then(|last| last.caller.as_ref()).zip(caller.as_ref()).is_some_and(
            |(before, now): (&Vec<Value>, &Vec<Value>)| {
                before.iter().zip(now).all(|(one, two)| is_same(one, two))
            },
        );
        let created = concurrency.created.len();
        let touch = None;
        let step = Unordered { thread, site, location, touch, created, instructions, caller, goes_on };
        concurrency.unordered.push(step);
    }
}

impl Explorer<'_, '_> {
    /// Adds the steps of which the order does not count behind the events that they follow. `end` is the state after
    /// the last event, if that is not one of a node.
    pub(super) fn with_unordered(&self, events: Vec<(usize, Step)>, end: Option<&State>) -> Vec<Step> {
        let after = |node: usize| match self.nodes.get(node) {
            Some(node) => Some(&*node.state),
            None => end.filter(|_| node == self.nodes.len()),
        };
        let mut steps = after(0).map_or_else(Vec::new, |state| self.unordered_steps(state));
        for (index, mut step) in events {
            let state = after(index + 1);
            let more = state.map_or_else(Vec::new, |state| self.unordered_steps(state));
            if let Some(first) = state.and_then(first_unordered) {
                step.starts.truncate(first.created);
            }
            steps.push(step);
            steps.extend(more);
        }
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        for (step, turn) in steps.iter_mut().zip(1..) {
            let number = numbers.entry(step.thread).or_default();
            *number += 1;
            (step.number, step.turn) = (*number, turn);
        }
        steps
    }

    /// What was done since the last event, and does not count.
    fn unordered_steps(&self, state: &State) -> Vec<Step> {
        let Some(concurrency) = &state.concurrency else { return Vec::new() };
        let all = &concurrency.unordered;
        let step = |(index, step): (usize, &Unordered)| {
            let until = all.get(index + 1).map_or(concurrency.created.len(), |next| next.created);
            let started = concurrency.created.get(step.created..until).unwrap_or_default();
            let touch = step.touch.as_ref();
            let decider = &self.machine.decider;
            Step {
                thread: step.thread.0,
                number: 0,
                position: step.location.map(|location| self.machine.program.position(location)),
                kind: touch.map_or(Kind::Block, |touch| touch.kind),
                object: touch.map(|touch| decider.touched_thing(state, touch)),
                size: touch.map_or(0, |touch| touch.size),
                value: touch.and_then(|touch| decider.shown(state, touch)),
                starts: started.iter().map(|id| id.0).collect(),
                wakes: Vec::new(),
                turn: 0,
                site: step.site.map(|(function, instruction)| super::sites::Site {
                    goes_on: step.goes_on,
                    ..self.site_at(function, instruction)
                }),
            }
        };
        all.iter().enumerate().map(step).collect()
    }
}

fn first_unordered(state: &State) -> Option<&Unordered> {
    state.concurrency.as_ref()?.unordered.first()
}
