//! `incise suite generate`: explore, and write a suite with a test for each path.

use crate::arguments::Format;
use crate::commands::run::command as run;
use crate::commands::suite::arguments::GenerateArguments;
use crate::exit::Status;
use crate::frontend;
use crate::initial;
use crate::inputs::InputReading;
use crate::session::output::{talk, write_data};
use crate::settings::{OutputSettings, config};
use crate::sources::Sources;
use crate::suite::proved;
use crate::suite::store::{Explored, Generated, NewSuite};
use anyhow::{Result, bail};
use incise_exec::{Detail, LimitKind};
use incise_report::emit::{Emit, Emitted};
use incise_report::suite_text;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Does what `incise suite generate` is asked to do.
pub(crate) fn run(arguments: &GenerateArguments, interrupt: Arc<AtomicBool>) -> Result<Status> {
    let output = OutputSettings::of(&arguments.output, false);
    let quiet = output.text.quiet;
    let mut say = |warning: &str| {
        if !quiet {
            talk(warning)
        }
    };
    let sources = Sources::of(&arguments.files, &arguments.compile);
    let loaded = frontend::load(sources, output.color_talk, &interrupt, &mut say)?;
    let mut config = config(&arguments.inputs, &arguments.exploration, &arguments.limits);
    let reading = InputReading::of(&arguments.inputs)?;
    config.entry = frontend::entry(&loaded.program, arguments.entry.as_deref())?;
    initial::of_program(&loaded.program, &mut config.inputs);
    config.distinct_inputs = true;
    config.solver.notes = true;
    let entry = frontend::find_function(&loaded.program, &config.entry)?;
    reading.apply(&mut config, &loaded.program, entry);
    let directory = &arguments.output_directory;
    // Before the work, not after it.
    let suite = NewSuite::new(directory, &config.entry)?;
    let mut emit: Vec<Emit> = arguments.emit.iter().map(|&format| format.into()).collect();
    emit.sort();
    emit.dedup();
    let mut exploration = run::explore_growing(&loaded.program, &mut config, &interrupt, Detail::All, quiet)?;
    if exploration.limits.contains(&LimitKind::Interrupt) {
        bail!("interrupted: {} is as it was", directory.display());
    }
    if let Some(note) = initial::note(&loaded.program, entry, &config.inputs).filter(|_| !quiet) {
        talk(&format!("note: {note}"));
    }
    let explored = Explored { loaded: &loaded, entry, config: &config, emit: &emit };
    let contradictions = std::mem::take(&mut exploration.contradictions);
    let Generated { manifest, emitted } = suite.write(exploration, &explored)?;
    proved::keep(directory, None, contradictions);
    for (kind, emitted) in &emitted {
        say_left_out(*kind, emitted);
    }
    match output.format {
        Format::Json => {
            let text = manifest.to_json()?;
            write_data(|out| out.write_all(text.as_bytes()))?;
        }
        Format::Text => {
            let place = directory.display().to_string();
            write_data(|out| suite_text::render(&manifest, &place, output.text, out))?;
        }
    }
    Ok(if manifest.complete { Status::Nothing } else { Status::Undecided })
}

/// Says which tests are not among the test sources, and why.
pub(crate) fn say_left_out(kind: Emit, emitted: &Emitted) {
    for (why, count) in &emitted.left_out {
        let tests = if *count == 1 { "test is" } else { "tests are" };
        talk(&format!("{count} {tests} not written for {}: {why}", kind.name()));
    }
}
