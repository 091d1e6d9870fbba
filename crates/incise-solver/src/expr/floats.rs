//! Constructors of float expressions. Sign changes, `fmin` and `fmax` are made of other nodes.

use super::arena::Exprs;
use super::kind::{
    BinaryOp, ExprId, ExprKind, FloatBinary, FloatCompare, FloatFormat, FloatUnary, MathFunction,
};
use crate::concrete;

impl Exprs {
    /// An operation on two floats, rounding to nearest even.
    pub fn float_binary(&mut self, op: FloatBinary, format: FloatFormat, a: ExprId, b: ExprId) -> ExprId {
        debug_assert!(self.width(a) == format.width() && self.width(b) == format.width());
        match op {
            // Of equal operands, zeros of either sign, `fminl` gives the first and the others the second.
            FloatBinary::Min if format == FloatFormat::X87 => self.float_choice(format, (b, a), (b, a)),
            FloatBinary::Min => self.float_choice(format, (a, b), (a, b)),
            FloatBinary::Max => self.float_choice(format, (a, b), (b, a)),
            _ => self.build(ExprKind::FloatBinary(op, format, a, b), format.width()),
        }
    }

    /// `fmin` and `fmax`: the first operand if the other pair is in order, else the second; a quiet NaN gives way to a
    /// number. See [`concrete::float_binary`].
    fn float_choice(
        &mut self,
        format: FloatFormat,
        (a, b): (ExprId, ExprId),
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

    /// The sum of two floats of which one is not a number: bit operations, which a solver decides more easily than an
    /// addition.
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
        self.build(ExprKind::FloatFma(format, b, a, c), format.width())
    }

    /// A function of the C library, of as many arguments as it takes. None for formats other than single and double,
    /// and for another number of arguments.
    pub fn math(
        &mut self,
        function: MathFunction,
        format: FloatFormat,
        arguments: &[ExprId],
    ) -> Option<ExprId> {
        let known = matches!(format, FloatFormat::Single | FloatFormat::Double);
        if !known || arguments.len() != function.arity() {
            return None;
        }
        debug_assert!(arguments.iter().all(|&e| self.width(e) == format.width()));
        let (&first, &last) = (arguments.first()?, arguments.last()?);
        Some(self.build(ExprKind::Math(function, format, first, last), format.width()))
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
        let symmetric = matches!(op, FloatCompare::Eq | FloatCompare::Unordered | FloatCompare::Same);
        let (a, b) = if symmetric { self.in_order(a, b) } else { (a, b) };
        self.build(ExprKind::FloatCompare(op, format, a, b), 1)
    }

    /// Whether two floats are the same number, zeros of different signs being different, or both are none: what someone
    /// sees who does not look at the bits of a NaN.
    pub fn float_same(&mut self, format: FloatFormat, a: ExprId, b: ExprId) -> ExprId {
        self.float_compare(FloatCompare::Same, format, a, b)
    }

    /// A conversion between formats, rounding to nearest even. Between equal formats it is nothing.
    pub fn float_to_float(&mut self, from: FloatFormat, to: FloatFormat, a: ExprId) -> ExprId {
        debug_assert_eq!(self.width(a), from.width());
        if from == to { a } else { self.build(ExprKind::FloatToFloat { from, to, of: a }, to.width()) }
    }

    /// A conversion to an integer, toward zero; see [`concrete::float_to_int`] for what does not fit.
    pub fn float_to_int(&mut self, from: FloatFormat, signed: bool, width: u32, a: ExprId) -> ExprId {
        debug_assert_eq!(self.width(a), from.width());
        match (from, signed, width) {
            (FloatFormat::X87, true, ..=16) | (FloatFormat::X87, false, ..=8) => self.x87_to_short(width, a),
            (FloatFormat::X87, false, 33..=64) => self.x87_to_unsigned(width, a),
            _ => self.build(ExprKind::FloatToInt { from, signed, of: a }, width),
        }
    }

