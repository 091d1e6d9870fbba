//! Inputs that tell apart: numbers that differ from each other, where the path allows it.
//!
//! The smallest model of a path is full of zeros. On `mid(0, 0, 0)` returning the wrong argument is no difference; on
//! `mid(2, 1, -1)` it is. Values are tried and checked by evaluating the constraints: no solver, and the same values
//! for the same constraints.

use crate::engine::state::State;
use incise_solver::{ExprId, Exprs, Model, Solver, SymbolId, SymbolKind};
use rustc_hash::FxHashMap;

/// Of a path with more numbers than this, the first ones are looked at.
const MOST_NUMBERS: usize = 24;
/// So many constraints are evaluated at most for one path.
const MOST_EVALUATIONS: usize = 20_000;
/// Of an object with more elements than this not every smaller number is tried.
const MOST_MADE: u64 = 256;
/// The values that are tried for a number, nearest to zero first.
const CANDIDATES: [i128; 16] = [1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, 7, 8, 9, 10, 11];

/// A number among the inputs.
#[derive(Copy, Clone, Debug)]
struct Number {
    symbol: SymbolId,
    width: u32,
    signed: bool,
}

impl Number {
    fn value(self, model: &Model) -> i128 {
        let bits = model.value(self.symbol);
        let sign = bits >> (self.width - 1) & 1;
        if self.signed && sign == 1 { bits as i128 - (1i128 << self.width) } else { bits as i128 }
    }
}

/// The bits of a value in a width of at most 64, if it fits.
fn bits_of(value: i128, width: u32, signed: bool) -> Option<u128> {
    let (low, high) = match signed {
        true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        false => (0, (1i128 << width) - 1),
    };
    (low <= value && value <= high).then(|| (value as u128) & (u128::MAX >> (128 - width)))
}

/// For constraints over a single number, which of the candidates satisfy them: thousands of paths share them.
#[derive(Default)]
pub(crate) struct Candidates {
    satisfying: FxHashMap<ExprId, u16>,
}

/// What a path's constraints say about a number.
#[derive(Clone)]
struct Demands {
    /// The candidates that satisfy the constraints over this number alone.
    allowed: u16,
    /// The constraints over this number and others.
    shared: Vec<ExprId>,
}

/// Whether another number than this one has a value.
fn is_elsewhere(values: &[i128], index: usize, value: i128) -> bool {
    values.iter().enumerate().any(|(other, known)| other != index && *known == value)
}

/// Of the models of a path, chooses one that people like to read.
pub(crate) struct ModelChooser<'m> {
    exprs: &'m Exprs,
    solver: &'m mut Solver,
    candidates: &'m mut Candidates,
}

impl<'m> ModelChooser<'m> {
    /// For the models of one arena.
    pub(crate) fn new(exprs: &'m Exprs, solver: &'m mut Solver, candidates: &'m mut Candidates) -> Self {
        Self { exprs, solver, candidates }
    }

    /// The model with numbers that differ from each other, as far as that was found. The model satisfies the
    /// constraints of the state.
    pub(crate) fn distinct(&mut self, state: &State, model: Model) -> Model {
        let numbers = self.numbers(state);
        let mut values: Vec<i128> = numbers.iter().map(|number| number.value(&model)).collect();
        if (0..values.len()).all(|index| !is_elsewhere(&values, index, values[index])) {
            return model;
        }
        let demands = self.demands(state, &numbers);
        // Every attempt counts as if all constraints were evaluated, though a change concerns only those over that
        // number.
        let each = state.constraints.len();
        let mut left = MOST_EVALUATIONS;
        let mut model = model;
        for (index, &number) in numbers.iter().enumerate() {
            if !is_elsewhere(&values, index, values[index]) {
                continue;
            }
            for (place, value) in CANDIDATES.into_iter().enumerate() {
                let Some(bits) = bits_of(value, number.width, number.signed) else { continue };
                if is_elsewhere(&values, index, value) {
                    continue;
                }
                if left < each {
                    return model;
                }
                left -= each;
                let Demands { allowed, shared } = &demands[index];
                if allowed >> place & 1 == 0 {
                    continue;
                }
                let changed = model.with([(number.symbol, bits)]);
                if shared.iter().all(|&each| self.solver.evaluate(self.exprs, each, &changed) != 0) {
                    model = changed;
                    values[index] = value;
                    break;
                }
            }
        }
        model
    }

