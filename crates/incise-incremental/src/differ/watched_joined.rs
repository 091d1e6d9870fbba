//! Watched parts where there are too many paths: programs whose branches are joined may have few.
//!
//! A part of what a function leaves behind that passes through dozens of branches (limits, filters, clamps) has more
//! paths than anybody can follow, though each branch only chooses a value. Joined programs
//! (`incise_ir::join_branches`) do the same on fewer paths. What they are proved to leave the same is the same; where
//! they differ, their inputs are run on the programs as they are, and only what is seen there differs.

use super::candidates::PairJudge;
use super::{Aim, DifferingValue, Judgement, OpenReason, Question, Witness, explore, growth};
use incise_exec::{Config, ExploreError, Hooks, Session, Work};
use incise_ir::{Program, join_branches};
use incise_relate::{Concerned, Effort, Seen};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// What joined programs predicted, and a run did not show.
const NOT_CONFIRMED: &str = "a difference was predicted where branches were joined, and not confirmed";

/// The comparison path by path is worth so much before joined programs are tried, and these are worth so much.
const FIRST: Work = Work::about_milliseconds(1_000);
const JOINED: Work = Work::about_milliseconds(15_000);
/// Where joined programs were compared to their ends, and a few parts were too hard, paths are worth so much once more.
const LAST: Work = Work::about_milliseconds(5_000);

/// Whether joined programs can be taken.
pub(super) fn may_help(question: &Question<'_>) -> bool {
    // Where overflow is an error, what is done in vain on one side of a branch might be one.
    let checked = [question.old.1, question.new.1].iter().any(|config| config.checks.overflow);
    question.watched.is_some() && !checked
}

/// Compares path by path for a while, then on joined programs, then path by path for as long as there is time. `once`
/// compares the programs as they are.
pub(super) fn decided(
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    once: impl Fn(&Question<'_>) -> Result<Judgement, ExploreError>,
) -> Result<Judgement, ExploreError> {
    let over = |found: &Judgement| {
        let late = question.new.1.limits.deadline().passed().is_some();
        found.undecided.is_empty() || late || hooks.interrupt.load(Ordering::Relaxed)
    };
    let configs = worth(question, FIRST);
    let first = once(&asked(question, [question.old.0, question.new.0], &configs))?;
    if over(&first) {
        return Ok(first);
    }
    let (old, new) = (join_branches(question.old.0), join_branches(question.new.0));
    let configs = worth(question, JOINED);
    let joined = Question { subjects: None, impact: None, ..asked(question, [&old, &new], &configs) };
    let joined = explore(&joined, hooks, None, None, Aim { merging: true, ..Aim::default() })?;
    tracing::debug!(verdict = ?joined.verdict, undecided = ?joined.undecided, "watched parts, branches joined");
    let shown = shown(question, hooks, &joined)?;
    let found = together(first, joined, shown);
    if over(&found) {
        return Ok(found);
    }
    let configs = worth(question, LAST);
    let whole = match is_complete(&found) {
        true => once(&asked(question, [question.old.0, question.new.0], &configs))?,
        false => once(question)?,
    };
    let shown = found.witnesses.clone();
    Ok(together(whole, found, shown))
}

/// The configurations of a question, with so much work.
fn worth(question: &Question<'_>, work: Work) -> [Config; 2] {
    [question.old.1, question.new.1].map(|config| {
        let mut config = config.clone();
        config.limits.give_up_after(work);
        config
    })
}

fn asked<'a>(
    question: &Question<'a>,
    [old, new]: [&'a Program; 2],
    [old_config, new_config]: &'a [Config; 2],
) -> Question<'a> {
    Question { old: (old, old_config), new: (new, new_config), ..*question }
}

/// What runs of the programs as they are show on the inputs on which joined ones differ.
fn shown(
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    joined: &Judgement,
) -> Result<Vec<Witness>, ExploreError> {
    let mut session = Session::new(question.new.1, &hooks.interrupt).with_time_of(question.new.1);
    let mut judge = PairJudge::new(question, hooks, Concerned::everything());
    for inputs in growth::inputs_of(joined) {
        judge.guess(&mut session, &[inputs], None)?;
    }
    Ok(judge.judgement(&session, Effort::default(), &[], |_| (0, None)).witnesses)
}

/// Both explorations together. Each is sound by itself: what is left open is what the one that came to its end left
/// open, and what differs is what was seen.
fn together(plain: Judgement, joined: Judgement, shown: Vec<Witness>) -> Judgement {
    let ends = |found: &Judgement| {
        let other = found.witnesses.iter().any(|witness| witness.values.is_empty());
        other || !found.introduced.is_empty() || !found.fixed.is_empty()
    };
    // How versions end is told by the programs as they are.
    let predicted = parts_of(&joined.witnesses);
    let (queries, notes) = (plain.queries, plain.notes.clone());
    let seen = plain.witnesses.clone();
    // What only inputs come by on which the old version goes wrong in memory is told there, too.
    let valid = joined.pairs.invalid == 0 && joined.invalid.is_empty() && plain.invalid.is_empty();
    let mut found = match is_complete(&joined) && valid && !ends(&joined) && !ends(&plain) {
        true => Judgement {
            preexisting: plain.preexisting,
            invalid: plain.invalid,
            unmet: plain.unmet,
            hidden: plain.hidden,
            contradicted: plain.contradicted,
            partial: plain.partial || joined.partial,
            witnesses: Vec::new(),
            ..joined
        },
        false => Judgement { witnesses: Vec::new(), ..plain },
    };
    found.queries += queries;
    found.notes.extend(notes);
    let mut known = BTreeSet::new();
    for witness in seen.into_iter().chain(shown) {
        let parts = parts_of([&witness]);
        if parts.is_empty() || !parts.is_subset(&known) {
            known.extend(parts);
            found.witnesses.push(witness);
        }
    }
    for (_, name) in predicted.difference(&known) {
        found.open_parts.entry(name.clone()).or_insert_with(|| NOT_CONFIRMED.to_owned());
        found.undecided.insert(NOT_CONFIRMED.to_owned().into());
    }
    found.settle();
    found
}

/// Whether all was compared, and nothing is open but parts that were too hard.
fn is_complete(found: &Judgement) -> bool {
    let of_parts: BTreeSet<OpenReason> = found.open_parts.values().map(|why| why.clone().into()).collect();
    found.undecided.is_subset(&of_parts)
}

/// What differs on any of these inputs.
fn parts_of<'w>(witnesses: impl IntoIterator<Item = &'w Witness>) -> BTreeSet<(Seen, String)> {
    let values = witnesses.into_iter().flat_map(|witness| &witness.values);
    values.map(|value: &DifferingValue| (value.seen, value.name.clone())).collect()
}
