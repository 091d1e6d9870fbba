//! The statements of two versions of one function side by side: which are the same, which changed, which were added or
//! removed.
//!
//! Statements are matched by content and order, not by lines. That two of them are equal is not enough: control must
//! come to them in the same way. So where the ways between equal statements differ (something between them was removed,
//! or moved elsewhere), the edge itself is a change, a [`Gap`]. Together this gives a promise that everything
//! incremental rests on: follow both versions side by side, taking the same sides; as long as the new version meets no
//! statement that was added or changed and no gap, the old version is at the same statements.

use crate::fingerprint::fingerprint;
use crate::graph::{FlowTarget, NodeId, StatementGraph};
use crate::pairing::{Pairs, Verified};
use crate::refine::{breaks, split};
use crate::roots::Roots;
use crate::symbols::Symbols;
use incise_ir::{PostDominators, Program};

/// What became of a statement, seen from the new version.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NewStatus {
    /// It is the same in both versions.
    Unchanged,
    /// It was another before.
    Changed,
    /// It was not there before.
    Added,
}

/// What became of a statement, seen from the old version.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OldStatus {
    /// It is the same in both versions.
    Unchanged,
    /// It is another now.
    Changed,
    /// It is not there any more.
    Removed,
}

/// A way between statements of the new version that the old one does not have: something was removed there.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Gap {
    /// The statement that it leaves; `None` is the function's entry.
    pub from: Option<NodeId>,
    /// The side of the statement.
    pub side: usize,
}

/// Two versions of a function, statement by statement.
#[derive(Clone, Debug)]
pub struct Alignment {
    /// The old version's statements; `None` if there is only one version, with its changes given. They are those of the
    /// graph that was given, except that lines which hold several statements of the other version are split: use this
    /// graph from here on.
    pub old_graph: Option<StatementGraph>,
    /// The new version's statements, split likewise.
    pub new_graph: StatementGraph,
    /// For each statement of the old version, what became of it.
    pub old_status: Vec<OldStatus>,
    /// For each statement of the new version, what it was.
    pub new_status: Vec<NewStatus>,
    /// For each statement of the old version, the unchanged or changed one of the new version.
    pub to_new: Vec<Option<NodeId>>,
    /// For each statement of the new version, the unchanged or changed one of the old version.
    pub to_old: Vec<Option<NodeId>>,
    /// The ways of the new version that are changes, in order.
    pub gaps: Vec<Gap>,
}

/// A version of a function: its program, what the names there stand for, its statements.
pub(crate) type ReadVersion<'a> = (&'a Program, &'a Symbols, StatementGraph);

impl Alignment {
    /// Aligns two versions of a function. Where several functions are aligned, [`crate::Versions::align`] is faster.
    pub fn new(old: &Program, old_graph: StatementGraph, new: &Program, new_graph: StatementGraph) -> Self {
        let (old_symbols, new_symbols) = Symbols::pair(old, new);
        Self::with_symbols((old, &old_symbols, old_graph), (new, &new_symbols, new_graph))
    }

    pub(crate) fn with_symbols(old: ReadVersion<'_>, new: ReadVersion<'_>) -> Self {
        let same = fingerprint(old.0, old.1, old.2.function) == fingerprint(new.0, new.1, new.2.function);
        let (old_roots, new_roots) = (Roots::new(old.0, old.1, &old.2), Roots::new(new.0, new.1, &new.2));
        let same = same && old_roots.len() == new_roots.len();
        let mut pairs = if same {
            Pairs::by_position(&old_roots, &new_roots)
        } else {
            Pairs::find(&old_roots, &new_roots)
        };
        let old_breaks = breaks(&old_roots, &pairs.to_new, &new_roots);
        let new_breaks = breaks(&new_roots, &pairs.to_old, &old_roots);
        let (old_graph, new_graph) = (split(old.0, old.2, &old_breaks), split(new.0, new.2, &new_breaks));
        let old_roots = Roots::new(old.0, old.1, &old_graph);
        let new_roots = Roots::new(new.0, new.1, &new_graph);
        let sides = Sides { old: &old_roots, new: &new_roots };
        sides.part_kinds(&mut pairs);
        let found = if same { sides.unchanged(&pairs) } else { sides.compare(&mut pairs) };
        Self {
            old_status: found.old_status,
            new_status: found.new_status,
            to_new: found.to_new,
            to_old: found.to_old,
            gaps: found.gaps,
            old_graph: Some(old_graph),
            new_graph,
        }
    }

    /// One version whose changed statements are given.
    pub fn from_changed_nodes(_program: &Program, graph: StatementGraph, changed: &[NodeId]) -> Self {
        let mut new_status = vec![NewStatus::Unchanged; graph.nodes.len()];
        for node in changed {
            new_status[node.index()] = NewStatus::Changed;
        }
        Self {
            old_graph: None,
            old_status: Vec::new(),
            new_status,
            to_new: Vec::new(),
            to_old: vec![None; graph.nodes.len()],
            gaps: Vec::new(),
            new_graph: graph,
        }
    }

