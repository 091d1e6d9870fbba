//! `incise cover`: what the tests of a suite cover of a change, and what they miss.

use super::entry_suite::{EntrySuite, suites};
use super::settings::CoverSettings;
use crate::arguments::Format;
use crate::change::analysis::{Analysis, Question};
use crate::change::model::version;
use crate::commands::cover::model::{Obligations, examples, note_taken};
use crate::commands::explain::written_test::given;
use crate::commands::threads;
use crate::exit::Status;
use crate::inputs::others;
use crate::session::output::write_data;
use crate::session::{Kept, Session};
use crate::settings::OutputSettings;
use crate::words::of_stop;
use anyhow::{Context, Result, bail};
use incise_exec::{Assignment, Config, Detail, LimitKind, Session as Engine, Strategy};
use incise_findings as findings;
use incise_frontend::versions::OldVersion;
use incise_frontend::{Loaded, find_function};
use incise_incremental::cover::{Fragments, Goals};
use incise_incremental::{
    Criterion, Obligation, ObligationStatus, Plan, Subject, explore_cover_grown, explore_other_inputs,
    initial,
};
use incise_reading::{InputReading, Inputs, Reading, as_given};
use incise_report::cover;
use incise_report::cover::{Cover, CoverReport, CoverStatus};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Does what `incise cover` is asked to do.
pub(crate) fn run(settings: CoverSettings, session: &Session) -> Result<Status> {
    let CoverSettings { versions, tests, entry, criteria, rules, across, mut config, mut reading, output } =
        settings;
    session.limit(&mut config.limits);
    let suites = suites(&tests, entry.as_deref(), session.caches())?;
    let sources = versions.lay_out(session)?;
    let (old, new) = session.load_versions(sources.old.clone(), sources.new.clone())?;
    for program in [&old.program, &new.program] {
        threads::refuse(program, entry.as_deref(), "measuring the coverage of")?;
    }
    initial::of_versions(&old.program, &new.program, &mut config.inputs);
    reading.initial.clone_from(&config.inputs.initial);
    let report = CoverReport {
        old: version(&old.sources)?,
        new: version(&new.sources)?,
        rules: rules.into(),
        scope: if across { "program" } else { "function" }.to_owned(),
        tests: tests.display().to_string(),
        test_count: suites.iter().map(|suite| suite.tests.len()).sum(),
        ..CoverReport::default()
    };
    let report = Kept::new(report);
    let (kept, shown) = (report.clone(), output.clone());
    session.rescue(move |limit| {
        let mut report = kept.with(std::mem::take);
        report.notes.push(not_all(limit));
        show(&report, &shown)?;
        Ok(status(&report).worse(Status::Undecided))
    });
    let start = Instant::now();
    let versions = Versions { old: &old, new: &new, config: &config, reading: &reading, session, start };
    for suite in &suites {
        let overflow = config.checks.overflow || suite.options.check_overflow;
        let question = Question { entry: Some(&suite.entry), rules, across, overflow };
        versions.cover(suite, &question, &criteria, &report)?;
    }
    session.reports();
    let mut report = report.with(std::mem::take);
    let mut status = status(&report);
    // A search that nobody waits for any more may have been about other inputs, which nothing else tells of.
    if let Some(limit) = session.was_stopped_by().filter(|_| !is_covered(&report)) {
        report.notes.push(not_all(limit));
        status = status.worse(Status::Undecided);
    }
    show(&report, &output)?;
    Ok(status)
}

/// What is said where a search was stopped.
fn not_all(limit: LimitKind) -> String {
    format!("{}: not all of the change was looked at", of_stop(limit))
}

/// Whether there was nothing to look for: the tests cover all of it.
fn is_covered(report: &CoverReport) -> bool {
    let mut all = report.covers.iter().flat_map(|cover| &cover.obligations);
    all.all(|each| matches!(each.status, CoverStatus::Covered { test: Some(_), .. }))
}

fn show(report: &CoverReport, output: &OutputSettings) -> Result<()> {
    write_data(|out| match output.format {
        Format::Text => cover::text::render(report, output.text, out),
        Format::Json => cover::json::render(report, out),
    })
}

