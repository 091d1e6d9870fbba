//! Float arithmetic on bit patterns, with the results of x86-64, those that are not numbers included.
//!
//! A result that is not a number is, as the SSE unit makes it: the first operand that is not a number, made quiet, or,
//! for an invalid operation on numbers, the default one, quiet with the sign bit set. The x87 unit differs where both
//! operands are not numbers: a quiet one wins over a signalling one, else the one with the larger significand.
//! Encodings of the x87 format that the unit refuses (an exponent above zero without the integer bit) act as a
//! signalling NaN that becomes the default one.
//!
//! Singles and doubles are computed by the host, which is exact for these operations; the rest goes through
//! `rustc_apfloat`.

use rustc_apfloat::{Float, FloatConvert, Round};

use super::float_sqrt::square_root;
use crate::expr::{FloatBinary, FloatCompare, FloatFormat, FloatUnary};

/// Runs a block with `$type` as the `rustc_apfloat` type of a format.
macro_rules! with_format {
    ($format:expr, $type:ident => $body:expr) => {
        match $format {
            FloatFormat::Half => {
                type $type = rustc_apfloat::ieee::Half;
                $body
            }
            FloatFormat::BFloat => {
                type $type = rustc_apfloat::ieee::BFloat;
                $body
            }
            FloatFormat::Single => {
                type $type = rustc_apfloat::ieee::Single;
                $body
            }
            FloatFormat::Double => {
                type $type = rustc_apfloat::ieee::Double;
                $body
            }
            FloatFormat::X87 => {
                type $type = rustc_apfloat::ieee::X87DoubleExtended;
                $body
            }
            FloatFormat::Quad => {
                type $type = rustc_apfloat::ieee::Quad;
                $body
            }
        }
    };
}
pub(super) use with_format;

fn sign_bit(format: FloatFormat) -> u128 {
    1 << (format.width() - 1)
}

/// The exponent field, not shifted down, with all bits set.
fn exponent_mask(format: FloatFormat) -> u128 {
    ((1 << format.exponent_bits()) - 1) << format.significand_bits()
}

/// The bit that makes a NaN quiet: the highest of the fraction.
fn quiet_bit(format: FloatFormat) -> u128 {
    1 << (format.precision() - 2)
}

/// The fraction without the integer bit.
fn fraction_mask(format: FloatFormat) -> u128 {
    (1 << (format.precision() - 1)) - 1
}

const X87_INTEGER_BIT: u128 = 1 << 63;

/// The result of an invalid operation: quiet, with the sign bit set.
pub fn default_nan(format: FloatFormat) -> u128 {
    let integer = if format == FloatFormat::X87 { X87_INTEGER_BIT } else { 0 };
    sign_bit(format) | exponent_mask(format) | quiet_bit(format) | integer
}

/// An encoding that the x87 unit refuses.
fn is_refused(format: FloatFormat, bits: u128) -> bool {
    format == FloatFormat::X87 && bits & exponent_mask(format) != 0 && bits & X87_INTEGER_BIT == 0
}

/// Whether the bits are not a number (or, for the x87 format, refused by the unit).
pub fn is_nan(format: FloatFormat, bits: u128) -> bool {
    let exponent = exponent_mask(format);
    bits & exponent == exponent && bits & fraction_mask(format) != 0 || is_refused(format, bits)
}

/// Whether the bits are a NaN that is not quiet.
pub fn is_signaling_nan(format: FloatFormat, bits: u128) -> bool {
    is_nan(format, bits) && (bits & quiet_bit(format) == 0 || is_refused(format, bits))
}

/// A NaN made quiet.
fn quiet(format: FloatFormat, bits: u128) -> u128 {
    if is_refused(format, bits) { default_nan(format) } else { bits | quiet_bit(format) }
}

/// The result that is not a number of an operation with such an operand.
fn propagate(format: FloatFormat, a: u128, b: u128) -> u128 {
    match (is_nan(format, a), is_nan(format, b)) {
        (true, true) if format == FloatFormat::X87 => propagate_x87(a, b),
        (true, _) => quiet(format, a),
        (false, _) => quiet(format, b),
    }
}

fn propagate_x87(a: u128, b: u128) -> u128 {
    let format = FloatFormat::X87;
    if is_refused(format, a) || is_refused(format, b) {
        return default_nan(format);
    }
    let significand = |bits: u128| bits & (X87_INTEGER_BIT | fraction_mask(format));
    let first = match (is_signaling_nan(format, a), is_signaling_nan(format, b)) {
        (true, false) => false,
        (false, true) => true,
        _ => (significand(a), b) > (significand(b), a),
    };
    quiet(format, if first { a } else { b })
}

