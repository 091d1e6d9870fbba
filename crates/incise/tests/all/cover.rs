//! `incise cover` and `incise diff --cover`: what has to be covered, what covers it, what is missing, and with which
//! exit status.

use crate::common::{Folder, Said, assert_fails, check_blessed, incise, indented, root, transcript};
use serde_json::{Value, json};

/// Runs the binary where the examples of `incise diff` are.
fn example(arguments: &[&str]) -> Said {
    Said::by(incise().current_dir(root().join("examples/diff")).args(arguments))
}

fn coverage(said: &Said) -> Value {
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let document = said.json().unwrap();
    assert_eq!((&document["schema"], &document["strategy"]), (&json!("incise-diff/1"), &json!("cover")));
    document
}

#[test]
fn three_paths_cover_the_branches_of_the_brake() {
    let folder = Folder::with(&[]);
    let tests = folder.path("t").display().to_string();
    let arguments =
        ["diff", "brake-old.c", "brake-new.c", "--cover", "branch", "--tests", &tests, "--replay"];
    let document = coverage(&example(&[&arguments[..], &["--format", "json"]].concat()));
    let summary = &document["coverage"]["summary"];
    assert_eq!((&summary["obligations"], &summary["covered"]), (&json!(10), &json!(10)));
    assert_eq!(summary["complete"], true);
    let paths = document["path_conditions"].as_array().unwrap();
    assert_eq!(paths.len(), 3);
    assert!(paths.iter().all(|path| path["affected"] == true));
    // Each obligation names the test of its path.
    for obligation in document["coverage"]["obligations"].as_array().unwrap() {
        let path = paths.iter().find(|path| path["path"] == obligation["path"]).unwrap();
        assert!(obligation["test"].is_string());
        assert_eq!(obligation["test"], path["test"], "{obligation}");
    }
    assert_eq!(document["replays"][0]["summary"]["confirmed"], 3, "{}", document["replays"]);
    let kinds: Vec<&str> = document["coverage"]["obligations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| each["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds.iter().filter(|&&kind| kind == "side").count(), 8);
    assert_eq!(kinds.iter().filter(|&&kind| kind == "exit" || kind == "entry").count(), 2);
}

#[test]
fn the_criteria_are_of_different_strength() {
    let count = |criterion: &str| {
        let arguments = ["diff", "brake-old.c", "brake-new.c", "--cover", criterion, "--format", "json"];
        let document = coverage(&example(&arguments));
        assert_eq!(document["coverage"]["criterion"], criterion);
        assert_eq!(document["coverage"]["summary"]["complete"], true);
        let summary = &document["coverage"]["summary"];
        (document["path_conditions"].as_array().unwrap().len(), summary["covered"].as_u64().unwrap())
    };
    assert_eq!(count("statement"), (3, 11));
    assert_eq!(count("block"), (3, 11));
    assert_eq!(count("data-flow"), (3, 7));
    assert_eq!(count("path-fragment"), (8, 8));
}

/// The change is in what a condition compares with; x is never above 100.
const OLD: &str = "int level;
static int clamp(int x) {
    if (x > 100)
        return 100;
    return x;
}
int set(int x) {
    level = clamp(x);
    if (level > 50)
        return 1;
    if (level > 150)
        return 2;
    return 0;
}
";

fn versions() -> Folder {
    Folder::with(&[("old.c", OLD), ("new.c", &OLD.replace("level > 50", "level > 60"))])
}

