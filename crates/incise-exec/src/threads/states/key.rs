//! What a state is, as a number: two states with one number are the same from there on.
//!
//! Where all threads stand, the registers that are still of use, memory, locks, and what is known of the inputs that
//! any of these depend on. What is not in it: how the state was come to, how many events and turns of loops there were
//! (only limits depend on that, and what came to a limit is not known), and what was written.

use crate::engine::mixed::Mixed;
use crate::engine::state::{Frame, ReturnTo, State};
use crate::engine::thread::{Concurrency, Own, Thread};
use crate::engine::value::Value;
use crate::inputs::input::InputObject;
use crate::memory::{Held, Object, Run};
use crate::outcome::Outcome;
use crate::threads::event::{Guard, Operation, Waits};
use crate::threads::explorer::Explorer;
use incise_ir::Id;
use incise_solver::{ExprId, Exprs};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is known of objects, of runs of them and of threads that do not run, so that nobody looks at them twice. What
/// is held here is not changed any more: who writes to it gets a copy.
#[derive(Default)]
pub(super) struct KnownObjects {
    objects: FxHashMap<*const Object, (Rc<Object>, Content)>,
    runs: FxHashMap<usize, (Run, Content)>,
    threads: FxHashMap<*const Thread, (Rc<Thread>, Content)>,
}

/// What something is, and the expressions in it.
#[derive(Clone)]
struct Content {
    /// `None` if it cannot be told.
    number: Option<u128>,
    symbolic: Rc<[ExprId]>,
}

/// So many of each are remembered.
const MOST_OBJECTS: usize = 1 << 14;

impl KnownObjects {
    fn object(&mut self, exprs: &Exprs, object: &Rc<Object>) -> &Content {
        if self.objects.len() >= MOST_OBJECTS {
            self.objects.clear();
        }
        let known = self.objects.entry(Rc::as_ptr(object)).or_insert_with(|| {
            let (mut mixed, mut symbolic) = (Mixed::new(), Vec::new());
            let told = object.mix(exprs, &mut mixed, &mut symbolic);
            symbolic.dedup();
            let number = told.then(|| mixed.number());
            (object.clone(), Content { number, symbolic: symbolic.into() })
        });
        &known.1
    }

    fn run(&mut self, exprs: &Exprs, run: Run) -> &Content {
        if self.runs.len() >= MOST_OBJECTS {
            self.runs.clear();
        }
        let number = run.number();
        if !self.runs.contains_key(&number) {
            let (mut mixed, mut symbolic) = (Mixed::new(), Vec::new());
            let told = run.held().try_for_each(|held| self.held(exprs, held, (&mut mixed, &mut symbolic)));
            let content = Content { number: told.map(|()| mixed.number()), symbolic: symbolic.into() };
            self.runs.insert(number, (run, content));
        }
        &self.runs[&number].1
    }

    fn held(
        &mut self,
        exprs: &Exprs,
        held: Held<'_>,
        (mixed, symbolic): (&mut Mixed, &mut Vec<ExprId>),
    ) -> Option<()> {
        match held {
            Held::Nothing => mixed.word(0),
            Held::Live(object) => {
                let content = self.object(exprs, object);
                mixed.word(1);
                mixed.wide(content.number?);
                symbolic.extend_from_slice(&content.symbolic);
            }
            Held::Dead(info) => {
                mixed.word(2);
                info.mix(mixed);
            }
            Held::Continued(slot) => mixed.words([3, slot]),
        }
        Some(())
    }
}

/// A key on its way: the number so far, and the expressions in what was looked at.
struct Key<'e> {
    exprs: &'e Exprs,
    mixed: Mixed,
    symbolic: Vec<ExprId>,
}

impl Explorer<'_, '_> {
    /// The number of a state in which all threads have stopped; none if that cannot be told.
    pub(super) fn key_of(&mut self, state: &State) -> Option<u128> {
        if !self.matching.begun.as_ref().is_some_and(|begun| has_only_changed(begun, state)) {
            return None;
        }
        let mut threads = Vec::with_capacity(state.parked.len() + 1);
        if !state.thread.is_over() {
            threads.push((state.thread.id, self.thread_of(&state.thread)));
        }
        for thread in state.parked.iter().filter(|thread| !thread.is_over()) {
            threads.push((thread.id, self.parked_of(thread)));
        }
        threads.sort_unstable_by_key(|(id, _)| *id);
        let exprs = &self.machine.decider.exprs;
        let mut key = Key { exprs, mixed: Mixed::new(), symbolic: Vec::new() };
        key.program(state);
        key.mixed.word(threads.len() as u64);
        for (_, content) in threads {
            key.mixed.wide(content.number?);
            key.symbolic.extend_from_slice(&content.symbolic);
        }
        for (count, runs) in state.memory.runs() {
            key.mixed.word(count);
            for run in runs {
                let content = self.matching.objects.run(exprs, run);
                key.mixed.wide(content.number?);
                key.symbolic.extend_from_slice(&content.symbolic);
            }
        }
        Some(key.with_constraints(state))
    }
}

