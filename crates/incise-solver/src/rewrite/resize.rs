//! Extensions.

use super::{Rule, rule};
use crate::concrete::mask;
use crate::expr::BinaryOp::Add;
use crate::expr::{ExprId, Exprs};

pub(super) const ZEXT: &[Rule] = &[
    rule("zext-zext", "zext(zext(x)) => zext(x)", |e, t| {
        let x = e.zext_of(t.a)?;
        Some(e.zext(x, t.width))
    }),
    rule("zext-choice", "zext(c ? k : l) => c ? zext(k) : zext(l)", |e, t| {
        let (condition, then, otherwise) = e.constant_choice(t.a)?;
        let (then, otherwise) = (e.constant(then, t.width), e.constant(otherwise, t.width));
        Some(e.ite(condition, then, otherwise))
    }),
    rule(
        "zext-extract",
        "zext(x[n-1:0]) => x, extended or cut, if the bits of x between are zero",
        |e, t| {
            let (x, low) = e.extract_of(t.a).filter(|&(_, low)| low == 0)?;
            let whole = e.width(x);
            let between = mask(whole.min(t.width)) & !mask(e.width(t.a));
            if low != 0 || e.known_bits(x).zeros & between != between {
                return None;
            }
            Some(if whole <= t.width { e.zext(x, t.width) } else { e.trunc(x, t.width) })
        },
    ),
    rule(
        "zext-sum",
        "zext(zext(x) + zext(y)) => zext(x) + zext(y), if the sum always fits; also with a constant",
        |e, t| {
            let (x, y) = e.binary_of(t.a, Add)?;
            let narrow = e.width(t.a);
            let extends = |x: ExprId| e.as_constant(x).is_some() || e.zext_of(x).is_some();
            let bound = |x: ExprId| e.known_bits(x).greatest(narrow);
            if !extends(x) || !extends(y) || bound(x).checked_add(bound(y))? > mask(narrow) {
                return None;
            }
            let (x, y) = (e.zext(x, t.width), e.zext(y, t.width));
            Some(e.add(x, y))
        },
    ),
];

pub(super) const SEXT: &[Rule] = &[
    rule("sext-sext", "sext(sext(x)) => sext(x)", |e, t| {
        let x = e.sext_of(t.a)?;
        Some(e.sext(x, t.width))
    }),
    rule("sext-unsigned", "sext(x) => zext(x), if x is never negative", |e, t| {
        let sign = 1 << (e.width(t.a) - 1);
        (e.known_bits(t.a).zeros & sign != 0).then(|| e.zext(t.a, t.width))
    }),
    rule("sext-choice", "sext(c ? k : l) => c ? sext(k) : sext(l)", |e, t| {
        let (condition, then, otherwise) = e.split_ite(t.a)?;
        let constant = |e: &Exprs, x: ExprId| e.as_constant(x).is_some();
        if !constant(e, then) || !constant(e, otherwise) {
            return None;
        }
        let (then, otherwise) = (e.sext(then, t.width), e.sext(otherwise, t.width));
        Some(e.ite(condition, then, otherwise))
    }),
];
