//! The paths that were found so far. Whoever explores may be in the middle of something that nobody can interrupt; what
//! it has found by then can be had from another thread.

use crate::result::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The paths of one worker.
#[derive(Clone, Default)]
pub(crate) struct FoundPaths(Arc<CountedPaths>);

#[derive(Default)]
struct CountedPaths {
    paths: Mutex<Paths>,
    /// How many there are, for whoever only wants to know that.
    count: AtomicUsize,
}

#[derive(Default)]
struct Paths {
    paths: Vec<Path>,
    /// Whether the exploration is over and has taken them.
    taken: bool,
}

impl FoundPaths {
    pub(crate) fn len(&self) -> usize {
        self.0.count.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn push(&self, path: Path) {
        let mut found = lock(&self.0.paths);
        found.paths.push(path);
        self.0.count.store(found.paths.len(), Ordering::Relaxed);
    }

    pub(crate) fn pop(&self) -> Option<Path> {
        let mut found = lock(&self.0.paths);
        let path = found.paths.pop();
        self.0.count.store(found.paths.len(), Ordering::Relaxed);
        path
    }

    /// All of them, for the result of the exploration.
    pub(crate) fn take(&self) -> Vec<Path> {
        let mut found = lock(&self.0.paths);
        found.taken = true;
        self.0.count.store(0, Ordering::Relaxed);
        std::mem::take(&mut found.paths)
    }

    /// Changes one of them.
    pub(crate) fn change(&self, number: usize, change: impl FnOnce(&mut Path)) {
        if let Some(path) = lock(&self.0.paths).paths.get_mut(number) {
            change(path);
        }
    }

    /// Looks at them.
    pub(crate) fn with<T>(&self, look: impl FnOnce(&[Path]) -> T) -> T {
        look(&lock(&self.0.paths).paths)
    }
}

/// The paths of all workers of the exploration that runs.
#[derive(Clone, Default)]
pub struct FoundSoFar(Arc<Mutex<Vec<FoundPaths>>>);

impl FoundSoFar {
    /// The paths that were found until now, in the order of their decisions; the exploration has them no longer. `None`
    /// if it is over, so that its result has them.
    pub fn take(&self) -> Option<Vec<Path>> {
        let workers = lock(&self.0);
        if workers.iter().any(|worker| lock(&worker.0.paths).taken) {
            return None;
        }
        let take = |worker: &FoundPaths| {
            let mut found = lock(&worker.0.paths);
            worker.0.count.store(0, Ordering::Relaxed);
            std::mem::take(&mut found.paths)
        };
        let mut paths: Vec<Path> = workers.iter().flat_map(take).collect();
        paths.sort_by(|left, right| left.decisions.cmp(&right.decisions));
        Some(paths)
    }

    /// How many paths were found until now.
    pub fn count(&self) -> usize {
        lock(&self.0).iter().map(FoundPaths::len).sum()
    }

    /// Another exploration begins, and what was found before is not of interest any more.
    pub(crate) fn begin(&self) {
        lock(&self.0).clear();
    }

    pub(crate) fn add(&self, paths: &FoundPaths) {
        lock(&self.0).push(paths.clone());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
