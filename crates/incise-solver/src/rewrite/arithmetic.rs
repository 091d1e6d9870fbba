//! Sums, differences and products.

use super::address;
use super::{Rule, rule};
use crate::concrete::mask;
use crate::expr::BinaryOp::{Add, Mul, Shl, Sub};
use crate::expr::{BinaryOp, ExprId, Exprs};

pub(super) const ADD: &[Rule] = &[
    rule("add-zero", "x + 0 => x", |e, t| {
        // A base stands to the right even of a constant.
        if e.is_zero(t.b) { Some(t.a) } else { e.is_zero(t.a).then_some(t.b) }
    }),
    rule("add-bool", "x + y => x ^ y, for width 1", |e, t| {
        (t.width == 1).then(|| e.binary(BinaryOp::Xor, t.a, t.b))
    }),
    rule("add-bases", "(x + B) + (y + C) => ((x + y) + c) + B, c the value of C", address::add_bases),
    rule("add-base", "(x + B) + y => (x + y) + B", address::add_base),
    rule("add-constants", "(x + c) + d => x + (c + d)", |e, t| {
        let d = e.as_constant(t.b)?;
        let (x, c) = e.with_constant(t.a, Add)?;
        Some(e.add_constant(x, c.wrapping_add(d)))
    }),
    rule("add-difference-constants", "(c - x) + d => (c + d) - x", |e, t| {
        let d = e.as_constant(t.b)?;
        let (c, x) = e.constant_minus(t.a)?;
        let c = e.constant(c.wrapping_add(d), t.width);
        Some(e.sub(c, x))
    }),
    rule("add-not", "~x + c => (c - 1) - x", |e, t| {
        let c = e.as_constant(t.b)?;
        let x = e.not_of(t.a)?;
        let c = e.constant(c.wrapping_sub(1), t.width);
        Some(e.sub(c, x))
    }),
    rule("add-inner-constant", "(x + c) + y => (x + y) + c", |e, t| {
        let apart = |e: &mut Exprs, sum: ExprId, y: ExprId| {
            let (x, c) = e.with_constant(sum, Add)?;
            let sum = e.add(x, y);
            Some(e.add_constant(sum, c))
        };
        if e.as_constant(t.b).is_some() || e.based(t.b).is_some() {
            return None;
        }
        apart(e, t.a, t.b).or_else(|| apart(e, t.b, t.a))
    }),
    rule("add-inner-difference", "(c - x) + y => (y - x) + c", |e, t| {
        let apart = |e: &mut Exprs, difference: ExprId, y: ExprId| {
            let (c, x) = e.constant_minus(difference)?;
            let difference = e.sub(y, x);
            Some(e.add_constant(difference, c))
        };
        if e.as_constant(t.b).is_some() || e.based(t.b).is_some() {
            return None;
        }
        apart(e, t.a, t.b).or_else(|| apart(e, t.b, t.a))
    }),
    rule("add-cancel", "(x - y) + y => x", |e, t| {
        let cancel = |e: &Exprs, difference, y| {
            e.binary_of(difference, Sub).filter(|&(_, right)| right == y).map(|(x, _)| x)
        };
        cancel(e, t.a, t.b).or_else(|| cancel(e, t.b, t.a))
    }),
    rule("add-self", "x + x => x << 1", |e, t| {
        if t.a != t.b {
            return None;
        }
        let one = e.constant(1, t.width);
        Some(e.binary(Shl, t.a, one))
    }),
    rule("add-disjoint", "x + y => x | y, if no bit can be set in both", |e, t| {
        if e.as_constant(t.b).is_some() || e.based(t.b).is_some() {
            return None;
        }
        let zeros = e.known_bits(t.a).zeros | e.known_bits(t.b).zeros;
        (zeros == mask(t.width)).then(|| e.or(t.a, t.b))
    }),
];

