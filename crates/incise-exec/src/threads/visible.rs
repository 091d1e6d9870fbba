//! What other threads can see: where a thread stops, and what its event touches.

use crate::decisions::decider::Decider;
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::thread::{Concurrency, Thread, Turn};
use crate::engine::value::Value;
use crate::memory::access::{Access, AccessKind, ObjectPlace, Offset};
use crate::memory::{AddressTarget, Memory, Slot};
use crate::outcome::{LimitKind, Outcome};
use crate::threads::event::{Exchange, Guard, Kind, Mode, Operation, Touch};
use incise_ir::AtomicOrdering;
use std::rc::Rc;

/// A thread that runs alone, to see if it does nothing but wait.
#[derive(Clone)]
pub(crate) struct Alone {
    /// Where it began, and each time that it came back: it must be the same.
    pub(crate) seen: Vec<Seen>,
    /// What it read.
    pub(crate) reads: Vec<Touch>,
    /// How many of these it had read each time that it was at its place.
    pub(crate) marks: Vec<usize>,
    /// Whether it does something else than to read.
    pub(crate) acts: bool,
    /// Where it was when it began to read in a loop in which it waits; and as it came there again.
    pub(crate) home: (Option<Rc<Seen>>, Option<Seen>),
}

/// What a thread has, at a place to which it may come back.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) thread: Thread,
    pub(crate) memory: Memory,
    /// What it made known or asked for so far.
    pub(crate) counts: [u64; 4],
}

impl Seen {
    pub(crate) fn of(state: &State) -> Self {
        let counts = [
            state.outputs.len() as u64,
            state.inputs.len() as u64,
            state.decided,
            state.memory.made_by(state.thread.id),
        ];
        Self { thread: state.thread.clone(), memory: state.memory.clone(), counts }
    }

    /// The running thread, which has stopped, as it will be when it executes its next instruction.
    pub(crate) fn at_next(state: &State) -> Self {
        let mut seen = Self::of(state);
        seen.thread.frame.pc += 1;
        seen
    }

    fn is_at_same_place(&self, other: &Self) -> bool {
        let (one, two) = (&self.thread, &other.thread);
        one.frame.pc == two.frame.pc
            && Rc::ptr_eq(&one.frame.code, &two.frame.code)
            && one.below.len() == two.below.len()
    }
}

/// What is touched by whoever tells the rest of the world something. No object is there.
pub(super) const WORLD: Slot = Slot::MAX;

/// A thread that comes back to its place so often is seen through.
const ROUNDS: usize = 3;
/// A thread that reads more than that before it comes back does not wait.
const MOST_READS: usize = 64;

impl State {
    /// What there is besides threads, to change it.
    pub(crate) fn concurrency_mut(&mut self) -> &mut Concurrency {
        self.concurrency.get_or_insert_default()
    }
}

