//! The life of threads: how they start, end, are waited for, and who of them runs.

use crate::engine::machine::{Exit, Machine};
use crate::engine::state::{Exiting, ReturnTo, State};
use crate::engine::thread::{Over, Own, Thread, ThreadId, Turn};
use crate::engine::value::Value;
use crate::memory::{Memory, Slot};
use crate::outcome::{LimitKind, Outcome};
use crate::threads::MOST_THREADS;
use crate::threads::event::{Guard, Operation};
use crate::threads::objects::Object;
use crate::threads::visible::Seen;
use incise_ir::{FunctionId, GlobalId};
use std::rc::Rc;

/// How often values of keys are destroyed that destructors have made again.
const DESTRUCTOR_ROUNDS: u32 = 4;

impl State {
    /// The thread of that number, unless it has ended.
    pub(crate) fn thread_named(&self, id: ThreadId) -> Option<&Thread> {
        if self.thread.id == id {
            return Some(&self.thread);
        }
        self.parked.iter().find(|parked| parked.id == id).map(|parked| &**parked)
    }

    /// The same, to change it.
    pub(crate) fn thread_named_mut(&mut self, id: ThreadId) -> Option<&mut Thread> {
        if self.thread.id == id {
            return Some(&mut self.thread);
        }
        self.parked.iter_mut().find(|parked| parked.id == id).map(Rc::make_mut)
    }

    /// All threads that have not ended, in no order.
    pub(crate) fn each_live(&self) -> impl Iterator<Item = &Thread> {
        let parked = self.parked.iter().map(|parked| &**parked);
        std::iter::once(&self.thread).chain(parked).filter(|thread| !thread.is_over())
    }

    /// All threads that have not ended, in the order of their numbers.
    pub(crate) fn live_threads(&self) -> Vec<&Thread> {
        let mut all: Vec<&Thread> = self.each_live().collect();
        all.sort_unstable_by_key(|thread| thread.id);
        all
    }

    /// Lets a thread run; the one that did so far waits.
    pub(crate) fn switch_to(&mut self, next: ThreadId) {
        if self.thread.id == next {
            return;
        }
        let Some(at) = self.parked.iter().position(|parked| parked.id == next) else { return };
        let next = self.parked.swap_remove(at);
        self.memory.set_maker(next.id);
        let next = Rc::try_unwrap(next).unwrap_or_else(|shared| (*shared).clone());
        let before = std::mem::replace(&mut self.thread, next);
        if !before.is_over() {
            self.parked.push(Rc::new(before));
        }
    }

    /// How a thread ended, if it did.
    pub(crate) fn over(&self, id: ThreadId) -> Option<&Over> {
        self.concurrency.as_ref()?.over.iter().find(|over| over.id == id)
    }

    /// Whether there are other threads that could have an influence.
    pub(crate) fn watch_if_needed(&mut self) {
        let living = self.parked.iter().any(|parked| !parked.is_over());
        let loose = self.concurrency.as_ref().is_some_and(|it| it.over.iter().any(|over| !over.joined));
        self.memory.watch(living || loose);
    }
}

