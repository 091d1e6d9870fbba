//! Symbols and interned sets of symbols.
//!
//! A set is a hash-consed Patricia trie (Okasaki and Gill, "Fast Mergeable Integer Maps", 1998) over the symbol
//! numbers, with 64 of them in each leaf. Unions share what they can, so that a chain of additions over thousands of
//! symbols does not take quadratic space.

use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use super::hash;
use super::kind::{ExprId, Symbol, SymbolId, SymbolKind, SymbolSetId};

/// The symbols of an arena, interned by name and width.
#[derive(Default)]
pub(super) struct SymbolTable {
    symbols: Vec<Symbol>,
    expressions: Vec<ExprId>,
    table: HashTable<u32>,
}

impl SymbolTable {
    pub(super) fn hash(name: &str, width: u32) -> u64 {
        hash::bytes(width as u64, name.as_bytes())
    }

    pub(super) fn find(&self, name: &str, width: u32) -> Option<ExprId> {
        let same = |&id: &u32| {
            let symbol = &self.symbols[id as usize];
            symbol.width == width && symbol.name == name
        };
        self.table.find(Self::hash(name, width), same).map(|&id| self.expressions[id as usize])
    }

    pub(super) fn next(&self) -> SymbolId {
        SymbolId(self.symbols.len() as u32)
    }

    pub(super) fn add(&mut self, name: &str, width: u32, kind: SymbolKind, expression: ExprId) {
        let id = self.next().0;
        self.symbols.push(Symbol { name: name.to_string(), width, kind });
        self.expressions.push(expression);
        let symbols = &self.symbols;
        self.table.insert_unique(Self::hash(name, width), id, |&id| {
            let symbol = &symbols[id as usize];
            Self::hash(&symbol.name, symbol.width)
        });
    }

