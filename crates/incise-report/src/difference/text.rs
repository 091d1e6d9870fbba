//! The paths that a change affects as text for people: for each its condition, an input, the affected lines, how it
//! ends.
//!
//! The same result gives the same text: times are left out unless statistics or a comparison are asked for.

use super::threads;
use crate::exploration::text as exploration;
use crate::text::{Advice, Style, TextOptions, counted, inputs, write_notes};
use crate::{
    AffectedSite, Constraint, DiffStrategy, Difference, Entry, FoundPath, Full, LimitKind, Outcome,
    PathChange, Place, ProgramError, Spot, TraceRow, cover,
};
use std::io::{self, Write};

/// How many paths of an entry are shown.
const SHOWN_PATHS: usize = 100;
/// How many constraints of a path are shown.
const SHOWN_CONSTRAINTS: usize = 60;
/// How much of a constraint is shown.
const SHOWN_CONSTRAINT: usize = 400;
/// How many statements of a sequence are shown.
const SHOWN_SEQUENCE: usize = 60;

/// Writes the difference as text.
pub fn render(difference: &Difference, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.style();
    notes(difference, options, out)?;
    let both = !difference.old_entries.is_empty();
    if both && !options.quiet {
        version_heading("new", Some(&difference.new), style, out)?;
    }
    for entry in &difference.entries {
        let name = &entry.run.program.entry;
        let function = difference.functions.iter().find(|each| each.name == *name);
        let file = function.and_then(|each| each.file.as_deref());
        one(difference, entry, file, options, style, out)?;
    }
    if both {
        if !options.quiet {
            version_heading("old", difference.old.as_ref(), style, out)?;
        }
        for entry in &difference.old_entries {
            one(difference, entry, None, options, style, out)?;
        }
    }
    whole(difference, options, style, out)
}

/// Writes what the user should know of the whole.
pub fn notes(difference: &Difference, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    write_notes(&difference.notes, (options, Advice::ShowRest), out)
}

/// Which version the entries that follow are of.
fn version_heading(
    name: &str,
    version: Option<&crate::Version>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let files = version.map_or_else(String::new, |version| format!(" ({})", version.files.join(", ")));
    writeln!(out, "{}{files}\n", style.bold(&format!("the {name} version")))
}

fn one(
    difference: &Difference,
    entry: &Entry,
    file: Option<&str>,
    options: TextOptions,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !options.quiet {
        heading(difference, entry, file, style, out)?;
        table(entry, out)?;
        paths(entry, style, out)?;
    }
    if let Some(cover) = &entry.cover {
        let several = difference.entries.len() > 1;
        cover::text::one(cover, several, options, out)?;
        (!options.quiet).then(|| writeln!(out)).transpose()?;
    }
    summary(difference, entry, style, out)?;
    if !options.quiet {
        exploration::unfinished(&entry.run, style, out)?;
        completeness(difference, entry, style, out)?;
    }
    comparison(entry, out)?;
    threads::comparison(entry, out)?;
    if options.statistics {
        exploration::statistics(&entry.run, out)?;
    }
    let several = difference.entries.len() + difference.old_entries.len() > 1;
    if !options.quiet && several { writeln!(out) } else { Ok(()) }
}

fn heading(
    difference: &Difference,
    entry: &Entry,
    file: Option<&str>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{}", style.bold(&entry.run.program.entry))?;
    file.map_or(Ok(()), |file| write!(out, " ({file})"))?;
    match difference.strategy {
        DiffStrategy::Full | DiffStrategy::Cover | DiffStrategy::Baseline | DiffStrategy::Dpor => {
            writeln!(out, ": {}", counted(entry.run.paths.len(), thing(entry)))
        }
        _ => writeln!(out, ": {}", counted(entry.affected_count(), &format!("affected {}", thing(entry)))),
    }
}

/// What an entry has: with threads a path is one execution.
fn thing(entry: &Entry) -> &'static str {
    if entry.threads.is_some() { "execution" } else { "path" }
}

