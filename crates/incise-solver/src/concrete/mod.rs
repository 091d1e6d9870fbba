//! The meaning of every operation on known values, as `u128` bit patterns that are zero above their width.
//!
//! Folding, the evaluator and the executor's concrete path all use these functions, so that they cannot disagree.

mod float;
mod float_int;
mod float_sqrt;
mod math;

pub(crate) use float::exact_reciprocal;
pub use float::{
    default_nan, float_abs, float_binary, float_compare, float_fma, float_neg, float_to_float, float_unary,
    is_nan, is_signaling_nan,
};
pub use float_int::{float_to_int, int_to_float};
pub use math::math;
pub(crate) use math::{Domain, MathFacts, bound};

use crate::expr::{BinaryOp, CompareOp, Relation};

/// All ones in `width` bits.
#[inline]
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// All ones in `width` bits, for widths up to 64.
#[inline]
pub(crate) fn mask64(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The value as a number in two's complement.
#[inline]
pub fn signed(value: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

#[inline]
fn signed64(value: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((value << shift) as i64) >> shift
}

/// Applies a binary operation to operands of `width` bits.
#[inline]
pub fn binary(op: BinaryOp, a: u128, b: u128, width: u32) -> u128 {
    if width <= 64 { binary64(op, a as u64, b as u64, width) as u128 } else { binary128(op, a, b, width) }
}

/// [`binary`] for widths up to 64: 128-bit division is slow.
#[inline]
pub(crate) fn binary64(op: BinaryOp, a: u64, b: u64, width: u32) -> u64 {
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        BinaryOp::URem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::SDiv => match (signed64(a, width), signed64(b, width)) {
            (x, 0) => (if x < 0 { 1 } else { -1i64 }) as u64,
            (x, y) => x.wrapping_div(y) as u64,
        },
        BinaryOp::SRem => match (signed64(a, width), signed64(b, width)) {
            (x, 0) => x as u64,
            (x, y) => x.wrapping_rem(y) as u64,
        },
        BinaryOp::Shl => {
            if b < width as u64 {
                a << b
            } else {
                0
            }
        }
        BinaryOp::LShr => {
            if b < width as u64 {
                a >> b
            } else {
                0
            }
        }
        BinaryOp::AShr => (signed64(a, width) >> b.min(width as u64 - 1)) as u64,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
    };
    result & mask64(width)
}

fn binary128(op: BinaryOp, a: u128, b: u128, width: u32) -> u128 {
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        BinaryOp::URem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::SDiv => match (signed(a, width), signed(b, width)) {
            (x, 0) => (if x < 0 { 1 } else { -1i128 }) as u128,
            (x, y) => x.wrapping_div(y) as u128,
        },
        BinaryOp::SRem => match (signed(a, width), signed(b, width)) {
            (x, 0) => x as u128,
            (x, y) => x.wrapping_rem(y) as u128,
        },
        BinaryOp::Shl => {
            if b < width as u128 {
                a << b
            } else {
                0
            }
        }
        BinaryOp::LShr => {
            if b < width as u128 {
                a >> b
            } else {
                0
            }
        }
        BinaryOp::AShr => (signed(a, width) >> b.min(width as u128 - 1)) as u128,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
    };
    result & mask(width)
}

/// Compares two values of `width` bits.
#[inline]
pub fn compare(op: CompareOp, a: u128, b: u128, width: u32) -> bool {
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Ult => a < b,
        CompareOp::Ule => a <= b,
        CompareOp::Ugt => a > b,
        CompareOp::Uge => a >= b,
        CompareOp::Slt => signed(a, width) < signed(b, width),
        CompareOp::Sle => signed(a, width) <= signed(b, width),
        CompareOp::Sgt => signed(a, width) > signed(b, width),
        CompareOp::Sge => signed(a, width) >= signed(b, width),
    }
}

/// Compares two values of `width` bits by one of the relations of nodes.
#[inline]
pub fn relation(relation: Relation, a: u128, b: u128, width: u32) -> bool {
    match relation {
        Relation::Eq => a == b,
        Relation::Ult => a < b,
        Relation::Slt => signed(a, width) < signed(b, width),
    }
}

/// [`relation`] for widths up to 64.
#[inline]
pub(crate) fn relation64(relation: Relation, a: u64, b: u64, width: u32) -> bool {
    let sign = 1u64 << (width - 1);
    match relation {
        Relation::Eq => a == b,
        Relation::Ult => a < b,
        Relation::Slt => a ^ sign < b ^ sign,
    }
}

/// Copies of the sign bit on the left, from width `from` to width `to`.
#[inline]
pub fn sign_extend(value: u128, from: u32, to: u32) -> u128 {
    signed(value, from) as u128 & mask(to)
}

/// `width` bits of the value from bit `low` on.
#[inline]
pub fn extract(value: u128, low: u32, width: u32) -> u128 {
    (value >> low) & mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_by_zero_is_that_of_smt_lib() {
        for width in [8, 64, 65, 128] {
            let ones = mask(width);
            assert_eq!(binary(BinaryOp::UDiv, 5, 0, width), ones);
            assert_eq!(binary(BinaryOp::URem, 5, 0, width), 5);
            assert_eq!(binary(BinaryOp::SDiv, 5, 0, width), ones);
            assert_eq!(binary(BinaryOp::SDiv, ones, 0, width), 1);
            assert_eq!(binary(BinaryOp::SRem, ones, 0, width), ones);
            let least = 1 << (width - 1);
            assert_eq!(binary(BinaryOp::SDiv, least, ones, width), least);
            assert_eq!(binary(BinaryOp::SRem, least, ones, width), 0);
        }
    }

    #[test]
    fn long_shifts_leave_zeros_or_the_sign() {
        for width in [1, 8, 64, 65, 128] {
            let least = 1 << (width - 1);
            let past = width as u128 & mask(width);
            if past as u32 == width {
                assert_eq!(binary(BinaryOp::Shl, 1, past, width), 0);
                assert_eq!(binary(BinaryOp::LShr, least, past, width), 0);
                assert_eq!(binary(BinaryOp::AShr, least, past, width), mask(width));
            }
            assert_eq!(binary(BinaryOp::AShr, least, width as u128 - 1, width), mask(width));
        }
    }

    #[test]
    fn narrow_and_wide_paths_agree() {
        for width in 1..=5 {
            for a in 0..1u64 << width {
                for b in 0..1u64 << width {
                    for op in BinaryOp::ALL {
                        let narrow = binary64(op, a, b, width) as u128;
                        assert_eq!(
                            narrow,
                            binary128(op, a as u128, b as u128, width),
                            "{op:?} {a} {b} {width}"
                        );
                    }
                    for each in [Relation::Eq, Relation::Ult, Relation::Slt] {
                        let narrow = relation64(each, a, b, width);
                        assert_eq!(
                            narrow,
                            relation(each, a as u128, b as u128, width),
                            "{each:?} {a} {b} {width}"
                        );
                    }
                }
            }
        }
    }
}
