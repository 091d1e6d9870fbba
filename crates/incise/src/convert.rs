//! From what the engine found to the finding model of the reports.

use crate::layout;
use incise_exec::{Exploration, InputOrigin, InputValue, Needs, Outcome as Ended};
use incise_ir::{FloatKind, FunctionId, Program, SourcePosition};
use incise_reading::{Reading, Taken};
use incise_report::verdict::{Bound, TakenInput};
use incise_report::{
    Constraint, Coverage, Effort, Final, FloatFormat, Frame, Input, Observed, Origin, Outcome, Path, Place,
    Run, Stage, Value,
};

/// The finding model of an exploration.
pub(crate) fn run(
    program: &Program,
    entry: FunctionId,
    identity: incise_report::Program,
    exploration: Exploration,
) -> Run {
    let complete = exploration.complete();
    let counters = &exploration.counters;
    let effort = Effort {
        states: counters.states,
        forks: counters.forks,
        instructions: counters.instructions,
        queries: counters.queries,
        solver_ms: counters.solver_time.as_secs_f64() * 1e3,
        tenths_us: {
            let (first, last) = counters.first_and_last_tenth;
            (first.as_secs_f64() * 1e6, last.as_secs_f64() * 1e6)
        },
        time_ms: counters.time.as_secs_f64() * 1e3,
        peak_memory: counters.peak_memory,
        peak_states: counters.peak_states,
        stages: counters
            .stages
            .iter()
            .map(|stage| Stage {
                name: stage.name.clone(),
                asked: stage.asked,
                answered: stage.answered,
                time_ms: stage.time.as_secs_f64() * 1e3,
            })
            .collect(),
    };
    let coverage = Coverage {
        lines: exploration.coverage.lines,
        branches: exploration.coverage.branches.into_iter().map(|(at, taken)| (place(&at), taken)).collect(),
    };
    // A path that an assumption cut is no path of the program.
    let real = exploration.paths.into_iter().filter(|path| path.outcome != Ended::Discarded);
    Run {
        program: identity,
        paths: real.zip(1..).map(|(found, id)| path(program, entry, found, id)).collect(),
        taken: Vec::new(),
        bounds: input_bounds(&exploration.needs),
        others: Vec::new(),
        limits: exploration.limits.iter().map(|limit| limit.name().to_owned()).collect(),
        concretised: exploration.concretised.into_iter().collect(),
        initial: Vec::new(),
        abandoned_states: exploration.abandoned_states,
        complete,
        coverage,
        effort,
    }
}

/// The inputs that were too small or not followed, and how far they go.
pub(crate) fn input_bounds(needs: &Needs) -> Vec<Bound> {
    let about = |name: &str, input: &str, value: Option<u64>, unit: Option<&'static str>| Bound {
        name: name.to_owned(),
        value,
        input: Some(input.to_owned()),
        unit,
    };
    let mut bounds = Vec::new();
    for (input, need) in &needs.elements {
        let unit = if need.element == 1 { "bytes" } else { "elements" };
        bounds.push(about("input-size", input, Some(need.made), Some(unit)));
    }
    let before = needs.before.union(&needs.negative);
    bounds.extend(before.map(|input| about("input-size", input, None, None)));
    bounds.extend(needs.deeper.iter().map(|input| about("pointer-depth", input, None, None)));
    let pairs = needs.same.iter().chain(&needs.ordered);
    bounds.extend(pairs.map(|(one, other)| about("apart", &format!("{one} and {other}"), None, None)));
    bounds
}

/// What inputs were taken to be.
pub(crate) fn taken(reading: &Reading) -> Vec<TakenInput> {
    let fact = |taken: &Taken| TakenInput {
        input: taken.input.clone(),
        kind: taken.what.name().to_owned(),
        words: taken.to_string(),
        because: taken.evidence.words.clone(),
        source: taken.evidence.source.name().to_owned(),
        place: taken.evidence.place.as_ref().map(place),
        restricts: taken.what.restricts(),
    };
    reading.parts.iter().map(fact).collect()
}

pub(crate) fn path(program: &Program, entry: FunctionId, found: incise_exec::Path, id: u64) -> Path {
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

pub(crate) fn place(position: &SourcePosition) -> Place {
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
    let pointers = match &found.origin {
        InputOrigin::Written { pointers, .. } => layout::named_pointers(pointers),
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
        InputOrigin::Written { function, call, way, .. } => Origin::Written { function, call, way },
    }
}

/// Values nest only as deep as types do, which the reader bounds.
pub(crate) fn value(found: InputValue) -> Value {
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
