//! Equality.

use super::{Rule, Term, rule};
use super::{address, table};
use crate::concrete::{self, mask};
use crate::expr::BinaryOp::{Add, Mul, Shl, Sub, Xor};
use crate::expr::{ExprId, ExprKind, Exprs, Relation};

pub(super) const EQ: &[Rule] = &[
    rule("eq-self", "x == x => true", |_, t| (t.a == t.b).then_some(Exprs::TRUE)),
    rule("eq-bool", "x == y => ~(x ^ y), for width 1", |e, t| {
        if e.width(t.a) != 1 {
            return None;
        }
        let different = e.binary(Xor, t.a, t.b);
        Some(e.not(different))
    }),
    rule("eq-known", "x == y => false, if a bit is known to differ", |e, t| {
        let (a, b) = (e.known_bits(t.a), e.known_bits(t.b));
        (a.zeros & b.ones | a.ones & b.zeros != 0).then_some(Exprs::FALSE)
    }),
    rule(
        "eq-bases",
        "x + B == y + C => x + (B - C) == y; x + B == c => x == c - B; x == B => x == c, c the value of B",
        address::eq_bases,
    ),
    rule("eq-sum-constant", "x + c == d => x == d - c", |e, t| {
        let d = e.as_constant(t.b)?;
        let (x, c) = e.with_constant(t.a, Add)?;
        Some(e.eq_constant(x, d.wrapping_sub(c)))
    }),
    rule("eq-difference-constant", "c - x == d => x == c - d", |e, t| {
        let d = e.as_constant(t.b)?;
        let (c, x) = e.constant_minus(t.a)?;
        Some(e.eq_constant(x, c.wrapping_sub(d)))
    }),
    rule("eq-difference-zero", "x - y == 0 => x == y", |e, t| {
        let (x, y) = e.binary_of(t.a, Sub).filter(|_| e.is_zero(t.b))?;
        Some(e.eq(x, y))
    }),
    rule("eq-xor-constant", "x ^ c == d => x == c ^ d", |e, t| {
        let d = e.as_constant(t.b)?;
        let (x, c) = e.with_constant(t.a, Xor)?;
        Some(e.eq_constant(x, c ^ d))
    }),
    rule("eq-xor-zero", "x ^ y == 0 => x == y", |e, t| {
        let (x, y) = e.binary_of(t.a, Xor).filter(|_| e.is_zero(t.b))?;
        Some(e.eq(x, y))
    }),
    rule("eq-not-constant", "~x == c => x == ~c", |e, t| {
        let c = e.as_constant(t.b)?;
        let x = e.not_of(t.a)?;
        Some(e.eq_constant(x, !c))
    }),
    rule("eq-nots", "~x == ~y => x == y", |e, t| {
        let (x, y) = (e.not_of(t.a)?, e.not_of(t.b)?);
        Some(e.eq(x, y))
    }),
    rule("eq-product-constant", "x * c == d => x == d * c^-1, for odd c", |e, t| {
        let d = e.as_constant(t.b)?;
        let (x, c) = e.with_constant(t.a, Mul).filter(|&(_, c)| c & 1 == 1)?;
        Some(e.eq_constant(x, d.wrapping_mul(inverse(c))))
    }),
    rule("eq-shl-constant", "x << c == d => x[w-c-1:0] == d >> c, if d ends in zeros", |e, t| {
        let d = e.as_constant(t.b)?;
        let (x, c) = e.with_constant(t.a, Shl).filter(|&(_, c)| c < e.width(t.a) as u128)?;
        // If it does not, the known bits differ.
        let kept = e.trunc(x, e.width(t.a) - c as u32);
        Some(e.eq_constant(kept, d >> c))
    }),
    rule("eq-quotient", "(x / y) * y == x => x % y == 0", |e, t| {
        let (x, y, op) = e.times_divisor(t.a, t.b).or_else(|| e.times_divisor(t.b, t.a))?;
        let remainder = e.binary(op, x, y);
        Some(e.eq_constant(remainder, 0))
    }),
    rule("eq-sums", "x + y == x => y == 0; x + y == x + z => y == z; x - y == x => y == 0", common_term),
    rule("eq-sum-constants", "x + c == y + d => x + (c - d) == y", |e, t| {
        let (x, c) = e.with_constant(t.a, Add)?;
        let (y, d) = e.with_constant(t.b, Add)?;
        let x = e.add_constant(x, c.wrapping_sub(d));
        Some(e.eq(x, y))
    }),
    rule("eq-zext-constant", "zext(x) == c => x == c, if c fits, else false", |e, t| {
        let c = e.as_constant(t.b)?;
        let x = e.zext_of(t.a)?;
        if c > mask(e.width(x)) { Some(Exprs::FALSE) } else { Some(e.eq_constant(x, c)) }
    }),
    rule("eq-sext-constant", "sext(x) == c => x == c, if c fits, else false", |e, t| {
        let c = e.as_constant(t.b)?;
        let x = e.sext_of(t.a)?;
        let narrow = e.width(x);
        let fits = concrete::sign_extend(c & mask(narrow), narrow, e.width(t.a)) == c;
        if fits { Some(e.eq_constant(x, c)) } else { Some(Exprs::FALSE) }
    }),
    rule("eq-zexts", "zext(x) == zext(y) => x == y, the narrower one extended", |e, t| {
        let (x, y) = (e.zext_of(t.a)?, e.zext_of(t.b)?);
        let width = e.width(x).max(e.width(y));
        let (x, y) = (e.zext(x, width), e.zext(y, width));
        Some(e.eq(x, y))
    }),
    rule("eq-sexts", "sext(x) == sext(y) => x == y, the narrower one extended", |e, t| {
        let (x, y) = (e.sext_of(t.a)?, e.sext_of(t.b)?);
        let width = e.width(x).max(e.width(y));
        let (x, y) = (e.sext(x, width), e.sext(y, width));
        Some(e.eq(x, y))
    }),
    // Before reads of several bytes are taken apart.
    rule(
        "eq-table",
        "table[i] == c => the values of i for which it is, if they are few or all but few",
        table::compared,
    ),
    rule("eq-concat-constant", "concat(x, y) == c => x == c1 & y == c0", |e, t| {
        e.as_constant(t.b)?;
        let (high, low) = e.concat_of(t.a)?;
        Some(part_by_part(e, (high, low), t.b))
    }),
    rule("eq-concats", "concat(x, y) == concat(z, u) => x == z & y == u, cut at the same place", |e, t| {
        let (high, low) = e.concat_of(t.a)?;
        let (_, right) = e.concat_of(t.b)?;
        (e.width(low) == e.width(right)).then(|| part_by_part(e, (high, low), t.b))
    }),
    rule("eq-choice", "(c ? k : l) == m => c, ~c, true or false, for constants", choice_of_constants),
    rule(
        "eq-choice-part",
        "(c ? k : x) == m => ~c & x == m if k differs from m, c | x == m else; x is no choice itself",
        |e, t| {
            e.as_constant(t.b)?;
            let (condition, then, otherwise) = e.split_ite(t.a)?;
            let (condition, k, x) = if e.as_constant(then).is_some() {
                (condition, then, otherwise)
            } else {
                e.as_constant(otherwise)?;
                (e.not(condition), otherwise, then)
            };
            if matches!(e.kind(x), ExprKind::Ite(..)) {
                return None;
            }
            let other = e.eq(x, t.b);
            if k == t.b {
                return Some(e.or(condition, other));
            }
            let not = e.not(condition);
            Some(e.and(not, other))
        },
    ),
];

