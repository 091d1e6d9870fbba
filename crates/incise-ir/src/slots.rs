//! Variables that live in registers: their address is only loaded from and stored to.

use crate::{Callee, Function, Id, Op, Operand, Program};

/// For each value, whether it is an alloca of a scalar that is only loaded and stored whole.
pub fn promotable(program: &Program, function: &Function) -> Vec<bool> {
    let mut widths: Vec<Option<u32>> = vec![None; function.values.len()];
    for (_, instruction) in function.instructions.iter() {
        if let (Op::Alloca { ty, count: None, .. }, Some(result)) = (&instruction.op, instruction.result) {
            widths[result.index()] = program.types.scalar_bits(*ty).filter(|bits| (1..=128).contains(bits));
        }
    }
    for (_, instruction) in function.instructions.iter() {
        match &instruction.op {
            Op::Load { ty, pointer: Operand::Value(pointer), .. } => {
                if program.types.scalar_bits(*ty) != widths[pointer.index()] {
                    widths[pointer.index()] = None;
                }
            }
            Op::Store { value, pointer, .. } => {
                if let Operand::Value(value) = value {
                    widths[value.index()] = None;
                }
                if let Operand::Value(pointer) = pointer
                    && program.types.scalar_bits(program.operand_type(function, *value))
                        != widths[pointer.index()]
                {
                    widths[pointer.index()] = None;
                }
            }
            op => op.for_each_operand(|operand| {
                if let Operand::Value(value) = operand {
                    // Lifetime markers take the address without looking at it.
                    if !is_lifetime_marker(op) {
                        widths[value.index()] = None;
                    }
                }
            }),
        }
    }
    widths.into_iter().map(|width| width.is_some()).collect()
}

/// Whether it is a call that says something of a variable without touching it.
pub(crate) fn is_lifetime_marker(op: &Op) -> bool {
    use crate::IntrinsicKind as K;
    matches!(op, Op::Call(call) if matches!(&call.callee, Callee::Intrinsic(intrinsic)
        if matches!(intrinsic.kind, K::LifetimeStart | K::LifetimeEnd | K::DebugDeclare | K::DebugAssign)))
}
