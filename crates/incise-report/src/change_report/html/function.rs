//! One function: its verdict, inputs with what both versions do side by side, and the paths that the change affects.

use super::links::Links;
use super::summary::{class, more, sign};
use super::{Caps, cut};
use crate::Place;
use crate::change_report::model::{
    ChangeReport, Finding, FindingKind, JudgedFunction, ReportPath, ReportStep, Side,
};
use crate::repository::Trouble;
use incise_markup::xml::text as escaped;
use std::fmt::Write as _;

/// A text is cut behind so many characters.
const LONGEST: usize = 600;

/// All functions.
pub(super) fn all(report: &ChangeReport, links: &Links<'_>, caps: Caps, text: &mut String) {
    if report.functions.is_empty() {
        return;
    }
    *text += "<section id=\"functions\">\n<h2>Functions</h2>\n";
    for (number, function) in report.functions.iter().take(caps.functions).enumerate() {
        one(number, function, links, caps, text);
    }
    more(report.functions.len(), caps.functions, "functions", text);
    *text += "</section>\n";
}

fn one(number: usize, function: &JudgedFunction, links: &Links<'_>, caps: Caps, text: &mut String) {
    let _ = write!(
        text,
        "<article id=\"function{number}\" class=\"{}\">\n<h3><span class=\"sign\" aria-hidden=\"true\">{}</span> <code>{}</code> \
         <small>in <code>{}</code></small></h3>\n<p class=\"verdict\">{}</p>\n",
        class(function.trouble),
        sign(function.trouble),
        escaped(&cut(&function.name, LONGEST)),
        escaped(&cut(&function.unit, LONGEST)),
        escaped(&cut(&function.verdict, LONGEST)),
    );
    for finding in function.findings.iter().take(caps.findings) {
        self::finding(finding, links, caps, text);
    }
    more(function.findings.len(), caps.findings, "findings", text);
    lists(function, caps, text);
    paths(function, links, caps, text);
    *text += "</article>\n";
}

/// What there is to say beside.
fn lists(function: &JudgedFunction, caps: Caps, text: &mut String) {
    // Why a function is undecided was said.
    if function.trouble != Trouble::Undecided {
        list("Open", &function.reasons, caps, text);
    }
    list("Fixed", &function.fixed, caps, text);
    list("Pre-existing", &function.preexisting, caps, text);
    list("Compared within", &function.bounds, caps, text);
    list("Inputs are taken so", &function.taken, caps, text);
    list("With other inputs", &function.others, caps, text);
    list("Notes", &function.notes, caps, text);
}

fn list(heading: &str, lines: &[String], caps: Caps, text: &mut String) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(text, "<h4>{heading}</h4>\n<ul>");
    for line in lines.iter().take(caps.list) {
        let _ = writeln!(text, "<li>{}</li>", escaped(&cut(line, LONGEST)));
    }
    *text += "</ul>\n";
    more(lines.len(), caps.list, "lines", text);
}

fn finding(finding: &Finding, links: &Links<'_>, caps: Caps, text: &mut String) {
    let message = match finding.kind {
        FindingKind::Undecided => {
            let _ = writeln!(
                text,
                "<div class=\"finding\"><p>{}</p></div>",
                escaped(&cut(&finding.message, LONGEST))
            );
            return;
        }
        FindingKind::Introduced(kind) => format!("introduces <strong>{}</strong> at", escaped(kind.name())),
        FindingKind::Difference => "differs at".to_owned(),
    };
    let _ = writeln!(
        text,
        "<div class=\"finding\">\n<p>Given <code class=\"given\">{}</code> it {message} {}</p>",
        escaped(&cut(&finding.given, LONGEST)),
        links.place(&finding.place, false)
    );
    if let Some(changed) = finding.changed.as_ref().filter(|changed| **changed != finding.place) {
        let _ =
            writeln!(text, "<p>The changed line that it meets first is {}.</p>", links.place(changed, false));
    }
    *text += "<div class=\"sides\">\n";
    side(&finding.old, true, links, caps, text);
    side(&finding.new, false, links, caps, text);
    *text += "</div>\n";
    if finding.replayed {
        *text += "<p class=\"remark\">Native runs of both versions did so.</p>\n";
    }
    for remark in &finding.remarks {
        let _ = writeln!(text, "<p class=\"remark\">{}</p>", escaped(&cut(remark, LONGEST)));
    }
    *text += "</div>\n";
}

