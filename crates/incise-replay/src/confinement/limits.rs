//! How much a native run may use.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::time::Duration;

/// How much address space; a sanitizer needs more than there is memory, and is looked at from outside.
const ADDRESSES: u64 = 8 << 30;
/// How much may be written to one file.
const FILE: u64 = 256 << 20;
/// How much stack, if the system allows it: explored recursion may be deep.
const STACK: u64 = 1 << 30;
/// How many files may be open.
const OPEN_FILES: u64 = 256;
/// Threads, where they are counted for this run alone.
const THREADS: u64 = 512;

/// How much memory may really be in use: this is looked at from outside.
pub(super) const MEMORY: u64 = 4 << 30;
/// How many threads and processes there may be at a time.
pub(super) const TASKS: u64 = 512;
/// How much all files of a folder may hold, and how many of them there may be.
pub(super) const FOLDER: u64 = 1 << 30;
pub(super) const FILES: usize = 10_000;

/// What the limits depend on.
pub(super) struct Needs {
    /// Whether a sanitizer is part of the program.
    pub(super) sanitized: bool,
    /// Whether the user of the process has no others.
    pub(super) alone: bool,
    /// How long it may take.
    pub(super) time: Duration,
}

/// Sets the limits of this process, which are those of the program that it becomes.
pub(super) fn set(needs: &Needs) {
    limit(Resource::Stack, STACK);
    limit(Resource::Fsize, FILE);
    limit(Resource::Core, 0);
    limit(Resource::Nofile, OPEN_FILES);
    // Time is kept from outside; this is for a run that nobody looks after any more.
    limit(Resource::Cpu, needs.time.as_secs().saturating_mul(8).saturating_add(60));
    if needs.alone {
        limit(Resource::Nproc, THREADS);
    }
    if !needs.sanitized {
        limit(Resource::As, ADDRESSES);
    }
}

/// Sets a limit for good, as far as the system allows so much.
fn limit(resource: Resource, wanted: u64) {
    let most = getrlimit(resource).maximum.map_or(wanted, |maximum| maximum.min(wanted));
    // Where it is refused, that limit is missing; the others hold.
    let _ = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
}