    /// The model with objects that are no larger than they were made, and ends that are in them, as far as that was
    /// found. The model satisfies the constraints of the state.
    pub(crate) fn smaller(&mut self, state: &State, model: Model) -> Model {
        let mut model = model;
        let mut left = MOST_EVALUATIONS;
        for (symbol, made) in self.extents(state) {
            let now = model.value(symbol);
            if now <= u128::from(made) {
                continue;
            }
            let constraints: Vec<ExprId> = state.constraints.iter_in_order();
            let about = |each: &ExprId| self.exprs.symbols_of(*each).any(|other| other == symbol);
            let constraints: Vec<ExprId> = constraints.into_iter().filter(about).collect();
            // All that were made, fewer, and at last more than that.
            let larger = (1..=12).map(|power| made.max(1) << power);
            for value in (0..=made.min(MOST_MADE)).rev().chain(made + 1..=made + 2).chain(larger) {
                if u128::from(value) >= now || left < constraints.len() {
                    break;
                }
                left -= constraints.len();
                let changed = model.with([(symbol, u128::from(value))]);
                if constraints.iter().all(|&each| self.solver.evaluate(self.exprs, each, &changed) != 0) {
                    model = changed;
                    break;
                }
            }
        }
        model
    }

    /// The symbols that say how far pointers lead into objects, and then those that say how many elements there are;
    /// with how many were made.
    fn extents(&self, state: &State) -> Vec<(SymbolId, u64)> {
        let inputs = state.inputs.to_vec();
        let counts: Vec<(SymbolId, u64)> = inputs
            .iter()
            .filter_map(|input| {
                let counted = input.count?;
                Some((self.exprs.as_symbol(counted.count)?, counted.elements_in(input.size as usize)))
            })
            .collect();
        let largest = counts.iter().map(|(_, made)| *made).max().unwrap_or(0);
        let mut found = Vec::new();
        for leaf in inputs.iter().flat_map(|input| &input.leaves) {
            if self.exprs.width(leaf.expr) != 64 || self.exprs.as_symbol(leaf.expr).is_some() {
                continue;
            }
            let wide = |symbol: &SymbolId| self.exprs.symbol_info(*symbol).width == 64;
            found.extend(self.exprs.symbols_of(leaf.expr).filter(wide).map(|symbol| (symbol, largest)));
        }
        found.extend(counts);
        found
    }

    fn demands(&mut self, state: &State, numbers: &[Number]) -> Vec<Demands> {
        let mut demands = vec![Demands { allowed: u16::MAX, shared: Vec::new() }; numbers.len()];
        for constraint in state.constraints.iter_in_order() {
            let mut symbols = self.exprs.symbols_of(constraint);
            let (first, alone) = (symbols.next(), symbols.next().is_none());
            let position = |symbol| numbers.iter().position(|number| number.symbol == symbol);
            if alone {
                if let Some(at) = first.and_then(position) {
                    demands[at].allowed &= self.satisfying(constraint, numbers[at]);
                }
                continue;
            }
            for at in self.exprs.symbols_of(constraint).filter_map(position) {
                demands[at].shared.push(constraint);
            }
        }
        demands
    }

    /// The candidates that satisfy a constraint over a single number.
    fn satisfying(&mut self, constraint: ExprId, number: Number) -> u16 {
        if let Some(&known) = self.candidates.satisfying.get(&constraint) {
            return known;
        }
        let mut satisfying = 0;
        for (place, value) in CANDIDATES.into_iter().enumerate() {
            if let Some(bits) = bits_of(value, number.width, number.signed) {
                let model = Model::new().with([(number.symbol, bits)]);
                let holds = self.solver.evaluate(self.exprs, constraint, &model) != 0;
                satisfying |= u16::from(holds) << place;
            }
        }
        self.candidates.satisfying.insert(constraint, satisfying);
        satisfying
    }

    /// The inputs that are a single number, in order. Texts and tables are left as they are.
    fn numbers(&self, state: &State) -> Vec<Number> {
        let mut found = Vec::new();
        for object in state.inputs.to_vec() {
            let [leaf] = object.leaves.as_slice() else { continue };
            let Some(symbol) = self.exprs.as_symbol(leaf.expr) else { continue };
            let signed = match self.exprs.symbol_info(symbol).kind {
                SymbolKind::Signed => true,
                SymbolKind::Unsigned => false,
                _ => continue,
            };
            let width = self.exprs.width(leaf.expr);
            if (8..=64).contains(&width) {
                found.push(Number { symbol, width, signed });
            }
        }
        found.truncate(MOST_NUMBERS);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_bits_if_they_fit() {
        assert_eq!(bits_of(-1, 8, true), Some(0xff));
        assert_eq!((bits_of(128, 8, true), bits_of(-1, 8, false)), (None, None));
        assert_eq!(bits_of(11, 64, false), Some(11));
    }
}
