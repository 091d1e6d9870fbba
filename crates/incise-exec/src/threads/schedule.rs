//! The recorded schedule: what threads did, in an order, as far as others can see it.

use super::event::{Guard, Kind, Touch, Waits};
use super::explorer::Explorer;
use super::history::Event;
use super::sites::{Site, first_threads};
use crate::decisions::decider::Decider;
use crate::engine::state::{Frame, State};
use crate::engine::thread::ThreadId;
use crate::engine::value::Value;
use crate::memory::access::describe;
use crate::outcome::StackFrame;
use crate::result::Input;
use incise_ir::SourcePosition;

/// One step of a schedule. A runtime that lets one thread go on at a time, and only up to its next step, needs nothing
/// else to follow it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The thread, from 0; the first is the one of the entry.
    pub thread: u32,
    /// The number of the step among those of its thread, from 1.
    pub number: u32,
    /// Where in the source.
    pub position: Option<SourcePosition>,
    /// What is done.
    pub kind: Kind,
    /// To what: the name of the object, with the offset where that is not 0.
    pub object: Option<String>,
    /// How many bytes.
    pub size: u64,
    /// What is read or written, if it is known.
    pub value: Option<String>,
    /// The threads that are started in it or after it, before the next one.
    pub starts: Vec<u32>,
    /// The threads that it wakes at a condition variable.
    pub wakes: Vec<u32>,
    /// Its number in the order in which all of them were executed, from 1.
    pub turn: u32,
    /// The instruction.
    pub site: Option<Site>,
}

/// One of the two accesses of a data race.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceAccess {
    /// The thread.
    pub thread: u32,
    /// What it does.
    pub kind: Kind,
    /// Where.
    pub position: Option<SourcePosition>,
    /// The bytes.
    pub size: u64,
    /// Whether it is atomic.
    pub atomic: bool,
    /// The active functions, innermost first.
    pub stack: Vec<StackFrame>,
    /// The locks that the thread holds.
    pub locks: Vec<String>,
}

/// Two accesses that nothing orders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// To what.
    pub object: String,
    /// Both, the one that came first in the schedule first.
    pub accesses: [RaceAccess; 2],
    /// How it came to it.
    pub schedule: Vec<Step>,
    /// The threads that were started before the first step.
    pub first: Vec<u32>,
    /// Where the other threads stand.
    pub left: Vec<(u32, Site)>,
    /// Whether nothing has to come between the two: these are then the last steps, and could change places.
    pub adjacent: bool,
    /// Inputs that lead to it; `None` if the solver gave none in time, or nobody wants them.
    pub inputs: Option<Vec<Input>>,
}

impl Decider<'_> {
    /// What people call the thing that is touched.
    pub(super) fn touched_name(&self, state: &State, touch: &Touch) -> String {
        if touch.slot == super::visible::WORLD {
            return "the rest of the world".to_owned();
        }
        let object = state.memory.object(touch.slot);
        let name = object.map_or_else(|| "an object that is gone".to_owned(), |it| describe(&it.info));
        match (touch.offset, object.map(|object| object.size)) {
            (Some(0) | None, _) => name,
            (Some(offset), _) => format!("{name} at offset {offset}"),
        }
    }

    pub(super) fn shown(&self, value: &Value) -> Option<String> {
        value.as_concrete().map(|bits| match bits as u64 {
            small if small < 1 << 32 => format!("{}", small as u32 as i32),
            large => format!("{large:#x}"),
        })
    }

    fn step(&self, (before, after): (&State, &State), event: &Event) -> Step {
        let location = event.location.map(|location| self.program.position(location));
        let data = event.footprint.touches.iter().filter(|touch| touch.kind != Kind::Free);
        let first = data.clone().next().or(event.footprint.touches.first());
        // Who waits gives a lock back: what it waits for says more.
        let wait = data.clone().find(|touch| matches!(touch.kind, Kind::Wait | Kind::Wake));
        let first = wait.or(first);
        let kind = match first {
            _ if event.footprint.ends => Kind::End,
            None => match event.guard {
                Some(Guard::Ended(_)) => Kind::Join,
                Some(Guard::Woken { .. }) => Kind::Wake,
                Some(Guard::Object { waits: Waits::Semaphore, .. }) => Kind::Take,
                Some(Guard::Object { waits: Waits::ReadLock, .. }) => Kind::ReadLock,
                Some(Guard::Object { waits: Waits::Once, .. }) => Kind::Once,
                Some(Guard::Object { waits: Waits::Round(_), .. }) => Kind::Leave,
                Some(Guard::Object { .. }) => Kind::Lock,
                _ => Kind::Block,
            },
            Some(_) if data.clone().count() > 2 => Kind::Block,
            Some(touch) => touch.kind,
        };
        Step {
            thread: event.thread,
            number: event.number,
            position: location,
            kind,
            object: first.map(|touch| {
                let there = if before.memory.object(touch.slot).is_some() { before } else { after };
                self.touched_name(there, touch)
            }),
            size: first.map_or(0, |touch| touch.size),
            value: first.and_then(|touch| self.shown(touch.value.as_ref()?)),
            starts: event.created.clone(),
            wakes: Vec::new(),
            turn: 0,
            site: None,
        }
    }
}

