//! Shorter inputs that show the same: a difference that was found on a long path is often there on a short one.
//!
//! An input of a path is made as small as the path allows when it is found (`tries.rs`). Here it leaves its path:
//! numbers become smaller, arrays shorter, lists end sooner, one after the other and the smallest first, and both
//! versions run on what comes of it. It is kept if it shows what the longer one showed: the same parts, or the same
//! error at the same place, behind the same change.

use super::tries::{FoundDifference, Ran};
use super::{PairJudge, number};
use crate::differ::leading_paths::LeadingPaths;
use crate::differ::longer::given_to_both;
use crate::differ::{Question, Witness};
use incise_exec::{
    Assignment, ExploreError, FullExploration, Given, GivenValue, Note, Session, Strategy, Work,
};
use std::collections::{BTreeMap, BTreeSet};

/// So many ways to differ are shortened: nobody reads of more.
const MOST: usize = 12;
/// Where parts are watched there is one for each of them, and their inputs were made plain before.
const MOST_OF_PARTS: usize = 3;
/// One of them is worth so much.
const SHORTENING: Work = Work::about_milliseconds(300);
/// So often all that may become smaller is looked at.
const ROUNDS: usize = 2;
/// Numbers that are small or round, in the order in which they are tried.
const NUMBERS: [i128; 17] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 32, 64, 100, 256];
/// Numbers above this that are the same become one of these together.
const LARGE: u128 = 256;
const FEW: [i128; 3] = [0, 1, 2];
/// No array is tried with more elements than this.
const LENGTHS: u64 = 64;

/// What an input has to show.
enum Wanted {
    /// A way to differ, behind a change.
    Way(u32, super::WayToDiffer),
    /// An error of the old (0) or the new version (1).
    Error(usize, (String, Option<incise_ir::SourcePosition>)),
}

/// The elements of an input.
type Elements = BTreeMap<String, GivenValue>;

/// An input that is shown, and why.
struct ShownDifference {
    note: Note,
    wanted: Wanted,
    witness: Witness,
}

