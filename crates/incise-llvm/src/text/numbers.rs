//! Literals: integers of any width, and the many ways of LLVM to write a floating-point number.

use super::cursor::Cursor;
use super::failure::{Failure, Parse};
use incise_ir::{ConstantKind, FloatKind};
use rustc_apfloat::ieee::{BFloat, Double, Half};
use rustc_apfloat::{Float, FloatConvert};

/// The low `bits` bits set.
pub(crate) fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// Reads an integer literal of a type of `bits` bits: `12`, `-12`, `u0xFF`, `s0xFF`.
pub(crate) fn integer(cursor: &mut Cursor<'_>, bits: u32) -> Parse<ConstantKind> {
    cursor.skip_space();
    let start = cursor.at;
    if matches!(cursor.byte(), b'u' | b's') && cursor.second_byte() == b'0' {
        return hexadecimal_integer(cursor, bits);
    }
    let negative = cursor.byte() == b'-';
    if negative {
        cursor.at += 1;
    }
    let digits = cursor.at;
    let mut value: u128 = 0;
    let mut overflow = false;
    while cursor.byte().is_ascii_digit() {
        let digit = u128::from(cursor.byte() - b'0');
        // Small numbers are by far the most; the checked way is for the others.
        if value < u128::MAX / 16 {
            value = value * 10 + digit;
        } else {
            let next = value.checked_mul(10).and_then(|value| value.checked_add(digit));
            overflow |= next.is_none();
            value = next.unwrap_or(value);
        }
        cursor.at += 1;
    }
    if cursor.at == digits {
        cursor.at = start;
        return cursor.expected("a constant");
    }
    if bits > 128 {
        return Ok(ConstantKind::WideInteger);
    }
    if overflow {
        return Failure::broken(start, "this integer does not fit 128 bits");
    }
    let value = if negative { value.wrapping_neg() } else { value };
    Ok(ConstantKind::Integer(value & mask(bits)))
}

fn hexadecimal_integer(cursor: &mut Cursor<'_>, bits: u32) -> Parse<ConstantKind> {
    let signed = cursor.byte() == b's';
    let start = cursor.at;
    cursor.at += 1;
    let text = number_text(cursor);
    let Some(digits) = text.strip_prefix(b"0x") else {
        cursor.at = start;
        return cursor.expected("a constant");
    };
    if bits > 128 {
        return Ok(ConstantKind::WideInteger);
    }
    let Some(mut value) = hexadecimal(digits) else {
        return Failure::broken(start, "this is not a hexadecimal number of up to 128 bits");
    };
    let width = digits.len() as u32 * 4;
    if signed && width < 128 && value >> (width - 1) & 1 == 1 {
        value |= !mask(width);
    }
    Ok(ConstantKind::Integer(value & mask(bits)))
}

/// Takes the text of a number, whatever it is.
fn number_text<'a>(cursor: &mut Cursor<'a>) -> &'a [u8] {
    let start = cursor.at;
    if matches!(cursor.byte(), b'+' | b'-') {
        cursor.at += 1;
    }
    while cursor.byte().is_ascii_alphanumeric()
        || cursor.byte() == b'.'
        || (matches!(cursor.byte(), b'+' | b'-') && matches!(cursor.bytes[cursor.at - 1], b'e' | b'E'))
    {
        cursor.at += 1;
    }
    &cursor.bytes[start..cursor.at]
}

fn hexadecimal(digits: &[u8]) -> Option<u128> {
    if digits.is_empty() || digits.len() > 32 {
        return None;
    }
    digits
        .iter()
        .try_fold(0u128, |value, &digit| Some(value << 4 | u128::from((digit as char).to_digit(16)?)))
}

/// Reads a floating-point literal and gives the bits of the number in the format of its type.
pub(crate) fn float(cursor: &mut Cursor<'_>, kind: FloatKind) -> Parse<u128> {
    cursor.skip_space();
    let start = cursor.at;
    let text = number_text(cursor);
    let bits = match text {
        [b'0', b'x', b'K', digits @ ..] if kind == FloatKind::X87 => {
            hexadecimal(digits).filter(|bits| bits >> 80 == 0)
        }
        // The words of a quad come low first.
        [b'0', b'x', b'L', digits @ ..] if kind == FloatKind::Quad && digits.len() == 32 => {
            hexadecimal(digits).map(|bits| bits.rotate_right(64))
        }
        [b'0', b'x', b'H', digits @ ..] if kind == FloatKind::Half => {
            hexadecimal(digits).filter(|bits| bits >> 16 == 0)
        }
        [b'0', b'x', b'R', digits @ ..] if kind == FloatKind::BFloat => {
            hexadecimal(digits).filter(|bits| bits >> 16 == 0)
        }
        [b'0', b'x', digits @ ..] => hexadecimal(digits)
            .and_then(|bits| u64::try_from(bits).ok())
            .and_then(|bits| from_double(bits, kind)),
        [b'0'..=b'9' | b'+' | b'-', ..] => std::str::from_utf8(text)
            .ok()
            .and_then(|text| text.parse::<f64>().ok())
            .and_then(|number| from_double(number.to_bits(), kind)),
        _ => {
            cursor.at = start;
            return cursor.expected("a floating-point constant");
        }
    };
    match bits {
        Some(bits) => Ok(bits),
        None => {
            let text = String::from_utf8_lossy(text);
            Failure::broken(start, format!("'{text}' is not a floating-point constant of this type"))
        }
    }
}

