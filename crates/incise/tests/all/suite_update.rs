//! Suites brought over to another version: what becomes of each test, and that the new suite covers what one made from
//! scratch covers.

use crate::common::{Folder, Said, assert_fails, incise};
use incise_report::LimitKind;
use incise_report::suite::SuiteManifest;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Program 1 of the paper.
const MID: &str = "\
int mid(int x, int y, int z) {
    if (x < y) {
        if (y < z) return y;
        else if (x < z) return z;
        else return x;
    } else if (x < z) return x;
    else if (y < z) return z;
    else return y;
}
";

fn manifest(folder: &Folder, suite: &str) -> SuiteManifest {
    let text = std::fs::read_to_string(folder.path(suite).join("suite.json")).expect("a manifest");
    SuiteManifest::from_json(&text).expect("a manifest of ours")
}

fn generate(folder: &Folder, file: &str, suite: &str, more: &[&str]) {
    let said = folder.run(&[&["suite", "generate", file, "-o", suite], more].concat());
    assert!(matches!(said.status, 0 | 3), "{}{}", said.stdout, said.stderr);
}

fn update(folder: &Folder, old: &str, new: &str, more: &[&str]) -> (i32, Value) {
    let command = ["suite", "update", old, new, "--suite", "suite", "--format", "json"];
    let said = folder.run(&[&command[..], more].concat());
    let json = said.json().unwrap_or_else(|why| panic!("{why}: {}{}", said.stdout, said.stderr));
    (said.status, json)
}

/// The files of the tests of a suite.
fn files(folder: &Folder, suite: &str) -> BTreeMap<String, Vec<u8>> {
    let tests = folder.path(suite).join("tests");
    let names =
        std::fs::read_dir(&tests).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    names
        .map(|name| (name.to_string_lossy().into_owned(), std::fs::read(tests.join(name)).expect("a file")))
        .collect()
}

fn paths(folder: &Folder, suite: &str) -> Vec<String> {
    manifest(folder, suite).tests.into_iter().map(|test| test.path.to_string()).collect()
}

/// How many tests are of each class: kept, changed, redundant, obsolete, added.
fn counts(json: &Value) -> [u64; 5] {
    ["kept", "changed", "redundant", "obsolete", "added"]
        .map(|class| json["summary"][class].as_u64().expect("a number"))
}

fn of_class(json: &Value, class: &str) -> Vec<Value> {
    let tests = json["tests"].as_array().expect("tests");
    tests.iter().filter(|test| test["class"] == class).cloned().collect()
}

/// Brings a suite over, and checks what must hold: the paths are those of a suite made from scratch, kept tests are as
/// they were, and with the new outcomes accepted all tests pass natively.
fn brought_over(old: &str, new: &str, options: &[&str]) -> (Folder, Value) {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    generate(&folder, "old.c", "suite", options);
    generate(&folder, "new.c", "scratch", options);
    let before = files(&folder, "suite");
    let (_, json) = update(&folder, "old.c", "new.c", &["-o", "updated", "--accept"]);
    assert_eq!(files(&folder, "suite"), before, "the old suite is left alone");
    assert_eq!(paths(&folder, "updated"), paths(&folder, "scratch"), "{json:#}");
    let after = files(&folder, "updated");
    for test in of_class(&json, "kept") {
        let file = format!("{}.json", test["name"].as_str().expect("a name"));
        assert_eq!(before[&file], after[&file], "{file}");
    }
    let (_, shared) = update(&folder, "old.c", "new.c", &["-o", "shared", "--accept", "-j", "3"]);
    assert_eq!(
        (files(&folder, "shared"), manifest(&folder, "shared")),
        (after.clone(), manifest(&folder, "updated"))
    );
    assert_eq!((&shared["tests"], &shared["ranges"]), (&json["tests"], &json["ranges"]));
    let [kept, changed, redundant, obsolete, added] = counts(&json);
    assert_eq!((kept + changed + redundant + obsolete) as usize, before.len());
    assert_eq!((kept + changed + added) as usize, after.len());
    let check = folder.run(&["suite", "check", "new.c", "--suite", "updated"]);
    assert_eq!(check.status, 0, "{}{}", check.stdout, check.stderr);
    (folder, json)
}

