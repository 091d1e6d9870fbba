//! What the renderers of text for people share: options, colours, numbers with their nouns, and the inputs of a path.

mod advice;
mod inputs;
mod style;

pub use advice::{Advice, Adviser};
pub(crate) use inputs::{inputs, shown_value, telling};
use std::io::{self, Write};
pub(crate) use style::Style;

/// How much of a path condition is shown.
const SHOWN_CONDITION: usize = 2000;

/// What of a run to show, and how.
#[derive(Copy, Clone, Debug, Default)]
pub struct TextOptions {
    /// With colours.
    pub color: bool,
    /// Errors and one line only.
    pub quiet: bool,
    /// With effort and solver stages.
    pub statistics: bool,
    /// Everything that was found, and not only as much as fits on a screen.
    pub all: bool,
    /// With the inputs that are not compared.
    pub invalid: bool,
    /// Who has words for what can be done; there is no advice without.
    pub advise: Option<Adviser>,
}

impl TextOptions {
    /// How text is dressed.
    pub(crate) fn style(self) -> Style {
        Style::new(self.color, self.advise)
    }

    /// How many of something are shown, if `few` fit on a screen.
    pub(crate) fn shown(self, few: usize) -> usize {
        if self.all { usize::MAX } else { few }
    }
}

/// How many notes on the whole are listed.
const SHOWN_NOTES: usize = 12;

/// Writes what the user should know, and counts what does not fit on a screen.
pub(crate) fn write_notes(
    notes: &[String],
    (options, advice): (TextOptions, Advice),
    out: &mut dyn Write,
) -> io::Result<()> {
    let style = options.style();
    for note in notes.iter().take(options.shown(SHOWN_NOTES)) {
        writeln!(out, "{} {note}", style.bold("note:"))?;
    }
    match notes.len().saturating_sub(options.shown(SHOWN_NOTES)) {
        0 => Ok(()),
        rest => {
            let hint = style.hint(advice);
            writeln!(out, "{} ... and {}{hint}", style.bold("note:"), counted(rest, "more note"))
        }
    }
}

/// `1 path`, `2 paths`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// So many tests with one reason have a line each.
const EACH: usize = 8;

/// Writes a line for each test, in front of it a word and behind it a reason; many with one reason are one line.
pub(crate) fn write_by_reason<'n>(
    word: &str,
    tests: impl Iterator<Item = (&'n str, String)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, reason) in tests {
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(name),
            None => reasons.push((reason, vec![name])),
        }
    }
    for (reason, names) in reasons {
        match names[..] {
            [first, ..] if names.len() > EACH => {
                writeln!(out, "{word} {} tests, as {first}: {reason}", names.len())?;
            }
            _ => {
                for name in names {
                    writeln!(out, "{word} {name}: {reason}")?;
                }
            }
        }
    }
    Ok(())
}

/// As much of a condition as fits on a screen.
pub(crate) fn shortened(text: &str, style: Style) -> String {
    match text.char_indices().nth(SHOWN_CONDITION) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}...{}", &text[..at], style.hint(Advice::WholeText)),
    }
}
