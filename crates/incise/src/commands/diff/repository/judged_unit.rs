//! The verdicts on one unit: as `incise diff OLD NEW` makes them for two files.

use super::data::changed_data;
use super::details::Details;
use crate::arguments::Format;
use crate::change::analysis::{Analysis, Question};
use crate::change::rules::RuleSet;
use crate::commands::diff::so_far::SoFar;
use crate::commands::diff::verdict::VersionJudge;
use crate::commands::diff::verdict_settings::VerdictSettings;
use crate::commands::threads;
use crate::session::{Kept, Session};
use crate::settings::OutputSettings;
use crate::trees::Prepared;
use anyhow::Result;
use incise_frontend::versions::OldVersion;
use incise_frontend::{FrontendError, Loaded, NativeSource};
use incise_incremental::initial;
use incise_ir::{FunctionId, Program};
use incise_report::repository::{Reached, UnitReport};
use incise_report::verdict::Verdicts;
use incise_repository::build::UnitPair;
use incise_repository::{LeftOut, LeftOutKind};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// What the entries of a unit call that other units may have.
pub(super) type Calls = BTreeMap<String, BTreeSet<String>>;

/// What was found so far of units in work, by their names.
pub(super) type InWork = Kept<BTreeMap<String, SoFar>>;

/// What was found of a unit.
#[derive(Clone)]
pub(super) struct Judged {
    pub(super) report: UnitReport,
    pub(super) calls: Calls,
}

/// Units that were read.
pub(super) struct LoadedUnits {
    /// What they are called.
    name: String,
    /// Both versions, or why they cannot be read.
    versions: Result<(OldVersion, Loaded), String>,
    notes: Vec<String>,
}

/// What units are judged with.
pub(super) struct UnitJudge<'a> {
    pub(super) prepared: &'a Prepared,
    pub(super) settings: &'a VerdictSettings,
    /// The one function that is asked for, if one is.
    pub(super) entry: Option<&'a str>,
    /// The functions of those that changed that are asked for, if not all are.
    pub(super) only: Option<&'a BTreeSet<String>>,
    pub(super) output: &'a OutputSettings,
    /// Where units in work leave what they have found so far.
    pub(super) in_work: &'a InWork,
    pub(super) session: &'a Session,
    /// What reports show of units beside verdicts.
    pub(super) details: Option<Details<'a>>,
}

