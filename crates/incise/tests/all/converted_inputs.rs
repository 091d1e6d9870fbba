//! Inputs whose types changed: the versions are compared on values that both can hold, parameters that became narrower
//! on all that callers pass, and what is reported is true.

use crate::common::Folder;
use incise_testing::in_parallel;

struct Case {
    name: &'static str,
    old: &'static str,
    new: &'static str,
    /// The verdicts that are right.
    verdicts: &'static [&'static str],
    /// What has to be said of the inputs; empty if nothing has to be.
    note: &'static str,
}

const SAME: &[&str] = &["same"];
const BOUNDED: &[&str] = &["same", "same-within-bounds"];
/// A member of an object that the function makes has another type: it is not compared, and the verdict says so.
const NOT_ALL: &[&str] = &["same-within-bounds"];
const DIFFERS: &[&str] = &["differs"];
const HELD: &str = "only values that both can hold are compared";
const NARROWER: &str = "narrower type";
const SIGN: &str = "signed in one version only";

macro_rules! case {
    ($name:expr, $verdicts:expr, $note:expr, $old:expr, $new:expr) => {
        Case { name: $name, old: $old, new: $new, verdicts: $verdicts, note: $note }
    };
}

const CASES: &[Case] = &[
    case!(
        "values that only one symbol had",
        BOUNDED,
        HELD,
        "#include <stdlib.h>\nint f(int len, int *count) { if (len < 0) return 3; int *p = calloc(1, len); if (!p) return 5; *count = 1; return 7; }",
        "#include <stdlib.h>\nint f(long len, int *count) { if (len < 0) return 3; int *p = calloc(1, len); if (!p) return 5; *count = 1; return 7; }"
    ),
    case!(
        "a type of the other program behind a result",
        SAME,
        HELD,
        "#include <stdlib.h>\nint *f(int len, int *count) { if (len < 0) return NULL; int *p = malloc(16); if (len == 0) { *count = 0; return p; } *count = 1; return p; }",
        "#include <stdlib.h>\nint *f(long len, int *count) { if (len < 0) return NULL; int *p = malloc(16); if (len == 0) { *count = 0; return p; } *count = 1; return p; }"
    ),
    case!(
        "another struct on the heap",
        NOT_ALL,
        HELD,
        "#include <stdlib.h>\nstruct s { int a; }; struct s *f(int n) { struct s *p = malloc(sizeof *p); if (p) p->a = n; return p; }",
        "#include <stdlib.h>\nstruct s { long a; }; struct s *f(long n) { struct s *p = malloc(sizeof *p); if (p) p->a = n; return p; }"
    ),
    case!(
        "int to unsigned",
        DIFFERS,
        SIGN,
        "int f(int n) { return n > 10; }",
        "int f(unsigned n) { return n > 10; }"
    ),
    case!(
        "unsigned to unsigned long",
        SAME,
        HELD,
        "unsigned f(unsigned n) { return n / 3 + 1; }",
        "unsigned f(unsigned long n) { return n / 3 + 1; }"
    ),
    case!(
        "a sum that no longer wraps",
        DIFFERS,
        HELD,
        "unsigned long f(unsigned n) { return n + 1; }",
        "unsigned long f(unsigned long n) { return n + 1; }"
    ),
    case!(
        "int to short, which cuts off what callers pass",
        DIFFERS,
        NARROWER,
        "int f(int n) { return n * 2 - n; }",
        "int f(short n) { return n; }"
    ),
    case!(
        "int to short where a short is enough",
        SAME,
        NARROWER,
        "int f(int n) { return n & 0xff; }",
        "int f(short n) { return n & 0xff; }"
    ),
    case!(
        "a length that no longer fits",
        DIFFERS,
        NARROWER,
        "unsigned f(const unsigned char *p, unsigned short n) { unsigned s = 1; for (unsigned i = 0; i < n; i++) s = s * 31 + p[i]; return s; }",
        "unsigned f(const unsigned char *p, unsigned char n) { unsigned s = 1; for (unsigned i = 0; i < n; i++) s = s * 31 + p[i]; return s; }"
    ),
    case!(
        "long to bool where it is a condition",
        SAME,
        NARROWER,
        "int f(long n) { return n ? 3 : 4; }",
        "int f(_Bool n) { return n ? 3 : 4; }"
    ),
    case!(
        "long to unsigned char where it is a condition",
        DIFFERS,
        NARROWER,
        "int f(long n) { return n ? 3 : 4; }",
        "int f(unsigned char n) { return n ? 3 : 4; }"
    ),
    case!(
        "a member that is narrower is not cut off where it is only passed by",
        SAME,
        HELD,
        "struct s { int a; long len; }; int f(struct s *p) { return p ? p->len > 5 : 0; }",
        "struct s { int a; int len; }; int f(struct s *p) { return p ? p->len > 5 : 0; }"
    ),
    case!(
        "short to int, and a slip",
        DIFFERS,
        HELD,
        "int f(short n) { return n > 100; }",
        "int f(int n) { return n >= 100; }"
    ),
    case!(
        "char to int",
        SAME,
        HELD,
        "int f(char c) { return c >= 'a' && c <= 'z'; }",
        "int f(int c) { return c >= 'a' && c <= 'z'; }"
    ),
    case!(
        "unsigned char to int",
        DIFFERS,
        HELD,
        "int f(unsigned char c) { return c >= 0x80; }",
        "int f(int c) { return c < 0; }"
    ),
    case!(
        "an enumeration to int",
        SAME,
        "",
        "enum e { A, B, C }; int f(enum e x) { return x == B; }",
        "enum e { A, B, C }; int f(int x) { return x == B; }"
    ),
    case!(
        "float to double",
        SAME,
        HELD,
        "int f(float x) { return x > 1.5f; }",
        "int f(double x) { return x > 1.5; }"
    ),
    case!(
        "a number that is another one in double",
        DIFFERS,
        HELD,
        "int f(float x) { return x > 0.1f; }",
        "int f(double x) { return x > 0.1; }"
    ),
    case!("int to double", SAME, HELD, "int f(int x) { return x > 3; }", "int f(double x) { return x > 3; }"),
    case!(
        "a member",
        SAME,
        HELD,
        "struct s { int a; int len; }; int f(struct s *p) { return p ? p->len > 5 : 0; }",
        "struct s { int a; long len; }; int f(struct s *p) { return p ? p->len > 5 : 0; }"
    ),
    case!(
        "a member that overflows",
        DIFFERS,
        HELD,
        "struct s { int a; int len; }; int f(struct s *p) { if (!p) return 0; p->len++; return p->len > 5; }",
        "struct s { int a; long len; }; int f(struct s *p) { if (!p) return 0; p->len++; return p->len > 5; }"
    ),
    case!(
        "a bit-field",
        SAME,
        HELD,
        "struct s { unsigned a : 3; unsigned b : 5; }; int f(struct s *p) { return p ? p->a + p->b : 0; }",
        "struct s { unsigned a : 4; unsigned b : 6; }; int f(struct s *p) { return p ? p->a + p->b : 0; }"
    ),
    case!(
        "behind a pointer",
        SAME,
        HELD,
        "int f(int *p) { if (!p) return -1; *p = *p / 2; return *p > 3; }",
        "int f(long *p) { if (!p) return -1; *p = *p / 2; return *p > 3; }"
    ),
    case!(
        "behind a pointer, and a slip",
        DIFFERS,
        HELD,
        "int f(int *p) { if (!p) return -1; *p = *p / 2; return *p > 3; }",
        "int f(long *p) { if (!p) return -1; *p = *p / 2; return *p > 4; }"
    ),
    case!(
        "a loop",
        SAME,
        HELD,
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
        "int f(long n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }"
    ),
    case!(
        "a loop, and a slip",
        DIFFERS,
        HELD,
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
        "int f(long n) { int s = 0; for (int i = 0; i <= n; i++) s += i; return s; }"
    ),
    case!(
        "a loop that counts otherwise",
        BOUNDED,
        HELD,
        "unsigned f(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; i++) s += i; return s; }",
        "unsigned f(unsigned long n) { unsigned s = 0; for (unsigned long i = 0; i < n; i++) s += i; return s; }"
    ),
    case!(
        "a parameter that was renamed as well",
        SAME,
        HELD,
        "int f(int a) { return a > 3; }",
        "int f(long b) { return b > 3; }"
    ),
    case!(
        "what a function without a body returns",
        SAME,
        HELD,
        "int g(void); int f(int x) { return g() > x && g() != 3; }",
        "long g(void); int f(int x) { return g() > x && g() != 3; }"
    ),
    case!(
        "what a function without a body is given",
        SAME,
        "",
        "void g(int); int f(int x) { g(x); g(-1); return 0; }",
        "void g(long); int f(int x) { g(x); g(-1); return 0; }"
    ),
    case!(
        "what was cut off before a function without a body",
        DIFFERS,
        "",
        "void g(long); int f(long x) { g(x << 32); return 0; }",
        "void g(int); int f(long x) { g(x << 32); return 0; }"
    ),
    case!(
        "recursion with another number",
        DIFFERS,
        HELD,
        "int f(int n) { if (n == 0) return 0; if (n < -1) return f(n + 1) - 1; if (n < 0) return 7; if (n > 9) return 8; return f(n - 1) + 1; }",
        "int f(long n) { if (n == 0) return 0; if (n < -1) return f((unsigned)(n + 1)) - 1; if (n < 0) return 7; if (n > 9) return 8; return f(n - 1) + 1; }"
    ),
    case!(
        "a callee that takes more",
        DIFFERS,
        "",
        "static int h(short n) { return n > 5; } int f(int x) { return h(x); }",
        "static int h(int n) { return n > 5; } int f(int x) { return h(x); }"
    ),
];

#[test]
fn inputs_of_other_types_were_two_inputs() {
    let failures = in_parallel(CASES, |case| {
        let folder = Folder::with(&[("old.c", case.old), ("new.c", case.new)]);
        let arguments = [
            "diff",
            "old.c",
            "new.c",
            "--entry",
            "f",
            "--verdict-only",
            "--format",
            "json",
            "--max-time",
            "30s",
        ];
        let said = folder.run(&arguments);
        let document = said.json().map_err(|error| format!("{}: {error}", case.name))?;
        let verdict = document["verdict"].as_str().unwrap_or_default();
        if !case.verdicts.contains(&verdict) {
            return Err(format!("{}: {verdict}, not {:?}: {document}", case.name, case.verdicts));
        }
        if !document["entries"].to_string().contains(case.note) {
            return Err(format!("{}: it is not said that {:?}: {document}", case.name, case.note));
        }
        let differences = document["differences"].as_array().map(Vec::as_slice).unwrap_or_default();
        // What a function without a body is given is not seen from outside.
        let seen = !case.name.contains("function without a body");
        match differences.iter().find(|difference| seen && difference["replayed"] != true) {
            Some(difference) => Err(format!("{}: not confirmed natively: {difference}", case.name)),
            None => Ok(()),
        }
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
