//! What a new suite holds, as text for people.

use crate::LimitKind;
use crate::suite::SuiteManifest;
use crate::text::{TextOptions, counted};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes how many tests were written, what they expect, and whether they are all.
pub fn render(
    suite: &SuiteManifest,
    place: &str,
    options: TextOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style = options.style();
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    for test in &suite.tests {
        *outcomes.entry(&test.outcome).or_default() += 1;
    }
    let outcomes: Vec<_> = outcomes.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
    let outcomes = if outcomes.is_empty() { String::new() } else { format!(" ({})", outcomes.join(", ")) };
    let tests = counted(suite.tests.len(), "test");
    writeln!(out, "{} of {} written to {place}{outcomes}", style.bold(&tests), suite.entry)?;
    if options.quiet {
        return Ok(());
    }
    for unsolved in &suite.unsolved {
        writeln!(out, "{} the path {}: {}", style.yellow("no test for"), unsolved.path, unsolved.reason)?;
    }
    if suite.complete {
        let of = if suite.options.is_restricted() { " on inputs as taken" } else { "" };
        writeln!(out, "{}: there is a test for every path{of}", style.green("complete"))?;
        return taken(suite, out);
    }
    let mut reasons: Vec<String> = suite.limits.iter().map(LimitKind::to_string).collect();
    reasons.extend(suite.concretised.iter().map(|what| format!("made concrete: {what}")));
    if reasons.is_empty() {
        reasons.push("some paths could not be followed to their end".to_owned());
    }
    writeln!(out, "{}: {}", style.yellow("not complete"), reasons.join("; "))?;
    taken(suite, out)
}

/// What the inputs were taken to be.
fn taken(suite: &SuiteManifest, out: &mut dyn Write) -> io::Result<()> {
    match suite.options.taken.is_empty() {
        true => Ok(()),
        false => writeln!(out, "  taken: {}", suite.options.taken_words()),
    }
}
