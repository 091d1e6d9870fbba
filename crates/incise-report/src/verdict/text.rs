//! Verdicts as text for people: first the inputs on which the versions differ, one a line, then the verdict.
//!
//! The same result gives the same text: there are no times in it.

use super::glance::{cut, output, short};
use super::threads_text;
use crate::text::{Advice, Style, TextOptions, counted, telling, write_notes};
use crate::verdict::{Bound, ChangedValue, Comparison, ErrorChange, Sameness, ValueKind, Verdicts, Witness};
use crate::{FoundPath, Input, LimitKind, Origin, Outcome, Place, ProgramError, Value};
use std::io::{self, Write};

/// How many witnesses of an entry are shown.
const SHOWN_WITNESSES: usize = 20;
/// How many witnesses of a program with threads have their executions shown.
const SHOWN_SCHEDULES: usize = 3;
/// How many witnesses of a function below the entry are shown.
const SHOWN_BELOW: usize = 2;
/// How many inputs of a witness are named.
const SHOWN_INPUTS: usize = 8;
/// So many parameters are all named, whatever their values.
const FEW_PARAMETERS: usize = 4;
/// How many differing values of a witness are shown.
const SHOWN_VALUES: usize = 4;
/// How many errors of a bucket are shown.
const SHOWN_ERRORS: usize = 10;
/// How much of what was found with other inputs is shown, of each kind.
const SHOWN_OTHERS: usize = 3;
/// What is said of differences that could not be run natively.
const UNCONFIRMED: &str = ", which could not be run natively: it may be none";
/// What is said of differences if nothing was to run natively.
const NOT_REPLAYED: &str = ", not replayed: it may be none";
/// How many reasons and notes are shown.
const SHOWN_REASONS: usize = 8;

/// Writes the verdicts as text, but for those on entries that were told before.
pub fn render(
    verdicts: &Verdicts,
    told: &[String],
    options: TextOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style = options.style();
    let several = verdicts.entries.len() > 1;
    let mut before = !told.is_empty();
    for comparison in verdicts.entries.iter().filter(|each| !told.contains(&each.entry)) {
        if before && !options.quiet {
            writeln!(out)?;
        }
        entry(comparison, options, style, out)?;
        before = true;
    }
    for comparison in &verdicts.below {
        below(comparison, options, style, out)?;
    }
    write_notes(&verdicts.reasons, (options, Advice::ShowRest), out)?;
    if several || verdicts.entries.is_empty() || !verdicts.reasons.is_empty() {
        conclusion(verdicts, options, out)?;
    }
    Ok(())
}

/// Writes the verdict on one of several entries, as soon as it is there.
pub fn one_of_several(
    comparison: &Comparison,
    first: bool,
    options: TextOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !first && !options.quiet {
        writeln!(out)?;
    }
    entry(comparison, options, options.style(), out)
}

/// Writes the verdict on the whole, in one line.
pub fn conclusion(verdicts: &Verdicts, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.style();
    if let ([only], true) = (verdicts.entries.as_slice(), verdicts.reasons.is_empty()) {
        return writeln!(out, "{}", verdict(only, style));
    }
    let sameness = verdicts.sameness();
    let words = colored(sameness, words(sameness), style);
    let names = |wanted: Sameness| -> Vec<&str> {
        verdicts
            .entries
            .iter()
            .filter(|each| each.sameness == wanted)
            .map(|each| each.entry.as_str())
            .collect()
    };
    if verdicts.entries.is_empty() {
        return match verdicts.reasons.is_empty() {
            true => writeln!(out, "{words}: nothing that is compared changed"),
            false => writeln!(out, "{words}: nothing could be compared"),
        };
    }
    let mut parts = Vec::new();
    for kind in [Sameness::Differs, Sameness::Undecided, Sameness::WithinBounds, Sameness::Same] {
        let names = names(kind);
        if !names.is_empty() {
            parts.push(format!("{} {}", list(&names, SHOWN_INPUTS), predicate(kind, names.len())));
        }
    }
    writeln!(out, "{words}: {}", parts.join("; "))
}

