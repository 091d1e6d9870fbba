//! A run as text for people: errors first, then paths, coverage, and what was cut.
//!
//! The same run gives the same text: times are left out unless statistics are asked for.

use crate::text::{Advice, Style, TextOptions, counted, inputs, shortened};
use crate::{Coverage, ErrorKind, FoundPath, Frame, LimitKind, Outcome, Place, ProgramError, Run, condition};
use incise_vocabulary::Bound;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// How many ranges of missed lines are named for each file.
const SHOWN_RANGES: usize = 8;

/// How many errors with other inputs are shown.
const SHOWN_OTHERS: usize = 5;
/// How many errors are shown as a whole.
const SHOWN_ERRORS: usize = 6;

/// Writes the run as text.
pub fn render(run: &Run, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.style();
    let groups = error_groups(run);
    let shown = options.shown(SHOWN_ERRORS);
    for race in run.races.iter().take(shown) {
        crate::threads::text::race(race, run.races_are_errors, style, out)?;
    }
    for group in groups.iter().take(shown) {
        error(group, run, style, out)?;
    }
    for group in groups.iter().skip(shown) {
        let place = group.example.place.as_ref().map_or_else(|| "unknown place".to_owned(), Place::to_string);
        writeln!(
            out,
            "{} at {place}  [{}, on {}]",
            style.red(&format!("error: {}", group.message)),
            group.kind,
            counted(group.count, "path")
        )?;
    }
    if groups.len() > shown {
        if let Some(words) = style.advice(Advice::AllErrors) {
            writeln!(out, "({words})")?;
        }
        writeln!(out)?;
    }
    let races = if run.races_are_errors { run.races.len() } else { 0 };
    paths(run, groups.len() + races, style, out)?;
    threads(run, out)?;
    if !options.quiet {
        unfinished(run, style, out)?;
        coverage(&run.coverage, out)?;
        completeness(run, style, out)?;
        others(run, options, style, out)?;
    }
    if options.statistics {
        statistics(run, out)?;
    }
    Ok(())
}

/// The paths that end in the same kind of error at the same place.
struct ErrorGroup<'a> {
    example: &'a FoundPath,
    kind: ErrorKind,
    message: &'a str,
    count: usize,
}

/// The groups in the order of their first paths. The example is the one in which threads take turns least, and with the
/// shortest stack and condition: the easiest to read.
fn error_groups(run: &Run) -> Vec<ErrorGroup<'_>> {
    let mut groups: Vec<ErrorGroup<'_>> = Vec::new();
    let mut index = BTreeMap::new();
    for path in &run.paths {
        let Outcome::Error(ProgramError { kind, message }) = &path.outcome else { continue };
        let key = (kind, path.place.as_ref());
        let at = *index.entry(key).or_insert_with(|| {
            groups.push(ErrorGroup { example: path, kind: *kind, message, count: 0 });
            groups.len() - 1
        });
        let group = &mut groups[at];
        group.count += 1;
        let weight = |path: &FoundPath| {
            let turns = crate::threads::turns(&path.schedule);
            (path.inputs.is_none(), turns, path.schedule.len(), path.stack.len(), path.condition.len())
        };
        if weight(path) < weight(group.example) {
            (group.example, group.message) = (path, message);
        }
    }
    groups
}

fn error(group: &ErrorGroup<'_>, run: &Run, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let place = group.example.place.as_ref().map_or_else(|| "unknown place".to_owned(), Place::to_string);
    let heading = format!("error: {}", group.message);
    write!(out, "{}\n  {} {}", style.red(&heading), style.bold("at"), place)?;
    match run.paths.len() {
        1 => writeln!(out, "  [{}]", group.kind)?,
        all => writeln!(out, "  [{}, on {} of {}]", group.kind, group.count, counted(all, "path"))?,
    }
    inputs(group.example, style, out)?;
    if !group.example.condition.is_empty() {
        writeln!(out, "  {} {}", style.bold("when"), shortened(&condition(group.example), style))?;
    }
    stack(&group.example.stack, style, out)?;
    crate::threads::text::schedule(&group.example.schedule, style, out)?;
    if group.example.indeterminate {
        writeln!(out, "  {} the path reads memory that the program never initialised", style.bold("note"))?;
    }
    writeln!(out, "  {} {}\n", style.bold("path"), group.example.id)
}