/// The one encoding of a value: a denormal of the x87 format with the integer bit set is the least normal number.
pub(super) fn canonical(format: FloatFormat, bits: u128) -> u128 {
    let pseudo_denormal =
        format == FloatFormat::X87 && bits & exponent_mask(format) == 0 && bits & X87_INTEGER_BIT != 0;
    if pseudo_denormal { bits | 1 << 64 } else { bits }
}

/// The sign bit inverted, also of a NaN.
pub fn float_neg(format: FloatFormat, bits: u128) -> u128 {
    bits ^ sign_bit(format)
}

/// The sign bit cleared, also of a NaN.
pub fn float_abs(format: FloatFormat, bits: u128) -> u128 {
    bits & !sign_bit(format)
}

/// Applies an operation to two operands, rounding to nearest even.
///
/// `Min` and `Max` are glibc's: a quiet NaN gives way to a number, a signalling one does not, and of two equal operands
/// (zeros of either sign) the result is the second; only `fminl` gives the first.
pub fn float_binary(op: FloatBinary, format: FloatFormat, a: u128, b: u128) -> u128 {
    if is_nan(format, a) || is_nan(format, b) {
        if matches!(op, FloatBinary::Min | FloatBinary::Max) {
            return minimum_of_nan(format, a, b);
        }
        return propagate(format, a, b);
    }
    match (op, format) {
        (FloatBinary::Min, FloatFormat::X87) => {
            if float_compare(FloatCompare::Lt, format, b, a) {
                b
            } else {
                a
            }
        }
        (FloatBinary::Min, _) => {
            if float_compare(FloatCompare::Lt, format, a, b) {
                a
            } else {
                b
            }
        }
        (FloatBinary::Max, _) => {
            if float_compare(FloatCompare::Lt, format, b, a) {
                a
            } else {
                b
            }
        }
        (_, FloatFormat::Single) => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            let result = match op {
                FloatBinary::Add => x + y,
                FloatBinary::Sub => x - y,
                FloatBinary::Mul => x * y,
                FloatBinary::Div => x / y,
                _ => x % y,
            };
            if result.is_nan() { default_nan(format) } else { result.to_bits() as u128 }
        }
        (_, FloatFormat::Double) => {
            let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
            let result = match op {
                FloatBinary::Add => x + y,
                FloatBinary::Sub => x - y,
                FloatBinary::Mul => x * y,
                FloatBinary::Div => x / y,
                _ => x % y,
            };
            if result.is_nan() { default_nan(format) } else { result.to_bits() as u128 }
        }
        _ => with_format!(format, F => {
            let (x, y) = (F::from_bits(canonical(format, a)), F::from_bits(canonical(format, b)));
            let round = Round::NearestTiesToEven;
            let result = match op {
                FloatBinary::Add => x.add_r(y, round),
                FloatBinary::Sub => x.sub_r(y, round),
                FloatBinary::Mul => x.mul_r(y, round),
                FloatBinary::Div => x.div_r(y, round),
                _ => x.c_fmod(y),
            };
            finish(format, result.value)
        }),
    }
}

/// The bits of a result on numbers: a NaN is the default one.
pub(super) fn finish<F: Float>(format: FloatFormat, value: F) -> u128 {
    if value.is_nan() { default_nan(format) } else { value.to_bits() }
}

/// `fmin` and `fmax` where an operand is not a number.
fn minimum_of_nan(format: FloatFormat, a: u128, b: u128) -> u128 {
    let both = is_nan(format, a) && is_nan(format, b);
    if both || is_signaling_nan(format, a) || is_signaling_nan(format, b) {
        propagate(format, a, b)
    } else if is_nan(format, a) {
        b
    } else {
        a
    }
}

