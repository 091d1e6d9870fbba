//! Texts in Markdown as GitHub and GitLab show it. What others wrote stands in code: nothing in there is a link, a
//! picture, a mention of a person or a tag.

use crate::visible;

/// A text as code in a line. Ends of lines become blanks.
pub fn code(text: &str) -> String {
    let shown = in_a_line(text);
    if shown.trim().is_empty() {
        return "` `".to_owned();
    }
    let fence = "`".repeat(longest_run(&shown) + 1);
    // A blank at both ends is taken away again, and keeps backquotes of the text from those of the fence.
    let pad = if shown.starts_with(['`', ' ']) || shown.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{shown}{pad}{fence}")
}

/// A text without ends of lines.
fn in_a_line(text: &str) -> String {
    visible(text).replace(['\n', '\t'], " ")
}

/// As many backquotes stand together.
fn longest_run(text: &str) -> usize {
    text.split(|each| each != '`').map(str::len).max().unwrap_or_default()
}

/// The same in a cell of a table, where a bar would end it even in code.
pub fn code_cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// Our own words with something of others among them, in a line: nothing in it is markup.
pub fn words(text: &str) -> String {
    let shown = in_a_line(text);
    let mut result = String::with_capacity(shown.len());
    for each in shown.chars() {
        match each {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            // Between these a name would be a mention, and a number a link to an issue.
            '@' | '#' | '!' | '$' | '%' => {
                result.push_str(&format!("&#{};", u32::from(each)));
            }
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' => {
                result.push('\\');
                result.push(each);
            }
            // At the beginning these make lists and headings.
            '+' | '-' | '=' if result.is_empty() => {
                result.push('\\');
                result.push(each);
            }
            // A full stop behind a number begins a list, and one in `www.` a link.
            '.' if result.ends_with(|before: char| before.is_ascii_digit()) || result.ends_with("www") => {
                result.push_str("\\.");
            }
            ':' if result.ends_with(|before: char| before.is_ascii_alphanumeric()) => {
                result.push_str("&#58;")
            }
            other => result.push(other),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_holds_any_backquotes() {
        assert_eq!(code("x"), "`x`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("a\nb\0"), "`a b\\x00`");
        assert_eq!(code(""), "` `");
        assert_eq!(code_cell("a|b"), "`a\\|b`");
    }

    #[test]
    fn words_are_no_markup() {
        assert_eq!(words("<img src=x> @all #1"), "&lt;img src=x&gt; &#64;all &#35;1");
        assert_eq!(words("http://x"), "http&#58;//x");
        assert_eq!((words("1. a"), words("- a")), ("1\\. a".to_owned(), "\\- a".to_owned()));
        assert_eq!(words("a.c has *b*"), "a.c has \\*b\\*");
    }
}
