//! Shifts. Those to the right by a constant become extractions; those to the left as well where the operand can be cut.

use super::division::and_not;
use super::{Rule, Term, rule};
use crate::concrete::mask;
use crate::expr::BinaryOp::{Add, LShr, Shl};
use crate::expr::{ExprId, Exprs};

pub(super) const SHL: &[Rule] = &[
    rule("shl-bool", "x << y => x & ~y, for width 1", and_not),
    rule("shl-zero", "x << 0 => x", |e, t| e.is_zero(t.b).then_some(t.a)),
    rule("shl-all", "x << y => 0, if y is at least the width always", |e, t| {
        all_out(e, t).then(|| e.zero(t.width))
    }),
    rule("shl-constants", "(x << c) << d => x << (c + d)", |e, t| {
        let d = e.as_constant(t.b)?;
        let (x, c) = e.with_constant(t.a, Shl)?;
        // Both amounts are below the width, so that only their sum may not fit in it.
        if c.saturating_add(d) >= t.width as u128 {
            return Some(e.zero(t.width));
        }
        let amount = e.constant(c + d, t.width);
        Some(e.binary(Shl, x, amount))
    }),
    rule("shl-sum", "(x + c) << d => (x << d) + (c << d)", |e, t| {
        let d = e.as_constant(t.b)?;
        let (x, c) = e.with_constant(t.a, Add)?;
        let shifted = e.binary(Shl, x, t.b);
        Some(e.add_constant(shifted, c << d))
    }),
    rule("shl-cut", "x << c => concat(x[w-c-1:0], 0), if x can be cut there", |e, t| {
        let c = e.as_constant(t.b)? as u32;
        let kept = e.trunc(t.a, t.width - c);
        if e.extract_of(kept) == Some((t.a, 0)) {
            return None;
        }
        let zero = e.zero(c);
        Some(e.concat(kept, zero))
    }),
];

pub(super) const LSHR: &[Rule] = &[
    rule("lshr-bool", "x >> y => x & ~y, for width 1", and_not),
    rule("lshr-zero", "x >> 0 => x", |e, t| e.is_zero(t.b).then_some(t.a)),
    rule("lshr-all", "x >> y => 0, if y is at least the width always", |e, t| {
        all_out(e, t).then(|| e.zero(t.width))
    }),
    rule("lshr-constant", "x >> c => zext(x[w-1:c])", |e, t| {
        let c = e.as_constant(t.b)? as u32;
        let upper = e.extract(t.a, c, t.width - c);
        Some(e.zext(upper, t.width))
    }),
];

pub(super) const ASHR: &[Rule] = &[
    rule("ashr-bool", "x >> y => x, for width 1", |_, t| (t.width == 1).then_some(t.a)),
    rule("ashr-zero", "x >> 0 => x", |e, t| e.is_zero(t.b).then_some(t.a)),
    rule("ashr-of-sign", "0 >> x => 0, -1 >> x => -1", |e, t| {
        (e.is_zero(t.a) || e.is_ones(t.a)).then_some(t.a)
    }),
    rule("ashr-unsigned", "x >> y => unsigned x >> y, if x is never negative", |e, t| {
        let sign = 1 << (t.width - 1);
        (e.known_bits(t.a).zeros & sign != 0).then(|| e.binary(LShr, t.a, t.b))
    }),
    rule(
        "ashr-constant",
        "x >> c => sext(x[w-1:c]), with the sign bit alone if c is the width or more",
        |e, t| {
            let c = e.as_constant(t.b)?.min(t.width as u128 - 1) as u32;
            let upper = e.extract(t.a, c, t.width - c);
            Some(e.sext(upper, t.width))
        },
    ),
];

/// Whether the amount is always the width or more.
fn all_out(e: &Exprs, t: &Term) -> bool {
    e.known_bits(t.b).least() >= t.width as u128
}

/// The runs of equal bits of a constant, from the highest, as pairs of width and bit.
pub(super) fn runs(value: u128, width: u32) -> Vec<(u32, bool)> {
    let mut found: Vec<(u32, bool)> = Vec::new();
    let mut left = width;
    while left > 0 {
        let bit = value >> (left - 1) & 1 == 1;
        let rest = if bit { !value } else { value } & mask(left);
        let next = 128 - rest.leading_zeros();
        found.push((left - next, bit));
        left = next;
    }
    found
}

/// How many runs of equal bits a constant has.
pub(super) fn run_count(value: u128, width: u32) -> u32 {
    let changes = (value ^ value >> 1) & mask(width - 1);
    changes.count_ones() + 1
}

/// Puts parts together, from the highest.
pub(super) fn assemble(e: &mut Exprs, parts: &[ExprId]) -> Option<ExprId> {
    let (&lowest, upper) = parts.split_last()?;
    Some(upper.iter().rev().fold(lowest, |low, &high| e.concat(high, low)))
}
