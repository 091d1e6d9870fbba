//! `incise replay`: the command around the replay itself.

use super::settings::ReplaySettings;
use crate::arguments::Format;
use crate::exit::Status;
use crate::session::Session;
use crate::session::output::write_data;
use anyhow::{Context, Result};
use incise_frontend::{Sources, find_function};
use incise_ir::Program;
use incise_replay::{ReplayOptions, replay};
use incise_report::replay;
use incise_report::{Input, Origin};
use incise_suite::{TestFolder, read_folder};
use std::collections::BTreeSet;

/// Does what `incise replay` is asked to do.
pub(crate) fn run(settings: ReplaySettings, session: &Session) -> Result<Status> {
    let ReplaySettings { directory, on, entry, timeout, jobs, stress, tools, output, .. } = settings;
    let mut folder = read_folder(&directory)?;
    // Files and flags in the manifest are relative to where `incise run` was called.
    let directory = directory.join(&folder.manifest.directory);
    std::env::set_current_dir(&directory).with_context(|| {
        format!("the folder {} that the tests refer to is not there", directory.display())
    })?;
    let elsewhere = !on.is_empty();
    let sources = Sources {
        files: match elsewhere {
            false => folder.manifest.program.files.iter().map(Into::into).collect(),
            true => on,
        },
        flags: folder.manifest.program.flags.iter().map(Into::into).collect(),
        own_flags: Default::default(),
        optimisation: folder.manifest.optimisation.clone(),
        tools,
        extra: Default::default(),
    };
    let loaded = session.load_silently(sources)?;
    if elsewhere {
        adapt(&mut folder, &loaded.program, entry.as_deref())?;
    }
    let usual = session.replaying();
    let options = ReplayOptions { timeout, jobs: jobs.unwrap_or(usual.jobs), stress, ..usual };
    let mut result = replay(&folder.request(), &loaded, &options)?;
    if !elsewhere && loaded.sources.hash()? != folder.manifest.program.hash {
        let warning = "the source files have changed since the tests were written";
        session.warn(&format!("warning: {warning}"));
        result.warnings.push(warning.to_owned());
    }
    session.reports();
    write_data(|out| match output.format {
        Format::Text => replay::text::render(&result, output.text.color, out),
        Format::Json => replay::json::render(&result, out),
    })?;
    Ok(Status::of_replay(&result))
}

/// Fits tests to another version of their program: parameters go by their names, or by their places if they were
/// renamed; what that version does not have is left out.
fn adapt(folder: &mut TestFolder, program: &Program, entry: Option<&str>) -> Result<()> {
    if let Some(entry) = entry {
        folder.manifest.program.entry = entry.to_owned();
    }
    let function = find_function(program, &folder.manifest.program.entry)?;
    let names = incise_ir::parameters::parameter_names(program, &program.functions[function]);
    for test in &mut folder.tests {
        test.inputs = std::mem::take(&mut test.inputs)
            .into_iter()
            .filter_map(|input| adapted(input, &names, program))
            .collect();
        let known: BTreeSet<&str> = test.inputs.iter().map(|input| input.name.as_str()).collect();
        if let Some(expected) = &mut test.expected {
            incise_report::keep_finals(&mut expected.finals, |each| match &each.origin {
                Origin::Global(symbol) => program.global_named(symbol).is_some(),
                Origin::Heap { .. } => true,
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
