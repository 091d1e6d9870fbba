//! Functions that call themselves last as the loops that they are.
//!
//! `return gcd(b, a % b);` goes on at the beginning with other arguments. `return n * product(n - 1);` does so, too, if
//! the factor is kept: what is still to be multiplied is 1 at first, and each call multiplies it. That is right for
//! operations on whole numbers whose operands may come in any order: sums, products, and those bit by bit, as they wrap
//! around. What the program does is the same, but that it needs no room on the stack and that the operands of such an
//! operation come in another order: for those who compare the result with that of a loop, where overflow is no error.
//!
//! A function is left as it is if it calls itself elsewhere, has variables whose address it uses, or does anything
//! between such a call and its end but to compute its result.

use crate::slots::is_lifetime_marker;
use crate::{
    ArithmeticFlags, BinaryOp, Block, BlockId, Call, Callee, Constant, ConstantKind, Function, FunctionId,
    Id, Instruction, InstructionId, Op, Operand, Program, Type, TypeId, ValueId, ValueInfo, promotable,
};
use std::collections::{BTreeMap, BTreeSet};

/// So many blocks may be between a call and the end of its function.
const MOST_BLOCKS: usize = 8;

/// The program with such functions as loops, those that an entry may call by their names, and what these are called;
/// `None` if there are none.
pub fn recursion_as_loops(program: &Program, entry: &str) -> Option<(Program, Vec<String>)> {
    let calls_itself = |id: &FunctionId| {
        program.functions[*id].instructions.iter().any(|(_, each)| own_call(each, *id).is_some())
    };
    let called = called_by_name(program, program.function_named(entry), usize::MAX);
    let found: Vec<FunctionId> = called.into_iter().filter(calls_itself).collect();
    if found.is_empty() {
        return None;
    }
    let mut changed = program.clone();
    let mut names = Vec::new();
    for id in found {
        if let Some(looping) = Looping::new(&mut changed, id).and_then(Looping::looped) {
            names.push(program.functions[id].name.clone());
            changed.functions[id] = looping;
        }
    }
    (!names.is_empty()).then_some((changed, names))
}

/// An entry and the functions that it calls by their names, directly or further down, in order; no more are looked at
/// once there are so many.
pub fn called_by_name(program: &Program, entry: Option<FunctionId>, most: usize) -> BTreeSet<FunctionId> {
    let mut found: BTreeSet<FunctionId> = entry.into_iter().collect();
    let mut work: Vec<FunctionId> = found.iter().copied().collect();
    while let Some(id) = work.pop().filter(|_| found.len() < most) {
        for (_, instruction) in program.functions[id].instructions.iter() {
            if let Op::Call(call) = &instruction.op
                && let Callee::Direct(callee) = call.callee
                && found.insert(callee)
            {
                work.push(callee);
            }
        }
    }
    found
}

/// The call that an instruction is, if it is one of the function itself.
fn own_call(instruction: &Instruction, function: FunctionId) -> Option<&Call> {
    let Op::Call(call) = &instruction.op else { return None };
    matches!(call.callee, Callee::Direct(callee) if callee == function).then_some(call)
}

/// A call of the function itself, after which nothing is left to do but to compute the result.
struct Last {
    block: usize,
    at: usize,
    /// What is done with its result, and with what.
    combined: Option<(BinaryOp, Operand)>,
}

/// A value between a call and the end.
#[derive(Copy, Clone, PartialEq)]
enum Held {
    /// The result of the call.
    Result,
    /// The result combined with something.
    Combined(BinaryOp, Operand),
    /// What has nothing to do with it.
    Other(Operand),
}

/// A function that becomes a loop.
struct Looping<'p> {
    program: &'p mut Program,
    id: FunctionId,
    function: Function,
    /// The instructions of each block.
    blocks: Vec<Vec<Instruction>>,
    slots: Vec<bool>,
    /// Where each parameter is kept.
    kept: Vec<Vec<ValueId>>,
    /// Whether nothing is written but variables of its own, and nothing else is called.
    quiet: bool,
}