    /// Whether nothing changed.
    pub fn is_unchanged(&self) -> bool {
        self.gaps.is_empty()
            && self.new_status.iter().all(|&status| status == NewStatus::Unchanged)
            && self.old_status.iter().all(|&status| status == OldStatus::Unchanged)
    }

    /// What a statement of the new version was.
    pub fn status_of_new(&self, node: NodeId) -> NewStatus {
        self.new_status[node.index()]
    }

    /// What became of a statement of the old version.
    pub fn status_of_old(&self, node: NodeId) -> OldStatus {
        self.old_status[node.index()]
    }

    /// The statements of the new version that were changed or added, in order.
    pub fn changed_in_new(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.new_graph.ids().filter(|node| self.new_status[node.index()] != NewStatus::Unchanged)
    }

    /// The statements of the old version that were changed or removed, in order.
    pub fn changed_in_old(&self) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = (0..self.old_status.len()).map(NodeId::from_index);
        nodes.filter(|node| self.old_status[node.index()] != OldStatus::Unchanged)
    }

    /// Whether a way of the new version is a change.
    pub fn is_gap(&self, from: Option<NodeId>, side: usize) -> bool {
        self.gaps.binary_search(&Gap { from, side }).is_ok()
    }
}

/// The results of a comparison, before they are put together with the graphs.
struct Found {
    old_status: Vec<OldStatus>,
    new_status: Vec<NewStatus>,
    to_new: Vec<Option<NodeId>>,
    to_old: Vec<Option<NodeId>>,
    gaps: Vec<Gap>,
}

/// Both versions' roots, with the statements split.
struct Sides<'a> {
    old: &'a Roots<'a>,
    new: &'a Roots<'a>,
}

