//! Work, counted: what this thread did so far, in steps that are the same on every machine.
//!
//! Who gives up after so many seconds gives another answer on a busy machine. Who gives up after so much work gives
//! the same one. The counter is of the thread: a search runs in one, and whoever starts others adds up what they did.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
}

/// What is counted, each with what it costs in steps. A step takes some ten nanoseconds.
#[derive(Copy, Clone, Debug)]
#[repr(u64)]
pub enum Effort {
    /// An instruction of the program that is explored.
    Instruction = 5,
    /// An expression that was looked up or made.
    Expression = 30,
    /// An expression that was evaluated.
    Evaluation = 2,
    /// A value that followed from others in our own SAT solver.
    Propagation = 15,
    /// A gate that was made of an expression.
    Gate = 10,
    /// A look of Bitwuzla or of its SAT solver at whether to go on.
    Poll = 1000,
    /// What Z3 counts of its own resources.
    Resource = 20,
    /// A part of a state that was copied, or compared with that of another one: a register, a condition, a byte.
    Part = 3,
    /// A new solver of Bitwuzla.
    Session = 100_000,
}

/// An amount of work.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Work(u64);

impl Work {
    /// About what a usual machine does in so many milliseconds.
    pub const fn about_milliseconds(count: u64) -> Self {
        Work(count * 100_000)
    }

    /// What this thread did so far.
    pub fn done() -> Self {
        Work(DONE.get())
    }

    /// What this thread did since then.
    pub fn since(start: Work) -> Self {
        Work(DONE.get().saturating_sub(start.0))
    }

    /// So many times as much.
    pub fn times(self, factor: u32) -> Self {
        Work(self.0.saturating_mul(u64::from(factor)))
    }

    /// One of so many parts.
    pub fn part(self, of: u32) -> Self {
        Work(self.0 / u64::from(of.max(1)))
    }

    /// Both together.
    pub fn plus(self, other: Work) -> Self {
        Work(self.0.saturating_add(other.0))
    }

    /// What is left of it after some of it was done.
    pub fn minus(self, done: Work) -> Self {
        Work(self.0.saturating_sub(done.0))
    }

    /// So much work was done elsewhere for this thread.
    pub fn add_here(self) {
        DONE.set(DONE.get().wrapping_add(self.0));
    }

    /// How many efforts of a kind it is worth.
    pub fn efforts(self, effort: Effort) -> u64 {
        self.0 / effort as u64
    }
}

/// Counts efforts of this thread.
#[inline]
pub fn count(effort: Effort, times: u64) {
    DONE.set(DONE.get().wrapping_add(times.wrapping_mul(effort as u64)));
}

/// When to give up: by the clock, where the user said so, and by work, where we did.
#[derive(Copy, Clone, Default, Debug)]
pub struct Deadline {
    time: Option<Instant>,
    work: Option<Work>,
}

/// What of a deadline has passed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Passed {
    /// The time.
    Time,
    /// The work.
    Work,
}

impl Deadline {
    /// So much time and work from now on. More time than the clock can count is no limit.
    pub fn after(time: Duration, work: Option<Work>) -> Self {
        Self::at(Instant::now().checked_add(time), work)
    }

    /// That time, or so much work from now on.
    pub fn at(time: Option<Instant>, work: Option<Work>) -> Self {
        let done = DONE.get();
        Deadline { time, work: work.map(|work| Work(done.saturating_add(work.0))) }
    }

    /// The sooner of two.
    pub fn or(self, other: Deadline) -> Self {
        let time = [self.time, other.time].into_iter().flatten().min();
        let work = [self.work, other.work].into_iter().flatten().min();
        Deadline { time, work }
    }

    /// The same, so much later.
    pub fn later(self, time: Duration, work: Work) -> Self {
        Deadline {
            time: self.time.and_then(|end| end.checked_add(time)),
            work: self.work.map(|end| Work(end.0.saturating_add(work.0))),
        }
    }

    /// The same, but not sooner than so much from now on.
    pub fn at_least(self, time: Duration, work: Work) -> Self {
        let least = Self::after(time, Some(work));
        Deadline {
            time: self.time.max(least.time).filter(|_| self.time.is_some()),
            work: self.work.map(|own| own.max(least.work.unwrap_or(own))),
        }
    }

    /// What has passed, if something has.
    pub fn passed(&self) -> Option<Passed> {
        if self.work_passed() {
            Some(Passed::Work)
        } else if self.time.is_some_and(|time| Instant::now() >= time) {
            Some(Passed::Time)
        } else {
            None
        }
    }

    /// Whether the work was done. Cheaper than to look at the clock.
    pub fn work_passed(&self) -> bool {
        self.work.is_some_and(|work| DONE.get() >= work.0)
    }

    /// How much time is left; none if there is no limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_duration_since(Instant::now()))
    }

    /// How much work is left; none if there is no limit.
    pub fn work_left(&self) -> Option<Work> {
        self.work.map(|work| Work(work.0.saturating_sub(DONE.get())))
    }

    /// The time of the clock, if it is a limit.
    pub fn time(&self) -> Option<Instant> {
        self.time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_passes_by_work_alone() {
        let deadline = Deadline::at(None, Some(Work(10 * Effort::Expression as u64)));
        count(Effort::Expression, 9);
        assert_eq!(deadline.passed(), None);
        assert_eq!(deadline.work_left().unwrap().efforts(Effort::Expression), 1);
        count(Effort::Expression, 1);
        assert_eq!(deadline.passed(), Some(Passed::Work));
    }

    #[test]
    fn work_of_another_thread_counts_once_it_is_added() {
        let start = Work::done();
        let done = std::thread::spawn(|| {
            count(Effort::Poll, 3);
            Work::done()
        });
        done.join().unwrap().add_here();
        assert_eq!(Work::since(start), Work(3 * Effort::Poll as u64));
    }

    #[test]
    fn a_deadline_without_limits_never_passes() {
        count(Effort::Session, 1000);
        assert_eq!(Deadline::default().passed(), None);
        assert_eq!(Deadline::after(Duration::MAX, None).passed(), None);
    }
}
