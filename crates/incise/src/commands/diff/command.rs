//! `incise diff`: explore the paths of the new version that a change affects, report them, write tests for them.

use super::directed::{Explorer, Job};
use super::directed_threads::ThreadJob;
use super::report::{replay_all, show, status, write_tests, written_folders};
use super::repository;
use super::settings::{Change, DiffSettings};
use super::so_far::SoFar;
use super::verdict_settings::VerdictSettings;
use crate::arguments::Format;
use crate::change::analysis::{Analysis, Question};
use crate::change::concerned_calls::concerned_calls;
use crate::change::model::version;
use crate::change::rules::RuleSet;
use crate::commands::diff::verdict::{self, VersionJudge, witnesses};
use crate::commands::threads;
use crate::commands::written::say_written;
use crate::exit::Status;
use crate::session::Session;
use crate::session::output::write_data;
use crate::trees::ComparedSources;
use anyhow::{Context, Result, bail};
use incise_frontend::versions::OldVersion;
use incise_frontend::{Loaded, NativeSource, find_function};
use incise_incremental::initial;
use incise_ir::FunctionId;
use incise_report::repository::RepositoryReport;
use incise_report::verdict::Verdicts;
use incise_report::verdict::text as verdict_text;
use incise_report::{CallGraph, DiffStrategy, Difference, difference};
use incise_suite::{NewTestFolder, WrittenTests, folder_name};
use std::time::Instant;

/// Does what `incise diff` is asked to do.
pub(crate) fn run(mut settings: DiffSettings, session: &Session) -> Result<Status> {
    if matches!(settings.change, Change::Repository(_)) {
        return repository::command::run(settings, session);
    }
    // The trees go away with this.
    let _trees = laid_out(&mut settings, session)?;
    let so_far = SoFar::begin(session, &settings);
    session.limit(&mut settings.config.limits);
    if let Some(verdict) = &mut settings.verdict {
        session.limit(&mut verdict.config.limits);
    }
    let sources = settings.new.clone();
    let (old, new, lines) = match &settings.change {
        Change::Versions { old } => {
            let (old, new) = session.load_versions(old.clone(), sources)?;
            (Some(old), new, None)
        }
        Change::Lines(lines) => (None, session.load(sources)?, Some(lines)),
        Change::Functions | Change::Repository(_) | Change::Program(_) => {
            (None, session.load(sources)?, None)
        }
    };
    let old_program = old.as_ref().map_or(&new.program, |old| &old.program);
    let (old_name, name) = (settings.old_entry.as_ref().or(settings.entry.as_ref()), settings.entry.as_ref());
    let with_threads = threads::starts(old_program, old_name.map(String::as_str))
        || threads::starts(&new.program, name.map(String::as_str));
    if with_threads && matches!(settings.change, Change::Lines(_)) {
        settings.refuse_for_threads()?;
    }
    initial::of_versions(old_program, &new.program, &mut settings.config.inputs);
    let initial = &settings.config.inputs.initial;
    settings.reading.initial.clone_from(initial);
    if let Some(verdict) = &mut settings.verdict {
        verdict.config.inputs.initial.clone_from(initial);
        verdict.reading.initial.clone_from(initial);
    }
    let DiffSettings { entry, old_entry, .. } = &settings;
    let work = Work { settings: &settings, old: old.as_ref(), new: &new, session, so_far: &so_far };
    if let (Some(old_name), Some(new_name)) = (old_entry, entry) {
        return work.functions(old_name, new_name);
    }
    let start = Instant::now();
    let question = Question {
        entry: entry.as_deref(),
        rules: settings.rules,
        across: settings.across,
        overflow: settings.config.checks.overflow,
    };
    let mut found = match (&old, lines) {
        (Some(old), _) => Analysis::of_versions(old, &new, &question)?,
        (None, Some(lines)) => Analysis::of_lines(&new, lines, &question)?,
        (None, None) => bail!("there is no change to explore"),
    };
    if old.is_some() && (with_threads || entry.is_none()) {
        found.judge_threads(old_program, &new.program, entry.as_deref())?;
    }
    if found.entries.iter().any(|&entry| work.has_threads(entry)) {
        settings.refuse_for_threads()?;
    }
    let analysis_ms = start.elapsed().as_secs_f64() * 1e3;
    work.changed(&found, &question, analysis_ms)
}

