//! What a change can make different in the values that statements compute, apart from whether they are executed.
//!
//! Rules (1) and (2) of the first paper make a statement affected because an affected condition decides whether it is
//! executed, and what such a statement writes carries impact to whoever reads it. That is more than can be: behind
//! `if (n == 0) return;` everything may be executed or not, and does the same if it is. Here a statement that is only
//! *decided about* hands impact on to a reader only if the reader may be executed whichever way the condition goes:
//! else, where both versions come to the reader, the condition went the same way in both, and the statement wrote the
//! same. So of a reader that only some sides of the condition lead to, the values in one version are those in the
//! other, as long as both go on. A function hands back what such a statement writes if it can return from several sides
//! of the condition.
//!
//! This is the distinction of data and control in the program dependence graph with gates (Ottenstein, Ballance and
//! MacCabe, "The program dependence web", PLDI 1990), asked for each condition by itself. As for the papers' rules,
//! that a statement comes after one which may fail or end the program is not covered.

use crate::affected::{Affected, Back, Forward, Rule, Step};
use crate::bits::BitSet;
use crate::dependence::Dependence;
use crate::waiting::Waiting;
use crate::{FlowTarget, NodeId, NodeKind, StatementGraph};
use incise_ir::{Function, Op};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An affected condition, as far as others depend on which way it goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Decision {
    /// The statements that several of its sides lead to.
    common: BitSet,
    /// Whether the function may return from several of its sides.
    pub(crate) returns: bool,
    /// The statements that it decides about, each with the condition that does so for it.
    decided: Vec<(NodeId, NodeId)>,
}

impl Decision {
    pub(crate) fn new(graph: &StatementGraph, dependence: &Dependence, condition: NodeId) -> Self {
        let (reach, ends) = (dependence.reach(), dependence.returning());
        let sides = graph.successors(condition);
        let nodes: Vec<NodeId> = sides.iter().filter_map(|side| side.node()).collect();
        let leads = |side: NodeId, to: NodeId| side == to || reach.can_reach(side, to);
        let mut common = BitSet::new(graph.nodes.len());
        for node in graph.ids() {
            if nodes.iter().filter(|&&side| leads(side, node)).nth(1).is_some() {
                common.insert(node.index());
            }
        }
        let returns = |side: &&FlowTarget| match side {
            FlowTarget::Node(node) => ends.contains(node.index()),
            FlowTarget::End => true,
            FlowTarget::Nowhere => false,
        };
        let returns = sides.iter().filter(returns).nth(1).is_some();
        Self { common, returns, decided: decided(dependence, condition, graph.nodes.len()) }
    }

    /// Adds what is so of another decision.
    fn add(&mut self, other: &Self) {
        self.common.extend(&other.common);
        self.returns |= other.returns;
    }

    /// Whether several sides lead to a statement.
    pub(crate) fn is_common(&self, node: NodeId) -> bool {
        self.common.contains(node.index())
    }

    /// The same for another graph of the function, or for the other version: `moved` tells what becomes of each
    /// statement.
    pub(crate) fn moved(&self, count: usize, moved: impl Fn(NodeId) -> Option<NodeId>) -> Self {
        let mut common = BitSet::new(count);
        for node in self.common.iter().filter_map(|index| moved(NodeId::from_index(index))) {
            common.insert(node.index());
        }
        Self { common, returns: self.returns, decided: Vec::new() }
    }
}

/// The statements that a condition decides about, itself or by others.
fn decided(dependence: &Dependence, condition: NodeId, count: usize) -> Vec<(NodeId, NodeId)> {
    let mut found: Vec<(NodeId, NodeId)> = Vec::new();
    let mut met = BitSet::new(count);
    let mut next = 0;
    let mut decider = condition;
    loop {
        let all = dependence.controlled(decider).iter();
        found.extend(all.filter(|node| met.insert(node.index())).map(|&node| (node, decider)));
        let Some(&(node, _)) = found.get(next) else { return found };
        (decider, next) = (node, next + 1);
    }
}

/// The statements from which the function may return.
pub(crate) fn returning(function: &Function, graph: &StatementGraph) -> BitSet {
    let mut found = BitSet::new(graph.nodes.len());
    let stops = |node: NodeId| {
        let end = function.terminator(graph.node(node).block);
        matches!(function.instructions[end].op, Op::Unreachable)
    };
    let last = |&node: &NodeId| graph.successors(node).contains(&FlowTarget::End) && !stops(node);
    let last: Vec<NodeId> = graph.ids().filter(last).collect();
    for (index, &leads) in graph.leading_to(last.iter().copied()).iter().enumerate() {
        if leads {
            found.insert(index);
        }
    }
    for node in last {
        found.insert(node.index());
    }
    found
}

/// A statement that a decision of the other version decides about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Held {
    pub(crate) node: NodeId,
    pub(crate) decision: Decision,
    /// The statement of the other version that it comes from.
    pub(crate) cause: Option<NodeId>,
}

