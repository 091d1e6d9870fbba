//! `incise diff` in repositories that are made here: which functions are compared, with which flags, and what is said
//! of the rest.

use crate::common::made::{Made, functions, texts};
use crate::common::{Said, assert_fails, incise};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const HEADER: &str = "static inline int limit(int x) { return x > 10 ? 10 : x; }\n";
const A: &str =
    "#include \"h.h\"\nint one(int x) { return limit(x) + 1; }\nint two(int x) { return x + x; }\n";
const B: &str = "int three(int x) { return x - 3; }\n";

fn small() -> Made {
    Made::with(&[("inc/h.h", HEADER), ("src/a.c", A), ("src/b.c", B), ("README", "words\n")])
}

#[test]
fn functions_whose_code_changed_are_compared_with_head() {
    let made = small();
    let (report, status) = made.report(&[]);
    assert_eq!((functions(&report), status), (Vec::new(), 0));
    made.write(&[("src/a.c", &A.replace("x + x", "2 * x")), ("README", "other words\n")]);
    let (report, status) = made.report(&[]);
    assert_eq!((functions(&report), status), (vec!["same two src/a.c".to_owned()], 0));
    made.write(&[("src/a.c", &A.replace("+ 1", "+ 2").replace("x + x", "2 * x"))]);
    let (report, status) = made.report(&[]);
    assert_eq!(functions(&report), ["differs one src/a.c", "same two src/a.c"]);
    assert_eq!(
        (status, report["old"]["name"].as_str(), report["new"]["name"].as_str()),
        (3, Some("HEAD"), Some("the working tree"))
    );
    let said = made.diff(&[]);
    assert_eq!(said.status, 1, "confirmed natively: {}", said.stderr);
    assert!(said.stdout.contains("2 changed functions: 1 differs, 1 does the same"), "{}", said.stdout);
}

#[test]
fn a_changed_header_counts_for_the_units_that_include_it() {
    let made = small();
    made.write(&[("inc/h.h", &HEADER.replace("x > 10", "x >= 10"))]);
    assert_eq!(functions(&made.report(&[]).0), ["same limit src/a.c"]);
    made.write(&[("inc/h.h", &HEADER.replace("? 10", "? 11"))]);
    let (report, _) = made.report(&[]);
    assert_eq!(functions(&report), ["differs limit src/a.c"]);
    assert_eq!(report["functions"][0]["differences"][0]["location"]["file"], "inc/h.h");
}

#[test]
fn a_unit_without_functions_has_nothing_to_compare() {
    let made = Made::with(&[("a.c", "extern int a;\n"), ("b.c", B)]);
    made.write(&[("a.c", "extern int a;\nextern int b;\n")]);
    let (report, status) = made.report(&[]);
    assert_eq!((functions(&report), status), (Vec::new(), 0), "{report}");
}

#[test]
fn data_that_other_units_read_is_not_passed_over() {
    let table = "const int table[3] = {1, 2, 3};\nstatic int own = 1;\nint *p = &own;\n";
    let made = Made::with(&[
        ("a.c", table),
        ("b.c", "extern const int table[3];\nint f(void) { return table[1]; }\n"),
    ]);
    made.write(&[("a.c", &format!("/* moved */\n{table}"))]);
    assert_eq!(made.report(&[]).1, 0);
    made.write(&[("a.c", &table.replace("2, 3", "4, 3"))]);
    let (report, status) = made.report(&[]);
    let reasons = texts(&report["reasons"]);
    assert!(reasons.contains("what table holds at first changed"), "{report}");
    assert_eq!((status, report["reasons"].as_array().map(Vec::len)), (3, Some(1)), "{reasons}");
    made.write(&[("a.c", &table.replace("own = 1", "own = 2"))]);
    let reasons = texts(&made.report(&[]).0["reasons"]);
    assert!(reasons.contains("what p holds at first changed") && !reasons.contains("table"), "{reasons}");
}

#[test]
fn a_source_that_another_one_includes_counts_for_both() {
    let made = small();
    made.write(&[("all.c", "#include \"src/b.c\"\n")]).commit();
    made.write(&[("src/b.c", &B.replace("x - 3", "x - 4"))]);
    assert_eq!(functions(&made.report(&[]).0), ["differs three all.c", "differs three src/b.c"]);
}

