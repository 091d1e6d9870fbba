//! Pointers that are compared with or subtracted from each other: the end of what another one leads to, or perhaps the
//! same.

use crate::flow::{Flow, Origins};
use crate::locals::LocalNode;
use crate::places::{InputPlace, PlaceId, composite, pointee};
use crate::summary::{Claim, Fact};
use crate::uses::exact;
use incise_ir::{BinaryOp, CastOp, InstructionId, IntegerPredicate, Op, Operand, Type, ValueId};

/// A comparison of two pointers.
pub(crate) fn compared(flow: &mut Flow<'_>, at: InstructionId, facts: &mut Vec<Fact>) {
    use IntegerPredicate::*;
    let Op::IntegerCompare { predicate, left, right } = flow.function.instructions[at].op else { return };
    let ty = flow.program.operand_type(flow.function, left);
    if !matches!(flow.program.types.get(ty), Type::Pointer) || flow.is_null(left) || flow.is_null(right) {
        return;
    }
    let (first, second) = (flow.operand_origins(left), flow.operand_origins(right));
    match predicate {
        Equal | NotEqual => {
            if let (Some(one), Some(other)) = (first.single_exact(), second.single_exact())
                && !is_structure(flow, one)
                && !is_structure(flow, other)
                && dereferenced(one, facts) != dereferenced(other, facts)
            {
                let ends = dereferenced(one, facts);
                let (begin, last) = if ends { (&first, &second) } else { (&second, &first) };
                return end(flow, at, begin, last, facts);
            }
            for one in exact(&first) {
                for other in exact(&second) {
                    same(flow, at, one, other, facts);
                }
            }
            // The one that moves up is the begin, the one that moves down the end.
            for ((moving, operand), fixed) in [((&first, left), &second), ((&second, right), &first)] {
                let node = flow.node(operand);
                if fixed.single_exact().is_none() || moving.single_exact().is_some() {
                    continue;
                }
                match flow.induction(node) {
                    Some((_, 1..)) => end(flow, at, moving, fixed, facts),
                    Some((_, ..=-1)) => end(flow, at, fixed, moving, facts),
                    _ => {}
                }
            }
        }
        _ if !is_walk(flow, &first, &second, facts) => {}
        _ => {
            let less =
                matches!(predicate, UnsignedLess | SignedLess | UnsignedGreaterEqual | SignedGreaterEqual);
            if begins(flow, &first, &second, less, facts) {
                end(flow, at, &first, &second, facts);
            } else {
                end(flow, at, &second, &first, facts);
            }
        }
    }
}

/// Whether a comparison shows that one of two pointers is the end of the other: one of them moves, only one is
/// dereferenced, or one is called an end. Whoever only asks which of two comes first may be given any two.
fn is_walk(flow: &Flow<'_>, first: &Origins, second: &Origins, facts: &[Fact]) -> bool {
    is_moved(first)
        || is_moved(second)
        || is_used(first, facts) != is_used(second, facts)
        || is_called_end(flow, first) != is_called_end(flow, second)
}

/// Whether the first of two pointers that are compared is the begin: it is dereferenced and the other is not, it is
/// moved, or the other is called an end. `p >= end` asks the same as `p < end`.
fn begins(flow: &Flow<'_>, first: &Origins, second: &Origins, less: bool, facts: &[Fact]) -> bool {
    for (one, other) in [
        (is_used(first, facts), is_used(second, facts)),
        (is_moved(first), is_moved(second)),
        (is_called_end(flow, second), is_called_end(flow, first)),
    ] {
        if one != other {
            return one;
        }
    }
    less
}

fn is_used(origins: &Origins, facts: &[Fact]) -> bool {
    origins.list.iter().any(|origin| dereferenced(origin.place, facts))
}

fn is_moved(origins: &Origins) -> bool {
    origins.single_exact().is_none()
}

fn is_called_end(flow: &Flow<'_>, origins: &Origins) -> bool {
    let name = origins.list.first().and_then(|origin| flow.places.name(origin.place)).unwrap_or("");
    let last = name.rsplit(['>', '.', '*']).next().unwrap_or("").to_ascii_lowercase();
    ["end", "lim", "last", "stop", "tail", "top"].iter().any(|word| last.contains(word))
}

