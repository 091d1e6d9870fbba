//! `printf` formats: taken apart once, and filled in with values that a path's model makes concrete.

use super::float_text::{FloatText, LongDouble};
use crate::engine::state::OutputPiece;
use crate::engine::value::{Value, sign_extend};

/// The widest field and the longest precision that we fill in.
const WIDEST: usize = 1 << 20;

/// One conversion of a format, with `*` already filled in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conversion {
    pub(crate) left: bool,
    pub(crate) plus: bool,
    pub(crate) space: bool,
    pub(crate) alternate: bool,
    pub(crate) zero: bool,
    pub(crate) width: usize,
    pub(crate) precision: Option<usize>,
    pub(crate) length: Length,
    pub(crate) letter: u8,
}

/// The length modifier of a conversion.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Length {
    Char,
    Short,
    Int,
    Long,
    LongDouble,
}

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum FormatPart {
    Literal(Vec<u8>),
    Conversion { conversion: Conversion, star_width: bool, star_precision: bool },
}

/// Takes a format apart; the error is the conversion that we do not know.
pub(crate) fn parse(format: &[u8]) -> Result<Vec<FormatPart>, String> {
    let mut parts = Vec::new();
    let mut literal = Vec::new();
    let mut rest = format;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            literal.push(byte);
            continue;
        }
        if rest.first() == Some(&b'%') {
            literal.push(b'%');
            rest = &rest[1..];
            continue;
        }
        if !literal.is_empty() {
            parts.push(FormatPart::Literal(std::mem::take(&mut literal)));
        }
        let (part, tail) = parse_conversion(rest)?;
        parts.push(part);
        rest = tail;
    }
    if !literal.is_empty() {
        parts.push(FormatPart::Literal(literal));
    }
    Ok(parts)
}

fn parse_conversion(format: &[u8]) -> Result<(FormatPart, &[u8]), String> {
    let mut conversion = Conversion {
        left: false,
        plus: false,
        space: false,
        alternate: false,
        zero: false,
        width: 0,
        precision: None,
        length: Length::Int,
        letter: 0,
    };
    let mut rest = format;
    while let Some((flag, tail)) = rest.split_first() {
        match flag {
            b'-' => conversion.left = true,
            b'+' => conversion.plus = true,
            b' ' => conversion.space = true,
            b'#' => conversion.alternate = true,
            b'0' => conversion.zero = true,
            _ => break,
        }
        rest = tail;
    }
    let (width, star_width, tail) = parse_number(rest);
    conversion.width = width;
    rest = tail;
    let mut star_precision = false;
    if let Some(tail) = rest.strip_prefix(b".") {
        let (precision, star, tail) = parse_number(tail);
        conversion.precision = Some(precision);
        star_precision = star;
        rest = tail;
    }
    let (length, tail) = match rest {
        [b'h', b'h', tail @ ..] => (Length::Char, tail),
        [b'h', tail @ ..] => (Length::Short, tail),
        [b'l', b'l', tail @ ..] | [b'l' | b'j' | b'z' | b't' | b'q', tail @ ..] => (Length::Long, tail),
        [b'L', tail @ ..] => (Length::LongDouble, tail),
        tail => (Length::Int, tail),
    };
    conversion.length = length;
    let Some((&letter, tail)) = tail.split_first() else { return Err("an unfinished conversion".into()) };
    conversion.letter = letter;
    if !b"diuoxXcspfFeEgGaAn".contains(&letter) {
        return Err(format!("%{}", char::from(letter)));
    }
    Ok((FormatPart::Conversion { conversion, star_width, star_precision }, tail))
}

fn parse_number(format: &[u8]) -> (usize, bool, &[u8]) {
    if let Some(tail) = format.strip_prefix(b"*") {
        return (0, true, tail);
    }
    let digits = format.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = format[..digits]
        .iter()
        .fold(0usize, |number, digit| number.saturating_mul(10).saturating_add(usize::from(digit - b'0')));
    (number.min(WIDEST), false, &format[digits..])
}

impl Conversion {
    /// Sets a width that was given as an argument: a negative one aligns to the left.
    pub(crate) fn set_width(&mut self, width: i64) {
        self.left |= width < 0;
        self.width = (width.unsigned_abs() as usize).min(WIDEST);
    }

