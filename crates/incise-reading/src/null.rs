//! Pointers that are dereferenced, and pointers that are compared with null.

use crate::flow::Flow;
use crate::summary::{Claim, Fact};
use crate::uses::exact;
use incise_ir::{BlockId, Call, Function, InstructionId, IntegerPredicate, Op, Operand};

/// A pointer that must lead somewhere.
pub(crate) fn dereferenced(flow: &mut Flow<'_>, at: InstructionId, pointer: Operand, facts: &mut Vec<Fact>) {
    let origins = flow.operand_origins(pointer);
    let alone = origins.list.len() == 1 && !origins.elsewhere;
    let always = alone && flow.always(flow.block(at));
    for origin in origins.list {
        facts.push(Fact {
            place: origin.place,
            claim: Claim::Dereferenced { always },
            words: match always {
                true => "it is always dereferenced".to_owned(),
                false => "it is dereferenced and never compared with null".to_owned(),
            },
            at: flow.position(at),
        });
    }
}

/// Arguments that a called function is declared to take no null pointer for.
pub(crate) fn declared(
    flow: &mut Flow<'_>,
    at: InstructionId,
    call: &Call,
    callee: &Function,
    facts: &mut Vec<Fact>,
) {
    for (parameter, &argument) in callee.parameters.iter().zip(&call.arguments) {
        if !parameter.non_null && parameter.dereferenceable == 0 {
            continue;
        }
        let origins = flow.operand_origins(argument);
        let always = origins.single_exact().is_some() && flow.always(flow.block(at));
        for place in exact(&origins) {
            facts.push(Fact {
                place,
                claim: Claim::Dereferenced { always },
                words: format!("{} is declared to take no null pointer", callee.name),
                at: flow.position(at),
            });
        }
    }
}

/// A comparison of a pointer with null. If the program gives up on null, as `assert` does, null is not meant to come.
pub(crate) fn compared(flow: &mut Flow<'_>, at: InstructionId, facts: &mut Vec<Fact>) {
    let Op::IntegerCompare { predicate, left, right } = &flow.function.instructions[at].op else { return };
    let ty = flow.program.operand_type(flow.function, *left);
    if !matches!(flow.program.types.get(ty), incise_ir::Type::Pointer) {
        return;
    }
    let pointer = match (flow.is_null(*left), flow.is_null(*right)) {
        (false, true) => *left,
        (true, false) => *right,
        _ => return,
    };
    let asserted = gives_up(flow, at, *predicate == IntegerPredicate::Equal);
    let origins = flow.operand_origins(pointer);
    // What is only compared on some ways, or may be another pointer by then, may be null on others.
    let always = origins.single_exact().is_some() && flow.always(flow.block(at));
    for place in exact(&origins) {
        let (claim, words) = match asserted {
            true => (Claim::Asserted { always }, "the function gives up if it is null"),
            false => (Claim::Checked, "it is compared with null"),
        };
        facts.push(Fact { place, claim, words: words.to_owned(), at: flow.position(at) });
    }
}

/// Whether the branch on a comparison leads to a block that does not go on, if it is `truth`.
fn gives_up(flow: &Flow<'_>, at: InstructionId, truth: bool) -> bool {
    let terminator = flow.function.terminator(flow.block(at));
    let Op::ConditionalBranch { condition, then, otherwise } = &flow.function.instructions[terminator].op
    else {
        return false;
    };
    let result = flow.function.instructions[at].result;
    if !matches!(*condition, Operand::Value(value) if Some(value) == result) {
        return false;
    }
    is_end(flow, if truth { *then } else { *otherwise })
}

/// Whether a block does not go on.
pub(crate) fn is_end(flow: &Flow<'_>, block: BlockId) -> bool {
    matches!(flow.function.instructions[flow.function.terminator(block)].op, Op::Unreachable)
}