#[test]
fn program_2_of_the_paper() {
    let new = MID
        .replace("(x < z) return z", "(x <= z) return z")
        .replace("else return y;\n}", "else return x;\n}");
    let (_, json) = brought_over(MID, &new, &["--entry", "mid"]);
    // All tests take their paths on Program 2 as well; on the last, x and not y is the result.
    let changed: Vec<Value> = of_class(&json, "changed").iter().map(|test| test["path"].clone()).collect();
    assert_eq!(changed, ["mid+1F +5F +6F"]);
    assert_eq!(counts(&json)[0], 5);
    assert_eq!(counts(&json)[4], 0);
    assert_eq!(json["summary"]["queries"].as_u64(), Some(0), "no condition is open that was not");
}

#[test]
fn an_address_in_place_of_a_number_is_no_other_outcome() {
    let old = "long g; char text[4]; int f(int x) { if (x > 3) g = 5; else g = 6; return x > 3; }\n";
    let new = old
        .replace("long g; char text[4]", "char *g; char text[4]")
        .replace("g = 5", "g = text")
        .replace("g = 6", "g = 0");
    let folder = Folder::with(&[("old.c", old), ("new.c", &new)]);
    generate(&folder, "old.c", "suite", &["--entry", "f", "--symbolic-globals", "none"]);
    // What an address is counts nowhere.
    let (_, json) = update(&folder, "old.c", "new.c", &[]);
    assert_eq!(counts(&json), [2, 0, 0, 0, 0], "{json:#}");
    let other = old.replace("g = 5", "g = 7");
    std::fs::write(folder.path("other.c"), other).expect("a file");
    generate(&folder, "old.c", "suite", &["--entry", "f", "--symbolic-globals", "none"]);
    let (_, json) = update(&folder, "old.c", "other.c", &[]);
    assert_eq!(counts(&json), [1, 1, 0, 0, 0], "{json:#}");
}

#[test]
fn a_variable_that_is_not_written_any_more_holds_what_it_was_set_to() {
    let old = "int g; int f(int x) { if (x > 3) g = 5; else g = g; return x; }\n";
    let new = old.replace("g = 5", "x = x").replace("else g = g", "else x = x");
    let folder = Folder::with(&[("old.c", old), ("new.c", &new)]);
    generate(&folder, "old.c", "suite", &["--entry", "f", "--symbolic-globals", "g"]);
    let (_, json) = update(&folder, "old.c", "new.c", &[]);
    assert_eq!(counts(&json), [1, 1, 0, 0, 0], "{json:#}");
}

#[test]
fn a_variable_without_bytes_is_as_it_was() {
    let old = "char none[0]; int f(int x) { if (x > 3) return 1; return 2; }\n";
    let (_, json) = brought_over(old, &old.replace("x > 3", "x >= 3"), &["--entry", "f"]);
    assert_eq!(counts(&json), [2, 0, 0, 0, 0], "{json:#}");
}

#[test]
fn what_an_update_showed_is_accepted_by_the_same_command() {
    let old = "int f(int x) { if (x > 3) return 1; return 2; }\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("return 1", "return 7"))]);
    generate(&folder, "old.c", "suite", &["--entry", "f"]);
    let (_, json) = update(&folder, "old.c", "new.c", &[]);
    assert_eq!(counts(&json), [1, 1, 0, 0, 0], "{json:#}");
    let again = folder.run(&["suite", "update", "old.c", "new.c", "--suite", "suite"]);
    assert_fails(&again, &["is for NEW already"]);
    let (_, json) = update(&folder, "old.c", "new.c", &["--accept"]);
    assert_eq!(of_class(&json, "changed")[0]["after"], "returns 7", "{json:#}");
    let check = folder.run(&["suite", "check", "new.c", "--suite", "suite"]);
    assert_eq!(check.status, 0, "{}{}", check.stdout, check.stderr);
    let again = folder.run(&["suite", "update", "old.c", "new.c", "--suite", "suite", "--accept"]);
    assert_fails(&again, &["is for NEW already"]);
}

