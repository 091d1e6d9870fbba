//! A prediction beside what really happened.

use super::observation::{Ending, Observation, bytes_words, needs_sanitizer};
use super::script::file_name;
use incise_report::test::Expected;
use incise_report::{
    LimitKind, Observed, Origin, Outcome, ProgramError, ReplayVerdict, ReplayedTest, TestCase, Value,
};
use std::collections::BTreeMap;

/// How much of an output is quoted.
const QUOTED: usize = 200;

/// The signal of an access to what is not there.
const SEGMENT: i32 = 11;

/// The verdict on a test that was run.
pub(super) fn compare(test: &TestCase, expected: &Expected, actual: &Observation) -> ReplayedTest {
    let notes = differences(test, expected, actual);
    let verdict = match (notes.is_empty(), expected.indeterminate, &actual.ending) {
        (_, _, Ending::Interrupted | Ending::DriverFailed | Ending::Lost | Ending::TooMuch(_)) => {
            ReplayVerdict::NotChecked
        }
        (true, _, _) => ReplayVerdict::Confirmed,
        (false, true, _) => ReplayVerdict::Indeterminate,
        (false, false, _) => ReplayVerdict::Disagrees,
    };
    ReplayedTest {
        name: test.name.clone(),
        verdict,
        predicted: prediction(expected),
        actual: actual.words(),
        notes: if verdict == ReplayVerdict::NotChecked { vec![actual.words()] } else { notes },
        free_runs: None,
    }
}

/// The verdict on a test that was not run.
pub(super) fn not_checked(test: &TestCase, why: String) -> ReplayedTest {
    ReplayedTest {
        name: test.name.clone(),
        verdict: ReplayVerdict::NotChecked,
        predicted: test.expected.as_ref().map_or_else(|| "nothing".to_owned(), prediction),
        actual: "not run".to_owned(),
        notes: vec![why],
        free_runs: None,
    }
}

/// Whether the test must run in the build with sanitizers.
pub(super) fn wants_sanitizer(expected: &Expected) -> bool {
    match &expected.outcome {
        // A division whose result does not fit is a fault of the processor; other overflow needs the sanitizer.
        Outcome::Error(error) => needs_sanitizer(error.kind),
        _ => false,
    }
}

fn prediction(expected: &Expected) -> String {
    match &expected.outcome {
        Outcome::Returned => match &expected.result {
            Some(result) => format!("returned {}", bytes_words(&result.bytes)),
            None => "returned".to_owned(),
        },
        Outcome::Exited { status } => format!("exited with status {status}"),
        Outcome::Error(ProgramError { kind, message }) => {
            let place = expected.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
            format!("error {kind}{place}: {message}")
        }
        other => other.name().to_owned(),
    }
}

/// Each difference, in words; none is a confirmation.
fn differences(test: &TestCase, expected: &Expected, actual: &Observation) -> Vec<String> {
    let mut notes = Vec::new();
    let ended_alike = match (&expected.outcome, &actual.ending) {
        (Outcome::Returned, Ending::Returned) => true,
        (Outcome::Exited { status }, Ending::Exited(real)) => status & 0xff == *real,
        (Outcome::Error(error), _) => actual.shows(error.kind),
        // A path without an end was stopped; natively it goes on until the stack or the time is used up.
        (Outcome::Limit(_), Ending::TimedOut) => true,
        (Outcome::Limit(limit), Ending::Signal(SEGMENT, _)) => *limit == LimitKind::Stack,
        _ => false,
    };
    if !ended_alike {
        notes.push("it ended otherwise".to_owned());
        return notes;
    }
    if matches!(expected.outcome, Outcome::Limit(_)) {
        return notes;
    }
    let is_error = matches!(expected.outcome, Outcome::Error(_));
    if !is_error {
        compare_values(expected, actual, &mut notes);
        compare_files(test, expected, actual, &mut notes);
        compare_output("standard error", &expected.stderr, &actual.stderr, &mut notes);
    }
    // The order in which a data race is shown is not the one in which it was found.
    let is_race = |error: &ProgramError| error.kind == incise_report::ErrorKind::DataRace;
    if !matches!(&expected.outcome, Outcome::Error(error) if is_race(error)) {
        compare_output("standard output", &expected.stdout, &actual.stdout, &mut notes);
    }
    notes
}

