//! Impacted coverage as text for people: one line for each obligation, and one that sums up.

use crate::cover::{Cover, CoverReport, CoverStatus, CoverTarget, SourceSpot};
use crate::text::{Advice, Style, TextOptions, counted, telling, write_notes};
use crate::verdict::text::taken_words;
use crate::{FoundPath, Spot};
use incise_vocabulary::Criterion;
use std::io::{self, Write};

/// How many obligations of a criterion are shown.
const SHOWN: usize = 200;
/// How many sides of a combination are shown.
const SHOWN_SIDES: usize = 12;
/// How many inputs of an example are shown.
const SHOWN_INPUTS: usize = 6;
/// How much of a statement or a value is shown.
const SHOWN_TEXT: usize = 48;

/// Writes which obligations the tests of a suite cover.
pub fn render(report: &CoverReport, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.style();
    write_notes(&report.notes, (options, Advice::Listed), out)?;
    if !options.quiet {
        writeln!(out, "{} in {}", counted(report.test_count, "test"), report.tests)?;
    }
    let mut several: Vec<&str> = report.covers.iter().map(|cover| cover.entry.as_str()).collect();
    several.dedup();
    for (entry, taken) in report.taken.iter().filter(|(_, taken)| !taken.is_empty() && !options.quiet) {
        let of = if several.len() > 1 { format!(" of {entry}") } else { String::new() };
        writeln!(out, "{} {}", style.bold(&format!("taken{of}:")), taken_words(taken))?;
    }
    for cover in &report.covers {
        if !options.quiet {
            writeln!(out)?;
        }
        one(cover, several.len() > 1, options, out)?;
    }
    let missing = report.covers.iter().any(|cover| cover.counts().missing > 0);
    if missing
        && !options.quiet
        && let Some(words) = style.advice(Advice::MakeTests)
    {
        writeln!(out, "\n{words}")?;
    }
    Ok(())
}

/// Writes the obligations of a criterion; the entry is named if there are several.
pub(crate) fn one(cover: &Cover, named: bool, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.style();
    let entry = if named { format!("{}: ", cover.entry) } else { String::new() };
    writeln!(out, "{entry}{}", summary(cover, style))?;
    if options.quiet {
        return Ok(());
    }
    let lines: Vec<(String, String, String)> = cover
        .obligations
        .iter()
        .take(SHOWN)
        .map(|each| (place(&each.what), what(&each.what), became(cover, &each.status)))
        .collect();
    let width = |column: fn(&(String, String, String)) -> &String| {
        let widths = lines.iter().map(|line| column(line).chars().count());
        widths.filter(|&width| width <= 70).max().unwrap_or(0)
    };
    let (first, second) = (width(|line| &line.0), width(|line| &line.1));
    for ((place, what, became), obligation) in lines.iter().zip(&cover.obligations) {
        let became = colored(became, &obligation.status, style);
        writeln!(out, "  {place:first$}  {what:second$}  {became}")?;
    }
    let rest = cover.obligations.len().saturating_sub(SHOWN);
    if rest > 0 {
        writeln!(out, "  ... and {}{}", counted(rest, "more obligation"), style.hint(Advice::AllOfThem))?;
    }
    Ok(())
}

fn colored(text: &str, status: &CoverStatus, style: Style) -> String {
    match status {
        CoverStatus::Covered { .. } => style.green(text),
        CoverStatus::Missing { .. } => style.red(text),
        CoverStatus::NotReached(_) => style.yellow(text),
        CoverStatus::Unreachable | CoverStatus::Infeasible | CoverStatus::NotAsTaken { .. } => {
            style.dim(text)
        }
    }
}

/// The line that sums up: `branch: 7 of 9 covered, 1 infeasible, 1 not reached (max-loop)`.
pub(crate) fn summary(cover: &Cover, style: Style) -> String {
    let counts = cover.counts();
    let name = style.bold(cover.criterion.name());
    let reasons = match counts.reasons.is_empty() {
        true => String::new(),
        false => format!(" ({})", counts.reasons.join(", ")),
    };
    if counts.all == 0 && cover.open.is_empty() {
        return format!("{name}: nothing to cover");
    }
    let noun = if cover.criterion == Criterion::PathFragment { " combinations" } else { "" };
    let mut text = format!("{name}: {} of {}{noun} covered", counts.covered, counts.all);
    let parts = [
        (counts.missing, "missing"),
        (counts.infeasible, "infeasible"),
        (counts.not_as_taken, "not with inputs as taken"),
        (counts.unreachable, "unreachable"),
    ];
    if counts.uncertain > 0 {
        text += &format!(" ({} of them if an address is the same)", counts.uncertain);
    }
    for (count, what) in parts.into_iter().filter(|(count, _)| *count > 0) {
        text += &format!(", {count} {what}");
    }
    if counts.not_reached > 0 {
        text += &format!(", {} not reached{reasons}", counts.not_reached);
    } else if !cover.open.is_empty() {
        text += &format!(", there may be more{reasons}");
    } else if cover.as_taken && counts.not_as_taken == 0 {
        text += ", on inputs as taken";
    }
    text
}

/// Where an obligation is: `file.c:12`.
fn place(what: &CoverTarget) -> String {
    what.spot().map_or_else(String::new, spot)
}

fn spot(at: &SourceSpot) -> String {
    match (&at.file, at.spot) {
        (Some(file), Spot::Line(line)) => format!("{file}:{line}"),
        _ => format!("{}, {}", at.function, at.spot.words()),
    }
}

