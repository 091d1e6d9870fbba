//! Mutexes, of `pthread.h` and `threads.h`.

use super::{EBUSY, EDEADLK, EINVAL, EPERM, ETIMEDOUT, Result, THRD_BUSY, THRD_ERROR, THRD_TIMEDOUT};
use super::{fine, number, one_number};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::native::{Native, NativeCall};
use crate::threads::event::{Exchange, Guard, Kind, Mode, Operation, Waits};
use crate::threads::objects::{DESTROYED, Object};

/// The bytes of `pthread_mutex_t` and of `mtx_t`.
pub(super) const SIZE: u64 = 40;
const COUNT: u64 = 4;
const OWNER: u64 = 8;
const KIND: u64 = 16;
const RECURSIVE: u32 = 1;
const CHECKED: u32 = 2;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "pthread_mutex_init" => init,
        "mtx_init" => init_c11,
        "pthread_mutex_destroy" | "mtx_destroy" => destroy,
        "pthread_mutex_lock" | "mtx_lock" => lock,
        "pthread_mutex_trylock" => |machine, state, call| try_lock(machine, state, call, EBUSY),
        "mtx_trylock" => |machine, state, call| try_lock(machine, state, call, THRD_BUSY),
        "pthread_mutex_timedlock" | "pthread_mutex_clocklock" => {
            |machine, state, call| try_lock(machine, state, call, ETIMEDOUT)
        }
        "mtx_timedlock" => |machine, state, call| try_lock(machine, state, call, THRD_TIMEDOUT),
        "pthread_mutex_unlock" => |machine, state, call| unlock(machine, state, call, EPERM),
        "mtx_unlock" => |machine, state, call| unlock(machine, state, call, THRD_ERROR),
        "pthread_mutexattr_init" => attribute_init,
        "pthread_mutexattr_destroy" | "pthread_mutexattr_setprotocol" => |_, _, _| fine(),
        "pthread_mutexattr_setpshared" => |_, _, _| fine(),
        "pthread_mutexattr_settype" | "pthread_mutexattr_setkind_np" => attribute_type,
        _ => return None,
    })
}

fn attribute_init(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), 4)?;
    object.write(state, 0, 0);
    fine()
}

fn attribute_type(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), 4)?;
    match one_number(machine, state, &call.argument(1), "a kind of a mutex")? {
        kind @ 0..=3 => {
            object.write(state, 0, kind);
            fine()
        }
        _ => number(EINVAL),
    }
}

fn init(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let kind = match call.argument(1).as_concrete() {
        Some(0) => 0,
        _ => machine.synchronised(state, &call.argument(1), 4)?.known(machine.program, state, 0)?,
    };
    prepare(machine, state, call, kind)
}

fn init_c11(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let kind = one_number(machine, state, &call.argument(1), "a kind of a mutex")? & RECURSIVE;
    prepare(machine, state, call, kind)
}

fn prepare(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>, kind: u32) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    if object.read(state, 0) == Some(1)
        && object.read(state, OWNER).is_some_and(|owner| is_thread(state, owner))
    {
        return Err(object.is_in_use(machine.program, state, "initialised while it is locked"));
    }
    let before = object.word(state, Waits::Mutex);
    for at in (0..SIZE).step_by(4) {
        object.write(state, at, 0);
    }
    object.write(state, KIND, kind);
    let words = (before, object.word(state, Waits::Mutex));
    machine.synchronises(state, object, (Mode::Write, Kind::Prepare), words, Exchange::Always)?;
    fine()
}

fn is_thread(state: &State, owner: u32) -> bool {
    owner > 0 && state.live_threads().iter().any(|thread| thread.id.0 + 1 == owner)
}

fn destroy(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    object.known(machine.program, state, KIND)?;
    if object.known(machine.program, state, 0)? != 0 {
        return Err(object.is_in_use(machine.program, state, "destroyed while it is locked"));
    }
    object.write(state, KIND, DESTROYED);
    machine.synchronises(state, object, (Mode::Write, Kind::Prepare), (None, None), Exchange::Always)?;
    fine()
}

