//! Starting threads, waiting for them, and ending them.

use super::{EDEADLK, ESRCH, Result, attributes, fine, number};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::thread::{Concurrency, ThreadId};
use crate::engine::value::Value;
use crate::externals::Called;
use crate::memory::access::Access;
use crate::native::{Native, NativeCall};
use crate::outcome::{ErrorKind, Outcome};
use crate::threads::event::{Guard, Operation};
use crate::threads::objects::misuse;
use incise_solver::CompareOp;
use std::rc::Rc;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "pthread_create" => create,
        "thrd_create" => create_c11,
        "pthread_join" => |machine, state, call| join(machine, state, call, 64),
        "thrd_join" => |machine, state, call| join(machine, state, call, 32),
        "pthread_detach" | "thrd_detach" => detach,
        "pthread_exit" | "thrd_exit" => exit,
        "pthread_self" | "thrd_current" => this,
        "pthread_equal" | "thrd_equal" => equal,
        _ => return super::attributes::lookup(name),
    })
}

/// How programs know a thread.
fn handle(id: ThreadId) -> u64 {
    u64::from(id.0) + 1
}

fn create(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let detached = match call.argument(1).as_concrete() {
        Some(0) => false,
        _ => {
            let attributes = machine.synchronised(state, &call.argument(1), attributes::SIZE)?;
            attributes.known(machine.program, state, attributes::DETACHED)? == 1
        }
    };
    start(machine, state, (call.argument(0), call.argument(2), call.argument(3)), detached)
}

fn create_c11(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    start(machine, state, (call.argument(0), call.argument(1), call.argument(2)), false)
}

fn start(
    machine: &mut Machine<'_>,
    state: &mut State,
    (to, function, argument): (Value, Value, Value),
    detached: bool,
) -> Result {
    let function = match machine.called_through(state, &function)? {
        Called::Function(function) => function,
        Called::Unknown(_) => {
            return Err(Exit::End(Outcome::Unsupported("a thread that executes an unknown function".into())));
        }
    };
    let place = machine.memory().resolve(state, &to, 8, Access::WRITE)?;
    let id = machine.start_thread(state, function, argument, detached)?;
    machine.memory().write_scalar(state, place, 64, &Value::Word(handle(id)));
    fine()
}

/// The thread that a handle stands for; each, if there are several.
fn thread(
    machine: &mut Machine<'_>,
    state: &mut State,
    value: &Value,
) -> std::result::Result<Option<ThreadId>, Exit> {
    let known = |state: &State, id: ThreadId| {
        state.thread_named(id).is_some_and(|thread| !thread.is_over()) || state.over(id).is_some()
    };
    if let Some(handle) = value.as_concrete() {
        let id = (handle as u64).checked_sub(1).and_then(|id| u32::try_from(id).ok()).map(ThreadId);
        return Ok(id.filter(|&id| known(state, id)));
    }
    let all: Vec<ThreadId> = (0..=machine.thread_numbers.len() as u32).map(ThreadId).collect();
    let value = machine.decider.expr(state, value, 64);
    let mut conditions = Vec::new();
    let mut none = machine.decider.exprs.constant(1, 1);
    for &id in &all {
        let handle = machine.decider.exprs.constant(u128::from(handle(id)), 64);
        let same = machine.decider.exprs.compare(CompareOp::Eq, value, handle);
        let differs = machine.decider.exprs.not(same);
        none = machine.decider.exprs.and(none, differs);
        conditions.push(same);
    }
    conditions.push(none);
    let choice = machine.decider.choose(state, &conditions)?;
    Ok(all.get(choice).copied().filter(|&id| known(state, id)))
}

fn join(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>, width: u32) -> Result {
    let Some(id) = thread(machine, state, &call.argument(0))? else {
        return Err(misuse(ErrorKind::BadJoin, "a thread is waited for that there is not"));
    };
    if id == state.thread.id {
        return number(EDEADLK);
    }
    let detached =
        state.thread_named(id).and_then(|thread| thread.own.as_ref()).is_some_and(|it| it.detached);
    if detached || state.over(id).is_some_and(|over| over.detached) {
        return Err(misuse(ErrorKind::BadJoin, "a detached thread is waited for"));
    }
    if state.over(id).is_some_and(|over| over.joined) {
        return Err(misuse(ErrorKind::BadJoin, "a thread is waited for twice"));
    }
    if !goes_on_joining(state, id) {
        machine.wait_for(state, Guard::Ended(id))?;
    }
    let result = state.over(id).map_or(Value::Word(0), |over| over.result.clone());
    if call.argument(1).as_concrete() != Some(0) {
        let bytes = u64::from(width / 8);
        let place = machine.memory().resolve(state, &call.argument(1), bytes, Access::WRITE)?;
        machine.memory().write_scalar(state, place, width, &result);
    }
    let concurrency = state.concurrency_mut();
    concurrency.joined.push(id);
    for over in Rc::make_mut(&mut concurrency.over) {
        over.joined |= over.id == id;
    }
    state.watch_if_needed();
    fine()
}

/// Whether a join belongs to the event of the one before it: nobody else is there any more, and nothing happened since.
/// So the last thread takes one step to wait for all that have ended.
fn goes_on_joining(state: &State, id: ThreadId) -> bool {
    let alone = state.parked.iter().all(|parked| parked.is_over());
    let joining = |concurrency: &Concurrency| {
        let quiet = concurrency.touches.is_empty() && concurrency.unordered.is_empty();
        concurrency.alone.is_none() && quiet && !concurrency.joined.is_empty()
    };
    state.memory.is_watched()
        && alone
        && state.over(id).is_some()
        && state.thread.atomic() == 0
        && state.concurrency.as_deref().is_some_and(joining)
}

fn detach(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let Some(id) = thread(machine, state, &call.argument(0))? else { return number(ESRCH) };
    machine.decider.stop_before(state, || Operation::Now)?;
    if let Some(over) = state.over(id) {
        if over.joined || over.detached {
            return Err(misuse(
                ErrorKind::BadJoin,
                "a thread is detached that was waited for or detached before",
            ));
        }
        for over in Rc::make_mut(&mut state.concurrency_mut().over) {
            over.detached |= over.id == id;
        }
        return fine();
    }
    match state.thread_named_mut(id) {
        Some(thread) if thread.own.as_ref().is_some_and(|own| own.detached) => {
            Err(misuse(ErrorKind::BadJoin, "a thread is detached twice"))
        }
        Some(thread) => {
            thread.own_mut().detached = true;
            fine()
        }
        None => number(ESRCH),
    }
}

fn exit(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    machine.ends_without_cleanups(state)?;
    machine.exit_thread(state, call.argument(0))?;
    Ok(None)
}

fn this(_: &mut Machine<'_>, state: &mut State, _: &NativeCall<'_>) -> Result {
    number(handle(state.thread.id))
}

fn equal(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let (one, two) = (call.argument(0), call.argument(1));
    let (one, two) = (machine.decider.expr(state, &one, 64), machine.decider.expr(state, &two, 64));
    let same = machine.decider.exprs.compare(CompareOp::Eq, one, two);
    let same = machine.decider.exprs.zext(same, 32);
    Ok(Some(Value::from_expr(&machine.decider.exprs, same)))
}
