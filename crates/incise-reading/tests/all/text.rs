//! Strings: passed to the library, walked, and what is no string.

use crate::support::{check, program};
use incise_reading::infer;
use std::collections::BTreeSet;

#[test]
fn what_is_passed_to_strcmp_is_a_string() {
    check(
        "#include <string.h>\nint f(const char *s) { return strcmp(s, \"yes\") == 0; }",
        &["s is not null", "s is a string"],
    );
}

#[test]
fn what_is_walked_until_zero_is_a_string() {
    check(
        "int f(const char *s) { int n = 0; while (*s) { n++; s++; } return n; }",
        &["s is not null", "s is a string"],
    );
    check(
        "int f(const unsigned char *s) { int n = 0; for (int i = 0; s[i] != 0; i++) n += s[i]; return n; }",
        &["s is not null", "s is a string"],
    );
    check(
        "int f(const char *s) { const char *p = s; while (*p != '\\0' && *p != ':') p++; return p - s; }",
        &["s is not null", "s is a string"],
    );
}

#[test]
fn what_is_walked_below_a_number_is_no_string() {
    check(
        "int f(const char *s, unsigned n) { unsigned i = 0; while (i < n && s[i]) i++; return i; }",
        &["s is not null", "s has room for `n` elements"],
    );
}

#[test]
fn a_string_that_may_be_null_is_one() {
    check(
        "#include <string.h>\nint f(const char *s) { if (!s) return -1; return strlen(s); }",
        &["s is a string", "s may be null"],
    );
    check(
        "#include <string.h>\nint f(const char *s) { if (!s) s = \"\"; return strlen(s); }",
        &["s is a string", "s may be null"],
    );
}

#[test]
fn values_of_a_format_are_strings() {
    check(
        "#include <stdio.h>\nvoid f(int n, const char *s, char *to, size_t room) { snprintf(to, room, \"%d %s\", n, s); }",
        &["s is not null", "s is a string", "to is not null", "to has room for `room` elements"],
    );
}

#[test]
fn members_and_globals_are_strings() {
    check(
        "#include <string.h>\nstruct entry { int key; const char *name; };\nchar *home;\n\
         int f(struct entry *e) { return strlen(e->name) + strlen(home); }",
        &[
            "e is not null",
            "e->name is not null",
            "e->name is a string",
            "home is not null",
            "home is a string",
        ],
    );
}

#[test]
fn nothing_is_taken_of_a_variable_with_its_initial_value() {
    let text = "static const char *names[] = {\"Sun\", \"Mon\"};\nchar *home;\n\
                int f(int i) { return i + names[1][0] + home[0]; }";
    let program = program(text);
    let entry = program.function_named("f").unwrap();
    let inputs = |initial: BTreeSet<String>| -> BTreeSet<String> {
        infer(&program, entry, &initial).parts.into_iter().map(|taken| taken.input).collect()
    };
    let names = |input: &String| input.contains("names");
    assert!(inputs(BTreeSet::new()).iter().any(names));
    assert_eq!(inputs(BTreeSet::from(["names".to_owned()])), BTreeSet::from(["home".to_owned()]));
}

#[test]
fn what_a_callee_takes_for_a_string_is_one() {
    check(
        "#include <string.h>\nstatic const char *skip(const char *p) { while (*p == ' ') p++; return p; }\n\
         static int measure(const char *p) { return strlen(skip(p)); }\n\
         int f(const char *line, int n) { return n ? measure(line) : 0; }",
        &["line is not null", "line is a string"],
    );
}

#[test]
fn a_walk_over_digits_ends() {
    check(
        "#include <ctype.h>\nint f(const char *s) { int n = 0; while (isdigit((unsigned char)*s)) n = n * 10 + (*s++ - '0'); return n; }",
        &["s is not null", "s is a string"],
    );
    check(
        "int f(const char *s) { int n = 0; while (*s >= '0' && *s <= '9') n = n * 10 + (*s++ - '0'); return n; }",
        &["s is not null", "s is a string"],
    );
}

#[test]
fn the_beginning_of_a_string_unless_something_tells_its_length() {
    let include =
        "unsigned long strlen(const char *); int strncmp(const char *, const char *, unsigned long);\n";
    check(
        &format!(
            "{include}int f(const char *line, const char *key) {{ return strncmp(line, key, strlen(key)); }}"
        ),
        &["line is not null", "line is a string", "key is not null", "key is a string"],
    );
    check(
        &format!(
            "{include}int f(const char *line, unsigned long size) {{ return size >= 4 && strncmp(line, \"GET \", 4) == 0 ? line[size - 1] : 0; }}"
        ),
        &["line is not null", "line has room for `size` elements"],
    );
    // What tells the length may be above.
    check(
        &format!(
            "{include}static int is_get(const char *line) {{ return strncmp(line, \"GET \", 4) == 0; }}
             int f(const char *line, unsigned long size) {{
                 if (size < 4 || !is_get(line)) return -1;
                 int s = 0;
                 for (unsigned long i = 4; i < size; i++) s += line[i];
                 return s;
             }}"
        ),
        &["line is not null", "line has room for `size` elements"],
    );
}
