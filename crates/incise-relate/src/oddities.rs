//! What of a pair of paths most people do not mean when they speak of numbers: signed arithmetic of the following
//! program that does not fit, its indices beyond their arrays, indices of one of the programs that wrap around, NaN,
//! and the sign of a zero.

use super::Pair;
use incise_exec::inside::Oddity;
use incise_exec::{Condition, Session};
use incise_solver::{FloatCompare, SymbolId, SymbolKind};
use std::collections::BTreeSet;

/// So many operations are looked at: on a path with more, the first of them.
const MOST_OPERATIONS: usize = 4096;

/// The conditions under which numbers are not what they seem.
#[derive(Clone, Debug, Default)]
pub struct Oddities {
    /// A signed operation of the following program does not fit. Only what [`incise_exec::Checks::note_overflow`] noted
    /// is known.
    pub overflow: Vec<Condition>,
    /// An index of the following program is beyond its array, though perhaps not beyond the object that this is in, or
    /// an index of one of the programs is so large that the address wraps around and leads into an object all the same.
    pub index: Vec<Condition>,
    /// An input is NaN.
    pub not_a_number: Vec<Condition>,
    /// An input is a zero with a sign.
    pub negative_zero: Vec<Condition>,
}

impl Oddities {
    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = Condition> + '_ {
        self.overflow.iter().chain(&self.index).chain(&self.not_a_number).chain(&self.negative_zero).copied()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }
}

impl Pair {
    /// When the numbers of this pair of paths are not what they seem.
    pub fn oddities(&self, session: &mut Session) -> Oddities {
        let mut found = Oddities::default();
        let noted = self.following.state.odd.to_vec();
        let mut met = BTreeSet::new();
        let leading = self.leading.state.odd.to_vec();
        let wrapping =
            leading.into_iter().filter(|oddity| matches!(oddity, Oddity::Index { wraps: true, .. }));
        for &oddity in noted.into_iter().take(MOST_OPERATIONS).chain(wrapping.take(MOST_OPERATIONS)) {
            let condition = oddity.condition(&mut session.exprs);
            if session.exprs.as_constant(condition) == Some(0) || !met.insert(condition) {
                continue;
            }
            match oddity {
                Oddity::Signed(..) => found.overflow.push(Condition(condition)),
                Oddity::Index { .. } => found.index.push(Condition(condition)),
            }
        }
        for symbol in self.symbols(session) {
            let SymbolKind::Float(format) = session.exprs.symbol_info(symbol).kind else { continue };
            let exprs = &mut session.exprs;
            let input = exprs.symbol_expr(symbol);
            let number = exprs.float_compare(FloatCompare::Eq, format, input, input);
            found.not_a_number.push(Condition(exprs.not(number)));
            let width = exprs.width(input);
            let zero = exprs.constant(0, width);
            let negative_zero = exprs.float_neg(format, zero);
            found.negative_zero.push(Condition(exprs.eq(input, negative_zero)));
        }
        found
    }

    /// The symbols of the inputs of both paths, in order.
    fn symbols(&self, session: &Session) -> BTreeSet<SymbolId> {
        let mut symbols = BTreeSet::new();
        for ended in [&self.leading, &self.following] {
            for input in ended.state.inputs.iter_newest_first() {
                for leaf in &input.leaves {
                    symbols.extend(session.exprs.symbols_of(leaf.expr));
                }
            }
        }
        symbols
    }
}
