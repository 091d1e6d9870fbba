//! The test sources of a suite compile without a warning, pass against the program that they were made from, and fail
//! against one that does something else.

use crate::common::{Folder, Said};
use std::path::Path;
use std::process::Command;

/// As much of Unity as the sources use, with its names: Debian has no package of it.
const UNITY_HEADER: &str = r#"
#include <setjmp.h>
#include <stdio.h>
static jmp_buf unity_frame;
static int unity_tests, unity_failures, unity_ignored;
#define UNITY_BEGIN() (unity_tests = unity_failures = unity_ignored = 0)
#define UNITY_END() (printf("%d Tests %d Failures %d Ignored\n", unity_tests, unity_failures, unity_ignored), unity_failures)
#define RUN_TEST(function) do { unity_tests++; if (!setjmp(unity_frame)) { setUp(); function(); } tearDown(); } while (0)
#define TEST_PASS() longjmp(unity_frame, 1)
#define TEST_FAIL_MESSAGE(message) do { printf("FAIL: %s\n", message); unity_failures++; longjmp(unity_frame, 1); } while (0)
#define TEST_IGNORE_MESSAGE(message) do { printf("IGNORE: %s\n", message); unity_ignored++; longjmp(unity_frame, 1); } while (0)
void setUp(void);
void tearDown(void);
"#;

/// A program, the flags to explore it with, and a change that some test must notice.
struct Case {
    source: &'static str,
    flags: &'static [&'static str],
    change: (&'static str, &'static str),
}

const CASES: &[Case] = &[
    // Names that tests could get in the way of.
    Case {
        source: "int verdict; static int check(int run) { return run > 3; }\nint judge(int object) { verdict++; if (check(object)) return 7; return object; }\n",
        flags: &["--entry", "judge"],
        change: ("return 7", "return 8"),
    },
    // Objects, globals of the file, an assertion, a division by zero, a null pointer.
    Case {
        source: "#include <assert.h>\nstruct n { int k; struct n *next; };\nint total; static int hidden;\nint f(struct n *n, int x) { assert(x != 4); if (n && n->next) n->next->k = x; hidden = x; total += hidden; return n->k / x; }\n",
        flags: &[],
        change: ("total += hidden", "total += hidden + 1"),
    },
    // Output and the exit status, under a strict standard.
    Case {
        source: "#include <stdio.h>\n#include <stdlib.h>\nint f(int x) { if (x > 3) puts(\"large\"); if (x > 7) exit(3); return 1; }\n",
        flags: &["-std=c99", "-DUNUSED='a b'"],
        change: ("\"large\"", "\"Large\""),
    },
    // The command line and standard input.
    Case {
        source: "#include <stdio.h>\nint main(int argc, char **argv) { int c = getchar(); if (argc > 1 && argv[1][0] == 'q' && c == 'z') puts(\"found\"); return argc; }\n",
        flags: &["--sym-args", "1", "2", "--sym-stdin", "1"],
        change: ("return argc;", "return argc + 1;"),
    },
    // Files and the environment.
    Case {
        source: "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { FILE *in = fopen(\"in\", \"r\"), *out = fopen(\"out\", \"w\"); fputs(getc(in) == 'x' ? \"yes\" : \"no\", out); fclose(out); if (feof(in)) remove(\"in\"); return getenv(\"MODE\") != NULL; }\n",
        flags: &["--sym-file", "in=1", "--sym-env", "MODE=1"],
        change: ("\"yes\"", "\"Yes\""),
    },
    // Streams: one that is read, one that is written, one that is closed.
    Case {
        source: "#include <stdio.h>\nint f(FILE *in, FILE *out, FILE *old) { int c = getc(in); if (c == 'x') fputs(\"yes\", out); if (c == EOF) fclose(old); return c; }\n",
        flags: &[],
        change: ("\"yes\"", "\"Yes\""),
    },
    // Inputs that the program asks for.
    Case {
        source: "#include <klee/klee.h>\nint main(void) { int a; klee_make_symbolic(&a, sizeof a, \"a\"); klee_assert(a != 77); if (a > 5) return 1; return 0; }\n",
        flags: &[],
        change: ("return 1;", "return 2;"),
    },
    // An error that only a sanitizer sees: not checked without one, and no failure.
    Case {
        source: "int table[4]; int f(unsigned i) { if (i > 100) return 5; return table[i]; }\n",
        flags: &["--symbolic-globals", "none"],
        change: ("return 5", "return 6"),
    },
];

