//! Which global variables have their initial values, checked on small C programs.

use incise_change::{assumed_initial, initial_values, initial_values_of_versions};
use incise_ir::Program;
use incise_testing::Compiler;

fn program(source: &str) -> Program {
    Compiler::default().program(source)
}

fn names(found: impl IntoIterator<Item = String>) -> String {
    found.into_iter().filter(|name| !name.starts_with('.')).collect::<Vec<_>>().join(" ")
}

/// The variables of a program with their initial values.
fn initial(source: &str) -> String {
    names(initial_values(&program(source)))
}

#[test]
fn what_is_only_read_has_its_initial_value() {
    assert_eq!(
        initial("int limit = 5; static int low; int f(int x) { return x > limit + low; }"),
        "limit low"
    );
    let table = "static const char *names[] = {\"a\", \"b\"}; char f(int i) { return names[i & 1][0]; }";
    assert_eq!(initial(table), "names");
    let local = "int next(void) { static int step = 3; return step; }";
    assert_eq!(initial(local), "next.step");
}

#[test]
fn what_is_written_has_not() {
    assert_eq!(initial("static int a = 1; void f(int x) { a = x; } int g(void) { return a; }"), "");
    assert_eq!(initial("static int a[3] = {1}; void f(int i) { a[i]++; }"), "");
    assert_eq!(initial("struct s { int x, y; }; static struct s a = {1, 2}; void f(void) { a.y = 3; }"), "");
    assert_eq!(
        initial("struct s { int x, y; }; static struct s a = {1, 2}; void f(struct s b) { a = b; }"),
        ""
    );
    assert_eq!(initial("void next(void) { static int count = 3; count++; }"), "");
    assert_eq!(
        initial("int __attribute__((weak)) a = 1; int f(void) { return a; }"),
        "",
        "another may replace it"
    );
    assert_eq!(initial("volatile int a = 1; int f(void) { return a; }"), "", "it changes by itself");
}

#[test]
fn a_distance_is_no_address() {
    let walked = |result: &str| {
        format!(
            "static const char *names[] = {{\"a\", \"b\", 0}};
             long f(char c) {{
                 for (const char **name = names; *name; name++)
                     if (**name == c) return {result};
                 return -1;
             }}"
        )
    };
    assert_eq!(initial(&walked("name - names")), "names");
    assert_eq!(initial(&walked("(int)((char *)name - (char *)names)")), "names");
    assert_eq!(initial(&walked("(long)name - 5")), "", "that is an address");
    assert_eq!(initial(&walked("((long)name - 5) / 8")), "", "that is nearly one");
}

#[test]
fn an_address_is_followed() {
    let passed = |body: &str| {
        format!("static int a = 1; static void g(int *p) {{ {body} }} int f(void) {{ g(&a); return a; }}")
    };
    assert_eq!(initial(&passed("*p = 2;")), "");
    assert_eq!(initial(&passed("if (*p > 2) f();").replace("static void", "int f(void); static void")), "a");
    let kept =
        "static int a = 1, b = 2; static int *p = &a; void f(void) { *p = 3; } int g(void) { return a + b; }";
    assert_eq!(initial(kept), "b p");
    let local = "static int a[4] = {1}; int f(int n) { int s = 0; for (int *p = a; p < a + 4; p++) s += *p; return s; }";
    assert_eq!(initial(local), "a");
    let written = "static int a[4] = {1}; void f(void) { for (int *p = a; p < a + 4; p++) *p = 0; }";
    assert_eq!(initial(written), "");
    let copied = "void *memcpy(void *, const void *, unsigned long); static int a[4] = {1}, b[4] = {2}; void f(void) { memcpy(a, b, 16); }";
    assert_eq!(initial(copied), "b");
}

#[test]
fn what_unknown_code_is_given_it_may_write() {
    assert_eq!(initial("static int a = 1; void ext(int *); int f(void) { ext(&a); return a; }"), "");
    assert_eq!(initial("static int a = 1; int *f(void) { return &a; } int g(void) { return a; }"), "");
    assert_eq!(
        initial("int a = 1; void ext(void); int f(void) { ext(); return a; }"),
        "a",
        "that is assumed"
    );
    let inside = "static int a = 1; struct box { int *p; }; void ext(struct box *); int f(void) { struct box b = {&a}; ext(&b); return a; }";
    assert_eq!(initial(inside), "");
    let unknown = "static int a = 1, b = 2; int *g(int *p) { return p; } void f(unsigned long n) { g(&a); *(int *)n = 1; } int h(void) { return a + b; }";
    assert_eq!(initial(unknown), "b", "a pointer of which nothing is known leads to what pointers lead to");
}

#[test]
fn a_zero_that_others_can_see_is_theirs_to_set() {
    assert_eq!(initial("int verbose; int a[3]; int f(void) { return verbose + a[1]; }"), "");
    let versions = |old: &str, new: &str| names(initial_values_of_versions(&program(old), &program(new)));
    let text = |declaration: &str| format!("{declaration} int f(void) {{ return a; }}");
    assert_eq!(versions(&text("int a;"), &text("int a;")), "");
    assert_eq!(versions(&text("int a;"), &text("int a = 1;")), "a", "it is a change that counts");
    assert_eq!(versions(&text("int a = 2;"), &(text("int a = 1;") + "void g(void) { a = 3; }")), "");
    assert_eq!(versions("int g(void) { return 1; }", &text("int a = 1;")), "a");
}

#[test]
fn only_what_others_can_see_is_assumed() {
    let program = program(
        "int seen = 1, elsewhere = 2; static int hidden = 3; const int fixed = 4; \
         static int g(void) { return seen + hidden + fixed; } int f(void) { return g(); } int h(void) { return elsewhere; }",
    );
    let entry = program.function_named("f").unwrap();
    assert_eq!(assumed_initial(&program, entry, &initial_values(&program)), ["seen"]);
}

#[test]
fn a_lock_that_only_functions_of_threads_get_begins_as_its_initialiser_says() {
    let source = |rest: &str| {
        format!(
            "#include <pthread.h>
            static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
            pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
            extern pthread_mutex_t elsewhere;
            int f(int n) {{
                pthread_mutex_lock(&lock); pthread_mutex_lock(&elsewhere);
                if (n) pthread_cond_wait(&ready, &lock);
                return pthread_mutex_unlock(&lock);
            }}
            {rest}"
        )
    };
    assert_eq!(initial(&source("")), "lock ready");
    assert_eq!(initial(&source("void g(void) { pthread_mutex_init(&lock, 0); }")), "ready");
    assert_eq!(initial(&source("extern void give(void *); void g(void) { give(&ready); }")), "lock");
    let own = "static int pthread_mutex_lock(int *p) { return *p = 1; } static int a = 0;
        int f(void) { return pthread_mutex_lock(&a); }";
    assert_eq!(initial(own), "");
}
