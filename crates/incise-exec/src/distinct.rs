//! Inputs that tell apart: numbers that differ from each other, where the path allows it.
//!
//! The smallest model of a path is full of zeros. On `mid(0, 0, 0)` returning the wrong argument is no difference; on `mid(2, 1, -1)` it is. Values are tried and checked by evaluating the
//! constraints: no solver, and the same values for the same constraints.

use crate::machine::Machine;
use crate::state::State;
use incise_solver::{ExprId, Model, SymbolId, SymbolKind};
use std::collections::BTreeSet;

/// Of a path with more numbers than this, the first ones are looked at.
const MOST_NUMBERS: usize = 24;
/// So many constraints are evaluated at most for one path.
const MOST_EVALUATIONS: usize = 20_000;
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

impl Machine<'_> {
    /// The model with numbers that differ from each other, as far as that was found.
    pub(crate) fn distinct(&mut self, state: &State, model: Model) -> Model {
        let numbers = self.numbers(state);
        let constraints = state.constraints.iter_in_order();
        let mut left = MOST_EVALUATIONS;
        let mut model = model;
        for (index, &number) in numbers.iter().enumerate() {
            let others: BTreeSet<i128> = numbers
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != index)
                .map(|(_, other)| other.value(&model))
                .collect();
            if !others.contains(&number.value(&model)) {
                continue;
            }
            for value in CANDIDATES.into_iter().filter(|value| !others.contains(value)) {
                let Some(bits) = bits_of(value, number.width, number.signed) else { continue };
                if left < constraints.len() {
                    return model;
                }
                left -= constraints.len();
                let changed = model.with([(number.symbol, bits)]);
                if self.hold(&constraints, &changed) {
                    model = changed;
                    break;
                }
            }
        }
        model
    }

    fn hold(&mut self, constraints: &[ExprId], model: &Model) -> bool {
        constraints.iter().all(|&constraint| self.solver.evaluate(&self.exprs, constraint, model) != 0)
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
