//! What follows a state is explored once: a state that is the same as one before it needs no second look.
//!
//! The summaries of Conc-iSE within one exploration, in their simplest form: a state stands for the condition that all
//! values are these. Orders are not reduced besides, since a state that is cut off has no races any more that would
//! tell which order to look at next; so every state is there, and every error at its place. Executions are not: two
//! that come to the same state are one from there on.
//!
//! What a state is: where all threads stand, the registers that are still of use, memory, locks, what is known of the
//! inputs. Numbers of events count too, so that no state comes twice on one way. And what each thread did last: a data
//! race is seen by whoever comes next, unless the thread has synchronised since, which would be another event. So if
//! there are data races one of them is told, and it is known whether there are any; which all of them are is not.

use super::awaits::is_same;
use super::event::{Guard, Operation, Touch};
use super::explorer::Explorer;
use crate::engine::state::{Frame, State};
use crate::engine::thread::{Concurrency, Own, Thread};
use crate::engine::value::Value;
use crate::memory::Slot;
use incise_ir::{Id, LocationId};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The states from which everything was explored, or is being explored.
#[derive(Default)]
pub(super) struct KnownStates(FxHashMap<u64, Vec<(State, LastAccesses)>>);

/// What each thread did last.
type LastAccesses = Vec<(u32, Vec<LastAccess>)>;
type LastAccess = (Slot, Option<u64>, u64, &'static str, Option<LocationId>);

impl Explorer<'_, '_> {
    /// Whether what follows a state was explored before; else it is known from now on.
    pub(super) fn is_explored(&mut self, state: &State) -> bool {
        let (key, last) = (place_hash(state), self.last_accesses(state));
        let mut known = std::mem::take(&mut self.known);
        let bucket = known.0.entry(key).or_default();
        let same =
            bucket.iter().any(|(other, accesses)| *accesses == last && self.is_same_state(other, state));
        if !same {
            bucket.push((state.fork(), last));
        }
        self.known = known;
        same
    }

    fn last_accesses(&self, state: &State) -> LastAccesses {
        let access =
            |touch: &Touch| (touch.slot, touch.offset, touch.size, touch.kind.name(), touch.location);
        let of = |thread: &Thread| {
            let last = self.history.events.iter().rev().find(|event| event.thread == thread.id.0);
            let touches = last.map_or(&[][..], |event| &event.footprint.touches);
            (thread.id.0, touches.iter().map(access).collect())
        };
        let mut all: LastAccesses = state.each_live().map(of).collect();
        all.sort_unstable_by_key(|(thread, _)| *thread);
        all
    }

    fn is_same_state(&mut self, one: &State, other: &State) -> bool {
        let mine = sorted_threads(one);
        let theirs = sorted_threads(other);
        mine.len() == theirs.len()
            && is_same_frame_of_program(one, other)
            && one.constraints.iter_in_order() == other.constraints.iter_in_order()
            && is_same_concurrency(one.concurrency.as_deref(), other.concurrency.as_deref())
            && mine.iter().zip(&theirs).all(|(one, other)| self.is_same_thread(one, other))
            && one.memory.is_same(&other.memory)
    }

    fn is_same_thread(&mut self, one: &Thread, other: &Thread) -> bool {
        let frames = |thread: &Thread| thread.below.len();
        one.id == other.id
            && one.made_up == other.made_up
            && one.locals == other.locals
            && frames(one) == frames(other)
            && is_same_operation(one.pending.as_deref(), other.pending.as_deref())
            && is_same_own(one.own.as_deref(), other.own.as_deref())
            && self.is_same_activation(&one.frame, &other.frame, one.frame.pc)
            && one
                .below
                .iter_newest_first()
                .zip(other.below.iter_newest_first())
                .all(|(one, other)| self.is_same_activation(one, other, one.pc.saturating_sub(1)))
    }

    /// Whether two frames are at the same place, and hold the same in what is of use from `from` on.
    fn is_same_activation(&mut self, one: &Frame, other: &Frame, from: u32) -> bool {
        let arguments = match (&one.variable_arguments, &other.variable_arguments) {
            (None, None) => true,
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            _ => false,
        };
        if one.pc != other.pc
            || !Rc::ptr_eq(&one.code, &other.code)
            || one.objects != other.objects
            || one.return_to != other.return_to
            || !arguments
        {
            return false;
        }
        let live = self.live.at(self.machine.program, &one.code, from);
        live.iter().all(|&register| is_same(&one.registers[register], &other.registers[register]))
    }
}

/// Where all threads stand, as a number.
fn place_hash(state: &State) -> u64 {
    let mut hasher = FxHasher::default();
    for thread in sorted_threads(state) {
        thread.id.0.hash(&mut hasher);
        let frames = std::iter::once(&thread.frame).chain(thread.below.iter_newest_first());
        for frame in frames {
            (frame.code.function.index(), frame.pc).hash(&mut hasher);
        }
    }
    hasher.finish()
}

fn sorted_threads(state: &State) -> Vec<&Thread> {
    let mut threads = state.live_threads();
    threads.sort_unstable_by_key(|thread| thread.id);
    threads
}

/// What is not of a thread, and not memory. What was written does not decide what comes next.
fn is_same_frame_of_program(one: &State, other: &State) -> bool {
    let mut inputs = one.inputs.iter_newest_first().zip(other.inputs.iter_newest_first());
    let plain = |state: &State| {
        state.relevant.is_none()
            && state.choices.is_empty()
            && state.replay.is_none()
            && !state.following
            && state.exiting.is_none()
            && state.returned.is_none()
    };
    plain(one)
        && plain(other)
        && one.inputs.len() == other.inputs.len()
        && inputs.all(|(one, other)| Rc::ptr_eq(one, other))
        && one.calls.is_shared_with(&other.calls)
        && one.touched.is_shared_with(&other.touched)
        && one.exit_handlers.is_shared_with(&other.exit_handlers)
        && one.outside.constant.is_shared_with(&other.outside.constant)
        && one.outside.calls == other.outside.calls
        && Rc::ptr_eq(&one.outside.known, &other.outside.known)
        && Rc::ptr_eq(&one.outside.registers, &other.outside.registers)
        && (one.threads, one.allocations, one.made_up) == (other.threads, other.allocations, other.made_up)
        && (one.constructor, one.destructor, one.turn) == (other.constructor, other.destructor, other.turn)
        && (one.note, one.ticket, one.indeterminate) == (other.note, other.ticket, other.indeterminate)
}

fn is_same_concurrency(one: Option<&Concurrency>, other: Option<&Concurrency>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one.is_none() && other.is_none() };
    let over = one.over.len() == other.over.len()
        && one.over.iter().zip(other.over.iter()).all(|(one, other)| {
            (one.id, one.joined, one.detached) == (other.id, other.joined, other.detached)
                && is_same(&one.result, &other.result)
        });
    let key = |(one, other): (&Option<Value>, &Option<Value>)| match (one, other) {
        (Some(one), Some(other)) => is_same(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    over && one.keys.len() == other.keys.len() && one.keys.iter().zip(other.keys.iter()).all(key)
}

fn is_same_operation(one: Option<&Operation>, other: Option<&Operation>) -> bool {
    match (one, other) {
        (None, None)
        | (Some(Operation::Now), Some(Operation::Now))
        | (Some(Operation::Over), Some(Operation::Over))
        | (Some(Operation::Assumed), Some(Operation::Assumed)) => true,
        // What it looks at follows from where it is and from memory.
        (Some(Operation::Reading(_)), Some(Operation::Reading(_))) => true,
        (Some(Operation::End(one)), Some(Operation::End(other))) => one == other,
        (Some(Operation::When(one)), Some(Operation::When(other))) => match (one, other) {
            (Guard::Change(one), Guard::Change(other)) => one.len() == other.len(),
            (Guard::Ended(one), Guard::Ended(other)) => one == other,
            (
                Guard::Object { slot, offset, waits },
                Guard::Object { slot: other_slot, offset: other_offset, waits: other_waits },
            ) => (slot, offset, waits) == (other_slot, other_offset, other_waits),
            (
                Guard::Woken { slot, offset, timed },
                Guard::Woken { slot: other_slot, offset: other_offset, timed: other_timed },
            ) => (slot, offset, timed) == (other_slot, other_offset, other_timed),
            _ => false,
        },
        _ => false,
    }
}

fn is_same_own(one: Option<&Own>, other: Option<&Own>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return one.is_none() && other.is_none() };
    let specific = one.specific.len() == other.specific.len()
        && one
            .specific
            .iter()
            .zip(&other.specific)
            .all(|(one, other)| one.0 == other.0 && is_same(&one.1, &other.1));
    let result = match (&one.result, &other.result) {
        (Some(one), Some(other)) => is_same(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    let home = match (&one.home, &other.home) {
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    specific
        && result
        && home
        && (one.children, one.events, one.rounds, one.next_key)
            == (other.children, other.events, other.rounds, other.next_key)
        && (one.woken, one.sleeping, one.asleep, one.atomic)
            == (other.woken, other.sleeping, other.asleep, other.atomic)
        && (one.ahead, one.acquire_fence, one.release_fence)
            == (other.ahead, other.acquire_fence, other.release_fence)
        && (one.arrived, one.detached) == (other.arrived, other.detached)
        && one.held == other.held
}
