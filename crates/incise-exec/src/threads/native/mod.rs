//! The functions of `pthread.h`, `semaphore.h` and `threads.h`, and the conventions for blocks that are done in one
//! step.
//!
//! Each first finds its object, then stops before what others can see ([`Machine::wait_for`]), and then does it.

mod atomic;
mod attributes;
pub(super) mod barrier;
mod condition;
mod counter;
mod keys;
mod mutex;
mod once;
mod refused;
mod rwlock;
mod thread;

use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::native::{Native, NativeCall};
use crate::outcome::{ErrorKind, Outcome};
use crate::threads::event::{Exchange, Kind, Mode, Operation, Waits};
use crate::threads::objects::Object;
use incise_solver::CompareOp;

/// Error numbers of Linux.
const EPERM: u64 = 1;
const ESRCH: u64 = 3;
const EAGAIN: u64 = 11;
const EBUSY: u64 = 16;
const EINVAL: u64 = 22;
const EDEADLK: u64 = 35;
const ETIMEDOUT: u64 = 110;
/// What functions of `threads.h` return.
const THRD_BUSY: u64 = 1;
const THRD_ERROR: u64 = 2;
const THRD_TIMEDOUT: u64 = 4;

/// What a native function gives.
type Result = std::result::Result<Option<Value>, Exit>;

/// Says that all is well.
fn fine() -> Result {
    Ok(Some(Value::Word(0)))
}

fn number(word: u64) -> Result {
    Ok(Some(Value::Word(word)))
}

/// A symbolic number is followed to each that it can be, up to this one.
const MOST_NUMBERS: u32 = 32;

/// A number; each that it can be, if there are several. What it is of is said where it can be large.
fn one_number(
    machine: &mut Machine<'_>,
    state: &mut State,
    value: &Value,
    what: &str,
) -> std::result::Result<u32, Exit> {
    if let Some(number) = value.as_concrete() {
        return Ok(number as u32);
    }
    let value = machine.decider.expr(state, value, 32);
    let exprs = &mut machine.decider.exprs;
    let mut conditions = Vec::new();
    for number in 0..=MOST_NUMBERS {
        let number = exprs.constant(u128::from(number), 32);
        conditions.push(exprs.compare(CompareOp::Eq, value, number));
    }
    let most = exprs.constant(u128::from(MOST_NUMBERS), 32);
    conditions.push(exprs.compare(CompareOp::Ult, most, value));
    match machine.decider.choose(state, &conditions)? as u32 {
        number @ 0..=MOST_NUMBERS => Ok(number),
        _ => Err(Exit::End(Outcome::Unsupported(format!("{what} that is symbolic and may be large")))),
    }
}

/// Makes a synchronisation object: nothing in it but its first word. `waits` is what its operations wait for, if they
/// wait for its state.
fn prepare(
    machine: &mut Machine<'_>,
    state: &mut State,
    object: Object,
    first: u32,
    waits: Option<Waits>,
) -> Result {
    machine.decider.stop_before(state, || Operation::Now)?;
    let before = waits.and_then(|waits| object.word(state, waits));
    for at in (0..object.size).step_by(4) {
        object.write(state, at, 0);
    }
    object.write(state, 0, first);
    let words = (before, waits.and_then(|waits| object.word(state, waits)));
    machine.synchronises(state, object, (Mode::Write, Kind::Prepare), words, Exchange::Always)?;
    fine()
}

/// The native function of that name.
pub(crate) fn lookup(name: &str) -> Option<Native> {
    thread::lookup(name)
        .or_else(|| mutex::lookup(name))
        .or_else(|| rwlock::lookup(name))
        .or_else(|| condition::lookup(name))
        .or_else(|| barrier::lookup(name))
        .or_else(|| counter::lookup(name))
        .or_else(|| keys::lookup(name))
        .or_else(|| once::lookup(name))
        .or_else(|| atomic::lookup(name))
        .or_else(|| refused::lookup(name))
        .or_else(|| {
            Some(match name {
                "__VERIFIER_atomic_begin" => atomic_begin,
                "__VERIFIER_atomic_end" => atomic_end,
                "sched_yield"
                | "pthread_yield"
                | "thrd_yield"
                | "usleep"
                | "sleep"
                | "nanosleep"
                | "thrd_sleep"
                | "clock_nanosleep"
                | "pthread_setname_np"
                | "pthread_setschedparam"
                | "pthread_setschedprio"
                | "pthread_setaffinity_np"
                | "pthread_attr_setaffinity_np"
                | "pthread_atfork"
                | "pthread_setconcurrency" => nothing,
                "pthread_testcancel" => |_, _, _| Ok(None),
                "pthread_setcancelstate" | "pthread_setcanceltype" => cancelled,
                _ => return None,
            })
        })
}

/// Functions that start threads.
pub(crate) const STARTS: [&str; 2] = ["pthread_create", "thrd_create"];

/// How the names of functions begin that are done in one step.
pub(crate) const ATOMIC: &str = "__VERIFIER_atomic_";

fn nothing(_: &mut Machine<'_>, _: &mut State, _: &NativeCall<'_>) -> Result {
    fine()
}

/// Threads are not cancelled: what is asked for is taken to have been the default before.
fn cancelled(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    match call.argument(1).as_concrete() {
        Some(0) => fine(),
        _ => attributes::give(machine, state, &call.argument(1), (0, 32)),
    }
}

fn atomic_begin(machine: &mut Machine<'_>, state: &mut State, _: &NativeCall<'_>) -> Result {
    machine.enter_atomic(state)?;
    Ok(None)
}

fn atomic_end(machine: &mut Machine<'_>, state: &mut State, _: &NativeCall<'_>) -> Result {
    machine.leave_atomic(state)?;
    Ok(None)
}

impl Machine<'_> {
    /// A block begins that is done in one step.
    pub(crate) fn enter_atomic(&mut self, state: &mut State) -> std::result::Result<(), Exit> {
        if state.thread.atomic() == 0 {
            self.decider.stop_before(state, || Operation::Now)?;
        }
        state.thread.own_mut().atomic += 1;
        Ok(())
    }

    /// It ends.
    pub(crate) fn leave_atomic(&mut self, state: &mut State) -> std::result::Result<(), Exit> {
        if state.thread.atomic() == 0 {
            return Err(super::objects::misuse(
                ErrorKind::ThreadMisuse,
                "an atomic block ends that has not begun",
            ));
        }
        state.thread.own_mut().atomic -= 1;
        Ok(())
    }
}
