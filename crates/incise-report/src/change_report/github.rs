//! What GitHub's runner is told where it runs the check: notes on lines of the change, the ten most important ones.

use super::model::{ChangeReport, Finding, FindingKind, JudgedFunction};
use incise_markup::github::{data, property};
use std::io::{self, Write};

/// GitHub shows no more of a step and level.
const MOST: usize = 10;

/// Writes a command a line.
pub fn render(report: &ChangeReport, out: &mut dyn Write) -> io::Result<()> {
    let findings = report.findings();
    for (function, finding) in findings.iter().take(MOST) {
        writeln!(out, "{}", annotation(function, finding))?;
    }
    let left = MOST.saturating_sub(findings.len());
    for open in report.not_compared.iter().take(left) {
        writeln!(
            out,
            "::notice file={},line={},title={}::{}",
            property(&open.place.file),
            open.place.line,
            property("not compared"),
            data(&open.words)
        )?;
    }
    Ok(())
}

fn annotation(function: &JudgedFunction, finding: &Finding) -> String {
    let (level, title) = match finding.kind {
        FindingKind::Introduced(_) => ("error", format!("{} introduces an error", function.name)),
        FindingKind::Difference => ("warning", format!("{} differs", function.name)),
        FindingKind::Undecided => ("notice", format!("{} is undecided", function.name)),
    };
    format!(
        "::{level} file={},line={},title={}::{}",
        property(&finding.place.file),
        finding.place.line,
        property(&title),
        data(&finding.with_remarks())
    )
}
