//! What is read from a constant table at a symbolic index, compared with a constant.
//!
//! `table[i] == 7` says something about `i` alone: the table tells for which values of `i` it holds. If these are few,
//! or few ranges, or all but few, they take the place of the comparison. This is how calls through tables of functions
//! become conditions that a person can read and that cost the solver nothing.
//!
//! A read is a concatenation of bytes of one array without stores, or of bits of them, at constant distances from one
//! index. The index is taken apart into a multiple of something narrower. Past the end an array is zero, on both sides
//! as indices wrap around, so that for all but finitely many values of the index the same is read.

use super::Term;
use crate::concrete::{self, mask};
use crate::expr::BinaryOp::{Add, Mul, Shl};
use crate::expr::Relation::{Slt, Ult};
use crate::expr::{ArrayId, ArrayKind, ExprId, ExprKind, Exprs};

/// How many values of the index are looked at.
const MOST_VALUES: i128 = 1024;
/// How many comparisons of the index may take the place of one of the table.
const MOST_COMPARISONS: usize = 8;
/// How many parts a read may have: as many as there are bytes in the widest expression.
const MOST_PARTS: usize = 16;
/// How deep an index is taken apart.
const MOST_STEPS: usize = 6;
/// The greatest distance between the index and what is read, so that no sum of both is near the end of the address
/// space.
const MOST_DISTANCE: i128 = 1 << 40;

/// `table[i] < c` and its like with the other relations, as a condition on the index.
pub(super) fn compared(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    let ExprKind::Compare(relation, ..) = t.kind else { return None };
    let (constant, width) = (e.as_constant(t.b)?, e.width(t.a));
    let (value, plus) = e.with_constant(t.a, Add).unwrap_or((t.a, 0));
    condition(e, value, |read| {
        concrete::relation(relation, read.wrapping_add(plus) & mask(width), constant, width)
    })
}

/// The same for floats. The constant may be on either side, or the other side may be the same read.
pub(super) fn floats_compared(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    let ExprKind::FloatCompare(op, format, a, b) = t.kind else { return None };
    if a == b {
        return condition(e, a, |read| concrete::float_compare(op, format, read, read));
    }
    if let Some(constant) = e.as_constant(b) {
        return condition(e, a, |read| concrete::float_compare(op, format, read, constant));
    }
    let constant = e.as_constant(a)?;
    condition(e, b, |read| concrete::float_compare(op, format, constant, read))
}

/// One bit of a table's byte, as a condition on the index.
pub(super) fn bit(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    let ExprKind::Extract { of, low } = t.kind else { return None };
    if t.width != 1 {
        return None;
    }
    condition(e, of, |read| read >> low & 1 == 1)
}

/// For which values of its index what is read fulfils a condition.
fn condition(e: &mut Exprs, value: ExprId, holds: impl Fn(u128) -> bool) -> Option<ExprId> {
    let read = Read::of(e, value)?;
    let index = Index::of(e, read.index);
    let (usual, ranges) = read.decided(e, &index, holds)?;
    let mut found = Exprs::FALSE;
    for range in ranges {
        let within = index.within(e, range);
        found = e.or(found, within);
    }
    Some(if usual { e.not(found) } else { found })
}

/// The first and the last value of a range.
type Range = (i128, i128);

/// Bytes of a constant array around one index, and constants between them.
struct Read {
    array: ArrayId,
    /// The index without the constants that are added to it.
    index: ExprId,
    /// From the highest.
    parts: Vec<TablePart>,
}

#[derive(Copy, Clone)]
struct TablePart {
    width: u32,
    from: Source,
}

#[derive(Copy, Clone)]
enum Source {
    Constant(u128),
    /// The bits from `low` on of the byte at a distance from the index.
    Byte {
        distance: i128,
        low: u32,
    },
}

impl Read {
    fn of(e: &Exprs, value: ExprId) -> Option<Self> {
        let mut rest = value;
        let mut place = None;
        let mut parts = Vec::new();
        loop {
            let (part, next) = match *e.kind(rest) {
                ExprKind::Concat(high, low) => (high, Some(low)),
                ExprKind::ZeroExtend(inner) => {
                    let zeros = e.width(rest) - e.width(inner);
                    parts.push(TablePart { width: zeros, from: Source::Constant(0) });
                    rest = inner;
                    continue;
                }
                _ => (rest, None),
            };
            if parts.len() >= MOST_PARTS {
                return None;
            }
            let from = source(e, part, &mut place)?;
            parts.push(TablePart { width: e.width(part), from });
            match next {
                Some(low) => rest = low,
                None => break,
            }
        }
        let (array, index) = place?;
        Some(Read { array, index, parts })
    }

