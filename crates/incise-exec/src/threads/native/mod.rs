//! The functions of `pthread.h`, `semaphore.h` and `threads.h`, and the conventions for blocks that are done in one
//! step.
//!
//! Each first finds its object, then stops before what others can see ([`Machine::wait_for`]), and then does it.

mod barrier;
mod condition;
mod counter;
mod keys;
mod mutex;
mod once;
mod rwlock;
mod thread;

use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::native::{Native, NativeCall};
use crate::threads::event::Operation;

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
                | "pthread_setcancelstate"
                | "pthread_setconcurrency" => nothing,
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
            return Err(super::objects::misuse("an atomic block ends that has not begun"));
        }
        state.thread.own_mut().atomic -= 1;
        Ok(())
    }
}
