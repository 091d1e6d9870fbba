//! The impact of a change as text for people: for each function the lines of both versions that the change concerns,
//! and why.

use crate::impact::{
    CallSite, Carrier, CarrierKind, EqualEffect, EqualFunction, FunctionImpact, Impact, ImpactStep, Reason,
    Spot, Statement, StatementKind, StatementStatus, Unresolved, UnseenCode,
};
use crate::text::{Advice, Style, TextOptions, counted, write_notes};
use crate::{RuleSet, call_graph};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// How much of a source line is shown.
const SHOWN_TEXT: usize = 56;

/// How many calls are named that pass an input.
const SHOWN_CALLS: usize = 3;

/// How many calls are shown that nobody can see through.
const SHOWN_UNRESOLVED: usize = 20;

/// What to show, and how.
#[derive(Copy, Clone, Debug, Default)]
pub struct ImpactTextOptions {
    /// Colours, and whether there is more than the summary.
    pub text: TextOptions,
    /// With the derivation of each affected statement.
    pub why: bool,
}

/// Writes the impact as text.
pub fn render(impact: &Impact, options: ImpactTextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.text.style();
    write_notes(&impact.notes, (options.text, Advice::Listed), out)?;
    if impact.stopped {
        return Ok(());
    }
    if !options.text.quiet {
        match &impact.call_graph {
            Some(graph) => call_graph::text::render(graph, options.text.color, out)?,
            None => functions(impact, options, out)?,
        }
        unresolved(impact, style, out)?;
        if options.why {
            threads(impact, style, out)?;
        }
    }
    summary(impact, out)
}

fn functions(impact: &Impact, options: ImpactTextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.text.style();
    // Of a function that is new, every line is.
    for function in impact.nearest_first().into_iter().filter(|function| !function.added) {
        heading(function, style, out)?;
        listing(function, style, out)?;
        if options.why {
            derivation(function, style, out)?;
            if impact.rules == RuleSet::Paper {
                figure(function, out)?;
            }
        }
        writeln!(out)?;
    }
    farther(impact, style, out)?;
    for (what, names) in [("added", &impact.added), ("removed", &impact.removed)] {
        for name in names {
            writeln!(out, "{}: function {what}", style.bold(name))?;
        }
    }
    for name in &impact.unreached {
        writeln!(
            out,
            "{}: function changed, but nothing that starts at the entries comes to it",
            style.bold(name)
        )?;
    }
    let listed = |function: &FunctionImpact| !function.new.is_empty() || !function.old.is_empty();
    if impact.functions.iter().filter(|function| !function.added).any(listed) {
        writeln!(out, "~ changed   + added   - removed   c affected condition   w affected write or return")?;
    }
    Ok(())
}

/// The functions that are too far from the change to be shown, as counts.
fn farther(impact: &Impact, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let mut counts: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for function in impact.functions.iter().filter(|function| !impact.is_shown(function)) {
        let (conditions, writes) = function.affected_counts();
        let count = counts.entry(function.distance.unwrap_or(u32::MAX)).or_default();
        *count = (count.0 + 1, count.1 + conditions + writes);
    }
    for (&distance, &(functions, statements)) in &counts {
        let place = match distance {
            u32::MAX => "in OLD only".to_owned(),
            distance => format!("{distance} steps away"),
        };
        let (statements, functions) = (counted(statements, "statement"), counted(functions, "function"));
        writeln!(out, "{place}: {statements} affected in {functions}")?;
    }
    if !counts.is_empty() {
        writeln!(out, "{}", style.hint(Advice::Depth).trim_start())?;
    }
    Ok(())
}

/// The threads that may be started, and what they run.
fn threads(impact: &Impact, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if impact.threads.is_empty() || impact.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", style.bold("threads:"))?;
    for thread in &impact.threads {
        let count = if thread.several { "several threads of" } else { "a thread of" };
        let others: Vec<&str> =
            thread.functions.iter().filter(|name| **name != thread.function).map(String::as_str).collect();
        let runs = match others.is_empty() {
            true => String::new(),
            false => format!(", which may run {}", others.join(", ")),
        };
        writeln!(out, "  {} starts {count} {}{runs}", thread.site.words(), thread.function)?;
    }
    Ok(())
}