    /// The x87 unit has a conversion to 16 bits: what does not fit is the least value of those.
    fn x87_to_short(&mut self, width: u32, a: ExprId) -> ExprId {
        let integer = self.build(ExprKind::FloatToInt { from: FloatFormat::X87, signed: true, of: a }, 32);
        let short = self.trunc(integer, 16);
        let again = self.sext(short, 32);
        let fits = self.eq(again, integer);
        let least = self.constant(1 << 15, 16);
        let converted = self.ite(fits, short, least);
        self.trunc(converted, width)
    }

    /// Below 2^63 as signed, else the difference to it, with the highest bit inverted.
    fn x87_to_unsigned(&mut self, width: u32, a: ExprId) -> ExprId {
        let from = FloatFormat::X87;
        let half = self.constant(concrete::int_to_float(false, from, 1 << 63, 64), 80);
        let below = self.float_compare(FloatCompare::Lt, from, a, half);
        let lower = self.build(ExprKind::FloatToInt { from, signed: true, of: a }, 64);
        let difference = self.float_binary(FloatBinary::Sub, from, a, half);
        let upper = self.build(ExprKind::FloatToInt { from, signed: true, of: difference }, 64);
        let highest = self.constant(1 << 63, 64);
        let upper = self.binary(BinaryOp::Xor, upper, highest);
        let converted = self.ite(below, lower, upper);
        self.trunc(converted, width)
    }

    /// A conversion from an integer, rounding to nearest even.
    pub fn int_to_float(&mut self, signed: bool, to: FloatFormat, a: ExprId) -> ExprId {
        self.build(ExprKind::IntToFloat { signed, to, of: a }, to.width())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Evaluator;
    use crate::expr::SymbolKind;
    use crate::model::Model;

    /// What is made of several nodes has the value of the one function.
    #[test]
    fn constructors_agree_with_the_concrete_functions() {
        use FloatFormat::{BFloat, Double, Half, Quad, Single, X87};
        let mut seed = 9u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed ^ seed >> 31
        };
        for format in [Half, BFloat, Single, Double, X87, Quad] {
            let width = format.width();
            let mut e = Exprs::new();
            let [x, y, z] = ["x", "y", "z"].map(|name| e.symbol(name, width, SymbolKind::Float(format)));
            let ids = [x, y, z].map(|s| e.as_symbol(s).unwrap());
            let chosen =
                [FloatBinary::Min, FloatBinary::Max].map(|op| (op, e.float_binary(op, format, x, y)));
            let fused = e.float_fma(format, x, y, z);
            let mut converted = Vec::new();
            for signed in [true, false] {
                for bits in [1, 8, 16, 24, 32, 64, 128] {
                    converted.push((signed, bits, e.float_to_int(format, signed, bits, x)));
                }
            }
            let mut evaluator = Evaluator::new();
            for round in 0..3000 {
                let values = ids.map(|_| {
                    let bits = (random() as u128) << 64 | random() as u128;
                    let special = exponent_ones(format)
                        | bits & 1 << (width - 1)
                        | bits & (3 << (format.precision() - 3));
                    let small = concrete::int_to_float(true, format, bits & 0xffff_ffff, 32);
                    [bits & concrete::mask(width), special, small, 0, 1 << (width - 1)][round % 5]
                });
                let model = Model::new().with(ids.into_iter().zip(values));
                let [a, b, c] = values;
                for (op, node) in chosen {
                    let expected = concrete::float_binary(op, format, a, b);
                    assert_eq!(
                        evaluator.evaluate(&e, node, &model),
                        expected,
                        "{op:?} {format:?} {a:#x} {b:#x}"
                    );
                }
                let expected = concrete::float_fma(format, a, b, c);
                assert_eq!(
                    evaluator.evaluate(&e, fused, &model),
                    expected,
                    "{format:?} {a:#x} {b:#x} {c:#x}"
                );
                for &(signed, bits, node) in &converted {
                    let expected = concrete::float_to_int(format, signed, bits, a);
                    assert_eq!(
                        evaluator.evaluate(&e, node, &model),
                        expected,
                        "{format:?} {signed} {bits} {a:#x}"
                    );
                }
            }
        }
    }

    fn exponent_ones(format: FloatFormat) -> u128 {
        concrete::mask(format.exponent_bits()) << format.significand_bits()
    }
}
