//! What follows a state is explored once, and of the orders of that no more than matter.
//!
//! Stateful partial order reduction (Yang, Chen, Gopalakrishnan, Kirby 2008) with the persistent sets of Flanagan and
//! Godefroid (2005). A state from which everything was explored is known by its number ([`key`]), with the accesses of
//! what follows it ([`summary`]). Who comes to it again goes no further; what those accesses compete with in the
//! current execution is reversed as if they had been executed ([`reduction`]). `docs/internals/threads.md` says why
//! nothing is lost.

mod key;
mod reduction;
mod summary;

use super::explorer::Explorer;
use crate::engine::state::State;
use crate::outcome::LimitKind;
use crate::threads::Schedules;
use key::KnownObjects;
use reduction::{KnownClocks, KnownLooks};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use summary::{Summary, Tables};

/// What is known of states.
#[derive(Default)]
pub(super) struct Matching {
    /// How it was when the exploration of threads began.
    begun: Option<Box<State>>,
    /// The numbers of their summaries.
    known: FxHashMap<u128, u32>,
    objects: KnownObjects,
    tables: Tables,
    looks: KnownLooks,
}

/// What a node has besides, where states are matched.
#[derive(Default)]
pub(super) struct MatchedPlace {
    /// The number of the state; none if nobody could tell that another one is the same.
    key: Option<u128>,
    /// What follows it, as far as it is explored.
    follows: Summary,
    /// Whether all threads go on from here.
    whole: bool,
    /// The limits that were hit before; those that are hit below are looked at by themselves.
    limits: BTreeSet<LimitKind>,
    /// How many executions had been cut otherwise.
    cut: u64,
}

/// A summary of more accesses than that is not used.
const MOST_ACCESSES: usize = 2000;

impl Explorer<'_, '_> {
    /// Whether what follows a state is explored once.
    pub(super) fn matches_states(&self) -> bool {
        self.config.schedules == Schedules::States && self.config.preemptions.is_none()
    }

    /// The exploration of threads begins with a state.
    pub(super) fn begin_matching(&mut self, state: &State) {
        if self.matches_states() {
            self.matching.begun = Some(Box::new(state.fork()));
        }
    }

    /// A state that the last event led to: what a node has for it, or nothing if what follows it is known.
    pub(super) fn arrive(&mut self, state: &State) -> Option<MatchedPlace> {
        let key = self.key_of(state);
        if let Some(known) = key.and_then(|key| self.matching.known.get(&key)).copied() {
            let follows = self.matching.tables.all_that_follows(known);
            let mut clocks = KnownClocks::default();
            if follows.len() <= MOST_ACCESSES && !self.shows_races(&follows, &mut clocks) {
                self.machine.decider.sink.summarised += 1;
                self.reverse_known(&follows, &mut clocks);
                self.has_followed(known);
                return None;
            }
        }
        let sink = &mut self.machine.decider.sink;
        let (limits, cut) = (std::mem::take(&mut sink.limits), sink.cut);
        Some(MatchedPlace { key, limits, cut, ..MatchedPlace::default() })
    }

    /// Everything that follows the last node is explored, and the node goes.
    pub(super) fn leave(&mut self) {
        let Some(node) = self.nodes.pop() else { return };
        if let Some(place) = node.place {
            self.keep(*place);
        }
        if !self.nodes.is_empty() {
            self.history.pop();
        }
    }

    fn keep(&mut self, place: MatchedPlace) {
        let MatchedPlace { key, follows, limits, cut, .. } = place;
        let sink = &mut self.machine.decider.sink;
        let below = std::mem::replace(&mut sink.limits, limits);
        // The order of memory is one for all; other limits cut something.
        let whole = sink.cut == cut && below.iter().all(|limit| *limit == LimitKind::WeakMemory);
        sink.limits.extend(below);
        let follows = self.matching.tables.add(follows);
        self.has_followed(follows);
        if let Some(key) = key.filter(|_| whole) {
            self.matching.known.insert(key, follows);
        }
    }

    /// The exploration stops: what was hit is told.
    pub(super) fn tell_limits(&mut self) {
        for place in self.nodes.iter_mut().filter_map(|node| node.place.as_mut()) {
            self.machine.decider.sink.limits.append(&mut place.limits);
        }
    }
}
