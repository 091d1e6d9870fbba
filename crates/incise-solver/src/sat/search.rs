//! The search loop: propagate, learn, assume, decide, within limits.

use super::{Reason, Sat};
use crate::blast::gates::Gates;
use crate::work::{self, Deadline, Effort, Passed};
use std::sync::atomic::{AtomicBool, Ordering};

/// How long a query may take.
#[derive(Copy, Clone)]
pub(crate) struct Limits<'a> {
    /// Give up after this many conflicts.
    pub(crate) conflicts: u64,
    /// Give up then.
    pub(crate) deadline: Deadline,
    /// Give up when this becomes true.
    pub(crate) interrupt: Option<&'a AtomicBool>,
}

/// The answer to a query.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum SatOutcome {
    Satisfiable,
    Unsatisfiable,
    /// The conflict limit was reached.
    TooHard,
    DeadlinePassed(Passed),
    Interrupted,
}

/// Clock and interrupt are looked at once in so many conflicts, or the square of it in decisions. A power of
/// two.
const CHECK_INTERVAL: u64 = 64;
const RESTART_INTERVAL: u64 = 100;

impl Sat {
    /// Can the assumptions hold together? If so [`Sat::value`] tells how.
    pub(crate) fn solve(&mut self, gates: &Gates, limits: &Limits) -> SatOutcome {
        let before = self.counters.propagations;
        let outcome = self.search(gates, limits);
        work::count(Effort::Propagation, self.counters.propagations - before);
        outcome
    }

    fn search(&mut self, gates: &Gates, limits: &Limits) -> SatOutcome {
        let last_conflict = self.counters.conflicts.saturating_add(limits.conflicts);
        let mut restarts = 1;
        let mut restart_at = self.counters.conflicts + RESTART_INTERVAL;
        loop {
            if let Err(conflict) = self.propagate(gates) {
                if !self.learn(gates, conflict.0) {
                    return SatOutcome::Unsatisfiable;
                }
                if self.counters.conflicts >= last_conflict {
                    return SatOutcome::TooHard;
                }
                if self.counters.conflicts & (CHECK_INTERVAL - 1) == 0
                    && let Some(outcome) = exceeded(limits)
                {
                    return outcome;
                }
                if self.clauses.count() > self.maximum_learnt {
                    self.reduce();
                }
                continue;
            }
            if self.counters.conflicts > restart_at {
                restarts += 1;
                restart_at = self.counters.conflicts + RESTART_INTERVAL * luby(restarts);
                self.backtrack(self.assumptions.len());
                continue;
            }
            if let Some(&(assumption, _)) = self.assumptions.get(self.current_level()) {
                let value = self.value_of(assumption);
                if value < 0 {
                    return SatOutcome::Unsatisfiable;
                }
                // An assumption that already holds gets a level all the same: level and position agree.
                self.level_starts.push(self.trail.len());
                if value == 0 {
                    self.enqueue(assumption, Reason::Decision);
                }
                continue;
            }
            if !self.decide() {
                return SatOutcome::Satisfiable;
            }
            if self.counters.decisions & (CHECK_INTERVAL * CHECK_INTERVAL - 1) == 0
                && let Some(outcome) = exceeded(limits)
            {
                return outcome;
            }
        }
    }

    /// Decides a node of the cone. False if all have values.
    fn decide(&mut self) -> bool {
        while self.unassigned > 0 {
            let node = match self.heap.pop() {
                Some(node) => node,
                // All candidates have values, so that some implication is missing: see the head of `sat`.
                None => match self.cone.iter().find(|node| self.value_of(node.bit(true)) == 0) {
                    Some(&node) => node,
                    None => return false,
                },
            };
            let data = self.nodes[node.index()];
            if data.in_cone && self.value_of(node.bit(true)) == 0 {
                self.counters.decisions += 1;
                self.level_starts.push(self.trail.len());
                self.enqueue(node.bit(data.phase), Reason::Decision);
                return true;
            }
        }
        false
    }

    /// Learns from a conflict and goes back to where the lesson has a consequence. False if the conflict
    /// depends on no assumption and no decision, which circuits never do.
    fn learn(&mut self, gates: &Gates, conflict: Reason) -> bool {
        self.counters.conflicts += 1;
        // A conflict that was there unnoticed, because an implication was missing, may lie below the current
        // level.
        let level = self.conflict_level(gates, conflict);
        self.backtrack(level);
        if level == 0 {
            return false;
        }
        let lesson = self.analyze(gates, conflict);
        self.backtrack(lesson.backtrack_to);
        let asserting = self.analysis.learnt[0];
        if self.analysis.learnt.len() == 1 {
            self.enqueue(asserting, Reason::Decision);
        } else {
            let clause = self.clauses.add(&self.analysis.learnt, lesson.levels);
            self.watch(clause);
            self.enqueue(asserting, Reason::Clause(clause));
        }
        self.heap.decay();
        true
    }

    /// Forgets about half of the learnt clauses.
    fn reduce(&mut self) {
        self.counters.reductions += 1;
        let (values, nodes) = (&self.values, &self.nodes);
        self.clauses.delete_half(|clause, node| {
            values[node.bit(true).index()] != 0 && nodes[node.index()].reason == Reason::Clause(clause)
        });
        for list in &mut self.watches {
            list.retain(|watch| !self.clauses.is_deleted(watch.clause));
        }
        self.maximum_learnt = self.maximum_learnt.max(self.clauses.count() + self.clauses.count() / 2);
        if self.clauses.is_wasteful() {
            self.compact();
        }
    }

    fn compact(&mut self) {
        self.counters.compactions += 1;
        let relocation = self.clauses.compact();
        for watch in self.watches.iter_mut().flatten() {
            watch.clause = relocation.moved(watch.clause);
        }
        // Reasons of unassigned nodes are stale and never read.
        for literal in &self.trail {
            if let Reason::Clause(clause) = &mut self.nodes[literal.node().index()].reason {
                *clause = relocation.moved(*clause);
            }
        }
    }
}

fn exceeded(limits: &Limits) -> Option<SatOutcome> {
    if limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
        return Some(SatOutcome::Interrupted);
    }
    limits.deadline.passed().map(SatOutcome::DeadlinePassed)
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, ... (Luby, Sinclair and Zuckerman, 1993).
fn luby(mut index: u64) -> u64 {
    loop {
        let bits = u64::BITS - index.leading_zeros();
        if index == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        index -= (1 << (bits - 1)) - 1;
    }
}