    /// Sets a precision that was given as an argument: a negative one counts as none.
    pub(crate) fn set_precision(&mut self, precision: i64) {
        self.precision = usize::try_from(precision).ok().map(|precision| precision.min(WIDEST));
    }

    pub(crate) fn is_float(&self) -> bool {
        b"fFeEgGaA".contains(&self.letter)
    }

    /// The bits of the integer that the conversion takes.
    pub(crate) fn integer_width(&self) -> u32 {
        match (self.letter, self.length) {
            (b'p' | b's' | b'n', _) | (_, Length::Long) => 64,
            _ => 32,
        }
    }

    /// Formats an integer, a character or a pointer.
    pub(crate) fn integer(&self, bits: u128, out: &mut Vec<u8>) {
        let (width, bits) = match self.length {
            Length::Char => (8, bits & 0xff),
            Length::Short => (16, bits & 0xffff),
            Length::Int | Length::LongDouble => (32, bits & 0xffff_ffff),
            Length::Long => (64, bits & u128::from(u64::MAX)),
        };
        match self.letter {
            b'c' => self.pad(&[], &[bits as u8], false, out),
            b'd' | b'i' => {
                let value = sign_extend(bits, width);
                let sign: &[u8] = match (value < 0, self.plus, self.space) {
                    (true, ..) => b"-",
                    (false, true, _) => b"+",
                    (false, false, true) => b" ",
                    _ => b"",
                };
                self.digits(sign, value.unsigned_abs().to_string().into_bytes(), out);
            }
            b'u' => self.digits(b"", bits.to_string().into_bytes(), out),
            b'x' | b'X' => {
                let digits = if self.letter == b'x' { format!("{bits:x}") } else { format!("{bits:X}") };
                let prefix: &[u8] = match (self.alternate && bits != 0, self.letter) {
                    (true, b'x') => b"0x",
                    (true, _) => b"0X",
                    _ => b"",
                };
                self.digits(prefix, digits.into_bytes(), out);
            }
            b'o' => {
                let mut digits = format!("{bits:o}").into_bytes();
                let short = self.precision.is_none_or(|precision| precision <= digits.len());
                if self.alternate && short && (bits != 0 || self.precision == Some(0)) {
                    digits.insert(0, b'0');
                    if bits == 0 {
                        digits.truncate(1);
                    }
                }
                self.digits(b"", digits, out);
            }
            b'p' => match bits {
                0 => self.pad(&[], b"(nil)", false, out),
                bits => self.digits(b"0x", format!("{bits:x}").into_bytes(), out),
            },
            _ => {}
        }
    }

    fn digits(&self, prefix: &[u8], mut digits: Vec<u8>, out: &mut Vec<u8>) {
        if let Some(precision) = self.precision {
            // Zero with precision zero has no digits at all.
            if precision == 0 && digits == b"0" && !(self.letter == b'o' && self.alternate) {
                digits.clear();
            }
            while digits.len() < precision {
                digits.insert(0, b'0');
            }
        }
        self.pad(prefix, &digits, self.zero && !self.left && self.precision.is_none(), out);
    }

    fn pad(&self, prefix: &[u8], body: &[u8], zeros: bool, out: &mut Vec<u8>) {
        let missing = self.width.saturating_sub(prefix.len() + body.len());
        if !self.left && !zeros {
            out.extend(std::iter::repeat_n(b' ', missing));
        }
        out.extend_from_slice(prefix);
        if !self.left && zeros {
            out.extend(std::iter::repeat_n(b'0', missing));
        }
        out.extend_from_slice(body);
        if self.left {
            out.extend(std::iter::repeat_n(b' ', missing));
        }
    }

    /// Formats a string: up to its end or the precision.
    pub(crate) fn text(&self, bytes: &[u8], out: &mut Vec<u8>) {
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        let end = end.min(self.precision.unwrap_or(usize::MAX));
        self.pad(&[], &bytes[..end], false, out);
    }

    /// Formats a floating-point number.
    pub(crate) fn float(&self, value: f64, out: &mut Vec<u8>) {
        if self.letter.eq_ignore_ascii_case(&b'a') && value.is_finite() {
            let (prefix, digits) = self.hexadecimal(value.abs());
            let prefix = [self.sign(value.is_sign_negative()), prefix].concat();
            let digits = if self.letter == b'A' { digits.to_uppercase() } else { digits };
            return self.pad(&prefix, digits.as_bytes(), self.zero && !self.left, out);
        }
        self.decimal(&value, out);
    }

