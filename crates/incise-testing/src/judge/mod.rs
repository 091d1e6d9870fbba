//! The judges: what programs do natively. They share nothing with the engine but clang.
//!
//! [`Trace`] records what a version does, statement by statement; [`all_inputs`] compares both versions on all inputs.
mod all_inputs;
mod trace;

pub use all_inputs::{Seen, all_inputs};
pub use trace::{End, Mark, Run, Trace};

use crate::native::Native;
use std::path::Path;

/// What programs do natively at the places that are marked.
const HEADER: &str = include_str!("judge.h");

/// Compiles a text that includes `judge.h`.
fn build(folder: &Path, name: &str, flags: &[&str], text: &str) -> Result<Native, String> {
    let path = folder.join("judge.h");
    std::fs::write(&path, HEADER).map_err(|error| format!("{}: {error}", path.display()))?;
    Native::build(folder, name, flags, text)
}

/// Which pairs of functions differ: a text with both versions, and a driver that goes through `olds` and `news` and
/// writes a digit for each pair.
pub(crate) fn differing(
    folder: &Path,
    text: &str,
    kind: &str,
    (olds, news): (&[String], &[String]),
    driver: &str,
) -> Result<Vec<bool>, String> {
    let table = |name: &str, functions: &[String]| {
        format!("static {} = {{{}}};\n", kind.replace('#', name), functions.join(", "))
    };
    let text = format!("{text}{}{}{driver}", table("olds", olds), table("news", news));
    let output = Native::build(folder, "run", &["-O1", "-fwrapv"], &text)?.output(&[], &[])?;
    assert_eq!(output.len(), olds.len(), "the judge answers all");
    Ok(output.into_iter().map(|each| each == b'1').collect())
}
