//! The value of an expression under a model.
//!
//! Not recursive: a stack of nodes, each computed once its operands are. Values are remembered for the model used last
//! by a stamp beside each node, so that along a path every node is computed once. Of an if-then-else only the side that
//! is taken is.

use crate::concrete::{self, mask64};
use crate::expr::{ArrayId, ArrayKind, ExprId, ExprKind, Exprs};
use crate::model::Model;
use crate::work::{self, Effort};

/// Computes values of expressions of one arena and remembers them while the model stays the same.
#[derive(Default)]
pub struct Evaluator {
    model: Option<u64>,
    generation: u32,
    stamps: Vec<u32>,
    low: Vec<u64>,
    /// The upper 64 bits; as long as the other tables once an expression of more than 64 bits was met.
    high: Vec<u64>,
    stack: Vec<ExprId>,
    /// The steps taken so far: a measure of work that is the same on every machine.
    steps: u64,
}

impl Evaluator {
    /// An evaluator that remembers nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of an expression under a model.
    pub fn evaluate(&mut self, exprs: &Exprs, e: ExprId, model: &Model) -> u128 {
        self.start(exprs, model);
        if !self.is_known(e) {
            self.run(exprs, e, model);
        }
        self.value(e)
    }

    /// Whether an expression of width 1 holds under a model.
    pub fn holds(&mut self, exprs: &Exprs, e: ExprId, model: &Model) -> bool {
        self.evaluate(exprs, e, model) == 1
    }

    /// The steps taken so far, as a measure of work.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    fn start(&mut self, exprs: &Exprs, model: &Model) {
        if self.model != Some(model.id()) {
            self.model = Some(model.id());
            self.generation = self.generation.wrapping_add(1);
            if self.generation == 0 {
                self.stamps.fill(0);
                self.generation = 1;
            }
        }
        let count = exprs.node_count();
        if self.stamps.len() < count {
            // Growing by half more than is needed keeps the cost of a growing arena linear.
            let length = count + count / 2;
            self.stamps.resize(length, 0);
            self.low.resize(length, 0);
            if !self.high.is_empty() {
                self.high.resize(length, 0);
            }
        }
    }

    #[inline]
    fn is_known(&self, e: ExprId) -> bool {
        self.stamps[e.index()] == self.generation
    }

    #[inline]
    fn value(&self, e: ExprId) -> u128 {
        let low = self.low[e.index()] as u128;
        match self.high.get(e.index()) {
            Some(&high) => low | (high as u128) << 64,
            None => low,
        }
    }

    #[inline]
    fn set_narrow(&mut self, e: ExprId, value: u64) {
        self.low[e.index()] = value;
        self.stamps[e.index()] = self.generation;
    }

    fn set(&mut self, e: ExprId, value: u128) {
        let high = (value >> 64) as u64;
        if high != 0 && self.high.is_empty() {
            self.high.resize(self.low.len(), 0);
        }
        if let Some(slot) = self.high.get_mut(e.index()) {
            *slot = high;
        }
        self.set_narrow(e, value as u64);
    }

    fn run(&mut self, exprs: &Exprs, e: ExprId, model: &Model) {
        let before = self.steps;
        self.stack.push(e);
        while let Some(&top) = self.stack.last() {
            self.steps += 1;
            if self.is_known(top) || self.step(exprs, top, model) {
                self.stack.pop();
            }
        }
        work::count(Effort::Evaluation, self.steps - before);
    }

    /// Pushes an operand whose value is missing. Returns whether it is there.
    #[inline]
    fn need(&mut self, e: ExprId) -> bool {
        let known = self.is_known(e);
        if !known {
            self.stack.push(e);
        }
        known
    }

    /// Computes a node, or pushes the operands that are missing and returns false.
    #[inline]
    fn step(&mut self, exprs: &Exprs, e: ExprId, model: &Model) -> bool {
        match *exprs.kind(e) {
            ExprKind::Constant(value) | ExprKind::Base(value) => self.set_narrow(e, value),
            ExprKind::Symbol(symbol) if exprs.width(e) <= 64 => {
                self.set_narrow(e, model.low_value(symbol) & mask64(exprs.width(e)));
            }
            ExprKind::Symbol(symbol) => self.set(e, model.value(symbol) & concrete::mask(exprs.width(e))),
            ExprKind::Binary(op, a, b) if exprs.width(e) <= 64 => {
                if !self.need(a) | !self.need(b) {
                    return false;
                }
                let value = concrete::binary64(op, self.low[a.index()], self.low[b.index()], exprs.width(e));
                self.set_narrow(e, value);
            }
            ExprKind::Compare(relation, a, b) if exprs.width(a) <= 64 => {
                if !self.need(a) | !self.need(b) {
                    return false;
                }
                let (x, y) = (self.low[a.index()], self.low[b.index()]);
                self.set_narrow(e, concrete::relation64(relation, x, y, exprs.width(a)) as u64);
            }
            ExprKind::Ite(condition, then, otherwise) => {
                if !self.need(condition) {
                    return false;
                }
                let taken = if self.low[condition.index()] != 0 { then } else { otherwise };
                if !self.need(taken) {
                    return false;
                }
                self.set(e, self.value(taken));
            }
            ExprKind::Select(array, index) => {
                if !self.need(index) {
                    return false;
                }
                let index = self.low[index.index()];
                let known = |part: ExprId| self.need(part).then(|| self.low[part.index()]);
                let Some(value) = select(exprs, array, index, known) else { return false };
                self.set_narrow(e, value as u64);
            }
            kind => {
                let mut ready = true;
                for &operand in kind.operands().iter() {
                    ready &= self.need(operand);
                }
                if !ready {
                    return false;
                }
                let value = compute(exprs, &kind, exprs.width(e), |operand| self.value(operand));
                self.set(e, value);
            }
        }
        true
    }
}

