//! Free runs of tests that have a schedule: nobody leads the threads, and it is seen if what was predicted shows by
//! itself.

use crate::error::ReplayError;
use crate::left_pointers::Look;
use crate::observation::{Ending, Observation};
use crate::prediction::{compare, wants_sanitizer};
use crate::process::{Cell, Program};
use crate::runner::Runner;
use crate::script::script;
use incise_report::test::Expected;
use incise_report::{ErrorKind, FreeRuns, Outcome, ReplayVerdict, TestCase};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A run of threads that wait for each other ends when its time is over, which must not be long.
const STUCK: Duration = Duration::from_secs(2);

impl Runner<'_> {
    /// Runs a test until it shows what was predicted, or as often as it is wanted. A data race cannot be seen so.
    pub(super) fn run_freely(
        &self,
        test: &TestCase,
        expected: &Expected,
        looks: &[Look],
        cell: &mut Cell<'_>,
    ) -> Result<Option<FreeRuns>, ReplayError> {
        let kind = match &expected.outcome {
            Outcome::Error(error) => Some(error.kind),
            _ => None,
        };
        if kind == Some(ErrorKind::DataRace) {
            return Ok(None);
        }
        let sanitized = wants_sanitizer(expected);
        let program = if sanitized { &self.native.sanitized } else { &self.native.plain };
        let (Ok(file), Ok(script)) = (program, script(test, looks, &[0], self.context)) else {
            return Ok(None);
        };
        let waits = matches!(kind, Some(ErrorKind::Deadlock | ErrorKind::EndlessWait));
        let timeout = if waits { STUCK.min(self.options.timeout) } else { self.options.timeout };
        let program = Program { file, sanitized, timeout, interrupt: self.options.interrupt };
        for number in 1..=self.options.stress {
            if self.options.interrupt.load(Ordering::Relaxed) {
                return Ok(Some(FreeRuns { runs: number - 1, shown: None }));
            }
            let ran = cell
                .run(&program, &script.bytes, &script.surroundings)
                .map_err(|error| ReplayError::NotRun(test.name.clone(), error))?;
            let observation = Observation::of(ran);
            let stuck = waits && observation.ending == Ending::TimedOut;
            if stuck || compare(test, expected, &observation).verdict == ReplayVerdict::Confirmed {
                return Ok(Some(FreeRuns { runs: number, shown: Some(number) }));
            }
        }
        Ok(Some(FreeRuns { runs: self.options.stress, shown: None }))
    }
}
