//! Takes places in the source out of what a suite keeps: they move with every edit, and name folders of one machine.

use incise_report::Value;

/// Before the place of a heap object, in the names that the engine gives them.
const ALLOCATED: &str = " allocated at ";

/// A text without the places of heap objects.
pub(super) fn text(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(ALLOCATED) {
        result.push_str(&rest[..at]);
        rest = after_place(&rest[at + ALLOCATED.len()..]);
    }
    result.push_str(rest);
    result
}

/// What follows a file and a line.
fn after_place(text: &str) -> &str {
    let mut from = 0;
    while let Some(colon) = text[from..].find(':') {
        let digits = &text[from + colon + 1..];
        let end = digits.find(|each: char| !each.is_ascii_digit()).unwrap_or(digits.len());
        if end > 0 {
            return &digits[end..];
        }
        from += colon + 1;
    }
    ""
}

/// Takes them out of a value. Values nest only as deep as types do.
pub(super) fn value(of: &mut Value) {
    match of {
        Value::Pointer(Some(target)) => *target = text(target),
        Value::Struct(members) => members.iter_mut().for_each(|(_, member)| value(member)),
        Value::Array(elements) => elements.iter_mut().for_each(value),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_go_and_the_rest_stays() {
        assert_eq!(
            text("read behind 8 bytes allocated at /home/me/a.c:12, by 4"),
            "read behind 8 bytes, by 4"
        );
        assert_eq!(
            text("4 bytes allocated at a:b.c:3 and 5 bytes allocated at x.c:4"),
            "4 bytes and 5 bytes"
        );
        assert_eq!(text("assertion 'x' fails"), "assertion 'x' fails");
        let mut pointers =
            Value::Array(vec![Value::Pointer(Some("8 bytes allocated at a.c:1+4".to_owned()))]);
        value(&mut pointers);
        assert_eq!(pointers, Value::Array(vec![Value::Pointer(Some("8 bytes+4".to_owned()))]));
    }
}
