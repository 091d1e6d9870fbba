//! The instructions of a function at which a thread can do something that others see: accesses to memory, calls, and
//! the end of the function.
//!
//! They are counted, so that two texts of a function that differ in other things (one has checks of a sanitizer) have
//! the same numbers. Whether others really see it is another question, which only an execution answers.

use crate::{Arena, Callee, Function, Id, Instruction, InstructionId, IntrinsicKind, Op, Program};

/// How the names of functions begin that report what a sanitizer found.
const SANITIZER: &str = "__ubsan_";

/// Such an instruction, as far as two texts must agree.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// Memory is read.
    Load,
    /// Memory is written.
    Store,
    /// Both in one step.
    Update,
    /// Something is called.
    Call,
    /// The function ends.
    Return,
}

/// What kind of place an instruction is, if it is one.
pub fn place_of(program: &Program, op: &Op) -> Option<Place> {
    let called = |callee: &Callee| match callee {
        Callee::Intrinsic(intrinsic) => matches!(
            intrinsic.kind,
            IntrinsicKind::MemoryCopy
                | IntrinsicKind::MemoryCopyInline
                | IntrinsicKind::MemoryMove
                | IntrinsicKind::MemorySet
                | IntrinsicKind::MemorySetInline
        ),
        Callee::Direct(function) => !program.functions[*function].name.starts_with(SANITIZER),
        Callee::Indirect(_) => true,
        Callee::Assembly(_) => false,
    };
    match op {
        Op::Load { .. } => Some(Place::Load),
        Op::Store { .. } => Some(Place::Store),
        Op::AtomicReadModifyWrite { .. } | Op::CompareExchange { .. } => Some(Place::Update),
        Op::Call(call) | Op::Invoke { call, .. } => called(&call.callee).then_some(Place::Call),
        Op::Return(_) => Some(Place::Return),
        _ => None,
    }
}

/// All places of a function, in the order of the text.
pub fn places(program: &Program, function: &Function) -> Vec<(InstructionId, Place)> {
    let instructions: &Arena<InstructionId, Instruction> = &function.instructions;
    instructions.iter().filter_map(|(id, each)| Some((id, place_of(program, &each.op)?))).collect()
}

/// The number of an instruction among the places of its function, if it is one.
pub fn place_number(program: &Program, function: &Function, instruction: u32) -> Option<u32> {
    let wanted = |(id, _): &(InstructionId, Place)| id.index() == instruction as usize;
    places(program, function).iter().position(wanted).map(|number| number as u32)
}
