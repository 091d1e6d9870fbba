//! And, or, exclusive or, not.
//!
//! A constant of few runs of equal bits takes whole pieces of the other operand, so that masks, flags and updates of
//! bit-fields become concatenations, which extractions see through.

use super::shift::{assemble, run_count, runs};
use super::{Rule, Term, rule};
use crate::concrete::mask;
use crate::expr::BinaryOp::{Add, And, Or, Xor};
use crate::expr::{BinaryOp, ExprId, ExprKind, Exprs, Relation};

/// A constant with more runs of equal bits stays an operand.
const MOST_RUNS: u32 = 3;

pub(super) const AND: &[Rule] = &[
    rule("and-ones", "x & -1 => x", |e, t| e.is_ones(t.b).then_some(t.a)),
    rule("and-self", "x & x => x", |_, t| (t.a == t.b).then_some(t.a)),
    rule("and-not-self", "x & ~x => 0", |e, t| e.are_inverse(t.a, t.b).then(|| e.zero(t.width))),
    rule(
        "and-absorb",
        "x & (x | y) => x, x & (x & y) => x & y, x & ~(x & y) => x & ~y, x & ~(x | y) => 0, x & ~(~x & y) => x",
        |e, t| absorb(e, t.a, t.b, And, Or).or_else(|| absorb(e, t.b, t.a, And, Or)),
    ),
    rule("and-constants", "(x & c) & d => x & (c & d)", |e, t| merge_constants(e, t, And, |c, d| c & d)),
    rule("and-redundant", "x & y => x, if y is one wherever x may be one", |e, t| {
        let redundant = |x, y| mask(t.width) & !(e.known_bits(x).zeros | e.known_bits(y).ones) == 0;
        if redundant(t.a, t.b) { Some(t.a) } else { redundant(t.b, t.a).then_some(t.b) }
    }),
    rule(
        "and-pieces",
        "x & c => concat of pieces of x and of zeros, if c has at most three runs of equal bits, or runs of whole bytes",
        |e, t| pieces(e, t, |e, piece, bit| if bit { piece } else { e.zero(e.width(piece)) }),
    ),
    rule("and-zext", "zext(x) & y => zext(x & y[n-1:0]), if y can be cut there", narrow_and),
    rule("and-mask", "sext(c) & x => c ? x : 0, for c of width 1", |e, t| {
        let bit = |e: &Exprs, side: ExprId| e.sext_of(side).filter(|&c| e.width(c) == 1);
        let (condition, x) = match bit(e, t.a) {
            Some(condition) => (condition, t.b),
            None => (bit(e, t.b)?, t.a),
        };
        let zero = e.zero(t.width);
        Some(e.ite(condition, x, zero))
    }),
    rule("and-sext", "sext(x) & sext(y) => sext(x & y), for equal widths", |e, t| under_sext(e, t, And)),
    rule(
        "and-concat",
        "concat(x, y) & concat(z, u) => concat(x & z, y & u), if a part is constant or the cuts are the same",
        |e, t| by_parts(e, t, And),
    ),
    rule("and-equalities", "x == c & x == d => false, for different constants", |e, t| {
        let (x, c) = equal_constant(e, t.a)?;
        let (y, d) = equal_constant(e, t.b)?;
        (x == y && c != d).then_some(Exprs::FALSE)
    }),
];

