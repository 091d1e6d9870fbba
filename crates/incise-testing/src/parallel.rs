//! Work on all processors.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does `work` for each item, on all processors, and returns the failures in the order of the items.
pub fn in_parallel<T: Sync>(items: &[T], work: impl Fn(&T) -> Result<(), String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    if let Err(failure) = work(item) {
                        failures.lock().expect("no worker panicked").push((index, failure));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no worker panicked");
    failures.sort();
    failures.into_iter().map(|(_, failure)| failure).collect()
}
