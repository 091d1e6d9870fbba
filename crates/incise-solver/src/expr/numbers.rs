//! Expressions as numbers: where only the number counts, not the bits of what is none.
//!
//! Which NaN an operation gives depends on the order of its operands, so that `a + b` and `b + a` are different bits.
//! But comparisons and conversions to integers see a number or none. What they look at is put into a normal form that
//! has the same number: operands of sums and products in a fixed order, signs drawn out of products and quotients and
//! into differences, no neutral elements. So versions of a computation that differ in such things only are compared
//! without a solver.
//!
//! Within the form, operands are in it as well. A result that is not a number is quiet on both sides, and leaves are as
//! they were, so that library functions that tell a quiet NaN from a signalling one see no difference.

use super::arena::Exprs;
use super::kind::{ExprId, ExprKind, FloatBinary, FloatFormat};
use crate::concrete;

impl Exprs {
    /// An expression that is the same number, or none for the same values of the symbols, in a form that does not
    /// depend on the order of operands.
    pub fn as_number(&mut self, format: FloatFormat, e: ExprId) -> ExprId {
        if !self.rewriter.is_enabled() {
            return e;
        }
        if let Some(&known) = self.numbers.get(&(e, format)) {
            return known;
        }
        // The form must not depend on how deep the rules were nested when it was first asked for.
        let nesting = self.rewriter.at_the_top();
        let mut stack = vec![(e, format)];
        while let Some(&(top, format)) = stack.last() {
            let before = stack.len();
            if !self.numbers.contains_key(&(top, format)) {
                self.each_number_below(top, format, |part| stack.push(part));
                if stack.len() > before {
                    continue;
                }
                let number = self.number_of(top, format);
                self.numbers.insert((top, format), number);
            }
            stack.pop();
        }
        self.rewriter.back_to(nesting);
        self.number(e, format)
    }

    fn number(&self, e: ExprId, format: FloatFormat) -> ExprId {
        self.numbers.get(&(e, format)).copied().unwrap_or(e)
    }

    /// The operands that are numbers as well and not in the form yet.
    fn each_number_below(
        &self,
        e: ExprId,
        format: FloatFormat,
        mut visit: impl FnMut((ExprId, FloatFormat)),
    ) {
        let of = |x: ExprId| Some((x, format));
        let parts = match *self.kind(e) {
            ExprKind::FloatBinary(_, own, a, b) if own == format => [of(a), of(b), None],
            ExprKind::Math(_, own, a, b) if own == format => [of(a), of(b), None],
            ExprKind::FloatFma(own, a, b, c) if own == format => [of(a), of(b), of(c)],
            ExprKind::FloatUnary(_, own, a) if own == format => [of(a), None, None],
            ExprKind::FloatToFloat { from, to, of } if to == format => [Some((of, from)), None, None],
            ExprKind::Ite(_, a, b) => [of(a), of(b), None],
            _ => match self.sign_changed(e, format) {
                Some(ChangedSign::Inverted(x) | ChangedSign::Cleared(x)) => [of(x), None, None],
                None => [None; 3],
            },
        };
        parts.into_iter().flatten().filter(|part| !self.numbers.contains_key(part)).for_each(&mut visit);
    }

    /// The form of an expression whose operands have theirs.
    fn number_of(&mut self, e: ExprId, format: FloatFormat) -> ExprId {
        match *self.kind(e) {
            ExprKind::FloatBinary(op, own, a, b) if own == format => {
                let (a, b) = (self.number(a, format), self.number(b, format));
                self.number_binary(op, format, a, b)
            }
            ExprKind::FloatFma(own, a, b, c) if own == format => {
                let [a, b, c] = [a, b, c].map(|x| self.number(x, format));
                let (a, b) = self.in_order(a, b);
                self.build(ExprKind::FloatFma(format, a, b, c), format.width())
            }
            ExprKind::FloatUnary(op, own, a) if own == format => {
                let a = self.number(a, format);
                self.float_unary(op, format, a)
            }
            ExprKind::FloatToFloat { from, to, of } if to == format => {
                let of = self.number(of, from);
                self.float_to_float(from, to, of)
            }
            ExprKind::Math(function, own, a, b) if own == format => {
                let (a, b) = (self.number(a, format), self.number(b, format));
                self.build(ExprKind::Math(function, format, a, b), format.width())
            }
            ExprKind::Ite(condition, then, otherwise) => {
                let (then, otherwise) = (self.number(then, format), self.number(otherwise, format));
                self.ite(condition, then, otherwise)
            }
            _ => match self.sign_changed(e, format) {
                Some(ChangedSign::Inverted(of)) => {
                    let of = self.number(of, format);
                    self.number_negated(format, of)
                }
                Some(ChangedSign::Cleared(of)) => {
                    let of = self.number(of, format);
                    let of = self.without_sign(format, of).unwrap_or(of);
                    self.float_abs(format, of)
                }
                None => e,
            },
        }
    }

