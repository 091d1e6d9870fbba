//! A plain C program: its `main` runs the tests that are named, or all.

use super::File;
use std::fmt::Write;

/// The `main` of the program.
const RUNNER: &str = include_str!("runner.c");

/// The file.
pub(super) fn write(file: &File<'_>) -> Result<Vec<(String, String)>, std::fmt::Error> {
    let advice = "With names of tests as arguments only those are run. Exit status: 0 all passed, 1 some failed, 77 none could be checked.";
    let mut out = String::new();
    file.start(&[], &[advice], &mut out)?;
    writeln!(out, "static const struct incise_test *const incise_tests[] = {{")?;
    for (_, body) in file.bodies {
        writeln!(out, "    &{},", body.variable())?;
    }
    if file.bodies.is_empty() {
        // C knows no empty table.
        return Ok(Vec::new());
    }
    out.push_str("};\n");
    out.push_str(RUNNER);
    Ok(vec![(format!("{}.c", file.program()), out)])
}
