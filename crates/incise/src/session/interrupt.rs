//! Signals: the first asks the run to stop and report what there is, the second ends the process.

use super::cause::Stopping;
use incise_exec::LimitKind;
use std::sync::atomic::{AtomicBool, Ordering};

/// What shells expect of a process that Ctrl-C ended.
const STATUS: u8 = 130;

/// Installs the handler for Ctrl-C, SIGTERM and SIGHUP.
pub(crate) fn install(stopping: Stopping) {
    let seen = AtomicBool::new(false);
    let handler = move || {
        if seen.swap(true, Ordering::SeqCst) {
            super::scratch::remove_all();
            incise_children::leave(STATUS);
        }
        stopping.stop(LimitKind::Interrupt);
    };
    // Without a handler Ctrl-C ends the process at once, which is still fine.
    let _ = ctrlc::set_handler(handler);
}