impl<'p> Looping<'p> {
    fn new(program: &'p mut Program, id: FunctionId) -> Option<Self> {
        let function = program.functions[id].clone();
        let plain = |parameter: &crate::Parameter| parameter.by_value.is_none() && !parameter.struct_return;
        if function.variadic || !function.parameters.iter().all(plain) {
            return None;
        }
        let slots = promotable(program, &function);
        let block = |id: BlockId| {
            let ids = function.block_instructions(id);
            ids.map(|id| function.instructions[id].clone()).collect()
        };
        let blocks = function.blocks.ids().map(block).collect();
        let kept = vec![Vec::new(); function.parameters.len()];
        let quiet = function.instructions.iter().all(|(_, each)| is_quiet(each, id, &slots));
        Some(Self { program, id, function, blocks, slots, kept, quiet })
    }

    fn looped(mut self) -> Option<Function> {
        let head = self.split()?;
        let lasts = self.lasts()?;
        let operations: Vec<BinaryOp> = lasts.iter().filter_map(|last| Some(last.combined?.0)).collect();
        let operation = operations.first().copied();
        if operations.iter().any(|each| Some(*each) != operation) {
            return None;
        }
        let rest = match operation {
            Some(operation) => Some((operation, self.keep_rest(operation)?)),
            None => None,
        };
        for last in lasts {
            self.go_back(last, head, rest.map(|(_, rest)| rest))?;
        }
        if let Some((operation, rest)) = rest {
            self.combine_returned(operation, rest)?;
        }
        Some(self.laid_out())
    }

    /// Parts what is done once, to make variables and to keep parameters in them, from what each call does: that
    /// becomes a block of its own, which is returned.
    fn split(&mut self) -> Option<usize> {
        let parameters = self.function.parameters.len();
        let mut behind = self.blocks[0].len();
        for (at, instruction) in self.blocks[0].iter().enumerate() {
            match &instruction.op {
                Op::Alloca { .. } => {}
                op if is_lifetime_marker(op) => {}
                Op::Store {
                    value: Operand::Value(value),
                    pointer: Operand::Value(slot),
                    volatile: false,
                    ..
                } if value.index() < parameters && self.slots[slot.index()] => {
                    self.kept[value.index()].push(*slot);
                }
                _ => {
                    behind = at;
                    break;
                }
            }
        }
        let rest = self.blocks[0].split_off(behind);
        let head = self.blocks.len();
        self.blocks.push(rest);
        let (old, new) = (BlockId::from_index(0), BlockId::from_index(head));
        for block in self.next(head) {
            for instruction in &mut self.blocks[block] {
                let Op::Phi(incoming) = &mut instruction.op else { break };
                incoming.iter_mut().filter(|(block, _)| *block == old).for_each(|(block, _)| *block = new);
            }
        }
        // All variables are made there, none has an address that is used, and parameters are nowhere else.
        let is_other_slot = |each: &Instruction| matches!(each.op, Op::Alloca { .. });
        if self.blocks[1..].iter().flatten().any(is_other_slot) {
            return None;
        }
        let is_known = |each: &Instruction| {
            !is_other_slot(each) || each.result.is_some_and(|slot| self.slots[slot.index()])
        };
        if !self.blocks[0].iter().all(is_known) {
            return None;
        }
        let mut used = false;
        for instruction in self.blocks[1..].iter().flatten() {
            let is_parameter =
                |operand| matches!(operand, Operand::Value(value) if value.index() < parameters);
            instruction.op.for_each_operand(|operand| used |= is_parameter(operand));
        }
        let branch = Op::Branch(BlockId::from_index(head));
        let location = self.blocks[head].first().and_then(|each| each.location);
        self.blocks[0].push(Instruction { op: branch, result: None, location });
        (!used).then_some(head)
    }

