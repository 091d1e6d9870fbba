//! What is said of tests that were written.

use crate::exit::Status;
use crate::session::Session;
use crate::session::output::talk;
use crate::words::of_stop;
use anyhow::{Result, bail};
use incise_exec::LimitKind;
use incise_replay::ReplayError;
use incise_report::Replay;
use incise_report::emit::{Emit, Emitted};
use incise_suite::WrittenTests;
use std::path::Path;
use std::time::Duration;

/// What it takes to write the files of a test for each path, beside the time to find the paths; and no more than this
/// for each.
pub(crate) const PERCENT_OF_SEARCH: u32 = 600;
pub(crate) const MOST_EACH: Duration = Duration::from_millis(4);

/// Says what was written, and what could not be.
pub(crate) fn say_written(session: &Session, written: &WrittenTests, directory: &Path, c_tests: bool) {
    let count = written.folder.tests.len();
    let tests = if count == 1 { "test" } else { "tests" };
    session.say(&format!("{count} {tests} written to {}", directory.display()));
    let missing = count - written.c_tests;
    if c_tests && missing > 0 {
        session.warn(&format!("{missing} of them not as C programs: {}", written.without_c.join("; ")));
    }
}

/// Says which tests are not among the test sources, and why.
pub(crate) fn say_left_out(session: &Session, kind: Emit, emitted: &Emitted) {
    for (why, count) in &emitted.left_out {
        let tests = if *count == 1 { "test is" } else { "tests are" };
        session.warn(&format!("{count} {tests} not written for {}: {why}", kind.name()));
    }
}

/// What native runs found; none if they were stopped before they began, which is said.
pub(crate) fn unless_stopped(
    result: std::result::Result<Replay, ReplayError>,
    session: &Session,
) -> Result<Option<Replay>> {
    match (result, session.stopped_by()) {
        (Err(ReplayError::Interrupted), Some(limit)) => {
            session.warn(&format!("{}: the tests were not run", of_stop(limit)));
            Ok(None)
        }
        (result, _) => Ok(Some(result?)),
    }
}

/// Says that a folder was not written. Who interrupts it knows that; a limit may surprise.
pub(crate) fn as_it_was(limit: LimitKind, folder: &str) -> Result<Status> {
    if limit == LimitKind::Interrupt {
        bail!("interrupted: {folder} is as it was");
    }
    talk(&format!("{}: {folder} is as it was", of_stop(limit)));
    Ok(Status::Undecided)
}
