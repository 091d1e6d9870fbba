//! Files that hold more words of a command (`@file`), which may name further ones.

use super::command_words::response_words;
use std::path::Path;

/// Files name each other no deeper than this.
const DEEPEST: usize = 16;

/// The words with those of response files in their places. A file that is not there leaves its word as it is, as
/// compilers do.
pub(crate) fn with_responses(words: Vec<String>, folder: &Path) -> Vec<String> {
    expand(words, folder, 0)
}

fn expand(words: Vec<String>, folder: &Path, depth: usize) -> Vec<String> {
    let mut result = Vec::with_capacity(words.len());
    for word in words {
        let text = match word.strip_prefix('@') {
            Some(name) if depth < DEEPEST => std::fs::read(folder.join(name)).ok(),
            _ => None,
        };
        match text {
            Some(text) => {
                let inner = response_words(&String::from_utf8_lossy(&text));
                result.extend(expand(inner, folder, depth + 1));
            }
            None => result.push(word),
        }
    }
    result
}
