//! The conventions for symbolic inputs that programs in the wild use: KLEE's and SV-COMP's.

use super::{Native, NativeCall};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::inputs::input::{InputObject, NewInput};
use crate::inputs::shape::{ScalarKind, Shape};
use crate::memory::access::{Access, Offset};
use crate::outcome::{ErrorKind, Outcome, ProgramError};
use crate::result::InputOrigin;
use incise_ir::FloatKind;
use incise_solver::CompareOp;
use std::rc::Rc;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "klee_make_symbolic" => make_symbolic,
        "klee_assume" | "__VERIFIER_assume" => assume,
        "klee_range" => range,
        "klee_int" => int,
        "klee_silent_exit" => silent_exit,
        "klee_report_error" => report_error,
        "klee_is_symbolic" => is_symbolic,
        "klee_is_replay" => zero,
        "klee_get_errno" => get_errno,
        "klee_check_memory_access" => check_memory_access,
        "klee_get_valuef" | "klee_get_valued" | "klee_get_valuel" | "klee_get_valuell"
        | "klee_get_value_i32" | "klee_get_value_i64" => get_value,
        "klee_prefer_cex" | "klee_warning" | "klee_warning_once" | "klee_print_expr" | "klee_stack_trace"
        | "klee_open_merge" | "klee_close_merge" => nothing,
        name if name.starts_with("__VERIFIER_nondet_") => nondet,
        _ => return None,
    })
}

fn nothing(_: &mut Machine<'_>, _: &mut State, _: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    Ok(None)
}

fn zero(_: &mut Machine<'_>, _: &mut State, _: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    Ok(Some(Value::Word(0)))
}

/// The models of the C library keep `errno` in a variable of their own; without them nobody sets it.
fn get_errno(
    machine: &mut Machine<'_>,
    state: &mut State,
    _: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    match machine.program.global_named("__incise_errno") {
        Some(global) => {
            let address = Value::Word(machine.decider.constants.global_address(global));
            let address = machine.thread_local_address(state, address);
            machine.memory().load_at(state, &address, 32).map(Some)
        }
        None => Ok(Some(Value::Word(0))),
    }
}

impl Machine<'_> {
    fn input_name(&mut self, state: &mut State, pointer: &Value) -> Result<String, Exit> {
        let text = self.memory().concrete_string(state, pointer, "the name of an input")?;
        let name = String::from_utf8_lossy(&text).into_owned();
        Ok(crate::inputs::input::unique_name(state, if name.is_empty() { "unnamed" } else { &name }))
    }
}

fn make_symbolic(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let Some(size) = call.argument(1).as_concrete() else {
        return Err(Exit::End(Outcome::Unsupported(
            "klee_make_symbolic of a symbolic number of bytes".into(),
        )));
    };
    let size = size as u64;
    let name = machine.input_name(state, &call.argument(2))?;
    let place = machine.memory().resolve(state, &call.argument(0), size, Access::WRITE)?;
    let Offset::Concrete(offset) = place.offset else {
        return Err(Exit::End(Outcome::Unsupported("klee_make_symbolic at a symbolic address".into())));
    };
    let shape = state.memory.object(place.slot).and_then(|object| {
        let info = &object.info;
        let declared = info.debug_type.and_then(|ty| Shape::of_debug_type(machine.program, ty));
        let shape = declared
            .filter(|shape| shape.size() == object.size)
            .or_else(|| Some(Shape::of_type(machine.program, info.ty?)))?;
        (offset == 0 && shape.size() == size).then_some(shape)
    });
    let shape = shape.unwrap_or(Shape::Bytes(size));
    let path = crate::inputs::input::path_root(&name);
    let place = (place.slot, offset, size);
    let new = NewInput { name, path: &path, origin: InputOrigin::Klee, shape, place, depth: 0 };
    machine.decider.inputs().make_symbolic(state, new);
    Ok(None)
}

fn assume(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let crate::engine::code::ArgumentKind::Integer(width) = call.call.arguments[0].kind else {
        return Ok(None);
    };
    let value = machine.decider.expr(state, &call.argument(0), width);
    let zero = machine.decider.exprs.constant(0, width);
    let condition = machine.decider.exprs.compare(CompareOp::Ne, value, zero);
    machine.decider.assume(state, condition)?;
    Ok(None)
}