    fn number_binary(&mut self, op: FloatBinary, format: FloatFormat, a: ExprId, b: ExprId) -> ExprId {
        match op {
            FloatBinary::Add => self.number_sum(format, a, b),
            FloatBinary::Sub => self.number_difference(format, a, b),
            FloatBinary::Mul => self.number_product(format, a, b),
            FloatBinary::Div => self.number_quotient(format, a, b),
            // The sign of a divisor does not matter to the rest of a division.
            FloatBinary::Rem => {
                let b = self.without_sign(format, b).unwrap_or(b);
                self.float_binary(op, format, a, b)
            }
            FloatBinary::Min | FloatBinary::Max => self.float_binary(op, format, a, b),
        }
    }

    fn number_sum(&mut self, format: FloatFormat, a: ExprId, b: ExprId) -> ExprId {
        let minus_zero = sign(format);
        if self.as_constant(b) == Some(minus_zero) {
            return a;
        }
        if self.as_constant(a) == Some(minus_zero) {
            return b;
        }
        if let (Some(x), Some(y)) = (self.without_sign(format, a), self.without_sign(format, b)) {
            return self.negative_sum(format, x, y);
        }
        if let Some(positive) = self.without_sign(format, b) {
            return self.float_binary(FloatBinary::Sub, format, a, positive);
        }
        if let Some(positive) = self.without_sign(format, a) {
            return self.float_binary(FloatBinary::Sub, format, b, positive);
        }
        let (a, b) = self.in_order(a, b);
        self.float_binary(FloatBinary::Add, format, a, b)
    }

    fn number_difference(&mut self, format: FloatFormat, a: ExprId, b: ExprId) -> ExprId {
        if self.as_constant(b) == Some(0) {
            return a;
        }
        if self.as_constant(a) == Some(sign(format)) {
            return self.number_negated(format, b);
        }
        match (self.without_sign(format, a), self.without_sign(format, b)) {
            (_, Some(positive)) => self.number_sum(format, a, positive),
            (Some(x), None) => self.negative_sum(format, x, b),
            (None, None) => self.float_binary(FloatBinary::Sub, format, a, b),
        }
    }

    /// `-x - y`, which is not the negation of the sum where that is zero.
    fn negative_sum(&mut self, format: FloatFormat, x: ExprId, y: ExprId) -> ExprId {
        let (x, y) = self.in_order(x, y);
        let negated = self.number_negated(format, x);
        self.float_binary(FloatBinary::Sub, format, negated, y)
    }

    fn number_product(&mut self, format: FloatFormat, a: ExprId, b: ExprId) -> ExprId {
        let (a, b) = self.in_order(a, b);
        let (one, minus_one) = ones(format);
        match self.as_constant(b) {
            Some(factor) if factor == one => return a,
            Some(factor) if factor == minus_one => return self.number_negated(format, a),
            // A sign goes to the constant.
            Some(factor) if self.as_constant(a).is_none() => {
                let (a, b) = match self.without_sign(format, a) {
                    Some(positive) => (positive, self.constant(factor ^ sign(format), format.width())),
                    None => (a, b),
                };
                return self.float_binary(FloatBinary::Mul, format, a, b);
            }
            _ => {}
        }
        let (x, y) = (self.without_sign(format, a), self.without_sign(format, b));
        let (left, right) = self.in_order(x.unwrap_or(a), y.unwrap_or(b));
        let product = self.float_binary(FloatBinary::Mul, format, left, right);
        if x.is_some() == y.is_some() { product } else { self.float_neg(format, product) }
    }

