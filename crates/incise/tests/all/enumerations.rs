//! Enumerations among inputs: enumerators come first, other numbers where the code means them.

use crate::common::Folder;

fn compared(old: &str, new: &str, more: &[&str]) -> (i32, String) {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&[&["diff", "old.c", "new.c", "--verdict-only"], more].concat());
    (said.status, said.stdout)
}

const MEMBER: &str = "enum state { OFF, ON, FAULT };\nstruct machine { int x; enum state state; };\n\
    int code(const struct machine *m) {\n    if (m->state == OFF) return 10;\n    if (m->state == ON) return 20;\n    \
    return 30;\n}\n";
const TABLE: &str = "enum state { OFF, ON, FAULT };\nstruct machine { int x; enum state state; };\n\
    int code(const struct machine *m) {\n    static const int codes[] = {10, 20, 30};\n    \
    return codes[m->state];\n}\n";

#[test]
fn what_differs_beyond_the_enumerators_comes_after_the_others() {
    let (status, said) = compared(MEMBER, TABLE, &[]);
    assert_eq!(status, 0, "{said}");
    assert!(said.starts_with("code does the same on inputs as taken"), "{said}");
    assert!(said.contains("m->state is an enumerator"), "{said}");
    assert!(said.contains("with other inputs: introduced:"), "{said}");
    // Where all inputs count, that is a difference.
    assert_eq!(compared(MEMBER, TABLE, &["--inputs", "any"]).0, 1);
    // A range says otherwise.
    assert_eq!(compared(MEMBER, TABLE, &["--range", "m->state=0..3"]).0, 1);
}

#[test]
fn a_difference_on_an_enumerator_is_one() {
    let (status, said) = compared(MEMBER, &TABLE.replace("30}", "31}"), &[]);
    assert_eq!(status, 1, "{said}");
    assert!(said.starts_with("Given *m = {.x = 0, .state = FAULT}:"), "{said}");
}

#[test]
fn other_numbers_count_where_the_code_means_them() {
    let cases = [
        // A default besides a case for each enumerator.
        (
            "enum state { OFF, ON };\nint f(enum state s) {\n    switch (s) {\n    case OFF: return 1;\n    \
             case ON: return 2;\n    default: return -1;\n    }\n}\n",
            "default: return -1;",
            "default: return -2;",
        ),
        // Flags.
        (
            "enum flag { A = 1, B = 2, C = 4 };\nint f(enum flag x) { return (x & B) != 0; }\n",
            "(x & B) != 0",
            "x == B",
        ),
        // A check of the bounds.
        (
            "enum state { OFF, ON };\nint f(enum state s) {\n    if (s > ON)\n        return -1;\n    \
             return s == ON;\n}\n",
            "if (s > ON)",
            "if (s > ON + 1)",
        ),
    ];
    for (old, from, to) in cases {
        let (status, said) = compared(old, &old.replace(from, to), &[]);
        assert_eq!(status, 1, "{said}");
    }
}

#[test]
fn the_new_version_may_mean_other_numbers() {
    let new = MEMBER.replace("    return 30;", "    if (m->state > FAULT) return -1;\n    return 30;");
    assert_eq!(compared(MEMBER, &new, &[]).0, 1);
    // An enumerator that is new is what the change is about.
    let old = "enum state { OFF, ON };\nint f(enum state s) { return s == ON ? 1 : 0; }\n";
    let new =
        "enum state { OFF, ON, FAULT };\nint f(enum state s) { return s == ON ? 1 : s == FAULT ? 2 : 0; }\n";
    let (status, said) = compared(old, new, &[]);
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("s = FAULT"), "{said}");
}

#[test]
fn an_array_of_a_fixed_size_that_is_used_as_a_string_ends() {
    let old = "#include <string.h>\nstatic char last[8];\nstatic int value = -1;\n\
        void keep(const char *name, int v) { strncpy(last, name, 7); last[7] = 0; value = v; }\n\
        int get(const char *name) { return value >= 0 && strcmp(last, name) == 0 ? value : -1; }\n";
    let (status, said) =
        compared(old, &old.replace("strcmp(last, name) == 0", "strncmp(last, name, 4) == 0"), &[]);
    assert_eq!(status, 1, "{said}");
    assert!(!said.contains("which has 8 bytes"), "{said}");
}