impl Explorer<'_, '_> {
    fn parked_of(&mut self, thread: &Rc<Thread>) -> Content {
        if let Some((_, content)) = self.matching.objects.threads.get(&Rc::as_ptr(thread)) {
            return content.clone();
        }
        let content = self.thread_of(thread);
        let known = &mut self.matching.objects.threads;
        if known.len() >= MOST_OBJECTS {
            known.clear();
        }
        known.insert(Rc::as_ptr(thread), (thread.clone(), content.clone()));
        content
    }

    /// What a thread is, and where it stands.
    fn thread_of(&mut self, thread: &Thread) -> Content {
        let exprs = &self.machine.decider.exprs;
        let mut key = Key { exprs, mixed: Mixed::new(), symbolic: Vec::new() };
        // What a thread has read ahead is compared with where it was then.
        let mut told = thread.own.as_ref().is_none_or(|own| own.home.is_none());
        key.thread(thread);
        let below = thread.below.iter_newest_first().map(|frame| (frame, frame.pc.saturating_sub(1)));
        for (frame, from) in std::iter::once((&thread.frame, thread.frame.pc)).chain(below) {
            let live = self.live.at(self.machine.program, &frame.code, from);
            told &= key.frame(frame, &live).is_some();
        }
        Content { number: told.then(|| key.mixed.number()), symbolic: key.symbolic.into() }
    }
}

/// Whether what the key does not tell is as it was when the exploration of threads began. What was written does not
/// decide what comes next.
fn has_only_changed(begun: &State, state: &State) -> bool {
    state.relevant.is_none()
        && state.choices.is_empty()
        && state.replay.is_none()
        && !state.following
        && state.exiting.is_none()
        && state.returned.is_none()
        && begun.calls.is_shared_with(&state.calls)
        && begun.touched.is_shared_with(&state.touched)
        && begun.exit_handlers.is_shared_with(&state.exit_handlers)
        && begun.outside.constant.is_shared_with(&state.outside.constant)
        && begun.outside.calls == state.outside.calls
        && begun.outside.seen == state.outside.seen
        && Rc::ptr_eq(&begun.outside.known, &state.outside.known)
        && Rc::ptr_eq(&begun.outside.apart, &state.outside.apart)
        && Rc::ptr_eq(&begun.outside.registers, &state.outside.registers)
        && (begun.constructor, begun.destructor) == (state.constructor, state.destructor)
        && (begun.note, begun.ticket) == (state.note, state.ticket)
}

fn input_number(exprs: &Exprs, input: &InputObject) -> u128 {
    let mut mixed = Mixed::new();
    mixed.bytes(input.name.as_bytes());
    mixed.option(input.slot);
    mixed.word(input.size);
    mixed.words(input.leaves.iter().map(|leaf| exprs.structural_hash(leaf.expr)));
    mixed.number()
}

