//! `incise replay`: the command around the replay itself.

use crate::arguments::{Format, ReplayArguments};
use crate::exit::Status;
use crate::frontend;
use crate::layout;
use crate::replay::{ReplaySettings, replay};
use crate::session::output::{talk, write_data};
use crate::settings::OutputSettings;
use crate::sources::Sources;
use crate::suite::{self, Suite};
use anyhow::{Context, Result};
use incise_ir::Program;
use incise_report::replay::{render_json, render_text};
use incise_report::{Input, Origin, Replay, Verdict};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Does what `incise replay` is asked to do.
pub(crate) fn run(arguments: &ReplayArguments, interrupt: Arc<AtomicBool>) -> Result<Status> {
    let output = OutputSettings::of(&arguments.output, false);
    let mut suite = suite::read(&arguments.directory)?;
    let on = arguments.on.iter().map(std::path::absolute).collect::<std::io::Result<Vec<_>>>()?;
    // Files and flags in the manifest are relative to where `incise run` was called.
    let clang = arguments.clang.as_ref().map(std::path::absolute).transpose()?;
    let directory = arguments.directory.join(&suite.manifest.directory);
    std::env::set_current_dir(&directory).with_context(|| {
        format!("the folder {} that the tests refer to is not there", directory.display())
    })?;
    let sources = Sources {
        files: match on.is_empty() {
            true => suite.manifest.program.files.iter().map(Into::into).collect(),
            false => on,
        },
        flags: suite.manifest.program.flags.iter().map(Into::into).collect(),
        optimisation: suite.manifest.optimisation.clone(),
        clang,
        extra: Default::default(),
    };
    let loaded = frontend::load(sources, output.color_talk, &interrupt, &mut |_| {})?;
    let elsewhere = !arguments.on.is_empty();
    if elsewhere {
        adapt(&mut suite, &loaded.program, arguments.entry.as_deref())?;
    }
    let settings = ReplaySettings {
        timeout: arguments.timeout,
        jobs: arguments.jobs.map_or_else(default_jobs, usize::from),
        interrupt: &interrupt,
    };
    let mut result = replay(&suite, &loaded, &settings)?;
    if !elsewhere && loaded.sources.hash()? != suite.manifest.program.hash {
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

/// Fits tests to another version of their program: parameters go by their names, or by their places if they were renamed; what that version does not have is left out.
fn adapt(suite: &mut Suite, program: &Program, entry: Option<&str>) -> Result<()> {
    if let Some(entry) = entry {
        suite.manifest.program.entry = entry.to_owned();
    }
    let function = frontend::find_function(program, &suite.manifest.program.entry)?;
    let names = layout::parameter_names(program, &program.functions[function]);
    for test in &mut suite.tests {
        test.inputs = std::mem::take(&mut test.inputs)
            .into_iter()
            .filter_map(|input| adapted(input, &names, program))
            .collect();
        let known: BTreeSet<&str> = test.inputs.iter().map(|input| input.name.as_str()).collect();
        if let Some(expected) = &mut test.expected {
            expected.finals.retain(|each| match &each.origin {
                Origin::Global(symbol) => program.global_named(symbol).is_some(),
                _ => known.contains(each.name.as_str()),
            });
        }
    }
    Ok(())
}

fn adapted(mut input: Input, names: &[String], program: &Program) -> Option<Input> {
    match &mut input.origin {
        Origin::Parameter(index) => match names.iter().position(|name| *name == input.name) {
            Some(place) => *index = place as u32,
            None if *index as usize >= names.len() => return None,
            None => {}
        },
        Origin::Global(symbol) => drop(program.global_named(symbol)?),
        _ => {}
    }
    Some(input)
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