    fn number_quotient(&mut self, format: FloatFormat, a: ExprId, b: ExprId) -> ExprId {
        let (x, y) = (self.without_sign(format, a), self.without_sign(format, b));
        let negative = x.is_some() != y.is_some();
        if let Some(divisor) = self.as_constant(b) {
            if let Some(factor) = concrete::exact_reciprocal(format, divisor) {
                let factor = self.constant(factor, format.width());
                return self.number_product(format, a, factor);
            }
            let (a, b) = match x {
                Some(positive) => (positive, self.constant(divisor ^ sign(format), format.width())),
                None => (a, b),
            };
            return self.float_binary(FloatBinary::Div, format, a, b);
        }
        if let Some(dividend) = self.as_constant(a) {
            let (a, b) = match y {
                Some(positive) => (self.constant(dividend ^ sign(format), format.width()), positive),
                None => (a, b),
            };
            return self.float_binary(FloatBinary::Div, format, a, b);
        }
        let quotient = self.float_binary(FloatBinary::Div, format, x.unwrap_or(a), y.unwrap_or(b));
        if negative { self.float_neg(format, quotient) } else { quotient }
    }

    /// The negation of what is in the form. A product with a constant takes the sign in.
    fn number_negated(&mut self, format: FloatFormat, of: ExprId) -> ExprId {
        if let Some(positive) = self.without_sign(format, of)
            && self.as_constant(of).is_none()
        {
            return positive;
        }
        if let ExprKind::FloatBinary(op, own, a, b) = *self.kind(of)
            && own == format
        {
            let invert =
                |exprs: &mut Self, constant: u128| exprs.constant(constant ^ sign(format), format.width());
            match (op, self.as_constant(a), self.as_constant(b)) {
                (FloatBinary::Mul | FloatBinary::Div, None, Some(factor)) => {
                    let factor = invert(self, factor);
                    return self.float_binary(op, format, a, factor);
                }
                (FloatBinary::Div, Some(dividend), None) => {
                    let dividend = invert(self, dividend);
                    return self.float_binary(op, format, dividend, b);
                }
                _ => {}
            }
        }
        self.float_neg(format, of)
    }

    /// The operand without its minus sign: of a negation what is negated, of a negative constant its magnitude.
    fn without_sign(&mut self, format: FloatFormat, e: ExprId) -> Option<ExprId> {
        if let Some(value) = self.as_constant(e) {
            let negative = value & sign(format) != 0;
            return negative.then(|| self.constant(value ^ sign(format), format.width()));
        }
        match self.sign_changed(e, format) {
            Some(ChangedSign::Inverted(of)) => Some(of),
            _ => None,
        }
    }

    /// What an expression changes the sign of, if it does just that: the arena makes it of parts.
    pub(crate) fn sign_changed(&self, e: ExprId, format: FloatFormat) -> Option<ChangedSign> {
        let top = format.width() - 1;
        let rest_of = |part: ExprId| match *self.kind(part) {
            ExprKind::Extract { of, low: 0 } if self.width(part) == top && self.width(of) == top + 1 => {
                Some(of)
            }
            _ => None,
        };
        match *self.kind(e) {
            ExprKind::ZeroExtend(part) => rest_of(part).map(ChangedSign::Cleared),
            ExprKind::Concat(high, low) => {
                let of = rest_of(low)?;
                let ExprKind::Not(bit) = *self.kind(high) else { return None };
                let inverted = matches!(*self.kind(bit), ExprKind::Extract { of: same, low } if low == top && same == of);
                inverted.then_some(ChangedSign::Inverted(of))
            }
            _ => None,
        }
    }
}

/// How the sign of a float was changed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum ChangedSign {
    /// The negation.
    Inverted(ExprId),
    /// The absolute value.
    Cleared(ExprId),
}

fn sign(format: FloatFormat) -> u128 {
    1 << (format.width() - 1)
}

/// One and minus one.
fn ones(format: FloatFormat) -> (u128, u128) {
    let one = concrete::int_to_float(false, format, 1, 8);
    (one, one | sign(format))
}
