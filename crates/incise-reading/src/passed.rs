//! What a called function of the program shows about its parameters, said about what is passed.

use crate::flow::Flow;
use crate::places::{InputPlace, Places};
use crate::room::{How, Reach, reach};
use crate::summary::{Claim, Fact, Summary, translate};
use crate::sums::{Key, Sum};
use crate::uses::exact;
use incise_ir::{Call, InstructionId};

/// A call of a function of which facts are known.
pub(crate) struct KnownCall<'a> {
    pub(crate) at: InstructionId,
    pub(crate) call: &'a Call,
    pub(crate) callee: &'a str,
    pub(crate) summary: &'a Summary,
}

/// The facts of a called function about its parameters and what they lead to.
pub(crate) fn passed(flow: &mut Flow<'_>, known: &KnownCall<'_>, facts: &mut Vec<Fact>) {
    let KnownCall { at, call, callee, summary } = *known;
    let always = flow.always(flow.block(at));
    for fact in &summary.facts {
        let origins = translate(flow, &summary.places, call, fact.place);
        let words = match summary.places.info(fact.place).place {
            InputPlace::Parameter(_) => format!("it is passed to {callee}, where {}", fact.words),
            _ => format!("in {callee} {}", fact.words),
        };
        let mut push = |place, claim| {
            facts.push(Fact { place, claim, words: words.clone(), at: flow.position(at) });
        };
        match &fact.claim {
            Claim::Text => {
                let at = flow.position(at);
                let places =
                    origins.list.into_iter().filter_map(|origin| crate::text::string_place(flow, origin));
                let fact = |place| Fact { place, claim: Claim::Text, words: words.clone(), at: at.clone() };
                facts.extend(places.map(fact));
            }
            Claim::Beginning => {
                for origin in origins.list {
                    push(origin.place, Claim::Beginning);
                }
            }
            Claim::Dereferenced { always: inside } => {
                let alone = origins.list.len() == 1 && !origins.elsewhere;
                for origin in origins.list {
                    push(origin.place, Claim::Dereferenced { always: always && *inside && alone });
                }
            }
            Claim::Asserted { always: inside } => {
                let alone = origins.single_exact().is_some();
                for place in exact(&origins) {
                    push(place, Claim::Asserted { always: always && *inside && alone });
                }
            }
            Claim::Checked
            | Claim::Allocated
            | Claim::Stream { .. }
            | Claim::Called
            | Claim::Enumerator
            | Claim::Named
            | Claim::OtherNumbers
            | Claim::Range { .. } => {
                for place in exact(&origins) {
                    push(place, fact.claim.clone());
                }
            }
            // That was found out while the places were.
            Claim::MemberOf(_) => {}
            Claim::Room { number, unit, more } => {
                let Some(number) = number_of(flow, &summary.places, call, *number) else { continue };
                let mut length = Sum::default().plus(&number, *unit as i64);
                length.add = length.add.wrapping_add(more.wrapping_mul(*unit as i64));
                room(flow, known, fact, &length, facts);
            }
            Claim::Product { numbers, unit, more } => {
                let [one, other] = numbers.map(|number| number_of(flow, &summary.places, call, number));
                let Some(product) = one.zip(other).and_then(|(one, other)| one.times(&other)) else {
                    continue;
                };
                let mut length = Sum::default().plus(&product, *unit as i64);
                length.add = length.add.wrapping_add(more.wrapping_mul(*unit as i64));
                room(flow, known, fact, &length, facts);
            }
            Claim::Bytes(bytes) => {
                room(flow, known, fact, &Sum::number(*bytes as i64), facts);
            }
            Claim::EndOf { begin } | Claim::MaySame { other: begin } => {
                let others = translate(flow, &summary.places, call, *begin);
                let (Some(one), [other]) = (origins.single_exact(), others.list.as_slice()) else { continue };
                if one == other.place || !flow.places.is_input(one) {
                    continue;
                }
                let claim = match fact.claim {
                    Claim::EndOf { .. } => Claim::EndOf { begin: other.place },
                    _ if other.is_exact() => Claim::MaySame { other: other.place },
                    _ => continue,
                };
                facts.push(Fact { place: one, claim, words, at: flow.position(at) });
            }
            Claim::AtMost { number } | Claim::Below { number } | Claim::Multiple { number, .. } => {
                let numbers = translate(flow, &summary.places, call, *number);
                let (Some(one), Some(other)) = (origins.single_exact(), numbers.single_exact()) else {
                    continue;
                };
                let claim = match fact.claim {
                    Claim::AtMost { .. } => Claim::AtMost { number: other },
                    Claim::Multiple { unit, bytes, .. } => Claim::Multiple { number: other, unit, bytes },
                    _ => Claim::Below { number: other },
                };
                facts.push(Fact { place: one, claim, words, at: flow.position(at) });
            }
        }
    }
}

/// A number of a called function in terms of the caller.
fn number_of(
    flow: &mut Flow<'_>,
    places: &Places,
    call: &Call,
    number: crate::places::PlaceId,
) -> Option<Sum> {
    if let InputPlace::Parameter(index) = places.info(number).place {
        let argument = *call.arguments.get(index as usize)?;
        return Some(flow.operand_sum(argument));
    }
    let place = translate(flow, places, call, number).single_exact()?;
    Some(Sum::key(Key::InputPlace(place)))
}

/// So much room is there as the called function says of what it is passed.
fn room(flow: &mut Flow<'_>, known: &KnownCall<'_>, fact: &Fact, length: &Sum, facts: &mut Vec<Fact>) {
    let KnownCall { at, call, callee, summary } = *known;
    let how = How::Passed(callee.to_owned());
    if let InputPlace::Parameter(index) = summary.places.info(fact.place).place {
        let Some(&pointer) = call.arguments.get(index as usize) else { return };
        let node = flow.node(pointer);
        let address = flow.sum(node);
        let used = Reach { end: address.plus(length, 1), start: address.add, pointer: node, how, at };
        reach(flow, &used, facts);
        return;
    }
    let Some(place) = translate(flow, &summary.places, call, fact.place).single_exact() else { return };
    let [(Key::InputPlace(number), unit)] = length.terms.as_slice() else { return };
    if flow.places.is_input(place) && flow.places.is_input(*number) && *unit > 0 {
        facts.push(Fact {
            place,
            claim: Claim::Room { number: *number, unit: *unit as u64, more: length.add.div_euclid(*unit) },
            words: format!("in {callee} {}", fact.words),
            at: flow.position(at),
        });
    }
}
