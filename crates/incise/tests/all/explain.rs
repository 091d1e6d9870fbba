//! `incise explain`: the causes it finds, the nearby inputs it shows, and with which exit status.

use crate::common::{Folder, Said, assert_fails, check_blessed, incise, indented, root, transcript};
use serde_json::{Value, json};

fn example(arguments: &[&str]) -> Said {
    Said::by(incise().current_dir(root().join("examples/explain")).arg("explain").args(arguments))
}

/// The document of a run that found a difference.
fn differs(said: &Said) -> Value {
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let document = said.json().unwrap();
    assert_eq!((&document["schema"], &document["verdict"]), (&json!("incise-explain/1"), &json!("differs")));
    assert_all_replayed(&document);
    document
}

/// Every input that is shown ran natively on both versions, and did what was said.
fn assert_all_replayed(document: &Value) {
    let nearby = document["causes"].as_array().unwrap().iter().map(|cause| &cause["nearby"]);
    let agreeing = Some(&document["agreeing"]).filter(|agreeing| !agreeing.is_null());
    for both in nearby.chain([&document["behaviour"]]).chain(agreeing) {
        for version in ["old", "new"] {
            assert_eq!(both[version]["replay"]["verdict"], "confirmed", "{both}");
        }
    }
}

/// The line, condition, changed inputs of the first cause, and whether both versions agree on its nearby input.
fn first(document: &Value) -> (u64, &str, &Value, bool) {
    let cause = &document["causes"][0];
    let line = cause["location"]["line"].as_u64().unwrap();
    let nearby = &cause["nearby"];
    (line, cause["condition"].as_str().unwrap(), &nearby["changed_inputs"], nearby["same"] == true)
}

fn of_pair(name: &str, arguments: &[&str]) -> Value {
    let (old, new) = (format!("{name}-old.c"), format!("{name}-new.c"));
    let mut all = vec![old.as_str(), &new, "--format", "json"];
    all.extend(arguments);
    differs(&example(&all))
}

#[test]
fn the_brake_parts_at_the_condition_that_changed() {
    let mut command = incise();
    command.current_dir(root().join("examples/diff")).args(["explain", "brake-old.c", "brake-new.c"]);
    let inputs = ["--input", "PedalPos=-1", "--input", "PedalCmd=1", "--format", "json"];
    let document = differs(&Said::by(command.args(inputs)));
    assert_eq!(document["entry"], "update");
    assert_eq!(document["behaviour"]["differences"], json!([{"value": "AltPress"}]));
    let value = |version: &str| &document["behaviour"][version]["values"]["AltPress"];
    assert_eq!((value("old"), value("new")), (&json!(50), &json!(25)));
    // 1 and 2 would take other ways in the old version.
    assert_eq!(first(&document), (2, "PedalPos <= 0", &json!({"PedalPos": 3}), true));
    let counts = |version: &str| {
        let counts = &document["constraints"][version];
        (counts["looked_at"].as_u64().unwrap(), counts["all"].as_u64().unwrap())
    };
    // The branch on BSwitch is not affected.
    assert_eq!((counts("old"), counts("new")), ((3, 4), (3, 4)));
}

#[test]
fn without_the_restriction_all_constraints_are_looked_at() {
    let mut command = incise();
    command.current_dir(root().join("examples/diff")).args(["explain", "brake-old.c", "brake-new.c"]);
    let inputs = ["--input", "PedalPos=-1", "--input", "PedalCmd=1", "--format", "json", "--all-conditions"];
    let document = differs(&Said::by(command.args(inputs)));
    let counts = &document["constraints"]["new"];
    assert_eq!(counts, &json!({"all": 4, "affected": 3, "looked_at": 4}));
    // The branch on BSwitch is in both paths: turning it around in one only is impossible.
    assert_eq!(document["causes"].as_array().unwrap().len(), 3);
}

#[test]
fn a_changed_operand_makes_an_assertion_fail() {
    let document = of_pair("clamp", &["--input", "x=11", "--input", "high=10"]);
    let new = &document["behaviour"]["new"];
    assert_eq!((&new["outcome"], &new["error"]["kind"]), (&json!("error"), &json!("assertion")));
    assert_eq!(document["behaviour"]["old"]["result"], 10);
    assert_eq!(first(&document), (7, "high + 1 >= x", &json!({"x": 12}), true));
    assert_eq!(document["causes"][0]["nearby"]["new"]["result"], 10);
}

