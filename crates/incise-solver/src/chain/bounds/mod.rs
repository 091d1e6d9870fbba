//! Contradictions that follow from bounds: the constraints bound some expressions by constants, and the
//! condition cannot hold for any values within these bounds.
//!
//! Bounds are kept both for the unsigned and for the signed value of an expression of up to 64 bits. They are
//! drawn from comparisons with constants, and computed upward through the condition (Cousot and Cousot's
//! intervals). How values depend on each other is lost on the way, so that nothing is said where bounds
//! overlap.

mod domain;

use crate::concrete::mask;
use crate::expr::{BinaryOp, ExprId, ExprKind, Exprs};
use domain::{Bounds, Comparison};
use rustc_hash::FxHashMap;

/// Expressions wider than this have no bounds here: sums of two values must fit in the type of the bounds.
const WIDEST: u32 = 64;
/// A condition of more expressions than this is left to other stages.
const LARGEST_CONDITION: usize = 2000;

/// Drops comparisons with constants that later ones imply. What is left implies all.
pub(crate) fn drop_implied(exprs: &Exprs, conditions: &mut Vec<ExprId>) {
    let mut kept: FxHashMap<ExprId, Bounds> = FxHashMap::default();
    // From the last to the first: loops tighten their bounds as they go on.
    conditions.reverse();
    conditions.retain(|&condition| {
        let Some((expr, comparison)) = comparison_with_constant(exprs, condition) else { return true };
        let width = exprs.width(expr);
        let known = kept.entry(expr).or_insert_with(|| Bounds::all(width));
        if known.imply(comparison, width) {
            return false;
        }
        if let Some(bounds) = comparison.bounds(width) {
            *known = known.intersection(bounds, width);
        }
        true
    });
    conditions.reverse();
}

/// The stage, with memory that is used again.
#[derive(Default)]
pub(crate) struct BoundsCheck {
    /// What the constraints say.
    given: FxHashMap<ExprId, Bounds>,
    computed: FxHashMap<ExprId, Bounds>,
    /// Some expression has no value at all within its bounds: the conditions contradict each other.
    impossible: bool,
    stack: Vec<ExprId>,
}

impl BoundsCheck {
    /// Takes the bounds from all conditions that compare something with a constant.
    pub(crate) fn learn_all(&mut self, exprs: &Exprs, conditions: &[ExprId]) {
        self.given.clear();
        self.computed.clear();
        self.impossible = false;
        for &condition in conditions {
            self.learn(exprs, condition);
        }
    }

    /// Whether an expression may have a value, by the bounds that are given for itself.
    pub(crate) fn allows(&self, exprs: &Exprs, expr: ExprId, value: u128) -> bool {
        self.given.get(&expr).is_none_or(|bounds| bounds.contains(value, exprs.width(expr)))
    }

    /// Whether `query` cannot hold within the bounds that `conditions` give.
    pub(crate) fn contradicts(&mut self, exprs: &Exprs, conditions: &[ExprId], query: ExprId) -> bool {
        self.learn_all(exprs, conditions);
        let bounds = self.compute(exprs, query);
        self.impossible || bounds.is_some_and(|bounds| bounds.greatest == 0)
    }

    /// Takes the bounds from a comparison with a constant.
    fn learn(&mut self, exprs: &Exprs, condition: ExprId) {
        if let Some((expr, comparison)) = comparison_with_constant(exprs, condition)
            && let Some(bounds) = comparison.bounds(exprs.width(expr))
        {
            self.bound(exprs, expr, bounds);
        }
    }

    /// Bounds an expression, and what it is an extension of.
    fn bound(&mut self, exprs: &Exprs, expr: ExprId, bounds: Bounds) {
        let width = exprs.width(expr);
        let entry = self.given.entry(expr).or_insert_with(|| Bounds::all(width));
        *entry = entry.intersection(bounds, width);
        let bounds = *entry;
        if bounds.is_empty() {
            self.impossible = true;
            return;
        }
        match *exprs.kind(expr) {
            ExprKind::ZeroExtend(inner) => {
                let narrow = exprs.width(inner);
                let bounds = Bounds::unsigned(bounds.least, bounds.greatest.min(mask(narrow)), narrow);
                self.bound(exprs, inner, bounds);
            }
            ExprKind::SignExtend(inner) => {
                let narrow = exprs.width(inner);
                let all = Bounds::all(narrow);
                let least = bounds.least_signed.max(all.least_signed);
                let greatest = bounds.greatest_signed.min(all.greatest_signed);
                self.bound(exprs, inner, Bounds::signed(least, greatest, narrow));
            }
            _ => {}
        }
    }

