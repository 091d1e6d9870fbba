//! Loops that run in lockstep are proved by induction; what differs after any number of turns is never called the same.

use incise_exec::{Config, Externals, Hooks, Need, Needs};
use incise_incremental::differ::{Question, Sameness, differ, prove};
use incise_relate::{Induction, Visible};
use incise_testing::hooks;
use incise_testing::{program, shorter};
use std::collections::BTreeMap;

/// Asks about all paths of two versions, with 16 elements behind pointers called `a` and `b`, and any number behind
/// `p`.
fn ask<T>(old: &str, new: &str, ask: impl Fn(&Question<'_>, &Hooks<'_>) -> T) -> T {
    let pointers = ["a", "b"].into_iter().filter(|name| old.contains(&format!(" *{name}")));
    let arrays = pointers.map(|name| (name.to_owned(), 16)).collect();
    let (old, new) = (program(old), program(new));
    let mut config = Config::new("f");
    config.limits.loop_iterations = 3;
    config.inputs.null_pointers = false;
    config.externals = Externals::Recorded;
    config.inputs.arrays = arrays;
    // What `p` leads to is an array, however long.
    let need = Need { made: 1, needed: 0, element: 1 };
    let needs = Needs { elements: BTreeMap::from([("p".to_owned(), need)]), ..Needs::default() };
    config.inputs.sizes.grow(&needs, 256);
    let hooks = hooks();
    let visible = Visible::default();
    let question = Question {
        old: (&old, &config),
        new: (&new, &config),
        subjects: None,
        impact: None,
        visible,
        all_ways: true,
        loops_grow: false,
        watched: None,
    };
    ask(&question, &hooks)
}

fn induction(old: &str, new: &str) -> Induction {
    ask(old, new, |question, hooks| prove(question, hooks).expect("it is tried"))
}