/// The calls that nobody can see through.
fn unresolved(impact: &Impact, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if impact.unresolved.is_empty() || impact.is_empty() {
        return Ok(());
    }
    let title = style.bold("not resolved, and taken to read and write everything that can be reached:");
    writeln!(out, "{title}")?;
    // Those that impact comes to are the ones that matter.
    let (affected, others): (Vec<&Unresolved>, Vec<_>) =
        impact.unresolved.iter().partition(|each| each.affected);
    for each in affected.iter().chain(&others).take(SHOWN_UNRESOLVED) {
        let place = match (&each.file, each.spot) {
            (Some(file), Spot::Line(line)) => format!("{file}:{line}"),
            _ => each.spot.words(),
        };
        let what = match &each.callee {
            UnseenCode::External(name) => format!("calls {name}, whose code is not here"),
            UnseenCode::Pointer(names) if names.is_empty() => {
                "calls by an address of which nothing is known".to_owned()
            }
            UnseenCode::Pointer(names) => {
                format!("calls by an address that may come from elsewhere; {} would fit", names.join(", "))
            }
            UnseenCode::Assembly => "is assembly".to_owned(),
            UnseenCode::Operation => "is an operation of the compiler that is not known".to_owned(),
        };
        let impacted = if each.affected { style.yellow("impacted: ") } else { String::new() };
        writeln!(out, "  {impacted}{place} in {} {what}", each.function)?;
    }
    if impact.unresolved.len() > SHOWN_UNRESOLVED {
        writeln!(
            out,
            "  ... and {} more{}",
            impact.unresolved.len() - SHOWN_UNRESOLVED,
            style.hint(Advice::Listed)
        )?;
    }
    Ok(())
}

fn heading(function: &FunctionImpact, style: Style, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{}", style.bold(&function.name))?;
    if let Some(file) = &function.file {
        write!(out, " ({file})")?;
    }
    match (function.changed, function.is_calling(), function.is_given()) {
        (true, ..) => writeln!(out)?,
        (false, true, true) => {
            writeln!(out, ": its own code did not change, but what it calls and what it is given did")?;
        }
        (false, false, true) => writeln!(out, ": its own code did not change, but what it is given did")?,
        (false, _, false) => writeln!(out, ": its own code did not change, but what it calls did")?,
    }
    if let Some((old, new)) = &function.signature {
        let changed = style.yellow("signature changed");
        writeln!(out, "  {changed}\n    was {old}\n    now {new}")?;
    }
    if function.new.is_empty() && function.old.is_empty() {
        writeln!(out, "  no statement of it is affected")?;
    }
    Ok(())
}

/// A row of the listing: the statements of one line.
struct Row<'a> {
    old: Option<Spot>,
    new: Option<Spot>,
    mark: char,
    text: &'a str,
    label: String,
    reason: String,
}

fn listing(function: &FunctionImpact, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let rows = rows(function);
    let number = |spot: Option<Spot>| spot.map_or_else(String::new, |spot| spot.to_string());
    let old_width = rows.iter().map(|row| number(row.old).len()).max().unwrap_or(0).max(3);
    let new_width = rows.iter().map(|row| number(row.new).len()).max().unwrap_or(0).max(3);
    let text_width = rows.iter().map(|row| shortened(row.text).chars().count()).max().unwrap_or(0);
    let label_width = rows.iter().map(|row| row.label.len()).max().unwrap_or(0);
    if !rows.is_empty() {
        writeln!(out, "  {:>old_width$}  {:>new_width$}", "OLD", "NEW")?;
    }
    for row in rows {
        let line = format!(
            "{} {:text_width$}  {:label_width$}  {}",
            row.mark,
            shortened(row.text),
            row.label,
            row.reason
        );
        let line = match row.mark {
            '~' | '+' => style.green(line.trim_end()),
            '-' => style.red(line.trim_end()),
            _ => line.trim_end().to_owned(),
        };
        writeln!(out, "  {:>old_width$}  {:>new_width$}  {line}", number(row.old), number(row.new))?;
    }
    Ok(())
}