    /// Formats a long double of the x87, but for `%La`.
    pub(crate) fn long_double(&self, bits: u128, out: &mut Vec<u8>) {
        self.decimal(&LongDouble(bits), out);
    }

    fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.plus, self.space) {
            (true, ..) => b"-",
            (false, true, _) => b"+",
            (false, false, true) => b" ",
            _ => b"",
        }
    }

    fn decimal(&self, magnitude: &dyn FloatText, out: &mut Vec<u8>) {
        let upper = self.letter.is_ascii_uppercase();
        let sign = self.sign(magnitude.is_negative());
        if !magnitude.is_finite() {
            let text = if magnitude.is_nan() { "nan" } else { "inf" };
            let text = if upper { text.to_uppercase() } else { text.to_string() };
            return self.pad(sign, text.as_bytes(), false, out);
        }
        let precision = self.precision.unwrap_or(6);
        let mut text = match self.letter.to_ascii_lowercase() {
            b'f' => self.fixed(magnitude, precision),
            b'e' => self.scientific(magnitude, precision),
            _ => self.general(magnitude, precision.max(1)),
        };
        if upper {
            text = text.to_uppercase();
        }
        self.pad(sign, text.as_bytes(), self.zero && !self.left, out);
    }

    fn fixed(&self, value: &dyn FloatText, precision: usize) -> String {
        let text = value.fixed(precision);
        if precision == 0 && self.alternate { text + "." } else { text }
    }

    fn scientific(&self, value: &dyn FloatText, precision: usize) -> String {
        let text = value.scientific(precision);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let point = if precision == 0 && self.alternate { "." } else { "" };
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}{point}e{sign}{:02}", exponent.abs())
    }

    /// `%a`: the prefix, and the digits as glibc normalises them.
    fn hexadecimal(&self, value: f64) -> (&'static [u8], String) {
        let prefix: &[u8] = if self.letter == b'A' { b"0X" } else { b"0x" };
        let bits = value.to_bits();
        let (mut mantissa, biased) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
        let mut leading = u64::from(biased != 0);
        let exponent = match (biased, mantissa) {
            (0, 0) => 0,
            (0, _) => -1022,
            (biased, _) => biased - 1023,
        };
        let mut digits = 13;
        if let Some(precision) = self.precision.filter(|precision| *precision < 13) {
            // Round half to even at that digit.
            let dropped = 4 * (13 - precision as u32);
            let whole = leading << 52 | mantissa;
            let (kept, rest, half) = (whole >> dropped, whole & ((1 << dropped) - 1), 1u64 << (dropped - 1));
            let rounded = kept + u64::from(rest > half || (rest == half && kept & 1 == 1));
            let whole = rounded << dropped;
            (leading, mantissa) = (whole >> 52, whole & ((1 << 52) - 1));
            digits = precision;
        }
        let mut fraction = format!("{mantissa:013x}");
        fraction.truncate(digits);
        match self.precision {
            None => fraction.truncate(fraction.trim_end_matches('0').len()),
            Some(precision) => fraction.extend(std::iter::repeat_n('0', precision.saturating_sub(13))),
        }
        let point = if fraction.is_empty() && !self.alternate { "" } else { "." };
        let sign = if exponent < 0 { '-' } else { '+' };
        (prefix, format!("{leading:x}{point}{fraction}p{sign}{}", exponent.abs()))
    }

    fn general(&self, value: &dyn FloatText, precision: usize) -> String {
        let scientific = value.scientific(precision - 1);
        let exponent: i32 = scientific.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
        let (text, tail) = if exponent < -4 || exponent >= precision as i32 {
            let text = self.scientific(value, precision - 1);
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, ""));
            (mantissa.to_string(), format!("e{exponent}"))
        } else {
            let digits = (precision as i32 - 1 - exponent).max(0) as usize;
            (self.fixed(value, digits), String::new())
        };
        let text = if !self.alternate && text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        } else {
            text
        };
        text + &tail
    }
}

