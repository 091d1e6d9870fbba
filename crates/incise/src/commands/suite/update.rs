//! `incise suite update` and `incise suite select`: what becomes of the tests of a suite when the program changes.

use super::check::say_strangers;
use super::settings::{SelectSettings, UpdateSettings, VersionSettings};
use super::trees::SuiteTrees;
use crate::arguments::Format;
use crate::commands::threads;
use crate::commands::written::{as_it_was, say_left_out};
use crate::exit::Status;
use crate::session::Session;
use crate::session::output::write_data;
use crate::settings::AskedVersions;
use anyhow::{Result, bail};
use incise_exec::{Detail, LimitKind};
use incise_report::emit::Emit;
use incise_report::suite::update::{TestClass, json, text};
use incise_suite::{
    BroughtSuite, Explored, UpdatedSuite, UpdatedTests, VersionedSuite, contradiction_note, sources_of,
};
use std::path::PathBuf;
use std::slice;

/// Does what `incise suite update` is asked to do.
pub(crate) fn run(settings: &UpdateSettings, session: &Session) -> Result<Status> {
    let UpdateSettings { versioned, directory, accept, workers, output } = settings;
    // Trees that were laid out go away with this.
    let (mut loaded, _trees) = load(versioned, session, *accept)?;
    loaded.config.workers = *workers;
    session.limit(&mut loaded.config.limits);
    let place = directory.display().to_string();
    session.rescue(move |limit| as_it_was(limit, &place));
    // Before the work, not after it.
    let target = UpdatedSuite::new(directory, &loaded.suite, session.caches())?;
    loaded.config.solver.notes = true;
    let BroughtSuite { tests: UpdatedTests { tests, mut update }, contradictions, config } =
        session.exploring(Detail::All, |hooks| loaded.bring(*accept, hooks))?;
    session.reports();
    if update.limits.contains(&LimitKind::Interrupt) {
        bail!("interrupted: {} is as it was", directory.display());
    }
    update.place = directory.display().to_string();
    update.accepted = *accept;
    let emit: Vec<Emit> = loaded.suite.manifest.emit.iter().filter_map(|name| Emit::named(name)).collect();
    let explored = Explored { loaded: &loaded.new, entry: loaded.entry, config: &config, emit: &emit };
    let emitted = target.write(tests, &update, &explored)?;
    let known = loaded.config.solver.noted.as_deref();
    let known = known.map(|known| (versioned.suite.as_path(), known));
    contradiction_note::keep(session.caches(), directory, known, contradictions);
    for (kind, emitted) in &emitted {
        say_left_out(session, *kind, emitted);
    }
    write_data(|out| match output.format {
        Format::Text => text::render(&update, output.text, out),
        Format::Json => json::render(&update, out),
    })?;
    let status = match (update.complete, update.tests.iter().all(|test| test.class == TestClass::Kept)) {
        (false, _) => Status::Undecided,
        (true, true) => Status::Nothing,
        (true, false) => Status::Found,
    };
    // The process ends: giving back the memory of tens of thousands of tests piece by piece would only take time.
    std::mem::forget((loaded.suite, update));
    Ok(status)
}

/// Does what `incise suite select` is asked to do.
pub(crate) fn select(settings: &SelectSettings, session: &Session) -> Result<Status> {
    let SelectSettings { versioned, output } = settings;
    let (mut loaded, _trees) = load(versioned, session, false)?;
    session.limit(&mut loaded.config.limits);
    let BroughtSuite { tests: UpdatedTests { update, .. }, .. } =
        session.exploring(Detail::All, |hooks| loaded.bring(false, hooks))?;
    session.reports();
    if update.limits.contains(&LimitKind::Interrupt) {
        bail!("interrupted");
    }
    write_data(|out| match output.format {
        Format::Text => text::render_selection(&update, output.text, out),
        Format::Json => json::render_selection(&update, out),
    })?;
    let found = update.selected().next().is_some() || update.count(TestClass::Added) > 0;
    Ok(match (update.complete, found) {
        (false, _) => Status::Undecided,
        (true, false) => Status::Nothing,
        (true, true) => Status::Found,
    })
}

/// Reads a suite and both versions.
fn load(
    versions: &VersionSettings,
    session: &Session,
    accept: bool,
) -> Result<(VersionedSuite, Option<SuiteTrees>)> {
    let VersionSettings { versions, suite: directory, compilation, .. } = versions;
    let suite = session.read_suite(directory)?;
    say_strangers(&suite, session);
    let sources = |files: &[PathBuf]| sources_of(directory, &suite.manifest, files, compilation);
    let mut trees = None;
    let loaded = match versions {
        AskedVersions::One(only) => bail!("two versions are compared, and not {}", only.display()),
        AskedVersions::Two(old, new) => {
            session.load_both(sources(slice::from_ref(old))?, sources(slice::from_ref(new))?)?
        }
        AskedVersions::Revisions { words, paths } => {
            if !paths.is_empty() {
                bail!("the program is that of the suite: leave out the paths");
            }
            let laid_out = trees.insert(SuiteTrees::of(words, &sources(&[])?, session)?);
            session.load_both(laid_out.old.clone(), laid_out.new.clone())?
        }
    };
    threads::refuse(&loaded.1.program, None, "updating the suite of")?;
    Ok((VersionedSuite::new(suite, loaded, accept, session.caches())?, trees))
}