fn compare_values(expected: &Expected, actual: &Observation, notes: &mut Vec<String>) {
    if let (Some(wanted), Some(real)) = (&expected.result, &actual.result) {
        compare_bytes("the result", wanted, real, notes);
    }
    match &actual.finals {
        Some(finals) => {
            let wanted = expected.finals.iter().filter(|each| !matches!(each.origin, Origin::File(_)));
            for (wanted, real) in wanted.zip(finals) {
                compare_bytes(&wanted.name, &wanted.observed, real, notes);
            }
        }
        None if expected.finals.is_empty() => {}
        None => notes.push("the driver wrote down no final values".to_owned()),
    }
}

/// The files that are left: those that are expected, those that the test made and nobody changed, and no others.
fn compare_files(test: &TestCase, expected: &Expected, actual: &Observation, notes: &mut Vec<String>) {
    let mut wanted: BTreeMap<Vec<u8>, Option<Observed>> = BTreeMap::new();
    for input in &test.inputs {
        // One that is not there has no value.
        if let Origin::File(name) = &input.origin
            && input.value != Value::Pointer(None)
            && let Ok(name) = file_name(name)
        {
            let (bytes, value) = (input.bytes.clone(), input.value.clone());
            wanted.insert(name, Some(Observed::new(bytes.clone(), vec![true; bytes.len()], value)));
        }
    }
    for each in &expected.finals {
        if let Origin::File(name) = &each.origin
            && let Ok(name) = file_name(name)
        {
            let gone = each.observed.value == Value::Pointer(None);
            wanted.insert(name, (!gone).then(|| each.observed.clone()));
        }
    }
    for (name, wanted) in &wanted {
        let title = format!("the file {}", incise_report::c_string(name));
        match (wanted, actual.files.get(name)) {
            (Some(wanted), Some(real)) if wanted.comparable.iter().all(|&each| each) => {
                compare_output(&title, &wanted.bytes, real, notes);
            }
            (Some(wanted), Some(real)) => compare_bytes(&title, wanted, real, notes),
            (Some(_), None) => notes.push(format!("{title} is not there")),
            (None, Some(_)) => notes.push(format!("{title} is still there")),
            (None, None) => {}
        }
    }
    for name in actual.files.keys().filter(|name| !wanted.contains_key(*name)) {
        notes.push(format!("the file {} was not predicted", incise_report::c_string(name)));
    }
}

fn compare_bytes(what: &str, wanted: &Observed, real: &[u8], notes: &mut Vec<String>) {
    if wanted.bytes.len() != real.len() {
        notes.push(format!("{what} has {} bytes, predicted {}", real.len(), wanted.bytes.len()));
        return;
    }
    let differs = |&at: &usize| wanted.comparable[at] && wanted.bytes[at] != real[at];
    let Some(first) = (0..real.len()).find(differs) else { return };
    if real.len() <= 16 {
        notes.push(format!("{what}: predicted {}, actual {}", bytes_words(&wanted.bytes), bytes_words(real)));
    } else {
        notes.push(format!(
            "{what}: byte {first} of {} predicted {:#04x}, actual {:#04x}",
            real.len(),
            wanted.bytes[first],
            real[first]
        ));
    }
}

fn compare_output(what: &str, wanted: &[u8], real: &[u8], notes: &mut Vec<String>) {
    if wanted == real {
        return;
    }
    let at = wanted.iter().zip(real).take_while(|(left, right)| left == right).count();
    let from = at.saturating_sub(QUOTED / 4);
    let part =
        |bytes: &[u8]| incise_report::c_string(&bytes[from.min(bytes.len())..bytes.len().min(from + QUOTED)]);
    notes.push(format!("{what} differs at byte {at}: predicted {}, actual {}", part(wanted), part(real)));
}