impl PairJudge<'_> {
    /// Makes the inputs shorter that are shown. Where there are several changes they have to meet the same one first.
    pub(in crate::differ) fn shorten(
        &mut self,
        session: &mut Session,
        several: bool,
    ) -> Result<(), ExploreError> {
        let mut shown = self.shown();
        shown.retain(|shown| !shown.witness.endless && shown.witness.only.is_none());
        if shown.is_empty() {
            return Ok(());
        }
        let question: &Question<'_> = self.question;
        let subjects = question.subjects.filter(|_| several);
        let mut leading: Box<dyn Strategy + '_> = match subjects {
            Some((_, new)) => Box::new(LeadingPaths::new(new, None, None)),
            None => Box::new(FullExploration),
        };
        let most = if question.watched.is_some() { MOST_OF_PARTS } else { MOST };
        for shown in shown.into_iter().take(most) {
            if self.stopped() || session.solver.is_late() {
                break;
            }
            if let Some(found) = self.shorter(session, &mut *leading, &shown)? {
                self.replace(shown, found);
            }
        }
        Ok(())
    }

    /// The inputs that are shown.
    fn shown(&self) -> Vec<ShownDifference> {
        let ways = self.witnesses.iter().map(|((number, way), (note, witness))| {
            let wanted = Wanted::Way(*number, way.clone());
            ShownDifference { note: *note, wanted, witness: witness.clone() }
        });
        let errors = [&self.fixed, &self.introduced].into_iter().enumerate().rev();
        let errors = errors.flat_map(|(version, bucket)| {
            bucket.iter().map(move |(key, (note, error))| {
                let wanted = Wanted::Error(version, key.clone());
                ShownDifference { note: *note, wanted, witness: error.witness.clone() }
            })
        });
        ways.chain(errors).collect()
    }

    /// Shows a shorter input instead.
    fn replace(&mut self, shown: ShownDifference, found: FoundDifference) {
        match shown.wanted {
            Wanted::Way(number, way) => {
                self.witnesses.insert((number, way), (shown.note, found.witness));
            }
            Wanted::Error(version, key) => {
                let bucket = if version == 0 { &mut self.fixed } else { &mut self.introduced };
                let [old, new] = found.errors();
                if let Some(error) = if version == 0 { old } else { new } {
                    bucket.insert(key, (shown.note, error));
                }
            }
        }
    }

    /// A shorter input that shows the same; nothing if there is none.
    fn shorter(
        &mut self,
        session: &mut Session,
        leading: &mut dyn Strategy,
        shown: &ShownDifference,
    ) -> Result<Option<FoundDifference>, ExploreError> {
        let until = self.question.new.1.limits.deadline_after(SHORTENING);
        let mut elements = given_to_both(&shown.witness).elements;
        // What cannot be given again cannot be made shorter.
        if self.again(session, leading, shown, &elements)?.is_none() {
            tracing::debug!(?elements, "an input that is shown cannot be given again");
            return Ok(None);
        }
        let mut best = None;
        for _ in 0..ROUNDS {
            let before = elements.clone();
            for place in places(&before) {
                for tried in place.smaller(&elements) {
                    if until.passed().is_some() || self.stopped() {
                        return Ok(best);
                    }
                    if let Some(found) = self.again(session, leading, shown, &tried)? {
                        (elements, best) = (tried, Some(found));
                        break;
                    }
                }
                while let ShrinkablePart::Number(name) = &place {
                    let mut nearer = None;
                    for tried in nearer_to_zero(&elements, name) {
                        if until.passed().is_some() || self.stopped() {
                            return Ok(best);
                        }
                        nearer = self.again(session, leading, shown, &tried)?.map(|found| (tried, found));
                        if nearer.is_some() {
                            break;
                        }
                    }
                    let Some((tried, found)) = nearer else { break };
                    (elements, best) = (tried, Some(found));
                }
            }
            if elements == before {
                break;
            }
        }
        Ok(best)
    }

    /// Runs both versions on an input: what differs, if it is what was shown, and no stranger than it was.
    fn again(
        &mut self,
        session: &mut Session,
        leading: &mut dyn Strategy,
        shown: &ShownDifference,
        elements: &Elements,
    ) -> Result<Option<FoundDifference>, ExploreError> {
        let ShownDifference { note, wanted, witness } = shown;
        let inputs = Assignment::given(Given { elements: elements.clone(), ..Given::default() });
        let Ran::Differs(found) = self.run_both(session, leading, &inputs)? else { return Ok(None) };
        let any_change = number(*note) == 0 || number(found.note) == 0;
        let shows = match wanted {
            Wanted::Way(_, way) => self.way(*note, &found) == *way,
            Wanted::Error(version, key) => {
                found.errors()[*version].as_ref().is_some_and(|error| error.key() == *key)
            }
        };
        let strange = found.witness.special > witness.special
            || found.witness.indeterminate && !witness.indeterminate
            || found.witness.endless;
        let same = shows && !strange && (any_change || number(found.note) == number(*note));
        Ok(same.then_some(*found))
    }
}

/// Something in an input that can become smaller.
enum ShrinkablePart {
    /// A number.
    Number(String),
    /// The elements of an array.
    Array(String),
    /// A pointer, with all that it leads to.
    Pointer(String),
    /// What calls of an unknown function return, by the name of the first.
    Results(String),
}

