//! Programs with threads, for commands that cannot do with them what they do with others.

use anyhow::{Result, bail};
use incise_ir::Program;

/// Refuses a program that starts threads from where it is explored: the entry, or else `main`.
pub(crate) fn refuse(program: &Program, entry: Option<&str>, what: &str) -> Result<()> {
    let name = entry.unwrap_or("main");
    match program.function_named(name) {
        Some(entry) if incise_exec::starts_threads(program, entry) => bail!(
            "{name} starts threads, and {what} programs with threads is not possible yet: `incise run` explores them"
        ),
        _ => Ok(()),
    }
}
