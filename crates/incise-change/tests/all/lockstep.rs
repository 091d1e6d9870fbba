//! The promise of an alignment: side by side, both versions are at the same statements until the new one meets a
//! change.

use incise_change::{Alignment, FlowTarget, NewStatus, NodeId, OldStatus};
use std::collections::BTreeSet;

/// Follows both versions from the entry along all sides at once: every pair of statements that can be met before a
/// change must belong together.
pub(crate) fn check(alignment: &Alignment) -> Result<(), String> {
    let old = alignment.old_graph.as_ref().ok_or("there is no old version")?;
    let new = &alignment.new_graph;
    let mut work = Vec::new();
    let mut seen = BTreeSet::new();
    let mut step = |from: Option<NodeId>,
                    side: usize,
                    old: FlowTarget,
                    new: FlowTarget,
                    work: &mut Vec<(NodeId, NodeId)>| {
        if alignment.is_gap(from, side) {
            return Ok(());
        }
        if let Some(node) = new.node().filter(|&node| alignment.status_of_new(node) != NewStatus::Unchanged) {
            let _ = node;
            return Ok(());
        }
        match (old, new) {
            (FlowTarget::Node(left), FlowTarget::Node(right)) => {
                if alignment.to_old[right.index()] != Some(left)
                    || alignment.to_new[left.index()] != Some(right)
                {
                    return Err(format!(
                        "{from:?} side {side}: {left:?} and {right:?} do not belong together"
                    ));
                }
                if alignment.status_of_old(left) != OldStatus::Unchanged {
                    return Err(format!("{left:?} is not unchanged but {right:?} is"));
                }
                if seen.insert((left, right)) {
                    work.push((left, right));
                }
                Ok(())
            }
            (left, right) if left == right => Ok(()),
            _ => Err(format!("{from:?} side {side}: {old:?} in the old version, {new:?} in the new one")),
        }
    };
    step(None, 0, old.entry, new.entry, &mut work)?;
    while let Some((left, right)) = work.pop() {
        let (from, to) = (old.successors(left), new.successors(right));
        if from.len() != to.len() {
            return Err(format!("{left:?} has {} sides, {right:?} {}", from.len(), to.len()));
        }
        if old.node(left).kind != new.node(right).kind {
            return Err(format!("{left:?} and {right:?} are of different kinds"));
        }
        for (side, (&from, &to)) in from.iter().zip(to).enumerate() {
            step(Some(right), side, from, to, &mut work)?;
        }
    }
    Ok(())
}
