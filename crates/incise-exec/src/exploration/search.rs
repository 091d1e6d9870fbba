//! Searchers: which waiting state is next.

use crate::config::SearcherKind;
use crate::engine::state::State;
use crate::exploration::coverage::CoverageRecorder;
use std::collections::{BTreeMap, VecDeque};

/// The states that wait.
pub(crate) trait Searcher {
    fn push(&mut self, state: Box<State>);
    /// Keeps a state that has run for long: the others come first.
    fn set_back(&mut self, state: Box<State>) {
        self.push(state);
    }
    /// The next state to run.
    fn pop(&mut self, coverage: &CoverageRecorder) -> Option<Box<State>>;
    /// A state to give to another worker: one with much below it.
    fn give(&mut self) -> Option<Box<State>>;
    fn len(&self) -> usize;
    /// Whether a state that forked goes on at once.
    fn goes_on(&self) -> bool {
        false
    }
}

pub(crate) fn searcher(kind: SearcherKind, seed: u64) -> Box<dyn Searcher> {
    match kind {
        SearcherKind::DepthFirst => Box::new(DepthFirst::default()),
        SearcherKind::BreadthFirst => Box::new(BreadthFirst::default()),
        SearcherKind::RandomPath => {
            Box::new(RandomPath { depths: BTreeMap::new(), len: 0, random: Random(seed) })
        }
        SearcherKind::CoverageFirst => Box::new(CoverageFirst::default()),
    }
}

#[derive(Default)]
struct DepthFirst(VecDeque<Box<State>>);

impl Searcher for DepthFirst {
    fn push(&mut self, state: Box<State>) {
        self.0.push_back(state);
    }
    fn pop(&mut self, _: &CoverageRecorder) -> Option<Box<State>> {
        self.0.pop_back()
    }
    fn give(&mut self) -> Option<Box<State>> {
        self.0.pop_front()
    }
    fn len(&self) -> usize {
        self.0.len()
    }
    fn set_back(&mut self, state: Box<State>) {
        self.0.push_front(state);
    }
    fn goes_on(&self) -> bool {
        true
    }
}

#[derive(Default)]
struct BreadthFirst(VecDeque<Box<State>>);

impl Searcher for BreadthFirst {
    fn push(&mut self, state: Box<State>) {
        self.0.push_back(state);
    }
    fn pop(&mut self, _: &CoverageRecorder) -> Option<Box<State>> {
        self.0.pop_front()
    }
    fn give(&mut self) -> Option<Box<State>> {
        self.0.pop_front()
    }
    fn len(&self) -> usize {
        self.0.len()
    }
}

/// A random walk from the root takes each side of a fork with equal probability: a state at depth d has weight 2^-d.
struct RandomPath {
    depths: BTreeMap<u32, Vec<Box<State>>>,
    len: usize,
    random: Random,
}

impl Searcher for RandomPath {
    fn push(&mut self, state: Box<State>) {
        self.len += 1;
        self.depths.entry(state.depth).or_default().push(state);
    }
    fn pop(&mut self, _: &CoverageRecorder) -> Option<Box<State>> {
        let shallowest = *self.depths.keys().next()?;
        let weight =
            |depth: u32, count: usize| count as f64 * 0.5f64.powi((depth - shallowest).min(1000) as i32);
        let total: f64 = self.depths.iter().map(|(&depth, states)| weight(depth, states.len())).sum();
        let mut point = self.random.fraction() * total;
        let mut chosen = shallowest;
        for (&depth, states) in &self.depths {
            chosen = depth;
            point -= weight(depth, states.len());
            if point < 0.0 {
                break;
            }
        }
        let states = self.depths.get_mut(&chosen)?;
        let index = self.random.below(states.len());
        let state = states.swap_remove(index);
        if states.is_empty() {
            self.depths.remove(&chosen);
        }
        self.len -= 1;
        Some(state)
    }
    fn give(&mut self) -> Option<Box<State>> {
        let (&shallowest, states) = self.depths.iter_mut().next()?;
        let state = states.pop();
        if states.is_empty() {
            self.depths.remove(&shallowest);
        }
        self.len -= usize::from(state.is_some());
        state
    }
    fn len(&self) -> usize {
        self.len
    }
}

/// States at code that was not executed yet come first, newest first; the others wait in a queue.
#[derive(Default)]
struct CoverageFirst {
    fresh: Vec<Box<State>>,
    others: VecDeque<Box<State>>,
}

impl Searcher for CoverageFirst {
    fn push(&mut self, state: Box<State>) {
        self.fresh.push(state);
    }
    fn pop(&mut self, coverage: &CoverageRecorder) -> Option<Box<State>> {
        while let Some(state) = self.fresh.pop() {
            if coverage.is_new(&state.thread.frame.code, state.thread.frame.pc) {
                return Some(state);
            }
            self.others.push_back(state);
        }
        self.others.pop_front()
    }
    fn give(&mut self) -> Option<Box<State>> {
        self.others.pop_front().or_else(|| self.fresh.pop())
    }
    fn len(&self) -> usize {
        self.fresh.len() + self.others.len()
    }
}

/// A small generator (SplitMix64): the same numbers for the same seed everywhere.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number below the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}