/// The paper's Table 1.
fn table(entry: &Entry, out: &mut dyn Write) -> io::Result<()> {
    if entry.trace.is_empty() {
        return Ok(());
    }
    let titles = ["", "path", "ExWrite", "ExCond", "UnExWrite", "UnExCond"].map(str::to_owned);
    let mut rows = vec![titles];
    rows.extend(entry.trace.iter().enumerate().map(|(index, row)| table_row(index + 1, row)));
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..6).map(width).collect();
    for row in &rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
        writeln!(out, "  {}", cells.join("  ").trim_end())?;
    }
    writeln!(out)
}

fn table_row(number: usize, row: &TraceRow) -> [String; 6] {
    let list = |spots: &[Spot]| spots.iter().map(Spot::to_string).collect::<Vec<_>>().join(", ");
    let set = |spots: &[Spot]| format!("{{{}}}", list(spots));
    let end = if row.no_path { " (no path)" } else { "" };
    [
        number.to_string(),
        format!("<{}{end}>", list(&row.path)),
        set(&row.explored_writes),
        set(&row.explored_conditions),
        set(&row.unexplored_writes),
        set(&row.unexplored_conditions),
    ]
}

fn paths(entry: &Entry, style: Style, out: &mut dyn Write) -> io::Result<()> {
    for (path, change) in entry.run.paths.iter().zip(&entry.changes).take(SHOWN_PATHS) {
        affected_path(path, change, style, out)?;
    }
    let rest = entry.run.paths.len().saturating_sub(SHOWN_PATHS);
    if rest > 0 {
        writeln!(out, "... and {}{}", counted(rest, "more path"), style.hint(Advice::AllOfThem))?;
    }
    Ok(())
}

fn affected_path(path: &FoundPath, change: &PathChange, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let unaffected = match (change.affected, path.outcome.is_conclusive()) {
        (true, _) => "",
        (false, true) => ", not affected",
        (false, false) => ", before it met the change",
    };
    writeln!(out, "{}: {}{unaffected}", style.bold(&format!("path {}", path.id)), ending(path, style))?;
    condition(path, change, style, out)?;
    inputs(path, style, out)?;
    if !change.sequence.is_empty() {
        writeln!(out, "  {} {}", style.bold("over"), sequence(&change.sequence))?;
    }
    crate::threads::text::schedule(&path.schedule, style, out)?;
    if path.indeterminate {
        writeln!(out, "  {} the path reads memory that the program never initialised", style.bold("note"))?;
    }
    if let Some(test) = &change.test {
        writeln!(out, "  {} {test}", style.bold("test"))?;
    }
    writeln!(out)
}

/// How a path ended, in words.
fn ending(path: &FoundPath, style: Style) -> String {
    let at = path.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
    match &path.outcome {
        Outcome::Returned => match &path.result {
            Some(result) => format!("returned {}", result.value),
            None => "returned".to_owned(),
        },
        Outcome::Exited { status } => format!("exited with status {status}{at}"),
        Outcome::Error(ProgramError { message, .. }) => style.red(&format!("error: {message}{at}")),
        Outcome::Unsupported(what) => style.yellow(&format!("unsupported: {what}{at}")),
        Outcome::External { function } => {
            style.yellow(&format!("ended at the external function {function}{at}"))
        }
        Outcome::Limit(limit) => style.yellow(&format!("cut by {limit}{at}")),
        Outcome::Undecided(why) => style.yellow(&format!("undecided: {why}{at}")),
        Outcome::Discarded | Outcome::Pruned => "left aside".to_owned(),
    }
}

