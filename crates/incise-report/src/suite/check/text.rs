//! A check of a suite as text for people: what fails with both sides, what is open, then the counts.

use crate::suite::check::{CheckStatus, SuiteCheck};
use crate::text::{Style, counted, write_by_reason};
use std::io::{self, Write};

/// Writes the check as text: what fails with both sides, what is open, then the counts.
pub fn render(check: &SuiteCheck, quiet: bool, color: bool, out: &mut dyn Write) -> io::Result<()> {
    let style = Style::new(color, None);
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
        let tests = check.tests.iter().filter(|test| test.status == status && !quiet);
        let tests = tests.map(|test| (test.name.as_str(), test.notes.join("; ")));
        write_by_reason(&style.yellow(status.name()), tests, out)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::check::CheckedTest;
    use crate::suite::check::json::document;
    use crate::suite::check::model::tests::example;
    use serde_json::json;

    #[test]
    fn failures_come_with_both_sides() {
        let mut bytes = Vec::new();
        render(&example(), false, false, &mut bytes).unwrap();
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
        let mut many = example();
        for number in 0..8 {
            many.tests.push(CheckedTest { name: format!("g-{number}"), ..many.tests[3].clone() });
        }
        let mut bytes = Vec::new();
        render(&many, false, false, &mut bytes).unwrap();
        let said = String::from_utf8(bytes).unwrap();
        assert!(said.contains("\nskipped 9 tests, as f-4: nothing is expected\n1 of 12 tests"), "{said}");
        assert_eq!(
            document(&example())["summary"],
            json!({"tests": 4, "passed": 1, "failed": 1, "damaged": 1, "indeterminate": 0, "not_checked": 0, "skipped": 1})
        );
    }
}