#[test]
fn only_the_manifest_is_replaced_where_no_file_of_a_test_is_another() {
    let old = "int f(int x) { if (x > 3) return 1; return 2; }\n";
    let new = "\nint f(int x) {\n if (x > 3) return 1; return 2; }\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    generate(&folder, "old.c", "suite", &["--entry", "f"]);
    let tests = folder.path("suite/tests");
    let inode = || std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(&tests).expect("a folder"));
    let (before, kept) = (inode(), files(&folder, "suite"));
    let (_, json) = update(&folder, "old.c", "new.c", &[]);
    assert_eq!(counts(&json), [2, 0, 0, 0, 0], "{json:#}");
    assert_eq!((inode(), files(&folder, "suite")), (before, kept));
    assert_eq!(manifest(&folder, "suite").tests[0].path, "f+1T");
    let left: Vec<_> = std::fs::read_dir(folder.path("."))
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains(".incise-")), "{left:?}");
    let check = folder.run(&["suite", "check", "new.c", "--suite", "suite"]);
    assert_eq!(check.status, 0, "{}{}", check.stdout, check.stderr);
}

#[test]
fn a_side_that_was_impossible_is_opened_by_a_change_before_it() {
    let text = |value: &str| {
        format!(
            "int f(int x) {{\n    int y = {value};\n    if (y == 1)\n        return 5;\n    return x > 3;\n}}\n"
        )
    };
    let (_, json) = brought_over(&text("0"), &text("x"), &[]);
    assert_eq!(counts(&json)[4], 1, "{json:#}");
    let added = of_class(&json, "added");
    assert_eq!(added[0]["before"], "returns 5");
    // And closed again.
    let (_, json) = brought_over(&text("x"), &text("0"), &[]);
    assert_eq!(counts(&json)[2] + counts(&json)[3], 1, "{json:#}");
}

#[test]
fn a_side_without_a_test_is_opened_in_a_function_that_is_called() {
    let text = |value: &str| {
        format!(
            "static int limit(int n) {{\n    return {value};\n}}\nint f(int n, int k) {{\n    if (k > 2)\n        return 1;\n    if (limit(n) > 9)\n        return 2;\n    return 3;\n}}\n"
        )
    };
    let (_, json) = brought_over(&text("4"), &text("n + 1"), &["--entry", "f"]);
    assert_eq!(counts(&json), [2, 0, 0, 0, 1], "{json:#}");
}

#[test]
fn tests_that_collapse_onto_one_path() {
    let old = "int f(int x, int y) {\n    int r = 0;\n    if (x > 5)\n        r = 1;\n    if (y > 5)\n        r += 2;\n    return r;\n}\n";
    let new = old.replace("    if (x > 5)\n        r = 1;\n", "    r = x > 5;\n");
    let (_, json) = brought_over(old, &new, &[]);
    assert_eq!(counts(&json), [2, 0, 2, 0, 0], "{json:#}");
    for test in of_class(&json, "redundant") {
        let by = test["reason"].as_str().expect("who stands for it");
        assert!(of_class(&json, "kept").iter().any(|kept| kept["name"] == by));
    }
}

#[test]
fn an_order_that_flips() {
    let text = |first: &str, second: &str| {
        format!(
            "int f(int x, int y) {{\n    if ({first})\n        return 1;\n    if ({second})\n        return 2;\n    return 3;\n}}\n"
        )
    };
    brought_over(&text("x > 5", "y > 5"), &text("y > 5", "x > 5"), &[]);
    let (_, json) = brought_over(&text("x > 5", "x > 2"), &text("x <= 5", "x > 2"), &[]);
    assert_eq!(counts(&json)[4], 0, "{json:#}");
}