impl Sides<'_> {
    /// Takes pairs apart whose statements are of different kinds: a condition is no version of an assignment.
    fn part_kinds(&self, pairs: &mut Pairs) {
        for root in 0..self.new.len() {
            let Some(partner) = pairs.to_old[root] else { continue };
            let kinds = (
                self.new.graph.node(self.new.nodes[root]).kind,
                self.old.graph.node(self.old.nodes[partner]).kind,
            );
            if kinds.0 != kinds.1 {
                pairs.part(root);
            }
        }
    }

    fn unchanged(&self, pairs: &Pairs) -> Found {
        let mut found = self.links(pairs);
        found.new_status.fill(NewStatus::Unchanged);
        found.old_status.fill(OldStatus::Unchanged);
        found
    }

    fn compare(&self, pairs: &mut Pairs) -> Found {
        let mut verified = Verified::default();
        for root in 0..self.new.len() {
            if pairs.equal[root] && !pairs.verify(self.old, self.new, &mut verified, root) {
                pairs.equal[root] = false;
            }
        }
        let mut found = self.links(pairs);
        self.set_status(pairs, &mut found);
        self.check_sides(&mut found);
        self.check_context(&mut found);
        self.find_gaps(pairs, &mut found);
        found
    }

    /// The statements that belong together: those that hold roots which do.
    fn links(&self, pairs: &Pairs) -> Found {
        let (old_count, new_count) = (self.old.graph.nodes.len(), self.new.graph.nodes.len());
        let mut found = Found {
            old_status: vec![OldStatus::Removed; old_count],
            new_status: vec![NewStatus::Added; new_count],
            to_new: vec![None; old_count],
            to_old: vec![None; new_count],
            gaps: Vec::new(),
        };
        for root in 0..self.new.len() {
            let Some(partner) = pairs.to_old[root] else { continue };
            let (new, old) = (self.new.nodes[root], self.old.nodes[partner]);
            found.to_old[new.index()] = Some(old);
            found.to_new[old.index()] = Some(new);
        }
        found
    }

    fn set_status(&self, pairs: &Pairs, found: &mut Found) {
        for new in 0..found.to_old.len() {
            let Some(old) = found.to_old[new] else { continue };
            let (old_node, new_node) = (self.old.graph.node(old), &self.new.graph.nodes[new]);
            let same = old_node.roots.len() == new_node.roots.len()
                && new_node.roots.iter().zip(&old_node.roots).all(|(&new, &old)| {
                    let (new, old) = (self.new.number(new), self.old.number(old));
                    new.is_some_and(|new| pairs.equal[new] && pairs.to_old[new] == old)
                })
                && self.same_inside(pairs, new);
            found.new_status[new] = if same { NewStatus::Unchanged } else { NewStatus::Changed };
            found.old_status[old.index()] = if same { OldStatus::Unchanged } else { OldStatus::Changed };
        }
    }

    /// Whether nothing without a statement of its own changed between the roots of a statement.
    fn same_inside(&self, pairs: &Pairs, new: usize) -> bool {
        let roots = &self.new.graph.nodes[new].roots;
        roots[..roots.len() - 1].iter().all(|&root| {
            let Some(root) = self.new.number(root) else { return false };
            let Some(partner) = pairs.to_old[root] else { return false };
            let (old, new) = &pairs.contents;
            old.edge(self.old, Some(partner), 0).1 == new.edge(self.new, Some(root), 0).1
        })
    }

    /// A statement that other conditions decide about than before, or other sides of them, is changed: where a case no
    /// longer goes on into the next one, no statement is another, but the next case is executed less often. If one of
    /// the conditions changed, was added or was removed, the statement is affected by that, and nothing needs to be
    /// said here.
    fn check_context(&self, found: &mut Found) {
        let mut moved = Vec::new();
        let (old_ends, new_ends) =
            (PostDominators::new(&self.old.graph.cfg), PostDominators::new(&self.new.graph.cfg));
        for (new, old) in found.to_old.iter().enumerate() {
            let Some(old) = *old else { continue };
            let now = &self.new.graph.controlled_by[new];
            let settled = |node: &NodeId| found.new_status[node.index()] == NewStatus::Unchanged;
            if !settled(&NodeId::from_index(new)) || !now.iter().all(settled) {
                continue;
            }
            let before = self.old.graph.controlled_by[old.index()].iter();
            let before: Option<Vec<NodeId>> = before.map(|node| found.to_new[node.index()]).collect();
            let Some(mut before) = before else { continue };
            before.sort_unstable();
            let other_sides = |decider: &NodeId| {
                let from = found.to_old[decider.index()];
                from.map(|from| self.old.graph.sides(&old_ends, from, old))
                    != Some(self.new.graph.sides(&new_ends, *decider, NodeId::from_index(new)))
            };
            if before != *now || now.iter().any(other_sides) {
                moved.push((old, new));
            }
        }
        for (old, new) in moved {
            found.old_status[old.index()] = OldStatus::Changed;
            found.new_status[new] = NewStatus::Changed;
        }
    }

    /// A condition of which a side now leads where another led before is changed: `if (!x)` and `if (x)` differ in
    /// nothing else.
    fn check_sides(&self, found: &mut Found) {
        for new in self.new.graph.ids() {
            let Some(old) = found.to_old[new.index()] else { continue };
            let (from, to) = (self.old.graph.successors(old), self.new.graph.successors(new));
            if from.len() != to.len() || found.new_status[new.index()] != NewStatus::Unchanged {
                continue;
            }
            let led = |side: usize| match from[side] {
                FlowTarget::Node(node) => found.to_new[node.index()].map(FlowTarget::Node),
                other => Some(other),
            };
            let elsewhere = |side: usize| led(side) != Some(to[side]);
            let swapped = (0..to.len()).any(|side| {
                elsewhere(side)
                    && (0..to.len())
                        .any(|other| other != side && led(side) == Some(to[other]) && elsewhere(other))
            });
            if swapped {
                found.new_status[new.index()] = NewStatus::Changed;
                found.old_status[old.index()] = OldStatus::Changed;
            }
        }
    }

    fn find_gaps(&self, pairs: &Pairs, found: &mut Found) {
        let mut gaps = Vec::new();
        let entries = (self.old.graph.entry, self.new.graph.entry);
        if self.is_gap(pairs, found, (None, entries.0), (None, entries.1), 0) {
            gaps.push(Gap { from: None, side: 0 });
        }
        for new in self.new.graph.ids() {
            let Some(old) = found.to_old[new.index()] else { continue };
            let (from, to) = (self.old.graph.successors(old), self.new.graph.successors(new));
            if from.len() != to.len() {
                if found.new_status[new.index()] == NewStatus::Unchanged {
                    found.new_status[new.index()] = NewStatus::Changed;
                    found.old_status[old.index()] = OldStatus::Changed;
                }
                continue;
            }
            for side in 0..to.len() {
                if self.is_gap(pairs, found, (Some(old), from[side]), (Some(new), to[side]), side) {
                    gaps.push(Gap { from: Some(new), side });
                }
            }
        }
        found.gaps = gaps;
    }

    fn is_gap(
        &self,
        pairs: &Pairs,
        found: &Found,
        (old, old_target): (Option<NodeId>, FlowTarget),
        (new, new_target): (Option<NodeId>, FlowTarget),
        side: usize,
    ) -> bool {
        let same_target = match (old_target, new_target) {
            // The change is met at the target.
            (_, FlowTarget::Node(to)) if found.new_status[to.index()] != NewStatus::Unchanged => {
                return false;
            }
            (FlowTarget::Node(from), FlowTarget::Node(to)) => found.to_new[from.index()] == Some(to),
            (from, to) => from == to,
        };
        let edge = |roots: &Roots<'_>, contents: &crate::content::Contents, node: Option<NodeId>| {
            let root = node.and_then(|node| roots.number(*roots.graph.node(node).roots.last()?));
            contents.edge(roots, root, side).1
        };
        !same_target || edge(self.old, &pairs.contents.0, old) != edge(self.new, &pairs.contents.1, new)
    }
}