fn entry(comparison: &Comparison, options: TextOptions, style: Style, out: &mut dyn Write) -> io::Result<()> {
    for (number, witness) in comparison.differences.iter().take(options.shown(SHOWN_WITNESSES)).enumerate() {
        writeln!(out, "{}", witness_line(witness, style))?;
        if !options.quiet && number < options.shown(SHOWN_SCHEDULES) {
            threads_text::columns(witness, style, out)?;
        }
    }
    let rest = comparison.differences.len().saturating_sub(options.shown(SHOWN_WITNESSES));
    if rest > 0 {
        writeln!(out, "... and {}{}", counted(rest, "more way"), style.hint(Advice::ShowRest))?;
    }
    writeln!(out, "{}", verdict(comparison, style))?;
    buckets(comparison, options, style, out)?;
    threads_text::races(comparison, options, style, out)?;
    if !options.quiet {
        details(comparison, options, style, out)?;
    }
    Ok(())
}

/// A changed function below the entry: its verdict, and a witness or two.
fn below(comparison: &Comparison, options: TextOptions, style: Style, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "by itself, {}", verdict(comparison, style))?;
    if options.quiet {
        return Ok(());
    }
    for witness in comparison.differences.iter().take(SHOWN_BELOW) {
        writeln!(out, "  {}", witness_line(witness, style))?;
    }
    for note in comparison.notes.iter().take(options.shown(SHOWN_REASONS)) {
        writeln!(out, "  {} {note}", style.bold("note:"))?;
    }
    Ok(())
}

/// `Given x = 1:  old: returns 3   new: returns 4   (file.c:9)`.
pub(crate) fn witness_line(witness: &Witness, style: Style) -> String {
    if let Some(only) = &witness.only {
        return threads_text::witness_line(witness, only, style);
    }
    let place = witness.place.as_ref().map_or_else(String::new, |place| format!("   ({place})"));
    let special = witness.special.map_or_else(String::new, |special| format!("   [{}]", special.words()));
    let (old, new) = dressed_behaviours(witness, style);
    format!(
        "{} {}:  {} {old}   {} {new}{}{}{}",
        style.bold("Given"),
        inputs(witness),
        style.bold("old:"),
        style.bold("new:"),
        style.dim(&place),
        style.yellow(&special),
        not_replayed(witness, style)
    )
}

/// What OLD and NEW do.
pub(crate) fn behaviours(witness: &Witness) -> (String, String) {
    dressed_behaviours(witness, Style::default())
}

fn dressed_behaviours(witness: &Witness, style: Style) -> (String, String) {
    let old = behaviour(witness, &witness.old, style, |value| &value.old);
    (old, behaviour(witness, &witness.new, style, |value| &value.new))
}

/// What is said of a witness that no native run shows.
pub(super) fn not_replayed(witness: &Witness, style: Style) -> String {
    let text = match (&witness.replay_note, witness.replayed) {
        (Some(note), _) => format!("   [not confirmed natively: {note}]"),
        (None, false) => "   [not replayed]".to_owned(),
        (None, true) => String::new(),
    };
    style.dim(&text)
}

/// The witness to show where there is room for one: on ordinary numbers, where OLD itself does nothing wrong, with the
/// shortest input.
pub(crate) fn plainest(witnesses: &[Witness]) -> Option<&Witness> {
    witnesses.iter().min_by_key(|witness| {
        let wrong = matches!(witness.old.outcome, Outcome::Error(_));
        (witness.special.is_some(), wrong, inputs(witness).chars().count())
    })
}

