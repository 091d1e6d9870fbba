//! Read-write locks.

use super::{EBUSY, ETIMEDOUT, Result, fine, number, prepare};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::native::{Native, NativeCall};
use crate::threads::event::{Exchange, Guard, Kind, Mode, Operation, Waits};
use crate::threads::objects::{DESTROYED, Object};

/// The bytes of `pthread_rwlock_t`.
const SIZE: u64 = 56;
const WRITER: u64 = 4;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "pthread_rwlock_init" => init,
        "pthread_rwlock_destroy" => destroy,
        "pthread_rwlock_rdlock" => |machine, state, call| lock(machine, state, call, Waits::ReadLock),
        "pthread_rwlock_wrlock" => |machine, state, call| lock(machine, state, call, Waits::WriteLock),
        "pthread_rwlock_tryrdlock" => {
            |machine, state, call| try_lock(machine, state, call, Waits::ReadLock, EBUSY)
        }
        "pthread_rwlock_trywrlock" => {
            |machine, state, call| try_lock(machine, state, call, Waits::WriteLock, EBUSY)
        }
        "pthread_rwlock_timedrdlock" | "pthread_rwlock_clockrdlock" => {
            |machine, state, call| try_lock(machine, state, call, Waits::ReadLock, ETIMEDOUT)
        }
        "pthread_rwlock_timedwrlock" | "pthread_rwlock_clockwrlock" => {
            |machine, state, call| try_lock(machine, state, call, Waits::WriteLock, ETIMEDOUT)
        }
        "pthread_rwlock_unlock" => unlock,
        "pthread_rwlockattr_destroy" | "pthread_rwlockattr_setpshared" => |_, _, _| fine(),
        _ => return None,
    })
}

fn init(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    prepare(machine, state, object, 0, Some(Waits::WriteLock))
}

fn destroy(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    if object.known(machine.program, state, 0)? != 0 || object.known(machine.program, state, WRITER)? != 0 {
        return Err(object.is_in_use(machine.program, state, "destroyed while it is locked"));
    }
    object.write(state, 0, DESTROYED);
    machine.synchronises(state, object, (Mode::Write, Kind::Prepare), (None, None), Exchange::Always)?;
    fine()
}

fn lock(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>, waits: Waits) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    object.known(machine.program, state, 0)?;
    machine.wait_for(state, Guard::Object { slot: object.slot, offset: object.offset, waits })?;
    object.known(machine.program, state, 0)?;
    take(machine, state, object, waits, Exchange::Always)?;
    fine()
}

fn take(
    machine: &mut Machine<'_>,
    state: &mut State,
    object: Object,
    waits: Waits,
    exchange: Exchange,
) -> std::result::Result<(), Exit> {
    let before = object.word(state, waits);
    let (mode, kind) = match waits {
        Waits::ReadLock => {
            let readers = object.known(machine.program, state, 0)?;
            object.write(state, 0, readers + 1);
            (Mode::Share, Kind::ReadLock)
        }
        _ => {
            object.write(state, WRITER, state.thread.id.0 + 1);
            (Mode::Write, Kind::Lock)
        }
    };
    let after = object.word(state, waits);
    machine.holds(state, object, mode == Mode::Share);
    machine.synchronises(state, object, (mode, kind), (before, after), exchange)
}

fn try_lock(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
    waits: Waits,
    busy: u64,
) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    object.known(machine.program, state, 0)?;
    let word = object.word(state, waits);
    let exchange = Exchange::IfFree(waits);
    if word.is_some_and(|word| !waits.holds(word)) {
        machine.synchronises(state, object, (Mode::Read, Kind::TryLock), (word, word), exchange)?;
        return number(busy);
    }
    take(machine, state, object, waits, exchange)?;
    fine()
}

fn unlock(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    let readers = object.known(machine.program, state, 0)?;
    let before = object.word(state, Waits::WriteLock);
    let mode = match machine.lets_go(state, object) {
        None => {
            return Err(object.is_not_held(machine.program, state, "which the thread does not hold"));
        }
        Some(true) => {
            object.write(state, 0, readers.saturating_sub(1));
            Mode::Share
        }
        Some(false) => {
            object.write(state, WRITER, 0);
            Mode::Write
        }
    };
    let after = object.word(state, Waits::WriteLock);
    machine.synchronises(state, object, (mode, Kind::Unlock), (before, after), Exchange::Always)?;
    fine()
}
