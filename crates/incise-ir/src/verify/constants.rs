//! Checks of constants: what they refer to exists, and their types fit.

use super::VerifyError;
use crate::{Constant, ConstantId, ConstantKind, Id, Program, Type};

pub(super) fn verify_constants(program: &Program) -> Result<(), VerifyError> {
    program.constants.ids().try_for_each(|id| verify_constant(program, id))
}

/// Checks one constant of a program.
pub fn verify_constant(program: &Program, id: ConstantId) -> Result<(), VerifyError> {
    check(program, id, &program.constants[id]).map_err(|message| {
        let place = format!("constant {}", id.index());
        VerifyError { place, instruction: None, message: message.to_owned() }
    })
}

fn check(program: &Program, id: ConstantId, constant: &Constant) -> Result<(), &'static str> {
    let ty = program.types.get(constant.ty);
    let is_pointer = *ty == Type::Pointer;
    // A constant refers only to constants that were made before it, so there are no cycles.
    let exists = |other: &ConstantId| other.index() < id.index();
    let type_of = |other: ConstantId| program.constants[other].ty;
    let fits = match &constant.kind {
        ConstantKind::Integer(value) => match ty {
            Type::Integer(bits) => *bits <= 128 && (*bits == 128 || value >> bits == 0),
            _ => false,
        },
        ConstantKind::WideInteger => matches!(ty, Type::Integer(bits) if *bits > 128),
        ConstantKind::Float(value) => match ty {
            Type::Float(kind) => kind.bits() == 128 || value >> kind.bits() == 0,
            _ => false,
        },
        ConstantKind::Null => is_pointer,
        ConstantKind::Undef | ConstantKind::Poison | ConstantKind::Zero | ConstantKind::Unsupported(_) => {
            true
        }
        ConstantKind::Bytes(bytes) => match ty {
            Type::Array { element, length } => {
                *program.types.get(*element) == Type::Integer(8) && *length == bytes.len() as u64
            }
            _ => false,
        },
        ConstantKind::Aggregate(elements) => {
            program.types.element_count(constant.ty) == Some(elements.len() as u64)
                && elements.iter().all(exists)
                && elements.iter().enumerate().all(|(index, &element)| {
                    program.types.element_type(constant.ty, index as u64) == Some(type_of(element))
                })
        }
        ConstantKind::Global(global) => is_pointer && global.index() < program.globals.len(),
        ConstantKind::Function(function) => is_pointer && function.index() < program.functions.len(),
        ConstantKind::Offset { base, .. } => {
            is_pointer && exists(base) && *program.types.get(type_of(*base)) == Type::Pointer
        }
        ConstantKind::Cast { op, value } => {
            exists(value) && super::operations::cast_fits(&program.types, *op, type_of(*value), constant.ty)
        }
        ConstantKind::Binary { left, right, .. } => {
            exists(left) && exists(right) && type_of(*left) == constant.ty && type_of(*right) == constant.ty
        }
        ConstantKind::Compare { left, right, .. } => {
            exists(left) && exists(right) && type_of(*left) == type_of(*right)
        }
        ConstantKind::Select { condition, then, otherwise } => {
            [condition, then, otherwise].into_iter().all(exists)
                && type_of(*then) == constant.ty
                && type_of(*otherwise) == constant.ty
        }
        ConstantKind::BlockAddress { function, block } => {
            is_pointer
                && program
                    .functions
                    .get(*function)
                    .is_some_and(|function| block.index() < function.blocks.len())
        }
    };
    if fits { Ok(()) } else { Err("it does not fit its type, or refers to something that does not exist") }
}
