//! Work that is done by several threads at once: units of a change, and functions of a unit.
//!
//! There are as many workers as the user asks for, over the whole process. A list of work may be inside of another: who
//! works on the outer one is a worker, and those that the outer one has no more work for help with the inner ones. A
//! worker that only waits for others is free for somebody else meanwhile. Results are in the order of the list, however
//! many there are.

use anyhow::Result;
use incise_children::Processors;
use std::any::Any;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The workers of a process.
pub(crate) struct Workers<P = &'static Processors> {
    count: usize,
    /// What they work on; each holds one.
    processors: P,
}

/// A piece of work that begins.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Turn {
    /// Which of the list.
    pub(crate) index: usize,
    /// How many of the list have not begun, this one included.
    pub(crate) waiting: usize,
    /// How many of the list are worked on at once.
    pub(crate) at_once: usize,
}

impl Turn {
    /// This one's part of the time that all that wait share: those that are worked on at once share nothing. It is
    /// `least` as long as there is so much: where there is not enough for all, some are done and not all begun.
    pub(crate) fn share(&self, whole: Duration, least: Duration) -> Duration {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).max(1);
        let waiting = count(self.waiting);
        let equal = whole.checked_mul(count(self.at_once).min(waiting)).map_or(whole, |all| all / waiting);
        equal.max(least).min(whole)
    }
}

/// How far a list is.
struct List<T> {
    next: usize,
    /// How many threads work on it.
    threads: usize,
    /// Whether something failed, so that nothing more begins.
    failed: bool,
    results: Vec<Option<Result<T>>>,
    panic: Option<Box<dyn Any + Send>>,
}

impl Workers {
    /// So many, of which the caller is one. If there are to be several at any time, or just one, they keep no more
    /// processors busy, whatever they do.
    pub(crate) fn of_process(count: Option<usize>) -> Self {
        match count {
            Some(count) => Self::on(count, Processors::limit(count)),
            None => Self::on(1, Processors::ours()),
        }
    }
}

impl<P: Deref<Target = Processors> + Sync> Workers<P> {
    /// So many, of which the caller is one, on processors of which it holds one.
    fn on(count: usize, processors: P) -> Self {
        Self { count: count.max(1), processors }
    }

    /// Does all of a list, and tells the results in its order. After one that fails no other begins.
    pub(crate) fn each<T: Send>(
        &self,
        count: usize,
        work: impl Fn(Turn) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let results = (0..count).map(|_| None).collect();
        let list = Mutex::new(List { next: 0, threads: 1, failed: false, results, panic: None });
        std::thread::scope(|scope| {
            let helpers = (self.count - 1).min(count.saturating_sub(1));
            let help = || {
                if self.wait_for_work(&list) {
                    self.work(&list, &work);
                    lock(&list).threads -= 1;
                    self.processors.release();
                }
            };
            for _ in 0..helpers {
                let thread = std::thread::Builder::new().stack_size(incise_frontend::DEEP_STACK);
                // With fewer threads it only takes longer.
                let _ = thread.spawn_scoped(scope, help);
            }
            self.work(&list, &work);
            // Whoever waits for others is no worker, and helpers that came too late see that there is nothing left.
            self.processors.release();
        });
        self.processors.acquire();
        let List { results, panic, .. } = list.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(panic) = panic {
            std::panic::resume_unwind(panic);
        }
        // What comes after one that failed may not have begun.
        let (mut done, mut failed) = (Vec::with_capacity(count), None);
        for result in results.into_iter().flatten() {
            match result {
                Ok(result) => done.push(result),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        match failed {
            Some(error) => Err(error),
            None => Ok(done),
        }
    }

    fn work<T>(&self, list: &Mutex<List<T>>, work: &(impl Fn(Turn) -> Result<T> + Sync)) {
        while let Some(turn) = self.turn(list) {
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(turn)));
            let mut list = lock(list);
            match done {
                Ok(result) => {
                    list.failed |= result.is_err();
                    list.results[turn.index] = Some(result);
                }
                Err(panic) => (list.failed, list.panic) = (true, Some(panic)),
            }
        }
    }

