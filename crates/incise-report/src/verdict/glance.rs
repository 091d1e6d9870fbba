//! Values at a glance, for a line of a witness: cut where they are long, and without members and elements that are
//! zero where all of them would not fit. What is left out of an initialiser in C is zero, so that this is still what
//! it says.

use crate::{Value, c_string};

/// How much of a value is shown.
const SHOWN_VALUE: usize = 60;
/// How many members or elements of a value are shown.
const SHOWN_ELEMENTS: usize = 8;

/// A value for a line that has others in it.
pub(super) fn short(value: &Value) -> String {
    let text = readable(value);
    if whole(value) && text.chars().count() <= SHOWN_VALUE {
        return text;
    }
    let sparse = without_zeros(value);
    match value {
        Value::Struct(_) => cut(&sparse),
        _ if sparse.chars().count() <= SHOWN_VALUE => sparse,
        _ => cut(&text),
    }
}

/// The beginning of what was written.
pub(super) fn output(bytes: &[u8]) -> String {
    match bytes.len() > SHOWN_VALUE {
        true => format!("{}...", c_string(&bytes[..SHOWN_VALUE])),
        false => c_string(bytes),
    }
}

/// Text without what follows its end, and all NaNs are one. Values nest only as deep as types do.
fn readable(value: &Value) -> String {
    match value {
        Value::Float(format, bits) if format.to_double(*bits).0.is_nan() => "NaN".to_owned(),
        Value::Text(bytes) => {
            let zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
            c_string(&bytes[..bytes.len() - zeros])
        }
        Value::Struct(members) => {
            let shown = members.iter().take(SHOWN_ELEMENTS);
            list(
                shown.map(|(name, member)| format!(".{name} = {}", readable(member))).collect(),
                members.len(),
            )
        }
        Value::Array(elements) => {
            list(elements.iter().take(SHOWN_ELEMENTS).map(readable).collect(), elements.len())
        }
        other => other.to_string(),
    }
}

/// The same with what is not zero, each with its name or number.
fn without_zeros(value: &Value) -> String {
    match value {
        Value::Struct(members) => {
            let told: Vec<String> = members
                .iter()
                .filter(|(_, member)| !is_zero(member))
                .map(|(name, member)| format!(".{name} = {}", without_zeros(member)))
                .collect();
            initialiser(told)
        }
        Value::Array(elements) if elements.iter().any(is_zero) || !whole(value) => {
            let told: Vec<String> = elements
                .iter()
                .enumerate()
                .filter(|(_, element)| !is_zero(element))
                .map(|(index, element)| format!("[{index}] = {}", without_zeros(element)))
                .collect();
            initialiser(told)
        }
        Value::Array(elements) => list(elements.iter().map(without_zeros).collect(), elements.len()),
        other => readable(other),
    }
}

fn initialiser(told: Vec<String>) -> String {
    match told.as_slice() {
        [] => "{0}".to_owned(),
        all => list(all[..all.len().min(SHOWN_ELEMENTS)].to_vec(), all.len()),
    }
}

fn list(parts: Vec<String>, all: usize) -> String {
    match all.checked_sub(parts.len()) {
        None | Some(0) => format!("{{{}}}", parts.join(", ")),
        Some(more) => format!("{{{}, ... {more} more}}", parts.join(", ")),
    }
}

/// Whether nothing of a value is left out for its number of members or elements.
fn whole(value: &Value) -> bool {
    match value {
        Value::Struct(members) => {
            members.len() <= SHOWN_ELEMENTS && members.iter().all(|(_, member)| whole(member))
        }
        Value::Array(elements) => elements.len() <= SHOWN_ELEMENTS && elements.iter().all(whole),
        _ => true,
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Signed(number) | Value::Enumerator(_, number) => *number == 0,
        Value::Unsigned(number) => *number == 0,
        Value::Character(byte) => *byte == 0,
        Value::Boolean(truth) => !truth,
        Value::Float(_, bits) => *bits == 0,
        Value::Pointer(target) => target.is_none(),
        Value::Struct(members) => members.iter().all(|(_, member)| is_zero(member)),
        Value::Array(elements) => elements.iter().all(is_zero),
        Value::Text(bytes) | Value::Bytes(bytes) => bytes.iter().all(|&byte| byte == 0),
    }
}

/// A text, or its beginning.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN_VALUE) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}...", &text[..at]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: u128) -> Value {
        let next = Value::Pointer(None);
        let members = [("identifier", Value::Unsigned(id)), ("flags", Value::Unsigned(0)), ("next", next)];
        Value::Struct(members.map(|(name, value)| (name.to_owned(), value)).to_vec())
    }

    #[test]
    fn what_fits_is_shown_whole() {
        assert_eq!(short(&item(0)), "{.identifier = 0, .flags = 0, .next = NULL}");
    }

    #[test]
    fn members_behind_a_long_array_of_zeros_are_shown() {
        let pool = |third| Value::Array(vec![item(0), item(0), item(third), item(0)]);
        let queue = |third, used| {
            Value::Struct(vec![("pool".to_owned(), pool(third)), ("used".to_owned(), Value::Unsigned(used))])
        };
        assert_eq!(short(&queue(0, 8)), "{.used = 8}");
        assert_eq!(short(&queue(7, 8)), "{.pool = {[2] = {.identifier = 7}}, .used = 8}");
        assert_eq!(short(&queue(0, 0)), "{0}");
    }

    #[test]
    fn an_element_behind_many_zeros_is_shown() {
        let numbers = |last| {
            let mut numbers = vec![Value::Unsigned(0); 12];
            numbers[11] = Value::Unsigned(last);
            Value::Array(numbers)
        };
        assert_eq!(short(&numbers(5)), "{[11] = 5}");
        assert_eq!(short(&numbers(0)), "{0}");
        let many = Value::Array((1..=40).map(Value::Unsigned).collect());
        assert_eq!(short(&many), "{1, 2, 3, 4, 5, 6, 7, 8, ... 32 more}");
    }
}