    pub(super) fn get(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    pub(super) fn expression(&self, id: SymbolId) -> ExprId {
        self.expressions[id.index()]
    }

    pub(super) fn len(&self) -> usize {
        self.symbols.len()
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum SetNode {
    Empty,
    /// The symbols `64 * key + i` for each bit `i`, of which there is one at least.
    Leaf {
        key: u32,
        bits: u64,
    },
    /// Keys that agree with `prefix` above the bit `branch`, a power of two; those without that bit are on the left.
    Branch {
        prefix: u32,
        branch: u32,
        left: u32,
        right: u32,
    },
}

/// The interned sets of an arena.
pub(super) struct SymbolSets {
    nodes: Vec<SetNode>,
    index: FxHashMap<SetNode, u32>,
    unions: FxHashMap<(u32, u32), u32>,
}

impl SymbolSets {
    pub(super) const EMPTY: SymbolSetId = SymbolSetId(0);
    /// An id and the other facts of a node fit in 64 bits.
    const ID_BITS: u32 = 26;

    pub(super) fn new() -> Self {
        SymbolSets { nodes: vec![SetNode::Empty], index: FxHashMap::default(), unions: FxHashMap::default() }
    }

    pub(super) fn single(&mut self, symbol: SymbolId) -> SymbolSetId {
        SymbolSetId(self.intern(SetNode::Leaf { key: symbol.0 >> 6, bits: 1 << (symbol.0 & 63) }))
    }

    #[inline]
    pub(super) fn union(&mut self, a: SymbolSetId, b: SymbolSetId) -> SymbolSetId {
        if a == b || b == Self::EMPTY {
            a
        } else if a == Self::EMPTY {
            b
        } else {
            SymbolSetId(self.union_nodes(a.0, b.0))
        }
    }

    fn intern(&mut self, node: SetNode) -> u32 {
        let next = self.nodes.len() as u32;
        let id = *self.index.entry(node).or_insert(next);
        if id == next {
            assert!(next < 1 << Self::ID_BITS, "an arena holds at most 2^26 sets of symbols");
            self.nodes.push(node);
        }
        id
    }

    /// The recursion is as deep as a key has bits, at most 26.
    fn union_nodes(&mut self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let (node_a, node_b) = (self.nodes[a as usize], self.nodes[b as usize]);
        if let (SetNode::Leaf { key, bits }, SetNode::Leaf { key: other, bits: more }) = (node_a, node_b)
            && key == other
        {
            return match bits | more {
                all if all == bits => a,
                all if all == more => b,
                all => self.intern(SetNode::Leaf { key, bits: all }),
            };
        }
        let pair = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&pair) {
            return known;
        }
        let result = self.union_distinct(a, node_a, b, node_b);
        self.unions.insert(pair, result);
        result
    }

    fn union_distinct(&mut self, a: u32, node_a: SetNode, b: u32, node_b: SetNode) -> u32 {
        match (node_a, node_b) {
            (SetNode::Empty, _) => b,
            (_, SetNode::Empty) => a,
            (
                SetNode::Branch { prefix: p, branch: m, left, right },
                SetNode::Branch { prefix: q, branch: n, left: l, right: r },
            ) if m == n && p == q => {
                let (left, right) = (self.union_nodes(left, l), self.union_nodes(right, r));
                self.intern(SetNode::Branch { prefix: p, branch: m, left, right })
            }
            (SetNode::Branch { prefix, branch, left, right }, _) if covers(prefix, branch, node_b) => {
                self.union_into(prefix, branch, left, right, b, node_b)
            }
            (_, SetNode::Branch { prefix, branch, left, right }) if covers(prefix, branch, node_a) => {
                self.union_into(prefix, branch, left, right, a, node_a)
            }
            _ => self.join(a, key_of(node_a), b, key_of(node_b)),
        }
    }

    fn union_into(
        &mut self,
        prefix: u32,
        branch: u32,
        left: u32,
        right: u32,
        other: u32,
        node: SetNode,
    ) -> u32 {
        let (left, right) = if key_of(node) & branch == 0 {
            (self.union_nodes(left, other), right)
        } else {
            (left, self.union_nodes(right, other))
        };
        self.intern(SetNode::Branch { prefix, branch, left, right })
    }

    /// A branch over two tries whose keys part at the highest bit where they differ.
    fn join(&mut self, a: u32, key_a: u32, b: u32, key_b: u32) -> u32 {
        let branch = 1 << (31 - (key_a ^ key_b).leading_zeros());
        let prefix = above(key_a, branch);
        let (left, right) = if key_a & branch == 0 { (a, b) } else { (b, a) };
        self.intern(SetNode::Branch { prefix, branch, left, right })
    }

    #[inline]
    pub(super) fn iter(&self, set: SymbolSetId) -> SymbolIter<'_> {
        // Most sets are one leaf, for which nothing is allocated.
        match self.nodes[set.index()] {
            SetNode::Empty => SymbolIter { sets: self, stack: Vec::new(), base: 0, bits: 0 },
            SetNode::Leaf { key, bits } => SymbolIter { sets: self, stack: Vec::new(), base: key << 6, bits },
            SetNode::Branch { .. } => SymbolIter { sets: self, stack: vec![set.0], base: 0, bits: 0 },
        }
    }

    pub(super) fn intersect(&self, a: SymbolSetId, b: SymbolSetId) -> bool {
        let mut pairs = vec![(a.0, b.0)];
        while let Some((a, b)) = pairs.pop() {
            let (node_a, node_b) = (self.nodes[a as usize], self.nodes[b as usize]);
            match (node_a, node_b) {
                (SetNode::Empty, _) | (_, SetNode::Empty) => {}
                _ if a == b => return true,
                (SetNode::Leaf { key, bits }, SetNode::Leaf { key: other, bits: more })
                    if key == other && bits & more != 0 =>
                {
                    return true;
                }
                (SetNode::Leaf { .. }, SetNode::Leaf { .. }) => {}
                (
                    SetNode::Branch { branch: m, left, right, .. },
                    SetNode::Branch { branch: n, left: l, right: r, .. },
                ) if m == n => {
                    pairs.extend([(left, l), (right, r)]);
                }
                (SetNode::Branch { prefix, branch, left, right }, _) if covers(prefix, branch, node_b) => {
                    pairs.push((if key_of(node_b) & branch == 0 { left } else { right }, b));
                }
                (_, SetNode::Branch { prefix, branch, left, right }) if covers(prefix, branch, node_a) => {
                    pairs.push((a, if key_of(node_a) & branch == 0 { left } else { right }));
                }
                _ => {}
            }
        }
        false
    }
}

/// The bits of a key above its branching bit.
fn above(key: u32, branch: u32) -> u32 {
    key & !(branch | (branch - 1))
}

fn key_of(node: SetNode) -> u32 {
    match node {
        SetNode::Empty => 0,
        SetNode::Leaf { key, .. } => key,
        SetNode::Branch { prefix, .. } => prefix,
    }
}

/// Whether all keys of a node belong below the branch.
fn covers(prefix: u32, branch: u32, node: SetNode) -> bool {
    let lower = match node {
        SetNode::Branch { branch: other, .. } => other < branch,
        _ => true,
    };
    lower && above(key_of(node), branch) == prefix
}

/// The symbols of a set, in the order of their ids.
pub struct SymbolIter<'a> {
    sets: &'a SymbolSets,
    stack: Vec<u32>,
    base: u32,
    bits: u64,
}

