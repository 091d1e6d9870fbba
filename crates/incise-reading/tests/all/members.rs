//! Structs: lists, trees, vectors, rings, and what points back.

use crate::support::{check, reading};

const NODE: &str =
    "#include <string.h>\n#include <stdlib.h>\nstruct node { int value; char *name; struct node *next; };\n";

#[test]
fn a_list_ends_with_null() {
    let list = |body: &str| format!("{NODE}{body}");
    check(
        &list("int f(struct node *p) { int s = 0; for (; p; p = p->next) s += p->value; return s; }"),
        &["p may be null", "p->next may be null"],
    );
    check(
        &list("struct node *f(struct node *p) { while (p->next) p = p->next; return p; }"),
        &["p is not null", "p->next may be null"],
    );
    let reading = reading(
        &list("int f(struct node *p) { int s = 0; for (; p; p = p->next) s += strlen(p->name); return s; }"),
        "f",
    );
    assert!(reading.is_checked("p->next->next->next"));
    assert!(reading.is_not_null("p->next->next->name"));
    assert!(!reading.is_not_null("p->next"));
}

#[test]
fn a_list_that_is_freed_is_from_malloc() {
    check(
        &format!(
            "{NODE}void f(struct node *p) {{ while (p) {{ struct node *next = p->next; free(p->name); free(p); p = next; }} }}"
        ),
        &[
            "p is from malloc",
            "p may be null",
            "p->name is from malloc",
            "p->next is from malloc",
            "p->next may be null",
        ],
    );
}

#[test]
fn a_tree_is_walked_by_recursion() {
    let reading = reading(
        "struct tree { struct tree *left, *right; int key; };
         int f(struct tree *t) { if (!t) return 0; return t->key + f(t->left) + f(t->right); }",
        "f",
    );
    for path in ["t", "t->left", "t->right->left->right"] {
        assert!(reading.is_checked(path), "{path}");
        assert!(!reading.is_not_null(path), "{path}");
    }
}

#[test]
fn a_length_is_not_above_its_capacity() {
    let vector = |body: &str| {
        format!("#include <stdlib.h>\nstruct vector {{ int *data; size_t length, capacity; }};\n{body}")
    };
    check(
        &vector(
            "int f(struct vector *v, int x) {
                 if (v->length == v->capacity) return -1;
                 v->data[v->length++] = x;
                 return 0;
             }",
        ),
        &[
            "v is not null",
            "v->data is not null",
            "v->data has room for `v->capacity` elements",
            "v->length is at most `v->capacity`",
        ],
    );
    check(
        &vector(
            "int f(struct vector *v, int x) {
                 if (v->length == v->capacity) {
                     size_t c = v->capacity ? v->capacity * 2 : 4;
                     int *d = realloc(v->data, c * sizeof *d);
                     if (!d) return -1;
                     v->data = d; v->capacity = c;
                 }
                 v->data[v->length++] = x;
                 return 0;
             }",
        ),
        &[
            "v is not null",
            "v->data is from malloc",
            "v->data is not null",
            "v->data has room for `v->capacity` elements",
            "v->length is at most `v->capacity`",
        ],
    );
}

#[test]
fn elements_in_use_that_are_looked_through_are_not_above_the_capacity() {
    let set = "#include <stdlib.h>
         struct set { int *keys; size_t count, capacity; };
         static int resize(struct set *s, size_t capacity) {
             int *keys = malloc(capacity * sizeof *keys);
             if (!keys) return -1;
             for (size_t i = 0; i < s->count; i++) keys[i] = s->keys[i];
             free(s->keys);
             s->keys = keys;
             s->capacity = capacity;
             return 0;
         }
         int f(struct set *s, int key) {
             for (size_t i = 0; i < s->count; i++) if (s->keys[i] == key) return 0;
             if (s->count >= s->capacity && resize(s, s->capacity * 2 + 4)) return -1;
             s->keys[s->count] = key;
             s->count++;
             return 1;
         }";
    let reading = reading(set, "f");
    let words: Vec<String> = reading.parts.iter().map(|taken| taken.to_string()).collect();
    let has = |what: &str| words.iter().any(|each| each == what);
    assert!(has("s->count is at most `s->capacity`"), "{words:?}");
    assert!(has("s->keys has room for `s->capacity` elements"), "{words:?}");
    assert!(!words.iter().any(|each| each.contains("s->capacity is at most")), "{words:?}");
}

