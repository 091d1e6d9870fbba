//! Stops a query that runs too long, or that nobody wants any more.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a query ended without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The time for the query was over.
    TimeLimit,
    /// It was asked whether to go on as often as the query was worth.
    PollLimit,
    /// The interrupt flag was set.
    Interrupted,
    /// Bitwuzla itself gave up.
    GaveUp,
}

/// What Bitwuzla's termination callback looks at. Only the flag is shared with other threads.
pub(crate) struct Terminator {
    interrupt: Option<Arc<AtomicBool>>,
    deadline: Cell<Option<Instant>>,
    /// How often this query asked whether to go on, and how often it may.
    polls: Cell<u64>,
    most_polls: Cell<u64>,
    /// Why the query was told to stop, if it was.
    stop: Cell<Option<Stop>>,
}

impl Terminator {
    pub(crate) fn new(interrupt: Option<Arc<AtomicBool>>) -> Self {
        Terminator {
            interrupt,
            deadline: Cell::new(None),
            polls: Cell::new(0),
            most_polls: Cell::new(u64::MAX),
            stop: Cell::new(None),
        }
    }

    /// Starts the clock of a query. Returns why it must not even begin, if so.
    pub(crate) fn start(&self, limit: Option<Duration>, polls: Option<u64>) -> Option<Stop> {
        // A limit beyond what the clock can count is no limit.
        self.deadline.set(limit.and_then(|limit| Instant::now().checked_add(limit)));
        self.polls.set(0);
        self.most_polls.set(polls.unwrap_or(u64::MAX));
        self.stop.set(None);
        self.must_stop();
        self.stop()
    }

    /// Why the last query was told to stop, if it was.
    pub(crate) fn stop(&self) -> Option<Stop> {
        self.stop.get()
    }

    /// How often the last query asked whether to go on: a measure of its work that is the same on every machine.
    pub(crate) fn polls(&self) -> u64 {
        self.polls.get()
    }

    fn must_stop(&self) -> bool {
        if self.stop.get().is_some() {
            return true;
        }
        self.polls.set(self.polls.get() + 1);
        if self.polls.get() > self.most_polls.get() {
            self.stop.set(Some(Stop::PollLimit));
            return true;
        }
        self.must_stop_now()
    }

    /// The same without counting.
    fn must_stop_now(&self) -> bool {
        if self.stop.get().is_some() {
            return true;
        }
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            self.stop.set(Some(Stop::Interrupted));
        } else if self.deadline.get().is_some_and(|deadline| Instant::now() >= deadline) {
            self.stop.set(Some(Stop::TimeLimit));
        }
        self.stop.get().is_some()
    }
}

/// The callback of loops that are not counted as work.
pub(crate) extern "C" fn must_stop_now(state: *mut c_void) -> i32 {
    // SAFETY: as below.
    let terminator = unsafe { &*state.cast_const().cast::<Terminator>() };
    i32::from(terminator.must_stop_now())
}

/// The callback that Bitwuzla and its SAT solver ask, many times a millisecond, whether to stop.
pub(crate) extern "C" fn must_stop(state: *mut c_void) -> i32 {
    // SAFETY: the solver passed a pointer to a terminator that it keeps alive for as long as Bitwuzla can call, and
    // Bitwuzla calls on the thread that runs the query, so nobody else touches the cells.
    let terminator = unsafe { &*state.cast_const().cast::<Terminator>() };
    i32::from(terminator.must_stop())
}
