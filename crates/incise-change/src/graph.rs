//! A function as a graph of statements: the control-flow graph of the papers, found in unoptimised IR.
//!
//! A *root* is an instruction that does something: it writes, calls, joins values, decides, or returns. What only
//! computes a value belongs to the root that uses it. Roots that follow each other in one block and come from the same
//! source line are one statement, a [`FlowNode`]. The stores that put parameters into their variables are no
//! statements, and neither is the common end of a function with several returns.

use crate::components::Components;
use incise_ir::{
    BlockId, Callee, Cfg, Function, FunctionId, Id, InstructionId, IntrinsicKind, LocationId, Op, Operand,
    PostDominators, Program, ValueId,
};

/// A statement of a graph.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The node at a position in [`StatementGraph::nodes`].
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("a function has fewer than 2^32 statements"))
    }

    /// Its position in [`StatementGraph::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for NodeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "n{}", self.0)
    }
}

/// What a statement is for.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// It decides where control goes.
    Condition,
    /// It writes a variable or memory, or calls a function.
    Write,
    /// It gives the function's result.
    Return,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct FlowNode {
    /// What it is for.
    pub kind: NodeKind,
    /// Its block.
    pub block: BlockId,
    /// Its first instruction in the block that is no phi: control is at the statement when it is about to be executed.
    pub first: InstructionId,
    /// The instructions that do something, in order. That of a condition ends in the branch.
    pub roots: Vec<InstructionId>,
    /// Where it comes from.
    pub location: Option<LocationId>,
}

/// Where control goes from a statement.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FlowTarget {
    /// To a statement.
    Node(NodeId),
    /// Out of the function: it returns, or the program stops.
    End,
    /// Nowhere: an endless loop without statements.
    Nowhere,
}

impl FlowTarget {
    /// The statement, if it is one.
    pub fn node(self) -> Option<NodeId> {
        match self {
            Self::Node(node) => Some(node),
            _ => None,
        }
    }
}

/// The statements of a function and the ways between them.
#[derive(Clone, Debug)]
pub struct StatementGraph {
    /// The function.
    pub function: FunctionId,
    /// The statements, block after block, each block's in order. Blocks that cannot be reached have none.
    pub nodes: Vec<FlowNode>,
    /// Where the function starts.
    pub entry: FlowTarget,
    /// For each statement, where control goes; for a condition one target for each different successor block, in the
    /// order of the branch.
    pub successors: Vec<Vec<FlowTarget>>,
    /// For each statement, the conditions that decide whether it is executed, in order.
    pub controlled_by: Vec<Vec<NodeId>>,
    /// For each statement, the conditions that decide which of the values it joins is taken (`&&`, `||`, `?:`), in
    /// order.
    pub gated_by: Vec<Vec<NodeId>>,
    /// For each instruction, the statement that it computes for.
    pub owners: Vec<Option<NodeId>>,
    /// The block-level graph.
    pub cfg: Cfg,
    /// For each block, its statements: a range of `nodes`.
    pub block_nodes: Vec<std::ops::Range<usize>>,
}

impl StatementGraph {
    /// The graph of a function that has a body.
    pub fn new(program: &Program, id: FunctionId) -> Self {
        let function = &program.functions[id];
        let cfg = Cfg::new(function);
        let mut graph = Self {
            function: id,
            nodes: Vec::new(),
            entry: FlowTarget::Nowhere,
            successors: Vec::new(),
            controlled_by: Vec::new(),
            gated_by: Vec::new(),
            owners: vec![None; function.instructions.len()],
            block_nodes: vec![0..0; function.blocks.len()],
            cfg,
        };
        let result_slot = result_slot(function);
        let idle = idle(function);
        for block in function.blocks.ids() {
            if !graph.cfg.is_reachable(block) {
                continue;
            }
            let first = graph.nodes.len();
            graph.add_block(program, function, block, result_slot, &idle);
            graph.block_nodes[block.index()] = first..graph.nodes.len();
        }
        graph.connect(function);
        graph.find_control_dependence();
        graph.find_gates(function);
        graph.find_owners(function);
        graph
    }

