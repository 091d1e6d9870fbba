//! Replays: predictions that hold are confirmed, those that do not are shown with both sides; and the tests themselves
//! are well formed.

use crate::common::{Said, incise};
use incise_report::test::ktest::Ktest;
use incise_report::{Manifest, TestCase};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

struct Tested {
    folder: tempfile::TempDir,
}

impl Tested {
    /// Explores a source and writes its tests to `tests`.
    fn new(source: &str, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("a.c"), source).expect("a file can be written");
        let tested = Self { folder };
        let said = tested.incise(&[&["run", "a.c", "--tests", "tests"][..], arguments].concat());
        assert!(matches!(said.status, 0 | 1), "{}{}", said.stdout, said.stderr);
        tested
    }

    fn incise(&self, arguments: &[&str]) -> Said {
        Said::by(incise().current_dir(self.folder.path()).args(arguments))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn replay(&self) -> (i32, Value) {
        let said = self.incise(&["replay", "tests", "--format", "json"]);
        (said.status, said.json().unwrap())
    }

    /// Everything is confirmed.
    fn assert_confirmed(&self) {
        let (status, document) = self.replay();
        assert_eq!(
            (status, &document["summary"]["confirmed"]),
            (0, &document["summary"]["tests"]),
            "{document:#}"
        );
        assert_ne!(document["summary"]["tests"], 0);
    }
}

const SUM: &str = "int calls;\nint sum(int *values, unsigned n) {\n  int s = 0;\n  calls++;\n  for (unsigned i = 0; i < n && i < 3; i++) s += values[i];\n  return s;\n}\n";
const SUM_FLAGS: &[&str] = &["--array", "values=3", "--no-null"];

#[test]
fn inputs_of_every_kind_are_put_in_place() {
    let sources: &[(&str, &[&str])] = &[
        (SUM, SUM_FLAGS),
        (
            "static int hidden; static int f(short a, unsigned char b) { static long count; hidden += a; count++; return b > 3 ? hidden : (int)count; }\nint (*keep)(short, unsigned char) = f;\n",
            &["--entry", "f"],
        ),
        (
            "struct p { int x, y; }; struct q { double d; float f; char c; }; struct r { long a[5]; };\nlong f(struct p p, struct q q, struct r r) { return p.x > p.y ? r.a[4] : q.c > 1 ? (long)p.x : p.y; }\n",
            &[],
        ),
        (
            "struct n { struct n *l, *r; int k; };\nint f(struct n *t) { return t && t->l && t->r ? t->l->k - t->r->k > 5 : -1; }\n",
            &["--pointer-depth", "3"],
        ),
        (
            "float f(float a, double b, long double c) { return a < 1 ? a : b > c ? (float)b : (float)c; }\n",
            &["--max-time", "60"],
        ),
        ("_Bool f(_Bool a, __int128 b, unsigned __int128 c) { return a ? b < 0 : c >> 64 != 0; }\n", &[]),
        (
            "enum e { A, B = 5 }; union u { int i; char c[4]; };\nint f(enum e e, union u u) { return e == B ? u.c[1] : u.i > 3; }\n",
            &[],
        ),
        (
            "int a, *where = &a; int f(int **pp) { if (!pp || !*pp) return 0; **pp = 7; return where != 0; }\n",
            &[],
        ),
        (
            "#include <stdio.h>\n#include <stdlib.h>\nint f(int x) { printf(\"x is %s\\n\", x > 0 ? \"positive\" : \"not\"); fprintf(stderr, \"!\"); if (x == 3) exit(40); if (x == 4) _Exit(41); return x > 0; }\n",
            &[],
        ),
        (
            "#include <stdlib.h>\nstatic int g; static void last(void) { g = 9; }\nint f(int x) { atexit(last); if (x > 1) exit(2); return g; }\n",
            &["--symbolic-globals", "none"],
        ),
        (
            "#include <klee/klee.h>\nint main(void) { int a; char b[2]; klee_make_symbolic(&a, sizeof a, \"a\"); klee_make_symbolic(b, 2, \"b\"); int c = klee_range(2, 5, \"c\"); klee_assume(a > 3); return b[1] == c ? a > 9 : c; }\n",
            &[],
        ),
        (
            "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void);\nint main(void) { int a = __VERIFIER_nondet_int(); if (a > 5 && __VERIFIER_nondet_uchar() == 9) reach_error(); return 0; }\n",
            &[],
        ),
        (
            "int sensor(int channel);\nint f(void) { return sensor(1) > sensor(2); }\n",
            &["--externals", "havoc"],
        ),
    ];
    for (source, flags) in sources {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("a.c"), source).expect("a file can be written");
        let tested = Tested { folder };
        let said = tested.incise(&[&["run", "a.c", "--tests", "tests"][..], flags].concat());
        assert!(matches!(said.status, 0 | 1 | 3), "{source}\n{}{}", said.stdout, said.stderr);
        let (_, document) = tested.replay();
        let summary = &document["summary"];
        let unpredicted = document["tests"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|test| test["predicted"] == "nothing")
            .count();
        let confirmed = summary["confirmed"].as_u64().unwrap() as usize;
        assert_eq!(
            confirmed + unpredicted,
            summary["tests"].as_u64().unwrap() as usize,
            "{source}\n{document:#}"
        );
        assert!(confirmed > 0, "{source}\n{document:#}");
    }
}

