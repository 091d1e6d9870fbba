//! What nodes are, before and after, for an input that shows a difference.

use super::names::Observable;
use incise_monitor::{Node, Number, Thresholds, state_of};
use incise_report::{FoundPath, Input, Origin, Value};

/// The value of what is observed at the end of a path; `None` if the path does not tell. What it leaves alone, and does
/// not name as an input, is what the path of the other version on the same inputs is given.
pub(super) fn value(path: &FoundPath, other: &FoundPath, observable: &Observable) -> Option<Value> {
    let given = |path: &FoundPath| path.inputs.clone().unwrap_or_default();
    let inputs: Vec<Input> = given(path).into_iter().chain(given(other)).collect();
    let held = |origin: &Origin| {
        let left = path.finals.iter().find(|each| each.origin == *origin).map(|each| &each.observed.value);
        left.or_else(|| inputs.iter().find(|input| input.origin == *origin).map(|input| &input.value))
    };
    match observable {
        Observable::Global { symbol, path } => {
            let steps = path.split_once(['.', '[']).map_or("", |(name, _)| &path[name.len()..]);
            match held(&Origin::Global(symbol.clone())) {
                Some(value) => part(value, steps),
                // What is no input and was not written is what inputs that are not named are.
                None => Some(Value::Signed(0)),
            }
        }
        Observable::Memory { path } => {
            let (pointer, steps) = match path.split_once("->") {
                Some((pointer, steps)) => (pointer, format!(".{steps}")),
                None => (path.trim_start_matches('*'), String::new()),
            };
            part(held(&Origin::Pointee(pointer.to_owned()))?, &steps)
        }
        Observable::Inside(watch) => held(&Origin::Global(watch.symbol())).cloned(),
    }
}

/// The part of a value that steps as in C lead to.
fn part(value: &Value, steps: &str) -> Option<Value> {
    let mut value = value.clone();
    let mut rest = steps;
    while !rest.is_empty() {
        let (step, behind) = match rest[1..].find(['.', '[']) {
            Some(end) => rest.split_at(end + 1),
            None => (rest, ""),
        };
        value = match value {
            Value::Struct(members) => {
                let name = step.strip_prefix('.')?;
                members.into_iter().find(|(member, _)| member == name)?.1
            }
            Value::Array(elements) => {
                let index: usize = step.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
                elements.into_iter().nth(index)?
            }
            Value::Text(bytes) => {
                let index: usize = step.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
                Value::Character(bytes.get(index).copied().unwrap_or(0))
            }
            _ => return None,
        };
        rest = behind;
    }
    Some(value)
}

/// A value as a number.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Signed(number) | Value::Enumerator(_, number) => Some(*number as f64),
        Value::Unsigned(number) => Some(*number as f64),
        Value::Character(byte) => Some(f64::from(*byte as i8)),
        Value::Boolean(value) => Some(f64::from(u8::from(*value))),
        Value::Float(format, bits) => Some(format.to_double(*bits).0).filter(|number| !number.is_nan()),
        _ => None,
    }
}

/// A value as what expressions compute with.
pub(super) fn exact(value: &Value) -> Option<Number> {
    match value {
        Value::Signed(number) | Value::Enumerator(_, number) => Some(Number::Whole(*number)),
        Value::Unsigned(number) => i128::try_from(*number).ok().map(Number::Whole),
        Value::Character(byte) => Some(Number::Whole(i128::from(*byte as i8))),
        Value::Boolean(value) => Some(Number::Whole(i128::from(*value))),
        value => number(value).map(Number::Real),
    }
}

/// The state that a value is for a node: by thresholds, or because a state is called as the value is.
pub(super) fn state(node: &Node, thresholds: &Thresholds, value: &Value) -> Option<String> {
    if !thresholds.is_empty() {
        return state_of(thresholds, number(value)?).map(str::to_owned);
    }
    let named = |text: &str| node.states.iter().find(|state| state.eq_ignore_ascii_case(text)).cloned();
    match value {
        Value::Enumerator(Some(name), _) => named(name),
        Value::Boolean(value) => named(if *value { "true" } else { "false" }),
        value => number(value).and_then(|number| named(&number.to_string())),
    }
}

/// What stands in the table of cases: the state, or the value where there are no states for it.
pub(super) fn cell(node: &Node, thresholds: &Thresholds, value: &Value) -> String {
    state(node, thresholds, value).unwrap_or_else(|| value.to_string())
}