#[test]
fn lines_and_names_that_moved_are_no_difference() {
    let text = "#include <assert.h>\nint f(int x)\n{\n    assert(x != 7);\n    return __LINE__ + x;\n}\n\
                const char *g(void) { return __FILE__; }\n";
    let filler: String = (0..9).map(|n| format!("int filler{n}(void) {{ return {n}; }}\n")).collect();
    // With so much more in it the file is another one, to which its functions moved.
    for (more, expected) in [("", "same f other.c"), (filler.as_str(), "same f other.c from old name.c")] {
        let made = Made::with(&[("old name.c", text)]);
        std::fs::remove_file(made.root().join("old name.c")).expect("it was there");
        let body = text.replace("int f(int x)\n{", "/* one\n * two */\nint f(int x)\n{\n    x = x + 0;");
        made.write(&[("other.c", &format!("{body}{more}"))]);
        let (report, status) = made.report(&[]);
        assert_eq!((functions(&report), status), (vec![expected.to_owned()], 0), "{report}");
    }
}

#[test]
fn functions_that_moved_to_another_unit_are_compared() {
    let made = small();
    let moved = "int two(int x) { return x + x + 1; }\n";
    made.write(&[
        ("src/a.c", &A.replace("int two(int x) { return x + x; }\n", "")),
        ("src/b.c", &format!("{B}{moved}")),
    ]);
    let (report, _) = made.report(&[]);
    assert_eq!(functions(&report), ["differs two src/b.c from src/a.c"], "{report}");
    // To a file that was not there before, and from one that is no more.
    made.write(&[("src/b.c", B), ("src/c.c", moved)]);
    assert_eq!(functions(&made.report(&[]).0), ["differs two src/c.c from src/a.c"]);
    made.write(&[("src/a.c", &format!("{A}int three(int x) {{ return x - 4; }}\n"))]);
    std::fs::remove_file(made.root().join("src/b.c")).expect("it was there");
    std::fs::remove_file(made.root().join("src/c.c")).expect("it was there");
    assert_eq!(functions(&made.report(&[]).0), ["differs three src/a.c from src/b.c"]);
}

#[test]
fn what_rests_on_a_function_of_another_unit_that_changed_is_compared_with_it() {
    let caller = "int twice(int x);\nint use(int x) { return twice(x) + 1; }\n";
    let made = Made::with(&[("a.c", caller), ("b.c", "int twice(int x) { return x + x; }\n")]);
    let changed = caller.replace("twice(x) + 1", "1 + twice(x)");
    made.write(&[("a.c", &changed), ("b.c", "int twice(int x) { return 2 * x; }\n")]);
    let (report, status) = made.report(&[]);
    assert_eq!(
        (functions(&report), status),
        (vec!["same use a.c".to_owned(), "same twice b.c".to_owned()], 0)
    );
    made.write(&[("b.c", "int twice(int x) { return x + x + (x == 77); }\n")]);
    let (report, _) = made.report(&[]);
    assert_eq!(functions(&report), ["differs use a.c", "differs twice b.c"], "{report}");
    let notes = texts(&report["functions"][0]["verdict_notes"]);
    assert!(notes.contains("compared together with twice of b.c, which changed"), "{notes}");
    // It makes up for it.
    made.write(&[("a.c", &caller.replace("twice(x) + 1", "twice(x) - (x == 77) + 1"))]);
    let (report, _) = made.report(&[]);
    assert_eq!(functions(&report), ["differs twice b.c", "same use a.c"], "{report}");
    // Two programs do not link.
    let main = "int main(void) { return 0; }\n";
    made.write(&[
        ("a.c", &format!("{caller}{main}")),
        ("b.c", &format!("int twice(int x) {{ return x + x; }}\n{main}")),
    ])
    .commit();
    made.write(&[
        ("a.c", &format!("{changed}{main}")),
        ("b.c", &format!("int twice(int x) {{ return x + 3; }}\n{main}")),
    ]);
    let (report, _) = made.report(&[]);
    assert_eq!(functions(&report), ["differs twice b.c", "undecided use a.c"], "{report}");
    let reasons = texts(&report["functions"][1]["reasons"]);
    assert!(
        reasons.contains("it does the same if twice of b.c does, which changed; they do not link"),
        "{reasons}"
    );
}