/// What in an input can become smaller: what ends early first, then numbers, then arrays.
fn places(elements: &Elements) -> Vec<ShrinkablePart> {
    let leads = |name: &str, sign: &str| -> bool {
        let below = format!("{name}{sign}");
        elements.range(below.clone()..).next().is_some_and(|(other, _)| other.starts_with(&below))
    };
    // Who leads to a value is there, also if nobody says so.
    let unsaid = elements.keys().filter_map(|name| name.strip_prefix('*'));
    let unsaid = unsaid.filter(|name| !elements.contains_key(*name));
    let mut pointers: Vec<&str> =
        elements.keys().map(String::as_str).filter(|name| leads(name, "->")).chain(unsaid).collect();
    pointers.sort_by_key(|name| name.len());
    let numbers =
        elements.keys().filter(|name| !name.ends_with(']') && !leads(name, "->") && !leads(name, "["));
    let arrays: BTreeSet<&str> =
        elements.keys().flat_map(|name| name.match_indices('[').map(|(at, _)| &name[..at])).collect();
    let calls = elements.keys().filter(|name| name.ends_with("()"));
    let pointers = pointers.into_iter().map(|name| ShrinkablePart::Pointer(name.to_owned()));
    let calls = calls.map(|name| ShrinkablePart::Results(name.clone()));
    let numbers = numbers.map(|name| ShrinkablePart::Number(name.clone()));
    let arrays = arrays.into_iter().map(|name| ShrinkablePart::Array(name.to_owned()));
    pointers.chain(calls).chain(numbers).chain(arrays).collect()
}

impl ShrinkablePart {
    /// The input with less of it, the least first.
    fn smaller(&self, elements: &Elements) -> Vec<Elements> {
        match self {
            Self::Number(name) => smaller_numbers(elements, name),
            Self::Array(name) => shorter_arrays(elements, name),
            Self::Results(name) => fewer_calls(elements, name),
            Self::Pointer(name) => {
                let mut without = elements.clone();
                without.retain(|other, _| !is_below(other, name));
                without.insert(name.clone(), GivenValue::Integer(0));
                let mut all = if *elements == without { Vec::new() } else { vec![without] };
                all.extend(without_owner(elements, name));
                all
            }
        }
    }
}

/// What a pointer leads to in place of the struct that it is a member of: a list without its first node.
fn without_owner(elements: &Elements, pointer: &str) -> Option<Elements> {
    let owner = &pointer[..pointer.rfind("->")?];
    let mut shorter = elements.clone();
    shorter.retain(|name, _| !is_below(name, owner));
    for (name, value) in elements {
        if let Some(rest) = name.strip_prefix(pointer).filter(|_| is_below(name, pointer)) {
            shorter.insert(format!("{owner}{rest}"), *value);
        }
    }
    Some(shorter)
}

/// Whether a name is of something that a pointer leads to, or that this leads to: `*l`, `l->next`, `*l->next`.
fn is_below(name: &str, pointer: &str) -> bool {
    let from_it = name.trim_start_matches('*').strip_prefix(pointer);
    from_it.is_some_and(|rest| match rest {
        "" => name.starts_with('*'),
        rest => rest.starts_with("->") || rest.starts_with('['),
    })
}

fn smaller_numbers(elements: &Elements, name: &str) -> Vec<Elements> {
    let Some(&GivenValue::Integer(number)) = elements.get(name) else { return Vec::new() };
    let size = number.unsigned_abs();
    let signs: &[i128] = if number < 0 { &[1, -1] } else { &[1] };
    let tried = NUMBERS.iter().filter(|each| each.unsigned_abs() < size);
    let tried = tried.flat_map(|each| signs.iter().map(move |sign| each * sign));
    let alone = tried.map(|each| with(elements, &[(name, each)]));
    // Two numbers that are the same, as the ends of a ring that is empty, become smaller together.
    let alike = |value: &GivenValue| *value == GivenValue::Integer(number);
    let alike: Vec<&str> =
        elements.iter().filter(|(_, value)| alike(value)).map(|(name, _)| name.as_str()).collect();
    let large = size > LARGE && alike.len() > 1;
    let together = FEW.iter().filter(|_| large).map(|&each| {
        let values: Vec<(&str, i128)> = alike.iter().map(|&name| (name, each)).collect();
        with(elements, &values)
    });
    alone.chain(together).collect()
}