/// Lays out both versions of a program in a repository, which then are versions like others.
fn laid_out(settings: &mut DiffSettings, session: &Session) -> Result<Option<ComparedSources>> {
    let Change::Program(program) = &settings.change else { return Ok(None) };
    let witnesses = settings.verdict.as_ref().is_some_and(|verdict| verdict.witnesses.is_some());
    let sources = match settings.tests.is_some() || witnesses {
        true => program.lay_out_for_tests(session)?,
        false => program.lay_out(session)?,
    };
    settings.new = sources.new.clone();
    settings.change = Change::Versions { old: sources.old.clone() };
    Ok(Some(sources))
}

/// What is compared and explored, and how.
struct Work<'a> {
    settings: &'a DiffSettings,
    old: Option<&'a OldVersion>,
    new: &'a Loaded,
    session: &'a Session,
    so_far: &'a SoFar,
}

impl<'a> Work<'a> {
    /// Compares two functions of different names: nothing is known of what changed between them.
    fn functions(&self, old_name: &str, new_name: &str) -> Result<Status> {
        let Some(verdict) = &self.settings.verdict else {
            bail!("functions of two names are only compared: leave out --no-verdict")
        };
        let old_program = self.old.map_or(&self.new.program, |old| &old.program);
        let in_old = if self.old.is_some() { "in OLD" } else { "for --entry" };
        let in_new = if self.old.is_some() { "in NEW" } else { "for --with" };
        let old = find_function(old_program, old_name).context(in_old)?;
        let new = find_function(&self.new.program, new_name).context(in_new)?;
        let judge = self.judge(verdict);
        let witnesses = self.witness_target()?;
        let difference = Difference { strategy: DiffStrategy::Verdict, ..self.difference()? };
        self.so_far.analysed(&difference);
        let verdicts = judge.functions(old, new)?;
        self.session.reports();
        self.show_verdicts(&verdicts, true)?;
        self.write_witnesses(witnesses, &verdicts)?;
        let difference = Difference { verdicts: Some(verdicts), ..difference };
        self.finish(&judge, difference, &[])
    }

    /// Compares what changed, and explores the affected paths.
    fn changed(&self, found: &Analysis<'a>, question: &Question<'_>, analysis_ms: f64) -> Result<Status> {
        let DiffSettings { strategy, rules, across, tests, verdict, config, cover, .. } = self.settings;
        // Before the work, not after it.
        let target = tests.as_ref().map(|tests| NewTestFolder::new(&tests.directory)).transpose()?;
        let witnesses = self.witness_target()?;
        let (added, removed) = found.lone_functions();
        let mut difference = Difference {
            strategy: if cover.is_some() { DiffStrategy::Cover } else { (*strategy).into() },
            rules: (*rules).into(),
            scope: if *across { "program" } else { "function" }.to_owned(),
            functions: found.described(),
            added,
            removed,
            calls: self.calls(),
            notes: found.notes(),
            analysis_ms,
            ..self.difference()?
        };
        // Of programs with threads the sets of outcomes are compared, and that is all.
        let threads = |&entry: &FunctionId| self.has_threads(entry);
        let only_threads =
            !self.settings.executions && !found.entries.is_empty() && found.entries.iter().all(threads);
        if only_threads {
            difference.strategy = DiffStrategy::Verdict;
        }
        self.so_far.analysed(&difference);
        let judge = verdict.as_ref().map(|verdict| self.judge(verdict));
        if let (Some(judge), Some(old)) = (&judge, self.old) {
            let verdicts = self.verdicts(judge, old, found, question)?;
            self.so_far.judged(&verdicts);
            // Before, not after: nothing is to be shown twice.
            self.so_far.shown();
            self.show_verdicts(&verdicts, judge.settings.only || only_threads)?;
            self.write_witnesses(witnesses, &verdicts)?;
            difference.verdicts = Some(verdicts);
        }
        if judge.as_ref().is_none_or(|judge| !judge.settings.only) && !only_threads {
            self.explore(found)?;
        }
        // From here on there is nothing left to search.
        self.session.reports();
        (difference.entries, difference.old_entries) = self
            .so_far
            .difference(|found| (std::mem::take(&mut found.entries), std::mem::take(&mut found.old_entries)));
        let mut written = Vec::new();
        if let (Some(tests), Some(target)) = (tests, target) {
            let options = tests.folder_options(config);
            written = write_tests(target, &mut difference, &found.entries, self.new, &options)?;
        }
        match &judge {
            Some(judge) => self.finish(judge, difference, &written),
            None => self.report(difference, &written, None),
        }
    }

