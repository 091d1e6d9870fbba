//! How large things are: files, functions, lists of parameters, and how often a name means something else.

use crate::lexer::{Source, crate_names, sources};
use std::collections::BTreeMap;

/// Half of the files have at most so many lines, and half of the functions.
const USUAL_FILE: usize = 193;
const USUAL_FUNCTION: usize = 9;
/// No file is longer.
const LONGEST_FILE: usize = 800;
/// No function is longer, unless it is one dispatch.
const LONGEST_FUNCTION: usize = 100;
/// A name of a type that stands for more things gets a second word.
const MOST_MEANINGS: usize = 5;

/// The functions that are one dispatch: each of their arms is short.
const DISPATCHES: [(&str, &str); 5] = [
    ("incise-exec/src/engine/intrinsics.rs", "intrinsic"),
    ("incise-exec/src/engine/slow.rs", "slow_value"),
    ("incise-exec/src/engine/step.rs", "run_frame"),
    ("incise-ir/src/display.rs", "op"),
    ("incise-ir/src/verify/operations.rs", "operation_fits"),
];

/// All that is shipped.
fn shipped() -> Vec<Source> {
    let names = crate_names().into_iter().filter(|name| name != "incise-testing");
    names.flat_map(|name| sources(&name)).collect()
}

/// The functions of a file with bodies: the name, and how many lines it has from `fn` to the closing brace.
fn functions(source: &Source) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (first, line) in source.code.iter().enumerate() {
        let Some(name) = name_after(line, "fn ") else { continue };
        let mut depth = 0_usize;
        for (number, line) in source.code[first..].iter().enumerate() {
            let opened = line.matches('{').count();
            // A declaration in a trait has no body.
            if depth == 0 && opened == 0 && line.ends_with(';') {
                break;
            }
            depth = (depth + opened).saturating_sub(line.matches('}').count());
            if depth == 0 && line.contains('}') {
                found.push((name, number + 1));
                break;
            }
        }
    }
    found
}

/// The name that is defined on a line by a keyword, if one is.
fn name_after(line: &str, keyword: &str) -> Option<String> {
    let at = line.find(keyword)?;
    let words =
        ["pub", "const", "unsafe", "safe", "async", "extern", "(crate)", "(super)", "(in", "crate::", "\"\""];
    let only_words =
        line[..at].split_whitespace().all(|word| words.iter().any(|each| word.starts_with(each)));
    let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
    let name: String = line[at + keyword.len()..].chars().take_while(is_part).collect();
    (only_words && !name.is_empty()).then_some(name)
}

fn median(mut numbers: Vec<usize>) -> usize {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

#[test]
fn files_and_functions_are_as_long_as_one_can_read() {
    let shipped = shipped();
    let lines = |source: &Source| source.code.len();
    let long = shipped.iter().filter(|source| lines(source) > LONGEST_FILE);
    let long: Vec<&str> = long.map(|source| &*source.name).collect();
    assert_eq!(long, Vec::<&str>::new(), "split these by concern");
    let file = median(shipped.iter().map(lines).collect());
    let function = median(shipped.iter().flat_map(functions).map(|(_, lines)| lines).collect());
    println!("half of the files have up to {file} lines, half of the functions up to {function}");
    assert!(file <= USUAL_FILE, "half of the files have more than {file} lines");
    assert!(function <= USUAL_FUNCTION, "half of the functions have more than {function} lines");
}

#[test]
fn a_function_above_a_hundred_lines_is_one_dispatch() {
    let mut long = Vec::new();
    for source in shipped() {
        let of_file = functions(&source).into_iter().filter(|(_, lines)| *lines > LONGEST_FUNCTION);
        long.extend(of_file.map(|(name, _)| (source.name.clone(), name)));
    }
    let known = DISPATCHES.map(|(file, name)| (file.to_owned(), name.to_owned()));
    assert_eq!(long, known, "one that is no dispatch has parts with names of their own");
}

/// Clippy counts them; nobody may tell it not to.
#[test]
fn nobody_has_more_than_seven_parameters() {
    for source in crate_names().iter().flat_map(|name| sources(name)) {
        let found = source.mentions(&["too_many_arguments"]);
        assert!(found.is_empty(), "what belongs together is a struct: {found:?}");
    }
}

#[test]
fn a_name_of_many_types_has_a_second_word() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in shipped() {
        for line in &source.code {
            let kinds = ["struct ", "enum ", "trait ", "type "];
            // A type of a trait's own is named by the trait.
            let line = line.strip_prefix("    type ").map_or(line.as_str(), |_| "");
            if let Some(name) = kinds.iter().find_map(|kind| name_after(line, kind)) {
                places.entry(name).or_default().push(source.name.clone());
            }
        }
    }
    for (name, places) in places {
        assert!(places.len() <= MOST_MEANINGS, "{name} means {} things: {places:?}", places.len());
    }
}

#[test]
fn functions_and_their_lines_are_seen() {
    let text = "trait T {\n    fn no(&self) -> u32;\n}\npub(crate) fn one(\n    a: u32,\n) -> u32 {\n    if a > 1 {\n        2\n    } else { 3 }\n}\n\
                const fn two() {}\nlet x = |f: fn (u32)| 3;\n";
    let source = Source::new("test.rs".to_owned(), text);
    assert_eq!(functions(&source), [("one".to_owned(), 7), ("two".to_owned(), 1)]);
    assert_eq!(name_after("pub(in crate::a) struct Named<T> {", "struct "), Some("Named".to_owned()));
    assert_eq!(name_after("let f = \"\"; // no fn x", "struct "), None);
}