pub(super) const OR: &[Rule] = &[
    rule("or-zero", "x | 0 => x", |e, t| e.is_zero(t.b).then_some(t.a)),
    rule("or-self", "x | x => x", |_, t| (t.a == t.b).then_some(t.a)),
    rule("or-not-self", "x | ~x => -1", |e, t| e.are_inverse(t.a, t.b).then(|| e.ones(t.width))),
    rule(
        "or-absorb",
        "x | (x & y) => x, x | (x | y) => x | y, x | ~(x | y) => x | ~y, x | ~(x & y) => -1, x | ~(~x | y) => x",
        |e, t| absorb(e, t.a, t.b, Or, And).or_else(|| absorb(e, t.b, t.a, Or, And)),
    ),
    rule("or-constants", "(x | c) | d => x | (c | d)", |e, t| merge_constants(e, t, Or, |c, d| c | d)),
    rule("or-redundant", "x | y => x, if x is one wherever y may be one", |e, t| {
        let redundant = |x, y| mask(t.width) & !(e.known_bits(x).ones | e.known_bits(y).zeros) == 0;
        if redundant(t.a, t.b) { Some(t.a) } else { redundant(t.b, t.a).then_some(t.b) }
    }),
    rule(
        "or-pieces",
        "x | c => concat of pieces of x and of ones, if c has at most three runs of equal bits, or runs of whole bytes",
        |e, t| pieces(e, t, |e, piece, bit| if bit { e.ones(e.width(piece)) } else { piece }),
    ),
    rule("or-join", "x | zext(y) => concat(x[w-1:n], y), if the lower n bits of x are zero", |e, t| {
        join(e, t.a, t.b).or_else(|| join(e, t.b, t.a))
    }),
    rule("or-zext", "zext(x) | zext(y) => zext(x | y), for equal widths or a constant that fits", |e, t| {
        under_zext(e, t, Or)
    }),
    rule("or-sext", "sext(x) | sext(y) => sext(x | y), for equal widths", |e, t| under_sext(e, t, Or)),
    rule(
        "or-concat",
        "concat(x, y) | concat(z, u) => concat(x | z, y | u), if a part is constant or the cuts are the same",
        |e, t| by_parts(e, t, Or),
    ),
];

pub(super) const XOR: &[Rule] = &[
    rule("xor-zero", "x ^ 0 => x", |e, t| e.is_zero(t.b).then_some(t.a)),
    rule("xor-ones", "x ^ -1 => ~x", |e, t| e.is_ones(t.b).then(|| e.not(t.a))),
    rule("xor-self", "x ^ x => 0", |e, t| (t.a == t.b).then(|| e.zero(t.width))),
    rule("xor-not-self", "x ^ ~x => -1", |e, t| e.are_inverse(t.a, t.b).then(|| e.ones(t.width))),
    rule("xor-constants", "(x ^ c) ^ d => x ^ (c ^ d)", |e, t| merge_constants(e, t, Xor, |c, d| c ^ d)),
    rule("xor-not-constant", "~x ^ c => x ^ ~c", |e, t| {
        let c = e.as_constant(t.b)?;
        let x = e.not_of(t.a)?;
        let inverse = e.constant(!c, t.width);
        Some(e.binary(Xor, x, inverse))
    }),
    rule("xor-nots", "~x ^ ~y => x ^ y", |e, t| {
        let (x, y) = (e.not_of(t.a)?, e.not_of(t.b)?);
        Some(e.binary(Xor, x, y))
    }),
    rule("xor-not", "~x ^ y => ~(x ^ y)", |e, t| {
        let (x, y) = match e.not_of(t.a) {
            Some(x) => (x, t.b),
            None => (t.a, e.not_of(t.b)?),
        };
        let positive = e.binary(Xor, x, y);
        Some(e.not(positive))
    }),
    rule("xor-cancel", "x ^ (x ^ y) => y", |e, t| {
        let cancel = |e: &Exprs, x, pair| match e.binary_of(pair, Xor)? {
            (left, right) if left == x => Some(right),
            (left, right) if right == x => Some(left),
            _ => None,
        };
        cancel(e, t.a, t.b).or_else(|| cancel(e, t.b, t.a))
    }),
    rule("xor-disjoint", "x ^ y => x | y, if no bit can be set in both", |e, t| {
        if e.as_constant(t.b).is_some() {
            return None;
        }
        let zeros = e.known_bits(t.a).zeros | e.known_bits(t.b).zeros;
        (zeros == mask(t.width)).then(|| e.or(t.a, t.b))
    }),
    rule(
        "xor-pieces",
        "x ^ c => concat of pieces of x and of ~x, if c has at most two runs, or three with a single bit",
        |e, t| {
            let c = e.as_constant(t.b)?;
            // Inverting long pieces in the middle would make two nodes of one.
            if run_count(c, t.width) > 2 && c.count_ones() > 1 {
                return None;
            }
            pieces(e, t, |e, piece, bit| if bit { e.not(piece) } else { piece })
        },
    ),
    rule("xor-zext", "zext(x) ^ zext(y) => zext(x ^ y), for equal widths or a constant that fits", |e, t| {
        under_zext(e, t, Xor)
    }),
    rule("xor-sext", "sext(x) ^ sext(y) => sext(x ^ y), for equal widths", |e, t| under_sext(e, t, Xor)),
    rule(
        "xor-concat",
        "concat(x, y) ^ concat(z, u) => concat(x ^ z, y ^ u), if a part is constant or the cuts are the same",
        |e, t| by_parts(e, t, Xor),
    ),
];

