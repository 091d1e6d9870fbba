//! Extractions: through what moves bits without mixing them, and through operations where the bits of an operand are
//! known.

use super::{Rule, Term, rule, table};
use crate::concrete::{self, mask};
use crate::expr::BinaryOp::{Add, And, Mul, Or, Shl, Sub, Xor};
use crate::expr::{BinaryOp, ExprId, ExprKind, Exprs};

pub(super) const EXTRACT: &[Rule] = &[
    rule("extract-extract", "x[i:j][k:l] => x[j+k:j+l]", |e, t| {
        let (x, inner) = e.extract_of(t.a)?;
        Some(e.extract(x, inner + low_of(t), t.width))
    }),
    rule("extract-concat", "concat(x, y)[i:j] => the bits of x, of y, or of both", |e, t| {
        let (high, low) = e.concat_of(t.a)?;
        let (from, split) = (low_of(t), e.width(low));
        if from >= split {
            return Some(e.extract(high, from - split, t.width));
        }
        if from + t.width <= split {
            return Some(e.extract(low, from, t.width));
        }
        let lower = e.extract(low, from, split - from);
        let upper = e.extract(high, 0, from + t.width - split);
        Some(e.concat(upper, lower))
    }),
    rule("extract-zext", "zext(x)[i:j] => the bits of x, zeros above them", |e, t| {
        let x = e.zext_of(t.a)?;
        let (from, narrow) = (low_of(t), e.width(x));
        if from >= narrow {
            return Some(e.zero(t.width));
        }
        if from + t.width <= narrow {
            return Some(e.extract(x, from, t.width));
        }
        let upper = e.extract(x, from, narrow - from);
        Some(e.zext(upper, t.width))
    }),
    rule("extract-sext", "sext(x)[i:j] => the bits of x, copies of its sign above them", |e, t| {
        let x = e.sext_of(t.a)?;
        let (from, narrow) = (low_of(t), e.width(x));
        if from + t.width <= narrow {
            return Some(e.extract(x, from, t.width));
        }
        let from = from.min(narrow - 1);
        let upper = e.extract(x, from, narrow - from);
        Some(e.sext(upper, t.width))
    }),
    rule("extract-shl", "(x << c)[i:j] => x[i-c:j-c], zeros below", |e, t| {
        let (x, c) = e.with_constant(t.a, Shl).filter(|&(_, c)| c < e.width(t.a) as u128)?;
        let (from, c) = (low_of(t), c as u32);
        if from >= c {
            return Some(e.extract(x, from - c, t.width));
        }
        if from + t.width <= c {
            return Some(e.zero(t.width));
        }
        let upper = e.trunc(x, from + t.width - c);
        let zero = e.zero(c - from);
        Some(e.concat(upper, zero))
    }),
    rule("extract-choice", "(c ? x : y)[i:j] => c ? x[i:j] : y[i:j], if both can be cut there", |e, t| {
        let (condition, then, otherwise) = e.split_ite(t.a)?;
        let from = low_of(t);
        if !e.cuts_freely(then, from, t.width) || !e.cuts_freely(otherwise, from, t.width) {
            return None;
        }
        let (then, otherwise) = (e.extract(then, from, t.width), e.extract(otherwise, from, t.width));
        Some(e.ite(condition, then, otherwise))
    }),
    rule(
        "extract-table",
        "table[i][n] => the ranges of i in which the bit is set, if they are few; for one bit",
        table::bit,
    ),
    rule(
        "extract-known",
        "(x & y)[i:j] => x[i:j] or 0, if the bits of y are known to be all ones or zeros there; also |, ^",
        |e, t| {
            let ExprKind::Binary(op @ (And | Or | Xor), x, y) = *e.kind(t.a) else { return None };
            let bits = |e: &Exprs, operand: ExprId| {
                let known = e.known_bits(operand);
                let window = mask(t.width) << low_of(t);
                ((known.zeros | known.ones) & window == window)
                    .then(|| concrete::extract(known.ones, low_of(t), t.width))
            };
            // What does not vanish stays under the extraction: parts that were all changed could not be joined again.
            let vanishes = |c: &u128| *c == 0 || *c == mask(t.width) && op != Xor;
            let (x, c) = match bits(e, y).filter(vanishes) {
                Some(c) => (x, c),
                None => (y, bits(e, x).filter(vanishes)?),
            };
            let x = e.extract(x, low_of(t), t.width);
            let c = e.constant(c, t.width);
            Some(e.binary(op, x, c))
        },
    ),
    rule(
        "extract-low",
        "(x + y)[i:0] => x[i:0] + y[i:0], if both can be cut there; also -, *, &, |, ^",
        |e, t| {
            let ExprKind::Binary(op, x, y) = *e.kind(t.a) else { return None };
            if low_of(t) != 0
                || !cuts_low(op)
                || !e.cuts_freely(x, 0, t.width)
                || !e.cuts_freely(y, 0, t.width)
            {
                return None;
            }
            let (x, y) = (e.trunc(x, t.width), e.trunc(y, t.width));
            Some(e.binary(op, x, y))
        },
    ),
];

fn low_of(t: &Term) -> u32 {
    match t.kind {
        ExprKind::Extract { low, .. } => low,
        _ => 0,
    }
}

/// Operations whose lower bits depend on the lower bits of the operands only.
fn cuts_low(op: BinaryOp) -> bool {
    matches!(op, Add | Sub | Mul | And | Or | Xor)
}
