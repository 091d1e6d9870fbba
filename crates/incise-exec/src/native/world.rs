//! What the models of files, of standard input and of the clock ask the engine for.
//!
//! The models themselves are in C. Here is what would fork needlessly there (names of files are compared as a whole),
//! and what makes inputs.

use super::{Native, NativeCall};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::inputs::input::{InputObject, unique_name};
use crate::inputs::shape::{ScalarKind, Shape};
use crate::inputs::sizes::{NAMED_FILE, STANDARD_INPUT, VARIABLE};
use crate::inputs::world::latin1;
use crate::memory::{Byte, Memory, ObjectKind};
use crate::result::InputOrigin;
use incise_solver::{CompareOp, ExprId};
use std::rc::Rc;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "__incise_stdin_size" => stdin_size,
        "__incise_stdin_byte" => stdin_byte,
        "__incise_same_name" => same_name,
        "__incise_plain_name" => plain_name,
        "__incise_keep_name" => keep_name,
        "__incise_changed" | "__incise_moved" | "__incise_settled" => changed,
        "__incise_ended_file" => file_ended,
        "__incise_now" => now,
        "__incise_stdin_ended" => stdin_ended,
        "__incise_no_variable" => no_variable,
        "__incise_no_file" => no_file,
        _ => return None,
    })
}

fn stdin_size(
    machine: &mut Machine<'_>,
    state: &mut State,
    _: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let size =
        machine.decider.inputs().stdin_size(state).map(|size| Value::from_expr(&machine.decider.exprs, size));
    Ok(Some(size.unwrap_or(Value::Word(0))))
}

fn stdin_byte(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let slot = state
        .inputs
        .iter_newest_first()
        .find(|input| input.origin == InputOrigin::Stdin)
        .and_then(|input| input.slot);
    let Some(slot) = slot else { return Ok(Some(Value::Word(0))) };
    let address = crate::memory::Memory::address(slot);
    let pointer =
        machine.memory().element_values(state, &Value::Word(address), 0, &[(call.argument(0), 64, 1)]);
    let byte = machine.memory().load_at(state, &pointer, 8)?;
    let expr = machine.decider.expr(state, &byte, 8);
    let expr = machine.decider.exprs.zext(expr, call.call.result_width.max(8));
    Ok(Some(Value::from_expr(&machine.decider.exprs, expr)))
}

/// The models say that standard input ended at a position. Where that is all that was made, there might be more.
fn stdin_ended(
    machine: &mut Machine<'_>,
    _: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let made = u64::from(machine.decider.inputs().stdin_made());
    let is_early = call.argument(0).as_concrete().is_some_and(|position| (position as u64) < made);
    if machine.decider.config.inputs.is_stdin_open() && !is_early {
        machine.decider.sink.needs.add_ended(STANDARD_INPUT, made, 1);
    }
    Ok(None)
}

/// The models say that a file ended at a position. Where that is all that was made, there might be more.
fn file_ended(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    // A name that depends on inputs is that of a file which the program made.
    let Some(name) = known_text(machine, state, &call.argument(0))? else { return Ok(None) };
    if let Some((title, made)) = machine.decider.inputs().open_file_made(&name) {
        let is_early = call.argument(1).as_concrete().is_some_and(|position| (position as u64) < made);
        if !is_early {
            machine.decider.sink.needs.add_ended(&title, made, 1);
        }
    }
    Ok(None)
}

/// The models say that a variable of the environment is not set. Where nobody said which ones are, it might be.
fn no_variable(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let inputs = &machine.decider.config.inputs;
    if !inputs.is_environment_open() {
        return Ok(None);
    }
    let name = known_text(machine, state, &call.argument(0))?;
    // A name with an equals sign in it, or none, is never that of a variable.
    let can_be_set = |name: &String| !name.is_empty() && !name.contains('=');
    let what = match name {
        Some(name) if !can_be_set(&name) => return Ok(None),
        Some(name) => format!("{VARIABLE}{name}"),
        None => "a variable whose name depends on inputs".to_owned(),
    };
    if !machine.decider.config.inputs.sizes.present.contains(&what) {
        machine.decider.sink.needs.absent.insert(what);
    }
    Ok(None)
}

/// The models say that a file is not there. Where nobody said which ones are, it might be.
fn no_file(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    if !machine.decider.config.inputs.are_files_open() {
        return Ok(None);
    }
    let what = match known_text(machine, state, &call.argument(0))? {
        Some(name) if name.is_empty() => return Ok(None),
        Some(name) => format!("{NAMED_FILE}{name}"),
        None => "a file whose name depends on inputs".to_owned(),
    };
    machine.decider.sink.needs.absent.insert(what);
    Ok(None)
}

/// A string, if nothing in it depends on inputs.
fn known_text(machine: &mut Machine<'_>, state: &mut State, at: &Value) -> Result<Option<String>, Exit> {
    let text = machine.memory().read_string(state, at, None)?;
    let bytes: Option<Vec<u8>> = text.iter().map(|byte| byte.as_concrete().map(|byte| byte as u8)).collect();
    Ok(bytes.map(|bytes| latin1(&bytes)))
}

/// Whether each byte of a string belongs to it, and is not its terminator or behind that.
fn bytes_within(machine: &mut Machine<'_>, state: &mut State, text: &[Value]) -> Vec<(ExprId, ExprId)> {
    let zero = machine.decider.exprs.constant(0, 8);
    let mut within = machine.decider.exprs.boolean(true);
    let mut found = Vec::with_capacity(text.len());
    for byte in text {
        let byte = machine.decider.expr(state, byte, 8);
        let more = machine.decider.exprs.compare(CompareOp::Ne, byte, zero);
        within = machine.decider.exprs.and(within, more);
        found.push((byte, within));
    }
    found
}