fn lock(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    object.known(machine.program, state, KIND)?;
    let (slot, offset) = (object.slot, object.offset);
    machine.wait_for(state, Guard::Object { slot, offset, waits: Waits::Mutex })?;
    let kind = object.known(machine.program, state, KIND)?;
    if object.known(machine.program, state, 0)? != 0 {
        return again(machine, state, object, kind);
    }
    take(machine, state, object, Exchange::Always)?;
    fine()
}

/// The running thread has the mutex already. It was not free before that either, which others need to know that wait.
fn again(machine: &mut Machine<'_>, state: &mut State, object: Object, kind: u32) -> Result {
    let word = object.word(state, Waits::Mutex);
    if kind & 3 == CHECKED {
        machine.synchronises(state, object, (Mode::Read, Kind::TryLock), (word, word), Exchange::Always)?;
        return number(EDEADLK);
    }
    let count = object.known(machine.program, state, COUNT)?;
    object.write(state, COUNT, count + 1);
    machine.synchronises(state, object, (Mode::Write, Kind::Lock), (word, word), Exchange::Always)?;
    fine()
}

/// Takes a mutex that is free.
pub(super) fn take(
    machine: &mut Machine<'_>,
    state: &mut State,
    object: Object,
    exchange: Exchange,
) -> std::result::Result<(), Exit> {
    let before = object.word(state, Waits::Mutex);
    object.write(state, 0, 1);
    object.write(state, COUNT, 1);
    object.write(state, OWNER, state.thread.id.0 + 1);
    let after = object.word(state, Waits::Mutex);
    machine.holds(state, object, false);
    machine.synchronises(state, object, (Mode::Write, Kind::Lock), (before, after), exchange)
}

fn try_lock(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>, busy: u64) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    let kind = object.known(machine.program, state, KIND)?;
    let own = object.known(machine.program, state, OWNER)? == state.thread.id.0 + 1;
    if object.known(machine.program, state, 0)? != 0 {
        if own && kind & 3 == RECURSIVE {
            return again(machine, state, object, kind);
        }
        let word = object.word(state, Waits::Mutex);
        let exchange = Exchange::IfFree(Waits::Mutex);
        machine.synchronises(state, object, (Mode::Read, Kind::TryLock), (word, word), exchange)?;
        return number(busy);
    }
    take(machine, state, object, Exchange::IfFree(Waits::Mutex))?;
    fine()
}

fn unlock(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>, refused: u64) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    let kind = object.known(machine.program, state, KIND)?;
    let locked = object.known(machine.program, state, 0)? != 0;
    if !locked || object.known(machine.program, state, OWNER)? != state.thread.id.0 + 1 {
        if kind & 3 == CHECKED {
            let word = object.word(state, Waits::Mutex);
            machine.synchronises(
                state,
                object,
                (Mode::Read, Kind::TryLock),
                (word, word),
                Exchange::Always,
            )?;
            return number(refused);
        }
        let how = if locked { "which another thread holds" } else { "which is not locked" };
        return Err(object.is_not_held(machine.program, state, how));
    }
    release(machine, state, object)?;
    fine()
}

/// Gives a mutex back that the running thread has.
pub(super) fn release(
    machine: &mut Machine<'_>,
    state: &mut State,
    object: Object,
) -> std::result::Result<(), Exit> {
    let before = object.word(state, Waits::Mutex);
    let count = object.known(machine.program, state, COUNT)?.max(1) - 1;
    object.write(state, COUNT, count);
    if count == 0 {
        object.write(state, 0, 0);
        object.write(state, OWNER, 0);
        machine.lets_go(state, object);
    }
    let after = object.word(state, Waits::Mutex);
    machine.synchronises(state, object, (Mode::Write, Kind::Unlock), (before, after), Exchange::Always)
}

/// The mutex that a thread gives back while it sleeps.
pub(super) fn held(
    machine: &mut Machine<'_>,
    state: &mut State,
    pointer: &Value,
) -> std::result::Result<Object, Exit> {
    let object = machine.synchronised(state, pointer, SIZE)?;
    object.known(machine.program, state, KIND)?;
    Ok(object)
}

/// Whether the running thread has a mutex.
pub(super) fn is_held(state: &State, object: Object) -> bool {
    object.read(state, 0) == Some(1) && object.read(state, OWNER) == Some(state.thread.id.0 + 1)
}