#[test]
fn errors_of_every_kind_are_confirmed_by_the_machine() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("assertion", "#include <assert.h>\nint f(int x) { assert(x != 5); return 0; }\n", &[]),
        ("abort", "#include <stdlib.h>\nint f(int x) { if (x == 5) abort(); return 0; }\n", &[]),
        ("division-by-zero", "int f(int x) { return 7 % x; }\n", &["--concrete", "x=0"]),
        ("null-pointer", "int f(int *p) { return *p; }\n", &["--inputs", "any"]),
        ("out-of-bounds", "int f(unsigned i) { int a[4] = {1, 2, 3, 4}; return i < 5 ? a[i] : 0; }\n", &[]),
        (
            "out-of-bounds",
            "#include <stdlib.h>\nint f(unsigned char n) { char *p = malloc(8); p[n & 8] = 1; int r = p[0]; free(p); return r; }\n",
            &[],
        ),
        (
            "use-after-free",
            "#include <stdlib.h>\nint f(int x) { int *p = malloc(4); *p = x; if (x > 3) free(p); int r = *p; if (x <= 3) free(p); return r; }\n",
            &[],
        ),
        (
            "double-free",
            "#include <stdlib.h>\nint f(int x) { void *p = malloc(4); free(p); if (x == 9) free(p); return 0; }\n",
            &[],
        ),
        (
            "invalid-free",
            "#include <stdlib.h>\nint f(int x) { char *p = malloc(4); free(x == 9 ? p + 1 : p); return 0; }\n",
            &[],
        ),
        ("overshift", "int f(unsigned n) { return 1 << (n & 63); }\n", &[]),
        ("signed-overflow", "int f(int x) { return x + 1; }\n", &["--check", "overflow"]),
        ("signed-overflow", "int f(int x, int y) { return y ? x / y : 0; }\n", &[]),
        (
            "read-only",
            "static const int table[2] = {1, 2};\nint f(int x) { if (x == 5) *(int *)&table[1] = x; return table[0]; }\n",
            &[],
        ),
        ("unreachable", "int f(int x) { if (x == 5) __builtin_unreachable(); return 0; }\n", &[]),
    ];
    for (kind, source, flags) in cases {
        let tested = Tested::new(source, flags);
        let said = tested.incise(&[&["run", "a.c", "--format", "json"][..], flags].concat());
        let kinds: Vec<_> = said.json().unwrap()["paths"]
            .as_array()
            .unwrap()
            .iter()
            .map(|path| path["error"]["kind"].clone())
            .collect();
        assert!(kinds.contains(&json!(kind)), "{kind}: {kinds:?}\n{source}");
        tested.assert_confirmed();
    }
}