#[test]
fn code_that_only_moved_changes_no_test_but_says_where_its_paths_are() {
    let folder = Folder::with(&[
        ("old.c", MID),
        ("new.c", &MID.replace("    if (x < y) {", "    /* The\n       middle. */\n    if (x < y) {")),
    ]);
    generate(&folder, "old.c", "suite", &[]);
    generate(&folder, "new.c", "scratch", &[]);
    let before = files(&folder, "suite");
    let (status, json) = update(&folder, "old.c", "new.c", &[]);
    assert_eq!((status, counts(&json)), (0, [6, 0, 0, 0, 0]));
    assert_eq!((json["summary"]["queries"].as_u64(), json["summary"]["states"].as_u64()), (Some(0), Some(0)));
    assert_eq!(files(&folder, "suite"), before);
    assert_eq!(paths(&folder, "suite"), paths(&folder, "scratch"));
    // Nothing at all.
    let bytes = std::fs::read(folder.path("suite").join("suite.json")).expect("a manifest");
    assert_eq!(update(&folder, "new.c", "new.c", &[]).0, 0);
    assert_eq!(std::fs::read(folder.path("suite").join("suite.json")).expect("a manifest"), bytes);
}

#[test]
fn what_the_change_does_not_reach_is_not_executed() {
    let text = |value: i32| {
        format!(
            "int f(int a, int b) {{\n    if (a > 0) {{\n        if (b > 0)\n            return 1;\n        return 2;\n    }}\n    if (b == 7)\n        return {value};\n    return 4;\n}}\n"
        )
    };
    let (folder, json) = brought_over(&text(3), &text(5), &[]);
    assert_eq!(counts(&json), [3, 1, 0, 0, 0], "{json:#}");
    assert_eq!(json["summary"]["queries"].as_u64(), Some(0));
    let changed = &of_class(&json, "changed")[0];
    assert_eq!((&changed["before"], &changed["after"]), (&"returns 3".into(), &"returns 5".into()));
    let range = &json["ranges"][0];
    let names: Vec<String> =
        manifest(&folder, "suite").tests.into_iter().map(|test| test.name.to_string()).collect();
    assert_eq!(
        (range["after"].as_str(), range["before"].as_str()),
        (Some(&names[1][..]), Some(&names[3][..]))
    );
    assert_eq!(range["paths"], 1);
    let said = folder.run(&["suite", "select", "old.c", "new.c", "--suite", "suite", "-q"]);
    assert_eq!((said.status, said.stdout), (1, format!("{}\n", names[2])));
}

#[test]
fn a_new_outcome_is_written_only_if_it_is_accepted() {
    let text =
        |value: i32| format!("int f(int a) {{\n    if (a > 0)\n        return {value};\n    return 4;\n}}\n");
    let folder = Folder::with(&[("old.c", &text(1)), ("new.c", &text(2))]);
    generate(&folder, "old.c", "suite", &[]);
    let before = files(&folder, "suite");
    let (status, json) = update(&folder, "old.c", "new.c", &[]);
    assert_eq!((status, counts(&json)), (1, [1, 1, 0, 0, 0]));
    assert_eq!(files(&folder, "suite"), before, "the test still expects what was");
    let check = |file: &str| folder.run(&["suite", "check", file, "--suite", "suite"]).status;
    assert_eq!(check("new.c"), 1);
    // It is not forgotten, although nothing changes any more.
    let (status, json) = update(&folder, "new.c", "new.c", &[]);
    assert_eq!((status, counts(&json)), (1, [1, 1, 0, 0, 0]));
    assert_eq!(of_class(&json, "changed")[0]["after"], "returns 2");
    let (status, _) = update(&folder, "new.c", "new.c", &["--accept"]);
    assert_eq!((status, check("new.c")), (1, 0));
    assert_eq!(update(&folder, "new.c", "new.c", &[]).0, 0);
}

