//! Statements that wait for their turn, each with something to remember; the first of the function comes first.

use crate::graph::NodeId;

/// The statements that wait.
pub(crate) struct Waiting<V> {
    /// One bit for each statement.
    words: Box<[u64]>,
    values: Box<[Option<V>]>,
    /// The words before this one are zero.
    first: usize,
    count: usize,
}

impl<V: Copy> Waiting<V> {
    /// Room for the statements of a graph with so many.
    pub(crate) fn new(nodes: usize) -> Self {
        Self {
            words: vec![0; nodes.div_ceil(64)].into(),
            values: vec![None; nodes].into(),
            first: 0,
            count: 0,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Makes a statement wait with a value; if it already does, `merge` tells what becomes of the value that it has.
    pub(crate) fn add(&mut self, node: NodeId, value: V, merge: impl FnOnce(V) -> V) {
        let index = node.index();
        let slot = &mut self.values[index];
        match *slot {
            Some(known) => *slot = Some(merge(known)),
            None => {
                *slot = Some(value);
                self.words[index / 64] |= 1 << (index % 64);
                self.first = self.first.min(index / 64);
                self.count += 1;
            }
        }
    }

    /// Takes the first statement out.
    pub(crate) fn pop_first(&mut self) -> Option<(NodeId, V)> {
        if self.count == 0 {
            return None;
        }
        while self.words[self.first] == 0 {
            self.first += 1;
        }
        let word = &mut self.words[self.first];
        let index = self.first * 64 + word.trailing_zeros() as usize;
        *word &= *word - 1;
        self.count -= 1;
        let value = self.values[index].take()?;
        Some((NodeId::from_index(index), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_statement_comes_first_with_what_was_kept() {
        let mut waiting = Waiting::new(200);
        let node = NodeId::from_index;
        for (index, value) in [(150, 5), (3, 9), (64, 1), (3, 2)] {
            waiting.add(node(index), value, |known: i32| known.min(value));
        }
        assert_eq!(waiting.pop_first(), Some((node(3), 2)));
        waiting.add(node(0), 7, |known| known);
        let rest: Vec<_> = std::iter::from_fn(|| waiting.pop_first()).collect();
        assert_eq!(rest, [(node(0), 7), (node(64), 1), (node(150), 5)]);
        assert!(waiting.is_empty());
    }
}