    /// The ids of the statements, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::from_index)
    }

    /// A statement.
    pub fn node(&self, id: NodeId) -> &FlowNode {
        &self.nodes[id.index()]
    }

    /// Where control goes from a statement.
    pub fn successors(&self, id: NodeId) -> &[FlowTarget] {
        &self.successors[id.index()]
    }

    /// For each statement, whether it is a condition that has a say in how often a loop is gone round: whether it is
    /// executed once more depends on it. In a loop that cannot be left every condition counts as one.
    pub fn repeating(&self) -> Vec<bool> {
        let deciders: Vec<Vec<u32>> = self
            .controlled_by
            .iter()
            .map(|deciders| deciders.iter().map(|decider| decider.index() as u32).collect())
            .collect();
        let components = Components::new(self.nodes.len(), |node| &deciders[node as usize]);
        let leaves = self.ids().filter(|&node| self.successors(node).contains(&FlowTarget::End));
        let can_leave = self.leading_to(leaves);
        let repeats = |node: NodeId| components.cyclic[components.of[node.index()] as usize];
        let condition = |node: NodeId| self.node(node).kind == NodeKind::Condition;
        self.ids().map(|node| condition(node) && (repeats(node) || !can_leave[node.index()])).collect()
    }

    /// For each statement, whether control can go from it to one of these. Each of them leads to itself.
    pub fn leading_to(&self, targets: impl IntoIterator<Item = NodeId>) -> Vec<bool> {
        let mut predecessors = vec![Vec::new(); self.nodes.len()];
        for node in self.ids() {
            for next in self.successors(node).iter().filter_map(|target| target.node()) {
                predecessors[next.index()].push(node);
            }
        }
        let mut found = vec![false; self.nodes.len()];
        let mut work: Vec<NodeId> = targets.into_iter().collect();
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut found[node.index()], true) {
                work.extend(&predecessors[node.index()]);
            }
        }
        found
    }

    /// For each side of a condition, the block that control goes to.
    pub fn side_blocks(&self, id: NodeId) -> &[BlockId] {
        self.cfg.successors(self.node(id).block)
    }

    /// The sides of a condition on which control always comes to a statement.
    pub(crate) fn sides(&self, ends: &PostDominators, condition: NodeId, to: NodeId) -> Vec<usize> {
        let block = self.node(to).block;
        let sides = self.side_blocks(condition).iter().enumerate();
        sides.filter(|(_, side)| ends.post_dominates(block, **side)).map(|(side, _)| side).collect()
    }

    /// The condition that ends a block.
    pub fn condition_of(&self, block: BlockId) -> Option<NodeId> {
        let last = self.block_nodes[block.index()].clone().next_back()?;
        (self.nodes[last].kind == NodeKind::Condition).then(|| NodeId::from_index(last))
    }

    /// The first statement that control meets from the start of a block.
    pub fn first_from(&self, block: BlockId) -> FlowTarget {
        let mut block = block;
        let mut steps = 0;
        loop {
            let nodes = &self.block_nodes[block.index()];
            if !nodes.is_empty() {
                return FlowTarget::Node(NodeId::from_index(nodes.start));
            }
            match self.cfg.successors(block) {
                [] => return FlowTarget::End,
                // A block with several successors ends in a condition, which is a statement.
                [next, ..] => block = *next,
            }
            steps += 1;
            if steps > self.block_nodes.len() {
                return FlowTarget::Nowhere;
            }
        }
    }

    fn add_block(
        &mut self,
        program: &Program,
        function: &Function,
        block: BlockId,
        slot: Option<ValueId>,
        idle: &[bool],
    ) {
        let mut prologue = block.index() == 0;
        // One past the last instruction that an earlier statement of the block took.
        let mut free = None;
        for id in function.block_instructions(block) {
            let instruction = &function.instructions[id];
            let is_phi = matches!(instruction.op, Op::Phi(_));
            if free.is_none() && !is_phi {
                free = Some(id);
            }
            let kind = root_kind(function, id, slot);
            let Some(kind) = kind.or(idle[id.index()].then_some(NodeKind::Write)) else { continue };
            if prologue && is_prologue(function, id, slot) {
                free = Some(InstructionId::from_index(id.index() + 1));
                continue;
            }
            prologue = false;
            let line = instruction.location.map(|location| program.locations[location]);
            let line = line.filter(|at| at.line != 0).map(|at| (at.file, at.line, at.inlined_at));
            let start = self.nodes.len();
            let same_block = self.nodes.last().is_some_and(|node| node.block == block);
            let same_line = |node: &FlowNode| {
                let known = node.location.map(|location| program.locations[location]);
                let known = known.filter(|at| at.line != 0).map(|at| (at.file, at.line, at.inlined_at));
                known.is_some() && (line.is_none() || known == line)
            };
            // Clang gives the joins of `&&` and `||` no line; the statement that uses the joined value follows.
            let only_joins = |node: &FlowNode| {
                let is_join = |root: &InstructionId| matches!(function.instructions[*root].op, Op::Phi(_));
                let placed = node.location.is_some_and(|location| program.locations[location].line != 0);
                !placed && node.roots.iter().all(is_join)
            };
            if same_block && (same_line(&self.nodes[start - 1]) || only_joins(&self.nodes[start - 1])) {
                let node = &mut self.nodes[start - 1];
                if only_joins(node) {
                    node.location = instruction.location;
                }
                node.roots.push(id);
                node.kind = stronger(node.kind, kind);
            } else {
                let first = if is_phi { id } else { free.unwrap_or(id) };
                let location = instruction.location;
                self.nodes.push(FlowNode { kind, block, first, roots: vec![id], location });
            }
            if !is_phi {
                free = Some(InstructionId::from_index(id.index() + 1));
            }
        }
        // Control is never at a phi: its statement begins where the phis end.
        let start = function
            .block_instructions(block)
            .find(|&id| !matches!(function.instructions[id].op, Op::Phi(_)));
        for node in self.nodes.iter_mut().rev().take_while(|node| node.block == block) {
            if let Some(start) = start {
                node.first = node.first.max(start);
            }
        }
    }

    fn connect(&mut self, function: &Function) {
        self.entry = match function.entry() {
            Some(entry) => self.first_from(entry),
            None => FlowTarget::End,
        };
        for index in 0..self.nodes.len() {
            let block = self.nodes[index].block;
            let last_of_block = index + 1 == self.block_nodes[block.index()].end;
            let targets = if !last_of_block {
                vec![FlowTarget::Node(NodeId::from_index(index + 1))]
            } else {
                match self.cfg.successors(block) {
                    [] => vec![FlowTarget::End],
                    blocks => blocks.iter().map(|&next| self.first_from(next)).collect(),
                }
            };
            self.successors.push(targets);
        }
    }

    fn find_control_dependence(&mut self) {
        let dependence = PostDominators::new(&self.cfg).control_dependence(&self.cfg);
        for node in &self.nodes {
            let deciders =
                dependence[node.block.index()].iter().filter_map(|&block| self.condition_of(block));
            let mut deciders: Vec<NodeId> = deciders.collect();
            deciders.sort_unstable();
            self.controlled_by.push(deciders);
        }
    }

    fn find_gates(&mut self, function: &Function) {
        let dependence = PostDominators::new(&self.cfg).control_dependence(&self.cfg);
        for node in &self.nodes {
            let mut gates = Vec::new();
            for &root in &node.roots {
                let Op::Phi(incoming) = &function.instructions[root].op else { continue };
                for &(block, _) in incoming {
                    gates.extend(self.condition_of(block));
                    gates.extend(
                        dependence[block.index()].iter().filter_map(|&block| self.condition_of(block)),
                    );
                }
            }
            gates.sort_unstable();
            gates.dedup();
            self.gated_by.push(gates);
        }
    }

    /// What computes a value belongs to the first statement that needs it.
    fn find_owners(&mut self, function: &Function) {
        let mut definitions = vec![None; function.values.len()];
        for (id, instruction) in function.instructions.iter() {
            if let Some(result) = instruction.result {
                definitions[result.index()] = Some(id);
            }
        }
        for (index, node) in self.nodes.iter().enumerate() {
            for &root in &node.roots {
                self.owners[root.index()] = Some(NodeId::from_index(index));
            }
        }
        for index in 0..self.nodes.len() {
            let mut work = self.nodes[index].roots.clone();
            while let Some(id) = work.pop() {
                function.instructions[id].op.for_each_operand(|operand| {
                    let Operand::Value(value) = operand else { return };
                    let Some(definition) = definitions[value.index()] else { return };
                    if self.owners[definition.index()].is_none() {
                        self.owners[definition.index()] = Some(NodeId::from_index(index));
                        work.push(definition);
                    }
                });
            }
        }
    }
}