/// The inputs away from zero, and all parameters if they are few or nothing else tells anything.
pub(crate) fn inputs(witness: &Witness) -> String {
    let all = &passed(witness)[..];
    let is_parameter = |input: &Input| matches!(input.origin, Origin::Parameter(_));
    let is_zero = |input: &Input| input.is_zero() && !matches!(input.value, Value::Pointer(Some(_)));
    // What a pointer leads to is named instead of the pointer, unless it tells nothing itself.
    let leads_to_zeros = |input: &Input| {
        let target = input.pointers.first().and_then(|to| all.iter().find(|each| each.name == to.target));
        target.is_some_and(is_zero)
    };
    // Which of two inputs it was that something is behind tells more than what is there.
    let is_shared = |input: &Input| shared_with(all, input).is_some();
    let parameters = all.iter().filter(|input| is_parameter(input)).count();
    let (telling, _) = telling(all, &[]);
    let all_zero = telling.iter().all(|input| is_zero(input));
    let is_named = |input: &&Input| {
        let told = telling.iter().any(|each| std::ptr::eq(*each, *input));
        match is_parameter(input) {
            true => {
                let few = parameters <= FEW_PARAMETERS && (is_zero(input) || leads_to_zeros(input));
                told || few || is_shared(input)
            }
            false => told && (!all_zero || parameters == 0),
        }
    };
    // An input that only the old version has is one all the same.
    let is_extent = |input: &Input| matches!(input.origin, Origin::Extent(_));
    let lone = witness.old.inputs.iter().flatten();
    let lone = lone.filter(|old| !has(all, old) && !is_zero(old) && !is_extent(old));
    let named: Vec<&Input> = all.iter().filter(is_named).chain(lone).collect();
    let shown = named.iter().take(SHOWN_INPUTS);
    let assigned = |input: &&Input| match shared_with(all, input) {
        Some(other) => format!("{} = {other}", input.name),
        None => assignment(input, leads_to_zeros(input)),
    };
    let mut parts: Vec<String> = shown.map(assigned).collect();
    let more = named.len().saturating_sub(SHOWN_INPUTS);
    if more > 0 {
        parts.push(format!("and {more} more"));
    }
    if parts.is_empty() { "any input".to_owned() } else { parts.join(", ") }
}

/// The other parameter that leads to the same object, if a parameter leads to one that is not its own.
fn shared_with(all: &[Input], input: &Input) -> Option<String> {
    let to =
        input.pointers.first().filter(|to| to.addend == 0 && matches!(input.origin, Origin::Parameter(_)))?;
    let other = to.target.strip_prefix('*').filter(|other| *other != input.name)?;
    let parameter = |each: &&Input| each.name == other && matches!(each.origin, Origin::Parameter(_));
    all.iter().find(parameter).map(|each| each.name.clone())
}

/// The inputs, with what callers pass for a parameter that is narrower in the new version, which does not hold all.
fn passed(witness: &Witness) -> Vec<Input> {
    let (old, new) = (witness.old.inputs.as_deref(), witness.new.inputs.as_deref());
    let narrower = |input: &Input| {
        let before = old?.iter().find(|before| before.origin == input.origin && before.name == input.name)?;
        let parameter = matches!(input.origin, Origin::Parameter(_));
        (parameter && before.bytes.len() > input.bytes.len()).then(|| before.clone())
    };
    let inputs = new.or(old).unwrap_or_default().iter();
    inputs.map(|input| narrower(input).unwrap_or_else(|| input.clone())).collect()
}

fn assignment(input: &Input, leads_to_zeros: bool) -> String {
    match &input.value {
        Value::Pointer(Some(_)) if leads_to_zeros => format!("{} != NULL", input.name),
        // Zeros are input like anything else there.
        Value::Text(bytes) if matches!(input.origin, Origin::Stdin | Origin::File(_) | Origin::Stream(_)) => {
            format!("{} = {}", input.name, output(bytes))
        }
        value => format!("{} = {}", input.name, short(value)),
    }
}

fn has(inputs: &[Input], wanted: &Input) -> bool {
    inputs.iter().any(|input| input.name == wanted.name)
}

/// What one version does: what differs, or how it ends.
pub(super) fn behaviour(
    witness: &Witness,
    path: &FoundPath,
    style: Style,
    of: impl Fn(&ChangedValue) -> &Value,
) -> String {
    if witness.values.is_empty() {
        return ending(path, style);
    }
    let mut parts: Vec<String> =
        witness.values.iter().take(SHOWN_VALUES).map(|changed| left_behind(changed, of(changed))).collect();
    let more = witness.values.len().saturating_sub(SHOWN_VALUES);
    if more > 0 {
        parts.push(format!("and {more} more"));
    }
    parts.join(", ")
}

/// A value, with the number of an enumerator that is another one in the other version.
fn told_apart(changed: &ChangedValue, value: &Value) -> Value {
    let named = |value: &Value| match value {
        Value::Enumerator(Some(name), _) => Some(name.clone()),
        _ => None,
    };
    match value {
        Value::Enumerator(Some(name), number) if named(&changed.old) == named(&changed.new) => {
            Value::Enumerator(Some(format!("{name} ({number})")), *number)
        }
        value => value.clone(),
    }
}

