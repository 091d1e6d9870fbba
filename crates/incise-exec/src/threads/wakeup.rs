//! Wakeup trees: the orders that are still to be explored from a node, as sequences of events that share beginnings.
//!
//! Abdulla, Aronis, Jonsson, Sagonas, *Source Sets* (JACM 2017), section 6. Events have outcomes here: an event with
//! one outcome says nothing of another.

use super::event::{Footprint, Ways};
use std::rc::Rc;

/// An event that is to happen, or that sleeps because it was explored.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub(super) thread: u32,
    /// Its outcome; `None` for all that it can have.
    pub(super) ways: Option<Ways>,
    pub(super) footprint: Rc<Footprint>,
    /// The event of the current execution that it is, if nothing that it depends on was taken away.
    pub(super) origin: Option<usize>,
}

/// A sequence that begins with an event.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) step: Planned,
    pub(super) children: Vec<Branch>,
}

/// Whether the outcome of a known event is that of a planned one.
fn is_same_outcome(known: &Option<Ways>, planned: &Option<Ways>) -> bool {
    match (known, planned) {
        (None, _) => true,
        // An event without decisions has only one outcome.
        (Some(known), None) => known.is_empty(),
        (Some(known), Some(planned)) => known == planned,
    }
}

/// Whether a known event could come first, and then the sequence without it: `Some(Some(_))` says where it is in the
/// sequence, `Some(None)` that it is not there and does not matter to it. `depends` tells whether one of the sequence
/// must come before another.
pub(super) fn begins_with(
    sequence: &[Planned],
    known: &Planned,
    depends: &impl Fn(&Planned, &Planned) -> bool,
) -> Option<Option<usize>> {
    match sequence.iter().position(|step| step.thread == known.thread) {
        Some(at) => {
            let first = is_same_outcome(&known.ways, &sequence[at].ways)
                && !sequence[..at].iter().any(|earlier| depends(earlier, &sequence[at]));
            first.then_some(Some(at))
        }
        None => {
            let whole = known.ways.as_ref().is_none_or(|ways| ways.is_empty());
            let apart = || !sequence.iter().any(|step| step.footprint.conflicts(&known.footprint));
            (whole && apart()).then_some(None)
        }
    }
}

/// Inserts a sequence, unless one that is there leads to the same.
pub(super) fn insert(
    mut tree: &mut Vec<Branch>,
    mut sequence: Vec<Planned>,
    depends: &impl Fn(&Planned, &Planned) -> bool,
) -> bool {
    loop {
        if sequence.is_empty() {
            return false;
        }
        let found = tree
            .iter()
            .enumerate()
            .find_map(|(index, branch)| begins_with(&sequence, &branch.step, depends).map(|at| (index, at)));
        let Some((index, at)) = found else {
            tree.extend(chain(sequence));
            return true;
        };
        if let Some(at) = at {
            sequence.remove(at);
        }
        if tree[index].children.is_empty() {
            return false;
        }
        tree = &mut tree[index].children;
    }
}

/// A tree of one sequence.
fn chain(sequence: Vec<Planned>) -> Option<Branch> {
    let mut branch: Option<Branch> = None;
    for mut step in sequence.into_iter().rev() {
        // Executions come and go; the tree stays.
        step.origin = None;
        branch = Some(Branch { step, children: branch.into_iter().collect() });
    }
    branch
}
