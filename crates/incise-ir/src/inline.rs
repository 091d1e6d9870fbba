//! Calls of functions that only compute a value from their arguments become what they compute: `is_digit(c)` is a
//! condition then like one that is written down where it is used.
//!
//! Such a function has no way but one from its beginning to its end, and touches no memory but its own variables. What
//! the program does is the same, but the call is gone: for those who ask whether two programs do the same, and not by
//! which calls.

use crate::slots::is_lifetime_marker;
use crate::{
    BlockId, Callee, Function, FunctionId, Id, Instruction, InstructionId, Op, Operand, Program, TypeId,
    ValueId, ValueInfo, promotable,
};
use std::collections::BTreeMap;

/// A function with more instructions stays a function.
const MOST_INSTRUCTIONS: usize = 80;

/// Replaces calls of functions that only compute a value; says whether there were any.
pub(crate) fn inline_values(program: &mut Program) -> bool {
    let defined = |&id: &FunctionId| program.functions[id].is_definition();
    let ids: Vec<FunctionId> = program.functions.ids().filter(defined).collect();
    let bodies: BTreeMap<FunctionId, Body> =
        ids.iter().filter_map(|&id| Some((id, Body::of(program, &program.functions[id])?))).collect();
    if bodies.is_empty() {
        return false;
    }
    let mut changed = false;
    for id in ids {
        if let Some(function) = with_values(program, &program.functions[id], &bodies) {
            program.functions[id] = function;
            changed = true;
        }
    }
    changed
}

/// What a function computes. Its values are those of the function: parameters first.
struct Body {
    parameters: Vec<TypeId>,
    result: TypeId,
    /// One after the other, each with the type of its result.
    steps: Vec<(Op, ValueId, TypeId)>,
    returned: Operand,
}

impl Body {
    /// What a function computes, if it does nothing else.
    fn of(program: &Program, function: &Function) -> Option<Self> {
        let plain = |parameter: &crate::Parameter| parameter.by_value.is_none() && !parameter.struct_return;
        if function.variadic || function.no_return || !function.parameters.iter().all(plain) {
            return None;
        }
        let slots = promotable(program, function);
        let mut reader = BodyReader {
            program,
            function,
            held: BTreeMap::new(),
            known: BTreeMap::new(),
            steps: Vec::new(),
        };
        let mut block = BlockId::from_index(0);
        for _ in 0..function.blocks.len() {
            let mut next = None;
            for id in function.block_instructions(block) {
                let instruction = &function.instructions[id];
                match &instruction.op {
                    Op::Branch(target) => next = Some(*target),
                    Op::Return(Some(value)) => {
                        let returned = reader.known(*value);
                        let parameters = function.parameters.iter().map(|each| each.ty).collect();
                        return Some(Self {
                            parameters,
                            result: function.result,
                            steps: reader.steps,
                            returned,
                        });
                    }
                    _ => reader.read(instruction, &slots)?,
                }
            }
            block = next?;
        }
        None
    }

    fn fits(&self, program: &Program, caller: &Function, call: &crate::Call) -> bool {
        let types = call.arguments.iter().map(|&argument| program.operand_type(caller, argument));
        call.by_value.is_empty() && call.result == self.result && types.eq(self.parameters.iter().copied())
    }
}

/// Goes over a function from its beginning to its end.
struct BodyReader<'p> {
    program: &'p Program,
    function: &'p Function,
    /// What variables hold.
    held: BTreeMap<ValueId, Operand>,
    /// Values that are other ones.
    known: BTreeMap<ValueId, Operand>,
    steps: Vec<(Op, ValueId, TypeId)>,
}

