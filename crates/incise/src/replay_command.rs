//! `incise replay`: the command around the replay itself.

use crate::arguments::{Format, ReplayArguments};
use crate::exit::Status;
use crate::frontend;
use crate::output::{talk, write_data};
use crate::replay::{ReplaySettings, replay};
use crate::settings::OutputSettings;
use crate::sources::Sources;
use crate::suite;
use anyhow::{Context, Result};
use incise_report::replay::{render_json, render_text};
use incise_report::{Replay, Verdict};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Does what `incise replay` is asked to do.
pub(crate) fn run(arguments: &ReplayArguments, interrupt: Arc<AtomicBool>) -> Result<Status> {
    let output = OutputSettings::of(&arguments.output, false);
    let suite = suite::read(&arguments.directory)?;
    // Files and flags in the manifest are relative to where `incise run` was called.
    let clang = arguments.clang.as_ref().map(std::path::absolute).transpose()?;
    let directory = arguments.directory.join(&suite.manifest.directory);
    std::env::set_current_dir(&directory).with_context(|| {
        format!("the folder {} that the tests refer to is not there", directory.display())
    })?;
    let sources = Sources {
        files: suite.manifest.program.files.iter().map(Into::into).collect(),
        flags: suite.manifest.program.flags.iter().map(Into::into).collect(),
        optimisation: suite.manifest.optimisation.clone(),
        clang,
    };
    let loaded = frontend::load(sources, output.color_talk, &interrupt, &mut |_| {})?;
    let settings = ReplaySettings {
        timeout: arguments.timeout,
        jobs: arguments.jobs.map_or_else(default_jobs, usize::from),
        interrupt: &interrupt,
    };
    let mut result = replay(&suite, &loaded, &settings)?;
    if loaded.sources.hash()? != suite.manifest.program.hash {
        let warning = "the source files have changed since the tests were written";
        talk(&format!("warning: {warning}"));
        result.warnings.push(warning.to_owned());
    }
    write_data(|out| match output.format {
        Format::Text => render_text(&result, output.text.color, out),
        Format::Json => render_json(&result, out),
    })?;
    Ok(status(&result))
}

/// As many tests at a time as there are processors.
pub(crate) fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Disagreements, or tests that could not be checked, or neither.
pub(crate) fn status(result: &Replay) -> Status {
    if result.count(Verdict::Disagrees) > 0 {
        Status::Found
    } else if result.count(Verdict::NotChecked) > 0 {
        Status::Undecided
    } else {
        Status::Nothing
    }
}