/// The rows of NEW in the order of its lines, and before them what was there in OLD.
fn rows(function: &FunctionImpact) -> Vec<Row<'_>> {
    let mut reasons: BTreeMap<Spot, &ImpactStep> = BTreeMap::new();
    for step in &function.derivation {
        reasons.entry(step.spot).or_insert(step);
    }
    let affected: BTreeSet<Spot> =
        function.new.iter().filter(|each| each.affected).map(|each| each.spot).collect();
    // What is affected in both versions has its row in NEW.
    let own_row = |each: &&Statement| {
        each.status != StatementStatus::Unchanged
            || !each.partner.is_some_and(|partner| affected.contains(&partner))
    };
    let mut old = by_spot(function.old.iter().filter(own_row)).into_iter().peekable();
    let mut rows = Vec::new();
    for (spot, group) in by_spot(function.new.iter()) {
        let partner = group.iter().find_map(|each| each.partner);
        while let Some((earlier, removed)) =
            old.next_if(|(earlier, _)| partner.is_some_and(|partner| *earlier <= partner))
        {
            rows.push(old_row(earlier, &removed));
        }
        let reason = reasons.get(&spot).map_or_else(String::new, |step| short_reason(step));
        rows.push(Row {
            old: partner,
            new: Some(spot),
            mark: mark(&group),
            text: &group[0].text,
            label: label(&group),
            reason,
        });
    }
    rows.extend(old.map(|(spot, removed)| old_row(spot, &removed)));
    rows
}

fn by_spot<'a>(statements: impl Iterator<Item = &'a Statement>) -> BTreeMap<Spot, Vec<&'a Statement>> {
    let mut groups: BTreeMap<Spot, Vec<&Statement>> = BTreeMap::new();
    for statement in statements {
        groups.entry(statement.spot).or_default().push(statement);
    }
    groups
}

fn old_row<'a>(spot: Spot, group: &[&'a Statement]) -> Row<'a> {
    let removed = group.iter().any(|each| each.status == StatementStatus::Removed);
    let changed = group.iter().any(|each| each.status == StatementStatus::Changed);
    let reason = match (removed, changed) {
        (false, true) => "(as it was)",
        (false, false) => "(in OLD only)",
        (true, _) => "",
    };
    let new = if changed { None } else { group.iter().find_map(|each| each.partner) };
    let mark = if removed || changed { '-' } else { mark(group) };
    Row { old: Some(spot), new, mark, text: &group[0].text, label: label(group), reason: reason.to_owned() }
}

/// The strongest that is to be said of the statements of a line.
fn mark(group: &[&Statement]) -> char {
    let strongest = group.iter().map(|each| each.status).min();
    match strongest {
        Some(StatementStatus::Changed) => '~',
        Some(StatementStatus::Added) => '+',
        Some(StatementStatus::Removed) => '-',
        _ if group.iter().any(|each| each.kind == StatementKind::Condition) => 'c',
        _ => 'w',
    }
}

/// What is to be said of the statements of a line, each once: `changed condition, affected write`.
fn label(group: &[&Statement]) -> String {
    let said: BTreeSet<_> = group.iter().map(|each| (each.status, each.kind)).collect();
    let words = said.into_iter().map(|(status, kind)| match status {
        StatementStatus::Unchanged => format!("affected {}", kind.name()),
        other => format!("{} {}", other.name(), kind.name()),
    });
    words.collect::<Vec<_>>().join(", ")
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN_TEXT) {
        None => text.to_owned(),
        Some(_) => text.chars().take(SHOWN_TEXT - 3).chain("...".chars()).collect(),
    }
}

fn short_reason(step: &ImpactStep) -> String {
    let cause = step.cause.map_or_else(|| "an affected one".to_owned(), Spot::words);
    match &step.reason {
        Reason::Changed | Reason::Added => String::new(),
        Reason::Calls(names) if names.is_empty() => "calls what changed".to_owned(),
        Reason::Calls(names) => format!("calls {}", names.join(", ")),
        Reason::Input(carriers) if carriers.is_empty() => "reads what its caller passes".to_owned(),
        Reason::Input(carriers) => format!("reads {}", list(carriers.iter().map(carrier_name))),
        Reason::ThroughOld if step.cause.is_none() => "is affected in OLD".to_owned(),
        Reason::ThroughOld => format!("was affected by OLD's {cause}, now removed"),
        Reason::ControlledCondition => format!("(1) decided by {cause}"),
        Reason::ControlledWrite => format!("(2) decided by {cause}"),
        Reason::ConditionReads => format!("(3) reads what {cause} writes"),
        Reason::ReadByAffected => format!("(4) is read by {cause}"),
        Reason::WriteReads => format!("(5) reads what {cause} writes"),
        Reason::DecidesAboutAffected => format!("(6) decides about {cause}"),
        Reason::OtherThread(by) => {
            format!("(7) reads what {} writes in {}", by.site.words(), by.thread_words())
        }
        Reason::Competes(by) => {
            format!("(8) writes what {} writes in {}", by.site.words(), by.thread_words())
        }
        Reason::Ordered(by) => format!("(9) ordered by {}", by.site.words()),
        Reason::OtherVersion => "is affected in OLD".to_owned(),
    }
}