/// Each line is a name and two versions, which are the bodies or whole texts of `f`.
const PROVED: &[(&str, &str, &str)] = &[
    (
        "a pointer that an unknown function returns is tested, and left behind",
        "char *get(char *, int); int f(void) { char l[4]; int n = 0; while (get(l, 4)) n = n + l[0]; return n; }",
        "char *get(char *, int); int f(void) { char l[4]; int n = 0; while (get(l, 4)) n += l[0]; return n; }",
    ),
    (
        "what an unknown function returned before the loop",
        "int *open_it(void); int next(int *); int f(void) { int *h = open_it(), s = 0; if (!h) return 1;\
         while (next(h)) s = s + *h; return s; }",
        "int *open_it(void); int next(int *); int f(void) { int *h = open_it(), s = 0; if (!h) return 1;\
         for (;;) { if (!next(h)) break; s += *h; } return s; }",
    ),
    (
        "the first turn before the loop",
        "int f(unsigned n, int x) { int s = 0; for (unsigned i = 0; i < n; i++) s = s * 3 + x; return s; }",
        "int f(unsigned n, int x) { int s = 0; if (n > 0) s = s * 3 + x;
            for (unsigned i = 1; i < n; i++) s = s * 3 + x; return s; }",
    ),
    (
        "the last turn behind the loop",
        "int f(unsigned n, int x) { int s = 0; for (unsigned i = 0; i < n; i++) s = s * 3 + x; return s; }",
        "int f(unsigned n, int x) { int s = 0; if (n > 0) { for (unsigned i = 0; i < n - 1; i++) s = s * 3 + x;
            s = s * 3 + x; } return s; }",
    ),
    (
        "a product of unknowns that is added up",
        "int f(unsigned n, unsigned x) { int s = 0; for (unsigned i = 0; i < n; i++) s ^= i * x; return s; }",
        "int f(unsigned n, unsigned x) { int s = 0; for (unsigned i = 0, k = 0; i < n; i++, k += x) s ^= k; return s; }",
    ),
    (
        "an array that is filled by the library",
        "void f(char *p, unsigned long n, char x) { for (unsigned long i = 0; i < n; i++) p[i] = x; }",
        "void f(char *p, unsigned long n, char x) { __builtin_memset(p, x, n); }",
    ),
    (
        "for and while",
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
        "int f(int n) { int s = 0, i = 0; while (i < n) { s = i + s; i = i + 1; } return s; }",
    ),
    (
        "a guarded do-while",
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
        "int f(int n) { int s = 0, i = 0; if (i < n) do { s += i; i++; } while (i < n); return s; }",
    ),
    (
        "a loop with a break at its start",
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
        "int f(int n) { int s = 0, i = 0; for (;;) { if (i >= n) break; s += i; i++; } return s; }",
    ),
    (
        "strength reduction in the body",
        "int f(unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s += i * 2; return s; }",
        "int f(unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s += i << 1; return s; }",
    ),
    (
        "a running multiple",
        "int f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s ^= i * 12; return s; }",
        "int f(unsigned n) { unsigned s = 0, k = 0; for (unsigned i = 0; i < n; i++) { s ^= k; k += 12; } return s; }",
    ),
    (
        "another start",
        "int f(unsigned n) { unsigned s = 1; for (unsigned i = 0; i < n; i++) s = s * 31 + i; return s; }",
        "int f(unsigned n) { unsigned s = 1; for (unsigned i = 5; i - 5 < n; i++) s = s * 31 + i - 5; return s; }",
    ),
    (
        "counting down",
        "int f(unsigned n, int x) { int s = 0; for (unsigned i = 0; i != n; i++) s += x; return s; }",
        "int f(unsigned n, int x) { int s = 0; for (unsigned i = n; i != 0; i--) s += x; return s; }",
    ),
    (
        "a condition in the body",
        "int f(int n, int x) { int s = 0; for (int i = 0; i < n; i++) if (i % 3 == x) s += i; else s -= 1; return s; }",
        "int f(int n, int x) { int s = 0; for (int i = 0; i < n; i++) { if (x != i % 3) s--; else s += i; } return s; }",
    ),
    (
        "the sum of an array",
        "int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }",
        "int f(int *a, int n) { int s = 0; int i = 0; while (i < n) { s = s + *(a + i); ++i; } return s; }",
    ),
    (
        "a pointer that moves in both",
        "int f(int *a, int n) { int s = 0; int *e = a + 16; while (a != e) { s += *a; a++; if (s == n) break; } return s; }",
        "int f(int *a, int n) { int s = 0; int *e = a + 16; for (; a != e; a++) { s = *a + s; if (n == s) return s; } return s; }",
    ),
    (
        "clearing an array",
        "void f(int *a, unsigned n) { for (unsigned i = 0; i < n; i++) a[i] = 0; }",
        "void f(int *a, unsigned n) { unsigned i = 0; while (i < n) { a[i] = i ^ i; i += 1; } }",
    ),
    (
        "copying an array",
        "void f(int *a, int *b, unsigned n) { for (unsigned i = 0; i < n; i++) a[i] = b[i] + b[i]; }",
        "void f(int *a, int *b, unsigned n) { unsigned i = 0; while (i < n) { a[i] = 2 * b[i]; i += 1; } }",
    ),
    (
        "the length of a string",
        "unsigned long f(char *a) { unsigned long n = 0; while (a[n]) n++; return n; }",
        "unsigned long f(char *a) { unsigned long n = 0; for (; a[n] != '\\0'; n = n + 1) { } return n; }",
    ),
    (
        "nested loops",
        "int f(int n, int m) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += i ^ j; return s; }",
        "int f(int n, int m) { int s = 0, i = 0; while (i < n) { int j = 0; while (j < m) { s = (j ^ i) + s; j++; } i++; } return s; }",
    ),
    (
        "two loops",
        "int f(int n, int m) { int s = 0; for (int i = 0; i < n; i++) s += 3; for (int j = 0; j < m; j++) s *= 3; return s; }",
        "int f(int n, int m) { int s = 0; for (int i = 0; i < n; i++) s = s + 3; for (int i = 0; i < m; i++) s = s + s + s; return s; }",
    ),
    (
        "leaving early",
        "int f(int *a, int n, int x) { for (int i = 0; i < n; i++) { if (a[i] == x) return i; } return -1; }",
        "int f(int *a, int n, int x) { int r = -1; for (int i = 0; i < n; i++) { if (x == a[i]) { r = i; break; } } return r; }",
    ),
    (
        "a function that was taken out",
        "int f(int n, int x) { int s = 0; for (int i = 0; i < n; i++) { if (x > i) s += x - i; else s += i - x; } return s; }",
        "static int gap(int a, int b) { return a > b ? a - b : b - a; }\nint f(int n, int x) { int s = 0; for (int i = 0; i < n; i++) s += gap(x, i); return s; }",
    ),
    (
        "the loop itself was taken out",
        "int f(int n, int x) { int s = 7; for (int i = 0; i < n; i++) s = s * x; return s; }",
        "static int power(int s, int x, int n) { for (int i = 0; i < n; i++) s *= x; return s; }\nint f(int n, int x) { return power(7, x, n); }",
    ),
    (
        "floats in the same order",
        "double f(double *a, int n) { double s = 1; for (int i = 0; i < n; i++) s += a[i] * 0.5; return s; }",
        "double f(double *a, int n) { double s = 1, h = 0.5; int i = 0; while (i < n) { s = s + a[i] * h; i++; } return s; }",
    ),
    (
        "floats with the operands exchanged",
        "double f(double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s = s + a[i]; return s; }",
        "double f(double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s = a[i] + s; return s; }",
    ),
    (
        "floats with the operands exchanged, in memory",
        "double g; void f(double x, int n) { for (int i = 0; i < n; i++) g = g * 0.5 + x; }",
        "double g; void f(double x, int n) { int i = 0; while (i < n) { g = x + 0.5 * g; i++; } }",
    ),
    (
        "a recurrence of floats",
        "double f(int n, double x) { double before = 1.0, now = x; for (int k = 2; k <= n; k++) { double next = (x * (2.0 * k - 1.0) * now - (k - 1.0) * before) / k; before = now; now = next; } return now; }",
        "double f(int n, double x) { double now = x, last = 1.0; for (int k = 2; k <= n; k++) { double h = 2.0 * k - 1.0, kept = now; now = (h * x * now - last * (k - 1.0)) / k; last = kept; } return now; }",
    ),
    (
        "a generator of random numbers",
        "unsigned f(unsigned s, unsigned n) { for (unsigned i = 0; i < n; i++) { s = s * 1664525u + 1013904223u; if (s >> 31) s ^= 77; } return s; }",
        "static unsigned next(unsigned s) { unsigned w = 1013904223u + 1664525u * s; return w & 0x80000000u ? w ^ 77 : w; }\nunsigned f(unsigned s, unsigned n) { unsigned i = 0; while (n > i) { s = next(s); i++; } return s; }",
    ),
    (
        "a break at the start of a do-while",
        "int f(int *a, int n) { int i = 0; while (i < n) { if (a[i] == 7) break; i++; } return i; }",
        "int f(int *a, int n) { int i = 0; if (i < n) do { if (a[i] == 7) break; i++; } while (i < n); return i; }",
    ),
    (
        "a global counter",
        "int g; void f(int n) { for (int i = 0; i < n; i++) g += 2; }",
        "int g; void f(int n) { for (int i = 0; i < n; i++) { g++; g++; } }",
    ),
    (
        "output in the loop",
        "#include <stdio.h>\nvoid f(int n) { for (int i = 0; i < n; i++) printf(\"%d\\n\", i * 2); }",
        "#include <stdio.h>\nvoid f(int n) { int i = 0; while (i < n) { printf(\"%d\\n\", i + i); i++; } }",
    ),
    (
        "calls of unknown functions in the loop",
        "int next(int); int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += next(i); return s; }",
        "int next(int); int f(int n) { int s = 0, i = 0; while (i < n) { s = next(i) + s; i++; } return s; }",
    ),
    (
        "memory that lives for a turn",
        "#include <stdlib.h>\nint f(int n) { int s = 0; for (int i = 0; i < n; i++) { int *p = malloc(4); if (!p) return 1; *p = i; s += *p; free(p); } return s; }",
        "#include <stdlib.h>\nint f(int n) { int s = 0; for (int i = 0; i < n; i++) { int *p = malloc(sizeof(int)); if (p == 0) return 1; p[0] = i; s = *p + s; free(p); } return s; }",
    ),
    (
        "the greatest common divisor",
        "unsigned f(unsigned a, unsigned b) { while (b != 0) { unsigned t = b; b = a % b; a = t; } return a; }",
        "unsigned f(unsigned a, unsigned b) { unsigned t; for (; b; a = t) { t = b; b = a % t; } return a; }",
    ),
    (
        "limits: a remainder and a subtraction",
        "unsigned f(const unsigned char *p, unsigned long n) { unsigned s = 0; for (unsigned long i = 0; i < n; i++) s = (s + p[i]) % 251; return s; }",
        "unsigned f(const unsigned char *p, unsigned long n) { unsigned s = 0; for (unsigned long i = 0; i < n; i++) { s += p[i]; while (s >= 251) s -= 251; } return s; }",
    ),
    (
        "steps: two by two, up and down",
        "unsigned f(unsigned short n) { unsigned s = 0; unsigned short i; for (i = 0; i + 1 < n; i += 2) s += 3; return s + (i < n); }",
        "unsigned f(unsigned short n) { unsigned s = 0; while (n > 1) { s += 3; n -= 2; } return s + (n == 1); }",
    ),
    (
        "flags with other values",
        "int f(const char *p) { int in = 0, c = 0; for (; *p; p++) { if (*p == '\"') in = !in; else if (*p == ',' && !in) c++; } return in ? -1 : c; }",
        "int f(const char *p) { char q = 'o'; int c = 0; while (*p) { char x = *p++; switch (x) { case '\"': q = q == 'o' ? 'i' : 'o'; break; case ',': if (q == 'o') c++; } } return q == 'i' ? -1 : c; }",
    ),
    (
        "in place, with what was held back",
        "unsigned long f(char *p, unsigned long n) { unsigned long u = 0; for (unsigned long i = 0; i < n; i++) if (p[i] != ' ') p[u++] = p[i]; return u; }",
        "unsigned long f(char *p, unsigned long n) { unsigned long u = 0, i = 0; while (i < n) { char c = p[i++]; if (c == ' ') continue; p[u] = c; u++; } return u; }",
    ),
    (
        "the last one that was found",
        "const char *f(const char *p, char c) { const char *l = 0; for (; *p; p++) if (*p == c) l = p; return l; }",
        "const char *f(const char *p, char c) { const char *l = 0; while (*p != 0) { if (c == *p) l = p; ++p; } return l; }",
    ),
];

