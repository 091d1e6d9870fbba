//! Variables that begin otherwise: what something writes is an input, the same in both versions, and a first call finds
//! what each of them begins with.

use crate::common::Folder;

/// The verdict's status, and all that is said.
fn compared(old: &str, new: &str) -> (i32, String) {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    (said.status, said.stdout)
}

const LAST: &str = "int seen(int v) {\n    static int last = -1;\n    int same = v == last;\n    last = v;\n    \
    return same;\n}\n";

#[test]
fn a_variable_that_is_written_and_begins_otherwise_is_a_change() {
    let (status, said) = compared(LAST, &LAST.replace("last = -1", "last = 0"));
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("Given v = 0:  old: returns 0   new: returns 1"), "{said}");
    assert!(said.contains("last as in a first call"), "{said}");
    let old = "static int next = 1;\nint id(void) { return next++; }\n";
    let (status, said) = compared(old, &old.replace("next = 1", "next = 100"));
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("old: returns 1, next = 2   new: returns 100, next = 101"), "{said}");
}

#[test]
fn a_variable_that_begins_otherwise_and_is_set_before_it_is_read_is_none() {
    let old = "static int sum = 1;\nint add(const int *p, int n) {\n    sum = 0;\n    \
        for (int i = 0; i < n && i < 3; i++) sum += p[i];\n    return sum;\n}\n";
    let (status, said) = compared(old, &old.replace("sum = 1", "sum = 2"));
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("sum with any value that is the same in both versions, and as in a first call"),
        "{said}"
    );
}

#[test]
fn a_variable_that_another_function_uses_is_no_matter_of_this_one() {
    let old = "static int next = 1;\nint id(void) { return next++; }\nint twice(int v) { return 2 * v; }\n";
    let new = old.replace("next = 1", "next = 7").replace("2 * v", "v + v");
    let folder = Folder::with(&[("old.c", old), ("new.c", &new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--entry", "twice"]);
    assert_eq!(said.status, 0, "{}", said.stdout);
    assert!(!said.stdout.contains("first call"), "{}", said.stdout);
}
