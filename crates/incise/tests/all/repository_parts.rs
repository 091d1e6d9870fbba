//! Parts of a comparison that are made by themselves, and put together: the same report as without.

use crate::common::made::{Made, functions, texts};
use crate::common::{Said, assert_fails};
use crate::repository_jobs::without_times;
use incise_testing::{Features, batch, shorter};
use serde_json::Value;
use std::path::{Path, PathBuf};

const HEADER: &str = "int other(int x);\nstruct list { struct list *next; int value; };\n";
const A: &str = "#include \"h.h\"\n\
    int sum(struct list *p) { int s = 0; while (p) { s += p->value; p = p->next; } return s; }\n\
    int calls(int x) { return other(x) + 1; }\n\
    static int twin(int x) { return x + 2; }\n\
    int uses(int x) { return twin(x); }\n\
    int hard(int x) { __asm__(\"xorl $7, %0\" : \"+r\"(x)); return x + 1; }\n";
const B: &str = "int other(int x) { return x > 3 ? x : 3; }\n\
    static int twin(int x) { return x - 2; }\n\
    int uses_too(int x) { return twin(x); }\n\
    int moves(int x) { return x * 5; }\n";

/// A repository with changes of all kinds: some do the same, some differ, one moved, one rests on another unit, and one
/// cannot be decided.
fn made() -> Made {
    let made = Made::with(&[("h.h", HEADER), ("a.c", A), ("b.c", B), ("c.c", "int c;\n")]);
    let a = A.replace("s += p->value", "s = p->value + s").replace("+ 1;", "- -1;").replace("x + 2", "x + 3");
    let b = B
        .replace("x > 3", "x >= 3")
        .replace("x - 2", "-2 + x")
        .replace("int moves(int x) { return x * 5; }\n", "");
    let hard = a.replace("return x + 1; }", "return 1 + x; }");
    made.write(&[("a.c", &hard), ("b.c", &b), ("c.c", "int c;\nint moves(int x) { return 5 * x; }\n")]);
    made
}

fn run(made: &Made, words: &[&str]) -> Said {
    made.diff(&[&["--format", "json", "--no-native", "--budget", "10m"], words].concat())
}

/// A report without times, which are not the same twice.
fn report(said: &Said) -> Value {
    let mut report = said.json().unwrap_or_else(|error| panic!("{error}"));
    without_times(&mut report);
    report
}