fn left_behind(changed: &ChangedValue, value: &Value) -> String {
    let value = &told_apart(changed, value);
    let written = |value: &Value| match value {
        Value::Text(bytes) | Value::Bytes(bytes) => match bytes.is_empty() {
            true => "nothing".to_owned(),
            false => output(bytes),
        },
        other => short(other),
    };
    match (changed.kind, changed.name.as_str()) {
        (ValueKind::Result, "") => format!("returns {}", short(value)),
        (ValueKind::Result, name) => format!("returns {name} = {}", short(value)),
        (ValueKind::Stdout, _) => format!("prints {}", written(value)),
        (ValueKind::Stderr, _) => format!("writes {} to standard error", written(value)),
        (ValueKind::File, name) => match value {
            Value::Pointer(None) => format!("leaves no file {name}"),
            _ => format!("leaves {} in {name}", written(value)),
        },
        (ValueKind::Status, _) => format!("exits with status {}", short(value)),
        (ValueKind::Calls, _) => match value {
            Value::Text(bytes) if bytes.is_empty() => "calls nothing".to_owned(),
            Value::Text(bytes) => format!("calls {}", cut(&String::from_utf8_lossy(bytes))),
            other => format!("calls {}", short(other)),
        },
        // What the result leads to has no name of its own.
        (_, name) if name.starts_with(['-', '.', '[']) => format!("result{name} = {}", short(value)),
        (_, name) => format!("{name} = {}", short(value)),
    }
}

/// How a path ends, in words.
pub(crate) fn ending(path: &FoundPath, style: Style) -> String {
    let place = |place: Option<&Place>| place.map_or_else(String::new, |place| format!(" ({place})"));
    match &path.outcome {
        Outcome::Returned => match &path.result {
            Some(result) => format!("returns {}", short(&result.value)),
            None => "returns".to_owned(),
        },
        Outcome::Exited { status } => format!("exits with status {status}"),
        Outcome::Error(ProgramError { message, .. }) => {
            style.red(&format!("{message}{}", place(path.place.as_ref())))
        }
        Outcome::Limit(limit) => match limit {
            LimitKind::Instructions => {
                style.red(&format!("is still running after {} instructions", grand(path.instructions)))
            }
            LimitKind::Stack => style.red("calls itself without end"),
            _ => style.red("is still running when it is stopped"),
        },
        other => other.name().to_owned(),
    }
}

/// A large number, in words.
fn grand(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{} thousand", number / 1000),
        _ => format!("{} million", number / 1_000_000),
    }
}

/// The verdict on a function, in one line.
pub(crate) fn verdict(comparison: &Comparison, style: Style) -> String {
    let name = match comparison.old_entry == comparison.entry {
        true => comparison.entry.clone(),
        false => format!("{} and {}", comparison.old_entry, comparison.entry),
    };
    let pair = comparison.old_entry != comparison.entry;
    let sameness = comparison.sameness;
    let word = match (sameness, pair) {
        (Sameness::Differs, true) => "differ",
        (Sameness::Differs, false) => "differs",
        (Sameness::Undecided, _) => "undecided",
        (Sameness::WithinBounds, true) => "do the same within bounds",
        (Sameness::WithinBounds, false) => "does the same within bounds",
        (Sameness::Same, true) => "do the same",
        (Sameness::Same, false) => "does the same",
    };
    let word = colored(sameness, word, style);
    let pairs = comparison.pairs;
    let compared = match &comparison.threads {
        Some(threads) => threads_text::compared(threads),
        None => counted(pairs.all() as usize, "pair of paths").replace("pair of pathss", "pairs of paths"),
    };
    let name = style.bold(&name);
    match sameness {
        Sameness::Same if !comparison.composed.is_empty() => {
            let parts: Vec<&str> = comparison.composed.iter().map(String::as_str).collect();
            let (do_so, themselves) =
                if parts.len() == 1 { ("does", "itself") } else { ("do", "themselves") };
            format!(
                "{name} {word} on every input: {} {do_so} by {themselves}, and nothing else that it reaches changed ({compared} compared)",
                list(&parts, SHOWN_INPUTS)
            )
        }
        Sameness::Same if comparison.unchanged && pairs.all() == 0 => {
            format!("{name} {word}: no statement changed, they are written in another way")
        }
        Sameness::Same if pairs.all() == 0 && comparison.is_as_taken() => {
            format!("{name} {word}: no path meets the change on inputs as taken")
        }
        Sameness::Same if pairs.all() == 0 => format!("{name} {word}: no path meets the change"),
        Sameness::Same if comparison.partial => {
            format!("{name} {word} on every input that is compared ({compared} compared)")
        }
        Sameness::Same if comparison.is_as_taken() => {
            format!("{name} {word} on inputs as taken ({compared} compared)")
        }
        Sameness::Same => format!("{name} {word} on every input ({compared} compared)"),
        Sameness::WithinBounds => {
            format!("{name} {word}: {} ({compared} compared, {} cut)", bounds(comparison), pairs.open)
        }
        Sameness::Differs => {
            let ways = counted(comparison.differences.len().max(1), "way");
            let unsure = match (comparison.is_unconfirmed(), &comparison.not_passed) {
                (true, Some(not_passed)) => format!(", {}: it may be none", not_passed.words()),
                (true, None) if comparison.was_tried() => UNCONFIRMED.to_owned(),
                (true, None) => NOT_REPLAYED.to_owned(),
                (false, _) => String::new(),
            };
            format!("{name} {word} in {ways}{unsure}")
        }
        Sameness::Undecided => format!(
            "{name}: {word} ({compared} compared: {} equal, {} open)",
            pairs.identical + pairs.proved,
            pairs.open
        ),
    }
}

