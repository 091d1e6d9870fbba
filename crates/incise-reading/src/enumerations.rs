//! Enumerations: a number is taken to be one of its enumerators where the function uses it as one.
//!
//! Evidence is a comparison with an enumerator, or a `switch`. Other numbers are meant as well where bits are set or
//! looked at in it, where it is compared with a number that is no enumerator, or asked whether it is below one, and
//! where a `switch` has a case for each enumerator and something else to do besides.

use crate::flow::Flow;
use crate::null::is_end;
use crate::summary::{Claim, Fact};
use incise_ir::{BinaryOp, BlockId, DebugType, InstructionId, IntegerPredicate, Op, Operand, Program};
use std::collections::BTreeSet;

/// What an instruction shows of a number, of which it does not know the type.
enum Shown {
    /// It is given up on all but its enumerators.
    GivesUp,
    /// It is used as one of these.
    Named(Vec<u128>),
    /// There is something to do where it is none of these.
    OwnDefault(Vec<u128>),
    /// It may be any number.
    Any,
}

/// The enumerators of each type, by its name; of types without one all together.
pub(crate) fn enumerators(program: &Program) -> BTreeSet<(&str, &[(String, i64)])> {
    let named = program.debug_types.iter().filter_map(|(_, ty)| match ty {
        DebugType::Enumeration { name, enumerators, .. } => Some((name.as_str(), enumerators.as_slice())),
        _ => None,
    });
    named.collect()
}

/// A `switch` over an enumeration.
pub(crate) fn switched(flow: &mut Flow<'_>, at: InstructionId, facts: &mut Vec<Fact>) {
    let Op::Switch { value, default, cases } = &flow.function.instructions[at].op else { return };
    let values: Vec<u128> = cases.iter().map(|(value, _)| *value).collect();
    let is_case = cases.iter().any(|(_, target)| target == default);
    let shown = if is_end(flow, *default) {
        Shown::GivesUp
    } else if !is_case && has_own_default(flow, at, *default) {
        Shown::OwnDefault(values)
    } else {
        Shown::Named(values)
    };
    add(flow, *value, &shown, at, facts);
}

/// Whether a `switch` does something else where no case fits than what comes behind it.
fn has_own_default(flow: &Flow<'_>, at: InstructionId, default: BlockId) -> bool {
    let here = flow.block(at);
    let mut others = flow.function.blocks.ids().filter(|&block| block != here);
    let leads = |block| {
        let mut leads = false;
        let terminator = flow.function.terminator(block);
        flow.function.instructions[terminator].op.for_each_successor(|target| leads |= target == default);
        leads
    };
    !others.any(leads)
}

/// A comparison of an enumeration with a constant.
pub(crate) fn compared(flow: &mut Flow<'_>, at: InstructionId, facts: &mut Vec<Fact>) {
    let Op::IntegerCompare { predicate, left, right } = flow.function.instructions[at].op else { return };
    let (value, number) = match (flow.constant(flow.node(left)), flow.constant(flow.node(right))) {
        (None, Some(number)) => (left, number),
        (Some(number), None) => (right, number),
        _ => return,
    };
    let shown = match predicate {
        IntegerPredicate::Equal | IntegerPredicate::NotEqual => Shown::Named(vec![number as u128]),
        _ => Shown::Any,
    };
    add(flow, value, &shown, at, facts);
}

/// Bits of an enumeration that are set or looked at.
pub(crate) fn combined(flow: &mut Flow<'_>, at: InstructionId, facts: &mut Vec<Fact>) {
    let Op::Binary { op: BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, left, right, .. } =
        flow.function.instructions[at].op
    else {
        return;
    };
    for operand in [left, right] {
        add(flow, operand, &Shown::Any, at, facts);
    }
}

fn add(flow: &mut Flow<'_>, value: Operand, shown: &Shown, at: InstructionId, facts: &mut Vec<Fact>) {
    let node = flow.stripped(flow.node(value));
    let Some(place) = flow.origins(node).single_exact().filter(|&place| flow.places.is_input(place)) else {
        return;
    };
    let Some(DebugType::Enumeration { bits, enumerators, .. }) = flow.debug_type(place) else { return };
    let mask = 1u128.checked_shl(*bits as u32).map_or(u128::MAX, |end| end - 1);
    let known: Vec<u128> = enumerators.iter().map(|(_, value)| *value as u128 & mask).collect();
    let all_known = |values: &[u128]| values.iter().all(|value| known.contains(&(value & mask)));
    // Where each enumerator has its case, the rest is for other numbers.
    let each_has =
        |values: &[u128]| known.iter().all(|known| values.iter().any(|value| value & mask == *known));
    let (claim, words) = match shown {
        Shown::GivesUp => (Claim::Enumerator, "the function gives up on other values"),
        Shown::Named(values) if all_known(values) => (Claim::Named, "it is compared with its enumerators"),
        Shown::OwnDefault(values) if all_known(values) && !each_has(values) => {
            (Claim::Named, "it is compared with its enumerators")
        }
        _ => (Claim::OtherNumbers, "it is more than one of its enumerators"),
    };
    facts.push(Fact { place, claim, words: words.to_owned(), at: flow.position(at) });
}
