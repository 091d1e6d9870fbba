//! Programs whose branches are joined where they only choose values do what they did, on fewer paths: checked on random
//! programs, on functions of ours, and on corner cases.

use incise_exec::{Config, Work};
use incise_incremental::differ::{Judgement, Question, Sameness, differ};
use incise_ir::{Program, join_branches, verify};
use incise_relate::Visible;
use incise_testing::{Features, batch, hooks, program, program_of, shorter};
use std::path::Path;

/// Compares a program with itself after its branches were joined.
fn compared(program: &Program, joined: &Program, mut config: Config) -> Judgement {
    config.limits.loop_iterations = 4;
    config.limits.work = Some(Work::about_milliseconds(1_000));
    let question = Question {
        old: (program, &config),
        new: (joined, &config),
        subjects: None,
        impact: None,
        visible: Visible::default(),
        all_ways: false,
        loops_grow: false,
        watched: None,
    };
    differ(&question, &hooks()).expect("they are compared")
}

/// So many random programs have fewer paths afterwards.
const FEWER: u32 = 20;

/// The pairs of paths of a program with itself.
fn paths(program: &Program, entry: &str) -> u64 {
    own_paths(program, Config::new(entry))
}

fn own_paths(program: &Program, config: Config) -> u64 {
    compared(program, program, config).effort.pairs
}

#[test]
fn random_programs_do_what_they_did() {
    let (mut same, mut all, mut fewer) = (0, 0, 0);
    for seed in 0..2 {
        let batch = batch(&Features::functions(), seed, 60);
        let before = program(&batch.old);
        let after = join_branches(&before);
        verify(&after).expect("it is still a program");
        for pair in &batch.pairs {
            let found = compared(&before, &after, pair.config());
            assert!(
                found.verdict != Sameness::Differs,
                "seed {seed}: {:?}\n{}",
                found.witnesses,
                pair.old_text
            );
            all += 1;
            same += u32::from(matches!(found.verdict, Sameness::Same | Sameness::WithinBounds));
            if fewer < FEWER {
                fewer += u32::from(own_paths(&after, pair.config()) < own_paths(&before, pair.config()));
            }
        }
    }
    assert!(fewer >= FEWER, "{fewer} have fewer paths");
    assert!(same * 10 >= all * 9, "{same} of {all} are compared to the end");
}

#[test]
fn functions_do_what_they_did() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/functions");
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .expect("the functions")
        .filter_map(|entry| Some(entry.ok()?.path()).filter(|path| path.is_dir()))
        .collect();
    names.sort();
    let (mut fewer, wanted) = (0, shorter(2, 4));
    for path in names.iter().step_by(shorter(10, 1)) {
        let before = program_of(&path.join("base.c"));
        let after = join_branches(&before);
        verify(&after).expect("it is still a program");
        let label = std::fs::read_to_string(path.join("inputs.c")).expect("its label");
        let entry = label.lines().find_map(|line| line.strip_prefix("// entry: ")).expect("its entry");
        let found = compared(&before, &after, Config::new(entry));
        assert!(found.verdict != Sameness::Differs, "{}: {:?}", path.display(), found.witnesses);
        if fewer < wanted {
            fewer += u32::from(paths(&after, entry) < paths(&before, entry));
        }
    }
    assert!(fewer >= wanted, "{fewer} have fewer paths");
}

