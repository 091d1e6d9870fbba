//! The tests of a suite as C sources.

use crate::c_context::{KLEE_INCLUDE, Subject};
use crate::error::SuiteError;
use crate::new_suite::Explored;
use crate::relative_path::relative_to;
use incise_replay::INPUT_FUNCTIONS;
use incise_report::TestCase;
use incise_report::emit::{Emit, Emitted, emit};
use incise_report::test::c_program::INPUTS_FILE;
use std::path::Path;

/// Test sources, as they must be in the folder `seen_from`.
pub fn test_sources(
    kind: Emit,
    tests: &[TestCase],
    explored: &Explored<'_>,
    seen_from: &Path,
) -> Result<Emitted, SuiteError> {
    let from_there =
        |path: &Path| relative_to(seen_from, path).unwrap_or_else(|_| path.to_string_lossy().into_owned());
    let subject = Subject {
        program: &explored.loaded.program,
        entry: explored.entry,
        sources: &explored.loaded.sources,
        arguments: &explored.config.inputs.given_arguments,
    };
    let mut context =
        subject.c_context(&from_there).map_err(|why| SuiteError::NoTestSources { form: kind.name(), why })?;
    let taken = incise_findings::taken(&explored.config.inputs.reading);
    context.taken = taken.iter().map(|taken| taken.with_evidence()).collect();
    if context.input_functions {
        context.flags.extend(KLEE_INCLUDE.map(str::to_owned));
    }
    Ok(emit(kind, &explored.config.entry, tests, &context))
}

/// Writes test sources into a folder.
pub fn put_sources(folder: &Path, emitted: &Emitted) -> std::io::Result<()> {
    for (name, text) in &emitted.files {
        std::fs::write(folder.join(name), text)?;
    }
    if emitted.calls {
        std::fs::write(folder.join(INPUTS_FILE), INPUT_FUNCTIONS)?;
        std::fs::create_dir_all(folder.join("include/klee"))?;
        std::fs::write(folder.join("include/klee/klee.h"), incise_libc::KLEE_HEADER)?;
    }
    Ok(())
}
