//! Splitting statements, so that two versions that only differ in their line breaks have the same ones.

use crate::graph::{FlowNode, FlowTarget, NodeId, NodeKind, StatementGraph};
use crate::roots::Roots;
use incise_ir::{Function, Id, InstructionId, Op, Operand, Program};

/// For each root, whether a statement must begin there. A statement is split where its roots belong to several
/// statements of the other version.
pub(crate) fn breaks(roots: &Roots<'_>, partners: &[Option<usize>], other: &Roots<'_>) -> Vec<bool> {
    let mut found = vec![false; roots.len()];
    let mut last: Option<(NodeId, NodeId)> = None;
    for root in 0..roots.len() {
        let Some(partner) = partners[root] else { continue };
        let here = (roots.nodes[root], other.nodes[partner]);
        found[root] = last.is_some_and(|last| last.0 == here.0 && last.1 != here.1);
        last = Some(here);
    }
    found
}

/// The graph with its statements split before some roots (by their number).
pub(crate) fn split(program: &Program, graph: StatementGraph, breaks: &[bool]) -> StatementGraph {
    if !breaks.contains(&true) {
        return graph;
    }
    let function = &program.functions[graph.function];
    let mut pieces: Vec<FlowNode> = Vec::new();
    let mut first_piece = Vec::with_capacity(graph.nodes.len());
    let mut number = 0;
    let slots = result_slots(function);
    for node in &graph.nodes {
        first_piece.push(pieces.len());
        for &root in &node.roots {
            if breaks[number] || root == node.roots[0] {
                pieces.push(piece(function, node, root));
            } else if let Some(piece) = pieces.last_mut() {
                piece.roots.push(root);
            }
            number += 1;
        }
        let is_split = pieces.len() > first_piece[first_piece.len() - 1] + 1;
        for piece in pieces.iter_mut().skip(first_piece[first_piece.len() - 1]).filter(|_| is_split) {
            piece.kind = kind(function, &slots, node.kind, &piece.roots);
        }
    }
    first_piece.push(pieces.len());
    rebuild(function, graph, pieces, &first_piece)
}

/// A statement that starts at a root of another one.
fn piece(function: &Function, node: &FlowNode, root: InstructionId) -> FlowNode {
    if root == node.roots[0] {
        return FlowNode { roots: vec![root], ..node.clone() };
    }
    let before =
        node.roots.iter().rev().find(|&&other| other < root).map_or(root.index(), |root| root.index() + 1);
    let first = InstructionId::from_index(before).max(node.first);
    let first = (first.index()..=root.index())
        .map(InstructionId::from_index)
        .find(|&id| !matches!(function.instructions[id].op, Op::Phi(_)));
    FlowNode {
        kind: node.kind,
        block: node.block,
        first: first.unwrap_or(node.first),
        roots: vec![root],
        location: function.instructions[root].location,
    }
}

/// What a part of a statement is for.
fn kind(function: &Function, slots: &[Operand], whole: NodeKind, roots: &[InstructionId]) -> NodeKind {
    let op = |id: &InstructionId| &function.instructions[*id].op;
    let decides =
        |op: &Op| matches!(op, Op::ConditionalBranch { .. } | Op::Switch { .. } | Op::IndirectBranch { .. });
    if roots.iter().any(|root| decides(op(root))) {
        return NodeKind::Condition;
    }
    let returns = |op: &Op| match op {
        Op::Return(_) => true,
        Op::Store { pointer, .. } => whole != NodeKind::Write && slots.contains(pointer),
        _ => false,
    };
    if roots.iter().any(|root| returns(op(root))) { NodeKind::Return } else { NodeKind::Write }
}

/// Where the values come from that returns give.
fn result_slots(function: &Function) -> Vec<Operand> {
    let mut definitions = vec![None; function.values.len()];
    for (id, instruction) in function.instructions.iter() {
        instruction.result.iter().for_each(|result| definitions[result.index()] = Some(id));
    }
    let mut slots = Vec::new();
    for (_, instruction) in function.instructions.iter() {
        if let Op::Return(Some(Operand::Value(value))) = instruction.op
            && let Some(definition) = definitions[value.index()]
            && let Op::Load { pointer, .. } = function.instructions[definition].op
            && !slots.contains(&pointer)
        {
            slots.push(pointer);
        }
    }
    slots
}

fn rebuild(
    function: &Function,
    graph: StatementGraph,
    pieces: Vec<FlowNode>,
    first_piece: &[usize],
) -> StatementGraph {
    let last = |node: NodeId| NodeId::from_index(first_piece[node.index() + 1] - 1);
    let target = |target: FlowTarget| match target {
        FlowTarget::Node(node) => FlowTarget::Node(NodeId::from_index(first_piece[node.index()])),
        other => other,
    };
    let mut split = StatementGraph {
        function: graph.function,
        nodes: pieces,
        entry: target(graph.entry),
        successors: Vec::new(),
        controlled_by: Vec::new(),
        gated_by: Vec::new(),
        owners: graph.owners,
        cfg: graph.cfg,
        block_nodes: Vec::new(),
    };
    for index in 0..graph.nodes.len() {
        let range = first_piece[index]..first_piece[index + 1];
        let map = |nodes: &[NodeId]| nodes.iter().map(|&node| last(node)).collect::<Vec<_>>();
        for at in range.clone() {
            let is_last = at + 1 == range.end;
            split.successors.push(if is_last {
                graph.successors[index].iter().map(|&each| target(each)).collect()
            } else {
                vec![FlowTarget::Node(NodeId::from_index(at + 1))]
            });
            split.controlled_by.push(map(&graph.controlled_by[index]));
            let joins = split.nodes[at]
                .roots
                .iter()
                .any(|&root| matches!(function.instructions[root].op, Op::Phi(_)));
            split.gated_by.push(if joins { map(&graph.gated_by[index]) } else { Vec::new() });
        }
    }
    let starts = graph.block_nodes.iter();
    split.block_nodes = starts.map(|range| first_piece[range.start]..first_piece[range.end]).collect();
    find_owners(function, &mut split);
    split
}

/// What computes a value belongs to the first statement that needs it.
fn find_owners(function: &Function, graph: &mut StatementGraph) {
    let mut definitions = vec![None; function.values.len()];
    for (id, instruction) in function.instructions.iter() {
        if let Some(result) = instruction.result {
            definitions[result.index()] = Some(id);
        }
    }
    graph.owners.fill(None);
    for (index, node) in graph.nodes.iter().enumerate() {
        for &root in &node.roots {
            graph.owners[root.index()] = Some(NodeId::from_index(index));
        }
    }
    for index in 0..graph.nodes.len() {
        let mut work = graph.nodes[index].roots.clone();
        while let Some(id) = work.pop() {
            function.instructions[id].op.for_each_operand(|operand| {
                let Operand::Value(value) = operand else { return };
                let Some(definition) = definitions[value.index()] else { return };
                if graph.owners[definition.index()].is_none() {
                    graph.owners[definition.index()] = Some(NodeId::from_index(index));
                    work.push(definition);
                }
            });
        }
    }
}
