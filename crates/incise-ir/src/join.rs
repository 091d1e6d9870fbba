//! Branches that only choose values become choices: `if (*p == c) last = p;` sets `last` on both sides, to `p` or to
//! what it was. What is set is a local variable, or a number or pointer in a global one.
//!
//! A loop over such a branch has as many paths as turns then, and not twice as many with each turn. What the program
//! does is the same, but where it decides is not: for those who ask whether two programs do the same, and not by which
//! paths. Only what cannot fail is done on both sides: wrapping is no failure, and reading what was read just before is
//! none either.

mod variables;

use crate::inline::inline_values;
use crate::slots::promotable;
use crate::{
    ArithmeticFlags, BinaryOp, Block, BlockId, Cfg, Constant, ConstantId, ConstantKind, Dominators, Function,
    Id, Instruction, InstructionId, Op, Operand, Program, TypeId, ValueId, ValueInfo,
};
use std::collections::{BTreeMap, BTreeSet};
use variables::{Arm, Variable, divides_any, pointer_of};

/// A side with more instructions is not done in vain.
const MOST_INSTRUCTIONS: usize = 80;
/// Addresses that take longer to write down are not compared.
const LONGEST_NAME: usize = 200;

/// So often what calls compute is put in their place, and branches are joined that have no calls any more.
const ROUNDS: usize = 4;

/// The program with branches joined that only choose values, also those of functions that only compute a value.
pub fn join_branches(program: &Program) -> Program {
    let mut joined = join_once(program);
    for _ in 0..ROUNDS {
        if !inline_values(&mut joined) {
            break;
        }
        joined = join_once(&joined);
    }
    joined
}

fn join_once(program: &Program) -> Program {
    let mut joined = program.clone();
    let boolean = joined.types.integer(1);
    let mut constant =
        |bits| joined.constants.push(Constant { ty: boolean, kind: ConstantKind::Integer(bits) });
    let booleans = Booleans { ty: boolean, no: constant(0), yes: constant(1) };
    for id in program.functions.ids().filter(|&id| program.functions[id].is_definition()) {
        if let Some(function) = Joining::new(program, &program.functions[id], booleans).joined() {
            joined.functions[id] = function;
        }
    }
    joined
}

/// The two truth values.
#[derive(Copy, Clone)]
struct Booleans {
    ty: TypeId,
    no: ConstantId,
    yes: ConstantId,
}

/// A function whose branches are being joined.
struct Joining<'p> {
    function: Function,
    /// The instructions of each block.
    blocks: Vec<Vec<Instruction>>,
    /// How many ways lead to each block.
    predecessors: Vec<usize>,
    /// For each value, whether it is a variable that is only loaded and stored.
    slots: Vec<bool>,
    /// The types of such variables.
    types: BTreeMap<usize, TypeId>,
    program: &'p Program,
    original: &'p Function,
    dominators: Dominators,
    booleans: Booleans,
}

/// The memory that was just accessed: accessing it again does not fail.
#[derive(Default)]
struct Reached {
    /// How often variables were set.
    versions: BTreeMap<usize, u32>,
    /// What addresses are computed from, by value.
    names: BTreeMap<ValueId, String>,
    /// The types and addresses of accesses.
    accessed: BTreeSet<(TypeId, String)>,
}

impl Reached {
    /// How an operand is computed from variables and constants; `None` if that is not seen.
    fn name(&self, operand: Operand) -> Option<String> {
        match operand {
            Operand::Constant(constant) => Some(format!("c{}", constant.index())),
            Operand::Value(value) => {
                Some(self.names.get(&value).cloned().unwrap_or(format!("v{}", value.index())))
            }
        }
        .filter(|name| name.len() < LONGEST_NAME)
    }

    /// Whether an instruction reads what was just accessed.
    fn is_known(&self, instruction: &Instruction) -> bool {
        match instruction.op {
            Op::Load { ty, pointer, .. } => {
                self.name(pointer).is_some_and(|name| self.accessed.contains(&(ty, name)))
            }
            _ => false,
        }
    }

