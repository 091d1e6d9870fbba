//! Leaving the program.

use super::{Native, NativeCall};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::{Exiting, State};
use crate::engine::value::Value;
use crate::memory::Memory;
use crate::outcome::{ErrorKind, Outcome, ProgramError};
use std::rc::Rc;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "exit" => exit,
        "_exit" | "_Exit" | "quick_exit" => exit_now,
        "abort" | "klee_abort" => abort,
        "atexit" => atexit,
        "__assert_fail" => assert_fail,
        "__assert" => plain_assert,
        "reach_error" | "__VERIFIER_error" => reach_error,
        "__incise_unsupported" => unsupported,
        _ => return None,
    })
}

fn exit(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    machine.exit_program(state, call.argument(0))?;
    Ok(None)
}

fn exit_now(_: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    state.exiting = Some(Rc::new(Exiting { status: call.argument(0) }));
    Err(Exit::End(Outcome::Exited { status: 0 }))
}

fn error(kind: ErrorKind, message: impl Into<String>) -> Exit {
    Exit::End(Outcome::Error(ProgramError { kind, message: message.into() }))
}

fn abort(_: &mut Machine<'_>, _: &mut State, _: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    Err(error(ErrorKind::Abort, "the program aborts"))
}

fn atexit(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    match call.argument(0) {
        Value::Word(address) => match Memory::function_at(address, machine.function_count()) {
            Some(function) => {
                state.exit_handlers.push(function);
                Ok(Some(Value::Word(0)))
            }
            None => Err(error(ErrorKind::BadCall, "atexit of what is not a function")),
        },
        _ => Err(Exit::End(Outcome::Unsupported("atexit of a symbolic function pointer".into()))),
    }
}

fn assert_fail(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let text = machine.memory().concrete_string(state, &call.argument(0), "an assertion's text")?;
    Err(error(ErrorKind::Assertion, format!("assertion '{}' fails", String::from_utf8_lossy(&text))))
}

fn plain_assert(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    assert_fail(machine, state, call)
}

fn reach_error(
    machine: &mut Machine<'_>,
    _: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let name = &machine.program.functions[call.function].name;
    Err(error(ErrorKind::Assertion, format!("{name} is reached")))
}

fn unsupported(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let what = machine.memory().concrete_string(state, &call.argument(0), "a message")?;
    Err(Exit::End(Outcome::Unsupported(String::from_utf8_lossy(&what).into_owned())))
}
