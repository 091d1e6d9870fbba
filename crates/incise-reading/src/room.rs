//! Pointers with a length beside them: indexed below a number, or passed with it to a function that takes both.

use crate::flow::Flow;
use crate::locals::LocalNode;
use crate::places::{InputPlace, PlaceId, Places, composite, flexible, pointee, size};
use crate::summary::{Claim, Fact};
use crate::sums::{Condition, Key, Sum};
use incise_ir::{DebugType, Encoding, InstructionId};

/// The largest number of elements that is taken to lie behind a length.
const MORE: i64 = 4096;

/// A check for so many times as many elements as are used behind it is not one of their number.
const FAR: i64 = 16;

/// Memory that is used: from somewhere up to an address.
pub(crate) struct Reach {
    /// One past the last byte, in bytes.
    pub(crate) end: Sum,
    /// The constant part of where it begins.
    pub(crate) start: i64,
    /// The pointer that it is reached through.
    pub(crate) pointer: LocalNode,
    /// How it is said: `indexed`, or `passed to memcpy`.
    pub(crate) how: How,
    pub(crate) at: InstructionId,
}

/// How memory is used.
#[derive(Clone, Debug)]
pub(crate) enum How {
    /// By an access of the function itself.
    Access,
    /// By a function that is called.
    Passed(String),
    /// Not at all: the address is only computed.
    Address,
}

/// One answer to what a pointer leads to.
struct Answer {
    place: PlaceId,
    number: Option<(PlaceId, u64)>,
    /// What the number is multiplied by.
    by: Option<PlaceId>,
    bytes: i64,
    /// Whether the number stands in the address itself, and no condition is about it.
    direct: bool,
    /// The number of elements, where a type says it.
    known: Option<u64>,
}

/// What limits a use of memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Limit {
    /// Nothing that was seen.
    None,
    /// A constant.
    Constant,
    /// A number or an end that is an input.
    Input,
}

/// Finds what a use of memory says of the pointer, and whether something limits it.
pub(crate) fn reach(flow: &mut Flow<'_>, reach: &Reach, facts: &mut Vec<Fact>) -> Limit {
    let block = flow.block(reach.at);
    let conditions = flow.conditions(block);
    let ends = flow.at_most(&reach.end, &conditions);
    let mut answers = Vec::new();
    let mut limit = Limit::None;
    for end in &ends {
        if let Some(begin) = end_of(flow, end, reach) {
            limit = Limit::Input;
            facts.push(begin);
            continue;
        }
        if let Some(answer) = answer(flow, end, reach) {
            answers.push(answer);
        }
    }
    if matches!(reach.end.terms.as_slice(), [(Key::InputPlace(_), _)])
        && let Some(answer) = answers.pop()
    {
        if answer.known.is_none() {
            constant(flow, &answer, &conditions, reach, facts);
        }
        return Limit::Constant;
    }
    if !answers.is_empty() {
        limit = limit.max_of(if answers.iter().any(|answer| answer.number.is_some()) {
            Limit::Input
        } else {
            Limit::Constant
        });
    }
    if let [
        Answer { place, number: Some((number, unit)), by: None, bytes, direct: true, known: Some(count) },
    ] = answers.as_slice()
    {
        facts.extend(index(flow, *place, (*number, *unit), *bytes, *count, reach));
    }
    answers.retain(|answer| answer.known.is_none());
    let best = answers.iter().min_by_key(|answer| distance(flow, answer));
    if let Some(answer) = best
        && let Some(fact) = fact(flow, answer, reach)
    {
        facts.extend(multiple(flow, answer, &fact));
        facts.push(fact);
    }
    limit
}

impl Limit {
    fn max_of(self, other: Self) -> Self {
        if self == Self::Input || other == Self::Input { Self::Input } else { other }
    }
}

/// A bound that is another pointer: the end of what the first leads to.
fn end_of(flow: &mut Flow<'_>, end: &Sum, reach: &Reach) -> Option<Fact> {
    let Some(Key::InputPlace(place)) = end.single() else { return None };
    if !flow.is_pointer(Key::InputPlace(place)) || !flow.places.is_input(place) {
        return None;
    }
    let origins = flow.origins(reach.pointer);
    if origins.list.iter().any(|origin| origin.place == place) {
        return None;
    }
    let begin = origins.list.iter().map(|origin| origin.place).find(|&begin| flow.places.is_input(begin))?;
    let name = flow.places.name(begin)?;
    Some(Fact {
        place,
        claim: Claim::EndOf { begin },
        words: format!("`{name}` is dereferenced below it"),
        at: flow.position(reach.at),
    })
}

