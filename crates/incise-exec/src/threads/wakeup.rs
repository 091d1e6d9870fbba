//! Wakeup trees: the orders that are still to be explored from a node, as sequences of events that share beginnings.
//!
//! Abdulla, Aronis, Jonsson, Sagonas, *Source Sets* (JACM 2017), section 6. Events have outcomes here: an event with
//! one outcome says nothing of another.

use super::event::{Footprint, Mode, Touch, Ways};
use crate::memory::Slot;
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
    /// Whether it is a read of a loop that comes before what the loop waits for.
    pub(super) ahead: bool,
}

/// A sequence that begins with an event.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) step: Planned,
    pub(super) children: Vec<Branch>,
}

/// Whether a sequence can begin with a known event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Begins {
    /// It can: where the event is in the sequence, if it is there and does not only not matter to it.
    With(Option<usize>),
    /// It cannot.
    Otherwise,
    /// It can if the planned event has no other outcome than the known one.
    Unclear,
}

/// It must be known first which outcomes an event has.
pub(super) struct Unclear;

/// What is known of events that are not in the tree yet.
pub(super) struct Relations<'r, D> {
    /// Whether one of the sequence must come before another.
    pub(super) depends: &'r D,
    /// How many can come to a barrier before one that is still in the same round.
    pub(super) room: &'r dyn Fn(Slot, u64) -> u32,
    /// The threads whose events have only one outcome if nothing comes before them.
    pub(super) single: &'r [u32],
}

impl<D: Fn(&Planned, &Planned) -> bool> Relations<'_, D> {
    /// Whether a known event could come first, and then the sequence without it. Others came before both.
    pub(super) fn begins_with(&self, before: &[Planned], sequence: &[Planned], known: &Planned) -> Begins {
        let single = before.is_empty() && self.single.contains(&known.thread);
        let Some(at) = sequence.iter().position(|step| step.thread == known.thread) else {
            let whole = single || known.ways.as_ref().is_none_or(|ways| ways.is_empty());
            let apart = || !sequence.iter().any(|step| step.footprint.conflicts(&known.footprint));
            let begins = whole && apart() && self.has_room(before, sequence, known);
            return if begins { Begins::With(None) } else { Begins::Otherwise };
        };
        if sequence[..at].iter().any(|earlier| (self.depends)(earlier, &sequence[at])) {
            return Begins::Otherwise;
        }
        match (&known.ways, &sequence[at].ways) {
            (None, _) => Begins::With(Some(at)),
            // An event without decisions has only one outcome.
            (Some(known), None) if single || known.is_empty() => Begins::With(Some(at)),
            (Some(_), None) => Begins::Unclear,
            (Some(known), Some(planned)) if known == planned => Begins::With(Some(at)),
            (Some(_), Some(_)) => Begins::Otherwise,
        }
    }

    /// Arrivals at a barrier commute, but only so many are of one round.
    fn has_room(&self, before: &[Planned], sequence: &[Planned], known: &Planned) -> bool {
        known.footprint.touches.iter().all(|touch| {
            let (Mode::Arrive(_), Some(offset)) = (touch.mode, touch.offset) else { return true };
            let steps = before.iter().chain(sequence);
            let touches = steps.flat_map(|step| step.footprint.touches.iter());
            let arrives = |other: &&Touch| other.mode == touch.mode && other.overlaps(touch);
            touches.filter(arrives).count() as u32 <= (self.room)(touch.slot, offset)
        })
    }

    /// Where a sequence belongs in a tree; `None` if one that is there leads to the same.
    pub(super) fn place(
        &self,
        mut tree: &[Branch],
        mut sequence: Vec<Planned>,
    ) -> Result<Option<PlannedPlace>, Unclear> {
        let mut before = Vec::new();
        let mut way = Vec::new();
        loop {
            if sequence.is_empty() {
                return Ok(None);
            }
            let mut unclear = false;
            let leads = |(index, branch): (usize, &Branch)| match self.begins_with(
                &before,
                &sequence,
                &branch.step,
            ) {
                Begins::With(at) => Some((index, at)),
                Begins::Otherwise => None,
                Begins::Unclear => {
                    unclear = true;
                    None
                }
            };
            let Some((index, at)) = tree.iter().enumerate().find_map(leads) else {
                return if unclear { Err(Unclear) } else { Ok(Some(PlannedPlace { way, rest: sequence })) };
            };
            if let Some(at) = at {
                sequence.remove(at);
            }
            if tree[index].children.is_empty() {
                return Ok(None);
            }
            before.push(tree[index].step.clone());
            way.push(index);
            tree = &tree[index].children;
        }
    }
}

/// A place in a tree, and what is to be put there.
pub(super) struct PlannedPlace {
    /// The branches that lead to it.
    pub(super) way: Vec<usize>,
    pub(super) rest: Vec<Planned>,
}

impl PlannedPlace {
    /// Puts it there, and behind it one of several.
    pub(super) fn put(self, mut tree: &mut Vec<Branch>, behind: Vec<Branch>) {
        for index in self.way {
            tree = &mut tree[index].children;
        }
        tree.extend(chain(self.rest, behind));
    }
}

/// Sequences without the events of a thread.
pub(super) fn without(branches: Vec<Branch>, thread: u32) -> Vec<Branch> {
    let mut left = Vec::new();
    for Branch { step, children } in branches {
        let children = without(children, thread);
        match step.thread == thread {
            true => left.extend(children),
            false => left.push(Branch { step, children }),
        }
    }
    left
}

/// A tree of one sequence, and what is behind it.
fn chain(sequence: Vec<Planned>, behind: Vec<Branch>) -> Option<Branch> {
    let mut behind = Some(behind);
    let mut branch: Option<Branch> = None;
    for mut step in sequence.into_iter().rev() {
        // Executions come and go; the tree stays.
        step.origin = None;
        let children = behind.take().unwrap_or_else(|| branch.take().into_iter().collect());
        branch = Some(Branch { step, children });
    }
    branch
}