pub(super) const NOT: &[Rule] = &[
    rule("not-not", "~~x => x", |e, t| e.not_of(t.a)),
    rule("not-sum", "~(x + c) => ~c - x", |e, t| {
        let (x, c) = e.with_constant(t.a, Add)?;
        let c = e.constant(!c, t.width);
        Some(e.sub(c, x))
    }),
    rule("not-difference", "~(c - x) => x + ~c", |e, t| {
        let (c, x) = e.constant_minus(t.a)?;
        Some(e.add_constant(x, !c))
    }),
    rule("not-xor", "~(x ^ c) => x ^ ~c", |e, t| {
        let (x, c) = e.with_constant(t.a, Xor)?;
        let c = e.constant(!c, t.width);
        Some(e.binary(Xor, x, c))
    }),
    rule("not-choice", "~(c ? k : l) => c ? ~k : ~l", |e, t| {
        let (condition, then, otherwise) = e.constant_choice(t.a)?;
        let (then, otherwise) = (e.constant(!then, t.width), e.constant(!otherwise, t.width));
        Some(e.ite(condition, then, otherwise))
    }),
    rule("not-sext", "~sext(x) => sext(~x)", |e, t| {
        let x = e.sext_of(t.a)?;
        let inverse = e.not(x);
        Some(e.sext(inverse, t.width))
    }),
];

/// `x op (x dual y)` is `x`, `x op (x op y)` is `x op y`; and the same under a negation.
fn absorb(e: &mut Exprs, x: ExprId, other: ExprId, op: BinaryOp, dual: BinaryOp) -> Option<ExprId> {
    let rest = |e: &Exprs, inner: ExprId, which: BinaryOp| match e.binary_of(inner, which)? {
        (left, right) if left == x => Some(right),
        (left, right) if right == x => Some(left),
        _ => None,
    };
    if rest(e, other, dual).is_some() {
        return Some(x);
    }
    if rest(e, other, op).is_some() {
        return Some(other);
    }
    let inner = e.not_of(other)?;
    if let Some(y) = rest(e, inner, op) {
        let y = e.not(y);
        return Some(e.binary(op, x, y));
    }
    if let Some((left, right)) = e.binary_of(inner, op)
        && (e.are_inverse(left, x) || e.are_inverse(right, x))
    {
        return Some(x);
    }
    rest(e, inner, dual)?;
    Some(if op == And { e.zero(e.width(x)) } else { e.ones(e.width(x)) })
}

fn merge_constants(e: &mut Exprs, t: &Term, op: BinaryOp, merge: fn(u128, u128) -> u128) -> Option<ExprId> {
    let d = e.as_constant(t.b)?;
    let (x, c) = e.with_constant(t.a, op)?;
    let merged = e.constant(merge(c, d), t.width);
    Some(e.binary(op, x, merged))
}

