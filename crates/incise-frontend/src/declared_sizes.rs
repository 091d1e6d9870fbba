//! Attributes of declarations that say how much a pointer leads to, and of which the LLVM IR has no trace: `counted_by`
//! of members, and `access` of functions.
//!
//! They are looked for in the text of the files that debug information names, and of those that these include by
//! a name in quotes. Who hides an attribute behind a macro with another name, or under a condition that does not hold,
//! is read wrongly or not at all: what is found is a part of the reading, which is shown and may be said otherwise.

use incise_ir::{DeclaredSizes, Program, SizeOf};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Files that are larger are not looked at, nor are more than so many.
const LARGEST: u64 = 4 << 20;
const MOST_FILES: usize = 200;

/// What the files of a program declare.
pub(crate) fn declared_sizes(program: &Program) -> DeclaredSizes {
    let mut found = DeclaredSizes::default();
    let mut waiting: Vec<PathBuf> = program.files.iter().map(|(_, file)| file.path()).collect();
    let mut seen = BTreeSet::new();
    while let Some(path) = waiting.pop() {
        if seen.len() >= MOST_FILES || !seen.insert(path.clone()) {
            continue;
        }
        let small = std::fs::metadata(&path).is_ok_and(|known| known.is_file() && known.len() <= LARGEST);
        let Some(text) = small.then(|| std::fs::read(&path).ok()).flatten() else { continue };
        let text = String::from_utf8_lossy(&text);
        if let Some(folder) = path.parent() {
            waiting.extend(included(&text, folder));
        }
        if text.contains("counted_by") || text.contains("access") {
            let tokens = tokens(&text);
            counted_members(&tokens, &mut found);
            accessed_parameters(&tokens, &mut found);
        }
    }
    found
}

/// The files that a text includes by a name in quotes.
fn included(text: &str, folder: &Path) -> Vec<PathBuf> {
    let name = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        rest.trim_start().strip_prefix('"')?.split('"').next().map(str::to_owned)
    };
    text.lines().filter_map(name).map(|name| folder.join(name)).collect()
}

/// The words, numbers and signs of a text, without comments, strings and lines of the preprocessor.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut at_start = true;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\n' => {
                at_start = true;
                rest = &rest[1..];
                continue;
            }
            _ if first.is_whitespace() => first.len_utf8(),
            '#' if at_start => directive(rest),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' | '\'' => quoted(rest, first),
            _ => {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                let length = match is_word(first) {
                    true => rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
                    false => first.len_utf8(),
                };
                at_start = false;
                found.push(&rest[..length]);
                length
            }
        };
        rest = &rest[length.min(rest.len())..];
    }
    found
}

/// How long a line of the preprocessor is, with those that it goes on in.
fn directive(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end().ends_with('\\') {
            // The end of the line begins another one.
            return length - usize::from(line.ends_with('\n'));
        }
    }
    length
}

/// How long a string or character is, with its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, each) in text.char_indices().skip(1) {
        match each {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if each == quote || each == '\n' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Members of structs that another member counts.
fn counted_members(tokens: &[&str], found: &mut DeclaredSizes) {
    for at in 0..tokens.len() {
        let [word, "(", counter, ")", ..] = &tokens[at..] else { continue };
        if word.trim_matches('_') != "counted_by" || !is_name(counter) {
            continue;
        }
        let declaration = around(tokens, at);
        let names = plain_tokens(&tokens[declaration.clone()]);
        let bracket = names.iter().position(|token| *token == "[");
        let before = &names[..bracket.unwrap_or(names.len())];
        let Some(member) = before.iter().rev().find(|token| is_name(token)) else { continue };
        if let Some(whole) = struct_around(tokens, declaration.start) {
            found.members.insert((whole, (*member).to_owned()), (*counter).to_owned());
        }
    }
}

/// Parameters that lead to as many elements as another one says.
fn accessed_parameters(tokens: &[&str], found: &mut DeclaredSizes) {
    for at in 0..tokens.len() {
        let [word, "(", mode, ",", pointer, ",", size, ")", ..] = &tokens[at..] else { continue };
        let mode = mode.trim_matches('_');
        let known = ["read_only", "write_only", "read_write"].contains(&mode);
        let numbers = pointer.parse::<u32>().ok().zip(size.parse::<u32>().ok());
        let (true, true, Some((pointer, size))) = (word.trim_matches('_') == "access", known, numbers) else {
            continue;
        };
        let names = plain_tokens(&tokens[around(tokens, at)]);
        let function = names.windows(2).find(|pair| is_name(pair[0]) && pair[1] == "(").map(|pair| pair[0]);
        if let (Some(function), 1.., 1..) = (function, pointer, size) {
            let size = SizeOf { pointer: pointer - 1, size: size - 1 };
            found.parameters.entry(function.to_owned()).or_default().insert(size);
        }
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The declaration around a token: from behind the last `;`, `{` or `}` before it to the next of them.
fn around(tokens: &[&str], at: usize) -> std::ops::Range<usize> {
    let ends = |token: &&str| [";", "{", "}"].contains(token);
    let start = tokens[..at].iter().rposition(ends).map_or(0, |end| end + 1);
    let end = tokens[at..].iter().position(ends).map_or(tokens.len(), |end| at + end);
    start..end
}

/// The tokens of a declaration without its attributes.
fn plain_tokens<'t>(tokens: &[&'t str]) -> Vec<&'t str> {
    let mut plain = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let attribute = ["__attribute__", "__attribute"].contains(&tokens[at])
            || tokens[at].trim_matches('_') == "counted_by";
        if attribute && tokens.get(at + 1) == Some(&"(") {
            at = closing(tokens, at + 1, "(", ")");
        } else if tokens[at] == "[" && tokens.get(at + 1) == Some(&"[") {
            at = closing(tokens, at, "[", "]");
        } else {
            plain.push(tokens[at]);
            at += 1;
        }
    }
    plain
}

