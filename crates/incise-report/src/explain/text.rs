//! An explanation as text for people: what both versions do on the input, then the conditions at which they part, each
//! with a nearby input.

use crate::explain::{
    Aspect, Behaviour, BothBehaviours, Cause, ConstraintCounts, ExplainVerdict, Explanation, Nearby,
};
use crate::text::{Advice, Style, TextOptions, counted, shortened, shown_value, telling, write_notes};
use crate::{Outcome, Place, ProgramError, ReplayVerdict, Value, c_string};
use std::io::{self, Write};

/// How many causes are shown.
const SHOWN_CAUSES: usize = 10;
/// How many inputs of a line are shown.
const SHOWN_INPUTS: usize = 12;
/// How many changed statements are shown.
const SHOWN_STATEMENTS: usize = 12;
/// How much of an output is shown.
const SHOWN_OUTPUT: usize = 60;

/// Writes the explanation as text.
pub fn render(explanation: &Explanation, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.style();
    write_notes(&explanation.notes, (options, Advice::Listed), out)?;
    test(explanation, style, out)?;
    if explanation.verdict() == ExplainVerdict::Same {
        return Ok(());
    }
    if !options.quiet {
        causes(explanation, style, out)?;
        statements(explanation, style, out)?;
        looked_at(explanation, out)?;
    }
    conclusion(explanation, style, out)
}

/// The input and what both versions do on it.
fn test(explanation: &Explanation, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let name = explanation.test.as_deref().unwrap_or("input");
    let both = &explanation.behaviour;
    writeln!(out, "{}: {}", style.bold(name), inputs(both))?;
    let aspects = &both.differences;
    if both.is_same() {
        let globals =
            both.new.path.finals.iter().filter(|each| matches!(each.origin, crate::Origin::Global(_)));
        let aspects: Vec<Aspect> = match &both.new.path.result {
            Some(_) => vec![Aspect::Result],
            None => globals.map(|each| Aspect::Value(each.name.clone())).collect(),
        };
        let words = words(&both.new, &aspects, Many::Both);
        return writeln!(out, "  {} {words}{}", style.green("both"), replayed(both));
    }
    for (label, behaviour) in [("old", &both.old), ("new", &both.new)] {
        let words = words(behaviour, aspects, Many::One);
        let words = if behaviour.fails() { style.red(&words) } else { words };
        writeln!(out, "  {} {words}{}", style.bold(label), replay_note(behaviour))?;
    }
    writeln!(out)
}

/// The inputs that tell something, in one line.
fn inputs(both: &BothBehaviours) -> String {
    let all: Vec<_> = both.inputs().into_iter().cloned().collect();
    if all.is_empty() {
        return "no input".to_owned();
    }
    let mut condition = both.new.path.condition.clone();
    condition.extend(both.old.path.condition.iter().cloned());
    let (shown, others) = telling(&all, &condition);
    let mut parts: Vec<String> = shown
        .iter()
        .take(SHOWN_INPUTS)
        .map(|input| format!("{} = {}", input.name, shown_value(input)))
        .collect();
    match shown.len().saturating_sub(SHOWN_INPUTS) {
        0 if others => parts.push("others zero".to_owned()),
        0 => {}
        more => parts.push(format!("... and {}", counted(more, "more input"))),
    }
    parts.join(", ")
}

/// The number of a verb.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Many {
    One,
    Both,
}

impl Many {
    fn verb(self, stem: &str) -> String {
        if self == Self::One { format!("{stem}s") } else { stem.to_owned() }
    }
}

/// What a behaviour is, in the aspects that matter.
fn words(behaviour: &Behaviour, aspects: &[Aspect], many: Many) -> String {
    let place = |place: Option<&Place>| place.map_or_else(String::new, |place| format!(" at {place}"));
    let path = &behaviour.path;
    if behaviour.assumed_away {
        return format!("{} where the program assumes something else", many.verb("stop"));
    }
    let mut parts = match &path.outcome {
        Outcome::Returned => returned(behaviour, aspects, many),
        Outcome::Exited { status } => vec![match many {
            Many::One => format!("exits with status {status}"),
            Many::Both => format!("exit with status {status}"),
        }],
        Outcome::Error(ProgramError { kind, message }) => {
            vec![format!("{}{}: {kind}: {message}", many.verb("fail"), place(path.place.as_ref()))]
        }
        other => {
            vec![format!(
                "{} before the end{}: {}",
                many.verb("stop"),
                place(path.place.as_ref()),
                cut(other)
            )]
        }
    };
    if path.outcome.is_conclusive() {
        let shown = aspects.iter().filter_map(|aspect| match aspect {
            Aspect::Value(name) => {
                let (_, value) = behaviour.values.iter().find(|(known, _)| known == name)?;
                Some(format!("{name} = {value}"))
            }
            _ => None,
        });
        let values: Vec<String> = shown.take(SHOWN_INPUTS).collect();
        if !values.is_empty() && !behaviour.fails() {
            parts.push(format!("{} with {}", many.verb("end"), values.join(", ")));
        }
        for (aspect, bytes) in [(Aspect::Stdout, &path.stdout), (Aspect::Stderr, &path.stderr)] {
            if aspects.contains(&aspect) {
                parts.push(format!("{} {}", many.verb("write"), output(bytes)));
            }
        }
    }
    if parts.is_empty() { many.verb("return") } else { parts.join(", ") }
}