fn answer(flow: &mut Flow<'_>, end: &Sum, reach: &Reach) -> Option<Answer> {
    let mut pointers = end.terms.iter().filter(|term| flow.is_pointer(term.0));
    let (Some(&(Key::InputPlace(base), 1)), None) = (pointers.next(), pointers.next()) else { return None };
    let rest = end.plus(&Sum::key(Key::InputPlace(base)), -1);
    let (number, by) = match rest.terms.as_slice() {
        [] => (None, None),
        [(Key::InputPlace(number), unit)] if *unit > 0 => (Some((*number, *unit as u64)), None),
        [(Key::Product(number, by), unit)] if *unit > 0 => (Some((*number, *unit as u64)), Some(*by)),
        _ => return None,
    };
    let direct = number
        .is_some_and(|(number, _)| reach.end.terms.iter().any(|term| term.0 == Key::InputPlace(number)));
    let (place, start, known) = based(flow, base, reach, number)?;
    let numbers = number.map(|(number, _)| number).into_iter().chain(by);
    if numbers.into_iter().any(|number| !beside(flow, number, place)) {
        return None;
    }
    Some(Answer { place, number, by, bytes: rest.add - start, direct, known })
}

/// The pointer that the memory belongs to: the one itself, or an array in what it leads to. The last is its length, if
/// that is known.
fn based(
    flow: &mut Flow<'_>,
    base: PlaceId,
    reach: &Reach,
    number: Option<(PlaceId, u64)>,
) -> Option<(PlaceId, i64, Option<u64>)> {
    let info = flow.places.info(base);
    let direct = matches!(info.place, InputPlace::Global(_) | InputPlace::Struct(_));
    let target = pointee(flow.program, info.ty);
    let whole = size(flow.program, target);
    let inside = match number {
        Some((_, unit)) => whole > 0 && unit % whole != 0,
        None => false,
    };
    let behind = flexible(flow.program, target).is_some_and(|start| reach.start >= start);
    if direct || behind || (inside && composite(flow.program, target).is_some()) {
        let (place, start, count) = flow.places.array_at(flow.program, base, reach.start)?;
        return flow.places.is_input(place).then_some((place, start, count));
    }
    flow.places.is_input(base).then_some((base, 0, None))
}

/// A number that is a member of one of many elements says something only of its neighbours.
fn beside(flow: &Flow<'_>, number: PlaceId, pointer: PlaceId) -> bool {
    match flow.places.info(number).place {
        InputPlace::Content { of, element: true, .. } => match flow.places.info(pointer).place {
            InputPlace::Content { of: owner, element: true, .. } => of == owner,
            _ => false,
        },
        _ => true,
    }
}

/// How far a number is from the pointer that it may be the length of: members of one struct are nearest, then
/// parameters that follow.
fn distance(flow: &Flow<'_>, answer: &Answer) -> u32 {
    let Some((number, _)) = answer.number else { return 1000 };
    apart(flow, answer.place, number) + if answer.direct { 1 } else { 0 }
}

pub(crate) fn apart(flow: &Flow<'_>, pointer: PlaceId, number: PlaceId) -> u32 {
    apart_in(&flow.places, pointer, number)
}

/// As [`apart`], where the function is gone.
pub(crate) fn apart_in(places: &Places, pointer: PlaceId, number: PlaceId) -> u32 {
    let (pointer, number) = (places.info(pointer).place, places.info(number).place);
    match (pointer, number) {
        (InputPlace::Content { of: first, .. }, InputPlace::Content { of: second, .. })
            if first == second =>
        {
            0
        }
        (InputPlace::Parameter(first), InputPlace::Parameter(second)) if second > first => {
            (second - first) * 4
        }
        (InputPlace::Parameter(first), InputPlace::Parameter(second)) => 40 + (first - second) * 4,
        (InputPlace::Content { .. }, InputPlace::Parameter(_)) => 100,
        (InputPlace::Content { .. }, _) => 200,
        _ => 300,
    }
}

fn fact(flow: &Flow<'_>, answer: &Answer, reach: &Reach) -> Option<Fact> {
    let at = flow.position(reach.at);
    let place = answer.place;
    let Some((number, unit)) = answer.number else {
        let bytes = u64::try_from(answer.bytes).ok().filter(|&bytes| bytes > 0)?;
        let words = match &reach.how {
            How::Access => "it is indexed up to a constant".to_owned(),
            How::Passed(callee) => format!("it is passed to {callee}"),
            How::Address => return None,
        };
        return Some(Fact { place, claim: Claim::Bytes(bytes), words, at });
    };
    let unit_signed = i64::try_from(unit).ok()?;
    let more = -(-answer.bytes).div_euclid(unit_signed);
    if more.abs() > MORE {
        return None;
    }
    if let Some(by) = answer.by {
        let names = [flow.places.name(number)?, flow.places.name(by)?].join(" * ");
        let words = match &reach.how {
            How::Access => format!("it is indexed below `{names}`"),
            How::Passed(callee) => format!("it is passed to {callee} with `{names}`"),
            How::Address => format!("`{names}` is added to it"),
        };
        return Some(Fact { place, claim: Claim::Product { numbers: [number, by], unit, more }, words, at });
    }
    let name = flow.places.name(number)?;
    let words = match &reach.how {
        How::Access if answer.direct && more > 0 => format!("it is indexed by `{name}`"),
        How::Access => format!("it is indexed below `{name}`"),
        How::Passed(callee) => format!("it is passed to {callee} with `{name}`"),
        How::Address => format!("`{name}` is added to it"),
    };
    Some(Fact { place, claim: Claim::Room { number, unit, more }, words, at })
}