/// A name, a text with a function `f`, and whether it has fewer paths afterwards.
const CORNERS: &[(&str, &str, bool)] = &[
    ("one side", "int f(int c, int x) { int r = 1; if (c > 3) r = x; return r; }", true),
    ("both sides", "int f(int c, int x) { int r; r = 0; if (c) r = x; else r = -x; return r; }", true),
    (
        "sides that read what they set",
        "int f(int c, int x) { int r = 1; if (c) { r = x; r += r; x = r + 1; } else { x = r; r = 7; } return r * 3 + x; }",
        true,
    ),
    (
        "global variables",
        "int v, w; int f(int c, int x) { w = x; if (c > 3) v = x; else v = w + 1; if (x < 0) w = v; return v + w; }",
        true,
    ),
    (
        "a global variable that is set and read",
        "int v; int f(int c) { if (c > 3) { v = c; v += 2; c = v; } else { v = v * 2; } return v + c; }",
        true,
    ),
    (
        "members of a global struct",
        "struct s { int a; char b[4]; struct { short c, d; } e; } s; \
         int f(int c) { if (c > 3) { s.e.c = c; s.b[2] = 7; } else { s.e.d = s.a; } return s.e.c + s.e.d + s.b[2]; }",
        true,
    ),
    (
        "a global variable that a pointer may lead to",
        "int v; int *p = &v; int f(int c) { int r = *p; if (c) { v = 5; r = *p; } return r + v; }",
        false,
    ),
    (
        "members of a union",
        "union { int whole; short parts[2]; } u; \
         int f(int c) { if (c) { u.whole = 5; u.parts[1] = 7; } else { u.parts[0] = 3; } return u.whole; }",
        false,
    ),
    (
        "one side sets a part of what the other sets",
        "union { int whole; short parts[2]; } u; \
         int f(int c) { if (c) u.whole = 5; else u.parts[0] = 3; return u.whole; }",
        false,
    ),
    ("beyond a global array", "int a[2], b; int f(int c) { if (c) a[2] = 5; else b = 1; return b; }", false),
    (
        "a volatile global variable",
        "volatile int v; int w; int f(int c) { if (c) v = 5; else w = 1; return w; }",
        false,
    ),
    ("a remainder by ten", "int f(int c, int x) { int r = x; if (c) r = x % 10 + x / 7; return r; }", true),
    ("a quotient by minus one", "int f(int c, int x) { int r = x; if (c) r = x / -1; return r; }", false),
    (
        "conditions",
        "int f(int a, int b, int c) { int r = 0; if (a > 1 && b > 2 && c > 3) r = 5; return r; }",
        true,
    ),
    (
        "other conditions",
        "int f(int a, int b, int c) { int r = 0; if (a > 1 || (b > 2 && !c)) r = 5; else r = a; return r; }",
        true,
    ),
    (
        "a condition as a value",
        "int f(int a, int b) { int r = a > 1 && b > 2; return r + (a < 5 || b < 7); }",
        true,
    ),
    (
        "a choice within a choice",
        "int f(int a, int b) { int r = 0; if (a) { if (b) r = 1; else r = 2; } else { r = b; } return r; }",
        true,
    ),
    (
        "pointers part where they are used",
        "int f(int c, int x, int y) { int *p = &x; if (c) p = &y; *p = 3; return x * 10 + y; }",
        false,
    ),
    (
        "what was read just before",
        "int f(const char *p) { int r = 0; if (*p == 'a') r = 1; else if (*p == 'b') r = 2; return r; }",
        true,
    ),
    (
        "a division is not done in vain",
        "int f(int a, int b) { int r = 0; if (b != 0) r = a / b; return r; }",
        false,
    ),
    (
        "nor a shift by more than there is",
        "int f(int a, unsigned b) { int r = 0; if (b < 31) r = a << b; return r; }",
        false,
    ),
    ("nor one by too much", "int f(int c, int x) { int r = 0; if (c) r = x << 40; return r; }", false),
    ("nor an access", "int f(int *p, int c) { int r = 0; if (c) r = *p; return r; }", false),
    (
        "nor one of another address",
        "int f(const char *p, long i) { int r = 0; if (*p == 'a') r = 1; else r = p[i]; return r; }",
        false,
    ),
    (
        "nor one behind what moved",
        "int f(const char *p) { int r = 0; if (*p++ == 'a') r = 1; else r = *p; return r; }",
        false,
    ),
    (
        "a call that computes",
        "static int g(int x) { return x * 2 + 1; } int f(int c, int x) { int r = 0; if (c) r = g(x); return r; }",
        true,
    ),
    (
        "a call with several returns",
        "static int g(int x) { if (x > 5) return 1; if (x < -5 || x == 3) return 2; return x; }
         static int h(int x) { return g(x) + g(x + 1); }
         int f(int c, int x) { int r = 0; if (c) r = h(x); return r; }",
        true,
    ),
    (
        "not a call that can fail",
        "static int g(int x) { return 7 / x; } int f(int c, int x) { int r = 0; if (x) r = g(x); return r; }",
        false,
    ),
    (
        "nor one that remembers",
        "int last; static int g(int x) { last = x; return x; } int f(int c, int x) { int r = 0; if (c) r = g(x); return r; }",
        false,
    ),
    (
        "nor one of itself",
        "static int g(int x) { return x > 0 ? g(x - 1) : 0; } int f(int c, int x) { int r = 0; if (x < 3) r = g(x); return r; }",
        false,
    ),
    (
        "nor a volatile access",
        "int f(int c) { volatile int v = 1; int r = 0; if (c) r = v; return r; }",
        false,
    ),
    ("what was never set", "int f(int c) { int r; if (c) r = 3; return c ? r : 0; }", false),
];

#[test]
fn corner_cases_do_what_they_did() {
    for (name, text, wanted) in CORNERS {
        let before = program(text);
        let after = join_branches(&before);
        verify(&after).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = compared(&before, &after, Config::new("f"));
        let same = matches!(found.verdict, Sameness::Same | Sameness::WithinBounds);
        assert!(same, "{name}: {:?} {:?}", found.verdict, found.undecided);
        let (many, few) = (paths(&before, "f"), paths(&after, "f"));
        assert_eq!(few < many, *wanted, "{name}: {few} of {many} paths");
    }
}
