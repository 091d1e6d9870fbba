//! Marks, from what the comparison found.
//!
//! A node *differs* where a witness that native runs confirmed shows another value. It is the *same* if the change has
//! no influence on its variable, or if every pair of paths was compared and none can differ there. Whatever was cut,
//! left open or left out makes it *may differ*.

use super::names::{Lies, Observable};
use incise_incremental::differ::{ConcernedBytes, Watched};
use incise_relate::Concerned;
use incise_report::Value;
use incise_report::monitor::{MonitorNode, NodeWitness};
use incise_report::verdict::{Bound, Comparison, OtherInputs, Sameness, ValueKind, Witness};
use incise_vocabulary::Mark;

/// What is known of the whole.
pub(super) struct Found<'f> {
    /// What the comparison found; `None` if nothing that the entry comes to changed.
    pub(super) comparison: Option<&'f Comparison>,
    /// What the change can concern of what the entry leaves behind; `None` if that is not known.
    pub(super) concerned: Option<&'f ConcernedParts>,
    /// Why something was not looked at at all.
    pub(super) not_compared: &'f [String],
}

/// What the change can concern of what the entry leaves behind.
pub(super) struct ConcernedParts {
    pub(super) whole: Concerned,
    /// Which bytes of global variables, in OLD and in NEW.
    pub(super) bytes: (ConcernedBytes, ConcernedBytes),
    /// A loop that goes round as the change says.
    pub(super) turning: Option<String>,
}

/// What is observed, where it lies in OLD and in NEW, and the union that it lies in.
pub(super) struct Looked<'l> {
    pub(super) observable: &'l Observable,
    pub(super) lies: Option<(&'l Lies, &'l Lies)>,
    pub(super) union: Option<&'l str>,
    /// The bytes of a part of a global variable.
    pub(super) bytes_of: &'l dyn Fn(&str) -> Option<(u64, u64)>,
}

/// A mark with its reasons.
pub(super) struct Marked {
    pub(super) mark: Mark,
    pub(super) reasons: Vec<String>,
    pub(super) witness: Option<NodeWitness>,
}

impl Marked {
    fn new(mark: Mark, reason: impl Into<String>) -> Self {
        Self { mark, reasons: vec![reason.into()], witness: None }
    }
}

