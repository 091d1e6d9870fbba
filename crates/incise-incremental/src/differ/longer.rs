//! Longer inputs of the kind that was cut: both versions run on them, and nothing is explored.
//!
//! Where a path ended only because an input was taken to be no larger, what comes after is not known. An input that
//! goes there is made longer by repeating what it consists of, in several lengths far beyond what is explored, and run
//! on both versions. That proves nothing, but a difference that needs a long input is often seen there.

use super::candidates::PairJudge;
use super::{Judgement, Question, Witness};
use incise_change::numbers_of_one;
use incise_exec::{
    Config, ExploreError, Given, GivenValue, Hooks, InputOrigin, InputValue, Needs, Path, Session, Work,
    split_container,
};
use incise_ir::Program;
use incise_relate::{Concerned, Effort};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Such inputs are worth so much work, and so much time is kept for them.
pub(super) const TRYING: Work = Work::about_milliseconds(5_000);
pub(super) const KEPT: Duration = Duration::from_secs(5);
/// The lengths that are tried, in elements.
const LENGTHS: [u64; 6] = [20, 70, 300, 1100, 5000, 60_000];
/// Nothing is made larger than so many bytes: more names than the elements have then would only cost time.
const MOST_BYTES: u64 = 1 << 18;
/// Lengths about so many of the numbers are tried that only one version compares with, or makes room for.
const NUMBERS: usize = 8;