#[test]
fn static_functions_of_one_name_are_told_apart() {
    let made = Made::with(&[
        ("a.c", "static int f(int x) { return x + 1; }\nint a(int x) { return f(x); }\n"),
        ("b.c", "static int f(int x) { return x + 2; }\nint b(int x) { return f(x); }\n"),
    ]);
    made.write(&[("a.c", "static int f(int x) { return 1 + x; }\nint a(int x) { return f(x); }\n")]);
    made.write(&[("b.c", "static int f(int x) { return x + 3; }\nint b(int x) { return f(x); }\n")]);
    assert_eq!(functions(&made.report(&[]).0), ["differs f b.c", "same f a.c"]);
}

const DATABASE: &str = r#"[
  {"directory": "ROOT/build", "file": "../src/m.c", "command": "ccache gcc -I. -I../inc -DSTEP=1 -O2 -Wall -fplan9-extensions -c ../src/m.c -o one.o"},
  {"directory": "ROOT/build", "file": "../src/m.c", "arguments": ["gcc", "-I.", "-I../inc", "-DSTEP=0", "-c", "../src/m.c", "-o", "two.o"]}]"#;

/// A repository with a build whose folder git ignores, and a header that the build made.
fn built() -> Made {
    let text = "#include \"config.h\"\n#include \"h.h\"\nint f(int x) { return x + WIDTH * STEP; }\n";
    let made = Made::with(&[
        ("src/m.c", text),
        ("inc/h.h", HEADER),
        (".gitignore", "build/\n"),
        ("left.c", "int l;\n"),
    ]);
    made.write(&[("build/compile_commands.json", DATABASE), ("build/config.h", "#define WIDTH 4\n")]);
    made.write(&[("src/m.c", &text.replace("WIDTH * STEP", "2 * WIDTH * STEP"))]);
    made
}

#[test]
fn units_are_compiled_as_the_build_compiles_them() {
    let made = built();
    let (report, _) = made.report(&[]);
    // With the flags of the other one its code is the same.
    let names = ["differs f src/m.c (one.o)"];
    assert_eq!(functions(&report), names, "{report}");
    assert_eq!(report["units"][1]["name"], "src/m.c (two.o)");
    let notes = texts(&report["notes"]);
    assert!(
        notes.contains("generated files are those of the build, for both versions: build/config.h"),
        "{notes}"
    );
    assert!(notes.contains("flags that are not passed on to clang: -fplan9-extensions"), "{notes}");
    made.commit();
    let (report, _) = made.report(&["HEAD~1..HEAD"]);
    assert_eq!(functions(&report), names, "both are laid out: {report}");
}

#[test]
fn objects_are_named_from_the_top_wherever_the_repository_lies() {
    let made = Made::with(&[("a.c", "int f(int x) { return x + N; }\n"), (".gitignore", "build/\n")]);
    let entry = |number: u32| {
        format!(
            r#"{{"directory": "ROOT", "file": "a.c", "output": "ROOT/build/{number}.o",
                 "arguments": ["cc", "-DN={number}", "-c", "a.c"]}}"#
        )
    };
    made.write(&[("build/compile_commands.json", &format!("[{}, {}]", entry(1), entry(2)))]);
    made.write(&[("a.c", "int f(int x) { return x + 2 * N; }\n")]);
    let names = ["differs f a.c (build/1.o)", "differs f a.c (build/2.o)"];
    assert_eq!(functions(&made.report(&[]).0), names);
}

/// Clang has become stricter than what builds accept with a warning.
#[test]
fn what_other_compilers_accept_is_compared() {
    let text = "typedef int (*reader)(void *, int);\n\
                int read_all(void *from, long most) { return from ? (int)most : 0; }\n\
                reader chosen = read_all;\n\
                int f(int x) { return x + 1; }\n\
                int g(int x) { return undeclared(x); }\n";
    let made = Made::with(&[("a.c", text)]);
    made.write(&[("a.c", &text.replace("x + 1", "1 + x"))]);
    let (report, status) = made.report(&[]);
    assert_eq!((functions(&report), status), (vec!["same f a.c".to_owned()], 0), "{report}");
}

