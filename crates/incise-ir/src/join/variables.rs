//! What the sides of a branch may set: variables in registers, and numbers and pointers in global variables, at a place
//! that is known. Neither can fail, and to set one to what it holds is nothing.

use crate::{ConstantId, ConstantKind, GlobalId, Instruction, Op, Operand, Program, TypeId};
use std::collections::BTreeMap;

/// Something that can be set.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Variable {
    /// The alloca with this number, which is only loaded and stored.
    Slot(usize),
    /// A scalar in a global variable.
    Global { global: GlobalId, offset: u64, ty: TypeId },
}

impl Variable {
    /// The scalar in a global variable that a plain access is one of, if all of it is surely there.
    pub(super) fn global(program: &Program, pointer: Operand, ty: TypeId) -> Option<Self> {
        let Operand::Constant(pointer) = pointer else { return None };
        let (global, offset) = place(program, pointer)?;
        let offset = u64::try_from(offset).ok()?;
        let object = &program.globals[global];
        let bits = program.types.scalar_bits(ty).filter(|bits| [8, 16, 32, 64].contains(bits))?;
        let end = offset.checked_add(u64::from(bits) / 8)?;
        let plain = !object.constant && !object.thread_local && end <= program.types.size_of(object.ty);
        plain.then_some(Self::Global { global, offset, ty })
    }

    /// Whether two have bytes in common, and are not the same.
    pub(super) fn is_mixed_with(self, other: Self, program: &Program) -> bool {
        let (Self::Global { global, offset, ty }, Self::Global { global: with, offset: at, ty: as_type }) =
            (self, other)
        else {
            return false;
        };
        let (size, its) = (program.types.size_of(ty), program.types.size_of(as_type));
        self != other && global == with && offset < at + its && at < offset + size
    }
}

/// The global variable that a constant address leads into, and how far.
fn place(program: &Program, pointer: ConstantId) -> Option<(GlobalId, i64)> {
    let (mut pointer, mut sum) = (pointer, 0_i64);
    loop {
        match program.constants[pointer].kind {
            ConstantKind::Global(global) => return Some((global, sum)),
            ConstantKind::Offset { base, offset } => {
                sum = sum.checked_add(offset)?;
                pointer = base;
            }
            _ => return None,
        }
    }
}

/// What one side of a branch does.
pub(super) struct Arm {
    pub(super) instructions: Vec<Instruction>,
    /// What variables hold at its end, if it sets them.
    pub(super) stored: BTreeMap<Variable, (Operand, Instruction)>,
}

impl Arm {
    pub(super) fn new() -> Self {
        Self { instructions: Vec::new(), stored: BTreeMap::new() }
    }

    /// Whether it sets memory that others may lead to.
    pub(super) fn sets_memory(&self) -> bool {
        self.stored.keys().any(|variable| matches!(variable, Variable::Global { .. }))
    }

    /// Whether it sets a part of a variable, or one that the variable is a part of.
    pub(super) fn sets_a_part_of(&self, variable: Variable, program: &Program) -> bool {
        self.stored.keys().any(|&other| variable.is_mixed_with(other, program))
    }
}

/// Where a store goes to.
pub(super) fn pointer_of(store: &Instruction) -> Option<Operand> {
    match store.op {
        Op::Store { pointer, .. } => Some(pointer),
        _ => None,
    }
}

/// Whether dividing by a constant can fail for no number: it is neither zero nor minus one.
pub(super) fn divides_any(program: &Program, divisor: Operand) -> bool {
    let Operand::Constant(divisor) = divisor else { return false };
    let constant = &program.constants[divisor];
    let ConstantKind::Integer(bits) = constant.kind else { return false };
    program.types.scalar_bits(constant.ty).is_some_and(|width| {
        let ones = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        bits != 0 && bits != ones
    })
}
