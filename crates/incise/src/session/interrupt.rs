//! Ctrl-C: the first asks the run to stop and report what there is, the second ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What shells expect of a process that Ctrl-C ended.
const STATUS: i32 = 130;

/// Installs the handler; the flag is set by the first Ctrl-C (or SIGTERM, SIGHUP).
pub(crate) fn install() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    let handler = move || {
        if seen.swap(true, Ordering::SeqCst) {
            std::process::exit(STATUS);
        }
    };
    // Without a handler Ctrl-C ends the process at once, which is still fine.
    let _ = ctrlc::set_handler(handler);
    flag
}
