//! SARIF 2.1.0, which code scanning and editors read: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/>.
//!
//! A result is an error that was introduced, a difference, or a function that is undecided. What was not compared is a
//! notification of the run, and so is what did not fit: GitHub takes 5,000 results of a run and 1,000 steps of a path
//! into account, and files of up to ten megabytes.

mod results;
mod rules;

use super::model::ChangeReport;
use crate::repository::Trouble;
use results::{Cut, result};
use rules::Rules;
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};

/// GitHub shows no more.
pub const MOST_RESULTS: usize = 5_000;
/// The whole stays below what GitHub takes after compression, without it.
pub const MOST_BYTES: usize = 9_000_000;
/// What the head, the rules and the notifications may take of that.
const FOR_THE_REST: usize = 500_000;
/// As many things that were not compared are notifications.
const MOST_NOTIFICATIONS: usize = 500;
/// A message is cut behind so many characters.
const LONGEST: usize = 1_000;

/// Writes the document, a result a line.
pub fn render(report: &ChangeReport, out: &mut dyn Write) -> io::Result<()> {
    let findings = report.findings();
    let rules = Rules::of(&findings);
    let (mut lines, mut bytes, mut cut) = (Vec::new(), 0, Cut::default());
    for (function, finding) in findings.iter().take(MOST_RESULTS) {
        let line = result(function, finding, &rules, &mut cut).to_string();
        if bytes + line.len() > MOST_BYTES - FOR_THE_REST {
            break;
        }
        bytes += line.len() + 8;
        lines.push(line);
    }
    let left_out = findings.len() - lines.len();
    let tool = json!({
        "driver": {
            "name": "Incise",
            "semanticVersion": report.program,
            "rules": rules.described(),
            "notifications": [
                {"id": "not-compared", "shortDescription": {"text": "Something changed and was not compared."}},
                {"id": "cut", "shortDescription": {"text": "Something is not in this file for want of room."}},
                {"id": "note", "shortDescription": {"text": "Something has to be said of the comparison."}},
            ],
        }
    });
    let invocation = json!({
        "executionSuccessful": true,
        "toolExecutionNotifications": notifications(report, left_out, &cut),
    });
    writeln!(out, "{{")?;
    writeln!(out, "  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",")?;
    writeln!(out, "  \"version\": \"2.1.0\",")?;
    writeln!(out, "  \"runs\": [{{")?;
    writeln!(out, "    \"tool\": {tool},")?;
    writeln!(out, "    \"automationDetails\": {{\"id\": \"incise/\"}},")?;
    writeln!(out, "    \"columnKind\": \"utf16CodeUnits\",")?;
    writeln!(
        out,
        "    \"originalUriBaseIds\": {{\"SRCROOT\": {{\"description\": {{\"text\": \"The top of the repository.\"}}}}}},"
    )?;
    writeln!(out, "    \"invocations\": [{invocation}],")?;
    writeln!(out, "    \"properties\": {},", properties(report))?;
    writeln!(out, "    \"results\": [")?;
    for (number, line) in lines.iter().enumerate() {
        let comma = if number + 1 < lines.len() { "," } else { "" };
        writeln!(out, "      {line}{comma}")?;
    }
    writeln!(out, "    ]\n  }}]\n}}")
}

/// The figures: the same as in every other format.
fn properties(report: &ChangeReport) -> Json {
    let mut object = Map::new();
    let counts = &report.counts;
    object.insert("verdict".to_owned(), json!(report.sameness.name()));
    object.insert("functions".to_owned(), json!(counts.all()));
    for (trouble, count) in Trouble::ALL.iter().zip(counts.functions) {
        object.insert(trouble.name().replace('-', "_"), json!(count));
    }
    object.insert("errors_introduced".to_owned(), json!(counts.introduced));
    object.insert("errors_fixed".to_owned(), json!(counts.fixed));
    object.insert("ways_to_differ".to_owned(), json!(counts.ways));
    object.insert("not_compared".to_owned(), json!(counts.not_compared));
    Json::Object(object)
}

fn notifications(report: &ChangeReport, left_out: usize, cut: &Cut) -> Vec<Json> {
    let one = |id: &str, level: &str, text: &str| json!({"descriptor": {"id": id}, "level": level, "message": {"text": shortened(text)}});
    let mut all = Vec::new();
    if left_out > 0 {
        all.push(one(
            "cut",
            "warning",
            &format!(
                "{left_out} findings are not in this file: it holds the {} most important ones",
                report.findings().len() - left_out
            ),
        ));
    }
    if cut.paths > 0 {
        all.push(one(
            "cut",
            "note",
            &format!(
                "the paths of {} findings are longer than {} steps: those in the middle are left out",
                cut.paths,
                results::MOST_STEPS
            ),
        ));
    }
    let open = &report.not_compared;
    all.extend(open.iter().take(MOST_NOTIFICATIONS).map(|each| one("not-compared", "warning", &each.words)));
    if open.len() > MOST_NOTIFICATIONS {
        let more = open.len() - MOST_NOTIFICATIONS;
        all.push(one("cut", "warning", &format!("{more} more things that changed were not compared")));
    }
    let said =
        report.left_out.iter().map(|line| format!("left out: {line}")).chain(report.notes.iter().cloned());
    let said: Vec<String> = said.collect();
    all.extend(said.iter().take(MOST_NOTIFICATIONS).map(|line| one("note", "note", line)));
    if said.len() > MOST_NOTIFICATIONS {
        all.push(one("cut", "note", &format!("{} more notes", said.len() - MOST_NOTIFICATIONS)));
    }
    all
}

/// As much of a message as has room, with every character visible.
fn shortened(text: &str) -> String {
    let shown = incise_markup::visible(text);
    match shown.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &shown[..end]),
        None => shown,
    }
}
