//! What is no difference, and what is none that fails a check: the source that a program speaks of, and differences
//! that no native run shows.

use crate::common::Folder;

const LOGGING: &str = "void log_at(const char *function, const char *text);\n\
    static int helper(int x) {\n    if (x < 0)\n        log_at(__func__, \"negative\");\n    return x;\n}\n\
    int f(int x) { return helper(x) + 1; }\n";

#[test]
fn the_name_of_a_renamed_static_function_is_no_difference() {
    let renamed = LOGGING.replace("helper", "checked");
    let folder = Folder::with(&[("old.c", LOGGING), ("new.c", &renamed)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert_eq!(said.status, 0, "{}", said.stdout);
    assert!(said.stderr.contains("helper is called checked in NEW"), "{}", said.stderr);
}

#[test]
fn a_renamed_function_that_does_something_else_differs() {
    let changed = LOGGING.replace("helper", "checked").replace("return x;", "return x + 1;");
    let folder = Folder::with(&[("old.c", LOGGING), ("new.c", &changed)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
}

#[test]
fn a_name_that_the_other_version_has_for_something_else_stays() {
    let old = LOGGING.replace("return helper(x) + 1", "int checked = x; return helper(checked) + 1");
    let new = old
        .replace("helper", "checked")
        .replace("int checked = x; return checked(checked)", "return checked(x)");
    let folder = Folder::with(&[("old.c", &old), ("new.c", &new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert!(!said.stderr.contains("is called"), "{}", said.stderr);
}

#[test]
fn when_a_file_was_written_or_compiled_is_no_difference() {
    let old = "const char *when(int x) { return x ? __DATE__ __TIME__ : __TIMESTAMP__; }\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("(int x) {", "(int x)\n{"))]);
    let long_ago = std::fs::File::options().write(true).open(folder.path("old.c")).unwrap();
    long_ago.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert_eq!((said.status, said.stdout.as_str()), (0, "same: nothing that is compared changed\n"));
    // What is explored is what runs.
    let said = folder.run(&["run", "new.c", "--entry", "when", "--tests", "tests", "--replay"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
}

/// Clang takes the directive for text, and only the assembler knows that there is none of that name.
const NOT_NATIVE: &str = "__asm__(\".no_such_directive 3\");\nint f(int x) { return x + 1; }\n";

#[test]
fn a_difference_that_cannot_be_run_is_told_as_such_and_fails_no_check() {
    let folder = Folder::with(&[("old.c", NOT_NATIVE), ("new.c", &NOT_NATIVE.replace("x + 1", "x + 2"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    let words = "f differs in 1 way, which could not be run natively: it may be none\n";
    assert!(said.stdout.ends_with(words), "{}", said.stdout);
    assert!(said.stdout.contains("unknown directive"), "the compiler says why: {}", said.stdout);
    assert_eq!(said.status, 3);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--fail-on", "unconfirmed"]);
    assert_eq!(said.status, 1);
    let json = folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--format", "json"]).json().unwrap();
    assert_eq!((&json["verdict"], &json["confirmed"]), (&"differs".into(), &false.into()));
    assert_eq!(json["entries"][0]["confirmed"], false);
}

#[test]
fn verdicts_on_several_functions_come_one_by_one_and_the_worst_first_at_the_end() {
    let old = "int a(int x) { return 2 * x; }\nint b(int x) { return x + 1; }\n";
    let new = "int a(int x) { return x << 1; }\nint b(int x) { return x + 2; }\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    let a = "a does the same on every input (1 pair of paths compared)\n\n";
    assert!(said.stdout.starts_with(a), "{}", said.stdout);
    assert!(
        said.stdout.ends_with("b differs in 1 way\ndiffers: b differs; a does the same\n"),
        "{}",
        said.stdout
    );
    assert_eq!(said.stdout.matches("a does the same on").count(), 1, "{}", said.stdout);
}

#[test]
fn two_assertions_that_fail_on_the_same_inputs_do_the_same() {
    let old = "#include <assert.h>\nint f(const int *a, int n) {\n    assert(n > 0);\n    return a[0];\n}\n";
    let folder = Folder::with(&[
        ("old.c", old),
        ("same.c", &old.replace("n > 0", "n >= 1")),
        ("less.c", &old.replace("n > 0", "n > 1")),
    ]);
    let said = folder.run(&["diff", "old.c", "same.c", "--verdict-only"]);
    assert_eq!(said.status, 0, "{}", said.stdout);
    let said = folder.run(&["diff", "old.c", "less.c", "--verdict-only"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(said.stdout.contains("introduced: assertion"), "{}", said.stdout);
}

/// The sanitizer takes an allocation of no bytes for one of one byte.
#[test]
fn the_end_of_a_text_that_has_no_room_is_seen_natively_where_the_text_is_empty() {
    let old = "#include <stdlib.h>\n#include <string.h>\nchar *copy(const char *s) {\n    \
        size_t n = strlen(s);\n    char *p = malloc(n + 1);\n    if (!p) return 0;\n    \
        memcpy(p, s, n + 1);\n    return p;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("malloc(n + 1)", "malloc(n)"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(said.stdout.contains("introduced: write of 1 byte"), "{}", said.stdout);
}

/// A recursion has no heads of loops at which two versions could meet: all its paths at once filled the memory.
#[test]
fn a_recursion_over_a_tree_keeps_what_was_compared() {
    let old = "struct tree { int v; struct tree *l, *r; };\nint depth(const struct tree *t) {\n    \
        if (!t) return 0;\n    int a = depth(t->l), b = depth(t->r);\n    return 1 + (a > b ? a : b);\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("a > b ? a : b", "b < a ? a : b"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert_eq!(said.status, 0, "{}", said.stdout);
    assert!(said.stdout.contains("depth does the same within bounds"), "{}", said.stdout);
}

/// No input that is explored is so long; both versions are run on lengths about the numbers that changed.
#[test]
fn a_limit_beyond_what_is_explored_is_met() {
    let old = "int length(const char *s) {\n    int n = 0;\n    while (s[n]) {\n        n++;\n        \
        if (n == 700) return -1;\n    }\n    return n;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("700", "701"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(said.stdout.contains("old: returns -1   new: returns 700"), "{}", said.stdout);
}