impl BodyReader<'_> {
    fn known(&self, operand: Operand) -> Operand {
        match operand {
            Operand::Value(value) => self.known.get(&value).copied().unwrap_or(operand),
            Operand::Constant(_) => operand,
        }
    }

    fn read(&mut self, instruction: &Instruction, slots: &[bool]) -> Option<()> {
        let slot = |pointer: &Operand| match pointer {
            Operand::Value(value) if slots[value.index()] => Some(*value),
            _ => None,
        };
        match &instruction.op {
            Op::Alloca { .. } if instruction.result.is_some_and(|value| slots[value.index()]) => {}
            op if is_lifetime_marker(op) => {}
            Op::Load { ty, pointer, volatile: false, ordering: None } => {
                let value = *self.held.get(&slot(pointer)?)?;
                if self.program.operand_type(self.function, value) != *ty {
                    return None;
                }
                self.known.insert(instruction.result?, value);
            }
            Op::Store { value, pointer, volatile: false, ordering: None } => {
                let value = self.known(*value);
                self.held.insert(slot(pointer)?, value);
            }
            op => {
                let result = instruction.result?;
                let op = with_operands(op, |operand| self.known(operand))?;
                if self.steps.len() == MOST_INSTRUCTIONS {
                    return None;
                }
                self.steps.push((op, result, self.function.values[result].ty));
            }
        }
        Some(())
    }
}

/// An operation on other operands, if it only computes.
fn with_operands(op: &Op, other: impl Fn(Operand) -> Operand) -> Option<Op> {
    let mut op = op.clone();
    match &mut op {
        Op::Binary { left, right, .. }
        | Op::IntegerCompare { left, right, .. }
        | Op::FloatCompare { left, right, .. } => {
            *left = other(*left);
            *right = other(*right);
        }
        Op::FloatNegate(value) | Op::Cast { value, .. } | Op::Freeze(value) => *value = other(*value),
        Op::Select { condition, then, otherwise } => {
            *condition = other(*condition);
            *then = other(*then);
            *otherwise = other(*otherwise);
        }
        Op::ElementPointer { base, terms, .. } => {
            *base = other(*base);
            terms.iter_mut().for_each(|(index, _)| *index = other(*index));
        }
        _ => return None,
    }
    Some(op)
}

/// A function in which what others compute stands in place of calls; `None` if there is none.
fn with_values(
    program: &Program,
    function: &Function,
    bodies: &BTreeMap<FunctionId, Body>,
) -> Option<Function> {
    let body = |instruction: &Instruction| match &instruction.op {
        Op::Call(call) => match call.callee {
            Callee::Direct(callee) => bodies.get(&callee).filter(|body| body.fits(program, function, call)),
            _ => None,
        },
        _ => None,
    };
    if !function.instructions.iter().any(|(_, instruction)| body(instruction).is_some()) {
        return None;
    }
    let mut changed = function.clone();
    changed.instructions = crate::Arena::new();
    for id in function.blocks.ids() {
        let first = InstructionId::from_index(changed.instructions.len());
        for instruction in function.block_instructions(id).map(|id| &function.instructions[id]) {
            match (body(instruction), &instruction.op) {
                (Some(body), Op::Call(call)) => put(&mut changed, body, &call.arguments, instruction),
                _ => drop(changed.instructions.push(instruction.clone())),
            }
        }
        changed.blocks[id].first = first;
        changed.blocks[id].end = InstructionId::from_index(changed.instructions.len());
    }
    Some(changed)
}

/// Puts what a function computes where it was called.
fn put(function: &mut Function, body: &Body, arguments: &[Operand], call: &Instruction) {
    let parameter = |(index, &argument): (usize, &Operand)| (ValueId::from_index(index), argument);
    let mut values: BTreeMap<ValueId, Operand> = arguments.iter().enumerate().map(parameter).collect();
    let other = |values: &BTreeMap<ValueId, Operand>, operand: Operand| match operand {
        Operand::Value(value) => values.get(&value).copied().unwrap_or(operand),
        Operand::Constant(_) => operand,
    };
    for (op, result, ty) in &body.steps {
        // Every step was made by `with_operands`.
        let Some(op) = with_operands(op, |operand| other(&values, operand)) else { continue };
        let value = function.values.push(ValueInfo { ty: *ty, name: "".into() });
        values.insert(*result, Operand::Value(value));
        function.instructions.push(Instruction { op, result: Some(value), location: call.location });
    }
    let op = Op::Freeze(other(&values, body.returned));
    function.instructions.push(Instruction { op, result: call.result, location: call.location });
}