impl Machine<'_> {
    /// Starts a thread that executes a function and waits for its turn.
    pub fn spawn(
        &mut self,
        state: &mut State,
        function: FunctionId,
        arguments: Vec<Value>,
    ) -> Option<ThreadId> {
        let parent = state.thread.id;
        let child = state.thread.own.as_ref().map_or(0, |own| own.children);
        if state.threads == 0 {
            self.thread_numbers.clear();
        }
        let next = self.thread_numbers.values().max().map_or(1, |last| last + 1);
        let id = ThreadId(*self.thread_numbers.entry((parent.0, child)).or_insert(next));
        state.memory.set_maker(id);
        let frame = self.make_frame(state, function, arguments, &[], ReturnTo::Thread).ok();
        let locals = self.own_locals(state);
        state.memory.set_maker(parent);
        let frame = frame?;
        state.threads += 1;
        state.thread.own_mut().children += 1;
        state.parked.push(Rc::new(Thread { id, locals, ..Thread::first(frame) }));
        state.concurrency_mut().created.push(id);
        state.memory.watch(true);
        Some(id)
    }

    /// The same for a program, which may ask for too many.
    pub(crate) fn start_thread(
        &mut self,
        state: &mut State,
        function: FunctionId,
        argument: Value,
        detached: bool,
    ) -> Result<ThreadId, Exit> {
        let unsupported = |what: &str| Err(Exit::End(Outcome::Unsupported(what.to_owned())));
        if self.config.threads.is_none() {
            return unsupported("a second thread");
        }
        if state.threads >= MOST_THREADS || self.thread_numbers.len() as u32 >= 16 * MOST_THREADS {
            return Err(Exit::End(Outcome::Limit(LimitKind::Threads)));
        }
        if !self.program.functions[function].is_definition() {
            return unsupported("a thread that executes a function without a body");
        }
        let parameters = self.program.functions[function].parameters.len();
        let arguments = std::iter::once(argument).chain((1..parameters).map(|_| Value::Undefined));
        let Some(id) = self.spawn(state, function, arguments.collect()) else {
            return unsupported("a thread that cannot be started");
        };
        if detached && let Some(thread) = state.thread_named_mut(id) {
            thread.own_mut().detached = true;
        }
        self.decider.sink.threads = self.decider.sink.threads.max(state.live_threads().len() as u32);
        Ok(id)
    }

    /// Threads are numbered anew below each state in which there is a second one, so that numbers do not depend on what
    /// was explored before.
    pub(crate) fn thread_numbers_for(&mut self, state: &State) {
        let known = std::mem::take(&mut self.thread_numbers);
        let there = |number: u32| {
            state.parked.iter().any(|parked| parked.id.0 == number) || state.over(ThreadId(number)).is_some()
        };
        self.thread_numbers = known.into_iter().filter(|&(_, number)| there(number)).collect();
    }

    /// Copies of the thread-local variables, as they begin.
    fn own_locals(&mut self, state: &mut State) -> Rc<[(GlobalId, Slot)]> {
        let program = self.program;
        let locals = program.globals.iter().filter(|(_, global)| global.thread_local);
        locals.map(|(id, global)| (id, state.memory.add(self.decider.inputs().fresh_copy(global)))).collect()
    }

    /// Where the running thread has its own copy of a thread-local variable.
    pub(crate) fn thread_local_address(&self, state: &State, address: Value) -> Value {
        if state.thread.locals.is_empty() {
            return address;
        }
        let own = |(global, slot): &(GlobalId, Slot)| {
            let of_first = self.decider.constants.global_address(*global);
            (address.as_concrete() == Some(u128::from(of_first))).then(|| Value::Word(Memory::address(*slot)))
        };
        state.thread.locals.iter().find_map(own).unwrap_or(address)
    }

    /// A thread leaves its function, or wants to end.
    pub(crate) fn thread_ended(&mut self, state: &mut State, result: Option<Value>) -> Result<(), Exit> {
        let own = state.thread.own_mut();
        if own.result.is_none() {
            own.result = Some(result.unwrap_or(Value::Word(0)));
        }
        if let Some((function, value)) = self.next_destructor(state)? {
            self.push_frame(state, function, vec![value], &[], ReturnTo::Thread)?;
            return Err(Exit::Switch);
        }
        if !state.memory.is_watched() {
            // The first thread has ended itself, and there is no other.
            return self.exit_program(state, Value::Word(0));
        }
        let (id, own) = (state.thread.id, state.thread.own.clone().unwrap_or_default());
        let over = Over {
            id,
            result: own.result.clone().unwrap_or(Value::Word(0)),
            joined: false,
            detached: own.detached,
        };
        Rc::make_mut(&mut state.concurrency_mut().over).push(over);
        state.thread.pending = Some(Rc::new(Operation::Over));
        Err(Exit::Pause)
    }

    /// The next destructor of the thread's values of keys, and what it gets: the keys in order, and again as long as
    /// destructors have made new values, four times at most.
    fn next_destructor(&mut self, state: &mut State) -> Result<Option<(FunctionId, Value)>, Exit> {
        let keys = state.concurrency.as_ref().map_or_else(Default::default, |it| it.keys.clone());
        while let Some((key, value)) = next_value(&keys, state) {
            let Some(Some(destructor)) = keys.get(key as usize) else { continue };
            let function =
                destructor.as_concrete().and_then(|at| Memory::function_at(at as u64, self.function_count()));
            let Some(function) = function else {
                return Err(Exit::End(Outcome::Unsupported("a symbolic destructor of a key".into())));
            };
            if self.program.functions[function].is_definition() {
                return Ok(Some((function, value)));
            }
            let name = &self.program.functions[function].name;
            if name != "free" {
                return Err(Exit::End(Outcome::Unsupported(format!("the destructor {name}"))));
            }
            self.free_value(state, &value)?;
        }
        Ok(None)
    }

    /// A thread ends itself, wherever it is.
    pub(crate) fn exit_thread(&mut self, state: &mut State, result: Value) -> Result<(), Exit> {
        let mut slots: Vec<Slot> = state.thread.frame.objects.clone();
        slots.extend(state.thread.below.iter_newest_first().flat_map(|frame| frame.objects.iter().copied()));
        self.end_objects(state, &slots)?;
        self.decider.cover_thread(&state.thread);
        for slot in slots {
            state.memory.remove(slot);
        }
        state.thread.frame.objects.clear();
        while state.thread.below.pop().is_some() {}
        state.thread.frame.return_to = ReturnTo::Thread;
        self.thread_ended(state, Some(result))
    }

    /// The last thread has ended: so has the program.
    pub(crate) fn all_ended(&mut self, state: &mut State) -> Outcome {
        state.exiting = Some(Rc::new(Exiting { status: Value::Word(0) }));
        Outcome::Exited { status: 0 }
    }

    /// Whether a thread need not wait.
    pub(crate) fn guard_holds(&self, state: &State, thread: &Thread, guard: &Guard) -> bool {
        let owns = |word: u64| (word >> 32) as u32 == thread.id.0 + 1;
        match *guard {
            Guard::Object { slot, offset, waits } => {
                let object = Object { slot, offset, size: 0 };
                let Some(word) = object.word(state, waits) else { return true };
                // Who owns a mutex that is not a plain one is told so, or has it once more.
                let again = waits == crate::threads::event::Waits::Mutex
                    && owns(word)
                    && object.read(state, 16).is_some_and(|kind| matches!(kind & 3, 1 | 2));
                waits.holds(word) || again
            }
            Guard::Woken { slot, offset, timed } => {
                let asleep = thread.own.as_ref().is_some_and(|own| own.asleep.is_some());
                let object = Object { slot, offset, size: 0 };
                let word = object.word(state, crate::threads::event::Waits::Mutex);
                (!asleep || timed) && word.is_none_or(|word| crate::threads::event::Waits::Mutex.holds(word))
            }
            Guard::Ended(id) => state.over(id).is_some(),
            Guard::Change(_) => false,
        }
    }

    /// Whether a thread can do what it is about to do.
    pub(crate) fn is_able(&self, state: &State, thread: &Thread) -> bool {
        match thread.pending.as_deref() {
            None | Some(Operation::Now | Operation::Reading(_) | Operation::End(_)) => true,
            Some(Operation::When(guard)) => self.guard_holds(state, thread, guard),
            Some(Operation::Over | Operation::Assumed | Operation::Held(_)) => false,
        }
    }

    /// Gives the turn to a thread: it does what it is about to do.
    pub(crate) fn give_turn(&mut self, state: &mut State, thread: ThreadId) {
        state.switch_to(thread);
        let ahead = super::awaits::waits_for(&state.thread).is_some();
        let home = match state.thread.own.as_ref() {
            Some(own) if own.ahead > 0 => own.home.clone(),
            _ => ahead.then(|| Rc::new(Seen::at_next(state))),
        };
        state.thread.pending = None;
        state.turn = Turn::Given;
        let own = state.thread.own_mut();
        own.events += 1;
        (own.ahead, own.home) = if ahead { (own.ahead + 1, home) } else { (0, None) };
        let fences = {
            let own: &mut Own = state.thread.own_mut();
            (std::mem::take(&mut own.acquire_fence), own.release_fence)
        };
        let concurrency = state.concurrency_mut();
        concurrency.touches.clear();
        concurrency.unordered.clear();
        concurrency.joined.clear();
        concurrency.created.clear();
        concurrency.ways.clear();
        concurrency.woken = None;
        concurrency.fences = fences;
    }
}

/// Takes the next value of the running thread that has a destructor.
fn next_value(keys: &[Option<Value>], state: &mut State) -> Option<(u32, Value)> {
    let has_destructor = |key: u32| {
        let destructor = keys.get(key as usize).and_then(Option::as_ref);
        destructor.is_some_and(|it| it.as_concrete() != Some(0))
    };
    loop {
        let own = state.thread.own.as_ref()?;
        let left = own.specific.iter().filter(|(key, value)| {
            *key >= own.next_key && value.as_concrete() != Some(0) && has_destructor(*key)
        });
        let Some(key) = left.map(|(key, _)| *key).min() else {
            // The next round, if this one has had something to do.
            if own.next_key == 0 || own.rounds + 1 >= DESTRUCTOR_ROUNDS {
                return None;
            }
            let own = state.thread.own_mut();
            (own.next_key, own.rounds) = (0, own.rounds + 1);
            continue;
        };
        let own = state.thread.own_mut();
        own.next_key = key + 1;
        let value = own.specific.iter_mut().find(|(known, _)| *known == key)?;
        return Some((key, std::mem::replace(&mut value.1, Value::Word(0))));
    }
}
