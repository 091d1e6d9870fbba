//! Whether a test still expects what happens: the comparison of `incise suite update`, by the same measure as that of
//! native runs.

use incise_report::test::Expected;
use incise_report::test::bytes::{BytesOutcome, OriginName, SeenBytes, TestBytes};
use incise_report::{Final, Input, Observed, Origin, Outcome, TestCase, Value};
use incise_seeds::{Finding, LeftBehind};

/// Whether what a test expects is what the new version does for its inputs. `now` is the test as the new version would
/// have it, with the same inputs.
pub(super) fn still_holds(test: &TestCase, now: &TestCase) -> bool {
    let (Some(before), Some(after)) = (&test.expected, &now.expected) else {
        return test.expected.is_none() && now.expected.is_none();
    };
    let same_end =
        before.outcome.ends_alike(&after.outcome) && same_assertion(&before.outcome, &after.outcome);
    if !same_end || before.indeterminate != after.indeterminate {
        return false;
    }
    // What was never initialised may be anything.
    before.indeterminate
        || (same_result(before, after)
            && before.finals.iter().all(|each| same_final(each, &after.finals, &test.inputs))
            && after.finals.iter().all(|each| is_no_new_file(each, &before.finals))
            && before.stdout == after.stdout
            && before.stderr == after.stderr)
}

/// Whether two failures are those of one assertion: a test says which one is expected, though two versions that both
/// fail on an input do the same there.
fn same_assertion(before: &Outcome, after: &Outcome) -> bool {
    match (before, after) {
        (Outcome::Error(one), Outcome::Error(two)) if one.kind.is_told_by_words() => {
            one.message == two.message
        }
        _ => true,
    }
}

/// Whether what a path leaves behind is what a test expects, judged without describing the path. Where that is not
/// plain to see, [`still_holds`] has to say; where it is, it would say the same.
pub(super) fn is_as_expected(test: &TestBytes, left: &mut dyn LeftBehind) -> Finding {
    let Some(expected) = test.expected() else { return Finding::Unclear };
    if expected.is_indeterminate() || left.is_indeterminate() {
        return Finding::Unclear;
    }
    let same_end = match (expected.outcome(), left.outcome()) {
        (BytesOutcome::Returned, Outcome::Returned) => true,
        (BytesOutcome::Exited(before), Outcome::Exited { status: after }) => before == *after,
        // The words that say which error it is are not among the bytes.
        (BytesOutcome::Error(kind), Outcome::Error(error))
            if kind == error.kind && kind.is_told_by_words() =>
        {
            return Finding::Unclear;
        }
        (BytesOutcome::Error(kind), Outcome::Error(error)) => kind == error.kind,
        (_, Outcome::Returned | Outcome::Exited { .. } | Outcome::Error(_)) => false,
        _ => return Finding::Unclear,
    };
    if !same_end {
        return Finding::Different;
    }
    let mut finding = match (expected.result(), left.result()) {
        (None, None) => Finding::AsExpected,
        (Some(result), Some(bits)) if !result.may_be_pointer && result.bytes.len() <= 16 => {
            let mut bytes = result.bytes.iter().zip(bits.to_le_bytes()).zip(result.comparable);
            Finding::plain(bytes.all(|((before, now), mask)| *before == now || *mask == 0))
        }
        _ => Finding::Unclear,
    };
    for (origin, SeenBytes { bytes, comparable, may_be_pointer }) in expected.finals() {
        if finding == Finding::Different {
            return finding;
        }
        finding = finding.and(match origin {
            _ if may_be_pointer => Finding::Unclear,
            OriginName::Global(symbol) => match left.global_holds(symbol, bytes, comparable) {
                Some(finding) => finding,
                // As `same_final` has it.
                None => Finding::plain(test.input_of(symbol).is_some_and(|before| {
                    let mut each = bytes.iter().zip(before).zip(comparable);
                    bytes.len() == before.len()
                        && each.all(|((now, before), mask)| now == before || *mask == 0)
                })),
            },
            OriginName::Pointee(pointer) => left.pointee_holds(pointer, bytes, comparable),
            OriginName::Other => Finding::Unclear,
        });
    }
    // Files that were not expected are told only by a description.
    if left.has_files() {
        finding = finding.and(Finding::Unclear);
    }
    let (stdout, stderr) = left.output();
    finding.and(Finding::plain(expected.writes(&stdout, &stderr)))
}

fn same_result(before: &Expected, after: &Expected) -> bool {
    match (&before.result, &after.result) {
        (Some(before), Some(after)) => same_observation(before, after),
        (None, None) => true,
        _ => false,
    }
}

