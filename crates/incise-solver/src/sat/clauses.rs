//! Storage of learnt clauses: one array of words, with deletion and compaction.
//!
//! A clause is a header of two words and its literals. A deleted clause leaves a hole; when holes make up a
//! good part of the array, [`ClauseDatabase::compact`] slides the rest together and tells where each clause
//! went.

use crate::blast::gates::{Bit, GateNode};

/// Where a clause begins in the array.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct ClauseRef(u32);

/// Words before the literals: the number of literals, and what decides about deletion.
const HEADER: usize = 2;
/// In the first word: the clause is deleted.
const DELETED: u32 = 1 << 31;
/// In the second word, beside the number of levels: the clause took part in a conflict since the last
/// reduction.
const USED: u32 = 1 << 31;

pub(super) struct ClauseDatabase {
    words: Vec<u32>,
    learnt: Vec<ClauseRef>,
    wasted: usize,
}

impl ClauseDatabase {
    pub(super) fn new() -> Self {
        ClauseDatabase { words: Vec::new(), learnt: Vec::new(), wasted: 0 }
    }

    /// Stores a clause; `levels` is the number of distinct decision levels among its literals.
    pub(super) fn add(&mut self, literals: &[Bit], levels: u32) -> ClauseRef {
        let clause = ClauseRef(self.words.len() as u32);
        self.words.push(literals.len() as u32);
        self.words.push(levels | USED);
        self.words.extend(literals.iter().map(|literal| literal.index() as u32));
        self.learnt.push(clause);
        clause
    }

    pub(super) fn len(&self, clause: ClauseRef) -> usize {
        (self.words[clause.0 as usize] & !DELETED) as usize
    }

    pub(super) fn literal(&self, clause: ClauseRef, position: usize) -> Bit {
        bit(self.words[clause.0 as usize + HEADER + position])
    }

    pub(super) fn literals(&self, clause: ClauseRef) -> impl Iterator<Item = Bit> + '_ {
        let start = clause.0 as usize + HEADER;
        self.words[start..start + self.len(clause)].iter().map(|word| bit(*word))
    }

    pub(super) fn swap(&mut self, clause: ClauseRef, a: usize, b: usize) {
        let start = clause.0 as usize + HEADER;
        self.words.swap(start + a, start + b);
    }

    pub(super) fn is_deleted(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize] & DELETED != 0
    }

    /// Remembers that a clause was of use in a conflict.
    pub(super) fn mark_used(&mut self, clause: ClauseRef) {
        self.words[clause.0 as usize + 1] |= USED;
    }

    /// The number of clauses.
    pub(super) fn count(&self) -> usize {
        self.learnt.len()
    }

    /// Deletes about half of the clauses: those that span many levels and were not used of late. Clauses for
    /// which `is_reason` holds stay. The caller must drop the watches of deleted clauses afterwards.
    pub(super) fn delete_half(&mut self, is_reason: impl Fn(ClauseRef, GateNode) -> bool) {
        let mut candidates = std::mem::take(&mut self.learnt);
        candidates.sort_by_key(|clause| self.keep_order(*clause));
        let keep = candidates.len() / 2;
        for (rank, clause) in candidates.into_iter().enumerate() {
            let second = clause.0 as usize + 1;
            let valuable = self.words[second] & !USED <= 2;
            if rank < keep || valuable || is_reason(clause, self.literal(clause, 0).node()) {
                self.words[second] &= !USED;
                self.learnt.push(clause);
            } else {
                self.words[clause.0 as usize] |= DELETED;
                self.wasted += HEADER + self.len(clause);
            }
        }
    }

    /// Smaller is better: those used of late first, then by distinct levels, then by age.
    fn keep_order(&self, clause: ClauseRef) -> (bool, u32, u32) {
        let second = self.words[clause.0 as usize + 1];
        (second & USED == 0, second & !USED, clause.0)
    }

    pub(super) fn is_wasteful(&self) -> bool {
        self.wasted > 1000 && self.wasted * 4 > self.words.len()
    }

    /// Slides the live clauses together. The result maps old references of live clauses to new ones.
    pub(super) fn compact(&mut self) -> Relocation {
        let mut old = std::mem::take(&mut self.words);
        self.words.reserve(old.len() - self.wasted);
        let mut position = 0;
        while position < old.len() {
            let size = HEADER + (old[position] & !DELETED) as usize;
            if old[position] & DELETED == 0 {
                let moved = self.words.len() as u32;
                self.words.extend_from_slice(&old[position..position + size]);
                old[position + 1] = moved;
            }
            position += size;
        }
        self.wasted = 0;
        let relocation = Relocation { forwarding: old };
        for clause in &mut self.learnt {
            *clause = relocation.moved(*clause);
        }
        relocation
    }
}

fn bit(word: u32) -> Bit {
    GateNode::from_index(word as usize >> 1).bit(word & 1 == 0)
}

/// Where compaction moved each live clause.
pub(super) struct Relocation {
    /// The old array, in which the second word of a live clause is its new place.
    forwarding: Vec<u32>,
}

impl Relocation {
    pub(super) fn moved(&self, clause: ClauseRef) -> ClauseRef {
        ClauseRef(self.forwarding[clause.0 as usize + 1])
    }
}