/// The bits of a `double` in another format; `None` for the formats that have hexadecimal literals of their own only.
fn from_double(bits: u64, kind: FloatKind) -> Option<u128> {
    let double = Double::from_bits(u128::from(bits));
    let mut loses_info = false;
    match kind {
        FloatKind::Double => Some(u128::from(bits)),
        FloatKind::Single => Some(u128::from(single_bits(bits))),
        FloatKind::Half => {
            let half: Half = double.convert(&mut loses_info).value;
            Some(half.to_bits())
        }
        FloatKind::BFloat => {
            let brain: BFloat = double.convert(&mut loses_info).value;
            Some(brain.to_bits())
        }
        FloatKind::X87 | FloatKind::Quad => None,
    }
}

/// LLVM writes a `float` as the `double` of the same value; a NaN keeps the upper bits of its payload.
fn single_bits(bits: u64) -> u32 {
    let number = f64::from_bits(bits);
    if number.is_nan() {
        let sign = (bits >> 63) as u32;
        let payload = (bits >> 29) as u32 & 0x7f_ffff;
        return sign << 31 | 0x7f80_0000 | payload.max(1);
    }
    (number as f32).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float_of(text: &str, kind: FloatKind) -> Option<u128> {
        float(&mut Cursor::new(text.as_bytes()), kind).ok()
    }

    fn integer_of(text: &str, bits: u32) -> Option<u128> {
        match integer(&mut Cursor::new(text.as_bytes()), bits).ok()? {
            ConstantKind::Integer(value) => Some(value),
            _ => None,
        }
    }

    #[test]
    fn integers_are_masked_to_their_width() {
        assert_eq!(integer_of("-1", 8), Some(0xff));
        assert_eq!(integer_of("-5", 32), Some(0xffff_fffb));
        assert_eq!(integer_of("340282366920938463463374607431768211455", 128), Some(u128::MAX));
        assert_eq!(integer_of("-170141183460469231731687303715884105728", 128), Some(1 << 127));
        assert_eq!(integer_of("340282366920938463463374607431768211456", 128), None);
        assert_eq!(integer_of("u0x80", 32), Some(0x80));
        assert_eq!(integer_of("s0x80", 32), Some(0xffff_ff80));
        assert_eq!(integer_of("x", 32), None);
    }

    #[test]
    fn floats_are_read_in_every_form() {
        assert_eq!(float_of("1.500000e+00", FloatKind::Double), Some(u128::from(1.5f64.to_bits())));
        assert_eq!(float_of("-2.5", FloatKind::Single), Some(u128::from((-2.5f32).to_bits())));
        assert_eq!(float_of("0x3FB99999A0000000", FloatKind::Single), Some(u128::from(0.1f32.to_bits())));
        assert_eq!(float_of("0x7FF8000000000000", FloatKind::Single), Some(0x7fc0_0000));
        assert_eq!(float_of("0x7FF0000000000000", FloatKind::Single), Some(0x7f80_0000));
        assert_eq!(float_of("0xH3C00", FloatKind::Half), Some(0x3c00));
        assert_eq!(float_of("1.0", FloatKind::Half), Some(0x3c00));
        assert_eq!(float_of("0xR3F80", FloatKind::BFloat), Some(0x3f80));
        assert_eq!(float_of("1.0", FloatKind::BFloat), Some(0x3f80));
        assert_eq!(float_of("0xK3FFFC000000000000000", FloatKind::X87), Some(0x3fff_c000_0000_0000_0000));
        assert_eq!(float_of("0xL00000000000000003FFF000000000000", FloatKind::Quad), Some(0x3fff << 112));
        assert_eq!(float_of("0xK3FFFC000000000000000", FloatKind::Double), None);
    }
}