/// Cuts the left operand at the borders of the constant's runs and makes something of each piece.
fn pieces(e: &mut Exprs, t: &Term, make: fn(&mut Exprs, ExprId, bool) -> ExprId) -> Option<ExprId> {
    let c = e.as_constant(t.b)?;
    // Masks of whole bytes as well: bytes of the result are bytes of the operand or nothing.
    let few =
        run_count(c, t.width) <= MOST_RUNS || runs(c, t.width).iter().all(|(length, _)| length % 8 == 0);
    if e.based(t.a).is_some() || !few {
        return None;
    }
    let mut parts = Vec::new();
    let mut above = t.width;
    for (length, bit) in runs(c, t.width) {
        above -= length;
        let piece = e.extract(t.a, above, length);
        parts.push(make(e, piece, bit));
    }
    assemble(e, &parts)
}

fn narrow_and(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    for (extended, other) in [(t.a, t.b), (t.b, t.a)] {
        if let Some(x) = e.zext_of(extended)
            && e.cuts_freely(other, 0, e.width(x))
        {
            let other = e.trunc(other, e.width(x));
            let narrow = e.and(x, other);
            return Some(e.zext(narrow, t.width));
        }
    }
    None
}

fn under_zext(e: &mut Exprs, t: &Term, op: BinaryOp) -> Option<ExprId> {
    let x = e.zext_of(t.a).or_else(|| e.zext_of(t.b))?;
    let narrow = e.width(x);
    let fits = |e: &Exprs, side: ExprId| match e.as_constant(side) {
        Some(value) => value <= mask(narrow),
        None => e.zext_of(side).is_some_and(|inner| e.width(inner) == narrow),
    };
    if !fits(e, t.a) || !fits(e, t.b) {
        return None;
    }
    let (x, y) = (e.trunc(t.a, narrow), e.trunc(t.b, narrow));
    let result = e.binary(op, x, y);
    Some(e.zext(result, t.width))
}

fn under_sext(e: &mut Exprs, t: &Term, op: BinaryOp) -> Option<ExprId> {
    let (x, y) = (e.sext_of(t.a)?, e.sext_of(t.b)?);
    if e.width(x) != e.width(y) {
        return None;
    }
    let result = e.binary(op, x, y);
    Some(e.sext(result, t.width))
}

/// `x | zext(y)` where `x` ends in at least as many zeros as `y` has bits.
fn join(e: &mut Exprs, x: ExprId, extended: ExprId) -> Option<ExprId> {
    let y = e.zext_of(extended)?;
    let (width, low) = (e.width(x), e.width(y));
    if e.known_bits(x).zeros & mask(low) != mask(low) {
        return None;
    }
    let upper = e.extract(x, low, width - low);
    Some(e.concat(upper, y))
}

/// Both operands cut at the border of a concatenation, if the other one can be cut there for nothing.
fn by_parts(e: &mut Exprs, t: &Term, op: BinaryOp) -> Option<ExprId> {
    for (joined, other) in [(t.a, t.b), (t.b, t.a)] {
        let Some((high, low)) = e.concat_of(joined) else { continue };
        let split = e.width(low);
        let constant_part = e.as_constant(high).is_some() || e.as_constant(low).is_some();
        let same_cut = e.concat_of(other).is_some_and(|(_, right)| e.width(right) == split);
        let free =
            matches!(e.kind(other), ExprKind::Constant(_) | ExprKind::WideConstant(_)) && constant_part;
        if !(same_cut || free || constant_part && cut_by_extension(e, other, split)) {
            continue;
        }
        let (other_high, other_low) = (e.extract(other, split, t.width - split), e.trunc(other, split));
        let (high, low) = (e.binary(op, high, other_high), e.binary(op, low, other_low));
        return Some(e.concat(high, low));
    }
    None
}

/// Whether an operand is a concatenation or a zero-extended value that falls apart at a border.
fn cut_by_extension(e: &Exprs, other: ExprId, split: u32) -> bool {
    match *e.kind(other) {
        ExprKind::ZeroExtend(x) => e.width(x) <= split || e.concat_of(x).is_some(),
        ExprKind::Concat(..) => true,
        _ => false,
    }
}

fn equal_constant(e: &Exprs, x: ExprId) -> Option<(ExprId, u128)> {
    let (x, c) = e.relation_of(x, Relation::Eq)?;
    Some((x, e.as_constant(c)?))
}
