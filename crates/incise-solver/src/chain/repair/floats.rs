//! Wants of float operations: the inverse operation, if rounding leaves it one.

use super::Repair;
use crate::concrete::{self, MathFacts};
use crate::expr::{
    ExprId, ExprKind, Exprs, FloatBinary, FloatCompare, FloatFormat, FloatUnary, MathFunction,
};
use crate::model::Model;

impl Repair {
    /// As [`Repair::step`], for float operations.
    pub(super) fn step_float(
        &mut self,
        exprs: &Exprs,
        model: &Model,
        expr: ExprId,
        wanted: u128,
    ) -> Option<()> {
        match *exprs.kind(expr) {
            ExprKind::FloatCompare(op, format, a, b) => {
                self.step_float_compare(exprs, model, op, format, [a, b], wanted == 1)
            }
            ExprKind::FloatBinary(op, format, a, b) => {
                let values = [a, b].map(|operand| self.value(exprs, model, operand));
                // Where library functions are about, hardly anything can be met exactly, and nearly may do.
                let nearly = exprs.has_math();
                self.change_one(exprs, [a, b], |_, second| invert(op, format, values, second, wanted, nearly))
            }
            ExprKind::FloatToFloat { from, to, of } => {
                let new = concrete::float_to_float(to, from, wanted);
                (concrete::float_to_float(from, to, new) == wanted).then_some(())?;
                self.want(of, new)
            }
            ExprKind::FloatToInt { from, signed, of } => {
                let width = exprs.width(expr);
                let new = concrete::int_to_float(signed, from, wanted, width);
                (concrete::float_to_int(from, signed, width, new) == wanted).then_some(())?;
                self.want(of, new)
            }
            ExprKind::IntToFloat { signed, to, of } => {
                let width = exprs.width(of);
                let new = concrete::float_to_int(to, signed, width, wanted);
                (concrete::int_to_float(signed, to, new, width) == wanted).then_some(())?;
                self.want(of, new)
            }
            // An integral value is its own result.
            ExprKind::FloatUnary(op, format, a) => {
                let candidates = [wanted, concrete::float_binary(FloatBinary::Mul, format, wanted, wanted)];
                let new =
                    candidates.into_iter().find(|new| concrete::float_unary(op, format, *new) == wanted)?;
                self.want(a, new)
            }
            ExprKind::Math(function, format, a, b) => {
                let values = [a, b].map(|operand| self.value(exprs, model, operand));
                match function.arity() {
                    1 => self.want(a, argument(function, format, wanted)?),
                    _ => self.change_one(exprs, [a, b], |_, second| {
                        argument_of_two(function, format, values, second, wanted)
                    }),
                }
            }
            _ => None,
        }
    }

    fn step_float_compare(
        &mut self,
        exprs: &Exprs,
        model: &Model,
        op: FloatCompare,
        format: FloatFormat,
        operands: [ExprId; 2],
        wanted: bool,
    ) -> Option<()> {
        let values = operands.map(|operand| self.value(exprs, model, operand));
        self.change_one(exprs, operands, |_, second| {
            let other = values[usize::from(!second)];
            let one = concrete::int_to_float(false, format, 1, 8);
            let above = concrete::float_binary(FloatBinary::Add, format, other, one);
            let below = concrete::float_binary(FloatBinary::Sub, format, other, one);
            let round = |op, number| concrete::float_unary(op, format, number);
            let candidates = [
                other,
                below,
                above,
                round(FloatUnary::Floor, below),
                round(FloatUnary::Ceil, above),
                concrete::default_nan(format),
                next(other, true),
                next(other, false),
                0,
                one,
            ];
            // What comes from an integer can only be integral.
            let integral = matches!(exprs.kind(operands[usize::from(second)]), ExprKind::IntToFloat { .. });
            candidates.into_iter().find(|candidate| {
                let (a, b) = if second { (other, *candidate) } else { (*candidate, other) };
                *candidate <= concrete::mask(format.width())
                    && (!integral || round(FloatUnary::Trunc, *candidate) == *candidate)
                    && concrete::float_compare(op, format, a, b) == wanted
            })
        })
    }
}

/// The neighbour of a number by its bits: away from zero, or toward it. Not always a number, which the caller
/// finds out.
fn next(bits: u128, away: bool) -> u128 {
    if away { bits.wrapping_add(1) } else { bits.wrapping_sub(1) }
}