fn colored(sameness: Sameness, text: &str, style: Style) -> String {
    match sameness {
        Sameness::Same | Sameness::WithinBounds => style.green(text),
        Sameness::Undecided => style.yellow(text),
        Sameness::Differs => style.red(text),
    }
}

fn words(sameness: Sameness) -> &'static str {
    match sameness {
        Sameness::Same => "same",
        Sameness::WithinBounds => "same within bounds",
        Sameness::Undecided => "undecided",
        Sameness::Differs => "differs",
    }
}

fn predicate(sameness: Sameness, count: usize) -> &'static str {
    match (sameness, count) {
        (Sameness::Same, 1) => "does the same",
        (Sameness::Same, _) => "do the same",
        (Sameness::WithinBounds, 1) => "does the same within bounds",
        (Sameness::WithinBounds, _) => "do the same within bounds",
        (Sameness::Undecided, 1) => "is undecided",
        (Sameness::Undecided, _) => "are undecided",
        (Sameness::Differs, 1) => "differs",
        (Sameness::Differs, _) => "differ",
    }
}

fn list(names: &[&str], shown: usize) -> String {
    let more = match names.len().saturating_sub(shown) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", names[..names.len().min(shown)].join(", "))
}

/// How far the limits go, in words.
fn bounds(comparison: &Comparison) -> String {
    comparison.bounds.iter().map(Bound::words).collect::<Vec<_>>().join(", ")
}

/// Errors that came, went, or stayed.
fn buckets(
    comparison: &Comparison,
    options: TextOptions,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Comparison { introduced, fixed, preexisting, .. } = comparison;
    let not_passed = comparison.not_passed.as_ref().filter(|_| !introduced.is_empty());
    let label = not_passed.map_or_else(
        || style.red("introduced"),
        |not_passed| format!("{}, {}", style.yellow("introduced"), not_passed.words()),
    );
    bucket(label, introduced, options, out)?;
    bucket(style.green("fixed"), fixed, options, out)?;
    if !options.quiet {
        bucket(style.bold("pre-existing"), preexisting, options, out)?;
    }
    if options.invalid {
        bucket(style.bold("not compared"), &comparison.invalid, options, out)?;
    }
    Ok(())
}

fn bucket(name: String, errors: &[ErrorChange], options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    for error in errors.iter().take(options.shown(SHOWN_ERRORS)) {
        let place = error.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
        writeln!(
            out,
            "  {name}: {}{place}  [{}, given {}]",
            error.message,
            error.kind,
            inputs(&error.witness)
        )?;
    }
    let rest = errors.len().saturating_sub(options.shown(SHOWN_ERRORS));
    if rest > 0 {
        writeln!(out, "  {name}: ... and {}", counted(rest, "more error"))?;
    }
    Ok(())
}

