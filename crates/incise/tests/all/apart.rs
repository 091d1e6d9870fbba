//! Two pointers of one type are taken not to overlap, which the verdict says; that both lead to one object is looked at
//! afterwards, as other inputs are.

use crate::common::Folder;

/// The verdict's status, and all that is said.
fn compared(old: &str, new: &str, more: &[&str]) -> (i32, String) {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&[&["diff", "old.c", "new.c", "--verdict-only"], more].concat());
    (said.status, said.stdout)
}

const OLD: &str = "int f(int *a, const int *b) { *a = 5; return *b; }\n";
const NEW: &str = "int f(int *a, const int *b) { int v = *b; *a = 5; return v; }\n";

#[test]
fn what_differs_where_two_pointers_are_one_is_told_and_no_claim_is_made_of_every_input() {
    let (status, said) = compared(OLD, NEW, &[]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("f does the same on inputs as taken"), "{said}");
    assert!(said.contains("taken: a is not null; b is not null; a and b do not overlap"), "{said}");
    assert!(
        said.contains("with other inputs: Given a != NULL, b = a:  old: returns 5   new: returns 0"),
        "{said}"
    );
    let (status, said) = compared(OLD, NEW, &["--same", "a,b"]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("b = a"), "{said}");
}

#[test]
fn two_out_parameters_that_are_written_in_another_order_do_the_same_as_taken() {
    let old = "void f(int *a, int *b) { *a = 1; *b = 2; }\n";
    let (status, said) = compared(old, "void f(int *a, int *b) { *b = 2; *a = 1; }\n", &[]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("with other inputs: Given a != NULL, b = a:  old: *a = 2   new: *a = 1"), "{said}");
    // Where nothing depends on it nothing is told, and still nobody looked at objects that overlap in part.
    let (status, said) = compared(old, "void f(int *a, int *b) { *a = 1; *b = 1 + *a; }\n", &[]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("f does the same on inputs as taken") && !said.contains("other inputs"), "{said}");
}

#[test]
fn pointers_that_nothing_is_written_through_are_not_mentioned() {
    let old = "int f(const int *a, const int *b) { return *a + *b; }\n";
    let (status, said) = compared(old, &old.replace("*a + *b", "*b + *a"), &[]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("on every input") && !said.contains("overlap"), "{said}");
}

#[test]
fn whoever_compares_two_pointers_has_both_in_mind() {
    let old = "void f(int *a, int *b) { int t = *a; *a = *b; *b = t; }\n";
    let new = "void f(int *a, int *b) { if (a == b) { *a = 0; return; } int t = *a; *a = *b; *b = t; }\n";
    let (status, said) = compared(old, new, &[]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("Given *a = 1, b = a:") && !said.contains("do not overlap"), "{said}");
}

/// How many bytes are set was bounded by more than what its object has: the engine failed.
#[test]
fn a_run_of_bytes_ends_within_an_object_that_two_pointers_lead_to() {
    let old = "#include <string.h>\nint fill(const unsigned char *from, unsigned char *to, unsigned room) {\n    \
        unsigned n = from[0];\n    if (n > room) return -1;\n    if (n > 0) memset(to, from[1], n);\n    return n;\n}\n";
    let new = old
        .replace("if (n > 0) memset(to, from[1], n);", "for (unsigned i = 0; i < n; i++) to[i] = from[1];");
    for more in [&[][..], &["--inputs", "any", "--same", "from,to"]] {
        let (status, said) = compared(old, &new, more);
        assert!(status != 2 && !said.contains("internal error"), "{said}");
    }
}

/// What one may lead into is made first, whichever parameter comes first.
#[test]
fn overlaps_go_both_ways() {
    let old = "int f(int *a, int *b) {\n    a[0] = 1;\n    b[0] = 2;\n    return a[0];\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("return a[0]", "return 1"))]);
    for pair in ["a,b", "b,a"] {
        let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--overlap", pair]);
        assert_eq!(said.status, 1, "{pair}: {}", said.stdout);
        assert!(said.stdout.contains("old: returns 2   new: returns 1"), "{pair}: {}", said.stdout);
    }
    // In part: the second element of one is the first of the other.
    let old =
        "int f(short *a, short *b) {\n    a[0] = 5;\n    b[0] = 1;\n    b[1] = 2;\n    return a[0];\n}\n";
    let new = old.replace("return a[0]", "return a == b ? a[0] : 5");
    let folder = Folder::with(&[("old.c", old), ("new.c", &new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--overlap", "b,a"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(said.stdout.contains("old: returns 2   new: returns 5"), "{}", said.stdout);
}

#[test]
fn an_overlap_that_cannot_be_made_is_not_passed_over() {
    // A variable is made before all parameters.
    let old = "int *g;\nint f(int *b) {\n    *g = 1;\n    *b = 2;\n    return *g;\n}\nvoid set(int *p) { g = p; }\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("return *g", "return 1"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--entry", "f", "--overlap", "b,g"]);
    assert_ne!(said.status, 0, "{}", said.stdout);
}