/// The value of one operand for which an operation gives the wanted bits.
fn invert(
    op: FloatBinary,
    format: FloatFormat,
    values: [u128; 2],
    second: bool,
    wanted: u128,
    nearly: bool,
) -> Option<u128> {
    let other = values[usize::from(!second)];
    let apply = |op, a, b| concrete::float_binary(op, format, a, b);
    let new = match (op, second) {
        (FloatBinary::Add, _) => apply(FloatBinary::Sub, wanted, other),
        (FloatBinary::Sub, false) => apply(FloatBinary::Add, wanted, other),
        (FloatBinary::Sub, true) => apply(FloatBinary::Sub, other, wanted),
        (FloatBinary::Mul, _) => apply(FloatBinary::Div, wanted, other),
        (FloatBinary::Div, false) => apply(FloatBinary::Mul, wanted, other),
        (FloatBinary::Div, true) => apply(FloatBinary::Div, other, wanted),
        _ => wanted,
    };
    let (a, b) = if second { (other, new) } else { (new, other) };
    let met = apply(op, a, b) == wanted || nearly && !concrete::is_nan(format, new);
    met.then_some(new)
}

/// An argument for which a library function comes near a value, or as near as it can.
fn argument(function: MathFunction, format: FloatFormat, wanted: u128) -> Option<u128> {
    use MathFunction as F;
    if concrete::is_nan(format, wanted) {
        return Some(wanted);
    }
    let value = number(format, wanted);
    let facts = MathFacts::of(function);
    let value = facts.least.map_or(value, |least| value.max(least));
    let value = facts.greatest.map_or(value, |greatest| value.min(greatest));
    let argument = match function {
        F::Sin => value.asin(),
        F::Cos => value.acos(),
        F::Tan => value.atan(),
        F::Asin => value.sin(),
        F::Acos => value.cos(),
        F::Atan => value.tan(),
        F::Sinh => value.asinh(),
        F::Cosh => value.acosh(),
        F::Tanh => value.atanh(),
        F::Asinh => value.sinh(),
        F::Acosh => value.cosh(),
        F::Atanh => value.tanh(),
        F::Exp => value.ln(),
        F::Exp2 => value.log2(),
        F::Exp10 => value.log10(),
        F::Expm1 => value.ln_1p(),
        F::Log => value.exp(),
        F::Log2 | F::Logb => value.exp2(),
        F::Log10 => 10f64.powf(value),
        F::Log1p => value.exp_m1(),
        F::Cbrt => value * value * value,
        _ => return None,
    };
    (!argument.is_nan()).then(|| concrete::bound(format, argument))
}

/// The same for one of two arguments.
fn argument_of_two(
    function: MathFunction,
    format: FloatFormat,
    values: [u128; 2],
    second: bool,
    wanted: u128,
) -> Option<u128> {
    use MathFunction as F;
    let (value, other) = (number(format, wanted), number(format, values[usize::from(!second)]));
    let argument = match (function, second) {
        (F::Pow, false) => value.powf(1.0 / other),
        (F::Pow, true) => value.ln() / other.ln(),
        (F::Atan2, false) => value.tan() * other,
        (F::Atan2, true) => other / value.tan(),
        (F::Hypot, _) => (value * value - other * other).sqrt(),
        _ => return None,
    };
    (!argument.is_nan()).then(|| concrete::bound(format, argument))
}

fn number(format: FloatFormat, bits: u128) -> f64 {
    f64::from_bits(concrete::float_to_float(format, FloatFormat::Double, bits) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::SymbolKind;

    #[test]
    fn simple_conditions_on_floats_are_repaired() {
        use FloatCompare::{Eq, Le, Lt, Unordered};
        for format in crate::chain::testing::FORMATS {
            let mut exprs = Exprs::new();
            let x = exprs.symbol("x", format.width(), SymbolKind::Float(format));
            let n = exprs.symbol("n", 32, SymbolKind::Signed);
            let half = {
                let (one, two) = (
                    concrete::int_to_float(false, format, 1, 8),
                    concrete::int_to_float(false, format, 2, 8),
                );
                exprs.constant(concrete::float_binary(FloatBinary::Div, format, one, two), format.width())
            };
            let sum = exprs.float_binary(FloatBinary::Add, format, x, half);
            let converted = exprs.int_to_float(true, format, n);
            for of in [x, sum, converted] {
                for op in [Eq, Lt, Le, Unordered] {
                    for operands in [[of, half], [half, of]] {
                        let condition = exprs.float_compare(op, format, operands[0], operands[1]);
                        let negation = exprs.not(condition);
                        for side in [condition, negation] {
                            let possible =
                                of != converted || (op != Eq && op != Unordered) || side == negation;
                            let model = Repair::default().run(&exprs, &[side], &Model::new(), 10);
                            assert!(model.is_some() || !possible, "{format:?} {}", exprs.display_c(side));
                        }
                    }
                }
            }
        }
    }
}