fn in_old() -> String {
    "in OLD it is affected, because of what other threads or synchronisation do there".to_owned()
}

/// What carries impact, by its name: `parameter z`.
fn carrier_name(carrier: &Carrier) -> String {
    match carrier.kind {
        CarrierKind::Memory => "memory".to_owned(),
        kind => format!("{} {}", kind.name(), carrier.name),
    }
}

/// What carries impact, and from where: `parameter z, which carries impact from A (new.c:11)`.
fn carrier(carrier: &Carrier) -> String {
    let name = carrier_name(carrier);
    if carrier.calls.is_empty() {
        return format!("{name}, which an earlier call of the program leaves with impact");
    }
    let mut sites: Vec<String> = carrier.calls.iter().take(SHOWN_CALLS).map(CallSite::words).collect();
    if carrier.calls.len() > SHOWN_CALLS {
        sites.push(format!("{} more", carrier.calls.len() - SHOWN_CALLS));
    }
    format!("{name}, which carries impact from {}", list(sites.into_iter()))
}

/// Several things in a sentence.
fn list(things: impl Iterator<Item = String>) -> String {
    let things: Vec<String> = things.collect();
    match things.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The reason in a sentence.
pub fn long_reason(step: &ImpactStep) -> String {
    let cause = step.cause.map_or_else(|| "an affected statement".to_owned(), Spot::words);
    let kind = step.kind.name();
    match &step.reason {
        Reason::Changed => format!("the {kind} changed"),
        Reason::Added => format!("the {kind} is new"),
        Reason::Calls(names) if names.is_empty() => "it calls a function that changed".to_owned(),
        Reason::Calls(names) => {
            format!("it calls {}, where something changed or is affected", names.join(", "))
        }
        Reason::Input(carriers) if carriers.is_empty() => {
            format!("the {kind} reads an input of the function that the change reaches")
        }
        Reason::Input(carriers) => format!("the {kind} reads {}", list(carriers.iter().map(carrier))),
        Reason::ThroughOld if step.cause.is_none() => in_old(),
        Reason::ThroughOld => format!("in OLD it was affected by {cause}, which was removed"),
        Reason::ControlledCondition => {
            format!("(1) the condition is decided by the affected condition at {cause}")
        }
        Reason::ControlledWrite => format!("(2) the {kind} is decided by the affected condition at {cause}"),
        Reason::ConditionReads => {
            format!("(3) the condition reads what the affected statement at {cause} writes")
        }
        Reason::ReadByAffected => {
            format!("(4) the {kind} gives what the affected statement at {cause} reads")
        }
        Reason::WriteReads => format!("(5) the {kind} reads what the affected statement at {cause} writes"),
        Reason::DecidesAboutAffected => {
            format!("(6) the condition decides about the affected statement at {cause}")
        }
        Reason::OtherThread(by) => format!(
            "(7) the {kind} reads what the affected statement at {} writes in {}",
            by.site.words(),
            by.thread_words()
        ),
        Reason::Competes(by) => format!(
            "(8) the {kind} writes what the affected statement at {} writes in {}, and either may come first",
            by.site.words(),
            by.thread_words()
        ),
        Reason::Ordered(by) => {
            format!(
                "(9) the affected synchronisation at {} orders it, in {}",
                by.site.words(),
                by.thread_words()
            )
        }
        Reason::OtherVersion => in_old(),
    }
}

fn derivation(function: &FunctionImpact, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if function.derivation.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {}", style.bold("why, step by step:"))?;
    let count_width = function.derivation.len().to_string().len();
    let places: Vec<String> = function.derivation.iter().map(|step| step.spot.words()).collect();
    let place_width = places.iter().map(String::len).max().unwrap_or(0);
    for (number, (step, place)) in function.derivation.iter().zip(&places).enumerate() {
        writeln!(out, "  {:>count_width$}. {place:place_width$}  {}", number + 1, long_reason(step))?;
    }
    Ok(())
}

/// The derivation as Figure 5(b) of the paper prints it.
fn figure(function: &FunctionImpact, out: &mut dyn Write) -> io::Result<()> {
    let set = |spots: &BTreeSet<Spot>| {
        let names: Vec<String> = spots.iter().map(Spot::to_string).collect();
        format!("{{{}}}", names.join(", "))
    };
    let (mut conditions, mut writes) = (BTreeSet::new(), BTreeSet::new());
    let all = function.derivation.iter();
    let (all_conditions, all_writes): (Vec<_>, Vec<_>) =
        all.partition(|step| step.kind == StatementKind::Condition);
    let width = |steps: &[&ImpactStep]| set(&steps.iter().map(|step| step.spot).collect()).len().max(3);
    let (left, right) = (width(&all_conditions), width(&all_writes));
    writeln!(out, "  {:left$}  {:right$}  {:>4}  {:>4}  rule", "ACN", "AWN", "n_i", "n_j")?;
    for step in &function.derivation {
        match step.kind {
            StatementKind::Condition => conditions.insert(step.spot),
            StatementKind::Write | StatementKind::Return => writes.insert(step.spot),
        };
        // In rule (4) the statement that becomes affected is the first of the two.
        let cause = step.cause.map(|cause| cause.to_string()).unwrap_or_default();
        let (first, second) = match step.reason {
            Reason::ReadByAffected => (step.spot.to_string(), cause),
            _ if cause.is_empty() => (String::new(), String::new()),
            _ => (cause, step.spot.to_string()),
        };
        let rule = step
            .reason
            .number()
            .map_or_else(|| step.reason.name().to_owned(), |number| format!("({number})"));
        writeln!(
            out,
            "  {:left$}  {:right$}  {first:>4}  {second:>4}  {rule}",
            set(&conditions),
            set(&writes)
        )?;
    }
    Ok(())
}

fn summary(impact: &Impact, out: &mut dyn Write) -> io::Result<()> {
    if impact.is_empty() {
        return writeln!(out, "no function changed: {} compared", counted(impact.unconcerned, "function"));
    }
    let changed: usize = impact.functions.iter().map(FunctionImpact::changed_count).sum();
    let counts = impact.functions.iter().map(FunctionImpact::affected_counts);
    let (conditions, writes) = counts.fold((0, 0), |sum, each| (sum.0 + each.0, sum.1 + each.1));
    let statements: usize = impact.functions.iter().map(|each| each.statements).sum();
    write!(
        out,
        "{} changed, {} affected ({}, {}) of {statements} in {}",
        counted(changed, "statement"),
        conditions + writes,
        counted(conditions, "condition"),
        counted(writes, "write"),
        counted(impact.functions.len(), "function")
    )?;
    if let Some(all) = impact.reachable_statements.filter(|&all| all > statements) {
        write!(out, ", {} of {all} that can be reached", share(conditions + writes, all))?;
    }
    for (what, names) in [("added", &impact.added), ("removed", &impact.removed)] {
        if !names.is_empty() {
            write!(out, "; {} {what}", counted(names.len(), "function"))?;
        }
    }
    if !impact.unreached.is_empty() {
        write!(out, "; {} changed and not reached", counted(impact.unreached.len(), "function"))?;
    }
    for function in impact.proved.iter().flatten() {
        write!(out, "\nproved on every input: {}", equal(function))?;
    }
    if !impact.later.is_empty() {
        let statements = impact.later.iter().map(|each| each.statements).sum();
        write!(
            out,
            "\n{} more in {} if callers, or code that nobody can see, hand on memory that they got",
            counted(statements, "statement"),
            counted(impact.later.len(), "function"),
        )?;
    }
    if let Some(slice) = &impact.forward_slice {
        write!(
            out,
            "\nof {} that can be reached, the change influences {}; a plain forward slice has {}",
            counted(slice.nodes, "statement"),
            slice.forward,
            slice.sliced
        )?;
    }
    writeln!(out)
}

/// What a changed function is proved to do as before.
fn equal(function: &EqualFunction) -> String {
    if function.all {
        return format!("{} does the same, and hands on nothing", function.name);
    }
    let words = |effect: &EqualEffect| match effect {
        EqualEffect::Result => "returns the same",
        EqualEffect::Variables => "leaves the same in global variables",
        EqualEffect::Memory => "leaves the same in what its parameters lead to",
    };
    let words: Vec<&str> = function.effects.iter().map(words).collect();
    format!("{} {}, and hands on the rest", function.name, words.join(" and "))
}

/// A part of a whole in words.
fn share(part: usize, all: usize) -> String {
    match part * 100 / all.max(1) {
        0 if part > 0 => "less than 1%".to_owned(),
        percent => format!("{percent}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(
        spot: u32,
        partner: Option<u32>,
        kind: StatementKind,
        status: StatementStatus,
        text: &str,
    ) -> Statement {
        Statement {
            spot: Spot::Line(spot),
            partner: partner.map(Spot::Line),
            kind,
            status,
            affected: true,
            text: text.to_owned(),
        }
    }

    fn step(spot: u32, kind: StatementKind, reason: Reason, cause: Option<u32>) -> ImpactStep {
        ImpactStep { spot: Spot::Line(spot), kind, reason, cause: cause.map(Spot::Line) }
    }

    fn example() -> Impact {
        use StatementKind::{Condition, Write};
        let function = FunctionImpact {
            name: "update".to_owned(),
            file: Some("new.c".to_owned()),
            changed: true,
            statements: 9,
            new: vec![
                statement(3, Some(3), Condition, StatementStatus::Changed, "if (a <= 0)"),
                statement(4, Some(4), Write, StatementStatus::Unchanged, "b = b + 1;"),
                statement(9, Some(10), Write, StatementStatus::Unchanged, "c = 2;"),
            ],
            old: vec![
                statement(3, Some(3), Condition, StatementStatus::Changed, "if (a == 0)"),
                statement(4, Some(4), Write, StatementStatus::Unchanged, "b = b + 1;"),
                statement(8, None, Write, StatementStatus::Removed, "c = 1;"),
            ],
            derivation: vec![
                step(3, Condition, Reason::Changed, None),
                step(4, Write, Reason::ControlledWrite, Some(3)),
                step(9, Write, Reason::ReadByAffected, Some(3)),
            ],
            ..FunctionImpact::default()
        };
        Impact {
            rules: RuleSet::Paper,
            functions: vec![function],
            added: vec!["extra".to_owned()],
            ..Impact::default()
        }
    }

    fn rendered(impact: &Impact, options: ImpactTextOptions) -> String {
        let mut bytes = Vec::new();
        render(impact, options, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn both_versions_are_shown_side_by_side() {
        let expected = "\
update (new.c)
  OLD  NEW
    3       - if (a == 0)  changed condition  (as it was)
    3    3  ~ if (a <= 0)  changed condition
    4    4  w b = b + 1;   affected write     (2) decided by line 3
    8       - c = 1;       removed write
   10    9  w c = 2;       affected write     (4) is read by line 3
  why, step by step:
  1. line 3  the condition changed
  2. line 4  (2) the write is decided by the affected condition at line 3
  3. line 9  (4) the write gives what the affected statement at line 3 reads
  ACN  AWN      n_i   n_j  rule
  {3}  {}                  changed
  {3}  {4}        3     4  (2)
  {3}  {4, 9}     9     3  (4)

extra: function added
~ changed   + added   - removed   c affected condition   w affected write or return
2 statements changed, 3 affected (1 condition, 2 writes) of 9 in 1 function; 1 function added
";
        assert_eq!(
            rendered(&example(), ImpactTextOptions { why: true, ..ImpactTextOptions::default() }),
            expected
        );
    }

    #[test]
    fn nothing_is_said_of_what_did_not_change() {
        let impact = Impact { unconcerned: 7, ..Impact::default() };
        assert_eq!(
            rendered(&impact, ImpactTextOptions::default()),
            "no function changed: 7 functions compared\n"
        );
    }

    #[test]
    fn a_slice_is_compared_with_if_there_is_one() {
        let slice = crate::ForwardSlice { sliced: 10, forward: 8, affected: 9, nodes: 11 };
        let impact = Impact { forward_slice: Some(slice), ..example() };
        let text = rendered(&impact, ImpactTextOptions::default());
        let last =
            "of 11 statements that can be reached, the change influences 8; a plain forward slice has 10\n";
        assert!(text.ends_with(last), "{text}");
    }

    #[test]
    fn quiet_is_one_line() {
        let text = TextOptions { quiet: true, ..TextOptions::default() };
        let text = rendered(&example(), ImpactTextOptions { text, ..ImpactTextOptions::default() });
        assert_eq!(text.lines().count(), 1);
    }
}
