//! Suites that follow the code: what is written is small, stable and whole; what is read is checked; and the tests in
//! it pass and fail as they should.

use crate::common::{Folder, Said, assert_fails, check_blessed, incise, indented, root, transcript};
use incise_report::LimitKind;
use incise_report::suite::SuiteManifest;
use incise_report::suite::path::DecisionPath;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

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

/// Everything in a folder: the files by their names from there, with their bytes.
fn snapshot(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(current) = folders.pop() {
        for entry in std::fs::read_dir(&current).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it is inside").to_string_lossy().into_owned();
                files.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

fn manifest(folder: &Folder, suite: &str) -> SuiteManifest {
    let text = std::fs::read_to_string(folder.path(suite).join("suite.json")).expect("a manifest");
    SuiteManifest::from_json(&text).expect("a manifest of ours")
}

fn generate(folder: &Folder, arguments: &[&str]) -> Said {
    let said = folder.run(&[&["suite", "generate"][..], arguments].concat());
    assert!(matches!(said.status, 0 | 3), "{}{}", said.stdout, said.stderr);
    said
}

/// The lines of the manifest that are about tests.
fn test_lines(folder: &Folder, suite: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder.path(suite).join("suite.json")).expect("a manifest");
    let tests = text.lines().filter(|line| line.starts_with("    {\"name\""));
    tests.map(|line| line.trim_end_matches(',').to_owned()).collect()
}

#[test]
fn each_path_has_one_test_with_its_decisions() {
    let folder = Folder::with(&[("mid.c", MID)]);
    let said = generate(&folder, &["mid.c", "--entry", "mid", "-o", "suite"]);
    assert_eq!(said.status, 0);
    assert_eq!(
        said.stdout,
        "6 tests of mid written to suite (6 returned)\ncomplete: there is a test for every path\n"
    );
    let suite = manifest(&folder, "suite");
    let paths: Vec<&str> = suite.tests.iter().map(|test| test.path.as_str()).collect();
    let expected =
        ["mid+1T +2T", "mid+1T +2F +3T", "mid+1T +2F +3F", "mid+1F +5T", "mid+1F +5F +6T", "mid+1F +5F +6F"];
    assert_eq!(paths, expected);
    assert_eq!((suite.entry.as_str(), suite.signature.as_str()), ("mid", "int (int, int, int)"));
    assert_eq!(suite.program.files, ["../mid.c"]);
    assert!(suite.complete && suite.limits.is_empty());
    let files: BTreeSet<String> = snapshot(&folder.path("suite")).into_keys().collect();
    let mut named: BTreeSet<String> =
        suite.tests.iter().map(|test| format!("tests/{}.json", test.name)).collect();
    named.insert("suite.json".to_owned());
    assert_eq!(files, named);
    // Standard output in JSON is the manifest.
    let said = generate(&folder, &["mid.c", "--entry", "mid", "-o", "suite", "--format", "json"]);
    assert_eq!(said.stdout, std::fs::read_to_string(folder.path("suite/suite.json")).unwrap());
}

#[test]
fn decisions_name_the_functions_that_make_them() {
    let source = "\
#include <string.h>
static int sign(int x) {
    if (x < 0) return -1;
    return 1;
}
int f(int x, int kind, const char *text) {
    int sum = 0;
    switch (kind) {
    case 1: sum = sign(x); break;
    case 7: sum = (int)strlen(text); break;
    default: while (x > 0 && x < 3) x++, sum++;
    }
    return sum;
}
";
    let folder = Folder::with(&[("f.c", source)]);
    generate(&folder, &["f.c", "--entry", "f", "-o", "suite", "--array", "text=2", "--no-null"]);
    let suite = manifest(&folder, "suite");
    let paths: BTreeSet<&str> = suite.tests.iter().map(|test| test.path.as_str()).collect();
    for path in ["f+2=0 sign+1T", "f+2=0 sign+1F", "f+2=2 +5F", "f+2=2 +5T +5F", "f+2=2 +5T*2 +5F"] {
        assert!(paths.contains(path), "no {path} in {paths:?}");
    }
    // What a model of the library decides is decided where it is called.
    assert!(paths.iter().any(|path| path.starts_with("f+2=1 +4")), "{paths:?}");
    // The choices tell the paths apart, and order them.
    let choices: Vec<Vec<u32>> = suite
        .tests
        .iter()
        .map(|test| test.path.parse::<DecisionPath>().expect("a path").choices().collect())
        .collect();
    assert!(choices.is_sorted() && choices.iter().collect::<BTreeSet<_>>().len() == choices.len());
}

#[test]
fn the_same_program_gives_the_same_bytes_wherever_and_with_any_number_of_workers() {
    let source = "#include \"shift.h\"\n#include <stdlib.h>\nstruct n { struct n *next; int k; };\nint *keep; int f(struct n *n, int x) { keep = malloc(8); if (n && n->next && n->next->k > SHIFT) return keep[x & 3]; return x > 2 ? n->k : x; }\n";
    let files = [("f.c", source), ("shift.h", "#define SHIFT 4\n")];
    let mut all: Vec<BTreeMap<String, Vec<u8>>> = Vec::new();
    for (jobs, absolute) in [("1", false), ("4", false), ("1", true)] {
        let folder = Folder::with(&files);
        let file = if absolute { folder.path("f.c").display().to_string() } else { "f.c".to_owned() };
        let include = if absolute { format!("-I{}", folder.root().display()) } else { "-I.".to_owned() };
        let arguments = ["-o", "out/suite", "-j", jobs, &include, "-DN=1", "--emit", "c", "--emit", "ctest"];
        generate(&folder, &[&[file.as_str(), "--entry", "f"][..], &arguments].concat());
        let files = snapshot(&folder.path("out/suite"));
        for (name, bytes) in &files {
            let text = String::from_utf8_lossy(bytes);
            let here = folder.root().file_name().unwrap().to_string_lossy();
            assert!(!text.contains(&*here), "{name} names a folder of this machine:\n{text}");
        }
        all.push(files);
    }
    assert_eq!(manifest_of(&all[0]).program.flags, ["-DN=1", "-I../.."]);
    assert!(all[0] == all[1], "the number of workers shows");
    assert!(all[0] == all[2], "the way of naming files shows");
}

fn manifest_of(files: &BTreeMap<String, Vec<u8>>) -> SuiteManifest {
    SuiteManifest::from_json(String::from_utf8_lossy(&files["suite.json"])).expect("a manifest")
}

#[test]
fn moved_code_changes_no_test_and_a_new_path_only_its_own() {
    let folder = Folder::with(&[("mid.c", MID)]);
    let arguments = ["mid.c", "--entry", "mid", "-o", "suite"];
    generate(&folder, &arguments);
    let (before, lines) = (snapshot(&folder.path("suite/tests")), test_lines(&folder, "suite"));
    // Code above moves all lines, and another function comes in.
    let moved = format!("/* Moved. */\n\nint other(int x) {{\n    return x > 0;\n}}\n\n{MID}");
    std::fs::write(folder.path("mid.c"), moved).unwrap();
    generate(&folder, &arguments);
    assert!(snapshot(&folder.path("suite/tests")) == before);
    assert_eq!(test_lines(&folder, "suite"), lines);
    // One path becomes two.
    let split = MID.replace("else return x;", "else return x == 7 ? 0 : x;");
    std::fs::write(folder.path("mid.c"), split).unwrap();
    generate(&folder, &arguments);
    let after = snapshot(&folder.path("suite/tests"));
    let kept = before.iter().filter(|(name, bytes)| after.get(*name) == Some(bytes)).count();
    assert_eq!((kept, after.len()), (5, 7));
    let now = test_lines(&folder, "suite");
    assert_eq!((now.intersection(&lines).count(), now.len()), (5, 7));
}

#[test]
fn a_check_says_which_tests_fail() {
    let folder =
        Folder::with(&[("mid.c", MID), ("new.c", &MID.replace("return x;\n    }", "return x + 1;\n    }"))]);
    generate(&folder, &["mid.c", "--entry", "mid", "-o", "suite"]);
    let said = folder.run(&["suite", "check", "--suite", "suite"]);
    assert_eq!((said.status, said.stdout.as_str()), (0, "6 of 6 tests passed\n"), "{}", said.stderr);
    let said = folder.run(&["suite", "check", "new.c", "--suite", "suite", "--junit", "report.xml"]);
    let suite = manifest(&folder, "suite");
    let failing = &suite.tests[2];
    let expected = format!(
        "failed: {}  (mid+1T +2F +3F)\n  expected returned -1\n  actual   returned 0\n",
        failing.name
    );
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert!(said.stdout.starts_with(&expected), "{}", said.stdout);
    assert!(said.stdout.ends_with("\n5 of 6 tests passed, 1 failed\n"), "{}", said.stdout);
    let report = std::fs::read_to_string(folder.path("report.xml")).unwrap();
    assert!(
        report.contains("<testsuites name=\"incise\" tests=\"6\" failures=\"1\" errors=\"0\" skipped=\"0\">")
    );
    let case = format!("<testcase classname=\"mid\" name=\"{}\">\n      <failure ", failing.name);
    assert!(report.contains(&case), "{report}");
    let json =
        folder.run(&["suite", "check", "new.c", "--suite", "suite", "--format", "json"]).json().unwrap();
    assert_eq!(json["schema"], "incise-suite-check/1");
    assert_eq!(json["changed"], true);
    assert_eq!((&json["summary"]["passed"], &json["summary"]["failed"]), (&5.into(), &1.into()));
    let test = &json["tests"][2];
    assert_eq!((&test["status"], &test["path"]), (&"failed".into(), &"mid+1T +2F +3F".into()));
}

#[test]
fn what_a_header_says_is_part_of_the_program() {
    let folder = Folder::with(&[
        ("f.c", "#include \"f.h\"\nint f(int x) { return x > LIMIT; }\n"),
        ("f.h", "#define LIMIT 3\n"),
    ]);
    generate(&folder, &["f.c", "-o", "suite"]);
    let changed = |folder: &Folder| {
        folder.run(&["suite", "check", "--suite", "suite", "--format", "json"]).json().unwrap()["changed"]
            .clone()
    };
    assert_eq!(changed(&folder), false);
    std::fs::write(folder.path("f.h"), "#define LIMIT 4 // more\n").unwrap();
    assert_eq!(changed(&folder), true);
}

#[test]
fn other_programs_flags_and_schemas_are_refused_with_advice() {
    let files = [
        ("mid.c", MID),
        ("other.c", "int max(int x, int y) { return x > y ? x : y; }\n"),
        ("wide.c", "int mid(int x, int y) { return x > y; }\n"),
        ("alias.c", &format!("typedef int number;\n{}", MID.replace("int y", "const number y"))),
    ];
    let folder = Folder::with(&files);
    generate(&folder, &["mid.c", "--entry", "mid", "-o", "suite", "-DFAST"]);
    let check =
        |arguments: &[&str]| folder.run(&[&["suite", "check", "--suite", "suite"][..], arguments].concat());
    assert_fails(&check(&["other.c"]), &["tests mid", "does not have", "incise suite generate"]);
    assert_fails(
        &check(&["wide.c"]),
        &["`int (int, int)`", "`int (int, int, int)`", "incise suite generate"],
    );
    assert_eq!(check(&["alias.c"]).status, 0, "another name for a type is no other type");
    assert_fails(&check(&["mid.c", "-DSLOW"]), &["-DFAST -O0", "-DSLOW -O0", "leave them away"]);
    assert_fails(&check(&["mid.c", "-DFAST", "-O2"]), &["-DFAST -O2"]);
    assert_eq!(check(&["mid.c", "-DFAST", "-I."]).status, 0);
    assert_fails(
        &folder.run(&["suite", "check", "--suite", "nothing"]),
        &["holds no suite", "incise suite generate"],
    );
    assert_fails(&folder.run(&["replay", "suite"]), &["incise suite check --suite suite"]);
    let file = folder.path("suite/suite.json");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("incise-suite/1", "incise-suite/2")).unwrap();
    assert_fails(&check(&[]), &["incise-suite/2", "newer", "use the incise that wrote it"]);
    let generated = folder.run(&["suite", "generate", "mid.c", "--entry", "mid", "-o", "suite"]);
    assert_fails(&generated, &["newer"]);
    std::fs::write(&file, &text[..text.len() / 2]).unwrap();
    assert_fails(&check(&[]), &["suite.json cannot be used", "not a suite of schema incise-suite/1"]);
}

