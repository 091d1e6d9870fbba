//! Which thread goes on. The scheduler stands beside the searcher: the searcher says which state is next, the scheduler
//! what its threads may do.
//!
//! A thread is asked about before each access that others could see; which threads may go on then is a decision like
//! any other, and a state for each of them is forked. Where there is only one thread, nobody is asked.

use crate::decisions::decider::Decider;
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::{ReturnTo, State};
use crate::engine::thread::{Thread, ThreadId, Turn};
use crate::engine::value::Value;
use crate::memory::access::{Access, ObjectPlace};
use crate::memory::{Memory, Slot};
use crate::outcome::Outcome;
use crate::result::Decision;
use incise_ir::{FunctionId, GlobalId, LocationId};
use std::rc::Rc;

/// What a thread is about to do.
#[derive(Copy, Clone, Debug)]
pub struct Event {
    /// Who.
    pub thread: ThreadId,
    /// To what.
    pub place: ObjectPlace,
    /// To how many bytes from there.
    pub size: u64,
    /// What.
    pub access: Access,
    /// Where in the source.
    pub location: Option<LocationId>,
}

/// Says which threads may go on.
pub trait Scheduler {
    /// The threads that may go on where the running one is about to do something: each of them is explored, in this
    /// order. `able` are those that can, the running one included.
    fn next(&mut self, event: &Event, able: &[ThreadId]) -> Vec<ThreadId>;
}

/// The running thread goes on until it ends.
#[derive(Copy, Clone, Debug, Default)]
pub struct RunToEnd;

impl Scheduler for RunToEnd {
    fn next(&mut self, event: &Event, _able: &[ThreadId]) -> Vec<ThreadId> {
        vec![event.thread]
    }
}

impl Decider<'_> {
    /// A thread is about to access memory that others may see.
    #[cold]
    pub(crate) fn accessed(
        &mut self,
        state: &mut State,
        place: ObjectPlace,
        size: u64,
        access: Access,
    ) -> Result<(), Exit> {
        // One decision an instruction, and a fork that repeats it has made it.
        if std::mem::replace(&mut state.turn, Turn::Used) != Turn::Open {
            return Ok(());
        }
        let thread = state.thread.id;
        let able: Vec<ThreadId> =
            std::iter::once(thread).chain(state.parked.iter().map(|parked| parked.id)).collect();
        let event = Event { thread, place, size, access, location: self.location(state) };
        let mut next = self.scheduler.next(&event, &able);
        next.retain(|thread| able.contains(thread));
        next.dedup();
        let alone = next.len() == 1;
        let mut here = None;
        for chosen in next {
            if chosen == thread && here.is_none() {
                here = Some(chosen);
                continue;
            }
            let mut other = Box::new(state.fork());
            other.decide(Decision::Schedule(chosen.0), alone);
            other.thread.frame.pc -= 1;
            other.choices.clear();
            switch(&mut other, chosen);
            self.add_fork(other);
        }
        match here {
            Some(chosen) => {
                state.decide(Decision::Schedule(chosen.0), alone);
                Ok(())
            }
            None => Err(Exit::End(Outcome::Pruned)),
        }
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
        state.threads += 1;
        let id = ThreadId(state.threads);
        state.memory.set_maker(id);
        let frame = self.make_frame(state, function, arguments, &[], ReturnTo::Thread).ok();
        let locals = self.own_locals(state);
        state.memory.set_maker(state.thread.id);
        state.parked.push(Thread { id, locals, ..Thread::first(frame?) });
        state.memory.watch(true);
        Some(id)
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

    /// A thread other than the first came to its end: the first of those that wait goes on.
    pub(crate) fn thread_ended(&mut self, state: &mut State) -> Result<(), Exit> {
        let Some(next) = state.parked.iter().map(|parked| parked.id).min() else {
            return Err(Exit::End(Outcome::Returned));
        };
        switch(state, next);
        state.parked.pop();
        // Who really goes on is decided where it does something.
        state.turn = Turn::Open;
        state.memory.watch(!state.parked.is_empty());
        Err(Exit::Switch)
    }
}