impl Key<'_> {
    fn value(&mut self, value: &Value) {
        match value {
            Value::Symbolic(expr) => {
                self.mixed.words([1, self.exprs.structural_hash(*expr)]);
                self.symbolic.push(*expr);
            }
            Value::Aggregate(elements) => {
                self.mixed.words([2, elements.len() as u64]);
                elements.iter().for_each(|element| self.value(element));
            }
            Value::Undefined => self.mixed.word(3),
            Value::Word(word) => self.mixed.words([4, *word, 0]),
            Value::Wide(wide) => {
                self.mixed.word(4);
                self.mixed.wide(**wide);
            }
        }
    }

    fn optional(&mut self, value: Option<&Value>) {
        self.mixed.word(u64::from(value.is_some()));
        value.into_iter().for_each(|value| self.value(value));
    }

    /// What is not of a thread, and not memory.
    fn program(&mut self, state: &State) {
        let inputs = state.inputs.iter_newest_first().map(|input| input_number(self.exprs, input));
        let inputs = inputs.fold(0u128, u128::wrapping_add);
        self.mixed.word(state.inputs.len() as u64);
        self.mixed.wide(inputs);
        self.mixed.words([state.threads.into(), state.allocations.into(), state.made_up.into()]);
        self.mixed.word(u64::from(state.indeterminate));
        self.concurrency(state.concurrency.as_deref());
    }

    fn concurrency(&mut self, concurrency: Option<&Concurrency>) {
        let Some(concurrency) = concurrency else { return self.mixed.word(0) };
        self.mixed.words([1, concurrency.over.len() as u64, concurrency.keys.len() as u64]);
        let mut over: Vec<_> = concurrency.over.iter().collect();
        over.sort_unstable_by_key(|over| over.id);
        for over in over {
            self.mixed.words([over.id.0.into(), u64::from(over.joined), u64::from(over.detached)]);
            self.value(&over.result);
        }
        concurrency.keys.iter().for_each(|key| self.optional(key.as_ref()));
    }

    fn thread(&mut self, thread: &Thread) {
        self.mixed.words([thread.id.0.into(), thread.made_up.into(), thread.below.len() as u64]);
        self.mixed.word(thread.locals.len() as u64);
        for &(global, slot) in thread.locals.iter() {
            self.mixed.words([global.index() as u64, slot]);
        }
        self.operation(thread.pending.as_deref());
        match thread.own.as_deref() {
            None => self.own(&Own::default()),
            Some(own) => self.own(own),
        }
    }

    fn operation(&mut self, operation: Option<&Operation>) {
        match operation {
            None => self.mixed.word(0),
            Some(Operation::Now) => self.mixed.word(1),
            // What it looks at follows from where it is and from memory.
            Some(Operation::Reading(_)) => self.mixed.word(2),
            Some(Operation::When(guard)) => self.guard(guard),
            Some(Operation::End(outcome)) => self.outcome(outcome),
            Some(Operation::Over) => self.mixed.word(4),
            Some(Operation::Assumed) => self.mixed.word(5),
            Some(Operation::Held(_)) => self.mixed.word(6),
        }
    }

    /// An end of the program. What is wrong follows from where the thread is, and from values.
    fn outcome(&mut self, outcome: &Outcome) {
        self.mixed.word(7);
        match outcome {
            Outcome::Error(error) => self.mixed.bytes(error.kind.name().as_bytes()),
            other => self.mixed.bytes(format!("{other:?}").as_bytes()),
        }
    }

    fn guard(&mut self, guard: &Guard) {
        match *guard {
            Guard::Object { slot, offset, waits } => {
                let waits = match waits {
                    Waits::Mutex => 0,
                    Waits::ReadLock => 1,
                    Waits::WriteLock => 2,
                    Waits::Semaphore => 3,
                    Waits::Spin => 4,
                    Waits::Once => 5,
                    Waits::Round(round) => 6 + u64::from(round),
                };
                self.mixed.words([10, slot, offset, waits]);
            }
            Guard::Woken { slot, offset, timed } => self.mixed.words([11, slot, offset, u64::from(timed)]),
            Guard::Ended(thread) => self.mixed.words([12, thread.0.into()]),
            Guard::Change(_) => self.mixed.word(13),
        }
    }

    fn own(&mut self, own: &Own) {
        let pair = |one: u32, other: u32| u64::from(one) << 32 | u64::from(other);
        self.mixed.words([pair(own.children, own.rounds), pair(own.next_key, own.spurious)]);
        self.mixed.words([pair(own.atomic, own.ahead), pair(own.cleanups, own.arrived.unwrap_or(0))]);
        let flags = [
            own.woken.is_some(),
            own.sleeping,
            own.acquire_fence,
            own.release_fence,
            own.detached,
            own.asleep.is_some(),
            own.arrived.is_some(),
        ];
        let flags = flags.iter().fold(0, |flags, &flag| flags << 1 | u64::from(flag));
        self.mixed.word(flags << 32 | own.held.len() as u64);
        if let Some((slot, offset)) = own.asleep {
            self.mixed.words([slot, offset]);
        }
        for held in &own.held {
            self.mixed.words([held.slot, held.offset, u64::from(held.shared)]);
        }
        self.mixed.word(own.specific.len() as u64);
        for (key, value) in &own.specific {
            self.mixed.word((*key).into());
            self.value(value);
        }
        self.optional(own.result.as_ref());
    }

    fn frame(&mut self, frame: &Frame, live: &[usize]) -> Option<()> {
        if frame.variable_arguments.is_some() {
            return None;
        }
        self.mixed.words([frame.code.function.index() as u64, frame.pc.into(), frame.objects.len() as u64]);
        self.mixed.words(frame.objects.iter().copied());
        match frame.return_to {
            ReturnTo::Caller { to, edge } => {
                self.mixed.word(0);
                self.mixed.option(to.map(u64::from));
                self.mixed.option(edge.map(u64::from));
            }
            ReturnTo::Entry => self.mixed.word(1),
            ReturnTo::Exit => self.mixed.word(2),
            ReturnTo::Start => self.mixed.word(3),
            ReturnTo::Thread => self.mixed.word(4),
            ReturnTo::Once { slot, offset, to, edge } => {
                self.mixed.words([5, slot, offset]);
                self.mixed.option(to.map(u64::from));
                self.mixed.option(edge.map(u64::from));
            }
        }
        live.iter().for_each(|&register| self.value(&frame.registers[register]));
        Some(())
    }

    /// The number, with what is known of the inputs that anything in the state depends on. What is known of others was
    /// found to be possible, and decides nothing any more.
    fn with_constraints(mut self, state: &State) -> u128 {
        self.symbolic.sort_unstable_by_key(|&expr| (self.exprs.structural_hash(expr), expr));
        self.symbolic.dedup();
        for &expr in &self.symbolic {
            let known = state.constraints.slice(self.exprs, expr).key();
            self.mixed.word(self.exprs.structural_hash(expr));
            self.mixed.wide(known);
        }
        self.mixed.number()
    }
}