/// Why something is open, how far it was compared, and what the verdict rests on.
fn details(
    comparison: &Comparison,
    options: TextOptions,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let label = match comparison.sameness {
        Sameness::Undecided => "because",
        _ => "open:",
    };
    for reason in comparison.reasons.iter().take(options.shown(SHOWN_REASONS)) {
        writeln!(out, "  {} {reason}", style.bold(label))?;
    }
    let rest = comparison.reasons.len().saturating_sub(options.shown(SHOWN_REASONS));
    if rest > 0 {
        writeln!(out, "  {} {}", style.bold(label), counted(rest, "more reason"))?;
    }
    if !comparison.bounds.is_empty() && comparison.sameness != Sameness::WithinBounds {
        writeln!(out, "  {} {}", style.bold("compared"), bounds(comparison))?;
    }
    if !comparison.taken.is_empty() {
        writeln!(out, "  {} {}", style.bold("taken:"), taken_words(&comparison.taken))?;
    }
    others(comparison, options, style, out)?;
    if !comparison.invalid.is_empty() && !options.invalid {
        let kinds = counted(comparison.invalid.len(), "kind");
        writeln!(
            out,
            "  {} {kinds} of inputs on which OLD itself goes wrong in memory{}",
            style.bold("not compared:"),
            style.hint(Advice::ListInvalid)
        )?;
    }
    for note in comparison.notes.iter().take(options.shown(SHOWN_REASONS)) {
        writeln!(out, "  {} {note}", style.bold("note:"))?;
    }
    let rest = comparison.notes.len().saturating_sub(options.shown(SHOWN_REASONS));
    if rest > 0 {
        writeln!(out, "  {} {}", style.bold("note:"), counted(rest, "more note"))?;
    }
    Ok(())
}

/// What inputs were taken to be, in a line.
pub(crate) fn taken_words(taken: &[crate::verdict::TakenInput]) -> String {
    let words: Vec<&str> = taken.iter().map(|taken| taken.words.as_str()).collect();
    words.join("; ")
}

