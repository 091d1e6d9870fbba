//! Functions that call what changed in another unit.
//!
//! By itself a unit is compared with the functions of others taken to do the same in both versions. Where such a
//! function changed and is not known to do the same, that does not hold, for what differs neither: then the units are
//! linked, and the caller is compared again. Where they do not link, or are too many, the caller is undecided unless it
//! differs.

use super::command::FoundUnits;
use super::judged_unit::{Calls, LoadedUnits, UnitJudge};
use anyhow::Result;
use incise_report::repository::{Reached, RepositoryReport, UnitReport};
use incise_report::verdict::{Comparison, Sameness};
use incise_repository::build::UnitPair;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// What is linked has so much time at least, as long as there is any.
const LEAST: Duration = Duration::from_secs(3);
/// As many units are linked at most.
const MOST_LINKED: usize = 8;

/// A function whose verdict does not hold by itself.
struct Dependent {
    unit: usize,
    entry: String,
    /// The functions of other units that changed, with their units by number; none if it is not known which has it.
    on: BTreeMap<String, Option<usize>>,
}

/// Compares again what rests on functions of other units that changed. `calls` has what the entries of each unit call
/// of others.
pub(super) fn judge_linked(
    judge: &UnitJudge<'_>,
    kept: &FoundUnits,
    calls: &[Calls],
    budget: Duration,
) -> Result<()> {
    let start = Instant::now();
    let open =
        kept.with(|found| found.as_ref().map_or_else(Vec::new, |found| dependents(judge, found, calls)));
    judge.session.board().set("functions that call what changed in other units", open.len());
    let workers = judge.session.workers();
    let groups = groups(judge, open, calls);
    let units: Vec<_> = groups.into_iter().collect();
    workers.each(units.len(), |turn| {
        let (Together { own, linked, known }, dependents) = &units[turn.index];
        let left = || budget.saturating_sub(start.elapsed());
        let share = turn.share(left(), LEAST);
        let begun = Instant::now();
        let pairs = &judge.prepared.planned.pairs;
        let group: Vec<&UnitPair> = std::iter::once(own).chain(linked).map(|unit| &pairs[*unit]).collect();
        let obstacle = obstacle(judge, linked.len() + 1, *known, left());
        let loaded = match &obstacle {
            Some(_) => None,
            None => Some(judge.load_group(&pairs[*own].name, &group)?),
        };
        workers.each(dependents.len(), |turn| {
            let dependent = &dependents[turn.index];
            let compared = match (&loaded, &obstacle) {
                (Some(loaded), _) => together(
                    judge,
                    dependent,
                    loaded,
                    turn.share(share.saturating_sub(begun.elapsed()), LEAST),
                )?,
                (None, obstacle) => Err(obstacle.clone().unwrap_or_default()),
            };
            kept.with(|found| {
                if let Some(found) = found {
                    settle(found, judge, dependent, compared);
                }
            });
            judge.session.board().done();
            Ok(())
        })
    })?;
    Ok(())
}

/// What has to be linked for functions, by the numbers of units.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Together {
    own: usize,
    linked: BTreeSet<usize>,
    /// Whether it is known which units have what they rest on.
    known: bool,
}

type Groups = BTreeMap<Together, Vec<Dependent>>;

/// Functions of one unit that need the same others are read once.
fn groups(judge: &UnitJudge<'_>, open: Vec<Dependent>, calls: &[Calls]) -> Groups {
    let pairs = judge.prepared.planned.pairs.len();
    // The first unit that has each function.
    let all = calls.iter().take(pairs).enumerate().rev();
    let units: BTreeMap<&str, usize> =
        all.flat_map(|(unit, calls)| calls.keys().map(move |name| (name.as_str(), unit))).collect();
    let called: Vec<BTreeSet<usize>> = calls
        .iter()
        .map(|calls| calls.values().flatten().filter_map(|name| units.get(name.as_str()).copied()).collect())
        .collect();
    let mut groups = Groups::new();
    for dependent in open {
        let linked = linked_with(&dependent, &called);
        let known = dependent.on.values().all(Option::is_some);
        groups.entry(Together { own: dependent.unit, linked, known }).or_default().push(dependent);
    }
    groups
}

