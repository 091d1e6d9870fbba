//! Sequences beside which an event sleeps with one of its outcomes.
//!
//! Such an event does not stand for its thread: with another outcome it was not explored. But inputs that lead along
//! the sequence may leave it only the outcome that sleeps, and then all that follows is explored elsewhere. So it is
//! looked for what the threads of sleeping events can do behind a sequence that nobody has explored, all of them
//! together. If there is nothing, the sequence is not planned; else that is planned behind it, so that nothing sleeps
//! any more where it ends, and no execution is given up half-way.

use super::event::{Footprint, Ways};
use super::explorer::{Explorer, Settled};
use super::wakeup::{Branch, Planned, PlannedPlace};
use crate::engine::state::State;
use crate::engine::thread::ThreadId;
use std::rc::Rc;

impl Explorer<'_, '_> {
    /// The events that sleep with one outcome of several when a sequence at a place of the tree of a node is over.
    pub(super) fn left_asleep(&self, node: usize, place: &PlannedPlace, single: &[u32]) -> Vec<Planned> {
        if self.machine.config.ordered.is_some() {
            // What is not looked at may tell which outcomes there are, too.
            return Vec::new();
        }
        let (node, mut tree) = (&self.nodes[node], &self.nodes[node].tree);
        let mut levels: Vec<Vec<&Planned>> = vec![node.sleep.iter().collect()];
        let mut steps: Vec<&Planned> = Vec::new();
        for &index in &place.way {
            let level = levels.len() - 1;
            levels[level].extend(tree[..index].iter().map(|branch| &branch.step));
            levels.push(Vec::new());
            steps.push(&tree[index].step);
            tree = &tree[index].children;
        }
        let level = levels.len() - 1;
        levels[level].extend(tree.iter().map(|branch| &branch.step));
        steps.extend(&place.rest);
        let mut found = Vec::new();
        for (level, known) in levels.into_iter().enumerate() {
            let later = &steps[level..];
            let sleeps_on = |known: &&&Planned| {
                let partly = known.ways.as_ref().is_some_and(|ways| !ways.is_empty());
                let known_whole = level == 0 && single.contains(&known.thread);
                let woken = |step: &&Planned| {
                    step.thread == known.thread || step.footprint.conflicts(&known.footprint)
                };
                partly && !known.ahead && !known_whole && !later.iter().any(woken)
            };
            found.extend(known.iter().filter(sleeps_on).map(|&known| known.clone()));
        }
        found
    }

    /// What can be done behind a sequence without anything that sleeps; `None` if there is nothing.
    pub(super) fn otherwise(
        &mut self,
        node: usize,
        place: &PlannedPlace,
        asleep: &[Planned],
    ) -> Option<Vec<Branch>> {
        let mut steps: Vec<Planned> = Vec::new();
        let mut tree = &self.nodes[node].tree;
        for &index in &place.way {
            steps.push(tree[index].step.clone());
            tree = &tree[index].children;
        }
        steps.extend(place.rest.iter().cloned());
        match self.follow(node, &steps) {
            Some(state) => self.without_sleepers(&state, asleep),
            // Nobody can tell from here.
            None => Some(Vec::new()),
        }
    }

    fn without_sleepers(&mut self, state: &State, asleep: &[Planned]) -> Option<Vec<Branch>> {
        let Some(thread) = asleep.first().map(|known| known.thread) else { return Some(Vec::new()) };
        let able = |state: &State| {
            let thread = state.thread_named(ThreadId(thread));
            thread.is_some_and(|thread| self.machine.is_able(state, thread))
        };
        if !able(state) {
            return Some(Vec::new());
        }
        let sleeps = |ways: &[u32]| {
            let same = |known: &Planned| known.ways.as_ref().is_some_and(|known| **known == *ways);
            asleep.iter().any(|known| known.thread == thread && same(known))
        };
        let mut found = Vec::new();
        for mut outcome in self.outcomes_of(Box::new(state.fork()), thread) {
            if sleeps(outcome.ways()) {
                continue;
            }
            let (ways, footprint) = what_it_did(&outcome);
            let rest = |known: &&Planned| known.thread != thread && !known.footprint.conflicts(&footprint);
            let rest: Vec<Planned> = asleep.iter().filter(rest).cloned().collect();
            let children = match outcome.ended {
                Some(_) => Some(Vec::new()),
                None => {
                    self.look_at_waits(&mut outcome.state, &footprint);
                    self.without_sleepers(&outcome.state, &rest)
                }
            };
            if let Some(children) = children {
                let (ways, footprint) = (Some(ways), Rc::new(footprint));
                let step = Planned { thread, ways, footprint, origin: None, ahead: false };
                found.push(Branch { step, children });
            }
        }
        (!found.is_empty()).then_some(found)
    }
}

fn what_it_did(outcome: &Settled) -> (Ways, Footprint) {
    let touches = outcome.state.concurrency.as_ref().map_or_else(Vec::new, |it| it.touches.clone());
    (outcome.ways().into(), Footprint { touches, ..Footprint::default() })
}
