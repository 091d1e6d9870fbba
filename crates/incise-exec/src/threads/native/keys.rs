//! Values that each thread has of its own, by keys.

use super::{EINVAL, Result, THRD_ERROR, fine, number, one_number};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::memory::access::Access;
use crate::native::{Native, NativeCall};
use crate::outcome::ErrorKind;
use crate::threads::objects::misuse;
use std::rc::Rc;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "pthread_key_create" | "tss_create" => create,
        "pthread_key_delete" | "tss_delete" => delete,
        "pthread_getspecific" | "tss_get" => get,
        "pthread_setspecific" => |machine, state, call| set(machine, state, call, EINVAL),
        "tss_set" => |machine, state, call| set(machine, state, call, THRD_ERROR),
        _ => return None,
    })
}

fn create(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let place = machine.memory().resolve(state, &call.argument(0), 4, Access::WRITE)?;
    let destructor = call.argument(1);
    let keys = Rc::make_mut(&mut state.concurrency_mut().keys);
    let key = keys.len() as u64;
    keys.push(Some(destructor));
    machine.memory().write_scalar(state, place, 32, &Value::Word(key));
    fine()
}

/// A key that is there.
fn key(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> std::result::Result<Option<u32>, Exit> {
    let key = one_number(machine, state, &call.argument(0), "a key")?;
    let keys = state.concurrency.as_ref().map(|concurrency| &concurrency.keys);
    Ok(keys.and_then(|keys| keys.get(key as usize)?.as_ref()).map(|_| key))
}

fn delete(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let Some(key) = key(machine, state, call)? else {
        return Err(misuse(ErrorKind::ThreadMisuse, "a key is deleted that is not there"));
    };
    Rc::make_mut(&mut state.concurrency_mut().keys)[key as usize] = None;
    fine()
}

fn get(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let key = key(machine, state, call)?;
    let own = state.thread.own.as_ref();
    let value = own.and_then(|own| own.specific.iter().find(|(known, _)| Some(*known) == key));
    Ok(Some(value.map_or(Value::Word(0), |(_, value)| value.clone())))
}

fn set(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>, wrong: u64) -> Result {
    let Some(key) = key(machine, state, call)? else { return number(wrong) };
    let specific = &mut state.thread.own_mut().specific;
    let value = call.argument(1);
    match specific.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = value,
        None => specific.push((key, value)),
    }
    fine()
}