    /// The calls of the function itself, if all of them are the last that is done.
    fn lasts(&self) -> Option<Vec<Last>> {
        let mut found = Vec::new();
        for (block, instructions) in self.blocks.iter().enumerate() {
            let calls =
                || instructions.iter().enumerate().filter(|(_, each)| own_call(each, self.id).is_some());
            for (at, instruction) in calls() {
                let call = own_call(instruction, self.id)?;
                let fits = call.by_value.is_empty() && call.arguments.len() == self.kept.len();
                // Another call before it would be done once more, and its result is no number that is at hand.
                if !fits || calls().count() > 1 {
                    return None;
                }
                found.push(Last { block, at, combined: self.followed(block, at)? });
            }
        }
        Some(found)
    }

    /// What is done with the result of a call up to the end of the function; `None` if that is more than to return it,
    /// or to combine it.
    fn followed(&self, block: usize, at: usize) -> Option<Option<(BinaryOp, Operand)>> {
        let mut values: BTreeMap<ValueId, Held> = BTreeMap::new();
        let mut slots: BTreeMap<ValueId, Held> = BTreeMap::new();
        values.extend(self.blocks[block][at].result.map(|result| (result, Held::Result)));
        let (mut here, mut first, mut before) = (block, at + 1, block);
        for _ in 0..MOST_BLOCKS {
            let held = |values: &BTreeMap<ValueId, Held>, operand: Operand| match operand {
                Operand::Value(value) => values.get(&value).copied().unwrap_or(Held::Other(operand)),
                Operand::Constant(_) => Held::Other(operand),
            };
            let mut next = None;
            for instruction in &self.blocks[here][first..] {
                let made = match &instruction.op {
                    op if is_lifetime_marker(op) => continue,
                    Op::Return(None) => return Some(None),
                    Op::Return(Some(value)) => {
                        return match held(&values, *value) {
                            Held::Result => Some(None),
                            Held::Combined(operation, with) => Some(Some((operation, with))),
                            Held::Other(_) => None,
                        };
                    }
                    Op::Branch(target) => {
                        next = Some(target.index());
                        break;
                    }
                    Op::Phi(incoming) => {
                        let from = |(block, _): &&(BlockId, Operand)| block.index() == before;
                        held(&values, incoming.iter().find(from)?.1)
                    }
                    Op::Store { value, pointer: Operand::Value(slot), volatile: false, .. }
                        if self.slots[slot.index()] =>
                    {
                        slots.insert(*slot, held(&values, *value));
                        continue;
                    }
                    // What was put there after the call, and is not the result, would have to be put there before.
                    Op::Load { pointer: Operand::Value(slot), volatile: false, .. }
                        if slots.contains_key(slot) =>
                    {
                        match slots[slot] {
                            Held::Other(_) => return None,
                            held => held,
                        }
                    }
                    Op::Binary { op, left, right, .. } => {
                        match (held(&values, *left), held(&values, *right)) {
                            (Held::Result, Held::Other(with)) | (Held::Other(with), Held::Result)
                                if is_of_any_order(*op) =>
                            {
                                Held::Combined(*op, with)
                            }
                            // What is at hand is computed where it stands, before the function begins again.
                            (Held::Other(_), Held::Other(_)) if here == block && is_total(*op) => {
                                Held::Other(Operand::Value(instruction.result?))
                            }
                            _ => return None,
                        }
                    }
                    op if here == block && self.is_at_hand(op) => {
                        let mut own = true;
                        op.for_each_operand(|operand| {
                            own &= matches!(held(&values, operand), Held::Other(_));
                        });
                        if !own {
                            return None;
                        }
                        Held::Other(Operand::Value(instruction.result?))
                    }
                    _ => return None,
                };
                values.insert(instruction.result?, made);
            }
            (before, here, first) = (here, next?, 0);
        }
        None
    }

