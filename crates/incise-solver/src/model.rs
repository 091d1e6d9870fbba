//! Values for symbols.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::expr::SymbolId;

/// Values for symbols; those without one are zero. Cloning copies a pointer.
#[derive(Clone, Debug, Default)]
pub struct Model(Arc<Values>);

#[derive(Debug, Default)]
struct Values {
    id: u64,
    /// The lower 64 bits by symbol number.
    low: Vec<u64>,
    /// The upper 64 bits where they are not zero, by symbol number: wide symbols are rare.
    high: Vec<(SymbolId, u64)>,
}

fn new_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Model {
    /// All symbols are zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// The model with these values: of several for one symbol the last. The same as an empty model with the values
    /// replaced, in one step.
    pub fn of(values: &[(SymbolId, u128)]) -> Self {
        let (highest, bits) = values
            .iter()
            .fold((0, 0), |(highest, bits), &(symbol, value)| (symbol.index().max(highest), bits | value));
        if bits == 0 {
            return Self::new();
        }
        // Asking for memory that is zero already takes several times longer than zeroing it.
        let low = std::iter::repeat_n(0, highest + 1).collect();
        let mut next = Values { id: new_id(), low, high: Vec::new() };
        for &(symbol, value) in values {
            match bits >> 64 == 0 {
                true => next.low[symbol.index()] = value as u64,
                false => next.set(symbol, value),
            }
        }
        Self(Arc::new(next))
    }

    /// The value of a symbol.
    #[inline]
    pub fn value(&self, symbol: SymbolId) -> u128 {
        let low = self.0.low.get(symbol.index()).copied().unwrap_or(0) as u128;
        if self.0.high.is_empty() { low } else { low | (self.high(symbol) as u128) << 64 }
    }

    /// The lower 64 bits of the value of a symbol.
    #[inline]
    pub(crate) fn low_value(&self, symbol: SymbolId) -> u64 {
        self.0.low.get(symbol.index()).copied().unwrap_or(0)
    }

    fn high(&self, symbol: SymbolId) -> u64 {
        match self.0.high.binary_search_by_key(&symbol, |&(known, _)| known) {
            Ok(at) => self.0.high[at].1,
            Err(_) => 0,
        }
    }

    /// The model with some values replaced. If all of them are as before, it is the same model, with the same id.
    pub fn with(&self, values: impl IntoIterator<Item = (SymbolId, u128)>) -> Model {
        let mut changed: Option<Values> = None;
        for (symbol, value) in values {
            if changed.is_none() && self.value(symbol) == value {
                continue;
            }
            let next = changed.get_or_insert_with(|| Values {
                id: new_id(),
                low: self.0.low.clone(),
                high: self.0.high.clone(),
            });
            next.set(symbol, value);
        }
        changed.map_or_else(|| self.clone(), |values| Model(Arc::new(values)))
    }

    /// Symbols and values, in the order of ids, zeros left out.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, u128)> + '_ {
        let highest = self.0.high.last().map_or(0, |&(symbol, _)| symbol.index() + 1);
        let count = self.0.low.len().max(highest);
        (0..count as u32)
            .map(SymbolId)
            .map(|symbol| (symbol, self.value(symbol)))
            .filter(|&(_, value)| value != 0)
    }

    /// A number that models with different values never share. Copies share it.
    #[inline]
    pub fn id(&self) -> u64 {
        self.0.id
    }
}

impl Values {
    fn set(&mut self, symbol: SymbolId, value: u128) {
        let at = symbol.index();
        if at >= self.low.len() {
            self.low.resize(at + 1, 0);
        }
        self.low[at] = value as u64;
        let high = (value >> 64) as u64;
        match self.high.binary_search_by_key(&symbol, |&(known, _)| known) {
            Ok(place) if high == 0 => drop(self.high.remove(place)),
            Ok(place) => self.high[place].1 = high,
            Err(_) if high == 0 => {}
            Err(place) => self.high.insert(place, (symbol, high)),
        }
    }
}

impl PartialEq for Model {
    /// Equal values; the ids may differ.
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id() || self.iter().eq(other.iter())
    }
}

impl Eq for Model {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_symbols_are_zero_and_wide_values_survive() {
        let [a, b, c] = [SymbolId(0), SymbolId(5), SymbolId(9)];
        let wide = 0x1234_5678_9abc_def0_1122_3344_5566_7788u128;
        let model = Model::new().with([(b, wide), (a, 3)]);
        assert_eq!((model.value(a), model.value(b), model.value(c)), (3, wide, 0));
        assert_eq!(model.iter().collect::<Vec<_>>(), [(a, 3), (b, wide)]);
        let narrower = model.with([(b, 7)]);
        assert_eq!(narrower.value(b), 7);
        assert_eq!(model.value(b), wide, "the first model is untouched");
    }

    #[test]
    fn values_given_at_once_are_those_given_one_after_the_other() {
        let [a, b, c] = [SymbolId(4), SymbolId(0), SymbolId(2)];
        let wide = 7u128 << 70;
        let lists: [&[(SymbolId, u128)]; 6] = [
            &[],
            &[(a, 0), (b, 0)],
            &[(a, 1), (b, 2)],
            &[(a, wide), (b, 3), (a, 5)],
            &[(a, 5), (c, wide), (a, wide), (b, 1)],
            &[(a, 5), (a, 0)],
        ];
        for values in lists {
            let (once, stepwise) = (Model::of(values), Model::new().with(values.iter().copied()));
            assert_eq!(once, stepwise, "{values:?}");
            assert_eq!([a, b, c].map(|each| once.value(each)), [a, b, c].map(|each| stepwise.value(each)));
        }
        assert_eq!(Model::of(&[(a, 0)]).id(), Model::new().id());
        assert_ne!(Model::of(&[(a, 1)]).id(), Model::of(&[(a, 1)]).id(), "an id is not given twice");
    }

    #[test]
    fn a_change_that_changes_nothing_keeps_the_id() {
        let model = Model::new().with([(SymbolId(1), 5)]);
        assert_ne!(model.id(), Model::new().id());
        assert_eq!(model.with([(SymbolId(1), 5), (SymbolId(7), 0)]).id(), model.id());
        assert_ne!(model.with([(SymbolId(1), 6)]).id(), model.id());
        assert_eq!(model.with([(SymbolId(1), 6)]), Model::new().with([(SymbolId(1), 6)]));
    }
}