/// The condition, one constraint a line: those of affected statements have a star, the others step back.
fn condition(path: &FoundPath, change: &PathChange, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if path.condition.is_empty() {
        return writeln!(out, "  {} always", style.bold("when"));
    }
    let shown = &path.condition[..path.condition.len().min(SHOWN_CONSTRAINTS)];
    let texts: Vec<String> = shown.iter().map(|each| shortened(&each.text)).collect();
    // Long constraints do not push the places of the others to the right.
    let fitting = texts.iter().map(|text| text.chars().count()).filter(|&length| length <= 60);
    let width = fitting.max().unwrap_or(0);
    for (index, (constraint, text)) in shown.iter().zip(&texts).enumerate() {
        let affected = change.constraints.get(index).copied().unwrap_or(false);
        let label = if index == 0 { style.bold("when") } else { "    ".to_owned() };
        let line = format!("{} {text:width$}{}", if affected { '*' } else { ' ' }, place(constraint));
        let line = line.trim_end();
        writeln!(out, "  {label} {}", if affected { style.yellow(line) } else { style.dim(line) })?;
    }
    let rest = path.condition.len() - shown.len();
    if rest > 0 {
        writeln!(out, "         ... and {}", counted(rest, "more constraint"))?;
    }
    Ok(())
}

fn place(constraint: &Constraint) -> String {
    constraint.place.as_ref().map_or_else(String::new, |place: &Place| format!("  {place}"))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CONSTRAINT) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}...", &text[..at]),
    }
}

/// The affected statements in order: `3 -> 4 -> helper:9`.
fn sequence(sites: &[AffectedSite]) -> String {
    let names: Vec<String> = sites.iter().take(SHOWN_SEQUENCE).map(AffectedSite::to_string).collect();
    let rest = sites.len().saturating_sub(SHOWN_SEQUENCE);
    let more = if rest > 0 { format!(" -> ... {rest} more") } else { String::new() };
    format!("{}{more}", names.join(" -> "))
}

fn summary(difference: &Difference, entry: &Entry, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let affected = entry.affected_count();
    let thing = thing(entry);
    let verdict = match (difference.strategy, affected) {
        (DiffStrategy::Cover, _) => counted(entry.run.paths.len(), "path"),
        (DiffStrategy::Full | DiffStrategy::Baseline | DiffStrategy::Dpor, _) => {
            format!("{}, {affected} of them affected", counted(entry.run.paths.len(), thing))
        }
        (_, 0) if entry.run.complete => format!("no {thing} is affected"),
        (_, 0) => format!("no affected {thing} found"),
        _ => counted(affected, &format!("affected {thing}")),
    };
    let verdict = match (affected, entry.run.complete) {
        (0, true) => style.green(&verdict),
        (0, false) => style.yellow(&verdict),
        _ => style.bold(&verdict),
    };
    let of_all = entry.full.as_ref().map_or_else(String::new, |full| {
        format!(" (of {} in full{})", full.paths, percent(entry.run.paths.len(), full.paths))
    });
    let name =
        if difference.entries.len() > 1 { format!("{}: ", entry.run.program.entry) } else { String::new() };
    let effort = &entry.run.effort;
    writeln!(
        out,
        "{name}{verdict}{of_all}, {} of {} affected; {}{}, {} {}{}",
        entry.affected_nodes,
        counted(entry.nodes, "statement"),
        threads::explored(entry),
        counted(effort.states as usize, "state"),
        effort.queries,
        if effort.queries == 1 { "query" } else { "queries" },
        if decided(entry) { "" } else { " (not complete)" }
    )
}

/// Whether nothing is left open: of what has to be covered, that everything else was cut does not matter.
fn decided(entry: &Entry) -> bool {
    entry.cover.as_ref().map_or(entry.run.complete, crate::cover::Cover::is_decided)
}

fn percent(part: usize, all: usize) -> String {
    if all == 0 { String::new() } else { format!(": {:.0}%", 100.0 * part as f64 / all as f64) }
}