    /// The bounds of an expression. None if it is too large to look at.
    fn compute(&mut self, exprs: &Exprs, root: ExprId) -> Option<Bounds> {
        self.stack.clear();
        self.stack.push(root);
        while let Some(&expr) = self.stack.last() {
            // Operations on bounds rely on there being a value.
            if self.impossible {
                return None;
            }
            if self.computed.contains_key(&expr) {
                self.stack.pop();
                continue;
            }
            let before = self.stack.len();
            if before > LARGEST_CONDITION {
                return None;
            }
            if has_transfer(exprs, expr) {
                for &operand in exprs.kind(expr).operands().iter() {
                    if !self.computed.contains_key(&operand) {
                        self.stack.push(operand);
                    }
                }
            }
            if self.stack.len() == before {
                let width = exprs.width(expr);
                let mut bounds = self.transfer(exprs, expr);
                if let Some(given) = self.given.get(&expr) {
                    bounds = bounds.intersection(*given, width);
                    self.impossible |= bounds.is_empty();
                }
                self.computed.insert(expr, bounds);
                if self.computed.len() > LARGEST_CONDITION {
                    return None;
                }
            }
        }
        self.computed.get(&root).copied()
    }

    fn of(&self, exprs: &Exprs, expr: ExprId) -> Bounds {
        self.computed.get(&expr).copied().unwrap_or_else(|| Bounds::all(exprs.width(expr).min(WIDEST)))
    }

    /// The bounds of an expression from those of its operands.
    fn transfer(&self, exprs: &Exprs, expr: ExprId) -> Bounds {
        let width = exprs.width(expr);
        if width > WIDEST {
            // Never used: nothing of this width is computed upward.
            return Bounds::all(WIDEST);
        }
        if let Some(value) = exprs.as_constant(expr) {
            return Bounds::constant(value, width);
        }
        let all = Bounds::all(width);
        if !has_transfer(exprs, expr) {
            return all;
        }
        match *exprs.kind(expr) {
            ExprKind::Compare(relation, a, b) => {
                let bounds = domain::compare(relation, self.of(exprs, a), self.of(exprs, b));
                bounds.map_or(all, |holds| Bounds::constant(holds.into(), 1))
            }
            ExprKind::Not(a) => {
                let a = self.of(exprs, a);
                Bounds {
                    least: mask(width) - a.greatest,
                    greatest: mask(width) - a.least,
                    least_signed: -1 - a.greatest_signed,
                    greatest_signed: -1 - a.least_signed,
                }
            }
            ExprKind::ZeroExtend(a) => {
                let a = self.of(exprs, a);
                Bounds::unsigned(a.least, a.greatest, width)
            }
            ExprKind::SignExtend(a) => {
                let a = self.of(exprs, a);
                Bounds::signed(a.least_signed, a.greatest_signed, width)
            }
            ExprKind::Extract { of, low: 0 } => {
                let of = self.of(exprs, of);
                if of.greatest <= mask(width) { Bounds::unsigned(of.least, of.greatest, width) } else { all }
            }
            ExprKind::Concat(high, low) => {
                let low_width = exprs.width(low);
                let (high, low) = (self.of(exprs, high), self.of(exprs, low));
                Bounds::unsigned(
                    high.least << low_width | low.least,
                    high.greatest << low_width | low.greatest,
                    width,
                )
            }
            ExprKind::Ite(condition, then, otherwise) => match self.of(exprs, condition).as_constant() {
                Some(1) => self.of(exprs, then),
                Some(_) => self.of(exprs, otherwise),
                None => self.of(exprs, then).union(self.of(exprs, otherwise)),
            },
            ExprKind::Binary(op, a, b) => domain::binary(op, self.of(exprs, a), self.of(exprs, b), width),
            _ => all,
        }
    }
}

/// Whether bounds of operands say something about the expression; if not they need not be computed.
fn has_transfer(exprs: &Exprs, expr: ExprId) -> bool {
    let operands = exprs.kind(expr).operands();
    if exprs.width(expr) > WIDEST || operands.iter().any(|operand| exprs.width(*operand) > WIDEST) {
        return false;
    }
    match *exprs.kind(expr) {
        ExprKind::Compare(..)
        | ExprKind::Not(_)
        | ExprKind::ZeroExtend(_)
        | ExprKind::SignExtend(_)
        | ExprKind::Extract { low: 0, .. }
        | ExprKind::Concat(..)
        | ExprKind::Ite(..) => true,
        ExprKind::Binary(op, ..) => !matches!(op, BinaryOp::SDiv | BinaryOp::SRem | BinaryOp::AShr),
        _ => false,
    }
}