pub(super) const SUB: &[Rule] = &[
    rule("sub-self", "x - x => 0", |e, t| (t.a == t.b).then(|| e.zero(t.width))),
    rule("sub-bool", "x - y => x ^ y, for width 1", |e, t| {
        (t.width == 1).then(|| e.binary(BinaryOp::Xor, t.a, t.b))
    }),
    rule("sub-quotient", "x - (x / y) * y => x % y", |e, t| {
        let (x, y, op) = e.times_divisor(t.b, t.a)?;
        Some(e.binary(op, x, y))
    }),
    rule("sub-constant", "x - c => x + (-c)", |e, t| {
        let c = e.as_constant(t.b)?;
        Some(e.add_constant(t.a, c.wrapping_neg()))
    }),
    rule(
        "sub-bases",
        "(x + B) - (y + C) => (x - y) + (B - C); also with one base only, which stays if it is the left one",
        address::sub_bases,
    ),
    rule("sub-bool-extended", "0 - zext(x) => sext(x), 0 - sext(x) => zext(x), for x of width 1", |e, t| {
        if !e.is_zero(t.a) {
            return None;
        }
        let bit = |x: Option<ExprId>| x.filter(|&x| e.width(x) == 1);
        match (bit(e.zext_of(t.b)), bit(e.sext_of(t.b))) {
            (Some(x), _) => Some(e.sext(x, t.width)),
            (_, Some(x)) => Some(e.zext(x, t.width)),
            _ => None,
        }
    }),
    rule("sub-from-ones", "-1 - x => ~x", |e, t| e.is_ones(t.a).then(|| e.not(t.b))),
    rule(
        "sub-cancel",
        "(x + y) - y => x, (x - y) - x => 0 - y, x - (x + y) => 0 - y, x - (x - y) => y",
        |e, t| {
            if let Some((x, y)) = e.binary_of(t.a, Add) {
                if x == t.b {
                    return Some(y);
                }
                if y == t.b {
                    return Some(x);
                }
            }
            if let Some((x, y)) = e.binary_of(t.a, Sub)
                && x == t.b
            {
                return Some(e.neg(y));
            }
            if let Some((x, y)) = e.binary_of(t.b, Add)
                && (x == t.a || y == t.a)
            {
                return Some(e.neg(if x == t.a { y } else { x }));
            }
            e.binary_of(t.b, Sub).filter(|&(x, _)| x == t.a).map(|(_, y)| y)
        },
    ),
    rule("sub-left-constant", "(x + c) - y => (x - y) + c", |e, t| {
        let (x, c) = e.with_constant(t.a, Add)?;
        let difference = e.sub(x, t.b);
        Some(e.add_constant(difference, c))
    }),
    rule("sub-right-constant", "x - (y + c) => (x - y) + (-c)", |e, t| {
        let (y, c) = e.with_constant(t.b, Add)?;
        let difference = e.sub(t.a, y);
        Some(e.add_constant(difference, c.wrapping_neg()))
    }),
    rule("sub-left-difference", "(c - x) - y => c - (x + y)", |e, t| {
        let (c, x) = e.constant_minus(t.a)?;
        let sum = e.add(x, t.b);
        let c = e.constant(c, t.width);
        Some(e.sub(c, sum))
    }),
    rule("sub-right-difference", "x - (c - y) => (x + y) + (-c)", |e, t| {
        let (c, y) = e.constant_minus(t.b)?;
        let sum = e.add(t.a, y);
        Some(e.add_constant(sum, c.wrapping_neg()))
    }),
    rule("sub-not", "c - ~x => x + (c + 1)", |e, t| {
        let c = e.as_constant(t.a)?;
        let x = e.not_of(t.b)?;
        Some(e.add_constant(x, c.wrapping_add(1)))
    }),
];

pub(super) const MUL: &[Rule] = &[
    rule("mul-one", "x * 1 => x", |e, t| e.is_one(t.b).then_some(t.a)),
    rule("mul-bool", "x * y => x & y, for width 1", |e, t| (t.width == 1).then(|| e.and(t.a, t.b))),
    rule("mul-power", "x * 2^k => x << k", |e, t| {
        let k = e.power_of_two(t.b)?;
        let k = e.constant(k as u128, t.width);
        Some(e.binary(Shl, t.a, k))
    }),
    rule("mul-ones", "x * -1 => 0 - x", |e, t| e.is_ones(t.b).then(|| e.neg(t.a))),
    rule("mul-constants", "(x * c) * d => x * (c * d), (x << c) * d => x * (d << c)", |e, t| {
        let d = e.as_constant(t.b)?;
        let (x, factor) = match e.with_constant(t.a, Mul) {
            Some(found) => found,
            None => {
                let (x, c) = e.with_constant(t.a, Shl)?;
                (x, crate::concrete::binary(Shl, 1, c, t.width))
            }
        };
        let factor = e.constant(factor.wrapping_mul(d), t.width);
        Some(e.binary(Mul, x, factor))
    }),
    rule("mul-sum", "(x + c) * d => x * d + c * d", |e, t| {
        let d = e.as_constant(t.b)?;
        let (x, c) = e.with_constant(t.a, Add)?;
        let product = e.binary(Mul, x, t.b);
        Some(e.add_constant(product, c.wrapping_mul(d)))
    }),
    rule(
        "mul-zext",
        "zext(x) * zext(y) or zext(x) * c => zext(x * y), if the product always fits",
        |e, t| {
            let narrow = narrow_enough(e, t.a, t.b)?;
            let (x, y) = (e.trunc(t.a, narrow), e.trunc(t.b, narrow));
            let product = e.binary(Mul, x, y);
            Some(e.zext(product, t.width))
        },
    ),
];

/// The width in which the product of two zero-extended operands always fits, if it is at most half of theirs: a
/// multiplier costs the square of its width.
fn narrow_enough(e: &Exprs, a: ExprId, b: ExprId) -> Option<u32> {
    let width = e.width(a);
    let bound = |x: ExprId| match e.as_constant(x) {
        Some(value) => Some(value),
        None => e.zext_of(x).map(|_| e.known_bits(x).greatest(width)),
    };
    let product = bound(a)?.checked_mul(bound(b)?)?;
    let needed = (128 - product.leading_zeros()).next_power_of_two().max(8);
    (needed * 2 <= width).then_some(needed)
}
