//! The children that run now.

use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The ids of the children that run, each the leader of its process group.
static LIVE: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn live() -> MutexGuard<'static, BTreeSet<u32>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child that is known to run, from when it was started until it was waited for.
pub struct KnownChild(u32);

impl KnownChild {
    /// A child that was started now, in a process group of its own.
    pub fn new(id: u32) -> Self {
        live().insert(id);
        KnownChild(id)
    }
}

impl Drop for KnownChild {
    fn drop(&mut self) {
        live().remove(&self.0);
    }
}

/// The ids of all of them.
pub(crate) fn ids() -> Vec<u32> {
    live().iter().copied().collect()
}

/// Ends all children and what they started. For who leaves at once: nobody waits for them.
pub fn end_all() {
    ids().into_iter().for_each(end_group);
}

/// Ends a child and what it started.
pub(crate) fn end_group(id: u32) {
    if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        // It fails when nothing is left of the group, which is the usual case.
        let _ = kill_process_group(group, Signal::KILL);
    }
}