#[test]
fn a_damaged_test_is_reported_and_its_path_solved_again() {
    let folder = Folder::with(&[("old.c", MID)]);
    generate(&folder, "old.c", "suite", &[]);
    let whole = files(&folder, "suite");
    let (name, bytes) = whole.iter().next().expect("a test");
    std::fs::write(folder.path("suite").join("tests").join(name), &bytes[..bytes.len() / 2]).expect("damage");
    let (status, json) = update(&folder, "old.c", "old.c", &[]);
    assert_eq!((status, counts(&json)), (1, [5, 0, 0, 1, 1]), "{json:#}");
    let why = of_class(&json, "obsolete")[0]["reason"].as_str().expect("a reason").to_owned();
    assert!(
        why.contains("damaged") && json["asked_again"].as_str().is_some_and(|why| why.contains("damaged"))
    );
    assert_eq!(files(&folder, "suite").keys().collect::<BTreeSet<_>>(), whole.keys().collect());
    assert_eq!(folder.run(&["suite", "check", "old.c", "--suite", "suite"]).status, 0);
    // All of them may be gone.
    for place in ["suite", "elsewhere"] {
        std::fs::remove_dir_all(folder.path("suite").join("tests")).expect("damage");
        let (status, json) = update(&folder, "old.c", "old.c", &["-o", place]);
        assert_eq!((status, counts(&json)), (1, [0, 0, 0, 6, 6]), "{json:#}");
        assert_eq!(files(&folder, place).keys().collect::<BTreeSet<_>>(), whole.keys().collect());
    }
}

#[test]
fn tests_that_do_not_fit_any_more_are_obsolete() {
    let old = "int g;\nint f(int a) {\n    if (a > g)\n        return 1;\n    return 2;\n}\n";
    let (_, json) = brought_over(old, &old.replace("int g;", "long g;"), &["--entry", "f"]);
    assert_eq!(counts(&json), [0, 0, 0, 2, 2], "{json:#}");
    let (_, json) = brought_over(old, &old.replace("f(int a)", "f(long a)"), &["--entry", "f"]);
    assert_eq!(counts(&json), [0, 0, 0, 2, 2], "{json:#}");
    // A variable that is new has its initial value in old tests.
    let new = old
        .replace("int g;", "int g;\nint h = 3;")
        .replace("return 2;", "if (h > 2)\n        return 2;\n    return 7;");
    let (_, json) = brought_over(old, &new, &["--entry", "f"]);
    assert_eq!(counts(&json), [2, 0, 0, 0, 0], "nothing writes it: {json:#}");
    let written = new + "void set(int x) {\n    h = x;\n}\n";
    let (_, json) = brought_over(old, &written, &["--entry", "f"]);
    assert_eq!(counts(&json), [2, 0, 0, 0, 1], "{json:#}");
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("int f(", "int h("))]);
    generate(&folder, "old.c", "suite", &["--entry", "f"]);
    let update = |old: &str, new: &str| folder.run(&["suite", "update", old, new, "--suite", "suite"]);
    assert_fails(&update("old.c", "new.c"), &["NEW has no function f", "2 tests"]);
    assert_fails(&update("new.c", "old.c"), &["is for NEW already"]);
    assert_fails(&update("new.c", "new.c"), &["made for another program than OLD"]);
    assert_fails(
        &folder.run(&["suite", "update", "old.c", "old.c", "--suite", "nothing"]),
        &["holds no suite"],
    );
}

#[test]
fn loops_pointers_errors_and_assumptions() {
    let list = |limit: u32| {
        format!(
            "struct node {{ int key; struct node *next; }};\nint sum(struct node *list) {{\n    int total = 0;\n    while (list) {{\n        if (list->key > {limit})\n            total += list->key;\n        list = list->next;\n    }}\n    return total == 8;\n}}\n"
        )
    };
    brought_over(&list(5), &list(7), &["--entry", "sum"]);
    let count = |start: u32| {
        format!(
            "int count(unsigned n, int *out) {{\n    int steps = {start};\n    while (n) {{\n        n = n / 3;\n        steps++;\n    }}\n    if (steps > 4)\n        *out = steps;\n    return 100 / (steps - 2);\n}}\n"
        )
    };
    brought_over(&count(0), &count(1), &["--entry", "count", "--max-loop", "5"]);
    // What an assumption cut in the old version has no test, and may be open in the new one.
    let assume = |value: &str| {
        format!(
            "void klee_assume(unsigned long);\nint f(int x) {{\n    int y = 0;\n    if (x > 5) {{\n        y = {value};\n        klee_assume(y == 0);\n        return 1;\n    }}\n    return 2;\n}}\n"
        )
    };
    let (_, json) = brought_over(&assume("1"), &assume("0"), &["--entry", "f"]);
    assert_eq!(counts(&json), [1, 0, 0, 0, 1], "{json:#}");
    brought_over(&assume("0"), &assume("1"), &["--entry", "f"]);
}

