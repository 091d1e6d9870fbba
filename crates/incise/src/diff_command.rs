//! `incise diff`: explore the paths of the new version that a change affects, report them, write tests for them.

use crate::arguments::Format;
use crate::change_model::{Describer, lone_functions, version};
use crate::changed_lines::{LineRanges, impact_of_lines};
use crate::directed::{Explorer, Job};
use crate::exit::Status;
use crate::frontend::{self, Loaded};
use crate::output::{talk, write_data};
use crate::replay::{ReplaySettings, replay};
use crate::run::{REPLAY_TIMEOUT, say_written};
use crate::settings::{Change, DiffSettings, OutputSettings, TestSettings};
use crate::sources::Sources;
use crate::suite::{SuiteOptions, Target, Written, folder_name};
use crate::versions::OldVersion;
use crate::{replay_command, versions};
use anyhow::{Context, Result, bail};
use incise_change::{Effects, FunctionImpact, Impact, Rules, Versions};
use incise_ir::{FunctionId, Program};
use incise_report::replay::render_text;
use incise_report::{Difference, Entry, Replay, difference_json, difference_text};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Does what `incise diff` is asked to do.
pub(crate) fn run(settings: DiffSettings, interrupt: Arc<AtomicBool>) -> Result<Status> {
    let DiffSettings { new, change, entry, strategy, rules, trace, compare, config, tests, output } =
        settings;
    let quiet = output.text.quiet;
    let mut say = |warning: &str| {
        if !quiet {
            talk(warning)
        }
    };
    let color = output.color_talk;
    let (old, new, lines) = match change {
        Change::Versions { old } => {
            let (old, new) = versions::load(old, new, color, &interrupt, &mut say)?;
            (Some(old), new, None)
        }
        Change::Lines(lines) => (None, frontend::load(new, color, &interrupt, &mut say)?, Some(lines)),
    };
    let start = Instant::now();
    let found = Analysis::new(old.as_ref(), &new, lines.as_ref(), rules.into(), config.checks.overflow)?;
    let analysis_ms = start.elapsed().as_secs_f64() * 1e3;
    let mut notes = found.signature_notes(&old, &new.program);
    let entries = found.entries(&old, &new, entry.as_deref(), &mut notes)?;
    // Before the work, not after it.
    let target = tests.as_ref().map(|tests| Target::new(&tests.directory)).transpose()?;
    let explorer = Explorer::new(
        &new,
        &config,
        &interrupt,
        quiet,
        Job { strategy, rules: rules.into(), trace, compare },
    )?;
    let explored: Result<Vec<Entry>> =
        entries.iter().map(|each| explorer.explore(each, found.effects.as_ref())).collect();
    let (added, removed) = found.versions.as_ref().map(lone_functions).unwrap_or_default();
    let mut difference = Difference {
        old: old.as_ref().map(|old| version(&old.sources)).transpose()?,
        new: version(&new.sources)?,
        strategy: strategy.name().to_owned(),
        rules: rules.name().to_owned(),
        functions: found.described(&old, &new.program, &entries),
        added,
        removed,
        entries: explored?,
        notes,
        analysis_ms,
    };
    let functions: Vec<FunctionId> = entries.iter().map(|each| each.function).collect();
    let mut written = Vec::new();
    if let (Some(tests), Some(target)) = (&tests, target) {
        let options = SuiteOptions::of(tests, &config);
        written = write_tests(target, &mut difference, &functions, &new, &options)?;
    }
    let status = report(&difference, &output, &new, tests.as_ref(), &written, &interrupt)?;
    // The process ends here: giving back the memory of many paths one by one would only take time.
    std::mem::forget(difference);
    Ok(status)
}

/// What the change means, statically.
struct Analysis {
    /// The functions of both versions, if there are two.
    versions: Option<Versions>,
    /// The functions that changed or call what changed.
    functions: Vec<FunctionImpact>,
    effects: Option<Effects>,
}

impl Analysis {
    /// Of two versions, or of one with changed lines.
    fn new(
        old: Option<&OldVersion>,
        new: &Loaded,
        lines: Option<&LineRanges>,
        rules: Rules,
        overflow: bool,
    ) -> Result<Self> {
        if let Some(lines) = lines {
            let effects = Effects::with_overflow_checks(&new.program, overflow);
            let functions = impact_of_lines(&new.program, &new.sources, lines, rules, &effects)?;
            return Ok(Self { versions: None, functions, effects: Some(effects) });
        }
        let old = old.context("there is no change to explore")?;
        let impact = Impact::new(&old.program, &new.program, rules, overflow);
        versions::refuse_strangers(&impact.versions)?;
        Ok(Self { versions: Some(impact.versions), functions: impact.functions, effects: impact.effects })
    }

    fn old_of(&self, function: FunctionId) -> Option<FunctionId> {
        self.versions.as_ref()?.functions.iter().find(|pair| pair.new == Some(function))?.old
    }

    /// The functions to explore: the one that was asked for, or those that changed, and `main`.
    fn entries(
        &self,
        old: &Option<OldVersion>,
        new: &Loaded,
        wanted: Option<&str>,
        notes: &mut Vec<String>,
    ) -> Result<Vec<&FunctionImpact>> {
        if let Some(name) = wanted {
            self.refuse_lone(name, old, new)?;
            let function = frontend::find_function(&new.program, name)?;
            let found = self.functions.iter().find(|each| each.function == function);
            if found.is_none() {
                notes.push(format!("{name} did not change, and calls nothing that did"));
            }
            return Ok(found.into_iter().collect());
        }
        let mut entries = Vec::new();
        for each in self.functions.iter().filter(|each| each.changed || each.name == "main") {
            if new.program.function_named(&each.name) == Some(each.function) {
                entries.push(each);
            } else {
                notes.push(format!(
                    "{} is not explored: several files have a static function of that name",
                    each.name
                ));
            }
        }
        Ok(entries)
    }