/// Those that are the same as long as an array is no longer than a number of 32 bits can index.
const BOUNDED: &[(&str, &str, &str)] = &[
    (
        "a pointer became an index of 32 bits",
        "int f(const char *p) { int c = 0; for (; *p; p++) c += *p == ' '; return c; }",
        "int f(const char *p) { int c = 0; for (int i = 0; p[i]; i++) c += p[i] == ' '; return c; }",
    ),
    (
        "a count that stays behind an index",
        "int f(const char *p) { int c = 0; for (; *p; p++) if (*p == ' ') { c++; } return c; }",
        "int f(const char *p) { int c = 0; for (; *p; p++) if (*p == ' ') { c++; if (c < 0) return -1; } return c; }",
    ),
];

/// Pairs that differ, some only after many turns.
const DIFFERENT: &[(&str, &str, &str)] = &[
    (
        "a function may write what another one was given in the turn before",
        "int more(void); void act(void); void get(char *); int f(void) { char l[4] = {0}; int n = 0, c;\
         while (more()) { c = l[0]; act(); n += c; get(l); } return n; }",
        "int more(void); void act(void); void get(char *); int f(void) { char l[4] = {0}; int n = 0, c;\
         while (more()) { act(); c = l[0]; n += c; get(l); } return n; }",
    ),
    (
        "something else is written to what an unknown function returned",
        "int *get(void); int f(void) { int *p; while ((p = get())) *p = 1; return 0; }",
        "int *get(void); int f(void) { int *p; while ((p = get())) *p = 2; return 0; }",
    ),
    (
        "what the turn before was given is kept",
        "int *get(void); int f(void) { int *p, *q = 0, s = 0; while ((p = get())) { if (q) s += *q; q = p; } return s; }",
        "int *get(void); int f(void) { int *p, *q = 0, s = 0; while ((p = get())) { s += *p; q = p; } return s; }",
    ),
    (
        "off by one",
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
        "int f(int n) { int s = 0; for (int i = 0; i <= n; i++) s += i; return s; }",
    ),
    (
        "another start",
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += 5; return s; }",
        "int f(int n) { int s = 0; for (int i = 1; i < n; i++) s += 5; return s; }",
    ),
    (
        "another operator",
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s |= i; return s; }",
    ),
    (
        "floats in another order",
        "double f(double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s = s + a[i] + 1; return s; }",
        "double f(double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s = s + (a[i] + 1); return s; }",
    ),
    (
        "the bits of a NaN",
        "#include <string.h>\nlong f(double x, double y, int n) { double s = y; for (int i = 0; i < n; i++) s = s + x; long r; memcpy(&r, &s, 8); return r; }",
        "#include <string.h>\nlong f(double x, double y, int n) { double s = y; for (int i = 0; i < n; i++) s = x + s; long r; memcpy(&r, &s, 8); return r; }",
    ),
    (
        "the sign of zero",
        "double f(double x, int n) { double s = x; for (int i = 0; i < n; i++) s = s * 1.0; return s; }",
        "double f(double x, int n) { double s = x; for (int i = 0; i < n; i++) s = s + 0.0; return s; }",
    ),
    (
        "after a thousand turns",
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { s += 2; } return s; }",
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { s += 2; if (i == 1000) s++; } return s; }",
    ),
    (
        "after a thousand turns, in memory that only one writes",
        "int g; void f(int n) { for (int i = 0; i < n; i++) { } }",
        "int g; void f(int n) { for (int i = 0; i < n; i++) { if (i == 1000) g = 1; } }",
    ),
    (
        "after a thousand turns, in an array",
        "void f(int *a, int n) { for (int i = 0; i < n; i++) { a[i & 15] = i; } }",
        "void f(int *a, int n) { for (int i = 0; i < n; i++) { a[i & 15] = i; if (i == 1000) a[3] = 3; } }",
    ),
    (
        "after a thousand turns, in an array that was the same until then",
        "void f(int *a, int n) { for (int i = 0; i < n; i++) { a[i & 15] = i; } }",
        "void f(int *a, int n) { for (int i = 0; i < n; i++) { if (i != 1000) a[i & 15] = i; else a[3] = 3; } }",
    ),
    (
        "after a thousand turns it does not end",
        "int f(int n) { int i = 0; while (i < n) { i++; } return i; }",
        "int f(int n) { int i = 0; while (i < n) { if (i != 1000) i++; } return i; }",
    ),
    (
        "after a thousand turns it fails",
        "int f(int n) { int i = 0; while (i < n) { i++; } return i; }",
        "int f(int n) { int i = 0, z = 1; while (i < n) { i++; if (i == 1000) z = 0; i /= z; } return i; }",
    ),
    (
        "output in another order",
        "#include <stdio.h>\nvoid f(int n) { for (int i = 0; i < n; i++) { putchar('a'); putchar('b'); } }",
        "#include <stdio.h>\nvoid f(int n) { for (int i = 0; i < n; i++) { putchar('b'); putchar('a'); } }",
    ),
    (
        "output that is late",
        "#include <stdio.h>\nvoid f(int n) { for (int i = 0; i < n; i++) { if (i == 999) putchar('x'); } }",
        "#include <stdio.h>\nvoid f(int n) { for (int i = 0; i < n; i++) { if (i == 998) putchar('x'); } }",
    ),
    (
        "a pointer that goes to another object",
        "int f(int *a, int *b, int n) { int *p = a; for (int i = 0; i < n; i++) { } return *p; }",
        "int f(int *a, int *b, int n) { int *p = a; for (int i = 0; i < n; i++) { if (i == 1000) p = b; } return *p; }",
    ),
    (
        "one turn more for large numbers",
        "int f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s += 3; return s; }",
        "int f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s += 3; if (n > 5000) s += 3; return s; }",
    ),
    (
        "what the inner loop leaves behind",
        "int f(int n, int m) { int s = 0, j = 0; for (int i = 0; i < n; i++) for (j = 0; j < m; j++) s++; return s + j; }",
        "int f(int n, int m) { int s = 0, j = 0; for (int i = 0; i < n; i++) { for (j = 0; j < m; j++) s++; if (i > 999) j = 0; } return s + j; }",
    ),
    (
        "a limit that is passed in the end",
        "unsigned f(const unsigned char *p, unsigned long n) { unsigned s = 0; for (unsigned long i = 0; i < n; i++) s = (s + p[i]) % 251; return s; }",
        "unsigned f(const unsigned char *p, unsigned long n) { unsigned s = 0; for (unsigned long i = 0; i < n; i++) { s += p[i]; if (s >= 251) s -= 251; } return s; }",
    ),
    (
        "an odd number at the end",
        "unsigned f(const unsigned char *p, unsigned long n) { unsigned s = 0; unsigned long i; for (i = 0; i + 1 < n; i += 2) s += p[i]; return s + (i < n); }",
        "unsigned f(const unsigned char *p, unsigned long n) { unsigned s = 0; while (n > 1) { s += *p; p += 2; n -= 2; } return s + (n == 1 && s < 100000); }",
    ),
    (
        "a flag that is not set back after a hundred turns",
        "int f(const char *p) { int in = 0, c = 0, t = 0; for (; *p; p++) { if (*p == 'q') in = !in; else if (!in) c++; t++; } return in ? -1 : c; }",
        "int f(const char *p) { int in = 0, c = 0, t = 0; for (; *p; p++) { if (*p == 'q') in = t < 100 ? !in : 1; else if (!in) c++; t++; } return in ? -1 : c; }",
    ),
    (
        "two flags that part in the third mode",
        "int f(const char *p) { int m = 0; for (; *p; p++) { if (*p == 'x') m = m == 0 ? 1 : m == 1 ? 2 : 0; } return m; }",
        "int f(const char *p) { int m = 0; for (; *p; p++) { if (*p == 'x') m = m == 0 ? 1 : m == 1 ? 2 : m == 2 ? 3 : 0; } return m == 3 ? 0 : m; }",
    ),
    (
        "in place, and read again after it was overwritten",
        "unsigned f(unsigned char *p, unsigned long n) { unsigned s = 0; for (unsigned long i = 0; i < n; i++) { unsigned char c = p[i]; p[0] = 7; s += c; } return s; }",
        "unsigned f(unsigned char *p, unsigned long n) { unsigned s = 0; for (unsigned long i = 0; i < n; i++) { p[0] = 7; s += p[i]; } return s; }",
    ),
    (
        "in place, where reading comes behind writing",
        "void f(char *p, unsigned long n) { for (unsigned long i = 0; i + 2 < n; i++) { p[i + 2] = 1; p[i] = p[i + 1]; } }",
        "void f(char *p, unsigned long n) { for (unsigned long i = 0; i + 2 < n; i++) { char c = p[i + 2]; p[i + 2] = 1; p[i] = i > 3 ? c : p[i + 1]; } }",
    ),
    (
        "it reads behind the pointer, where only what is before it was read",
        "int f(const char *p, long n) { int s = 0; for (long i = n; i < 0; i++) s += p[i]; return s; }",
        "int f(const char *p, long n) { int s = 0; for (long i = n; i < 0; i++) { s += p[i]; if (p[3] == 9 && p[3] == 8) s++; } return s; }",
    ),
    (
        "it reads one element more",
        "int f(const char *p) { int c = 0; for (; *p; p++) c++; return c; }",
        "int f(const char *p) { int c = 0; for (; *p; p++) { c++; if (p[1] == 0 && p[2] == 'x') c--; } return c; }",
    ),
    (
        "an index of eight bits",
        "int f(const char *p) { int c = 0; for (; *p; p++) c++; return c; }",
        "int f(const char *p) { int c = 0; for (unsigned char i = 0; p[i]; i++) c++; return c; }",
    ),
    (
        "the last one, but not behind the hundredth",
        "const char *f(const char *p, char c) { const char *l = 0, *o = p; for (; *p; p++) if (*p == c) l = p; return l; }",
        "const char *f(const char *p, char c) { const char *l = 0, *o = p; for (; *p; p++) if (*p == c && p - o < 100) l = p; return l; }",
    ),
];

