//! Differences that need numbers which most people do not mean: they are told apart, and come after the others.
//!
//! Who swaps `5 * x < 25` for `x < 5` means numbers, and not what happens where `5 * x` does not fit. Such a difference
//! is one all the same: it is looked for where there is no other, and says what it needs.

use incise_exec::{Assignment, Condition, Conjunction, Satisfiable, Session};
use incise_relate::{Leaf, Oddities};
use incise_vocabulary::Special;

/// So many conditions are excluded when the solver is asked; whether the others hold is looked at afterwards.
const EXCLUDED: usize = 64;
/// So many inputs are tried before the solver is asked.
const TRIES: u64 = 48;

/// Inputs that satisfy `wanted` beside other conditions, and for which numbers are what they seem, with the condition
/// that says so. `found` satisfies the other conditions.
pub(super) fn ordinary(
    session: &mut Session,
    conditions: &Conjunction,
    wanted: Condition,
    oddities: &Oddities,
    found: &Assignment,
) -> Option<(Condition, Assignment)> {
    let wanted = without(session, wanted, oddities);
    if session.holds(wanted, found) {
        return Some((wanted, found.clone()));
    }
    if let Some(guessed) = session.guess(conditions, wanted, found, TRIES) {
        return Some((wanted, guessed));
    }
    match session.satisfiable(conditions, wanted, found) {
        Satisfiable::Yes(found) => Some((wanted, found)),
        Satisfiable::No | Satisfiable::Unknown(_) => None,
    }
}

/// A condition where numbers are what they seem.
pub(super) fn without(session: &mut Session, condition: Condition, oddities: &Oddities) -> Condition {
    let excluded: Vec<Condition> = oddities.all().take(EXCLUDED).collect();
    let odd = session.any(&excluded);
    let against = session.negation(condition);
    let either = session.any(&[odd, against]);
    session.negation(either)
}

/// What a difference for these inputs needs, `leaves` being what differs; `None` if numbers are what they seem.
pub(super) fn of(
    session: &mut Session,
    oddities: &Oddities,
    inputs: &Assignment,
    leaves: &[Leaf],
) -> Option<Special> {
    let mut holds = |conditions: &[Condition]| conditions.iter().any(|&each| session.holds(each, inputs));
    if holds(&oddities.overflow) {
        return Some(Special::Overflow);
    }
    if holds(&oddities.index) {
        return Some(Special::Index);
    }
    if holds(&oddities.not_a_number) {
        return Some(Special::NotANumber);
    }
    if holds(&oddities.negative_zero) {
        return Some(Special::SignOfZero);
    }
    let plain: Vec<Condition> = leaves.iter().map(|leaf| leaf.plainly).collect();
    if plain.is_empty() || holds(&plain) {
        return None;
    }
    let not_a_number = |leaf: &Leaf| leaf.leading.is_nan() || leaf.following.is_nan();
    Some(if leaves.iter().any(not_a_number) { Special::NotANumber } else { Special::SignOfZero })
}
