//! When an exploration stops before its end: Ctrl-C, time, memory.

use crate::exploration::explore::Hooks;
use crate::outcome::LimitKind;
use incise_solver::Deadline;
use incise_solver::work::{self, Effort, Passed};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// After so many bytes that were copied it is looked whether it is time to stop.
const MANY_BYTES: u64 = 1 << 20;

/// Tells when to stop.
#[derive(Clone)]
pub struct StopSignal {
    /// Set from outside: Ctrl-C, or another worker found the work done.
    pub(crate) interrupt: Arc<AtomicBool>,
    stopped_by: Option<fn() -> LimitKind>,
    pub(crate) deadline: Deadline,
    pub(crate) memory_limit: u64,
    pub(crate) memory_used: Option<fn() -> u64>,
    /// Why it stopped, once it did.
    pub reason: Option<LimitKind>,
    /// The most memory seen.
    pub(crate) peak_memory: u64,
    checks: u32,
    /// Bytes that were copied since the clock was looked at for that.
    copied: u64,
}

impl StopSignal {
    pub(crate) fn new(hooks: &Hooks<'_>, deadline: Deadline, memory_limit: u64) -> Self {
        Self {
            interrupt: Arc::clone(&hooks.interrupt),
            stopped_by: hooks.stopped_by,
            deadline,
            memory_limit,
            memory_used: hooks.memory_used,
            reason: None,
            peak_memory: 0,
            checks: 0,
            copied: 0,
        }
    }

    /// So many bytes were copied, one by one or as words.
    pub(crate) fn copied(&mut self, bytes: u64) {
        work::count(Effort::Part, bytes / 4);
        self.copied += bytes;
    }

    /// Whether so much was copied that it is time to look at the clock, and to stop: a single instruction can copy as
    /// much as tens of thousands of others.
    pub(crate) fn check_copied(&mut self) -> bool {
        if self.copied < MANY_BYTES {
            return false;
        }
        self.copied = 0;
        self.check_clock()
    }

    /// Whether it is time to stop, by the clock: for whoever asks rarely.
    pub fn check_clock(&mut self) -> bool {
        if self.reason.is_none() {
            self.look();
        }
        self.check()
    }

    /// Looks at the clock and at the work done.
    fn look(&mut self) {
        self.reason = self.deadline.passed().map(|passed| match passed {
            Passed::Time => LimitKind::Time,
            Passed::Work => LimitKind::Work,
        });
    }

    /// Whether it is time to stop; asked every few ten thousand instructions and at each fork.
    pub(crate) fn check(&mut self) -> bool {
        if self.reason.is_some() {
            return true;
        }
        if self.interrupt.load(Ordering::Relaxed) {
            self.reason = Some(self.stopped_by.map_or(LimitKind::Interrupt, |limit| limit()));
            return true;
        }
        if self.deadline.work_passed() {
            self.reason = Some(LimitKind::Work);
            return true;
        }
        self.checks = self.checks.wrapping_add(1);
        if self.checks % 16 == 1 {
            self.look();
            if self.checks % 1024 == 1
                && let Some(used) = self.memory_used
            {
                let used = used();
                self.peak_memory = self.peak_memory.max(used);
                if used > self.memory_limit {
                    self.reason = Some(LimitKind::Memory);
                }
            }
        }
        self.reason.is_some()
    }
}