    fn turn<T>(&self, list: &Mutex<List<T>>) -> Option<Turn> {
        // Those that have nothing to do will come.
        let free = self.processors.free();
        let mut list = lock(list);
        let (index, waiting) = (list.next, list.results.len() - list.next);
        if waiting == 0 || list.failed {
            return None;
        }
        list.next += 1;
        Some(Turn { index, waiting, at_once: list.threads.saturating_add(free).min(self.count) })
    }

    /// Waits until there is a worker to be had; tells if there still is something to do.
    fn wait_for_work<T>(&self, list: &Mutex<List<T>>) -> bool {
        let is_left = || {
            let list = lock(list);
            (!list.failed && list.next < list.results.len()).then_some(())
        };
        let came = self.processors.acquire_if(is_left).is_some();
        if came {
            lock(list).threads += 1;
        }
        came
    }
}

/// Results that come in any order, and are passed on in that of the list.
pub(crate) struct InOrder<T>(Mutex<(usize, BTreeMap<usize, T>)>);

impl<T> InOrder<T> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new((0, BTreeMap::new())))
    }

    /// Takes a result, and passes on those before which nothing is missing any more.
    pub(crate) fn put(
        &self,
        index: usize,
        result: T,
        mut pass_on: impl FnMut(usize, T) -> Result<()>,
    ) -> Result<()> {
        let mut state = lock(&self.0);
        let (next, waiting) = &mut *state;
        waiting.insert(index, result);
        while let Some(result) = waiting.remove(next) {
            pass_on(*next, result)?;
            *next += 1;
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_are_in_order_and_never_more_work_at_once_than_asked_for() {
        for count in [1, 2, 3, 8] {
            let workers = Workers::on(count, Box::new(Processors::new(count)));
            let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let outer = workers.each(7, |outer| {
                workers.each(outer.index, |inner| {
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(1));
                    now.fetch_sub(1, Ordering::SeqCst);
                    Ok(10 * outer.index + inner.index)
                })
            });
            let expected: Vec<Vec<usize>> =
                (0..7).map(|outer| (0..outer).map(|inner| 10 * outer + inner).collect()).collect();
            assert_eq!(outer.expect("nothing fails"), expected);
            assert!(most.load(Ordering::SeqCst) <= count, "{count}");
            assert_eq!(workers.processors.free(), count - 1);
        }
    }

    #[test]
    fn workers_without_a_unit_help_with_functions() {
        let workers = Workers::on(2, Box::new(Processors::new(2)));
        let inside = std::sync::Barrier::new(2);
        // Both have to be at work on the one list for this to end.
        let done = workers.each(1, |_| workers.each(2, |turn| Ok((inside.wait(), turn.index).1)));
        assert_eq!(done.expect("nothing fails"), [[0, 1]]);
    }

    #[test]
    fn after_one_that_fails_nothing_begins() {
        let begun = AtomicUsize::new(0);
        let done = Workers::on(1, Box::new(Processors::new(1))).each(9, |turn| {
            begun.fetch_add(1, Ordering::SeqCst);
            if turn.index == 3 { Err(anyhow::anyhow!("no")) } else { Ok(()) }
        });
        assert!(done.is_err());
        assert_eq!(begun.load(Ordering::SeqCst), 4);
    }

    #[test]
    fn time_is_shared_among_those_that_do_not_run_at_once() {
        let share = |waiting, at_once, least| {
            let turn = Turn { index: 0, waiting, at_once };
            turn.share(Duration::from_secs(60), Duration::from_secs(least)).as_secs()
        };
        assert_eq!([share(1, 1, 1), share(6, 1, 1), share(6, 2, 1), share(2, 8, 1)], [60, 10, 20, 60]);
        assert_eq!([share(100, 1, 3), share(100, 1, 90)], [3, 60], "enough for some is better than for none");
    }

    #[test]
    fn what_comes_early_waits() {
        let (order, mut seen) = (InOrder::new(), Vec::new());
        for index in [2, 0, 1, 3] {
            order.put(index, index, |_, each| (seen.push(each), Ok(())).1).expect("nothing fails");
        }
        assert_eq!(seen, [0, 1, 2, 3]);
    }
}
