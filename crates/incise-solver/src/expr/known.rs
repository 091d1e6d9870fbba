//! Bits of an expression that are the same for all values of its symbols.
//!
//! They are computed once, when a node is made, from those of its operands. Alignment of pointers, masks of bit-fields
//! and ranges of extended bytes are decided by them, without a solver.

use rustc_hash::FxHashMap;

use super::kind::{BinaryOp, ExprKind};
use crate::concrete::{self, mask};

/// The bits known to be zero and to be one. Bits above the width are in neither.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct KnownBits {
    /// Bits that are always zero.
    pub zeros: u128,
    /// Bits that are always one.
    pub ones: u128,
}

impl KnownBits {
    /// Nothing is known.
    pub const NOTHING: KnownBits = KnownBits { zeros: 0, ones: 0 };

    /// All bits of a value.
    #[inline]
    pub fn of_value(value: u128, width: u32) -> Self {
        KnownBits { zeros: !value & mask(width), ones: value }
    }

    /// The value if all bits are known.
    #[inline]
    pub fn value(self, width: u32) -> Option<u128> {
        (self.zeros | self.ones == mask(width)).then_some(self.ones)
    }

    /// The least unsigned value.
    #[inline]
    pub fn least(self) -> u128 {
        self.ones
    }

    /// The greatest unsigned value.
    #[inline]
    pub fn greatest(self, width: u32) -> u128 {
        !self.zeros & mask(width)
    }

    /// The least value in two's complement, as a number.
    pub fn least_signed(self, width: u32) -> i128 {
        let sign = 1 << (width - 1);
        let top = if self.zeros & sign == 0 { sign } else { 0 };
        concrete::signed(self.ones | top, width)
    }

    /// The greatest value in two's complement, as a number.
    pub fn greatest_signed(self, width: u32) -> i128 {
        let sign = 1 << (width - 1);
        let top = if self.ones & sign == 0 { sign } else { 0 };
        concrete::signed(self.greatest(width) & !top, width)
    }

    /// What holds in both.
    pub fn intersection(self, other: Self) -> Self {
        KnownBits { zeros: self.zeros & other.zeros, ones: self.ones & other.ones }
    }

    fn not(self) -> Self {
        KnownBits { zeros: self.ones, ones: self.zeros }
    }

    fn trailing_zeros(self, width: u32) -> u32 {
        self.zeros.trailing_ones().min(width)
    }

    /// Zeros from the bit length of a bound on.
    fn at_most(bound: u128, width: u32) -> Self {
        let length = 128 - bound.leading_zeros();
        KnownBits { zeros: mask(width) & !mask(length), ones: 0 }
    }

    fn with_low_zeros(self, count: u32, width: u32) -> Self {
        KnownBits { zeros: self.zeros | mask(count.min(width)), ones: self.ones }
    }
}

/// The sum with a carry in: a bit is known where both operands and the carry into it are.
fn sum(a: KnownBits, b: KnownBits, carry: u128, width: u32) -> KnownBits {
    let greatest = a.greatest(width).wrapping_add(b.greatest(width)).wrapping_add(carry);
    let least = a.least().wrapping_add(b.least()).wrapping_add(carry);
    let carry_zero = !(greatest ^ a.zeros ^ b.zeros);
    let carry_one = least ^ a.ones ^ b.ones;
    let known = (a.zeros | a.ones) & (b.zeros | b.ones) & (carry_zero | carry_one) & mask(width);
    KnownBits { zeros: !greatest & known, ones: least & known }
}

fn product(a: KnownBits, b: KnownBits, width: u32) -> KnownBits {
    let upper = match a.greatest(width).checked_mul(b.greatest(width)) {
        Some(bound) if bound <= mask(width) => KnownBits::at_most(bound, width),
        _ => KnownBits::NOTHING,
    };
    upper.with_low_zeros(a.trailing_zeros(width) + b.trailing_zeros(width), width)
}

fn shift_by(op: BinaryOp, a: KnownBits, amount: u128, width: u32) -> KnownBits {
    let amount_bits = amount.min(width as u128);
    let apply = |bits: u128| concrete::binary(op, bits, amount_bits & mask(width), width);
    if amount_bits >= width as u128 {
        return match op {
            BinaryOp::AShr => KnownBits::NOTHING,
            _ => KnownBits::of_value(0, width),
        };
    }
    let vacated = match op {
        BinaryOp::Shl => mask(amount_bits as u32),
        BinaryOp::LShr => mask(width) & !(mask(width) >> amount_bits),
        _ => 0,
    };
    KnownBits { zeros: apply(a.zeros) | vacated, ones: apply(a.ones) }
}