impl Found<'_> {
    /// The mark of what is observed. `state` is the state of a value, if there are thresholds.
    pub(super) fn mark(&self, looked: &Looked<'_>, state: &dyn Fn(&Value) -> Option<String>) -> Marked {
        let Some(comparison) = self.comparison else {
            return match self.not_compared {
                [] => Marked::new(Mark::Same, "nothing that the entry comes to changed"),
                reasons => Marked { mark: Mark::MayDiffer, reasons: reasons.to_vec(), witness: None },
            };
        };
        let own = looked.observable.part();
        let witness = self.witness(comparison, &own, state);
        if let Some(witness) = witness.or_else(|| through_another_member(comparison, looked)) {
            let mark = if witness.replayed { Mark::Differs } else { Mark::MayDiffer };
            let note = &comparison.differences[witness.number].replay_note;
            let reasons = match witness.replayed {
                true => Vec::new(),
                false => vec![format!(
                    "a difference was found, and native runs did not confirm it{}",
                    note.as_ref().map_or_else(String::new, |note| format!(": {note}"))
                )],
            };
            return Marked { mark, reasons, witness: Some(witness) };
        }
        let part = looked.union.map_or(own, str::to_owned);
        let mut open = endings(comparison);
        open.extend(not_matched(comparison, &part));
        open.extend(self.not_compared.iter().cloned());
        open.extend(looked.union.and_then(|union| shared(comparison, union)));
        if !self.is_concerned(looked) {
            open.extend(self.may_not_return(comparison));
            return match open.is_empty() {
                true => Marked::new(Mark::Same, "the change has no influence on it"),
                false => Marked { mark: Mark::MayDiffer, reasons: open, witness: None },
            };
        }
        open.extend(left_open(comparison, &part));
        match open.is_empty() {
            true => Marked::new(Mark::Same, proof(comparison)),
            false => Marked { mark: Mark::MayDiffer, reasons: open, witness: None },
        }
    }

    /// The first witness that shows another value: one that native runs confirmed if there is one.
    fn witness(
        &self,
        comparison: &Comparison,
        part: &str,
        state: &dyn Fn(&Value) -> Option<String>,
    ) -> Option<NodeWitness> {
        let shown = |(number, witness): (usize, &Witness)| {
            let value = witness.values.iter().find(|value| {
                matches!(value.kind, ValueKind::Global | ValueKind::Memory)
                    && Watched::is_about(&value.name, part)
            })?;
            let values = (value.old.to_string(), value.new.to_string());
            let states = state(&value.old).zip(state(&value.new));
            // Of something larger it is a part that differs.
            let part = (value.name != part).then(|| value.name.clone());
            Some(NodeWitness { number, part, values, states, replayed: witness.replayed })
        };
        let mut all: Vec<NodeWitness> = comparison.differences.iter().enumerate().filter_map(shown).collect();
        // Another state says more than another value.
        let same_state = |witness: &NodeWitness| witness.states.as_ref().is_some_and(|(old, new)| old == new);
        let special = |witness: &NodeWitness| comparison.differences[witness.number].special.is_some();
        all.sort_by_key(|witness| (!witness.replayed, special(witness), same_state(witness)));
        all.into_iter().next()
    }

    /// Why a version may not come to its end though no such input was found.
    fn may_not_return(&self, comparison: &Comparison) -> Option<String> {
        let turning = self.concerned.and_then(|concerned| concerned.turning.as_ref())?;
        is_cut(comparison).then(|| {
            format!(
                "not all paths were followed, and the change decides how often the loop in {turning} goes round: \
                 whether both versions return is not known"
            )
        })
    }

    fn is_concerned(&self, looked: &Looked<'_>) -> bool {
        let Some(concerned) = self.concerned else { return true };
        if self.comparison.is_some_and(|comparison| comparison.contradicted) {
            return true;
        }
        let symbol = match looked.observable {
            Observable::Memory { .. } => return concerned.whole.memory,
            Observable::Global { .. } | Observable::Inside(_) => looked.observable.symbol(),
        };
        let (Some(named), Some(symbol)) = (&concerned.whole.globals, symbol) else { return true };
        if !named.contains(&symbol) {
            return false;
        }
        let touches = |bytes: &ConcernedBytes, lies: &Lies| {
            lies.bytes.is_none_or(|range| bytes.overlap(&symbol, range))
        };
        let (before, after) = &concerned.bytes;
        looked.lies.is_none_or(|(old, new)| touches(before, old) || touches(after, new))
    }
}

/// Whether not all paths were followed, but for what parts leave open.
pub(super) fn is_cut(comparison: &Comparison) -> bool {
    let of_parts = |reason: &String| comparison.open_parts.iter().any(|(_, why)| why == reason);
    !comparison.bounds.is_empty() || comparison.reasons.iter().any(|reason| !of_parts(reason))
}

