//! `incise suite emit`: the tests of a suite as C sources.

use super::settings::EmitSettings;
use crate::commands::written::say_left_out;
use crate::exit::Status;
use crate::session::Session;
use anyhow::{Context, Result, bail};
use incise_exec::Config;
use incise_frontend::find_function;
use incise_report::TestCase;
use incise_suite::{Explored, program_hash, put_sources, reading, suite_sources, test_sources};
use std::path::Path;

/// In the first lines of all files that we write.
const OURS: &str = "written by incise";

/// Does what `incise suite emit` is asked to do.
pub(crate) fn run(settings: &EmitSettings, session: &Session) -> Result<Status> {
    let EmitSettings { suite, kind, directory, tools, .. } = settings;
    let from = suite;
    let suite = session.read_suite(from)?;
    let sources = suite_sources(from, &suite.manifest, tools.clone());
    let loaded =
        session.load_silently(sources).context("the program that the suite was made from cannot be read")?;
    let entry = find_function(&loaded.program, &suite.manifest.entry)?;
    if program_hash(&loaded)? != suite.manifest.program.hash {
        session.warn(
            "warning: the program has changed since the suite was written; what is written expects the behaviour it had",
        );
    }
    let mut config = Config::new(&suite.manifest.entry);
    config.inputs.reading = reading(&suite.manifest.options)?;
    config.inputs.given_arguments = suite.manifest.options.arguments.clone();
    let (good, damaged): (Vec<_>, Vec<_>) = suite.cases().partition(Result::is_ok);
    let tests: Vec<TestCase> = good.into_iter().flatten().collect();
    for why in damaged.iter().filter_map(|test| test.as_ref().err()) {
        session.warn(&format!("damaged: {why}"));
    }
    let explored = Explored { loaded: &loaded, entry, config: &config, emit: &[] };
    let emitted = test_sources(*kind, &tests, &explored, directory)?;
    session.reports();
    for (name, _) in &emitted.files {
        refuse_foreign(&directory.join(name))?;
    }
    std::fs::create_dir_all(directory)
        .with_context(|| format!("the folder {} cannot be made", directory.display()))?;
    put_sources(directory, &emitted)
        .with_context(|| format!("test sources cannot be written to {}", directory.display()))?;
    say_left_out(session, *kind, &emitted);
    let tests = if emitted.tests == 1 { "test" } else { "tests" };
    session.say(&format!("{} {tests} for {} written to {}", emitted.tests, kind.name(), directory.display()));
    Ok(if damaged.is_empty() { Status::Nothing } else { Status::Found })
}

/// A file of that name that someone else wrote is left alone.
fn refuse_foreign(file: &Path) -> Result<()> {
    match std::fs::read(file) {
        Ok(text) if !String::from_utf8_lossy(&text).lines().take(5).any(|line| line.contains(OURS)) => {
            bail!("{} is there, and incise did not write it; choose another folder", file.display())
        }
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{} cannot be read", file.display()))
        }
        _ => Ok(()),
    }
}