fn stack(stack: &[Frame], style: Style, out: &mut dyn Write) -> io::Result<()> {
    // Deep recursion: the innermost and the outermost frames tell the story.
    let shown = |index: usize| index < 8 || index + 4 >= stack.len();
    for (index, frame) in stack.iter().enumerate() {
        if !shown(index) {
            if shown(index - 1) {
                writeln!(out, "       ... {} ...", counted(stack.len() - 12, "frame"))?;
            }
            continue;
        }
        let label = if index == 0 { style.bold("in  ") } else { "    ".to_owned() };
        match &frame.place {
            Some(place) => writeln!(out, "  {label} {} ({place})", frame.function)?,
            None => writeln!(out, "  {label} {}", frame.function)?,
        }
    }
    Ok(())
}

fn paths(run: &Run, errors: usize, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let mut counts = BTreeMap::new();
    for path in &run.paths {
        *counts.entry(order(&path.outcome)).or_insert(0usize) += 1;
    }
    let parts: Vec<_> = counts.iter().map(|((_, name), count)| format!("{count} {name}")).collect();
    let verdict = match errors {
        0 => style.green("no errors found"),
        _ => style.red(&format!("{} found", counted(errors, "error"))),
    };
    write!(out, "{verdict}: {}", counted(run.paths.len(), "path"))?;
    if parts.is_empty() { writeln!(out) } else { writeln!(out, " ({})", parts.join(", ")) }
}

/// How many threads there were, and executions that came to nothing.
fn threads(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    if run.threads == 0 {
        return Ok(());
    }
    write!(out, "  up to {} at once", counted(run.threads as usize, "thread"))?;
    match run.blocked {
        0 => writeln!(out),
        blocked => writeln!(out, "; {} given up half-way", counted(blocked as usize, "execution")),
    }
}

/// The order and the words in which outcomes are counted.
fn order(outcome: &Outcome) -> (u8, &'static str) {
    match outcome {
        Outcome::Returned => (0, "returned"),
        Outcome::Exited { .. } => (1, "exited"),
        Outcome::Error(_) => (2, "ended in an error"),
        Outcome::Limit(_) => (3, "cut by a limit"),
        Outcome::Undecided(_) => (4, "undecided"),
        Outcome::Unsupported(_) => (5, "unsupported"),
        Outcome::External { .. } => (6, "ended at an external function"),
        Outcome::Discarded | Outcome::Pruned => (7, "left aside"),
    }
}

/// What ended paths before the program did: each reason once, with its count.
pub(crate) fn unfinished(run: &Run, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let mut reasons: BTreeMap<(String, String), usize> = BTreeMap::new();
    for path in &run.paths {
        let reason = match &path.outcome {
            Outcome::Unsupported(what) => format!("unsupported: {what}"),
            Outcome::External { function } => {
                let hint = style.hint(Advice::External);
                format!("external: {function} has neither a body nor a model{hint}")
            }
            Outcome::Undecided(why) => format!("undecided: {why}"),
            _ => continue,
        };
        let place = path.place.as_ref().map_or_else(|| "unknown place".to_owned(), Place::to_string);
        *reasons.entry((reason, place)).or_default() += 1;
    }
    for ((reason, place), count) in reasons {
        writeln!(out, "{} at {place}, on {}", style.yellow(&reason), counted(count, "path"))?;
    }
    Ok(())
}

fn coverage(coverage: &Coverage, out: &mut dyn Write) -> io::Result<()> {
    let (lines, all_lines) = coverage.line_counts();
    let (branches, all_branches) = coverage.branch_counts();
    if all_lines == 0 {
        return Ok(());
    }
    writeln!(
        out,
        "coverage: {} of lines, {} of branches",
        ratio(lines, all_lines),
        ratio(branches, all_branches)
    )?;
    for (file, lines) in &coverage.lines {
        let ranges = missed_ranges(lines);
        if ranges.is_empty() {
            continue;
        }
        let shown: Vec<_> = ranges.iter().take(SHOWN_RANGES).cloned().collect();
        let rest = ranges.len().saturating_sub(SHOWN_RANGES);
        let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        writeln!(out, "  not reached in {file}: {}{more}", shown.join(", "))?;
    }
    Ok(())
}

fn ratio(part: usize, all: usize) -> String {
    if all == 0 {
        "none".to_owned()
    } else {
        format!("{:.1}% ({part}/{all})", 100.0 * part as f64 / all as f64)
    }
}

/// Runs of lines with code that was not executed; lines without code between them do not break a run.
fn missed_ranges(lines: &BTreeMap<u32, bool>) -> Vec<String> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut open = false;
    for (&line, &hit) in lines {
        match ranges.last_mut() {
            Some(last) if open && !hit => last.1 = line,
            _ if !hit => ranges.push((line, line)),
            _ => {}
        }
        open = !hit;
    }
    let text = |(first, last)| if first == last { format!("{first}") } else { format!("{first}-{last}") };
    ranges.into_iter().map(text).collect()
}

