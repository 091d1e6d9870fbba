//! `incise diff`: explore the paths of the new version that a change affects, report them, write tests for them.

use crate::arguments::Format;
use crate::change_analysis::{Analysis, Question};
use crate::change_model::version;
use crate::cover_model::name_tests;
use crate::directed::{Explorer, Job};
use crate::exit::Status;
use crate::frontend::{self, Loaded};
use crate::output::{talk, write_data};
use crate::replay::{ReplaySettings, replay};
use crate::run::{REPLAY_TIMEOUT, say_written};
use crate::settings::{Change, DiffSettings, OutputSettings, TestSettings};
use crate::suite::{SuiteOptions, Target, Written, folder_name};
use crate::{replay_command, versions};
use anyhow::{Result, bail};
use incise_ir::FunctionId;
use incise_report::replay::render_text;
use incise_report::{Difference, Replay, difference_json, difference_text};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Does what `incise diff` is asked to do.
pub(crate) fn run(settings: DiffSettings, interrupt: Arc<AtomicBool>) -> Result<Status> {
    let DiffSettings {
        new,
        change,
        entry,
        strategy,
        rules,
        across,
        both,
        trace,
        compare,
        cover,
        config,
        tests,
        output,
    } = settings;
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
    let question = Question { entry: entry.as_deref(), rules, across, overflow: config.checks.overflow };
    let found = match (&old, &lines) {
        (Some(old), _) => Analysis::of_versions(old, &new, &question)?,
        (None, Some(lines)) => Analysis::of_lines(&new, lines, &question)?,
        (None, None) => bail!("there is no change to explore"),
    };
    let analysis_ms = start.elapsed().as_secs_f64() * 1e3;
    // Before the work, not after it.
    let target = tests.as_ref().map(|tests| Target::new(&tests.directory)).transpose()?;
    let job = Job { strategy, trace, compare, cover };
    let explorer = |program, sources| Explorer::new((program, sources), &config, &interrupt, quiet, job);
    let new_explorer = explorer(&new.program, &new.sources)?;
    let mut entries = Vec::new();
    for &entry in &found.entries {
        let Some((scope, changed)) = found.new_scope(entry) else { continue };
        entries.push(new_explorer.explore(scope, entry, changed, found.effects())?);
    }
    let mut old_entries = Vec::new();
    if let Some(old) = old.as_ref().filter(|_| both) {
        let old_explorer = explorer(&old.program, &old.sources)?;
        for &entry in &found.entries {
            let Some((entry, scope, changed)) = found.old_scope(entry) else { continue };
            old_entries.push(old_explorer.explore(scope, entry, changed, None)?);
        }
    }
    let (added, removed) = found.lone_functions();
    let mut difference = Difference {
        old: old.as_ref().map(|old| version(&old.sources)).transpose()?,
        new: version(&new.sources)?,
        strategy: if cover.is_some() { "cover" } else { strategy.name() }.to_owned(),
        rules: rules.name().to_owned(),
        scope: if across { "program" } else { "function" }.to_owned(),
        functions: found.described(),
        added,
        removed,
        entries,
        old_entries,
        notes: found.notes(),
        analysis_ms,
    };
    let mut written = Vec::new();
    if let (Some(tests), Some(target)) = (&tests, target) {
        let options = SuiteOptions::of(tests, &config);
        written = write_tests(target, &mut difference, &found.entries, &new, &options)?;
    }
    let status = report(&difference, &output, &new, tests.as_ref(), &written, &interrupt)?;
    // The process ends here: giving back the memory of many paths one by one would only take time.
    std::mem::forget(difference);
    Ok(status)
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
        let tests = entry.run.paths.iter().zip(&entry.changes);
        let tests = tests.filter_map(|(path, change)| Some((path.id, change.test.clone()?))).collect();
        if let Some(cover) = &mut entry.cover {
            name_tests(cover, &tests);
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
    // What was not reached says more than that something else was cut.
    let undecided =
        |entry: &incise_report::Entry| entry.cover.as_ref().is_some_and(|cover| !cover.is_decided());
    if difference.strategy == "cover" && !difference.entries.iter().any(undecided) {
        let found = difference.entries.iter().any(|entry| !entry.run.paths.is_empty());
        return if found { Status::Found } else { Status::Nothing };
    }
    match (difference.affected_count() + difference.old_affected_count(), difference.complete()) {
        (0, true) => Status::Nothing,
        (0, false) => Status::Undecided,
        _ => Status::Found,
    }
}