/// The same with what differs, or may differ.
const NOT_PROVED: &[(&str, &str, &str)] = &[
    (
        "one turn too few behind the first",
        "int f(unsigned n, int x) { int s = 0; for (unsigned i = 0; i < n; i++) s = s * 3 + x; return s; }",
        "int f(unsigned n, int x) { int s = 0; if (n > 0) s = s * 3 + x;
            for (unsigned i = 2; i < n; i++) s = s * 3 + x; return s; }",
    ),
    (
        "a turn of two that is done once too often",
        "int f(unsigned n, int x) { int s = 0; for (unsigned i = 0; i < n; i++) s += x; return s; }",
        "int f(unsigned n, int x) { int s = 0; for (unsigned i = 0; i < n; i += 2) s += x + x; return s; }",
    ),
    (
        "an array that is filled but for its last element",
        "void f(char *p, unsigned long n, char x) { for (unsigned long i = 0; i < n; i++) p[i] = x; }",
        "void f(char *p, unsigned long n, char x) { if (n > 0) __builtin_memset(p, x, n - 1); }",
    ),
    (
        "elements that are moved from the wrong end",
        "void f(char *p, unsigned long n) { for (unsigned long i = 0; i < n; i++) p[i + 1] = p[i]; }",
        "void f(char *p, unsigned long n) { __builtin_memmove(p + 1, p, n); }",
    ),
    (
        "a read that only one version makes before a loop of no turns",
        "int f(char *p, unsigned long n) { int s = 0; for (unsigned long i = 0; i < n; i++) s += p[9]; return s; }",
        "int f(char *p, unsigned long n) { int s = 0, c = p[9]; for (unsigned long i = 0; i < n; i++) s += c; return s; }",
    ),
    (
        "an array that is read before it is written",
        "int f(char *p, unsigned long n) { int s = 0; for (unsigned long i = 0; i < n; i++) { p[i] = 1; s += p[5]; }
            return s; }",
        "int f(char *p, unsigned long n) { int s = 0; if (n == 0) return 0; char c = p[5];
            for (unsigned long i = 0; i < n; i++) { p[i] = 1; s += c; } return s; }",
    ),
];