fn completeness(run: &Run, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if run.complete {
        let restricted = run.taken.iter().any(|taken| taken.restricts);
        let of = if restricted { " on inputs as taken" } else { "" };
        writeln!(out, "{}: these are all the paths{of}", style.green("complete"))?;
    } else {
        writeln!(out, "{}: other behaviours may exist", style.yellow("not complete"))?;
        cuts(run, style, out)?;
    }
    if !run.taken.is_empty() {
        writeln!(out, "  taken: {}", crate::verdict::text::taken_words(&run.taken))?;
    }
    initial_values(run, out)
}

/// Errors with inputs that are not what they were taken to be: a line a place.
fn others(run: &Run, options: TextOptions, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let shown = options.shown(SHOWN_OTHERS);
    for path in run.others.iter().take(shown) {
        let Outcome::Error(ProgramError { kind, message }) = &path.outcome else { continue };
        let place = path.place.as_ref().map_or_else(|| "unknown place".to_owned(), Place::to_string);
        writeln!(out, "  {} {message} at {place}  [{kind}]", style.bold("with other inputs:"))?;
    }
    match run.others.len().saturating_sub(shown) {
        0 => Ok(()),
        more => writeln!(
            out,
            "  {} {more} more{}",
            style.bold("with other inputs:"),
            style.hint(Advice::ShowRest)
        ),
    }
}

/// What is assumed of variables that code elsewhere could write.
fn initial_values(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    match run.initial.is_empty() {
        true => Ok(()),
        false => writeln!(
            out,
            "  taken at the initial value, because nothing in the program writes it: {}",
            run.initial.join(", ")
        ),
    }
}

/// What was cut, and how to have more of it.
pub(crate) fn cuts(run: &Run, style: Style, out: &mut dyn Write) -> io::Result<()> {
    for limit in &run.limits {
        // Of inputs it is said which.
        if !limit.is_of_inputs() || run.bounds.is_empty() {
            writeln!(out, "  cut by {}", limit_words(*limit, style))?;
        }
    }
    if !run.bounds.is_empty() {
        let words: Vec<String> = run.bounds.iter().map(Bound::words).collect();
        writeln!(out, "  looked at {}{}", words.join(", "), style.hint(Advice::LargerInputs))?;
    }
    for what in &run.concretised {
        writeln!(out, "  one value taken for {what}")?;
    }
    if run.abandoned_states > 0 {
        writeln!(out, "  {} given up unexplored", counted(run.abandoned_states as usize, "state"))?;
    }
    Ok(())
}

/// What a limit is, and how to raise it.
fn limit_words(limit: LimitKind, style: Style) -> String {
    let words = match limit {
        LimitKind::Time => "the time limit",
        LimitKind::Memory => "the memory limit",
        LimitKind::Paths => "the limit of paths",
        LimitKind::Depth => "the limit of branches on one path",
        LimitKind::Loop => "the limit of iterations of one loop",
        LimitKind::Instructions => "the limit of instructions on one path",
        LimitKind::Stack => "the limit of nested calls",
        LimitKind::PointerDepth => "the depth of the input data structure",
        LimitKind::ObjectSize => "the limit of the size of one object",
        LimitKind::CopySize => "the limit of the length of one copy",
        LimitKind::InputSize => "the size of an input",
        LimitKind::Interrupt => "Ctrl-C",
        LimitKind::Reinterpreted => "a pointer that is read as a number",
        LimitKind::Threads => "the limit of threads",
        LimitKind::Preemptions => "the limit of interruptions of threads",
        LimitKind::WeakMemory => {
            "sequential consistency: orders that weaker atomic accesses allow are not explored"
        }
        LimitKind::Wakeups => "condition variables that wake nobody without a signal",
        LimitKind::Absent => "what is around the program",
        LimitKind::Work | LimitKind::Apart => limit.name(),
    };
    format!("{words}{}", style.hint(Advice::Raise(limit)))
}

