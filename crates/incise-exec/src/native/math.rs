//! The functions of math.h: those that are exact, which the solver knows, and those that only the C library can
//! compute, of which it knows that equal arguments give equal results. Neither touches `errno` here, nor the flags of
//! the floating-point unit.

use super::{Native, NativeCall};
use crate::engine::code::{ArgumentKind, float_format};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::outcome::Outcome;
use incise_ir::{FloatKind, Function, Program, Type};
use incise_solver::{ExprId, FloatBinary, FloatCompare, FloatFormat, FloatUnary, MathFunction};

pub(super) fn lookup(name: &str) -> Option<Native> {
    // `sqrt`, `sqrtf` and `sqrtl` differ in the type of their argument, which the call tells.
    let plain = name.strip_suffix(['f', 'l']).filter(|plain| base(plain).is_some()).unwrap_or(name);
    base(plain).or_else(|| library_function(name).map(|_| library as Native))
}

/// Whether a function takes and returns what the function of math.h of its name does, as far as that matters. A program
/// may well have a `log` of its own that is defined elsewhere.
pub(super) fn fits(program: &Program, function: &Function) -> bool {
    let is_float = |ty| matches!(program.types.get(ty), Type::Float(_));
    let integers = |ty| matches!(program.types.get(ty), Type::Integer(_));
    (is_float(function.result) || integers(function.result))
        && function.parameters.iter().all(|parameter| is_float(parameter.ty))
        && library_function(&function.name)
            .is_none_or(|known| is_float(function.result) && function.parameters.len() == known.arity())
}

/// The function of the C library of that name, for `double` or, with an `f`, for `float`.
fn library_function(name: &str) -> Option<MathFunction> {
    MathFunction::named(name).or_else(|| MathFunction::named(name.strip_suffix('f')?))
}

fn base(name: &str) -> Option<Native> {
    Some(match name {
        "sqrt" => |m, s, c| unary(m, s, c, FloatUnary::Sqrt),
        "floor" => |m, s, c| unary(m, s, c, FloatUnary::Floor),
        "ceil" => |m, s, c| unary(m, s, c, FloatUnary::Ceil),
        "trunc" => |m, s, c| unary(m, s, c, FloatUnary::Trunc),
        "rint" | "nearbyint" | "roundeven" => |m, s, c| unary(m, s, c, FloatUnary::RoundEven),
        "round" => |m, s, c| unary(m, s, c, FloatUnary::RoundAway),
        "lround" | "llround" => |m, s, c| to_integer(m, s, c, FloatUnary::RoundAway),
        "lrint" | "llrint" => |m, s, c| to_integer(m, s, c, FloatUnary::RoundEven),
        "fabs" => fabs,
        "copysign" => copysign,
        "fmod" => |m, s, c| binary(m, s, c, FloatBinary::Rem),
        "fmin" => |m, s, c| binary(m, s, c, FloatBinary::Min),
        "fmax" => |m, s, c| binary(m, s, c, FloatBinary::Max),
        "fma" => fma,
        "fdim" => fdim,
        _ => return None,
    })
}

fn operand(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
    index: usize,
) -> Result<(FloatKind, FloatFormat, ExprId), Exit> {
    let Some(ArgumentKind::Float(kind)) = call.call.arguments.get(index).map(|argument| argument.kind) else {
        return Err(Exit::End(Outcome::Unsupported(
            "a math function of arguments that are not floats".into(),
        )));
    };
    let expr = machine.decider.expr(state, &call.argument(index), kind.bits());
    Ok((kind, float_format(kind), expr))
}

fn unary(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
    op: FloatUnary,
) -> Result<Option<Value>, Exit> {
    let (_, format, value) = operand(machine, state, call, 0)?;
    let result = machine.decider.exprs.float_unary(op, format, value);
    Ok(Some(Value::from_expr(&machine.decider.exprs, result)))
}

fn to_integer(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
    op: FloatUnary,
) -> Result<Option<Value>, Exit> {
    let (_, format, value) = operand(machine, state, call, 0)?;
    let rounded = machine.decider.exprs.float_unary(op, format, value);
    let result = machine.decider.exprs.float_to_int(format, true, call.call.result_width, rounded);
    Ok(Some(Value::from_expr(&machine.decider.exprs, result)))
}

fn binary(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
    op: FloatBinary,
) -> Result<Option<Value>, Exit> {
    let (_, format, left) = operand(machine, state, call, 0)?;
    let (_, _, right) = operand(machine, state, call, 1)?;
    let result = machine.decider.exprs.float_binary(op, format, left, right);
    Ok(Some(Value::from_expr(&machine.decider.exprs, result)))
}

fn fabs(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    let (_, format, value) = operand(machine, state, call, 0)?;
    let result = machine.decider.exprs.float_abs(format, value);
    Ok(Some(Value::from_expr(&machine.decider.exprs, result)))
}

fn copysign(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let (kind, _, magnitude) = operand(machine, state, call, 0)?;
    let (_, _, sign) = operand(machine, state, call, 1)?;
    let width = kind.bits();
    let magnitude = machine.decider.exprs.extract(magnitude, 0, width - 1);
    let sign = machine.decider.exprs.extract(sign, width - 1, 1);
    let result = machine.decider.exprs.concat(sign, magnitude);
    Ok(Some(Value::from_expr(&machine.decider.exprs, result)))
}

fn fma(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    let (_, format, a) = operand(machine, state, call, 0)?;
    let (_, _, b) = operand(machine, state, call, 1)?;
    let (_, _, c) = operand(machine, state, call, 2)?;
    let result = machine.decider.exprs.float_fma(format, a, b, c);
    Ok(Some(Value::from_expr(&machine.decider.exprs, result)))
}

/// As glibc has it: zero only if the first is known not to be greater, so that what is not a number comes through.
fn fdim(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    let (kind, format, left) = operand(machine, state, call, 0)?;
    let (_, _, right) = operand(machine, state, call, 1)?;
    let not_greater = machine.decider.exprs.float_compare(FloatCompare::Le, format, left, right);
    let zero = machine.decider.exprs.constant(0, kind.bits());
    let difference = machine.decider.exprs.float_binary(FloatBinary::Sub, format, left, right);
    let result = machine.decider.exprs.ite(not_greater, zero, difference);
    Ok(Some(Value::from_expr(&machine.decider.exprs, result)))
}

/// A function that only the C library can compute.
fn library(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    let name = &machine.program.functions[call.function].name;
    let unsupported = || Exit::End(Outcome::Unsupported(format!("a call of {name} with other arguments")));
    let function = library_function(name).ok_or_else(unsupported)?;
    let mut arguments = Vec::with_capacity(function.arity());
    let mut format = FloatFormat::Double;
    for index in 0..function.arity() {
        let (_, own, value) = operand(machine, state, call, index)?;
        format = own;
        arguments.push(value);
    }
    let result = machine.decider.exprs.math(function, format, &arguments).ok_or_else(unsupported)?;
    Ok(Some(Value::from_expr(&machine.decider.exprs, result)))
}
