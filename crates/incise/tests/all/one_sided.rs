//! What only one version has: that it is written is part of the verdict, and a new pointer is taken to lead somewhere.

use crate::common::Folder;

/// The verdict's status, and all that is said.
fn compared(old: &str, new: &str) -> (i32, String) {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    (said.status, said.stdout)
}

const OLD: &str = "struct stream { int a, b; };\nvoid reset(struct stream *s) {\n    s->a = 0;\n}\n";

#[test]
fn a_new_member_that_is_written_is_named_in_the_verdict() {
    let new =
        OLD.replace("int a, b;", "int a, b, again;").replace("s->a = 0;", "s->a = 0;\n    s->again = 0;");
    let (status, said) = compared(OLD, &new);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("within bounds: without s->again, which only one version has and writes"),
        "{said}"
    );
    // The other way round: it is no longer written.
    let (_, said) = compared(&new, OLD);
    assert!(said.contains("without s->again, which only one version has and writes"), "{said}");
}

#[test]
fn a_new_member_that_is_left_alone_takes_nothing_away() {
    let new = OLD.replace("int a, b;", "int a, again, b;").replace("s->a = 0;", "if (s->a) s->a = 0;");
    let (status, said) = compared(OLD, &new);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("reset does the same on every input"), "{said}");
}

#[test]
fn a_new_member_is_named_where_loops_are_proved() {
    let old = "struct box { int sum; };\nvoid add(struct box *b, const unsigned char *p, unsigned n) {\n    \
        for (unsigned i = 0; i < n; i++) b->sum += p[i];\n}\n";
    let new = old.replace("int sum;", "int sum, calls;").replace("for (", "b->calls++;\n    for (");
    let (status, said) = compared(old, &new);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("without b->calls, which only one version has and writes"), "{said}");
}

/// The first turn stands before the loop, so that the loops are not in lockstep.
const PEELED: [&str; 2] = [
    "struct box { unsigned sum; };\nvoid add(struct box *b, const unsigned char *p, unsigned n) {\n    \
     unsigned s = 0;\n    for (unsigned i = 0; i < n; i++) s = s * 3 + p[i];\n    b->sum = s;\n}\n",
    "struct box { unsigned sum; };\nvoid add(struct box *b, const unsigned char *p, unsigned n) {\n    \
     unsigned s = 0;\n    if (n > 0) s = s * 3 + p[0];\n    \
     for (unsigned i = 1; i < n; i++) s = s * 3 + p[i];\n    b->sum = s;\n}\n",
];

#[test]
fn a_new_member_is_named_where_loops_in_another_arrangement_are_proved() {
    let [old, new] = PEELED;
    let (status, said) = compared(old, new);
    assert!(status == 0 && said.contains("add does the same on inputs as taken"), "{said}");
    assert!(said.contains("by induction"), "{said}");
    // A counter that only one version has is no reason not to prove the loop, and is a bound of the verdict.
    let counting = new
        .replace("unsigned sum;", "unsigned sum; int calls;")
        .replace("b->sum = s;", "b->sum = s; b->calls++;");
    for (old, new) in [(old, &*counting), (&*counting, old)] {
        let (status, said) = compared(old, new);
        assert_eq!(status, 0, "{said}");
        let first = said.lines().next().unwrap_or_default();
        assert!(
            said.contains("within bounds: without b->calls, which only one version has and writes"),
            "{said}"
        );
        assert!(!first.contains("elements"), "{said}");
        assert!(said.contains("by induction"), "{said}");
    }
}

#[test]
fn a_new_variable_that_is_written_is_named_in_the_verdict() {
    let old = "int twice(int x) { return 2 * x; }\n";
    let new = "static int calls;\nint twice(int x) { calls++; return x + x; }\n";
    let (status, said) = compared(old, new);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("without calls, which only one version has and writes"), "{said}");
}

#[test]
fn a_new_pointer_that_is_not_checked_is_taken_to_lead_somewhere() {
    let old =
        "struct state { int at, table[4]; };\nint get(struct state *s) { return s->table[s->at & 3]; }\n";
    let new = "struct state { int at, table[4]; const int *shift; };\n\
        int get(struct state *s) {\n    if (s->at < 0) return s->table[s->at & 3] + *s->shift;\n    \
        return s->table[s->at & 3];\n}\n";
    let (status, said) = compared(old, new);
    assert_eq!(status, 1, "{said}");
    let taken = said.contains("s->shift is not null");
    let first = said.lines().next().unwrap_or_default().contains("returns");
    assert!(taken && first && !said.contains("introduced: read through a null pointer"), "{said}");
    // Who asks means it.
    let asking = new.replace("if (s->at < 0)", "if (s->at < 0 && s->shift != s->table && s->shift)");
    let (_, said) = compared(old, &asking);
    assert!(!said.contains("s->shift is not null"), "{said}");
}
