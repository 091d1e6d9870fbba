//! Strings: passed to functions that take strings, or walked until an element ends the walk.

use crate::flow::{Flow, Origin};
use crate::library;
use crate::locals::LocalNode;
use crate::null;
use crate::places::{PlaceId, pointee};
use crate::summary::{Claim, Fact};
use incise_ir::{BlockId, Callee, DebugType, Encoding, Id, InstructionId, Op, Operand};
use std::collections::BTreeSet;

/// A pointer that is passed as a string.
pub(crate) fn passed(
    flow: &mut Flow<'_>,
    at: InstructionId,
    pointer: Operand,
    callee: &str,
    facts: &mut Vec<Fact>,
) {
    null::dereferenced(flow, at, pointer, facts);
    for origin in flow.operand_origins(pointer).list {
        let Some(place) = string_place(flow, origin) else { continue };
        facts.push(Fact {
            place,
            claim: Claim::Text,
            words: format!("it is passed to {callee}"),
            at: flow.position(at),
        });
    }
}

/// A pointer of which the beginning is used as that of a string. An array in a struct has a size, up to which it need
/// not end.
pub(crate) fn begins(
    flow: &mut Flow<'_>,
    at: InstructionId,
    pointer: Operand,
    callee: &str,
    facts: &mut Vec<Fact>,
) {
    null::dereferenced(flow, at, pointer, facts);
    for origin in flow.operand_origins(pointer).list {
        if is_elements(flow, origin.place) && is_characters(flow, origin.place) {
            facts.push(Fact {
                place: origin.place,
                claim: Claim::Beginning,
                words: format!("it is passed to {callee}, and nothing tells its length"),
                at: flow.position(at),
            });
        }
    }
}

/// The pointer that a string belongs to: itself, or an array in what it leads to.
pub(crate) fn string_place(flow: &mut Flow<'_>, origin: Origin) -> Option<PlaceId> {
    if is_elements(flow, origin.place) {
        return Some(origin.place);
    }
    let (place, _, _) = flow.places.array_at(flow.program, origin.place, origin.offset)?;
    flow.places.is_input(place).then_some(place)
}

/// Whether a pointer leads to numbers, or to nothing that is known.
fn is_elements(flow: &Flow<'_>, place: PlaceId) -> bool {
    if !flow.places.is_input(place) {
        return false;
    }
    match flow.debug_type(place) {
        Some(DebugType::Pointer(target)) => {
            let resolved = target.and_then(|target| flow.program.resolve_debug_type(target));
            resolved.is_none_or(|id| {
                matches!(
                    flow.program.debug_types[id],
                    DebugType::Basic { .. } | DebugType::Enumeration { .. }
                )
            })
        }
        _ => false,
    }
}

/// Whether a pointer leads to `char`, which strings are made of.
fn is_characters(flow: &Flow<'_>, place: PlaceId) -> bool {
    let target = pointee(flow.program, flow.places.info(place).ty);
    let resolved = target.and_then(|target| flow.program.resolve_debug_type(target));
    resolved.is_some_and(|id| {
        matches!(&flow.program.debug_types[id], DebugType::Basic { name, encoding, .. }
            if *encoding == Encoding::SignedChar && name == "char")
    })
}

/// Pointers whose elements decide how far they are walked, where no number does. `unlimited` are the accesses that
/// nothing but a constant limits.
pub(crate) fn walked(flow: &mut Flow<'_>, unlimited: &[InstructionId], facts: &mut Vec<Fact>) {
    let accesses: BTreeSet<InstructionId> = unlimited.iter().copied().collect();
    for body in loops(flow) {
        for &block in &body {
            let leaves = flow.cfg.successors(block).iter().any(|successor| !body.contains(successor));
            if leaves {
                exit(flow, block, &body, &accesses, facts);
            }
        }
    }
    for &at in unlimited {
        compared_with_zero(flow, at, facts);
    }
}

/// The natural loops: for each block that is jumped back to, the blocks of its loop.
fn loops(flow: &Flow<'_>) -> Vec<BTreeSet<BlockId>> {
    let mut found: Vec<(BlockId, BTreeSet<BlockId>)> = Vec::new();
    for &block in flow.cfg.reverse_postorder() {
        for &head in flow.cfg.successors(block) {
            if !flow.dominators.dominates(head, block) {
                continue;
            }
            let mut body = BTreeSet::from([head]);
            let mut work = vec![block];
            while let Some(at) = work.pop() {
                if body.insert(at) {
                    work.extend(flow.cfg.predecessors(at).iter().filter(|&&it| flow.cfg.is_reachable(it)));
                }
            }
            match found.iter_mut().find(|known| known.0 == head) {
                Some(known) => known.1.extend(body),
                None => found.push((head, body)),
            }
        }
    }
    found.into_iter().map(|known| known.1).collect()
}

