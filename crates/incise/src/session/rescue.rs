//! The report of a command that does not come to make it: it was asked to stop, and something that nobody can interrupt
//! goes on. Then the guard reports what the command had found, and leaves.

use crate::exit::{FAILED, Status};
use anyhow::Result;
use incise_exec::LimitKind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) type Report = Box<dyn FnOnce(LimitKind) -> Result<Status> + Send>;

/// Who reports.
enum Reporter {
    /// The command will, or else the guard with this.
    Either(Report),
    /// The command does, or has nothing to report.
    Command,
    /// The guard does.
    Guard,
}

/// The one report that there is, from the command or from the guard.
#[derive(Clone)]
pub(crate) struct Rescue(Arc<Mutex<Reporter>>);

impl Rescue {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Reporter::Command)))
    }

    /// From now on this reports if the command cannot.
    pub(crate) fn set(&self, report: impl FnOnce(LimitKind) -> Result<Status> + Send + 'static) {
        self.change(Reporter::Either(Box::new(report)));
    }

    /// From now on the command reports by itself.
    pub(crate) fn command_reports(&self) {
        self.change(Reporter::Command);
    }

    /// The report that was due, if the command has made none.
    pub(crate) fn take(&self) -> Option<Report> {
        match self.change(Reporter::Command) {
            Reporter::Either(report) => Some(report),
            _ => None,
        }
    }

    fn change(&self, to: Reporter) -> Reporter {
        let mut reporter = lock(&self.0);
        if matches!(*reporter, Reporter::Guard) {
            drop(reporter);
            // The process ends as soon as the report is written.
            loop {
                std::thread::park();
            }
        }
        std::mem::replace(&mut *reporter, to)
    }

    /// Reports in the place of the command and ends the process, unless the command reports already.
    pub(crate) fn report(&self, limit: LimitKind) {
        let report = {
            let mut reporter = lock(&self.0);
            if matches!(*reporter, Reporter::Command) {
                return;
            }
            std::mem::replace(&mut *reporter, Reporter::Guard)
        };
        let Reporter::Either(report) = report else { return };
        tracing::debug!(?limit, "what was found is reported while something goes on");
        let status = match report(limit) {
            Ok(status) => status.code(),
            Err(error) => {
                super::output::talk(&format!("error: {}", crate::words::of_error(&error)));
                FAILED
            }
        };
        super::scratch::remove_all();
        incise_children::leave(status);
    }
}

/// What a command has found so far, shared with the report in its place.
pub(crate) struct Kept<T>(Arc<Mutex<T>>);

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Kept<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Arc::new(Mutex::new(value)))
    }

    /// Looks at it or changes it, for a moment.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut lock(&self.0))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
