//! What native runs of the tests showed, as text and as JSON (schema `incise-replay/1`).

use crate::style::Style;
use crate::text::counted;
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// The name and version of the schema.
pub const REPLAY_SCHEMA: &str = "incise-replay/1";

/// What native runs of a folder of tests showed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Replay {
    /// The entry function.
    pub entry: String,
    /// Each test, in order.
    pub tests: Vec<ReplayedTest>,
    /// What the user should know of the whole, e.g. that a source file has changed since.
    pub warnings: Vec<String>,
}

/// What the native run of one test showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayedTest {
    /// The test's name.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What was predicted, in words.
    pub predicted: String,
    /// What happened, in words.
    pub actual: String,
    /// Each difference, or the reason why nothing was compared.
    pub notes: Vec<String>,
}

/// The verdict on one prediction.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The real run did what was predicted.
    Confirmed,
    /// The real run did something else.
    Disagrees,
    /// The real run did something else, but the path reads memory that was never initialised, so that it may.
    Indeterminate,
    /// There is no prediction, or a native run cannot show it.
    NotChecked,
}

impl Verdict {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Disagrees => "disagrees",
            Self::Indeterminate => "indeterminate",
            Self::NotChecked => "not-checked",
        }
    }
}

impl Replay {
    /// How many tests have the verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.tests.iter().filter(|test| test.verdict == verdict).count()
    }
}

/// Writes the replay as text: the disagreements with both sides, then the counts.
pub fn render_text(replay: &Replay, color: bool, out: &mut dyn Write) -> io::Result<()> {
    let style = Style { color };
    for test in replay.tests.iter().filter(|test| test.verdict == Verdict::Disagrees) {
        writeln!(out, "{} {}", style.red("disagrees:"), test.name)?;
        writeln!(out, "  {} {}", style.bold("predicted"), test.predicted)?;
        writeln!(out, "  {}    {}", style.bold("actual"), test.actual)?;
        for note in &test.notes {
            writeln!(out, "  {note}")?;
        }
    }
    for verdict in [Verdict::Indeterminate, Verdict::NotChecked] {
        for test in replay.tests.iter().filter(|test| test.verdict == verdict) {
            writeln!(out, "{} {}: {}", style.yellow(verdict.name()), test.name, test.notes.join("; "))?;
        }
    }
    let confirmed = replay.count(Verdict::Confirmed);
    let all = replay.tests.len();
    let line = format!("{confirmed} of {} confirmed natively", counted(all, "test"));
    write!(out, "{}", if confirmed == all { style.green(&line) } else { style.bold(&line) })?;
    for verdict in [Verdict::Disagrees, Verdict::Indeterminate, Verdict::NotChecked] {
        match replay.count(verdict) {
            0 => {}
            count => write!(out, ", {count} {}", verdict.name())?,
        }
    }
    writeln!(out)
}

/// Writes the replay as JSON.
pub fn render_json(replay: &Replay, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(replay))?;
    out.write_all(b"\n")
}

pub(crate) fn document(replay: &Replay) -> Json {
    let tests = replay.tests.iter().map(|test| {
        json!({"name": test.name, "verdict": test.verdict.name(), "predicted": test.predicted,
               "actual": test.actual, "notes": test.notes})
    });
    json!({
        "schema": REPLAY_SCHEMA,
        "entry": replay.entry,
        "summary": {
            "tests": replay.tests.len(),
            "confirmed": replay.count(Verdict::Confirmed),
            "disagrees": replay.count(Verdict::Disagrees),
            "indeterminate": replay.count(Verdict::Indeterminate),
            "not_checked": replay.count(Verdict::NotChecked),
        },
        "warnings": replay.warnings,
        "tests": tests.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(name: &str, verdict: Verdict, note: &str) -> ReplayedTest {
        ReplayedTest {
            name: name.to_owned(),
            verdict,
            predicted: "returned 1".to_owned(),
            actual: "returned 2".to_owned(),
            notes: vec![note.to_owned()],
        }
    }

    #[test]
    fn disagreements_come_with_both_sides() {
        let tests = vec![
            test("test000001", Verdict::Confirmed, ""),
            test("test000002", Verdict::NotChecked, "no sanitizer"),
            test("test000003", Verdict::Disagrees, "the result: predicted 1, actual 2"),
        ];
        let replay = Replay { entry: "f".to_owned(), tests, warnings: Vec::new() };
        let mut bytes = Vec::new();
        render_text(&replay, false, &mut bytes).unwrap();
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
