//! Unsigned and signed order.

use super::division::is_remainder;
use super::equality::choice_of_constants;
use super::{Rule, Term, rule, table};
use crate::concrete::{self, mask};
use crate::expr::BinaryOp::Add;
use crate::expr::Relation::{Slt, Ult};
use crate::expr::{CompareOp, ExprId, Exprs, Relation};

pub(super) const ULT: &[Rule] = &[
    rule("ult-self", "x < x => false", |_, t| (t.a == t.b).then_some(Exprs::FALSE)),
    rule("ult-bool", "x < y => ~x & y, for width 1", |e, t| {
        (e.width(t.a) == 1).then(|| but_not(e, t.b, t.a))
    }),
    rule("ult-known", "x < y => true or false, if the known bits tell", |e, t| {
        let (a, b) = (e.known_bits(t.a), e.known_bits(t.b));
        let width = e.width(t.a);
        if a.greatest(width) < b.least() {
            Some(Exprs::TRUE)
        } else {
            (a.least() >= b.greatest(width)).then_some(Exprs::FALSE)
        }
    }),
    rule("ult-remainder", "x % y < y => y != 0, also one more than a remainder where it is not y", |e, t| {
        if e.as_constant(t.b).is_some() || e.as_constant(t.a).is_some() || !is_remainder(e, t.a, t.b) {
            return None;
        }
        let zero = e.eq_constant(t.b, 0);
        Some(e.not(zero))
    }),
    rule("ult-one", "x < 1 => x == 0", |e, t| e.is_one(t.b).then(|| e.eq_constant(t.a, 0))),
    rule("ult-ones", "x < -1 => x != -1", |e, t| {
        e.is_ones(t.b).then(|| {
            let equal = e.eq(t.a, t.b);
            e.not(equal)
        })
    }),
    rule("ult-constant-left", "c < x => ~(x < c + 1)", |e, t| {
        // The greatest constant is not less than anything, which the known bits tell.
        let c = e.as_constant(t.a)?;
        Some(not_below(e, Ult, t.b, c.wrapping_add(1)))
    }),
    rule("ult-zexts", "zext(x) < zext(y) => x < y, the narrower one extended", |e, t| {
        let (x, y) = (e.zext_of(t.a)?, e.zext_of(t.b)?);
        let width = e.width(x).max(e.width(y));
        let (x, y) = (e.zext(x, width), e.zext(y, width));
        Some(e.relation(Ult, x, y))
    }),
    rule("ult-zext-constant", "zext(x) < c => x < c, if c fits", |e, t| {
        let c = e.as_constant(t.b)?;
        let x = e.zext_of(t.a)?;
        if c > mask(e.width(x)) {
            return Some(Exprs::TRUE);
        }
        let c = e.constant(c, e.width(x));
        Some(e.relation(Ult, x, c))
    }),
    rule("ult-sexts", "sext(x) < sext(y) => x < y, the narrower one extended", |e, t| both_sext(e, t, Ult)),
    rule("ult-sext-constant", "sext(x) < c => x < c, if c fits, else x >= 0", |e, t| {
        let c = e.as_constant(t.b)?;
        let x = e.sext_of(t.a)?;
        let narrow = e.width(x);
        if concrete::sign_extend(c & mask(narrow), narrow, e.width(t.a)) == c {
            let c = e.constant(c, narrow);
            return Some(e.relation(Ult, x, c));
        }
        let zero = e.zero(narrow);
        Some(e.compare(CompareOp::Sge, x, zero))
    }),
    rule("ult-bases", "x + B < y + B => x < y, if neither sum wraps around", |e, t| {
        let ((base, _), (other, _)) = (e.based(t.a)?, e.based(t.b)?);
        if base != other {
            return None;
        }
        let ((_, x), (_, y)) = (e.split_base(t.a)?, e.split_base(t.b)?);
        let room = (u64::MAX - base) as u128;
        let fits = |offset: ExprId| e.known_bits(offset).greatest(64) <= room;
        (fits(x) && fits(y)).then(|| e.relation(Ult, x, y))
    }),
    rule("ult-sum", "x + c < d => x < d - c, or false, if the sum does not wrap around", |e, t| {
        let d = e.as_constant(t.b)?;
        let (x, c) = e.with_constant(t.a, Add)?;
        let width = e.width(x);
        if e.known_bits(x).greatest(width).checked_add(c)? > mask(width) {
            return None;
        }
        if d <= c {
            return Some(Exprs::FALSE);
        }
        let bound = e.constant(d - c, width);
        Some(e.relation(Ult, x, bound))
    }),
    rule(
        "ult-sum-narrow",
        "ext(x) + c < d => x + c < d, if the values of ext(x) for which it holds are all values of x",
        |e, t| {
            let d = e.as_constant(t.b)?;
            let (extended, c) = e.with_constant(t.a, Add)?;
            let width = e.width(extended);
            let (least, greatest) = extension_range(e, extended)?;
            let first = concrete::signed(c.wrapping_neg() & mask(width), width);
            let last = first.checked_add(i128::try_from(d).ok()? - 1)?;
            if d == 0 || first < least || last > greatest {
                return None;
            }
            let x = e.zext_of(extended).or_else(|| e.sext_of(extended))?;
            let narrow = e.width(x);
            // All values of x make the narrow bound too large.
            if d > mask(narrow) {
                return None;
            }
            let sum = e.add_constant(x, c);
            let bound = e.constant(d, narrow);
            Some(e.relation(Ult, sum, bound))
        },
    ),
    rule("ult-table", "table[i] < c => the ranges of i in which it is, if they are few", table::compared),
    rule("ult-concat", "concat(x, y) < concat(c, 0) => x < c", |e, t| below_aligned(e, t, Ult)),
    rule(
        "ult-choice",
        "(c ? k : l) < m => c, ~c, true or false, for constants; also m < (c ? k : l)",
        choice_of_constants,
    ),
];