#[test]
fn folders_of_others_are_left_alone() {
    let folder =
        Folder::with(&[("mid.c", MID), ("other.c", "int max(int x, int y) { return x > y ? x : y; }\n")]);
    std::fs::create_dir(folder.path("empty")).unwrap();
    generate(&folder, &["mid.c", "--entry", "mid", "-o", "empty"]);
    let generate = |file: &str| folder.run(&["suite", "generate", file, "-o", "empty"]);
    assert_fails(&generate("other.c"), &["a suite for mid, not for max", "choose another folder"]);
    std::fs::write(folder.path("empty/tests/notes.txt"), "mine").unwrap();
    assert_fails(&generate("mid.c"), &["tests/notes.txt", "did not write"]);
    std::fs::rename(folder.path("empty/tests/notes.txt"), folder.path("empty/notes.txt")).unwrap();
    assert_fails(&generate("mid.c"), &["holds notes.txt", "move it away"]);
    std::fs::remove_file(folder.path("empty/notes.txt")).unwrap();
    assert_eq!(generate("mid.c").status, 0);
    std::fs::create_dir(folder.path("mine")).unwrap();
    std::fs::write(folder.path("mine/thesis.tex"), "years of work").unwrap();
    assert_fails(&folder.run(&["suite", "generate", "mid.c", "-o", "mine"]), &["thesis.tex"]);
    assert_fails(&folder.run(&["suite", "generate", "mid.c", "-o", "mid.c"]), &["is no folder"]);
    assert_eq!(std::fs::read_to_string(folder.path("mine/thesis.tex")).unwrap(), "years of work");
}

