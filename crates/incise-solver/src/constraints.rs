//! The path condition of a state, kept as a partition into independent sets.
//!
//! Two constraints are in one group if a chain of shared symbols joins them. The groups are found by a persistent
//! union-find over symbols: a trie of small shared nodes maps each symbol to a link to another symbol or, at a root, to
//! its group. A group is a tree: the constraint that made it, on top of the groups that it joined. A clone copies
//! pointers; a push makes one group node and copies a few trie nodes if they are shared; a slice is a handful of
//! groups, whatever the length of the path.

use std::sync::Arc;

use crate::expr::{ExprId, Exprs, SymbolId};

/// The constraints of a path. Cloning is cheap, and clones share what they have in common.
#[derive(Clone, Default)]
pub struct Constraints {
    root: Trie,
    /// How many levels of branches are above the leaves.
    height: u32,
    /// Constraints without symbols: none in a feasible path, but what was pushed is kept.
    ground: Option<Arc<Group>>,
    length: u32,
}

/// A set of constraints that share symbols, or were joined by one that does.
struct Group {
    constraint: ExprId,
    /// The place in the path.
    position: u32,
    /// How many constraints there are in the whole tree.
    count: u32,
    /// The sum of the mixed structural hashes of the tree's constraints, in halves: a whole one would be aligned to 16
    /// bytes.
    key: [u64; 2],
    first: Option<Arc<Group>>,
    rest: Option<Box<[Arc<Group>]>>,
}

/// How many constraints a quick look goes back.
const LATELY: u32 = 24;

const BRANCH_BITS: u32 = 3;
const BRANCHES: usize = 1 << BRANCH_BITS;
const LEAF_BITS: u32 = 2;
const LEAF_ENTRIES: usize = 1 << LEAF_BITS;

#[derive(Clone, Default)]
enum Trie {
    #[default]
    Empty,
    Branch(Arc<[Trie; BRANCHES]>),
    Leaf(Arc<[Entry; LEAF_ENTRIES]>),
}

#[derive(Clone, Default)]
enum Entry {
    /// No constraint mentions the symbol.
    #[default]
    Free,
    /// The symbol is in the same group as another one.
    Link(SymbolId),
    /// The symbol stands for its group, in which there are so many symbols.
    Root(Arc<Group>, u32),
}

impl Constraints {
    /// No constraints.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many constraints there are.
    pub fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds a constraint, an expression of width 1, at the end of the path. The constant true is not kept.
    pub fn push(&mut self, exprs: &Exprs, constraint: ExprId) {
        if constraint == Exprs::TRUE {
            return;
        }
        let mut roots: Vec<(SymbolId, u32, Option<Arc<Group>>)> = Vec::new();
        for symbol in exprs.symbols_of(constraint) {
            let (root, entry) = self.find(symbol);
            if roots.iter().all(|known| known.0 != root) {
                roots.push(match entry {
                    Some((group, size)) => (root, size, Some(group.clone())),
                    None => (root, 1, None),
                });
            }
        }
        let mut groups: Vec<Arc<Group>> = roots.iter_mut().filter_map(|root| root.2.take()).collect();
        if roots.is_empty() {
            groups.extend(self.ground.take());
        }
        let group = Arc::new(Group::new(exprs, constraint, self.length, groups));
        self.length += 1;
        let Some(&(heaviest, ..)) = roots.iter().max_by_key(|root| (root.1, std::cmp::Reverse(root.0)))
        else {
            self.ground = Some(group);
            return;
        };
        let size = roots.iter().map(|root| root.1).sum();
        for &(root, ..) in roots.iter().filter(|root| root.0 != heaviest) {
            self.set(root, Entry::Link(heaviest));
        }
        self.set(heaviest, Entry::Root(group, size));
    }

    /// All constraints in the order of the path.
    pub fn iter_in_order(&self) -> Vec<ExprId> {
        self.whole().to_vec()
    }

