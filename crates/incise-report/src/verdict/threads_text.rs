//! What only one version with threads can do, as text for people: what it does, what the other does instead, and the
//! execution as columns.

use super::text::{behaviour, inputs, not_replayed};
use super::{ComparedThreads, Comparison, Only, RaceChange, Witness};
use crate::text::{Style, TextOptions, counted};
use crate::threads::text::schedule;
use crate::{FoundPath, Place, ScheduleStep};
use std::io::{self, Write};

/// How many data races of a kind are shown.
const SHOWN_RACES: usize = 10;

/// `Given x = 1:  new can: returns 1   old cannot: returns 2, and so on in all of its 6 executions`.
pub(super) fn witness_line(witness: &Witness, only: &Only, style: Style) -> String {
    let (mine, theirs) = (if only.new { "new" } else { "old" }, if only.new { "old" } else { "new" });
    let old = behaviour(witness, &witness.old, style, |value| &value.old);
    let new = behaviour(witness, &witness.new, style, |value| &value.new);
    let (one, other) = if only.new { (new, old) } else { (old, new) };
    let cannot = if only.new { "cannot" } else { "no longer can" };
    let explored = match only.executions {
        1 => "in its only execution".to_owned(),
        executions => format!("nearest of its {executions} executions, all explored"),
    };
    format!(
        "{} {}:  {} {one}   {} {other} ({explored}){}",
        style.bold("Given"),
        inputs(witness),
        style.bold(&format!("{mine} can:")),
        style.bold(&format!("{theirs} {cannot}:")),
        not_replayed(witness, style)
    )
}

/// The execution of the version that can do it.
pub(super) fn steps(witness: &Witness) -> &[ScheduleStep] {
    let of = |path: &'_ FoundPath| path.schedule.len();
    match &witness.only {
        Some(only) if only.new && of(&witness.new) > 0 => &witness.new.schedule,
        Some(only) if !only.new && of(&witness.old) > 0 => &witness.old.schedule,
        _ => &[],
    }
}

/// The execution as columns, if there is one.
pub(super) fn columns(witness: &Witness, style: Style, out: &mut dyn Write) -> io::Result<()> {
    schedule(steps(witness), style, out)
}

/// What the verdict compared: `6 executions of OLD in 2 ways, 6 of NEW in 3`.
pub(super) fn compared(threads: &ComparedThreads) -> String {
    let ways = |ways: u64| match ways {
        1 => "1 way".to_owned(),
        ways => format!("{ways} ways"),
    };
    let ((old, new), (old_ways, new_ways)) = (threads.executions, threads.outcomes);
    format!(
        "{} of OLD that end in {}, {new} of NEW in {}",
        counted(old as usize, "execution"),
        ways(old_ways),
        ways(new_ways)
    )
}

/// Data races that came, went or stayed.
pub(super) fn races(
    comparison: &Comparison,
    options: TextOptions,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(threads) = &comparison.threads else { return Ok(()) };
    race_bucket(&style.red("introduced"), &threads.introduced, options, out)?;
    for race in threads.introduced.iter().take(1) {
        if !options.quiet {
            schedule(&race.race.schedule, style, out)?;
        }
    }
    race_bucket(&style.green("fixed"), &threads.fixed, options, out)?;
    match options.quiet {
        true => Ok(()),
        false => race_bucket(&style.bold("pre-existing"), &threads.preexisting, options, out),
    }
}

fn race_bucket(
    name: &str,
    races: &[RaceChange],
    options: TextOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    for change in races.iter().take(options.shown(SHOWN_RACES)) {
        let place =
            |place: Option<&Place>| place.map_or_else(|| "unknown place".to_owned(), Place::to_string);
        let accesses = change.race.accesses.iter();
        let accesses: Vec<String> =
            accesses.map(|access| format!("{} at {}", access.event, place(access.place.as_ref()))).collect();
        let note = match &change.replay_note {
            Some(note) => format!("   [not confirmed natively: {note}]"),
            None => String::new(),
        };
        writeln!(
            out,
            "  {name}: data race on {}: {}  [data-race]{note}",
            change.race.object,
            accesses.join(", ")
        )?;
    }
    let rest = races.len().saturating_sub(options.shown(SHOWN_RACES));
    if rest > 0 {
        writeln!(out, "  {name}: ... and {}", counted(rest, "more data race"))?;
    }
    Ok(())
}