#[test]
fn a_killed_update_leaves_the_old_suite_or_the_new_one() {
    let source = |version: u32| {
        let mut text = "int f(unsigned x) {\n    int sum = 0;\n".to_owned();
        for bit in 0..6 {
            text += &format!("    if (x & {}u) sum += {};\n", 1 << bit, (version + 1) << bit);
        }
        text + &format!("    return sum + {version};\n}}\n")
    };
    let folder = Folder::with(&[("v0.c", &source(0)), ("v1.c", &source(1))]);
    generate(&folder, "v0.c", "suite", &[]);
    let all = || {
        (std::fs::read(folder.path("suite").join("suite.json")).expect("a manifest"), files(&folder, "suite"))
    };
    let command = |from: usize| {
        let (old, new) = (format!("v{from}.c"), format!("v{}.c", 1 - from));
        let mut command = incise();
        command
            .current_dir(folder.root())
            .args(["suite", "update", &old, &new, "--suite", "suite", "--accept"]);
        command
    };
    let first = all();
    let started = Instant::now();
    assert_eq!(Said::by(&mut command(0)).status, 1);
    let (second, time) = (all(), started.elapsed());
    assert_eq!(Said::by(&mut command(1)).status, 1);
    assert_eq!(all(), first, "there and back again");
    assert_ne!(first, second);
    let mut at = 0;
    for round in 0..30u64 {
        let mut child =
            command(at).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary runs");
        std::thread::sleep(time.mul_f64(0.5 + (round * 7 % 30) as f64 / 50.0).max(Duration::from_millis(1)));
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().expect("it ends");
        let now = all();
        at = match (now == first, now == second) {
            (true, _) => 0,
            (_, true) => 1,
            _ => panic!("after kill {round} the suite is neither"),
        };
    }
}

#[test]
fn a_suite_that_was_cut_stays_so_and_shows_nothing_impossible() {
    let moved = MID.replace("    if (x < y) {", "\n    if (x < y) {");
    let changed = MID.replace("if (y < z) return y;", "if (y < z) return y + 1;");
    let folder = Folder::with(&[("old.c", MID), ("moved.c", &moved), ("changed.c", &changed)]);
    generate(&folder, "old.c", "suite", &["--max-paths", "3"]);
    let (status, json) = update(&folder, "old.c", "moved.c", &["-o", "moved"]);
    assert_eq!((status, counts(&json)), (3, [3, 0, 0, 0, 0]));
    assert_eq!(manifest(&folder, "moved").limits, [LimitKind::Paths]);
    assert!(!manifest(&folder, "moved").complete);
    let (status, json) = update(&folder, "old.c", "changed.c", &["-o", "changed"]);
    assert_eq!((status, counts(&json)), (3, [2, 1, 0, 0, 0]), "{json:#}");
    assert!(json["asked_again"].as_str().is_some_and(|why| why.contains("max-paths")), "{json:#}");
}

#[test]
fn a_variable_that_is_only_declared_is_an_input_like_any_other() {
    let source = |name: &str| {
        format!(
            "extern char {name}[];\nstruct text {{ char *start; int size; }};\n\
             int f(char c) {{\n    struct text text = {{{name}, 0}};\n    return c == '/' ? text.size : 1;\n}}\n"
        )
    };
    let folder = Folder::with(&[("old.c", &source("buffer")), ("new.c", &source("string"))]);
    generate(&folder, "old.c", "suite", &[]);
    let (_, json) = update(&folder, "old.c", "new.c", &["-o", "new"]);
    // Under another name it is another one.
    assert_eq!(counts(&json), [0, 0, 0, 2, 2], "{json:#}");
    let (_, json) = update(&folder, "old.c", "old.c", &["-o", "same"]);
    assert_eq!(counts(&json), [2, 0, 0, 0, 0], "{json:#}");
}