#[test]
fn a_wrong_prediction_is_shown_with_both_sides() {
    let tested =
        Tested::new("int counter;\nint f(int x) { counter = 3; if (x > 4) return 10; return 20; }\n", &[]);
    let file = tested.path("tests/test000001.json");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"0a000000\"") && text.contains("\"03000000\""));
    std::fs::write(
        &file,
        text.replace("\"0a000000\"", "\"0b000000\"").replace("\"03000000\"", "\"04000000\""),
    )
    .unwrap();
    let said = tested.incise(&["replay", "tests"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    for part in [
        "disagrees: test000001",
        "predicted returned 11",
        "actual    returned 10",
        "counter: predicted 4, actual 3",
        "1 of 2 tests confirmed",
    ] {
        assert!(said.stdout.contains(part), "no {part:?} in\n{}", said.stdout);
    }
}

#[test]
fn a_false_alarm_is_noticed() {
    for (kind, source) in [
        ("division-by-zero", "int f(int x) { return 1 / x; }\n"),
        ("out-of-bounds", "int f(int x) { int a[2] = {0}; return a[x & 2]; }\n"),
    ] {
        let tested = Tested::new(source, &[]);
        // The code is mended, the tests are old: the errors they predict are gone.
        std::fs::write(tested.path("a.c"), "int f(int x) { return x; }\n").unwrap();
        let said = tested.incise(&["replay", "tests"]);
        assert!(said.stderr.contains("have changed since"), "{}", said.stderr);
        assert!(
            said.stdout.contains(&format!("predicted error {kind}")) && said.status == 1,
            "{}",
            said.stdout
        );
    }
}

#[test]
fn a_program_without_end_is_stopped() {
    let tested = Tested::new("int f(int x) { return x > 1; }\n", &[]);
    std::fs::write(tested.path("a.c"), "int f(int x) { for (;;) if (x > 1) return x; }\n").unwrap();
    let said = tested.incise(&["replay", "tests", "--timeout", "300ms"]);
    assert!(
        said.stdout.contains("did not end in time") && said.status == 1,
        "{}{}",
        said.stdout,
        said.stderr
    );
}

#[test]
fn deep_recursion_is_confirmed() {
    let tested = Tested::new(
        "static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }\nint f(int x) { return x == 1 ? depth(100000) : 0; }\n",
        &["--entry", "f"],
    );
    tested.assert_confirmed();
}

#[test]
fn tests_can_be_moved_together_with_the_sources() {
    let tested = Tested::new(SUM, SUM_FLAGS);
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("moved");
    std::fs::rename(tested.folder.path(), &target).unwrap();
    let said = Said::by(incise().current_dir("/").arg("replay").arg(target.join("tests")));
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    std::fs::create_dir(tested.folder.path()).unwrap();
}

#[test]
fn folders_without_tests_and_broken_tests_are_errors() {
    let tested = Tested::new(SUM, SUM_FLAGS);
    for target in ["nowhere", "."] {
        let said = tested.incise(&["replay", target]);
        assert!(said.status == 2 && said.stderr.contains("no tests of incise"), "{}", said.stderr);
    }
    for broken in ["{", "{\"schema\": \"incise-test/9\"}", ""] {
        std::fs::write(tested.path("tests/test000001.json"), broken).unwrap();
        let said = tested.incise(&["replay", "tests"]);
        assert!(said.status == 2 && said.stderr.contains("test000001.json"), "{}", said.stderr);
    }
    let manifest = std::fs::read_to_string(tested.path("tests/manifest.json")).unwrap();
    std::fs::write(tested.path("tests/manifest.json"), manifest.replace("test000001", "../../etc/passwd"))
        .unwrap();
    let said = tested.incise(&["replay", "tests"]);
    assert!(said.status == 2 && said.stderr.contains("no file name"), "{}", said.stderr);
}

#[test]
fn test_files_say_the_same_in_all_forms() {
    let tested = Tested::new(SUM, SUM_FLAGS);
    let manifest =
        Manifest::from_json(&std::fs::read_to_string(tested.path("tests/manifest.json")).unwrap()).unwrap();
    assert_eq!((manifest.directory.as_str(), manifest.program.entry.as_str()), ("..", "sum"));
    for name in &manifest.tests {
        let at = |extension: &str| tested.path(&format!("tests/{name}.{extension}"));
        let test = TestCase::from_json(&std::fs::read_to_string(at("json")).unwrap()).unwrap();
        let bytes = std::fs::read(at("ktest")).unwrap();
        let ktest = Ktest::from_bytes(&bytes).unwrap();
        assert_eq!(ktest.to_bytes().unwrap(), bytes);
        let objects: Vec<_> =
            test.inputs.iter().map(|input| (input.name.clone().into_bytes(), input.bytes.clone())).collect();
        assert_eq!(ktest.objects, objects);
        assert_eq!(ktest.arguments, [b"a.c".to_vec()]);
    }
}

#[test]
fn c_tests_compile_without_a_warning_and_pass() {
    let sources: &[(&str, &[&str])] = &[
        (SUM, SUM_FLAGS),
        (
            "#include <assert.h>\nstruct n { int k; struct n *next; };\nint total; static int hidden;\nint f(struct n *n, int x) { assert(x != 4); if (n && n->next) n->next->k = x; hidden = x; total += hidden; return n ? n->k / x : 0; }\n",
            &[],
        ),
        (
            "#include <stdio.h>\n#include <stdlib.h>\nint f(int x) { printf(\"%d\\n\", x > 3); if (x > 7) exit(3); return 1; }\n",
            &[],
        ),
        (
            "#include <stdio.h>\nint main(int argc, char **argv) { int c = getchar(); if (argc > 1 && argv[1][0] == 'q' && c == 'z') puts(\"found\"); return argc; }\n",
            &["--sym-args", "1", "2", "--sym-stdin", "1"],
        ),
        (
            "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { FILE *in = fopen(\"in\", \"r\"), *out = fopen(\"out\", \"w\"); fputs(getc(in) == 'x' ? \"yes\" : \"no\", out); fclose(out); if (feof(in)) remove(\"in\"); return getenv(\"MODE\") != NULL; }\n",
            &["--sym-file", "in=1", "--sym-env", "MODE=1"],
        ),
        (
            "#include <klee/klee.h>\nint main(void) { int a; klee_make_symbolic(&a, sizeof a, \"a\"); klee_assert(a != 77); return a > 5; }\n",
            &[],
        ),
        (
            "double f(double d, float e, long long l, unsigned char c, _Bool b) { return b ? d : l > c ? e : 2; }\n",
            &["--max-time", "60"],
        ),
        (
            "struct s { int a; char b[3]; }; enum e { RED, BLUE }; typedef unsigned long word;\nint f(struct s s, enum e e, word w) { return s.b[1] == 'x' ? s.a : e == BLUE && w > 5; }\n",
            &[],
        ),
    ];
    for (source, flags) in sources {
        let tested = Tested::new(source, &[&["--c-tests"][..], flags].concat());
        let tests = tested.path("tests");
        let mut programs: Vec<_> =
            std::fs::read_dir(&tests).unwrap().map(|entry| entry.unwrap().path()).collect();
        programs.retain(|path| {
            path.extension().is_some_and(|extension| extension == "c")
                && path.to_string_lossy().contains("/test0")
        });
        assert!(programs.len() >= 2, "{source}: {programs:?}");
        for program in programs {
            compile_and_pass(&tests, &program);
        }
    }
}

#[test]
fn programs_of_several_files_are_replayed_as_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = [
        (
            "a.c",
            "#include \"b.h\"\nstatic int calls; int shared = 4;\nint f(int x) { calls += x; if (calls > 10) return g(x); return calls + shared; }\n",
        ),
        ("b.h", "int g(int);\nextern int other;\n"),
        (
            "b.c",
            "#include \"b.h\"\nstatic int last; int other;\nint g(int x) { last = x; other++; return 100 / (x - 7) + other; }\nint main(void) { return g(1); }\n",
        ),
    ];
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    }
    let tested = Tested { folder };
    let said = tested.incise(&["run", "a.c", "b.c", "--entry", "f", "--tests", "tests", "--c-tests"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    tested.assert_confirmed();
    // A variable that only another file sees cannot be set from C, so that this test is left out there.
    assert!(said.stderr.contains("the variable last cannot be set"), "{}", said.stderr);
    let without = tested.incise(&[
        "run",
        "a.c",
        "b.c",
        "--entry",
        "f",
        "--tests",
        "tests",
        "--c-tests",
        "--symbolic-globals",
        "shared,calls,other",
    ]);
    assert!(!without.stderr.contains("cannot be set"), "{}", without.stderr);
    for name in ["test000001.c", "test000002.c", "test000003.c"] {
        compile_and_pass(&tested.path("tests"), &tested.path("tests").join(name));
    }
}

fn compile_and_pass(tests: &Path, program: &Path) {
    let text = std::fs::read_to_string(program).unwrap();
    // The command that the test itself names, made stricter.
    let line = text.lines().find_map(|line| line.strip_prefix(" * In this folder: ")).expect("a command");
    let strict = line.replacen("cc -g", "cc -g -Wall -Wextra -Werror", 1);
    let said = Said::by(Command::new("sh").arg("-c").arg(&strict).current_dir(tests));
    assert!(
        said.status == 0 && said.stdout.starts_with("PASS"),
        "{strict}\n{}{}\n{text}",
        said.stdout,
        said.stderr
    );
    // A test that cannot fail is no test: with another expectation this one does.
    let wrong = text
        .replace("= INCISE_RETURNS,\n    .number = 0", "= INCISE_EXITS,\n    .number = 99")
        .replace("= INCISE_DIES,\n    .number = ", "= INCISE_DIES,\n    .number = 1")
        .replace("= INCISE_EXITS,\n    .number = ", "= INCISE_EXITS,\n    .number = 1");
    if wrong != text {
        std::fs::write(program, wrong).unwrap();
        let said = Said::by(Command::new("sh").arg("-c").arg(line).current_dir(tests));
        assert!(said.status == 1 && said.stderr.contains("FAIL"), "{}{}", said.stdout, said.stderr);
    }
}
