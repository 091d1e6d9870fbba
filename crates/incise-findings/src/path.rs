//! Paths: how they end, their inputs, and what they leave behind.

use incise_exec::{InputOrigin, InputValue, Outcome as Ended, PointerAt, PointerTarget};
use incise_ir::{FloatKind, FunctionId, Program, SourcePosition};
use incise_replay::value_layout as layout;
use incise_report::{
    Constraint, Final, FloatFormat, Frame, Input, Observed, Origin, Outcome, Path, Place, PointerTo,
    Value,
};

/// The finding model of a path, with its number.
pub fn path(program: &Program, entry: FunctionId, found: incise_exec::Path, id: u64) -> Path {
    let inputs = found.inputs.map(|inputs| {
        let mut inputs: Vec<Input> = inputs.into_iter().map(input).collect();
        layout::find_pointers(program, entry, &mut inputs);
        inputs
    });
    let result = found.returned.map(value).map(|value| {
        let known = layout::result_bytes(program, entry, &value);
        known.unwrap_or(Observed { bytes: Vec::new(), comparable: Vec::new(), value })
    });
    Path {
        id,
        outcome: outcome(found.outcome),
        place: found.position.as_ref().map(place),
        stack: found
            .stack
            .into_iter()
            .map(|frame| Frame { function: frame.function, place: frame.position.as_ref().map(place) })
            .collect(),
        condition: found
            .condition
            .into_iter()
            .map(|each| Constraint { text: each.text, place: each.position.as_ref().map(place) })
            .collect(),
        inputs,
        result,
        finals: found
            .finals
            .into_iter()
            .map(|each| Final {
                name: each.name,
                origin: origin(each.origin),
                observed: Observed {
                    bytes: each.bytes,
                    comparable: each.comparable,
                    value: value(each.value),
                },
            })
            .collect(),
        stdout: found.stdout,
        stderr: found.stderr,
        indeterminate: found.indeterminate,
        decisions: found.decisions.iter().map(|decision| decision.number()).collect(),
        instructions: found.instructions,
    }
}

/// Where something is in the source.
pub fn place(position: &SourcePosition) -> Place {
    Place { file: position.file.to_string(), line: position.line, column: position.column }
}

fn outcome(ended: Ended) -> Outcome {
    match ended {
        Ended::Returned => Outcome::Returned,
        Ended::Exited { status } => Outcome::Exited { status },
        Ended::Error(error) => Outcome::Error { kind: error.kind.name().to_owned(), message: error.message },
        Ended::Unsupported(what) => Outcome::Unsupported(what),
        Ended::External { function } => Outcome::External { function },
        Ended::Limit(limit) => Outcome::Limit(limit.name().to_owned()),
        Ended::Undecided(why) => Outcome::Undecided(why),
        Ended::Discarded | Ended::Pruned => Outcome::Pruned,
    }
}

fn input(found: incise_exec::Input) -> Input {
    let pointer = |PointerAt { offset, target }| {
        target.map(|PointerTarget { name, addend }| PointerTo { offset, target: name, addend })
    };
    let pointers = match &found.origin {
        InputOrigin::Written { .. } => found.pointers.into_iter().filter_map(pointer).collect(),
        _ => Vec::new(),
    };
    Input {
        name: found.name,
        origin: origin(found.origin),
        bytes: found.bytes,
        pointers,
        value: value(found.value),
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