    /// The least and the greatest distance of a byte from the index.
    fn distances(&self) -> Range {
        let bytes = self.parts.iter().filter_map(|part| match part.from {
            Source::Byte { distance, .. } => Some(distance),
            Source::Constant(_) => None,
        });
        bytes.fold((i128::MAX, i128::MIN), |(least, most), at| (least.min(at), most.max(at)))
    }

    /// What is read where the index is at a position.
    fn value(&self, bytes: &[u8], position: i128) -> u128 {
        self.parts.iter().fold(0, |value, part| {
            let bits = match part.from {
                Source::Constant(constant) => constant,
                Source::Byte { distance, low } => {
                    let at = usize::try_from(position + distance).ok();
                    let byte = at.and_then(|at| bytes.get(at)).copied().unwrap_or(0);
                    concrete::extract(u128::from(byte), low, part.width)
                }
            };
            value.checked_shl(part.width).unwrap_or(0) | bits
        })
    }

    /// Whether the condition holds for most values of the index, and the ranges of those for which it is otherwise;
    /// nothing if they are too many.
    fn decided(&self, e: &Exprs, index: &Index, holds: impl Fn(u128) -> bool) -> Option<(bool, Vec<Range>)> {
        let ArrayKind::Bytes(bytes) = e.array_kind(self.array) else { return None };
        let (least, most) = self.distances();
        if least < -MOST_DISTANCE || most > MOST_DISTANCE {
            return None;
        }
        // Outside of these values no byte of the array is read.
        let length = bytes.len() as i128;
        let first = -(most.div_euclid(index.scale));
        let last = (length - 1 - least).div_euclid(index.scale);
        let (first, last) = (first.max(index.least), last.min(index.most));
        if last - first >= MOST_VALUES {
            return None;
        }
        let outside = holds(self.value(bytes, length - least));
        let at = |i: i128| holds(self.value(bytes, i * index.scale));
        let unusual = |usual: bool| index.ranges(first, last, |i| at(i) != usual);
        let found = unusual(outside);
        if first > index.least || last < index.most {
            return Some((outside, found?));
        }
        // The index is always inside, so that either way of saying it will do.
        let other = unusual(!outside);
        let cost = |ranges: &Option<Vec<Range>>| {
            ranges.as_ref().map_or(usize::MAX, |ranges| ranges.iter().map(|&range| index.cost(range)).sum())
        };
        let (one, two) = (cost(&found), cost(&other));
        if one < two || one == two && !outside { Some((outside, found?)) } else { Some((!outside, other?)) }
    }
}

/// Where a part of a read comes from. The array and the index must be the same as those of the parts before.
fn source(e: &Exprs, part: ExprId, place: &mut Option<(ArrayId, ExprId)>) -> Option<Source> {
    if let Some(constant) = e.as_constant(part) {
        return Some(Source::Constant(constant));
    }
    let (byte, low) = e.extract_of(part).unwrap_or((part, 0));
    let ExprKind::Select(array, at) = *e.kind(byte) else { return None };
    if !matches!(e.array_kind(array), ArrayKind::Bytes(_)) {
        return None;
    }
    let (index, distance) = e.with_constant(at, Add).unwrap_or((at, 0));
    if *place.get_or_insert((array, index)) != (array, index) {
        return None;
    }
    Some(Source::Byte { distance: concrete::signed(distance, 64), low })
}

/// An index of 64 bits as a multiple of something: its value, read as a signed number, is `scale` times that of `of`.
struct Index {
    of: ExprId,
    /// How many of the lowest bits of `of` count.
    width: u32,
    signed: bool,
    scale: i128,
    /// The bounds of the value.
    least: i128,
    most: i128,
}

