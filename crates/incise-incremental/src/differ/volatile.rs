//! Volatile variables are ordinary memory: a verdict on a function that reads some rests on nobody else changing them.

use crate::subject::Subject;
use incise_ir::{ConstantId, ConstantKind, Op, Operand, Program};

/// What a verdict rests on where volatile variables are read.
pub(super) const TAKEN: &str =
    "volatile variables are taken to be changed by nobody else while the function runs";

/// Whether code below the entry reads volatile variables of the program by their names.
pub(super) fn reads_some(subject: &Subject<'_>) -> bool {
    subject.scope.functions.keys().any(|&function| {
        subject.function(function).instructions.iter().any(|(_, instruction)| match instruction.op {
            Op::Load { pointer: Operand::Constant(pointer), volatile: true, .. } => {
                is_variable(subject.program, pointer)
            }
            _ => false,
        })
    })
}

fn is_variable(program: &Program, mut pointer: ConstantId) -> bool {
    while let ConstantKind::Offset { base, .. } = program.constants[pointer].kind {
        pointer = base;
    }
    matches!(program.constants[pointer].kind, ConstantKind::Global(_))
}