/// Lets a waiting thread run; the running one waits, at the end of the list.
fn switch(state: &mut State, next: ThreadId) {
    if let Some(at) = state.parked.iter().position(|parked| parked.id == next) {
        let next = state.parked.remove(at);
        state.memory.set_maker(next.id);
        let before = std::mem::replace(&mut state.thread, next);
        state.parked.push(before);
    }
    state.turn = Turn::Given;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, SymbolicGlobals};
    use crate::decisions::strategy::FullExploration;
    use crate::exploration::explore::{Hooks, find_entry, stop_signal};
    use crate::exploration::finish::{Detail, Sink};
    use crate::result::{InputValue, Path};
    use incise_ir::Program;
    use incise_llvm::{ModuleText, link};
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    /// Every thread may go on before every access.
    struct Everybody;

    impl Scheduler for Everybody {
        fn next(&mut self, event: &Event, able: &[ThreadId]) -> Vec<ThreadId> {
            assert!(able.contains(&event.thread) && event.size > 0);
            able.to_vec()
        }
    }

    fn read(text: &str) -> Program {
        link(&[ModuleText { name: "test.ll", text: text.as_bytes() }]).expect("it is read")
    }

    /// The paths of `f` beside a thread that executes `g`.
    fn paths(program: &Program, scheduler: impl Scheduler + 'static) -> Vec<Path> {
        let mut config = Config::new("f");
        config.inputs.globals = SymbolicGlobals::None;
        let interrupt = Arc::new(AtomicBool::new(false));
        let hooks = Hooks {
            interrupt,
            stopped_by: None,
            progress: None,
            memory_used: None,
            detail: Detail::All,
            found: None,
        };
        let mut strategy = FullExploration;
        let stop = stop_signal(&config, &hooks, Instant::now());
        let mut machine = Machine::new(program, &config, &mut strategy, stop, Sink::new(Detail::All));
        machine.decider.scheduler = Box::new(scheduler);
        let mut first = machine.start(find_entry(program, &config).expect("f")).expect("it starts");
        let g = program.function_named("g").expect("g");
        machine.spawn(&mut first, g, Vec::new()).expect("a thread");
        let mut waiting = vec![first];
        while let Some(mut state) = waiting.pop() {
            machine.run(&mut state, false);
            waiting.append(&mut machine.decider.forked);
        }
        machine.decider.sink.paths.take()
    }

    fn returned(paths: &[Path]) -> BTreeSet<i128> {
        let number = |path: &Path| match path.returned {
            Some(InputValue::Signed(number)) => number,
            Some(InputValue::Unsigned(number)) => number as i128,
            ref other => panic!("{other:?} is returned"),
        };
        paths.iter().map(number).collect()
    }

    const SHARED: &str = "@x = global i32 0
        define i32 @f() {
          store i32 1, ptr @x
          %a = load i32, ptr @x
          ret i32 %a
        }
        define void @g() {
          store i32 2, ptr @x
          %a = load atomic i32, ptr @x seq_cst, align 4
          ret void
        }";

    #[test]
    fn every_order_of_accesses_is_one_path() {
        let program = read(SHARED);
        let found = paths(&program, Everybody);
        // None, one or both of the accesses of g before the last of f, in every place.
        assert_eq!(found.len(), 1 + 2 + 3, "{found:#?}");
        assert_eq!(returned(&found), BTreeSet::from([1, 2]));
        let decisions: BTreeSet<_> = found.iter().map(|path| path.decisions.clone()).collect();
        assert_eq!(decisions.len(), found.len());
        let schedules = found.iter().flat_map(|path| &path.decisions);
        assert!(schedules.into_iter().all(|decision| matches!(decision, Decision::Schedule(_))));
    }

    #[test]
    fn a_thread_that_is_left_alone_runs_to_its_end() {
        let program = read(SHARED);
        let found = paths(&program, RunToEnd);
        assert_eq!((found.len(), returned(&found)), (1, BTreeSet::from([1])));
        assert!(found[0].decisions.is_empty());
    }

    #[test]
    fn thread_local_variables_are_another_in_each_thread() {
        let program = read(
            "@x = thread_local global i32 5
             declare ptr @llvm.threadlocal.address.p0(ptr)
             define i32 @f() {
               %p = call ptr @llvm.threadlocal.address.p0(ptr @x)
               %a = load i32, ptr %p
               %b = load i32, ptr %p
               ret i32 %b
             }
             define void @g() {
               %p = call ptr @llvm.threadlocal.address.p0(ptr @x)
               store i32 7, ptr %p
               ret void
             }",
        );
        let found = paths(&program, Everybody);
        assert!(found.len() > 2, "{found:#?}");
        assert_eq!(returned(&found), BTreeSet::from([5]));
    }
}
