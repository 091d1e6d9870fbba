//! A first look at an order that is to be planned: is it clear that it is explored elsewhere?
//!
//! Every execution has most of its races in common with those before it. So nothing is made for them that would be
//! thrown away: events are known by their numbers in the current execution. Where the answer is not plain, it is no;
//! then the sequence is made and inserted as it has to be (`reversal.rs`, `wakeup.rs`).

use super::event::{Footprint, Mode};
use super::history::History;
use super::wakeup::{Branch, Planned};

/// The last event of a sequence, which is not one of the current execution.
pub(super) struct Glance<'g> {
    pub(super) history: &'g History,
    pub(super) thread: u32,
    pub(super) footprint: &'g Footprint,
    /// What comes before it in any order.
    pub(super) base: &'g [u32],
}

/// How a sequence begins with a known event: where the event is in it, or that it does not matter to it.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum At {
    Step(usize),
    Last,
    Beside,
}

impl Glance<'_> {
    /// Whether events of the current execution, and then the last one if it is still to come, can begin with a known
    /// one. `None` if that is not plain, `Some(None)` if they cannot.
    pub(super) fn begins_with(&self, steps: &[usize], last: bool, known: &Planned) -> Option<Option<At>> {
        let events = &self.history.events;
        if let Some(at) = steps.iter().position(|&step| events[step].thread == known.thread) {
            if steps[..at].iter().any(|&earlier| self.history.before(earlier, steps[at])) {
                return Some(None);
            }
            let same = known.ways.as_ref().is_none_or(|ways| **ways == *events[steps[at]].ways);
            return Some(same.then_some(At::Step(at)));
        }
        if last && self.thread == known.thread {
            let depends = |&earlier: &usize| {
                self.history.within(earlier, self.base) || events[earlier].footprint.conflicts(self.footprint)
            };
            if steps.iter().any(depends) {
                return Some(None);
            }
            let whole = known.ways.as_ref().is_none_or(|ways| ways.is_empty());
            return whole.then_some(Some(At::Last));
        }
        if known.ways.as_ref().is_some_and(|ways| !ways.is_empty()) {
            return Some(None);
        }
        // Only so many arrivals are of one round.
        if known.footprint.touches.iter().any(|touch| matches!(touch.mode, Mode::Arrive(_))) {
            return None;
        }
        let meets = steps.iter().any(|&step| events[step].footprint.conflicts(&known.footprint))
            || last && self.footprint.conflicts(&known.footprint);
        Some((!meets).then_some(At::Beside))
    }

    /// Whether a sequence of a tree leads to the same.
    pub(super) fn is_in(&self, mut tree: &[Branch], steps: &[usize]) -> bool {
        if tree.is_empty() {
            return false;
        }
        let mut steps = steps.to_vec();
        let mut last = true;
        while last || !steps.is_empty() {
            let mut found = None;
            for branch in tree {
                match self.begins_with(&steps, last, &branch.step) {
                    None => return false,
                    Some(Some(at)) => {
                        found = Some((branch, at));
                        break;
                    }
                    Some(None) => {}
                }
            }
            let Some((branch, at)) = found else { return false };
            if branch.children.is_empty() {
                return true;
            }
            match at {
                At::Step(at) => {
                    steps.remove(at);
                }
                At::Last => last = false,
                At::Beside => {}
            }
            tree = &branch.children;
        }
        true
    }
}
