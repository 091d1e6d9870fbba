//! `incise suite generate`: explore, and write a suite with a test for each path.

use super::settings::GenerateSettings;
use crate::arguments::Format;
use crate::commands::written::{MOST_EACH, PERCENT_OF_SEARCH, as_it_was, say_left_out};
use crate::exit::Status;
use crate::initial_note::initial_note;
use crate::inputs;
use crate::session::Session;
use crate::session::output::write_data;
use anyhow::{Result, bail};
use incise_exec::{Detail, LimitKind};
use incise_frontend::{entry as find_entry, find_function};
use incise_incremental::{explore_growing, initial};
use incise_report::suite::text;
use incise_suite::{Explored, Generated, NewSuite, contradiction_note};

/// Does what `incise suite generate` is asked to do.
pub(crate) fn run(settings: GenerateSettings, session: &Session) -> Result<Status> {
    let GenerateSettings { sources, entry, directory, emit, mut config, reading, output } = settings;
    session.limit(&mut config.limits);
    session.expect(PERCENT_OF_SEARCH, MOST_EACH);
    let loaded = session.load(sources)?;
    let program = &loaded.program;
    config.entry = find_entry(program, entry.as_deref())?;
    config.threads = Some(incise_exec::ThreadConfig::default());
    initial::of_program(program, &mut config.inputs);
    config.distinct_inputs = true;
    config.solver.notes = true;
    let entry = find_function(program, &config.entry)?;
    inputs::apply(&reading, &mut config, program, entry);
    // A suite that is there is not replaced by a part of one.
    let replaces = directory.exists();
    // Before the work, not after it.
    let suite = NewSuite::new(&directory, &config.entry, session.caches())?;
    let place = directory.display().to_string();
    session.rescue(move |limit| as_it_was(limit, &place));
    let mut exploration =
        session.exploring(Detail::All, |hooks| explore_growing(program, &mut config, hooks))?;
    session.reports();
    if exploration.limits.contains(&LimitKind::Interrupt) && (replaces || exploration.paths.is_empty()) {
        bail!("interrupted: {} is as it was", directory.display());
    }
    if let Some(note) = initial_note(program, entry, &config.inputs) {
        session.say(&format!("note: {note}"));
    }
    let races = exploration.races.len();
    if races > 0 {
        let words = if races == 1 { "a data race".to_owned() } else { format!("{races} data races") };
        session.warn(&format!(
            "warning: the program has {words}, of which a suite has no tests: see `incise run`"
        ));
    }
    let explored = Explored { loaded: &loaded, entry, config: &config, emit: &emit };
    let contradictions = std::mem::take(&mut exploration.contradictions);
    let Generated { manifest, emitted } = suite.write(exploration, &explored)?;
    contradiction_note::keep(session.caches(), &directory, None, contradictions);
    for (kind, emitted) in &emitted {
        say_left_out(session, *kind, emitted);
    }
    match output.format {
        Format::Json => {
            let text = manifest.to_json()?;
            write_data(|out| out.write_all(text.as_bytes()))?;
        }
        Format::Text => {
            let place = directory.display().to_string();
            write_data(|out| text::render(&manifest, &place, output.text, out))?;
        }
    }
    Ok(if manifest.complete { Status::Nothing } else { Status::Undecided })
}