/// What the same use says where several elements belong to each of a number: `out[2 * i + 1]`.
fn multiple(flow: &Flow<'_>, answer: &Answer, fact: &Fact) -> Option<Fact> {
    let (number, unit) = answer.number.filter(|_| answer.by.is_none())?;
    let element = size(flow.program, pointee(flow.program, flow.places.info(answer.place).ty));
    if element == 0 || unit <= element || unit % element != 0 {
        return None;
    }
    let claim = Claim::Multiple { number, unit, bytes: answer.bytes };
    Some(Fact { place: answer.place, claim, words: fact.words.clone(), at: fact.at.clone() })
}

/// An input that indexes an array of known length, unchecked.
fn index(
    flow: &Flow<'_>,
    array: PlaceId,
    (number, unit): (PlaceId, u64),
    bytes: i64,
    count: u64,
    reach: &Reach,
) -> Option<Fact> {
    let element = size(flow.program, pointee(flow.program, flow.places.info(array).ty));
    if element == 0 || unit != element || !matches!(reach.how, How::Access) {
        return None;
    }
    let more = i128::from(-(-bytes).div_euclid(unit as i64)) - 1;
    let name = flow.places.name(array)?;
    Some(Fact {
        place: number,
        claim: Claim::Range { low: (-more).max(0), high: i128::from(count) - 1 - more },
        words: format!("it indexes `{name}`, which has {count} elements"),
        at: flow.position(reach.at),
    })
}

/// An access at a constant index, behind a check that a number is large enough.
fn constant(
    flow: &mut Flow<'_>,
    answer: &Answer,
    conditions: &[Condition],
    reach: &Reach,
    facts: &mut Vec<Fact>,
) {
    let Ok(bytes) = u64::try_from(answer.bytes) else { return };
    let target = pointee(flow.program, flow.places.info(answer.place).ty);
    let unit = size(flow.program, target).max(1);
    let elements = bytes.div_ceil(unit) as i64;
    let structure = composite(flow.program, target).is_some();
    let mut best: Option<(u32, PlaceId)> = None;
    for (number, least) in flow.least_numbers(conditions) {
        if least < elements || (structure && elements < 2) || !beside(flow, number, answer.place) {
            continue;
        }
        let apart = apart(flow, answer.place, number);
        // One element is what many pointers lead to, so the number must stand beside it.
        let fits = is_length(flow, number) && (elements >= 2 || apart <= 4) || (apart == 4 && elements >= 2);
        let enough = elements >= 2 || least == 1;
        // A number that is far larger than what is used behind the check is none of elements, unless it is called so.
        let near = least <= FAR * elements.max(4) || is_named_length(flow, number);
        if fits && enough && near && best.is_none_or(|(known, _)| apart < known) {
            best = Some((apart, number));
        }
    }
    if let Some((_, number)) = best
        && let Some(name) = flow.places.name(number)
    {
        facts.push(Fact {
            place: answer.place,
            claim: Claim::Room { number, unit, more: 0 },
            words: format!("it is used where `{name}` is large enough"),
            at: flow.position(reach.at),
        });
    } else if bytes > unit || matches!(reach.how, How::Passed(_)) {
        let words = match &reach.how {
            How::Passed(callee) => format!("it is passed to {callee}"),
            _ => format!("element {} of it is used", elements - 1),
        };
        facts.push(Fact {
            place: answer.place,
            claim: Claim::Bytes(bytes),
            words,
            at: flow.position(reach.at),
        });
    }
}

/// Whether a number looks like a length: by its type or its name.
pub(crate) fn is_length(flow: &Flow<'_>, number: PlaceId) -> bool {
    let unsigned = matches!(
        flow.debug_type(number),
        Some(DebugType::Basic { encoding: Encoding::Unsigned, bits: 32.., .. })
    );
    unsigned || is_named_length(flow, number)
}

/// Whether a pointer leads to bytes, or to nothing that is known.
pub(crate) fn is_bytes(flow: &Flow<'_>, pointer: PlaceId) -> bool {
    flow.places.is_input(pointer)
        && size(flow.program, pointee(flow.program, flow.places.info(pointer).ty)) <= 1
}

/// Whether a number is called as lengths are.
pub(crate) fn is_named_length(flow: &Flow<'_>, number: PlaceId) -> bool {
    let name = flow.places.name(number).unwrap_or("").to_ascii_lowercase();
    let last = name.rsplit(['>', '.', '*']).next().unwrap_or("");
    let words =
        ["len", "size", "count", "cnt", "num", "room", "cap", "bytes", "total", "avail", "left", "rem"];
    matches!(last, "n" | "nb" | "sz" | "used") || words.iter().any(|word| last.contains(word))
}
