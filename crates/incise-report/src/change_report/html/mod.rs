//! The report as a page: one file without scripts and without a network, to read in the light, in the dark, on a small
//! screen and on paper. A policy in its head forbids all that it does not need, so that no text of a program could run
//! even if it were not escaped.
//!
//! The page is XML as well, so that a test can tell that nothing in it is left open.
//!
//! What does not fit into a megabyte is left out, the least important first, and counted.

mod calls;
mod function;
mod links;
mod source;
mod summary;

use super::model::ChangeReport;
use incise_markup::xml::text as escaped;
use links::Links;
use std::io::{self, Write};

/// How the page looks.
const STYLE: &str = include_str!("style.css");

/// A page is not larger, unless there is nothing left to leave out.
pub const MOST_BYTES: usize = 1_000_000;

/// How much of everything is shown.
#[derive(Copy, Clone, Debug)]
struct Caps {
    /// Functions with a part of their own.
    functions: usize,
    /// Functions in the table.
    rows: usize,
    /// Findings of a function.
    findings: usize,
    /// Affected paths of a function.
    paths: usize,
    /// Steps of a path.
    steps: usize,
    /// Lines of a file.
    lines: usize,
    /// Files.
    pages: usize,
    /// Lines of a list.
    list: usize,
}

impl Caps {
    const FIRST: Self = Self {
        functions: 400,
        rows: 4_000,
        findings: 20,
        paths: 30,
        steps: 80,
        lines: 3_000,
        pages: 400,
        list: 400,
    };

    /// Half of everything.
    fn halved(self) -> Self {
        let half = |count: usize| (count / 2).max(1);
        Self {
            functions: half(self.functions),
            rows: half(self.rows),
            findings: half(self.findings),
            paths: half(self.paths),
            steps: half(self.steps).max(4),
            lines: half(self.lines).max(40),
            pages: half(self.pages),
            list: half(self.list),
        }
    }
}

/// Writes the page.
pub fn render(report: &ChangeReport, out: &mut dyn Write) -> io::Result<()> {
    let mut caps = Caps::FIRST;
    let mut text = page(report, caps);
    while text.len() > MOST_BYTES && caps.rows > 1 {
        caps = caps.halved();
        text = page(report, caps);
    }
    out.write_all(text.as_bytes())
}

fn page(report: &ChangeReport, caps: Caps) -> String {
    let links = Links::new(report, caps);
    let title = escaped(&format!("{}: {}", report.new, report.conclusion));
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>\n\
         <meta name=\"generator\" content=\"incise {}\"/>\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        escaped(&report.program)
    );
    summary::head(report, &mut text);
    text += "<main>\n";
    summary::table(report, caps, &mut text);
    summary::list(
        report.not_compared.iter().map(|each| each.words.as_str()),
        ("not-compared", "Not compared"),
        caps,
        &mut text,
    );
    function::all(report, &links, caps, &mut text);
    source::all(report, &links, caps, &mut text);
    calls::all(report, &links, caps, &mut text);
    let lists = [
        (&report.left_out, ("left-out", "Left out")),
        (&report.added, ("added", "Added")),
        (&report.removed, ("removed", "Removed")),
        (&report.notes, ("notes", "Notes")),
    ];
    for (lines, names) in lists {
        summary::list(lines.iter().map(String::as_str), names, caps, &mut text);
    }
    text + "</main>\n</body>\n</html>\n"
}

/// As much of a text as has room.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_owned(),
    }
}
