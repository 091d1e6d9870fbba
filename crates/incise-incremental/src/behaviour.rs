//! What two versions do on the same input, compared: how they end, what they return, write and leave behind.

use incise_exec::{InputOrigin, InputValue, Observation, Observed, Outcome, Path, Trace};
use std::collections::{BTreeMap, BTreeSet};

/// Something that two versions do differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// They end otherwise.
    Ending,
    /// They return something else.
    Result,
    /// A global variable or an input object holds something else at the end.
    Value(String),
    /// They write something else to standard output.
    Output,
    /// They write something else to standard error.
    ErrorOutput,
}

/// Whether the program itself ended a trace.
pub fn is_conclusive(trace: &Trace) -> bool {
    trace.path.as_ref().is_none_or(|path| {
        matches!(path.outcome, Outcome::Returned | Outcome::Exited { .. } | Outcome::Error(_))
    })
}

/// What two versions do differently on one input. What a variable holds counts only where the entry returns: nobody
/// sees it after a failure or the end of the program. Nor does standard error count beside a failure, whose message may
/// be there.
pub fn differences(old: &Trace, new: &Trace) -> Vec<Difference> {
    let (old_path, new_path) = match (&old.path, &new.path) {
        (Some(old), Some(new)) => (old, new),
        (None, None) => return Vec::new(),
        _ => return vec![Difference::Ending],
    };
    if !old_path.outcome.ends_alike(&new_path.outcome) {
        return vec![Difference::Ending];
    }
    let mut found = Vec::new();
    if new_path.outcome == Outcome::Returned {
        found.extend(values(old, new));
    }
    if !matches!(new_path.outcome, Outcome::Error(_)) {
        compare_output(old_path, new_path, |path| &path.stderr, Difference::ErrorOutput, &mut found);
    }
    compare_output(old_path, new_path, |path| &path.stdout, Difference::Output, &mut found);
    if !matches!(new_path.outcome, Outcome::Error(_)) {
        found.extend(files(old_path, new_path));
    }
    found
}

/// The files that only one version changes, or that hold something else.
fn files(old: &Path, new: &Path) -> Vec<Difference> {
    let files = |path: &Path| -> BTreeMap<String, InputValue> {
        let files = path.finals.iter().filter(|each| matches!(each.origin, InputOrigin::File { .. }));
        files.map(|each| (each.name.clone(), each.value.clone())).collect()
    };
    let (old, new) = (files(old), files(new));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differing = names.into_iter().filter(|name| old.get(*name) != new.get(*name));
    differing.map(|name| Difference::Value(name.clone())).collect()
}

/// What to call an observation that differs.
fn values(old: &Trace, new: &Trace) -> Vec<Difference> {
    let pairs = pairs(old, new);
    let differing = pairs.filter(|(old, new)| !same_observation(old, new)).map(|(_, new)| match new.what {
        Observed::Result => Difference::Result,
        Observed::Global | Observed::Object => Difference::Value(new.name.clone()),
    });
    differing.collect()
}

/// The observations that both versions have. What only one has is no behaviour that they could share.
pub(crate) fn pairs<'a>(
    old: &'a Trace,
    new: &'a Trace,
) -> impl Iterator<Item = (&'a Observation, &'a Observation)> {
    new.observations.iter().filter_map(|new| {
        let mut all = old.observations.iter();
        Some((all.find(|old| old.what == new.what && old.name == new.name)?, new))
    })
}

fn compare_output(
    old: &Path,
    new: &Path,
    stream: impl Fn(&Path) -> &Vec<u8>,
    difference: Difference,
    found: &mut Vec<Difference>,
) {
    if stream(old) != stream(new) {
        found.push(difference);
    }
}

fn same_observation(old: &Observation, new: &Observation) -> bool {
    if old.bytes.len() != new.bytes.len() {
        return same_value(&old.value, &new.value, DEEPEST);
    }
    let comparable = old.comparable.iter().zip(&new.comparable).map(|(old, new)| *old && *new);
    let bytes = old.bytes.iter().zip(&new.bytes);
    bytes.zip(comparable).all(|((old, new), comparable)| old == new || !comparable)
        && same_pointers(&old.value, &new.value, DEEPEST)
}

/// Values nest only as deep as types do; what is deeper is taken to be the same.
const DEEPEST: u32 = 64;

/// Addresses differ between versions: pointers are the same if both are null or neither is.
fn same_pointers(old: &InputValue, new: &InputValue, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    match (old, new) {
        (InputValue::Pointer(old), InputValue::Pointer(new)) => old.is_some() == new.is_some(),
        (InputValue::Struct(old), InputValue::Struct(new)) => {
            old.iter().zip(new).all(|((_, old), (_, new))| same_pointers(old, new, depth))
        }
        (InputValue::Array(old), InputValue::Array(new)) => {
            old.iter().zip(new).all(|(old, new)| same_pointers(old, new, depth))
        }
        _ => true,
    }
}

/// Values of types that differ: compared by number and by the names of members that both have.
pub(crate) fn same_value(old: &InputValue, new: &InputValue, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return true };
    match (old, new) {
        (InputValue::Pointer(_), InputValue::Pointer(_)) => same_pointers(old, new, 1),
        (InputValue::Struct(old), InputValue::Struct(new)) => new.iter().all(|(name, new)| {
            old.iter().find(|(known, _)| known == name).is_none_or(|(_, old)| same_value(old, new, depth))
        }),
        (InputValue::Array(old), InputValue::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same_value(old, new, depth))
        }
        _ => match (number(old), number(new)) {
            (Some(old), Some(new)) => old == new,
            _ => old == new,
        },
    }
}

fn number(value: &InputValue) -> Option<i128> {
    match value {
        InputValue::Signed(number) | InputValue::Enumerator(_, number) => Some(*number),
        InputValue::Unsigned(number) => i128::try_from(*number).ok(),
        InputValue::Character(byte) => Some(i128::from(*byte as i8)),
        InputValue::Boolean(truth) => Some(i128::from(*truth)),
        _ => None,
    }
}

/// Whether both versions got the same inputs, as far as both have them.
pub(crate) fn same_inputs(old: &Trace, new: &Trace) -> bool {
    let inputs = |trace: &Trace| trace.path.as_ref().and_then(|path| path.inputs.clone()).unwrap_or_default();
    let old = inputs(old);
    inputs(new).iter().all(|new| {
        old.iter()
            .find(|old| old.name == new.name)
            .is_none_or(|old| same_value(&old.value, &new.value, DEEPEST))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_other_types_are_compared_by_what_they_stand_for() {
        let same = |old: InputValue, new: InputValue| same_value(&old, &new, DEEPEST);
        assert!(same(InputValue::Signed(3), InputValue::Unsigned(3)));
        assert!(!same(InputValue::Signed(-1), InputValue::Unsigned(u128::from(u32::MAX))));
        let member = |name: &str, value| (name.to_owned(), InputValue::Signed(value));
        let old = InputValue::Struct(vec![member("a", 1), member("b", 2)]);
        assert!(same(old.clone(), InputValue::Struct(vec![member("b", 2), member("c", 9)])));
        assert!(!same(old, InputValue::Struct(vec![member("b", 3)])));
        let to = |name: &str| InputValue::Pointer(Some(name.to_owned()));
        assert!(same(to("x"), to("y")) && !same(to("x"), InputValue::Pointer(None)));
    }
}