/// A subtraction of pointers.
pub(crate) fn subtracted(flow: &mut Flow<'_>, at: InstructionId, facts: &mut Vec<Fact>) {
    let Op::Binary { op: BinaryOp::Sub, left, right, .. } = flow.function.instructions[at].op else { return };
    let pointer = |operand: Operand| match flow.definition(flow.node(operand)) {
        Some(Op::Cast { op: CastOp::PointerToInteger, value }) => Some(*value),
        _ => None,
    };
    if let (Some(left), Some(right)) = (pointer(left), pointer(right)) {
        let (last, first) = (flow.operand_origins(left), flow.operand_origins(right));
        if is_walk(flow, &first, &last, facts) || is_length(flow, at) {
            end(flow, at, &first, &last, facts);
        }
    }
}

/// Whether a difference is used as a length: for more than its sign, or for being returned.
fn is_length(flow: &Flow<'_>, at: InstructionId) -> bool {
    let mut work: Vec<ValueId> = flow.function.instructions[at].result.into_iter().collect();
    let mut seen = work.clone();
    while let Some(value) = work.pop() {
        for (_, instruction) in flow.function.instructions.iter() {
            let mut uses = false;
            instruction.op.for_each_operand(|operand| uses |= flow.node(operand) == LocalNode::Value(value));
            if !uses {
                continue;
            }
            match &instruction.op {
                Op::Return(_) => {}
                Op::Store { pointer: Operand::Value(variable), .. } if flow.locals.is_followed(*variable) => {
                }
                Op::Load { .. } => {}
                Op::IntegerCompare { left, right, .. } => {
                    if [left, right].into_iter().all(|side| flow.constant(flow.node(*side)).is_none()) {
                        return true;
                    }
                }
                Op::Cast { .. } | Op::Binary { op: BinaryOp::SDiv, .. } => {
                    if let Some(result) = instruction.result.filter(|result| !seen.contains(result)) {
                        seen.push(result);
                        work.push(result);
                    }
                }
                _ => return true,
            }
        }
    }
    false
}

/// A pointer and the end of what it leads to.
fn end(flow: &mut Flow<'_>, at: InstructionId, first: &Origins, last: &Origins, facts: &mut Vec<Fact>) {
    let single = |origins: &Origins| match origins.list.as_slice() {
        [origin] => Some(origin.place),
        _ => None,
    };
    let (Some(begin), Some(end)) = (single(first), single(last)) else { return };
    if begin == end || !flow.places.is_input(begin) || !flow.places.is_input(end) {
        return;
    }
    // A variable that an argument is compared with is a mark, not the end of what the caller passes.
    if in_variable(flow, begin) != in_variable(flow, end) {
        return;
    }
    let Some(name) = flow.places.name(begin) else { return };
    let words = match flow.function.instructions[at].op {
        Op::Binary { .. } => format!("`{name}` is subtracted from it"),
        _ => format!("`{name}` is compared with it"),
    };
    facts.push(Fact { place: end, claim: Claim::EndOf { begin }, words, at: flow.position(at) });
}

/// Whether a place is in a global variable, or somewhere behind one.
fn in_variable(flow: &Flow<'_>, mut place: PlaceId) -> bool {
    loop {
        match flow.places.info(place).place {
            InputPlace::Content { of, .. } | InputPlace::Whole { of, .. } => place = of,
            InputPlace::Global(_) => return true,
            _ => return false,
        }
    }
}

/// Two pointers to structs of one type that are compared for being the same.
fn same(flow: &mut Flow<'_>, at: InstructionId, one: PlaceId, other: PlaceId, facts: &mut Vec<Fact>) {
    if one == other || !flow.places.is_input(one) || !flow.places.is_input(other) {
        return;
    }
    let target = |place| pointee(flow.program, flow.places.info(place).ty);
    let resolved = |place| target(place).and_then(|ty| flow.program.resolve_debug_type(ty));
    if resolved(one) != resolved(other) {
        return;
    }
    // The deeper one may be the other: `s->state->owner` may be `s`.
    let deeper = |place| flow.places.name(place).map_or(0, str::len);
    let (one, other) = if deeper(one) >= deeper(other) { (one, other) } else { (other, one) };
    let Some(name) = flow.places.name(other) else { return };
    facts.push(Fact {
        place: one,
        claim: Claim::MaySame { other },
        words: format!("it is compared with `{name}`"),
        at: flow.position(at),
    });
}

fn is_structure(flow: &Flow<'_>, place: PlaceId) -> bool {
    composite(flow.program, pointee(flow.program, flow.places.info(place).ty)).is_some()
}

fn dereferenced(place: PlaceId, facts: &[Fact]) -> bool {
    facts.iter().any(|fact| fact.place == place && matches!(fact.claim, Claim::Dereferenced { .. }))
}