impl UnitJudge<'_> {
    /// Compares all functions of a unit that changed, within a share of the time.
    pub(super) fn judge(&self, pair: &UnitPair, share: Duration) -> Result<Judged> {
        self.judge_group(&pair.name, &[pair], share)
    }

    /// The same for units that are linked.
    fn judge_group(&self, name: &str, pairs: &[&UnitPair], share: Duration) -> Result<Judged> {
        self.judge_loaded(&self.load_group(name, pairs)?, share)
    }

    /// Reads units, linked if they are several.
    pub(super) fn load_group(&self, name: &str, pairs: &[&UnitPair]) -> Result<LoadedUnits> {
        let (old, new) = self.prepared.sources(pairs);
        let (loaded, notes) = self.session.load_unit(old, new);
        let notes = notes.into_iter().map(|note| note.trim_start_matches("note: ").to_owned());
        let versions = match loaded {
            Ok(versions) => Ok(versions),
            Err(error) if self.session.is_interrupted() => return Err(error.into()),
            Err(error) => Err(in_short(&error)),
        };
        Ok(LoadedUnits { name: name.to_owned(), versions, notes: notes.collect() })
    }

    /// Compares units that were read.
    pub(super) fn judge_loaded(&self, units: &LoadedUnits, share: Duration) -> Result<Judged> {
        let LoadedUnits { name, versions, notes } = units;
        let report = UnitReport { name: name.clone(), notes: notes.clone(), ..UnitReport::default() };
        let mut judged = Judged { report, calls: Calls::new() };
        match versions {
            Ok((old, new)) => self.compare(old, new, share, &mut judged)?,
            Err(why) => judged.report.reached = Reached::Failed(why.clone()),
        }
        self.name_files(&mut judged.report);
        Ok(judged)
    }

    fn compare(&self, old: &OldVersion, new: &Loaded, share: Duration, judged: &mut Judged) -> Result<()> {
        let Judged { report, calls } = judged;
        let data = changed_data(&old.program, &new.program);
        if self.has_nothing(&old.program, &new.program) {
            (report.verdicts.reasons, report.reached) = (data, Reached::Compared);
            return Ok(());
        }
        if self.entry.is_none()
            && let Some((gone, fresh)) = exchanged(&old.program, &new.program)
        {
            (report.removed, report.added) = (gone, fresh);
            (report.verdicts.reasons, report.reached) = (data, Reached::Compared);
            return Ok(());
        }
        let mut settings = self.settings.clone();
        settings.shared_time = share;
        settings.config.limits.time = settings.config.limits.time.min(share);
        initial::of_versions(&old.program, &new.program, &mut settings.config.inputs);
        settings.reading.initial.clone_from(&settings.config.inputs.initial);
        let overflow = settings.config.checks.overflow;
        let question = Question { entry: self.entry, rules: RuleSet::Complete, across: true, overflow };
        let mut found = match Analysis::of_versions(old, new, &question) {
            Ok(found) => found,
            Err(error) => {
                report.reached = Reached::Failed(crate::words::of_error(&error));
                return Ok(());
            }
        };
        (report.added, report.removed) = found.lone_functions();
        *calls = called_elsewhere(&found, &new.program, &self.prepared.configuration.entries);
        report.notes.extend(found.notes());
        self.leave_out(&mut found, &new.program, report);
        let reasons = data;
        let with_threads =
            threads::starts(&old.program, self.entry) || threads::starts(&new.program, self.entry);
        if with_threads || self.entry.is_none() {
            found.judge_threads(&old.program, &new.program, self.entry)?;
        }
        if let Some(shard) = self.settings.parts.shard() {
            found.entries.retain(|entry| shard.has(&report.name, &new.program.functions[*entry].name));
        }
        if let Some(only) = self.only {
            found.entries.retain(|entry| only.contains(&new.program.functions[*entry].name));
        }
        let so_far = SoFar::silent(&OutputSettings { format: Format::Json, ..self.output.clone() });
        self.in_work.with(|units| units.insert(report.name.clone(), so_far.clone()));
        let native = NativeSource::of(new);
        let judge = VersionJudge {
            old: old.native(new),
            new: native,
            settings: &settings,
            session: self.session,
            so_far: &so_far,
            start: Instant::now(),
            stored: Default::default(),
            begin_otherwise: Default::default(),
        };
        let mut verdicts: Verdicts = judge.versions(&found, self.entry.is_some())?;
        if self.entry.is_none() {
            let analysed =
                |name: &str| Analysis::of_versions(old, new, &Question { entry: Some(name), ..question });
            judge.through_callers(&mut verdicts, &analysed)?;
        }
        if self.entry.is_none() && self.only.is_none() {
            self.add_entries(&judge, (&report.name, old, new), &question, &mut verdicts)?;
        }
        verdicts.reasons.extend(reasons);
        if let Some(details) = self.details {
            details.add((old, new), (&found, &settings.reading), (self.session, share), report)?;
        }
        // A reason is said as one.
        report.notes.retain(|note| !verdicts.reasons.contains(note));
        (report.verdicts, report.reached) = (verdicts, Reached::Compared);
        Ok(())
    }

    /// Whether there is nothing to compare in a unit: no function at all, or not the one that is asked for.
    fn has_nothing(&self, old: &Program, new: &Program) -> bool {
        let wanted = |program: &Program| {
            let mut own = program.functions.iter().filter(|(_, each)| each.is_definition() && !each.model);
            own.any(|(_, each)| self.entry.is_none_or(|entry| each.name == entry))
        };
        !wanted(old) && !wanted(new)
    }

    /// Leaves functions out that the repository says not to look at.
    fn leave_out(&self, found: &mut Analysis<'_>, program: &Program, report: &mut UnitReport) {
        for LeftOut { what, reason } in &self.prepared.configuration.left_out {
            let LeftOutKind::Function(name) = what else { continue };
            let count = found.entries.len();
            found.entries.retain(|entry| program.functions[*entry].name != *name);
            if found.entries.len() < count {
                report.left_out.push(format!("{name} ({reason})"));
            }
        }
    }

    /// Compares functions that the repository names, if the change concerns them and they are not compared already.
    fn add_entries<'v>(
        &self,
        judge: &VersionJudge<'v>,
        (unit, old, new): (&str, &'v OldVersion, &'v Loaded),
        question: &Question<'_>,
        verdicts: &mut Verdicts,
    ) -> Result<()> {
        let has = |program: &Program, name: &str| {
            program.function_named(name).is_some_and(|id| program.functions[id].is_definition())
        };
        for name in &self.prepared.configuration.entries {
            let known = verdicts.entries.iter().any(|each| each.entry == *name);
            let elsewhere = self.settings.parts.shard().is_some_and(|shard| !shard.has(unit, name));
            if known || elsewhere || !has(&old.program, name) || !has(&new.program, name) {
                continue;
            }
            let found = Analysis::of_versions(old, new, &Question { entry: Some(name), ..*question })?;
            verdicts.entries.extend(judge.versions(&found, false)?.entries);
        }
        Ok(())
    }

    /// Names files from the top of the repository.
    fn name_files(&self, report: &mut UnitReport) {
        let rename = |text: &mut String| self.prepared.rename(text);
        let verdicts = &mut report.verdicts;
        for comparison in verdicts.entries.iter_mut().chain(&mut verdicts.below) {
            comparison.rename_files(&rename);
        }
        verdicts.reasons.iter_mut().chain(&mut report.notes).for_each(rename);
        Details::rename_files(report, &rename);
        if let Reached::Failed(why) = &mut report.reached {
            rename(why);
        }
    }
}