/// What is compiled is not preprocessed again; what is left out is still named, in the unit that it is in alone.
#[test]
fn what_the_preprocessor_leaves_out_is_named_in_its_unit() {
    let text = "int f(int x) { return x + 1; }\n#ifdef OTHER\nint g(int x) { return x; }\n#endif\n";
    let made =
        Made::with(&[("a.c", text), ("b.c", B), ("c.c", "#include \"part.c\"\n"), ("part.c", "int h;\n")]);
    made.write(&[("a.c", &text.replace("return x;", "return -x;")), ("b.c", &B.replace("x - 3", "-3 + x"))]);
    let part = "int h;\n#ifdef OTHER\nint i;\n#endif\nint k(int x) { return x; }\n";
    made.write(&[("part.c", part)]);
    let (report, _) = made.report(&[]);
    let note = |unit: usize| texts(&report["units"][unit]["notes"]);
    assert_eq!(report["units"].as_array().map(Vec::len), Some(4), "{report}");
    let left_out = "the preprocessor leaves it out: line";
    assert!(note(0).contains(&format!("{left_out} 3 of a.c")), "{}", note(0));
    assert!(!note(1).contains(left_out), "{}", note(1));
    assert!(note(2).contains(&format!("{left_out} 3 of part.c")), "{}", note(2));
    assert_eq!(functions(&report), ["same three b.c"]);
}

#[test]
fn what_changed_and_is_not_compared_is_said() {
    let made = built();
    made.write(&[("left.c", "int l = 1;\n"), ("part.cc", "int p;\n"), ("inc/lone.h", "int n;\n")]).commit();
    made.write(&[("left.c", "int l = 2;\n"), ("part.cc", "int q;\n"), ("inc/lone.h", "int m;\n")]);
    let (report, status) = made.report(&[]);
    let reasons = texts(&report["reasons"]);
    for words in [
        "left.c changed, and the build does not compile it",
        "part.cc changed, and is not C",
        "inc/lone.h changed, and nothing that the build compiles includes it",
    ] {
        assert!(reasons.contains(words), "{words}: {reasons}");
    }
    assert_eq!((status, report["verdict"].as_str()), (3, Some("undecided")));
}

#[test]
fn a_unit_that_does_not_compile_is_named_and_the_others_are_compared() {
    let made = small();
    made.write(&[("src/a.c", "int broken( {\n"), ("src/b.c", &B.replace("x - 3", "x - 4"))]);
    let (report, _) = made.report(&[]);
    assert_eq!(functions(&report), ["differs three src/b.c"]);
    let reasons = texts(&report["reasons"]);
    assert!(reasons.contains("src/a.c: it does not compile: src/a.c:1"), "{reasons}");
    assert_eq!(report["summary"]["units_failed"], 1);
}

#[test]
fn a_build_folder_that_git_was_not_told_to_ignore_is_one() {
    let text = "#include \"config.h\"\nint f(int x) { return x + STEP; }\n";
    let made = Made::with(&[("src/a.c", text)]);
    let database =
        r#"[{"directory": "ROOT", "file": "src/a.c", "arguments": ["cc", "-Ibuild", "-c", "src/a.c"]}]"#;
    made.write(&[("build/config.h", "#define STEP 1\n"), ("compile_commands.json", database)]);
    made.write(&[("src/a.c", &text.replace("x + STEP", "x - STEP"))]);
    let (report, _) = made.report(&[]);
    assert_eq!(functions(&report), ["differs f src/a.c"], "{report}");
    assert!(texts(&report["notes"]).contains("build/config.h"), "{}", report["notes"]);
    made.git(&["commit", "-q", "-am", "b"]);
    assert_eq!(functions(&made.report(&["HEAD~1", "HEAD"]).0), ["differs f src/a.c"]);
    // Others may have a header of that name, if it lies where a build left its traces.
    made.write(&[("windows/config.h", "#define STEP 9\n")]).git(&["add", "windows"]);
    made.git(&["commit", "-q", "-m", "c"]);
    made.write(&[("src/a.c", &text.replace("x + STEP", "x * STEP"))]);
    assert_eq!(functions(&made.report(&[]).0), [""; 0], "it is not known whose it is");
    made.write(&[("build/CMakeCache.txt", "\n")]);
    assert_eq!(functions(&made.report(&[]).0), ["differs f src/a.c"]);
    // A header that moved and that nobody added is not that of the build.
    let made = Made::with(&[("src/a.c", text), ("inc/config.h", "#define STEP 1\n")]);
    let database = r#"[{"directory": "ROOT", "file": "src/a.c", "arguments": ["cc", "-Ibuild", "-Iinc", "-c", "src/a.c"]}]"#;
    made.write(&[("build/config.h", "#define STEP 2\n"), ("compile_commands.json", database)]);
    std::fs::remove_file(made.root().join("inc/config.h")).expect("it was there");
    assert_eq!(functions(&made.report(&[]).0), ["differs f src/a.c"]);
}

