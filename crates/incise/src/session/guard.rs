//! Watches over the limits of a command: time, memory, and the patience of whoever sent a signal.
//!
//! At the limit the run is asked to stop, by a flag that everything that takes long looks at. What does not look, a
//! pass over a large program or a library in the middle of its work, cannot be ended from outside; so a little later
//! the guard reports what was found so far, in the place of the command, and ends the process ([`Rescue`]).
//!
//! Memory is that of the process and of all its children. A run that is stopped for want of it gives its memory back,
//! and others may follow; only where it goes on growing the process ends.

use super::cause::{Stopping, cause};
use super::rescue::Rescue;
use incise_exec::{FoundSoFar, LimitKind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the guard looks.
const TICK: Duration = Duration::from_millis(10);
/// How long a command may take to report after a signal.
const AFTER_SIGNAL: Duration = Duration::from_millis(600);
/// A command may take so much longer than its time, or this part of it, before it is not waited for.
const LATE: Duration = Duration::from_millis(600);
const LATE_PART: u32 = 16;
/// It may use so much more memory than its limit: one of so many parts.
const TOO_MUCH_PART: u64 = 16;
/// One of so many parts of all memory that there is, is left to others.
const SPARED_PART: u64 = 8;
/// Of so many parts of the time one is kept for what follows a search, but no more than this.
const KEPT_PART: u32 = 10;
const KEPT: Duration = Duration::from_secs(2);

/// What a command may take.
#[derive(Copy, Clone, Debug)]
pub(crate) struct CommandLimits {
    /// From its start to its end.
    pub(crate) time: Option<Duration>,
    /// All of its processes together, in bytes.
    pub(crate) memory: Option<u64>,
}

/// What the report on paths takes: a part of the time that it took to find them, but no more than so much for each. The
/// first is what counts on a slow machine, the second where paths are few.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ReportCost {
    pub(crate) percent_of_search: u32,
    pub(crate) most_each: Duration,
}

impl ReportCost {
    /// On so many paths that were found in a time.
    fn of(self, paths: usize, time: Duration) -> Duration {
        let paths = u32::try_from(paths).unwrap_or(u32::MAX);
        (time * self.percent_of_search / 100).min(self.most_each.saturating_mul(paths))
    }
}

/// The thread that watches, for as long as this lives.
pub(crate) struct Guard {
    limits: CommandLimits,
    start: Instant,
    stopping: Stopping,
    over: Arc<AtomicBool>,
    cost: Arc<Mutex<Option<ReportCost>>>,
}

impl Guard {
    /// Begins to watch.
    pub(crate) fn begin(
        mut limits: CommandLimits,
        stopping: Stopping,
        rescue: Rescue,
        found: FoundSoFar,
    ) -> Self {
        // Who uses more is killed, and reports nothing.
        let there_is = incise_children::of_machine().map(|all| all - all / SPARED_PART);
        limits.memory = [limits.memory, there_is].into_iter().flatten().min();
        let (start, over) = (Instant::now(), Arc::new(AtomicBool::new(false)));
        let cost = Arc::new(Mutex::new(None));
        let mut watch = Watch {
            limits,
            start,
            stopping: stopping.clone(),
            rescue,
            over: Arc::clone(&over),
            found,
            cost: Arc::clone(&cost),
            asked: None,
        };
        // Without a thread limits hold where they are looked at.
        let _ = std::thread::Builder::new().name("guard".to_owned()).spawn(move || watch.run());
        Self { limits, start, stopping, over, cost }
    }

    /// From now on searches end early enough for a report that takes so much.
    pub(crate) fn expect(&self, cost: ReportCost) {
        *self.cost.lock().unwrap_or_else(PoisonError::into_inner) = Some(cost);
    }

    /// When searches end: what they found has to be confirmed and shown.
    pub(crate) fn end_of_search(&self) -> Option<Instant> {
        let time = self.limits.time?;
        self.start.checked_add(time - (time / KEPT_PART).min(KEPT))
    }

    /// Lets the run go on if it was stopped for want of memory, and there is enough of it again.
    pub(crate) fn recover(&self) {
        if cause() == Some(LimitKind::Memory)
            && self.limits.memory.is_some_and(|most| memory_used() < most - most / 4)
        {
            self.stopping.memory_is_back();
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
    }
}

/// The bytes of this process and its children that are in memory now.
pub(crate) fn memory_used() -> u64 {
    incise_children::of_this() + incise_children::of_children()
}

/// What the thread works with.
struct Watch {
    limits: CommandLimits,
    start: Instant,
    stopping: Stopping,
    rescue: Rescue,
    over: Arc<AtomicBool>,
    found: FoundSoFar,
    cost: Arc<Mutex<Option<ReportCost>>>,
    /// When a signal was seen.
    asked: Option<Instant>,
}

impl Watch {
    fn run(&mut self) {
        while !self.over.load(Ordering::SeqCst) {
            if let Some(limit) = self.look(self.start.elapsed()) {
                self.rescue.report(limit);
            }
            std::thread::sleep(TICK);
        }
    }

    /// Asks the run to stop if it is time; tells if nobody waits for it any more.
    fn look(&mut self, elapsed: Duration) -> Option<LimitKind> {
        self.late(elapsed).or_else(|| self.too_much(memory_used())).or_else(|| self.signalled())
    }

    fn late(&self, elapsed: Duration) -> Option<LimitKind> {
        let cost = *self.cost.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((cost, time)) = cost.zip(self.limits.time)
            && elapsed + cost.of(self.found.count(), elapsed) >= time
        {
            self.stopping.end_search();
        }
        let time = self.limits.time.filter(|time| elapsed >= *time)?;
        self.stopping.stop(LimitKind::Time);
        (elapsed >= time + LATE.max(time / LATE_PART)).then_some(LimitKind::Time)
    }

    fn too_much(&self, used: u64) -> Option<LimitKind> {
        let most = self.limits.memory.filter(|most| used > *most)?;
        self.stopping.stop(LimitKind::Memory);
        (used > most + most / TOO_MUCH_PART).then_some(LimitKind::Memory)
    }

    fn signalled(&mut self) -> Option<LimitKind> {
        if cause() != Some(LimitKind::Interrupt) {
            return None;
        }
        let asked = *self.asked.get_or_insert_with(Instant::now);
        (asked.elapsed() >= AFTER_SIGNAL).then_some(LimitKind::Interrupt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_on_few_paths_takes_little() {
        let cost = ReportCost { percent_of_search: 200, most_each: Duration::from_millis(1) };
        let search = Duration::from_secs(10);
        assert_eq!(cost.of(3, search), Duration::from_millis(3));
        assert_eq!(cost.of(1_000_000, search), Duration::from_secs(20));
        assert_eq!(cost.of(usize::MAX, Duration::ZERO), Duration::ZERO);
    }
}