    fn pass(&mut self, instruction: &Instruction, slots: &[bool]) {
        let slot = |pointer: &Operand| match pointer {
            Operand::Value(value) if slots[value.index()] => Some(value.index()),
            _ => None,
        };
        let name = match &instruction.op {
            Op::Load { ty, pointer, .. } => match slot(pointer) {
                Some(slot) => Some(format!("s{slot}.{}", self.versions.get(&slot).copied().unwrap_or(0))),
                None => {
                    self.accessed.extend(self.name(*pointer).map(|name| (*ty, name)));
                    None
                }
            },
            Op::Store { pointer, .. } => {
                if let Some(slot) = slot(pointer) {
                    *self.versions.entry(slot).or_default() += 1;
                }
                None
            }
            Op::Cast { op, value } => self.name(*value).map(|name| format!("{op:?}({name})")),
            Op::ElementPointer { base, offset, terms, .. } => {
                let terms: Option<Vec<String>> = terms
                    .iter()
                    .map(|(index, stride)| Some(format!("{}*{stride}", self.name(*index)?)))
                    .collect();
                let base = self.name(*base);
                base.zip(terms).map(|(base, terms)| format!("{base}+{offset}+{}", terms.join("+")))
            }
            // What was there may be gone.
            Op::Call(_) => {
                self.accessed.clear();
                None
            }
            _ => None,
        };
        if let (Some(result), Some(name)) = (instruction.result, name) {
            self.names.insert(result, name);
        }
    }
}

impl<'p> Joining<'p> {
    fn new(program: &'p Program, original: &'p Function, booleans: Booleans) -> Self {
        let block = |id: BlockId| {
            let ids = original.block_instructions(id);
            ids.map(|id| original.instructions[id].clone()).collect()
        };
        let alloca = |(_, instruction): (InstructionId, &Instruction)| match instruction.op {
            Op::Alloca { ty, .. } => Some((instruction.result?.index(), ty)),
            _ => None,
        };
        let blocks: Vec<Vec<Instruction>> = original.blocks.ids().map(block).collect();
        let mut joining = Self {
            function: original.clone(),
            predecessors: vec![0; blocks.len()],
            blocks,
            slots: promotable(program, original),
            types: original.instructions.iter().filter_map(alloca).collect(),
            program,
            original,
            dominators: Dominators::new(&Cfg::new(original)),
            booleans,
        };
        (0..joining.blocks.len()).for_each(|block| joining.count_ways(block, true));
        joining
    }

    /// The function with its branches joined; `None` if there is nothing to join.
    fn joined(mut self) -> Option<Function> {
        let mut changed = false;
        loop {
            let mut again = false;
            // What is within comes behind, most often.
            for block in (0..self.blocks.len()).rev() {
                while self.join(block) {
                    again = true;
                }
            }
            if !again {
                return changed.then(|| self.laid_out());
            }
            changed = true;
        }
    }

    /// Puts the blocks one after the other.
    fn laid_out(self) -> Function {
        let mut function = self.function;
        function.instructions = crate::Arena::new();
        let mut blocks = crate::Arena::new();
        for (instructions, before) in self.blocks.into_iter().zip(function.blocks.iter()) {
            let first = InstructionId::from_index(function.instructions.len());
            for instruction in instructions {
                function.instructions.push(instruction);
            }
            let end = InstructionId::from_index(function.instructions.len());
            blocks.push(Block { label: before.1.label.clone(), first, end });
        }
        function.blocks = blocks;
        function
    }

    /// Counts the ways from a block to others, or takes them back.
    fn count_ways(&mut self, from: usize, there_are: bool) {
        let predecessors = &mut self.predecessors;
        let Some(last) = self.blocks[from].last() else { return };
        last.op.for_each_successor(|next| match there_are {
            true => predecessors[next.index()] += 1,
            false => predecessors[next.index()] -= 1,
        });
    }

    fn end(&self, block: usize) -> &Op {
        // A block ends in a terminator: the program was verified.
        &self.blocks[block][self.blocks[block].len() - 1].op
    }

    /// Whether a block is only come to from another one, which is not itself.
    fn is_side(&self, block: usize, of: usize) -> bool {
        block != of && block != 0 && self.predecessors[block] == 1
    }

    /// Joins the branch at the end of a block, if there is one that only chooses.
    fn join(&mut self, at: usize) -> bool {
        if let Op::Branch(next) = *self.end(at)
            && self.is_side(next.index(), at)
        {
            self.absorb(at, next.index());
            return true;
        }
        let Op::ConditionalBranch { condition, then, otherwise } = *self.end(at) else { return false };
        let (then, otherwise) = (then.index(), otherwise.index());
        if then == otherwise {
            return false;
        }
        let goes_to = |side: usize| match *self.end(side) {
            Op::Branch(next) => Some(next.index()),
            _ => None,
        };
        let sides = [then, otherwise].map(|side| self.is_side(side, at).then(|| goes_to(side)).flatten());
        let join = match sides {
            [Some(one), Some(other)] if one == other => Some((one, [true, true])),
            [Some(next), _] if next == otherwise => Some((next, [true, false])),
            [_, Some(next)] if next == then => Some((next, [false, true])),
            _ => None,
        };
        if let Some((join, done)) = join
            && join != at
        {
            return self.choose(at, condition, [then, otherwise], done, join);
        }
        self.chain(at, condition, [then, otherwise])
    }

