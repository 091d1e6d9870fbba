//! The paths that were found so far. Whoever explores may be in the middle of something that nobody can interrupt; what
//! it has found by then can be had from another thread.

use crate::result::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The paths of one worker.
#[derive(Clone, Default)]
pub(crate) struct FoundPaths(Arc<Mutex<Vec<Path>>>);

impl FoundPaths {
    pub(crate) fn len(&self) -> usize {
        lock(&self.0).len()
    }

    pub(crate) fn push(&self, path: Path) {
        lock(&self.0).push(path);
    }

    pub(crate) fn pop(&self) -> Option<Path> {
        lock(&self.0).pop()
    }

    /// All of them; none are left.
    pub(crate) fn take(&self) -> Vec<Path> {
        std::mem::take(&mut lock(&self.0))
    }

    /// Looks at them.
    pub(crate) fn with<T>(&self, look: impl FnOnce(&[Path]) -> T) -> T {
        look(&lock(&self.0))
    }
}

/// The paths of all workers of the exploration that runs.
#[derive(Clone, Default)]
pub struct FoundSoFar(Arc<Mutex<Vec<FoundPaths>>>);

impl FoundSoFar {
    /// The paths that were found until now, in the order of their decisions. The exploration has them no longer.
    pub fn take(&self) -> Vec<Path> {
        let mut paths: Vec<Path> = lock(&self.0).iter().flat_map(FoundPaths::take).collect();
        paths.sort_by(|left, right| left.decisions.cmp(&right.decisions));
        paths
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