fn completeness(difference: &Difference, entry: &Entry, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if let Some(cover) = &entry.cover {
        match cover.is_decided() {
            true => {
                let of = if cover.as_taken { ", on inputs as taken" } else { "" };
                writeln!(out, "{}: what is not covered cannot be{of}", style.green("complete"))?;
            }
            false => {
                writeln!(out, "{}: what was not reached may be feasible", style.yellow("not complete"))?;
                exploration::cuts(&entry.run, style, out)?;
            }
        }
        return match entry.run.taken.is_empty() {
            true => Ok(()),
            false => writeln!(out, "  taken: {}", crate::verdict::text::taken_words(&entry.run.taken)),
        };
    }
    if !entry.run.complete {
        writeln!(out, "{}: other affected {}s may exist", style.yellow("not complete"), thing(entry))?;
        return exploration::cuts(&entry.run, style, out);
    }
    let restricted = entry.run.taken.iter().any(|taken| taken.restricts);
    let of = if restricted { " on inputs as taken" } else { "" };
    match difference.strategy {
        DiffStrategy::Exact | DiffStrategy::Cia if entry.threads.is_some() => {
            let each = "one execution for every trace of affected events";
            writeln!(out, "{}: {each}{of}", style.green("complete"))
        }
        DiffStrategy::Baseline | DiffStrategy::Dpor | DiffStrategy::Full if entry.threads.is_some() => {
            let all = match difference.strategy {
                DiffStrategy::Baseline => "these are all the executions",
                _ => "one execution for every trace",
            };
            writeln!(out, "{}: {all}{of}", style.green("complete"))
        }
        DiffStrategy::Exact | DiffStrategy::Cia => writeln!(
            out,
            "{}: one path for every sequence of affected statements{of}",
            style.green("complete")
        ),
        DiffStrategy::Full | DiffStrategy::Baseline | DiffStrategy::Dpor => {
            writeln!(out, "{}: these are all the paths{of}", style.green("complete"))
        }
        // The algorithm that the paper prints loses sequences.
        _ => match style.advice(Advice::ExactStrategy) {
            Some(words) => writeln!(out, "nothing was cut; {words}"),
            None => writeln!(out, "nothing was cut"),
        },
    }
}

fn comparison(entry: &Entry, out: &mut dyn Write) -> io::Result<()> {
    let Some(full) = &entry.full else { return Ok(()) };
    let Full { paths, states, queries, time_ms, complete, .. } = full;
    let effort = &entry.run.effort;
    let ratio = |part: f64, all: f64| match all > 0.0 {
        true => format!("{:>6.1}%", 100.0 * part / all),
        false => "      -".to_owned(),
    };
    let found = entry.run.paths.len();
    writeln!(out, "                {:>12}  {:>12}  {:>7}", "this run", "full", "ratio")?;
    let mut row = |what: &str, part: f64, all: f64, digits: usize| {
        writeln!(out, "  {what:<14}{part:>12.digits$}  {all:>12.digits$}  {}", ratio(part, all))
    };
    row("paths", found as f64, *paths as f64, 0)?;
    row("states", effort.states as f64, *states as f64, 0)?;
    row("queries", effort.queries as f64, *queries as f64, 0)?;
    row("time (ms)", effort.time_ms, *time_ms, 1)?;
    if !complete {
        writeln!(out, "  the full run is not complete: it was cut by {}", cut_by(&full.limits))?;
    }
    Ok(())
}

fn cut_by(limits: &[LimitKind]) -> String {
    if limits.is_empty() {
        "what is unsupported or undecided".to_owned()
    } else {
        limits.iter().map(|limit| limit.name()).collect::<Vec<_>>().join(", ")
    }
}

