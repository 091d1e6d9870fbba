//! Commands about one program take revisions of a repository.

use crate::common::assert_fails;
use crate::common::made::Made;

const HEADER: &str = "static inline int limit(int x) { return x > 10 ? 10 : x; }\nint helper(int);\n";
const A: &str = "#include \"h.h\"\nint one(int x) { return limit(x) + 1; }\nint two(int x) { if (helper(x) > 3) return 1; return x + x; }\n";
const B: &str =
    "#include \"h.h\"\nint state;\nint helper(int x) { if (x < 0) return 0; state = x; return x - 3; }\n";
const DATABASE: &str = r#"[
    {"directory": "ROOT", "file": "src/a.c", "arguments": ["cc", "-Iinc", "-c", "src/a.c"]},
    {"directory": "ROOT", "file": "src/b.c", "arguments": ["cc", "-Iinc", "-c", "src/b.c"]}]"#;

/// A header and a source changed.
fn changed() -> Made {
    let files =
        [("inc/h.h", HEADER), ("src/a.c", A), ("src/b.c", B), (".gitignore", "compile_commands.json\n")];
    let made = Made::with(&files);
    made.write(&[("compile_commands.json", DATABASE), ("src/b.c", &B.replace("x - 3", "x - 2"))]);
    made.write(&[("inc/h.h", &HEADER.replace("x > 10 ? 10", "x > 11 ? 11"))]);
    made
}

#[test]
fn impact_takes_revisions() {
    let made = changed();
    let said = made.run(&["impact", "--format", "json"]);
    let report = said.json().expect("a report");
    let mut names: Vec<&str> = report["functions"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|each| each["name"].as_str())
        .collect();
    names.sort_unstable();
    assert_eq!((names, said.status), (vec!["helper", "limit", "one", "two"], 1), "{}", said.stdout);
    assert_eq!(report["old"]["files"][0], "src/a.c", "where a tree lies does not matter");
    assert!(said.stdout.contains("are not looked at, whoever calls"), "{}", said.stdout);
    let one = made.run(&["impact", "HEAD", "--unit", "src/b.c"]);
    assert!(
        one.stdout.contains("helper (src/b.c)") && !one.stdout.contains("two (src/a.c)"),
        "{}",
        one.stdout
    );
    assert!(!one.stdout.contains("/tmp/"), "{}", one.stdout);
    made.commit();
    assert_eq!(made.run(&["impact", "HEAD~1..HEAD"]).status, 1);
    assert_fails(&made.run(&["impact"]), &["nothing that the build compiles changed", "--unit"]);
    assert_eq!(made.run(&["impact", "--unit", "src/a.c"]).status, 0, "a unit that did not change");
    assert_fails(&made.run(&["impact", "--unit", "src/none.c"]), &["no unit that the build compiles"]);
    assert_fails(&made.run(&["impact", "src/a.c", "src/b.c", "--unit", "src/a.c"]), &["instead of files"]);
}

#[test]
fn tests_of_the_old_version_are_measured_and_explained_on_revisions() {
    let made = changed();
    made.git(&["stash", "-q"]);
    let said = made.run(&["run", "src/a.c", "src/b.c", "-I", "inc", "--entry", "two", "--tests", "t"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    made.git(&["stash", "pop", "-q"]);
    let said = made.run(&["cover", "--tests", "t", "--criterion", "statement"]);
    assert!(said.stdout.contains("src/b.c:3"), "{}{}", said.stdout, said.stderr);
    let said = made.run(&["explain", "--entry", "two", "--input", "x=6", "--no-native"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert!(said.stdout.contains("old returns 12") && said.stdout.contains("src/a.c:3"), "{}", said.stdout);
}

#[test]
fn a_suite_is_brought_over_to_the_working_tree() {
    let made = changed();
    made.git(&["stash", "-q"]);
    let said = made.run(&["suite", "generate", "src/b.c", "-I", "inc", "--entry", "helper", "-o", "suite"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    made.git(&["stash", "pop", "-q"]);
    let said = made.run(&["suite", "select", "HEAD", "--suite", "suite"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let said = made.run(&["suite", "update", "HEAD", "--suite", "suite", "--accept"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    made.commit();
    assert_eq!(made.run(&["suite", "update", "--suite", "suite"]).status, 0, "nothing changed since");
    let check = made.run(&["suite", "check", "--suite", "suite"]);
    assert_eq!(check.status, 0, "the suite is for the files of the working tree: {}", check.stdout);
    assert_fails(&made.run(&["suite", "update", "HEAD", "HEAD", "--suite", "suite"]), &["check it out"]);
    assert_fails(&made.run(&["suite", "update", "--suite", "suite", "--", "src"]), &["leave out the paths"]);
}

#[test]
fn a_monitor_is_compared_on_revisions() {
    let made = changed();
    let network = "network n {}\nvariable state { type discrete [ 2 ] { low, high }; }\nprobability ( state ) { table 0.5, 0.5; }\n";
    made.write(&[("n.bif", network), ("src/b.c", &B.replace("state = x", "state = x + 1"))]);
    let said = made.run(&["monitor", "n.bif", "HEAD", "--entry", "helper", "--unit", "src/b.c"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
}

#[test]
fn paths_and_tests_of_a_program_in_a_repository() {
    let made = changed();
    let said = made.diff(&["--unit", "src/b.c", "--tests", "t", "--witnesses", "w"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("helper differs"), "{}", said.stdout);
    let replay = made.run(&["replay", "t"]);
    assert_eq!(replay.status, 0, "tests know how they are compiled: {}{}", replay.stdout, replay.stderr);
    let replay = made.run(&["replay", "w"]);
    assert_eq!(replay.status, 1, "witnesses fail on NEW: {}", replay.stdout);
    let said = made.diff(&["--entry", "two", "--no-verdict"]);
    assert!(said.stdout.contains("2 affected paths"), "linked: {}{}", said.stdout, said.stderr);
    made.commit();
    assert_fails(&made.diff(&["HEAD~1", "HEAD", "--witnesses", "w2"]), &["check it out"]);
    assert_fails(&made.diff(&["HEAD~1", "--unit", "src/b.c", "--budget", "5m"]), &["--max-time"]);
}

#[test]
fn limits_of_the_repository_count_for_all_commands() {
    let made = changed();
    made.write(&[("incise.toml", "[limits]\nmax-paths = 1\nmax-memory = \"2G\"\nmax-time = \"2m\"\n")]);
    let said = made.diff(&["--unit", "src/a.c", "--unit", "src/b.c", "--entry", "two", "--no-verdict"]);
    assert!(said.stdout.contains("--max-paths"), "{}", said.stdout);
    let all =
        ["--unit", "src/a.c", "--unit", "src/b.c", "--entry", "two", "--no-verdict", "--max-paths", "9"];
    assert!(!made.diff(&all).stdout.contains("--max-paths"));
    let said = made.run(&["config"]);
    assert!(
        said.stdout.contains("limits.max-memory = \"2G\"") && said.stdout.contains("limits.max-paths = 1 "),
        "{}",
        said.stdout
    );
    for (wrong, words) in [
        ("limits.max-time = \"x\"", "is not a time"),
        ("limits.max-memory = \"x\"", "is not a size"),
        ("limits.max-paths = \"x\"", "a number of paths"),
    ] {
        made.write(&[("incise.toml", wrong)]);
        assert_fails(&made.diff(&[]), &[words]);
        assert_fails(&made.run(&["config"]), &[words]);
    }
}