    /// Who calls whom, for reports that show it.
    fn calls(&self) -> Option<CallGraph> {
        let old = self.old.filter(|_| self.settings.reports.wants_details())?;
        Some(concerned_calls(old, self.new))
    }

    /// A verdict needs to know everything that the change can reach, whatever is explored.
    fn verdicts(
        &self,
        judge: &VersionJudge<'a>,
        old: &'a OldVersion,
        found: &Analysis<'a>,
        question: &Question<'_>,
    ) -> Result<Verdicts> {
        let below = question.entry.is_some();
        let complete = Question { rules: RuleSet::Complete, across: true, ..*question };
        let mut verdicts = match question.across && question.rules == RuleSet::Complete {
            true => judge.versions(found, below)?,
            false => judge.versions(&Analysis::of_versions(old, self.new, &complete)?, below)?,
        };
        // Who asks for a function wants to know about that one.
        if !below {
            let analysed = |name: &str| {
                Analysis::of_versions(old, self.new, &Question { entry: Some(name), ..complete })
            };
            judge.through_callers(&mut verdicts, &analysed)?;
        }
        Ok(verdicts)
    }

    fn judge<'j>(&'j self, settings: &'j VerdictSettings) -> VersionJudge<'j> {
        let new = NativeSource::of(self.new);
        let old = self.old.map_or(new, |old| old.native(self.new));
        let (session, so_far, start) = (self.session, self.so_far, Instant::now());
        let (stored, begin_otherwise) = Default::default();
        VersionJudge { old, new, settings, session, so_far, start, stored, begin_otherwise }
    }