/// Inputs on which one version does not come to the end of the entry, or not to the same end: there is no value then.
fn endings(comparison: &Comparison) -> Vec<String> {
    let mut reasons: Vec<String> = Vec::new();
    let ends = comparison.differences.iter().filter(|witness| witness.values.is_empty());
    for witness in ends {
        let reason = format!(
            "{}: old {}, new {}: one of them leaves no value",
            incise_report::monitor::text::given(witness),
            witness.old.outcome.name(),
            witness.new.outcome.name()
        );
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let errors = comparison.introduced.iter().chain(&comparison.fixed);
    let messages = errors.map(|error| format!("one version only: {}", error.message));
    for message in messages {
        if !reasons.contains(&message) {
            reasons.push(message);
        }
    }
    reasons
}

/// A difference of another member of the union that something lies in, if it is one of its own bytes, too.
fn through_another_member(comparison: &Comparison, looked: &Looked<'_>) -> Option<NodeWitness> {
    let union = looked.union?;
    let (start, end) =
        looked.lies?.1.bytes.filter(|bytes| looked.lies.is_some_and(|(old, _)| old.bytes == Some(*bytes)))?;
    let number = looked.lies.and_then(|(_, new)| new.number.as_ref());
    for (at, witness) in comparison.differences.iter().enumerate().filter(|(_, witness)| witness.replayed) {
        let values = witness.values.iter().filter(|value| value.kind == ValueKind::Global);
        for value in values.filter(|value| Watched::is_about(&value.name, union)) {
            let Some((first, last)) = (looked.bytes_of)(&value.name) else { continue };
            if start < first || end > last {
                continue;
            }
            let own = |value: &Value| {
                let bytes = whole_number(value)?.to_le_bytes();
                bytes.get((start - first) as usize..(end - first) as usize).map(<[u8]>::to_vec)
            };
            if let (Some(old), Some(new)) = (own(&value.old), own(&value.new))
                && old != new
            {
                let values = (bytes_in_words(&old, number), bytes_in_words(&new, number));
                return Some(NodeWitness { number: at, part: None, values, states: None, replayed: true });
            }
        }
    }
    None
}

/// The bits of a whole number.
fn whole_number(value: &Value) -> Option<i128> {
    match value {
        Value::Signed(number) | Value::Enumerator(_, number) => Some(*number),
        Value::Unsigned(number) => Some(number.cast_signed()),
        Value::Character(byte) => Some(i128::from(*byte)),
        _ => None,
    }
}

/// Bytes as the number that they are, or one by one.
fn bytes_in_words(bytes: &[u8], number: Option<&(String, bool)>) -> String {
    let plain = number.filter(|(ty, _)| ty.starts_with('i') && bytes.len() <= 8);
    match plain {
        Some((_, signed)) => {
            let bits = bytes.iter().rev().fold(0_i128, |all, byte| all << 8 | i128::from(*byte));
            let negative = *signed && bytes.last().is_some_and(|last| *last > 0x7f);
            (bits - if negative { 1 << (8 * bytes.len()) } else { 0 }).to_string()
        }
        None => bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" "),
    }
}

/// A difference in the union that something lies in: it is written through another member, too.
fn shared(comparison: &Comparison, union: &str) -> Option<String> {
    let values = comparison.differences.iter().flat_map(|witness| &witness.values);
    let value = values.into_iter().find(|value| {
        matches!(value.kind, ValueKind::Global | ValueKind::Memory) && Watched::is_about(&value.name, union)
    })?;
    Some(format!(
        "it lies in the same union as {}, which differs: old {}, new {}",
        value.name, value.old, value.new
    ))
}

/// Members and elements that only one version has are not compared: what they belong to is not called the same.
fn not_matched(comparison: &Comparison, part: &str) -> Vec<String> {
    let about = |note: &&String| {
        let name = note.strip_prefix("elements of ").unwrap_or(note).split(' ').next().unwrap_or_default();
        note.contains("in one version only") && Watched::is_about(name, part)
    };
    comparison.notes.iter().filter(about).cloned().collect()
}

