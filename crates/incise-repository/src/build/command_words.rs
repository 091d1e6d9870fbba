//! Words of a command as the shell splits them, and as compilers split the files that hold more of them.

/// The words of a command, as the shell takes them: blanks, both kinds of quotes, backslashes. Nothing is expanded.
/// `None` if a quote does not end.
pub fn shell_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        other => word.push(other),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        // Elsewhere between these quotes a backslash is a backslash.
                        '\\' if characters.peek().is_some_and(|next| "\\\"$`\n".contains(*next)) => {
                            word.extend(characters.next().filter(|next| *next != '\n'));
                        }
                        other => word.push(other),
                    }
                }
            }
            '\\' => match characters.next()? {
                '\n' => {}
                other => word.get_or_insert_default().push(other),
            },
            blank if blank.is_ascii_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

/// The words of a response file, as gcc and clang take them: both kinds of quotes, and a backslash takes the next
/// character as it is, wherever it stands.
pub(crate) fn response_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (_, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_ascii_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_shell() {
        let text = r#"cc -DA='a b' -DS=\"x\" "-DT=\"a\\b\"" -D'Q=it'\''s' "" -DB="\n" a\ b.c"#;
        let expected = ["cc", "-DA=a b", "-DS=\"x\"", "-DT=\"a\\b\"", "-DQ=it's", "", "-DB=\\n", "a b.c"];
        assert_eq!(shell_words(text).expect("quotes end"), expected);
        assert_eq!(shell_words("cc 'open"), None);
        assert_eq!(shell_words("cc trailing\\"), None);
        assert_eq!(shell_words("  ").expect("nothing"), [""; 0]);
    }

    #[test]
    fn words_of_response_files_are_those_of_compilers() {
        assert_eq!(response_words("-DA=\"a b\"\n'-DS=\\\"x\\\"' a\\ b.c"), ["-DA=a b", "-DS=\"x\"", "a b.c"]);
    }
}
