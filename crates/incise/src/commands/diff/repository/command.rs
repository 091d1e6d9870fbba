//! `incise diff` in a repository: prepares both versions, judges unit after unit within the time that there is, and
//! reports the whole, also if it has to stop.

use super::details::Details;
use super::judged_unit::{Calls, InWork, Judged, UnitJudge};
use super::linked::judge_linked;
use super::moved::judge_moved;
use super::remembered::Remembered;
use super::risk::risk;
use super::settings::RepositoryQuestion;
use super::watch::watch;
use crate::arguments::Format;
use crate::commands::diff::parts::{About, Shard};
use crate::commands::diff::reports::{ReportFiles, SourcePlaces};
use crate::commands::diff::settings::{Change, DiffSettings};
use crate::commands::diff::so_far::SoFar;
use crate::commands::diff::verdict;
use crate::commands::diff::verdict_settings::VerdictSettings;
use crate::exit::Status;
use crate::session::output::write_data;
use crate::session::{Kept, Session};
use crate::settings::OutputSettings;
use crate::trees::Prepared;
use crate::words::of_stop;
use anyhow::{Result, bail};
use incise_exec::LimitKind;
use incise_report::repository::{Reached, RepositoryReport, UnitReport, json, text};
use incise_report::verdict::{Sameness, Verdicts};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// A unit has so much time at least, as long as there is any.
const LEAST: Duration = Duration::from_secs(3);
/// A unit for which its share of the time was too short gets more if there is so much left.
const AGAIN: Duration = Duration::from_secs(5);

/// Does what `incise diff` is asked to do in a repository.
pub(crate) fn run(mut settings: DiffSettings, session: &Session) -> Result<Status> {
    let Change::Repository(question) = &settings.change else { bail!("there is no repository to look at") };
    let Some(mut verdict) = settings.verdict.take() else {
        bail!("a repository is compared for its verdicts")
    };
    session.limit(&mut verdict.config.limits);
    let sources: Kept<SourcePlaces> = Kept::new(SourcePlaces::default());
    let shown = Shown { output: settings.output.clone(), reports: settings.reports.clone(), sources };
    let comparing = Comparing { question, verdict: &verdict, settings: &settings, session, shown };
    if settings.watch {
        return watch(&comparing);
    }
    let (report, _trees) = comparing.compare(&Remembered::default())?;
    let status = comparing.shown.finish(&report, &verdict)?;
    // What a part found counts when all are there.
    Ok(match verdict.parts.shard() {
        Some(_) if session.was_stopped_by().is_none() => Status::Nothing,
        _ => status,
    })
}

/// What is compared, and how.
pub(super) struct Comparing<'a> {
    question: &'a RepositoryQuestion,
    pub(super) verdict: &'a VerdictSettings,
    pub(super) settings: &'a DiffSettings,
    pub(super) session: &'a Session,
    pub(super) shown: Shown,
}

impl Comparing<'_> {
    /// Compares what there is now.
    pub(super) fn compare(&self, remembered: &Remembered) -> Result<(RepositoryReport, Prepared)> {
        let Self { question, verdict, settings, session, shown } = self;
        let start = Instant::now();
        let kept: FoundUnits = Kept::new(None);
        let in_work = InWork::new(BTreeMap::new());
        self.rescue(&kept, &in_work);
        let before = remembered.old();
        let before = before.as_ref().map(|(side, laid_out)| (side, laid_out));
        let prepared =
            Prepared::again(&question.trees, &settings.new, session, (before, &remembered.includes))?;
        remembered.keep_old(&prepared);
        let parts = &verdict.parts;
        let about = About { sides: &prepared.sides, build: session.store().build(), budget: question.budget };
        let missing = parts.check(&about)?;
        let mut nothing = begun(&prepared);
        nothing.reasons.extend(parts.shard().map(Shard::reason));
        nothing.notes.extend(missing);
        kept.with(|found| *found = Some(nothing));
        shown.sources.with(|sources| *sources = prepared.places());
        let judge = UnitJudge {
            prepared: &prepared,
            settings: verdict,
            entry: settings.entry.as_deref(),
            only: None,
            output: &settings.output,
            in_work: &in_work,
            session,
            details: Details::of(settings),
        };
        let left = || question.budget.saturating_sub(start.elapsed());
        let calls = judge_all(&judge, &kept, remembered, left())?;
        // These need the verdicts on all functions.
        if parts.shard().is_none() {
            judge_moved(&judge, &kept, left())?;
            judge_linked(&judge, &kept, &calls, left())?;
        }
        let limit = session.was_stopped_by();
        session.reports();
        session.board().end();
        let mut report = kept.with(std::mem::take).unwrap_or_default();
        if let Some(limit) = limit {
            report = stopped(report, limit);
        }
        self.say_of_entry(&mut report, &calls);
        if limit.is_none() {
            parts.finish(&about)?;
        }
        if let Some(taken) = parts.taken() {
            session.say(&taken);
        }
        Ok((report, prepared))
    }

    /// Says of functions that are named why there is no verdict on them.
    fn say_of_entry(&self, report: &mut RepositoryReport, calls: &[Calls]) {
        let Some(entry) = &self.settings.entry else {
            return say_of_entries(report, &self.question.trees.configuration.entries, calls);
        };
        if !report.units.iter().any(|unit| has(unit, Some(entry))) {
            report.notes.push(format!("no unit that the change concerns has a function {entry}"));
        }
    }

    /// Has what was found so far reported if it has to stop.
    fn rescue(&self, kept: &FoundUnits, in_work: &InWork) {
        let (found, last, shown) = (kept.clone(), self.verdict.clone(), self.shown.clone());
        let (board, in_work) = (self.session.board().clone(), in_work.clone());
        self.session.rescue(move |limit| {
            board.end();
            let mut report = found.with(std::mem::take).unwrap_or_else(|| not_begun(limit));
            in_work.with(|units| add_unfinished(&mut report, units, limit));
            shown.finish(&stopped(report, limit), &last)
        });
    }
}