#[test]
fn a_check_that_was_removed_is_a_condition_of_the_old_version() {
    let document = of_pair("get", &["--input", "i=3", "--input", "scale=0"]);
    assert_eq!(document["behaviour"]["new"]["error"]["kind"], "division-by-zero");
    let cause = &document["causes"][0];
    assert_eq!((&cause["version"], &cause["removed"]), (&json!("old"), &json!(true)));
    assert_eq!(first(&document), (5, "scale == 0", &json!({"scale": 1}), true));
    // Both paths say that scale is zero: giving up the other one is what finds it.
    assert_eq!(cause["parts"], false);
}

#[test]
fn a_clause_that_was_removed_is_found_too() {
    let old = "int table[8];\nint get(int i) {\n    if (i < 0 || i >= 8)\n        return -1;\n    return table[i];\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace(" || i >= 8", ""))]);
    let said = folder.run(&["explain", "old.c", "new.c", "--input", "i=9", "--format", "json"]);
    let document = differs(&said);
    assert_eq!(document["behaviour"]["new"]["error"]["kind"], "out-of-bounds");
    assert_eq!(document["causes"][0]["version"], "old");
    assert_eq!(first(&document), (3, "i >= 8", &json!({"i": 7}), true));
}

#[test]
fn a_change_in_a_function_that_is_called() {
    let inputs = ["--entry", "price", "--input", "points=50", "--input", "member=1"];
    let document = of_pair("price", &inputs);
    assert_eq!(first(&document), (4, "points >= 50", &json!({"points": 49}), true));
    assert_eq!(document["causes"][0]["function"], "level");
    assert_eq!(document["constraints"]["new"], json!({"all": 3, "affected": 1, "looked_at": 1}));
}

#[test]
fn in_a_loop_all_occurrences_are_turned_around() {
    let document = of_pair("digits", &["--input", "text=\"a99b\""]);
    let (line, condition, changed, same) = first(&document);
    assert_eq!((line, condition, same), (4, "text[1] >= '9'", true));
    assert_eq!(changed, &json!({"text[1]": 56, "text[2]": 56}));
    assert_eq!(document["causes"][0]["occurrences"], 2);
}

#[test]
fn a_value_that_changed_is_no_condition() {
    let document = of_pair("total", &["--input", "count=2", "--input", "each=5"]);
    assert_eq!(document["causes"], json!([]));
    assert_eq!(document["behaviour"]["differences"], json!(["result", "stdout"]));
    let line = |version: &str| document["changed_statements"][version][0]["line"].as_u64();
    assert_eq!((line("old"), line("new")), (Some(4), Some(4)));
    assert_eq!(document["agreeing"]["changed_inputs"], json!({"each": 0}));
    assert_eq!(
        (&document["agreeing"]["same"], &document["agreeing"]["new"]["stdout"]),
        (&json!(true), &json!("0\n"))
    );
}

#[test]
fn equality_with_another_constant_is_seen_from_the_old_side() {
    let folder = Folder::with(&[
        ("old.c", "int f(int x) { if (x == 15) return 1; return 0; }\n"),
        ("new.c", "int f(int x) { if (x == 16) return 1; return 0; }\n"),
    ]);
    let document =
        differs(&folder.run(&["explain", "old.c", "new.c", "--input", "x=15", "--format", "json"]));
    let cause = &document["causes"][0];
    assert_eq!((&cause["version"], &cause["removed"]), (&json!("old"), &json!(false)));
    assert_eq!(first(&document), (1, "x == 15", &json!({"x": 14}), true));
}

#[test]
fn an_input_whose_type_changed_is_one_input() {
    let folder = Folder::with(&[
        ("old.c", "int f(int x) { if (x > 10) return 1; return 0; }\n"),
        ("new.c", "int f(long x, int more) { if (x > 9) return 1 + more; return 0; }\n"),
    ]);
    let document =
        differs(&folder.run(&["explain", "old.c", "new.c", "--input", "x=10", "--format", "json"]));
    assert_eq!(first(&document), (1, "x >= 10", &json!({"x": 9}), true));
}

