//! Floating-point numbers as decimal digits, rounded to nearest and then to even, as glibc prints them.
//!
//! Rust formats doubles that way. A long double of the x87 is expanded in full: it is an integer, or an integer by a
//! power of ten.

/// What a format needs to know of a number.
pub(super) trait FloatText {
    fn is_negative(&self) -> bool;
    fn is_nan(&self) -> bool;
    fn is_finite(&self) -> bool;
    /// The magnitude with so many digits behind the point.
    fn fixed(&self, precision: usize) -> String;
    /// The magnitude as one digit, so many digits behind the point, `e` and the exponent.
    fn scientific(&self, precision: usize) -> String;
}

/// A double has no more digits behind the point: the others are zeros.
const EXACT_DIGITS: usize = 1100;

impl FloatText for f64 {
    fn is_negative(&self) -> bool {
        self.is_sign_negative()
    }
    fn is_nan(&self) -> bool {
        f64::is_nan(*self)
    }
    fn is_finite(&self) -> bool {
        f64::is_finite(*self)
    }
    fn fixed(&self, precision: usize) -> String {
        let exact = precision.min(EXACT_DIGITS);
        format!("{:.exact$}", self.abs()) + &"0".repeat(precision - exact)
    }
    fn scientific(&self, precision: usize) -> String {
        let exact = precision.min(EXACT_DIGITS);
        let text = format!("{:.exact$e}", self.abs());
        match text.split_once('e') {
            Some((digits, exponent)) => format!("{digits}{}e{exponent}", "0".repeat(precision - exact)),
            None => text,
        }
    }
}

/// A long double of the x87, by its 80 bits.
pub(super) struct LongDouble(pub(super) u128);

const BIAS: i32 = 16383;
const SIGNIFICAND_BITS: i32 = 63;
const NO_NUMBER: u32 = 0x7fff;
/// Digits are kept in words of so many.
const WORD_DIGITS: usize = 9;
const WORD: u64 = 1_000_000_000;

impl LongDouble {
    fn significand(&self) -> u64 {
        self.0 as u64
    }

    fn exponent_field(&self) -> u32 {
        (self.0 >> 64) as u32 & NO_NUMBER
    }

    /// The magnitude: its decimal digits, and how many of them are behind the point.
    fn digits(&self) -> (Vec<u8>, usize) {
        let exponent = self.exponent_field().max(1) as i32 - BIAS - SIGNIFICAND_BITS;
        let mut significand = self.significand();
        // Bits that are zero need no digits.
        let spare = if significand == 0 { 0 } else { significand.trailing_zeros() as i32 };
        let spare = if exponent < 0 { spare.min(-exponent) } else { 0 };
        significand >>= spare;
        let exponent = exponent + spare;
        let mut words = vec![significand % WORD, significand / WORD % WORD, significand / WORD / WORD];
        let (factor, times) = if exponent < 0 { (5, -exponent) } else { (2, exponent) };
        for _ in 0..times {
            multiply(&mut words, factor);
        }
        let mut text = String::new();
        for word in words.iter().rev() {
            text.push_str(&format!("{word:0WORD_DIGITS$}"));
        }
        (text.into_bytes(), if exponent < 0 { times as usize } else { 0 })
    }
}

fn multiply(words: &mut Vec<u64>, factor: u64) {
    let mut carry = 0;
    for word in words.iter_mut() {
        let product = *word * factor + carry;
        *word = product % WORD;
        carry = product / WORD;
    }
    if carry > 0 {
        words.push(carry);
    }
}

/// Leaves the last digits out, rounding what stays.
fn round(digits: &mut Vec<u8>, dropped: usize) {
    if dropped == 0 {
        return;
    }
    // One digit more in front, should rounding carry over; and enough of them to drop.
    let missing = dropped.saturating_sub(digits.len()) + 1;
    digits.splice(0..0, std::iter::repeat_n(b'0', missing));
    let rest = digits.split_off(digits.len() - dropped);
    let even = digits.last().is_none_or(|digit| digit % 2 == 0);
    let half = rest[0] == b'5' && rest[1..].iter().all(|&digit| digit == b'0');
    if rest[0] < b'5' || (half && even) {
        return;
    }
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return;
        }
        *digit = b'0';
    }
}

/// Digits as text.
fn text(digits: &[u8]) -> String {
    String::from_utf8_lossy(digits).into_owned()
}

