//! What functions without a body return pointers to: they know it afterwards, and may give it back again.

use crate::common::Folder;

/// The verdict's status, and all that is said.
fn compared(old: &str, new: &str) -> (i32, String) {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    (said.status, said.stdout)
}

/// Another text behind the same beginning.
fn rewritten(text: &str, from: &str, to: &str) -> (i32, String) {
    assert!(text.contains(from), "{text}");
    compared(text, &text.replace(from, to))
}

#[test]
fn a_result_that_is_read_behind_the_next_call_may_have_been_written() {
    let text = "struct time { int hour; };\nstruct time *local(long);\n\
        int later(long a, long b) {\n    struct time *one = local(a);\n    if (!one) return 0;\n    \
        int hour = one->hour;\n    struct time *other = local(b);\n    return other ? hour : 0;\n}\n";
    let (status, said) = rewritten(text, "return other ? hour", "return other ? one->hour");
    assert_eq!(status, 1, "{said}");
    assert!(said.contains("later differs in 1 way") && !said.contains("not confirmed"), "{said}");
}

#[test]
fn who_is_called_may_write_what_another_returned() {
    let text = "int *level(void);\nvoid reload(void);\n\
        int get(void) {\n    int *l = level();\n    if (!l) return 0;\n    int now = *l;\n    reload();\n    return now;\n}\n";
    let (status, said) = rewritten(text, "return now", "return *l");
    assert_eq!(status, 1, "{said}");
    // What nobody else has a pointer to stays what it is.
    let own = text.replace("level(void);", "level(void) __attribute__((malloc));");
    let (status, said) = rewritten(&own, "return now", "return *l");
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("on every input"), "{said}");
}

const SWAP: &str = "int *slot(int);\nint swap(int a, int b) {\n    int *p = slot(a), *q = slot(b);\n    \
    if (!p || !q) return -1;\n    int t = *p;\n    *p = *q;\n    *q = t;\n    return 0;\n}\n";

#[test]
fn two_results_may_be_one_object() {
    let xor = "*p ^= *q;\n    *q ^= *p;\n    *p ^= *q;";
    let (status, said) = rewritten(SWAP, "int t = *p;\n    *p = *q;\n    *q = t;", xor);
    assert_eq!(status, 1, "{said}");
    assert!(!said.contains("not confirmed"), "{said}");
    let other = "int t = *q;\n    *q = *p;\n    *p = t;";
    let (status, said) = rewritten(SWAP, "int t = *p;\n    *p = *q;\n    *q = t;", other);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("on every input"), "{said}");
}

#[test]
fn what_a_name_or_an_attribute_says_is_new_is_no_earlier_result() {
    let text = "struct node { int value; };\nstruct node *node_new(void);\n\
        int two(int a, int b) {\n    struct node *x = node_new(), *y = node_new();\n    if (!x || !y) return 0;\n    \
        x->value = a;\n    y->value = b;\n    return x->value;\n}\n";
    let (status, said) = rewritten(text, "return x->value", "return a");
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("on every input") && said.contains("node_new returns is taken to be new"),
        "{said}"
    );
    let said_so =
        text.replace("node_new(void);", "look(void) __attribute__((malloc));").replace("node_new", "look");
    assert_eq!(rewritten(&said_so, "return x->value", "return a").0, 0);
    let unknown = text.replace("node_new", "look");
    assert_eq!(rewritten(&unknown, "return x->value", "return a").0, 1);
}

#[test]
fn a_result_may_lead_into_what_was_given() {
    let member = "struct device { int id, count; };\nint *counter(struct device *);\n\
        int bump(struct device *d) {\n    int *c = counter(d);\n    if (!c) return -1;\n    int before = d->count;\n    \
        *c = 5;\n    return before;\n}\n";
    let (status, said) = rewritten(member, "return before", "return d->count");
    assert_eq!(status, 1, "{said}");
    let text = "char *separator(char *);\n\
        int split(char *s) {\n    char *at = separator(s);\n    if (!at) return 0;\n    char second = s[1];\n    \
        *at = 0;\n    return second;\n}\n";
    let (status, said) = rewritten(text, "return second", "return s[1]");
    assert_eq!(status, 1, "{said}");
}

#[test]
fn a_result_that_is_kept_over_the_turns_of_a_loop_may_be_written_in_each() {
    let text = "int *look(int);\n\
        int sum(int n) {\n    int s = 0, *p = look(0);\n    if (!p) return 0;\n    int first = *p;\n    \
        for (int i = 0; i < n; i++) {\n        look(i);\n        s += *p;\n    }\n    return s + first - first;\n}\n";
    let (status, said) = rewritten(text, "s += *p", "s += first");
    assert_eq!(status, 1, "{said}");
    let text = "struct entry { int used; };\nstruct entry *entry(int);\n\
        int all(int n) {\n    struct entry *last = 0;\n    int c = 0;\n    for (int i = 0; i < n; i++) {\n        \
        struct entry *e = entry(i);\n        if (!e) break;\n        int before = last ? last->used : 0;\n        \
        e->used = 0;\n        c += before;\n        last = e;\n    }\n    return c;\n}\n";
    let (status, said) = rewritten(text, "c += before", "c += last ? last->used : 0");
    assert_eq!(status, 1, "{said}");
}

#[test]
fn results_that_only_a_turn_knows_are_no_hindrance_to_a_proof() {
    let text = "struct entry { int used; };\nstruct entry *entry(int);\n\
        void all(int n) {\n    for (int i = 0; i < n; i++) {\n        struct entry *e = entry(i);\n        \
        if (e) e->used = 1 + 1;\n    }\n}\n";
    let (status, said) = rewritten(text, "= 1 + 1", "= 2");
    assert_eq!(status, 0, "{said}");
    let (status, said) =
        rewritten(text, "for (int i = 0; i < n; i++) {", "int i = -1;\n    while (++i < n) {");
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("all does the same on every input"), "{said}");
}

#[test]
fn a_pointer_that_was_set_since_leads_to_an_object_of_its_own() {
    // After the second call both `one` and `two` are known, on the same way.
    let text = "struct box { int *in; };\nvoid show(struct box *);\n\
        int f(int a) {\n    int one = a, two = 2;\n    struct box b = {&one};\n    show(&b);\n    b.in = &two;\n    \
        show(&b);\n    int seen = one;\n    show(&b);\n    return seen;\n}\n";
    let (status, said) = rewritten(text, "return seen", "return one");
    assert!(matches!(status, 1 | 3) && said.contains("differs"), "{said}");
    let (status, said) = rewritten(text, "int seen = one;\n", "int seen = one;\n    one = 7;\n");
    assert!(matches!(status, 1 | 3) && said.contains("differs"), "{said}");
}

#[test]
fn a_call_that_sets_a_pointer_writes_natively_to_what_it_led_to_before() {
    let text = "struct context { int *data; };\nint fill(struct context *);\n\
        int f(struct context *c) {\n    if (fill(c) < 0 || !c->data) return -1;\n    int *data = c->data, now = *data;\n    \
        fill(c);\n    return now;\n}\n";
    let (status, said) = rewritten(text, "return now", "return *data");
    assert_eq!(status, 1, "{said}");
}
