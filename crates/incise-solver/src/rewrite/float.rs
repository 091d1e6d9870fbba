//! Floats: what comparisons and conversions tell without arithmetic.

use super::{Rule, Term, rule, table};
use crate::concrete;
use crate::expr::{ExprId, ExprKind, Exprs, FloatCompare, FloatFormat};

pub(super) const COMPARE: &[Rule] = &[
    rule("float-compare-self", "x < x => false; x == x, x <= x => not unordered(x, x)", |e, t| {
        let (op, format) = operation(t)?;
        if t.a != t.b || op == FloatCompare::Unordered {
            return None;
        }
        if op == FloatCompare::Lt {
            return Some(Exprs::FALSE);
        }
        let unordered = e.float_compare(FloatCompare::Unordered, format, t.a, t.a);
        Some(e.not(unordered))
    }),
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

pub(super) const TO_INT: &[Rule] =
    &[rule("float-round-trip", "int(float(x)) => x, if the format holds every such integer", |e, t| {
        let ExprKind::FloatToInt { from, signed, .. } = t.kind else { return None };
        let ExprKind::IntToFloat { signed: same, of, .. } = *e.kind(t.a) else { return None };
        (signed == same
            && e.width(of) == t.width
            && t.width <= from.precision()
            && holds_integers(from, t.width))
        .then_some(of)
    })];

fn operation(t: &Term) -> Option<(FloatCompare, FloatFormat)> {
    match t.kind {
        ExprKind::FloatCompare(op, format, ..) => Some((op, format)),
        _ => None,
    }
}

/// Whether the largest integer of a width is in the range of a format: a half has fewer powers of two than digits would allow.
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