/// What is known of an operation's result.
pub(super) fn of_binary(op: BinaryOp, a: KnownBits, b: KnownBits, width: u32) -> KnownBits {
    match op {
        BinaryOp::And => KnownBits { zeros: a.zeros | b.zeros, ones: a.ones & b.ones },
        BinaryOp::Or => KnownBits { zeros: a.zeros & b.zeros, ones: a.ones | b.ones },
        BinaryOp::Xor => KnownBits {
            zeros: a.zeros & b.zeros | a.ones & b.ones,
            ones: a.zeros & b.ones | a.ones & b.zeros,
        },
        BinaryOp::Add => sum(a, b, 0, width),
        BinaryOp::Sub => sum(a, b.not(), 1, width),
        BinaryOp::Mul => product(a, b, width),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => match b.value(width) {
            Some(amount) => shift_by(op, a, amount, width),
            None if op == BinaryOp::Shl => KnownBits::NOTHING.with_low_zeros(a.trailing_zeros(width), width),
            None if op == BinaryOp::LShr => KnownBits::at_most(a.greatest(width), width),
            None => KnownBits::NOTHING,
        },
        // A quotient by what may be zero may have all bits set.
        BinaryOp::UDiv if b.least() > 0 => KnownBits::at_most(a.greatest(width) / b.least(), width),
        BinaryOp::URem if b.least() > 0 => {
            KnownBits::at_most(a.greatest(width).min(b.greatest(width) - 1), width)
        }
        BinaryOp::URem => KnownBits::at_most(a.greatest(width), width),
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::SRem => KnownBits::NOTHING,
    }
}

/// What is known of a node, given its operands' known bits and widths. Constants and selections are left to the arena.
pub(super) fn of_kind(kind: &ExprKind, width: u32, operand: impl Fn(usize) -> (KnownBits, u32)) -> KnownBits {
    match *kind {
        ExprKind::Base(address) => KnownBits::of_value(address as u128, width),
        ExprKind::Binary(op, _, _) => of_binary(op, operand(0).0, operand(1).0, width),
        ExprKind::Not(_) => operand(0).0.not(),
        ExprKind::ZeroExtend(_) => {
            let (known, narrow) = operand(0);
            KnownBits { zeros: known.zeros | mask(width) & !mask(narrow), ones: known.ones }
        }
        ExprKind::SignExtend(_) => {
            let (known, narrow) = operand(0);
            let extend = |bits| concrete::sign_extend(bits, narrow, width);
            KnownBits { zeros: extend(known.zeros), ones: extend(known.ones) }
        }
        ExprKind::Extract { low, .. } => {
            let (known, _) = operand(0);
            let cut = |bits| concrete::extract(bits, low, width);
            KnownBits { zeros: cut(known.zeros), ones: cut(known.ones) }
        }
        ExprKind::Concat(..) => {
            let ((high, _), (low, low_width)) = (operand(0), operand(1));
            KnownBits { zeros: high.zeros << low_width | low.zeros, ones: high.ones << low_width | low.ones }
        }
        ExprKind::Ite(..) => operand(1).0.intersection(operand(2).0),
        _ => KnownBits::NOTHING,
    }
}

/// The distinct known bits of an arena's nodes. There are few: the table is small beside the nodes.
pub(super) struct KnownTable {
    list: Vec<KnownBits>,
    index: FxHashMap<KnownBits, u32>,
}

impl KnownTable {
    /// What does not fit any more counts as unknown.
    pub(super) const ID_BITS: u32 = 24;
    const LIMIT: usize = 1 << Self::ID_BITS;

    pub(super) fn new() -> Self {
        KnownTable { list: vec![KnownBits::NOTHING], index: FxHashMap::default() }
    }

    pub(super) fn intern(&mut self, known: KnownBits) -> u32 {
        if known == KnownBits::NOTHING {
            return 0;
        }
        if let Some(&id) = self.index.get(&known) {
            return id;
        }
        if self.list.len() >= Self::LIMIT {
            return 0;
        }
        let id = self.list.len() as u32;
        self.list.push(known);
        self.index.insert(known, id);
        id
    }

    #[inline]
    pub(super) fn get(&self, id: u32) -> KnownBits {
        self.list[id as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each pair of known bits at width 3, each pair of values that they allow: the result must be allowed too.
    #[test]
    fn known_bits_of_operations_hold_for_all_values() {
        let width = 3;
        let all: Vec<KnownBits> = (0..8u128)
            .flat_map(|zeros| (0..8u128).map(move |ones| KnownBits { zeros, ones }))
            .filter(|known| known.zeros & known.ones == 0)
            .collect();
        let allows =
            |known: KnownBits, value: u128| value & known.zeros == 0 && value & known.ones == known.ones;
        for op in BinaryOp::ALL {
            for &a in &all {
                for &b in &all {
                    let known = of_binary(op, a, b, width);
                    assert_eq!(known.zeros & known.ones & mask(width), 0);
                    assert_eq!((known.zeros | known.ones) & !mask(width), 0, "{op:?}");
                    for x in (0..8).filter(|&x| allows(a, x)) {
                        for y in (0..8).filter(|&y| allows(b, y)) {
                            let value = concrete::binary(op, x, y, width);
                            assert!(
                                allows(known, value),
                                "{op:?} {a:?} {b:?}: {x} {y} gives {value}, known {known:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn bounds_hold_for_all_values() {
        let width = 3;
        for zeros in 0..8u128 {
            for ones in (0..8u128).filter(|ones| ones & zeros == 0) {
                let known = KnownBits { zeros, ones };
                let values: Vec<u128> = (0..8).filter(|v| v & zeros == 0 && v & ones == ones).collect();
                assert_eq!(values.iter().min(), Some(&known.least()));
                assert_eq!(values.iter().max(), Some(&known.greatest(width)));
                let signed = |v: &u128| concrete::signed(*v, width);
                assert_eq!(values.iter().map(signed).min(), Some(known.least_signed(width)));
                assert_eq!(values.iter().map(signed).max(), Some(known.greatest_signed(width)));
            }
        }
    }
}