/// Tries longer inputs; a judgement if one of them shows a difference.
pub(super) fn tried(
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    cut: &[Given],
    needs: &Needs,
) -> Result<Option<Judgement>, ExploreError> {
    let mut session = Session::new(question.new.1, &hooks.interrupt).with_time_of(question.new.1);
    let mut judge = PairJudge::new(question, hooks, Concerned::everything());
    let end = question.new.1.limits.deadline();
    for length in lengths(question) {
        for given in cut {
            let stopped = hooks.interrupt.load(std::sync::atomic::Ordering::Relaxed);
            if stopped || end.passed().is_some() {
                return Ok(None);
            }
            if judge.guess(&mut session, &[lengthened(given, needs, length)], None)? {
                judge.shorten(&mut session, false)?;
                let found = judge.judgement(&session, Effort::default(), &[], |_| (0, None));
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// The lengths that are tried, those about the numbers of a change first.
fn lengths(question: &Question<'_>) -> Vec<u64> {
    let entry = |(program, config): (&Program, &Config)| program.function_named(&config.entry);
    let entries = entry(question.old).zip(entry(question.new));
    let numbers = entries
        .map_or_else(Vec::new, |(old, new)| numbers_of_one((question.old.0, old), (question.new.0, new)));
    let told = numbers.into_iter().filter(|&number| (LENGTHS[0]..LENGTHS[5]).contains(&number)).take(NUMBERS);
    // As many elements, one more, and an end behind these.
    let mut lengths: Vec<u64> = told.flat_map(|number| number..number + 3).collect();
    lengths.dedup();
    lengths.extend(LENGTHS);
    lengths
}

/// The inputs of a path, as they can be given: element by element.
pub fn given(path: &Path) -> Given {
    let mut elements = BTreeMap::new();
    for input in path.inputs.iter().flatten() {
        if let InputOrigin::Pointee { pointer } = &input.origin
            && let Some((inner, _, member)) = split_container(pointer)
        {
            // The member that a pointer leads to has its names behind the pointer.
            let mut whole = BTreeMap::new();
            add(&mut whole, &format!("{pointer}->"), &input.value);
            let own = format!("{pointer}->{member}");
            elements.extend(whole.into_iter().map(|(name, value)| match name.strip_prefix(&own) {
                Some(rest) if rest.starts_with('.') => (format!("{inner}->{}", &rest[1..]), value),
                Some("") => (format!("*{inner}"), value),
                _ => (name, value),
            }));
            continue;
        }
        let name = match (&input.origin, &input.value) {
            (InputOrigin::Pointee { pointer }, InputValue::Struct(_)) => format!("{pointer}->"),
            (InputOrigin::Pointee { pointer }, InputValue::Array(_) | InputValue::Text(_)) => pointer.clone(),
            _ => input.name.clone(),
        };
        add(&mut elements, &name, &input.value);
    }
    Given { elements, ..Given::default() }
}

/// The inputs of a witness. What the old version has counts where both have it: it may not fit into what the new one
/// has.
pub fn given_to_both(witness: &Witness) -> Given {
    let mut both = given(&witness.new);
    both.elements.extend(given(&witness.old).elements);
    both
}

/// The elements of a value by their names.
pub(crate) fn elements_of_value(name: &str, value: &InputValue) -> BTreeMap<String, GivenValue> {
    let mut elements = BTreeMap::new();
    add(&mut elements, name, value);
    elements
}

/// Adds the elements of a value by their names.
fn add(elements: &mut BTreeMap<String, GivenValue>, name: &str, value: &InputValue) {
    let number = match value {
        InputValue::Signed(number) | InputValue::Enumerator(_, number) => *number,
        InputValue::Unsigned(number) => *number as i128,
        InputValue::Character(byte) => i128::from(*byte),
        InputValue::Boolean(holds) => i128::from(*holds),
        InputValue::Pointer(target) => i128::from(target.is_some()),
        InputValue::Struct(members) => {
            let dot = if name.ends_with("->") { "" } else { "." };
            return members
                .iter()
                .for_each(|(member, value)| add(elements, &format!("{name}{dot}{member}"), value));
        }
        InputValue::Array(list) => {
            let each =
                |(index, value): (usize, &InputValue)| add(elements, &format!("{name}[{index}]"), value);
            return list.iter().enumerate().for_each(each);
        }
        InputValue::Text(bytes) => {
            let each = |(index, &byte): (usize, &u8)| {
                (format!("{name}[{index}]"), GivenValue::Integer(i128::from(byte)))
            };
            return elements.extend(bytes.iter().enumerate().map(each));
        }
        // What has no type has no names.
        InputValue::Float { .. } | InputValue::Bytes(_) => return,
    };
    elements.insert(name.to_owned(), GivenValue::Integer(number));
}

/// An input whose objects that were too small have so many elements. Numbers that told how many there were tell how
/// many there are.
fn lengthened(given: &Given, needs: &Needs, length: u64) -> Given {
    let mut longer = given.clone();
    let mut counts = Vec::new();
    for (input, need) in &needs.elements {
        let length = length.min(MOST_BYTES / need.element.max(1));
        let known = elements_of(given, input);
        let before = known.keys().next_back().map_or(0, |last| last + 1);
        if before == 0 || before >= length {
            continue;
        }
        repeat(&mut longer, input, &known, length);
        counts.extend([(before, length), (before - 1, length - 1)]);
    }
    lengths_told(&mut longer, needs.elements.keys(), &counts);
    longer
}

/// Numbers that told how many elements there were tell how many there are. `counts` has both, `inputs` are names of
/// what leads to the elements.
pub(super) fn lengths_told<'n>(
    given: &mut Given,
    inputs: impl Iterator<Item = &'n String>,
    counts: &[(u64, u64)],
) {
    let inputs: BTreeSet<&String> = inputs.collect();
    for (name, value) in given.elements.iter_mut().filter(|(name, _)| !name.contains('[')) {
        let told =
            counts.iter().find(|(before, _)| *before > 1 && *value == GivenValue::Integer((*before).into()));
        if let Some((_, now)) = told.filter(|_| !inputs.contains(name)) {
            *value = GivenValue::Integer((*now).into());
        }
    }
}

/// The elements of an array by their numbers: what follows the number, and the value.
pub(super) fn elements_of(given: &Given, input: &str) -> BTreeMap<u64, Vec<(String, GivenValue)>> {
    let mut found: BTreeMap<u64, Vec<(String, GivenValue)>> = BTreeMap::new();
    for (name, &value) in &given.elements {
        let rest = name.strip_prefix(input).and_then(|rest| rest.strip_prefix('['));
        let Some((index, rest)) = rest.and_then(|rest| rest.split_once(']')) else { continue };
        if let Ok(index) = index.parse() {
            found.entry(index).or_default().push((rest.to_owned(), value));
        }
    }
    found
}

/// The elements up to the first that is zero, again and again, and a zero at the end.
fn repeat(longer: &mut Given, input: &str, known: &BTreeMap<u64, Vec<(String, GivenValue)>>, length: u64) {
    let is_zero =
        |parts: &&Vec<(String, GivenValue)>| parts.iter().all(|(_, value)| *value == GivenValue::Integer(0));
    let used: Vec<_> = known.values().take_while(|parts| !is_zero(parts)).collect();
    let filler = vec![(String::new(), GivenValue::Integer(i128::from(b'a')))];
    let used = if used.is_empty() { vec![&filler] } else { used };
    for (index, parts) in (0..length - 1).zip(used.iter().cycle()) {
        for (rest, value) in parts.iter() {
            longer.elements.insert(format!("{input}[{index}]{rest}"), *value);
        }
    }
    for (rest, _) in used[0] {
        longer.elements.insert(format!("{input}[{}]{rest}", length - 1), GivenValue::Integer(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incise_exec::Need;

    #[test]
    fn texts_grow_by_what_they_consist_of_and_their_lengths_with_them() {
        let mut given = Given::default();
        add(&mut given.elements, "s", &InputValue::Text(b"ab\0\0".to_vec()));
        add(&mut given.elements, "n", &InputValue::Signed(4));
        let need = Need { made: 4, needed: 0, element: 1 };
        let needs = Needs { elements: [("s".to_owned(), need)].into(), ..Needs::default() };
        let longer = lengthened(&given, &needs, 6);
        let at = |name: &str| longer.elements.get(name).copied();
        let text = (0..6).filter_map(|index| at(&format!("s[{index}]")));
        let number = |byte: u8| GivenValue::Integer(i128::from(byte));
        assert!(text.eq([b'a', b'b', b'a', b'b', b'a', 0].map(number)));
        assert_eq!((at("n"), at("s[6]")), (Some(GivenValue::Integer(6)), None));
    }

    #[test]
    fn elements_of_many_bytes_become_fewer() {
        let mut given = Given::default();
        add(&mut given.elements, "list", &InputValue::Array(vec![InputValue::Signed(1); 2]));
        let need = Need { made: 2, needed: 3, element: MOST_BYTES / 8 };
        let needs = Needs { elements: [("list".to_owned(), need)].into(), ..Needs::default() };
        assert_eq!(lengthened(&given, &needs, 60_000).elements.len(), 8);
    }
}