#[test]
fn what_there_was_no_time_for_is_listed() {
    let made = small();
    made.write(&[("src/a.c", &A.replace("+ 1", "+ 2")), ("src/b.c", &B.replace("x - 3", "x - 4"))]);
    let (report, status) = made.report(&["--budget", "0s"]);
    assert_eq!((functions(&report), status), (Vec::new(), 3));
    let reasons = texts(&report["reasons"]);
    assert!(reasons.contains("before it was known what changed"), "{reasons}");
}

#[test]
fn paths_narrow_what_is_compared() {
    let made = small();
    made.write(&[("src/a.c", &A.replace("+ 1", "+ 2")), ("src/b.c", &B.replace("x - 3", "x - 4"))]);
    assert_eq!(functions(&made.report(&["--", "src/b.c"]).0), ["differs three src/b.c"]);
    assert_eq!(functions(&made.report(&["src/b.c"]).0), ["differs three src/b.c"], "as git takes it");
    assert_eq!(functions(&made.report(&["HEAD", "--", "src"]).0).len(), 2);
    let (report, _) = made.report(&["--entry", "three"]);
    assert_eq!(
        (functions(&report), texts(&report["reasons"])),
        (vec!["differs three src/b.c".to_owned()], String::new())
    );
}

#[test]
fn words_may_be_files_or_revisions() {
    let made = small();
    made.write(&[("new.c", &B.replace("x - 3", "x - 4"))]);
    let said = made.diff(&["src/b.c", "new.c", "--verdict-only"]);
    assert_eq!(said.status, 1, "two files: {}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("three differs"), "{}", said.stdout);
    made.git(&["branch", "src"]);
    assert_fails(&made.diff(&["src"]), &["'src' is both a revision and a file", "./src", "src --"]);
    assert_eq!(made.diff(&["src", "--"]).status, 0);
    assert_fails(&made.diff(&["nothing"]), &["'nothing' is neither a revision nor a file"]);
    assert_fails(&made.diff(&["--", "/"]), &["outside of the repository"]);
    assert_fails(&made.diff(&["--", "none.c"]), &["'none.c' is in neither version"]);
    assert_fails(&made.diff(&["-p", "none"]), &["there is no compile_commands.json in 'none'"]);
    let nowhere = tempfile::tempdir().expect("a folder");
    let said = Said::by(incise().current_dir(nowhere.path()).arg("diff"));
    assert_fails(&said, &["not in a git repository", "OLD and NEW"]);
}

#[test]
fn what_the_repository_says_of_itself_counts_unless_the_command_line_says_otherwise() {
    let made = small();
    made.write(&[("tests/t.c", "#include \"../inc/h.h\"\nint t(int x) { return limit(x); }\n")]).commit();
    made.write(&[
        ("inc/h.h", &HEADER.replace("? 10", "? 11")),
        ("src/b.c", &B.replace("x - 3", "x - 4")),
        ("tests/t.c", "#include \"../inc/h.h\"\nint t(int x) { return 1 + limit(x); }\n"),
    ]);
    assert_eq!(functions(&made.report(&[]).0).len(), 4);
    let text = "entries = [\"one\"]\nfail-on = [\"introduced\"]\n[[leave-out]]\npath = \"tests\"\nreason = \"not shipped\"\n\
                [[leave-out]]\nfunction = \"three\"\nreason = \"looked at\"\n";
    made.write(&[("incise.toml", text)]);
    let (report, status) = made.report(&[]);
    assert_eq!(
        (functions(&report), status),
        (vec!["differs limit src/a.c".to_owned(), "differs one src/a.c".to_owned()], 0)
    );
    let left_out = texts(&report["left_out"]);
    assert!(
        left_out.contains("tests/t.c (not shipped)") && left_out.contains("src/b.c: three (looked at)"),
        "{left_out}"
    );
    assert_eq!(made.report(&["--fail-on", "unconfirmed"]).1, 1, "the command line counts before it");
    let said = Said::by(incise().current_dir(made.root().join("src")).arg("config"));
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(
        said.stdout.contains("fail-on = [\"introduced\"]    # ") && said.stdout.contains("# default"),
        "{}",
        said.stdout
    );
    for (wrong, words) in [
        ("entrys = []", "did you mean `entries`?"),
        ("fail-on = [\"x\"]", "none of introduced"),
        ("limits.budget = \"x\"", "is not a time"),
    ] {
        made.write(&[("incise.toml", wrong)]);
        assert_fails(&made.diff(&[]), &[words]);
        assert_fails(&Said::by(incise().current_dir(made.root()).arg("config")), &[words]);
    }
}

#[test]
fn the_environment_of_a_hook_does_not_matter() {
    let made = small();
    made.write(&[("src/b.c", &B.replace("x - 3", "x - 4"))]);
    let mut command = made.command(&["--format", "json", "--no-native"]);
    command.envs([("GIT_INDEX_FILE", "/no/such/index"), ("GIT_EXTERNAL_DIFF", "/no/such/program")]);
    command.env("GIT_DIR", ".git").env("GIT_PREFIX", "src/");
    let report = Said::by(&mut command).json().expect("a report");
    assert_eq!(functions(&report), ["differs three src/b.c"]);
}

#[test]
fn names_may_be_odd() {
    let names = ["a b/c d.c", "q'u\"ote.c", "ümläut.c", "new\nline.c"];
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, B)).collect();
    let made = Made::with(&files);
    let changed = B.replace("x - 3", "x - 4");
    made.write(&names.map(|name| (name, changed.as_str())));
    let (report, _) = made.report(&[]);
    let mut expected = names.map(|name| format!("differs three {name}"));
    expected.sort();
    assert_eq!(functions(&report), expected, "{report}");
}

