//! Learning from a conflict: the clause of the first unique implication point, minimised (Sörensson and
//! Biere, "Minimizing learned clauses", 2009), with the number of its levels (Audemard and Simon, "Predicting
//! learnt clauses quality", 2009).

use super::{Reason, Sat};
use crate::blast::gates::{Bit, Gates};

/// Memory that is kept between conflicts.
#[derive(Default)]
pub(super) struct Scratch {
    /// The learnt clause: the asserting literal first, then one of the highest remaining level.
    pub(super) learnt: Vec<Bit>,
    /// Literals marked as seen, to be cleared at the end.
    marked: Vec<Bit>,
    antecedents: Vec<Bit>,
    /// Literals still to be explained while minimising, all true.
    stack: Vec<Bit>,
    level_stamps: Vec<u32>,
    stamp: u32,
}

/// What was learnt, beside the clause itself.
pub(super) struct Lesson {
    /// The level on which the clause becomes unit.
    pub(super) backtrack_to: usize,
    /// The number of distinct levels in the clause.
    pub(super) levels: u32,
}

/// Minimisation looks at no more than this many literals for each literal that it tries to remove.
const MINIMISATION_EFFORT: usize = 200;

impl Sat {
    /// The literals, all true, that together are or imply the contradiction or implication `reason`. For an
    /// implication `implied` is the literal that it explains, which is left out.
    fn antecedents(&mut self, gates: &Gates, reason: Reason, implied: Option<Bit>, into: &mut Vec<Bit>) {
        into.clear();
        match reason {
            Reason::Decision => {}
            Reason::Clause(clause) => {
                into.extend(self.clauses.literals(clause).map(|literal| !literal));
                if let Some(implied) = implied {
                    into.retain(|literal| literal.node() != implied.node());
                }
            }
            Reason::Gate(gate, members) => {
                let ([a, b, c], _) = gates.gate(gate).operands();
                for (position, literal) in [gate.bit(true), a, b, c].into_iter().enumerate() {
                    if members >> position & 1 == 1 {
                        into.push(literal.negated_if(self.value_of(literal) < 0));
                    }
                }
            }
        }
    }

    /// The highest level among the literals of a conflict.
    pub(super) fn conflict_level(&mut self, gates: &Gates, conflict: Reason) -> usize {
        let mut literals = std::mem::take(&mut self.analysis.antecedents);
        self.antecedents(gates, conflict, None, &mut literals);
        let level = literals.iter().map(|literal| self.level_of(*literal)).max().unwrap_or(0);
        self.analysis.antecedents = literals;
        level as usize
    }

    /// Learns a clause from a conflict, at least one literal of which is of the current level, which is not
    /// 0. The clause is left in the scratch memory.
    pub(super) fn analyze(&mut self, gates: &Gates, conflict: Reason) -> Lesson {
        let mut scratch = std::mem::take(&mut self.analysis);
        scratch.learnt.clear();
        // The place of the asserting literal, which is found last.
        scratch.learnt.push(Bit::FALSE);
        let asserting = self.resolve_to_implication_point(gates, conflict, &mut scratch);
        scratch.learnt[0] = !asserting;
        self.minimise(gates, &mut scratch);
        for literal in scratch.marked.drain(..) {
            self.nodes[literal.node().index()].seen = false;
        }
        let lesson = self.order_for_backtracking(&mut scratch);
        self.analysis = scratch;
        lesson
    }

    fn resolve_to_implication_point(
        &mut self,
        gates: &Gates,
        conflict: Reason,
        scratch: &mut Scratch,
    ) -> Bit {
        let current = self.current_level() as u32;
        let mut reason = conflict;
        let mut implied = None;
        let mut open = 0;
        let mut position = self.trail.len();
        loop {
            if let Reason::Clause(clause) = reason {
                self.clauses.mark_used(clause);
            }
            let mut antecedents = std::mem::take(&mut scratch.antecedents);
            self.antecedents(gates, reason, implied, &mut antecedents);
            for &literal in &antecedents {
                let data = &mut self.nodes[literal.node().index()];
                if data.seen || data.level == 0 {
                    continue;
                }
                data.seen = true;
                let level = data.level;
                scratch.marked.push(literal);
                self.heap.bump(literal.node());
                if level >= current {
                    open += 1;
                } else {
                    scratch.learnt.push(!literal);
                }
            }
            scratch.antecedents = antecedents;
            loop {
                position -= 1;
                if self.nodes[self.trail[position].node().index()].seen {
                    break;
                }
            }
            let literal = self.trail[position];
            open -= 1;
            if open == 0 {
                return literal;
            }
            reason = self.nodes[literal.node().index()].reason;
            implied = Some(literal);
        }
    }

    /// Removes the literals that follow from the others.
    fn minimise(&mut self, gates: &Gates, scratch: &mut Scratch) {
        let mut kept = 1;
        for position in 1..scratch.learnt.len() {
            let literal = scratch.learnt[position];
            if !self.is_redundant(gates, !literal, scratch) {
                scratch.learnt[kept] = literal;
                kept += 1;
            }
        }
        scratch.learnt.truncate(kept);
    }

    /// Whether a true literal follows from the other literals of the clause, that is, whether all chains of
    /// reasons lead to marked ones. What was found on the way stays marked if it does.
    fn is_redundant(&mut self, gates: &Gates, literal: Bit, scratch: &mut Scratch) -> bool {
        let marked_before = scratch.marked.len();
        scratch.stack.clear();
        scratch.stack.push(literal);
        let mut redundant = true;
        'explain: while let Some(literal) = scratch.stack.pop() {
            let reason = self.nodes[literal.node().index()].reason;
            if reason == Reason::Decision || scratch.marked.len() - marked_before > MINIMISATION_EFFORT {
                redundant = false;
                break;
            }
            let mut antecedents = std::mem::take(&mut scratch.antecedents);
            self.antecedents(gates, reason, Some(literal), &mut antecedents);
            for &antecedent in &antecedents {
                let data = &mut self.nodes[antecedent.node().index()];
                if data.seen || data.level == 0 {
                    continue;
                }
                if data.reason == Reason::Decision {
                    redundant = false;
                    scratch.antecedents = antecedents;
                    break 'explain;
                }
                data.seen = true;
                scratch.marked.push(antecedent);
                scratch.stack.push(antecedent);
            }
            scratch.antecedents = antecedents;
        }
        if !redundant {
            for literal in scratch.marked.drain(marked_before..) {
                self.nodes[literal.node().index()].seen = false;
            }
        }
        redundant
    }

    /// Puts a literal of the highest level second, where it is watched.
    fn order_for_backtracking(&mut self, scratch: &mut Scratch) -> Lesson {
        scratch.stamp = scratch.stamp.wrapping_add(1);
        scratch.level_stamps.resize(scratch.level_stamps.len().max(self.current_level() + 1), 0);
        let mut levels = 0;
        let mut highest = 1;
        for (position, literal) in scratch.learnt.iter().enumerate() {
            let level = self.level_of(*literal) as usize;
            if scratch.level_stamps[level] != scratch.stamp {
                scratch.level_stamps[level] = scratch.stamp;
                levels += 1;
            }
            if position > 1 && level as u32 > self.level_of(scratch.learnt[highest]) {
                highest = position;
            }
        }
        if scratch.learnt.len() < 2 {
            return Lesson { backtrack_to: 0, levels };
        }
        scratch.learnt.swap(1, highest);
        Lesson { backtrack_to: self.level_of(scratch.learnt[1]) as usize, levels }
    }
}