/// What entries call, by themselves or by what they call, that has neither a body here nor a model. So do functions
/// that are named, if they are here.
fn called_elsewhere(found: &Analysis<'_>, program: &Program, named: &[String]) -> Calls {
    let Some(effects) = found.effects() else { return Calls::new() };
    let elsewhere = |id: &FunctionId| {
        let function = &program.functions[*id];
        !function.is_definition() && !function.model && !function.name.starts_with("llvm.")
    };
    let one = |&entry: &FunctionId| {
        let reached = effects.reachable(entry).into_iter().filter(elsewhere);
        let names = reached.map(|id| program.functions[id].name.clone()).collect();
        (program.functions[entry].name.clone(), names)
    };
    let named = named.iter().filter_map(|name| program.function_named(name));
    let named: Vec<FunctionId> = named.filter(|id| program.functions[*id].is_definition()).collect();
    found.entries.iter().chain(&named).map(one).collect()
}

/// The functions of both versions if they have none in common: all of one are gone, and all of the other are new.
fn exchanged(old: &Program, new: &Program) -> Option<(Vec<String>, Vec<String>)> {
    let names = |program: &Program| -> BTreeSet<String> {
        let own = program.functions.iter().filter(|(_, each)| each.is_definition() && !each.model);
        own.map(|(_, each)| each.name.clone()).collect()
    };
    let (gone, fresh) = (names(old), names(new));
    gone.is_disjoint(&fresh).then(|| (gone.into_iter().collect(), fresh.into_iter().collect()))
}

/// Why a unit cannot be read, in a line: of what clang says, the first error.
fn in_short(error: &FrontendError) -> String {
    let text = error.to_string();
    match text.lines().find(|line| line.contains("error:")) {
        Some(line) => format!("it does not compile: {}", line.trim()),
        None => text,
    }
}
