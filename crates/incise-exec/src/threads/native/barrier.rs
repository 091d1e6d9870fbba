//! Barriers. Arrivals commute unless somebody looks at who came last.

use super::{EINVAL, Result, fine, number, one_number, prepare};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::thread::Turn;
use crate::native::{Native, NativeCall};
use crate::outcome::{ErrorKind, Outcome, ProgramError};
use crate::threads::event::{Exchange, Guard, Kind, Mode, Operation, Waits};
use crate::threads::objects::DESTROYED;
use incise_ir::{Id, Operand};

/// The bytes of `pthread_barrier_t`.
const SIZE: u64 = 32;
pub(in crate::threads) const ARRIVED: u64 = 4;
pub(in crate::threads) const ROUND: u64 = 8;
/// What one of the threads gets.
const SERIAL: u64 = u32::MAX as u64;
/// Marks the thread that came last.
const LAST: u32 = 1 << 31;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "pthread_barrier_init" => init,
        "pthread_barrier_destroy" => destroy,
        "pthread_barrier_wait" => wait,
        "pthread_barrierattr_init" | "pthread_barrierattr_destroy" | "pthread_barrierattr_setpshared" => {
            |_, _, _| fine()
        }
        _ => return None,
    })
}

fn init(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    let count = one_number(machine, state, &call.argument(2), "a number of threads at a barrier")?;
    if count == 0 {
        return number(EINVAL);
    }
    prepare(machine, state, object, count, None)
}

fn destroy(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    machine.decider.stop_before(state, || Operation::Now)?;
    object.known(machine.program, state, 0)?;
    if object.known(machine.program, state, ARRIVED)? != 0 {
        return Err(object.is_in_use(machine.program, state, "destroyed while a thread waits for it"));
    }
    object.write(state, 0, DESTROYED);
    machine.synchronises(state, object, (Mode::Write, Kind::Prepare), (None, None), Exchange::Always)?;
    fine()
}

fn wait(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    let guard =
        |round| Guard::Object { slot: object.slot, offset: object.offset, waits: Waits::Round(round) };
    if let Some(arrived) = state.thread.own.as_ref().and_then(|own| own.arrived) {
        let round = arrived & !LAST;
        machine.decider.stop_before(state, || Operation::When(guard(round)))?;
        machine.synchronises(
            state,
            object,
            (Mode::Leave(round), Kind::Leave),
            (None, None),
            Exchange::Always,
        )?;
        state.thread.own_mut().arrived = None;
        return number(if arrived & LAST != 0 { SERIAL } else { 0 });
    }
    machine.decider.stop_before(state, || Operation::Now)?;
    let count = object.known(machine.program, state, 0)?;
    if count == 0 {
        return Err(object.is_not_ready(machine.program, state, "before it was initialised"));
    }
    let (arrived, round) =
        (object.known(machine.program, state, ARRIVED)? + 1, object.known(machine.program, state, ROUND)?);
    let last = arrived == count;
    object.write(state, ARRIVED, if last { 0 } else { arrived });
    object.write(state, ROUND, if last { (round + 1) & !LAST } else { round });
    if !state.memory.is_watched() {
        return if last { number(SERIAL) } else { Err(endless(&object.name(machine.program, state))) };
    }
    if state.thread.atomic() > 0 {
        return Err(Exit::End(Outcome::Unsupported("waiting in a block that is done in one step".into())));
    }
    let looked_at = machine.is_result_used(state, call);
    let mode = if looked_at { Mode::ArriveInTurn(round) } else { Mode::Arrive(round) };
    machine.synchronises(state, object, (mode, Kind::Arrive), (None, None), Exchange::Always)?;
    state.thread.own_mut().arrived = Some(if last { round | LAST } else { round });
    state.turn = Turn::Open;
    machine.decider.stop_before(state, || Operation::When(guard(round)))?;
    fine()
}

fn endless(name: &str) -> Exit {
    let message = format!("the only thread waits for others at {name}");
    Exit::End(Outcome::Error(ProgramError { kind: ErrorKind::EndlessWait, message }))
}

impl Machine<'_> {
    /// Whether the program looks at the result of a call.
    fn is_result_used(&mut self, state: &State, call: &NativeCall<'_>) -> bool {
        let Some(register) = call.call.to else { return false };
        let function = &self.program.functions[state.thread.frame.code.function];
        let mut used = false;
        for (_, instruction) in function.instructions.iter() {
            instruction.op.for_each_operand(|operand| {
                used |= matches!(operand, Operand::Value(value) if value.index() == register as usize);
            });
        }
        used
    }
}