    /// A place for the witnesses, found out to be usable before the work is done.
    fn witness_target(&self) -> Result<Option<NewTestFolder<'_>>> {
        let witnesses = self.settings.verdict.as_ref().and_then(|verdict| verdict.witnesses.as_ref());
        Ok(witnesses.map(|tests| NewTestFolder::new(&tests.directory)).transpose()?)
    }

    fn write_witnesses(&self, target: Option<NewTestFolder<'_>>, verdicts: &Verdicts) -> Result<()> {
        let settings = self.settings.verdict.as_ref();
        let tests = settings.and_then(|verdict| Some((verdict.witnesses.as_ref()?, &verdict.config)));
        match target.zip(tests) {
            Some((target, tests)) => witnesses::write(target, verdicts, self.new, tests, self.session),
            None => Ok(()),
        }
    }

    /// What is the same for everything that is found.
    fn difference(&self) -> Result<Difference> {
        let new = version(&self.new.sources)?;
        let old = match (self.old, &self.settings.change) {
            (Some(old), _) => Some(version(&old.sources)?),
            (None, Change::Functions) => Some(new.clone()),
            (None, _) => None,
        };
        Ok(Difference { old, new, ..Difference::default() })
    }

    /// Whether a function of NEW starts threads there, or in OLD.
    fn has_threads(&self, entry: FunctionId) -> bool {
        let name = &self.new.program.functions[entry].name;
        let old = self.old.map_or(&self.new.program, |old| &old.program);
        threads::starts(&self.new.program, Some(name)) || threads::starts(old, Some(name))
    }

    /// Explores the affected paths.
    fn explore(&self, found: &Analysis<'a>) -> Result<()> {
        let DiffSettings { strategy, trace, compare, cover, config, both, .. } = self.settings;
        let job = Job { strategy: *strategy, trace: *trace, compare: *compare, cover: *cover };
        let explorer = |program, sources| {
            let config = (config, &self.settings.reading);
            Explorer::new((program, sources), config, self.session, job)
        };
        let new_explorer = explorer(&self.new.program, &self.new.sources)?;
        let DiffSettings { executions, schedules, compared, .. } = self.settings;
        let threads = ThreadJob { schedules: *schedules, compared };
        let explored = found.entries.iter().copied();
        let entries: Vec<_> = explored.filter(|&entry| *executions || !self.has_threads(entry)).collect();
        let with_scope = entries.iter().filter(|&&entry| found.new_scope(entry).is_some());
        let names = with_scope.map(|&entry| self.new.program.functions[entry].name.clone());
        self.so_far.exploring(names.collect());
        for &entry in &entries {
            let Some((scope, changed)) = found.new_scope(entry) else { continue };
            let old = self.old.filter(|_| self.has_threads(entry));
            let explored = match (self.session.stopped_by(), old) {
                (Some(limit), _) => new_explorer.not_explored(entry, changed, limit),
                (None, Some(old)) => new_explorer.explore_threads(&old.program, entry, &threads)?,
                (None, None) => new_explorer.explore(scope, entry, changed, found.effects())?,
            };
            self.so_far.difference(|found| found.entries.push(explored));
        }
        if let Some(old) = self.old.filter(|_| *both) {
            let old_explorer = explorer(&old.program, &old.sources)?;
            for &entry in &entries {
                let Some((entry, scope, changed)) = found.old_scope(entry) else { continue };
                let explored = match self.session.stopped_by() {
                    Some(limit) => old_explorer.not_explored(entry, changed, limit),
                    None => old_explorer.explore(scope, entry, changed, None)?,
                };
                self.so_far.difference(|found| found.old_entries.push(explored));
            }
        }
        Ok(())
    }

    /// Text is shown as soon as it is known: the verdict does not wait for the paths.
    fn show_verdicts(&self, verdicts: &Verdicts, only: bool) -> Result<()> {
        let output = &self.settings.output;
        let nothing = verdicts.entries.is_empty() && verdicts.reasons.is_empty();
        if output.format != Format::Text || (nothing && !only) {
            return Ok(());
        }
        write_data(|out| {
            verdict_text::render(verdicts, &self.so_far.told(), output.text, out)?;
            if only || output.text.quiet { Ok(()) } else { writeln!(out) }
        })
    }

    /// Reports what was found, and tells the exit status that the verdict gives.
    fn finish(
        &self,
        judge: &VersionJudge<'_>,
        difference: Difference,
        written: &[WrittenTests],
    ) -> Result<Status> {
        let status = difference.verdicts.as_ref().map(|verdicts| verdict::status(verdicts, judge.settings));
        self.report(difference, written, status)
    }

    /// Shows what was found, runs the tests if that was asked for, and tells the exit status.
    fn report(
        &self,
        difference: Difference,
        written: &[WrittenTests],
        verdict: Option<Status>,
    ) -> Result<Status> {
        let DiffSettings { output, tests, .. } = self.settings;
        let only = self.settings.verdict.as_ref().is_some_and(|verdict| verdict.only)
            || difference.strategy == DiffStrategy::Verdict;
        // Text is shown as soon as it is known; JSON is one document, so it waits for the replay.
        if output.format == Format::Text {
            write_data(|out| show(&difference, output, only, out))?;
        }
        let mut status = verdict.unwrap_or_else(|| status(&difference, self.settings.cover.is_some()));
        let mut replays = Vec::new();
        if let Some(tests) = tests {
            for (entry, written) in difference.entries.iter().zip(written) {
                let directory = match written_folders(&difference) {
                    true => tests.directory.join(folder_name(&entry.run.program.entry)),
                    false => tests.directory.clone(),
                };
                say_written(self.session, written, &directory, tests.c_tests);
            }
            if tests.replay {
                replays = replay_all(written, self.new, output, self.session)?;
                status = replays.iter().map(Status::of_replay).fold(status, Status::worse);
                if self.session.is_interrupted() {
                    status = status.worse(Status::Undecided);
                }
            }
        }
        if output.format == Format::Json {
            write_data(|out| difference::json::render(&difference, &replays, out))?;
        }
        if let Some(verdict) = &self.settings.verdict {
            let DiffSettings { reports, places, .. } = self.settings;
            reports.write(&RepositoryReport::of_difference(&difference), places, verdict)?;
        }
        // The process ends here: giving back the memory of many paths one by one would only take time.
        std::mem::forget(difference);
        Ok(status)
    }
}
