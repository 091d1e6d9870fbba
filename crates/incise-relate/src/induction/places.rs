//! Places of two programs whose values can change from turn to turn: registers and words of memory.

use super::values::{addressed, scalar, word};
use incise_exec::Session;
use incise_exec::inside::{Frame, Slot, State, Value};
use incise_solver::ExprId;

/// Something of one of the programs that can change.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum TemplatePlace {
    /// A register of an active function, counted from the innermost.
    Register { frame: usize, register: usize },
    /// Bytes of an object.
    Word { slot: Slot, offset: u64, bytes: u32 },
}

/// A place, and which program it is of.
pub(super) type Location = (usize, TemplatePlace);

/// What is at a place of a state.
pub(super) fn value_at(
    exprs: &mut incise_solver::Exprs,
    state: &State,
    place: TemplatePlace,
    width: u32,
) -> Result<Option<ExprId>, String> {
    match place {
        TemplatePlace::Register { frame, register } => {
            let frames = frames(state);
            let value = frames.get(frame).and_then(|frame| frame.registers.get(register));
            scalar(exprs, &state.memory, value.unwrap_or(&Value::Undefined), width)
        }
        TemplatePlace::Word { slot, offset, bytes } => {
            let object = state.memory.object(slot).ok_or("an object is freed in a loop")?;
            let expr = word(exprs, object, offset, bytes);
            Ok(expr.map(|expr| addressed(exprs, &state.memory, expr)))
        }
    }
}

/// Sets what is at a place.
pub(super) fn put(session: &mut Session, state: &mut State, place: TemplatePlace, width: u32, value: &Value) {
    match place {
        TemplatePlace::Register { frame: 0, register } => {
            state.thread.frame.registers[register] = value.clone()
        }
        TemplatePlace::Register { frame, register } => {
            let mut above = Vec::new();
            while above.len() < frame
                && let Some(frame) = state.thread.below.pop()
            {
                above.push(frame);
            }
            if let Some(slot) = above.last_mut().and_then(|frame| frame.registers.get_mut(register)) {
                *slot = value.clone();
            }
            above.into_iter().rev().for_each(|frame| state.thread.below.push(frame));
        }
        TemplatePlace::Word { slot, offset, .. } => {
            if let Some(object) = state.memory.object_mut(slot) {
                object.write_scalar(&mut session.exprs, offset, width, value);
            }
        }
    }
}

/// The active functions, innermost first.
pub(super) fn frames(state: &State) -> Vec<&Frame> {
    std::iter::once(&state.thread.frame).chain(state.thread.below.iter_newest_first()).collect()
}
