//! Members that limit each other: a length and its capacity, an index and the size that it wraps at.
//!
//! Both are members of one struct (or variables of one program): what a parameter is compared with says what is
//! checked, not what holds. A member that is an index of an array, and that is compared with another one, is meant to
//! be at most the other, and so is one that is subtracted from it; one that wraps around at the other, or becomes zero
//! there, is below it.

use crate::flow::Flow;
use crate::places::{InputPlace, PlaceId, Wanted};
use crate::summary::{Claim, Fact};
use crate::sums::Key;
use incise_ir::{BinaryOp, InstructionId, Op, Operand};

/// How two members have to do with each other.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Relation {
    Compared,
    /// The first is what is subtracted.
    Subtracted,
    /// The first begins again at the second.
    Wraps,
}

/// Finds members that limit others, and gives arrays that the one indexes the room that the other says.
pub(crate) fn limits(flow: &mut Flow<'_>, facts: &mut Vec<Fact>) {
    let mut found: Vec<(PlaceId, PlaceId, Relation, InstructionId)> = Vec::new();
    for at in flow.instructions() {
        let limit = match flow.function.instructions[at].op {
            Op::IntegerCompare { left, right, .. } => compared(flow, at, left, right),
            Op::Store { value, pointer, .. } => wrapped(flow, value, pointer),
            Op::Binary { op: BinaryOp::Sub, left, right, .. } => subtracted(flow, left, right),
            _ => None,
        };
        if let Some((one, other, relation)) = limit
            && !found.iter().any(|known| (known.0, known.1, known.2) == (one, other, relation))
        {
            found.push((one, other, relation, at));
        }
    }
    // First those that index something, so that what they are compared with is known to be a size.
    for &(one, other, _, at) in &found {
        for (index, size) in [(one, other), (other, one)] {
            rooms(flow, index, size, at, facts);
        }
    }
    for &(one, other, relation, at) in &found {
        for (number, size) in [(one, other), (other, one)] {
            // What something is subtracted from is not limited by it.
            if relation == Relation::Subtracted && number != one {
                continue;
            }
            let sized = |number| {
                facts.iter().any(|fact| matches!(fact.claim, Claim::Room { number: of, .. } if of == number))
            };
            if !sized(size) || (sized(number) && !is_index(facts, number)) {
                continue;
            }
            let Some(name) = flow.places.name(size) else { continue };
            let (claim, words) = match relation {
                Relation::Wraps if number == one => {
                    (Claim::Below { number: size }, format!("it wraps around at `{name}`"))
                }
                Relation::Subtracted => {
                    (Claim::AtMost { number: size }, format!("it is subtracted from `{name}`"))
                }
                _ => (Claim::AtMost { number: size }, format!("it is compared with `{name}`")),
            };
            let known = facts.iter().any(|fact| {
                fact.place == number
                    && matches!(fact.claim, Claim::Below { number } | Claim::AtMost { number } if number == size)
            });
            if !known {
                facts.push(Fact { place: number, claim, words, at: flow.position(at) });
            }
        }
    }
    settle(facts);
}

/// Whether a number is known as an index: an array is indexed by it, which needs one more element. That others stay
/// below it, as the elements that are in use are counted by it, does not make it the size of the array.
fn is_index(facts: &[Fact], number: PlaceId) -> bool {
    facts
        .iter()
        .any(|fact| matches!(fact.claim, Claim::Room { number: of, more, .. } if of == number && more > 0))
}

/// Gives the arrays that `index` indexes the room that `size` says.
fn rooms(flow: &Flow<'_>, index: PlaceId, size: PlaceId, at: InstructionId, facts: &mut Vec<Fact>) {
    if !is_index(facts, index) {
        return;
    }
    let Some(name) = flow.places.name(size) else { return };
    let mut more = Vec::new();
    for fact in facts.iter() {
        if let Claim::Room { number, unit, .. } = fact.claim
            && number == index
            && siblings(flow, fact.place, size)
        {
            more.push(Fact {
                place: fact.place,
                claim: Claim::Room { number: size, unit, more: 0 },
                words: match flow.places.name(index) {
                    Some(index) => format!("it is indexed by `{index}`, which `{name}` limits"),
                    None => format!("`{name}` limits its index"),
                },
                at: flow.position(at),
            });
        }
    }
    facts.append(&mut more);
}