/// The statements that the given ones affect, where what is only decided about is told apart. `held` are those that a
/// decision of the other version decides about.
pub(crate) fn affected_values(
    graph: &StatementGraph,
    dependence: &Dependence,
    seeds: impl IntoIterator<Item = Step>,
    held: &[Held],
    back: BTreeMap<NodeId, Vec<Arc<Back>>>,
) -> Affected {
    let mut affected = Affected::none(graph);
    affected.back = back;
    let reading = Waiting::new(graph.nodes.len());
    let mut values = Values { graph, dependence, affected, reading, decided: BTreeSet::new() };
    for seed in seeds {
        let level = match (seed.rule, values.affected.back.get(&seed.node)) {
            (Rule::Calls, Some(backs)) if backs.iter().any(|back| back.used) => Forward::Own,
            (Rule::Calls, Some(_)) => Forward::Within,
            (Rule::Input, _) => Forward::Own,
            _ => Forward::Yes,
        };
        values.differs(seed, level);
    }
    for Held { node, decision, cause } in held {
        values.hold(Step { node: *node, rule: Rule::ThroughOld, cause: *cause }, decision);
    }
    values.close();
    values.feed();
    values.affected
}

struct Values<'a> {
    graph: &'a StatementGraph,
    dependence: &'a Dependence,
    affected: Affected,
    /// Statements that read what differs, with what writes it.
    reading: Waiting<NodeId>,
    /// The conditions whose decisions are known.
    decided: BTreeSet<NodeId>,
}

impl Values<'_> {
    fn close(&mut self) {
        while let Some((node, cause)) = self.reading.pop_first() {
            let rule = match self.graph.node(node).kind {
                NodeKind::Condition => Rule::ConditionReads,
                _ => Rule::WriteReads,
            };
            self.differs(Step { node, rule, cause: Some(cause) }, Forward::Own);
        }
    }

    /// What a statement does may be different.
    fn differs(&mut self, step: Step, mut level: Forward) {
        let node = step.node;
        if level == Forward::Own && self.dependence.footprint(node).calls_by_address {
            // Another function may be called.
            level = Forward::Yes;
        }
        self.affected.begin(step);
        if self.affected.forward[node.index()] >= level {
            return;
        }
        self.affected.forward[node.index()] = level;
        let readers = match level {
            Forward::Yes => self.dependence.known_own_readers(node),
            Forward::Own => self.dependence.known_own_to_own(node),
            _ => &[],
        };
        readers.iter().for_each(|&reader| self.note(reader, node));
        for back in self.affected.back.get(&node).cloned().unwrap_or_default() {
            back.readers.iter().for_each(|&reader| self.note(reader, node));
        }
        if level >= Forward::Own && self.decided.insert(node) {
            self.decide(node);
        }
    }

    fn note(&mut self, reader: NodeId, cause: NodeId) {
        if self.affected.forward[reader.index()] < Forward::Own {
            self.reading.add(reader, cause, |known| known.min(cause));
        }
    }

    /// A condition may go another way.
    fn decide(&mut self, condition: NodeId) {
        // Which of several values is taken is a matter of values.
        for &gated in self.dependence.gated(condition) {
            self.note(gated, condition);
        }
        if self.dependence.controlled(condition).is_empty() {
            return;
        }
        let decision = self.dependence.decision(self.graph, condition);
        for &(node, decider) in &decision.decided {
            let rule = match self.graph.node(node).kind {
                NodeKind::Condition => Rule::ControlledCondition,
                _ => Rule::ControlledWrite,
            };
            self.hold(Step { node, rule, cause: Some(decider) }, decision);
        }
    }

    /// A decision tells whether a statement is executed.
    fn hold(&mut self, step: Step, decision: &Decision) {
        let node = step.node;
        self.affected.begin(step);
        let forward = &mut self.affected.forward[node.index()];
        *forward = (*forward).max(Forward::Executed);
        match self.affected.decisions.entry(node) {
            Entry::Occupied(mut known) => known.get_mut().add(decision),
            Entry::Vacant(new) => {
                let Decision { common, returns, .. } = decision;
                new.insert(Decision { common: common.clone(), returns: *returns, decided: Vec::new() });
            }
        }
        let readers = self.dependence.known_own_readers(node).iter();
        readers.filter(|&&reader| decision.is_common(reader)).for_each(|&reader| self.note(reader, node));
    }

    /// Rule (4): what gives the values that statements read which do something different.
    fn feed(&mut self) {
        let mut work: Vec<NodeId> = (self.affected.nodes())
            .filter(|&node| self.affected.forward[node.index()] > Forward::Executed)
            .collect();
        while let Some(node) = work.pop() {
            if self.graph.node(node).kind == NodeKind::Return {
                continue;
            }
            for &writer in self.dependence.known_writers(node) {
                if !self.affected.contains(writer) {
                    self.affected.begin(Step { node: writer, rule: Rule::ReadByAffected, cause: Some(node) });
                    work.push(writer);
                }
            }
        }
    }
}
