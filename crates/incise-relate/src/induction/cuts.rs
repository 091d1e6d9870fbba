//! Where loops are cut: at a place that every turn of a loop passes.
//!
//! Any such place will do for the proof; which one is chosen decides whether two loops are there equally often. A loop
//! that tests first comes to its header once more than one that tests last comes to its own, so that the place is
//! behind the test where a loop begins with one.

use incise_exec::inside::{Frame, State, sign_extend};
use incise_exec::{End, Note, Outcome, Stack, Strategy, Visit, Watches};
use incise_ir::promotable;
use incise_ir::{
    BinaryOp, BlockId, Cfg, ConstantKind, Dominators, Function, FunctionId, Id, Op, Operand, Program,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Liveness is not looked for in functions with more values times blocks than this.
const MOST_FACTS: usize = 1 << 24;

/// Which place of a loop is chosen.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Preference {
    /// Behind the first test, if nothing is done before it.
    PlainTest,
    /// Behind the first test.
    Test,
    /// The header.
    Header,
}

/// A natural loop.
struct Loop {
    header: BlockId,
    body: BTreeSet<BlockId>,
    latches: Vec<BlockId>,
}

/// A loop of a program, by its header.
pub(crate) type LoopId = (FunctionId, BlockId);

/// Pauses at the places where loops are cut, and explores everything.
pub(crate) struct Cutting {
    watches: Watches,
    /// The steps of the loops, by the places where they are cut.
    pub(super) steps: Steps,
}

/// How many elements the turns of loops do, by the places where these are cut.
pub(super) type Steps = BTreeMap<(FunctionId, BlockId), u64>;

impl Cutting {
    pub(crate) fn new(program: &Program, loops: &BTreeSet<LoopId>, preference: Preference) -> Self {
        let mut watches = Watches::new();
        let mut steps = Steps::new();
        for &(function, header) in loops {
            let body = &program.functions[function];
            let found = natural_loops(body).into_iter().find(|each| each.header == header);
            let place = found.as_ref().map_or(header, |found| found.place(body, preference));
            let step = found.map_or(1, |found| found.step(program, body));
            watches.pause(function, place);
            steps.insert((function, place), step);
        }
        Self { watches, steps }
    }
}

impl Strategy for Cutting {
    fn watches(&self) -> Watches {
        self.watches.clone()
    }

    fn reached(&mut self, _note: &mut Note, _point: u32, _stack: &Stack<'_>) -> Visit {
        Visit::Continue
    }

    fn finished(&mut self, _note: &mut Note, end: &End<'_>) -> bool {
        *end.outcome != Outcome::Pruned
    }
}

impl Loop {
    /// The blocks that every turn passes, in their order.
    fn passed(&self, cfg: &Cfg, dominators: &Dominators) -> Vec<BlockId> {
        let on_all = |block: &BlockId| self.latches.iter().all(|&latch| dominators.dominates(*block, latch));
        let mut blocks: Vec<BlockId> = self.body.iter().copied().filter(on_all).collect();
        blocks.sort_by_key(|&block| cfg.order(block));
        blocks
    }

    /// The block at whose start the loop is cut.
    fn place(&self, function: &Function, preference: Preference) -> BlockId {
        if preference == Preference::Header {
            return self.header;
        }
        let cfg = Cfg::new(function);
        let passed = self.passed(&cfg, &Dominators::new(&cfg));
        let leaves = |block: BlockId| cfg.successors(block).iter().any(|next| !self.body.contains(next));
        let Some(test) = passed.iter().position(|&block| leaves(block)) else { return self.header };
        let Some(&behind) = passed.get(test + 1) else { return self.header };
        if preference == Preference::PlainTest && self.before(&cfg, behind).any(|block| acts(function, block))
        {
            return self.header;
        }
        behind
    }

