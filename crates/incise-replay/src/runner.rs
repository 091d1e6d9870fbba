//! Runs tests over the processors, each in a process of its own.

use crate::confinement::Confinement;
use crate::error::ReplayError;
use crate::left_pointers::{KnownPlaces, Left, Look};
use crate::native_build::Native;
use crate::observation::Observation;
use crate::prediction::{compare, not_checked, wants_sanitizer};
use crate::process::{Cell, Program};
use crate::script::{ScriptContext, script};
use crate::threads;
use crate::{ComparableRun, NativeRun, ReplayOptions};
use incise_children::Processors;
use incise_ir::Program as Code;
use incise_report::test::Expected;
use incise_report::{Origin, Outcome, ReplayVerdict, TestCase};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs the tests of a program that was built.
pub(super) struct Runner<'a> {
    pub(super) native: &'a Native,
    pub(super) program: &'a Code,
    /// For each test the pointers that are looked at.
    pub(super) looks: &'a [Vec<Look>],
    pub(super) context: &'a ScriptContext,
    pub(super) options: &'a ReplayOptions<'a>,
    pub(super) confinement: &'a Confinement,
    /// Whether sanitizers see all of the program.
    pub(super) instrumented: bool,
}

impl Runner<'_> {
    /// Runs all tests over the processors; the results are in the order of the tests.
    pub(super) fn all(&self, tests: &[TestCase], folder: &Path) -> Result<Vec<NativeRun>, ReplayError> {
        let next = AtomicUsize::new(0);
        let results: Mutex<Vec<Option<Result<NativeRun, ReplayError>>>> =
            Mutex::new(tests.iter().map(|_| None).collect());
        let helpers = self.options.jobs.clamp(1, tests.len().max(1)) - 1;
        Processors::ours().together(helpers, |worker| {
            let directory = folder.join(format!("cell{worker}"));
            let mut cell = Cell::new(directory, self.confinement);
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(test) = tests.get(index) else { break };
                let result = match &mut cell {
                    Ok(cell) => self.one(test, &self.looks[index], cell),
                    Err(error) => Err(ReplayError::NoCell(error.to_string())),
                };
                // A worker that panicked has left its slot empty, which is reported below.
                if let Ok(mut results) = results.lock() {
                    results[index] = Some(result);
                }
            }
        });
        let results = results.into_inner().map_err(|_| ReplayError::WorkerFailed)?;
        let unfinished = || Err(ReplayError::Unfinished);
        results.into_iter().map(|result| result.unwrap_or_else(unfinished)).collect()
    }

    /// Why a native run may miss an error that is there.
    fn blind_spot(&self, expected: &Expected) -> Option<&'static str> {
        let Outcome::Error(error) = &expected.outcome else { return None };
        if wants_sanitizer(expected) && !self.instrumented {
            return Some("sanitizers do not see code that is given as LLVM IR");
        }
        if error.kind.is_thread_misuse() {
            let unknown = error.message.contains("before it was initialised");
            return unknown.then_some("natively, memory that was never initialised holds something");
        }
        if !wants_sanitizer(expected) {
            return None;
        }
        // The models' own data, which natively is a table inside of the C library.
        error.message.contains("__incise_").then_some("sanitizers do not see data of the C library")
    }

    fn one(&self, test: &TestCase, looks: &[Look], cell: &mut Cell<'_>) -> Result<NativeRun, ReplayError> {
        let not_run = |why: String| Ok(NativeRun { test: not_checked(test, why), observed: None });
        let Some(expected) = &test.expected else {
            return not_run("the engine made no prediction for this path".to_owned());
        };
        if self.options.interrupt.load(Ordering::Relaxed) {
            return not_run("interrupted".to_owned());
        }
        let sanitized = wants_sanitizer(expected);
        let native = self.native;
        let program = match (test.schedule.is_some(), sanitized) {
            (false, false) => &native.plain,
            (false, true) => &native.sanitized,
            (true, false) => &native.led,
            (true, true) => &native.led_sanitized,
        };
        let program = match program {
            Ok(program) => program,
            Err(why) => return not_run(why.clone()),
        };
        let schedule = threads::numbers(test.schedule.as_ref(), self.program);
        let script = match schedule.and_then(|schedule| script(test, looks, &schedule, self.context)) {
            Ok(script) => script,
            Err(why) => return not_run(why),
        };
        let ReplayOptions { timeout, interrupt, .. } = *self.options;
        let program = Program { file: program, sanitized, timeout, interrupt };
        let ran = cell
            .run(&program, &script.bytes, &script.surroundings)
            .map_err(|error| ReplayError::NotRun(test.name.clone(), error))?;
        let mut observation = Observation::of(ran);
        observation.change_words(|text| threads::in_words(self.program, test.schedule.as_ref(), text));
        if let Some(addresses) = &mut observation.addresses {
            let beyond = script.nowhere.into_iter();
            addresses.beyond = beyond.map(|(name, offset)| (name, addresses.nowhere + offset)).collect();
        }
        let left = self.left(test, expected, looks, &observation);
        let mut result = compare(test, expected, &observation);
        if result.verdict == ReplayVerdict::Confirmed && !left.unexpected.is_empty() {
            result.verdict =
                if expected.indeterminate { ReplayVerdict::Indeterminate } else { ReplayVerdict::Disagrees };
            result.notes.clone_from(&left.unexpected);
        }
        if self.options.stress > 0 && test.schedule.is_some() {
            result.free_runs = self.run_freely(test, expected, looks, cell)?;
        }
        if result.verdict == ReplayVerdict::Disagrees
            && let Some(why) = self.blind_spot(expected)
        {
            return not_run(why.to_owned());
        }
        Ok(NativeRun { test: result, observed: Some(ComparableRun::of(expected, observation, left)) })
    }

    /// Where the pointers lead that a run left.
    fn left(&self, test: &TestCase, expected: &Expected, looks: &[Look], seen: &Observation) -> Left {
        let Some(addresses) = &seen.addresses else { return Left::default() };
        if !matches!(expected.outcome, Outcome::Returned | Outcome::Exited { .. }) {
            return Left::default();
        }
        let finals: Vec<&str> = {
            let finals = expected.finals.iter().filter(|each| !matches!(each.origin, Origin::File(_)));
            finals.map(|each| each.name.as_str()).collect()
        };
        let held = |within: Option<usize>| match within {
            None => Some((String::new(), seen.result.clone()?)),
            Some(number) => {
                Some(((*finals.get(number)?).to_owned(), seen.finals.as_ref()?.get(number)?.clone()))
            }
        };
        let known = KnownPlaces { program: self.program, test, globals: &self.context.globals, addresses };
        Left::of(looks, &held, &known)
    }
}
