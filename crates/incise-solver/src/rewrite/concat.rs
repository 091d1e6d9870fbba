//! Concatenations: nested to the right, with neighbouring parts of one expression joined.

use super::{Rule, rule};
use crate::expr::BinaryOp::Shl;
use crate::expr::{ExprId, Exprs};

pub(super) const CONCAT: &[Rule] = &[
    rule("concat-zero", "concat(0, x) => zext(x)", |e, t| e.is_zero(t.a).then(|| e.zext(t.b, t.width))),
    rule(
        "concat-join",
        "concat(x, y) => z, if both are neighbouring parts of z, constants, or choices by one condition",
        |e, t| join(e, t.a, t.b),
    ),
    rule("concat-nest", "concat(concat(x, y), z) => concat(x, concat(y, z))", |e, t| {
        let (x, y) = e.concat_of(t.a)?;
        let rest = e.concat(y, t.b);
        Some(e.concat(x, rest))
    }),
    rule(
        "concat-join-next",
        "concat(x, concat(y, z)) => concat(concat(x, y), z), if x and y join",
        |e, t| {
            let (y, z) = e.concat_of(t.b)?;
            let joined = join(e, t.a, y)?;
            Some(e.concat(joined, z))
        },
    ),
    rule("concat-sign", "concat(sext(x[n]), x) => sext(x), where n is the highest bit", |e, t| {
        let (copies, below) = (e.width(t.a), e.width(t.b));
        // Only a sign bit or its copies can be what is looked for.
        if copies > 1 && e.sext_of(t.a).is_none_or(|bit| e.width(bit) != 1) {
            return None;
        }
        let sign = e.extract(t.b, below - 1, 1);
        let sign = e.sext(sign, copies);
        (sign == t.a).then(|| e.sext(t.b, t.width))
    }),
    rule(
        "concat-zeros",
        "concat(c, x) => zext(concat(d, x)), where c begins with zeros and d is the rest",
        |e, t| {
            let c = e.as_constant(t.a)?;
            let length = 128 - c.leading_zeros();
            if length == e.width(t.a) {
                return None;
            }
            let rest = e.constant(c, length);
            let inner = e.concat(rest, t.b);
            Some(e.zext(inner, t.width))
        },
    ),
    rule("concat-constant-zext", "concat(c, zext(x)) => concat(concat(c, 0), x)", |e, t| {
        e.as_constant(t.a)?;
        let x = e.zext_of(t.b)?;
        let zero = e.zero(e.width(t.b) - e.width(x));
        let upper = e.concat(t.a, zero);
        Some(e.concat(upper, x))
    }),
    rule("concat-shl-next", "concat(y, x << c) => concat(z, 0), if y and x[w-c-1:0] join to z", |e, t| {
        let (x, c) = e.with_constant(t.b, Shl).filter(|&(_, c)| c < e.width(t.b) as u128)?;
        let kept = e.trunc(x, e.width(t.b) - c as u32);
        let joined = join(e, t.a, kept)?;
        let zero = e.zero(c as u32);
        Some(e.concat(joined, zero))
    }),
    rule("concat-zext", "concat(zext(x), y) => zext(concat(x, y))", |e, t| {
        let x = e.zext_of(t.a)?;
        let inner = e.concat(x, t.b);
        Some(e.zext(inner, t.width))
    }),
    rule("concat-sext", "concat(sext(x), y) => sext(concat(x, y))", |e, t| {
        let x = e.sext_of(t.a)?;
        let inner = e.concat(x, t.b);
        Some(e.sext(inner, t.width))
    }),
    rule("concat-shl", "concat(x[n-1:0], 0) => x << c, if it is as wide as x", |e, t| {
        let (x, low) = e.extract_of(t.a)?;
        if low != 0 || !e.is_zero(t.b) || e.width(x) != t.width {
            return None;
        }
        let amount = e.constant(e.width(t.b) as u128, t.width);
        Some(e.binary(Shl, x, amount))
    }),
];

/// Two neighbouring parts as one, if they are parts of one whole.
fn join(e: &mut Exprs, high: ExprId, low: ExprId) -> Option<ExprId> {
    if e.as_constant(high).is_some() && e.as_constant(low).is_some() {
        return Some(e.concat(high, low));
    }
    if let Some(bit) = e.sext_of(high).filter(|&bit| e.width(bit) == 1)
        && (low == bit || e.sext_of(low) == Some(bit))
    {
        return Some(e.sext(bit, e.width(high) + e.width(low)));
    }
    if let Some(joined) = join_choices(e, high, low) {
        return Some(joined);
    }
    let (above, below) = (e.width(high), e.width(low));
    // One of the parts may have been rewritten; cutting the whole again tells whether it is its neighbour.
    if let Some((whole, from)) = e.extract_of(high)
        && from >= below
        && e.extract(whole, from - below, below) == low
    {
        return Some(e.extract(whole, from - below, above + below));
    }
    if let Some((whole, from)) = e.extract_of(low)
        && from + below + above <= e.width(whole)
        && e.extract(whole, from + below, above) == high
    {
        return Some(e.extract(whole, from, above + below));
    }
    None
}

/// Two choices by one condition, or one between constants and a constant, as one choice.
fn join_choices(e: &mut Exprs, high: ExprId, low: ExprId) -> Option<ExprId> {
    let constant = |e: &Exprs, x: ExprId| e.as_constant(x).map(|_| (x, x));
    let (condition, (x, y), (z, u)) = match (e.split_ite(high), e.split_ite(low)) {
        (Some((c, x, y)), _) => {
            let below = as_choice(e, low, c)
                .or_else(|| constant(e, low).filter(|_| e.constant_choice(high).is_some()))?;
            (c, (x, y), below)
        }
        (None, Some((c, z, u))) => {
            let above = as_choice(e, high, c)
                .or_else(|| constant(e, high).filter(|_| e.constant_choice(low).is_some()))?;
            (c, above, (z, u))
        }
        (None, None) => return None,
    };
    let (then, otherwise) = (e.concat(x, z), e.concat(y, u));
    Some(e.ite(condition, then, otherwise))
}

/// What an expression is where a condition holds and where it does not, if it is a choice by it: an if-then-else, or
/// the condition or its inverse, extended or not.
fn as_choice(e: &mut Exprs, x: ExprId, condition: ExprId) -> Option<(ExprId, ExprId)> {
    if let Some((c, then, otherwise)) = e.split_ite(x) {
        return (c == condition).then_some((then, otherwise));
    }
    let width = e.width(x);
    let (bit, one) = match (e.zext_of(x), e.sext_of(x)) {
        (Some(bit), _) => (bit, 1),
        (_, Some(bit)) => (bit, u128::MAX),
        _ => (x, 1),
    };
    if e.width(bit) != 1 {
        return None;
    }
    let (one, zero) = (e.constant(one, width), e.zero(width));
    if bit == condition { Some((one, zero)) } else { e.are_inverse(bit, condition).then_some((zero, one)) }
}