/// A variable that the new version does not write holds what it was set to.
fn same_final(before: &Final, after: &[Final], inputs: &[Input]) -> bool {
    let is_it = |origin: &Origin| *origin == before.origin;
    if let Some(after) = after.iter().find(|each| is_it(&each.origin)) {
        return same_observation(&before.observed, &after.observed);
    }
    match inputs.iter().find(|input| is_it(&input.origin)) {
        Some(input) => same_bytes(&before.observed, &input.bytes, |_| true),
        None => false,
    }
}

/// Files are output: one that was not expected is another output.
fn is_no_new_file(after: &Final, before: &[Final]) -> bool {
    !matches!(after.origin, Origin::File(_)) || before.iter().any(|each| each.origin == after.origin)
}

fn same_observation(before: &Observed, after: &Observed) -> bool {
    let pointers = match (&before.value, &after.value) {
        (Value::Pointer(before), Value::Pointer(after)) => before.is_some() == after.is_some(),
        // A file that is gone, and one that is there.
        (Value::Pointer(None), Value::Text(_)) | (Value::Text(_), Value::Pointer(None)) => false,
        _ => true,
    };
    let comparable = |at: usize| after.comparable.get(at).copied().unwrap_or(true);
    pointers && same_bytes(before, &after.bytes, comparable)
}

fn same_bytes(before: &Observed, after: &[u8], comparable: impl Fn(usize) -> bool) -> bool {
    let counts = |at: usize| before.comparable.get(at).copied().unwrap_or(true) && comparable(at);
    before.bytes.len() == after.len()
        && (0..after.len()).all(|at| !counts(at) || before.bytes[at] == after[at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use incise_report::{ErrorKind, ProgramError, ProgramIdentity};

    fn number(value: i128) -> Observed {
        let bytes = (value as i32).to_le_bytes().to_vec();
        Observed::new(bytes.clone(), vec![true; bytes.len()], Value::Signed(value))
    }

    fn test(result: i128, global: Option<i128>) -> TestCase {
        let origin = || Origin::Global("g".to_owned());
        let finals =
            global.map(|value| Final { name: "g".to_owned(), origin: origin(), observed: number(value) });
        let input = Input {
            name: "g".to_owned(),
            origin: origin(),
            bytes: vec![7, 0, 0, 0],
            value: Value::Signed(7),
            pointers: Vec::new(),
        };
        TestCase {
            name: "f-1".to_owned(),
            program: ProgramIdentity::default(),
            condition: String::new(),
            taken: Vec::new(),
            inputs: vec![input],
            schedule: None,
            expected: Some(Expected {
                outcome: Outcome::Returned,
                result: Some(number(result)),
                finals: finals.into_iter().collect(),
                ..Expected::default()
            }),
        }
    }

    #[test]
    fn what_is_not_written_any_more_holds_what_it_was_set_to() {
        assert!(still_holds(&test(1, Some(7)), &test(1, None)));
        assert!(!still_holds(&test(1, Some(8)), &test(1, None)));
        assert!(still_holds(&test(1, None), &test(1, Some(3))), "nothing was expected of it");
        assert!(!still_holds(&test(1, Some(7)), &test(1, Some(6))));
        assert!(!still_holds(&test(1, None), &test(2, None)));
    }

    #[test]
    fn an_error_is_known_by_its_kind() {
        let failing = |kind, message: &str| {
            let mut test = test(1, None);
            let outcome = Outcome::Error(ProgramError { kind, message: message.to_owned() });
            test.expected = Some(Expected { outcome, ..Expected::default() });
            test
        };
        assert!(still_holds(
            &failing(ErrorKind::OutOfBounds, "of 's'"),
            &failing(ErrorKind::OutOfBounds, "of 't'")
        ));
        assert!(!still_holds(&failing(ErrorKind::OutOfBounds, ""), &failing(ErrorKind::NullPointer, "")));
        let fails =
            |condition: &str| failing(ErrorKind::Assertion, &format!("assertion '{condition}' fails"));
        assert!(still_holds(&fails("x"), &fails("x")));
        assert!(!still_holds(&fails("x"), &fails("y")), "another assertion fails");
        assert!(!still_holds(&failing(ErrorKind::OutOfBounds, ""), &test(1, None)));
        let nothing = TestCase { expected: None, ..test(1, None) };
        assert!(still_holds(&nothing, &nothing) && !still_holds(&nothing, &test(1, None)));
    }
}
