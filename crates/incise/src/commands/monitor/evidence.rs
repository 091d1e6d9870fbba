//! What nodes are, before and after, for an input that shows a difference.

use super::names::Observable;
use incise_monitor::{Node, Number, Thresholds, state_of};
use incise_report::verdict::Witness;
use incise_report::{FoundPath, Origin, Value};
use std::collections::BTreeMap;

/// What variables hold at the end of a path.
pub(super) struct Held<'p>(BTreeMap<&'p Origin, &'p Value>);

impl<'p> Held<'p> {
    /// What a path leaves behind. What it leaves alone, and does not name as an input, is what the path of the other
    /// version on the same inputs is given.
    fn by(path: &'p FoundPath, other: &'p FoundPath) -> Self {
        let left = path.finals.iter().map(|left| (&left.origin, &left.observed.value));
        let given = [path, other].into_iter().flat_map(|path| path.inputs.iter().flatten());
        let mut held = BTreeMap::new();
        for (origin, value) in left.chain(given.map(|input| (&input.origin, &input.value))) {
            held.entry(origin).or_insert(value);
        }
        Self(held)
    }

    /// What both versions leave behind on an input.
    pub(super) fn of(witness: &'p Witness) -> [Self; 2] {
        [Self::by(&witness.old, &witness.new), Self::by(&witness.new, &witness.old)]
    }

    /// The value of what is observed; `None` if the path does not tell.
    pub(super) fn value(&self, observable: &Observable) -> Option<Value> {
        let held = |origin: &Origin| self.0.get(origin).copied();
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
