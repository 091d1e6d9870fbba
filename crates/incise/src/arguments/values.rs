//! Names and values in options: `NAME=VALUE`, numbers as C writes them.

pub(crate) fn name_and_value(text: &str) -> Result<(&str, &str), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim(), value.trim())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

pub(super) fn parse_array(text: &str) -> Result<(String, u64), String> {
    let (name, count) = name_and_value(text)?;
    let count = count.parse().map_err(|_| format!("{count:?} is not a number of elements"))?;
    Ok((name.to_owned(), count))
}

/// As many bytes an input may have that a path looks at one by one.
const LONGEST: u32 = 1 << 20;

pub(super) fn parse_length(count: &str) -> Result<u32, String> {
    let length = count.parse().ok().filter(|&length| length <= LONGEST);
    length.ok_or_else(|| format!("{count:?} is not a number of bytes up to {LONGEST}"))
}

pub(super) fn parse_file(text: &str) -> Result<(String, u32), String> {
    let (name, count) = name_and_value(text)?;
    let plain = name.bytes().all(|byte| (b' '..=b'~').contains(&byte) && byte != b'/');
    if !plain || matches!(name, "." | "..") {
        return Err(format!("{name:?} is not the name of a file in the folder where the program runs"));
    }
    Ok((name.to_owned(), parse_length(count)?))
}

/// How many there are: so many, or any number from one to another.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Number {
    pub(crate) least: u32,
    pub(crate) most: u32,
}

/// As many arguments a program may be given that a path may miss one by one.
const MOST_ARGUMENTS: u32 = 1 << 20;

pub(super) fn parse_number(text: &str) -> Result<Number, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.parse().ok().filter(|&number: &u32| number <= MOST_ARGUMENTS);
    match (number(least), number(most)) {
        (Some(least), Some(most)) if least <= most => Ok(Number { least, most }),
        _ => Err(format!("{text:?} is no number and no range of numbers such as 0..2")),
    }
}

pub(super) fn parse_variable(text: &str) -> Result<(String, u32), String> {
    let (name, count) = name_and_value(text)?;
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !plain {
        return Err(format!("{name:?} is not the name of an environment variable"));
    }
    Ok((name.to_owned(), parse_length(count)?))
}

pub(super) fn parse_concrete(text: &str) -> Result<(String, i128), String> {
    let (name, value) = name_and_value(text)?;
    let number = parse_integer(value)
        .ok_or_else(|| format!("{value:?} is no integer; write it as 42, -1, 0x2a or 'a'"))?;
    Ok((name.to_owned(), number))
}

/// An integer in C's notations: decimal, hexadecimal, octal, or a character.
pub(crate) fn parse_integer(text: &str) -> Option<i128> {
    if let Some(character) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let mut characters = character.chars();
        return match (characters.next(), characters.next()) {
            (Some(only), None) => Some(i128::from(u32::from(only))),
            _ => None,
        };
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    // Rust would take another sign.
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let lower = digits.to_ascii_lowercase();
    let number = if let Some(hexadecimal) = lower.strip_prefix("0x") {
        i128::from_str_radix(hexadecimal, 16).ok()?
    } else if lower.len() > 1 && lower.starts_with('0') {
        i128::from_str_radix(&lower[1..], 8).ok()?
    } else {
        lower.parse().ok()?
    };
    Some(if negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_as_c_writes_them() {
        let cases = [("42", 42), ("-1", -1), ("0x2A", 42), ("-0x10", -16), ("010", 8), ("0", 0), ("'a'", 97)];
        for (text, number) in cases {
            assert_eq!(parse_integer(text), Some(number), "{text}");
        }
        for text in ["", "x", "1.5", "0x", "09", "''", "'ab'", "--1"] {
            assert_eq!(parse_integer(text), None, "{text}");
        }
    }
}
