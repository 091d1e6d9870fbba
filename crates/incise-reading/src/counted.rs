//! A buffer and a length beside it, where the two are not related step by step: a pointer that is walked in blocks,
//! with the number behind it counted down in another loop.
//!
//! This is the weakest of the evidence for a length, so it is looked for only where there is no other, and only for a
//! parameter that directly follows the pointer and looks like a length.

use crate::flow::Flow;
use crate::places::{InputPlace, PlaceId, composite, pointee, size};
use crate::room::is_length;
use crate::summary::{Claim, Fact};
use incise_ir::{InstructionId, Op, Operand};

/// Pointers that are walked without a limit that was seen, beside a length that is looked at.
pub(crate) fn counted(flow: &mut Flow<'_>, unlimited: &[InstructionId], facts: &mut Vec<Fact>) {
    for &at in unlimited {
        let pointer = match flow.function.instructions[at].op {
            Op::Load { pointer, .. } | Op::Store { pointer, .. } => pointer,
            _ => continue,
        };
        let origins = flow.operand_origins(pointer);
        let [origin] = origins.list.as_slice() else { continue };
        let place = origin.place;
        if origin.stride == 0 || is_explained(place, facts) {
            continue;
        }
        let Some(number) = length_behind(flow, place) else { continue };
        let target = pointee(flow.program, flow.places.info(place).ty);
        let unit = size(flow.program, target);
        if unit == 0 || composite(flow.program, target).is_some() || !is_compared(flow, number) {
            continue;
        }
        let Some(name) = flow.places.name(number) else { continue };
        facts.push(Fact {
            place,
            claim: Claim::Room { number, unit, more: 0 },
            words: format!("it is walked, and `{name}` behind it is looked at"),
            at: flow.position(at),
        });
    }
}

/// Whether something else says how far a pointer is walked.
fn is_explained(place: PlaceId, facts: &[Fact]) -> bool {
    facts.iter().any(|fact| match fact.claim {
        Claim::Text | Claim::Room { .. } => fact.place == place,
        Claim::EndOf { begin } => begin == place || fact.place == place,
        _ => false,
    })
}

/// The parameter behind a pointer, if it looks like a length.
fn length_behind(flow: &mut Flow<'_>, place: PlaceId) -> Option<PlaceId> {
    let InputPlace::Parameter(index) = flow.places.info(place).place else { return None };
    if index as usize + 1 >= flow.function.parameters.len() {
        return None;
    }
    let number = flow.places.parameter(flow.function, index + 1);
    (is_length(flow, number) && !flow.is_pointer(crate::sums::Key::InputPlace(number))).then_some(number)
}

/// Whether a comparison looks at a number, as it is or counted.
fn is_compared(flow: &mut Flow<'_>, number: PlaceId) -> bool {
    flow.instructions().into_iter().any(|at| {
        let Op::IntegerCompare { left, right, .. } = flow.function.instructions[at].op else { return false };
        [left, right].into_iter().any(|side: Operand| {
            let node = flow.stripped(flow.node(side));
            flow.origins(node).list.iter().any(|origin| origin.place == number)
        })
    })
}