/// The kind of a statement that does both.
fn stronger(left: NodeKind, right: NodeKind) -> NodeKind {
    match (left, right) {
        (NodeKind::Condition, _) | (_, NodeKind::Condition) => NodeKind::Condition,
        (NodeKind::Return, _) | (_, NodeKind::Return) => NodeKind::Return,
        _ => NodeKind::Write,
    }
}

/// What an instruction does, if it does something.
fn root_kind(function: &Function, id: InstructionId, slot: Option<ValueId>) -> Option<NodeKind> {
    let several_ways = |op: &Op| {
        let mut targets = Vec::new();
        op.for_each_successor(|target| targets.push(target));
        targets.dedup();
        targets.len() > 1
    };
    match &function.instructions[id].op {
        Op::Store { pointer, .. } => {
            let result = slot.is_some() && *pointer == Operand::Value(slot?);
            Some(if result { NodeKind::Return } else { NodeKind::Write })
        }
        Op::AtomicReadModifyWrite { .. }
        | Op::CompareExchange { .. }
        | Op::Fence { .. }
        | Op::VaArg { .. }
        | Op::Phi(_)
        | Op::LandingPad
        | Op::Unsupported(_)
        | Op::UnsupportedTerminator(_)
        | Op::Resume => Some(NodeKind::Write),
        Op::Alloca { count: Some(_), .. } => Some(NodeKind::Write),
        Op::Load { volatile: true, .. } => Some(NodeKind::Write),
        Op::Call(call) => is_statement(&call.callee).then_some(NodeKind::Write),
        // Only the normal side is executed.
        Op::Invoke { .. } => Some(NodeKind::Write),
        Op::Return(Some(value)) => (!reads_slot(function, *value, slot)).then_some(NodeKind::Return),
        op @ (Op::ConditionalBranch { .. } | Op::Switch { .. } | Op::IndirectBranch { .. }) => {
            several_ways(op).then_some(NodeKind::Condition)
        }
        _ => None,
    }
}