pub(crate) fn statistics(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let effort = &run.effort;
    writeln!(
        out,
        "effort: {} states, {} forks, {} instructions in {:.1} ms",
        effort.states, effort.forks, effort.instructions, effort.time_ms
    )?;
    writeln!(
        out,
        "memory: {:.1} MB at most, {} states waiting at most",
        effort.peak_memory as f64 / 1e6,
        effort.peak_states
    )?;
    let (first, last) = effort.tenths_us;
    writeln!(
        out,
        "solver: {} queries in {:.1} ms, on average {first:.2} us in the first tenth of them and {last:.2} us in the last",
        effort.queries, effort.solver_ms
    )?;
    let width = effort.stages.iter().map(|stage| stage.name.len()).max().unwrap_or(0);
    for stage in &effort.stages {
        writeln!(
            out,
            "  {:width$}  {:>10} asked  {:>10} answered  {:>10.1} ms",
            stage.name, stage.asked, stage.answered, stage.time_ms
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Constraint, Input, Origin, PointerTo, Value};

    fn failing(id: u64, line: u32, depth: usize) -> FoundPath {
        let place = Some(Place { file: "a.c".to_owned(), line, column: 1 });
        let pointee = Input {
            name: "*p".to_owned(),
            origin: Origin::Pointee("p".to_owned()),
            bytes: vec![1],
            pointers: Vec::new(),
            value: Value::Signed(1),
        };
        let pointer = Input {
            name: "p".to_owned(),
            origin: Origin::Parameter(0),
            bytes: vec![0; 8],
            pointers: vec![PointerTo { offset: 0, target: "*p".to_owned(), addend: 0 }],
            value: Value::Pointer(Some("*p".to_owned())),
        };
        let unused =
            Input { name: "*q".to_owned(), origin: Origin::Pointee("q".to_owned()), ..pointee.clone() };
        FoundPath {
            id,
            outcome: Outcome::Error(ProgramError {
                kind: ErrorKind::Abort,
                message: format!("abort is called on {id}"),
            }),
            place: place.clone(),
            stack: (0..depth)
                .map(|level| Frame { function: format!("f{level}"), place: place.clone() })
                .collect(),
            condition: vec![Constraint { text: format!("*p == {id}"), place: None }],
            inputs: Some(vec![pointer, pointee, unused]),
            ..FoundPath::default()
        }
    }

    fn rendered(run: &Run, options: TextOptions) -> String {
        let mut bytes = Vec::new();
        render(run, options, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn errors_of_one_kind_and_place_are_one() {
        let run = Run {
            paths: vec![failing(1, 5, 3), failing(2, 5, 1), failing(3, 9, 1), FoundPath::default()],
            complete: true,
            ..Run::default()
        };
        let expected = "\
error: abort is called on 2
  at a.c:5  [abort, on 2 of 4 paths]
  with *p = 1
  when *p == 2
  in   f0 (a.c:5)
  path 2

error: abort is called on 3
  at a.c:9  [abort, on 1 of 4 paths]
  with *p = 1
  when *p == 3
  in   f0 (a.c:9)
  path 3

2 errors found: 4 paths (1 returned, 3 ended in an error)
complete: these are all the paths
";
        assert_eq!(rendered(&run, TextOptions::default()), expected);
    }

    #[test]
    fn what_was_cut_is_said_with_the_flag_that_raises_it() {
        let external =
            FoundPath { outcome: Outcome::External { function: "ioctl".to_owned() }, ..FoundPath::default() };
        let run = Run {
            paths: vec![external],
            limits: vec![LimitKind::Loop],
            concretised: vec!["the size of 'buffer'".to_owned()],
            abandoned_states: 1,
            ..Run::default()
        };
        let advise = |advice| match advice {
            Advice::External => Some("write it"),
            Advice::Raise(LimitKind::Loop) => Some("go on"),
            _ => None,
        };
        let text = rendered(&run, TextOptions { advise: Some(advise), ..TextOptions::default() });
        for part in [
            "ioctl has neither a body nor a model (write it)",
            "cut by the limit of iterations of one loop (go on)",
            "the size of 'buffer'",
            "1 state given up",
        ] {
            assert!(text.contains(part), "no {part:?} in\n{text}");
        }
        assert!(
            !rendered(&run, TextOptions { quiet: true, ..TextOptions::default() }).contains("iterations")
        );
    }

    #[test]
    fn deep_stacks_are_shortened() {
        let run = Run { paths: vec![failing(1, 5, 100)], ..Run::default() };
        let text = rendered(&run, TextOptions::default());
        assert!(
            text.contains("... 88 frames ...")
                && text.contains("f7")
                && text.contains("f99")
                && !text.contains("f50")
        );
    }

    #[test]
    fn missed_lines_are_ranges() {
        let lines = BTreeMap::from([(1, true), (2, false), (4, false), (5, true), (7, false)]);
        assert_eq!(missed_ranges(&lines), ["2-4", "7"]);
    }
}
