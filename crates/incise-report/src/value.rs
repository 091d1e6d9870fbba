//! Values as the source sees them, and how people read them.

use serde::{Deserialize, Serialize};

/// How many elements of an array people are shown.
const SHOWN_ELEMENTS: usize = 64;

/// A value as the source sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Value {
    /// A signed integer.
    Signed(i128),
    /// An unsigned integer.
    Unsigned(u128),
    /// A `char`: its byte.
    Character(u8),
    /// `_Bool`.
    Boolean(bool),
    /// A floating-point number.
    Float(FloatFormat, u128),
    /// A pointer: null, or what it points to.
    Pointer(Option<String>),
    /// An enumerator: its name, if it has one, and its value.
    Enumerator(Option<String>, i128),
    /// Members with their names.
    Struct(Vec<(String, Value)>),
    /// Elements.
    Array(Vec<Value>),
    /// An array of `char`.
    Text(Vec<u8>),
    /// Bytes without a type.
    Bytes(Vec<u8>),
}

/// How the bits of a floating-point number are read.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FloatFormat {
    /// IEEE 16 bits.
    Half,
    /// Brain float.
    BFloat,
    /// IEEE 32 bits.
    Single,
    /// IEEE 64 bits.
    Double,
    /// The 80 bits of the x87.
    X87,
    /// IEEE 128 bits.
    Quad,
}

impl FloatFormat {
    /// The stable name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::BFloat => "bfloat",
            Self::Single => "float",
            Self::Double => "double",
            Self::X87 => "x87",
            Self::Quad => "quad",
        }
    }

    /// Exponent bits, stored fraction bits, and whether the leading one is stored.
    fn shape(self) -> (u32, u32, bool) {
        match self {
            Self::Half => (5, 10, false),
            Self::BFloat => (8, 7, false),
            Self::Single => (8, 23, false),
            Self::Double => (11, 52, false),
            Self::X87 => (15, 63, true),
            Self::Quad => (15, 112, false),
        }
    }

    /// The number as a `double`, and whether that is exact. A NaN is not.
    pub fn to_double(self, bits: u128) -> (f64, bool) {
        match self {
            Self::Double => return (f64::from_bits(bits as u64), !f64::from_bits(bits as u64).is_nan()),
            Self::Single => {
                let number = f64::from(f32::from_bits(bits as u32));
                return (number, !number.is_nan());
            }
            _ => {}
        }
        let (exponent_bits, fraction_bits, explicit) = self.shape();
        let leading = u32::from(explicit);
        let negative = bits >> (exponent_bits + fraction_bits + leading) & 1 == 1;
        let exponent = (bits >> (fraction_bits + leading) & ((1 << exponent_bits) - 1)) as i32;
        let fraction = bits & ((1u128 << fraction_bits) - 1);
        let bias = (1 << (exponent_bits - 1)) - 1;
        let sign = if negative { -1.0 } else { 1.0 };
        if exponent == (1 << exponent_bits) - 1 {
            return if fraction == 0 { (sign * f64::INFINITY, true) } else { (f64::NAN, false) };
        }
        let whole = if explicit {
            bits & ((1u128 << (fraction_bits + 1)) - 1)
        } else if exponent == 0 {
            fraction
        } else {
            fraction | 1u128 << fraction_bits
        };
        let scale = exponent.max(1) - bias - fraction_bits as i32;
        // Two steps, since 2^scale alone may be outside of a double although the product is inside.
        let number = sign * whole as f64 * 2f64.powi(scale / 2) * 2f64.powi(scale - scale / 2);
        let trailing = if whole == 0 { 0 } else { whole.trailing_zeros() };
        let significant = 128 - whole.leading_zeros();
        let exact =
            significant.saturating_sub(trailing) <= 53 && (-1022..=1023).contains(&(exponent.max(1) - bias));
        (number, whole == 0 || exact)
    }

    /// The number as people write it.
    pub fn text(self, bits: u128) -> String {
        let (number, exact) = self.to_double(bits);
        if number.is_nan() {
            return format!("NaN (bits {bits:#x})");
        }
        match (self, exact) {
            (Self::Single, _) => format!("{:?}", f32::from_bits(bits as u32)),
            (_, true) => format!("{number:?}"),
            (_, false) => format!("about {number:?} (bits {bits:#x})"),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Signed(number) => write!(f, "{number}"),
            Self::Unsigned(number) => write!(f, "{number}"),
            Self::Character(byte) => f.write_str(&character_text(*byte)),
            Self::Boolean(truth) => write!(f, "{truth}"),
            Self::Float(format, bits) => f.write_str(&format.text(*bits)),
            Self::Pointer(None) => f.write_str("NULL"),
            // A string literal is its own address.
            Self::Pointer(Some(target)) if target.starts_with('"') => f.write_str(target),
            Self::Pointer(Some(target)) => write!(f, "&{target}"),
            Self::Enumerator(Some(name), _) => f.write_str(name),
            Self::Enumerator(None, number) => write!(f, "{number}"),
            Self::Struct(members) => write_list(f, members.len(), |f, index| {
                write!(f, ".{} = {}", members[index].0, members[index].1)
            }),
            Self::Array(elements) => {
                write_list(f, elements.len(), |f, index| write!(f, "{}", elements[index]))
            }
            Self::Text(bytes) => f.write_str(&quoted(bytes)),
            Self::Bytes(bytes) => write_list(f, bytes.len(), |f, index| write!(f, "{:#04x}", bytes[index])),
        }
    }
}

