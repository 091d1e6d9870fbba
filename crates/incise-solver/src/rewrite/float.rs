//! Floats: what comparisons and conversions tell without arithmetic, and arithmetic that keeps every bit, also of what
//! is not a number.

use super::{Rule, Term, rule, table};
use crate::concrete;
use crate::expr::{ChangedSign, ExprId, ExprKind, Exprs, FloatBinary, FloatCompare, FloatFormat};

pub(super) const COMPARE: &[Rule] = &[
    rule("float-compare-numbers", "x < y => the same of x and y in the form of numbers", |e, t| {
        let (op, format) = operation(t)?;
        let (x, y) = (e.as_number(format, t.a), e.as_number(format, t.b));
        (x != t.a || y != t.b).then(|| e.float_compare(op, format, x, y))
    }),
    rule("float-compare-negated", "-x < -y => y < x; -x < c => -c < x; the same for <= and ==", |e, t| {
        let (op, format) = operation(t)?;
        let x = negated(e, format, t.a);
        let y = negated(e, format, t.b);
        if op == FloatCompare::Unordered || x.is_none() && y.is_none() {
            return None;
        }
        let x = x.or_else(|| negative_constant(e, format, t.a))?;
        let y = y.or_else(|| negative_constant(e, format, t.b))?;
        Some(e.float_compare(op, format, y, x))
    }),
    rule("float-unordered-sign", "unordered(-x, y), unordered(|x|, y) => unordered(x, y)", |e, t| {
        let (op, format) = operation(t)?;
        if op != FloatCompare::Unordered {
            return None;
        }
        let of =
            |x| e.sign_changed(x, format).map(|(ChangedSign::Inverted(of) | ChangedSign::Cleared(of))| of);
        let (x, y) = (of(t.a), of(t.b));
        (x.is_some() || y.is_some()).then(|| e.float_compare(op, format, x.unwrap_or(t.a), y.unwrap_or(t.b)))
    }),
    rule(
        "float-compare-self",
        "x < x => false; same(x, x) => true; x == x, x <= x => not unordered(x, x)",
        |e, t| {
            let (op, format) = operation(t)?;
            if t.a != t.b || op == FloatCompare::Unordered {
                return None;
            }
            if op == FloatCompare::Same {
                return Some(Exprs::TRUE);
            }
            if op == FloatCompare::Lt {
                return Some(Exprs::FALSE);
            }
            let unordered = e.float_compare(FloatCompare::Unordered, format, t.a, t.a);
            Some(e.not(unordered))
        },
    ),
    rule("float-unordered-numbers", "unordered(x, y) => false, if both are always numbers", |e, t| {
        let (op, format) = operation(t)?;
        let numbers = op == FloatCompare::Unordered && is_number(e, format, t.a) && is_number(e, format, t.b);
        numbers.then_some(Exprs::FALSE)
    }),
    rule("float-unordered-one", "unordered(x, y) => unordered(x, x), if y is always a number", |e, t| {
        let (op, format) = operation(t)?;
        if op != FloatCompare::Unordered || t.a == t.b {
            return None;
        }
        let left = if is_number(e, format, t.b) {
            t.a
        } else if is_number(e, format, t.a) {
            t.b
        } else {
            return None;
        };
        Some(e.float_compare(op, format, left, left))
    }),
    rule(
        "float-compare-widened",
        "float(x) < float(y) => x < y in the narrower format; also with a constant that it holds",
        |e, t| {
            let (op, format) = operation(t)?;
            let narrow = widened(e, t.a).or_else(|| widened(e, t.b))?;
            let (x, y) = (narrowed(e, t.a, format, narrow)?, narrowed(e, t.b, format, narrow)?);
            Some(e.float_compare(op, narrow, x, y))
        },
    ),
    rule(
        "float-compare-table",
        "table[i] < c => the ranges of i in which it is, if they are few; also c < table[i]",
        table::floats_compared,
    ),
];

pub(super) const TO_INT: &[Rule] = &[
    rule("float-to-int-number", "int(x) => the same of x in the form of numbers", |e, t| {
        let ExprKind::FloatToInt { from, signed, .. } = t.kind else { return None };
        let x = e.as_number(from, t.a);
        (x != t.a).then(|| e.build(ExprKind::FloatToInt { from, signed, of: x }, t.width))
    }),
    rule("float-round-trip", "int(float(x)) => x, if the format holds every such integer", |e, t| {
        let ExprKind::FloatToInt { from, signed, .. } = t.kind else { return None };
        let ExprKind::IntToFloat { signed: same, of, .. } = *e.kind(t.a) else { return None };
        (signed == same
            && e.width(of) == t.width
            && t.width <= from.precision()
            && holds_integers(from, t.width))
        .then_some(of)
    }),
];

