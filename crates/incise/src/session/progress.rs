//! One line of progress on standard error, if that is a terminal.

use incise_exec::Progress;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(200);

/// A line that is written over and over.
pub(crate) struct ProgressLine {
    start: Instant,
    last: Mutex<Option<Instant>>,
}

impl ProgressLine {
    /// A line, if the user wants and sees one.
    pub(crate) fn new(quiet: bool) -> Option<Self> {
        let visible = !quiet && std::io::stderr().is_terminal();
        visible.then(|| Self { start: Instant::now(), last: Mutex::new(None) })
    }

    /// Shows how far an exploration is, a few times a second.
    pub(crate) fn show(&self, progress: &Progress) {
        let Progress { paths, errors, states_waiting, instructions, expected } = progress;
        self.write(|| {
            let about = match *expected > *paths {
                true => format!(" of about {expected}"),
                false => String::new(),
            };
            format!(
                "{paths}{about} paths, {errors} errors, {states_waiting} states waiting, {:.1} million instructions",
                *instructions as f64 / 1e6
            )
        });
    }

    /// Shows how far the comparison of a function is, a few times a second.
    pub(crate) fn show_comparison(&self, function: &str, progress: &Progress) {
        let Progress { paths, states_waiting, instructions, .. } = progress;
        self.write(|| {
            format!(
                "comparing {function}: {paths} pairs of paths, {states_waiting} states waiting, {:.1} million instructions",
                *instructions as f64 / 1e6
            )
        });
    }

    fn write(&self, text: impl FnOnce() -> String) {
        let Ok(mut last) = self.last.lock() else { return };
        if last.is_some_and(|last| last.elapsed() < INTERVAL) || self.start.elapsed() < INTERVAL {
            return;
        }
        *last = Some(Instant::now());
        let seconds = self.start.elapsed().as_secs_f64();
        let mut stderr = std::io::stderr().lock();
        let _ = write!(stderr, "\r\x1b[K{seconds:.1}s  {}", text());
        let _ = stderr.flush();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.last.lock().is_ok_and(|last| last.is_some()) {
            let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
        }
    }
}
