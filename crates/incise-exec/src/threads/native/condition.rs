//! Condition variables. A wait is an unlock with going to sleep, and then, woken, a lock.

use super::mutex;
use super::{ETIMEDOUT, Result, THRD_TIMEDOUT, fine, number, prepare};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::thread::{ThreadId, Turn};
use crate::native::{Native, NativeCall};
use crate::outcome::{ErrorKind, Outcome, ProgramError};
use crate::threads::event::{Exchange, Guard, Kind, Mode, Operation};
use crate::threads::objects::{DESTROYED, Object, misuse};
use incise_ir::Program;
use std::rc::Rc;

/// The bytes of `pthread_cond_t` and of `cnd_t`.
const SIZE: u64 = 48;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "pthread_cond_init" | "cnd_init" => init,
        "pthread_cond_destroy" | "cnd_destroy" => destroy,
        "pthread_cond_wait" | "cnd_wait" => |machine, state, call| wait(machine, state, call, None),
        "pthread_cond_timedwait" | "pthread_cond_clockwait" => {
            |machine, state, call| wait(machine, state, call, Some(ETIMEDOUT))
        }
        "cnd_timedwait" => |machine, state, call| wait(machine, state, call, Some(THRD_TIMEDOUT)),
        "pthread_cond_signal" | "cnd_signal" => signal,
        "pthread_cond_broadcast" | "cnd_broadcast" => broadcast,
        "pthread_condattr_destroy" | "pthread_condattr_setpshared" => |_, _, _| fine(),
        _ => return None,
    })
}

fn init(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    prepare(machine, state, object, 0, None)
}

fn destroy(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    object.known(machine.program, state, 0)?;
    if !sleepers(state, object).is_empty() {
        return Err(object.is_in_use(machine.program, state, "destroyed while a thread waits for it"));
    }
    object.write(state, 0, DESTROYED);
    machine.synchronises(state, object, (Mode::Write, Kind::Prepare), (None, None), Exchange::Always)?;
    fine()
}

fn sleepers(state: &State, object: Object) -> Vec<ThreadId> {
    let there = Some((object.slot, object.offset));
    let sleeps = |own: &Rc<crate::engine::thread::Own>| own.asleep == there;
    let live = state.live_threads().into_iter();
    live.filter(|thread| thread.own.as_ref().is_some_and(sleeps)).map(|thread| thread.id).collect()
}

fn wait(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>, late: Option<u64>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    let lock = mutex::held(machine, state, &call.argument(1))?;
    let timed = late.is_some() || may_wake_itself(machine, state);
    let guard = Guard::Woken { slot: lock.slot, offset: lock.offset, timed };
    if state.thread.own.as_ref().is_some_and(|own| own.sleeping) {
        return wake_up(machine, state, (object, lock), guard, late);
    }
    machine.decider.stop_before(state, || Operation::Now)?;
    object.known(machine.program, state, 0)?;
    machine.decider.sink.slept = true;
    if !mutex::is_held(state, lock) {
        return Err(misuse(
            ErrorKind::BadUnlock,
            format!("a wait with {}, which the thread does not hold", lock.name(machine.program, state)),
        ));
    }
    if !state.memory.is_watched() {
        return match late {
            Some(late) => number(late),
            None => Err(endless(machine.program, state, object)),
        };
    }
    if state.thread.atomic() > 0 {
        return Err(Exit::End(Outcome::Unsupported("waiting in a block that is done in one step".into())));
    }
    mutex::release(machine, state, lock)?;
    machine.synchronises(state, object, (Mode::Sleep, Kind::Wait), (None, None), Exchange::Always)?;
    let own = state.thread.own_mut();
    own.asleep = Some((object.slot, object.offset));
    own.sleeping = true;
    state.turn = Turn::Open;
    // The instruction is repeated when the thread may go on.
    machine.decider.stop_before(state, || Operation::When(guard))?;
    fine()
}

fn endless(program: &Program, state: &State, object: Object) -> Exit {
    let message = format!("the only thread waits for {}", object.name(program, state));
    Exit::End(Outcome::Error(ProgramError { kind: ErrorKind::EndlessWait, message }))
}

fn wake_up(
    machine: &mut Machine<'_>,
    state: &mut State,
    (object, lock): (Object, Object),
    guard: Guard,
    late: Option<u64>,
) -> Result {
    machine.decider.stop_before(state, || Operation::When(guard))?;
    let by_itself = state.thread.own.as_ref().is_some_and(|own| own.asleep.is_some());
    let either = by_itself && late.is_some() && may_wake_itself(machine, state);
    let late = if either && machine.decider.choose_freely(state, 2)? == 1 { None } else { late };
    let own = state.thread.own_mut();
    (own.sleeping, own.asleep) = (false, None);
    own.spurious += u32::from(by_itself && late.is_none());
    let woken = own.woken.take();
    if by_itself {
        let kind = if late.is_some() { Kind::Wake } else { Kind::SpuriousWake };
        machine.synchronises(state, object, (Mode::Sleep, kind), (None, None), Exchange::Always)?;
    } else {
        state.concurrency_mut().woken = woken;
    }
    mutex::take(machine, state, lock, Exchange::Always)?;
    match late {
        Some(late) if by_itself => number(late),
        _ => fine(),
    }
}

/// Whether the thread may wake although nobody woke it.
fn may_wake_itself(machine: &Machine<'_>, state: &State) -> bool {
    let most = machine.config.threads.map_or(0, |threads| threads.spurious);
    state.thread.own.as_ref().map_or(0, |own| own.spurious) < most
}

fn signal(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    object.known(machine.program, state, 0)?;
    let sleepers = sleepers(state, object);
    if sleepers.is_empty() {
        machine.synchronises(state, object, (Mode::Read, Kind::Signal), (None, None), Exchange::Always)?;
        return fine();
    }
    // Any of them may be woken.
    let chosen = machine.decider.choose_freely(state, sleepers.len())?;
    wake(state, sleepers[chosen]);
    machine.synchronises(state, object, (Mode::Write, Kind::Signal), (None, None), Exchange::Always)?;
    fine()
}

fn broadcast(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    object.known(machine.program, state, 0)?;
    let sleepers = sleepers(state, object);
    let mode = if sleepers.is_empty() { Mode::Read } else { Mode::Write };
    for sleeper in sleepers {
        wake(state, sleeper);
    }
    machine.synchronises(state, object, (mode, Kind::Broadcast), (None, None), Exchange::Always)?;
    fine()
}

/// A thread sleeps no longer.
fn wake(state: &mut State, sleeper: ThreadId) {
    let by = (state.thread.id, state.thread.own.as_ref().map_or(0, |own| own.events));
    if let Some(thread) = state.thread_named_mut(sleeper) {
        let own = thread.own_mut();
        own.asleep = None;
        own.woken = Some(by);
    }
}
