//! `incise diff` in a repository: prepares both versions, judges unit after unit within the time that there is, and
//! reports the whole, also if it has to stop.

use super::details::Details;
use super::judged_unit::{Calls, Judged, UnitJudge};
use super::linked::judge_linked;
use super::moved::judge_moved;
use super::prepared::Prepared;
use super::risk::risk;
use crate::arguments::Format;
use crate::commands::diff::reports::{ReportFiles, SourcePlaces};
use crate::commands::diff::settings::{Change, DiffSettings};
use crate::commands::diff::verdict;
use crate::commands::diff::verdict_settings::VerdictSettings;
use crate::exit::Status;
use crate::session::output::write_data;
use crate::session::{Kept, Session};
use crate::settings::OutputSettings;
use crate::words::of_stop;
use anyhow::{Result, bail};
use incise_report::repository::{Reached, RepositoryReport, UnitReport, json, text};
use incise_report::verdict::Sameness;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A unit for which its share of the time was too short gets more if there is so much left.
const AGAIN: Duration = Duration::from_secs(5);

/// Does what `incise diff` is asked to do in a repository.
pub(crate) fn run(mut settings: DiffSettings, session: &Session) -> Result<Status> {
    let Change::Repository(question) = &settings.change else { bail!("there is no repository to look at") };
    let Some(mut verdict) = settings.verdict.take() else {
        bail!("a repository is compared for its verdicts")
    };
    session.limit(&mut verdict.config.limits);
    let start = Instant::now();
    let kept: FoundUnits = Kept::new(None);
    let sources: Kept<SourcePlaces> = Kept::new(SourcePlaces::default());
    let shown = Shown { output: settings.output.clone(), reports: settings.reports.clone(), sources };
    let (found, last, rescued) = (kept.clone(), verdict.clone(), shown.clone());
    session.rescue(move |limit| {
        let mut report = found.with(std::mem::take).unwrap_or_else(|| RepositoryReport {
            reasons: vec![format!("{} before it was known what changed", of_stop(limit))],
            ..RepositoryReport::default()
        });
        report.notes.push(format!("{} before all units were compared", of_stop(limit)));
        rescued.finish(&report, &last)
    });
    let prepared = Prepared::of(question, &settings.new, session)?;
    kept.with(|found| *found = Some(begun(&prepared)));
    shown.sources.with(|sources| *sources = prepared.places());
    let judge = UnitJudge {
        prepared: &prepared,
        settings: &verdict,
        entry: settings.entry.as_deref(),
        output: &settings.output,
        session,
        details: Details::of(&settings),
    };
    let left = || question.budget.saturating_sub(start.elapsed());
    let calls = judge_all(&judge, &kept, left())?;
    judge_moved(&judge, &kept, left())?;
    judge_linked(&judge, &kept, &calls, left())?;
    let stopped = session.was_stopped_by();
    session.reports();
    let mut report = kept.with(std::mem::take).unwrap_or_default();
    if let Some(limit) = stopped {
        report.notes.push(format!("{} before all units were compared", of_stop(limit)));
    }
    if let (Some(entry), false) =
        (&settings.entry, report.units.iter().any(|unit| has(unit, settings.entry.as_deref())))
    {
        report.notes.push(format!("no unit that the change concerns has a function {entry}"));
    }
    if settings.entry.is_none() {
        say_of_entries(&mut report, &question.configuration.entries, &calls);
    }
    shown.finish(&report, &verdict)
}

/// Says of functions that the repository names why there is no verdict on them.
fn say_of_entries(report: &mut RepositoryReport, entries: &[String], calls: &[Calls]) {
    let changed: BTreeSet<String> = {
        let units = report.units.iter();
        let names = units.flat_map(|unit| unit.verdicts.all().map(|each| &each.entry).chain(&unit.removed));
        names.cloned().collect()
    };
    for entry in entries {
        if report.units.is_empty() || report.units.iter().any(|unit| has(unit, Some(entry))) {
            continue;
        }
        let called: Vec<_> = calls.iter().filter_map(|calls| calls.get(entry)).collect();
        let missing = match called.as_slice() {
            [] => format!(
                "the entry {entry} is in no unit that the change concerns: what it calls is not known"
            ),
            all if all.iter().any(|called| !called.is_disjoint(&changed)) => {
                format!("the entry {entry} did not change, and calls what changed in another unit")
            }
            _ => {
                report.notes.push(format!("the entry {entry} did not change, and calls nothing that did"));
                continue;
            }
        };
        report.reasons.push(missing);
    }
}

