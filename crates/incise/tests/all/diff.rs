//! `incise diff`: the paths it reports, what it says, and with which exit status.

use crate::common::{Folder, Said, assert_fails, check_blessed, incise, root};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use std::time::Duration;

fn example(arguments: &[&str]) -> Said {
    Said::by(incise().current_dir(root().join("examples/diff")).arg("diff").args(arguments))
}

/// The document of a pair of the examples.
fn document_of(name: &str, strategy: &str) -> Value {
    let (old, new) = (format!("{name}-old.c"), format!("{name}-new.c"));
    let said = example(&[&old, &new, "--strategy", strategy, "--format", "json", "--no-verdict"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    said.json().unwrap()
}

fn sequences(document: &Value) -> Vec<Value> {
    let paths = document["path_conditions"].as_array().unwrap();
    paths.iter().map(|path| path["affected_sequence"].clone()).collect()
}

/// Both versions of a function that a change affects in part.
const OLD: &str = "int level;
int f(int x, int y) {
    int r = 0;
    if (y > 5)
        level = 1;
    if (x > 3)
        r = 10 / (x - 7);
    return r;
}
int g(int x) {
    return f(x, 0) + 1;
}
int same(int x) {
    return x;
}
";

fn new_version() -> String {
    OLD.replace("x > 3", "x >= 3")
}

fn versions() -> Folder {
    Folder::with(&[("old.c", OLD), ("new.c", &new_version())])
}

#[test]
fn the_papers_example_has_8_affected_paths_of_24() {
    let document = document_of("brake", "exact");
    assert_eq!(document["schema"], "incise-diff/1");
    let summary = &document["summary"];
    assert_eq!((&summary["changed_nodes"], &summary["affected_nodes"]), (&json!(1), &json!(11)));
    assert_eq!((&summary["path_conditions"], &summary["complete"]), (&json!(8), &json!(true)));
    assert_eq!(
        json!(sequences(&document)),
        json!([
            [2, 3, 8, 15, 16],
            [2, 3, 8, 15, 17, 18],
            [2, 3, 8, 15, 17, 19],
            [2, 4, 5, 8, 15, 16],
            [2, 4, 5, 8, 15, 17, 18],
            [2, 4, 5, 8, 15, 17, 19],
            [2, 4, 6, 8, 15, 17, 18],
            [2, 4, 6, 8, 15, 17, 19]
        ])
    );
    let function = &document["functions"][0];
    assert_eq!(function["affected_conditions"], json!([2, 4, 15, 17]));
    assert_eq!(function["affected_writes"], json!([3, 5, 6, 8, 16, 18, 19]));
    let full = document_of("brake", "full");
    assert_eq!(full["summary"]["path_conditions"], 24);
}

#[test]
fn affected_constraints_are_told_apart() {
    let document = document_of("brake", "exact");
    for path in document["path_conditions"].as_array().unwrap() {
        for constraint in path["constraints"].as_array().unwrap() {
            let affected = constraint["location"]["line"] != 10 && constraint["location"]["line"] != 12;
            assert_eq!(constraint["affected"], affected, "{constraint}");
        }
        let told: Vec<&Value> = path["constraints"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|each| each["affected"] == true)
            .map(|each| &each["text"])
            .collect();
        assert_eq!(json!(told), path["affected_constraints"]);
        assert_eq!(path["outcome"], "returned");
        assert!(path["inputs"]["PedalPos"].is_number());
    }
    let first = &document["path_conditions"][0];
    assert_eq!(first["condition"], "PedalPos <= 0 && BSwitch == 0 && PedalCmd == 0");
    assert_eq!(first["affected_constraints"], json!(["PedalPos <= 0", "PedalCmd == 0"]));
}

#[test]
fn figure_6_has_the_rows_of_table_1() {
    let arguments = ["brake-old.c", "brake-new.c", "--strategy", "paper", "--trace", "--format", "json"];
    let document = example(&arguments).json().unwrap();
    assert_eq!(document["rules"], "paper");
    let rows: Vec<Value> = document["trace"]
        .as_array()
        .unwrap()
        .iter()
        .take(11)
        .map(|row| json!([row["path"], row["ex_write"], row["ex_cond"], row["unex_write"], row["unex_cond"]]))
        .collect();
    // The statements n0 to n14 of the figure are the lines 2 3 4 5 6 8 10 11 12 13 15 16 17 18 19. In row 7 the paper
    // leaves n13 and n14 out of UnExWrite, though they are explored only in the rows that follow.
    let table = json!([
        [[], [], [], [3, 5, 6, 8, 16, 18, 19], [2, 4, 15, 17]],
        [[2], [], [2], [3, 5, 6, 8, 16, 18, 19], [4, 15, 17]],
        [[2, 3], [3], [2], [5, 6, 8, 16, 18, 19], [4, 15, 17]],
        [[2, 3, 8], [3, 8], [2], [5, 6, 16, 18, 19], [4, 15, 17]],
        [[2, 3, 8, 10, 11, 15], [3, 8], [2, 15], [5, 6, 16, 18, 19], [4, 17]],
        [[2, 3, 8, 10, 11, 15, 16], [3, 8, 16], [2, 15], [5, 6, 18, 19], [4, 17]],
        [[2, 3, 8, 10, 11, 15, 17], [3, 8, 16], [2, 15, 17], [5, 6, 18, 19], [4]],
        [[2, 3, 8, 10, 11, 15, 17, 18], [3, 8, 16, 18], [2, 15, 17], [5, 6, 19], [4]],
        [[2, 3, 8, 10, 11, 15, 17, 19], [3, 8, 16, 18, 19], [2, 15, 17], [5, 6], [4]],
        [[2, 3, 8, 10, 12], [3, 8, 16, 18, 19], [2, 15, 17], [5, 6], [4]],
        [[2, 4], [3], [2, 4], [5, 6, 8, 16, 18, 19], [15, 17]]
    ]);
    assert_eq!(json!(rows), table);
    assert_eq!(document["trace"][9]["no_path"], true);
    let text = example(&arguments[..5]).stdout;
    assert!(text.contains("ExWrite") && text.contains("<2, 3, 8, 10, 12 (no path)>"), "{text}");
}

#[test]
fn the_small_examples_have_the_affected_paths_of_the_papers() {
    for (name, affected, full) in [("condtest", 2, 2), ("datatest", 2, 2), ("prunetest", 2, 4)] {
        assert_eq!(document_of(name, "exact")["summary"]["path_conditions"], affected, "{name}");
        assert_eq!(document_of(name, "full")["summary"]["path_conditions"], full, "{name}");
    }
}

#[test]
fn figure_6_loses_paths_that_exact_finds() {
    for (name, exact, paper) in
        [("loss-write", 2, 1), ("loss-side", 2, 1), ("loss-condition", 3, 2), ("twice", 1, 2)]
    {
        assert_eq!(document_of(name, "exact")["summary"]["path_conditions"], exact, "{name}");
        assert_eq!(document_of(name, "paper")["summary"]["path_conditions"], paper, "{name}");
    }
}

#[test]
fn the_text_of_the_example_is_as_blessed() {
    let mut failures = Vec::new();
    for (name, arguments) in [
        ("diff-brake", &["brake-old.c", "brake-new.c"][..]),
        ("diff-brake-trace", &["brake-old.c", "brake-new.c", "--strategy", "paper", "--trace"]),
    ] {
        let said = example(arguments);
        let text = format!(
            "$ incise diff {}\n{}{}status {}\n",
            arguments.join(" "),
            said.stdout,
            said.stderr,
            said.status
        );
        failures.extend(
            check_blessed(&root().join(format!("crates/incise/tests/blessed/{name}.txt")), &text).err(),
        );
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_full_run_is_compared_with() {
    let arguments = ["brake-old.c", "brake-new.c", "--compare", "full"];
    let said = example(&arguments);
    assert!(said.stdout.contains("8 affected paths (of 24 in full: 33%)"), "{}", said.stdout);
    let document = example(&[&arguments[..], &["--format", "json"]].concat()).json().unwrap();
    let compare = &document["compare"];
    assert_eq!(
        (&compare["full"]["path_conditions"], &compare["full"]["complete"]),
        (&json!(24), &json!(true))
    );
    assert_eq!(compare["ratios"]["path_conditions"], 0.333);
    let states =
        document["summary"]["states"].as_f64().unwrap() / compare["full"]["states"].as_f64().unwrap();
    assert!((compare["ratios"]["states"].as_f64().unwrap() - states).abs() < 0.001);
    assert_eq!(document["entries"][0]["compare"]["full"], compare["full"]);
    // Compared with itself a full run is the whole of it.
    let document =
        example(&[&arguments[..], &["--strategy", "full", "--format", "json"]].concat()).json().unwrap();
    assert_eq!(document["compare"]["ratios"]["path_conditions"], 1.0);
}

#[test]
fn the_same_versions_have_no_affected_path() {
    let folder = versions();
    let copy = OLD.replace("int r = 0;", "int r = 0; /* nothing yet */");
    std::fs::write(folder.path("copy.c"), copy).unwrap();
    for new in ["old.c", "copy.c"] {
        let said = folder.run(&["diff", "old.c", new]);
        let expected = "nothing is affected\n\nsame: nothing that is compared changed\n";
        assert_eq!((said.status, said.stdout.as_str()), (0, expected), "{}", said.stderr);
        let document = folder.run(&["diff", "old.c", new, "--format", "json"]).json().unwrap();
        assert_eq!(
            (&document["path_conditions"], &document["summary"]["complete"]),
            (&json!([]), &json!(true))
        );
    }
}

#[test]
fn every_changed_function_is_an_entry_and_main_if_it_is_concerned() {
    let old = "int helper(int x) { return x + 1; }\nint between(int x) { return helper(x); }\n\
               int other(int x) { return x; }\nint main(void) { return between(1); }\n";
    let new = old.replace("x + 1", "x + 2").replace("return x;", "return (x) ;");
    let apart = new.replace("between(1)", "0");
    let folder = Folder::with(&[
        ("old.c", old),
        ("new.c", &new),
        ("apart.c", &apart),
        ("apart-old.c", &apart.replace("x + 2", "x + 3")),
    ]);
    let entries = |arguments: &[&str]| {
        let said = folder.run(&[&["diff"], arguments, &["--format", "json"]].concat());
        let document = said.json().unwrap();
        let names = document["entries"].as_array().unwrap().iter().map(|entry| entry["name"].clone());
        (json!(names.collect::<Vec<_>>()), document)
    };
    let (names, document) = entries(&["old.c", "new.c"]);
    assert_eq!(names, json!(["helper", "main"]), "other does the same, and between did not change itself");
    assert_eq!(document["summary"]["path_conditions"], 2);
    let of: Vec<&Value> =
        document["path_conditions"].as_array().unwrap().iter().map(|path| &path["entry"]).collect();
    assert_eq!(json!(of), json!(["helper", "main"]));
    let (names, _) = entries(&["apart-old.c", "apart.c"]);
    assert_eq!(names, json!(["helper"]), "main does not call it");
    let (names, document) = entries(&["old.c", "new.c", "--entry", "between"]);
    assert_eq!(names, json!(["between"]));
    let path = &document["path_conditions"][0];
    assert_eq!(
        (&path["affected_sequence"], &path["affected_sequence_functions"]),
        (&json!([2, 1]), &json!(["between", "helper"]))
    );
    let (_, document) = entries(&["old.c", "new.c", "--entry", "between", "--intra"]);
    assert_eq!(document["path_conditions"][0]["affected_sequence"], json!([2]));
}

/// Section II-D of the second paper.
const SECTION_2D: &str = "int B(int x) {
    if (x > 0)
        return 1;
    else
        return 0;
}
int A(int x) {
    x = x + 1;
    return B(x);
}
";

fn sorted(document: &Value, member: &str) -> Vec<Value> {
    let mut all: Vec<Value> =
        document[member].as_array().unwrap().iter().map(|path| path["condition"].clone()).collect();
    all.sort_by_key(Value::to_string);
    all
}

#[test]
fn the_change_is_followed_into_calls() {
    let folder = Folder::with(&[("old.c", SECTION_2D), ("new.c", &SECTION_2D.replace("x + 1", "x - 1"))]);
    let of = |more: &[&str]| {
        let said =
            folder.run(&[&["diff", "old.c", "new.c", "--entry", "A", "--format", "json"], more].concat());
        assert_eq!(said.status, 1, "{}", said.stderr);
        said.json().unwrap()
    };
    let across = of(&[]);
    assert_eq!(sorted(&across, "path_conditions"), [json!("x - 1 <= 0"), json!("x - 1 > 0")]);
    assert_eq!(across["scope"], "program");
    let names: Vec<&Value> =
        across["functions"].as_array().unwrap().iter().map(|each| &each["name"]).collect();
    assert_eq!(json!(names), json!(["B", "A"]), "what is called is listed, for its argument carries impact");
    assert_eq!(across["functions"][0]["affected_conditions"], json!([2]));
    let within = of(&["--intra"]);
    assert_eq!(
        within["path_conditions"].as_array().unwrap().len(),
        1,
        "one of them is missed, as the paper says"
    );
    assert_eq!(within["scope"], "function");
    assert_eq!(across.get("old_path_conditions"), None);
    let both = of(&["--both"]);
    assert_eq!(sorted(&both, "path_conditions"), sorted(&across, "path_conditions"));
    assert_eq!(sorted(&both, "old_path_conditions"), [json!("x + 1 <= 0"), json!("x + 1 > 0")]);
    assert_eq!(both["old_entries"][0]["summary"]["path_conditions"], 2);
}

/// Figure 2 of the second paper, with a body for B.
const FIGURE_2: &str = "int B(int z) {
    if (z > 10)
        return 1;
    return 0;
}
int A(int x, int y) {
    if (x > 0)
        y = y + 2;
    if (y > 0)
        x = B(y);
    return x + y;
}
int apart(int k) {
    return k + 2;
}
int start(int x, int y, int z) {
    int t;
    t = B(z);
    t += A(x, y);
    return t;
}
";

#[test]
fn what_a_function_is_called_with_decides_whether_it_is_explored() {
    let new = FIGURE_2.replace(" + 2", " + 1");
    let folder = Folder::with(&[("old.c", FIGURE_2), ("new.c", &new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--entry", "start", "--format", "json"]);
    let document = said.json().unwrap();
    let paths = document["path_conditions"].as_array().unwrap();
    assert_eq!(paths.len(), 3, "B is explored from A, and one way through it from start: {}", said.stdout);
    for path in paths {
        let constraints = path["affected_constraints"].as_array().unwrap();
        let from_start = |text: &&Value| text.as_str().unwrap().contains('z');
        assert_eq!(constraints.iter().find(from_start), None, "{path}");
    }
    assert_eq!(document["notes"], json!(["apart changed as well, but start does not call it"]));
}

#[test]
fn both_versions_are_shown_one_after_the_other() {
    let folder = Folder::with(&[("old.c", SECTION_2D), ("new.c", &SECTION_2D.replace("x + 1", "x - 1"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--entry", "A", "--both", "--no-verdict"]);
    let (new, old) = said.stdout.split_once("the old version (old.c)").expect("two parts");
    assert!(new.contains("x - 1 > 0") && !new.contains("x + 1"), "{new}");
    assert!(old.contains("x + 1 > 0") && !old.contains("x - 1"), "{old}");
    assert!(old.ends_with("2 affected paths in the new version, 2 in the old\n"), "{old}");
    let lines = folder.run(&["diff", "new.c", "--changed", "8", "--both"]);
    assert_fails(&lines, &["--both explores both versions", "OLD and NEW"]);
}

#[test]
fn what_only_the_old_version_does_is_found() {
    // The new version has nothing left that could be affected; the old one decides.
    let old = "int g;\nint f(int x) {\n    if (x == 77)\n        g = 1;\n    return 0;\n}\n";
    let new = "int g;\nint f(int x) {\n    return 0;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--both", "--format", "json"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert_eq!(sorted(&said.json().unwrap(), "old_path_conditions"), [json!("x != 77"), json!("x == 77")]);
}

#[test]
fn an_entry_that_is_not_concerned_is_said() {
    let said = versions().run(&["diff", "old.c", "new.c", "--entry", "same"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("same did not change, and calls nothing that did"), "{}", said.stdout);
}

#[test]
fn errors_on_affected_paths_are_found() {
    let document =
        versions().run(&["diff", "old.c", "new.c", "--entry", "f", "--format", "json"]).json().unwrap();
    let failing: Vec<&Value> = document["path_conditions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|path| path["outcome"] == "error")
        .collect();
    assert_eq!(failing.len(), 1);
    assert_eq!(
        (&failing[0]["error"]["kind"], &failing[0]["inputs"]["x"]),
        (&json!("division-by-zero"), &json!(7))
    );
    assert_eq!(failing[0]["location"]["line"], 7);
}

#[test]
fn tests_are_written_and_replay_natively() {
    let folder = versions();
    let arguments = [
        "diff",
        "old.c",
        "new.c",
        "--entry",
        "f",
        "--tests",
        "t",
        "--c-tests",
        "--replay",
        "--format",
        "json",
    ];
    let said = folder.run(&arguments);
    let document = said.json().unwrap();
    let paths = document["path_conditions"].as_array().unwrap();
    assert_eq!(document["replays"][0]["summary"]["confirmed"], paths.len(), "{document:#}");
    for path in paths {
        let name = path["test"].as_str().unwrap();
        for ending in ["json", "ktest", "c"] {
            assert!(folder.path(&format!("t/{name}.{ending}")).is_file(), "{name}.{ending}");
        }
    }
    let manifest: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path("t/manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["program"]["files"], json!(["new.c"]), "the tests are of the new version");
    let replay = folder.run(&["replay", "t"]);
    assert_eq!(replay.status, 0, "{}{}", replay.stdout, replay.stderr);
}

#[test]
fn several_entries_have_folders_of_their_own() {
    let folder = Folder::with(&[
        ("old.c", "int f(int x) { return x > 1; }\nint g(int x) { return x > 2; }\n"),
        ("new.c", "int f(int x) { return x > 3; }\nint g(int x) { return x > 4; }\n"),
    ]);
    let said = folder.run(&["diff", "old.c", "new.c", "--tests", "t", "--replay"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert_eq!(said.stdout.matches("confirmed natively").count(), 2, "{}", said.stdout);
    for name in ["f", "g"] {
        assert_eq!(folder.run(&["replay", &format!("t/{name}")]).status, 0);
    }
    assert_fails(&folder.run(&["replay", "t"]), &["no tests of incise itself", "t/f does"]);
    // The next run replaces them, whatever its entries are.
    assert_eq!(folder.run(&["diff", "old.c", "new.c", "--tests", "t", "--entry", "f"]).status, 1);
    assert!(folder.path("t/manifest.json").is_file() && !folder.path("t/g").exists());
    std::fs::write(folder.path("t/thesis.tex"), "years of work").unwrap();
    std::fs::remove_file(folder.path("t/manifest.json")).unwrap();
    assert_fails(&folder.run(&["diff", "old.c", "new.c", "--tests", "t"]), &["did not write"]);
    assert!(folder.path("t/thesis.tex").is_file());
}

#[test]
fn lines_of_one_version_can_be_given() {
    let folder = versions();
    let of = |lines: &str, more: &[&str]| {
        folder.run(&[&["diff", "new.c", "--changed", lines, "--format", "json"], more].concat())
    };
    let given = of("6", &["--entry", "f"]).json().unwrap();
    let compared = folder
        .run(&["diff", "old.c", "new.c", "--entry", "f", "--intra", "--format", "json"])
        .json()
        .unwrap();
    assert_eq!(given["path_conditions"], compared["path_conditions"]);
    assert_eq!((&given["old"], &given["functions"][0]["changed"]), (&Value::Null, &json!([6])));
    let several = of("4,13-14", &[]).json().unwrap();
    let names: Vec<&Value> =
        several["entries"].as_array().unwrap().iter().map(|each| &each["name"]).collect();
    assert_eq!(json!(names), json!(["f", "same"]));
    // A caller meets the change in what it calls, or within itself where it calls.
    let across = of("6", &["--entry", "g"]).json().unwrap();
    let compared =
        folder.run(&["diff", "old.c", "new.c", "--entry", "g", "--format", "json"]).json().unwrap();
    assert_eq!(
        (&across["scope"], &across["path_conditions"]),
        (&json!("program"), &compared["path_conditions"])
    );
    let names = |document: &Value| -> Vec<Value> {
        let affected = |each: &&Value| each["affected_writes"] != json!([]);
        let functions = document["functions"].as_array().unwrap().iter().filter(affected);
        functions
            .map(|each| json!([each["name"], each["affected_conditions"], each["affected_writes"]]))
            .collect()
    };
    assert_eq!(names(&across), names(&compared));
    let caller = of("6", &["--entry", "g", "--intra"]).json().unwrap();
    assert_eq!(caller["functions"].as_array().unwrap().last().unwrap()["affected_writes"], json!([11]));
    assert_fails(&of("12", &[]), &["no statement on line 12", "11 and 14"]);
    assert_fails(&of("90-99", &[]), &["no statement on lines 90-99", "line 14"]);
    assert_fails(&of("0", &[]), &["no line", "9-11"]);
    assert_fails(&folder.run(&["diff", "old.c", "new.c", "--changed", "6"]), &["--changed", "one version"]);
    assert_fails(&folder.run(&["diff", ".", "--changed", "6"]), &["defined both"]);
    std::fs::write(folder.path("old.c"), "int more(int x) { return x; }\n").unwrap();
    assert_fails(&folder.run(&["diff", ".", "--changed", "6"]), &["a single file"]);
}

#[test]
fn code_without_debug_information_works_too() {
    let text = |limit: u32| {
        format!(
            "define i32 @f(i32 %x) {{\n  %c = icmp sgt i32 %x, {limit}\n  br i1 %c, label %a, label %b\na:\n  ret i32 1\nb:\n  ret i32 0\n}}\n"
        )
    };
    let folder = Folder::with(&[("old.ll", &text(7)), ("new.ll", &text(8))]);
    let document = folder.run(&["diff", "old.ll", "new.ll", "--format", "json"]).json().unwrap();
    assert_eq!(json!(sequences(&document)), json!([["0:0", "1:0"], ["0:0", "2:0"]]));
    assert_fails(&folder.run(&["diff", "new.ll", "--changed", "3"]), &["debug information"]);
}

#[test]
fn a_changed_signature_is_said_and_explored() {
    let folder = Folder::with(&[
        ("old.c", "int f(int x) {\n    if (x > 3)\n        return 1;\n    return 0;\n}\n"),
        ("new.c", "int f(int x, int y) {\n    if (x > 3)\n        return y;\n    return 0;\n}\n"),
    ]);
    let said = folder.run(&["diff", "old.c", "new.c"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert!(said.stdout.contains("it was int f(int x), and is int f(int x, int y)"), "{}", said.stdout);
    let document = folder.run(&["diff", "old.c", "new.c", "--format", "json"]).json().unwrap();
    assert_eq!(document["functions"][0]["changed"], json!([3]), "x is still x");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let old = "int f(int x) { return x; }\nint gone(int x) { return x; }\n";
    let new = "int f(int x) { return x + 1; }\nint fresh(int x) { return x; }\n";
    let folder = Folder::with(&[
        ("old.c", old),
        ("new.c", new),
        ("stranger.c", "int g(void) { return 1; }\n"),
        ("text.txt", "hello"),
        ("bad.c", "int f(int x) { return y; }\n"),
    ]);
    let diff = |arguments: &[&str]| folder.run(&[&["diff"], arguments, &["--tests", "t"]].concat());
    assert_fails(&diff(&[]), &["OLD"]);
    assert_fails(&diff(&["old.c"]), &["OLD and NEW", "--changed"]);
    assert_fails(&diff(&["old.c", "new.c", "old.c"]), &["old.c"]);
    assert_fails(&diff(&["old.c", "stranger.c"]), &["no function in common"]);
    assert_fails(
        &diff(&["old.c", "new.c", "--entry", "fresh"]),
        &["fresh was added", "incise run new.c --entry fresh"],
    );
    assert_fails(
        &diff(&["old.c", "new.c", "--entry", "gone"]),
        &["gone was removed", "incise run old.c --entry gone"],
    );
    assert_fails(&diff(&["old.c", "new.c", "--entry", "ff"]), &["no function ff", "did you mean f?"]);
    assert_fails(&diff(&["old.c", "text.txt"]), &["text.txt", "not C"]);
    assert_fails(&diff(&["old.c", "nowhere.c"]), &["nowhere.c", "does not exist"]);
    assert_fails(&diff(&["old.c", "bad.c"]), &["bad.c:1", "undeclared"]);
    assert_fails(&diff(&["old.c", "new.c", "--trace"]), &["--strategy paper"]);
    assert_fails(&diff(&["old.c", "new.c", "--strategy", "luck"]), &["luck", "exact"]);
    assert_fails(&diff(&["old.c", "new.c", "--array", "nothing=3"]), &["nothing"]);
    assert!(!folder.path("t").exists(), "something was written");
    let left: Vec<_> =
        std::fs::read_dir(folder.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 5, "something was left behind: {left:?}");
}

#[test]
fn what_was_cut_has_a_status_of_its_own() {
    let old = "int f(unsigned n, int x) {\n    unsigned i = 0;\n    while (i < n)\n        i++;\n    if (x > 1)\n        return 1;\n    return i;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("x > 1", "x > 2"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--max-time", "0ms"]);
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
    // The time is that of the whole command: there was none to find out what changed.
    assert!(said.stdout.contains("stopped by --max-time"), "{}", said.stdout);
    assert!(said.stdout.ends_with("undecided: nothing could be compared\n"), "{}", said.stdout);
    let cut = &["diff", "old.c", "new.c", "--no-verdict", "--max-loop", "5"];
    let said = folder.run(cut);
    assert!(said.stdout.contains("not complete") && said.stdout.contains("--max-loop"), "{}", said.stdout);
    let said = folder.run(&[cut.as_slice(), &["--quiet"]].concat());
    assert!(said.stdout.contains("(not complete)"), "{}", said.stdout);
    let said = folder.run(&["diff", "old.c", "new.c", "--max-loop", "5", "--format", "json"]);
    assert_eq!(said.status, 1, "affected paths count, whatever else was cut");
    let document = said.json().unwrap();
    assert_eq!(document["summary"]["limits"], json!(["max-loop"]));
    let ends: Vec<Value> = document["path_conditions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|path| json!([path["outcome"], path["affected"]]))
        .collect();
    // A path that was cut in the loop before the change might have met it.
    assert!(ends.contains(&json!(["limit", false])) && ends.contains(&json!(["returned", true])), "{ends:?}");
    assert!(!ends.contains(&json!(["limit", true])), "{ends:?}");
}

#[test]
fn ctrl_c_keeps_what_was_found() {
    let old = "int f(unsigned char *p, int k) {\n    int r = 0;\n    for (int i = 0; i < 200; i++)\n        if (p[i] > k)\n            r++;\n    return r;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("> k", ">= k"))]);
    let mut command = incise();
    command.current_dir(folder.root()).args(["diff", "old.c", "new.c", "--array", "p=200", "--no-null"]);
    command.args(["--format", "json", "--max-paths", "100000000", "--compare", "full", "--no-verdict"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(3));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).expect("a whole report");
    assert_eq!(document["summary"]["limits"], json!(["interrupt"]));
    assert_eq!((output.status.code(), &document["summary"]["complete"]), (Some(1), &json!(false)));
    assert!(document["summary"]["path_conditions"].as_u64().unwrap() > 0);
    assert_eq!(document.get("compare"), None, "nothing was compared with");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = versions();
    let run = |jobs: &str| folder.run(&["diff", "old.c", "new.c", "-j", jobs]).stdout;
    let first = run("1");
    assert!(first.contains("path 1: returned"), "{first}");
    assert_eq!(first, run("1"));
    assert_eq!(first, run("4"));
}

#[test]
fn the_names_of_the_json_are_documented() {
    let documented = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    let folder = versions();
    let arguments = [
        "diff",
        "old.c",
        "new.c",
        "--format",
        "json",
        "--compare",
        "full",
        "--strategy",
        "paper",
        "--trace",
        "--tests",
        "t",
        "--replay",
    ];
    let document = folder.run(&arguments).json().unwrap();
    let both = folder.run(&["diff", "old.c", "new.c", "--both", "--format", "json"]).json().unwrap();
    let mut checked = 0;
    let mut check = |object: &Value| {
        for name in object.as_object().unwrap().keys() {
            let forms = [format!("`{name}`"), format!("\"{name}\"")];
            assert!(forms.iter().any(|form| documented.contains(form.as_str())), "{name} is not documented");
            checked += 1;
        }
    };
    check(&document);
    check(&both);
    check(&document["summary"]);
    for object in ["full", "ratios"] {
        check(&document["compare"][object]);
    }
    for list in ["entries", "functions", "path_conditions", "trace", "replays"] {
        let items = document[list].as_array().unwrap();
        assert!(!items.is_empty(), "{list}");
        items.iter().for_each(&mut check);
    }
    assert!(checked > 100);
    let fixed = [
        "changed_nodes",
        "affected_nodes",
        "path_conditions",
        "states",
        "queries",
        "time_ms",
        "complete",
        "limits",
    ];
    for name in fixed {
        assert!(document["summary"].get(name).is_some(), "no {name}");
        assert!(document["entries"][0]["summary"].get(name).is_some(), "no {name}");
    }
    for name in ["name", "changed", "affected_conditions", "affected_writes", "removed"] {
        assert!(document["functions"][0].get(name).is_some(), "no {name}");
    }
    for name in ["condition", "affected_constraints", "inputs", "affected_sequence", "outcome"] {
        assert!(document["path_conditions"][0].get(name).is_some(), "no {name}");
    }
}