fn returned(behaviour: &Behaviour, aspects: &[Aspect], many: Many) -> Vec<String> {
    let ending = aspects.is_empty() || aspects.contains(&Aspect::Ending);
    match &behaviour.path.result {
        Some(result) if ending || aspects.contains(&Aspect::Result) => {
            vec![format!("{} {}", many.verb("return"), result.value)]
        }
        _ => Vec::new(),
    }
}

fn cut(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Unsupported(what) => format!("it cannot be executed: {what}"),
        Outcome::External { function } => format!("{function} has neither a body nor a model"),
        Outcome::Limit(limit) => format!("the limit {limit} was hit"),
        Outcome::Undecided(why) => why.clone(),
        other => other.name().to_owned(),
    }
}

/// Output as a C string, the beginning of it if it is long.
fn output(bytes: &[u8]) -> String {
    match bytes.len() {
        0 => "nothing".to_owned(),
        length if length > SHOWN_OUTPUT => {
            format!("{}... ({length} bytes)", c_string(&bytes[..SHOWN_OUTPUT]))
        }
        _ => c_string(bytes),
    }
}

/// What to show of a behaviour that both versions have: what the input in question differs in.
fn shown_aspects(both: &BothBehaviours, of_test: &[Aspect]) -> Vec<Aspect> {
    let mut aspects: Vec<Aspect> =
        of_test.iter().filter(|aspect| **aspect != Aspect::Ending).cloned().collect();
    if both.new.path.result.is_some() && !aspects.contains(&Aspect::Result) && aspects.is_empty() {
        aspects.push(Aspect::Result);
    }
    aspects
}

/// Whether native runs agree.
fn replayed(both: &BothBehaviours) -> String {
    if both.old.is_confirmed() && both.new.is_confirmed() {
        return " (replayed)".to_owned();
    }
    let notes = [("old", &both.old), ("new", &both.new)].map(|(label, behaviour)| {
        let note = replay_note(behaviour);
        if note.is_empty() { note } else { format!(" {label}:{note}") }
    });
    notes.concat()
}

fn replay_note(behaviour: &Behaviour) -> String {
    let Some(replay) = &behaviour.replay else { return String::new() };
    match replay.verdict {
        ReplayVerdict::Confirmed => " (replayed)".to_owned(),
        ReplayVerdict::Disagrees => format!(" (a native run disagrees: it {})", replay.actual),
        ReplayVerdict::Indeterminate => {
            format!(" (depends on memory that was never initialised; a native run {})", replay.actual)
        }
        ReplayVerdict::NotChecked => format!(" (not replayed: {})", replay.notes.join("; ")),
    }
}

fn causes(explanation: &Explanation, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if explanation.causes.is_empty() {
        return Ok(());
    }
    let heading = match explanation.causes.iter().any(|cause| cause.parts) {
        true => "where the paths part, likeliest cause first",
        false => "what decides it, likeliest cause first (no condition parts the paths)",
    };
    writeln!(out, "{}", style.bold(heading))?;
    for (index, cause) in explanation.causes.iter().take(SHOWN_CAUSES).enumerate() {
        self::cause(explanation, cause, index + 1, style, out)?;
    }
    let rest = explanation.causes.len().saturating_sub(SHOWN_CAUSES);
    if rest > 0 {
        writeln!(out, "... and {}{}", counted(rest, "more candidate"), style.hint(Advice::AllOfThem))?;
    }
    writeln!(out)
}

fn cause(
    explanation: &Explanation,
    cause: &Cause,
    number: usize,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let place = match (&cause.constraint.place, &cause.function) {
        (Some(place), _) => place.to_string(),
        (None, Some(function)) => function.clone(),
        (None, None) => "?".to_owned(),
    };
    let times = match cause.occurrences {
        1 => String::new(),
        count => format!("  ({count} times on the path)"),
    };
    let side = match (cause.in_new, cause.removed) {
        (true, _) => "",
        (false, true) => "  (removed in new)",
        (false, false) => "  (in old)",
    };
    let text = shortened(&cause.constraint.text, style);
    writeln!(out, "{number:3}. {}  {text}{times}{side}", style.bold(&place))?;
    nearby(explanation, &cause.nearby, style, out)
}