fn write_list(
    f: &mut std::fmt::Formatter<'_>,
    count: usize,
    element: impl Fn(&mut std::fmt::Formatter<'_>, usize) -> std::fmt::Result,
) -> std::fmt::Result {
    f.write_str("{")?;
    for index in 0..count.min(SHOWN_ELEMENTS) {
        f.write_str(if index == 0 { "" } else { ", " })?;
        element(f, index)?;
    }
    if count > SHOWN_ELEMENTS {
        write!(f, ", ... {} more", count - SHOWN_ELEMENTS)?;
    }
    f.write_str("}")
}

/// A byte as a C character where it has a printable one, else as the number that a `char` of that byte is.
fn character_text(byte: u8) -> String {
    match byte {
        b'\'' | b'\\' => format!("'\\{}'", byte as char),
        b'\n' => "'\\n'".to_owned(),
        b'\t' => "'\\t'".to_owned(),
        b' '..=b'~' => format!("'{}'", byte as char),
        _ => format!("{}", byte as i8),
    }
}

/// Bytes as a C string literal that stands for them exactly; trailing zeros are written out once with a count.
fn quoted(bytes: &[u8]) -> String {
    let shown = bytes.len() - bytes.iter().rev().take_while(|&&byte| byte == 0).count();
    let zeros = bytes.len() - shown;
    let mut text = c_string(&bytes[..shown]);
    // A literal ends in one zero byte by itself.
    if zeros > 1 {
        text.push_str(&format!(" (and {zeros} zero bytes)"));
    } else if zeros == 0 {
        text.push_str(" (not terminated)");
    }
    text
}

/// Bytes as a C string literal, without the zero that C adds at its end.
pub fn c_string(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 2);
    text.push('"');
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => {
                text.push('\\');
                text.push(byte as char);
            }
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            // A question mark is escaped so that no trigraph arises.
            b'?' => text.push_str("\\?"),
            b' '..=b'~' => text.push(byte as char),
            // Three octal digits end by themselves; a hexadecimal escape would swallow a following digit.
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_agree_with_the_host_where_it_has_them() {
        for number in [0.0f32, -0.0, 1.0, -2.5, f32::MAX, f32::MIN_POSITIVE, 1e-45] {
            let brain_or_half = FloatFormat::Single.to_double(u128::from(number.to_bits()));
            assert_eq!(brain_or_half, (f64::from(number), true));
        }
        assert_eq!(FloatFormat::Half.to_double(0x3c00), (1.0, true));
        assert_eq!(FloatFormat::Half.to_double(0xc500), (-5.0, true));
        assert_eq!(FloatFormat::Half.to_double(0x0001), (2f64.powi(-24), true));
        assert_eq!(FloatFormat::BFloat.to_double(0x4049), (3.140625, true));
        assert_eq!(FloatFormat::Half.to_double(0xfc00), (f64::NEG_INFINITY, true));
    }

    #[test]
    fn long_double_has_its_leading_one_stored() {
        assert_eq!(FloatFormat::X87.to_double(0x3fff_8000_0000_0000_0000), (1.0, true));
        assert_eq!(FloatFormat::X87.to_double(0xc000_c000_0000_0000_0000), (-3.0, true));
        let (third, exact) = FloatFormat::X87.to_double(0x3ffd_aaaa_aaaa_aaaa_aaab);
        assert!((third - 1.0 / 3.0).abs() < 1e-15 && !exact);
        assert_eq!(FloatFormat::Quad.to_double(0x4000u128 << 112), (2.0, true));
    }

    #[test]
    fn values_read_as_c() {
        let value = Value::Struct(vec![
            ("next".to_owned(), Value::Pointer(None)),
            ("key".to_owned(), Value::Array(vec![Value::Signed(-1), Value::Character(b'x')])),
        ]);
        assert_eq!(value.to_string(), "{.next = NULL, .key = {-1, 'x'}}");
        assert_eq!(Value::Character(0x80).to_string(), "-128");
        assert_eq!(Value::Text(b"a\"\n\x01\0".to_vec()).to_string(), r#""a\"\n\001""#);
        assert_eq!(Value::Text(b"ab".to_vec()).to_string(), r#""ab" (not terminated)"#);
        assert_eq!(Value::Text(b"\0\0\0".to_vec()).to_string(), r#""" (and 3 zero bytes)"#);
    }
}
