//! Tests that cannot run here.

use std::io::Write;

/// Says that a test does not run on this machine, and why, even where the output of tests that pass is not shown.
///
/// Only for what no package brings: the examples beside the repository, the right to mount a file system.
pub fn skipped(why: &str) {
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    // The test runner keeps what the macros print of tests that pass.
    let _ = writeln!(std::io::stderr(), "skipped: {name}: {why}");
}