impl Decider<'_> {
    /// A thread accesses memory that others may see.
    #[cold]
    pub(crate) fn accessed(
        &mut self,
        state: &mut State,
        place: ObjectPlace,
        size: u64,
        access: Access,
    ) -> Result<(), Exit> {
        let Some(object) = state.memory.object(place.slot) else { return Ok(()) };
        if object.info.private || object.info.read_only || size == 0 && object.size == 0 {
            return Ok(());
        }
        self.stop_before(state, || Operation::Now)?;
        let (mode, kind) = match access.kind {
            AccessKind::Read => (Mode::Read, Kind::Read),
            AccessKind::Write => (Mode::Write, Kind::Write),
            AccessKind::Update => (Mode::Write, Kind::Update),
        };
        let offset = match place.offset {
            // The length of a run of bytes is symbolic where none is asked for.
            Offset::Concrete(offset) if size > 0 => Some(offset),
            _ => None,
        };
        if access.ordering.is_some_and(|ordering| ordering != AtomicOrdering::SequentiallyConsistent) {
            self.sink.limits.insert(LimitKind::WeakMemory);
        }
        let touch = Touch { ordering: access.ordering, ..self.new_touch(state, place.slot, (mode, kind)) };
        let depends = match place.offset {
            Offset::Symbolic(offset) if size > 0 => Some(offset),
            _ => None,
        };
        self.touch(state, Touch { offset, depends, size, ..touch })
    }

    /// Something that is touched now, as a whole.
    pub(crate) fn new_touch(&self, state: &State, slot: Slot, (mode, kind): (Mode, Kind)) -> Touch {
        Touch {
            slot,
            offset: None,
            depends: None,
            size: 0,
            mode,
            kind,
            ordering: None,
            synchronises: false,
            in_block: state.thread.atomic() > 0,
            before: None,
            after: None,
            exchange: Exchange::Always,
            value: None,
            location: self.location(state),
        }
    }

    /// The rest of the world is told something, or asked: that is seen by whoever looks at the whole.
    pub(crate) fn touch_world(&mut self, state: &mut State) -> Result<(), Exit> {
        let counts = self.config.threads.is_some_and(|threads| threads.world);
        if !counts || !state.memory.is_watched() {
            return Ok(());
        }
        self.stop_before(state, || Operation::Now)?;
        let touch = self.new_touch(state, WORLD, (Mode::Write, Kind::Outside));
        self.touch(state, Touch { offset: Some(0), size: 8, synchronises: true, ..touch })
    }

    /// Stops the thread before an operation that others can see, unless it is its turn.
    pub(crate) fn stop_before(
        &mut self,
        state: &mut State,
        operation: impl FnOnce() -> Operation,
    ) -> Result<(), Exit> {
        if !state.memory.is_watched() {
            return Ok(());
        }
        if state.concurrency.as_ref().is_some_and(|concurrency| concurrency.alone.is_some()) {
            return self.step_alone(state, &operation());
        }
        if state.turn != Turn::Open || state.thread.atomic() > 0 {
            state.turn = Turn::Used;
            return Ok(());
        }
        let operation = operation();
        if matches!(operation, Operation::Now) && !self.order_counts(state) {
            self.pass_by(state);
            return Ok(());
        }
        state.thread.pending = Some(Rc::new(operation));
        state.thread.frame.pc -= 1;
        Err(Exit::Pause)
    }

    /// Notes what an event touches.
    pub(crate) fn touch(&mut self, state: &mut State, touch: Touch) -> Result<(), Exit> {
        if !state.memory.is_watched() {
            return Ok(());
        }
        if !self.order_counts(state) {
            state.concurrency_mut().passed_touch(touch);
            return Ok(());
        }
        let concurrency = state.concurrency_mut();
        let Some(alone) = &mut concurrency.alone else {
            concurrency.touches.push(touch);
            return Ok(());
        };
        // A lock that is not free, and that nobody waits for, is only looked at.
        let changes = touch.synchronises && touch.mode != Mode::Read;
        alone.acts |= changes || touch.kind == Kind::Write || touch.kind == Kind::Free;
        alone.reads.push(touch);
        if alone.acts || alone.reads.len() > MOST_READS {
            alone.acts = true;
            return Err(Exit::Pause);
        }
        Ok(())
    }

    /// A function fails in what others can see: it has looked at what its arguments lead to, and would not have failed
    /// at another time.
    #[cold]
    pub(crate) fn failed_at(&mut self, state: &mut State, arguments: &[Value]) {
        if !state.memory.is_watched() || state.turn != Turn::Used {
            return;
        }
        for address in arguments.iter().filter_map(Value::as_concrete) {
            let AddressTarget::Live(slot, object, offset) = state.memory.target(address as u64) else {
                continue;
            };
            if object.info.private || offset < 0 {
                continue;
            }
            let touch = self.new_touch(state, slot, (Mode::Read, Kind::Prepare));
            let touch = Touch { offset: Some(offset as u64), size: 4, synchronises: true, ..touch };
            state.concurrency_mut().touches.push(touch);
        }
    }

    fn step_alone(&mut self, state: &mut State, operation: &Operation) -> Result<(), Exit> {
        let waits = !matches!(operation, Operation::Now);
        let seen = Seen::of(state);
        let Some(alone) = state.concurrency.as_mut().and_then(|concurrency| concurrency.alone.as_mut())
        else {
            return Ok(());
        };
        alone.acts |= waits;
        if !alone.reads.is_empty() && alone.home.0.as_ref().is_some_and(|home| home.is_at_same_place(&seen)) {
            alone.home.1 = Some(seen);
            return Err(Exit::Pause);
        }
        if alone.seen.first().is_none_or(|first| first.is_at_same_place(&seen)) {
            alone.seen.push(seen);
            alone.marks.push(alone.reads.len());
        }
        if alone.acts || alone.seen.len() >= ROUNDS { Err(Exit::Pause) } else { Ok(()) }
    }

    /// Notes the value that an access of the running event read or wrote.
    pub(crate) fn noted(&mut self, state: &mut State, place: ObjectPlace, value: &Value) {
        if !self.order_counts(state) {
            return state.concurrency_mut().passed_value(place.slot, value);
        }
        if let Some(touch) = last_touch(state, place) {
            match touch.mode {
                Mode::Read => touch.before = value.as_concrete().map(|bits| bits as u64),
                _ => touch.after = value.as_concrete().map(|bits| bits as u64),
            }
            touch.value = Some(value.clone());
        }
    }

    /// Notes what an atomic update found and left. One that compares first and fails has only read.
    pub(crate) fn noted_update(
        &mut self,
        state: &mut State,
        place: ObjectPlace,
        (old, new): (&Value, &Value),
        expected: Option<&Value>,
    ) {
        let unchanged = old.is_same(new);
        let alone = state.concurrency.as_mut().and_then(|concurrency| concurrency.alone.as_mut());
        if let Some(alone) = alone {
            alone.acts |= !unchanged;
            return;
        }
        if !self.order_counts(state) {
            return state.concurrency_mut().passed_value(place.slot, new);
        }
        let Some(touch) = last_touch(state, place) else { return };
        let number = |value: &Value| value.as_concrete().map(|bits| bits as u64);
        (touch.before, touch.after) = (number(old), number(new));
        touch.value = Some(new.clone());
        if let Some(expected) = expected {
            if let Some(expected) = number(expected) {
                touch.exchange = Exchange::If(expected);
            }
            let differ = old.as_concrete().is_some()
                && expected.as_concrete().is_some()
                && old.as_concrete() != expected.as_concrete();
            if differ {
                (touch.mode, touch.kind, touch.value) = (Mode::Read, Kind::Read, Some(old.clone()));
            }
        }
    }

    /// The path of a state comes to its end. Where there are other threads, these may go on before: then the end is
    /// what its thread is about to do. Gives the outcome back if the path ends now.
    pub(crate) fn defer_end(&mut self, state: &mut State, outcome: Outcome) -> Option<Outcome> {
        if !state.memory.is_watched() || outcome == Outcome::Pruned {
            return Some(outcome);
        }
        if let Some(alone) = state.concurrency.as_mut().and_then(|concurrency| concurrency.alone.as_mut()) {
            alone.acts = true;
            return None;
        }
        let operation = match outcome {
            Outcome::Discarded => Operation::Assumed,
            // Others go on all the same, and what they do does not depend on where this one is held.
            Outcome::Limit(limit) => {
                self.sink.limits.insert(limit);
                Operation::Held(limit)
            }
            outcome => Operation::End(outcome),
        };
        state.thread.pending = Some(Rc::new(operation));
        None
    }
}