#[test]
fn what_tests_miss_is_found_and_what_cannot_be_is_said() {
    let folder = versions();
    assert_eq!(
        folder.run(&["run", "old.c", "--entry", "set", "--concrete", "x=3", "--tests", "t"]).status,
        0
    );
    let said =
        folder.run(&["cover", "old.c", "new.c", "--tests", "t", "--criterion", "branch", "--format", "json"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let document = said.json().unwrap();
    assert_eq!(document["schema"], "incise-cover/1");
    assert_eq!(document["tests"], json!({"directory": "t", "count": 1}));
    let summary = &document["criteria"][0]["summary"];
    assert_eq!(summary["complete"], true);
    let obligations = document["obligations"].as_array().unwrap();
    let of = |line: u64, side: &str| {
        let mut all = obligations.iter().filter(|each| each["line"] == line && each["side"] == side);
        all.next().unwrap_or_else(|| panic!("no {line} {side} in {document}"))
    };
    assert_eq!(
        (&of(9, "false")["status"], &of(9, "false")["test"]),
        (&json!("covered"), &json!("test000001"))
    );
    let missing = of(9, "true");
    assert_eq!((&missing["status"], &missing["test"]), (&json!("missing"), &json!(null)));
    assert!(missing["example"]["inputs"]["x"].as_i64().unwrap() > 60);
    assert_eq!(of(11, "true")["status"], "infeasible");
    let text = folder.run(&["cover", "old.c", "new.c", "--tests", "t", "--criterion", "branch"]);
    assert!(text.stdout.contains("new.c:9   level > 60: true"), "{}", text.stdout);
    assert!(text.stdout.contains("missing, as with x = "), "{}", text.stdout);
    assert!(text.stdout.contains("infeasible: no input leads there"), "{}", text.stdout);
}

#[test]
fn tests_that_were_made_for_a_criterion_cover_it() {
    for criterion in ["statement", "block", "branch", "path-fragment", "data-flow"] {
        let folder = versions();
        let made =
            folder.run(&["diff", "old.c", "new.c", "--entry", "set", "--cover", criterion, "--tests", "t"]);
        assert_eq!(made.status, 1, "{criterion}: {}", made.stderr);
        let said = folder.run(&["cover", "old.c", "new.c", "--tests", "t", "--criterion", criterion]);
        assert_eq!(said.status, 0, "{criterion}: {}{}", said.stdout, said.stderr);
        assert!(!said.stdout.contains("missing"), "{criterion}: {}", said.stdout);
    }
}

#[test]
fn tests_that_a_suite_keeps_are_executed_too() {
    let folder = versions();
    let made = folder.run(&["suite", "generate", "old.c", "--entry", "set", "-o", "s"]);
    assert_eq!(made.status, 0, "{}{}", made.stdout, made.stderr);
    let said = folder.run(&[
        "cover",
        "old.c",
        "new.c",
        "--tests",
        "s",
        "--criterion",
        "statement",
        "--format",
        "json",
    ]);
    let document = said.json().unwrap();
    assert!(document["tests"]["count"].as_u64().unwrap() >= 3, "{document}");
    assert!(document["criteria"][0]["summary"]["covered"].as_u64().unwrap() > 0);
}

#[test]
fn all_criteria_are_looked_at_unless_some_are_named() {
    let folder = versions();
    folder.run(&["run", "new.c", "--entry", "set", "--tests", "t"]);
    let said = folder.run(&["cover", "old.c", "new.c", "--tests", "t", "--format", "json"]);
    // A test for each path covers all that can be covered.
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let document = said.json().unwrap();
    let names: Vec<&str> = document["criteria"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| each["criterion"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["statement", "block", "branch", "path-fragment", "data-flow"]);
    let said = folder.run(&[
        "cover",
        "old.c",
        "new.c",
        "--tests",
        "t",
        "--criterion",
        "branch",
        "--criterion",
        "block",
        "--criterion",
        "branch",
        "-q",
    ]);
    assert_eq!(said.stdout.lines().count(), 2, "{}", said.stdout);
}

const LOOP: &str = "int count(int n) {
    int i = 0;
    while (i < n)
        i = i + 1;
    if (i > 20)
        return 1;
    return 0;
}
";

#[test]
fn what_the_limits_cut_is_not_decided() {
    let folder = Folder::with(&[("old.c", LOOP), ("new.c", &LOOP.replace("i > 20", "i > 25"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--cover", "branch", "--max-loop", "5"]);
    assert!(said.stdout.contains("not reached (max-loop)"), "{}", said.stdout);
    assert!(said.stdout.contains("not complete"), "{}", said.stdout);
    folder.run(&["run", "new.c", "--concrete", "n=3", "--tests", "t"]);
    let arguments = ["cover", "old.c", "new.c", "--tests", "t", "--criterion", "branch", "--max-loop", "5"];
    let said = folder.run(&arguments);
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
    let said = folder.run(&[&arguments[..7], &["--max-loop", "40"]].concat());
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
}

#[test]
fn without_a_change_there_is_nothing_to_cover() {
    let folder = versions();
    folder.run(&["run", "old.c", "--entry", "set", "--tests", "t"]);
    let said = folder.run(&["cover", "old.c", "old.c", "--tests", "t"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("branch: nothing to cover"), "{}", said.stdout);
    let said = folder.run(&["diff", "old.c", "old.c", "--entry", "set", "--cover", "branch"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
}

#[test]
fn damaged_and_foreign_tests_are_refused() {
    let folder = versions();
    let cover = |tests: &str, more: &[&str]| {
        folder.run(&[&["cover", "old.c", "new.c", "--tests", tests][..], more].concat())
    };
    assert_fails(&cover("nowhere", &[]), &["nowhere", "holds no tests"]);
    folder.run(&["run", "old.c", "--entry", "set", "--tests", "t"]);
    assert_fails(&cover("t", &["--entry", "clamp"]), &["holds no tests of clamp, but of set"]);
    std::fs::write(folder.path("t/test000001.json"), "{\"schema\": 3}").unwrap();
    assert_fails(&cover("t", &[]), &["test000001.json"]);
    // Tests of a function that the new version does not have.
    let gone = OLD.replace("set(", "put(");
    std::fs::write(folder.path("gone.c"), gone).unwrap();
    folder.run(&["run", "old.c", "--entry", "set", "--tests", "u"]);
    assert_fails(&folder.run(&["cover", "old.c", "gone.c", "--tests", "u"]), &["set"]);
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let folder = versions();
    let both = folder.run(&["diff", "old.c", "new.c", "--cover", "branch", "--both"]);
    assert_fails(&both, &["--cover", "--both"]);
    let strategy = folder.run(&["diff", "old.c", "new.c", "--cover", "branch", "--strategy", "full"]);
    assert_fails(&strategy, &["--strategy"]);
}

#[test]
fn several_entries_have_obligations_of_their_own() {
    let old =
        "int f(int x) { if (x > 1) return 1; return 0; }\nint g(int x) { if (x > 2) return 1; return 0; }\n";
    let new = old.replace("x > 1", "x > 3").replace("x > 2", "x > 4");
    let folder = Folder::with(&[("old.c", old), ("new.c", &new)]);
    let said =
        folder.run(&["diff", "old.c", "new.c", "--cover", "branch", "--tests", "t", "--format", "json"]);
    let document = coverage(&said);
    let entries: Vec<&str> = document["coverage"]["obligations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| each["entry"].as_str().unwrap())
        .collect();
    assert!(entries.contains(&"f") && entries.contains(&"g"), "{entries:?}");
    // A folder for each: cover reads them all.
    let said = folder.run(&["cover", "old.c", "new.c", "--tests", "t", "--criterion", "branch"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("f: branch: 5 of 5 covered"), "{}", said.stdout);
    assert!(said.stdout.contains("g: branch: 5 of 5 covered"), "{}", said.stdout);
}

#[test]
fn cases_of_a_switch_are_sides() {
    let old = "int f(int x) {
    switch (x) {
    case -1:
    case 2:
        return 5;
    case 9:
        return 6;
    default:
        return 7;
    }
}
";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("case 9", "case 8"))]);
    let document =
        coverage(&folder.run(&["diff", "old.c", "new.c", "--cover", "branch", "--format", "json"]));
    let sides: Vec<&str> = document["coverage"]["obligations"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|each| each["side"].as_str())
        .collect();
    assert_eq!(sides, ["case -1, 2", "case 8", "default"]);
}

#[test]
fn the_readme_shows_what_is_said() {
    let folder = Folder::with(&[]);
    std::fs::create_dir_all(folder.path("examples/explain")).unwrap();
    for name in ["examples/explain/clamp-old.c", "examples/explain/clamp-new.c"] {
        std::fs::copy(root().join(name), folder.path(name)).unwrap();
    }
    let file = root().join("docs/cover.md");
    let readme = std::fs::read_to_string(&file).unwrap();
    let marker = "<!-- transcript: examples/cover -->";
    let (mut before, mut after) = (String::new(), String::new());
    for (command, output) in transcript(&readme, marker) {
        let said = folder.run(&command.split_whitespace().skip(1).collect::<Vec<_>>());
        before += &indented(&command, &output);
        after += &indented(&command, &said.stdout);
    }
    assert!(readme.contains(&format!("{marker}\n{before}")), "the transcript is not laid out so:\n{before}");
    check_blessed(&file, &readme.replace(&before, &after)).unwrap();
}

#[test]
fn help_teaches_by_example() {
    let said = Said::by(incise().args(["cover", "--help"]));
    assert_eq!((said.status, said.stderr.as_str()), (0, ""));
    assert!(
        said.stdout.contains("incise cover old.c new.c --tests t")
            && said.stdout.contains("Exit status: 0 all")
    );
}

const FILL: &str = "#include <stddef.h>
#include <stdint.h>
int fill(char *to, size_t room) {
    if (room > SIZE_MAX / 2)
        return -1;
    for (size_t i = 0; i < room; i++)
        to[i] = 'x';
    if (room > 5)
        return 1;
    return 0;
}
";

fn fillers() -> Folder {
    let new = FILL.replace("return -1", "return -2").replace("return 1", "return 3");
    let folder = Folder::with(&[("old.c", FILL), ("new.c", &new)]);
    let made = folder.run(&["run", "old.c", "--entry", "fill", "--array", "to=1", "--tests", "t"]);
    assert!(made.status < 2, "{}{}", made.stdout, made.stderr);
    folder
}

#[test]
fn what_needs_other_inputs_than_those_taken_is_neither_missing_nor_infeasible() {
    let folder = fillers();
    let arguments = ["cover", "old.c", "new.c", "--tests", "t", "--criterion", "statement"];
    let said = folder.run(&arguments);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let taken = "taken: to is not null; to has room for `room` elements\n";
    assert!(said.stdout.contains(taken), "{}", said.stdout);
    assert!(said.stdout.contains("1 missing, 1 not with inputs as taken"), "{}", said.stdout);
    assert!(said.stdout.contains("with others, as room = 9223372036854775808"), "{}", said.stdout);
    let document = folder.run(&[&arguments[..], &["--format", "json"]].concat()).json().unwrap();
    let summary = &document["criteria"][0]["summary"];
    assert_eq!((&summary["infeasible"], &summary["not_as_taken"]), (&json!(0), &json!(1)), "{document}");
    assert_eq!((&summary["complete"], &summary["as_taken"]), (&json!(true), &json!(true)));
    assert_eq!(document["taken"][0]["entry"], "fill");
    let room = &document["taken"][0]["inputs"][1];
    assert_eq!((&room["kind"], &room["because"]), (&json!("room"), &json!("it is indexed below `room`")));
    let any = folder.run(&[&arguments[..], &["--inputs", "any"]].concat());
    assert!(any.stdout.contains("2 missing") && !any.stdout.contains("taken"), "{}", any.stdout);
    // What the user leaves out is left out, and that is no proof either.
    let said = folder.run(&[&arguments[..], &["--range", "room=0..3"]].concat());
    assert!(said.stdout.contains("0 of 2 covered, 2 not with inputs as taken"), "{}", said.stdout);
    assert_eq!(said.status, 0, "{}", said.stdout);
}

#[test]
fn inputs_grow_where_what_has_to_be_covered_was_cut() {
    let folder = fillers();
    let said = folder.run(&["cover", "old.c", "new.c", "--tests", "t", "--criterion", "statement"]);
    // More than the two elements that a search begins with.
    assert!(said.stdout.contains("missing, as with room = 8"), "{}", said.stdout);
    let said = folder.run(&["diff", "old.c", "new.c", "--cover", "statement"]);
    assert!(said.stdout.contains("cannot be, on inputs as taken"), "{}", said.stdout);
}

/// Whoever ends because of a limit says so, whatever it was about.
#[test]
fn memory_that_does_not_suffice_for_a_cover_is_said() {
    let old = "#include <stdlib.h>\n#include <string.h>\nint f(unsigned n, int x) {\n    char *all[2000];\n    \
        int count = 0;\n    if (n > 1900)\n        return -1;\n    for (unsigned i = 0; i < n; i++) {\n        \
        all[i] = malloc(300000);\n        if (!all[i])\n            return -2;\n        \
        memset(all[i], x, 300000);\n        count += all[i][i] > 3;\n    }\n    \
        return count > 1899 ? 7 : 1;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("? 7", "? 8"))]);
    folder.run(&["run", "old.c", "--entry", "f", "--tests", "t", "--max-paths", "1"]);
    let words = ["cover", "old.c", "new.c", "--tests", "t", "--criterion", "branch", "--max-memory", "400M"];
    let said = folder.run(&words);
    assert_eq!(said.status, 3, "{}", said.stdout);
    let note = "stopped by --max-memory: not all of the change was looked at";
    assert!(said.stdout.contains(note), "{}", said.stdout);
}