pub(super) const SLT: &[Rule] = &[
    rule("slt-self", "x < x => false", |_, t| (t.a == t.b).then_some(Exprs::FALSE)),
    rule("slt-bool", "x < y => x & ~y, for width 1", |e, t| {
        (e.width(t.a) == 1).then(|| but_not(e, t.a, t.b))
    }),
    rule("slt-known", "x < y => true or false, if the known bits tell", |e, t| {
        let (a, b) = (e.known_bits(t.a), e.known_bits(t.b));
        let width = e.width(t.a);
        if a.greatest_signed(width) < b.least_signed(width) {
            Some(Exprs::TRUE)
        } else {
            (a.least_signed(width) >= b.greatest_signed(width)).then_some(Exprs::FALSE)
        }
    }),
    rule("slt-unsigned", "x < y => unsigned x < y, if the known signs are equal", |e, t| {
        let sign = 1 << (e.width(t.a) - 1);
        let (a, b) = (e.known_bits(t.a), e.known_bits(t.b));
        let same = (a.zeros & b.zeros | a.ones & b.ones) & sign != 0;
        same.then(|| e.relation(Ult, t.a, t.b))
    }),
    rule("slt-ends", "x < least + 1 => x == least, x < greatest => x != greatest", |e, t| {
        let width = e.width(t.a);
        let c = e.as_constant(t.b)?;
        let least = 1 << (width - 1);
        if c == least + 1 {
            return Some(e.eq_constant(t.a, least));
        }
        (c == least - 1).then(|| {
            let equal = e.eq(t.a, t.b);
            e.not(equal)
        })
    }),
    rule("slt-constant-left", "c < x => ~(x < c + 1)", |e, t| {
        let c = e.as_constant(t.a)?;
        Some(not_below(e, Slt, t.b, c.wrapping_add(1)))
    }),
    rule("slt-sexts", "sext(x) < sext(y) => x < y, the narrower one extended", |e, t| both_sext(e, t, Slt)),
    rule("slt-sext-constant", "sext(x) < c => x < c, if c fits, else whether c is above all", |e, t| {
        let c = e.as_constant(t.b)?;
        let x = e.sext_of(t.a)?;
        let narrow = e.width(x);
        let number = concrete::signed(c, e.width(t.a));
        if concrete::signed(c & mask(narrow), narrow) == number {
            let c = e.constant(c, narrow);
            return Some(e.relation(Slt, x, c));
        }
        Some(e.boolean(number > 0))
    }),
    rule(
        "slt-sum",
        "ext(x) + c < d => ext(x) < d - c, or true or false, if the sum does not overflow",
        |e, t| {
            let width = e.width(t.a);
            let d = concrete::signed(e.as_constant(t.b)?, width);
            let (x, c) = e.with_constant(t.a, Add)?;
            let c = concrete::signed(c, width);
            let (least, greatest) = extension_range(e, x)?;
            let (lowest, highest) =
                (concrete::signed(1 << (width - 1), width), concrete::signed(mask(width - 1), width));
            if least.checked_add(c)? < lowest || greatest.checked_add(c)? > highest {
                return None;
            }
            let bound = d.checked_sub(c)?;
            if bound < lowest || bound > highest {
                return Some(e.boolean(bound > highest));
            }
            let bound = e.constant(bound as u128, width);
            Some(e.relation(Slt, x, bound))
        },
    ),
    rule("slt-table", "table[i] < c => the ranges of i in which it is, if they are few", table::compared),
    rule("slt-concat", "concat(x, y) < concat(c, 0) => x < c", |e, t| below_aligned(e, t, Slt)),
    rule(
        "slt-choice",
        "(c ? k : l) < m => c, ~c, true or false, for constants; also m < (c ? k : l)",
        choice_of_constants,
    ),
];

/// The least and the greatest number of an extended operand, in two's complement.
fn extension_range(e: &Exprs, x: ExprId) -> Option<(i128, i128)> {
    if let Some(inner) = e.sext_of(x) {
        let narrow = e.width(inner);
        return Some((
            concrete::signed(1 << (narrow - 1), narrow),
            concrete::signed(mask(narrow - 1), narrow),
        ));
    }
    e.zext_of(x).map(|inner| (0, mask(e.width(inner)) as i128))
}

fn but_not(e: &mut Exprs, x: ExprId, y: ExprId) -> ExprId {
    let not = e.not(y);
    e.and(x, not)
}

fn not_below(e: &mut Exprs, relation: Relation, x: ExprId, bound: u128) -> ExprId {
    let bound = e.constant(bound, e.width(x));
    let below = e.relation(relation, x, bound);
    e.not(below)
}

/// Sign extension keeps both orders.
fn both_sext(e: &mut Exprs, t: &Term, relation: Relation) -> Option<ExprId> {
    let (x, y) = (e.sext_of(t.a)?, e.sext_of(t.b)?);
    let width = e.width(x).max(e.width(y));
    let (x, y) = (e.sext(x, width), e.sext(y, width));
    Some(e.relation(relation, x, y))
}

/// Below a number that ends in zeros, the bits above those zeros decide.
fn below_aligned(e: &mut Exprs, t: &Term, relation: Relation) -> Option<ExprId> {
    let c = e.as_constant(t.b)?;
    let (high, low) = e.concat_of(t.a)?;
    let split = e.width(low);
    if c & mask(split) != 0 {
        return None;
    }
    let c = e.constant(c >> split, e.width(high));
    Some(e.relation(relation, high, c))
}
