//! Addresses of local variables that go nowhere: nobody but the function itself can read or write what is there. And
//! the volatile accesses of what others can get at.

use crate::slots::is_lifetime_marker;
use crate::{
    Callee, ConstantKind, Function, Id, InstructionId, IntrinsicKind, Op, Operand, Program, ValueId,
};

/// The volatile loads and stores of a function that others may notice, in the order of the text; each with whether it
/// is one of an own variable, whose address nobody else has.
pub fn volatile_accesses(function: &Function) -> Vec<(InstructionId, bool)> {
    let volatile = |op: &Op| match op {
        Op::Load { pointer, volatile: true, .. } | Op::Store { pointer, volatile: true, .. } => {
            Some(*pointer)
        }
        _ => None,
    };
    let all: Vec<(InstructionId, Operand)> = function
        .instructions
        .iter()
        .filter_map(|(id, instruction)| Some((id, volatile(&instruction.op)?)))
        .collect();
    if all.is_empty() {
        return Vec::new();
    }
    let private = private_addresses(function);
    let own = |pointer| matches!(pointer, Operand::Value(value) if private[value.index()]);
    all.into_iter().map(|(id, pointer)| (id, own(pointer))).collect()
}

/// A number for the global variable, or the part of one, that a pointer of the text is the address of, the same in all
/// programs that call it so; 0 for other pointers.
pub fn variable_number(program: &Program, pointer: Operand) -> u64 {
    let Operand::Constant(mut at) = pointer else { return 0 };
    let mut distance = 0_i64;
    loop {
        at = match &program.constants[at].kind {
            ConstantKind::Offset { base, offset } => {
                distance = distance.wrapping_add(*offset);
                *base
            }
            ConstantKind::Global(global) => {
                // FNV-1a.
                let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
                let name = program.globals[*global].name.as_bytes();
                let hash = name.iter().chain(&distance.to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, step);
                return hash.max(1);
            }
            _ => return 0,
        };
    }
}

/// For each value, whether it is the address of a local variable, or of a part of one, whose address is only used to
/// read and to write it.
pub fn private_addresses(function: &Function) -> Vec<bool> {
    let roots = roots(function);
    let root = |operand: Operand| match operand {
        Operand::Value(value) => roots[value.index()],
        Operand::Constant(_) => None,
    };
    let mut away = vec![false; function.values.len()];
    for (_, instruction) in function.instructions.iter() {
        let mut leaves = |operand: Operand| {
            if let Some(root) = root(operand) {
                away[root.index()] = true;
            }
        };
        match &instruction.op {
            Op::Load { .. } | Op::IntegerCompare { .. } => {}
            Op::Store { value, .. } => leaves(*value),
            Op::ElementPointer { terms, .. } => terms.iter().for_each(|(index, _)| leaves(*index)),
            op if is_lifetime_marker(op) || is_memory_intrinsic(op) => {}
            op => op.for_each_operand(leaves),
        }
    }
    roots.into_iter().map(|root| root.is_some_and(|root| !away[root.index()])).collect()
}

/// The local variable that each value is the address of.
fn roots(function: &Function) -> Vec<Option<ValueId>> {
    let mut roots: Vec<Option<ValueId>> = vec![None; function.values.len()];
    // Blocks stand in any order, so that a part may come before the whole.
    loop {
        let mut found = false;
        for (_, instruction) in function.instructions.iter() {
            let Some(result) = instruction.result.filter(|result| roots[result.index()].is_none()) else {
                continue;
            };
            let root = match &instruction.op {
                Op::Alloca { .. } => Some(result),
                Op::ElementPointer { base: Operand::Value(base), .. } => roots[base.index()],
                _ => None,
            };
            found |= root.is_some();
            roots[result.index()] = root;
        }
        if !found {
            return roots;
        }
    }
}

/// Whether it copies or sets memory, and keeps no address.
fn is_memory_intrinsic(op: &Op) -> bool {
    use IntrinsicKind as K;
    matches!(op, Op::Call(call) if matches!(&call.callee, Callee::Intrinsic(intrinsic) if matches!(intrinsic.kind,
        K::MemoryCopy | K::MemoryCopyInline | K::MemoryMove | K::MemorySet | K::MemorySetInline)))
}