/// Appends what a piece of output is under a model, which `evaluate` applies.
pub fn render(piece: &OutputPiece, out: &mut Vec<u8>, evaluate: &mut dyn FnMut(&Value) -> u128) {
    match piece {
        OutputPiece::Bytes(bytes) => out.extend_from_slice(bytes),
        OutputPiece::Byte(value) => out.push(evaluate(value) as u8),
        OutputPiece::Text { bytes, conversion } => {
            let bytes: Vec<u8> = bytes.iter().map(|byte| evaluate(byte) as u8).collect();
            conversion.text(&bytes, out);
        }
        OutputPiece::Number { value, conversion } => {
            let bits = evaluate(value);
            if conversion.is_float() && conversion.length == Length::LongDouble {
                conversion.long_double(bits, out);
            } else if conversion.is_float() {
                conversion.float(f64::from_bits(bits as u64), out);
            } else {
                conversion.integer(bits, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(format: &str) -> Conversion {
        match parse(format.as_bytes()).expect("a format").remove(0) {
            FormatPart::Conversion { conversion, .. } => conversion,
            FormatPart::Literal(_) => panic!("no conversion in {format}"),
        }
    }

    fn integer(format: &str, value: i64) -> String {
        let mut out = Vec::new();
        one(format).integer(value as u64 as u128, &mut out);
        String::from_utf8(out).expect("ASCII")
    }

    fn float(format: &str, value: f64) -> String {
        let mut out = Vec::new();
        one(format).float(value, &mut out);
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn integers_as_glibc_prints_them() {
        assert_eq!(integer("%5d", -42), "  -42");
        assert_eq!(integer("%-5d|", 42), "42   ");
        assert_eq!(integer("%05d", -42), "-0042");
        assert_eq!(integer("%+.3d", 7), "+007");
        assert_eq!(integer("%.0d", 0), "");
        assert_eq!(integer("%#x", 255), "0xff");
        assert_eq!(integer("%#08X", 255), "0X0000FF");
        assert_eq!(integer("%#o", 8), "010");
        assert_eq!(integer("%#o", 0), "0");
        assert_eq!(integer("%hhu", 511), "255");
        assert_eq!(integer("%ld", i64::MIN), "-9223372036854775808");
        assert_eq!(integer("%u", -1), "4294967295");
        assert_eq!(integer("%3c", 65), "  A");
        assert_eq!(integer("%p", 0), "(nil)");
    }

    #[test]
    fn floats_as_glibc_prints_them() {
        assert_eq!(float("%f", 1.5), "1.500000");
        assert_eq!(float("%.0f", 2.5), "2");
        assert_eq!(float("%#.0f", 2.5), "2.");
        assert_eq!(float("%8.2f", -9.994), "   -9.99");
        assert_eq!(float("%08.2f", -9.996), "-0010.00");
        assert_eq!(float("%e", 12345.678), "1.234568e+04");
        assert_eq!(float("%.0e", 5e-300), "5e-300");
        assert_eq!(float("%g", 100000.0), "100000");
        assert_eq!(float("%g", 1000000.0), "1e+06");
        assert_eq!(float("%g", 0.0001), "0.0001");
        assert_eq!(float("%g", 0.00001234), "1.234e-05");
        assert_eq!(float("%#g", 1.0), "1.00000");
        assert_eq!(float("%G", 1e-10), "1E-10");
        assert_eq!(float("%g", 0.0), "0");
        assert_eq!(float("%5.1f|", f64::INFINITY), "  inf");
        assert_eq!(float("%f", -0.0), "-0.000000");
        assert_eq!(float("%a", 1.0), "0x1p+0");
        assert_eq!(float("%a", -0.1), "-0x1.999999999999ap-4");
        assert_eq!(float("%A", 255.5), "0X1.FFP+7");
        assert_eq!(float("%a", 0.0), "0x0p+0");
        assert_eq!(float("%.1a", 1.97), "0x2.0p+0");
        assert_eq!(float("%.3a", 1.5), "0x1.800p+0");
        assert_eq!(float("%a", 5e-324), "0x0.0000000000001p-1022");
    }

    #[test]
    fn an_unknown_conversion_is_named() {
        assert_eq!(parse(b"%d %y"), Err("%y".to_string()));
        assert!(parse(b"100%").is_err());
    }
}