#[test]
fn turns_in_another_arrangement_are_not_proved_where_they_differ() {
    for (name, old, new) in NOT_PROVED {
        let found = induction(old, new);
        assert!(matches!(found, Induction::Open { .. }), "{name}: {found:?}");
    }
}

#[test]
fn lockstep_loops_are_proved() {
    let tried = PROVED.iter().map(|(name, old, new)| (name, induction(old, new)));
    let proved = |found: &Induction| matches!(found, Induction::Proved { bounded, .. } if bounded.is_empty());
    let open: Vec<_> = tried.filter(|(_, found)| !proved(found)).collect();
    assert!(open.is_empty(), "{open:#?}");
}

#[test]
fn arrays_with_narrow_indices_are_proved_up_to_a_length() {
    let tried = BOUNDED.iter().map(|(name, old, new)| (name, induction(old, new)));
    let proved =
        |found: &Induction| matches!(found, Induction::Proved { bounded, .. } if bounded.contains_key("p"));
    let open: Vec<_> = tried.filter(|(_, found)| !proved(found)).collect();
    assert!(open.is_empty(), "{open:#?}");
}

#[test]
fn what_differs_is_never_proved() {
    // To find no proof takes as long as there is work to spend.
    for (name, old, new) in DIFFERENT.iter().step_by(shorter(6, 1)) {
        let found = induction(old, new);
        assert!(matches!(found, Induction::Open { .. }), "{name}: {found:?}");
    }
}

#[test]
fn a_proof_makes_the_verdict() {
    let (_, old, new) = PROVED[0];
    let found = ask(old, new, |question, hooks| differ(question, hooks).expect("they are compared"));
    assert_eq!(found.verdict, Sameness::Same, "{found:#?}");
    assert!(found.notes.contains("1 loop by induction"), "{found:#?}");
}