/// A condition as a comparison of an expression with a constant.
fn comparison_with_constant(exprs: &Exprs, condition: ExprId) -> Option<(ExprId, Comparison)> {
    let (inner, holds) = match *exprs.kind(condition) {
        ExprKind::Not(inner) => (inner, false),
        _ => (condition, true),
    };
    let ExprKind::Compare(relation, a, b) = *exprs.kind(inner) else { return None };
    if exprs.width(a) > WIDEST {
        return None;
    }
    match (exprs.as_constant(a), exprs.as_constant(b)) {
        (None, Some(value)) => Some((a, Comparison { relation, value, constant_first: false, holds })),
        (Some(value), None) => Some((b, Comparison { relation, value, constant_first: true, holds })),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::testing::{Generator, Profile};
    use crate::evaluate::Evaluator;
    use crate::expr::{CompareOp, SymbolKind};

    /// Random conditions about words of few bits: what is called a contradiction has no model.
    #[test]
    fn what_is_called_a_contradiction_has_no_model() {
        let profile = Profile { floats: false, arrays: true, widest_product: 64 };
        let mut check = BoundsCheck::default();
        let mut found = 0;
        for seed in 0..300 {
            let mut generator = Generator::new(seed, Exprs::new(), profile, &[3, 4]);
            let symbols = generator.symbols.clone();
            let mut conditions = Vec::new();
            for _ in 0..4 {
                let symbol = generator.exprs.symbol_expr(symbols[generator.random.below(2)]);
                let symbol =
                    if generator.random.below(2) == 0 { symbol } else { generator.exprs.sext(symbol, 16) };
                let width = generator.exprs.width(symbol);
                let constant = generator.random.value(4) & mask(width);
                let constant = generator.exprs.constant(constant, width);
                let op = CompareOp::ALL[generator.random.below(10)];
                conditions.push(generator.exprs.compare(op, symbol, constant));
            }
            for _ in 0..6 {
                generator.grow();
                let query = generator.condition();
                if check.contradicts(&generator.exprs, &conditions, query) {
                    found += 1;
                    for values in 0..128u128 {
                        let values = [(symbols[0], values & 7), (symbols[1], values >> 3)];
                        let model = crate::model::Model::new().with(values);
                        let mut evaluator = Evaluator::new();
                        let exprs = &generator.exprs;
                        let all =
                            conditions.iter().chain([&query]).all(|c| evaluator.holds(exprs, *c, &model));
                        assert!(!all, "seed {seed}: {:?} holds in {model:?}", exprs.kind(query));
                    }
                }
            }
        }
        assert!(found > 100, "{found}");
    }

    /// An extension that equals what does not fit used to break the arithmetic on bounds.
    #[test]
    fn an_extension_out_of_range_is_a_contradiction() {
        let mut exprs = Exprs::without_rewriting();
        let x = exprs.symbol("x", 8, SymbolKind::Unsigned);
        let wide = exprs.zext(x, 16);
        let too_much = exprs.constant(300, 16);
        let impossible = exprs.eq(wide, too_much);
        let inverted = exprs.not(x);
        let zero = exprs.constant(0, 8);
        let query = exprs.eq(inverted, zero);
        assert!(BoundsCheck::default().contradicts(&exprs, &[impossible], query));
    }

    #[test]
    fn a_number_of_digits_is_not_negative() {
        let mut exprs = Exprs::new();
        let mut conditions = Vec::new();
        let mut value = exprs.constant(0, 32);
        for i in 0..9 {
            let byte = exprs.symbol(&format!("s{i}"), 8, SymbolKind::Char);
            let wide = exprs.sext(byte, 32);
            let (zero, nine, ten) = (exprs.constant(48, 32), exprs.constant(57, 32), exprs.constant(10, 32));
            conditions.push(exprs.compare(CompareOp::Sge, wide, zero));
            conditions.push(exprs.compare(CompareOp::Sle, wide, nine));
            let digit = exprs.sub(wide, zero);
            let scaled = exprs.binary(BinaryOp::Mul, value, ten);
            value = exprs.add(scaled, digit);
        }
        let zero = exprs.constant(0, 32);
        let negative = exprs.compare(CompareOp::Slt, value, zero);
        let positive = exprs.compare(CompareOp::Sgt, value, zero);
        let mut check = BoundsCheck::default();
        assert!(check.contradicts(&exprs, &conditions, negative), "{}", exprs.display_c(negative));
        assert!(!check.contradicts(&exprs, &conditions, positive));
    }
}