#[test]
fn the_verdict_is_that_of_the_program_for_each_input() {
    for x in 8..14 {
        let input = format!("x={x}");
        let said = example(&[
            "clamp-old.c",
            "clamp-new.c",
            "--input",
            &input,
            "--input",
            "high=10",
            "--format",
            "json",
        ]);
        let document = said.json().unwrap();
        let expected = if x == 11 { (1, "differs") } else { (0, "same") };
        assert_eq!((said.status, document["verdict"].as_str().unwrap()), expected, "{input}");
        assert_all_replayed(&document);
        assert_eq!(document["behaviour"]["old"]["result"], x.min(10));
    }
}

/// A program whose tests have pointers, globals and strings in them.
const FIND: &str = "struct node { int key; struct node *next; };
int calls;
int find(struct node *list, int key) {
    int at = 0;
    calls++;
    for (; list; list = list->next, at++)
        if (list->key == key)
            return at;
    return -1;
}
";

#[test]
fn tests_that_were_written_before_are_explained() {
    let folder = Folder::with(&[("old.c", FIND), ("new.c", &FIND.replace("== key", ">= key"))]);
    let written = folder.run(&["run", "old.c", "--entry", "find", "--tests", "t", "-q"]);
    assert!(written.status == 0 || written.status == 3, "{}", written.stderr);
    let suite = folder.run(&["replay", "t", "--format", "json"]).json().unwrap();
    let (mut same, mut different, mut undecided) = (0, 0, 0);
    for test in suite["tests"].as_array().unwrap() {
        let path = format!("t/{}", test["name"].as_str().unwrap());
        let said = folder.run(&["explain", "old.c", "new.c", "--test", &path, "--format", "json"]);
        let document = said.json().unwrap();
        assert_eq!((&document["test"], &document["entry"]), (&test["name"], &json!("find")));
        assert_eq!(document["notes"], json!([]));
        match said.status {
            0 => same += 1,
            1 => {
                different += 1;
                let (line, _, _, agree) = first(&document);
                assert_eq!((line, agree), (7, true), "{document}");
            }
            3 => undecided += 1,
            other => panic!("status {other}: {}", said.stderr),
        }
    }
    // The list that goes on beyond the depth of pointers cannot be executed to its end.
    assert_eq!((same, different, undecided), (4, 5, 1));
    // By the file's name as well, and with a value replaced.
    let file = folder.run(&["explain", "old.c", "new.c", "--test", "t/test000001.json", "-q"]);
    assert_eq!(file.status, 0, "{}", file.stderr);
    let replaced =
        ["explain", "old.c", "new.c", "--test", "t/test000001.ktest", "--input", "list->key=5", "-q"];
    let said = folder.run(&replaced);
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert!(!said.stdout.contains("note:"), "with other values a test expects nothing: {}", said.stdout);
}

#[test]
fn main_with_arguments_and_standard_input() {
    let old = "#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    if (strcmp(argv[1], \"-v\") == 0)
        puts(\"verbose\");
    if (getchar() == 'q')
        return 0;
    return 1;
}
";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("'q'", "'Q'"))]);
    let arguments = ["run", "old.c", "--sym-args", "1", "2", "--sym-stdin", "1", "--tests", "t", "-q"];
    assert_eq!(folder.run(&arguments).status, 0);
    let said = folder.run(&["explain", "old.c", "new.c", "--test", "t/test000002", "--format", "json"]);
    let document = differs(&said);
    assert_eq!(document["behaviour"]["old"]["stdout"], "verbose\n");
    let status = |version: &str| &document["behaviour"][version]["exit_status"];
    assert_eq!((status("old"), status("new")), (&json!(0), &json!(1)));
    assert_eq!(first(&document), (8, "stdin[0] == 'q'", &json!({"stdin[0]": 112}), true));
}

