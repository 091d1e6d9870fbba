//! Why a run stops before its end. There is one run in a process, and signals and clocks know no other place.

use incise_exec::LimitKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

const NONE: u8 = 0;
const INTERRUPT: u8 = 1;
const TIME: u8 = 2;
const MEMORY: u8 = 3;

/// Which of them it is.
static CAUSE: AtomicU8 = AtomicU8::new(NONE);
/// Whether searches had to end because the report will take the rest of the time.
static SEARCHED_LONG: AtomicBool = AtomicBool::new(false);
/// Whether memory did not suffice at some time.
static LACKED_MEMORY: AtomicBool = AtomicBool::new(false);

/// What has the run stop: a flag that everything looks at, and why it was set. Searches have one of their own: they may
/// have to end before what follows them.
#[derive(Clone)]
pub(crate) struct Stopping {
    flag: Arc<AtomicBool>,
    search: Arc<AtomicBool>,
}

impl Stopping {
    pub(crate) fn new() -> Self {
        Self { flag: Arc::new(AtomicBool::new(false)), search: Arc::new(AtomicBool::new(false)) }
    }

    /// Set once searches have to stop.
    pub(crate) fn search(&self) -> &Arc<AtomicBool> {
        &self.search
    }

    /// Asks searches to stop, so that there is time for the report.
    pub(crate) fn end_search(&self) {
        SEARCHED_LONG.store(true, Ordering::SeqCst);
        self.search.store(true, Ordering::SeqCst);
    }

    /// Set once the run has to stop.
    pub(crate) fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// Asks the run to stop. What came first counts, but a lack of memory may pass.
    pub(crate) fn stop(&self, limit: LimitKind) {
        let code = match limit {
            LimitKind::Time => TIME,
            LimitKind::Memory => MEMORY,
            _ => INTERRUPT,
        };
        LACKED_MEMORY.fetch_or(code == MEMORY, Ordering::SeqCst);
        let replace = |now: u8| (now == NONE || now == MEMORY).then_some(code);
        // It fails where something came first.
        let _ = CAUSE.fetch_update(Ordering::SeqCst, Ordering::SeqCst, replace);
        self.set(true);
    }

    fn set(&self, stop: bool) {
        self.flag.store(stop, Ordering::SeqCst);
        self.search.store(stop || SEARCHED_LONG.load(Ordering::SeqCst), Ordering::SeqCst);
    }

    /// What was given up for want of memory has given back its own: others may go on.
    pub(crate) fn memory_is_back(&self) {
        if CAUSE.compare_exchange(MEMORY, NONE, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            self.set(false);
            // A signal may have come in between.
            if cause().is_some() {
                self.set(true);
            }
        }
    }
}

/// Why the run was asked to stop, if it was.
pub(crate) fn cause() -> Option<LimitKind> {
    match CAUSE.load(Ordering::SeqCst) {
        TIME => Some(LimitKind::Time),
        MEMORY => Some(LimitKind::Memory),
        INTERRUPT => Some(LimitKind::Interrupt),
        _ => None,
    }
}

/// Why something was stopped on the way, even if there is enough memory again.
pub(crate) fn past_cause() -> Option<LimitKind> {
    let lacked = LACKED_MEMORY.load(Ordering::SeqCst).then_some(LimitKind::Memory);
    cause().or(lacked)
}

/// The same, for who was stopped.
pub(crate) fn stopped_by() -> LimitKind {
    cause().unwrap_or(match SEARCHED_LONG.load(Ordering::SeqCst) {
        true => LimitKind::Time,
        false => LimitKind::Interrupt,
    })
}
