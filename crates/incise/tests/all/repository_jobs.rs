//! `incise diff -j N`: the same report for any number of workers.

use crate::common::made::Made;
use serde_json::Value;

/// A unit whose functions do the same, differ, or rest on those of another unit.
fn unit(number: usize, changed: bool) -> String {
    let (sum, bound, step) = if changed { ("y + x", 8, 3) } else { ("x + y", 7, 2) };
    let next = (number + 1) % 6;
    format!(
        "int shared{next}(int);\n\
         int same{number}(int x, int y) {{ return ({sum}) * {number}; }}\n\
         int differs{number}(int x) {{ return x > {bound} ? x : {number}; }}\n\
         static int inner(int x) {{ return x * {step}; }}\n\
         int outer{number}(int x) {{ return inner(x & 15); }}\n\
         int shared{number}(int x) {{ return x ^ {step}; }}\n\
         int calls{number}(int x) {{ return shared{next}(x) {} 1; }}\n\
         int loops{number}(const char *text) {{ int n = 0; while (text[n]) n {}; return n; }}\n",
        if changed { "+ 1 -" } else { "+" },
        if changed { "+= 1" } else { "++" },
    )
}

fn made() -> Made {
    let write = |made: &Made, changed: bool| {
        for number in 0..6 {
            made.write(&[(&format!("u{number}.c"), &unit(number, changed))]);
        }
    };
    let made = Made::with(&[("moved.c", "int goes(int x) { return x + 2; }\n")]);
    write(&made, false);
    made.commit();
    write(&made, true);
    made.write(&[("moved.c", "\n"), ("new.c", "int goes(int x) { return x + 3; }\n")]);
    made
}

/// Times are not the same twice.
pub(crate) fn without_times(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !name.ends_with("_ms"));
            members.values_mut().for_each(without_times);
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_times),
        _ => {}
    }
}

#[test]
fn any_number_of_workers_gives_the_same_report() {
    let made = made();
    let report = |jobs: &str| {
        let (mut report, status) = made.report(&["-j", jobs]);
        without_times(&mut report);
        (report, status)
    };
    let text = |jobs: &str| made.diff(&["-j", jobs, "--no-native"]).stdout;
    let (one, lines) = (report("1"), text("1"));
    let names = crate::common::made::functions(&one.0);
    assert!(names.len() > 30 && names.contains(&"differs goes new.c from moved.c".to_owned()), "{names:?}");
    for jobs in ["2", "5", "64"] {
        assert_eq!(report(jobs), one, "-j {jobs}");
        assert_eq!(text(jobs), lines, "-j {jobs}");
    }
}

#[test]
fn functions_of_two_files_are_compared_at_once_with_the_same_report() {
    let made = made();
    made.write(&[("old/a.c", &unit(1, false)), ("new/a.c", &unit(1, true))]);
    let text =
        |jobs: &str| made.diff(&["old/a.c", "new/a.c", "--verdict-only", "--no-native", "-j", jobs]).stdout;
    let one = text("1");
    assert!(one.contains("differs1"), "{one}");
    assert_eq!(text("4"), one);
}

#[test]
fn what_several_workers_did_not_reach_is_listed() {
    let made = made();
    let (report, status) = made.report(&["-j", "3", "--budget", "1ms"]);
    assert_eq!(status, 3);
    let reasons = crate::common::made::texts(&report["reasons"]);
    assert!(reasons.contains("was not reached") || reasons.contains("before it was known"), "{reasons}");
}
