//! `errno`, and other variables that whoever is called may write: what callers find there is compared.

use crate::common::Folder;

/// The verdict's status, and all that is said.
fn compared(old: &str, new: &str) -> (i32, String) {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    (said.status, said.stdout)
}

const ADD: &str = "#include <errno.h>\n\
    int add(unsigned long a, unsigned long b, unsigned long *sum) {\n    \
    if (a > -1UL - b) { errno = EOVERFLOW; return -1; }\n    *sum = a + b;\n    return 0;\n}\n";

#[test]
fn another_error_number_is_a_difference_that_a_native_run_shows() {
    let (status, said) = compared(ADD, &ADD.replace("EOVERFLOW", "ERANGE"));
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("old: errno = 75   new: errno = 34"), "{said}");
    assert!(!said.contains("not confirmed"), "{said}");
}

#[test]
fn an_error_number_that_is_no_longer_set_is_a_difference() {
    let (status, said) = compared(ADD, &ADD.replace("errno = EOVERFLOW; ", ""));
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("old: errno = 75"), "{said}");
}

#[test]
fn the_same_error_number_set_otherwise_is_no_difference() {
    let (status, said) = compared(ADD, &ADD.replace("a > -1UL - b", "a + b < a"));
    assert_eq!(status, 0, "{said}");
}

const NUMBER: &str = "#include <errno.h>\n#include <stdlib.h>\n\
    int number(const char *text, long *value) {\n    char *end;\n    errno = 0;\n    \
    *value = strtol(text, &end, 10);\n    return errno == ERANGE || end == text ? -1 : 0;\n}\n";

#[test]
fn what_an_earlier_call_left_in_errno_is_an_input() {
    let (status, said) = compared(NUMBER, &NUMBER.replace("errno = 0;", ""));
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("Given errno = 34"), "{said}");
}

#[test]
fn errno_that_is_only_made_zero_is_no_message() {
    let old = "#include <errno.h>\nint f(int x) { errno = 0; return x < 0 ? -x : x; }\n";
    let new = "#include <errno.h>\nint f(int x) { return x < 0 ? -x : x; }\n";
    assert_eq!(compared(old, new).0, 0);
}

const SAVED: &str = "#include <errno.h>\nint cleanup(int);\n\
    int fail(int file) {\n    int saved = errno;\n    cleanup(file);\n    errno = saved;\n    return -1;\n}\n";

#[test]
fn whoever_is_called_may_set_errno() {
    let (status, said) = compared(SAVED, &SAVED.replace("    errno = saved;\n", ""));
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("errno = "), "{said}");
}

const GUARDED: &str = "int level;\nint hook(int);\n\
    int guarded(int x) {\n    int saved = level;\n    int result = hook(x);\n    level = saved;\n    return result;\n}\n";

#[test]
fn whoever_is_called_may_write_a_variable_that_only_one_version_uses() {
    let new = "int level;\nint hook(int);\nint guarded(int x) { return hook(x); }\n";
    let (status, said) = compared(GUARDED, new);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("old: level = 1   new: level = 0"), "{said}");
    // The other way round as well, and through a pointer.
    assert_eq!(compared(new, GUARDED).0, 1);
    let through =
        |text: &str| text.replace("int hook(int);\n", "").replace("(int x)", "(int (*hook)(int), int x)");
    assert_eq!(compared(&through(GUARDED), &through(new)).0, 1);
}