/// What was found with inputs that are not what they were taken to be: a line a place.
fn others(
    comparison: &Comparison,
    options: TextOptions,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(others) = &comparison.others else { return Ok(()) };
    let label = style.bold("with other inputs:");
    for (name, errors) in [("introduced", &others.introduced), ("fixed", &others.fixed)] {
        for error in errors.iter().take(options.shown(SHOWN_OTHERS)) {
            let place = error.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
            let given = inputs(&error.witness);
            writeln!(out, "  {label} {name}: {}{place}  [{}, given {given}]", error.message, error.kind)?;
        }
    }
    let values = others.differences.iter().filter(|witness| !witness.values.is_empty());
    for witness in values.take(options.shown(SHOWN_OTHERS)) {
        writeln!(out, "  {label} {}", witness_line(witness, style))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Bound, PairCounts};
    use crate::{ErrorKind, Observed, PointerTo};

    fn input(name: &str, origin: Origin, value: Value) -> Input {
        let bytes = match &value {
            Value::Signed(number) => number.to_le_bytes()[..4].to_vec(),
            _ => vec![0; 8],
        };
        Input { name: name.to_owned(), origin, bytes, pointers: Vec::new(), value }
    }

    fn parameters(values: &[i128]) -> Vec<Input> {
        let names = ["a", "b", "c", "d", "e", "f"].iter();
        let numbered = names.zip(values).zip(0..);
        numbered
            .map(|((name, &value), at)| input(name, Origin::Parameter(at), Value::Signed(value)))
            .collect()
    }

    fn returning(value: i128, inputs: Vec<Input>) -> FoundPath {
        let value = Value::Signed(value);
        let result = Some(Observed::new(Vec::new(), Vec::new(), value));
        FoundPath { result, inputs: Some(inputs), ..FoundPath::default() }
    }

    fn witness(inputs: &[Input]) -> Witness {
        let (old, new) = (returning(3, inputs.to_vec()), returning(4, inputs.to_vec()));
        let value = |name: &str, kind, old, new| ChangedValue {
            name: name.to_owned(),
            kind,
            old: Value::Signed(old),
            new: Value::Signed(new),
        };
        let values = vec![value("", ValueKind::Result, 3, 4)];
        let place = Some(Place { file: "p.c".to_owned(), line: 9, column: 1 });
        Witness { old, new, values, place, replayed: true, ..Witness::default() }
    }

    fn line(witness: &Witness) -> String {
        witness_line(witness, Style::default())
    }

    fn rendered(comparison: Comparison) -> String {
        let verdicts = Verdicts { entries: vec![comparison], ..Verdicts::default() };
        let mut out = Vec::new();
        render(&verdicts, &[], TextOptions::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_witness_is_one_line() {
        let line = line(&witness(&parameters(&[-1, 0])));
        assert_eq!(line, "Given a = -1, b = 0:  old: returns 3   new: returns 4   (p.c:9)");
    }

    #[test]
    fn a_short_line_on_special_numbers_does_not_stand_for_the_others() {
        let special =
            Witness { special: Some(incise_vocabulary::Special::Overflow), ..witness(&parameters(&[1])) };
        let ordinary = witness(&parameters(&[100, 2]));
        let shorter = witness(&parameters(&[10, 2]));
        assert_eq!(plainest(&[special, ordinary, shorter.clone()]).map(line), Some(line(&shorter)));
    }

    #[test]
    fn an_enumerator_with_another_number_is_told_apart() {
        let value = |name: &str, number| Value::Enumerator(Some(name.to_owned()), number);
        let shown = |old: Value, new: Value| {
            let changed = ChangedValue { name: String::new(), kind: ValueKind::Result, old, new };
            (left_behind(&changed, &changed.old), left_behind(&changed, &changed.new))
        };
        let (old, new) = shown(value("READY", 3), value("READY", 2));
        assert_eq!((old.as_str(), new.as_str()), ("returns READY (3)", "returns READY (2)"));
        let (old, new) = shown(value("READY", 3), value("DONE", 2));
        assert_eq!((old.as_str(), new.as_str()), ("returns READY", "returns DONE"));
    }

    #[test]
    fn zeros_among_many_inputs_are_left_out() {
        let mut inputs = parameters(&[0, 0, 7, 0, 0, 0]);
        inputs.push(input("global", Origin::Global("global".to_owned()), Value::Signed(0)));
        assert!(line(&witness(&inputs)).starts_with("Given c = 7:"));
        let zeros = line(&witness(&parameters(&[0; 6])));
        assert!(zeros.starts_with("Given a = 0, b = 0, c = 0, d = 0, e = 0, f = 0:"), "{zeros}");
        assert!(line(&witness(&[])).starts_with("Given any input:"));
    }

    #[test]
    fn a_pointer_to_zeros_is_one_that_is_not_null() {
        let target = PointerTo { offset: 0, target: "*p".to_owned(), addend: 0 };
        let pointer = input("p", Origin::Parameter(0), Value::Pointer(Some("*p".to_owned())));
        let mut inputs = vec![Input { pointers: vec![target], bytes: vec![1; 8], ..pointer }];
        inputs.push(input("*p", Origin::Pointee("p".to_owned()), Value::Signed(0)));
        assert!(line(&witness(&inputs)).starts_with("Given p != NULL:"));
        inputs[1] = input("*p", Origin::Pointee("p".to_owned()), Value::Signed(5));
        assert!(line(&witness(&inputs)).starts_with("Given *p = 5:"));
    }

    #[test]
    fn two_pointers_to_one_object_are_told() {
        let to = |name: &str, at| {
            let target = PointerTo { offset: 0, target: "*p".to_owned(), addend: 0 };
            let pointer = input(name, Origin::Parameter(at), Value::Pointer(Some("*p".to_owned())));
            Input { pointers: vec![target], bytes: vec![1; 8], ..pointer }
        };
        let mut inputs = vec![to("p", 0), to("q", 1)];
        inputs.push(input("*p", Origin::Pointee("p".to_owned()), Value::Signed(5)));
        assert!(line(&witness(&inputs)).starts_with("Given q = p, *p = 5:"), "{}", line(&witness(&inputs)));
        inputs[2] = input("*p", Origin::Pointee("p".to_owned()), Value::Signed(0));
        assert!(
            line(&witness(&inputs)).starts_with("Given p != NULL, q = p:"),
            "{}",
            line(&witness(&inputs))
        );
    }

    #[test]
    fn what_callers_pass_is_shown_where_the_new_version_holds_less() {
        let mut found = witness(&parameters(&[0]));
        let wide = Input { bytes: vec![0, 1, 0, 0], ..input("a", Origin::Parameter(0), Value::Signed(256)) };
        found.old.inputs = Some(vec![wide]);
        found.new.inputs.as_mut().unwrap()[0].bytes = vec![0];
        assert!(line(&found).starts_with("Given a = 256:"), "{}", line(&found));
    }

    #[test]
    fn ends_are_told_in_words() {
        let mut found = witness(&parameters(&[1]));
        found.values.clear();
        found.new.outcome = Outcome::Limit(LimitKind::Instructions);
        found.new.instructions = 20_000_001;
        assert!(
            line(&found).contains("old: returns 3   new: is still running after 20 million instructions")
        );
        found.new.outcome =
            Outcome::Error(ProgramError { kind: ErrorKind::Abort, message: "abort is called".to_owned() });
        found.new.place = Some(Place { file: "p.c".to_owned(), line: 4, column: 1 });
        assert!(line(&found).contains("new: abort is called (p.c:4)"));
        found.replayed = false;
        found.replay_note = Some("no clang".to_owned());
        assert!(line(&found).ends_with("[not confirmed natively: no clang]"));
    }

    #[test]
    fn what_is_left_behind_is_named() {
        let value = |kind, name: &str, value: Value| {
            let changed =
                ChangedValue { name: name.to_owned(), kind, old: value.clone(), new: value.clone() };
            left_behind(&changed, &value)
        };
        let text = |text: &str| Value::Text(text.as_bytes().to_vec());
        assert_eq!(value(ValueKind::Stdout, "", text("a\n")), "prints \"a\\n\"");
        assert_eq!(value(ValueKind::Stdout, "", text("")), "prints nothing");
        assert_eq!(value(ValueKind::File, "out", text("a")), "leaves \"a\" in out");
        assert_eq!(value(ValueKind::File, "out", Value::Pointer(None)), "leaves no file out");
        assert_eq!(value(ValueKind::Calls, "", text("log(3)")), "calls log(3)");
        assert_eq!(value(ValueKind::Status, "", Value::Signed(2)), "exits with status 2");
        assert_eq!(value(ValueKind::Memory, "->next", Value::Pointer(None)), "result->next = NULL");
        assert_eq!(value(ValueKind::Global, "g[1]", Value::Signed(-2)), "g[1] = -2");
        let long = value(ValueKind::Global, "g", text(&"x".repeat(200)));
        assert!(long.ends_with("...") && long.len() < 80, "{long}");
    }

    #[test]
    fn verdicts_say_how_far_they_go() {
        let pairs = PairCounts { identical: 2, proved: 1, open: 1, ..PairCounts::default() };
        let one = |sameness| Comparison {
            entry: "f".to_owned(),
            old_entry: "f".to_owned(),
            sameness,
            pairs,
            ..Comparison::default()
        };
        assert_eq!(
            rendered(one(Sameness::Same)),
            "f does the same on every input (4 pairs of paths compared)\n"
        );
        let mut bounded = one(Sameness::WithinBounds);
        bounded.bounds = vec![Bound { limit: LimitKind::Loop, value: Some(16), input: None, unit: None }];
        let words =
            "f does the same within bounds: loops up to 16 iterations (4 pairs of paths compared, 1 cut)\n";
        assert_eq!(rendered(bounded), words);
        let mut open = one(Sameness::Undecided);
        open.reasons = vec!["the solver ran out of time".to_owned()];
        let words = "f: undecided (4 pairs of paths compared: 3 equal, 1 open)\n  because the solver ran out of time\n";
        assert_eq!(rendered(open), words);
        let other = Comparison { old_entry: "g".to_owned(), ..one(Sameness::Same) };
        assert!(rendered(other).starts_with("g and f do the same"));
    }

    #[test]
    fn the_worst_entry_is_the_verdict_on_the_whole() {
        let one =
            |name: &str, sameness| Comparison { entry: name.to_owned(), sameness, ..Comparison::default() };
        let entries =
            vec![one("f", Sameness::Same), one("g", Sameness::Undecided), one("h", Sameness::Differs)];
        let mut verdicts = Verdicts { entries, ..Verdicts::default() };
        assert_eq!(verdicts.sameness(), Sameness::Differs);
        let mut out = Vec::new();
        conclusion(&verdicts, TextOptions::default(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "differs: h differs; g is undecided; f does the same\n");
        verdicts.entries.truncate(1);
        assert_eq!(verdicts.sameness(), Sameness::Same);
        verdicts.reasons = vec!["a function cannot be compared".to_owned()];
        assert_eq!(verdicts.sameness(), Sameness::Undecided);
        assert_eq!(Verdicts::default().sameness(), Sameness::Same);
    }
}