/// The instructions that compute a value which nobody uses, but may fail: `*p;` is a statement.
fn idle(function: &Function) -> Vec<bool> {
    let mut used = vec![false; function.values.len()];
    for (_, instruction) in function.instructions.iter() {
        instruction.op.for_each_operand(|operand| {
            if let Operand::Value(value) = operand {
                used[value.index()] = true;
            }
        });
    }
    let idle = |instruction: &incise_ir::Instruction| {
        let unused = instruction.result.is_some_and(|result| !used[result.index()]);
        let op = &instruction.op;
        unused && matches!(op, Op::Load { .. } | Op::Binary { .. } | Op::ExtractElement { .. })
    };
    function.instructions.iter().map(|(_, instruction)| idle(instruction)).collect()
}

/// Whether a call does something, and not only computes a value.
fn is_statement(callee: &Callee) -> bool {
    use IntrinsicKind::*;
    match callee {
        Callee::Direct(_) | Callee::Indirect(_) => true,
        Callee::Assembly(template) => !template.trim().is_empty(),
        Callee::Intrinsic(intrinsic) => matches!(
            intrinsic.kind,
            MemoryCopy
                | MemoryCopyInline
                | MemoryMove
                | MemorySet
                | MemorySetInline
                | MaskedStore
                | VaStart
                | VaCopy
                | Trap
                | DebugTrap
                | UbsanTrap
                | Unknown
        ),
    }
}

