//! Characters that nobody sees, or that turn around what one sees.

use std::fmt::Write as _;

/// A text in which each character that is not seen, or that changes how others are seen, stands as its number. Tabs and
/// ends of lines are left.
pub fn visible(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for each in text.chars() {
        match each {
            '\n' | '\t' => result.push(each),
            each if is_hidden(each) => {
                // Writing to memory does not fail.
                let _ = match u32::from(each) {
                    number @ 0..=0xff => write!(result, "\\x{number:02x}"),
                    number => write!(result, "\\u{{{number:x}}}"),
                };
            }
            each => result.push(each),
        }
    }
    result
}

/// Controls, marks of direction, what has no width, and what is no character.
fn is_hidden(each: char) -> bool {
    each.is_control()
        || matches!(each,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
        || u32::from(each) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_stands_as_its_number() {
        assert_eq!(visible("a\tb\nc é 漢 🙂"), "a\tb\nc é 漢 🙂");
        assert_eq!(visible("\0\r\u{1b}[0m\u{7f}\u{85}"), "\\x00\\x0d\\x1b[0m\\x7f\\x85");
        assert_eq!(
            visible("if (\u{202e}x\u{2066})\u{feff}\u{ffff}"),
            "if (\\u{202e}x\\u{2066})\\u{feff}\\u{ffff}"
        );
    }
}
