//! Repairing a model: where a condition does not hold, change the value of a symbol so that it does, and see
//! whether the rest still holds.
//!
//! The wanted value is pushed down from the condition to a symbol by inverting one operation after the other,
//! as in the local search of Niemetz, Preiner and Biere ("Propagation based local search for bit-precise
//! reasoning", 2017). Each repair may break another condition, which is repaired next, for a small number of
//! steps. Most conditions of real programs compare an input with a constant or with another input, and are
//! satisfied in a step or two, for a fraction of the cost of a solver.
//!
//! It never shows that conditions contradict each other. Choices come from a generator of random numbers that
//! starts anew each time, so that the result depends on the conditions and the first model alone.

mod floats;

use super::bounds::BoundsCheck;
use super::query::Query;
use crate::concrete::{self, mask};
use crate::evaluate::Evaluator;
use crate::expr::{ArrayId, ArrayKind, BinaryOp, ExprId, ExprKind, Exprs, Relation, SymbolId, SymbolKind};
use crate::model::Model;

/// Wants are followed through at most this many operations for one repair.
const LONGEST_DESCENT: usize = 200;
/// A search ends after so many steps of evaluation: deep expressions are dear, and a time limit would not give the same
/// answer everywhere.
const SEARCH_WORK: u64 = 5_000_000;
/// Values that are tried where a float decides.
const COMMON: [f64; 24] = [
    0.5,
    1.0,
    2.0,
    -1.0,
    3.0,
    10.0,
    0.0,
    -0.5,
    0.1,
    5.0,
    100.0,
    -2.0,
    7.0,
    1.5,
    -10.0,
    0.25,
    20.0,
    1000.0,
    std::f64::consts::FRAC_PI_2,
    std::f64::consts::PI,
    50.0,
    -100.0,
    0.001,
    1e6,
];
/// In so many combinations, each repaired in so many steps, and no more of them when so much was evaluated.
const COMMON_ATTEMPTS: u64 = 200;
const COMMON_STEPS: usize = 4;
const COMMON_WORK: u64 = 1_000_000;
/// A constant table is searched for a byte up to this length.
const LONGEST_TABLE: usize = 4096;

/// The repairer, with memory that is used again.
#[derive(Default)]
pub(crate) struct Repair {
    evaluator: Evaluator,
    /// What the conditions say of single expressions: a change that breaks it is the last one tried.
    bounds: BoundsCheck,
    wants: Vec<(ExprId, u128)>,
    found: Vec<(SymbolId, u128)>,
    random: u64,
}

impl Repair {
    /// A model of all conditions near `model`, if one is found in so many steps.
    pub(crate) fn run(
        &mut self,
        exprs: &Exprs,
        conditions: &[ExprId],
        model: &Model,
        steps: usize,
    ) -> Option<Model> {
        self.random = 0x9e37_79b9_7f4a_7c15;
        self.bounds.learn_all(exprs, conditions);
        let mut model = model.clone();
        // The condition in question comes last and is the one that fails: the search for a failing one begins
        // there.
        let mut failing = conditions.len().checked_sub(1)?;
        for _ in 0..steps {
            let Some(next) = self.find_failing(exprs, conditions, failing, &model) else {
                return Some(model);
            };
            failing = next;
            self.found.clear();
            self.wants.clear();
            self.wants.push((conditions[failing], 1));
            self.descend(exprs, &model)?;
            model = model.with(self.found.iter().copied());
        }
        self.find_failing(exprs, conditions, failing, &model).is_none().then_some(model)
    }

    /// The same, beginning with changes that give some expressions the values that are wanted, as far as that goes.
    pub(crate) fn run_toward(
        &mut self,
        exprs: &Exprs,
        conditions: &[ExprId],
        model: &Model,
        wanted: &[(ExprId, u128)],
        steps: usize,
    ) -> Option<Model> {
        let mut model = model.clone();
        for &want in wanted {
            self.found.clear();
            self.wants.clear();
            self.wants.push(want);
            if self.descend(exprs, &model).is_some() {
                model = model.with(self.found.iter().copied());
            }
        }
        self.run(exprs, conditions, &model, steps)
    }