    /// How many elements a turn does, as far as that can be seen: by how much it moves a variable that decides whether
    /// there is another turn.
    fn step(&self, program: &Program, function: &Function) -> u64 {
        let cfg = Cfg::new(function);
        let slots = promotable(program, function);
        let made: BTreeMap<usize, &Op> = function
            .instructions
            .iter()
            .filter_map(|(_, each)| Some((each.result?.index(), &each.op)))
            .collect();
        // The variable that a value was loaded from.
        let loaded = |operand: &Operand| match operand {
            Operand::Value(value) => match made.get(&value.index()) {
                Some(Op::Load { pointer: Operand::Value(slot), .. }) if slots[slot.index()] => {
                    Some(slot.index())
                }
                _ => None,
            },
            Operand::Constant(_) => None,
        };
        // The variable that an address was computed from.
        let pointed = |operand: &Operand| match operand {
            Operand::Value(value) => match made.get(&value.index()) {
                Some(Op::ElementPointer { base, .. }) => loaded(base),
                _ => loaded(operand),
            },
            Operand::Constant(_) => None,
        };
        let mut moved: BTreeMap<usize, i64> = BTreeMap::new();
        for block in self.passed(&cfg, &Dominators::new(&cfg)) {
            for id in function.block_instructions(block) {
                let Op::Store { value: Operand::Value(value), pointer: Operand::Value(slot), .. } =
                    function.instructions[id].op
                else {
                    continue;
                };
                let by = made.get(&value.index()).and_then(|op| {
                    let (from, by) = moves_by(program, op)?;
                    (loaded(&from) == Some(slot.index())).then_some(by)
                });
                if let Some(by) = by {
                    *moved.entry(slot.index()).or_default() += by;
                }
            }
        }
        let leaves = |block: &&BlockId| cfg.successors(**block).iter().any(|next| !self.body.contains(next));
        let mut tested: BTreeSet<usize> = BTreeSet::new();
        let mut element: BTreeMap<usize, u64> = BTreeMap::new();
        for &block in &self.body {
            let tests = block == self.header || leaves(&&block);
            for id in function.block_instructions(block) {
                let op = &function.instructions[id].op;
                op.for_each_operand(|operand| tested.extend(loaded(&operand).filter(|_| tests)));
                let access = match op {
                    Op::Load { ty, pointer, .. } => {
                        pointed(pointer).map(|slot| (slot, program.types.size_of(*ty)))
                    }
                    Op::Store { value, pointer, .. } => {
                        let ty = program.operand_type(function, *value);
                        pointed(pointer).map(|slot| (slot, program.types.size_of(ty)))
                    }
                    _ => None,
                };
                element.extend(access);
            }
        }
        let steps = moved.iter().filter(|(slot, _)| tested.contains(slot));
        let steps =
            steps.map(|(slot, by)| by.unsigned_abs() / element.get(slot).copied().unwrap_or(1).max(1));
        steps.max().unwrap_or(1).max(1)
    }

    /// The blocks of the loop from which `behind` is still ahead in the same turn.
    fn before(&self, cfg: &Cfg, behind: BlockId) -> impl Iterator<Item = BlockId> + use<> {
        let mut found = BTreeSet::from([self.header]);
        let mut work = vec![self.header];
        while let Some(block) = work.pop() {
            for &next in cfg.successors(block) {
                if next != behind && self.body.contains(&next) && found.insert(next) {
                    work.push(next);
                }
            }
        }
        found.into_iter()
    }
}

/// What an operation moves by a constant, and by how much: elements of a number, bytes of a pointer.
fn moves_by(program: &Program, op: &Op) -> Option<(Operand, i64)> {
    let number = |operand: &Operand| match operand {
        Operand::Constant(id) => {
            let constant = &program.constants[*id];
            let bits = program.types.scalar_bits(constant.ty)?;
            let ConstantKind::Integer(value) = constant.kind else { return None };
            i64::try_from(sign_extend(value, bits)).ok()
        }
        Operand::Value(_) => None,
    };
    match op {
        Op::Binary { op: BinaryOp::Add, left, right, .. } => Some((*left, number(right)?)),
        Op::Binary { op: BinaryOp::Sub, left, right, .. } => Some((*left, number(right)?.checked_neg()?)),
        Op::ElementPointer { base, offset, terms, .. } if terms.is_empty() => Some((*base, *offset)),
        _ => None,
    }
}

/// Whether a block does something that is seen elsewhere.
fn acts(function: &Function, block: BlockId) -> bool {
    function.block_instructions(block).any(|id| match &function.instructions[id].op {
        Op::Store { .. } => true,
        Op::Call(call) => !matches!(call.callee, incise_ir::Callee::Intrinsic(_)),
        _ => false,
    })
}

/// The natural loops of a function; those that share a header are one.
fn natural_loops(function: &Function) -> Vec<Loop> {
    let cfg = Cfg::new(function);
    let dominators = Dominators::new(&cfg);
    let mut loops: Vec<Loop> = Vec::new();
    for &block in cfg.reverse_postorder() {
        for &header in cfg.successors(block).iter().filter(|&&header| dominators.dominates(header, block)) {
            let index = loops.iter().position(|each| each.header == header).unwrap_or_else(|| {
                loops.push(Loop { header, body: BTreeSet::from([header]), latches: Vec::new() });
                loops.len() - 1
            });
            let found = &mut loops[index];
            found.latches.push(block);
            let mut work = vec![block];
            while let Some(block) = work.pop() {
                if found.body.insert(block) {
                    work.extend(cfg.predecessors(block).iter().filter(|&&before| cfg.is_reachable(before)));
                }
            }
        }
    }
    loops
}

/// The edges on which a function goes back to the start of a loop, and how many elements a turn does.
pub(super) fn back_edges(program: &Program, id: FunctionId) -> Vec<(BlockId, BlockId, u64)> {
    let function = &program.functions[id];
    let edges = |each: Loop| {
        let (header, step) = (each.header, each.step(program, function));
        each.latches.into_iter().map(move |latch| (latch, header, step))
    };
    natural_loops(function).into_iter().flat_map(edges).collect()
}

/// All loops of a function.
pub(crate) fn loops_of(program: &Program, id: FunctionId) -> BTreeSet<LoopId> {
    natural_loops(&program.functions[id]).into_iter().map(|each| (id, each.header)).collect()
}