/// Makes the suite of a case, with test sources of that kind.
fn suite_with(case: &Case, format: &str) -> Folder {
    let folder = Folder::with(&[("a.c", case.source)]);
    let arguments = [&["suite", "generate", "a.c", "-o", "suite", "--emit", format][..], case.flags].concat();
    let said = folder.run(&arguments);
    assert_eq!(said.status, 0, "{}\n{}{}", case.source, said.stdout, said.stderr);
    assert!(!said.stderr.contains("not written"), "{}", said.stderr);
    folder
}

fn change(folder: &Folder, case: &Case) {
    let (old, new) = case.change;
    assert!(case.source.contains(old));
    std::fs::write(folder.path("a.c"), case.source.replacen(old, new, 1)).unwrap();
}

/// Compiles and runs as the file itself says, with warnings as errors.
fn compile_and_run(tests: &Path, unity: &Path) -> Said {
    let file = std::fs::read_dir(tests)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            path.to_string_lossy().contains("/test_") && path.extension().is_some_and(|it| it == "c")
        })
        .expect("test sources");
    let text = std::fs::read_to_string(&file).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(" * In this folder: ")).expect("a command");
    let strict = line.replacen("cc -g", "cc -g -Wall -Wextra -Werror", 1);
    Said::by(Command::new("sh").arg("-c").arg(strict).env("UNITY", unity).current_dir(tests))
}

/// The sources pass, and notice the change.
fn check_sources(format: &str, passed: impl Fn(&Said) -> bool, failed: impl Fn(&Said) -> bool) {
    let unity = Folder::with(&[]);
    std::fs::create_dir(unity.path("src")).unwrap();
    std::fs::write(unity.path("src/unity.h"), UNITY_HEADER).unwrap();
    std::fs::write(unity.path("src/unity.c"), "typedef int unity_is_a_header_here;\n").unwrap();
    for case in CASES {
        let folder = suite_with(case, format);
        let tests = folder.path("suite").join(format);
        let said = compile_and_run(&tests, unity.root());
        assert!(said.status == 0 && passed(&said), "{}\n{}{}", case.source, said.stdout, said.stderr);
        change(&folder, case);
        let said = compile_and_run(&tests, unity.root());
        assert!(said.status != 0 && failed(&said), "{}\n{}{}", case.source, said.stdout, said.stderr);
    }
}

#[test]
fn plain_c_passes_and_fails() {
    check_sources(
        "c",
        |said| said.stdout.contains("PASS ") && said.stdout.contains(" 0 failed"),
        |said| said.status == 1 && said.stdout.contains("FAIL "),
    );
}

#[test]
fn unity_passes_and_fails() {
    check_sources("unity", |said| said.stdout.contains(" 0 Failures"), |said| said.stdout.contains("FAIL: "));
}

#[test]
fn cmocka_passes_and_fails() {
    assert!(Path::new("/usr/include/cmocka.h").exists(), "cmocka is not installed (Debian: libcmocka-dev)");
    check_sources(
        "cmocka",
        |said| said.stderr.contains("[  PASSED  ]") && !said.stderr.contains("[  FAILED  ]"),
        |said| said.stderr.contains("[  FAILED  ]"),
    );
}

#[test]
fn ctest_knows_each_test() {
    let ctest = Command::new("ctest").arg("--version").output();
    assert!(ctest.is_ok(), "CMake is not installed (Debian: cmake)");
    for case in CASES {
        let folder = suite_with(case, "ctest");
        let run = || {
            let script = "cmake -S suite/ctest -B build && cmake --build build && ctest --test-dir build";
            Said::by(Command::new("sh").args(["-c", script]).current_dir(folder.root()))
        };
        let said = run();
        let tests = std::fs::read_dir(folder.path("suite/tests")).unwrap().count();
        let all = format!("0 tests failed out of {tests}");
        assert!(said.status == 0 && said.stdout.contains(&all), "{}{}", said.stdout, said.stderr);
        assert!(said.stdout.contains("(Skipped)") || !case.source.contains("table"), "{}", said.stdout);
        assert!(!said.stderr.contains("CMake Warning"), "{}", said.stderr);
        change(&folder, case);
        let said = run();
        assert!(said.status != 0 && said.stdout.contains("***Failed"), "{}{}", said.stdout, said.stderr);
    }
}

