//! SARIF 2.1.0, which code scanning and editors read: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/>.
//!
//! A result is an error that was introduced, a difference, or a function that is undecided. What was not compared is a
//! notification of the run, and so is what did not fit: GitHub takes 5,000 results of a run and 1,000 steps of a path
//! into account, and files of up to ten megabytes.

mod results;
mod rules;

use super::model::{ChangeReport, Finding, JudgedFunction};
use crate::json::member;
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
    let mut cut = Cut::default();
    let lines = results(&findings, &rules, &mut cut);
    let left_out = findings.len() - lines.len();
    writeln!(out, "{{")?;
    member(out, "$schema", &"https://json.schemastore.org/sarif-2.1.0.json", ",")?;
    member(out, "version", &"2.1.0", ",")?;
    writeln!(out, "  \"runs\": [{{")?;
    member(out, "tool", &tool(report, &rules), ",")?;
    member(out, "automationDetails", &json!({"id": "incise/"}), ",")?;
    member(out, "columnKind", &"utf16CodeUnits", ",")?;
    member(out, "originalUriBaseIds", &json!({"SRCROOT": described("The top of the repository.")}), ",")?;
    member(out, "invocations", &json!([invocation(report, left_out, &cut)]), ",")?;
    member(out, "properties", &properties(report), ",")?;
    writeln!(out, "  \"results\": [")?;
    writeln!(out, "{}", lines.join(",\n"))?;
    writeln!(out, "  ]\n  }}]\n}}")
}

/// As many results as fit, each in a line.
fn results(findings: &[(&JudgedFunction, &Finding)], rules: &Rules, cut: &mut Cut) -> Vec<String> {
    let (mut lines, mut bytes) = (Vec::new(), 0);
    for (function, finding) in findings.iter().take(MOST_RESULTS) {
        let line = result(function, finding, rules, cut).to_string();
        bytes += line.len() + 2;
        if bytes > MOST_BYTES - FOR_THE_REST {
            break;
        }
        lines.push(line);
    }
    lines
}

fn tool(report: &ChangeReport, rules: &Rules) -> Json {
    let notifications = [
        ("not-compared", "Something changed and was not compared."),
        ("cut", "Something is not in this file for want of room."),
        ("note", "Something has to be said of the comparison."),
    ];
    let notifications = notifications.map(|(id, text)| json!({"id": id, "shortDescription": {"text": text}}));
    let rules = rules.described();
    json!({"driver": {
        "name": "Incise", "semanticVersion": report.program, "rules": rules, "notifications": notifications,
    }})
}

fn described(text: &str) -> Json {
    json!({"description": {"text": text}})
}

fn invocation(report: &ChangeReport, left_out: usize, cut: &Cut) -> Json {
    let said = notifications(report, left_out, cut);
    json!({"executionSuccessful": true, "toolExecutionNotifications": said})
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
    let mut all = Vec::new();
    if left_out > 0 {
        let shown = report.findings().len() - left_out;
        let words =
            format!("{left_out} findings are not in this file: it holds the {shown} most important ones");
        all.push(notification("cut", "warning", &words));
    }
    if cut.paths > 0 {
        let most = results::MOST_STEPS;
        let words = format!(
            "the paths of {} findings are longer than {most} steps: those in the middle are left out",
            cut.paths
        );
        all.push(notification("cut", "note", &words));
    }
    let open: Vec<String> = report.not_compared.iter().map(|each| each.words.clone()).collect();
    several(&open, ("not-compared", "warning"), "things that changed were not compared", &mut all);
    let left_out = report.left_out.iter().map(|line| format!("left out: {line}"));
    let notes: Vec<String> = left_out.chain(report.notes.iter().cloned()).collect();
    several(&notes, ("note", "note"), "notes", &mut all);
    all
}

/// Lines as notifications, and how many there are more.
fn several(lines: &[String], (id, level): (&str, &str), noun: &str, all: &mut Vec<Json>) {
    all.extend(lines.iter().take(MOST_NOTIFICATIONS).map(|line| notification(id, level, line)));
    let more = lines.len().saturating_sub(MOST_NOTIFICATIONS);
    if more > 0 {
        all.push(notification("cut", level, &format!("{more} more {noun}")));
    }
}

fn notification(id: &str, level: &str, text: &str) -> Json {
    json!({"descriptor": {"id": id}, "level": level, "message": {"text": shortened(text)}})
}

/// As much of a message as has room, with every character visible.
fn shortened(text: &str) -> String {
    let shown = incise_markup::visible(text);
    match shown.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &shown[..end]),
        None => shown,
    }
}