/// What an index says of an array gives way to what its limit says.
fn settle(facts: &mut Vec<Fact>) {
    let limited: Vec<(PlaceId, PlaceId)> = facts
        .iter()
        .filter_map(|fact| match fact.claim {
            Claim::Below { number } | Claim::AtMost { number } => Some((fact.place, number)),
            _ => None,
        })
        .collect();
    let rooms: Vec<(PlaceId, PlaceId)> = facts
        .iter()
        .filter_map(|fact| match fact.claim {
            Claim::Room { number, .. } => Some((fact.place, number)),
            _ => None,
        })
        .collect();
    facts.retain(|fact| match fact.claim {
        Claim::Room { number, .. } => {
            !limited.iter().any(|&(index, size)| index == number && rooms.contains(&(fact.place, size)))
        }
        _ => true,
    });
}

/// A comparison of two members, of which one may be about to wrap around: `++head == size`.
fn compared(
    flow: &mut Flow<'_>,
    at: InstructionId,
    left: Operand,
    right: Operand,
) -> Option<(PlaceId, PlaceId, Relation)> {
    let (left, right) = (flow.operand_sum(left), flow.operand_sum(right));
    let (Some(Key::InputPlace(one)), Some(Key::InputPlace(other))) = (left.single(), right.single()) else {
        return None;
    };
    if one == other || !siblings(flow, one, other) {
        return None;
    }
    let (one, other, apart) = match left.add.wrapping_sub(right.add) {
        apart @ 0.. => (one, other, apart),
        apart => (other, one, -apart),
    };
    let wraps = apart == 1 && is_reset(flow, at, one);
    Some((one, other, if wraps { Relation::Wraps } else { Relation::Compared }))
}

/// A member that is subtracted from another one: how much is left.
fn subtracted(flow: &mut Flow<'_>, left: Operand, right: Operand) -> Option<(PlaceId, PlaceId, Relation)> {
    let (left, right) = (flow.operand_sum(left), flow.operand_sum(right));
    let (Some(Key::InputPlace(size)), Some(Key::InputPlace(number))) = (left.single(), right.single()) else {
        return None;
    };
    let plain = number != size && siblings(flow, number, size) && left.add == 0 && right.add == 0;
    plain.then_some((number, size, Relation::Subtracted))
}

/// Whether a branch on a comparison leads to where a member becomes zero.
fn is_reset(flow: &mut Flow<'_>, at: InstructionId, member: PlaceId) -> bool {
    let block = flow.block(at);
    let targets = flow.cfg.successors(block).to_vec();
    targets.into_iter().any(|target| {
        flow.function.block_instructions(target).any(|at| match flow.function.instructions[at].op {
            Op::Store { value, pointer, .. } => {
                flow.constant(flow.node(value)) == Some(0) && stored_to(flow, pointer) == Some(member)
            }
            _ => false,
        })
    })
}

/// A member that gets what is left of a division by another one.
fn wrapped(flow: &mut Flow<'_>, value: Operand, pointer: Operand) -> Option<(PlaceId, PlaceId, Relation)> {
    let node = flow.stripped(flow.node(value));
    let (BinaryOp::URem | BinaryOp::SRem, _, right) = flow.binary(node)? else { return None };
    let Some(Key::InputPlace(size)) = flow.sum(right).single() else { return None };
    let member = stored_to(flow, pointer)?;
    (member != size && siblings(flow, member, size)).then_some((member, size, Relation::Wraps))
}

/// The place that a store writes.
fn stored_to(flow: &mut Flow<'_>, pointer: Operand) -> Option<PlaceId> {
    if matches!(pointer, Operand::Value(value) if flow.locals.is_followed(value)) {
        return None;
    }
    let pointers = flow.operand_origins(pointer);
    flow.loaded(&pointers, Wanted::Scalar).single_exact()
}

/// Whether two places are members of one struct, or both variables.
fn siblings(flow: &Flow<'_>, one: PlaceId, other: PlaceId) -> bool {
    match (flow.places.info(one).place, flow.places.info(other).place) {
        (InputPlace::Content { of: first, .. }, InputPlace::Content { of: second, .. }) => {
            let variable = |of| matches!(flow.places.info(of).place, InputPlace::Global(_));
            first == second || (variable(first) && variable(second))
        }
        _ => false,
    }
}
