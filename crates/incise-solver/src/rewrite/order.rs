//! Unsigned and signed order.

use super::equality::choice_of_constants;
use super::{Rule, Term, rule};
use crate::concrete::{self, mask};
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
    rule("slt-concat", "concat(x, y) < concat(c, 0) => x < c", |e, t| below_aligned(e, t, Slt)),
    rule(
        "slt-choice",
        "(c ? k : l) < m => c, ~c, true or false, for constants; also m < (c ? k : l)",
        choice_of_constants,
    ),
];

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
