//! Two versions at once: what is found out about one has nothing to do with the other.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};

/// As much stack as an analysis of a large program may need.
const STACK: usize = 256 << 20;

/// Does two things at once, or one after the other where no thread can be had.
pub(crate) fn side_by_side<A: Send, B>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B,
) -> (A, B) {
    let waiting = Mutex::new(Some(first));
    let run = || {
        let first = waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        first.map(|first| first())
    };
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        let there = second();
        let here = worker.ok().and_then(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (here.or_else(run).expect("it was not done before"), there)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_done() {
        assert_eq!(side_by_side(|| 1, || 2), (1, 2));
    }
}
