//! What native runs of a suite showed, as text and as JSON (schema `incise-suite-check/1`).

use crate::Program;
use crate::style::Style;
use crate::text::counted;
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// The name and version of the schema.
pub const SUITE_CHECK_SCHEMA: &str = "incise-suite-check/1";

/// What native runs of a suite showed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SuiteCheck {
    /// The program that was run.
    pub program: Program,
    /// Whether it is another version than the one that the suite was made from.
    pub changed: bool,
    /// Each test, in the order of the suite.
    pub tests: Vec<CheckedTest>,
}

/// What the native run of one test showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedTest {
    /// Its name.
    pub name: String,
    /// Its path in the version that it was made from.
    pub path: String,
    /// The verdict.
    pub status: CheckStatus,
    /// What is expected, in words.
    pub expected: String,
    /// What happened, in words.
    pub actual: String,
    /// Each difference, or why there is nothing to compare.
    pub notes: Vec<String>,
}

/// The verdict on one test.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CheckStatus {
    /// The run did what is expected.
    Passed,
    /// The run did something else, or the program no longer has what the test sets.
    Failed,
    /// The test's file cannot be used.
    Damaged,
    /// The run did something else, but the path reads memory that was never initialised, so that it may.
    Indeterminate,
    /// There is an expectation, but no way to check it here.
    NotChecked,
    /// There is nothing to expect: a limit or something unsupported ended the path.
    Skipped,
}

impl CheckStatus {
    /// All, from good to bad to open.
    pub const ALL: [Self; 6] =
        [Self::Passed, Self::Failed, Self::Damaged, Self::Indeterminate, Self::NotChecked, Self::Skipped];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Damaged => "damaged",
            Self::Indeterminate => "indeterminate",
            Self::NotChecked => "not-checked",
            Self::Skipped => "skipped",
        }
    }

    /// Whether the check as a whole fails.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Damaged)
    }
}

impl SuiteCheck {
    /// How many tests have the verdict.
    pub fn count(&self, status: CheckStatus) -> usize {
        self.tests.iter().filter(|test| test.status == status).count()
    }
}

/// Writes the check as text: what fails with both sides, what is open, then the counts.
pub fn render_text(check: &SuiteCheck, quiet: bool, color: bool, out: &mut dyn Write) -> io::Result<()> {
    let style = Style { color };
    for test in check.tests.iter().filter(|test| test.status == CheckStatus::Failed) {
        writeln!(out, "{} {}{}", style.red("failed:"), test.name, path_words(&test.path))?;
        writeln!(out, "  {} {}", style.bold("expected"), test.expected)?;
        writeln!(out, "  {}   {}", style.bold("actual"), test.actual)?;
        for note in &test.notes {
            writeln!(out, "  {note}")?;
        }
    }
    for test in check.tests.iter().filter(|test| test.status == CheckStatus::Damaged) {
        writeln!(out, "{} {}: {}", style.red("damaged:"), test.name, test.notes.join("; "))?;
    }
    for status in [CheckStatus::Indeterminate, CheckStatus::NotChecked, CheckStatus::Skipped] {
        for test in check.tests.iter().filter(|test| test.status == status && !quiet) {
            writeln!(out, "{} {}: {}", style.yellow(status.name()), test.name, test.notes.join("; "))?;
        }
    }
    conclusion(check, style, out)
}

fn path_words(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("  ({path})") }
}

fn conclusion(check: &SuiteCheck, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let (passed, all) = (check.count(CheckStatus::Passed), check.tests.len());
    let line = format!("{passed} of {} passed", counted(all, "test"));
    write!(out, "{}", if passed == all { style.green(&line) } else { style.bold(&line) })?;
    for status in CheckStatus::ALL.into_iter().filter(|&status| status != CheckStatus::Passed) {
        match check.count(status) {
            0 => {}
            count => write!(out, ", {count} {}", status.name())?,
        }
    }
    writeln!(out)
}

/// Writes the check as JSON.
pub fn render_json(check: &SuiteCheck, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(check))?;
    out.write_all(b"\n")
}

fn document(check: &SuiteCheck) -> Json {
    let mut summary = serde_json::Map::new();
    summary.insert("tests".to_owned(), json!(check.tests.len()));
    for status in CheckStatus::ALL {
        summary.insert(status.name().replace('-', "_"), json!(check.count(status)));
    }
    let tests = check.tests.iter().map(|test| {
        json!({"name": test.name, "path": test.path, "status": test.status.name(), "expected": test.expected,
               "actual": test.actual, "notes": test.notes})
    });
    let program = &check.program;
    json!({
        "schema": SUITE_CHECK_SCHEMA,
        "program": {"files": program.files, "flags": program.flags, "entry": program.entry, "hash": program.hash},
        "changed": check.changed,
        "summary": summary,
        "tests": tests.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn example() -> SuiteCheck {
        let test = |name: &str, status: CheckStatus, note: &str| CheckedTest {
            name: name.to_owned(),
            path: "f+1T".to_owned(),
            status,
            expected: "returned 1".to_owned(),
            actual: "returned 2".to_owned(),
            notes: vec![note.to_owned()],
        };
        SuiteCheck {
            program: Program { entry: "f".to_owned(), ..Program::default() },
            changed: true,
            tests: vec![
                test("f-1", CheckStatus::Passed, ""),
                test("f-2", CheckStatus::Failed, "the result: predicted 1, actual <2> & \"\u{1}\""),
                test("f-3", CheckStatus::Damaged, "it is no JSON"),
                test("f-4", CheckStatus::Skipped, "nothing is expected"),
            ],
        }
    }

    #[test]
    fn failures_come_with_both_sides() {
        let mut bytes = Vec::new();
        render_text(&example(), false, false, &mut bytes).unwrap();
        let expected = "\
failed: f-2  (f+1T)
  expected returned 1
  actual   returned 2
  the result: predicted 1, actual <2> & \"\u{1}\"
damaged: f-3: it is no JSON
skipped f-4: nothing is expected
1 of 4 tests passed, 1 failed, 1 damaged, 1 skipped
";
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
        assert_eq!(
            document(&example())["summary"],
            json!({"tests": 4, "passed": 1, "failed": 1, "damaged": 1, "indeterminate": 0, "not_checked": 0, "skipped": 1})
        );
    }
}