    /// A block that only another one leads to, and nowhere else, becomes its end.
    fn absorb(&mut self, at: usize, next: usize) {
        self.count_ways(at, false);
        self.blocks[at].pop();
        let mut instructions = std::mem::take(&mut self.blocks[next]);
        for instruction in &mut instructions {
            if let Op::Phi(incoming) = &instruction.op
                && let [(_, value)] = **incoming
            {
                instruction.op = Op::Freeze(value);
            }
        }
        let (at_id, next_id) = (BlockId::from_index(at), BlockId::from_index(next));
        let mut behind = Vec::new();
        if let Some(last) = instructions.last() {
            last.op.for_each_successor(|block| behind.push(block.index()));
        }
        self.blocks[at].extend(instructions);
        self.close(next);
        for block in behind {
            for instruction in &mut self.blocks[block] {
                let Op::Phi(incoming) = &mut instruction.op else { break };
                incoming.iter_mut().filter(|(from, _)| *from == next_id).for_each(|(from, _)| *from = at_id);
            }
        }
    }

    /// What a block behind another one does, if it can be done in vain: everything but its end.
    fn side(&self, block: usize, behind: usize) -> Option<Arm> {
        let instructions = &self.blocks[block][..self.blocks[block].len() - 1];
        if instructions.len() > MOST_INSTRUCTIONS {
            return None;
        }
        let mut side = Arm::new();
        let mut reached = Reached::default();
        self.blocks[behind].iter().for_each(|instruction| reached.pass(instruction, &self.slots));
        for instruction in instructions {
            let known = reached.is_known(instruction);
            reached.pass(instruction, &self.slots);
            let mut instruction = instruction.clone();
            let read = match instruction.op {
                Op::Load { ty, pointer, .. } => Variable::global(self.program, pointer, ty),
                _ => None,
            };
            match &mut instruction.op {
                Op::Binary { op, flags, right, .. } => {
                    let plain = match op {
                        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
                            divides_any(self.program, *right)
                        }
                        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => self.is_small(*right),
                        _ => true,
                    };
                    if !plain {
                        return None;
                    }
                    *flags = ArithmeticFlags::default();
                }
                Op::IntegerCompare { .. }
                | Op::FloatCompare { .. }
                | Op::FloatNegate(_)
                | Op::Cast { .. }
                | Op::Select { .. }
                | Op::Freeze(_)
                | Op::ElementPointer { .. } => {}
                Op::Load { pointer: Operand::Value(pointer), volatile: false, ordering: None, .. }
                    if self.slots[pointer.index()] =>
                {
                    let slot = pointer.index();
                    match side.stored.get(&Variable::Slot(slot)) {
                        Some((value, _)) => instruction.op = Op::Freeze(*value),
                        None if self.is_set(slot, block) => {}
                        None => return None,
                    }
                }
                Op::Load { volatile: false, ordering: None, .. } if read.is_some() => {
                    let variable = read?;
                    if side.sets_a_part_of(variable, self.program) {
                        return None;
                    }
                    if let Some((value, _)) = side.stored.get(&variable) {
                        instruction.op = Op::Freeze(*value);
                    }
                }
                Op::Store { value, pointer: Operand::Value(pointer), volatile: false, ordering: None }
                    if self.slots[pointer.index()] =>
                {
                    let slot = Variable::Slot(pointer.index());
                    side.stored.insert(slot, (*value, instruction.clone()));
                    continue;
                }
                Op::Store { value, pointer, volatile: false, ordering: None } => {
                    let ty = self.program.operand_type(&self.function, *value);
                    let variable = Variable::global(self.program, *pointer, ty)?;
                    if side.sets_a_part_of(variable, self.program) {
                        return None;
                    }
                    side.stored.insert(variable, (*value, instruction.clone()));
                    continue;
                }
                // What is set comes last, so that nothing may read it before.
                Op::Load { volatile: false, ordering: None, .. } if known && !side.sets_memory() => {}
                _ => return None,
            }
            side.instructions.push(instruction);
        }
        Some(side)
    }

    /// Whether a constant is less than the bits of every type that is shifted.
    fn is_small(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Constant(id)
            if matches!(self.program.constants[id].kind, ConstantKind::Integer(bits) if bits < 8))
    }

    /// Whether a variable was set whenever control comes to a block.
    fn is_set(&self, slot: usize, block: usize) -> bool {
        let block = BlockId::from_index(block);
        let sets = |id: InstructionId| {
            matches!(self.original.instructions[id].op, Op::Store { pointer: Operand::Value(pointer), .. }
                if pointer.index() == slot)
        };
        self.original.blocks.ids().any(|other| {
            other != block
                && self.dominators.dominates(other, block)
                && self.original.block_instructions(other).any(sets)
        })
    }

    fn fresh(&mut self, ty: TypeId) -> ValueId {
        self.slots.push(false);
        self.function.values.push(ValueInfo { ty, name: "".into() })
    }

    /// Both sides of a branch are done, and what they set is chosen. `done` says which sides there are; the other one
    /// is the join itself.
    fn choose(
        &mut self,
        at: usize,
        condition: Operand,
        sides: [usize; 2],
        done: [bool; 2],
        join: usize,
    ) -> bool {
        let mut found = Vec::new();
        for index in [0, 1] {
            let side = match done[index] {
                true => self.side(sides[index], at),
                false => Some(Arm::new()),
            };
            let Some(side) = side else { return false };
            found.push(side);
        }
        let [then, otherwise] = [0, 1].map(|index| &found[index]);
        let mut added: Vec<Instruction> = Vec::new();
        let Some(branch) = self.blocks[at].last().cloned() else { return false };
        let mut stores = Vec::new();
        if then.stored.keys().any(|&variable| otherwise.sets_a_part_of(variable, self.program)) {
            return false;
        }
        let set: BTreeSet<Variable> = then.stored.keys().chain(otherwise.stored.keys()).copied().collect();
        added.extend(then.instructions.iter().chain(&otherwise.instructions).cloned());
        for variable in set {
            let both = then.stored.contains_key(&variable) && otherwise.stored.contains_key(&variable);
            let side = if done[0] { sides[0] } else { sides[1] };
            let ty = match variable {
                // What only one side sets must have been set before.
                Variable::Slot(slot) if both || self.is_set(slot, side) => self.types.get(&slot).copied(),
                Variable::Slot(_) => None,
                Variable::Global { ty, .. } => Some(ty),
            };
            let store = then.stored.get(&variable).or(otherwise.stored.get(&variable));
            let store = store.map(|(_, store)| store.clone());
            let pointer = store.as_ref().and_then(pointer_of);
            let (Some(ty), Some(store), Some(pointer)) = (ty, store, pointer) else { return false };
            let mut value = |joining: &mut Self, side: &Arm| match side.stored.get(&variable) {
                Some((value, _)) => *value,
                None => {
                    let before = joining.fresh(ty);
                    let op = Op::Load { ty, pointer, volatile: false, ordering: None };
                    added.push(Instruction { op, result: Some(before), location: store.location });
                    Operand::Value(before)
                }
            };
            let (one, other) = (value(self, then), value(self, otherwise));
            let chosen = self.fresh(ty);
            let op = Op::Select { condition, then: one, otherwise: other };
            added.push(Instruction { op, result: Some(chosen), location: store.location });
            let op = Op::Store { value: Operand::Value(chosen), pointer, volatile: false, ordering: None };
            stores.push(Instruction { op, ..store });
        }
        // What the join takes from either side is chosen, too.
        let from = [0, 1].map(|index| if done[index] { sides[index] } else { at });
        let mut chosen = Vec::new();
        for index in 0..self.blocks[join].len() {
            let Op::Phi(incoming) = &self.blocks[join][index].op else { break };
            let of =
                |block: usize| incoming.iter().find(|(from, _)| from.index() == block).map(|each| each.1);
            let (Some(one), Some(other)) = (of(from[0]), of(from[1])) else { return false };
            let mut rest: Vec<(BlockId, Operand)> =
                incoming.iter().filter(|(block, _)| !from.contains(&block.index())).copied().collect();
            let Some(result) = self.blocks[join][index].result else { return false };
            let value = self.fresh(self.function.values[result].ty);
            let op = Op::Select { condition, then: one, otherwise: other };
            added.push(Instruction { op, result: Some(value), location: branch.location });
            rest.push((BlockId::from_index(at), Operand::Value(value)));
            chosen.push((index, Op::Phi(rest.into())));
        }
        for (index, op) in chosen {
            self.blocks[join][index].op = op;
        }
        self.count_ways(at, false);
        let block = &mut self.blocks[at];
        block.pop();
        block.extend(added);
        block.extend(stores);
        block.push(Instruction { op: Op::Branch(BlockId::from_index(join)), ..branch });
        self.count_ways(at, true);
        for index in [0, 1] {
            if done[index] {
                self.count_ways(sides[index], false);
                self.close(sides[index]);
            }
        }
        true
    }

    /// A condition behind another one, which leads to the same place if it is not met, is one condition with it.
    fn chain(&mut self, at: usize, condition: Operand, targets: [usize; 2]) -> bool {
        for index in [0, 1] {
            let (next, away) = (targets[index], targets[1 - index]);
            if !self.is_side(next, at) || away == next {
                continue;
            }
            let Op::ConditionalBranch { condition: second, then, otherwise } = *self.end(next) else {
                continue;
            };
            let (then, otherwise) = (then.index(), otherwise.index());
            let on = match (then == away, otherwise == away) {
                (true, false) => otherwise,
                (false, true) => then,
                _ => continue,
            };
            if on == at || away == at || on == next || away == 0 {
                continue;
            }
            let Some(side) = self.side(next, at).filter(|side| side.stored.is_empty()) else { continue };
            if self.merge_chain(at, (condition, index == 0), (second, then == on), side, [next, on, away]) {
                return true;
            }
        }
        false
    }

    /// `first` leads from `at` to `next` if it is as it says, and `second` from there to `on`; else both lead away.
    fn merge_chain(
        &mut self,
        at: usize,
        first: (Operand, bool),
        second: (Operand, bool),
        side: Arm,
        [next, on, away]: [usize; 3],
    ) -> bool {
        let Some(branch) = self.blocks[at].last().cloned() else { return false };
        let (at_id, next_id) = (BlockId::from_index(at), BlockId::from_index(next));
        let mut added = side.instructions;
        let select = |joining: &mut Self, ty, then: Operand, otherwise: Operand| {
            let value = joining.fresh(ty);
            let (then, otherwise) = if first.1 { (then, otherwise) } else { (otherwise, then) };
            let op = Op::Select { condition: first.0, then, otherwise };
            (Operand::Value(value), Instruction { op, result: Some(value), location: branch.location })
        };
        // Where control comes away from both, what it brings is chosen.
        let mut chosen = Vec::new();
        for index in 0..self.blocks[away].len() {
            let Op::Phi(incoming) = &self.blocks[away][index].op else { break };
            let of = |block: BlockId| incoming.iter().find(|(from, _)| *from == block).map(|each| each.1);
            let (Some(mine), Some(theirs)) = (of(at_id), of(next_id)) else { return false };
            let mut rest: Vec<(BlockId, Operand)> =
                incoming.iter().filter(|(block, _)| ![at_id, next_id].contains(block)).copied().collect();
            let Some(result) = self.blocks[away][index].result else { return false };
            let ty = self.function.values[result].ty;
            let (value, instruction) = select(self, ty, theirs, mine);
            added.push(instruction);
            rest.push((at_id, value));
            chosen.push((index, Op::Phi(rest.into())));
        }
        // True where the second condition is to be taken as it is, or the way is away.
        let stays = Operand::Constant(if second.1 { self.booleans.no } else { self.booleans.yes });
        let (both, instruction) = select(self, self.booleans.ty, second.0, stays);
        added.push(instruction);
        for (index, op) in chosen {
            self.blocks[away][index].op = op;
        }
        for instruction in &mut self.blocks[on] {
            let Op::Phi(incoming) = &mut instruction.op else { break };
            incoming.iter_mut().filter(|(from, _)| *from == next_id).for_each(|(from, _)| *from = at_id);
        }
        let (on, away) = (BlockId::from_index(on), BlockId::from_index(away));
        let (then, otherwise) = if second.1 { (on, away) } else { (away, on) };
        let op = Op::ConditionalBranch { condition: both, then, otherwise };
        self.count_ways(at, false);
        self.count_ways(next, false);
        let block = &mut self.blocks[at];
        block.pop();
        block.extend(added);
        block.push(Instruction { op, ..branch });
        self.count_ways(at, true);
        self.close(next);
        true
    }

    /// Nobody comes to a block any more.
    fn close(&mut self, block: usize) {
        self.blocks[block] = vec![Instruction { op: Op::Unreachable, result: None, location: None }];
    }
}