/// A block from which a loop is left: what its branch looks at.
fn exit(
    flow: &mut Flow<'_>,
    block: BlockId,
    body: &BTreeSet<BlockId>,
    accesses: &BTreeSet<InstructionId>,
    facts: &mut Vec<Fact>,
) {
    let terminator = flow.function.terminator(block);
    let decides = match &flow.function.instructions[terminator].op {
        Op::ConditionalBranch { condition, .. } => *condition,
        Op::Switch { value, .. } => *value,
        _ => return,
    };
    let mut looked = Looked::default();
    look(flow, flow.node(decides), &mut looked, 0);
    for (load, zero) in looked.loads {
        let Some(pointer) = load_pointer(flow, load) else { continue };
        if !accesses.contains(&load) || !body.contains(&flow.block(load)) || !moves(flow, pointer, body) {
            continue;
        }
        for origin in flow.operand_origins(pointer).list {
            let Some(place) = string_place(flow, origin) else { continue };
            if zero || is_characters(flow, place) {
                facts.push(Fact {
                    place,
                    claim: Claim::Text,
                    words: match zero {
                        true => "it is walked until an element is zero".to_owned(),
                        false => "it is walked until a character ends the walk".to_owned(),
                    },
                    at: flow.position(load),
                });
            }
        }
    }
}

fn load_pointer(flow: &Flow<'_>, load: InstructionId) -> Option<Operand> {
    match flow.function.instructions[load].op {
        Op::Load { pointer, .. } => Some(pointer),
        _ => None,
    }
}

/// Whether an address changes in a loop: it is made of a variable of the loop.
fn moves(flow: &mut Flow<'_>, pointer: Operand, body: &BTreeSet<BlockId>) -> bool {
    let sum = flow.operand_sum(pointer);
    sum.terms.iter().any(|(key, _)| match key {
        crate::sums::Key::LocalNode(node) => {
            flow.defining_block(*node).is_some_and(|block| body.contains(&block))
        }
        crate::sums::Key::InputPlace(_) | crate::sums::Key::Product(..) => false,
    })
}

/// The loads that a condition looks at, and whether what was loaded is compared with zero.
#[derive(Default)]
struct Looked {
    loads: Vec<(InstructionId, bool)>,
}

fn look(flow: &Flow<'_>, node: LocalNode, looked: &mut Looked, depth: u32) {
    if depth > 8 {
        return;
    }
    let node = flow.stripped(node);
    let Some(op) = flow.definition(node) else { return };
    match op {
        Op::Load { .. } => {
            if let Some(at) = flow.definition_at(node) {
                looked.loads.push((at, false));
            }
        }
        Op::IntegerCompare { left, right, .. } => {
            let before = looked.loads.len();
            look(flow, flow.node(*left), looked, depth + 1);
            look(flow, flow.node(*right), looked, depth + 1);
            let zero = [left, right].into_iter().any(|side| flow.constant(flow.node(*side)) == Some(0));
            for load in &mut looked.loads[before..] {
                load.1 |= zero;
            }
        }
        Op::Binary { left, right, .. } => {
            look(flow, flow.node(*left), looked, depth + 1);
            look(flow, flow.node(*right), looked, depth + 1);
        }
        Op::Phi(incoming) => {
            for &(_, operand) in incoming {
                look(flow, flow.node(operand), looked, depth + 1);
            }
        }
        Op::ElementPointer { terms, .. } => {
            for &(index, _) in terms {
                look(flow, flow.node(index), looked, depth + 1);
            }
        }
        Op::Call(call) => {
            if let Callee::Direct(callee) = call.callee
                && library::looks_at_character(&flow.program.functions[callee].name)
            {
                for &argument in &call.arguments {
                    look(flow, flow.node(argument), looked, depth + 1);
                }
            }
        }
        _ => {}
    }
}

/// A character that is compared with zero, outside of a walk.
fn compared_with_zero(flow: &mut Flow<'_>, load: InstructionId, facts: &mut Vec<Fact>) {
    let (Some(pointer), Some(result)) = (load_pointer(flow, load), flow.function.instructions[load].result)
    else {
        return;
    };
    let origins = flow.operand_origins(pointer);
    let wanted: Vec<PlaceId> =
        origins.list.iter().map(|origin| origin.place).filter(|&place| is_characters(flow, place)).collect();
    if wanted.is_empty() || flow.program.types.scalar_bits(flow.function.values[result].ty) != Some(8) {
        return;
    }
    let block = flow.block(load);
    let compares =
        flow.function.block_instructions(block).filter(|at| at.index() > load.index()).any(|at| match &flow
            .function
            .instructions[at]
            .op
        {
            Op::IntegerCompare { left, right, .. } => {
                flow.constant(flow.node(*right)) == Some(0)
                    && flow.stripped(flow.node(*left)) == LocalNode::Value(result)
            }
            Op::Switch { value, cases, .. } => {
                cases.iter().any(|case| case.0 == 0)
                    && flow.stripped(flow.node(*value)) == LocalNode::Value(result)
            }
            _ => false,
        });
    if compares {
        for place in wanted {
            facts.push(Fact {
                place,
                claim: Claim::Text,
                words: "a character of it is compared with zero".to_owned(),
                at: flow.position(load),
            });
        }
    }
}
