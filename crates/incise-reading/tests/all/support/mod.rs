//! Compiles C texts, and writes down what is taken of the inputs of a function.

use incise_ir::Program;
use incise_reading::{Reading, infer};

/// The program of a text; its first line is the one after the opening quotes.
pub(crate) fn program(text: &str) -> Program {
    incise_testing::program(text.strip_prefix('\n').unwrap_or(text))
}

/// The reading of a function of a text.
pub(crate) fn reading(text: &str, entry: &str) -> Reading {
    let program = program(text);
    let entry = program.function_named(entry).unwrap_or_else(|| panic!("{entry} is not there"));
    infer(&program, entry, &Default::default())
}

/// What is taken of the inputs of the function `f`, one fact a line, and what is compared with null.
pub(crate) fn taken(text: &str) -> Vec<String> {
    let reading = reading(text, "f");
    let mut lines: Vec<String> = reading.parts.iter().map(ToString::to_string).collect();
    lines.extend(reading.checked.iter().map(|input| format!("{input} may be null")));
    lines
}

/// Asserts what is taken of the inputs of the function `f`, in any order.
#[track_caller]
pub(crate) fn check(text: &str, expected: &[&str]) {
    let mut found = taken(text);
    let mut expected: Vec<String> = expected.iter().map(|&line| line.to_owned()).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{text}");
}