/// Behind the sign that closes what a token opens.
fn closing(tokens: &[&str], open: usize, opens: &str, closes: &str) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if *token == opens {
            depth += 1;
        } else if *token == closes {
            depth -= 1;
            if depth == 0 {
                return at + 1;
            }
        }
    }
    tokens.len()
}

/// The tag of the struct that a token is in, or the name of its type if it has none.
fn struct_around(tokens: &[&str], at: usize) -> Option<String> {
    let mut depth = 0;
    let open = tokens[..at].iter().rposition(|token| {
        depth += i32::from(*token == "}") - i32::from(*token == "{");
        depth < 0
    })?;
    let head = plain_tokens(&tokens[around(tokens, open.checked_sub(1)?).start..open]);
    let tag = head.iter().rposition(|token| *token == "struct").and_then(|at| head.get(at + 1));
    if let Some(tag) = tag.filter(|tag| is_name(tag)) {
        return Some((*tag).to_owned());
    }
    let close = closing(tokens, open, "{", "}");
    let behind = plain_tokens(&tokens[close..tokens.len().min(close + 16)]);
    behind.first().filter(|name| is_name(name)).map(|name| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> DeclaredSizes {
        let tokens = tokens(text);
        let mut found = DeclaredSizes::default();
        counted_members(&tokens, &mut found);
        accessed_parameters(&tokens, &mut found);
        found
    }

    #[test]
    fn members_are_counted_by_their_neighbours() {
        let text = "#define X(n) __attribute__((counted_by(n)))\nstruct packet {\n  int n; /* counted_by(m) */\n  \
                    char data[] __attribute__((counted_by(n)));\n};\n\
                    typedef struct { unsigned long count; int *__counted_by(count) items; } list;\n\
                    struct outer { struct inner { int k; int *p [[clang::counted_by(k)]]; } in; };";
        let found = found(text);
        let members: Vec<String> = found
            .members
            .iter()
            .map(|((whole, member), counter)| format!("{whole}.{member}={counter}"))
            .collect();
        assert_eq!(members, ["inner.p=k", "list.items=count", "packet.data=n"]);
    }

    #[test]
    fn parameters_are_sized_by_others() {
        let text = "int send(int to, const char *text, unsigned long n) __attribute__((access(read_only, 2, 3)));\n\
                    __attribute__((access(__write_only__, 1, 2), nonnull))\nvoid fill(char *out, int n) { out[0] = \"access\"[n]; }\n\
                    int look(const char *p) __attribute__((access(read_only, 1)));\n\
                    int plain(void) { return access(read, 1, 2); }";
        let found = found(text);
        let of = |name: &str| {
            found.parameters.get(name).cloned().unwrap_or_default().into_iter().collect::<Vec<_>>()
        };
        assert_eq!(of("send"), [SizeOf { pointer: 1, size: 2 }]);
        assert_eq!(of("fill"), [SizeOf { pointer: 0, size: 1 }]);
        assert!(of("look").is_empty() && of("plain").is_empty());
    }
}
