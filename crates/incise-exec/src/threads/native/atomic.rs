//! Atomic accesses that are calls: clang has no instruction for objects of 16 bytes and of odd sizes. Each is one step.

use super::Result;
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::memory::access::{Access, AccessKind};
use crate::native::{Native, NativeCall};
use crate::outcome::Outcome;
use incise_ir::AtomicOrdering;
use incise_solver::{BinaryOp, CompareOp};

/// An object is accessed in parts of so many bytes.
const PART: u64 = 16;
/// A larger one is nobody's atomic object.
const LARGEST: u64 = 1 << 12;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "__atomic_load" => load,
        "__atomic_store" => store,
        "__atomic_exchange" => exchange,
        "__atomic_compare_exchange" => compare_exchange,
        "__atomic_is_lock_free" => is_lock_free,
        _ => return None,
    })
}

/// Where the parts of an object are, and how many bytes each has.
type Parts = Vec<(u64, u64)>;

fn parts(call: &NativeCall<'_>) -> std::result::Result<Parts, Exit> {
    let size = call.argument(0).as_concrete().map(|size| size as u64).filter(|&size| size <= LARGEST);
    let Some(size) = size else {
        return Err(Exit::End(Outcome::Unsupported("an atomic object of an unknown size".into())));
    };
    Ok((0..size).step_by(PART as usize).map(|at| (at, PART.min(size - at))).collect())
}

/// The order that the number of an enumerator of C stands for.
fn ordering(call: &NativeCall<'_>, argument: usize) -> std::result::Result<AtomicOrdering, Exit> {
    Ok(match call.argument(argument).as_concrete() {
        Some(0) => AtomicOrdering::Monotonic,
        Some(1 | 2) => AtomicOrdering::Acquire,
        Some(3) => AtomicOrdering::Release,
        Some(4) => AtomicOrdering::AcquireRelease,
        Some(5) => AtomicOrdering::SequentiallyConsistent,
        _ => return Err(Exit::End(Outcome::Unsupported("an atomic access of an unknown order".into()))),
    })
}

fn address(machine: &mut Machine<'_>, state: &mut State, base: &Value, at: u64) -> Value {
    match base {
        Value::Word(base) => Value::Word(base.wrapping_add(at)),
        other => {
            let base = machine.decider.expr(state, other, 64);
            let at = machine.decider.exprs.constant(u128::from(at), 64);
            let sum = machine.decider.exprs.binary(BinaryOp::Add, base, at);
            Value::from_expr(&machine.decider.exprs, sum)
        }
    }
}

/// Reads all parts of an object.
fn read(
    machine: &mut Machine<'_>,
    state: &mut State,
    from: &Value,
    parts: &Parts,
    access: Access,
) -> std::result::Result<Vec<Value>, Exit> {
    let mut values = Vec::new();
    for &(at, bytes) in parts {
        let from = address(machine, state, from, at);
        values.push(machine.memory().load_with(state, &from, bytes as u32 * 8, access)?);
    }
    Ok(values)
}

/// Writes all parts of an object.
fn write(
    machine: &mut Machine<'_>,
    state: &mut State,
    (to, parts): (&Value, &Parts),
    values: &[Value],
    access: Access,
) -> std::result::Result<(), Exit> {
    for (&(at, bytes), value) in parts.iter().zip(values) {
        let to = address(machine, state, to, at);
        machine.memory().store_with(state, &to, bytes as u32 * 8, value, access)?;
    }
    Ok(())
}

fn load(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let (parts, ordering) = (parts(call)?, ordering(call, 3)?);
    let access = Access { kind: AccessKind::Read, ordering: Some(ordering) };
    let values = read(machine, state, &call.argument(1), &parts, access)?;
    write(machine, state, (&call.argument(2), &parts), &values, Access::WRITE)?;
    Ok(None)
}

fn store(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let (parts, ordering) = (parts(call)?, ordering(call, 3)?);
    let values = read(machine, state, &call.argument(2), &parts, Access::READ)?;
    let access = Access { kind: AccessKind::Write, ordering: Some(ordering) };
    write(machine, state, (&call.argument(1), &parts), &values, access)?;
    Ok(None)
}

fn exchange(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let (parts, ordering) = (parts(call)?, ordering(call, 4)?);
    let values = read(machine, state, &call.argument(2), &parts, Access::READ)?;
    let access = Access { kind: AccessKind::Update, ordering: Some(ordering) };
    let mut old = Vec::new();
    for (&(at, bytes), new) in parts.iter().zip(&values) {
        let to = address(machine, state, &call.argument(1), at);
        let place = machine.memory().resolve(state, &to, bytes, access)?;
        let before = machine.memory().read_scalar(state, place, bytes as u32 * 8);
        machine.memory().write_scalar(state, place, bytes as u32 * 8, new);
        if state.memory.is_watched() {
            machine.decider.noted_update(state, place, (&before, new), None);
        }
        old.push(before);
    }
    write(machine, state, (&call.argument(3), &parts), &old, Access::WRITE)?;
    Ok(None)
}

fn compare_exchange(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let (parts, ordering) = (parts(call)?, ordering(call, 4)?);
    let expected = read(machine, state, &call.argument(2), &parts, Access::READ)?;
    let wanted = read(machine, state, &call.argument(3), &parts, Access::READ)?;
    let access = Access { kind: AccessKind::Update, ordering: Some(ordering) };
    let mut equal = machine.decider.exprs.constant(1, 1);
    let (mut places, mut old) = (Vec::new(), Vec::new());
    for (&(at, bytes), expected) in parts.iter().zip(&expected) {
        let width = bytes as u32 * 8;
        let to = address(machine, state, &call.argument(1), at);
        let place = machine.memory().resolve(state, &to, bytes, access)?;
        let before = machine.memory().read_scalar(state, place, width);
        let one = machine.decider.expr(state, &before, width);
        let two = machine.decider.expr(state, expected, width);
        let same = machine.decider.exprs.compare(CompareOp::Eq, one, two);
        equal = machine.decider.exprs.and(equal, same);
        places.push(place);
        old.push(before);
    }
    let differs = machine.decider.exprs.not(equal);
    let succeeds = machine.decider.choose(state, &[equal, differs])? == 0;
    let new = if succeeds { &wanted } else { &old };
    for (index, place) in places.iter().enumerate() {
        machine.memory().write_scalar(state, *place, parts[index].1 as u32 * 8, &new[index]);
        if state.memory.is_watched() && places.len() == 1 {
            let values = (&old[index], &new[index]);
            machine.decider.noted_update(state, *place, values, Some(&expected[index]));
        }
    }
    if !succeeds {
        write(machine, state, (&call.argument(2), &parts), &old, Access::WRITE)?;
    }
    Ok(Some(Value::Word(u64::from(succeeds))))
}

fn is_lock_free(_: &mut Machine<'_>, _: &mut State, call: &NativeCall<'_>) -> Result {
    let small = matches!(call.argument(0).as_concrete(), Some(1 | 2 | 4 | 8));
    Ok(Some(Value::Word(u64::from(small))))
}