/// The byte of an array at an index. `value` gives that of a part of the array, or nothing if it is missing: then there
/// is no byte, and all that is missing for the next step has been asked for.
pub(crate) fn select(
    exprs: &Exprs,
    array: ArrayId,
    index: u64,
    mut value: impl FnMut(ExprId) -> Option<u64>,
) -> Option<u8> {
    let mut current = array;
    let mut ready = true;
    loop {
        match exprs.array_kind(current) {
            ArrayKind::Bytes(bytes) => {
                let byte = usize::try_from(index).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0);
                return ready.then_some(byte);
            }
            ArrayKind::Cells(cells) => {
                let cell = usize::try_from(index).ok().and_then(|at| cells.get(at)).copied();
                return match cell {
                    _ if !ready => None,
                    None => Some(0),
                    Some(cell) => value(cell).map(|value| value as u8),
                };
            }
            ArrayKind::Store { array: before, index: written, value: stored } => {
                // All missing indices are asked for in one walk, so that a long chain is walked a few times only.
                match value(written) {
                    None => ready = false,
                    Some(written) if ready && written == index => {
                        return value(stored).map(|value| value as u8);
                    }
                    Some(_) => {}
                }
                current = before;
            }
        }
    }
}

/// The value of a node from the values of its operands; of a selection there is none, as it depends on more than
/// operands.
pub(crate) fn compute(exprs: &Exprs, kind: &ExprKind, width: u32, value: impl Fn(ExprId) -> u128) -> u128 {
    match *kind {
        ExprKind::Constant(constant) | ExprKind::Base(constant) => constant as u128,
        ExprKind::WideConstant(id) => exprs.wide_constant(id),
        ExprKind::Symbol(_) | ExprKind::Select(..) => 0,
        ExprKind::Binary(op, a, b) => concrete::binary(op, value(a), value(b), width),
        ExprKind::Compare(relation, a, b) => {
            concrete::relation(relation, value(a), value(b), exprs.width(a)) as u128
        }
        ExprKind::Not(a) => !value(a) & concrete::mask(width),
        ExprKind::ZeroExtend(a) => value(a),
        ExprKind::SignExtend(a) => concrete::sign_extend(value(a), exprs.width(a), width),
        ExprKind::Extract { of, low } => concrete::extract(value(of), low, width),
        ExprKind::Concat(high, low) => value(high) << exprs.width(low) | value(low),
        ExprKind::Ite(condition, then, otherwise) => {
            value(if value(condition) != 0 { then } else { otherwise })
        }
        ExprKind::FloatBinary(op, format, a, b) => concrete::float_binary(op, format, value(a), value(b)),
        ExprKind::FloatUnary(op, format, a) => concrete::float_unary(op, format, value(a)),
        ExprKind::FloatFma(format, a, b, c) => concrete::float_fma(format, value(b), value(a), value(c)),
        ExprKind::FloatCompare(op, format, a, b) => {
            concrete::float_compare(op, format, value(a), value(b)) as u128
        }
        ExprKind::FloatToFloat { from, to, of } => concrete::float_to_float(from, to, value(of)),
        ExprKind::FloatToInt { from, signed, of } => concrete::float_to_int(from, signed, width, value(of)),
        ExprKind::IntToFloat { signed, to, of } => {
            concrete::int_to_float(signed, to, value(of), exprs.width(of))
        }
        ExprKind::Math(function, format, a, b) => concrete::math(function, format, value(a), value(b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{BinaryOp, CompareOp, SymbolKind};

    #[test]
    fn a_deep_expression_needs_no_stack() {
        let mut exprs = Exprs::without_rewriting();
        let x = exprs.symbol("x", 32, SymbolKind::Signed);
        let mut sum = x;
        for _ in 0..200_000 {
            sum = exprs.binary(BinaryOp::Add, sum, x);
        }
        let model = Model::new().with([(exprs.as_symbol(x).unwrap(), 3)]);
        assert_eq!(Evaluator::new().evaluate(&exprs, sum, &model), 600_003);
    }

    #[test]
    fn values_are_remembered_for_one_model_only() {
        let mut exprs = Exprs::new();
        let x = exprs.symbol("x", 100, SymbolKind::Unsigned);
        let symbol = exprs.as_symbol(x).unwrap();
        let five = exprs.constant(5, 100);
        let below = exprs.compare(CompareOp::Ult, x, five);
        let mut evaluator = Evaluator::new();
        let small = Model::new().with([(symbol, 4)]);
        let large = Model::new().with([(symbol, 4 | 1 << 90)]);
        assert!(evaluator.holds(&exprs, below, &small));
        assert!(!evaluator.holds(&exprs, below, &large));
        assert!(evaluator.holds(&exprs, below, &small));
        assert_eq!(evaluator.evaluate(&exprs, x, &large), 4 | 1 << 90);
        assert_eq!(evaluator.evaluate(&exprs, x, &small), 4);
    }

    #[test]
    fn selections_see_stores_cells_and_the_end() {
        let mut exprs = Exprs::new();
        let (i, c) = (exprs.symbol("i", 64, SymbolKind::Unsigned), exprs.symbol("c", 8, SymbolKind::Char));
        let seven = exprs.constant(7, 8);
        let array = exprs.array_of_cells(&[seven, c]);
        let j = exprs.symbol("j", 64, SymbolKind::Unsigned);
        let nine = exprs.constant(9, 8);
        let stored = exprs.array_store(array, j, nine);
        let read = exprs.select(stored, i);
        let ids = [i, c, j].map(|e| exprs.as_symbol(e).unwrap());
        let mut evaluator = Evaluator::new();
        let mut at = |index: u128, written: u128| {
            let model = Model::new().with([(ids[0], index), (ids[1], 42), (ids[2], written)]);
            evaluator.evaluate(&exprs, read, &model)
        };
        assert_eq!(at(0, 5), 7);
        assert_eq!(at(1, 5), 42);
        assert_eq!(at(5, 5), 9);
        assert_eq!(at(1, 1), 9);
        assert_eq!(at(u64::MAX as u128, 0), 0);
    }
}
