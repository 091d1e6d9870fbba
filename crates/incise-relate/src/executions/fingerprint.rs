//! What an execution leaves behind, in a form that can be looked up.
//!
//! Executions with one fingerprint leave the same behind. Those with different ones may do so too: only whoever
//! compares them knows. It has to hold all that [`Relation::compare`](crate::Relation::compare) looks at.

use crate::{Ended, Visible};
use incise_exec::inside::{Byte, Machine, ObjectKind, Slot, State};
use incise_exec::{InputOrigin, Outcome};
use incise_ir::{FunctionId, Id};
use std::fmt::Write;

/// What an execution leaves behind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Fingerprint(String);

/// An object that is larger is not looked at: who leaves it behind has no fingerprint.
const LARGEST: u64 = 1 << 16;

impl Fingerprint {
    /// `None` where something is left behind that is not easily told.
    pub(super) fn of(
        machine: &mut Machine<'_>,
        ended: &mut Ended,
        (entry, result): (FunctionId, Option<Slot>),
        visible: &Visible,
    ) -> Option<Self> {
        let mut text = String::new();
        let state = &ended.state;
        let made_up = state.is_indeterminate(&machine.decider.exprs);
        let status = state.exiting.as_ref().map(|exiting| &exiting.status);
        let fails = matches!(ended.outcome, Outcome::Error(_));
        let _ = match &ended.outcome {
            Outcome::Exited { .. } => write!(text, "exits {made_up} {status:?}"),
            Outcome::Error(error) => {
                let place = machine.decider.location(state);
                write!(text, "{error:?} {made_up} {place:?} {status:?}")
            }
            other => write!(text, "{other:?} {made_up} {status:?} {:?}", state.returned),
        };
        if ended.outcome == Outcome::Returned {
            if let Some(slot) = result {
                put_object(machine, &mut text, state, slot, "result")?;
            }
            if !machine.decider.natives.is_main(entry) {
                put_memory(machine, &mut text, state, visible)?;
            }
        }
        for output in state.outputs.to_vec().into_iter().filter(|output| output.stream == 1 || !fails) {
            let _ = write!(text, " out{}:{:?}", output.stream, output.pieces);
        }
        // What unknown code could see and write takes a comparison.
        if !state.calls.is_empty() || !state.touched.is_empty() {
            return None;
        }
        if !fails {
            let mut inputs = machine.decider.inputs();
            for file in inputs.files(&mut ended.state)?.into_iter().filter(|file| file.changed) {
                let _ = write!(text, " file:{:?}={:?}{:?}", file.name, file.size, file.content);
            }
            if !inputs.left_streams(&mut ended.state)?.is_empty() {
                return None;
            }
        }
        Some(Self(text))
    }
}

/// All that a caller can come by.
fn put_memory(machine: &mut Machine<'_>, text: &mut String, state: &State, visible: &Visible) -> Option<()> {
    let program = machine.program;
    let written = |slot: Slot| state.memory.object(slot).is_some_and(|object| object.written);
    for (id, global) in program.globals.iter().filter(|(_, global)| !global.constant && !global.model) {
        let slot = machine.decider.constants.globals[id.index()];
        if visible.globals && written(slot) {
            put_object(machine, text, state, slot, &global.name)?;
        }
    }
    if !visible.memory && !visible.result {
        return Some(());
    }
    for input in state.inputs.to_vec() {
        let (InputOrigin::Pointee { .. }, Some(slot)) = (&input.origin, input.slot) else { continue };
        match state.memory.object(slot) {
            None => drop(write!(text, " freed {}", input.name)),
            Some(object) if object.written => put_object(machine, text, state, slot, &input.name)?,
            Some(_) => {}
        }
    }
    let heap: Vec<Slot> = state
        .memory
        .live()
        .filter(|(_, object)| object.info.kind == ObjectKind::Heap)
        .map(|(slot, _)| slot)
        .collect();
    for slot in heap {
        put_object(machine, text, state, slot, &format!("#{slot}"))?;
    }
    Some(())
}

fn put_object(
    machine: &mut Machine<'_>,
    text: &mut String,
    state: &State,
    slot: Slot,
    name: &str,
) -> Option<()> {
    let object = state.memory.object(slot)?.clone();
    if object.size > LARGEST {
        return None;
    }
    let _ = write!(text, " {name}=");
    for offset in 0..object.size {
        let _ = match object.read_byte(&mut machine.decider.exprs, offset) {
            Byte::Concrete(byte) => write!(text, "{byte:02x}"),
            Byte::Uninitialised => write!(text, "??"),
            Byte::Part { expr, byte } => write!(text, "[{expr:?}.{byte}]"),
        };
    }
    Some(())
}
