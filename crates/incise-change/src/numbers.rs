//! Numbers that one of two versions compares with, or makes room for, and the other does not: how large an input has to
//! be for a change to show.

use crate::reachable::Reachable;
use incise_ir::{ConstantKind, FunctionId, Op, Operand, Program};
use std::collections::BTreeSet;

/// The numbers that only one of two functions has, or what it calls.
pub fn numbers_of_one(
    (old, old_entry): (&Program, FunctionId),
    (new, new_entry): (&Program, FunctionId),
) -> Vec<u64> {
    let (before, after) = (numbers(old, old_entry), numbers(new, new_entry));
    before.symmetric_difference(&after).copied().collect()
}

fn numbers(program: &Program, entry: FunctionId) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    let reachable = Reachable::new(program, [entry]);
    let own = reachable.functions().map(|id| &program.functions[id]).filter(|function| !function.model);
    for (_, instruction) in own.flat_map(|function| function.instructions.iter()) {
        match &instruction.op {
            Op::IntegerCompare { left, right, .. } => {
                found.extend([left, right].into_iter().filter_map(|&operand| number(program, operand)));
            }
            Op::Alloca { ty, .. } => drop(found.insert(program.types.size_of(*ty))),
            _ => {}
        }
    }
    found
}

fn number(program: &Program, operand: Operand) -> Option<u64> {
    let Operand::Constant(constant) = operand else { return None };
    match program.constants[constant].kind {
        ConstantKind::Integer(number) => u64::try_from(number).ok(),
        _ => None,
    }
}
