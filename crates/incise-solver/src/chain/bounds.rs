//! Contradictions that follow from bounds: the constraints bound some expressions by constants, and the condition cannot hold for any values within these bounds.
//!
//! Bounds are kept both for the unsigned and for the signed value of an expression of up to 64 bits. They are drawn from comparisons with constants, and computed upward
//! through the condition (Cousot and Cousot's intervals). How values depend on each other is lost on the way, so that nothing
//! is said where bounds overlap.

use crate::concrete::{mask, signed};
use crate::expr::{BinaryOp, ExprId, ExprKind, Exprs, Relation};
use rustc_hash::FxHashMap;

/// Expressions wider than this have no bounds here: sums of two values must fit in the type of the bounds.
const WIDEST: u32 = 64;
/// A condition of more expressions than this is left to other stages.
const LARGEST_CONDITION: usize = 2000;

/// The least and greatest value, both unsigned and signed. No value at all if a least one exceeds its greatest.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Bounds {
    least: u128,
    greatest: u128,
    least_signed: i128,
    greatest_signed: i128,
}

impl Bounds {
    fn all(width: u32) -> Self {
        let half = 1i128 << (width - 1);
        Bounds { least: 0, greatest: mask(width), least_signed: -half, greatest_signed: half - 1 }
    }

    fn constant(value: u128, width: u32) -> Self {
        Bounds {
            least: value,
            greatest: value,
            least_signed: signed(value, width),
            greatest_signed: signed(value, width),
        }
    }

    fn unsigned(least: u128, greatest: u128, width: u32) -> Self {
        Bounds { least, greatest, ..Bounds::all(width) }.tightened(width)
    }

    fn signed(least_signed: i128, greatest_signed: i128, width: u32) -> Self {
        Bounds { least_signed, greatest_signed, ..Bounds::all(width) }.tightened(width)
    }

    fn as_constant(&self) -> Option<u128> {
        (self.least == self.greatest).then_some(self.least)
    }

    fn is_empty(&self) -> bool {
        self.least > self.greatest || self.least_signed > self.greatest_signed
    }

    fn contains(&self, value: u128, width: u32) -> bool {
        (self.least..=self.greatest).contains(&value)
            && (self.least_signed..=self.greatest_signed).contains(&signed(value, width))
    }

    /// Whether a comparison holds for all values within these bounds.
    fn imply(&self, comparison: Comparison, width: u32) -> bool {
        if comparison.relation == Relation::Eq && !comparison.holds {
            return !self.contains(comparison.value, width);
        }
        comparison.bounds(width).is_some_and(|other| {
            self.least >= other.least
                && self.greatest <= other.greatest
                && self.least_signed >= other.least_signed
                && self.greatest_signed <= other.greatest_signed
        })
    }

    fn intersection(self, other: Bounds, width: u32) -> Self {
        Bounds {
            least: self.least.max(other.least),
            greatest: self.greatest.min(other.greatest),
            least_signed: self.least_signed.max(other.least_signed),
            greatest_signed: self.greatest_signed.min(other.greatest_signed),
        }
        .tightened(width)
    }

    fn union(self, other: Bounds) -> Self {
        Bounds {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            least_signed: self.least_signed.min(other.least_signed),
            greatest_signed: self.greatest_signed.max(other.greatest_signed),
        }
    }

    /// Lets each kind of bounds profit from the other, where all values have the same sign.
    fn tightened(mut self, width: u32) -> Self {
        if self.is_empty() {
            return self;
        }
        let half = 1u128 << (width - 1);
        if self.greatest < half || self.least >= half {
            self.least_signed = self.least_signed.max(signed(self.least, width));
            self.greatest_signed = self.greatest_signed.min(signed(self.greatest, width));
        }
        if self.least_signed >= 0 || self.greatest_signed < 0 {
            self.least = self.least.max(self.least_signed as u128 & mask(width));
            self.greatest = self.greatest.min(self.greatest_signed as u128 & mask(width));
        }
        self
    }
}

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
    stack: Vec<ExprId>,
}

