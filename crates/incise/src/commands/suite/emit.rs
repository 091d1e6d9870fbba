//! `incise suite emit`: the tests of a suite as C sources.

use crate::commands::suite::arguments::EmitArguments;
use crate::commands::suite::generate::say_left_out;
use crate::exit::Status;
use crate::frontend;
use crate::session::output::talk;
use crate::suite::store::{self, Explored};
use crate::suite::{program_hash, reading, stored};
use anyhow::{Context, Result, bail};
use incise_exec::Config;
use incise_report::TestCase;
use incise_report::emit::Emit;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// In the first lines of all files that we write.
const OURS: &str = "written by incise";

/// Does what `incise suite emit` is asked to do.
pub(crate) fn run(arguments: &EmitArguments, interrupt: Arc<AtomicBool>) -> Result<Status> {
    let suite = stored::read(&arguments.suite)?;
    let kind = Emit::from(arguments.emit);
    let mut sources = store::sources(&arguments.suite, &suite.manifest);
    sources.clang = arguments.clang.clone();
    let loaded = frontend::load(sources, false, &interrupt, &mut |_| {})
        .context("the program that the suite was made from cannot be read")?;
    let entry = frontend::find_function(&loaded.program, &suite.manifest.entry)?;
    if program_hash(&loaded)? != suite.manifest.program.hash {
        talk(
            "warning: the program has changed since the suite was written; what is written expects the behaviour it had",
        );
    }
    let mut config = Config::new(&suite.manifest.entry);
    config.inputs.reading = reading(&suite.manifest.options)?;
    config.inputs.given_arguments = suite.manifest.options.arguments.clone();
    let (good, damaged): (Vec<_>, Vec<_>) = suite.cases().partition(Result::is_ok);
    let tests: Vec<TestCase> = good.into_iter().flatten().collect();
    for why in damaged.iter().filter_map(|test| test.as_ref().err()) {
        talk(&format!("damaged: {why}"));
    }
    let explored = Explored { loaded: &loaded, entry, config: &config, emit: &[] };
    let directory = &arguments.output_directory;
    let emitted = store::test_sources(kind, &tests, &explored, directory)?;
    for (name, _) in &emitted.files {
        refuse_foreign(&directory.join(name))?;
    }
    std::fs::create_dir_all(directory)
        .with_context(|| format!("the folder {} cannot be made", directory.display()))?;
    store::put_sources(directory, &emitted)
        .with_context(|| format!("test sources cannot be written to {}", directory.display()))?;
    say_left_out(kind, &emitted);
    if !arguments.quiet {
        let tests = if emitted.tests == 1 { "test" } else { "tests" };
        talk(&format!("{} {tests} for {} written to {}", emitted.tests, kind.name(), directory.display()));
    }
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