impl Iterator for SymbolIter<'_> {
    type Item = SymbolId;

    #[inline]
    fn next(&mut self) -> Option<SymbolId> {
        while self.bits == 0 {
            match self.sets.nodes[self.stack.pop()? as usize] {
                SetNode::Empty => {}
                SetNode::Leaf { key, bits } => (self.base, self.bits) = (key << 6, bits),
                SetNode::Branch { left, right, .. } => self.stack.extend([right, left]),
            }
        }
        let symbol = SymbolId(self.base + self.bits.trailing_zeros());
        self.bits &= self.bits - 1;
        Some(symbol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn sets_behave_as_ordered_sets_do() {
        let mut sets = SymbolSets::new();
        let mut known: Vec<(SymbolSetId, BTreeSet<u32>)> = vec![(SymbolSets::EMPTY, BTreeSet::new())];
        let mut seed = 7u64;
        let mut random = |bound: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % bound
        };
        for _ in 0..300 {
            let symbol = random(3000) as u32 * [1, 1, 777][random(3)];
            known.push((sets.single(SymbolId(symbol)), BTreeSet::from([symbol])));
            let ((a, model_a), (b, model_b)) =
                (known[random(known.len())].clone(), known[random(known.len())].clone());
            let union = sets.union(a, b);
            let model: BTreeSet<u32> = model_a.union(&model_b).copied().collect();
            assert_eq!(
                sets.iter(union).map(|s| s.0).collect::<Vec<_>>(),
                model.iter().copied().collect::<Vec<_>>()
            );
            assert_eq!(sets.union(b, a), union);
            known.push((union, model));
        }
        for (a, model_a) in &known {
            for (b, model_b) in &known {
                assert_eq!(a == b, model_a == model_b, "equal sets have equal ids");
                assert_eq!(sets.intersect(*a, *b), !model_a.is_disjoint(model_b));
            }
        }
    }

    #[test]
    fn growing_unions_take_little_space() {
        let mut sets = SymbolSets::new();
        let mut all = SymbolSets::EMPTY;
        for symbol in 0..50_000 {
            let one = sets.single(SymbolId(symbol));
            all = sets.union(all, one);
        }
        assert_eq!(sets.iter(all).count(), 50_000);
        assert!(sets.nodes.len() < 50_000 * 14, "{}", sets.nodes.len());
    }
}
