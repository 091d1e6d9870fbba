//! Where the ways of two versions part, and what lies between there and the place where they meet again.
//!
//! A statement that both versions have can lead to another one in each: a `break` was removed, a call put in between.
//! What is executed then in one version may not be in the other, though no condition of it changed. The ways meet at
//! the nearest statement of both versions that every way comes to; from there on they are the same again, as far as
//! ways go.

use crate::subject::{Statement, Subject};
use incise_change::{FlowTarget, NodeId, StatementGraph};
use incise_ir::FunctionId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// So many statements are considered as the place where ways meet again. Without one everything behind is between.
const MOST_MEETINGS: usize = 64;

/// The statements that lie between, in each version.
#[derive(Default)]
pub(crate) struct Between {
    pub(crate) old: BTreeSet<Statement>,
    pub(crate) new: BTreeSet<Statement>,
}

/// Finds them for all functions; `pairs` are the statements that belong together, the old version's first.
pub(crate) fn between(old: &Subject<'_>, new: &Subject<'_>, pairs: &[(Statement, Statement)]) -> Between {
    let mut functions: BTreeMap<(FunctionId, FunctionId), Vec<(NodeId, NodeId)>> = BTreeMap::new();
    for &((before, one), (after, other)) in pairs {
        functions.entry((before, after)).or_default().push((one, other));
    }
    let mut found = Between::default();
    for (&(before, after), pairs) in &functions {
        let changed = |subject: &Subject<'_>, function: FunctionId| {
            let facts = subject.facts(function);
            !facts.gaps.is_empty() || facts.changes.contains(&true)
        };
        if !changed(old, before) && !changed(new, after) {
            continue;
        }
        let versions = Graphs { old: old.graph(before), new: new.graph(after), pairs };
        for (one, other) in versions.partings() {
            let (one, other) = versions.region(&one, &other);
            found.old.extend(one.into_iter().map(|node| (before, node)));
            found.new.extend(other.into_iter().map(|node| (after, node)));
        }
    }
    found
}

/// The graphs of a function in both versions.
struct Graphs<'a> {
    old: &'a StatementGraph,
    new: &'a StatementGraph,
    pairs: &'a [(NodeId, NodeId)],
}

impl Graphs<'_> {
    /// Where control goes from the same place in both versions, if not to the same.
    fn partings(&self) -> Vec<(Vec<FlowTarget>, Vec<FlowTarget>)> {
        let known: BTreeSet<(NodeId, NodeId)> = self.pairs.iter().copied().collect();
        let same = |one: &FlowTarget, other: &FlowTarget| match (one, other) {
            (FlowTarget::Node(one), FlowTarget::Node(other)) => known.contains(&(*one, *other)),
            _ => one == other,
        };
        let mut found = Vec::new();
        let mut look = |one: &[FlowTarget], other: &[FlowTarget]| {
            if one.len() != other.len() {
                found.push((one.to_vec(), other.to_vec()));
                return;
            }
            let sides = one.iter().zip(other).filter(|(one, other)| !same(one, other));
            found.extend(sides.map(|(&one, &other)| (vec![one], vec![other])));
        };
        look(&[self.old.entry], &[self.new.entry]);
        for &(one, other) in self.pairs {
            look(self.old.successors(one), self.new.successors(other));
        }
        found
    }

    /// What lies between a parting and the nearest place where the ways meet again, in each version.
    fn region(&self, old: &[FlowTarget], new: &[FlowTarget]) -> (BTreeSet<NodeId>, BTreeSet<NodeId>) {
        let mut tried = 0;
        let mut seen: BTreeSet<NodeId> = BTreeSet::new();
        let mut work: VecDeque<NodeId> = new.iter().filter_map(|target| target.node()).collect();
        while let Some(node) = work.pop_front() {
            if !seen.insert(node) {
                continue;
            }
            work.extend(self.new.successors(node).iter().filter_map(|target| target.node()));
            if tried >= MOST_MEETINGS {
                continue;
            }
            tried += 1;
            let Some(after) = before(self.new, new, node) else { continue };
            let images = self.pairs.iter().filter(|(_, other)| *other == node);
            if let Some(region) = images.map(|(one, _)| before(self.old, old, *one)).find_map(|region| region)
            {
                return (region, after);
            }
        }
        (reachable(self.old, old), seen)
    }
}

/// What can be executed before a statement, if every way from some targets comes to it. Ways that never end do not
/// count: what decides about them is between.
fn before(graph: &StatementGraph, from: &[FlowTarget], meeting: NodeId) -> Option<BTreeSet<NodeId>> {
    let mut seen = BTreeSet::new();
    let mut work: Vec<FlowTarget> = from.to_vec();
    while let Some(target) = work.pop() {
        match target {
            FlowTarget::Node(node) if node == meeting => {}
            FlowTarget::Node(node) => {
                let next = graph.successors(node);
                if next.is_empty() {
                    return None;
                }
                if seen.insert(node) {
                    work.extend(next);
                }
            }
            FlowTarget::End | FlowTarget::Nowhere => return None,
        }
    }
    Some(seen)
}

fn reachable(graph: &StatementGraph, from: &[FlowTarget]) -> BTreeSet<NodeId> {
    let mut seen = BTreeSet::new();
    let mut work: Vec<NodeId> = from.iter().filter_map(|target| target.node()).collect();
    while let Some(node) = work.pop() {
        if seen.insert(node) {
            work.extend(graph.successors(node).iter().filter_map(|target| target.node()));
        }
    }
    seen
}