/// How many loops of a function a block is in.
pub(crate) fn nesting(program: &Program, id: FunctionId, block: BlockId) -> usize {
    let loops = natural_loops(&program.functions[id]);
    loops.iter().filter(|each| each.body.contains(&block)).count()
}

/// The loop to cut after a path had too many turns: of those around the branch that it stopped at and not cut yet, the
/// innermost whose end was decided more than once on the path, or the innermost at all. The branch may be in a function
/// that a loop of another one calls.
pub(super) fn loop_to_cut(program: &Program, state: &State, known: &BTreeSet<LoopId>) -> Option<LoopId> {
    let frames = std::iter::once(&state.thread.frame).chain(state.thread.below.iter_newest_first());
    frames.take(64).find_map(|frame| loop_around(program, frame, known))
}

fn loop_around(program: &Program, frame: &Frame, known: &BTreeSet<LoopId>) -> Option<LoopId> {
    let id = frame.code.function;
    let function = &program.functions[id];
    let block_of =
        |pc: u32| frame.code.block_of.get(pc as usize).map(|&block| BlockId::from_index(block as usize));
    let block = block_of(frame.pc.saturating_sub(1))?;
    let mut around: Vec<Loop> = natural_loops(function);
    around.retain(|each| each.body.contains(&block) && !known.contains(&(id, each.header)));
    around.sort_by_key(|each| each.body.len());
    let cfg = Cfg::new(function);
    let decided: BTreeSet<BlockId> = frame
        .branch_counts
        .iter()
        .filter(|(_, count)| *count > 1)
        .filter_map(|&(pc, _)| block_of(pc.saturating_sub(1)))
        .collect();
    let ends = |each: &&Loop| {
        let leaves = |block: &&BlockId| cfg.successors(**block).iter().any(|next| !each.body.contains(next));
        each.body.iter().filter(leaves).any(|block| decided.contains(block))
    };
    let chosen = around.iter().find(ends).or(around.first())?;
    Some((id, chosen.header))
}

/// The values that are used from the start of a block on, after its phi nodes, before they are set again: what the
/// others hold does not matter.
pub(crate) fn live(program: &Program, id: FunctionId, block: BlockId) -> Vec<bool> {
    let function = &program.functions[id];
    let (values, blocks) = (function.values.len(), function.blocks.len());
    if values.saturating_mul(blocks) > MOST_FACTS {
        return vec![true; values];
    }
    let slots = promotable(program, function);
    let cfg = Cfg::new(function);
    let local: Vec<Local> = function.blocks.ids().map(|each| Local::new(function, &slots, each)).collect();
    let mut live: Vec<Vec<bool>> = local.iter().map(|each| each.used.clone()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &block in cfg.reverse_postorder().iter().rev() {
            for &next in cfg.successors(block) {
                let (beyond, ahead) = (&live[next.index()], &local[next.index()]);
                let passed = (0..values).filter(|&value| beyond[value] && !ahead.joined[value]);
                let joined = ahead.arriving.get(&block).into_iter().flatten().copied();
                for value in passed.chain(joined).collect::<Vec<usize>>() {
                    let here = &mut live[block.index()][value];
                    if !*here && !local[block.index()].set[value] {
                        *here = true;
                        changed = true;
                    }
                }
            }
        }
    }
    std::mem::take(&mut live[block.index()])
}

/// What a block does to values.
struct Local {
    /// Used before they are set, not counting phi nodes.
    used: Vec<bool>,
    set: Vec<bool>,
    /// The results of phi nodes.
    joined: Vec<bool>,
    /// What phi nodes use, by the block that control comes from.
    arriving: FxHashMap<BlockId, Vec<usize>>,
}

impl Local {
    fn new(function: &Function, slots: &[bool], block: BlockId) -> Self {
        let count = slots.len();
        let mut local = Self {
            used: vec![false; count],
            set: vec![false; count],
            joined: vec![false; count],
            arriving: FxHashMap::default(),
        };
        let slot = |operand: &Operand| match operand {
            Operand::Value(value) if slots[value.index()] => Some(value.index()),
            _ => None,
        };
        for id in function.block_instructions(block) {
            let instruction = &function.instructions[id];
            if let Op::Phi(incoming) = &instruction.op {
                for (from, operand) in incoming.iter() {
                    if let Operand::Value(value) = operand {
                        local.arriving.entry(*from).or_default().push(value.index());
                    }
                }
                if let Some(result) = instruction.result {
                    local.joined[result.index()] = true;
                }
                continue;
            }
            match &instruction.op {
                Op::Store { value, pointer, .. } if slot(pointer).is_some() => {
                    local.uses(*value);
                    local.set[slot(pointer).unwrap_or_default()] = true;
                }
                op => op.for_each_operand(|operand| local.uses(operand)),
            }
            if let Some(result) = instruction.result {
                local.set[result.index()] = true;
            }
        }
        local
    }

    fn uses(&mut self, operand: Operand) {
        if let Operand::Value(value) = operand
            && !self.set[value.index()]
        {
            self.used[value.index()] = true;
        }
    }
}
