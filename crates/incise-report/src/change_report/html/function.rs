//! One function: its verdict, inputs with what both versions do side by side, and the paths that the change affects.

use super::links::Links;
use super::summary::{class, more, sign};
use super::{Caps, cut};
use crate::Place;
use crate::change_report::model::{
    ChangeReport, Finding, FindingKind, JudgedFunction, ReportPath, Side, Step,
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
    let reasons = if function.trouble == Trouble::Undecided { &[][..] } else { &function.reasons[..] };
    let lists = [
        ("Open", reasons),
        ("Fixed", &function.fixed),
        ("Pre-existing", &function.preexisting),
        ("Compared within", &function.bounds),
        ("Inputs are taken so", &function.taken),
        ("With other inputs", &function.others),
        ("Notes", &function.notes),
    ];
    for (heading, lines) in lists.iter().filter(|(_, lines)| !lines.is_empty()) {
        let _ = writeln!(text, "<h4>{heading}</h4>\n<ul>");
        for line in lines.iter().take(caps.list) {
            let _ = writeln!(text, "<li>{}</li>", escaped(&cut(line, LONGEST)));
        }
        *text += "</ul>\n";
        more(lines.len(), caps.list, "lines", text);
    }
    paths(function, links, caps, text);
    *text += "</article>\n";
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
    let _ = writeln!(
        text,
        "<div class=\"side {name}\"><h5>{name}</h5>\n<p class=\"does\"><code>{}</code></p>",
        escaped(&cut(&side.does, LONGEST))
    );
    if !side.steps.is_empty() || side.end.is_some() {
        *text += "<ol class=\"steps\">\n";
        let parts = side.parts.unwrap_or(usize::MAX);
        // Around where they part it is of interest, and at the end.
        let first = match side.steps.len() > caps.steps {
            true => parts.min(side.steps.len()).saturating_sub(caps.steps / 2),
            false => 0,
        };
        let shown = side.steps.iter().enumerate().skip(first).take(caps.steps);
        left_out(first, text);
        for (number, step) in shown {
            line(step, is_old, if number >= parts { "apart" } else { "" }, links, text);
        }
        left_out(side.steps.len().saturating_sub(first + caps.steps), text);
        if let Some(end) = &side.end {
            let step = Step { text: side.does.clone(), place: Some(end.clone()), affected: false };
            line(&step, is_old, "end", links, text);
        }
        *text += "</ol>\n";
    }
    let over: Vec<String> =
        side.over.iter().take(caps.steps).map(|place| links.place(place, is_old)).collect();
    if !over.is_empty() {
        let rest = side.over.len().saturating_sub(caps.steps);
        let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        let _ =
            writeln!(text, "<p class=\"over\">affected on the way: {}{rest}</p>", over.join(" \u{2192} "));
    }
    *text += "</div>\n";
}

fn left_out(count: usize, text: &mut String) {
    if count > 0 {
        let _ = writeln!(text, "<li class=\"more\">{count} more steps</li>");
    }
}

/// A step with its line: where, what stands there, and what holds.
fn line(step: &Step, is_old: bool, class: &str, links: &Links<'_>, text: &mut String) {
    let place = step.place.as_ref().map_or_else(String::new, |place| links.place(place, is_old));
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
    let over: Vec<String> = path.over.iter().take(caps.steps).map(|step| linked(step, links)).collect();
    if !over.is_empty() {
        let rest = path.over.len().saturating_sub(caps.steps);
        let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        let _ = writeln!(text, "<p class=\"over\">over {}{rest}</p>", over.join(" \u{2192} "));
    }
    *text += "</div>\n";
}

fn linked(step: &Step, links: &Links<'_>) -> String {
    step.place.as_ref().map_or_else(|| escaped(&step.text), |place| links.place(place, false))
}
