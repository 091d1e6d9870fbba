//! Attributes of threads, mutexes and the like: what is set can be asked for again. Only whether a thread is detached
//! and the kind of a mutex matter to what is explored.

use super::{EINVAL, Result, fine, number, one_number};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::memory::access::Access;
use crate::native::{Native, NativeCall};
use crate::outcome::Outcome;

/// The bytes of `pthread_attr_t`.
pub(super) const SIZE: u64 = 56;
/// Where it has what: numbers of four bytes, and behind them those of eight.
pub(super) const DETACHED: u64 = 0;
const SCOPE: u64 = 4;
const POLICY: u64 = 8;
const INHERITED: u64 = 12;
const PRIORITY: u64 = 16;
const STACK: u64 = 24;
const GUARD: u64 = 32;
/// What glibc gives a thread.
const STACK_BYTES: u32 = 8 << 20;
const GUARD_BYTES: u32 = 4096;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "pthread_attr_init" => init,
        "pthread_attr_setdetachstate" => |machine, state, call| set(machine, state, call, (DETACHED, 1)),
        "pthread_attr_getdetachstate" => |machine, state, call| get(machine, state, call, DETACHED),
        "pthread_attr_setscope" => |machine, state, call| set(machine, state, call, (SCOPE, 1)),
        "pthread_attr_getscope" => |machine, state, call| get(machine, state, call, SCOPE),
        "pthread_attr_setschedpolicy" => |machine, state, call| set(machine, state, call, (POLICY, 2)),
        "pthread_attr_getschedpolicy" => |machine, state, call| get(machine, state, call, POLICY),
        "pthread_attr_setinheritsched" => |machine, state, call| set(machine, state, call, (INHERITED, 1)),
        "pthread_attr_getinheritsched" => |machine, state, call| get(machine, state, call, INHERITED),
        "pthread_attr_setstacksize" => |machine, state, call| set_size(machine, state, call, STACK),
        "pthread_attr_getstacksize" => |machine, state, call| get_size(machine, state, call, STACK),
        "pthread_attr_setguardsize" => |machine, state, call| set_size(machine, state, call, GUARD),
        "pthread_attr_getguardsize" => |machine, state, call| get_size(machine, state, call, GUARD),
        "pthread_attr_setschedparam" => set_priority,
        "pthread_attr_getschedparam" => |machine, state, call| get(machine, state, call, PRIORITY),
        "pthread_attr_destroy" => |_, _, _| fine(),
        "pthread_mutexattr_gettype" | "pthread_condattr_getclock" | "pthread_rwlockattr_getkind_np" => {
            get_word
        }
        "pthread_condattr_init" | "pthread_rwlockattr_init" => clear_word,
        "pthread_condattr_setclock" => |machine, state, call| set_word(machine, state, call, 1),
        "pthread_rwlockattr_setkind_np" => |machine, state, call| set_word(machine, state, call, 2),
        "pthread_mutexattr_setrobust" => set_robust,
        // Nobody else has the memory, and nothing has priorities: what is set makes no difference.
        "pthread_mutexattr_getpshared"
        | "pthread_mutexattr_getprotocol"
        | "pthread_mutexattr_getrobust"
        | "pthread_condattr_getpshared"
        | "pthread_rwlockattr_getpshared"
        | "pthread_barrierattr_getpshared" => zero,
        _ => return None,
    })
}

fn init(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    for at in (0..SIZE).step_by(4) {
        object.write(state, at, 0);
    }
    object.write(state, STACK, STACK_BYTES);
    object.write(state, GUARD, GUARD_BYTES);
    fine()
}

fn set(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
    (at, most): (u64, u32),
) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    match one_number(machine, state, &call.argument(1), "an attribute of a thread")? {
        wanted if wanted <= most => {
            object.write(state, at, wanted);
            fine()
        }
        _ => number(EINVAL),
    }
}

fn get(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>, at: u64) -> Result {
    let found = machine.synchronised(state, &call.argument(0), SIZE)?.known(machine.program, state, at)?;
    give(machine, state, &call.argument(1), (u64::from(found), 32))
}

fn set_size(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>, at: u64) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    let Some(size) = call.argument(1).as_concrete() else {
        return Err(Exit::End(Outcome::Unsupported("a symbolic size of a stack".into())));
    };
    // The least that Linux gives a thread.
    if at == STACK && size < 16384 {
        return number(EINVAL);
    }
    object.write(state, at, size as u32);
    object.write(state, at + 4, (size >> 32) as u32);
    fine()
}

fn get_size(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>, at: u64) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    let size = u64::from(object.known(machine.program, state, at)?)
        | u64::from(object.known(machine.program, state, at + 4)?) << 32;
    give(machine, state, &call.argument(1), (size, 64))
}

fn set_priority(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    let parameters = machine.synchronised(state, &call.argument(1), 4)?;
    let priority = parameters.known(machine.program, state, 0)?;
    object.write(state, PRIORITY, priority);
    fine()
}

/// Attributes of which one number is asked for again: the clock of a condition variable, the kind of a lock.
fn clear_word(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    machine.synchronised(state, &call.argument(0), 4)?.write(state, 0, 0);
    fine()
}

fn set_word(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>, most: u32) -> Result {
    let object = machine.synchronised(state, &call.argument(0), 4)?;
    match one_number(machine, state, &call.argument(1), "an attribute")? {
        wanted if wanted <= most => {
            object.write(state, 0, wanted);
            fine()
        }
        _ => number(EINVAL),
    }
}

fn get_word(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let kind = machine.synchronised(state, &call.argument(0), 4)?.known(machine.program, state, 0)?;
    give(machine, state, &call.argument(1), (u64::from(kind), 32))
}

/// Whoever comes after an owner that has ended would be told so; that is not explored.
fn set_robust(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    match one_number(machine, state, &call.argument(1), "an attribute of a mutex")? {
        0 => fine(),
        1 => Err(Exit::End(Outcome::Unsupported("a robust mutex".into()))),
        _ => number(EINVAL),
    }
}

fn zero(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    give(machine, state, &call.argument(1), (0, 32))
}

/// Writes a number to where the program wants it.
pub(super) fn give(
    machine: &mut Machine<'_>,
    state: &mut State,
    to: &Value,
    (found, width): (u64, u32),
) -> Result {
    let place = machine.memory().resolve(state, to, u64::from(width / 8), Access::WRITE)?;
    machine.memory().write_scalar(state, place, width, &Value::Word(found));
    fine()
}