/// Whether a unit has a verdict on a function.
fn has(unit: &UnitReport, entry: Option<&str>) -> bool {
    unit.verdicts.entries.iter().any(|each| Some(each.entry.as_str()) == entry)
}

/// The report before anything was compared.
fn begun(prepared: &Prepared) -> RepositoryReport {
    let planned = &prepared.planned;
    let unit = |name: &str| UnitReport { name: name.to_owned(), ..UnitReport::default() };
    RepositoryReport {
        old: prepared.sides.old.name().to_owned(),
        new: prepared.sides.new.name().to_owned(),
        database: prepared.database.as_ref().map(|path| path.display().to_string()),
        units: planned.pairs.iter().map(|pair| unit(&pair.name)).collect(),
        added: planned.added_units.iter().map(|(name, _)| name.clone()).collect(),
        removed: planned.removed_units.iter().map(|(name, _)| name.clone()).collect(),
        reasons: planned.not_compared.clone(),
        left_out: prepared.left_out.clone(),
        notes: planned.notes.clone(),
    }
}

/// Judges all units, the most likely trouble first. What one leaves of its time is there for the others, and those for
/// which it was too short are looked at again. Tells what the entries of each unit call of others.
fn judge_all(judge: &UnitJudge<'_>, kept: &FoundUnits, budget: Duration) -> Result<Vec<Calls>> {
    let start = Instant::now();
    let left = || budget.saturating_sub(start.elapsed());
    let pairs = &judge.prepared.planned.pairs;
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_cached_key(|&index| {
        (usize::MAX - risk(&pairs[index].old.file, &pairs[index].new.file), index)
    });
    let mut short = Vec::new();
    let mut calls = vec![Calls::new(); pairs.len()];
    for (done, &index) in order.iter().enumerate() {
        let share = left() / u32::try_from(order.len() - done).unwrap_or(u32::MAX);
        if judge.session.is_interrupted() || left().is_zero() {
            return Ok(calls);
        }
        let begun = Instant::now();
        let Judged { report, calls: called } = judge.judge(&pairs[index], share)?;
        calls[index] = called;
        if begun.elapsed() >= share && is_open(&report) {
            short.push(index);
        }
        store(kept, index, report);
    }
    while let Some(index) = short.pop() {
        let share = left() / u32::try_from(short.len() + 1).unwrap_or(u32::MAX);
        if share < AGAIN || judge.session.is_interrupted() {
            break;
        }
        let Judged { report, .. } = judge.judge(&pairs[index], share)?;
        if !is_open(&report) {
            store(kept, index, report);
        }
    }
    Ok(calls)
}

/// What was found so far, once it is known what changed.
pub(super) type FoundUnits = Kept<Option<RepositoryReport>>;

fn store(kept: &FoundUnits, index: usize, report: UnitReport) {
    kept.with(|found| {
        if let Some(found) = found {
            found.units[index] = report;
        }
    });
}

/// Whether something in a unit is not decided.
fn is_open(report: &UnitReport) -> bool {
    report.reached != Reached::Compared
        || report.verdicts.entries.iter().any(|each| each.sameness == Sameness::Undecided)
}

/// How the report is shown.
#[derive(Clone)]
struct Shown {
    output: OutputSettings,
    reports: ReportFiles,
    sources: Kept<SourcePlaces>,
}

impl Shown {
    /// Shows the report, writes those that are files, and tells the exit status that it gives.
    fn finish(&self, report: &RepositoryReport, verdict: &VerdictSettings) -> Result<Status> {
        write_data(|out| match self.output.format {
            Format::Text => text::render(report, self.output.text, out),
            Format::Json => json::render(report, out),
        })?;
        let sources = self.sources.with(|sources| sources.clone());
        self.reports.write(report, &sources, verdict)?;
        Ok(verdict::status(&report.verdicts(), verdict))
    }
}
