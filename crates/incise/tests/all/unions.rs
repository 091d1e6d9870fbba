//! Unions of pointers and numbers in inputs: the member that the code uses is the one that is there.

use crate::common::Folder;

fn compared(old: &str, new: &str) -> (i32, String) {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    (said.status, said.stdout)
}

const VALUE: &str = "#include <string.h>\nenum kind { NUMBER, TEXT, NOTHING };\n\
    struct value { enum kind kind; union { long number; const char *text; } u; };\n\
    int is_true(const struct value *v) {\n    switch (v->kind) {\n    case NUMBER: return v->u.number != 0;\n    \
    case TEXT: return v->u.text[0] != '\\0';\n    default: return 0;\n    }\n}\n";

#[test]
fn the_pointer_of_a_tagged_union_leads_to_a_string() {
    let (status, said) = compared(VALUE, &VALUE.replace("v->u.text[0] != '\\0'", "strlen(v->u.text) > 1"));
    assert_eq!(status, 1, "{said}");
    let first = said.lines().next().unwrap();
    assert!(first.contains(".kind = TEXT, .u = {.text = &*v->u.text}}, *v->u.text = \"a\""), "{said}");
    let (status, said) = compared(VALUE, &VALUE.replace("v->u.text[0] != '\\0'", "strlen(v->u.text) > 0"));
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("within bounds: v->u.text up to"), "{said}");
    assert!(said.contains("v->u.text is a string"), "{said}");
}

#[test]
fn the_number_of_a_tagged_union_has_any_value() {
    let (status, said) = compared(VALUE, &VALUE.replace("number != 0", "number > 0"));
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("{.kind = NUMBER, .u = {.number = -1}}"), "{said}");
    assert_eq!(compared(VALUE, &VALUE.replace("v->u.number != 0", "!!v->u.number")).0, 0);
}

const CELL: &str = "union value { void *pointer; long number; };\n\
    struct cell { int leads; union value v; };\n\
    long get(const struct cell *c) {\n    if (!c->leads)\n        return c->v.number;\n    \
    const long *words = c->v.pointer;\n    return words ? words[0] - words[1] : 0;\n}\n";

#[test]
fn the_first_member_may_be_the_pointer() {
    for (from, to) in [("words[0] - words[1]", "words[1] - words[0]"), ("c->v.number;", "c->v.number + 1;")] {
        let (status, said) = compared(CELL, &CELL.replace(from, to));
        assert_eq!(status, 1, "{said}");
        assert!(!said.contains("not confirmed"), "{said}");
    }
    let (status, said) = compared(CELL, &CELL.replace("words ? words[0]", "words != 0 ? *words"));
    assert_eq!(status, 0, "{said}");
}

const LIST: &str = "struct item { int type; union { long number; struct item *list; } u; struct item *next; };\n\
    long total(const struct item *i) {\n    long sum = 0;\n    for (; i; i = i->next)\n        \
    sum += i->type == 1 ? total(i->u.list) : i->u.number;\n    return sum;\n}\n";

#[test]
fn lists_of_lists_and_numbers_are_followed() {
    let new = LIST.replace("total(i->u.list)", "(i->u.list ? total(i->u.list->next) : 0)");
    let (status, said) = compared(LIST, &new);
    assert_eq!(status, 1, "{said}");
    assert!(said.lines().next().unwrap().contains(".u = {.list = &*i->u.list}"), "{said}");
    let new = LIST.replace(
        "sum += i->type == 1 ? total(i->u.list) : i->u.number;",
        "{\n\
        if (i->type != 1) sum = sum + i->u.number; else sum += total(i->u.list); }",
    );
    let (status, said) = compared(LIST, &new);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("->u.list not followed") && !said.contains("before where"), "{said}");
}

#[test]
fn the_wrong_member_is_no_comfort() {
    let (status, said) = compared(CELL, &CELL.replace("if (!c->leads)", "if (c->leads == 2 || !c->leads)"));
    assert_ne!(status, 0, "{said}");
}

#[test]
fn paths_that_go_by_unions_have_tests_that_run() {
    let folder = Folder::with(&[("value.c", VALUE), ("cell.c", CELL)]);
    for (file, entry) in [("value.c", "is_true"), ("cell.c", "get")] {
        let said = folder.run(&["run", file, "--entry", entry, "--tests", entry, "--replay"]);
        assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
        let said =
            folder.run(&["suite", "generate", file, "--entry", entry, "--output", &format!("{entry}-suite")]);
        assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
        let said = folder.run(&["suite", "check", "--suite", &format!("{entry}-suite"), file]);
        assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    }
}
