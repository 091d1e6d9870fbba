//! The fingerprint of a function's code: equal exactly if the two versions do the same, instruction by instruction.
//!
//! It does not depend on debug locations, on the names of locals and blocks, on ids, on code that cannot be reached, or
//! on the place and line that a failed assertion would print. It depends on operations, flags, types, constants, what
//! the names of functions and variables stand for ([`Symbols`]), and on the initial content of variables that are more
//! than written to.

use crate::Symbols;
use crate::hash::{Fingerprint, Mixer};
use crate::symbols::is_written_place;
use incise_ir::{
    Call, Callee, Cfg, Function, FunctionId, Id, Instruction, IntrinsicKind, Op, Operand, Program, ValueId,
};
use std::hash::Hash;

/// The fingerprint of a function: its signature and its code.
pub fn fingerprint(program: &Program, symbols: &Symbols, id: FunctionId) -> Fingerprint {
    let function = &program.functions[id];
    let mut mixer = Mixer::new("function");
    mixer.fingerprint(signature(symbols, function));
    let mut numbering = Numbering::new(function);
    let cfg = Cfg::new(function);
    let reachable: Vec<_> = function.blocks.ids().filter(|&block| cfg.is_reachable(block)).collect();
    let mut block_numbers = vec![u64::MAX; function.blocks.len()];
    for (number, block) in reachable.iter().enumerate() {
        block_numbers[block.index()] = number as u64;
    }
    for block in reachable {
        for id in function.block_instructions(block) {
            let instruction = &function.instructions[id];
            if is_silent(&instruction.op) || is_local(&instruction.op) {
                continue;
            }
            mix_shape(program, symbols, function, instruction, &mut mixer);
            for_each_operand(program, &instruction.op, |position, operand| {
                mix_operand(
                    symbols,
                    function,
                    &mut numbering,
                    (&instruction.op, position, operand),
                    &mut mixer,
                );
            });
            if let Op::Phi(incoming) = &instruction.op {
                incoming.iter().for_each(|(from, _)| mixer.word(block_numbers[from.index()]));
            }
            instruction.op.for_each_successor(|target| mixer.word(block_numbers[target.index()]));
            if let Some(result) = instruction.result {
                mixer.word(numbering.number(result).0);
            }
        }
    }
    mixer.done()
}

/// The fingerprint of a function's signature.
pub(crate) fn signature(symbols: &Symbols, function: &Function) -> Fingerprint {
    let mut mixer = Mixer::new("signature");
    mixer.fingerprint(symbols.ty(function.result));
    mixer.word(u64::from(function.variadic));
    mixer.word(function.parameters.len() as u64);
    for parameter in &function.parameters {
        mixer.fingerprint(symbols.ty(parameter.ty));
        mixer.word(u64::from(parameter.struct_return));
        mixer.word(u64::from(parameter.by_value.is_some()));
        parameter.by_value.iter().for_each(|&ty| mixer.fingerprint(symbols.ty(ty)));
    }
    mixer.done()
}

/// Numbers values in the order of their first use, so that the order of declarations does not count.
struct Numbering {
    numbers: Vec<Option<u64>>,
    next: u64,
    locals: Vec<Option<incise_ir::InstructionId>>,
}

impl Numbering {
    fn new(function: &Function) -> Self {
        let mut numbers = vec![None; function.values.len()];
        for (index, number) in numbers.iter_mut().take(function.parameters.len()).enumerate() {
            *number = Some(index as u64);
        }
        let mut locals = vec![None; function.values.len()];
        for (id, instruction) in function.instructions.iter() {
            if let Some(result) = instruction.result.filter(|_| is_local(&instruction.op)) {
                locals[result.index()] = Some(id);
            }
        }
        Self { numbers, next: function.parameters.len() as u64, locals }
    }

    /// The number of a value, and whether it was met for the first time.
    fn number(&mut self, value: ValueId) -> (u64, bool) {
        match self.numbers[value.index()] {
            Some(number) => (number, false),
            None => {
                let number = self.next;
                self.numbers[value.index()] = Some(number);
                self.next += 1;
                (number, true)
            }
        }
    }
}

fn mix_operand(
    symbols: &Symbols,
    function: &Function,
    numbering: &mut Numbering,
    (op, position, operand): (&Op, usize, Operand),
    mixer: &mut Mixer,
) {
    match operand {
        Operand::Constant(constant) => {
            mixer.fingerprint(constant_operand(symbols, op, position, constant));
        }
        Operand::Value(value) => {
            let (number, first) = numbering.number(value);
            mixer.word(number);
            if let (true, Some(id)) = (first, numbering.locals[value.index()])
                && let Op::Alloca { ty, align, .. } = function.instructions[id].op
            {
                mixer.fingerprint(symbols.ty(ty));
                mixer.word(align);
            }
        }
    }
}

/// What a constant operand counts as.
pub(crate) fn constant_operand(
    symbols: &Symbols,
    op: &Op,
    position: usize,
    constant: incise_ir::ConstantId,
) -> Fingerprint {
    if is_written_place(op, Operand::Constant(constant), position) {
        symbols.place(constant)
    } else {
        symbols.value(constant)
    }
}

/// Whether an instruction makes a variable of the function: one that needs no computing.
pub(crate) fn is_local(op: &Op) -> bool {
    matches!(op, Op::Alloca { count: None, .. })
}