    /// Repairs models with random values for the symbols, of random lengths: products and quotients, where
    /// solvers have a hard time, often have solutions with a small operand. The values depend on the names of
    /// the symbols, not on their numbers.
    pub(crate) fn search(
        &mut self,
        exprs: &Exprs,
        query: &Query,
        model: &Model,
        attempts: u64,
        steps: usize,
    ) -> Option<Model> {
        let end = self.evaluator.steps() + SEARCH_WORK;
        for attempt in 1..=attempts {
            let values = query.symbols.iter().map(|&symbol| {
                let expr = exprs.symbol_expr(symbol);
                (symbol, random_value(attempt, exprs.structural_hash(expr), exprs.width(expr)))
            });
            let found = self.run(exprs, &query.conditions, &model.with(values), steps);
            if found.is_some() || self.evaluator.steps() > end || query.is_late() {
                return found;
            }
        }
        None
    }

    /// Repairs models in which the symbols have common values: first all the same, then mixed by their names. Where a
    /// float decides, one of these often does.
    pub(crate) fn try_common_values(&mut self, exprs: &Exprs, query: &Query, model: &Model) -> Option<Model> {
        let end = self.evaluator.steps() + COMMON_WORK;
        for attempt in 0..COMMON_ATTEMPTS {
            let values = query.symbols.iter().map(|&symbol| {
                let count = COMMON.len() as u64;
                let seed = exprs.structural_hash(exprs.symbol_expr(symbol));
                let place = if attempt < count { attempt } else { mix(seed ^ mix(attempt)) >> 32 };
                (symbol, common_value(exprs, symbol, COMMON[(place % count) as usize]))
            });
            let found = self.run(exprs, &query.conditions, &model.with(values), COMMON_STEPS);
            if found.is_some() || self.evaluator.steps() > end || query.is_late() {
                return found;
            }
        }
        None
    }

    /// A condition that does not hold: the one that failed last, or else the first.
    fn find_failing(
        &mut self,
        exprs: &Exprs,
        conditions: &[ExprId],
        last: usize,
        model: &Model,
    ) -> Option<usize> {
        if !self.evaluator.holds(exprs, conditions[last], model) {
            return Some(last);
        }
        conditions.iter().position(|condition| !self.evaluator.holds(exprs, *condition, model))
    }

    fn coin(&mut self) -> bool {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 63 == 1
    }

    /// Follows the wants down to symbols. None if there is no way.
    fn descend(&mut self, exprs: &Exprs, model: &Model) -> Option<()> {
        for _ in 0..LONGEST_DESCENT {
            let Some((expr, wanted)) = self.wants.pop() else { return Some(()) };
            let current = self.evaluator.evaluate(exprs, expr, model);
            if current != wanted {
                self.step(exprs, model, expr, current, wanted)?;
            }
        }
        None
    }

    fn value(&mut self, exprs: &Exprs, model: &Model, expr: ExprId) -> u128 {
        self.evaluator.evaluate(exprs, expr, model)
    }

    fn want(&mut self, expr: ExprId, wanted: u128) -> Option<()> {
        self.wants.push((expr, wanted));
        Some(())
    }

