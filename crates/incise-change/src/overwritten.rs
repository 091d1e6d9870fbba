//! Which writes of a variable are still there when it is read: a write that covers all of a variable hides the earlier
//! ones.
//!
//! Only variables count whose address goes nowhere and that are written as a whole. A statement hides earlier writes if
//! it stores to the variable whenever it is executed; it reads at the time when control is at it only if nothing of
//! what it reads was loaded before, for another statement to come first (`f(x,` on one line, `x = 1)` on the next).

use crate::bits::BitSet;
use crate::graph::{FlowTarget, NodeId, StatementGraph};
use crate::places::{Base, Places};
use incise_ir::{Function, Id, InstructionId, Op, Operand, Program, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

/// Which writes of variables reach which statements.
#[derive(Debug)]
pub(crate) struct Overwritten {
    variables: FxHashMap<ValueId, Variable>,
    /// For each statement, those that control may come to next.
    next: Vec<Box<[NodeId]>>,
    /// Where the function starts.
    entry: Option<NodeId>,
}

/// A variable that is written as a whole by more than one statement, or after it got the value of a parameter.
#[derive(Debug)]
struct Variable {
    /// The statements that write all of it.
    writers: BitSet,
    /// The statements that may read it before control is at them.
    early: BitSet,
    /// For each statement that may write it, those that it can still be read in, once somebody asked.
    reached: FxHashMap<NodeId, OnceLock<BitSet>>,
    /// The same for what it holds at the start.
    from_start: OnceLock<BitSet>,
}

impl Overwritten {
    /// Nothing is known.
    pub(crate) fn nothing() -> Self {
        Self { variables: FxHashMap::default(), next: Vec::new(), entry: None }
    }

    pub(crate) fn new(program: &Program, graph: &StatementGraph, places: &Places) -> Self {
        let function = &program.functions[graph.function];
        let mut variables = variables(program, function, graph, places);
        if variables.is_empty() {
            return Self::nothing();
        }
        for node in graph.ids() {
            for place in &places.footprint(node).writes {
                if let Base::Local(local) = place.base
                    && let Some(variable) = variables.get_mut(&local)
                {
                    variable.reached.entry(node).or_default();
                }
            }
        }
        note_early(function, graph, &mut variables);
        let nodes =
            |targets: &Vec<FlowTarget>| targets.iter().filter_map(|target| node_of(*target)).collect();
        Self { variables, next: graph.successors.iter().map(nodes).collect(), entry: node_of(graph.entry) }
    }

    /// Whether it is known of a variable which writes of it hide which.
    pub(crate) fn tells(&self, variable: ValueId) -> bool {
        self.variables.contains_key(&variable)
    }

    /// Whether what one statement writes to a variable may be what another one reads; `None` if that is not told
    /// better than by the ways between them.
    pub(crate) fn may_reach(&self, variable: ValueId, from: NodeId, to: NodeId) -> Option<bool> {
        let variable = self.variables.get(&variable)?;
        if variable.early.contains(to.index()) {
            return None;
        }
        let reached = variable.reached.get(&from)?;
        let next = || self.next[from.index()].to_vec();
        Some(reached.get_or_init(|| self.walk(variable, next())).contains(to.index()))
    }

    /// Whether a variable may still hold in a statement what it held at the start.
    pub(crate) fn is_from_start(&self, variable: ValueId, to: NodeId) -> bool {
        let Some(variable) = self.variables.get(&variable) else { return true };
        let start = || self.entry.into_iter().collect();
        variable.early.contains(to.index())
            || variable.from_start.get_or_init(|| self.walk(variable, start())).contains(to.index())
    }

    /// The statements that control comes to from these before a variable is written.
    fn walk(&self, variable: &Variable, mut work: Vec<NodeId>) -> BitSet {
        let mut found = BitSet::new(self.next.len());
        while let Some(node) = work.pop() {
            if found.insert(node.index()) && !variable.writers.contains(node.index()) {
                work.extend(&self.next[node.index()]);
            }
        }
        found
    }
}

fn node_of(target: FlowTarget) -> Option<NodeId> {
    match target {
        FlowTarget::Node(node) => Some(node),
        FlowTarget::End | FlowTarget::Nowhere => None,
    }
}

/// The variables of a function that statements write as a whole, with these statements.
fn variables(
    program: &Program,
    function: &Function,
    graph: &StatementGraph,
    places: &Places,
) -> FxHashMap<ValueId, Variable> {
    let mut sizes: FxHashMap<ValueId, u64> = FxHashMap::default();
    for (_, instruction) in function.instructions.iter() {
        if let (&Op::Alloca { ty, count: None, .. }, Some(value)) = (&instruction.op, instruction.result)
            && places.is_private(Base::Local(value))
        {
            sizes.insert(value, program.types.size_of(ty));
        }
    }
    let mut found: FxHashMap<ValueId, Variable> = FxHashMap::default();
    for node in graph.ids() {
        for &root in &graph.node(node).roots {
            let Op::Store { value, pointer: Operand::Value(pointer), .. } = &function.instructions[root].op
            else {
                continue;
            };
            let written = program.types.store_size(program.operand_type(function, *value));
            if sizes.get(pointer).is_some_and(|&size| written >= size) {
                let variable = found.entry(*pointer).or_insert_with(|| Variable {
                    writers: BitSet::new(graph.nodes.len()),
                    early: BitSet::new(graph.nodes.len()),
                    reached: FxHashMap::default(),
                    from_start: OnceLock::new(),
                });
                variable.writers.insert(node.index());
            }
        }
    }
    found
}

/// Notes which statements use what was loaded from a variable before control is at them.
fn note_early(function: &Function, graph: &StatementGraph, variables: &mut FxHashMap<ValueId, Variable>) {
    let mut definitions: Vec<Option<InstructionId>> = vec![None; function.values.len()];
    let mut blocks = vec![None; function.instructions.len()];
    let mut is_root = vec![false; function.instructions.len()];
    for block in function.blocks.ids() {
        for id in function.block_instructions(block) {
            blocks[id.index()] = Some(block);
            if let Some(result) = function.instructions[id].result {
                definitions[result.index()] = Some(id);
            }
        }
    }
    let roots = graph.nodes.iter().flat_map(|node| &node.roots);
    roots.for_each(|root| is_root[root.index()] = true);
    for node in graph.ids() {
        let at = graph.node(node);
        let mut seen = FxHashSet::default();
        let mut work = at.roots.clone();
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            let op = &function.instructions[id].op;
            if let Op::Load { pointer: Operand::Value(pointer), .. } = op
                && let Some(variable) = variables.get_mut(pointer)
                && (blocks[id.index()] != Some(at.block) || id < at.first)
            {
                variable.early.insert(node.index());
            }
            op.for_each_operand(|operand| {
                let Operand::Value(value) = operand else { return };
                // What another statement makes is its own, and read as its result.
                let made = definitions.get(value.index()).copied().flatten();
                work.extend(made.filter(|made| !is_root[made.index()]));
            });
        }
    }
}
