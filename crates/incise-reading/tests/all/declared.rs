//! What declarations, callers and tables of functions say.

use crate::support::check;

#[test]
fn declarations_are_read() {
    check("__attribute__((nonnull)) int f(const int *p) { return p ? *p : 0; }", &["p is not null"]);
    check("int f(int a[static 4]) { return a[0]; }", &["a is not null", "a has 4 elements or more"]);
    check(
        "__attribute__((nonnull)) static int g(const int *p) { return p != 0; }\nint f(int *p) { return g(p); }",
        &["p is not null"],
    );
}

#[test]
fn callers_pass_strings_and_variables() {
    check(
        "static int f(const char *s, int *out) { if (!s) return 0; *out = s[0] == 'y'; return s[1]; }
         int main(void) { int a; return f(\"yes\", &a) + f(\"no\", &a); }",
        &["s is a string", "s is not null", "out is not null"],
    );
    check(
        "int f(const unsigned char *p, int n) { return p ? p[0] + n : 0; }
         int main(void) { unsigned char buffer[16] = {0}; return f(buffer, sizeof buffer); }",
        &["p has room for `n` elements", "p may be null"],
    );
}

#[test]
fn numbers_of_a_function_with_known_callers_are_what_these_pass() {
    check(
        "static int f(int kind) { return kind * 2; }\nint main(void) { return f(1) + f(7); }",
        &["kind is 1 to 7"],
    );
    check("int f(int kind) { return kind * 2; }\nint main(void) { return f(1) + f(7); }", &[]);
}

#[test]
fn callbacks_are_those_that_are_passed() {
    check(
        "static int one(int x) { return x + 1; }
         static int two(int x) { return x + 2; }
         static int f(int (*get)(int), int x) { return get(x); }
         int g(int x) { return f(one, x) + f(two, x); }",
        &["get is one or two", "get is not null"],
    );
    check(
        "int f(int (*get)(int), int x) { if (!get) return -1; return get(x) + 1; }",
        &["get is an unknown function", "get may be null"],
    );
    check(
        "struct hooks { int flags; int (*get)(int); };
         static int one(int x) { return x + 1; }
         static const struct hooks table[2] = { { 0, one }, { 1, one } };
         int f(struct hooks *h, int x) { return h->get(x); }
         int g(int i) { return table[i].get(i); }",
        &["h is not null", "h->get is one or an unknown function", "h->get is not null"],
    );
}

#[test]
fn an_enumeration_is_its_names_only_where_others_are_given_up_on() {
    check(
        "enum kind { A, B };
         int f(enum kind k) { switch (k) { case A: return 1; case B: return 2; } return 0; }",
        // Nothing is taken of it: it is among what is checked, as a pointer is that may be null.
        &["k may be null"],
    );
    check(
        "enum kind { A, B };
         int f(enum kind k) { switch (k) { case A: return 1; case B: return 2; default: __builtin_unreachable(); } }",
        &["k is an enumerator"],
    );
}