    fn step(
        &mut self,
        exprs: &Exprs,
        model: &Model,
        expr: ExprId,
        current: u128,
        wanted: u128,
    ) -> Option<()> {
        let width = exprs.width(expr);
        match *exprs.kind(expr) {
            ExprKind::Symbol(symbol) => {
                self.found.push((symbol, wanted));
                Some(())
            }
            ExprKind::Not(a) => self.want(a, !wanted & mask(width)),
            ExprKind::ZeroExtend(a) => {
                if wanted > mask(exprs.width(a)) {
                    None
                } else {
                    self.want(a, wanted)
                }
            }
            ExprKind::SignExtend(a) => {
                let narrow = wanted & mask(exprs.width(a));
                let fits = concrete::sign_extend(narrow, exprs.width(a), width) == wanted;
                if fits { self.want(a, narrow) } else { None }
            }
            ExprKind::Extract { of, low } => {
                let whole = self.value(exprs, model, of);
                self.want(of, whole & !(mask(width) << low) | wanted << low)
            }
            ExprKind::Concat(high, low) => {
                let low_width = exprs.width(low);
                self.want(high, wanted >> low_width)?;
                self.want(low, wanted & mask(low_width))
            }
            ExprKind::Ite(condition, then, otherwise) => {
                let taken = self.value(exprs, model, condition) == 1;
                let (here, there) = if taken { (then, otherwise) } else { (otherwise, then) };
                let other_side = self.value(exprs, model, there) == wanted;
                if other_side && adjustable(exprs, condition) {
                    self.want(condition, u128::from(!taken))
                } else {
                    self.want(here, wanted)
                }
            }
            ExprKind::Select(array, index) => self.step_read(exprs, model, array, index, wanted),
            ExprKind::Compare(relation, a, b) => {
                self.step_compare(exprs, model, relation, [a, b], wanted == 1)
            }
            ExprKind::Binary(op, a, b) => self.step_binary(exprs, model, op, [a, b], current, wanted),
            _ => self.step_float(exprs, model, expr, wanted),
        }
    }

    /// Wants another value of one of two operands: `new` tells which, given whether it is of the second. Of
    /// two possible operands one that is within its bounds is taken, else one at random.
    fn change_one(
        &mut self,
        exprs: &Exprs,
        operands: [ExprId; 2],
        mut new: impl FnMut(&mut Self, bool) -> Option<u128>,
    ) -> Option<()> {
        let first = self.coin();
        let mut fallback = None;
        for second in [first, !first] {
            let operand = operands[usize::from(second)];
            if !adjustable(exprs, operand) {
                continue;
            }
            let Some(value) = new(self, second) else { continue };
            if self.bounds.allows(exprs, operand, value) {
                return self.want(operand, value);
            }
            fallback = fallback.or(Some((operand, value)));
        }
        let (operand, value) = fallback?;
        self.want(operand, value)
    }

    fn step_compare(
        &mut self,
        exprs: &Exprs,
        model: &Model,
        relation: Relation,
        operands: [ExprId; 2],
        wanted: bool,
    ) -> Option<()> {
        let width = exprs.width(operands[0]);
        let values = operands.map(|operand| self.value(exprs, model, operand));
        let (least, greatest) = match relation {
            Relation::Slt => (1 << (width - 1), mask(width) >> 1),
            Relation::Eq | Relation::Ult => (0, mask(width)),
        };
        self.change_one(exprs, operands, |repair, second| {
            let other = values[usize::from(!second)];
            let above = other.wrapping_add(1) & mask(width);
            let below = other.wrapping_sub(1) & mask(width);
            match relation {
                Relation::Eq if wanted => Some(other),
                Relation::Eq => Some(if repair.coin() { below } else { above }),
                // Not less: equal is enough.
                _ if !wanted => Some(other),
                // Just above or just below the other one, if there is room.
                _ if second => (other != greatest).then_some(above),
                _ => (other != least).then_some(below),
            }
        })
    }

    fn step_binary(
        &mut self,
        exprs: &Exprs,
        model: &Model,
        op: BinaryOp,
        operands: [ExprId; 2],
        current: u128,
        wanted: u128,
    ) -> Option<()> {
        let width = exprs.width(operands[0]);
        if width == 1 && matches!(op, BinaryOp::And | BinaryOp::Or) && (wanted == 1) == (op == BinaryOp::And)
        {
            self.want(operands[1], wanted)?;
            return self.want(operands[0], wanted);
        }
        let values = operands.map(|operand| self.value(exprs, model, operand));
        if op == BinaryOp::Add && self.step_linear(exprs, operands, values, width, wanted) {
            return Some(());
        }
        self.change_one(exprs, operands, |_, second| invert(op, values, second, width, current, wanted))
    }