#[test]
fn damaged_tests_are_named_and_the_others_run() {
    let folder = Folder::with(&[("mid.c", MID)]);
    generate(&folder, &["mid.c", "--entry", "mid", "-o", "suite"]);
    let names: Vec<String> =
        manifest(&folder, "suite").tests.into_iter().map(|test| test.name.to_string()).collect();
    let file = |index: usize| folder.path(&format!("suite/tests/{}.json", names[index]));
    let text = |index: usize| std::fs::read_to_string(file(index)).unwrap();
    std::fs::remove_file(file(0)).unwrap();
    std::fs::write(file(1), &text(1)[..100]).unwrap();
    // Still a test, but not the one that was written.
    std::fs::write(file(2), text(2).replace("\"00000000\"", "\"01000000\"")).unwrap();
    std::fs::write(file(3), [0xff, 0xfe]).unwrap();
    std::fs::write(file(4), text(4).replace("incise-test/1", "incise-test/2")).unwrap();
    std::fs::write(folder.path("suite/tests/stranger.json"), "{}").unwrap();
    let said = folder.run(&["suite", "check", "--suite", "suite", "--junit", "report.xml"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let reasons = [
        "is missing",
        "not a test of schema incise-test/1: EOF",
        "is not as incise wrote it",
        "is no text",
        "its schema is \"incise-test/2\"",
    ];
    for (name, reason) in names.iter().zip(reasons) {
        let line =
            said.stdout.lines().find(|line| line.starts_with(&format!("damaged: {name}: tests/{name}.json")));
        assert!(line.is_some_and(|line| line.contains(reason)), "{name} {reason}: {}", said.stdout);
    }
    assert!(said.stdout.ends_with("1 of 6 tests passed, 5 damaged\n"), "{}", said.stdout);
    assert!(
        said.stderr.contains("stranger.json") && said.stderr.contains("version control"),
        "{}",
        said.stderr
    );
    let report = std::fs::read_to_string(folder.path("report.xml")).unwrap();
    assert!(
        report.contains("failures=\"0\" errors=\"5\"") && report.contains("<error type=\"damaged\""),
        "{report}"
    );
}

#[test]
fn variables_that_are_gone_or_have_another_size_fail_their_tests() {
    let folder = Folder::with(&[
        ("f.c", "int a; long b;\nint f(int x) { if (x > 0) a = 1; if (b == 3) return 4; return a; }\n"),
        ("gone.c", "int a;\nint f(int x) { if (x > 0) a = 1; return a; }\n"),
        ("small.c", "int a; short b;\nint f(int x) { if (x > 0) a = 1; if (b == 3) return 4; return a; }\n"),
    ]);
    generate(&folder, &["f.c", "-o", "suite"]);
    let check = |file: &str| folder.run(&["suite", "check", file, "--suite", "suite"]);
    assert_eq!(check("f.c").status, 0);
    let said = check("gone.c");
    assert!(said.status == 1 && said.stdout.contains("no longer has the variable b"), "{}", said.stdout);
    let said = check("small.c");
    assert!(
        said.status == 1 && said.stdout.contains("b now has 2 bytes, and 8 in the test"),
        "{}",
        said.stdout
    );
}

#[test]
fn what_a_limit_cuts_is_in_the_suite_and_expects_nothing() {
    let source = "int f(unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s += 2; return s; }\n";
    let folder = Folder::with(&[("f.c", source)]);
    let said = generate(&folder, &["f.c", "-o", "suite", "--max-loop", "3"]);
    assert_eq!(said.status, 3);
    assert!(said.stdout.contains("not complete: max-loop"), "{}", said.stdout);
    let suite = manifest(&folder, "suite");
    assert!(!suite.complete && suite.limits == [LimitKind::Loop] && suite.options.max_loop == 3);
    let cut: Vec<_> = suite.tests.iter().filter(|test| test.outcome == "limit").collect();
    assert_eq!(cut.len(), 1);
    assert_eq!(cut[0].expected, "nothing (limit: max-loop)");
    let said = folder.run(&["suite", "check", "--suite", "suite"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains(", 1 skipped\n") && said.stdout.contains(&*cut[0].name), "{}", said.stdout);
}

#[test]
fn errors_exits_and_output_are_expected_too() {
    let source = "\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int f(int x, int *p) {
    printf(\"x\\n\");
    if (x == 3) exit(4);
    assert(x != 5);
    int *heap = malloc(4);
    if (x == 9) return heap[1];
    return 100 / x + *p;
}
";
    let folder = Folder::with(&[("f.c", source)]);
    generate(&folder, &["f.c", "--entry", "f", "--inputs", "any", "-o", "suite"]);
    let suite = manifest(&folder, "suite");
    let expected: Vec<&str> = suite.tests.iter().map(|test| test.expected.as_str()).collect();
    for start in
        ["exits with status 4", "assertion: ", "division-by-zero: ", "null-pointer: ", "out-of-bounds: "]
    {
        assert!(expected.iter().any(|each| each.starts_with(start)), "no {start} in {expected:?}");
    }
    // Lines move, and files are elsewhere on other machines.
    let all = snapshot(&folder.path("suite"));
    assert!(all.values().all(|bytes| !String::from_utf8_lossy(bytes).contains("f.c:")));
    let said = folder.run(&["suite", "check", "--suite", "suite"]);
    assert!(matches!(said.status, 0 | 3), "{}{}", said.stdout, said.stderr);
    let broken = source.replace("exit(4)", "exit(5)").replace("x != 5", "x != 6");
    std::fs::write(folder.path("f.c"), broken).unwrap();
    let said = folder.run(&["suite", "check", "--suite", "suite"]);
    assert_eq!(said.status, 1);
    for name in
        suite.tests.iter().filter(|test| test.expected.starts_with("exits") || test.outcome == "error")
    {
        let wanted = name.expected.starts_with("exits") || name.expected.starts_with("assertion");
        assert_eq!(said.stdout.contains(&format!("failed: {}", name.name)), wanted, "{}", said.stdout);
    }
}

#[test]
fn a_suite_made_elsewhere_is_checked_from_anywhere() {
    let folder = Folder::with(&[]);
    for inner in ["src", "include"] {
        std::fs::create_dir(folder.path(inner)).unwrap();
    }
    std::fs::write(
        folder.path("src/f.c"),
        "#include \"limit.h\"\nint f(int x) { if (x > LIMIT) return 1; return 0; }\n",
    )
    .unwrap();
    std::fs::write(folder.path("include/limit.h"), "#define LIMIT OTHER\n").unwrap();
    std::fs::write(folder.path("include/other.h"), "#define OTHER 4\n").unwrap();
    generate(&folder, &["src/f.c", "-o", "tests/suite", "-Iinclude", "-include", "include/other.h"]);
    let suite = manifest(&folder, "tests/suite");
    assert_eq!(suite.program.flags, ["-I../../include", "-include", "../../include/other.h"]);
    let mut check = incise();
    check.current_dir(folder.path("include")).args(["suite", "check", "--suite", "../tests/suite"]);
    let said = Said::by(&mut check);
    assert_eq!((said.status, said.stdout.as_str()), (0, "2 of 2 tests passed\n"), "{}", said.stderr);
}

#[test]
fn an_interrupted_exploration_changes_nothing() {
    let folder = Folder::with(&[("f.c", "int f(unsigned n) { if (n) return 1; return 0; }\n")]);
    generate(&folder, &["f.c", "-o", "suite"]);
    let before = snapshot(&folder.path("suite"));
    let endless = "int f(unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s += i; return s; }\n";
    std::fs::write(folder.path("f.c"), endless).unwrap();
    let mut command = incise();
    command.current_dir(folder.root()).args([
        "suite",
        "generate",
        "f.c",
        "-o",
        "suite",
        "--max-loop",
        "100000000",
    ]);
    let child = command.stderr(std::process::Stdio::piped()).spawn().expect("the binary runs");
    std::thread::sleep(std::time::Duration::from_secs(2));
    let status = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success(), "it ended before it was interrupted");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("interrupted: suite is as it was"), "{said}");
    assert!(snapshot(&folder.path("suite")) == before);
    assert_eq!(std::fs::read_dir(folder.root()).unwrap().count(), 2, "something is left beside the suite");
}

#[test]
fn an_interrupted_exploration_leaves_the_tests_that_it_found() {
    let endless = "int f(unsigned n) {
  int s = 0;
  if (n == 3) return 7;
  while (n != 5) { s += n; n = n * 3 + s; }
  return s;
}
";
    let folder = Folder::with(&[("f.c", endless)]);
    let mut command = incise();
    let arguments = ["suite", "generate", "f.c", "-o", "suite", "--max-loop", "100000000"];
    command.current_dir(folder.root()).args(arguments).stdout(std::process::Stdio::piped());
    let child = command.stderr(std::process::Stdio::piped()).spawn().expect("the binary runs");
    std::thread::sleep(std::time::Duration::from_secs(3));
    let status = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success(), "it ended before it was interrupted");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("not complete: interrupt"), "{said}");
    let suite = manifest(&folder, "suite");
    assert!(!suite.complete && !suite.tests.is_empty());
    assert_eq!(folder.run(&["suite", "check", "f.c", "--suite", "suite"]).status, 0);
}