    /// The constraints that share symbols with an expression, directly or through others.
    pub fn slice(&self, exprs: &Exprs, e: ExprId) -> Slice {
        let mut roots: Vec<SymbolId> = Vec::new();
        let mut groups = Vec::new();
        for symbol in exprs.symbols_of(e) {
            let (root, entry) = self.find(symbol);
            if let Some((group, _)) = entry
                && !roots.contains(&root)
            {
                roots.push(root);
                groups.push(group.clone());
            }
        }
        groups.sort_by_key(|group| group.position);
        Slice { groups }
    }

    /// Whether this very constraint is among the last few that share its symbols: a quick look, not a search. False
    /// proves nothing.
    pub fn lately_has(&self, exprs: &Exprs, constraint: ExprId) -> bool {
        let Some(symbol) = exprs.symbols_of(constraint).next() else { return false };
        let mut group = self.find(symbol).1.map(|(group, _)| group);
        for _ in 0..LATELY {
            match group {
                Some(known) if known.constraint == constraint => return true,
                Some(known) => group = known.first.as_ref(),
                None => return false,
            }
        }
        false
    }

    /// The partition into independent sets, in the order of their last constraints.
    pub fn slices(&self, _exprs: &Exprs) -> Vec<Slice> {
        self.whole().groups.into_iter().map(|group| Slice { groups: vec![group] }).collect()
    }

    /// Everything as one slice.
    pub fn whole(&self) -> Slice {
        let mut groups: Vec<Arc<Group>> = self.ground.iter().cloned().collect();
        let mut tries = vec![&self.root];
        while let Some(trie) = tries.pop() {
            match trie {
                Trie::Empty => {}
                Trie::Branch(children) => tries.extend(children.iter()),
                Trie::Leaf(entries) => groups.extend(entries.iter().filter_map(|entry| match entry {
                    Entry::Root(group, _) => Some(group.clone()),
                    _ => None,
                })),
            }
        }
        groups.sort_by_key(|group| group.position);
        Slice { groups }
    }

    /// The symbol that stands for the group of a symbol, and the group with the number of its symbols, if it is in one.
    /// Links always go to larger sets, so that chains are short.
    fn find(&self, symbol: SymbolId) -> (SymbolId, Option<(&Arc<Group>, u32)>) {
        let mut at = symbol;
        loop {
            match self.get(at) {
                Some(Entry::Link(next)) => at = *next,
                Some(Entry::Root(group, size)) => return (at, Some((group, *size))),
                Some(Entry::Free) | None => return (at, None),
            }
        }
    }

    #[inline]
    fn get(&self, symbol: SymbolId) -> Option<&Entry> {
        let number = symbol.index() as u32;
        if (number >> LEAF_BITS) as u64 >> (BRANCH_BITS * self.height) != 0 {
            return None;
        }
        let mut trie = &self.root;
        let mut level = self.height;
        loop {
            match trie {
                Trie::Empty => return None,
                Trie::Leaf(entries) => return Some(&entries[number as usize % LEAF_ENTRIES]),
                Trie::Branch(children) => {
                    level -= 1;
                    trie = &children[branch_of(number, level)];
                }
            }
        }
    }

    fn set(&mut self, symbol: SymbolId, entry: Entry) {
        let number = symbol.index() as u32;
        while (number >> LEAF_BITS) as u64 >> (BRANCH_BITS * self.height) != 0 {
            let below = std::mem::take(&mut self.root);
            if !matches!(below, Trie::Empty) {
                let mut children: [Trie; BRANCHES] = Default::default();
                children[0] = below;
                self.root = Trie::Branch(Arc::new(children));
            }
            self.height += 1;
        }
        let mut trie = &mut self.root;
        for level in (0..self.height).rev() {
            if matches!(trie, Trie::Empty) {
                *trie = Trie::Branch(Arc::default());
            }
            let Trie::Branch(children) = trie else { return };
            trie = &mut Arc::make_mut(children)[branch_of(number, level)];
        }
        if matches!(trie, Trie::Empty) {
            *trie = Trie::Leaf(Arc::default());
        }
        if let Trie::Leaf(entries) = trie {
            Arc::make_mut(entries)[number as usize % LEAF_ENTRIES] = entry;
        }
    }
}