    /// A sum with a multiple of a constant, as numbers are read digit by digit: the rest of the division is
    /// up to the other operand. False if it is no such sum.
    fn step_linear(
        &mut self,
        exprs: &Exprs,
        operands: [ExprId; 2],
        values: [u128; 2],
        width: u32,
        wanted: u128,
    ) -> bool {
        if !operands.iter().all(|operand| adjustable(exprs, *operand)) {
            return false;
        }
        for multiple in [0, 1] {
            let Some(factor) = constant_factor(exprs, operands[multiple]) else { continue };
            let (digit, value) = (operands[1 - multiple], values[1 - multiple]);
            let missing = wanted.wrapping_sub(value) & mask(width);
            let rest = missing % factor;
            for digit_value in [value.wrapping_add(rest), value.wrapping_add(rest).wrapping_sub(factor)] {
                let digit_value = digit_value & mask(width);
                if self.bounds.allows(exprs, digit, digit_value) {
                    self.wants.push((digit, digit_value));
                    self.wants.push((operands[multiple], wanted.wrapping_sub(digit_value) & mask(width)));
                    return true;
                }
            }
        }
        false
    }

    /// Changes the cell that is read, or reads another one.
    fn step_read(
        &mut self,
        exprs: &Exprs,
        model: &Model,
        array: ArrayId,
        index: ExprId,
        wanted: u128,
    ) -> Option<()> {
        let place = self.value(exprs, model, index);
        let mut current = array;
        loop {
            match exprs.array_kind(current) {
                ArrayKind::Store { array, index: written, value } => {
                    if self.value(exprs, model, written) == place && adjustable(exprs, value) {
                        return self.want(value, wanted);
                    }
                    current = array;
                }
                ArrayKind::Cells(cells) => {
                    let cell = *cells.get(usize::try_from(place).ok()?)?;
                    return if adjustable(exprs, cell) { self.want(cell, wanted) } else { None };
                }
                ArrayKind::Bytes(bytes) => {
                    let limit = bytes.len().min(LONGEST_TABLE);
                    let found = bytes[..limit].iter().position(|byte| u128::from(*byte) == wanted)?;
                    return if adjustable(exprs, index) { self.want(index, found as u128) } else { None };
                }
            }
        }
    }
}

fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (value ^ value >> 29).wrapping_mul(0xd1b5_4a32_d192_ed03)
}

/// A value for a symbol: of a float the number itself, of anything else the integer next to it.
fn common_value(exprs: &Exprs, symbol: SymbolId, value: f64) -> u128 {
    let info = exprs.symbol_info(symbol);
    match info.kind {
        SymbolKind::Float(format) => concrete::bound(format, value),
        _ => (value as i128) as u128 & mask(info.width),
    }
}

