//! The instructions of a function that do something, in order, with the edges between them: what an alignment compares.
//!
//! Statements are these instructions grouped by source line. The grouping may differ between two versions that only
//! differ in their line breaks, so that versions are compared instruction by instruction, and statements are told from
//! that.

use crate::fingerprint::{is_silent, mix_shape};
use crate::graph::{NodeId, StatementGraph};
use crate::hash::{Fingerprint, Mixer};
use crate::symbols::Symbols;
use incise_ir::{
    BinaryOp, BlockId, Callee, ConstantKind, Function, Id, InstructionId, Op, Operand, Program, ValueId,
};

/// Where control goes from a root.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Root(usize),
    End,
    Nowhere,
}

/// The roots of a function.
pub(crate) struct Roots<'a> {
    pub(crate) program: &'a Program,
    pub(crate) symbols: &'a Symbols,
    pub(crate) function: &'a Function,
    pub(crate) graph: &'a StatementGraph,
    /// The instructions, in order.
    pub(crate) list: Vec<InstructionId>,
    /// For each root, its statement.
    pub(crate) nodes: Vec<NodeId>,
    /// For each instruction, its number among the roots.
    numbers: Vec<Option<usize>>,
    /// For each instruction, its block.
    blocks: Vec<BlockId>,
    /// For each instruction, how many roots come before it.
    before: Vec<usize>,
    /// For each block, its roots.
    ranges: Vec<std::ops::Range<usize>>,
    /// For each value, the instruction that makes it.
    definitions: Vec<Option<InstructionId>>,
    /// For each instruction, what it does, without its operands.
    shapes: Vec<Fingerprint>,
    /// The variable that holds the result until the common end.
    slot: Option<ValueId>,
}

impl<'a> Roots<'a> {
    pub(crate) fn new(program: &'a Program, symbols: &'a Symbols, graph: &'a StatementGraph) -> Self {
        let function = &program.functions[graph.function];
        let count = function.instructions.len();
        let mut roots = Self {
            program,
            symbols,
            function,
            graph,
            list: Vec::new(),
            nodes: Vec::new(),
            numbers: vec![None; count],
            blocks: vec![BlockId::from_index(0); count],
            before: vec![0; count],
            ranges: vec![0..0; function.blocks.len()],
            definitions: vec![None; function.values.len()],
            shapes: Vec::with_capacity(count),
            slot: None,
        };
        for (_, instruction) in function.instructions.iter() {
            let mut mixer = Mixer::new("shape");
            mix_shape(program, symbols, function, instruction, &mut mixer);
            roots.shapes.push(mixer.done());
        }
        for (index, node) in graph.nodes.iter().enumerate() {
            for &root in &node.roots {
                roots.numbers[root.index()] = Some(roots.list.len());
                roots.list.push(root);
                roots.nodes.push(NodeId::from_index(index));
            }
        }
        let mut before = 0;
        for block in function.blocks.ids() {
            let first = before;
            for id in function.block_instructions(block) {
                roots.blocks[id.index()] = block;
                roots.before[id.index()] = before;
                before += usize::from(roots.numbers[id.index()].is_some());
                if let Some(result) = function.instructions[id].result {
                    roots.definitions[result.index()] = Some(id);
                }
            }
            roots.ranges[block.index()] = first..before;
        }
        roots.slot = roots.find_slot();
        roots
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn op(&self, root: usize) -> &'a Op {
        &self.function.instructions[self.list[root]].op
    }

    pub(crate) fn definition(&self, value: ValueId) -> Option<InstructionId> {
        self.definitions[value.index()]
    }

    /// What an instruction does, without its operands.
    pub(crate) fn shape(&self, id: InstructionId) -> Fingerprint {
        self.shapes[id.index()]
    }

    /// The root that makes a value.
    pub(crate) fn root_of_value(&self, value: ValueId) -> Option<usize> {
        self.definition(value).and_then(|id| self.number(id))
    }

    pub(crate) fn number(&self, id: InstructionId) -> Option<usize> {
        self.numbers[id.index()]
    }

    pub(crate) fn block(&self, id: InstructionId) -> BlockId {
        self.blocks[id.index()]
    }

    pub(crate) fn block_roots(&self, block: BlockId) -> std::ops::Range<usize> {
        self.ranges[block.index()].clone()
    }

    /// The variable that holds the result until the common end.
    pub(crate) fn slot(&self) -> Option<ValueId> {
        self.slot
    }

    /// What a root gives as the function's result, if that is what it does.
    pub(crate) fn returned(&self, root: usize) -> Option<Operand> {
        match *self.op(root) {
            Op::Return(value) => value,
            Op::Store { value, pointer: Operand::Value(pointer), .. } if self.slot == Some(pointer) => {
                Some(value)
            }
            _ => None,
        }
    }

