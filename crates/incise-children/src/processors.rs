//! How many processors this process may keep busy, with all the programs that it waits for.
//!
//! Whoever works holds one. Inside of a piece of work there may be two things that could be done at once: both
//! versions are read, built, looked at. They are if a processor has nothing to do ([`Processors::spare`]), and else one
//! after the other. So a user who asks for one worker gets one processor busy, and on a list of work the workers come
//! first. Results are the same in both ways.

use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Processors that may be busy.
#[derive(Debug)]
pub struct Processors {
    /// How many have nothing to do; nobody counts where there is no limit.
    free: Option<Mutex<usize>>,
    changed: Condvar,
}

/// Those of the whole process.
static OURS: OnceLock<Processors> = OnceLock::new();

/// One more processor, for as long as this lives.
#[derive(Debug)]
pub struct Spare<'a>(&'a Processors);

impl Processors {
    /// So many, of which the caller holds one.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { free: Some(Mutex::new(count.max(1) - 1)), changed: Condvar::new() }
    }

    /// Those of the whole process: as many as were set first, or any number.
    pub fn ours() -> &'static Self {
        OURS.get().unwrap_or(&UNLIMITED)
    }

    /// From now on the whole process, of which this thread is the only one that works, keeps so many busy.
    pub fn limit(count: usize) -> &'static Self {
        OURS.get_or_init(|| Self::new(count))
    }

    /// How many have nothing to do.
    pub fn free(&self) -> usize {
        self.free.as_ref().map_or(usize::MAX, |free| *lock(free))
    }

    /// Waits until one has nothing to do, and takes it.
    pub fn acquire(&self) {
        self.acquire_if(|| Some(()));
    }

    /// Waits until one has nothing to do, and takes it if it is still wanted; that is asked again each time that
    /// somebody ends.
    pub fn acquire_if<T>(&self, mut wanted: impl FnMut() -> Option<T>) -> Option<T> {
        let Some(free) = &self.free else { return wanted() };
        let mut free = lock(free);
        loop {
            let wanted = wanted()?;
            if *free > 0 {
                *free -= 1;
                return Some(wanted);
            }
            free = self.changed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives one back.
    pub fn release(&self) {
        if let Some(free) = &self.free {
            *lock(free) += 1;
        }
        self.changed.notify_all();
    }

    /// One more, if one has nothing to do.
    pub fn spare(&self) -> Option<Spare<'_>> {
        if let Some(free) = &self.free {
            let mut free = lock(free);
            *free = free.checked_sub(1)?;
        }
        Some(Spare(self))
    }

    /// Does two things at once if a processor has nothing to do, and else one after the other. The first has a thread
    /// with a stack of its own, if one can be had.
    pub fn both<A: Send, B>(
        &self,
        stack: usize,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B,
    ) -> (A, B) {
        let Some(_spare) = self.spare() else { return (first(), second()) };
        let waiting = Mutex::new(Some(first));
        let run = || {
            let first = lock(&waiting).take();
            first.map(|first| first())
        };
        std::thread::scope(|scope| {
            let worker = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, run);
            let there = second();
            let here =
                worker.ok().and_then(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
            (here.or_else(run).expect("it was not done before"), there)
        })
    }

    /// Does a piece of work that several may take part in: in this thread, and in at most `most` others while there are
    /// processors with nothing to do.
    pub fn together(&self, most: usize, work: impl Fn(usize) + Sync) {
        std::thread::scope(|scope| {
            for number in 1..=most {
                let Some(spare) = self.spare() else { break };
                let work = &work;
                scope.spawn(move || {
                    let _spare = spare;
                    work(number);
                });
            }
            work(0);
        });
    }
}

/// What is held where nobody set a limit.
static UNLIMITED: Processors = Processors { free: None, changed: Condvar::new() };

impl Drop for Spare<'_> {
    fn drop(&mut self) {
        self.0.release();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const STACK: usize = 1 << 20;

    #[test]
    fn one_processor_does_one_thing_after_the_other() {
        let one = Processors::new(1);
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(std::time::Duration::from_millis(2));
            now.fetch_sub(1, Ordering::SeqCst)
        };
        assert_eq!(one.both(STACK, work, work), (1, 1));
        one.together(4, |_| _ = work());
        assert_eq!(most.load(Ordering::SeqCst), 1);
        assert_eq!(one.free(), 0);
    }

    #[test]
    fn what_has_nothing_to_do_helps_and_is_given_back() {
        for processors in [Processors::new(2), Processors { free: None, changed: Condvar::new() }] {
            let before = processors.free();
            let inside = Barrier::new(2);
            // Both have to be at work for this to end.
            let met = || inside.wait().is_leader();
            let (one, other) = processors.both(STACK, met, met);
            assert_ne!(one, other);
            assert_eq!(processors.free(), before);
            processors.together(1, |_| _ = inside.wait());
            assert_eq!(processors.free(), before);
        }
    }

    #[test]
    fn who_waits_gets_what_is_released() {
        let processors = Processors::new(1);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| processors.acquire());
            processors.release();
            waiting.join().expect("it ends");
        });
        assert_eq!(processors.free(), 0);
        assert_eq!(processors.acquire_if(|| None::<()>), None, "nobody wants it");
    }
}