/// A value of a random length.
fn random_value(attempt: u64, seed: u64, width: u32) -> u128 {
    let first = mix(seed ^ attempt.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let second = mix(first);
    let length = 1 + (mix(second) >> 32) as u32 % width;
    (u128::from(first) << 64 | u128::from(second)) & mask(length)
}

/// Whether an expression depends on any symbol.
fn adjustable(exprs: &Exprs, expr: ExprId) -> bool {
    exprs.symbols_of(expr).next().is_some()
}

/// The constant that an expression is a multiple of.
fn constant_factor(exprs: &Exprs, expr: ExprId) -> Option<u128> {
    let ExprKind::Binary(op, a, b) = *exprs.kind(expr) else { return None };
    match op {
        BinaryOp::Mul => exprs.as_constant(b).or_else(|| exprs.as_constant(a)).filter(|factor| *factor != 0),
        BinaryOp::Shl => {
            exprs.as_constant(b).filter(|distance| *distance < 127).map(|distance| 1 << distance)
        }
        _ => None,
    }
}

/// The value of one operand for which an operation gives the wanted result, near its present one.
fn invert(
    op: BinaryOp,
    values: [u128; 2],
    second: bool,
    width: u32,
    current: u128,
    wanted: u128,
) -> Option<u128> {
    let all = mask(width);
    let (own, other) = if second { (values[1], values[0]) } else { (values[0], values[1]) };
    let first_only =
        matches!(op, BinaryOp::UDiv | BinaryOp::URem | BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
    if first_only && second {
        return None;
    }
    let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
    if is_shift && other >= u128::from(width) {
        return None;
    }
    let new = match op {
        BinaryOp::Add => wanted.wrapping_sub(other) & all,
        BinaryOp::Sub if second => other.wrapping_sub(wanted) & all,
        BinaryOp::Sub => wanted.wrapping_add(other) & all,
        BinaryOp::Xor => wanted ^ other,
        BinaryOp::And => own & !other | wanted,
        BinaryOp::Or => own & other | wanted & !other,
        BinaryOp::Mul => factor(wanted, other, width)?,
        BinaryOp::UDiv => wanted.checked_mul(other)?,
        BinaryOp::URem => (own - current).checked_add(wanted)?,
        BinaryOp::Shl => wanted >> other,
        BinaryOp::LShr | BinaryOp::AShr => wanted << other & all | own & !(all << other),
        BinaryOp::SDiv | BinaryOp::SRem => return None,
    };
    let (a, b) = if second { (other, new) } else { (new, other) };
    (new <= all && concrete::binary(op, a, b, width) == wanted).then_some(new)
}

/// A factor that gives `product` together with `other`, modulo a power of two.
fn factor(product: u128, other: u128, width: u32) -> Option<u128> {
    let shift = other.trailing_zeros();
    if other == 0 || product.trailing_zeros().min(width) < shift {
        return None;
    }
    let odd = other >> shift;
    // Newton's iteration doubles the number of right bits; an odd number is its own inverse modulo 8.
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    Some((product >> shift).wrapping_mul(inverse) & mask(width - shift))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::testing::{Generator, Profile, Random};
    use crate::expr::{CompareOp, SymbolKind};

    #[test]
    fn factors_are_factors() {
        let mut random = Random::new(3);
        for _ in 0..2000 {
            let width = 1 + random.below(128) as u32;
            let (x, y) = (random.value(width), random.value(width));
            let product = x.wrapping_mul(y) & mask(width);
            if y != 0 {
                let found = factor(product, y, width).expect("there is one");
                assert_eq!(found.wrapping_mul(y) & mask(width), product, "{x:x} {y:x} {width}");
            }
        }
    }

    #[test]
    fn what_is_returned_is_a_model_and_often_something_is() {
        let profile = Profile { floats: false, arrays: true, widest_product: 32 };
        let mut repair = Repair::default();
        let mut successes = 0;
        for seed in 0..400 {
            repair.evaluator = Evaluator::new();
            let mut generator = Generator::new(seed, Exprs::new(), profile, &[8, 8, 16, 32, 32, 64]);
            for _ in 0..10 {
                generator.grow();
            }
            let target = generator.model();
            let mut conditions = Vec::new();
            for _ in 0..6 {
                let condition = generator.condition();
                let holds = Evaluator::new().holds(&generator.exprs, condition, &target);
                conditions.push(if holds { condition } else { generator.exprs.not(condition) });
            }
            if let Some(model) = repair.run(&generator.exprs, &conditions, &Model::new(), 40) {
                successes += 1;
                for &condition in &conditions {
                    assert!(Evaluator::new().holds(&generator.exprs, condition, &model), "seed {seed}");
                }
            }
        }
        assert!(successes > 150, "{successes} of 400");
    }

    #[test]
    fn an_order_of_inputs_is_found_from_zeros() {
        let mut exprs = Exprs::new();
        let symbols: Vec<ExprId> =
            (0..6).map(|i| exprs.symbol(&format!("a{i}"), 32, SymbolKind::Signed)).collect();
        let conditions: Vec<ExprId> =
            symbols.windows(2).rev().map(|pair| exprs.compare(CompareOp::Slt, pair[0], pair[1])).collect();
        assert!(Repair::default().run(&exprs, &conditions, &Model::new(), 100).is_some());
    }
}