#[test]
fn an_old_test_and_what_it_lacks_are_noted() {
    let folder = Folder::with(&[
        ("first.c", "int f(int x) { if (x > 3) return 7; return 5; }\n"),
        ("old.c", "int f(int x) { if (x > 3) return 8; return 5; }\n"),
        ("new.c", "int f(int x, int y) { if (x > 3) return 9 + y; return 5; }\n"),
    ]);
    assert_eq!(folder.run(&["run", "first.c", "--entry", "f", "--tests", "t", "-q"]).status, 0);
    let said = folder.run(&["explain", "old.c", "new.c", "--test", "t/test000001", "--format", "json"]);
    let document = differs(&said);
    let notes: Vec<&str> = document["notes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(notes.iter().any(|note| note.contains("no value for y of the new version")), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("was written for other code")), "{notes:?}");
}

#[test]
fn bad_usage_is_explained() {
    let folder =
        Folder::with(&[("old.c", FIND), ("new.c", FIND), ("other.c", "int g(int x) { return x; }\n")]);
    let explain = |arguments: &[&str]| {
        let mut all = vec!["explain"];
        all.extend(arguments);
        folder.run(&all)
    };
    assert_fails(&explain(&["old.c", "new.c"]), &["--test"]);
    assert_fails(&explain(&["old.c", "--input", "key=1"]), &["two versions are compared", "NEW"]);
    assert_fails(&explain(&["old.c", "new.c", "--input", "key"]), &["NAME=VALUE"]);
    assert_fails(&explain(&["old.c", "new.c", "--input", "key=many"]), &["many", "0x2a"]);
    assert_fails(&explain(&["old.c", "new.c", "--input", "kye=1"]), &["kye", "the inputs are: *list", "key"]);
    assert_fails(
        &explain(&["old.c", "new.c", "--input", "key=1", "--entry", "fnd"]),
        &["did you mean find?"],
    );
    assert_fails(&explain(&["old.c", "other.c", "--input", "x=1"]), &["OLD", "no function g"]);
    assert_fails(&explain(&["old.c", "new.c", "--input", "list[99999999999]=1"]), &["the inputs are: *list"]);
    assert_fails(&explain(&["nowhere.c", "new.c", "--input", "key=1"]), &["nowhere.c", "does not exist"]);
    assert_fails(&explain(&["old.c", "new.c", "--test", "nowhere"]), &["there is no test nowhere"]);
    assert_fails(&explain(&["old.c", "new.c", "--test", "old.c"]), &["old.c is no test"]);
    assert_fails(&explain(&["old.c", "new.c", "--test", "."]), &["holds no tests"]);
    std::fs::write(folder.path("broken.json"), "{\"schema\": 1}").unwrap();
    assert_fails(&explain(&["old.c", "new.c", "--test", "broken.json"]), &["broken.json"]);
    let written = folder.run(&["run", "old.c", "--entry", "find", "--tests", "t", "-q"]);
    assert!(written.status == 0 || written.status == 3);
    assert_fails(&explain(&["old.c", "new.c", "--test", "t"]), &["say which one", "--test t/test000001"]);
}

#[test]
fn what_cannot_be_decided_has_status_three() {
    let old = "int other(int);\nint f(int x) { if (x > 3) return other(x); return 0; }\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("x > 3", "x > 4"))]);
    let said = folder.run(&["explain", "old.c", "new.c", "--input", "x=4"]);
    assert_eq!(said.status, 3, "{}", said.stdout);
    assert!(said.stdout.contains("other has neither a body nor a model"), "{}", said.stdout);
    let stuck = "int f(int x) { while (x) x += 2; return x; }\n";
    let folder = Folder::with(&[("old.c", stuck), ("new.c", &stuck.replace("x += 2", "x += 4"))]);
    let arguments = ["explain", "old.c", "new.c", "--input", "x=-2", "--max-instructions", "100000"];
    let said = folder.run(&arguments);
    assert_eq!(said.status, 3, "{}", said.stdout);
    assert!(said.stdout.contains("the limit max-instructions was hit"), "{}", said.stdout);
}

#[test]
fn nothing_runs_natively_if_that_is_not_wanted() {
    let arguments = ["--input", "x=11", "--input", "high=10", "--no-replay", "--format", "json"];
    let said = example(&[&["clamp-old.c", "clamp-new.c"][..], &arguments].concat());
    let document = said.json().unwrap();
    assert_eq!((said.status, &document["behaviour"]["old"]["replay"]), (1, &Value::Null));
    assert_eq!(document["causes"][0]["nearby"]["new"]["replay"], Value::Null);
}

#[test]
fn the_text_of_each_example_is_blessed() {
    let commands = [
        "clamp-old.c clamp-new.c --input x=11 --input high=10",
        "clamp-old.c clamp-new.c --input x=9 --input high=10",
        "get-old.c get-new.c --input i=3 --input scale=0",
        "price-old.c price-new.c --entry price --input points=50 --input member=1",
        "digits-old.c digits-new.c --input text=\"a99b\"",
        "total-old.c total-new.c --input count=2 --input each=5",
        "../diff/brake-old.c ../diff/brake-new.c --input PedalPos=-1 --input PedalCmd=1",
    ];
    let mut text = String::new();
    for command in commands {
        let words: Vec<&str> = command.split(' ').collect();
        let said = example(&words);
        text += &indented(&format!("incise explain {command}"), &said.stdout);
    }
    check_blessed(&root().join("crates/incise/tests/blessed/explain.txt"), &text).unwrap();
}

#[test]
fn the_readme_shows_what_is_said() {
    let readme = std::fs::read_to_string(root().join("docs/explain.md")).unwrap();
    for (command, shown) in transcript(&readme, "<!-- transcript: examples/explain/clamp -->") {
        let words = command.split(' ').skip(1);
        let said = Said::by(incise().current_dir(root()).args(words));
        assert_eq!(shown.trim_end(), said.stdout.trim_end(), "{}", said.stderr);
    }
}

#[test]
fn help_teaches_by_example() {
    let said = Said::by(incise().args(["explain", "--help"]));
    assert_eq!((said.status, said.stderr.as_str()), (0, ""));
    assert!(said.stdout.contains("--test t/test000003") && said.stdout.contains("Exit status: 0 both"));
}

#[test]
fn nearby_inputs_are_what_inputs_are_taken_to_be() {
    let old = "#include <string.h>\nint f(const char *s) {\n    if (strlen(s) > 2)\n        return 1;\n    return 0;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("> 2", "> 1"))]);
    let arguments = ["explain", "old.c", "new.c", "--entry", "f", "--input", "s=\"ab\"", "--all-conditions"];
    let said = folder.run(&arguments);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("taken: s is not null; s is a string\n"), "{}", said.stdout);
    assert!(said.stdout.contains("with s[0] = 0"), "{}", said.stdout);
    assert!(!said.stdout.contains("null-pointer"), "{}", said.stdout);
    let document = folder.run(&[&arguments[..], &["--format", "json"]].concat()).json().unwrap();
    assert_eq!(document["taken"][1]["because"], "it is passed to strlen", "{document}");
    // An input that is not so is explained as it is.
    let any = folder.run(&[&arguments[..], &["--inputs", "any"]].concat());
    assert!(any.stdout.contains("with s = NULL") && !any.stdout.contains("taken"), "{}", any.stdout);
    let null = ["explain", "old.c", "new.c", "--entry", "f", "--input", "s=NULL"];
    let said = folder.run(&null);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("null-pointer"), "{}", said.stdout);
}

/// As large as it is given the input has no neighbour on which both agree: that takes a third element.
#[test]
fn nearby_inputs_grow_where_none_of_the_same_size_tells() {
    let old = "int f(const int *a, unsigned n) {\n    if (n < 3)\n        return 1;\n    return a[2];\n}\n";
    let new = old.replace("n < 3", "n <= 2").replace("return 1", "return 2");
    let folder = Folder::with(&[("old.c", old), ("new.c", &new)]);
    let inputs = ["--input", "a[0]=1", "--input", "a[1]=5", "--input", "n=2", "--format", "json"];
    let said = folder.run(&[&["explain", "old.c", "new.c"], &inputs[..]].concat());
    let document = differs(&said);
    let (_, condition, changed, same) = first(&document);
    assert_eq!((condition, changed, same), ("n < 3", &json!({"n": 3}), true), "{document:#}");
    let notes = document["notes"].to_string();
    assert!(notes.contains("nearby inputs have 4 elements of a"), "{notes}");
    // The failing input is as it was given.
    let given = document["behaviour"]["new"].to_string();
    assert!(!given.contains("a[2]"), "{given}");
}