    /// Whether an instruction computes the same before a call as after it.
    fn is_at_hand(&self, op: &Op) -> bool {
        match op {
            Op::Load { volatile, ordering, pointer, .. } => {
                let own = matches!(pointer, Operand::Value(slot) if self.slots[slot.index()]);
                // Who writes nothing but its own variables finds the rest of memory as it was.
                !volatile && ordering.is_none() && (own || self.quiet)
            }
            Op::Cast { .. } | Op::ElementPointer { .. } | Op::IntegerCompare { .. } => true,
            _ => false,
        }
    }

    /// Makes the variable that holds what is still to be combined with the result.
    fn keep_rest(&mut self, operation: BinaryOp) -> Option<ValueId> {
        let ty = self.function.result;
        let Type::Integer(bits @ 1..=128) = *self.program.types.get(ty) else { return None };
        let neutral = match operation {
            BinaryOp::Mul => 1,
            BinaryOp::And => u128::MAX >> (128 - bits),
            _ => 0,
        };
        let neutral = self.constant(ty, ConstantKind::Integer(neutral));
        let pointer = self.program.types.pointer();
        let rest = self.fresh(pointer);
        let location = self.blocks[0].last().and_then(|each| each.location);
        let align = u64::from(bits.next_power_of_two().clamp(8, 128) / 8);
        let alloca = Op::Alloca { ty, count: None, align };
        self.blocks[0].insert(0, Instruction { op: alloca, result: Some(rest), location });
        let end = self.blocks[0].len() - 1;
        self.blocks[0].insert(end, Instruction { op: store(neutral, rest), result: None, location });
        Some(rest)
    }

    /// What is returned at the end is combined with what was kept.
    fn combine_returned(&mut self, operation: BinaryOp, rest: ValueId) -> Option<()> {
        let ty = self.function.result;
        for block in 0..self.blocks.len() {
            let Some(Instruction { op: Op::Return(returned), location, .. }) = self.blocks[block].last()
            else {
                continue;
            };
            let (returned, location) = ((*returned)?, *location);
            let [known, combined] = [self.fresh(ty), self.fresh(ty)];
            self.blocks[block].pop();
            let op = combination(operation, Operand::Value(known), returned);
            self.blocks[block].extend([
                Instruction { op: load(ty, rest), result: Some(known), location },
                Instruction { op, result: Some(combined), location },
                Instruction { op: Op::Return(Some(Operand::Value(combined))), result: None, location },
            ]);
        }
        Some(())
    }

    /// Begins again where the function would call itself.
    fn go_back(&mut self, last: Last, head: usize, rest: Option<ValueId>) -> Option<()> {
        let Last { block, at, combined } = last;
        for next in self.next(block) {
            for instruction in &mut self.blocks[next] {
                let Op::Phi(incoming) = &mut instruction.op else { break };
                let others = incoming.iter().filter(|(from, _)| from.index() != block);
                *incoming = others.copied().collect();
            }
        }
        let mut behind = self.blocks[block].split_off(at);
        let call = behind.remove(0);
        let location = call.location;
        let arguments = own_call(&call, self.id)?.arguments.to_vec();
        // What is computed from the result is gone, and so is what would be done with it.
        let mut gone: Vec<ValueId> = call.result.into_iter().collect();
        behind.retain(|each| {
            let mut own = matches!(each.op, Op::Binary { .. }) || self.is_at_hand(&each.op);
            each.op.for_each_operand(|operand| {
                own &= !matches!(operand, Operand::Value(value) if gone.contains(&value));
            });
            gone.extend(each.result.filter(|_| !own));
            own
        });
        self.blocks[block].extend(behind);
        let ty = self.function.result;
        if let (Some((operation, with)), Some(rest)) = (combined, rest) {
            let [known, more] = [self.fresh(ty), self.fresh(ty)];
            let op = combination(operation, Operand::Value(known), with);
            self.blocks[block].extend([
                Instruction { op: load(ty, rest), result: Some(known), location },
                Instruction { op, result: Some(more), location },
                Instruction { op: store(Operand::Value(more), rest), result: None, location },
            ]);
        }
        for (slot, ty) in self.variables(rest) {
            let undefined = self.constant(ty, ConstantKind::Undef);
            self.blocks[block].push(Instruction { op: store(undefined, slot), result: None, location });
        }
        for (slots, argument) in self.kept.iter().zip(arguments) {
            let stores = slots.iter().map(|&slot| store(argument, slot));
            self.blocks[block].extend(stores.map(|op| Instruction { op, result: None, location }));
        }
        let op = Op::Branch(BlockId::from_index(head));
        self.blocks[block].push(Instruction { op, result: None, location });
        Some(())
    }

