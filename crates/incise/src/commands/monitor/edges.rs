//! Edges of a network beside the dependences of the code, in both versions.

use super::names::Observable;
use super::plan::Plan;
use super::structure;
use super::work::ScopeWriters;
use incise_monitor::Network;
use incise_report::monitor::{EdgeFinding, MonitorEdge};
use std::collections::{BTreeMap, BTreeSet};

/// Dependences between what nodes stand for, in both versions.
pub(super) struct Structure {
    /// The nodes of each variable, and the variable of each node.
    nodes: Vec<Vec<usize>>,
    variables: BTreeMap<usize, usize>,
    old: structure::Dependences,
    new: structure::Dependences,
    old_closed: Vec<BTreeSet<usize>>,
    new_closed: Vec<BTreeSet<usize>>,
}

impl Structure {
    pub(super) fn new(plan: &Plan<'_>, old: &ScopeWriters<'_>, new: &ScopeWriters<'_>) -> Self {
        let mut numbers: BTreeMap<&Observable, usize> = BTreeMap::new();
        let mut variables = BTreeMap::new();
        let (mut all, mut nodes): (Vec<&Observable>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
        for node in 0..plan.matched.len() {
            // Of parts of variables it is not known which of them a statement reads.
            let whole = |observable: &&Observable| match observable {
                Observable::Global { path, .. } => !path.contains(['.', '[']),
                Observable::Inside(_) => true,
                Observable::Memory { .. } => false,
            };
            let Some(observable) = plan.observable(node).filter(whole) else { continue };
            if plan.obstacles.contains_key(&node) {
                continue;
            }
            let number = *numbers.entry(observable).or_insert_with(|| {
                all.push(observable);
                nodes.push(Vec::new());
                all.len() - 1
            });
            nodes[number].push(node);
            variables.insert(node, number);
        }
        let (old, new) = (
            structure::dependences(&old.scope, &old.writers, &all),
            structure::dependences(&new.scope, &new.writers, &all),
        );
        let (old_closed, new_closed) = (structure::closed(&old), structure::closed(&new));
        Self { nodes, variables, old, new, old_closed, new_closed }
    }

    /// Where the code had the dependence of an edge, if it has it no more.
    pub(super) fn lost(&self, from: usize, to: usize) -> Option<Vec<incise_report::Place>> {
        let (from, to) = (*self.variables.get(&from)?, *self.variables.get(&to)?);
        let lost = from != to && self.old_closed[to].contains(&from) && !self.new_closed[to].contains(&from);
        lost.then(|| self.old[to].get(&from).cloned().unwrap_or_default())
    }

    /// Dependences of NEW for which the network has no way.
    pub(super) fn without_way(&self, network: &Network) -> Vec<MonitorEdge> {
        let children = network.children();
        let reached = |starts: &[usize]| {
            let mut seen: BTreeSet<usize> = starts.iter().copied().collect();
            let mut work: Vec<usize> = starts.to_vec();
            while let Some(next) = work.pop() {
                work.extend(children[next].iter().copied().filter(|&child| seen.insert(child)));
            }
            seen
        };
        let mut found = Vec::new();
        for from in 0..self.nodes.len() {
            let reached = reached(&self.nodes[from]);
            for to in 0..self.nodes.len() {
                let Some(places) = self.new[to].get(&from) else { continue };
                if self.nodes[to].iter().any(|node| reached.contains(node)) {
                    continue;
                }
                let name = |variable: usize| network.nodes[self.nodes[variable][0]].name.clone();
                found.push(MonitorEdge {
                    from: name(from),
                    to: name(to),
                    finding: Some(EdgeFinding::WithoutEdge),
                    by_change: !self.old_closed[to].contains(&from),
                    places: places.clone(),
                });
            }
        }
        found
    }
}