/// Whether an instruction says something to debuggers only.
pub(crate) fn is_silent(op: &Op) -> bool {
    use IntrinsicKind::{DebugAssign, DebugDeclare, DebugLabel, DebugValue};
    let Op::Call(call) = op else { return false };
    matches!(&call.callee, Callee::Intrinsic(intrinsic)
        if matches!(intrinsic.kind, DebugDeclare | DebugValue | DebugLabel | DebugAssign))
}

/// Calls `visit` with each operand that counts and its position. What a failed assertion prints is made of the source's
/// text and place; the condition itself is code.
pub(crate) fn for_each_operand(program: &Program, op: &Op, mut visit: impl FnMut(usize, Operand)) {
    if let Op::Call(call) | Op::Invoke { call, .. } = op
        && let Callee::Direct(function) = call.callee
        && is_assertion_failure(&program.functions[function].name)
    {
        return;
    }
    let mut position = 0;
    op.for_each_operand(|operand| {
        visit(position, operand);
        position += 1;
    });
}

fn is_assertion_failure(name: &str) -> bool {
    matches!(name, "__assert_fail" | "__assert_rtn" | "__assert" | "__assert2" | "__assert_func" | "_assert")
}

/// Mixes in what an instruction does, without its operands and targets.
pub(crate) fn mix_shape(
    program: &Program,
    symbols: &Symbols,
    function: &Function,
    instruction: &Instruction,
    mixer: &mut Mixer,
) {
    std::mem::discriminant(&instruction.op).hash(mixer);
    if let Some(result) = instruction.result {
        mixer.fingerprint(symbols.ty(function.values[result].ty));
    }
    match &instruction.op {
        Op::Binary { op, flags, .. } => {
            op.hash(mixer);
            flags.hash(mixer);
        }
        Op::IntegerCompare { predicate, left, .. } => {
            predicate.hash(mixer);
            mixer.fingerprint(symbols.ty(program.operand_type(function, *left)));
        }
        Op::FloatCompare { predicate, left, .. } => {
            predicate.hash(mixer);
            mixer.fingerprint(symbols.ty(program.operand_type(function, *left)));
        }
        Op::Cast { op, value } => {
            op.hash(mixer);
            mixer.fingerprint(symbols.ty(program.operand_type(function, *value)));
        }
        Op::Alloca { ty, align, .. } => {
            mixer.fingerprint(symbols.ty(*ty));
            mixer.word(*align);
        }
        Op::Load { ty, volatile, ordering, .. } => {
            mixer.fingerprint(symbols.ty(*ty));
            (*volatile, *ordering).hash(mixer);
        }
        Op::Store { value, volatile, ordering, .. } => {
            mixer.fingerprint(symbols.ty(program.operand_type(function, *value)));
            (*volatile, *ordering).hash(mixer);
        }
        Op::AtomicReadModifyWrite { op, ordering, .. } => (*op, *ordering).hash(mixer),
        Op::CompareExchange { weak, success, failure, .. } => (*weak, *success, *failure).hash(mixer),
        Op::Fence { ordering } => ordering.hash(mixer),
        Op::ElementPointer { offset, terms, in_bounds, .. } => {
            mixer.word(*offset as u64);
            mixer.word(u64::from(*in_bounds));
            for (index, stride) in terms {
                mixer.word(*stride as u64);
                mixer.fingerprint(symbols.ty(program.operand_type(function, *index)));
            }
        }
        Op::Call(call) | Op::Invoke { call, .. } => mix_call(symbols, call, mixer),
        Op::ExtractValue { indices, .. } | Op::InsertValue { indices, .. } => indices.hash(mixer),
        Op::ShuffleVector { mask, .. } => mask.hash(mixer),
        Op::Unsupported(text) | Op::UnsupportedTerminator(text) => mixer.text(text),
        Op::Switch { value, cases, .. } => {
            mixer.fingerprint(symbols.ty(program.operand_type(function, *value)));
            cases.iter().for_each(|(value, _)| value.hash(mixer));
        }
        Op::Phi(incoming) => mixer.word(incoming.len() as u64),
        Op::IndirectBranch { targets, .. } => mixer.word(targets.len() as u64),
        Op::Return(value) => mixer.word(u64::from(value.is_some())),
        Op::FloatNegate(_)
        | Op::Select { .. }
        | Op::ExtractElement { .. }
        | Op::InsertElement { .. }
        | Op::VaArg { .. }
        | Op::Freeze(_)
        | Op::LandingPad
        | Op::Branch(_)
        | Op::ConditionalBranch { .. }
        | Op::Unreachable
        | Op::Resume => {}
    }
}

fn mix_call(symbols: &Symbols, call: &Call, mixer: &mut Mixer) {
    std::mem::discriminant(&call.callee).hash(mixer);
    match &call.callee {
        Callee::Direct(function) => mixer.fingerprint(symbols.function(*function)),
        Callee::Intrinsic(intrinsic) => mixer.text(&intrinsic.name),
        Callee::Assembly(template) => mixer.text(template),
        Callee::Indirect(_) => {}
    }
    mixer.fingerprint(symbols.ty(call.result));
    mixer.word(call.arguments.len() as u64);
    for (number, ty) in &call.by_value {
        mixer.word(u64::from(*number));
        mixer.fingerprint(symbols.ty(*ty));
    }
}