/// The inverse of an odd number modulo 2^128, by Newton's iteration: each step doubles the correct bits, of which there
/// are three at first.
fn inverse(odd: u128) -> u128 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

fn part_by_part(e: &mut Exprs, (high, low): (ExprId, ExprId), other: ExprId) -> ExprId {
    let split = e.width(low);
    let (other_high, other_low) = (e.extract(other, split, e.width(high)), e.trunc(other, split));
    let low = e.eq(low, other_low);
    if low == Exprs::FALSE {
        return low;
    }
    let high = e.eq(high, other_high);
    e.and(high, low)
}

fn common_term(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    let terms = |e: &Exprs, x: ExprId| e.binary_of(x, Add).map(|(a, b)| [(a, b), (b, a)]);
    for (sum, other) in [(t.a, t.b), (t.b, t.a)] {
        for (x, y) in terms(e, sum).into_iter().flatten() {
            if x == other {
                return Some(e.eq_constant(y, 0));
            }
        }
        if let Some((x, y)) = e.binary_of(sum, Sub)
            && x == other
        {
            return Some(e.eq_constant(y, 0));
        }
    }
    for (x, y) in terms(e, t.a)? {
        for (z, u) in terms(e, t.b)? {
            if x == z {
                return Some(e.eq(y, u));
            }
        }
    }
    None
}

/// A comparison of a choice between constants with a constant: the condition, its inverse or a truth value.
pub(super) fn choice_of_constants(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    let ExprKind::Compare(relation, ..) = t.kind else { return None };
    let width = e.width(t.a);
    let (condition, then, otherwise) = match (e.constant_choice(t.a), e.as_constant(t.b)) {
        (Some((condition, k, l)), Some(m)) => {
            (condition, concrete::relation(relation, k, m, width), concrete::relation(relation, l, m, width))
        }
        _ => {
            let m = e.as_constant(t.a)?;
            let (condition, k, l) = e.constant_choice(t.b)?;
            (condition, concrete::relation(relation, m, k, width), concrete::relation(relation, m, l, width))
        }
    };
    Some(match (then, otherwise) {
        (true, true) => Exprs::TRUE,
        (false, false) => Exprs::FALSE,
        (true, false) => condition,
        (false, true) => e.not(condition),
    })
}

const _: () = assert!(Relation::Eq as usize == 0);
