//! What stands first: the verdict on the whole, the figures, and a line for each function.

use super::{Caps, cut};
use crate::change_report::model::{ChangeReport, Gate, JudgedFunction, ReportCounts};
use crate::repository::Trouble;
use crate::repository::text::word;
use incise_markup::xml::text as escaped;
use std::fmt::Write as _;

/// A text in the table is cut behind so many characters.
const LONGEST: usize = 400;

/// The head of the page.
pub(super) fn head(report: &ChangeReport, text: &mut String) {
    let gate = match report.gate {
        Gate::Passes => "the check passes",
        Gate::Open => "the check is undecided",
        Gate::Fails => "the check fails",
    };
    let _ = write!(
        text,
        "<header>\n<h1>What the change does</h1>\n<p class=\"versions\">from <code>{}</code> to <code>{}</code></p>\n\
         <p class=\"whole {}\"><strong>{}</strong> <span class=\"gate\">({gate})</span></p>\n<nav aria-label=\"Parts\">",
        escaped(&report.old),
        escaped(&report.new),
        report.sameness.name(),
        escaped(&report.conclusion),
    );
    let parts = [
        (true, "summary", "Summary"),
        (!report.not_compared.is_empty(), "not-compared", "Not compared"),
        (!report.functions.is_empty(), "functions", "Functions"),
        (!report.pages.is_empty(), "change", "Change"),
        (!report.calls.is_empty(), "calls", "Calls"),
        (!report.left_out.is_empty(), "left-out", "Left out"),
        (!report.added.is_empty(), "added", "Added"),
        (!report.removed.is_empty(), "removed", "Removed"),
        (!report.notes.is_empty(), "notes", "Notes"),
    ];
    for (_, id, name) in parts.iter().filter(|(is_there, ..)| *is_there) {
        let _ = write!(text, "<a href=\"#{id}\">{name}</a> ");
    }
    *text += "</nav>\n</header>\n";
}

/// The class of a verdict.
pub(super) fn class(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::Introduces | Trouble::Differs => "differs",
        Trouble::Undecided => "undecided",
        Trouble::WithinBounds | Trouble::Same => "same",
    }
}

/// A sign that tells a verdict without colours.
pub(super) fn sign(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::Introduces => "\u{2716}",
        Trouble::Differs => "\u{2260}",
        Trouble::Undecided => "?",
        Trouble::WithinBounds => "\u{2248}",
        Trouble::Same => "=",
    }
}

/// The figures, and a line for each function.
pub(super) fn table(report: &ChangeReport, caps: Caps, text: &mut String) {
    *text += "<section id=\"summary\">\n<h2>Summary</h2>\n";
    figures(&report.counts, text);
    if !report.functions.is_empty() {
        rows(report, caps, text);
    }
    *text += "</section>\n";
}

fn figures(counts: &ReportCounts, text: &mut String) {
    *text += "<dl class=\"counts\">\n";
    figure(("functions", "functions"), counts.all(), text);
    for (trouble, count) in Trouble::ALL.into_iter().zip(counts.functions) {
        figure((trouble.name(), word(trouble)), count, text);
    }
    figure(("not-compared", "not compared"), counts.not_compared, text);
    figure(("errors-introduced", "errors introduced"), counts.introduced, text);
    figure(("errors-fixed", "errors fixed"), counts.fixed, text);
    figure(("ways-to-differ", "ways to differ"), counts.ways, text);
    *text += "</dl>\n";
}

fn figure((name, words): (&str, &str), count: usize, text: &mut String) {
    let _ = writeln!(text, "<div><dt>{words}</dt><dd data-count=\"{name}\">{count}</dd></div>");
}

fn rows(report: &ChangeReport, caps: Caps, text: &mut String) {
    *text +=
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Functions\"><table>\n<thead><tr>";
    for head in ["verdict", "function", "unit", "why"] {
        let _ = write!(text, "<th scope=\"col\">{head}</th>");
    }
    *text += "</tr></thead>\n<tbody>\n";
    for (number, function) in report.functions.iter().take(caps.rows).enumerate() {
        row(function, linked(number, function, caps), text);
    }
    *text += "</tbody>\n</table></div>\n";
    more(report.functions.len(), caps.rows, "functions", text);
}

/// The name of a function, as a link if it has a part of its own.
fn linked(number: usize, function: &JudgedFunction, caps: Caps) -> String {
    let name = escaped(&cut(&function.name, LONGEST));
    match number < caps.functions {
        true => format!("<a href=\"#function{number}\"><code>{name}</code></a>"),
        false => format!("<code>{name}</code>"),
    }
}

fn row(function: &JudgedFunction, name: String, text: &mut String) {
    let trouble = function.trouble;
    let (class, sign, word) = (class(trouble), sign(trouble), word(trouble));
    let (unit, why) = (escaped(&cut(&function.unit, LONGEST)), escaped(&cut(&function.why, LONGEST)));
    let _ = writeln!(
        text,
        "<tr class=\"{class}\"><td><span class=\"sign\" aria-hidden=\"true\">{sign}</span> {word}</td><td>{name}</td>\
         <td><code>{unit}</code></td><td class=\"why\">{why}</td></tr>"
    );
}

/// A list of lines with a heading; nothing if there are none.
pub(super) fn list<'l>(
    lines: impl ExactSizeIterator<Item = &'l str>,
    (id, heading): (&str, &str),
    caps: Caps,
    text: &mut String,
) {
    let count = lines.len();
    if count == 0 {
        return;
    }
    let _ = writeln!(text, "<section id=\"{id}\">\n<h2>{heading}</h2>\n<ul>");
    for line in lines.take(caps.list) {
        let _ = writeln!(text, "<li>{}</li>", escaped(&cut(line, 2_000)));
    }
    *text += "</ul>\n";
    more(count, caps.list, "lines", text);
    *text += "</section>\n";
}

/// Says how many are not shown.
pub(super) fn more(count: usize, shown: usize, noun: &str, text: &mut String) {
    if count > shown {
        let _ = writeln!(text, "<p class=\"more\">{} more {noun} are not shown here.</p>", count - shown);
    }
}