impl Explorer<'_, '_> {
    /// Notes on a path what its threads did, in the order with few switches. `end` is where they stand, if that is not
    /// where they stood before the last event.
    pub(super) fn add_schedule(&mut self, path: Option<usize>, end: Option<&State>) {
        let last = self.nodes.last().map(|node| &*node.state);
        let (Some(path), Some(state)) = (path, last.or(end)) else { return };
        let paths = &self.machine.decider.sink.paths;
        if !paths.with(|paths| paths.get(path).is_some_and(|path| path.described)) {
            return;
        }
        let order = self.fewest_switches(self.history.events.len());
        let left = self.left_at(&order, end.unwrap_or(state));
        let steps = self.steps((state, end), order);
        let first = first_threads(self.nodes.first().map_or(state, |node| &node.state));
        paths.change(path, |path| {
            path.schedule = steps;
            (path.first_threads, path.left_threads) = (first, left);
        });
    }

    /// The steps of some events in an order. `end` is the state after the last event, if that is not one of a node.
    pub(super) fn steps(&self, (state, end): (&State, Option<&State>), order: Vec<usize>) -> Vec<Step> {
        let step = |index: usize| {
            // What is gone in the end was there before.
            let there = self.nodes.get(index).map_or(state, |node| &node.state);
            let step = self.machine.decider.step((there, state), &self.history.events[index]);
            Step {
                // What touches nothing, as waiting for an end, is where its thread stood.
                position: step.position.clone().or_else(|| self.position_before(index)),
                wakes: self.woken_by(index),
                turn: index as u32 + 1,
                site: self.site(index),
                ..step
            }
        };
        if self.machine.config.ordered.is_none() {
            return order.into_iter().map(step).collect();
        }
        let events = order.into_iter().map(|index| (index, step(index))).collect();
        self.with_unordered(events, end)
    }

    /// Where a thread stood before it did something.
    fn position_before(&self, index: usize) -> Option<SourcePosition> {
        let thread = ThreadId(self.history.events.get(index)?.thread);
        let thread = self.nodes.get(index)?.state.thread_named(thread)?;
        let program = self.machine.program;
        let own = std::iter::once((&thread.frame, thread.frame.pc));
        let below = thread.below.iter_newest_first().map(|frame| (frame, frame.pc.saturating_sub(1)));
        let mut places = own.chain(below).filter(|(frame, _)| !frame.code.model);
        let location =
            |(frame, pc): (&Frame, u32)| frame.code.location(&program.functions[frame.code.function], pc);
        places.find_map(location).map(|location| program.position(location))
    }

    /// An order of the first events of the same trace: each thread goes on as long as it can.
    pub(super) fn fewest_switches(&self, count: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (0..count).collect();
        if self.machine.config.ordered.is_some() {
            // Nobody knows what depends on what among that of which the order does not count.
            return left;
        }
        let mut order = Vec::with_capacity(count);
        let mut last = None;
        while !left.is_empty() {
            let ready = |&at: &usize| {
                let index = left[at];
                !left[..at].iter().any(|&earlier| self.history.before(earlier, index))
            };
            let thread = |at: usize| self.history.events[left[at]].thread;
            let on = (0..left.len()).find(|&at| Some(thread(at)) == last);
            // What ends a trace stays last.
            let next = on.filter(ready).or_else(|| (0..left.len()).find(ready)).unwrap_or(0);
            last = Some(thread(next));
            order.push(left.remove(next));
        }
        order
    }
}
