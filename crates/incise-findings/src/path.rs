//! Paths: how they end, their inputs, and what they leave behind.

use incise_exec::{InputOrigin, InputValue, PointerAt, PointerTarget, ResultBytes};
use incise_ir::{FloatKind, SourcePosition};
use incise_report::{
    Constraint, Final, FloatFormat, FoundPath, Frame, Input, LeftPointer, Observed, Origin, Place, PointerTo,
    Value,
};

/// The finding model of a path, with its number.
pub fn path(found: incise_exec::Path, id: u64) -> FoundPath {
    let inputs = found.inputs.map(|inputs| inputs.into_iter().map(input).collect());
    let result = found.returned.map(value).map(|value| match found.result {
        Some(ResultBytes { bytes, comparable, pointers }) => {
            Observed { bytes, comparable, value, pointers: left(pointers) }
        }
        None => Observed::new(Vec::new(), Vec::new(), value),
    });
    FoundPath {
        id,
        outcome: found.outcome,
        place: found.position.as_ref().map(place),
        stack: each(found.stack, |frame| Frame {
            function: frame.function,
            place: frame.position.as_ref().map(place),
        }),
        condition: each(found.condition, |each| Constraint {
            text: each.text,
            place: each.position.as_ref().map(place),
        }),
        inputs,
        result,
        finals: each(found.finals, |each| Final {
            name: each.name,
            origin: origin(each.origin),
            observed: Observed {
                bytes: each.bytes,
                comparable: each.comparable,
                value: value(each.value),
                pointers: left(each.pointers),
            },
        }),
        stdout: found.stdout,
        stderr: found.stderr,
        indeterminate: found.indeterminate,
        decisions: each(found.decisions, |decision| decision.number()),
        instructions: found.instructions,
        schedule: each(found.schedule, crate::threads::step),
        first_threads: found.first_threads,
        left_threads: crate::threads::left(found.left_threads),
    }
}

/// Where something is in the source.
pub fn place(position: &SourcePosition) -> Place {
    Place { file: position.file.to_string(), line: position.line, column: position.column }
}

pub(crate) fn input(found: incise_exec::Input) -> Input {
    let value = value(found.value);
    let mut pointers = match found.origin {
        InputOrigin::Parameter { .. }
        | InputOrigin::Global { .. }
        | InputOrigin::Pointee { .. }
        | InputOrigin::Written { .. } => found.pointers,
        // Of what a program asks for, only pointers themselves are given.
        _ if is_of_pointers(&value) => found.pointers,
        _ => Vec::new(),
    };
    pointers.sort_by_key(|pointer| pointer.offset);
    let pointer = |PointerAt { offset, target }| {
        target.map(|PointerTarget { name, addend }| PointerTo { offset, target: name, addend })
    };
    Input {
        name: found.name,
        origin: origin(found.origin),
        bytes: found.bytes,
        pointers: pointers.into_iter().filter_map(pointer).collect(),
        value,
    }
}

fn is_of_pointers(value: &Value) -> bool {
    match value {
        Value::Pointer(_) => true,
        Value::Array(elements) => elements.iter().all(|element| matches!(element, Value::Pointer(_))),
        _ => false,
    }
}

fn left(pointers: Vec<PointerAt>) -> Vec<LeftPointer> {
    let target = |PointerTarget { name, addend }| incise_report::PointerTarget { name, addend };
    let pointer = |at: PointerAt| LeftPointer { offset: at.offset, target: at.target.map(target) };
    each(pointers, pointer)
}

/// Each of a list made into something else. Most lists of most paths are empty, and there are thousands of paths.
#[inline]
fn each<T, U>(list: Vec<T>, made: impl FnMut(T) -> U) -> Vec<U> {
    match list.is_empty() {
        true => Vec::new(),
        false => list.into_iter().map(made).collect(),
    }
}

fn origin(found: InputOrigin) -> Origin {
    match found {
        InputOrigin::Parameter { index } => Origin::Parameter(index),
        InputOrigin::Pointee { pointer } => Origin::Pointee(pointer),
        InputOrigin::Stream { pointer } => Origin::Stream(pointer),
        InputOrigin::Global { symbol } => Origin::Global(symbol),
        InputOrigin::Klee => Origin::Klee,
        InputOrigin::Nondet { function } => Origin::Nondet(function),
        InputOrigin::Argument { index } => Origin::Argument(index),
        InputOrigin::Stdin => Origin::Stdin,
        InputOrigin::File { name } => Origin::File(name),
        InputOrigin::Environment { name } => Origin::Environment(name),
        InputOrigin::Time => Origin::Time,
        InputOrigin::Extent { of } => Origin::Extent(of),
        InputOrigin::External { function } => Origin::External(function),
        InputOrigin::Callback { pointer } => Origin::Callback(pointer),
        InputOrigin::Device => Origin::Device,
        InputOrigin::Volatile => Origin::Volatile,
        InputOrigin::Heap { within, offset, addend } => Origin::Heap { within, offset, addend },
        InputOrigin::Written { function, call, way } => Origin::Written { function, call, way },
    }
}

/// A value. Values nest only as deep as types do, which the reader bounds.
pub fn value(found: InputValue) -> Value {
    match found {
        InputValue::Signed(number) => Value::Signed(number),
        InputValue::Unsigned(number) => Value::Unsigned(number),
        InputValue::Character(byte) => Value::Character(byte),
        InputValue::Boolean(truth) => Value::Boolean(truth),
        InputValue::Float { format, bits } => Value::Float(float_format(format), bits),
        InputValue::Pointer(target) => Value::Pointer(target),
        InputValue::Enumerator(name, number) => Value::Enumerator(name, number),
        InputValue::Struct(members) => {
            Value::Struct(members.into_iter().map(|(name, member)| (name, value(member))).collect())
        }
        InputValue::Array(elements) => Value::Array(elements.into_iter().map(value).collect()),
        InputValue::Text(bytes) => Value::Text(bytes),
        InputValue::Bytes(bytes) => Value::Bytes(bytes),
    }
}

fn float_format(kind: FloatKind) -> FloatFormat {
    match kind {
        FloatKind::Half => FloatFormat::Half,
        FloatKind::BFloat => FloatFormat::BFloat,
        FloatKind::Single => FloatFormat::Single,
        FloatKind::Double => FloatFormat::Double,
        FloatKind::X87 => FloatFormat::X87,
        FloatKind::Quad => FloatFormat::Quad,
    }
}