/// What one version does.
fn side(side: &Side, is_old: bool, links: &Links<'_>, caps: Caps, text: &mut String) {
    let name = if is_old { "old" } else { "new" };
    let does = escaped(&cut(&side.does, LONGEST));
    let _ = writeln!(
        text,
        "<div class=\"side {name}\"><h5>{name}</h5>\n<p class=\"does\"><code>{does}</code></p>"
    );
    if !side.steps.is_empty() || side.end.is_some() {
        *text += "<ol class=\"steps\">\n";
        steps(side, is_old, links, caps, text);
        *text += "</ol>\n";
    }
    over(("affected on the way:", &side.over), is_old, links, caps, text);
    *text += "</div>\n";
}

/// The branches, and the end with what is left behind there.
fn steps(side: &Side, is_old: bool, links: &Links<'_>, caps: Caps, text: &mut String) {
    let parts = side.parts.unwrap_or(usize::MAX);
    let first = first_shown(side, caps);
    left_out(first, text);
    for (number, step) in side.steps.iter().enumerate().skip(first).take(caps.steps) {
        line(step, is_old, if number >= parts { "apart" } else { "" }, links, text);
    }
    left_out(side.steps.len().saturating_sub(first + caps.steps), text);
    if let Some(end) = &side.end {
        let step = ReportStep { text: side.does.clone(), place: Some(end.clone()), affected: false };
        line(&step, is_old, "end", links, text);
    }
}

/// Of a long way, what is around the place where the versions part.
fn first_shown(side: &Side, caps: Caps) -> usize {
    match side.steps.len() > caps.steps {
        true => side.parts.unwrap_or(side.steps.len()).saturating_sub(caps.steps / 2),
        false => 0,
    }
}

/// Places in order, and how many there are more.
fn over((words, places): (&str, &[Place]), is_old: bool, links: &Links<'_>, caps: Caps, text: &mut String) {
    let shown = &places[..places.len().min(caps.steps)];
    if !shown.is_empty() {
        let more = match places.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let _ = writeln!(text, "<p class=\"over\">{words} {}{more}</p>", links.row(shown, is_old));
    }
}

fn left_out(count: usize, text: &mut String) {
    if count > 0 {
        let _ = writeln!(text, "<li class=\"more\">{count} more steps</li>");
    }
}

/// A step with its line: where, what stands there, and what holds.
fn line(step: &ReportStep, is_old: bool, class: &str, links: &Links<'_>, text: &mut String) {
    let place = step.place.as_ref().map_or_else(String::new, |place| links.short(place, is_old));
    let source = step.place.as_ref().and_then(|place: &Place| links.source(place, is_old));
    let source = source.map_or_else(String::new, |line| {
        format!("<code class=\"source\">{}</code>", escaped(&cut(line, 160)))
    });
    let star = if step.affected { "<span class=\"star\" title=\"affected\">*</span> " } else { "" };
    let _ = writeln!(
        text,
        "<li class=\"{class}\">{star}{place} {source} <code class=\"value\">{}</code></li>",
        escaped(&cut(&step.text, LONGEST))
    );
}

/// The paths that the change affects, behind a line that opens.
fn paths(function: &JudgedFunction, links: &Links<'_>, caps: Caps, text: &mut String) {
    if function.paths.is_empty() {
        return;
    }
    let all = if function.paths_complete { "" } else { "; there may be more" };
    let count = function.paths.len();
    let noun = if count == 1 { "path" } else { "paths" };
    let _ = writeln!(text, "<details><summary>{count} affected {noun}{all}</summary>");
    for (number, path) in function.paths.iter().take(caps.paths).enumerate() {
        self::path(number, path, links, caps, text);
    }
    more(count, caps.paths, "paths", text);
    *text += "</details>\n";
}

fn path(number: usize, path: &ReportPath, links: &Links<'_>, caps: Caps, text: &mut String) {
    let _ = writeln!(
        text,
        "<div class=\"path\"><p>Path {}: <code class=\"value\">{}</code>, given <code class=\"given\">{}</code></p>\n<ol class=\"steps\">",
        number + 1,
        escaped(&cut(&path.ends, LONGEST)),
        escaped(&cut(&path.given, LONGEST))
    );
    for step in path.condition.iter().take(caps.steps) {
        line(step, false, "", links, text);
    }
    left_out(path.condition.len().saturating_sub(caps.steps), text);
    *text += "</ol>\n";
    let places: Vec<Place> = path.over.iter().filter_map(|step| step.place.clone()).collect();
    over(("over", &places), false, links, caps, text);
    *text += "</div>\n";
}