/// Which child of a branch a symbol is under; level 0 is just above the leaves.
fn branch_of(number: u32, level: u32) -> usize {
    ((number >> LEAF_BITS) as u64 >> (BRANCH_BITS * level)) as usize % BRANCHES
}

impl Group {
    fn new(exprs: &Exprs, constraint: ExprId, position: u32, mut groups: Vec<Arc<Group>>) -> Self {
        let count = 1 + groups.iter().map(|group| group.count).sum::<u32>();
        let key = groups.iter().fold(key_of(exprs, constraint), |key, group| key.wrapping_add(group.key()));
        let key = [key as u64, (key >> 64) as u64];
        let first = groups.pop();
        let rest = (!groups.is_empty()).then(|| groups.into_boxed_slice());
        Group { constraint, position, count, key, first, rest }
    }

    fn key(&self) -> u128 {
        self.key[0] as u128 | (self.key[1] as u128) << 64
    }
}

/// A number for a constraint, in every arena.
fn key_of(exprs: &Exprs, constraint: ExprId) -> u128 {
    let own =
        (exprs.structural_hash(constraint) as u128).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    own ^ own >> 61
}

impl Drop for Group {
    /// Takes long chains apart in a loop: the groups of a long path are nested as deep as the path is long.
    fn drop(&mut self) {
        let mut pending: Vec<Arc<Group>> = Vec::new();
        let detach = |group: &mut Group, pending: &mut Vec<Arc<Group>>| {
            pending.extend(group.first.take());
            pending.extend(group.rest.take().into_iter().flat_map(Vec::from));
        };
        detach(self, &mut pending);
        while let Some(group) = pending.pop() {
            if let Some(mut group) = Arc::into_inner(group) {
                detach(&mut group, &mut pending);
            }
        }
    }
}

/// Some groups of a path's constraints: what a query depends on.
#[derive(Clone, Default)]
pub struct Slice {
    groups: Vec<Arc<Group>>,
}

impl Slice {
    /// How many constraints there are.
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.count as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// A number for the set of constraints, whatever their order, in every arena: slices with equal keys have equal
    /// constraints, but for a collision of 128 bits made of 64-bit structural hashes. It takes no walk over the
    /// constraints.
    pub fn key(&self) -> u128 {
        self.groups.iter().fold(0, |key, group| key.wrapping_add(group.key()))
    }

    /// The key of the slice with one more constraint.
    pub(crate) fn key_with(&self, exprs: &Exprs, constraint: ExprId) -> u128 {
        self.key().wrapping_add(key_of(exprs, constraint))
    }

    /// Whether two slices are the very same part of the same path; a cheap test that may fail for equal ones.
    pub fn is_same(&self, other: &Slice) -> bool {
        self.groups.len() == other.groups.len()
            && self.groups.iter().zip(&other.groups).all(|(a, b)| Arc::ptr_eq(a, b))
    }

    /// The constraints in the order of the path.
    pub fn to_vec(&self) -> Vec<ExprId> {
        let mut found: Vec<(u32, ExprId)> = Vec::with_capacity(self.len());
        let mut pending: Vec<&Arc<Group>> = self.groups.iter().collect();
        while let Some(group) = pending.pop() {
            found.push((group.position, group.constraint));
            pending.extend(group.first.iter());
            pending.extend(group.rest.iter().flat_map(|rest| rest.iter()));
        }
        found.sort_unstable();
        found.into_iter().map(|(_, constraint)| constraint).collect()
    }

