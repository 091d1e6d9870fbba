//! Conversions between floats and integers, as clang's code for x86-64 does them, out of range included.

use rustc_apfloat::{Float, Round};

use super::float::{canonical, finish, is_nan, with_format};
use super::{mask, signed};
use crate::expr::{FloatBinary, FloatCompare, FloatFormat};

/// The value toward zero, if it is a number that fits in 128 bits.
fn truncated(format: FloatFormat, bits: u128) -> Option<i128> {
    if is_nan(format, bits) {
        return None;
    }
    let in_range = |x: f64| (-(2f64.powi(127))..2f64.powi(127)).contains(&x).then_some(x as i128);
    match format {
        FloatFormat::Single => in_range(f32::from_bits(bits as u32) as f64),
        FloatFormat::Double => in_range(f64::from_bits(bits as u64)),
        _ => with_format!(format, F => {
            let mut exact = false;
            let value = F::from_bits(canonical(format, bits));
            let result = value.to_i128_r(128, Round::TowardZero, &mut exact);
            (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value)
        }),
    }
}

/// What the instruction for `width` bits gives: the least value ("integer indefinite") for what does not fit.
fn instruction(format: FloatFormat, bits: u128, width: u32) -> i128 {
    let least = signed(1 << (width - 1), width);
    match truncated(format, bits) {
        Some(value) if signed(value as u128 & mask(width), width) == value => value,
        _ => least,
    }
}

/// Converts to an integer of `width` bits, toward zero.
///
/// C leaves what does not fit undefined; this is what clang's code for x86-64 gives. Signed: the least value of 32 bits
/// (for up to 32 bits, of which the lower bits are kept), 64 or 128. Unsigned: up to 16 bits as signed; up to 32 bits
/// the lower bits of a conversion to 64 signed; up to 64 the sequence of two conversions that clang emits; beyond, zero
/// for negative numbers and all ones otherwise. From the x87 format, signed up to 16 bits and unsigned up to 8 go by 16
/// bits signed, and unsigned 64 by a comparison with 2^63.
pub fn float_to_int(format: FloatFormat, is_signed: bool, width: u32, bits: u128) -> u128 {
    let x87 = format == FloatFormat::X87;
    let result = match (is_signed, width) {
        (true, ..=16) | (false, ..=8) if x87 => instruction(format, bits, 16) as u128,
        (false, 33..=64) if x87 => x87_to_unsigned_64(bits),
        (true, ..=32) | (false, ..=16) => instruction(format, bits, 32) as u128,
        (true, ..=64) | (false, ..=32) => instruction(format, bits, 64) as u128,
        (true, _) => instruction(format, bits, 128) as u128,
        (false, ..=64) => to_unsigned_64(format, bits),
        (false, _) => to_unsigned_128(format, bits),
    };
    result & mask(width)
}

/// The lower half by one conversion, the upper half by one of the difference to 2^63, chosen by the sign of the first.
fn to_unsigned_64(format: FloatFormat, bits: u128) -> u128 {
    let first = instruction(format, bits, 64) as i64;
    let half = int_to_float(false, format, 1 << 63, 64);
    let above = super::float_binary(FloatBinary::Sub, format, bits, half);
    let second = instruction(format, above, 64) as i64;
    (first | (second & (first >> 63))) as u64 as u128
}

fn x87_to_unsigned_64(bits: u128) -> u128 {
    let format = FloatFormat::X87;
    let half = int_to_float(false, format, 1 << 63, 64);
    if super::float_compare(FloatCompare::Lt, format, bits, half) {
        return instruction(format, bits, 64) as u128;
    }
    let above = super::float_binary(FloatBinary::Sub, format, bits, half);
    instruction(format, above, 64) as u128 ^ 1 << 63
}

fn to_unsigned_128(format: FloatFormat, bits: u128) -> u128 {
    if is_nan(format, bits) || super::float_compare(FloatCompare::Lt, format, bits, 0) {
        return 0;
    }
    with_format!(format, F => {
        let mut exact = false;
        F::from_bits(canonical(format, bits)).to_u128_r(128, Round::TowardZero, &mut exact).value
    })
}

