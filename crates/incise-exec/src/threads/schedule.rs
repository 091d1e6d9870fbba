//! The recorded schedule: what threads did, in an order, as far as others can see it.

use super::event::{Guard, Kind, Touch, Waits};
use super::explorer::Explorer;
use super::history::Event;
use super::sites::{Site, first_threads};
use super::things::{Thing, part_of, thing};
use crate::decisions::decider::Decider;
use crate::engine::state::{Frame, State};
use crate::engine::thread::ThreadId;
use crate::exploration::describe::name_of;
use crate::memory::{AddressTarget, Memory};
use crate::outcome::{Outcome, StackFrame};
use crate::result::{Input, Path};
use incise_ir::SourcePosition;

/// The bytes of an address.
const ADDRESS: u64 = 8;

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
    /// To what.
    pub object: Option<Thing>,
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
    pub object: Thing,
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
    pub(super) fn touched_thing(&self, state: &State, touch: &Touch) -> Thing {
        if touch.slot == super::visible::WORLD {
            return Thing { object: "the rest of the world".to_owned(), ..Thing::default() };
        }
        match touch.offset {
            Some(offset) => thing(self.program, state, touch.slot, (offset, touch.size)),
            None => Thing { part: None, ..thing(self.program, state, touch.slot, (0, 0)) },
        }
    }

    /// A value that is read or written: what an address leads to has a name.
    pub(super) fn shown(&self, state: &State, touch: &Touch) -> Option<String> {
        let bits = touch.value.as_ref()?.as_concrete()? as u64;
        if touch.size == ADDRESS
            && let Some(function) = Memory::function_at(bits, self.program.functions.len())
        {
            return Some(self.program.functions[function].name.clone());
        }
        if bits < 1 << 32 {
            return Some(format!("{}", bits as u32 as i32));
        }
        let AddressTarget::Live(_, object, offset) = state.memory.target(bits) else {
            return Some(format!("{bits:#x}"));
        };
        let part = u64::try_from(offset).ok().and_then(|at| part_of(self.program, &object.info, at, None));
        Some(part.map_or_else(|| name_of(self.program, state, bits), |part| format!("&{part}")))
    }

    fn step(&self, (before, after): (&State, &State), event: &Event) -> Step {
        let location = event.location.map(|location| self.program.position(location));
        let data = event.footprint.touches.iter().filter(|touch| touch.kind != Kind::Free);
        let first = data.clone().next().or(event.footprint.touches.first());
        // Who waits gives a lock back: what it waits for says more.
        let wait =
            data.clone().find(|touch| matches!(touch.kind, Kind::Wait | Kind::Wake | Kind::SpuriousWake));
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
            object: first.map(|touch| self.touched_thing(seen_by(touch, before, after), touch)),
            size: first.map_or(0, |touch| touch.size),
            value: first.and_then(|touch| self.shown(seen_by(touch, before, after), touch)),
            starts: event.created.clone(),
            wakes: Vec::new(),
            turn: 0,
            site: None,
        }
    }
}

/// The state in which there is what is touched.
fn seen_by<'s>(touch: &Touch, before: &'s State, after: &'s State) -> &'s State {
    if before.memory.object(touch.slot).is_some() { before } else { after }
}

impl Explorer<'_, '_> {
    /// Notes on a path what its threads did, in the order with few switches. `end` is where they stand, if that is not
    /// where they stood before the last event.
    pub(super) fn add_schedule(&mut self, path: Option<usize>, end: Option<&State>) {
        let last = self.nodes.last().map(|node| &*node.state);
        let (Some(path), Some(state)) = (path, last.or(end)) else { return };
        let paths = &self.machine.decider.sink.paths;
        let (described, wrong) = paths.with(|paths| {
            let is_wrong = |path: &Path| matches!(path.outcome, Outcome::Error(_));
            paths.get(path).map_or((false, false), |path| (path.described, is_wrong(path)))
        });
        if !described {
            return;
        }
        let all: Vec<usize> = (0..self.history.events.len()).collect();
        let order = if wrong { self.fewest_switches(&all) } else { self.few_switches(&all) };
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
}
