//! `incise run`: read, explore, report, write tests.

use super::settings::RunSettings;
use super::so_far::SoFar;
use crate::arguments::Format;
use crate::commands::written::{self, say_written};
use crate::exit::Status;
use crate::inputs;
use crate::session::Session;
use crate::session::output::write_data;
use crate::settings::{OutputSettings, TestSettings};
use anyhow::{Context, Result};
use incise_exec::{Config, Detail};
use incise_findings as findings;
use incise_frontend::{Loaded, find_function};
use incise_incremental::{explore_growing, initial};
use incise_ir::FunctionId;
use incise_replay::replay;
use incise_report::{Outcome, ProgramIdentity, Replay, Run, exploration, replay};
use incise_suite::{NewTestFolder, TestFolder};
use std::sync::Arc;
use std::time::Duration;

/// Does what `incise run` is asked to do.
pub(crate) fn run(settings: RunSettings, session: &Session) -> Result<Status> {
    let RunSettings { sources, entry, mut config, reading, tests, output } = settings;
    let so_far = SoFar::begin(session, &sources, &output);
    session.limit(&mut config.limits);
    match (&tests, output.format) {
        (Some(_), _) => session.expect(written::PERCENT_OF_SEARCH, written::MOST_EACH),
        (None, Format::Json) => session.expect(50, Duration::from_micros(500)),
        (None, Format::Text) => session.expect(30, Duration::from_micros(100)),
    }
    let loaded = session.load(sources)?;
    config.entry = incise_frontend::entry(&loaded.program, entry.as_deref())?;
    so_far.entry(&config.entry);
    let entry = find_function(&loaded.program, &config.entry)?;
    initial::of_program(&loaded.program, &mut config.inputs);
    inputs::apply(&reading, &mut config, &loaded.program, entry);
    // Before the work, not after it.
    let target = tests.as_ref().map(|tests| NewTestFolder::new(&tests.directory)).transpose()?;
    let mut explored = Explored { session, loaded, entry, config, output };
    let mut run = explored.explore(tests.is_some())?;
    so_far.explored(&run);
    let others = explored.others(&run)?;
    session.reports();
    so_far.release();
    // Nobody else has it any more, so that nothing is copied.
    Arc::make_mut(&mut run).others = others;
    // Text is shown as soon as it is known; JSON is one document, so it waits for the replay.
    let output = &explored.output;
    if output.format == Format::Text {
        write_data(|out| exploration::text::render(&run, output.text, out))?;
    }
    let replayed = match (&tests, target) {
        (Some(tests), Some(target)) => explored.write_and_replay(tests, target, &run)?,
        _ => None,
    };
    if output.format == Format::Json {
        write_data(|out| exploration::json::render(&run, replayed.as_ref(), out))?;
    }
    let wanted = tests.as_ref().is_some_and(|tests| tests.replay);
    let unless = if wanted { Status::Undecided } else { Status::Nothing };
    let status = replayed.as_ref().map_or(unless, Status::of_replay).worse(status(&run));
    // The process ends here: giving back the memory of a million paths one by one would only take time.
    std::mem::forget(run);
    Ok(status)
}

/// A program, and how it is explored.
struct Explored<'s> {
    session: &'s Session,
    loaded: Loaded,
    entry: FunctionId,
    config: Config,
    output: OutputSettings,
}

impl Explored<'_> {
    /// Explores; the inputs may be larger afterwards.
    fn explore(&mut self, with_tests: bool) -> Result<Arc<Run>> {
        let Self { session, loaded, entry, config, output } = self;
        let program = &loaded.program;
        // Text shows inputs of errors only; finding those of every path takes longer than exploring them.
        let everything = output.format == Format::Json || with_tests;
        let detail = if everything { Detail::All } else { Detail::First(0) };
        let exploration = session.exploring(detail, |hooks| explore_growing(program, config, hooks))?;
        let identity = ProgramIdentity {
            files: loaded.sources.file_texts(),
            flags: loaded.sources.flag_texts(),
            entry: config.entry.clone(),
            hash: loaded.sources.hash().context("the source files cannot be read again")?,
        };
        let mut run = findings::run(identity, exploration);
        run.races_are_errors =
            config.threads.is_some_and(|threads| threads.races == incise_exec::Races::Error);
        run.taken = findings::taken(&config.inputs.reading);
        run.initial = initial::assumed(program, *entry, &config.inputs);
        Ok(Arc::new(run))
    }

    /// Errors with inputs that are not what they are taken to be: a path for each kind and place that is not known yet.
    fn others(&self, run: &Run) -> Result<Vec<incise_report::FoundPath>> {
        let program = &self.loaded.program;
        let Some((config, _)) = inputs::others(&self.config) else { return Ok(Vec::new()) };
        let exploration = incise_exec::explore(program, &config, &self.session.hooks(Detail::First(0)))?;
        let key = |path: &incise_report::FoundPath| match &path.outcome {
            Outcome::Error(error) => Some((error.kind, path.place.clone())),
            _ => None,
        };
        let mut known: Vec<_> = run.paths.iter().filter_map(key).collect();
        let mut found = Vec::new();
        for each in exploration.paths {
            let path = findings::path(each, found.len() as u64 + 1);
            if let Some(key) = key(&path)
                && !known.contains(&key)
            {
                known.push(key);
                found.push(path);
            }
        }
        Ok(found)
    }

    /// Writes the tests, and runs them if that is asked for.
    fn write_and_replay(
        &self,
        tests: &TestSettings,
        target: NewTestFolder<'_>,
        run: &Run,
    ) -> Result<Option<Replay>> {
        let folder = self.write(tests, target, run)?;
        if !tests.replay {
            return Ok(None);
        }
        let result = replay(&folder.request(), &self.loaded, &self.session.replaying());
        let Some(result) = written::unless_stopped(result, self.session)? else { return Ok(None) };
        if self.output.format == Format::Text {
            write_data(|out| replay::text::render(&result, self.output.text.color, out))?;
        }
        Ok(Some(result))
    }

    fn write(&self, tests: &TestSettings, target: NewTestFolder<'_>, run: &Run) -> Result<TestFolder> {
        let options = tests.folder_options(&self.config);
        let loaded = &self.loaded;
        let written = target.write(run, &loaded.program, self.entry, &loaded.sources, &options)?;
        say_written(self.session, &written, &tests.directory, tests.c_tests);
        Ok(written.folder)
    }
}

/// Errors found, or cut without an error, or neither.
pub(super) fn status(run: &Run) -> Status {
    match (run.error_count(), run.complete) {
        (0, true) => Status::Nothing,
        (0, false) => Status::Undecided,
        _ => Status::Found,
    }
}
