//! What can influence whether, in what order and with what values the affected statements are executed.
//!
//! A branch outside of this slice need not be explored: whichever way an input goes there, the affected statements do not notice. One way through it, that of the model at
//! hand, stands for all of them. So the effort follows the affected part of a function, and not the number of its branches.
//!
//! The slice is the backward closure over data and control dependence of: the affected statements; the places where something was removed; statements that
//! may fail, leave the program or decide something within (a call), if an affected statement may come after them, because the path would end before it; and the conditions of
//! loops, whose iterations are bounded.

use crate::subject::Subject;
use incise_change::{NodeId, Target};

/// The slice, and what lies ahead of each statement.
pub(crate) struct Slice {
    /// For each statement, whether it belongs to the slice.
    pub(crate) relevant: Vec<bool>,
    /// For each statement, whether the change can be met there or later.
    can_meet: Vec<bool>,
    /// For each statement, whether nothing there and later is affected or endless.
    tail: Vec<bool>,
}

impl Slice {
    pub(crate) fn new(subject: &Subject<'_>) -> Self {
        let graph = subject.graph;
        let gap_nodes = || subject.gaps.iter().filter_map(|gap| gap.from);
        let changes = graph.ids().filter(|node| subject.changes[node.index()]);
        let can_meet = subject.backwards(changes.chain(gap_nodes()));
        let ahead = subject.backwards(subject.affected.nodes().chain(gap_nodes()));
        let long = graph.ids().filter(|&node| {
            let footprint = subject.dependence.footprint(node);
            let calls = !footprint.calls.is_empty() || footprint.calls_unknown;
            subject.dependence.reach().in_loop(node) || (calls && footprint.may_stop)
        });
        let long = subject.backwards(long);
        let tail = graph.ids().map(|node| !ahead[node.index()] && !long[node.index()]).collect();
        let mut slice = Self { relevant: vec![false; graph.nodes.len()], can_meet, tail };
        if subject.recursive {
            slice.relevant.fill(true);
            slice.tail.fill(false);
            slice.can_meet.fill(true);
        } else {
            slice.close(subject);
        }
        slice
    }

    fn close(&mut self, subject: &Subject<'_>) {
        let graph = subject.graph;
        let mut work: Vec<NodeId> = subject.affected.nodes().collect();
        work.extend(subject.gaps.iter().filter_map(|gap| gap.from));
        work.extend(graph.ids().filter(|&node| {
            let footprint = subject.dependence.footprint(node);
            let decides = footprint.may_stop || footprint.decides;
            let loops = subject.is_condition(node) && subject.dependence.reach().in_loop(node);
            loops || (decides && !self.tail[node.index()])
        }));
        while let Some(node) = work.pop() {
            if std::mem::replace(&mut self.relevant[node.index()], true) {
                continue;
            }
            work.extend(&graph.controlled_by[node.index()]);
            work.extend(&graph.gated_by[node.index()]);
            work.extend(subject.dependence.writers(node));
        }
    }

    /// Whether the change can be met from here on.
    pub(crate) fn can_meet(&self, target: Target) -> bool {
        target.node().is_some_and(|node| self.can_meet[node.index()])
    }

    /// Whether nothing matters from here on.
    pub(crate) fn is_tail(&self, target: Target) -> bool {
        match target {
            Target::Node(node) => self.tail[node.index()],
            Target::End => true,
            Target::Nowhere => false,
        }
    }
}
