//! Functions that moved to another unit: gone from one, new in another. They are compared as if they had stayed, since
//! nobody would look at them otherwise.

use super::command::FoundUnits;
use super::judged_unit::UnitJudge;
use crate::session::InOrder;
use anyhow::Result;
use incise_report::repository::{Reached, RepositoryReport, UnitReport};
use incise_repository::build::{Unit, UnitPair};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A function that moved has so much time at least, as long as there is any.
const LEAST: Duration = Duration::from_secs(3);

/// The functions that a unit of one version has and the other version of it has not.
struct Lone {
    /// The name of the unit.
    unit: String,
    compiled: Unit,
    functions: Vec<String>,
}

/// Compares functions that moved, within the time that is left.
pub(super) fn judge_moved(judge: &UnitJudge<'_>, kept: &FoundUnits, budget: Duration) -> Result<()> {
    let start = Instant::now();
    let (gone, fresh) = lone(judge, kept)?;
    let mut new: BTreeMap<&str, Vec<&Lone>> = BTreeMap::new();
    for (to, name) in fresh.iter().flat_map(|lone| lone.functions.iter().map(move |name| (lone, name))) {
        new.entry(name).or_default().push(to);
    }
    let mut moved: BTreeMap<&str, (&Lone, &Lone)> = BTreeMap::new();
    for (from, name) in gone.iter().flat_map(|lone| lone.functions.iter().map(move |name| (lone, name))) {
        let mut places = new.get(name.as_str()).into_iter().flatten().filter(|lone| lone.unit != from.unit);
        // Where a name is new in several units nobody knows which of them it is; then all are named as they are.
        if let (Some(&to), None) = (places.next(), places.next()) {
            moved.insert(name, (from, to));
        }
    }
    let moved: Vec<(&str, (&Lone, &Lone))> = moved.into_iter().collect();
    let order = InOrder::new();
    judge.session.board().set("functions that moved", moved.len());
    judge.session.workers().each(moved.len(), |turn| {
        let (name, (from, to)) = moved[turn.index];
        let left = budget.saturating_sub(start.elapsed());
        let share = turn.share(left, LEAST);
        let unit = format!("{} from {}", to.unit, from.unit);
        let pair = UnitPair { name: unit.clone(), old: from.compiled.clone(), new: to.compiled.clone() };
        let report = match judge.session.is_interrupted() || left.is_zero() {
            true => UnitReport { name: unit, ..UnitReport::default() },
            false => UnitJudge { entry: Some(name), ..*judge }.judge(&pair, share)?.report,
        };
        judge.session.board().done();
        order.put(turn.index, report, |index, report| {
            let (name, places) = moved[index];
            kept.with(|found| found.iter_mut().for_each(|found| add(found, report.clone(), name, places)));
            Ok(())
        })
    })?;
    Ok(())
}

/// Adds what was found of a function that moved, which is then neither gone nor new.
fn add(found: &mut RepositoryReport, mut report: UnitReport, name: &str, (from, to): (&Lone, &Lone)) {
    // Of these units only the function is asked for.
    (report.added, report.removed, report.notes) = Default::default();
    report.verdicts.below.clear();
    if let Reached::Compared = report.reached {
        let only = report.verdicts.entries.iter().any(|each| each.entry == name);
        if !only && report.verdicts.reasons.is_empty() {
            found.notes.push(format!("{name} moved from {} to {}, and did not change", from.unit, to.unit));
        }
    }
    for unit in &mut found.units {
        if unit.name == from.unit {
            unit.removed.retain(|each| each != name);
        }
        if unit.name == to.unit {
            unit.added.retain(|each| each != name);
        }
    }
    found.units.push(report);
}

/// What is gone and what is new, in units of both versions and in those that only one has.
fn lone(judge: &UnitJudge<'_>, kept: &FoundUnits) -> Result<(Vec<Lone>, Vec<Lone>)> {
    let planned = &judge.prepared.planned;
    let (mut gone, mut fresh) = (Vec::new(), Vec::new());
    let lists: Vec<(Vec<String>, Vec<String>)> = kept.with(|found| {
        let units = found.iter().flat_map(|found| &found.units);
        units.map(|unit| (unit.removed.clone(), unit.added.clone())).collect()
    });
    for (pair, (removed, added)) in planned.pairs.iter().zip(lists) {
        gone.push(Lone { unit: pair.name.clone(), compiled: pair.old.clone(), functions: removed });
        fresh.push(Lone { unit: pair.name.clone(), compiled: pair.new.clone(), functions: added });
    }
    let some = |lists: &[Lone]| lists.iter().any(|lone| !lone.functions.is_empty());
    // What only one version has is read only if the other one has something to pair it with.
    let is_split = some(&gone) || !planned.removed_units.is_empty();
    let is_joined = some(&fresh) || !planned.added_units.is_empty();
    if is_split {
        fresh.extend(all_alone(judge, &planned.added_units, false)?);
    }
    if is_joined {
        gone.extend(all_alone(judge, &planned.removed_units, true)?);
    }
    Ok((gone, fresh))
}

fn all_alone(judge: &UnitJudge<'_>, units: &[(String, Unit)], is_old: bool) -> Result<Vec<Lone>> {
    judge.session.workers().each(units.len(), |turn| {
        let (name, unit) = &units[turn.index];
        Ok(alone(judge, name, unit, is_old))
    })
}

/// The functions of a unit that only one version has; none if it cannot be read, which is said of it elsewhere.
fn alone(judge: &UnitJudge<'_>, name: &str, unit: &Unit, is_old: bool) -> Lone {
    let pair = UnitPair { name: name.to_owned(), old: unit.clone(), new: unit.clone() };
    let (old, new) = judge.prepared.sources(&[&pair]);
    let loaded = judge.session.load_silently(if is_old { old } else { new });
    let functions = loaded.map_or_else(
        |_| Vec::new(),
        |loaded| {
            let defined =
                loaded.program.functions.iter().filter(|(_, each)| each.is_definition() && !each.model);
            defined.map(|(_, each)| each.name.clone()).collect()
        },
    );
    Lone { unit: name.to_owned(), compiled: unit.clone(), functions }
}
