//! If-then-else.

use super::{Rule, Term, rule};
use crate::concrete::{self, mask};
use crate::expr::{ExprId, Exprs, Relation};

pub(super) const ITE: &[Rule] = &[
    rule("ite-constant", "true ? x : y => x, false ? x : y => y", |e, t| {
        e.as_constant(t.a).map(|condition| if condition == 1 { t.b } else { t.c })
    }),
    rule("ite-same", "c ? x : x => x", |_, t| (t.b == t.c).then_some(t.b)),
    rule("ite-not", "~c ? x : y => c ? y : x", |e, t| {
        let condition = e.not_of(t.a)?;
        Some(e.ite(condition, t.c, t.b))
    }),
    rule("ite-bool-then", "c ? true : x => c | x, c ? false : x => ~c & x, c ? c : x => c | x", |e, t| {
        if t.width != 1 {
            return None;
        }
        if t.b == Exprs::TRUE || t.b == t.a {
            return Some(e.or(t.a, t.c));
        }
        (t.b == Exprs::FALSE).then(|| {
            let not = e.not(t.a);
            e.and(not, t.c)
        })
    }),
    rule("ite-bool-else", "c ? x : false => c & x, c ? x : true => ~c | x, c ? x : c => c & x", |e, t| {
        if t.width != 1 {
            return None;
        }
        if t.c == Exprs::FALSE || t.c == t.a {
            return Some(e.and(t.a, t.b));
        }
        (t.c == Exprs::TRUE).then(|| {
            let not = e.not(t.a);
            e.or(not, t.b)
        })
    }),
    rule("ite-zext", "c ? 1 : 0 => zext(c), c ? 0 : 1 => zext(~c)", |e, t| extended(e, t, 1, Exprs::zext)),
    rule("ite-sext", "c ? -1 : 0 => sext(c), c ? 0 : -1 => sext(~c)", |e, t| {
        extended(e, t, mask(t.width), Exprs::sext)
    }),
    rule("ite-then", "c ? (c ? x : y) : z => c ? x : z", |e, t| {
        let (condition, x, _) = e.split_ite(t.b)?;
        (condition == t.a).then(|| e.ite(t.a, x, t.c))
    }),
    rule("ite-else", "c ? x : (c ? y : z) => c ? x : z", |e, t| {
        let (condition, _, z) = e.split_ite(t.c)?;
        (condition == t.a).then(|| e.ite(t.a, t.b, z))
    }),
    rule("ite-or", "c ? x : (d ? x : y) => c | d ? x : y", |e, t| {
        let (condition, x, y) = e.split_ite(t.c)?;
        if x != t.b {
            return None;
        }
        let either = e.or(t.a, condition);
        Some(e.ite(either, x, y))
    }),
    rule("ite-and", "c ? (d ? x : y) : y => c & d ? x : y", |e, t| {
        let (condition, x, y) = e.split_ite(t.b)?;
        if y != t.c {
            return None;
        }
        let both = e.and(t.a, condition);
        Some(e.ite(both, x, y))
    }),
    rule("ite-equal", "x == y ? x : y => y", |e, t| {
        let (x, y) = e.relation_of(t.a, Relation::Eq)?;
        ((x, y) == (t.b, t.c) || (y, x) == (t.b, t.c)).then_some(t.c)
    }),
    rule("ite-base", "c ? x + B : y + B => (c ? x : y) + B", |e, t| {
        let ((base, _), (other, _)) = (e.based(t.b)?, e.based(t.c)?);
        if base != other {
            return None;
        }
        let ((_, x), (_, y)) = (e.split_base(t.b)?, e.split_base(t.c)?);
        let offset = e.ite(t.a, x, y);
        let base = e.base(base);
        Some(e.add(offset, base))
    }),
    rule(
        "ite-zexts",
        "c ? zext(x) : zext(y) => zext(c ? x : y), the narrower one extended; also with a constant",
        |e, t| {
            if e.zext_of(t.b).is_none() && e.zext_of(t.c).is_none() {
                return None;
            }
            let needed = |e: &Exprs, side: ExprId| match e.as_constant(side) {
                Some(value) => Some((128 - value.leading_zeros()).max(1)),
                None => e.zext_of(side).map(|inner| e.width(inner)),
            };
            let narrow = needed(e, t.b)?.max(needed(e, t.c)?);
            if narrow == t.width {
                return None;
            }
            let (x, y) = (e.trunc(t.b, narrow), e.trunc(t.c, narrow));
            let choice = e.ite(t.a, x, y);
            Some(e.zext(choice, t.width))
        },
    ),
    rule(
        "ite-sexts",
        "c ? sext(x) : sext(y) => sext(c ? x : y), for equal widths or a constant that fits",
        |e, t| {
            let x = e.sext_of(t.b).or_else(|| e.sext_of(t.c))?;
            let narrow = e.width(x);
            let fits = |e: &Exprs, side: ExprId| match e.as_constant(side) {
                Some(value) => concrete::sign_extend(value & mask(narrow), narrow, t.width) == value,
                None => e.sext_of(side).is_some_and(|inner| e.width(inner) == narrow),
            };
            if !fits(e, t.b) || !fits(e, t.c) {
                return None;
            }
            let (x, y) = (e.trunc(t.b, narrow), e.trunc(t.c, narrow));
            let choice = e.ite(t.a, x, y);
            Some(e.sext(choice, t.width))
        },
    ),
];

/// A choice between zero and another constant, as the extended condition.
fn extended(
    e: &mut Exprs,
    t: &Term,
    other: u128,
    extend: fn(&mut Exprs, ExprId, u32) -> ExprId,
) -> Option<ExprId> {
    let condition = match (e.as_constant(t.b)?, e.as_constant(t.c)?) {
        (value, 0) if value == other => t.a,
        (0, value) if value == other => e.not(t.a),
        _ => return None,
    };
    Some(extend(e, condition, t.width))
}
