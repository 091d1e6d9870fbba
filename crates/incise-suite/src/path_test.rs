//! The tests of paths, and what they expect in a few words.

use crate::without_places;
use incise_report::test::Expected;
use incise_report::{
    ErrorKind, FoundPath, Origin, Outcome, ProgramError, ProgramIdentity, Race, Run, Schedule, TestCase,
};

/// The test of a path; `None` if the solver found no inputs for it.
pub fn test_case(run: &Run, path: &FoundPath) -> Option<TestCase> {
    let needed = FoundPath {
        id: path.id,
        outcome: path.outcome.clone(),
        place: path.place.clone(),
        inputs: path.inputs.clone(),
        result: path.result.clone(),
        finals: path.finals.clone(),
        stdout: path.stdout.clone(),
        stderr: path.stderr.clone(),
        indeterminate: path.indeterminate,
        schedule: path.schedule.clone(),
        first_threads: path.first_threads.clone(),
        left_threads: path.left_threads.clone(),
        ..FoundPath::default()
    };
    let condition = incise_report::condition(path);
    let test = assembled(needed, condition, format!("test{:06}", path.id), run.program.clone())?;
    Some(TestCase { taken: run.taken.iter().map(|taken| taken.with_evidence()).collect(), ..test })
}

/// The test of a data race, with its number; `None` if there are no inputs for it, or something has to come between the
/// two accesses, so that no run can come to both.
pub fn race_test(run: &Run, race: &Race, number: usize) -> Option<TestCase> {
    let inputs = race.inputs.clone().filter(|_| race.adjacent)?;
    let schedule = Schedule::new(race.first.clone(), race.schedule.clone(), race.left.clone());
    let message = format!("data race on {}", race.object);
    let expected = Expected {
        outcome: Outcome::Error(ProgramError { kind: ErrorKind::DataRace, message }),
        place: race.accesses.last().and_then(|access| access.place.clone()),
        ..Expected::default()
    };
    Some(TestCase {
        name: format!("race{number:06}"),
        program: run.program.clone(),
        condition: String::new(),
        taken: run.taken.iter().map(|taken| taken.with_evidence()).collect(),
        inputs,
        schedule: Some(Schedule { race: true, ..schedule }),
        expected: Some(expected),
    })
}

/// The test of a path that is not needed any more, as [`test_case`] makes it.
fn into_test(path: FoundPath, name: String) -> Option<TestCase> {
    let condition = incise_report::condition(&path);
    assembled(path, condition, name, ProgramIdentity::default())
}

/// Where the program did not end the path, there is nothing to expect.
fn assembled(path: FoundPath, condition: String, name: String, program: ProgramIdentity) -> Option<TestCase> {
    let inputs = path.inputs?;
    let schedule = (!path.first_threads.is_empty())
        .then(|| Schedule::new(path.first_threads, path.schedule, path.left_threads));
    let expected = path.outcome.is_conclusive().then(|| {
        let mut finals = path.finals;
        finals.retain(|each| is_observable(&each.origin));
        Expected {
            outcome: path.outcome,
            place: path.place,
            result: path.result.filter(|result| !result.bytes.is_empty()),
            finals,
            stdout: path.stdout,
            stderr: path.stderr,
            indeterminate: path.indeterminate,
        }
    });
    Some(TestCase { name, program, condition, taken: Vec::new(), inputs, schedule, expected })
}

fn is_observable(origin: &Origin) -> bool {
    matches!(
        origin,
        Origin::Global(_)
            | Origin::Pointee(_)
            | Origin::Heap { .. }
            | Origin::Stream(_)
            | Origin::File(_)
            | Origin::Device
    )
}

/// The test of a path; `None` if the solver found no inputs for it. There are no places in it, since they move.
pub(crate) fn test_of(path: FoundPath, name: &str) -> Option<TestCase> {
    let mut test = into_test(path, name.to_owned())?;
    for input in &mut test.inputs {
        without_places::value(&mut input.value);
    }
    if let Some(schedule) = &mut test.schedule {
        schedule.steps.iter_mut().for_each(|step| step.place = None);
    }
    if let Some(expected) = &mut test.expected {
        expected.place = None;
        if let Outcome::Error(error) = &mut expected.outcome {
            error.message = without_places(&error.message);
        }
        let observed = expected.finals.iter_mut().map(|each| &mut each.observed);
        for each in observed.chain(expected.result.iter_mut()) {
            without_places::value(&mut each.value);
        }
    }
    Some(test)
}

pub(crate) fn without_places(text: &str) -> String {
    without_places::text(text)
}

/// How a path ended, in words, where that says something.
pub(crate) fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Unsupported(what) => format!("unsupported: {}", without_places(what)),
        Outcome::External { function } => format!("external: {function}"),
        Outcome::Limit(limit) => format!("limit: {limit}"),
        Outcome::Undecided(why) => format!("undecided: {why}"),
        other => format!("{}: the solver gave no input", other.name()),
    }
}

/// What a test expects, in a few words.
pub(crate) fn expectation(test: &TestCase, outcome: &Outcome) -> String {
    let Some(Expected { outcome, result, .. }) = &test.expected else {
        return format!("nothing ({})", ending(outcome));
    };
    match outcome {
        Outcome::Exited { status } => format!("exits with status {status}"),
        Outcome::Error(error) => format!("{}: {}", error.kind, error.message),
        _ => match result {
            Some(result) => format!("returns {}", result.value),
            None => "returns".to_owned(),
        },
    }
}