#[test]
fn plain_c_runs_the_tests_that_are_named() {
    let folder = suite_with(&CASES[0], "c");
    let tests = folder.path("suite/c");
    assert_eq!(compile_and_run(&tests, folder.root()).status, 0);
    let name = std::fs::read_dir(folder.path("suite/tests")).unwrap().next().unwrap().unwrap().path();
    let name = name.file_stem().unwrap().to_string_lossy().into_owned();
    let said = Said::by(Command::new("./test_judge").arg(&name).current_dir(&tests));
    assert_eq!((said.status, said.stdout), (0, format!("PASS {name}\n1 passed, 0 failed, 0 not checked\n")));
    let said = Said::by(Command::new("./test_judge").arg("nobody").current_dir(&tests));
    assert_eq!((said.status, said.stderr.as_str()), (2, "there is no test nobody\n"));
}

#[test]
fn several_files_are_one_program() {
    let folder = Folder::with(&[
        (
            "a.c",
            "#include \"b.h\"\nstatic int calls;\nint f(int x) { calls += x; if (calls > 10) return g(x); return calls; }\n",
        ),
        ("b.h", "int g(int);\nextern int other;\n"),
        (
            "b.c",
            "#include \"b.h\"\nint other;\nint g(int x) { other++; return x + other; }\nint main(void) { return g(1); }\n",
        ),
    ]);
    let said = folder.run(&["suite", "generate", "a.c", "b.c", "--entry", "f", "-o", "suite", "--emit", "c"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let said = compile_and_run(&folder.path("suite/c"), folder.root());
    assert!(said.status == 0 && said.stdout.contains("2 passed"), "{}{}", said.stdout, said.stderr);
}

#[test]
fn sources_can_be_written_later_and_are_the_same() {
    let case = &CASES[1];
    let folder = suite_with(case, "cmocka");
    let emit = |directory: &str| folder.run(&["suite", "emit", "suite", "--emit", "cmocka", "-o", directory]);
    // As deep as in the suite, so that the way to the program is the same.
    let said = emit("other/cmocka");
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stderr.contains("tests for cmocka written to other/cmocka"), "{}", said.stderr);
    let read = |file: &str| std::fs::read_to_string(folder.path(file)).unwrap();
    assert_eq!(read("other/cmocka/test_f.c"), read("suite/cmocka/test_f.c"));
    // Again over what is there, but not over what someone else wrote.
    assert_eq!(emit("other/cmocka").status, 0);
    std::fs::write(folder.path("other/cmocka/test_f.c"), "int main(void) { return 0; }\n").unwrap();
    crate::common::assert_fails(&emit("other/cmocka"), &["test_f.c is there", "did not write"]);
    assert_eq!(read("other/cmocka/test_f.c"), "int main(void) { return 0; }\n");
    // The program is another one by now.
    change(&folder, case);
    assert!(emit("late").stderr.contains("warning: the program has changed"));
}

#[test]
fn what_cannot_be_c_is_said() {
    let folder = Folder::with(&[(
        "a.c",
        "int sensor(void);\nint f(int x) { if (x > 3) return sensor(); return x; }\n",
    )]);
    let said =
        folder.run(&["suite", "generate", "a.c", "-o", "suite", "--emit", "c", "--externals", "havoc"]);
    assert_eq!(said.status, 3, "{}", said.stderr);
    assert!(
        said.stderr.contains("1 test is not written for c: the result of the external function sensor"),
        "{}",
        said.stderr
    );
    let ir = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n";
    std::fs::write(folder.path("f.ll"), ir).unwrap();
    let said = folder.run(&["suite", "generate", "f.ll", "-o", "other", "--emit", "c"]);
    crate::common::assert_fails(&said, &["C tests need C sources"]);
    assert!(!folder.path("other").exists());
}