/// The units that a function rests on, and those that these call; no more than tell that they are too many.
fn linked_with(dependent: &Dependent, called: &[BTreeSet<usize>]) -> BTreeSet<usize> {
    let mut linked = BTreeSet::from([dependent.unit]);
    linked.extend(dependent.on.values().flatten());
    let mut open: Vec<usize> = linked.iter().copied().collect();
    while let Some(unit) = open.pop().filter(|_| linked.len() <= MOST_LINKED) {
        // What these call of other units that are concerned is a part of it.
        open.extend(called[unit].iter().filter(|other| linked.insert(**other)));
    }
    linked.remove(&dependent.unit);
    linked
}

/// Why units cannot be linked, if that is known before.
fn obstacle(judge: &UnitJudge<'_>, count: usize, known: bool, left: Duration) -> Option<String> {
    if !known {
        Some("several units have a function of that name, or it moved".to_owned())
    } else if count > MOST_LINKED {
        Some(format!("more than {MOST_LINKED} units would have to be linked"))
    } else {
        let none = judge.session.is_interrupted() || left.is_zero();
        none.then(|| "there was no time to link them".to_owned())
    }
}

/// The entries that call what is not known to do the same.
fn dependents(judge: &UnitJudge<'_>, found: &RepositoryReport, calls: &[Calls]) -> Vec<Dependent> {
    let pairs = judge.prepared.planned.pairs.len();
    let mut changed: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, unit) in found.units.iter().enumerate() {
        let open = unit.verdicts.all().filter(|each| each.sameness != Sameness::Same || each.partial);
        let names = open.map(|each| each.entry.as_str()).chain(unit.removed.iter().map(String::as_str));
        names.for_each(|name| changed.entry(name).or_default().push(number));
    }
    let mut result = Vec::new();
    for (number, calls) in calls.iter().enumerate() {
        for each in found.units.get(number).into_iter().flat_map(|unit| &unit.verdicts.entries) {
            let called = calls.get(&each.entry).into_iter().flatten();
            let on: BTreeMap<String, Option<usize>> = called
                .filter_map(|name| {
                    let places = changed.get(name.as_str())?.iter().filter(|place| **place != number);
                    let places: Vec<usize> = places.copied().collect();
                    match places.as_slice() {
                        [] => None,
                        [only] if *only < pairs => Some((name.clone(), Some(*only))),
                        _ => Some((name.clone(), None)),
                    }
                })
                .collect();
            if !on.is_empty() {
                result.push(Dependent { unit: number, entry: each.entry.clone(), on });
            }
        }
    }
    result
}

/// Compares a function with the units that it rests on, and those that these rest on; or why that is not possible.
fn together(
    judge: &UnitJudge<'_>,
    dependent: &Dependent,
    loaded: &LoadedUnits,
    share: Duration,
) -> Result<Result<Comparison, String>> {
    let entry = Some(dependent.entry.as_str());
    let report = UnitJudge { entry, ..*judge }.judge_loaded(loaded, share)?.report;
    Ok(match report {
        UnitReport { reached: Reached::Failed(why), .. } => Err(format!("they do not link: {why}")),
        UnitReport { verdicts, .. } => {
            let found = verdicts.entries.into_iter().find(|each| each.entry == dependent.entry);
            found.ok_or_else(|| "linked, it could not be compared".to_owned())
        }
    })
}

/// Writes down what was found of a function that rests on others.
fn settle(
    found: &mut RepositoryReport,
    judge: &UnitJudge<'_>,
    dependent: &Dependent,
    compared: Result<Comparison, String>,
) {
    let name = |(function, unit): (&String, &Option<usize>)| match unit {
        Some(unit) => format!("{function} of {}", judge.prepared.planned.pairs[*unit].name),
        None => function.clone(),
    };
    let names = dependent.on.iter().map(name).collect::<Vec<_>>().join(", ");
    let entries = found.units.get_mut(dependent.unit).map(|unit| &mut unit.verdicts.entries);
    let entry = entries.into_iter().flatten().find(|each| each.entry == dependent.entry);
    let Some(entry) = entry else { return };
    match compared {
        Ok(mut comparison) => {
            comparison.notes.push(format!("compared together with {names}, which changed"));
            *entry = comparison;
        }
        Err(why) if entry.sameness == Sameness::Differs => {
            entry.notes.push(format!("{names} changed too, and is taken to do the same here; {why}"));
        }
        Err(why) => {
            entry.sameness = Sameness::Undecided;
            entry.reasons.push(format!("it does the same if {names} does, which changed; {why}"));
        }
    }
}