/// A fresh `int`.
fn fresh_int(machine: &mut Machine<'_>, state: &mut State, name: String) -> Value {
    let shape = Shape::Scalar { bits: 32, kind: ScalarKind::Signed };
    let (object, value) =
        InputObject::scalar_of_shape(&mut machine.decider.inputs(), name, InputOrigin::Klee, 32, shape);
    machine.decider.inputs().give(state, &object, None);
    state.inputs.push(Rc::new(object));
    value
}

fn int(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    let name = machine.input_name(state, &call.argument(0))?;
    Ok(Some(fresh_int(machine, state, name)))
}

fn range(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    let name = machine.input_name(state, &call.argument(2))?;
    let value = fresh_int(machine, state, name);
    let (first, end) = (
        machine.decider.expr(state, &call.argument(0), 32),
        machine.decider.expr(state, &call.argument(1), 32),
    );
    let expr = machine.decider.expr(state, &value, 32);
    let low = machine.decider.exprs.compare(CompareOp::Sle, first, expr);
    let high = machine.decider.exprs.compare(CompareOp::Slt, expr, end);
    machine.decider.assume(state, low)?;
    machine.decider.assume(state, high)?;
    Ok(Some(value))
}

fn silent_exit(_: &mut Machine<'_>, _: &mut State, _: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    Err(Exit::End(Outcome::Discarded))
}

fn report_error(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let text = machine.memory().concrete_string(state, &call.argument(2), "an error's text")?;
    let message = String::from_utf8_lossy(&text).into_owned();
    Err(Exit::End(Outcome::Error(ProgramError { kind: ErrorKind::Reported, message })))
}

fn is_symbolic(_: &mut Machine<'_>, _: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    Ok(Some(Value::Word(u64::from(call.argument(0).as_concrete().is_none()))))
}

fn check_memory_access(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    if let Some(size) = call.argument(1).as_concrete()
        && size > 0
    {
        machine.memory().resolve(state, &call.argument(0), size as u64, Access::READ)?;
    }
    Ok(None)
}

/// One value of many: the others are given up, and the result says so.
fn get_value(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let value = call.argument(0);
    if value.as_concrete().is_some() {
        return Ok(Some(value));
    }
    let width = call.call.result_width;
    let expr = machine.decider.expr(state, &value, width);
    let Ok(model) = machine.decider.describer().reported_model(state) else {
        return Err(Exit::End(Outcome::Undecided("no value for klee_get_value in time".into())));
    };
    let bits = machine.decider.solver.evaluate(&machine.decider.exprs, expr, &model);
    let constant = machine.decider.exprs.constant(bits, width);
    let equal = machine.decider.exprs.compare(CompareOp::Eq, expr, constant);
    let place =
        machine.decider.location(state).map(|location| machine.program.position(location).to_string());
    machine.decider.sink.concretised.insert(format!("klee_get_value at {}", place.unwrap_or_default()));
    machine.decider.assume(state, equal)?;
    Ok(Some(Value::concrete(bits, width)))
}

fn nondet(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let function = machine.program.functions[call.function].name.clone();
    let suffix = function.trim_start_matches("__VERIFIER_nondet_");
    let width = call.call.result_width;
    if width == 0 {
        return Err(Exit::End(Outcome::Unsupported(format!("{function} without a result"))));
    }
    let kind = match suffix {
        "float" | "double" | "long_double" => match width {
            32 => ScalarKind::Float(FloatKind::Single),
            64 => ScalarKind::Float(FloatKind::Double),
            _ => ScalarKind::Float(FloatKind::X87),
        },
        "bool" | "_Bool" => ScalarKind::Boolean,
        "char" => ScalarKind::Character,
        name if name.starts_with('u') || name.starts_with("size") || name == "pointer" => {
            ScalarKind::Unsigned
        }
        _ => ScalarKind::Signed,
    };
    let name = crate::inputs::input::unique_name(state, &format!("nondet_{suffix}"));
    let boolean = matches!(kind, ScalarKind::Boolean);
    let shape = Shape::Scalar { bits: width.max(8), kind };
    let origin = InputOrigin::Nondet { function };
    let symbol_width = if boolean { 1 } else { width };
    let (object, value) =
        InputObject::scalar_of_shape(&mut machine.decider.inputs(), name, origin, symbol_width, shape);
    machine.decider.inputs().give(state, &object, None);
    state.inputs.push(Rc::new(object));
    if boolean && width > 1 {
        let expr = machine.decider.expr(state, &value, 1);
        let expr = machine.decider.exprs.zext(expr, width);
        return Ok(Some(Value::from_expr(&machine.decider.exprs, expr)));
    }
    Ok(Some(value))
}