    /// The variables of each call that hold no parameter: nothing is in them when it begins.
    fn variables(&self, rest: Option<ValueId>) -> Vec<(ValueId, TypeId)> {
        let made = self.blocks[0].iter().filter_map(|each| match each.op {
            Op::Alloca { ty, .. } => Some((each.result?, ty)),
            _ => None,
        });
        let is_own =
            |slot: ValueId| Some(slot) == rest || self.kept.iter().flatten().any(|kept| *kept == slot);
        made.filter(|(slot, _)| !is_own(*slot)).collect()
    }

    fn next(&self, block: usize) -> Vec<usize> {
        let mut found = Vec::new();
        if let Some(last) = self.blocks[block].last() {
            last.op.for_each_successor(|next| found.push(next.index()));
        }
        found
    }

    fn constant(&mut self, ty: TypeId, kind: ConstantKind) -> Operand {
        Operand::Constant(self.program.constants.push(Constant { ty, kind }))
    }

    fn fresh(&mut self, ty: TypeId) -> ValueId {
        self.function.values.push(ValueInfo { ty, name: "".into() })
    }

    /// Puts the blocks one after the other.
    fn laid_out(self) -> Function {
        let mut function = self.function;
        let labels: Vec<_> = function.blocks.iter().map(|(_, block)| block.label.clone()).collect();
        (function.instructions, function.blocks) = (crate::Arena::new(), crate::Arena::new());
        for (index, instructions) in self.blocks.into_iter().enumerate() {
            let first = InstructionId::from_index(function.instructions.len());
            for instruction in instructions {
                function.instructions.push(instruction);
            }
            let end = InstructionId::from_index(function.instructions.len());
            function.blocks.push(Block { label: labels.get(index).cloned().unwrap_or_default(), first, end });
        }
        function
    }
}

/// Whether an instruction writes nothing but variables of the function, and calls nothing but that.
fn is_quiet(instruction: &Instruction, function: FunctionId, slots: &[bool]) -> bool {
    match &instruction.op {
        Op::Store { pointer: Operand::Value(slot), .. } => slots[slot.index()],
        Op::Store { .. }
        | Op::Invoke { .. }
        | Op::AtomicReadModifyWrite { .. }
        | Op::CompareExchange { .. }
        | Op::VaArg { .. } => false,
        Op::Call(_) => own_call(instruction, function).is_some() || is_lifetime_marker(&instruction.op),
        _ => true,
    }
}

/// Whether operands of whole numbers may come in any order, and be put together in any.
fn is_of_any_order(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
}

/// Whether an operation cannot fail, so that it does not matter that it is done earlier.
fn is_total(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem)
}

fn combination(op: BinaryOp, left: Operand, right: Operand) -> Op {
    Op::Binary { op, left, right, flags: ArithmeticFlags::default() }
}

fn load(ty: TypeId, slot: ValueId) -> Op {
    Op::Load { ty, pointer: Operand::Value(slot), volatile: false, ordering: None }
}

fn store(value: Operand, slot: ValueId) -> Op {
    Op::Store { value, pointer: Operand::Value(slot), volatile: false, ordering: None }
}
