//! The report for a pull request, as Markdown that GitHub and GitLab show: the most important first, at most 60,000
//! bytes, and what is left out is counted.

use super::model::{ChangeReport, Finding, FindingKind, JudgedFunction};
use crate::repository::Trouble;
use crate::repository::text::word;
use crate::text::counted;
use incise_markup::markdown::{code, code_cell, words};
use std::io::{self, Write};

/// The whole is never longer.
pub const MOST_BYTES: usize = 60_000;
/// What is kept for each part; a part that needs less leaves the rest to those behind it.
const FOR_ROWS: usize = 22_000;
const FOR_NOT_COMPARED: usize = 7_000;
const FOR_DETAILS: usize = 22_000;
const FOR_SAME: usize = 4_000;
const FOR_NOTES: usize = 3_000;
/// A text is cut behind so many characters.
const LONGEST: usize = 300;

/// Writes the report.
pub fn render(report: &ChangeReport, out: &mut dyn Write) -> io::Result<()> {
    let mut page = Page::default();
    page.text += &format!("## Incise: {}\n\n", words(&cut(&report.conclusion)));
    page.text += &format!("From {} to {}.\n\n", code(&cut(&report.old)), code(&cut(&report.new)));
    counts(report, &mut page);
    rows(report, &mut page);
    let open = report.not_compared.iter().map(|each| words(&cut(&each.words)));
    page.list("Not compared", open.collect(), FOR_NOT_COMPARED);
    details(report, &mut page);
    same(report, &mut page);
    let lists = [
        ("Left out", &report.left_out),
        ("Added", &report.added),
        ("Removed", &report.removed),
        ("Notes", &report.notes),
    ];
    for (heading, lines) in lists {
        page.list(heading, lines.iter().map(|line| words(&cut(line))).collect(), FOR_NOTES);
    }
    out.write_all(page.text.as_bytes())
}

/// What is written so far.
#[derive(Default)]
struct Page {
    text: String,
    /// What earlier parts left of their share.
    spare: usize,
}

impl Page {
    /// Writes as many blocks as the share of a part lets; `rest` says how many are left out.
    fn part(&mut self, blocks: &[String], share: usize, rest: &dyn Fn(usize) -> String) {
        let most = share + self.spare;
        let mut used = 0;
        let mut written = 0;
        // The words for the rest are short.
        while written < blocks.len() && used + blocks[written].len() + 200 <= most {
            self.text += &blocks[written];
            used += blocks[written].len();
            written += 1;
        }
        if written < blocks.len() {
            let words = rest(blocks.len() - written);
            used += words.len();
            self.text += &words;
        }
        self.spare = most.saturating_sub(used);
    }

    fn list(&mut self, heading: &str, lines: Vec<String>, share: usize) {
        if lines.is_empty() {
            self.spare += share;
            return;
        }
        self.text += &format!("\n### {heading}\n\n");
        let lines: Vec<String> = lines.into_iter().map(|line| format!("- {line}\n")).collect();
        self.part(&lines, share.saturating_sub(100), &|left| format!("- ... and {left} more\n"));
    }
}

/// The figures: the same as in every other format.
fn counts(report: &ChangeReport, page: &mut Page) {
    let troubles = Trouble::ALL.map(word);
    let heads: Vec<&str> = ["functions"].into_iter().chain(troubles).chain(["not compared"]).collect();
    let counts = &report.counts;
    let figures: Vec<String> = std::iter::once(counts.all())
        .chain(counts.functions)
        .chain([counts.not_compared])
        .map(|count| count.to_string())
        .collect();
    page.text += &format!(
        "| {} |\n|{}\n| {} |\n\n",
        heads.join(" | "),
        "---:|".repeat(heads.len()),
        figures.join(" | ")
    );
    page.text += &format!(
        "{}, {}, {}.\n\n",
        counted(counts.introduced, "error introduced").replace("error introduceds", "errors introduced"),
        counted(counts.fixed, "error fixed").replace("error fixeds", "errors fixed"),
        counted(counts.ways, "way to differ").replace("way to differs", "ways to differ")
    );
}

/// A line for each function that does not do the same.
fn rows(report: &ChangeReport, page: &mut Page) {
    let troubled: Vec<&JudgedFunction> =
        report.functions.iter().filter(|each| each.trouble <= Trouble::Undecided).collect();
    if troubled.is_empty() {
        page.spare += FOR_ROWS;
        return;
    }
    page.text += "| verdict | function | unit | why |\n|---|---|---|---|\n";
    let row = |function: &&JudgedFunction| {
        format!(
            "| {} | {} | {} | {} |\n",
            word(function.trouble),
            code_cell(&cut(&function.name)),
            code_cell(&cut(&function.unit)),
            code_cell(&cut(&function.why))
        )
    };
    let rows: Vec<String> = troubled.iter().map(row).collect();
    page.part(&rows, FOR_ROWS, &|left| {
        format!(
            "\n{} not in this table.\n",
            counted(left, "more function is").replace("function iss", "functions are")
        )
    });
}

/// What shows the verdicts.
fn details(report: &ChangeReport, page: &mut Page) {
    let shown: Vec<_> =
        report.findings().into_iter().filter(|(_, each)| each.kind != FindingKind::Undecided).collect();
    if shown.is_empty() {
        page.spare += FOR_DETAILS;
        return;
    }
    page.text += "\n### What shows it\n\n";
    let blocks: Vec<String> =
        shown.into_iter().map(|(function, finding)| detail(function, finding)).collect();
    page.part(&blocks, FOR_DETAILS, &|left| {
        format!(
            "\n{} not shown here.\n",
            counted(left, "more finding is").replace("finding iss", "findings are")
        )
    });
}

fn detail(function: &JudgedFunction, finding: &Finding) -> String {
    let head = match finding.kind {
        FindingKind::Introduced(kind) => format!("**introduces {}**", words(kind.name())),
        _ => "**differs**".to_owned(),
    };
    let remarks: String =
        finding.remarks.iter().map(|remark| format!(" ({})", words(&cut(remark)))).collect();
    format!(
        "- {} in {} {head} at {}{remarks}\n  - given {}\n  - old: {}\n  - new: {}\n",
        code(&cut(&function.name)),
        code(&cut(&function.unit)),
        code(&cut(&finding.place.to_string())),
        code(&cut(&finding.given)),
        code(&cut(&finding.old.does)),
        code(&cut(&finding.new.does))
    )
}

/// The names of those that do the same, in as little room as that takes.
fn same(report: &ChangeReport, page: &mut Page) {
    for trouble in [Trouble::WithinBounds, Trouble::Same] {
        let names: Vec<String> = report
            .functions
            .iter()
            .filter(|each| each.trouble == trouble)
            .map(|each| format!("{}, ", code(&cut(&format!("{} ({})", each.name, each.unit)))))
            .collect();
        if names.is_empty() {
            page.spare += FOR_SAME / 2;
            continue;
        }
        page.text +=
            &format!("\n### {}\n\n", if trouble == Trouble::Same { "Same" } else { "Same within bounds" });
        page.part(&names, FOR_SAME / 2, &|left| format!("and {left} more"));
        let end = page.text.trim_end_matches(", ").len();
        page.text.truncate(end);
        page.text += "\n";
    }
}

/// As much of a text as has room.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