/// Converts from an integer of `width` bits, to nearest even.
pub fn int_to_float(is_signed: bool, to: FloatFormat, value: u128, width: u32) -> u128 {
    let number = signed(value, width);
    match to {
        FloatFormat::Single if is_signed => (number as f32).to_bits() as u128,
        FloatFormat::Single => (value as f32).to_bits() as u128,
        FloatFormat::Double if is_signed => (number as f64).to_bits() as u128,
        FloatFormat::Double => (value as f64).to_bits() as u128,
        _ => with_format!(to, F => {
            let round = Round::NearestTiesToEven;
            finish(to, if is_signed { F::from_i128_r(number, round).value } else { F::from_u128_r(value, round).value })
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_double(x: f64, is_signed: bool, width: u32) -> u128 {
        float_to_int(FloatFormat::Double, is_signed, width, x.to_bits() as u128)
    }

    #[test]
    fn numbers_in_range_are_cut_toward_zero() {
        assert_eq!(from_double(3.9, true, 32), 3);
        assert_eq!(from_double(-3.9, true, 32), (-3i32) as u32 as u128);
        assert_eq!(from_double(1.8e19, false, 64), 1.8e19 as u64 as u128);
        assert_eq!(from_double(4e9, false, 32), 4_000_000_000);
        assert_eq!(from_double(-1e30, true, 128), (-1e30 as i128) as u128);
        assert_eq!(from_double(3e38, false, 128), 3e38 as u128);
    }

    #[test]
    fn out_of_range_is_that_of_the_instructions() {
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e40, 2147483648.0] {
            assert_eq!(from_double(x, true, 32), 0x8000_0000);
            assert_eq!(from_double(x, true, 8), 0);
        }
        for x in [f64::NAN, f64::INFINITY, 9.3e18] {
            assert_eq!(from_double(x, true, 64), 1 << 63);
        }
        assert_eq!(from_double(-1.0, false, 32), u32::MAX as u128);
        assert_eq!(from_double(-1.0, false, 64), u64::MAX as u128);
        assert_eq!(from_double(1e30, false, 64), 1 << 63);
        assert_eq!(from_double(f64::NAN, false, 32), 0);
    }

    #[test]
    fn integers_become_the_nearest_float() {
        for value in [0i64, 1, -1, i64::MAX, i64::MIN, 0x1234_5678_9abc_def1] {
            let bits = value as u64 as u128;
            assert_eq!(int_to_float(true, FloatFormat::Double, bits, 64), (value as f64).to_bits() as u128);
            assert_eq!(int_to_float(true, FloatFormat::Single, bits, 64), (value as f32).to_bits() as u128);
            let extended = int_to_float(true, FloatFormat::X87, bits, 64);
            assert_eq!(float_to_int(FloatFormat::X87, true, 64, extended), bits);
        }
    }

    /// Recorded from clang 19 -O0 on x86-64: bits of a long double, then signed 8, 16, 32, 64 and unsigned 8, 16,
    /// 32, 64.
    #[test]
    fn long_doubles_convert_as_on_the_hardware() {
        let recorded: [(u128, [u128; 8]); 6] = [
            (0x7fff_c000_0000_0000_0000, [0, 0x8000, 0x8000_0000, 1 << 63, 0, 0, 0, 0]),
            (0xffff_8000_0000_0000_0000, [0, 0x8000, 0x8000_0000, 1 << 63, 0, 0, 0, 1 << 63]),
            (0x400f_88b8_1999_9999_9800, [0, 0x8000, 0x11170, 0x11170, 0, 0x1170, 0x11170, 0x11170]),
            (
                0xc00f_88b8_1999_9999_9800,
                [
                    0,
                    0x8000,
                    0xfffe_ee90,
                    0xffff_ffff_fffe_ee90,
                    0,
                    0xee90,
                    0xfffe_ee90,
                    0xffff_ffff_fffe_ee90,
                ],
            ),
            (0x403e_8ac7_2304_89e8_0000, [0, 0x8000, 0x8000_0000, 1 << 63, 0, 0, 0, 0x8ac7_2304_89e8_0000]),
            (0x403f_8ac7_2304_89e8_0000, [0, 0x8000, 0x8000_0000, 1 << 63, 0, 0, 0, 0]),
        ];
        for (bits, expected) in recorded {
            let found: Vec<u128> = [true, false]
                .into_iter()
                .flat_map(|is_signed| {
                    [8, 16, 32, 64].map(|width| float_to_int(FloatFormat::X87, is_signed, width, bits))
                })
                .collect();
            assert_eq!(found, expected, "{bits:#x}");
        }
    }
}
