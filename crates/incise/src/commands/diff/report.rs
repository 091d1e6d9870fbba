//! What is shown, written and run of affected paths.

use crate::arguments::Format;
use crate::commands::cover::model::name_tests;
use crate::commands::written::unless_stopped;
use crate::exit::Status;
use crate::session::Session;
use crate::session::output::write_data;
use crate::settings::OutputSettings;
use anyhow::Result;
use incise_frontend::Loaded;
use incise_ir::FunctionId;
use incise_replay::replay;
use incise_report::{Difference, Replay, difference, replay, verdict};
use incise_suite::{NewTestFolder, TestFolderOptions, WrittenTests};
use std::io::{self, Write};

/// What is shown after the verdict: the paths, and the verdict on the whole once more, because the paths may be many.
pub(super) fn show(
    difference: &Difference,
    output: &OutputSettings,
    only: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    if only {
        return difference::text::notes(difference, output.text, out);
    }
    difference::text::render(difference, output.text, out)?;
    match &difference.verdicts {
        Some(verdicts) if !output.text.quiet => {
            writeln!(out)?;
            verdict::text::conclusion(verdicts, output.text, out)
        }
        _ => Ok(()),
    }
}

/// Writes the tests: of one entry into the folder itself, of several each into a folder of its own.
pub(super) fn write_tests(
    target: NewTestFolder<'_>,
    difference: &mut Difference,
    functions: &[FunctionId],
    new: &Loaded,
    options: &TestFolderOptions<'_>,
) -> Result<Vec<WrittenTests>> {
    let runs: Vec<_> =
        difference.entries.iter().map(|entry| &entry.run).zip(functions.iter().copied()).collect();
    let written = match runs.as_slice() {
        [(run, function)] => vec![target.write(run, &new.program, *function, &new.sources, options)?],
        several => target.write_each(several, &new.program, &new.sources, options)?,
    };
    for (entry, written) in difference.entries.iter_mut().zip(&written) {
        // Tests are in the order of their paths; a path without inputs has none.
        let with_inputs = entry.run.paths.iter().map(|path| path.inputs.is_some());
        let mut names = written.folder.tests.iter().map(|test| test.name.clone());
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

/// Whether each entry has a folder of its own.
pub(super) fn written_folders(difference: &Difference) -> bool {
    difference.entries.len() != 1
}

pub(super) fn replay_all(
    written: &[WrittenTests],
    new: &Loaded,
    output: &OutputSettings,
    session: &Session,
) -> Result<Vec<Replay>> {
    let mut replays = Vec::new();
    for written in written.iter().filter(|written| !written.folder.tests.is_empty()) {
        let result = replay(&written.folder.request(), new, &session.replaying());
        let Some(result) = unless_stopped(result, session)? else { break };
        if output.format == Format::Text {
            write_data(|out| replay::text::render(&result, output.text.color, out))?;
        }
        replays.push(result);
    }
    Ok(replays)
}

/// Affected paths found, or cut without one, or neither.
pub(super) fn status(difference: &Difference, cover: bool) -> Status {
    // What was not reached says more than that something else was cut.
    let undecided =
        |entry: &incise_report::Entry| entry.cover.as_ref().is_some_and(|cover| !cover.is_decided());
    if cover && !difference.entries.iter().any(undecided) {
        let found = difference.entries.iter().any(|entry| !entry.run.paths.is_empty());
        return if found { Status::Found } else { Status::Nothing };
    }
    match (difference.affected_count() + difference.old_affected_count(), difference.complete()) {
        (0, true) => Status::Nothing,
        (0, false) => Status::Undecided,
        _ => Status::Found,
    }
}
