//! What a change in a repository does as text: a line for each function, the most trouble first, then details.

use super::model::{Reached, RepositoryReport, Row, Trouble, UnitReport};
use crate::text::Style;
use crate::verdict::text::{one_of_several, plainest, witness_line};
use crate::verdict::threads_text::race_words;
use crate::{Advice, TextOptions};
use std::io::{self, Write};

/// How many reasons and notes are shown.
const SHOWN: usize = 12;
/// As much of why something is not known stands in the summary.
const LONGEST_REASON: usize = 100;

/// Writes the whole report.
pub fn render(report: &RepositoryReport, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.style();
    let rows = report.rows();
    writeln!(out, "{}", style.bold(&format!("{} against {}", report.new, report.old)))?;
    summary(&rows, style, out)?;
    list(&report.all_reasons(), "not compared:", options, out)?;
    list(&report.all_left_out(), "left out:", options, out)?;
    if !options.quiet {
        functions(report, options, out)?;
        details(&rows, options, out)?;
        let notes = report.all_notes();
        if !notes.is_empty() {
            writeln!(out)?;
        }
        list(&notes, "note:", options, out)?;
        writeln!(out)?;
    }
    writeln!(out, "{}", conclusion(report, style))
}

/// A line for each function.
fn summary(rows: &[Row<'_>], style: Style, out: &mut dyn Write) -> io::Result<()> {
    let width = |of: fn(&Row<'_>) -> usize| rows.iter().map(of).max().unwrap_or_default();
    let names = width(|row| row.comparison.entry.chars().count());
    let words = width(|row| word(Trouble::of(row.comparison)).len());
    for row in rows {
        let trouble = Trouble::of(row.comparison);
        let word = colored(trouble, &format!("{:words$}", word(trouble)), style);
        let line = format!(
            "{word}  {:names$}  {}  {}",
            row.comparison.entry,
            style.dim(&row.unit.name),
            why(row, style)
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// What shows the verdict, in one line: the plainest witness, or why there is none.
pub(crate) fn why(row: &Row<'_>, style: Style) -> String {
    let comparison = row.comparison;
    match Trouble::of(comparison) {
        Trouble::Introduces => {
            let first = comparison.introduced.first().map(|error| {
                let place = error.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
                format!("{}{place}", error.message)
            });
            let races = comparison.threads.iter().flat_map(|threads| &threads.introduced);
            first.or_else(|| races.map(race_words).next()).unwrap_or_default()
        }
        Trouble::Differs => {
            let plainest = plainest(&comparison.differences);
            plainest.map(|witness| witness_line(witness, style)).unwrap_or_default()
        }
        Trouble::Undecided => {
            let reason = comparison.reasons.first().cloned().unwrap_or_default();
            match reason.char_indices().nth(LONGEST_REASON) {
                Some((end, _)) => format!("{}...", &reason[..end]),
                None => reason,
            }
        }
        Trouble::WithinBounds => String::new(),
        Trouble::Same if comparison.is_as_taken() => "proved, on inputs as taken".to_owned(),
        Trouble::Same => "proved".to_owned(),
    }
}

pub(crate) fn word(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::Introduces => "introduces an error",
        Trouble::Differs => "differs",
        Trouble::Undecided => "undecided",
        Trouble::WithinBounds => "same within bounds",
        Trouble::Same => "same",
    }
}

fn colored(trouble: Trouble, text: &str, style: Style) -> String {
    match trouble {
        Trouble::Introduces | Trouble::Differs => style.red(text),
        Trouble::Undecided => style.yellow(text),
        Trouble::WithinBounds | Trouble::Same => style.green(text),
    }
}

/// Functions that only one version has: nothing can be compared with them.
fn functions(report: &RepositoryReport, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.style();
    let (added, removed) = lone(report);
    for (word, names) in [("added:", added), ("removed:", removed)] {
        if names.is_empty() {
            continue;
        }
        let shown = options.shown(SHOWN).min(names.len());
        let more = match names.len() - shown {
            0 => String::new(),
            more => format!(" and {more} more{}", style.hint(Advice::ShowRest)),
        };
        writeln!(out, "{} {}{more}", style.bold(word), names[..shown].join(", "))?;
    }
    Ok(())
}

/// What only NEW has, and what only OLD has, with their units.
pub(crate) fn lone(report: &RepositoryReport) -> (Vec<String>, Vec<String>) {
    let named = |of: fn(&UnitReport) -> &Vec<String>, whole: &[String]| -> Vec<String> {
        let units = report.units.iter();
        let functions =
            units.flat_map(|unit| of(unit).iter().map(move |name| format!("{name} ({})", unit.name)));
        functions.chain(whole.iter().map(|name| format!("all of {name}"))).collect()
    };
    (named(|unit| &unit.added, &report.added), named(|unit| &unit.removed, &report.removed))
}

fn details(rows: &[Row<'_>], options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.style();
    for row in rows {
        writeln!(out, "\n{}", style.bold(&format!("{} in {}", row.comparison.entry, row.unit.name)))?;
        one_of_several(row.comparison, true, options, out)?;
    }
    Ok(())
}

fn list(lines: &[String], word: &str, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.style();
    let shown = options.shown(SHOWN);
    for line in lines.iter().take(shown) {
        writeln!(out, "{} {line}", style.bold(word))?;
    }
    match lines.len().saturating_sub(shown) {
        0 => Ok(()),
        more => writeln!(out, "{} {more} more{}", style.bold(word), style.hint(Advice::ShowRest)),
    }
}

/// The verdict on the whole, in one line.
pub(crate) fn conclusion(report: &RepositoryReport, style: Style) -> String {
    let counts = report.counts();
    let mut parts = Vec::new();
    for (trouble, count) in Trouble::ALL.into_iter().zip(counts.functions) {
        let words = match (trouble, count) {
            (_, 0) => continue,
            (Trouble::Introduces, 1) => "introduces an error",
            (Trouble::Introduces, _) => "introduce errors",
            (Trouble::Differs, 1) => "differs",
            (Trouble::Differs, _) => "differ",
            (Trouble::Undecided, 1) => "is undecided",
            (Trouble::Undecided, _) => "are undecided",
            (Trouble::WithinBounds, 1) => "does the same within bounds",
            (Trouble::WithinBounds, _) => "do the same within bounds",
            (Trouble::Same, 1) => "does the same",
            (Trouble::Same, _) => "do the same",
        };
        parts.push(colored(trouble, &format!("{count} {words}"), style));
    }
    let open = report.all_reasons().len();
    if open > 0 {
        let things = if open == 1 { "thing that changed is" } else { "things that changed are" };
        parts.push(style.yellow(&format!("{open} {things} not compared")));
    }
    let functions: usize = counts.functions.iter().sum();
    let compared = match (functions, report.units.iter().any(|unit| unit.reached != Reached::Compared)) {
        (0, false) if open == 0 => return "no function changed that both versions have".to_owned(),
        (0, _) => return format!("no function was compared: {}", parts.join(", ")),
        (1, _) => "1 changed function".to_owned(),
        (count, _) => format!("{count} changed functions"),
    };
    format!("{compared}: {}", parts.join(", "))
}
