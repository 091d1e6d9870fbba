//! Quotients and remainders. Division by zero has the meaning of SMT-LIB, which some rules rely on.

use super::{Rule, Term, rule};
use crate::concrete::mask;
use crate::expr::BinaryOp::{Add, And, LShr, SDiv, SRem, UDiv, URem};
use crate::expr::{BinaryOp, CompareOp, ExprId, ExprKind, Exprs};

pub(super) const UDIV: &[Rule] = &[
    rule("udiv-bool", "x / y => x | ~y, for width 1", or_not),
    rule("udiv-zero", "x / 0 => all ones", |e, t| e.is_zero(t.b).then(|| e.ones(t.width))),
    rule("udiv-power", "x / 2^k => x >> k", |e, t| {
        let k = e.power_of_two(t.b)?;
        let k = e.constant(k as u128, t.width);
        Some(e.binary(LShr, t.a, k))
    }),
    rule("udiv-zext", "zext(x) / c => zext(x / c), if c fits", |e, t| {
        let x = e.zext_of(t.a)?;
        e.as_constant(t.b).filter(|&c| c != 0 && c <= mask(e.width(x)))?;
        let c = e.trunc(t.b, e.width(x));
        let quotient = e.binary(UDiv, x, c);
        Some(e.zext(quotient, t.width))
    }),
];

pub(super) const UREM: &[Rule] = &[
    rule("urem-bool", "x % y => x & ~y, for width 1", and_not),
    rule("urem-zero", "x % 0 => x", |e, t| e.is_zero(t.b).then_some(t.a)),
    rule("urem-self", "x % x => 0", |e, t| (t.a == t.b).then(|| e.zero(t.width))),
    rule("urem-power", "x % 2^k => x & (2^k - 1)", |e, t| {
        let k = e.power_of_two(t.b)?;
        let low = e.constant(mask(k), t.width);
        Some(e.binary(And, t.a, low))
    }),
    rule("urem-less", "x % y => x, if x < y always", |e, t| always_less(e, t).then_some(t.a)),
    rule("urem-zext", "zext(x) % c => zext(x % c), if c fits; also zext(x) % zext(y)", |e, t| {
        let x = e.zext_of(t.a)?;
        let narrow = e.width(x);
        let fits = match e.as_constant(t.b) {
            Some(c) => c <= mask(narrow),
            None => e.zext_of(t.b).is_some_and(|y| e.width(y) <= narrow),
        };
        if !fits {
            return None;
        }
        let y = e.trunc(t.b, narrow);
        let remainder = e.binary(URem, x, y);
        Some(e.zext(remainder, t.width))
    }),
    rule("urem-next", "(x + 1) % y => x + 1 == y ? 0 : x + 1, if x is a remainder by y", |e, t| {
        let (x, _) = e.with_constant(t.a, Add).filter(|&(_, c)| c == 1)?;
        if e.as_constant(t.b).is_some() || !is_remainder(e, x, t.b) {
            return None;
        }
        // A remainder by zero is the number itself: the sum is zero then, or it is not equal.
        let wraps = e.eq(t.a, t.b);
        let zero = e.zero(t.width);
        Some(e.ite(wraps, zero, t.a))
    }),
];

pub(super) const SDIV: &[Rule] = &[
    rule("sdiv-bool", "x / y => x | ~y, for width 1", or_not),
    rule("sdiv-one", "x / 1 => x", |e, t| is_one(e, t.b).then_some(t.a)),
    rule("sdiv-ones", "x / -1 => 0 - x", |e, t| e.is_ones(t.b).then(|| e.neg(t.a))),
    rule("sdiv-zero", "x / 0 => x < 0 ? 1 : -1", |e, t| {
        if !e.is_zero(t.b) {
            return None;
        }
        let negative = e.compare(CompareOp::Slt, t.a, t.b);
        let (one, ones) = (e.constant(1, t.width), e.ones(t.width));
        Some(e.ite(negative, one, ones))
    }),
    rule("sdiv-unsigned", "x / y => unsigned x / y, if neither is negative", |e, t| {
        never_negative(e, t, UDiv)
    }),
    rule("sdiv-power", "x / 2^k => sext((x + (x < 0 ? 2^k - 1 : 0))[w-1:k])", |e, t| {
        let k = signed_power(e, t)?;
        let sign = e.extract(t.a, t.width - 1, 1);
        let bias = e.sext(sign, k);
        let bias = e.zext(bias, t.width);
        let sum = e.add(t.a, bias);
        let quotient = e.extract(sum, k, t.width - k);
        Some(e.sext(quotient, t.width))
    }),
];