impl BoundsCheck {
    /// Takes the bounds from all conditions that compare something with a constant.
    pub(crate) fn learn_all(&mut self, exprs: &Exprs, conditions: &[ExprId]) {
        self.given.clear();
        self.computed.clear();
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
        // The condition may itself bound what the constraints do, for example when it is an equality.
        match self.compute(exprs, query) {
            Some(bounds) => bounds.greatest == 0 || bounds.is_empty(),
            None => false,
        }
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
                let bounds = compare(relation, self.of(exprs, a), self.of(exprs, b));
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
            ExprKind::Binary(op, a, b) => binary(op, self.of(exprs, a), self.of(exprs, b), width),
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

/// A comparison of something with a constant, or the negation of one.
#[derive(Copy, Clone)]
struct Comparison {
    relation: Relation,
    value: u128,
    constant_first: bool,
    holds: bool,
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

impl Comparison {
    /// The bounds of what is compared, if the comparison gives any.
    fn bounds(self, width: u32) -> Option<Bounds> {
        let all = Bounds::all(width);
        let value = self.value;
        let number = signed(value, width);
        let bounds = match (self.relation, self.constant_first, self.holds) {
            (Relation::Eq, _, true) => Bounds::constant(value, width),
            (Relation::Eq, _, false) if value == 0 && width > 1 => Bounds { least: 1, ..all },
            (Relation::Eq, _, false) => return None,
            // x < value, and value <= x.
            (Relation::Ult, false, true) => Bounds { greatest: value.checked_sub(1)?, ..all },
            (Relation::Ult, false, false) => Bounds { least: value, ..all },
            // value < x, and x <= value.
            (Relation::Ult, true, true) => Bounds { least: value + 1, ..all },
            (Relation::Ult, true, false) => Bounds { greatest: value, ..all },
            (Relation::Slt, false, true) => Bounds { greatest_signed: number - 1, ..all },
            (Relation::Slt, false, false) => Bounds { least_signed: number, ..all },
            (Relation::Slt, true, true) => Bounds { least_signed: number + 1, ..all },
            (Relation::Slt, true, false) => Bounds { greatest_signed: number, ..all },
        };
        Some(bounds.tightened(width))
    }
}

/// The truth of a comparison, if it is the same for all values.
fn compare(relation: Relation, a: Bounds, b: Bounds) -> Option<bool> {
    let disjoint = a.greatest < b.least
        || b.greatest < a.least
        || a.greatest_signed < b.least_signed
        || b.greatest_signed < a.least_signed;
    match relation {
        Relation::Eq if disjoint => Some(false),
        Relation::Eq => (a.as_constant().is_some() && a.as_constant() == b.as_constant()).then_some(true),
        Relation::Ult if a.greatest < b.least => Some(true),
        Relation::Ult if a.least >= b.greatest => Some(false),
        Relation::Slt if a.greatest_signed < b.least_signed => Some(true),
        Relation::Slt if a.least_signed >= b.greatest_signed => Some(false),
        Relation::Ult | Relation::Slt => None,
    }
}

fn binary(op: BinaryOp, a: Bounds, b: Bounds, width: u32) -> Bounds {
    let all = Bounds::all(width);
    if a.is_empty() || b.is_empty() {
        return all;
    }
    let of_unsigned = match op {
        BinaryOp::Add => wrapped((a.least + b.least) as i128, (a.greatest + b.greatest) as i128, width),
        BinaryOp::Sub => {
            wrapped(a.least as i128 - b.greatest as i128, a.greatest as i128 - b.least as i128, width)
        }
        BinaryOp::Mul => {
            let product =
                |x: u128, y: u128| x.checked_mul(y).and_then(|product| i128::try_from(product).ok());
            match (product(a.least, b.least), product(a.greatest, b.greatest)) {
                (Some(least), Some(greatest)) => wrapped(least, greatest, width),
                _ => None,
            }
        }
        BinaryOp::UDiv if b.least > 0 => Some((a.least / b.greatest, a.greatest / b.least)),
        BinaryOp::URem if b.least > 0 => Some((0, a.greatest.min(b.greatest - 1))),
        BinaryOp::And => Some((0, a.greatest.min(b.greatest))),
        BinaryOp::Or => Some((a.least.max(b.least), ones_below(a.greatest | b.greatest))),
        BinaryOp::Xor => Some((0, ones_below(a.greatest | b.greatest))),
        BinaryOp::LShr => match b.as_constant() {
            Some(distance) if distance < width.into() => Some((a.least >> distance, a.greatest >> distance)),
            _ => Some((0, a.greatest)),
        },
        BinaryOp::Shl => match b.as_constant() {
            Some(distance) if distance < width.into() => {
                let fits = a.greatest << distance <= mask(width);
                fits.then(|| (a.least << distance, a.greatest << distance))
            }
            _ => None,
        },
        _ => None,
    };
    let of_signed = match op {
        BinaryOp::Add => Some((a.least_signed + b.least_signed, a.greatest_signed + b.greatest_signed)),
        BinaryOp::Sub => Some((a.least_signed - b.greatest_signed, a.greatest_signed - b.least_signed)),
        BinaryOp::Mul => signed_product(a, b),
        _ => None,
    };
    // A signed result that may leave the range of the width says nothing.
    let of_signed =
        of_signed.filter(|(least, greatest)| *least >= all.least_signed && *greatest <= all.greatest_signed);
    let mut bounds = all;
    if let Some((least, greatest)) = of_unsigned {
        bounds = bounds.intersection(Bounds::unsigned(least, greatest, width), width);
    }
    if let Some((least, greatest)) = of_signed {
        bounds = bounds.intersection(Bounds::signed(least, greatest, width), width);
    }
    bounds
}

fn signed_product(a: Bounds, b: Bounds) -> Option<(i128, i128)> {
    let mut least = i128::MAX;
    let mut greatest = i128::MIN;
    for x in [a.least_signed, a.greatest_signed] {
        for y in [b.least_signed, b.greatest_signed] {
            let product = x.checked_mul(y)?;
            least = least.min(product);
            greatest = greatest.max(product);
        }
    }
    Some((least, greatest))
}

/// Bounds of a sum or difference modulo a power of two: known if all values wrap around equally often.
fn wrapped(least: i128, greatest: i128, width: u32) -> Option<(u128, u128)> {
    (least >> width == greatest >> width)
        .then(|| (least as u128 & mask(width), greatest as u128 & mask(width)))
}

/// All bits set up to the highest one of a value.
fn ones_below(value: u128) -> u128 {
    if value == 0 { 0 } else { u128::MAX >> value.leading_zeros() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::testing::{Generator, Profile};
    use crate::evaluate::Evaluator;
    use crate::expr::{CompareOp, SymbolKind};

    /// For all pairs of bounds of words of three bits and all values within them: the result is within the computed bounds.
    #[test]
    fn results_are_within_their_bounds() {
        let width = 3;
        let mut every: Vec<Bounds> = Vec::new();
        for least in 0..8 {
            for greatest in least..8 {
                every.push(Bounds::unsigned(least, greatest, width));
            }
        }
        for least in -4..4 {
            for greatest in least..4 {
                every.push(Bounds::signed(least, greatest, width));
            }
        }
        let contains = |bounds: &Bounds, value: u128| bounds.contains(value, width);
        for op in BinaryOp::ALL {
            for &a in &every {
                for &b in &every {
                    let bounds = binary(op, a, b, width);
                    for x in (0..8).filter(|x| contains(&a, *x)) {
                        for y in (0..8).filter(|y| contains(&b, *y)) {
                            let value = crate::concrete::binary(op, x, y, width);
                            assert!(
                                contains(&bounds, value),
                                "{op:?} {a:?} {b:?}: {x} {y} gives {value}, not in {bounds:?}"
                            );
                        }
                    }
                }
            }
        }
    }

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
