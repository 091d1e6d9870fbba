//! Schedules as columns, one a thread, and data races, for people.

use super::{Race, ScheduleStep};
use crate::Place;
use crate::text::Style;
use std::io::{self, Write};

/// As many steps are shown; of longer schedules the last ones, which tell what went wrong.
const SHOWN_STEPS: usize = 40;
/// The width of a column, if there are few of them.
const WIDEST: usize = 40;
/// The width of all columns.
const PAGE: usize = 112;
/// How allocated objects are named.
const ALLOCATED: &str = "the heap object allocated at ";

/// An execution as columns: one a thread, a line a step.
pub(crate) fn schedule(steps: &[ScheduleStep], style: Style, out: &mut dyn Write) -> io::Result<()> {
    let mut threads: Vec<u32> = steps.iter().map(|step| step.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let by_itself = steps.iter().any(|step| step.event == "spurious-wake");
    if threads.len() < 2 && !by_itself {
        return Ok(());
    }
    let width = (PAGE / threads.len()).clamp(12, WIDEST);
    let heads: String = threads.iter().map(|thread| cell(&format!("thread {thread}"), width)).collect();
    writeln!(out, "  {} {}", style.bold("how "), heads.trim_end())?;
    let hidden = steps.len().saturating_sub(SHOWN_STEPS);
    if hidden > 0 {
        writeln!(out, "       ... {hidden} steps ...")?;
    }
    for step in &steps[hidden..] {
        let column = threads.iter().position(|thread| *thread == step.thread).unwrap_or(0);
        let line = format!("{}{}", " ".repeat(column * width), words(step, width));
        writeln!(out, "       {}", line.trim_end())?;
    }
    Ok(())
}

/// A step in a few words.
fn words(step: &ScheduleStep, width: usize) -> String {
    let line = step.place.as_ref().map_or_else(String::new, |place| format!("{}: ", place.line));
    let object = in_short(step.object.as_deref().unwrap_or(""));
    let value = match (&step.value, step.event.as_str()) {
        (Some(value), "read") => format!(" is {}", in_short(value)),
        (Some(value), _) => format!(" = {}", in_short(value)),
        (None, _) => String::new(),
    };
    let text = match object.is_empty() {
        true => format!("{line}{}", step.event),
        false => format!("{line}{} {object}{value}", step.event),
    };
    cell(&text, width)
}

/// What is touched in few words: a part of an allocated object is known by the line of its allocation.
fn in_short(object: &str) -> String {
    let plain = object.trim_matches('\'').replace("' at offset ", "+");
    let Some(place) = plain.strip_prefix(ALLOCATED) else { return plain };
    let (place, offset) =
        place.split_once(" at offset ").or_else(|| place.split_once('+')).unwrap_or((place, "0"));
    let line = place.rsplit(':').next().unwrap_or(place);
    match offset {
        "0" => format!("heap({line})"),
        offset => format!("heap({line})+{offset}"),
    }
}

/// A text in a column.
fn cell(text: &str, width: usize) -> String {
    let short: String = match text.chars().count() >= width {
        true => text.chars().take(width.saturating_sub(4)).chain("...".chars()).collect(),
        false => text.to_owned(),
    };
    format!("{short:width$}")
}

/// A data race: both accesses, and how it came to it.
pub(crate) fn race(race: &Race, as_error: bool, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let heading = format!("{}: data race on {}", if as_error { "error" } else { "warning" }, race.object);
    writeln!(out, "{}  [data-race]", if as_error { style.red(&heading) } else { style.bold(&heading) })?;
    for access in &race.accesses {
        let place = access.place.as_ref().map_or_else(|| "unknown place".to_owned(), Place::to_string);
        let atomic = if access.atomic { "atomic " } else { "" };
        let locks = match access.locks.is_empty() {
            true => "no locks held".to_owned(),
            false => format!("holding {}", access.locks.join(", ")),
        };
        let (event, size, thread) = (&access.event, access.size, access.thread);
        let bytes = if size == 1 { "byte" } else { "bytes" };
        writeln!(
            out,
            "  {} {place}: {atomic}{event} of {size} {bytes} by thread {thread}, {locks}",
            style.bold("at")
        )?;
        for frame in access.stack.iter().take(4) {
            let place = frame.place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
            writeln!(out, "       in {}{place}", frame.function)?;
        }
    }
    schedule(&race.schedule, style, out)?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_a_column() {
        let step = |thread, line, event: &str, value: &str| ScheduleStep {
            thread,
            place: Some(Place { file: "a.c".to_owned(), line, column: 1 }),
            event: event.to_owned(),
            object: Some("'x'".to_owned()),
            value: Some(value.to_owned()),
            ..ScheduleStep::default()
        };
        let steps = [step(1, 5, "write", "3"), step(2, 9, "read", "3"), step(1, 6, "read", "3")];
        let mut bytes = Vec::new();
        schedule(&steps, crate::TextOptions::default().style(), &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[1], "       5: write x = 3");
        assert_eq!(lines[2], format!("       {}9: read x is 3", " ".repeat(WIDEST)));
        assert_eq!(lines[3], "       6: read x is 3");
    }
}
