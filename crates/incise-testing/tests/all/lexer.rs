//! Just enough of Rust's syntax to tell code, literals and comments apart, and to leave out what is compiled for tests
//! only.

use std::path::{Path, PathBuf};

/// One file of a crate.
pub(crate) struct Source {
    /// Its path below `crates/`.
    pub(crate) name: String,
    /// The code, line by line, without comments and with empty literals.
    pub(crate) code: Vec<String>,
    /// The literals, with their lines.
    pub(crate) literals: Vec<(usize, String)>,
}

/// The folder of all crates.
pub(crate) fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it is beside the others").to_owned()
}

/// The names of all crates.
pub(crate) fn crate_names() -> Vec<String> {
    let entries = crates().read_dir().expect("the crates are there");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| crates().join(name).join("Cargo.toml").exists())
        .collect();
    names.sort();
    names
}

/// The files of a crate that are shipped.
pub(crate) fn sources(name: &str) -> Vec<Source> {
    let mut found = Vec::new();
    let mut folders = vec![crates().join(name).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
            if path.is_dir() && !is_test {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
                let text = std::fs::read_to_string(&path).expect("a source");
                let name = path.strip_prefix(crates()).expect("it is there").display().to_string();
                found.push(Source::new(name, &text));
            }
        }
    }
    found.sort_by(|left, right| left.name.cmp(&right.name));
    found
}

impl Source {
    pub(crate) fn new(name: String, text: &str) -> Self {
        let (code, literals) = split(text);
        let mut code: Vec<String> = code.lines().map(str::to_owned).collect();
        // Tests stand at the end of a file.
        let end = code.windows(2).position(|pair| {
            pair[0].trim() == "#[cfg(test)]"
                && pair[1].trim_start().starts_with("mod ")
                && pair[1].contains('{')
        });
        let end = end.unwrap_or(code.len());
        code.truncate(end);
        let literals = literals.into_iter().filter(|(line, _)| *line <= end).collect();
        Self { name, code, literals }
    }

    /// The places of code in which one of these words stands, as whole words.
    pub(crate) fn mentions(&self, words: &[&str]) -> Vec<String> {
        let lines = self.code.iter().enumerate();
        let found = lines.filter(|(_, line)| words.iter().any(|word| has_word(line, word)));
        found.map(|(number, line)| format!("{}:{}: {}", self.name, number + 1, line.trim())).collect()
    }
}

fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        let goes_on = word.ends_with(is_part) && after.chars().next().is_some_and(is_part);
        !goes_on && !before.chars().next_back().is_some_and(is_part)
    })
}

/// The text without comments and with empty literals, and the literals.
fn split(text: &str) -> (String, Vec<(usize, String)>) {
    let chars: Vec<char> = text.chars().collect();
    let (mut code, mut literals) = (String::new(), Vec::new());
    let mut line = 1;
    let mut at = 0;
    while at < chars.len() {
        let start = at;
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('/')) => {
                while at < chars.len() && chars[at] != '\n' {
                    at += 1;
                }
            }
            ('/', Some('*')) => at = after_comment(&chars, at),
            ('"', _) => {
                at = after_string(&chars, at);
                literals.push((line, chars[start + 1..at.max(start + 2) - 1].iter().collect()));
                code.push_str("\"\"");
            }
            ('r', Some('"' | '#')) if is_raw(&chars, at) => {
                at = after_raw(&chars, at);
                literals.push((line, chars[start + 1..at].iter().collect()));
                code.push_str("\"\"");
            }
            ('\'', Some('\\')) => {
                at += 2;
                while at < chars.len() && chars[at] != '\'' {
                    at += 1;
                }
                at += 1;
                code.push_str("' '");
            }
            ('\'', Some(_)) if chars.get(at + 2) == Some(&'\'') => {
                at += 3;
                code.push_str("' '");
            }
            (other, _) => {
                code.push(other);
                at += 1;
            }
        }
        let newlines = chars[start..at.min(chars.len())].iter().filter(|&&c| c == '\n').count();
        line += newlines;
        if at > start + 1 {
            code.extend(std::iter::repeat_n('\n', newlines));
        }
    }
    (code, literals)
}

fn after_comment(chars: &[char], mut at: usize) -> usize {
    at += 2;
    while at < chars.len() && !(chars[at] == '*' && chars.get(at + 1) == Some(&'/')) {
        at += 1;
    }
    at + 2
}

fn after_string(chars: &[char], mut at: usize) -> usize {
    at += 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// Whether a raw string begins here, and not a name that ends in `r`.
fn is_raw(chars: &[char], at: usize) -> bool {
    let is_name = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_') && chars[at - 1] != 'b';
    let hashes = chars[at + 1..].iter().take_while(|&&c| c == '#').count();
    !is_name && chars.get(at + 1 + hashes) == Some(&'"')
}

fn after_raw(chars: &[char], at: usize) -> usize {
    let hashes = chars[at + 1..].iter().take_while(|&&c| c == '#').count();
    let mut end = at + 2 + hashes;
    while end < chars.len() {
        let closes = chars[end] == '"'
            && chars[end + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes;
        if closes {
            return end + 1 + hashes;
        }
        end += 1;
    }
    end
}

#[test]
fn code_literals_and_comments_are_told_apart() {
    let text = "let a = \"x // y\"; // b \"c\"\nlet d = 'e'; /* f\n */ let g: &'h str = r#\"i \"j\" \"#;\nk(\"l\\\"m\");\n\
                #[cfg(test)]\nmod tests {\n    fs\n}\n";
    let source = Source::new("test.rs".to_owned(), text);
    assert_eq!(source.code, ["let a = \"\"; ", "let d = ' '; ", " let g: &'h str = \"\";", "k(\"\");"]);
    let literals: Vec<(usize, &str)> =
        source.literals.iter().map(|(line, text)| (*line, text.as_str())).collect();
    assert_eq!(literals, [(1, "x // y"), (3, "#\"i \"j\" \"#"), (4, "l\\\"m")]);
    assert_eq!(source.mentions(&["g", "h"]), ["test.rs:3: let g: &'h str = \"\";"]);
    assert!(source.mentions(&["fs", "le"]).is_empty());
}
