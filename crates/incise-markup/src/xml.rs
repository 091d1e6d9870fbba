//! Texts in XML, and in HTML, which takes the same.

use crate::visible;

/// A text between tags, or in an attribute between double or single quotes. XML cannot hold most control characters at
/// all, not even escaped: they are shown as C writes them.
pub fn text(text: &str) -> String {
    let shown = visible(text);
    let mut result = String::with_capacity(shown.len());
    for character in shown.chars() {
        match character {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            '\'' => result.push_str("&#39;"),
            other => result.push(other),
        }
    }
    result
}

/// A text in an attribute whose ends of lines and tabs matter: otherwise they would be read as blanks.
pub fn attribute(text: &str) -> String {
    self::text(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_text_before_its_end() {
        assert_eq!(
            text("</script><b a='1' c=\"2\">&amp;"),
            "&lt;/script&gt;&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;"
        );
        assert_eq!(text("]]>\0\u{fffe}"), "]]&gt;\\x00\\u{fffe}");
        assert_eq!(attribute("a\n\tb\r"), "a&#10;&#9;b\\x0d");
    }
}