#[test]
fn help_shows_examples() {
    for arguments in [
        &["suite", "--help"][..],
        &["suite", "generate", "-h"],
        &["suite", "check", "-h"],
        &["suite", "emit", "-h"],
    ] {
        let said = Said::by(incise().args(arguments));
        assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{arguments:?}");
        assert!(said.stdout.contains("Examples:\n  incise suite "), "{arguments:?}");
    }
    assert_eq!(Said::by(incise().arg("suite")).status, 2);
}

#[test]
fn the_readme_shows_what_really_happens() {
    let folder = Folder::with(&[]);
    std::fs::create_dir_all(folder.path("examples/suite")).unwrap();
    for name in ["examples/bill.c", "examples/suite/bill-fixed.c"] {
        std::fs::copy(root().join(name), folder.path(name)).unwrap();
    }
    let file = root().join("docs/suite.md");
    let readme = std::fs::read_to_string(&file).unwrap();
    let marker = "<!-- transcript: examples/suite/bill -->";
    let (mut before, mut after) = (String::new(), String::new());
    for (command, output) in transcript(&readme, marker) {
        let said = folder.run(&command.split_whitespace().skip(1).collect::<Vec<_>>());
        before += &indented(&command, &output);
        after += &indented(&command, &format!("{}{}", said.stdout, said.stderr));
    }
    assert!(
        readme.contains(&format!("{marker}\n{before}")),
        "the transcript is not laid out as expected:\n{before}"
    );
    check_blessed(&file, &readme.replace(&before, &after)).unwrap();
}