/// What the running event touched last, if it is that place.
fn last_touch(state: &mut State, place: ObjectPlace) -> Option<&mut Touch> {
    let touch = state.concurrency.as_mut()?.touches.last_mut()?;
    let offset = match place.offset {
        Offset::Concrete(offset) => Some(offset),
        Offset::Symbolic(_) => None,
    };
    // Where an access depends on inputs, it may have only one place all the same.
    let there = touch.offset == offset || touch.depends.is_some();
    (touch.slot == place.slot && there && !touch.synchronises).then_some(touch)
}

impl Machine<'_> {
    /// Objects of frames that end: others may have their addresses.
    pub(crate) fn end_objects(&mut self, state: &mut State, slots: &[Slot]) -> Result<(), Exit> {
        if !state.memory.is_watched() {
            return Ok(());
        }
        let shared: Vec<Slot> = slots.iter().copied().filter(|&slot| is_shared(state, slot)).collect();
        if !shared.is_empty() {
            self.decider.stop_before(state, || Operation::Now)?;
        }
        for slot in shared {
            let touch = self.decider.new_touch(state, slot, (Mode::Write, Kind::Free));
            self.decider.touch(state, touch)?;
        }
        Ok(())
    }

    /// Waits until an operation on a synchronisation object can be done; where nobody else could make it possible, the
    /// thread waits for ever.
    pub(crate) fn wait_for(&mut self, state: &mut State, guard: Guard) -> Result<(), Exit> {
        let holds = self.guard_holds(state, &state.thread, &guard);
        let alone = !state.memory.is_watched();
        if !holds && alone {
            return Err(self.waits_alone(state, guard));
        }
        if !holds && state.thread.atomic() > 0 {
            return Err(Exit::End(Outcome::Unsupported(
                "waiting in a block that is done in one step".into(),
            )));
        }
        if holds && state.turn == Turn::Open && !self.decider.order_counts(state) {
            self.decider.pass_by(state);
            return Ok(());
        }
        self.decider.stop_before(state, || Operation::When(guard))
    }
}

fn is_shared(state: &State, slot: Slot) -> bool {
    state.memory.object(slot).is_some_and(|object| !object.info.private && !object.info.read_only)
}

impl Decider<'_> {
    /// A fence orders what comes before it and after it.
    pub(crate) fn fenced(&mut self, state: &mut State, ordering: AtomicOrdering) {
        use AtomicOrdering::{Acquire, AcquireRelease, Release, SequentiallyConsistent};
        if !state.memory.is_watched() {
            return;
        }
        let own = state.thread.own_mut();
        own.acquire_fence |= matches!(ordering, Acquire | AcquireRelease | SequentiallyConsistent);
        own.release_fence |= matches!(ordering, Release | AcquireRelease | SequentiallyConsistent);
    }
}
