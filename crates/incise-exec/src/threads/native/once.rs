//! `pthread_once` and `call_once`.

use super::{Result, fine};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::{ReturnTo, State};
use crate::externals::Called;
use crate::native::{Native, NativeCall};
use crate::outcome::Outcome;
use crate::threads::event::{Exchange, Guard, Kind, Mode, Waits};
use crate::threads::objects::Object;

const SIZE: u64 = 4;
const RUNNING: u32 = 1;
const DONE: u32 = 2;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "pthread_once" | "call_once" => once,
        _ => return None,
    })
}

fn once(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result {
    let object = machine.synchronised(state, &call.argument(0), SIZE)?;
    let function = match machine.called_through(state, &call.argument(1))? {
        Called::Function(function) if machine.program.functions[function].is_definition() => function,
        _ => return Err(Exit::End(Outcome::Unsupported("pthread_once of a function without a body".into()))),
    };
    object.known(machine.program, state, 0)?;
    let (slot, offset) = (object.slot, object.offset);
    machine.wait_for(state, Guard::Object { slot, offset, waits: Waits::Once })?;
    let before = object.word(state, Waits::Once);
    if object.known(machine.program, state, 0)? == DONE {
        machine.synchronises(state, object, (Mode::Read, Kind::Once), (before, before), Exchange::Always)?;
        return fine();
    }
    object.write(state, 0, RUNNING);
    let after = object.word(state, Waits::Once);
    machine.synchronises(state, object, (Mode::Write, Kind::Once), (before, after), Exchange::Always)?;
    let return_to = ReturnTo::Once { slot, offset, to: call.call.to, edge: call.call.normal };
    machine.push_frame(state, function, Vec::new(), &[], return_to)?;
    Err(Exit::Switch)
}

impl Machine<'_> {
    /// What is done once was done.
    pub(crate) fn once_done(
        &mut self,
        state: &mut State,
        slot: u64,
        offset: u64,
    ) -> std::result::Result<(), Exit> {
        let object = Object { slot, offset, size: SIZE };
        let before = object.word(state, Waits::Once);
        object.write(state, 0, DONE);
        let after = object.word(state, Waits::Once);
        self.synchronises(state, object, (Mode::Write, Kind::Once), (before, after), Exchange::Always)
    }
}