#[test]
fn inputs_differ_from_each_other_where_the_path_allows_it() {
    let new = MID.replace("x < z) return z", "x <= z) return z").replace("else return y;", "else return x;");
    let folder = Folder::with(&[("old.c", MID), ("new.c", &new)]);
    assert_eq!(folder.run(&["suite", "generate", "old.c", "--entry", "mid", "-o", "S"]).status, 0);
    let said = folder.run(&["suite", "check", "new.c", "--suite", "S"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    // Returning x instead of y is a difference on the last path, unless both are 0.
    assert!(said.stdout.contains("(mid+1F +5F +6F)"), "{}", said.stdout);
    assert!(said.stdout.contains("5 of 6 tests passed, 1 failed"), "{}", said.stdout);
}

#[test]
fn a_suite_passes_on_its_own_source() {
    let freed = "#include <stdlib.h>\nstruct n {\n    struct n *next;\n    char *name;\n};\n\
                 void drop(struct n *p) {\n    if (p) {\n        free(p->name);\n        free(p);\n    }\n}\n";
    let address = "static double add(double a, double b) {\n    return a + b;\n}\n\
                   struct tok {\n    int type;\n    union {\n        double value;\n        const void *function;\n    } u;\n};\n\
                   void next(struct tok *t, char c) {\n    if (c == '+') {\n        t->type = 1;\n        t->u.function = add;\n    }\n}\n";
    let failing = "#include <stdlib.h>\n#include <string.h>\nint make(int n) {\n    char *a = malloc(4);\n    char *b = strdup(\"x\");\n    \
                   b[0] = n;\n    a = realloc(a, 8);\n    int got = a ? b[0] : -1;\n    free(a);\n    free(b);\n    return got;\n}\n";
    for (text, entry, option, tests) in
        [(freed, "drop", None, 3), (address, "next", None, 2), (failing, "make", Some("--malloc-fails"), 4)]
    {
        let folder = Folder::with(&[("a.c", text)]);
        let arguments = ["suite", "generate", "a.c", "--entry", entry, "-o", "suite"];
        let said = folder.run(&[&arguments[..], option.as_slice()].concat());
        assert_eq!(said.status, 0, "{}", said.stderr);
        let said = folder.run(&["suite", "check", "a.c", "--suite", "suite"]);
        assert_eq!(said.stdout, format!("{tests} of {tests} tests passed\n"), "{entry}: {}", said.stderr);
    }
}