impl FloatText for LongDouble {
    fn is_negative(&self) -> bool {
        self.0 >> 79 & 1 == 1
    }
    fn is_nan(&self) -> bool {
        self.exponent_field() == NO_NUMBER && self.significand() << 1 != 0
    }
    fn is_finite(&self) -> bool {
        self.exponent_field() != NO_NUMBER
    }

    fn fixed(&self, precision: usize) -> String {
        let (mut digits, scale) = self.digits();
        if precision < scale {
            round(&mut digits, scale - precision);
        } else {
            digits.extend(std::iter::repeat_n(b'0', precision - scale));
        }
        if digits.len() <= precision {
            digits.splice(0..0, std::iter::repeat_n(b'0', precision + 1 - digits.len()));
        }
        let fraction = digits.split_off(digits.len() - precision);
        let leading = digits.iter().take_while(|&&digit| digit == b'0').count().min(digits.len() - 1);
        let point = if precision == 0 { "" } else { "." };
        format!("{}{point}{}", text(&digits[leading..]), text(&fraction))
    }

    fn scientific(&self, precision: usize) -> String {
        let (digits, scale) = self.digits();
        let Some(first) = digits.iter().position(|&digit| digit != b'0') else {
            let point = if precision == 0 { "" } else { "." };
            return format!("0{point}{}e0", "0".repeat(precision));
        };
        let mut kept = digits[first..].to_vec();
        let mut exponent = kept.len() as i64 - 1 - scale as i64;
        if kept.len() > precision + 1 {
            let dropped = kept.len() - precision - 1;
            round(&mut kept, dropped);
            match kept.first() {
                // Rounding did not carry over.
                Some(b'0') => drop(kept.remove(0)),
                _ => {
                    exponent += 1;
                    kept.pop();
                }
            }
        }
        kept.resize(precision + 1, b'0');
        let point = if precision == 0 { "" } else { "." };
        format!("{}{point}{}e{exponent}", kept[0] as char, text(&kept[1..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The long double that a double is.
    fn wide(value: f64) -> LongDouble {
        if value == 0.0 {
            return LongDouble(u128::from(value.is_sign_negative()) << 79);
        }
        let bits = value.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32 - 1023 + BIAS;
        let significand = 1 << 63 | (bits & ((1 << 52) - 1)) << 11;
        LongDouble(u128::from(bits >> 63) << 79 | (exponent as u128) << 64 | significand as u128)
    }

    #[test]
    fn a_long_double_that_is_a_double_has_its_digits() {
        let values =
            [0.0, 1.0, 0.5, 2.5, 3.5, 0.125, 9.995, 99.5, 1e22, 1e-7, 123456.789, 9.999999e9, 4e300, 3e-300];
        for value in values {
            for precision in 0..25 {
                assert_eq!(
                    wide(value).fixed(precision),
                    FloatText::fixed(&value, precision),
                    "{value} {precision}"
                );
                let (ours, theirs) =
                    (wide(value).scientific(precision), FloatText::scientific(&value, precision));
                assert_eq!(ours, theirs, "{value} {precision}");
            }
        }
    }

    #[test]
    fn precisions_beyond_all_digits_add_zeros() {
        let (fixed, scientific) = (FloatText::fixed(&0.1, 70_000), FloatText::scientific(&0.1, 70_000));
        assert!(fixed.starts_with("0.1000000000000000055511") && fixed.ends_with("00"));
        assert!(scientific.starts_with("1.000000000000000055511") && scientific.ends_with("00e-1"));
        assert_eq!((fixed.len(), scientific.len()), (70_002, 70_005));
        let smallest = f64::from_bits(1);
        assert!(FloatText::fixed(&smallest, EXACT_DIGITS).ends_with('0'));
    }

    #[test]
    fn digits_beyond_a_double_are_there() {
        // 0.1L as the x87 has it.
        let tenth = LongDouble(0x3ffb_cccc_cccc_cccc_cccd);
        assert_eq!(tenth.fixed(25), "0.1000000000000000000013553");
        assert_eq!(tenth.scientific(3), "1.000e-1");
        assert_eq!(LongDouble(0x403e_ffff_ffff_ffff_ffff).fixed(0), "18446744073709551615");
        assert!(
            !LongDouble(0x7fff_8000_0000_0000_0000).is_finite()
                && !LongDouble(0x7fff_8000_0000_0000_0000).is_nan()
        );
        assert!(
            LongDouble(0xffff_c000_0000_0000_0000).is_nan()
                && LongDouble(0xffff_c000_0000_0000_0000).is_negative()
        );
    }
}
