//! What directed exploration needs to know of a function: its statements, which of them are affected, and where the change is met.

use incise_change::{
    Affected, Dependence, Effects, FunctionImpact, Gap, NodeId, NodeKind, StatementGraph, Target,
};
use incise_exec::Watches;
use incise_ir::{Function, Id, InstructionId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// A function of the new version and what the change means for it.
pub struct Subject<'a> {
    /// The function.
    pub function: &'a Function,
    /// Its statements.
    pub graph: &'a StatementGraph,
    /// What depends on what.
    pub dependence: &'a Dependence,
    /// The affected statements.
    pub affected: &'a Affected,
    /// For each statement, whether the change is met there: it changed, is new, or calls what changed.
    pub changes: Vec<bool>,
    /// Where the change is met between two statements.
    pub gaps: BTreeSet<Gap>,
    /// Whether the function may be active more than once at a time: then nothing is left out by static reasoning.
    pub recursive: bool,
}

impl<'a> Subject<'a> {
    /// For a function of which the impact is known.
    pub fn new(
        program: &'a Program,
        effects: &Effects,
        impact: &'a FunctionImpact,
        dependence: &'a Dependence,
    ) -> Self {
        Self {
            function: &program.functions[impact.function],
            graph: &impact.alignment.new_graph,
            dependence,
            affected: &impact.affected,
            changes: impact.changes.clone(),
            gaps: impact.alignment.gaps.iter().copied().collect(),
            recursive: effects.may_reach(impact.function, impact.function),
        }
    }

    /// Whether the change is met on the way from a statement to its successor.
    pub(crate) fn is_gap(&self, from: NodeId, side: usize) -> bool {
        !self.gaps.is_empty() && self.gaps.contains(&Gap { from: Some(from), side })
    }

    /// Whether the change is met before the first statement.
    pub(crate) fn entry_gap(&self) -> bool {
        self.gaps.contains(&Gap { from: None, side: 0 })
    }

    /// Where control goes from a statement, side by side.
    pub(crate) fn sides(&self, node: NodeId) -> impl Iterator<Item = (usize, Target)> + '_ {
        self.graph.successors(node).iter().copied().enumerate()
    }

    /// Whether control never leaves a statement by its end: it calls `exit` or `abort`.
    pub(crate) fn stops_for_good(&self, node: NodeId) -> bool {
        let Some(at) = self.graph.nodes.get(node.index()) else { return false };
        let last = self.graph.block_nodes[at.block.index()].end == node.index() + 1;
        let terminator = self.function.terminator(at.block);
        last && matches!(self.function.instructions[terminator].op, incise_ir::Op::Unreachable)
    }

    /// The statement that an instruction belongs to.
    pub(crate) fn owner(&self, instruction: InstructionId) -> Option<NodeId> {
        self.graph.owners.get(instruction.index()).copied().flatten()
    }

    /// The statements from which one of the given can be reached, those included.
    pub(crate) fn backwards(&self, from: impl IntoIterator<Item = NodeId>) -> Vec<bool> {
        let mut predecessors = vec![Vec::new(); self.graph.nodes.len()];
        for node in self.graph.ids() {
            for next in self.graph.successors(node).iter().filter_map(|target| target.node()) {
                predecessors[next.index()].push(node);
            }
        }
        let mut found = vec![false; self.graph.nodes.len()];
        let mut work: Vec<NodeId> = from.into_iter().collect();
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut found[node.index()], true) {
                work.extend(&predecessors[node.index()]);
            }
        }
        found
    }

    pub(crate) fn is_condition(&self, node: NodeId) -> bool {
        self.graph.node(node).kind == NodeKind::Condition
    }
}

/// Something that a strategy wants to be told of.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// Control is at a statement.
    Node(NodeId),
    /// Control goes from a condition to one of its sides.
    Side(NodeId, usize),
    /// Control is at a statement from which on nothing matters any more.
    Tail,
}

/// The events of a strategy: several may happen at one place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    points: Vec<Vec<Event>>,
    instructions: BTreeMap<InstructionId, u32>,
    edges: Vec<(NodeId, usize, u32)>,
}

impl Events {
    /// Control is at a statement.
    pub(crate) fn at(&mut self, graph: &StatementGraph, node: NodeId, event: Event) {
        let points = &mut self.points;
        let point = *self.instructions.entry(graph.node(node).first).or_insert_with(|| {
            points.push(Vec::new());
            points.len() as u32 - 1
        });
        self.points[point as usize].push(event);
    }

    /// Control leaves a condition by a side.
    pub(crate) fn side(&mut self, node: NodeId, side: usize) {
        let point = self.points.len() as u32;
        self.points.push(vec![Event::Side(node, side)]);
        self.edges.push((node, side, point));
    }

    /// What happens at a point, in order.
    pub(crate) fn of(&self, point: u32) -> &[Event] {
        &self.points[point as usize]
    }

    /// The places where they happen.
    pub(crate) fn watches(&self, graph: &StatementGraph) -> Watches {
        let mut watches = Watches::new();
        watches.trace(graph.function);
        for (&instruction, &point) in &self.instructions {
            watches.add(graph.function, instruction, point);
        }
        for &(node, side, point) in &self.edges {
            let from = graph.node(node).block;
            watches.add_edge(graph.function, from, graph.side_blocks(node)[side], point);
        }
        watches
    }
}
