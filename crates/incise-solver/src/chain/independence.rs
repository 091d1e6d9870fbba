//! Slices as the stages see them: the conditions of the path that a question depends on, without those that
//! others imply.
//!
//! A loop up to a symbolic bound leaves one comparison with a constant for each round, of which the last
//! implies all others. Digests of slices are kept, and one of a slice that grew by a condition is made from
//! the one before, so that a long path does not make each question slow.

use super::bounds;
use crate::constraints::Slice;
use crate::expr::{ExprId, Exprs, SymbolId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What is left of a slice.
pub(crate) struct Digest {
    /// In the order of the path. They imply all conditions of the slice, and are among them.
    pub(crate) conditions: Vec<ExprId>,
    /// All symbols of the slice, in the order of ids.
    pub(crate) symbols: Vec<SymbolId>,
    /// How many conditions the slice has.
    length: usize,
}

/// The digests made of late.
pub(crate) struct Digests {
    known: FxHashMap<u128, Arc<Digest>>,
    /// By the key of a slice that may come: the slice that it is made from, and the condition that is added.
    expected: FxHashMap<u128, (u128, ExprId)>,
    size: usize,
}

/// How many conditions and symbols the digests hold before all are forgotten.
const LARGEST_SIZE: usize = 1_000_000;

impl Digests {
    pub(crate) fn new() -> Self {
        Digests { known: FxHashMap::default(), expected: FxHashMap::default(), size: 0 }
    }

    /// The digest of a slice.
    pub(crate) fn digest(&mut self, exprs: &Exprs, slice: &Slice) -> Arc<Digest> {
        let key = slice.key();
        if let Some(known) = self.known.get(&key).filter(|known| known.length == slice.len()) {
            return known.clone();
        }
        let digest = Arc::new(self.grown(exprs, slice).unwrap_or_else(|| Digest::new(exprs, slice)));
        self.size += digest.conditions.len() + digest.symbols.len() + 8;
        if self.size > LARGEST_SIZE {
            *self = Digests::new();
        }
        self.known.insert(key, digest.clone());
        digest
    }

    /// Announces that a path may go on with a condition on top of a slice that has a digest.
    pub(crate) fn expect(&mut self, exprs: &Exprs, slice: &Slice, condition: ExprId) {
        self.expected.insert(slice.key_with(exprs, condition), (slice.key(), condition));
        self.size += 4;
    }

    /// The digest of a slice that is known but for the last condition.
    fn grown(&self, exprs: &Exprs, slice: &Slice) -> Option<Digest> {
        let (parent, condition) = self.expected.get(&slice.key())?;
        let parent = self.known.get(parent).filter(|parent| parent.length + 1 == slice.len())?;
        let mut conditions = parent.conditions.clone();
        conditions.push(*condition);
        bounds::drop_implied(exprs, &mut conditions);
        Some(Digest {
            conditions,
            symbols: merged(&parent.symbols, exprs.symbols_of(*condition)),
            length: slice.len(),
        })
    }
}

impl Digest {
    fn new(exprs: &Exprs, slice: &Slice) -> Self {
        let mut conditions = slice.to_vec();
        let mut symbols = Vec::new();
        let mut last = None;
        for &condition in &conditions {
            let set = exprs.symbol_set(condition);
            if last != Some(set) {
                symbols.extend(exprs.symbols_in(set));
                last = Some(set);
            }
        }
        symbols.sort_unstable();
        symbols.dedup();
        bounds::drop_implied(exprs, &mut conditions);
        Digest { conditions, symbols, length: slice.len() }
    }
}

/// The union of two ordered lists of symbols.
pub(crate) fn merged(symbols: &[SymbolId], more: impl Iterator<Item = SymbolId>) -> Vec<SymbolId> {
    let mut all = symbols.to_vec();
    for symbol in more {
        if let Err(place) = all.binary_search(&symbol) {
            all.insert(place, symbol);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::testing::{Generator, Profile};
    use crate::constraints::Constraints;
    use crate::evaluate::Evaluator;
    use crate::expr::{CompareOp, SymbolKind};
    use crate::model::Model;

    #[test]
    fn a_digest_holds_exactly_where_its_slice_does() {
        let profile = Profile { floats: false, arrays: false, widest_product: 64 };
        for seed in 0..100 {
            let mut generator = Generator::new(seed, Exprs::new(), profile, &[3, 4]);
            let symbols = generator.symbols.clone();
            let mut constraints = Constraints::new();
            let mut digests = Digests::new();
            for _ in 0..12 {
                let symbol = generator.exprs.symbol_expr(symbols[generator.random.below(2)]);
                let width = generator.exprs.width(symbol);
                let value = generator.random.value(width);
                let constant = generator.exprs.constant(value, width);
                let op = CompareOp::ALL[generator.random.below(10)];
                let condition = match generator.random.below(4) {
                    0 => generator.condition(),
                    1 => generator.exprs.compare(op, constant, symbol),
                    _ => generator.exprs.compare(op, symbol, constant),
                };
                let exprs = &generator.exprs;
                let slice = constraints.slice(exprs, condition);
                digests.digest(exprs, &slice);
                digests.expect(exprs, &slice, condition);
                constraints.push(exprs, condition);
                let grown = constraints.slice(exprs, condition);
                let digest = digests.digest(exprs, &grown);
                let all = grown.to_vec();
                for values in 0..128u128 {
                    let model = Model::new().with([(symbols[0], values & 7), (symbols[1], values >> 3)]);
                    let mut evaluator = Evaluator::new();
                    let mut holds = |list: &[ExprId]| list.iter().all(|c| evaluator.holds(exprs, *c, &model));
                    assert_eq!(holds(&digest.conditions), holds(&all), "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn a_long_loop_leaves_one_condition() {
        let mut exprs = Exprs::new();
        let bound = exprs.symbol("n", 32, SymbolKind::Signed);
        let mut constraints = Constraints::new();
        let mut digests = Digests::new();
        for i in 0..100 {
            let i = exprs.constant(i, 32);
            let more = exprs.compare(CompareOp::Slt, i, bound);
            let slice = constraints.slice(&exprs, more);
            let digest = digests.digest(&exprs, &slice);
            assert!(digest.conditions.len() <= 1);
            digests.expect(&exprs, &slice, more);
            constraints.push(&exprs, more);
        }
    }
}
