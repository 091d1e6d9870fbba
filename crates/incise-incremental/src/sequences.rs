//! The sequences of affected statements that paths go through, as a trie.

use crate::subject::Statement;
use rustc_hash::FxHashMap;

/// A sequence: a node of the trie.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SequenceId(pub(crate) u32);

/// The empty sequence.
pub(crate) const EMPTY: SequenceId = SequenceId(0);

/// All sequences met so far.
#[derive(Clone, Debug)]
pub(crate) struct Sequences {
    parents: Vec<(SequenceId, Option<Statement>)>,
    children: FxHashMap<(SequenceId, Statement), SequenceId>,
}

impl Sequences {
    pub(crate) fn new() -> Self {
        Self { parents: vec![(EMPTY, None)], children: FxHashMap::default() }
    }

    /// The sequence with one statement more.
    pub(crate) fn then(&mut self, sequence: SequenceId, node: Statement) -> SequenceId {
        let parents = &mut self.parents;
        *self.children.entry((sequence, node)).or_insert_with(|| {
            parents.push((sequence, Some(node)));
            SequenceId(parents.len() as u32 - 1)
        })
    }

    /// The sequence without its last statement, and that statement.
    pub(crate) fn split(&self, sequence: SequenceId) -> Option<(SequenceId, Statement)> {
        let (parent, node) = self.parents[sequence.0 as usize];
        Some((parent, node?))
    }

    /// The statements of a sequence.
    pub(crate) fn nodes(&self, mut sequence: SequenceId) -> Vec<Statement> {
        let mut nodes = Vec::new();
        while let Some((parent, node)) = self.split(sequence) {
            nodes.push(node);
            sequence = parent;
        }
        nodes.reverse();
        nodes
    }
}