    /// A function that only one version has cannot be compared.
    fn refuse_lone(&self, name: &str, old: &Option<OldVersion>, new: &Loaded) -> Result<()> {
        let files = |sources: &Sources| sources.file_texts().join(" ");
        let Some(pair) = self.versions.as_ref().and_then(|versions| versions.named(name)) else {
            return Ok(());
        };
        match (pair.old, pair.new) {
            (None, Some(_)) => bail!(
                "{name} was added: OLD has no such function to compare with; `incise run {} --entry {name}` explores it",
                files(&new.sources)
            ),
            (Some(_), None) => bail!(
                "{name} was removed: NEW has no such function; `incise run {} --entry {name}` explores what it was",
                old.as_ref().map_or_else(String::new, |old| files(&old.sources))
            ),
            _ => Ok(()),
        }
    }

    fn signature_notes(&self, old: &Option<OldVersion>, new: &Program) -> Vec<String> {
        let describer = self.describer(old, new);
        let changed = self.functions.iter().filter(|each| each.signature_changed);
        let note = |each: &FunctionImpact| {
            let (before, after) = describer.function(each, self.old_of(each.function)).signature?;
            Some(format!("the signature of {} changed: it was {before}, and is {after}", each.name))
        };
        changed.filter_map(note).collect()
    }

    fn describer<'a>(&self, old: &'a Option<OldVersion>, new: &'a Program) -> Describer<'a> {
        let mut dirty = self.versions.as_ref().map(Versions::changed_new).unwrap_or_default();
        dirty.extend(self.functions.iter().map(|each| each.function));
        Describer::new(old.as_ref().map(|old| &old.program), new, dirty)
    }

    /// The functions that changed, and those that are explored.
    fn described(
        &self,
        old: &Option<OldVersion>,
        new: &Program,
        entries: &[&FunctionImpact],
    ) -> Vec<incise_report::FunctionImpact> {
        let describer = self.describer(old, new);
        let explored: BTreeSet<FunctionId> = entries.iter().map(|each| each.function).collect();
        let shown = self.functions.iter().filter(|each| each.changed || explored.contains(&each.function));
        shown.map(|each| describer.function(each, self.old_of(each.function))).collect()
    }
}

/// Writes the tests: of one entry into the folder itself, of several each into a folder of its own.
fn write_tests(
    target: Target<'_>,
    difference: &mut Difference,
    functions: &[FunctionId],
    new: &Loaded,
    options: &SuiteOptions<'_>,
) -> Result<Vec<Written>> {
    let runs: Vec<_> =
        difference.entries.iter().map(|entry| &entry.run).zip(functions.iter().copied()).collect();
    let written = match runs.as_slice() {
        [(run, function)] => vec![target.write(run, &new.program, *function, &new.sources, options)?],
        several => target.write_each(several, &new.program, &new.sources, options)?,
    };
    for (entry, written) in difference.entries.iter_mut().zip(&written) {
        // Tests are in the order of their paths; a path without inputs has none.
        let with_inputs = entry.run.paths.iter().map(|path| path.inputs.is_some());
        let mut names = written.suite.tests.iter().map(|test| test.name.clone());
        for (change, has_test) in entry.changes.iter_mut().zip(with_inputs) {
            change.test = if has_test { names.next() } else { None };
        }
    }
    Ok(written)
}

/// Shows what was found, runs the tests if that was asked for, and tells the exit status.
fn report(
    difference: &Difference,
    output: &OutputSettings,
    new: &Loaded,
    tests: Option<&TestSettings>,
    written: &[Written],
    interrupt: &Arc<AtomicBool>,
) -> Result<Status> {
    // Text is shown as soon as it is known; JSON is one document, so it waits for the replay.
    if output.format == Format::Text {
        write_data(|out| difference_text::render(difference, output.text, out))?;
    }
    let mut status = status(difference);
    let mut replays = Vec::new();
    if let Some(tests) = tests {
        for (entry, written) in difference.entries.iter().zip(written) {
            let directory = match written_folders(difference) {
                true => tests.directory.join(folder_name(&entry.run.program.entry)),
                false => tests.directory.clone(),
            };
            say_written(written, &directory, tests.c_tests, output.text.quiet);
        }
        if tests.replay {
            replays = replay_all(written, new, output, interrupt)?;
            status = replays.iter().map(replay_command::status).fold(status, Status::worse);
        }
    }
    if output.format == Format::Json {
        write_data(|out| difference_json::render(difference, &replays, out))?;
    }
    Ok(status)
}

/// Whether each entry has a folder of its own.
fn written_folders(difference: &Difference) -> bool {
    difference.entries.len() != 1
}

fn replay_all(
    written: &[Written],
    new: &Loaded,
    output: &OutputSettings,
    interrupt: &Arc<AtomicBool>,
) -> Result<Vec<Replay>> {
    let settings =
        ReplaySettings { timeout: REPLAY_TIMEOUT, jobs: replay_command::default_jobs(), interrupt };
    let mut replays = Vec::new();
    for written in written.iter().filter(|written| !written.suite.tests.is_empty()) {
        let result = replay(&written.suite, new, &settings)?;
        if output.format == Format::Text {
            write_data(|out| render_text(&result, output.text.color, out))?;
        }
        replays.push(result);
    }
    Ok(replays)
}

/// Affected paths found, or cut without one, or neither.
fn status(difference: &Difference) -> Status {
    match (difference.affected_count(), difference.complete()) {
        (0, true) => Status::Nothing,
        (0, false) => Status::Undecided,
        _ => Status::Found,
    }
}