fn assert_untouched(made: &Made, before: &BTreeMap<PathBuf, Vec<u8>>, status: &str) {
    let after = made.everything();
    for (path, content) in &after {
        assert!(before.get(path) == Some(content), "{} is not as it was", path.display());
    }
    assert_eq!(before.len(), after.len(), "something is gone");
    assert_eq!(made.git(&["--no-optional-locks", "status", "--porcelain"]), status);
}

#[test]
fn nothing_in_the_repository_changes_also_if_the_command_is_killed() {
    let made = built();
    made.write(&[("new.c", "int n;\n")]);
    let status = made.git(&["--no-optional-locks", "status", "--porcelain"]);
    let before = made.everything();
    made.report(&[]);
    made.report(&["HEAD", "HEAD"]);
    assert_untouched(&made, &before, &status);
    for milliseconds in [0, 20, 60, 120, 250, 500] {
        let place = tempfile::tempdir().expect("a folder");
        let mut running = made.command(&["HEAD"]);
        running
            .env("TMPDIR", place.path())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        let mut child = running.spawn().expect("it runs");
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        let _ = child.kill();
        let _ = child.wait();
        wait_for_children(place.path());
        assert_untouched(&made, &before, &status);
    }
}

/// Waits until nobody works in a folder any more: the kernel ends children when their parent is gone.
fn wait_for_children(folder: &Path) {
    let uses = |entry: &std::fs::DirEntry| {
        let words = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).contains(&*folder.to_string_lossy())
    };
    for _ in 0..200 {
        let processes = std::fs::read_dir("/proc").expect("processes").filter_map(Result::ok);
        if !processes.into_iter().any(|entry| uses(&entry)) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("something still works in {}", folder.display());
}