/// Something missing, or not decided, or neither.
fn status(report: &CoverReport) -> Status {
    if report.covers.iter().any(|cover| cover.counts().missing > 0) {
        return Status::Found;
    }
    match report.covers.iter().all(Cover::is_decided) {
        true => Status::Nothing,
        false => Status::Undecided,
    }
}

/// Both versions, and how tests are executed.
struct Versions<'a> {
    old: &'a OldVersion,
    new: &'a Loaded,
    config: &'a Config,
    reading: &'a InputReading,
    session: &'a Session,
    start: Instant,
}

/// What the tests of a suite cover by one criterion: for each obligation the first test.
#[derive(Default)]
struct Seen {
    /// By the obligation's number.
    obligations: BTreeMap<usize, String>,
    /// Combinations of path fragments.
    combinations: BTreeMap<Obligation, String>,
}

impl Versions<'_> {
    fn cover(
        &self,
        suite: &EntrySuite,
        question: &Question<'_>,
        criteria: &[Criterion],
        report: &Kept<CoverReport>,
    ) -> Result<()> {
        let entry = &suite.entry;
        find_function(&self.new.program, entry)
            .with_context(|| format!("the tests call {entry}, which NEW has not"))?;
        let found = Analysis::of_versions(self.old, self.new, question)?;
        report.with(|report| report.notes.extend(found.notes()));
        let Some(&function) = found.entries.first() else {
            let nothing =
                |&criterion: &Criterion| Cover { entry: entry.clone(), criterion, ..Cover::default() };
            report.with(|report| report.covers.extend(criteria.iter().map(nothing)));
            return Ok(());
        };
        let (Some((mut scope, _)), Some(effects)) = (found.new_scope(function), found.effects()) else {
            bail!("there is no change to cover");
        };
        let reading = self.reading_of(suite)?;
        report.with(|report| report.taken.push((entry.clone(), findings::taken(&reading))));
        let root = scope.root(function);
        let subject = Subject::new(&scope, root);
        for &criterion in criteria {
            let plan = Plan::new(&subject, effects, criterion);
            let mut notes = report.with(|report| report.notes.clone());
            let seen = self.run_tests(suite, &plan, &reading, &mut notes)?;
            let cover = self.search(suite, &plan, &reading, &seen)?;
            report.with(|report| {
                report.notes = notes;
                report.covers.push(cover);
            });
        }
        report.with(|report| report.notes.dedup());
        Ok(())
    }

    /// What the inputs of an entry are taken to be: what a suite says if it keeps that, and in any case what the user
    /// says.
    fn reading_of(&self, suite: &EntrySuite) -> Result<Reading> {
        let kept = incise_suite::reading(&suite.options)?;
        if suite.options.any_inputs && self.reading.inputs != Inputs::Any {
            let any = InputReading { inputs: Inputs::Any, ..self.reading.clone() };
            return Ok(any.of_versions(&self.old.program, &self.new.program, &suite.entry));
        }
        if kept.parts.is_empty() || self.reading.inputs == Inputs::Any {
            return Ok(self.reading.of_versions(&self.old.program, &self.new.program, &suite.entry));
        }
        Ok(kept.with(&self.reading.contracts.of(&suite.entry)))
    }

    /// Executes the tests, and notes what each covers.
    fn run_tests(
        &self,
        suite: &EntrySuite,
        plan: &Plan<'_>,
        reading: &Reading,
        notes: &mut Vec<String>,
    ) -> Result<Seen> {
        let mut seen = Seen::default();
        let hooks = self.session.hooks(Detail::All);
        let mut session = Engine::new(self.config, self.session.interrupt());
        let mut fragments = Fragments::new(plan.subject());
        let mut goals = Goals::looking_on(plan);
        let by_fragments = plan.criterion() == Criterion::PathFragment;
        for test in &suite.tests {
            let mut config = self.config.clone();
            config.entry.clone_from(&suite.entry);
            suite.configure(&mut config);
            config.inputs.reading = as_given(reading);
            test.configure(&mut config);
            let strategy: &mut dyn Strategy = if by_fragments { &mut fragments } else { &mut goals };
            let inputs = Assignment::given(given(Some(test), &[]));
            let trace = session.trace(&self.new.program, &config, &hooks, strategy, &inputs)?;
            let name = &test.case.name;
            notes.extend(test_notes(name, &trace).filter(|note| !notes.contains(note)).collect::<Vec<_>>());
            let Some(path) = trace.path else { continue };
            if by_fragments {
                let taken = fragments.taken(path.note);
                if !taken.is_empty() {
                    let combination = Obligation::Fragments(taken);
                    seen.combinations.entry(combination).or_insert_with(|| name.clone());
                }
            } else {
                for &obligation in goals.covered_by(path.note) {
                    seen.obligations.entry(obligation as usize).or_insert_with(|| name.clone());
                }
            }
        }
        Ok(seen)
    }

    /// Looks for what the tests do not cover.
    fn search(&self, suite: &EntrySuite, plan: &Plan<'_>, reading: &Reading, seen: &Seen) -> Result<Cover> {
        let mut config = self.config.clone();
        config.entry.clone_from(&suite.entry);
        suite.configure(&mut config);
        // All criteria and entries share the limit of time.
        config.limits.time = config.limits.time.saturating_sub(self.start.elapsed());
        let hooks = self.session.hooks(Detail::All);
        let known: BTreeSet<usize> = seen.obligations.keys().copied().collect();
        config.inputs.reading = reading.clone();
        config.inputs.any_size = self.reading.inputs == Inputs::Any || suite.options.any_inputs;
        let mut covered = explore_cover_grown(&config, &hooks, plan, &known)?;
        if let Some((mut others, all)) = others(&config) {
            others.limits.time =
                others.limits.time.min(config.limits.time.saturating_sub(self.start.elapsed()));
            covered = explore_other_inputs(covered, &others, all, &hooks, plan)?;
        }
        // Combinations that tests take and the exploration did not come to, because it was cut.
        let listed: BTreeSet<Obligation> = covered.obligations.iter().map(|(each, _)| each.clone()).collect();
        let others = seen.combinations.keys().filter(|each| !listed.contains(each));
        covered.obligations.extend(others.map(|each| (each.clone(), ObligationStatus::Covered(None))));
        let scope = plan.subject().scope;
        let mut cover = Obligations::new(scope).covered(&suite.entry, &covered);
        cover.examples = examples(&covered);
        let obligations = cover.obligations.iter_mut().zip(&covered.obligations).enumerate();
        for (number, (shown, (obligation, _))) in obligations {
            let test = seen.obligations.get(&number).or(seen.combinations.get(obligation));
            shown.status = match (&shown.status, test) {
                (_, Some(test)) => CoverStatus::Covered { path: None, test: Some(test.clone()) },
                (CoverStatus::Covered { path, .. }, None) => CoverStatus::Missing { example: *path },
                (other, None) => other.clone(),
            };
        }
        note_taken(&mut cover, &covered, reading);
        let needed: BTreeSet<u64> = cover.obligations.iter().filter_map(missing).collect();
        cover.examples.retain(|path| needed.contains(&path.id));
        Ok(cover)
    }
}

/// The example of an obligation that is missing, or that takes other inputs.
fn missing(obligation: &cover::Obligation) -> Option<u64> {
    match obligation.status {
        CoverStatus::Missing { example } | CoverStatus::NotAsTaken { example } => example,
        _ => None,
    }
}

/// What the user should know of a test.
fn test_notes<'a>(name: &'a str, trace: &'a incise_exec::Trace) -> impl Iterator<Item = String> + 'a {
    let nowhere = trace
        .path
        .is_none()
        .then(|| format!("{name} covers nothing: an assumption of the program does not hold for it"));
    let missing = (!trace.missing.is_empty())
        .then(|| format!("{name} has no value for {}: zero is taken", trace.missing.join(", ")));
    let unused = (!trace.unused.is_empty())
        .then(|| format!("{name} has a value for {}, which NEW does not read", trace.unused.join(", ")));
    let cut = trace.path.as_ref().and_then(|path| {
        use incise_exec::Outcome::*;
        let conclusive = matches!(path.outcome, Returned | Exited { .. } | Error(_));
        (!conclusive)
            .then(|| format!("{name} was not followed to its end: what it covers later is not known"))
    });
    nowhere.into_iter().chain(missing).chain(unused).chain(cut)
}
