//! Semaphores and spin locks: numbers that are counted down when they are not zero.

use super::{EAGAIN, EBUSY, EINVAL, ETIMEDOUT, Result, fine, number, one_number, prepare};
use crate::engine::machine::Machine;
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::memory::access::Access;
use crate::native::{Native, NativeCall};
use crate::threads::event::{Exchange, Guard, Kind, Mode, Operation, Waits};
use crate::threads::objects::{DESTROYED, Object};

/// The bytes of `sem_t`.
const SEMAPHORE: u64 = 32;
/// The bytes of `pthread_spinlock_t`.
const SPIN: u64 = 4;
const MOST: u32 = i32::MAX as u32;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "sem_init" => init,
        "sem_destroy" => |machine, state, call| destroy(machine, state, call, SEMAPHORE),
        "sem_wait" => |machine, state, call| take(machine, state, call, Waits::Semaphore),
        "sem_trywait" => |machine, state, call| try_take(machine, state, call, Waits::Semaphore, EAGAIN),
        "sem_timedwait" | "sem_clockwait" => {
            |machine, state, call| try_take(machine, state, call, Waits::Semaphore, ETIMEDOUT)
        }
        "sem_post" => post,
        "sem_getvalue" => value,
        "pthread_spin_init" => spin_init,
        "pthread_spin_destroy" => |machine, state, call| destroy(machine, state, call, SPIN),
        "pthread_spin_lock" => |machine, state, call| take(machine, state, call, Waits::Spin),
        "pthread_spin_trylock" => |machine, state, call| try_take(machine, state, call, Waits::Spin, EBUSY),
        "pthread_spin_unlock" => spin_unlock,
        _ => return None,
    })
}

fn size(waits: Waits) -> u64 {
    if waits == Waits::Spin { SPIN } else { SEMAPHORE }
}

fn init(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SEMAPHORE)?;
    let value = one_number(machine, state, &call.argument(2), "a first value of a semaphore")?;
    if value > MOST {
        machine.set_errno(state, EINVAL as u32);
        return number(u64::from(u32::MAX));
    }
    prepare(machine, state, object, value, Some(Waits::Semaphore))
}

fn spin_init(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SPIN)?;
    prepare(machine, state, object, 1, Some(Waits::Spin))
}

fn destroy(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>, size: u64) -> Result {
    let object = machine.synchronised(state, &call.argument(0), size)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    let value = object.known(machine.program, state, 0)?;
    if size == SPIN && value != 1 {
        return Err(object.is_in_use(machine.program, state, "destroyed while it is locked"));
    }
    object.write(state, 0, DESTROYED);
    machine.synchronises(state, object, (Mode::Write, Kind::Prepare), (None, None), Exchange::Always)?;
    fine()
}

fn take(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>, waits: Waits) -> Result {
    let object = machine.synchronised(state, &call.argument(0), size(waits))?;
    object.known(machine.program, state, 0)?;
    machine.wait_for(state, Guard::Object { slot: object.slot, offset: object.offset, waits })?;
    object.known(machine.program, state, 0)?;
    taken(machine, state, object, waits, Exchange::Always)
}

fn taken(
    machine: &mut Machine<'_>,
    state: &mut State,
    object: Object,
    waits: Waits,
    exchange: Exchange,
) -> Result {
    let before = object.word(state, waits);
    let value = object.known(machine.program, state, 0)?;
    object.write(state, 0, value.saturating_sub(1));
    let kind = if waits == Waits::Spin { Kind::Lock } else { Kind::Take };
    if waits == Waits::Spin {
        machine.holds(state, object, false);
    }
    let after = object.word(state, waits);
    machine.synchronises(state, object, (Mode::Write, kind), (before, after), exchange)?;
    fine()
}

fn try_take(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
    waits: Waits,
    busy: u64,
) -> Result {
    let object = machine.synchronised(state, &call.argument(0), size(waits))?;
    machine.decider.stop_before(state, || Operation::Now)?;
    object.known(machine.program, state, 0)?;
    let word = object.word(state, waits);
    let exchange = Exchange::IfFree(waits);
    if word.is_none_or(|word| waits.holds(word)) {
        return taken(machine, state, object, waits, exchange);
    }
    machine.synchronises(state, object, (Mode::Read, Kind::TryLock), (word, word), exchange)?;
    if waits == Waits::Spin {
        return number(busy);
    }
    machine.set_errno(state, busy as u32);
    number(u64::from(u32::MAX))
}

fn post(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SEMAPHORE)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    let value = object.known(machine.program, state, 0)?;
    let before = object.word(state, Waits::Semaphore);
    object.write(state, 0, value.saturating_add(1).min(MOST));
    let after = object.word(state, Waits::Semaphore);
    machine.synchronises(state, object, (Mode::Write, Kind::Post), (before, after), Exchange::Always)?;
    fine()
}

fn value(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SEMAPHORE)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    let value = object.known(machine.program, state, 0)?;
    machine.synchronises(state, object, (Mode::Read, Kind::Read), (None, None), Exchange::Always)?;
    let place = machine.memory().resolve(state, &call.argument(1), 4, Access::WRITE)?;
    machine.memory().write_scalar(state, place, 32, &Value::Word(u64::from(value)));
    fine()
}

fn spin_unlock(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SPIN)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    object.known(machine.program, state, 0)?;
    if machine.lets_go(state, object).is_none() {
        return Err(object.is_not_held(machine.program, state, "which the thread does not hold"));
    }
    let before = object.word(state, Waits::Spin);
    object.write(state, 0, 1);
    let after = object.word(state, Waits::Spin);
    machine.synchronises(state, object, (Mode::Write, Kind::Unlock), (before, after), Exchange::Always)?;
    fine()
}