/// What is to be said of all entries together.
fn whole(difference: &Difference, options: TextOptions, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if !options.quiet {
        for (what, names) in [("added", &difference.added), ("removed", &difference.removed)] {
            for name in names {
                writeln!(out, "{}: function {what}", style.bold(name))?;
            }
        }
    }
    if !difference.old_entries.is_empty() {
        let affected = counted(difference.affected_count(), "affected path");
        let all = format!("{affected} in the new version, {} in the old", difference.old_affected_count());
        return writeln!(out, "{}", style.bold(&all));
    }
    match difference.entries.len() {
        0 => writeln!(out, "{}", style.green("nothing is affected")),
        1 => Ok(()),
        several if difference.strategy == DiffStrategy::Cover => {
            let paths = difference.entries.iter().map(|entry| entry.run.paths.len()).sum();
            writeln!(out, "{} from {several} functions", style.bold(&counted(paths, "path")))
        }
        several => {
            let affected = counted(difference.affected_count(), "affected path");
            writeln!(out, "{} from {several} functions", style.bold(&affected))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, ProgramIdentity, Run};

    fn example() -> Difference {
        let constraint = |text: &str, line| Constraint {
            text: text.to_owned(),
            place: Some(Place { file: "new.c".to_owned(), line, column: 0 }),
        };
        let path = FoundPath {
            id: 1,
            condition: vec![constraint("pedal <= 0", 3), constraint("other == 1", 7)],
            inputs: Some(Vec::new()),
            ..FoundPath::default()
        };
        let change = PathChange {
            affected: true,
            constraints: vec![true, false],
            sequence: vec![
                AffectedSite { function: None, spot: Spot::Line(3) },
                AffectedSite { function: Some("brake".into()), spot: Spot::Line(14) },
            ],
            test: Some("test000001".to_owned()),
        };
        let run = Run {
            program: ProgramIdentity { entry: "update".to_owned(), ..ProgramIdentity::default() },
            paths: vec![path],
            complete: true,
            effort: Effort { states: 5, queries: 7, ..Effort::default() },
            ..Run::default()
        };
        let entry = Entry { run, changes: vec![change], affected_nodes: 2, nodes: 9, ..Entry::default() };
        Difference { strategy: DiffStrategy::Exact, entries: vec![entry], ..Difference::default() }
    }

    fn rendered(difference: &Difference, options: TextOptions) -> String {
        let mut bytes = Vec::new();
        render(difference, options, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn affected_constraints_are_told_apart() {
        let expected = "\
update: 1 affected path
path 1: returned
  when * pedal <= 0  new.c:3
         other == 1  new.c:7
  with any input
  over 3 -> brake:14
  test test000001

1 affected path, 2 of 9 statements affected; 5 states, 7 queries
complete: one path for every sequence of affected statements
";
        assert_eq!(rendered(&example(), TextOptions::default()), expected);
    }

    #[test]
    fn both_versions_are_told_apart() {
        let mut difference = example();
        difference.new.files = vec!["new.c".to_owned()];
        difference.old_entries = vec![difference.entries[0].clone()];
        let text = rendered(&difference, TextOptions::default());
        assert!(text.starts_with("the new version (new.c)\n\nupdate: 1 affected path\n"), "{text}");
        assert!(text.contains("\nthe old version\n\nupdate: "), "{text}");
        assert!(text.ends_with("\n1 affected path in the new version, 1 in the old\n"), "{text}");
    }

    #[test]
    fn what_was_cut_is_said() {
        let mut difference = example();
        difference.entries[0].run.limits = vec![LimitKind::Loop];
        difference.entries[0].run.complete = false;
        let text = rendered(&difference, TextOptions::default());
        assert!(text.contains("not complete") && text.contains("cut by the limit of iterations"), "{text}");
    }

    #[test]
    fn table_1_has_the_columns_of_the_paper() {
        let mut difference = example();
        let row = TraceRow {
            path: vec![Spot::Line(3), Spot::Line(8)],
            no_path: true,
            explored_conditions: vec![Spot::Line(3)],
            unexplored_writes: vec![Spot::Line(4), Spot::Line(5)],
            ..TraceRow::default()
        };
        difference.entries[0].trace = vec![TraceRow::default(), row];
        let text = rendered(&difference, TextOptions::default());
        let expected = "
     path              ExWrite  ExCond  UnExWrite  UnExCond
  1  <>                {}       {}      {}         {}
  2  <3, 8 (no path)>  {}       {3}     {4, 5}     {}
";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn quiet_is_one_line_for_each_entry() {
        let mut difference = example();
        difference.entries.push(difference.entries[0].clone());
        difference.entries[1].full = None;
        let text = rendered(&difference, TextOptions { quiet: true, ..TextOptions::default() });
        assert_eq!(text.lines().count(), 3);
        assert!(text.ends_with("2 affected paths from 2 functions\n"), "{text}");
    }
}
