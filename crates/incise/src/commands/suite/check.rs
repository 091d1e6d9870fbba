//! `incise suite check`: run the tests of a suite natively against a version of the program.

use super::settings::CheckSettings;
use crate::arguments::Format;
use crate::exit::Status;
use crate::session::Session;
use crate::session::output::write_data;
use anyhow::{Context, Result};
use incise_replay::ReplayOptions;
use incise_report::suite::check::{CheckStatus, SuiteCheck, json, junit, text};
use incise_suite::{StoredSuite, check, check_entry, sources_of};
use std::path::Path;

/// Does what `incise suite check` is asked to do.
pub(crate) fn run(settings: &CheckSettings, session: &Session) -> Result<Status> {
    let CheckSettings { files, suite: directory, compilation, junit, timeout, jobs, output, .. } = settings;
    let suite = session.read_suite(directory)?;
    say_strangers(&suite, session);
    let sources = sources_of(directory, &suite.manifest, files, compilation)?;
    let loaded = session.load_silently(sources)?;
    check_entry(&loaded.program, &suite)?;
    let usual = session.replaying();
    let options = ReplayOptions { timeout: *timeout, jobs: jobs.unwrap_or(usual.jobs), ..usual };
    let check = check(&suite, &loaded, &options)?;
    session.reports();
    if let Some(file) = junit {
        write_junit(&check, file)?;
    }
    write_data(|out| match output.format {
        Format::Text => text::render(&check, output.text.quiet, output.text.color, out),
        Format::Json => json::render(&check, out),
    })?;
    if check.count(CheckStatus::Damaged) > 0 {
        session.say(
            "damaged tests can be restored from version control, or made anew by `incise suite generate`",
        );
    }
    Ok(status(&check))
}

/// Says which files among the tests are none.
pub(crate) fn say_strangers(suite: &StoredSuite, session: &Session) {
    for stranger in &suite.strangers {
        session.warn(&format!("warning: {stranger} lies among the tests, but the suite does not name it"));
    }
}

fn write_junit(check: &SuiteCheck, file: &Path) -> Result<()> {
    let mut text = Vec::new();
    junit::render(check, &mut text)?;
    std::fs::write(file, text).with_context(|| format!("{} cannot be written", file.display()))
}

/// Failures, or tests that could not be checked, or neither.
fn status(check: &SuiteCheck) -> Status {
    if check.tests.iter().any(|test| test.status.is_failure()) {
        Status::Found
    } else if check.count(CheckStatus::NotChecked) > 0 {
        Status::Undecided
    } else {
        Status::Nothing
    }
}