pub(super) const SREM: &[Rule] = &[
    rule("srem-bool", "x % y => x & ~y, for width 1", and_not),
    rule("srem-zero", "x % 0 => x", |e, t| e.is_zero(t.b).then_some(t.a)),
    rule("srem-of-zero", "0 % x => 0", |e, t| e.is_zero(t.a).then_some(t.a)),
    rule("srem-self", "x % x => 0", |e, t| (t.a == t.b).then(|| e.zero(t.width))),
    rule("srem-one", "x % 1 => 0, x % -1 => 0", |e, t| {
        (e.is_one(t.b) || e.is_ones(t.b)).then(|| e.zero(t.width))
    }),
    rule("srem-unsigned", "x % y => unsigned x % y, if neither is negative", |e, t| {
        never_negative(e, t, URem)
    }),
    rule("srem-power", "x % 2^k => concat(sext(x < 0 & x[k-1:0] != 0), x[k-1:0])", |e, t| {
        let k = signed_power(e, t)?;
        let sign = e.extract(t.a, t.width - 1, 1);
        let low = e.trunc(t.a, k);
        let none = e.eq_constant(low, 0);
        let some = e.not(none);
        let negative = e.and(sign, some);
        let upper = e.sext(negative, t.width - k);
        Some(e.concat(upper, low))
    }),
];

/// So often an index may have been moved on by one, in a ring, before it is not seen any more that it is below the
/// size.
const MOST_STEPS: usize = 64;

/// Whether `x` is below `y` unless that is zero: a remainder, or zero, or one more than such a number where that is not
/// `y`.
pub(super) fn is_remainder(e: &mut Exprs, x: ExprId, y: ExprId) -> bool {
    let mut x = x;
    for _ in 0..MOST_STEPS {
        if e.is_zero(x) || e.binary_of(x, URem).is_some_and(|(_, by)| by == y) {
            return true;
        }
        let ExprKind::Ite(wraps, zero, next) = *e.kind(x) else { return false };
        let Some((before, 1)) = e.with_constant(next, Add) else { return false };
        if !e.is_zero(zero) || e.eq(next, y) != wraps {
            return false;
        }
        x = before;
    }
    false
}

fn or_not(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    (t.width == 1).then(|| {
        let not = e.not(t.b);
        e.or(t.a, not)
    })
}

/// `x & ~y`, for width 1.
pub(super) fn and_not(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    (t.width == 1).then(|| {
        let not = e.not(t.b);
        e.and(t.a, not)
    })
}

/// The logarithm of a divisor that is a power of two, above one and positive.
fn signed_power(e: &Exprs, t: &Term) -> Option<u32> {
    e.power_of_two(t.b).filter(|&k| k >= 1 && k + 1 < t.width)
}

/// One as a signed number: at width 1 the bit is minus one.
fn is_one(e: &Exprs, x: ExprId) -> bool {
    e.is_one(x) && e.width(x) > 1
}

fn always_less(e: &Exprs, t: &Term) -> bool {
    e.known_bits(t.a).greatest(t.width) < e.known_bits(t.b).least()
}

fn never_negative(e: &mut Exprs, t: &Term, op: BinaryOp) -> Option<ExprId> {
    debug_assert!(matches!(t.kind, ExprKind::Binary(SDiv | SRem, ..)));
    let sign = 1 << (t.width - 1);
    let zeros = e.known_bits(t.a).zeros & e.known_bits(t.b).zeros;
    (zeros & sign != 0).then(|| e.binary(op, t.a, t.b))
}
