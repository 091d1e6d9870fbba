//! The change, as a difference of lines with those marked that it affects.

use super::links::Links;
use super::summary::more;
use super::{Caps, cut};
use crate::change_report::model::ChangeReport;
use crate::change_report::pages::{PageLine, PageLineKind, SourcePage};
use incise_markup::xml::text as escaped;
use std::fmt::Write as _;

/// A line is cut behind so many characters.
const LONGEST: usize = 400;

/// All files.
pub(super) fn all(report: &ChangeReport, _links: &Links<'_>, caps: Caps, text: &mut String) {
    if report.pages.is_empty() {
        return;
    }
    *text += "<section id=\"change\">\n<h2>Change</h2>\n<p class=\"legend\"><span class=\"added\">+ added</span> <span class=\"removed\">\u{2212} removed</span> \
              <span class=\"affected\">\u{25c6} affected by the change</span></p>\n";
    for (number, page) in report.pages.iter().take(caps.pages).enumerate() {
        file(number, page, caps, text);
    }
    more(report.pages.len(), caps.pages, "files", text);
    *text += "</section>\n";
}

fn file(number: usize, page: &SourcePage, caps: Caps, text: &mut String) {
    let name = escaped(&page.name);
    let from = page
        .old_name
        .as_ref()
        .map_or_else(String::new, |old| format!(" <small>was <code>{}</code></small>", escaped(old)));
    let _ = write!(
        text,
        "<h3 id=\"file{number}\"><code>{name}</code>{from}</h3>\n\
         <div class=\"scroll code\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\"><table class=\"lines\"><tbody>\n"
    );
    for line in page.lines.iter().take(caps.lines) {
        if line.skipped > 0 {
            let _ = writeln!(
                text,
                "<tr class=\"gap\"><td colspan=\"4\">\u{22ef} {} lines</td></tr>",
                line.skipped
            );
        }
        row(number, line, text);
    }
    *text += "</tbody></table></div>\n";
    more(page.lines.len(), caps.lines, "lines", text);
}

fn row(file: usize, line: &PageLine, text: &mut String) {
    let (class, mark) = match (line.kind, line.affected) {
        (PageLineKind::Added, _) => ("added", "+"),
        (PageLineKind::Removed, _) => ("removed", "\u{2212}"),
        (PageLineKind::Same, true) => ("", "\u{25c6}"),
        (PageLineKind::Same, false) => ("", ""),
    };
    let affected = if line.affected { " affected" } else { "" };
    let cell = |version: char, number: Option<u32>| match number {
        Some(number) => format!("<td class=\"number\" id=\"f{file}{version}{number}\">{number}</td>"),
        None => "<td class=\"number\"></td>".to_owned(),
    };
    let _ = writeln!(
        text,
        "<tr class=\"{class}{affected}\">{}{}<td class=\"mark\">{mark}</td><td class=\"text\">{}</td></tr>",
        cell('o', line.old),
        cell('n', line.new),
        escaped(&cut(&line.text, LONGEST))
    );
}