/// What both versions do on a nearby input.
fn nearby(explanation: &Explanation, nearby: &Nearby, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let with = changed(&nearby.changed);
    let both = &nearby.behaviour;
    if both.is_same() {
        let aspects = shown_aspects(both, &explanation.behaviour.differences);
        let words = words(&both.new, &aspects, Many::Both);
        return writeln!(out, "     with {with} {} {words}{}", style.green("both"), replayed(both));
    }
    writeln!(
        out,
        "     with {with} old {}{}, new {}{}",
        words(&both.old, &both.differences, Many::One),
        replay_note(&both.old),
        words(&both.new, &both.differences, Many::One),
        replay_note(&both.new)
    )
}

/// What of the input is another.
fn changed(changed: &[(String, Value)]) -> String {
    let part = |(name, value): &(String, Value)| format!("{name} = {value}");
    let mut parts: Vec<String> = changed.iter().take(SHOWN_INPUTS).map(part).collect();
    let more = changed.len().saturating_sub(SHOWN_INPUTS);
    if more > 0 {
        parts.push("...".to_owned());
    }
    let count = match changed.len() {
        1 => "one input changed".to_owned(),
        count => format!("{} changed", counted(count, "input")),
    };
    format!("{} ({count})", parts.join(", "))
}

/// The changed statements, where no condition tells the cause.
fn statements(explanation: &Explanation, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if explanation.causes.iter().any(|cause| cause.nearby.behaviour.is_same())
        || !explanation.behaviour.is_conclusive()
    {
        return Ok(());
    }
    let (old, new) = (&explanation.changed_old, &explanation.changed_new);
    if old.is_empty() && new.is_empty() {
        return Ok(());
    }
    let heading = match explanation.causes.is_empty() {
        true => "the paths do not part at a condition; the change was met here",
        false => "no nearby input behaves the same; the change was met here",
    };
    writeln!(out, "{}", style.bold(heading))?;
    for (label, places) in [("old", old), ("new", new)] {
        let mut shown: Vec<String> = places.iter().map(Place::to_string).collect();
        shown.dedup();
        let more = shown.len().saturating_sub(SHOWN_STATEMENTS);
        shown.truncate(SHOWN_STATEMENTS);
        if more > 0 {
            shown.push(format!("... and {more} more"));
        }
        if !shown.is_empty() {
            writeln!(out, "  {} {}", style.bold(label), shown.join(", "))?;
        }
    }
    if let Some(agreeing) = &explanation.agreeing {
        nearby(explanation, agreeing, style, out)?;
    }
    writeln!(out)
}

fn looked_at(explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
    if !explanation.behaviour.is_conclusive() {
        return Ok(());
    }
    let (old, new) = (explanation.constraints_old, explanation.constraints_new);
    let of = |each: ConstraintCounts| format!("{} of {}", each.asked, each.all);
    write!(out, "looked at {} constraints of new and {} of old", of(new), of(old))?;
    match explanation.restricted {
        true if (new.asked, old.asked) == (new.affected, old.affected) => {
            writeln!(out, ": those of affected statements")?;
        }
        // Of a statement that is executed very often, not each time is looked at.
        _ => writeln!(out, " ({} and {} are of affected statements)", new.affected, old.affected)?,
    }
    if !explanation.taken.is_empty() {
        writeln!(out, "  taken: {}", crate::verdict::text::taken_words(&explanation.taken))?;
    }
    for (why, count) in &explanation.undecided {
        writeln!(out, "undecided: {} ({why})", counted(*count, "constraint"))?;
    }
    Ok(())
}

fn conclusion(explanation: &Explanation, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let line = match explanation.verdict() {
        ExplainVerdict::Same => return Ok(()),
        ExplainVerdict::Differs => {
            let causes = match explanation.causes.len() {
                0 => "it computes something else".to_owned(),
                count => counted(count, "candidate cause"),
            };
            style.bold(&format!("{} differs between old and new: {causes}", explanation.entry))
        }
        ExplainVerdict::Undecided if explanation.behaviour.is_conclusive() => style
            .yellow(&format!("{} differs between old and new, and no cause was found", explanation.entry)),
        ExplainVerdict::Undecided => {
            style.yellow("undecided: a run did not come to its end, so that there is nothing to compare")
        }
    };
    writeln!(out, "{line}")
}