impl Index {
    fn of(e: &Exprs, index: ExprId) -> Self {
        let (mut of, mut signed, mut scale) = (index, true, 1);
        for _ in 0..MOST_STEPS {
            match *e.kind(of) {
                ExprKind::ZeroExtend(inner) => (of, signed) = (inner, false),
                ExprKind::SignExtend(inner) if signed => of = inner,
                ExprKind::Concat(high, low) if e.is_zero(low) => {
                    scale <<= e.width(low);
                    of = high;
                }
                ExprKind::Binary(Shl, x, amount) => {
                    let width = e.width(of);
                    let Some(amount) = e.as_constant(amount).filter(|&amount| amount < width as u128) else {
                        break;
                    };
                    let width = width - amount as u32;
                    let (least, most) = bounds(width, signed);
                    return Index { of: x, width, signed, scale: scale << amount, least, most };
                }
                ExprKind::Binary(Mul, x, _) => {
                    let Some((factor, of_sign)) = factor(e, of, signed) else { break };
                    scale *= factor;
                    (of, signed) = (x, of_sign);
                }
                _ => break,
            }
        }
        let (width, known) = (e.width(of), e.known_bits(of));
        let (least, most) = if signed {
            (known.least_signed(width), known.greatest_signed(width))
        } else {
            (known.least() as i128, known.greatest(width) as i128)
        };
        Index { of, width, signed, scale, least, most }
    }

    /// The ranges between two values in which something holds, unless it takes too many comparisons to tell.
    fn ranges(&self, first: i128, last: i128, holds: impl Fn(i128) -> bool) -> Option<Vec<Range>> {
        let mut found: Vec<Range> = Vec::new();
        // The cost of all but the last, which may still grow.
        let mut cost = 0;
        for i in first..=last {
            if !holds(i) {
                continue;
            }
            match found.last_mut() {
                Some(range) if range.1 == i - 1 => range.1 = i,
                previous => {
                    cost += previous.map_or(0, |&mut range| self.cost(range));
                    if cost >= MOST_COMPARISONS {
                        return None;
                    }
                    found.push((i, i));
                }
            }
        }
        cost += found.last().map_or(0, |&range| self.cost(range));
        (cost <= MOST_COMPARISONS).then_some(found)
    }

    /// How many comparisons a range takes.
    fn cost(&self, (first, last): Range) -> usize {
        if first == last {
            return 1;
        }
        usize::from(first > self.least) + usize::from(last < self.most)
    }

    /// Whether the value is in a range.
    fn within(&self, e: &mut Exprs, (first, last): Range) -> ExprId {
        let of = e.trunc(self.of, self.width);
        if first == last {
            return e.eq_constant(of, first as u128);
        }
        if first + 1 == last && self.cost((first, last)) == 2 {
            let (one, other) = (e.eq_constant(of, first as u128), e.eq_constant(of, last as u128));
            return e.or(one, other);
        }
        let below = |e: &mut Exprs, bound: i128| {
            let bound = e.constant(bound as u128, self.width);
            e.relation(if self.signed { Slt } else { Ult }, of, bound)
        };
        let from = if first > self.least {
            let below = below(e, first);
            e.not(below)
        } else {
            Exprs::TRUE
        };
        let to = if last < self.most { below(e, last + 1) } else { Exprs::TRUE };
        e.and(from, to)
    }
}

/// The numbers of a width.
fn bounds(width: u32, signed: bool) -> Range {
    if signed {
        (concrete::signed(1 << (width - 1), width), mask(width - 1) as i128)
    } else {
        (0, mask(width) as i128)
    }
}

/// The constant factor of a product, if it never overflows, and whether the other factor is read as a signed number
/// then.
fn factor(e: &Exprs, product: ExprId, signed: bool) -> Option<(i128, bool)> {
    let (x, constant) = e.with_constant(product, Mul)?;
    let width = e.width(x);
    // A factor that is larger than any table is of no interest.
    let constant = i128::try_from(constant).ok().filter(|&constant| constant < MOST_DISTANCE)?;
    let of_sign = signed && e.sext_of(x).is_some();
    let (least, most) = match e.sext_of(x) {
        Some(inner) if of_sign => bounds(e.width(inner), true),
        _ => (0, i128::try_from(e.known_bits(x).greatest(width)).ok()?),
    };
    let (lowest, highest) = bounds(width, signed);
    let fits = least.checked_mul(constant)? >= lowest && most.checked_mul(constant)? <= highest;
    fits.then_some((constant, of_sign))
}
