//! Volatile variables, which others may change at any time.
//!
//! That nobody does is one of the things that can happen. So the versions are compared first as if it were so, with all
//! that helps there; what differs then differs. If nothing does, they are compared once more with each volatile read
//! giving any value and all volatile accesses in their order, from the entry, with nothing left out: the analysis of
//! the change takes such variables for memory, and what it leaves out may hang on them.

use super::{FoundError, Judgement, Question};
use incise_exec::Volatile;
use incise_ir::{Callee, Function, Id, IntrinsicKind, Op, Operand, Program, private_addresses};

/// What a verdict rests on where volatile variables are taken for memory.
pub(super) const TAKEN: &str =
    "volatile variables are taken to be changed by nobody else while the function runs";

/// What a verdict says where they are not.
pub(super) const CHANGING: &str =
    "others may change volatile variables at any time; accesses of them are compared in their order";

/// Whether code of one of the programs accesses volatile variables that are not its own.
pub(super) fn accessed(question: &Question<'_>) -> bool {
    if let Some((old, new)) = question.subjects {
        return [old, new].into_iter().any(|subject| {
            let mut below = subject.scope.functions.keys().map(|&function| subject.function(function));
            below.any(|function| accesses_some(subject.program, function))
        });
    }
    [question.old.0, question.new.0]
        .into_iter()
        .any(|program| program.functions.iter().any(|(_, function)| accesses_some(program, function)))
}

/// Whether others may change volatile variables.
pub(super) fn others_change(question: &Question<'_>) -> bool {
    [question.old.1, question.new.1].into_iter().any(|config| config.volatile == Volatile::Changing)
}

/// What is known after both comparisons. Whether the first one came by all of the change the second one does not know.
/// What differs in the first one is told before what differs in the second one. Nothing may rest on what the analysis
/// of the change finds to have no influence: it knows nothing of others.
pub(super) fn both(mut first: Judgement, mut second: Judgement) -> Judgement {
    second.undecided.extend(first.undecided);
    first.witnesses.append(&mut second.witnesses);
    second.witnesses = first.witnesses;
    for (kept, before) in [(&mut second.introduced, first.introduced), (&mut second.fixed, first.fixed)] {
        let known = |error: &FoundError| {
            kept.iter().any(|other| (other.kind, &other.position) == (error.kind, &error.position))
        };
        let more: Vec<FoundError> = before.into_iter().filter(|error| !known(error)).collect();
        kept.extend(more);
    }
    second.contradicted = true;
    second.notes.insert(CHANGING.to_owned());
    second.settle();
    second
}

fn accesses_some(program: &Program, function: &Function) -> bool {
    let is_volatile = |op: &Op| match op {
        Op::Load { volatile, .. } | Op::Store { volatile, .. } => *volatile,
        Op::Call(call) => {
            let Callee::Intrinsic(intrinsic) = &call.callee else { return false };
            copies(intrinsic.kind) && call.arguments.get(3).is_some_and(|&last| !is_zero(program, last))
        }
        _ => false,
    };
    if function.model || !function.instructions.iter().any(|(_, instruction)| is_volatile(&instruction.op)) {
        return false;
    }
    let private = private_addresses(function);
    let own = |pointer: Operand| matches!(pointer, Operand::Value(value) if private[value.index()]);
    function.instructions.iter().any(|(_, instruction)| match &instruction.op {
        Op::Load { pointer, volatile: true, .. } | Op::Store { pointer, volatile: true, .. } => {
            !own(*pointer)
        }
        op @ Op::Call(call) => is_volatile(op) && !call.arguments.iter().take(2).all(|&each| own(each)),
        _ => false,
    })
}

fn copies(kind: IntrinsicKind) -> bool {
    use IntrinsicKind as K;
    matches!(kind, K::MemoryCopy | K::MemoryCopyInline | K::MemoryMove | K::MemorySet | K::MemorySetInline)
}

fn is_zero(program: &Program, operand: Operand) -> bool {
    use incise_ir::ConstantKind;
    matches!(operand, Operand::Constant(constant)
        if matches!(program.constants[constant].kind, ConstantKind::Integer(0) | ConstantKind::Zero))
}