    /// The constraints in the order of the path, as an iterator.
    pub fn iter(&self) -> std::vec::IntoIter<ExprId> {
        self.to_vec().into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{BinaryOp, CompareOp, SymbolKind};
    use std::collections::BTreeSet;

    fn symbols(exprs: &mut Exprs, count: usize) -> Vec<ExprId> {
        (0..count).map(|i| exprs.symbol(&format!("x{i}"), 32, SymbolKind::Signed)).collect()
    }

    /// What a slice should be, by the definition.
    fn reachable(exprs: &Exprs, all: &[ExprId], e: ExprId) -> Vec<ExprId> {
        let mut symbols: BTreeSet<SymbolId> = exprs.symbols_of(e).collect();
        loop {
            let before = symbols.len();
            for &c in all {
                let own: BTreeSet<SymbolId> = exprs.symbols_of(c).collect();
                if !own.is_disjoint(&symbols) {
                    symbols.extend(own);
                }
            }
            if symbols.len() == before {
                break;
            }
        }
        all.iter().copied().filter(|&c| exprs.symbols_of(c).any(|s| symbols.contains(&s))).collect()
    }

    #[test]
    fn slices_are_what_the_definition_says_also_after_forks() {
        let mut seed = 11u64;
        let mut random = |bound: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % bound
        };
        for round in 0..40 {
            let mut exprs = Exprs::new();
            let inputs = symbols(&mut exprs, 5 + round * 3);
            let mut states: Vec<(Constraints, Vec<ExprId>)> = vec![Default::default()];
            for step in 0..60 {
                let at = random(states.len());
                if random(4) == 0 {
                    states.push(states[at].clone());
                }
                let (a, b) = (inputs[random(inputs.len())], inputs[random(inputs.len())]);
                let limit = exprs.constant(step, 32);
                let sum = if random(2) == 0 { a } else { exprs.binary(BinaryOp::Mul, a, b) };
                let constraint = exprs.compare(CompareOp::Ult, limit, sum);
                let (constraints, list) = &mut states[at];
                constraints.push(&exprs, constraint);
                if constraint != Exprs::TRUE {
                    list.push(constraint);
                }
            }
            for (constraints, list) in &states {
                assert_eq!(constraints.iter_in_order(), *list);
                assert_eq!(constraints.len(), list.len());
                for &input in &inputs {
                    let slice = constraints.slice(&exprs, input);
                    assert_eq!(slice.to_vec(), reachable(&exprs, list, input));
                    assert_eq!(slice.len(), slice.to_vec().len());
                }
                let mut parts: Vec<ExprId> =
                    constraints.slices(&exprs).iter().flat_map(Slice::to_vec).collect();
                let mut expected = list.clone();
                parts.sort();
                expected.sort();
                assert_eq!(parts, expected);
            }
        }
    }

    #[test]
    fn keys_do_not_depend_on_the_order() {
        let mut exprs = Exprs::new();
        let x = symbols(&mut exprs, 1)[0];
        let bounds: Vec<ExprId> = (1..4)
            .map(|i| {
                let limit = exprs.constant(i * 100, 32);
                exprs.compare(CompareOp::Slt, x, limit)
            })
            .collect();
        let key = |order: &[usize]| {
            let mut constraints = Constraints::new();
            order.iter().for_each(|&i| constraints.push(&exprs, bounds[i]));
            constraints.slice(&exprs, x).key()
        };
        assert_eq!(key(&[0, 1, 2]), key(&[2, 0, 1]));
        assert_ne!(key(&[0, 1]), key(&[0, 2]));
        assert_ne!(key(&[0, 1]), key(&[0, 1, 2]));
    }

    #[test]
    fn a_long_path_is_pushed_sliced_and_dropped() {
        let mut exprs = Exprs::new();
        let inputs = symbols(&mut exprs, 1000);
        let mut constraints = Constraints::new();
        for i in 0..200_000u128 {
            let limit = exprs.constant(i + 1, 32);
            let constraint = exprs.compare(CompareOp::Slt, inputs[i as usize % 1000], limit);
            constraints.push(&exprs, constraint);
        }
        assert_eq!(constraints.len(), 200_000);
        assert_eq!(constraints.slice(&exprs, inputs[7]).len(), 200);
        let mut one = Constraints::new();
        for i in 0..200_000u128 {
            let limit = exprs.constant(i + 1, 32);
            let constraint = exprs.compare(CompareOp::Slt, inputs[0], limit);
            one.push(&exprs, constraint);
        }
        assert_eq!(one.slice(&exprs, inputs[0]).len(), 200_000);
        drop(one);
    }
}
