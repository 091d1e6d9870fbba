//! What documents say of the code: the list of crates, the invariants, and how long the first pages are.

use crate::lexer::{crate_names, crates};
use std::path::PathBuf;

fn read(name: &str) -> String {
    let path = crates().join("..").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of a section, without its heading.
fn section(text: &str, heading: &str) -> Vec<String> {
    let lines = text.lines().skip_while(|line| *line != heading).skip(1);
    let lines: Vec<String> = lines.take_while(|line| !line.starts_with("## ")).map(str::to_owned).collect();
    assert!(!lines.is_empty(), "there is no section {heading:?}");
    lines
}

/// The cells of the rows of a table, without its head.
fn rows(lines: &[String]) -> Vec<Vec<String>> {
    let rows = lines.iter().filter(|line| line.starts_with('|')).skip(2);
    let cells =
        |line: &String| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.map(cells).collect()
}

/// What stands between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// What a paragraph of the invariants begins with, in bold.
fn invariants() -> Vec<String> {
    let lines = section(&read("ARCHITECTURE.md"), "## Invariants");
    let bold = lines.iter().filter_map(|line| line.strip_prefix("- **")?.split_once("**"));
    bold.map(|(words, _)| words.trim_end_matches('.').to_owned()).collect()
}

#[test]
fn the_first_pages_stay_short() {
    for (name, most) in [("README.md", 110), ("ARCHITECTURE.md", 150)] {
        let lines = read(name).lines().count();
        assert!(
            lines <= most,
            "{name} has {lines} lines, more than {most}: what is longer belongs into docs/"
        );
    }
}

#[test]
fn the_list_of_crates_is_true() {
    let listed = rows(&section(&read("ARCHITECTURE.md"), "## Crates"));
    let mut named: Vec<&str> = listed.iter().filter_map(|row| quoted(&row[0]).next()).collect();
    named.sort_unstable();
    assert_eq!(named, crate_names(), "ARCHITECTURE.md lists each crate once");
    for row in &listed {
        let empty = row.iter().position(String::is_empty);
        assert_eq!((row.len(), empty), (4, None), "{row:?}: what it holds, uses, and keeps away");
    }
}

/// Each is named in the table of checks, with files of tests that are there.
#[test]
fn every_invariant_has_a_check() {
    let table = rows(&section(&read("docs/internals/testing.md"), "## The invariants"));
    let checked: Vec<&str> = table.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(checked, invariants(), "docs/internals/testing.md has a row for each invariant, in order");
    let folders = |name: &String| ["tests/all", "src"].map(|folder| crates().join(name).join(folder));
    let tests: Vec<PathBuf> = crate_names().iter().flat_map(folders).collect();
    for row in &table {
        let files: Vec<&str> = quoted(&row[1]).filter(|word| word.ends_with(".rs")).collect();
        assert!(!files.is_empty(), "{:?} has no check", row[0]);
        for file in files {
            let found = tests.iter().filter_map(|folder| std::fs::read_to_string(folder.join(file)).ok());
            let can_fail = found.into_iter().any(|text| text.contains("#[test]") && text.contains("assert"));
            assert!(can_fail, "{:?}: {file} is no file of tests", row[0]);
        }
    }
}