/// Why a part that the change concerns is not proved the same.
fn left_open(comparison: &Comparison, part: &str) -> Vec<String> {
    let of_parts = |reason: &String| comparison.open_parts.iter().any(|(_, why)| why == reason);
    let mut reasons: Vec<String> =
        comparison.reasons.iter().filter(|reason| !of_parts(reason)).cloned().collect();
    let own =
        comparison.open_parts.iter().filter(|(name, _)| name.is_empty() || Watched::is_about(name, part));
    reasons.extend(own.map(|(_, why)| why.clone()));
    let calls = comparison.differences.iter().flat_map(|witness| &witness.values);
    if calls.into_iter().any(|value| value.kind == ValueKind::Calls) {
        reasons.push(
            "functions that nobody can see into are called otherwise: what they return is not known".into(),
        );
    }
    if !comparison.bounds.is_empty() {
        let bounds: Vec<String> = comparison.bounds.iter().map(Bound::words).collect();
        reasons.push(format!("compared within bounds only: {}", bounds.join(", ")));
    }
    if comparison.partial {
        reasons.push("inputs were left out of the comparison".into());
    }
    reasons.extend(comparison.others.as_ref().and_then(|others| on_others(others, part)));
    if reasons.is_empty() && matches!(comparison.sameness, Sameness::Undecided | Sameness::WithinBounds) {
        reasons.push(format!("the comparison as a whole is {}", comparison.sameness.name()));
    }
    reasons
}

/// What inputs that are not what they are taken to be do to a part: one that a version does not come to its end on
/// leaves no value.
fn on_others(others: &OtherInputs, part: &str) -> Option<String> {
    let concerns = |witness: &&Witness| {
        witness.values.is_empty()
            || witness
                .values
                .iter()
                .any(|value| value.kind == ValueKind::Calls || Watched::is_about(&value.name, part))
    };
    let differing = others.differences.iter().filter(concerns).count();
    let count = differing + others.introduced.len() + others.fixed.len();
    let ways = if count == 1 { "way" } else { "ways" };
    (count > 0).then(|| format!("inputs that are not what they are taken to be differ in {count} {ways}"))
}

fn proof(comparison: &Comparison) -> String {
    match comparison.composed.as_slice() {
        [] => format!("proved on all {} pairs of paths that meet the change", comparison.pairs.all()),
        functions => format!("proved: {} do the same by themselves", functions.join(", ")),
    }
}

/// The mark of a node that follows others.
pub(super) fn following(followed: &[&MonitorNode], what: &str) -> Marked {
    let worst = followed.iter().max_by_key(|node| node.mark);
    let Some(worst) = worst else { return Marked::new(Mark::Unmapped, "it follows nothing") };
    let unknown = followed.iter().find(|node| node.mark == Mark::Unmapped);
    let (mark, node) = match (worst.mark, unknown) {
        (Mark::Differs | Mark::MayDiffer, _) => (worst.mark, worst),
        (_, Some(unknown)) => (Mark::Unmapped, unknown),
        _ => (Mark::Same, worst),
    };
    let reason = match (mark, followed.len()) {
        (Mark::Same, 2..) => format!("{what} {} nodes, all of them the same", followed.len()),
        _ => format!("{what} {}, which is {}", node.name, word(mark)),
    };
    Marked { mark, reasons: vec![reason], witness: None }
}

fn word(mark: Mark) -> &'static str {
    match mark {
        Mark::Differs => "known to differ",
        Mark::MayDiffer => "not known to be the same",
        Mark::Same => "the same",
        Mark::Unmapped => "unmapped",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn mark_of_what_is_not_concerned(contradicted: bool) -> Mark {
        let comparison = Comparison { sameness: Sameness::Undecided, contradicted, ..Comparison::default() };
        let whole = Concerned { result: false, globals: Some(BTreeSet::new()), memory: false, output: false };
        let concerned = ConcernedParts { whole, bytes: Default::default(), turning: None };
        let found = Found { comparison: Some(&comparison), concerned: Some(&concerned), not_compared: &[] };
        let observable = Observable::Global { symbol: "level".to_owned(), path: "level".to_owned() };
        found
            .mark(&Looked { observable: &observable, lies: None, union: None, bytes_of: &|_| None }, &|_| {
                None
            })
            .mark
    }

    #[test]
    fn nothing_rests_on_an_influence_that_a_run_contradicted() {
        assert_eq!(mark_of_what_is_not_concerned(false), Mark::Same);
        assert_eq!(mark_of_what_is_not_concerned(true), Mark::MayDiffer);
    }
}