/// The variable that holds the result until the common end of a function with several returns: all returns read it, and
/// the source does not know it.
fn result_slot(function: &Function) -> Option<ValueId> {
    let mut slot = None;
    for (_, instruction) in function.instructions.iter() {
        let Op::Return(Some(Operand::Value(value))) = instruction.op else { continue };
        let read = loaded_from(function, value)?;
        if slot.is_some_and(|known| known != read) {
            return None;
        }
        slot = Some(read);
    }
    let slot = slot?;
    let named = function.variables.iter().any(|variable| variable.storage == Some(Operand::Value(slot)));
    let compiler_made = &*function.values[slot].name == "retval" || function.values[slot].name.is_empty();
    let is_alloca = function
        .instructions
        .iter()
        .any(|(_, each)| each.result == Some(slot) && matches!(each.op, Op::Alloca { .. }));
    let returned = |value: Option<ValueId>| {
        let returns = |op: &Op| matches!(op, Op::Return(Some(Operand::Value(each))) if Some(*each) == value);
        function.instructions.iter().any(|(_, instruction)| returns(&instruction.op))
    };
    let used_plainly = function.instructions.iter().all(|(_, instruction)| match &instruction.op {
        Op::Load { pointer, .. } => *pointer != Operand::Value(slot) || returned(instruction.result),
        Op::Store { value, .. } => *value != Operand::Value(slot),
        op => {
            let mut used = false;
            op.for_each_operand(|operand| used |= operand == Operand::Value(slot));
            !used
        }
    });
    (is_alloca && !named && compiler_made && used_plainly).then_some(slot)
}

/// The address that a value was loaded from.
fn loaded_from(function: &Function, value: ValueId) -> Option<ValueId> {
    let (_, definition) = function.instructions.iter().find(|(_, each)| each.result == Some(value))?;
    match definition.op {
        Op::Load { pointer: Operand::Value(pointer), volatile: false, .. } => Some(pointer),
        _ => None,
    }
}

fn reads_slot(function: &Function, value: Operand, slot: Option<ValueId>) -> bool {
    match (value, slot) {
        (Operand::Value(value), Some(slot)) => loaded_from(function, value) == Some(slot),
        _ => false,
    }
}

/// Whether an address is that of a variable of the function, or of a part of it.
fn is_own(function: &Function, at: InstructionId, mut pointer: ValueId) -> bool {
    for id in (0..at.index()).rev().map(InstructionId::from_index) {
        let instruction = &function.instructions[id];
        if instruction.result == Some(pointer) {
            match instruction.op {
                Op::Alloca { .. } => return true,
                Op::ElementPointer { base: Operand::Value(base), .. } => pointer = base,
                _ => return false,
            }
        }
    }
    false
}

/// Whether a store at the start of a function only puts a parameter, or the first result, where it lives.
fn is_prologue(function: &Function, id: InstructionId, slot: Option<ValueId>) -> bool {
    let instruction = &function.instructions[id];
    let Op::Store { value, pointer: Operand::Value(pointer), .. } = instruction.op else { return false };
    match value {
        Operand::Value(value) => value.index() < function.parameters.len() && is_own(function, id, pointer),
        Operand::Constant(_) => {
            instruction.location.is_none()
                && (slot == Some(pointer) || &*function.values[pointer].name == "retval")
        }
    }
}