/// A number that is neither small nor round, by halves nearer to zero: what is found last is the least nearby.
fn nearer_to_zero(elements: &Elements, name: &str) -> Vec<Elements> {
    let Some(&GivenValue::Integer(number)) = elements.get(name) else { return Vec::new() };
    if NUMBERS.contains(&number.saturating_abs()) {
        return Vec::new();
    }
    let steps = std::iter::successors(Some(number / 2), |step| Some(step / 2)).take_while(|&step| step != 0);
    let steps = steps.chain([number.signum()]);
    steps.map(|step| with(elements, &[(name, number - step)])).collect()
}

/// An array with fewer elements: its first ones, with a zero for the last of them, or its last ones. Numbers that were
/// as many as it had elements go with it.
fn shorter_arrays(elements: &Elements, name: &str) -> Vec<Elements> {
    let index = |other: &str| -> Option<(u64, String)> {
        let (index, rest) = other.strip_prefix(name)?.strip_prefix('[')?.split_once(']')?;
        Some((index.parse().ok()?, rest.to_owned()))
    };
    let length =
        elements.keys().filter_map(|other| index(other)).map(|(index, _)| index + 1).max().unwrap_or(0);
    let mut all = Vec::new();
    for short in 1..length.min(LENGTHS) {
        let mut first = elements.clone();
        first.retain(|other, _| index(other).is_none_or(|(index, _)| index < short));
        let mut last = elements.clone();
        last.retain(|other, _| index(other).is_none());
        for (other, value) in elements {
            if let Some((index, rest)) = index(other).filter(|(index, _)| *index >= length - short) {
                last.insert(format!("{name}[{}]{rest}", index - (length - short)), *value);
            }
        }
        let end = format!("{name}[{}]", short - 1);
        let ended = first.contains_key(&end).then(|| with(&first, &[(&end, 0)]));
        for shortened in [Some(first), ended, Some(last)].into_iter().flatten() {
            let counted = counted(&shortened, length, short);
            if counted != shortened {
                all.push(counted);
            }
            all.push(shortened);
        }
    }
    all
}

/// The last calls of a function without those before them. Numbers that were as many as there were calls go with them.
fn fewer_calls(elements: &Elements, name: &str) -> Vec<Elements> {
    let of = |number: usize| if number == 0 { name.to_owned() } else { format!("{name}_{number}") };
    let results: Vec<GivenValue> = (0..).map_while(|number| elements.get(&of(number)).copied()).collect();
    let mut all = Vec::new();
    for kept in 1..results.len() {
        let mut fewer = elements.clone();
        for number in 0..results.len() {
            fewer.remove(&of(number));
        }
        let last = results[results.len() - kept..].iter().enumerate();
        fewer.extend(last.map(|(number, value)| (of(number), *value)));
        all.push(counted(&fewer, results.len() as u64, kept as u64));
    }
    all
}

/// With numbers that told the length before telling the one that it has now.
fn counted(elements: &Elements, before: u64, now: u64) -> Elements {
    let (before, now) = (i128::from(before), i128::from(now));
    let mut counted = elements.clone();
    for (name, value) in &mut counted {
        let told = match *value {
            _ if name.contains('[') || name.contains("()") => continue,
            GivenValue::Integer(number) if number == before => now,
            GivenValue::Integer(number) if number == before - 1 && before > 2 => now - 1,
            _ => continue,
        };
        *value = GivenValue::Integer(told);
    }
    counted
}

