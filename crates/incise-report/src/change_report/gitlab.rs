//! What GitLab shows in a merge request as code quality: a list of issues with their severity and place.

use super::model::{ChangeReport, FindingKind};
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// Writes the document, an issue a line.
pub fn render(report: &ChangeReport, out: &mut dyn Write) -> io::Result<()> {
    let findings = report.findings();
    let mut issues: Vec<Json> = Vec::with_capacity(findings.len() + report.not_compared.len());
    for (function, finding) in findings {
        let severity = match finding.kind {
            FindingKind::Introduced(_) => "critical",
            FindingKind::Difference => "major",
            FindingKind::Undecided => "minor",
        };
        let words = finding.sentence(function);
        issues.push(issue(&words, &finding.kind.rule(), &finding.fingerprint, (severity, &finding.place)));
    }
    for (number, open) in report.not_compared.iter().enumerate() {
        let print = format!("not-compared:{}:{number}", open.words);
        issues.push(issue(&open.words, "not-compared", &print, ("minor", &open.place)));
    }
    writeln!(out, "[")?;
    for (number, issue) in issues.iter().enumerate() {
        let comma = if number + 1 < issues.len() { "," } else { "" };
        writeln!(out, "  {issue}{comma}")?;
    }
    writeln!(out, "]")
}

fn issue(words: &str, rule: &str, fingerprint: &str, (severity, place): (&str, &crate::Place)) -> Json {
    json!({
        "description": words,
        "check_name": format!("incise-{rule}"),
        "fingerprint": fingerprint,
        "severity": severity,
        "location": {"path": place.file.trim_start_matches("./"), "lines": {"begin": place.line.max(1)}},
    })
}
