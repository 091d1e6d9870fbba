//! Where the steps of a schedule are in the code, so that a native run can be led along them.
//!
//! A model of the C library has steps of its own, one for each byte that it reads; natively a call of the library is
//! one step. So a step within a model is at the call by which the program came to it, and says if the same call had a
//! step before.

use super::explorer::Explorer;
use crate::engine::state::{Frame, State};
use crate::engine::thread::{Thread, ThreadId};
use crate::threads::awaits::is_same;
use crate::threads::event::{Kind, Operation};
use incise_ir::{FunctionId, Id, InstructionId};

/// An instruction of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// The threads that were started before any of them stopped, in this order.
pub(super) fn first_threads(state: &State) -> Vec<u32> {
    let Some(concurrency) = &state.concurrency else { return Vec::new() };
    // What is started after a step of which the order does not count is started by that step.
    let before = concurrency.unordered.first().map_or(concurrency.created.len(), |step| step.created);
    concurrency.created[..before].iter().map(|id| id.0).collect()
}

/// The innermost frame of the program itself, and whether a model is above it.
pub(super) fn own_frame(thread: &Thread) -> Option<(&Frame, bool)> {
    let mut frames = std::iter::once(&thread.frame).chain(thread.below.iter_newest_first());
    let own = frames.find(|frame| !frame.code.model)?;
    Some((own, thread.frame.code.model))
}

impl Explorer<'_, '_> {
    /// Where an event is.
    pub(super) fn site(&self, index: usize) -> Option<Site> {
        let event = self.history.events.get(index)?;
        let thread = self.nodes.get(index)?.state.thread_named(ThreadId(event.thread))?;
        let mut site = self.site_of(thread)?;
        let (frame, inside) = own_frame(thread)?;
        site.goes_on = inside && self.goes_on(index, frame);
        Some(site)
    }

    /// Where the threads stand that have not ended after some of the events: all that they do not do any more comes
    /// behind it.
    pub(super) fn left_at(&self, order: &[usize], end: &State) -> Vec<(u32, Site)> {
        let mut next: Vec<Option<usize>> = Vec::new();
        for (index, event) in self.history.events.iter().enumerate().rev() {
            let thread = event.thread as usize;
            next.resize(next.len().max(thread + 1), None);
            if !order.contains(&index) {
                next[thread] = Some(index);
            }
        }
        let known = |thread: u32| next.get(thread as usize).copied().flatten();
        let live = end.live_threads().into_iter().map(|thread| thread.id.0);
        let mut threads: Vec<u32> =
            live.chain((0..next.len() as u32).filter(|&thread| known(thread).is_some())).collect();
        threads.sort_unstable();
        threads.dedup();
        let site = |thread: u32| match known(thread) {
            Some(index) => self.site(index),
            None => end.thread_named(ThreadId(thread)).and_then(|thread| self.site_of(thread)),
        };
        threads.into_iter().filter_map(|thread| Some((thread, site(thread)?))).collect()
    }

    /// Where a thread has stopped.
    fn site_of(&self, thread: &Thread) -> Option<Site> {
        let (frame, inside) = own_frame(thread)?;
        // What calls is behind us; what is about to happen is before us; an end has happened.
        let ended = matches!(thread.pending.as_deref(), Some(Operation::End(_)));
        let pc = if inside || ended { frame.pc.checked_sub(1)? } else { frame.pc };
        let instruction = frame.code.origins.get(pc as usize)?;
        Some(self.site_at(frame.code.function, *instruction))
    }

    /// An instruction, as schedules name it.
    pub(super) fn site_at(&self, function: FunctionId, instruction: InstructionId) -> Site {
        let program = self.machine.program;
        let name = &program.functions[function].name;
        let same_named = program
            .functions
            .iter()
            .take_while(|(id, _)| *id != function)
            .filter(|(_, function)| function.name == *name && function.is_definition())
            .count();
        Site {
            function: name.clone(),
            same_named: same_named as u32,
            instruction: instruction.index() as u32,
            goes_on: false,
        }
    }

    /// Whether the last event of the same thread was within the same call of a library function.
    fn goes_on(&self, index: usize, frame: &Frame) -> bool {
        let thread = self.history.events[index].thread;
        let before = (0..index).rev().find(|&earlier| self.history.events[earlier].thread == thread);
        let earlier = before.and_then(|before| self.nodes[before].state.thread_named(ThreadId(thread)));
        let Some((other, true)) = earlier.and_then(own_frame) else { return false };
        // A loop that calls again has counted something meanwhile.
        other.pc == frame.pc
            && std::rc::Rc::ptr_eq(&other.code, &frame.code)
            && other.registers.iter().zip(&frame.registers).all(|(one, two)| is_same(one, two))
    }

    /// The threads that slept before an event, and do not after it, although they did nothing.
    pub(super) fn woken_by(&self, index: usize) -> Vec<u32> {
        let event = &self.history.events[index];
        let signals = |kind: Kind| matches!(kind, Kind::Signal | Kind::Broadcast);
        if !event.footprint.touches.iter().any(|touch| signals(touch.kind)) {
            return Vec::new();
        }
        let by = Some((ThreadId(event.thread), event.number));
        let woken = |state: &State| -> Vec<u32> {
            let live = state.live_threads().into_iter();
            let here = |thread: &&Thread| thread.own.as_ref().is_some_and(|own| own.woken == by);
            live.filter(here).map(|thread| thread.id.0).collect()
        };
        match self.nodes.get(index + 1) {
            Some(after) => woken(&after.state),
            // Nobody has gone on since.
            None => Vec::new(),
        }
    }
}