    /// How far a value is made before its user, in roots: other roots may change what it was made from. `None` if
    /// nothing is between.
    pub(crate) fn displacement(&self, definition: InstructionId, user: InstructionId) -> Option<usize> {
        if self.block(definition) == self.block(user) {
            let between = self.before[user.index()].saturating_sub(self.before[definition.index()]);
            return (between > 0).then_some(2 * between);
        }
        let end = self.block_roots(self.block(definition)).end;
        Some(2 * (end - self.before[definition.index()]) + 1)
    }

    /// The first root that is executed after an instruction which is no root itself.
    pub(crate) fn next_after(&self, id: InstructionId) -> Next {
        let range = self.block_roots(self.block(id));
        let next = self.before[id.index()];
        if next < range.end {
            return Next::Root(next);
        }
        match self.graph.cfg.successors(self.block(id)) {
            [] => Next::End,
            [block, ..] => self.first_from(*block, |_| ()),
        }
    }

    /// The first root from the start of a block; `visit` is called with each block on the way.
    pub(crate) fn first_from(&self, block: BlockId, mut visit: impl FnMut(BlockId)) -> Next {
        let mut block = block;
        for _ in 0..=self.ranges.len() {
            visit(block);
            let range = self.block_roots(block);
            if !range.is_empty() {
                return Next::Root(range.start);
            }
            match self.graph.cfg.successors(block) {
                [] => return Next::End,
                [next, ..] => block = *next,
            }
        }
        Next::Nowhere
    }

    /// The edges that lead to a block's phis by way of one of its predecessors: the root and its side, `None` for the
    /// function's entry.
    pub(crate) fn edges_through(&self, from: BlockId, to: BlockId) -> Vec<Option<(usize, usize)>> {
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![(from, to)];
        while let Some((from, to)) = work.pop() {
            let range = self.block_roots(from);
            if !range.is_empty() {
                let side = self.graph.cfg.successors(from).iter().position(|&each| each == to);
                found.push(Some((range.end - 1, side.unwrap_or(0))));
                continue;
            }
            if !seen.insert(from) {
                continue;
            }
            if from.index() == 0 {
                found.push(None);
            }
            let reachable = self.graph.cfg.predecessors(from).iter();
            let reachable = reachable.filter(|&&block| self.graph.cfg.is_reachable(block));
            work.extend(reachable.map(|&block| (block, from)));
        }
        found
    }

    /// Whether an instruction belongs to no statement and yet does something: it can fail, or it ends the life of an
    /// object.
    pub(crate) fn is_loose(&self, id: InstructionId) -> bool {
        if self.numbers[id.index()].is_some() || self.graph.owners[id.index()].is_some() {
            return false;
        }
        match &self.function.instructions[id].op {
            op @ Op::Call(_) => !is_silent(op),
            op => self.can_fail(op),
        }
    }

    /// Whether an instruction that is no root can fail.
    pub(crate) fn can_fail(&self, op: &Op) -> bool {
        let constant = |operand: &Operand| match operand {
            Operand::Constant(id) => Some(&self.program.constants[*id].kind),
            Operand::Value(_) => None,
        };
        match op {
            Op::Load { pointer: Operand::Value(value), .. } => {
                let definition = self.definition(*value).map(|id| &self.function.instructions[id].op);
                !matches!(definition, Some(Op::Alloca { .. }))
            }
            Op::Load { pointer, .. } => !matches!(constant(pointer), Some(ConstantKind::Global(_))),
            Op::Binary {
                op: BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem,
                right,
                ..
            } => !matches!(constant(right), Some(ConstantKind::Integer(number)) if *number != 0),
            _ => false,
        }
    }

    /// Whether it matters when an instruction that is no root is executed: it reads memory, can fail, or asks the
    /// machine.
    pub(crate) fn is_timed(&self, op: &Op) -> bool {
        match op {
            Op::Load { .. } => true,
            Op::Call(call) => matches!(call.callee, Callee::Intrinsic(_) | Callee::Assembly(_)),
            op => self.can_fail(op),
        }
    }

    /// All returns read this variable, and the graph takes storing to it for returning.
    fn find_slot(&self) -> Option<ValueId> {
        let mut found = None;
        for (id, instruction) in self.function.instructions.iter() {
            let Op::Return(Some(Operand::Value(value))) = instruction.op else { continue };
            if !self.graph.cfg.is_reachable(self.block(id)) {
                continue;
            }
            if self.number(id).is_some() {
                return None;
            }
            let load = &self.function.instructions[self.definition(value)?].op;
            let Op::Load { pointer: Operand::Value(pointer), .. } = *load else { return None };
            found = Some(pointer);
        }
        found
    }
}