/// When a string is one text.
fn is_text(machine: &mut Machine<'_>, bytes: &[(ExprId, ExprId)], text: &[ExprId]) -> ExprId {
    // As many bytes as the text, and none after them.
    let end = bytes.get(text.len()).map(|(_, within)| *within);
    let mut same = match end {
        Some(within) => machine.decider.exprs.not(within),
        None => machine.decider.exprs.boolean(text.len() <= bytes.len()),
    };
    for ((byte, _), wanted) in bytes.iter().zip(text) {
        let here = machine.decider.exprs.compare(CompareOp::Eq, *byte, *wanted);
        same = machine.decider.exprs.and(same, here);
    }
    same
}

fn truth(machine: &mut Machine<'_>, call: &NativeCall<'_>, condition: ExprId) -> Option<Value> {
    let wide = machine.decider.exprs.zext(condition, call.call.result_width.max(8));
    Some(Value::from_expr(&machine.decider.exprs, wide))
}

/// Whether two names are the same, as one condition: byte by byte, each byte that can differ would be a path.
fn same_name(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let one = machine.memory().read_string(state, &call.argument(0), None)?;
    let other = machine.memory().read_string(state, &call.argument(1), None)?;
    let one = bytes_within(machine, state, &one);
    let other = bytes_within(machine, state, &other);
    // They are the same up to the end of both.
    let mut same = machine.decider.exprs.boolean(true);
    let zero = machine.decider.exprs.boolean(false);
    for index in 0..one.len().max(other.len()) {
        let part = |bytes: &[(ExprId, ExprId)]| bytes.get(index).copied();
        let mine = part(&one).map_or(zero, |(_, within)| within);
        let theirs = part(&other).map_or(zero, |(_, within)| within);
        let ends = machine.decider.exprs.compare(CompareOp::Eq, mine, theirs);
        same = machine.decider.exprs.and(same, ends);
        if let (Some((mine_byte, _)), Some((their_byte, _))) = (part(&one), part(&other)) {
            let equal = machine.decider.exprs.compare(CompareOp::Eq, mine_byte, their_byte);
            let outside = machine.decider.exprs.not(mine);
            let here = machine.decider.exprs.or(equal, outside);
            same = machine.decider.exprs.and(same, here);
        }
    }
    Ok(truth(machine, call, same))
}

/// Whether a file of that name can be made in the folder where the program runs, which has no folders in it.
fn plain_name(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let name = machine.memory().read_string(state, &call.argument(0), None)?;
    let bytes = bytes_within(machine, state, &name);
    let (slash, dot) =
        (machine.decider.exprs.constant(b'/'.into(), 8), machine.decider.exprs.constant(b'.'.into(), 8));
    let mut plain = machine.decider.exprs.boolean(true);
    for (byte, within) in &bytes {
        let is_slash = machine.decider.exprs.compare(CompareOp::Eq, *byte, slash);
        let parts = machine.decider.exprs.and(is_slash, *within);
        let good = machine.decider.exprs.not(parts);
        plain = machine.decider.exprs.and(plain, good);
    }
    for folder in [&[][..], &[dot], &[dot, dot]] {
        let is_folder = is_text(machine, &bytes, folder);
        let good = machine.decider.exprs.not(is_folder);
        plain = machine.decider.exprs.and(plain, good);
    }
    Ok(truth(machine, call, plain))
}

/// A copy of a name. How long it is need not be known.
fn keep_name(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let name = machine.memory().read_string(state, &call.argument(0), None)?;
    let size = name.len() as u64 + 1;
    let slot = machine.decider.inputs().plain_object(state, ObjectKind::Stack, "the name of a file", size);
    for (at, byte) in name.iter().enumerate() {
        let byte = match byte.as_concrete() {
            Some(byte) => Byte::Concrete(byte as u8),
            None => Byte::Part { expr: machine.decider.expr(state, byte, 8), byte: 0 },
        };
        if let Some(object) = state.memory.object_mut(slot) {
            object.write_byte(&mut machine.decider.exprs, at as u64, byte);
        }
    }
    Ok(Some(Value::Word(Memory::address(slot))))
}

/// The models say that a file was changed. The table at the end tells everything; the call itself tells whoever looks
/// at the code that this is output.
fn changed(_: &mut Machine<'_>, _: &mut State, _: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    Ok(None)
}

/// What the clock says, in some unit: any number from one to another.
fn now(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    let name = machine.memory().concrete_string(state, &call.argument(0), "the name of an input")?;
    let name = unique_name(state, &String::from_utf8_lossy(&name));
    let shape = Shape::Scalar { bits: 64, kind: ScalarKind::Signed };
    let (object, value) =
        InputObject::scalar_of_shape(&mut machine.decider.inputs(), name, InputOrigin::Time, 64, shape);
    machine.decider.inputs().give(state, &object, None);
    state.inputs.push(Rc::new(object));
    let (first, end) = (
        machine.decider.expr(state, &call.argument(1), 64),
        machine.decider.expr(state, &call.argument(2), 64),
    );
    let expr = machine.decider.expr(state, &value, 64);
    let low = machine.decider.exprs.compare(CompareOp::Sle, first, expr);
    let high = machine.decider.exprs.compare(CompareOp::Slt, expr, end);
    machine.decider.assume(state, low)?;
    machine.decider.assume(state, high)?;
    Ok(Some(value))
}