pub(super) const BINARY: &[Rule] = &[
    rule("float-neutral", "x * 1, x / 1, x - 0, x + -0 => x, if x is never a signalling NaN", |e, t| {
        let ExprKind::FloatBinary(op, format, ..) = t.kind else { return None };
        let constant = e.as_constant(t.b)?;
        let one = concrete::int_to_float(false, format, 1, 8);
        let neutral = match op {
            FloatBinary::Mul | FloatBinary::Div => constant == one,
            FloatBinary::Sub => constant == 0,
            FloatBinary::Add => constant == 1 << (format.width() - 1),
            _ => false,
        };
        (neutral && is_result(e, format, t.a)).then_some(t.a)
    }),
    rule("float-sum-order", "c + x, c * x => x + c, x * c, if one of them is always a number", |e, t| {
        let ExprKind::FloatBinary(op, format, ..) = t.kind else { return None };
        let commutes = matches!(op, FloatBinary::Add | FloatBinary::Mul);
        if !commutes || !is_number(e, format, t.a) && !is_number(e, format, t.b) {
            return None;
        }
        let (x, y) = e.in_order(t.a, t.b);
        (x != t.a).then(|| e.float_binary(op, format, x, y))
    }),
    rule("float-double", "x + x => x * 2", |e, t| {
        let ExprKind::FloatBinary(FloatBinary::Add, format, ..) = t.kind else { return None };
        if t.a != t.b {
            return None;
        }
        let two = e.constant(concrete::int_to_float(false, format, 2, 8), format.width());
        Some(e.float_binary(FloatBinary::Mul, format, t.a, two))
    }),
    rule("float-reciprocal", "x / c => x * (1 / c), if c is a power of two", |e, t| {
        let ExprKind::FloatBinary(FloatBinary::Div, format, ..) = t.kind else { return None };
        let factor = concrete::exact_reciprocal(format, e.as_constant(t.b)?)?;
        let factor = e.constant(factor, format.width());
        Some(e.float_binary(FloatBinary::Mul, format, t.a, factor))
    }),
];

/// What is negated, if the expression is a negation.
fn negated(e: &Exprs, format: FloatFormat, x: ExprId) -> Option<ExprId> {
    match e.sign_changed(x, format)? {
        ChangedSign::Inverted(of) => Some(of),
        ChangedSign::Cleared(_) => None,
    }
}

/// A constant with the other sign.
fn negative_constant(e: &mut Exprs, format: FloatFormat, x: ExprId) -> Option<ExprId> {
    let value = e.as_constant(x)?;
    Some(e.constant(concrete::float_neg(format, value), format.width()))
}

/// Whether the expression is what an operation gives: if it is not a number then a quiet NaN, and of a number the one
/// encoding.
fn is_result(e: &Exprs, format: FloatFormat, x: ExprId) -> bool {
    match *e.kind(x) {
        ExprKind::FloatBinary(_, own, ..) | ExprKind::FloatUnary(_, own, _) | ExprKind::FloatFma(own, ..) => {
            own == format
        }
        ExprKind::FloatToFloat { to, .. } | ExprKind::IntToFloat { to, .. } => to == format,
        _ => false,
    }
}

fn operation(t: &Term) -> Option<(FloatCompare, FloatFormat)> {
    match t.kind {
        ExprKind::FloatCompare(op, format, ..) => Some((op, format)),
        _ => None,
    }
}

/// Whether the largest integer of a width is in the range of a format: a half has fewer powers of two than digits would
/// allow.
fn holds_integers(format: FloatFormat, width: u32) -> bool {
    width < 1 << (format.exponent_bits() - 1)
}

/// Whether the expression is never a NaN.
fn is_number(e: &Exprs, format: FloatFormat, x: ExprId) -> bool {
    match *e.kind(x) {
        ExprKind::Constant(_) | ExprKind::WideConstant(_) => {
            e.as_constant(x).is_some_and(|bits| !concrete::is_nan(format, bits))
        }
        ExprKind::IntToFloat { to, .. } => to == format,
        _ => false,
    }
}

/// Whether every value of one format is one of the other.
fn holds(wide: FloatFormat, narrow: FloatFormat) -> bool {
    wide.precision() >= narrow.precision() && wide.exponent_bits() >= narrow.exponent_bits()
}

fn widened(e: &Exprs, x: ExprId) -> Option<FloatFormat> {
    match *e.kind(x) {
        ExprKind::FloatToFloat { from, to, .. } if holds(to, from) => Some(from),
        _ => None,
    }
}

/// The operand in the narrower format, if it came from there or is a constant that the format holds.
fn narrowed(e: &mut Exprs, x: ExprId, format: FloatFormat, narrow: FloatFormat) -> Option<ExprId> {
    if let ExprKind::FloatToFloat { from, of, .. } = *e.kind(x) {
        return (from == narrow).then_some(of);
    }
    let bits = e.as_constant(x)?;
    let cut = concrete::float_to_float(format, narrow, bits);
    let exact = !concrete::is_nan(format, bits) && concrete::float_to_float(narrow, format, cut) == bits;
    exact.then(|| e.constant(cut, narrow.width()))
}
