//! Constructors of float expressions. Sign changes, `fmin` and `fmax` are made of other nodes.

use super::arena::Exprs;
use super::kind::{BinaryOp, ExprId, ExprKind, FloatBinary, FloatCompare, FloatFormat, FloatUnary};
use crate::concrete;

impl Exprs {
    /// An operation on two floats, rounding to nearest even.
    pub fn float_binary(&mut self, op: FloatBinary, format: FloatFormat, a: ExprId, b: ExprId) -> ExprId {
        debug_assert!(self.width(a) == format.width() && self.width(b) == format.width());
        match op {
            FloatBinary::Min => self.float_choice(format, a, b, (a, b)),
            FloatBinary::Max => self.float_choice(format, a, b, (b, a)),
            _ => self.build(ExprKind::FloatBinary(op, format, a, b), format.width()),
        }
    }

    /// `fmin` and `fmax`: the first operand if the pair is in order, else the second; a quiet NaN gives way to a number. See
    /// [`concrete::float_binary`].
    fn float_choice(
        &mut self,
        format: FloatFormat,
        a: ExprId,
        b: ExprId,
        ordered: (ExprId, ExprId),
    ) -> ExprId {
        let first = self.float_compare(FloatCompare::Lt, format, ordered.0, ordered.1);
        let of_numbers = self.ite(first, a, b);
        let unordered = self.float_compare(FloatCompare::Unordered, format, a, b);
        if unordered == Self::FALSE {
            return of_numbers;
        }
        let of_nan = self.float_choice_of_nan(format, a, b);
        self.ite(unordered, of_nan, of_numbers)
    }

    fn float_choice_of_nan(&mut self, format: FloatFormat, a: ExprId, b: ExprId) -> ExprId {
        let a_nan = self.float_compare(FloatCompare::Unordered, format, a, a);
        let b_nan = self.float_compare(FloatCompare::Unordered, format, b, b);
        let (a_quiet, b_quiet) = (self.is_quiet(format, a), self.is_quiet(format, b));
        // An operand that is a quiet NaN gives way to a number; in all other cases the result is that of an addition.
        let sum = self.sum_with_nan(format, a, b, a_nan);
        let both = self.and(a_nan, b_nan);
        let otherwise_a = self.ite(b_quiet, a, sum);
        let otherwise_b = self.ite(a_quiet, b, sum);
        let one = self.ite(a_nan, otherwise_b, otherwise_a);
        self.ite(both, sum, one)
    }

    /// The sum of two floats of which one is not a number: bit operations, which a solver decides more easily than an addition.
    fn sum_with_nan(&mut self, format: FloatFormat, a: ExprId, b: ExprId, a_nan: ExprId) -> ExprId {
        if format == FloatFormat::X87 {
            return self.float_binary(FloatBinary::Add, format, a, b);
        }
        let first = self.ite(a_nan, a, b);
        let quiet = self.constant(1 << (format.precision() - 2), format.width());
        self.or(first, quiet)
    }

    /// Whether the highest bit of the fraction is set (and, for the x87 format, the integer bit).
    fn is_quiet(&mut self, format: FloatFormat, a: ExprId) -> ExprId {
        let quiet = self.extract(a, format.precision() - 2, 1);
        if format != FloatFormat::X87 {
            return quiet;
        }
        let integer = self.extract(a, 63, 1);
        self.and(integer, quiet)
    }

    /// An operation on one float.
    pub fn float_unary(&mut self, op: FloatUnary, format: FloatFormat, a: ExprId) -> ExprId {
        debug_assert_eq!(self.width(a), format.width());
        self.build(ExprKind::FloatUnary(op, format, a), format.width())
    }

    /// `a * b + c`, rounded once.
    pub fn float_fma(&mut self, format: FloatFormat, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        debug_assert!([a, b, c].iter().all(|&e| self.width(e) == format.width()));
        self.build(ExprKind::FloatFma(format, a, b, c), format.width())
    }

    /// The sign bit inverted.
    pub fn float_neg(&mut self, format: FloatFormat, a: ExprId) -> ExprId {
        let sign = self.constant(1 << (format.width() - 1), format.width());
        self.binary(BinaryOp::Xor, a, sign)
    }

    /// The sign bit cleared.
    pub fn float_abs(&mut self, format: FloatFormat, a: ExprId) -> ExprId {
        let rest = self.constant(concrete::mask(format.width() - 1), format.width());
        self.binary(BinaryOp::And, a, rest)
    }

    /// A comparison of two floats, of width 1.
    pub fn float_compare(&mut self, op: FloatCompare, format: FloatFormat, a: ExprId, b: ExprId) -> ExprId {
        debug_assert!(self.width(a) == format.width() && self.width(b) == format.width());
        self.build(ExprKind::FloatCompare(op, format, a, b), 1)
    }

    /// A conversion between formats, rounding to nearest even. Between equal formats it is nothing.
    pub fn float_to_float(&mut self, from: FloatFormat, to: FloatFormat, a: ExprId) -> ExprId {
        debug_assert_eq!(self.width(a), from.width());
        if from == to { a } else { self.build(ExprKind::FloatToFloat { from, to, of: a }, to.width()) }
    }

    /// A conversion to an integer, toward zero; see [`concrete::float_to_int`] for what does not fit.
    pub fn float_to_int(&mut self, from: FloatFormat, signed: bool, width: u32, a: ExprId) -> ExprId {
        debug_assert_eq!(self.width(a), from.width());
        self.build(ExprKind::FloatToInt { from, signed, of: a }, width)
    }

    /// A conversion from an integer, rounding to nearest even.
    pub fn int_to_float(&mut self, signed: bool, to: FloatFormat, a: ExprId) -> ExprId {
        self.build(ExprKind::IntToFloat { signed, to, of: a }, to.width())
    }
}