/// Adds what was found of units that were in work.
fn add_unfinished(report: &mut RepositoryReport, units: &BTreeMap<String, SoFar>, limit: LimitKind) {
    for unit in report.units.iter_mut().filter(|unit| unit.reached == Reached::Not) {
        if let Some(mut verdicts) = units.get(&unit.name).and_then(|so_far| so_far.verdicts(limit)) {
            verdicts.reasons.push(format!("{} before it was compared as a whole", of_stop(limit)));
            (unit.verdicts, unit.reached) = (verdicts, Reached::Compared);
        }
    }
}

/// The report if it was not even known what changed.
fn not_begun(limit: LimitKind) -> RepositoryReport {
    RepositoryReport {
        old: "OLD".to_owned(),
        new: "NEW".to_owned(),
        reasons: vec![format!("{} before it was known what changed", of_stop(limit))],
        ..RepositoryReport::default()
    }
}

/// The report with a note that it had to stop.
fn stopped(mut report: RepositoryReport, limit: LimitKind) -> RepositoryReport {
    report.notes.push(format!("{} before all units were compared", of_stop(limit)));
    report
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
fn judge_all(
    judge: &UnitJudge<'_>,
    kept: &FoundUnits,
    remembered: &Remembered,
    budget: Duration,
) -> Result<Vec<Calls>> {
    let start = Instant::now();
    let left = || budget.saturating_sub(start.elapsed());
    let pairs = &judge.prepared.planned.pairs;
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_cached_key(|&index| {
        (usize::MAX - risk(&pairs[index].old.file, &pairs[index].new.file), index)
    });
    let workers = judge.session.workers();
    judge.session.board().set("units", order.len());
    let first = workers.each(order.len(), |turn| {
        let (index, share, begun) = (order[turn.index], turn.share(left(), LEAST), Instant::now());
        if judge.session.is_interrupted() || left().is_zero() {
            return Ok((index, Calls::new(), BTreeSet::new()));
        }
        let Judged { report, calls } = remembered.or_judge(judge, &pairs[index], share)?;
        let open = if begun.elapsed() >= share { open_entries(&report) } else { BTreeSet::new() };
        kept.with(|found| found.iter_mut().for_each(|found| found.units[index].clone_from(&report)));
        judge.session.board().done();
        Ok((index, calls, open))
    })?;
    let mut calls = vec![Calls::new(); pairs.len()];
    let mut short = Vec::new();
    for (index, called, open) in first {
        calls[index] = called;
        short.extend((!open.is_empty()).then_some((index, open)));
    }
    judge.session.board().set("units that need more time", short.len());
    workers.each(short.len(), |turn| {
        let ((index, open), share) = (&short[turn.index], turn.share(left(), AGAIN));
        if share < AGAIN || judge.session.is_interrupted() {
            return Ok(());
        }
        let Judged { report, .. } = UnitJudge { only: Some(open), ..*judge }.judge(&pairs[*index], share)?;
        kept.with(|found| {
            found.iter_mut().for_each(|found| decide(&mut found.units[*index], report.clone()))
        });
        judge.session.board().done();
        Ok(())
    })?;
    Ok(calls)
}

/// The functions of a unit that are not decided.
fn open_entries(report: &UnitReport) -> BTreeSet<String> {
    let entries = report.verdicts.entries.iter();
    entries.filter(|each| each.sameness == Sameness::Undecided).map(|each| each.entry.clone()).collect()
}

/// Writes down what more time decided of a unit, some of whose functions were compared again.
fn decide(report: &mut UnitReport, again: UnitReport) {
    let Verdicts { entries, below, .. } = &mut report.verdicts;
    for by_callers in again.verdicts.below {
        entries.retain(|each| each.entry != by_callers.entry);
        below.push(by_callers);
    }
    for mut decided in again.verdicts.entries {
        match entries.iter_mut().find(|each| each.entry == decided.entry) {
            None => entries.push(decided),
            Some(known)
                if known.sameness == Sameness::Undecided && decided.sameness != Sameness::Undecided =>
            {
                decided.contradicted |= known.contradicted;
                *known = decided;
            }
            Some(_) => {}
        }
    }
    verdict::number(&mut report.verdicts);
}

/// What was found so far, once it is known what changed.
pub(super) type FoundUnits = Kept<Option<RepositoryReport>>;

/// How the report is shown.
#[derive(Clone)]
pub(super) struct Shown {
    output: OutputSettings,
    reports: ReportFiles,
    sources: Kept<SourcePlaces>,
}

impl Shown {
    /// Shows the report, writes those that are files, and tells the exit status that it gives.
    pub(super) fn finish(&self, report: &RepositoryReport, verdict: &VerdictSettings) -> Result<Status> {
        write_data(|out| match self.output.format {
            Format::Text => text::render(report, self.output.text, out),
            Format::Json => json::render(report, out),
        })?;
        let sources = self.sources.with(|sources| sources.clone());
        self.reports.write(report, &sources, verdict)?;
        Ok(verdict::status(&report.verdicts(), verdict))
    }
}