fn with(elements: &Elements, values: &[(&str, i128)]) -> Elements {
    let mut changed = elements.clone();
    for (name, value) in values {
        changed.insert((*name).to_owned(), GivenValue::Integer(*value));
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[(&str, i128)]) -> Elements {
        values.iter().map(|(name, value)| ((*name).to_owned(), GivenValue::Integer(*value))).collect()
    }

    #[test]
    fn the_smallest_comes_first() {
        let numbers = smaller_numbers(&of(&[("n", 5)]), "n");
        assert_eq!(numbers, [0, 1, 2, 3, 4].map(|number| of(&[("n", number)])));
        assert_eq!(smaller_numbers(&of(&[("n", -2)]), "n").len(), 4);
    }

    #[test]
    fn large_numbers_that_are_the_same_become_smaller_together() {
        let all = smaller_numbers(&of(&[("r", 1 << 40), ("w", 1 << 40), ("n", 3)]), "r");
        assert_eq!(all[0], of(&[("r", 0), ("w", 1 << 40), ("n", 3)]));
        assert!(all.contains(&of(&[("r", 0), ("w", 0), ("n", 3)])));
        assert!(!smaller_numbers(&of(&[("r", 5), ("w", 5)]), "r").contains(&of(&[("r", 0), ("w", 0)])));
    }

    #[test]
    fn a_large_number_comes_nearer_to_zero() {
        let nearer = |number| {
            let all = nearer_to_zero(&of(&[("n", number)]), "n");
            all.iter().map(|each| each["n"]).collect::<Vec<_>>()
        };
        assert_eq!(nearer(300), [150, 225, 263, 282, 291, 296, 298, 299, 299].map(GivenValue::Integer));
        assert_eq!(nearer(-9), [-5, -7, -8, -8].map(GivenValue::Integer));
        assert!(nearer(256).is_empty() && nearer(0).is_empty());
    }

    #[test]
    fn arrays_lose_their_end_or_their_start_and_lengths_follow() {
        let input = of(&[("n", 2), ("s", 1), ("s[0]", 7), ("s[1]", 8)]);
        let all = shorter_arrays(&input, "s");
        assert!(all.contains(&of(&[("n", 1), ("s", 1), ("s[0]", 7)])));
        assert!(all.contains(&of(&[("n", 2), ("s", 1), ("s[0]", 0)])));
        assert!(all.contains(&of(&[("n", 1), ("s", 1), ("s[0]", 8)])));
    }

    #[test]
    fn what_the_last_call_returns_is_returned_by_the_first() {
        let input = of(&[("n", 3), ("visit()", 0), ("visit()_1", 0), ("visit()_2", 5)]);
        let all = fewer_calls(&input, "visit()");
        assert_eq!(all[0], of(&[("n", 1), ("visit()", 5)]));
        assert_eq!(all[1], of(&[("n", 2), ("visit()", 0), ("visit()_1", 5)]));
    }

    #[test]
    fn a_list_ends_sooner() {
        let input = of(&[("l", 1), ("l->key", 3), ("l->next", 1), ("l->next->key", 4)]);
        let all: Vec<Elements> = places(&input).iter().flat_map(|place| place.smaller(&input)).collect();
        assert_eq!(all[0], of(&[("l", 0)]));
        assert_eq!(all[1], of(&[("l", 1), ("l->key", 3), ("l->next", 0)]));
        assert_eq!(all[2], of(&[("l", 1), ("l->key", 4)]));
    }

    #[test]
    fn a_pointer_of_which_only_the_target_is_said_becomes_null() {
        let input = of(&[("*table[0].text", 0), ("c", 0)]);
        let all: Vec<Elements> = places(&input).iter().flat_map(|place| place.smaller(&input)).collect();
        assert_eq!(all, [of(&[("c", 0), ("table[0].text", 0)])]);
    }

    #[test]
    fn nothing_is_left_of_what_a_pointer_led_to() {
        let input = of(&[("l", 1), ("l->name", 1), ("*l->name", 65), ("*l", 0), ("list->name", 1)]);
        let all = ShrinkablePart::Pointer("l".to_owned()).smaller(&input);
        assert_eq!(all, [of(&[("l", 0), ("list->name", 1)])]);
    }
}