#[test]
fn an_index_of_a_ring_is_below_its_size() {
    for step in ["r->head = (r->head + 1) % r->size;", "if (++r->head == r->size) r->head = 0;"] {
        check(
            &format!(
                "struct ring {{ unsigned char *buffer; unsigned size, head, count; }};
                 int f(struct ring *r, unsigned char c) {{
                     if (r->count == r->size) return -1;
                     r->buffer[r->head] = c;
                     {step}
                     r->count++;
                     return 0;
                 }}"
            ),
            &[
                "r is not null",
                "r->buffer is not null",
                "r->buffer has room for `r->size` elements",
                "r->count is at most `r->size`",
                "r->head is below `r->size`",
            ],
        );
    }
    check(
        "struct ring { unsigned char buffer[8]; unsigned head; };
         void f(struct ring *r, int c) { r->buffer[r->head] = c; r->head = (r->head + 1) & 7; }",
        &["r is not null", "r->head is 0 to 7"],
    );
}

#[test]
fn a_struct_may_point_back_to_its_owner() {
    check(
        "struct stream { struct state *state; };
         struct state { struct stream *owner; int mode; };
         int f(struct stream *s) {
             if (!s || !s->state || s->state->owner != s) return -1;
             return s->state->mode + 1;
         }",
        &["s may be null", "s->state may be null", "s->state->owner may be s"],
    );
}

#[test]
fn a_cursor_that_is_made_of_parameters() {
    check(
        "struct cursor { const unsigned char *at, *end; };
         static int take(struct cursor *c) { if (c->at == c->end) return -1; return *c->at++; }
         int f(const unsigned char *p, unsigned long n) {
             struct cursor c = { p, p + n };
             int a = take(&c);
             return a + take(&c);
         }",
        &["p is not null", "p has room for `n` elements"],
    );
}

#[test]
fn elements_of_tables_are_strings() {
    let reading = reading(
        "#include <string.h>\nstruct row { const char *key; int value; };
         int f(const struct row *t, int n, const char *key) {
             for (int i = 0; i < n; i++) if (!strcmp(t[i].key, key)) return t[i].value;
             return -1;
         }",
        "f",
    );
    let lines: Vec<String> = reading.facts("t[3].key").iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["t[3].key is not null", "t[3].key is a string"]);
    assert_eq!(reading.of("t").count(), 2);
}

#[test]
fn a_pointer_that_the_function_gives_up_on_is_not_null() {
    check("#include <assert.h>\nint f(const int *p) { assert(p != 0); return *p; }", &["p is not null"]);
}

#[test]
fn what_is_subtracted_from_a_capacity_is_not_above_it() {
    let ring = "struct ring { unsigned char *data; unsigned capacity, head, count; };
         int f(struct ring *r, const unsigned char *from, unsigned n) {
             if (n > r->capacity - r->count) return -1;
             for (unsigned i = 0; i < n; i++) r->data[(r->head + r->count++) % r->capacity] = from[i];
             return 0;
         }";
    let reading = reading(ring, "f");
    let words: Vec<String> = reading.parts.iter().map(|taken| taken.to_string()).collect();
    assert!(words.iter().any(|each| each.contains("r->count is at most `r->capacity`")), "{words:?}");
    assert!(!words.iter().any(|each| each.contains("r->capacity is at most")), "{words:?}");
}

/// What is compared only on some ways, or may be another pointer by then, is null on others.
#[test]
fn an_assertion_about_what_a_pointer_may_have_become_says_nothing_of_both() {
    let text = "#include <stdlib.h>\nstruct build { struct build *parent; int count; };\n\
                struct writer { struct build *current; };\n\
                void f(struct writer *w) {\n\
                if (!w->current) abort();\n\
                if (w->current->parent) w->current = w->current->parent; else w->current->count = 0; }";
    assert!(!reading(text, "f").is_not_null("w->current->parent"));
    let text = "#include <stdlib.h>\nstruct node { struct node *next; int kind; };\n\
                int f(struct node *n) {\n\
                if (n->kind == 1) { if (!n->next) abort(); }\n\
                return n->next ? n->next->kind : 0; }";
    assert!(!reading(text, "f").is_not_null("n->next"));
    let always = "#include <stdlib.h>\nstruct box { int *content; };\n\
                  int f(struct box *b) {\n\
                  if (!b->content) abort();\n\
                  return b->content ? *b->content : 0; }";
    assert!(reading(always, "f").is_not_null("b->content"));
}