/// Makes the parts of a change, and tells their folders.
fn parts(made: &Made, folder: &Path, of: u32) -> Vec<PathBuf> {
    let make = |number: u32| {
        let part = folder.join(format!("part-{number}-of-{of}"));
        let said = run(made, &["--shard", &format!("{number}/{of}"), "--part", &part.to_string_lossy()]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        let report = report(&said);
        assert_ne!(report["verdict"], "same", "a part says nothing of the whole");
        assert!(texts(&report["reasons"]).contains(&format!("this is part {number} of {of}")), "{report}");
        part
    };
    (1..=of).map(make).collect()
}

fn merged(made: &Made, parts: &[PathBuf]) -> Said {
    let words: Vec<String> =
        parts.iter().flat_map(|part| ["--merge".to_owned(), part.to_string_lossy().into_owned()]).collect();
    run(made, &words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn parts_put_together_are_the_report_that_there_is_without() {
    let (made, folder) = (made(), tempfile::tempdir().expect("a folder"));
    let whole = run(&made, &[]);
    let expected = report(&whole);
    let found = functions(&expected);
    assert!(found.len() >= 7, "{found:?}");
    for kind in ["differs", "undecided", "same"] {
        assert!(found.iter().any(|each| each.starts_with(kind)), "{kind}: {found:?}");
    }
    for of in [1, 2, 5] {
        let parts = parts(&made, folder.path(), of);
        let said = merged(&made, &parts);
        assert_eq!(report(&said), expected, "{of} parts");
        assert_eq!(said.status, whole.status);
        // What moved is compared by who merges: it needs all units.
        let taken = "note: taken from the parts: 7; compared now, because no part has it: 1";
        assert!(said.stderr.lines().any(|line| line == taken), "{}", said.stderr);
    }
}

#[test]
fn what_no_part_has_is_compared_and_what_does_not_belong_there_is_refused() {
    let (made, folder) = (made(), tempfile::tempdir().expect("a folder"));
    let expected = report(&run(&made, &[]));
    let parts = parts(&made, folder.path(), 3);
    let said = merged(&made, &parts[1..]);
    let mut found = report(&said);
    let notes = texts(&found["notes"]);
    assert!(
        notes.contains("of 3 parts these are missing, and their functions are compared now: 1"),
        "{notes}"
    );
    found["notes"] = expected["notes"].clone();
    assert_eq!(found, expected);
    assert_fails(&merged(&made, &[folder.path().join("nothing")]), &["is no part that was made to its end"]);
    std::fs::copy(parts[0].join("part.json"), folder.path().join("kept")).expect("a file");
    std::fs::remove_file(parts[0].join("part.json")).expect("a file");
    assert_fails(&merged(&made, &parts), &["is no part that was made to its end"]);
    let text = std::fs::read_to_string(folder.path().join("kept")).expect("a file");
    let other = |from: &str, to: &str| {
        std::fs::write(parts[0].join("part.json"), text.replace(from, to)).expect("a file")
    };
    other("\"of\":3", "\"of\":4");
    assert_fails(&merged(&made, &parts), &["do not go together"]);
    other("\"build\":\"", "\"build\":\"0");
    assert_fails(&merged(&made, &parts), &["another build of incise"]);
    other("600000 ms", "1000 ms");
    assert_fails(&merged(&made, &parts), &["--budget has to be the same"]);
    other("the working tree", "a tree");
    assert_fails(&merged(&made, &parts), &["is about another version"]);
    // A verdict that is damaged is not taken.
    other("", "");
    for file in std::fs::read_dir(parts[1].join("verdicts")).into_iter().flatten().flatten() {
        if file.path().is_file() {
            std::fs::write(file.path(), "nothing").expect("a file");
        }
    }
    assert_eq!(report(&merged(&made, &parts)), expected);
}

#[test]
fn parts_are_of_a_whole_comparison_of_a_repository() {
    let made = made();
    let refused = |words: &[&str], said: &str| assert_fails(&run(&made, words), &[said]);
    refused(&["--shard", "1/2"], "--part");
    refused(&["--shard", "3/2", "--part", "p"], "is no part");
    refused(&["--shard", "1/2", "--part", "p", "--html", "x.html"], "reports a whole comparison");
    refused(&["--shard", "1/2", "--part", "p", "--watch"], "about the functions of a repository");
    refused(&["--merge", "p", "a.c", "b.c"], "about the functions of a repository");
}

/// 204 pairs of programs in the long run.
#[test]
fn random_pairs_have_the_same_report_by_any_number_of_workers_and_of_parts() {
    let units: Vec<_> =
        (0..shorter(2, 34)).map(|seed| batch(&Features::few_inputs(), 7_100 + seed, 6)).collect();
    let names: Vec<String> = (0..units.len()).map(|number| format!("u{number}.c")).collect();
    let files = |text: fn(&incise_testing::Batch) -> &str| -> Vec<(&str, &str)> {
        names.iter().zip(&units).map(|(name, unit)| (name.as_str(), text(unit))).collect()
    };
    let (old, new) = (files(|unit| &unit.old), files(|unit| &unit.new));
    let (made, folder) = (Made::with(&old), tempfile::tempdir().expect("a folder"));
    made.write(&new);
    let expected = report(&run(&made, &["-j", "1"]));
    let found = functions(&expected);
    for kind in ["differs", "same"] {
        assert!(found.iter().any(|each| each.starts_with(kind)), "{kind}: {found:?}");
    }
    for jobs in ["2", "4", "8"] {
        assert_eq!(report(&run(&made, &["-j", jobs])), expected, "{jobs} workers");
    }
    assert_eq!(report(&merged(&made, &parts(&made, folder.path(), 3))), expected);
    eprintln!("{} functions of {} units", found.len(), units.len());
}
