//! `incise run`: read, explore, report, write tests.

use crate::arguments::Format;
use crate::commands::replay::command as replay_command;
use crate::convert;
use crate::exit::Status;
use crate::frontend;
use crate::initial;
use crate::inputs;
use crate::replay::{ReplaySettings, replay};
use crate::session::memory::memory_used;
use crate::session::output::{talk, write_data};
use crate::session::progress::ProgressLine;
use crate::settings::{RunSettings, TestSettings};
use crate::suite::{Suite, SuiteOptions, Target, Written};
use anyhow::{Context, Result};
use incise_exec::{Config, Detail, Hooks, Progress};
use incise_report::replay::render_text;
use incise_report::{Program as Identity, Run, json, text};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long a native run of one test may take when the tests are run right away.
pub(crate) const REPLAY_TIMEOUT: Duration = Duration::from_secs(10);

/// Does what `incise run` is asked to do.
pub(crate) fn run(settings: RunSettings, interrupt: Arc<AtomicBool>) -> Result<Status> {
    let RunSettings { sources, entry, mut config, reading, tests, output } = settings;
    let quiet = output.text.quiet;
    let mut say = |warning: &str| {
        if !quiet {
            talk(warning)
        }
    };
    let loaded = frontend::load(sources, output.color_talk, &interrupt, &mut say)?;
    let entry = frontend::entry(&loaded.program, entry.as_deref())?;
    let function = frontend::find_function(&loaded.program, &entry)?;
    config.entry = entry.clone();
    reading.apply(&mut config, &loaded.program, function);
    initial::of_program(&loaded.program, &mut config.inputs);
    // Before the work, not after it.
    let target = tests.as_ref().map(|tests| Target::new(&tests.directory)).transpose()?;
    // Text shows inputs of errors only; finding those of every path takes longer than exploring them.
    let everything = output.format == Format::Json || tests.is_some();
    let detail = if everything { Detail::All } else { Detail::First(0) };
    let exploration = explore_growing(&loaded.program, &mut config, &interrupt, detail, quiet)?;
    let identity = Identity {
        files: loaded.sources.file_texts(),
        flags: loaded.sources.flag_texts(),
        entry,
        hash: loaded.sources.hash().context("the source files cannot be read again")?,
    };
    let mut run = convert::run(&loaded.program, function, identity, exploration);
    run.taken = convert::taken(&config.inputs.reading);
    run.others = others(&loaded.program, &config, &interrupt, &run)?;
    run.initial = initial::assumed(&loaded.program, function, &config.inputs);
    // Text is shown as soon as it is known; JSON is one document, so it waits for the replay.
    if output.format == Format::Text {
        write_data(|out| text::render(&run, output.text, out))?;
    }
    let mut status = status(&run);
    let mut replayed = None;
    if let (Some(tests), Some(target)) = (&tests, target) {
        let written = write_tests(tests, target, &run, &loaded, function, &config, quiet)?;
        if tests.replay {
            let settings = ReplaySettings {
                timeout: REPLAY_TIMEOUT,
                jobs: replay_command::default_jobs(),
                interrupt: &interrupt,
            };
            let result = replay(&written, &loaded, &settings)?;
            status = status.worse(replay_command::status(&result));
            if output.format == Format::Text {
                write_data(|out| render_text(&result, output.text.color, out))?;
            }
            replayed = Some(result);
        }
    }
    if output.format == Format::Json {
        write_data(|out| json::render(&run, replayed.as_ref(), out))?;
    }
    // The process ends here: giving back the memory of a million paths one by one would only take time.
    std::mem::forget(run);
    Ok(status)
}

/// Errors with inputs that are not what they are taken to be: a path for each kind and place that is not known yet.
fn others(
    program: &incise_ir::Program,
    config: &Config,
    interrupt: &Arc<AtomicBool>,
    run: &Run,
) -> Result<Vec<incise_report::Path>> {
    let Some((config, _)) = inputs::others(config) else { return Ok(Vec::new()) };
    let exploration = explore(program, &config, interrupt, Detail::First(0), true)?;
    let entry = frontend::find_function(program, &config.entry)?;
    let key = |path: &incise_report::Path| match &path.outcome {
        incise_report::Outcome::Error { kind, .. } => Some((kind.clone(), path.place.clone())),
        _ => None,
    };
    let mut known: Vec<_> = run.paths.iter().filter_map(key).collect();
    let mut found = Vec::new();
    for each in exploration.paths {
        let path = convert::path(program, entry, each, found.len() as u64 + 1);
        if let Some(key) = key(&path)
            && !known.contains(&key)
        {
            known.push(key);
            found.push(path);
        }
    }
    Ok(found)
}

/// Inputs grow as long as no more paths than this were found.
pub(crate) const FEW_PATHS: usize = 200;
/// No more elements than this: every path is shown.
pub(crate) const MOST_ELEMENTS: u64 = 16;

/// Explores a program with inputs that grow where they were too small, as long as there are few paths. So much is the same on every machine.
pub(crate) fn explore_growing(
    program: &incise_ir::Program,
    config: &mut Config,
    interrupt: &Arc<AtomicBool>,
    detail: Detail,
    quiet: bool,
) -> Result<incise_exec::Exploration> {
    loop {
        let exploration = explore(program, config, interrupt, detail, quiet)?;
        let stopped = interrupt.load(std::sync::atomic::Ordering::Relaxed);
        let many = exploration.paths.len() > FEW_PATHS || exploration.abandoned_states > 0;
        if exploration.needs.is_empty()
            || stopped
            || many
            || !config.inputs.sizes.grow(&exploration.needs, MOST_ELEMENTS)
        {
            return Ok(exploration);
        }
    }
}

/// Explores a program, with a line of progress.
pub(crate) fn explore(
    program: &incise_ir::Program,
    config: &Config,
    interrupt: &Arc<AtomicBool>,
    detail: Detail,
    quiet: bool,
) -> Result<incise_exec::Exploration> {
    let line = ProgressLine::new(quiet);
    let show = |progress: &Progress| {
        if let Some(line) = &line {
            line.show(progress);
        }
    };
    let hooks = Hooks {
        interrupt: Arc::clone(interrupt),
        progress: Some(&show),
        memory_used: Some(memory_used),
        detail,
    };
    Ok(incise_exec::explore(program, config, &hooks)?)
}

fn write_tests(
    tests: &TestSettings,
    target: Target<'_>,
    run: &Run,
    loaded: &frontend::Loaded,
    entry: incise_ir::FunctionId,
    config: &Config,
    quiet: bool,
) -> Result<Suite> {
    let options = SuiteOptions::of(tests, config);
    let written = target.write(run, &loaded.program, entry, &loaded.sources, &options)?;
    say_written(&written, &tests.directory, tests.c_tests, quiet);
    Ok(written.suite)
}

/// Says what was written, and what could not be.
pub(crate) fn say_written(written: &Written, directory: &Path, c_tests: bool, quiet: bool) {
    if !quiet {
        let count = written.suite.tests.len();
        talk(&format!(
            "{count} test{} written to {}",
            if count == 1 { "" } else { "s" },
            directory.display()
        ));
    }
    let missing = written.suite.tests.len() - written.c_tests;
    if c_tests && missing > 0 {
        talk(&format!("{missing} of them not as C programs: {}", written.without_c.join("; ")));
    }
}

/// Errors found, or cut without an error, or neither.
fn status(run: &Run) -> Status {
    match (run.error_count(), run.complete) {
        (0, true) => Status::Nothing,
        (0, false) => Status::Undecided,
        _ => Status::Found,
    }
}
