//! A replay as text for people: what disagrees, then the counts.

use crate::replay::{FreeRuns, Replay, ReplayVerdict};
use crate::text::{Style, counted, write_by_reason};
use std::io::{self, Write};

/// Writes the replay as text: the disagreements with both sides, then the counts.
pub fn render(replay: &Replay, color: bool, out: &mut dyn Write) -> io::Result<()> {
    let style = Style::new(color, None);
    for test in replay.tests.iter().filter(|test| test.verdict == ReplayVerdict::Disagrees) {
        writeln!(out, "{} {}", style.red("disagrees:"), test.name)?;
        writeln!(out, "  {} {}", style.bold("predicted"), test.predicted)?;
        writeln!(out, "  {}    {}", style.bold("actual"), test.actual)?;
        for note in &test.notes {
            writeln!(out, "  {note}")?;
        }
    }
    for verdict in [ReplayVerdict::Indeterminate, ReplayVerdict::NotChecked] {
        let tests = replay.tests.iter().filter(|test| test.verdict == verdict);
        let tests = tests.map(|test| (test.name.as_str(), test.notes.join("; ")));
        write_by_reason(&style.yellow(verdict.name()), tests, out)?;
    }
    for test in &replay.tests {
        let words = match test.free_runs {
            Some(FreeRuns { shown: Some(run), .. }) => format!("shows by itself in run {run}"),
            Some(FreeRuns { runs, shown: None }) => {
                format!("did not show by itself in {}", counted(runs as usize, "run"))
            }
            None => continue,
        };
        writeln!(out, "{} {}: {} {words}", style.bold("free"), test.name, test.predicted)?;
    }
    let confirmed = replay.count(ReplayVerdict::Confirmed);
    let all = replay.tests.len();
    let line = format!("{confirmed} of {} confirmed natively", counted(all, "test"));
    write!(out, "{}", if confirmed == all { style.green(&line) } else { style.bold(&line) })?;
    for verdict in [ReplayVerdict::Disagrees, ReplayVerdict::Indeterminate, ReplayVerdict::NotChecked] {
        match replay.count(verdict) {
            0 => {}
            count => write!(out, ", {count} {}", verdict.name())?,
        }
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::ReplayedTest;
    use crate::replay::json::document;
    use serde_json::json;

    fn test(name: &str, verdict: ReplayVerdict, note: &str) -> ReplayedTest {
        ReplayedTest {
            name: name.to_owned(),
            verdict,
            predicted: "returned 1".to_owned(),
            actual: "returned 2".to_owned(),
            notes: vec![note.to_owned()],
            free_runs: None,
        }
    }

    #[test]
    fn disagreements_come_with_both_sides() {
        let tests = vec![
            test("test000001", ReplayVerdict::Confirmed, ""),
            test("test000002", ReplayVerdict::NotChecked, "no sanitizer"),
            test("test000003", ReplayVerdict::Disagrees, "the result: predicted 1, actual 2"),
        ];
        let replay = Replay { entry: "f".to_owned(), tests, warnings: Vec::new() };
        let mut bytes = Vec::new();
        render(&replay, false, &mut bytes).unwrap();
        let expected = "\
disagrees: test000003
  predicted returned 1
  actual    returned 2
  the result: predicted 1, actual 2
not-checked test000002: no sanitizer
1 of 3 tests confirmed natively, 1 disagrees, 1 not-checked
";
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
        assert_eq!(
            document(&replay)["summary"],
            json!({"tests": 3, "confirmed": 1, "disagrees": 1, "indeterminate": 0, "not_checked": 1})
        );
    }
}