/// Applies an operation to one operand.
pub fn float_unary(op: FloatUnary, format: FloatFormat, a: u128) -> u128 {
    if is_nan(format, a) {
        return quiet(format, a);
    }
    let a = canonical(format, a);
    match (op, format) {
        (FloatUnary::Sqrt, _) => float_square_root(format, a),
        (_, FloatFormat::Single) => {
            let x = f32::from_bits(a as u32);
            let result = match op {
                FloatUnary::Floor => x.floor(),
                FloatUnary::Ceil => x.ceil(),
                FloatUnary::Trunc => x.trunc(),
                FloatUnary::RoundEven => x.round_ties_even(),
                _ => x.round(),
            };
            result.to_bits() as u128
        }
        (_, FloatFormat::Double) => {
            let x = f64::from_bits(a as u64);
            let result = match op {
                FloatUnary::Floor => x.floor(),
                FloatUnary::Ceil => x.ceil(),
                FloatUnary::Trunc => x.trunc(),
                FloatUnary::RoundEven => x.round_ties_even(),
                _ => x.round(),
            };
            result.to_bits() as u128
        }
        _ => {
            let round = match op {
                FloatUnary::Floor => Round::TowardNegative,
                FloatUnary::Ceil => Round::TowardPositive,
                FloatUnary::Trunc => Round::TowardZero,
                FloatUnary::RoundEven => Round::NearestTiesToEven,
                _ => Round::NearestTiesToAway,
            };
            with_format!(format, F => F::from_bits(a).round_to_integral(round).value.to_bits())
        }
    }
}

/// The square root of a number in its canonical encoding.
fn float_square_root(format: FloatFormat, a: u128) -> u128 {
    let magnitude = float_abs(format, a);
    if magnitude == 0 {
        return a;
    }
    if a != magnitude {
        return default_nan(format);
    }
    if a & exponent_mask(format) == exponent_mask(format) {
        return a;
    }
    match format {
        FloatFormat::Single => return f32::from_bits(a as u32).sqrt().to_bits() as u128,
        FloatFormat::Double => return f64::from_bits(a as u64).sqrt().to_bits() as u128,
        _ => {}
    }
    let precision = format.precision();
    let bias = (1 << (format.exponent_bits() - 1)) - 1;
    let field = (a >> format.significand_bits()) as i32;
    let mut significand = a & fraction_mask(format);
    if field != 0 {
        significand |= 1 << (precision - 1);
    }
    let mut exponent = field.max(1) - bias - (precision as i32 - 1);
    let shift = significand.leading_zeros() - (128 - precision);
    significand <<= shift;
    exponent -= shift as i32;
    let (root, exponent) = square_root(significand, exponent, precision);
    let field = (exponent + precision as i32 - 1 + bias) as u128;
    let kept = if format == FloatFormat::X87 { root } else { root & fraction_mask(format) };
    field << format.significand_bits() | kept
}

/// `a * b + c`, rounded once. Of several operands that are not numbers the result is the second, then the first, as in
/// glibc's use of the processor's instruction.
pub fn float_fma(format: FloatFormat, a: u128, b: u128, c: u128) -> u128 {
    if is_nan(format, a) || is_nan(format, b) {
        return propagate(format, b, a);
    }
    if is_nan(format, c) {
        return quiet(format, c);
    }
    with_format!(format, F => {
        let [x, y, z] = [a, b, c].map(|bits| F::from_bits(canonical(format, bits)));
        finish(format, x.mul_add_r(y, z, Round::NearestTiesToEven).value)
    })
}

/// Compares two floats.
pub fn float_compare(op: FloatCompare, format: FloatFormat, a: u128, b: u128) -> bool {
    let (a_nan, b_nan) = (is_nan(format, a), is_nan(format, b));
    if a_nan || b_nan {
        return op == FloatCompare::Unordered || op == FloatCompare::Same && a_nan && b_nan;
    }
    // Numbers are in the order of their magnitudes as integers, mirrored for negative ones; both zeros become zero.
    let key = |bits: u128| {
        let magnitude = float_abs(format, canonical(format, bits)) as i128;
        // A quad's magnitude fits, as its sign bit is the highest one.
        if bits & sign_bit(format) != 0 { -magnitude } else { magnitude }
    };
    match op {
        FloatCompare::Eq => key(a) == key(b),
        FloatCompare::Lt => key(a) < key(b),
        FloatCompare::Le => key(a) <= key(b),
        FloatCompare::Unordered => false,
        FloatCompare::Same => canonical(format, a) == canonical(format, b),
    }
}

/// One divided by a power of two, if that is a normal number as well: multiplying by it is dividing.
pub(crate) fn exact_reciprocal(format: FloatFormat, bits: u128) -> Option<u128> {
    let fields = exponent_mask(format);
    let field = (bits & fields) >> format.significand_bits();
    let bias = (1 << (format.exponent_bits() - 1)) - 1;
    let is_power = bits & fraction_mask(format) == 0 && field != 0 && bits & fields != fields;
    if !is_power || is_refused(format, bits) {
        return None;
    }
    let inverse = (2 * bias as u128).checked_sub(field).filter(|field| *field != 0)?;
    Some(bits & !fields | inverse << format.significand_bits())
}

