//! Static functions that have another name in NEW and are the same otherwise: `__func__` in OLD says what it says in
//! NEW.
//!
//! A function that logs its name is no other program by being renamed. OLD is compiled as if it had the new name,
//! natively too, so that what is explored is what runs. That is done only where the name of a function is an object of
//! the program, where nothing but the name changed, and where the macro that does it can hit nothing else: the new name
//! occurs nowhere in OLD, and the old one nowhere in NEW.

use crate::load::Loaded;
use crate::sources::Sources;
use incise_ir::{FunctionId, Linkage, Program};

/// What clang names the objects after that hold the name of a function.
const NAME_OBJECTS: [&str; 3] = ["__func__.", "__FUNCTION__.", "__PRETTY_FUNCTION__."];

/// Static functions that were renamed and speak of their names: the old and the new name of each.
pub(super) fn renamed(old: &Loaded, new: &Loaded) -> Vec<(String, String)> {
    let before = lone(&old.program, &new.program);
    let after = lone(&new.program, &old.program);
    if before.is_empty() || after.is_empty() {
        return Vec::new();
    }
    let (old_text, new_text) = (source_text(&old.sources), source_text(&new.sources));
    let mut pairs = Vec::new();
    for (name, body) in &before {
        let mut same = after.iter().filter(|(_, other)| other == body);
        let (Some((other, _)), None) = (same.next(), same.next()) else { continue };
        let alone = before.iter().filter(|(_, each)| each == body).count() == 1;
        if alone && !has_word(&old_text, other) && !has_word(&new_text, name) {
            pairs.push((name.clone(), other.clone()));
        }
    }
    pairs
}

/// The static functions of a program that the other one has not and that speak of their names, with their bodies but
/// for these.
fn lone(program: &Program, other: &Program) -> Vec<(String, String)> {
    let speaks = |name: &str| {
        NAME_OBJECTS.iter().any(|prefix| program.global_named(&format!("{prefix}{name}")).is_some())
    };
    let functions = program.functions.iter().filter(|(_, function)| {
        function.linkage == Linkage::Internal
            && !function.blocks.is_empty()
            && other.function_named(&function.name).is_none()
            && speaks(&function.name)
    });
    functions.map(|(id, function)| (function.name.clone(), nameless(program, id, &function.name))).collect()
}

/// The text of a function without its name and without places in the source.
fn nameless(program: &Program, id: FunctionId, name: &str) -> String {
    let function = &program.functions[id];
    let mut text = program.type_text(function.result).to_string();
    for block in function.blocks.ids() {
        for instruction in function.block_instructions(block) {
            text.push('\n');
            text.push_str(&program.instruction_text(id, &function.instructions[instruction]));
        }
    }
    replaced_words(&text, name, "$")
}

fn source_text(sources: &Sources) -> String {
    let read = |file| std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    sources.files.iter().filter_map(|file| read(file).ok()).collect()
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Where a word begins in a text.
fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |&at| !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word))
}

fn has_word(text: &str, word: &str) -> bool {
    words(text, word).next().is_some()
}

fn replaced_words(text: &str, word: &str, by: &str) -> String {
    let (mut replaced, mut from) = (String::with_capacity(text.len()), 0);
    for at in words(text, word) {
        replaced.push_str(&text[from..at]);
        replaced.push_str(by);
        from = at + word.len();
    }
    replaced + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_replaced_and_parts_of_words_are_not() {
        assert_eq!(replaced_words("@go, __func__.go, goes, ago", "go", "$"), "@$, __func__.$, goes, ago");
        assert!(has_word("x = go(1)", "go"));
        assert!(!has_word("x = go_on(1)", "go"));
    }
}