/// An obligation in words.
fn what(what: &CoverTarget) -> String {
    let text = |at: &SourceSpot| at.text.as_deref().map(shortened).unwrap_or_default();
    match what {
        CoverTarget::Statement(at) => text(at),
        CoverTarget::Block(at) => format!("block of {}", text(at)),
        CoverTarget::Entry(at) => format!("start of {}", at.function),
        CoverTarget::Side(at, side) => format!("{}: {side}", text(at)),
        CoverTarget::Exit(at) => match &at.text {
            Some(text) => format!("{} of {}", shortened(text), at.function),
            None => format!("end of {}", at.function),
        },
        CoverTarget::Combination(sides) => {
            let mut shown: Vec<String> =
                sides.iter().take(SHOWN_SIDES).map(|(at, side)| format!("{} {side}", at.spot)).collect();
            if sides.len() > SHOWN_SIDES {
                shown.push(format!("... {} more", sides.len() - SHOWN_SIDES));
            }
            shown.join(", ")
        }
        CoverTarget::Use(each) => {
            let variable = each.variable.as_deref().unwrap_or("what is written");
            let side = each.side.as_ref().map_or_else(String::new, |side| format!(": {side}"));
            let unsure = if each.certain { "" } else { " (if the address is the same)" };
            // What is in the same file needs no name of a file.
            let definition = match each.definition.file == each.usage.file {
                true => each.definition.spot.words(),
                false => spot(&each.definition),
            };
            format!("{variable} of {definition} in {}{side}{unsure}", text(&each.usage))
        }
    }
}

/// What became of an obligation, in words.
fn became(cover: &Cover, status: &CoverStatus) -> String {
    match status {
        CoverStatus::Covered { path, test } => match (path, test) {
            (Some(path), Some(test)) => format!("covered by path {path}, {test}"),
            (Some(path), None) => format!("covered by path {path}"),
            (None, Some(test)) => format!("covered by {test}"),
            (None, None) => "covered".to_owned(),
        },
        CoverStatus::Missing { example } => match shown_example(cover, *example) {
            Some(inputs) => format!("missing, as with {inputs}"),
            None => "missing".to_owned(),
        },
        CoverStatus::NotAsTaken { example } => match shown_example(cover, *example) {
            Some(inputs) => format!("not with inputs as taken; with others, as {inputs}"),
            None => "not with inputs as taken".to_owned(),
        },
        CoverStatus::Unreachable => "unreachable: no way leads there from the entry".to_owned(),
        CoverStatus::Infeasible => "infeasible: no input leads there".to_owned(),
        CoverStatus::NotReached(reasons) => format!("not reached: {}", reasons.join(", ")),
    }
}

/// The inputs of one of the examples, if it has some.
fn shown_example(cover: &Cover, example: Option<u64>) -> Option<String> {
    let path = cover.examples.iter().find(|path| Some(path.id) == example)?;
    Some(inputs(path)).filter(|inputs| !inputs.is_empty())
}

/// The inputs of an example, on one line.
fn inputs(path: &FoundPath) -> String {
    let Some(inputs) = &path.inputs else { return String::new() };
    let (inputs, _) = telling(inputs, &path.condition);
    let mut shown: Vec<String> = inputs
        .iter()
        .take(SHOWN_INPUTS)
        .map(|input| format!("{} = {}", input.name, shortened(&input.value.to_string())))
        .collect();
    if inputs.len() > SHOWN_INPUTS {
        shown.push(format!("... {} more", inputs.len() - SHOWN_INPUTS));
    }
    shown.join(", ")
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN_TEXT) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}...", &text[..at]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cover::{Obligation, Use};

    fn at(line: u32, text: &str) -> SourceSpot {
        SourceSpot {
            function: "f".to_owned(),
            file: Some("f.c".to_owned()),
            spot: Spot::Line(line),
            text: Some(text.to_owned()),
        }
    }

    fn cover() -> Cover {
        let side = |side: &str, status| Obligation {
            what: CoverTarget::Side(at(3, "x > 0"), side.to_owned()),
            status,
        };
        Cover {
            entry: "f".to_owned(),
            criterion: Criterion::Branch,
            obligations: vec![
                side("true", CoverStatus::Covered { path: Some(1), test: Some("test000001".to_owned()) }),
                side("false", CoverStatus::Infeasible),
                side("case 3", CoverStatus::NotReached(vec!["max-loop".to_owned()])),
            ],
            ..Cover::default()
        }
    }

    #[test]
    fn the_summary_tells_what_is_missing_and_why() {
        let style = Style::default();
        assert_eq!(
            summary(&cover(), style),
            "branch: 1 of 3 covered, 1 infeasible, 1 not reached (max-loop)"
        );
        let open = Cover {
            criterion: Criterion::PathFragment,
            open: vec!["max-time".to_owned()],
            ..Cover::default()
        };
        assert_eq!(
            summary(&open, style),
            "path-fragment: 0 of 0 combinations covered, there may be more (max-time)"
        );
        let empty = Cover { criterion: Criterion::Block, ..Cover::default() };
        assert_eq!(summary(&empty, style), "block: nothing to cover");
    }

    #[test]
    fn each_obligation_has_a_line() {
        let mut bytes = Vec::new();
        let options = TextOptions::default();
        one(&cover(), false, options, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(
            text.lines().skip(1).collect::<Vec<_>>(),
            [
                "  f.c:3  x > 0: true    covered by path 1, test000001",
                "  f.c:3  x > 0: false   infeasible: no input leads there",
                "  f.c:3  x > 0: case 3  not reached: max-loop",
            ]
        );
    }

    #[test]
    fn a_use_that_is_not_certain_says_so() {
        let usage = Use {
            definition: at(3, "a[i] = 1"),
            usage: at(5, "return a[j]"),
            side: None,
            variable: Some("a".to_owned()),
            certain: false,
        };
        let shown = "a of line 3 in return a[j] (if the address is the same)";
        assert_eq!(what(&CoverTarget::Use(Box::new(usage))), shown);
    }
}