/// Converts between formats, rounding to nearest even. The payload of a NaN keeps its highest bits.
pub fn float_to_float(from: FloatFormat, to: FloatFormat, a: u128) -> u128 {
    if is_nan(from, a) {
        return if from == to { quiet(from, a) } else { convert_nan(from, to, quiet(from, a)) };
    }
    if from == to {
        return canonical(from, a);
    }
    match (from, to) {
        (FloatFormat::Single, FloatFormat::Double) => (f32::from_bits(a as u32) as f64).to_bits() as u128,
        (FloatFormat::Double, FloatFormat::Single) => (f64::from_bits(a as u64) as f32).to_bits() as u128,
        _ => with_format!(from, F => with_format!(to, T => {
            let value = F::from_bits(canonical(from, a));
            let mut loses = false;
            let result: T = value.convert_r(Round::NearestTiesToEven, &mut loses).value;
            result.to_bits()
        })),
    }
}

fn convert_nan(from: FloatFormat, to: FloatFormat, bits: u128) -> u128 {
    let payload = bits & fraction_mask(from);
    let (old, new) = (from.precision(), to.precision());
    let payload = if new >= old { payload << (new - old) } else { payload >> (old - new) };
    let sign = if bits & sign_bit(from) != 0 { sign_bit(to) } else { 0 };
    let integer = if to == FloatFormat::X87 { X87_INTEGER_BIT } else { 0 };
    sign | exponent_mask(to) | integer | payload
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_apfloat::ieee;

    /// All interesting halves: each exponent with a few significands, both signs.
    fn halves() -> impl Iterator<Item = u128> {
        (0..=u16::MAX)
            .step_by(7)
            .chain([0x8000, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 1, 0x3ff, 0x400])
            .map(u128::from)
    }

    #[test]
    fn the_square_root_of_every_half_is_the_rounded_root_of_the_double() {
        for bits in 0..0x7c00u128 {
            let wide = float_to_float(FloatFormat::Half, FloatFormat::Double, bits);
            let root = f64::from_bits(wide as u64).sqrt().to_bits() as u128;
            let expected = float_to_float(FloatFormat::Double, FloatFormat::Half, root);
            assert_eq!(float_unary(FloatUnary::Sqrt, FloatFormat::Half, bits), expected, "{bits:#x}");
        }
    }

    #[test]
    fn the_digit_method_gives_the_hosts_square_root() {
        let mut seed = 1u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let x = f64::from_bits(seed >> 1 & !(1 << 63));
            if !x.is_normal() {
                continue;
            }
            let exponent = (x.to_bits() >> 52) as i32 - 1075;
            let significand = x.to_bits() & ((1 << 52) - 1) | 1 << 52;
            let (root, scale) = square_root(significand as u128, exponent, 53);
            let expected = x.sqrt();
            assert_eq!(root as u64 & ((1 << 52) - 1), expected.to_bits() & ((1 << 52) - 1), "{x}");
            assert_eq!(scale, (expected.to_bits() >> 52) as i32 - 1075, "{x}");
        }
    }

    #[test]
    fn squares_have_exact_roots_in_the_wide_formats() {
        for format in [FloatFormat::X87, FloatFormat::Quad] {
            for n in 1..500u128 {
                let root = super::super::int_to_float(false, format, n, 64);
                let square = float_binary(FloatBinary::Mul, format, root, root);
                assert_eq!(float_unary(FloatUnary::Sqrt, format, square), root);
            }
        }
    }

    #[test]
    fn the_host_and_apfloat_agree_on_singles() {
        let mut seed = 3u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (a, b) = ((seed >> 32) as u32, (seed >> 7) as u32);
            let (x, y) = (ieee::Single::from_bits(a as u128), ieee::Single::from_bits(b as u128));
            if x.is_nan() || y.is_nan() {
                continue;
            }
            let check = |op, value: ieee::Single| {
                let expected = finish(FloatFormat::Single, value);
                assert_eq!(
                    float_binary(op, FloatFormat::Single, a as u128, b as u128),
                    expected,
                    "{op:?} {a:x} {b:x}"
                );
            };
            check(FloatBinary::Add, (x + y).value);
            check(FloatBinary::Sub, (x - y).value);
            check(FloatBinary::Mul, (x * y).value);
            check(FloatBinary::Div, (x / y).value);
            check(FloatBinary::Rem, x.c_fmod(y).value);
        }
    }

    #[test]
    fn nan_results_are_those_of_sse() {
        let format = FloatFormat::Double;
        let signaling = 0x7ff0_0000_0000_0123u128;
        let quiet_one = 0xfff8_0000_0000_0456u128;
        let one = 1f64.to_bits() as u128;
        assert_eq!(float_binary(FloatBinary::Add, format, signaling, quiet_one), signaling | 1 << 51);
        assert_eq!(float_binary(FloatBinary::Add, format, one, quiet_one), quiet_one);
        assert_eq!(float_binary(FloatBinary::Div, format, 0, 0), 0xfff8_0000_0000_0000);
        assert_eq!(float_unary(FloatUnary::Sqrt, format, (-1f64).to_bits() as u128), 0xfff8_0000_0000_0000);
        assert_eq!(float_binary(FloatBinary::Min, format, one, quiet_one), one);
        assert_eq!(float_to_float(FloatFormat::Single, format, 0x7f80_0001), 0x7ff8_0000_2000_0000);
    }

    #[test]
    fn comparisons_agree_with_the_doubles_of_the_halves() {
        let double =
            |bits| f64::from_bits(float_to_float(FloatFormat::Half, FloatFormat::Double, bits) as u64);
        for a in halves().step_by(11) {
            for b in halves().step_by(13) {
                let (x, y) = (double(a), double(b));
                let check = |op, expected| assert_eq!(float_compare(op, FloatFormat::Half, a, b), expected);
                check(FloatCompare::Eq, x == y);
                check(FloatCompare::Lt, x < y);
                check(FloatCompare::Le, x <= y);
                check(FloatCompare::Unordered, x.is_nan() || y.is_nan());
                check(FloatCompare::Same, x.is_nan() && y.is_nan() || x.to_bits() == y.to_bits());
            }
        }
    }

    #[test]
    fn dividing_by_a_power_of_two_is_multiplying_by_its_reciprocal() {
        let mut seed = 17u64;
        for format in [FloatFormat::Half, FloatFormat::Single, FloatFormat::Double, FloatFormat::X87] {
            let mut powers = 0;
            for field in 0..1u128 << format.exponent_bits() {
                let integer = if format == FloatFormat::X87 { X87_INTEGER_BIT } else { 0 };
                let divisor =
                    field << format.significand_bits() | integer | (field & 1) << (format.width() - 1);
                let Some(factor) = exact_reciprocal(format, divisor) else { continue };
                powers += 1;
                for _ in 0..8 {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let x = ((seed as u128) << 64 | (seed.rotate_left(17) as u128)) >> (128 - format.width());
                    let quotient = float_binary(FloatBinary::Div, format, x, divisor);
                    assert_eq!(
                        float_binary(FloatBinary::Mul, format, x, factor),
                        quotient,
                        "{x:#x} {divisor:#x}"
                    );
                }
            }
            assert!(powers >= (1 << format.exponent_bits()) - 4, "{format:?} {powers}");
        }
    }

    /// Recorded from glibc 2.36 on x86-64.
    #[test]
    fn library_functions_treat_nans_as_glibc_does() {
        let format = FloatFormat::Double;
        let [one, two, three] = [0x7ff8_0000_0000_0123, 0xfff8_0000_0000_0456, 0x7ff8_0000_0000_0789u128];
        let number = 2f64.to_bits() as u128;
        let signaling = 0x7ff0_0000_0000_0123u128;
        assert_eq!(float_fma(format, one, two, three), two);
        assert_eq!(float_fma(format, one, number, three), one);
        assert_eq!(float_fma(format, number, number, three), three);
        assert_eq!(float_fma(format, f64::INFINITY.to_bits() as u128, 0, one), one);
        assert_eq!(float_binary(FloatBinary::Rem, format, number, 0), 0xfff8_0000_0000_0000);
        let minus_zero = 1 << 63;
        for (op, a, b, expected) in [
            (FloatBinary::Min, signaling, number, one),
            (FloatBinary::Max, number, signaling, one),
            (FloatBinary::Min, two, number, number),
            (FloatBinary::Max, one, two, one),
            (FloatBinary::Min, 0, minus_zero, minus_zero),
            (FloatBinary::Min, minus_zero, 0, 0),
            (FloatBinary::Max, 0, minus_zero, minus_zero),
        ] {
            assert_eq!(float_binary(op, format, a, b), expected, "{op:?} {a:#x} {b:#x}");
        }
        let minus = 1 << 79;
        assert_eq!(float_binary(FloatBinary::Min, FloatFormat::X87, 0, minus), 0);
        assert_eq!(float_binary(FloatBinary::Max, FloatFormat::X87, 0, minus), minus);
    }
}
