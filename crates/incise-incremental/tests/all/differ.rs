//! Two versions compared: verdicts, witnesses, and the traps on the way from affected to different.

use incise_change::{Impact, Rules, Versions};
use incise_exec::{Config, InputValue, LimitKind, Work};
use incise_incremental::Subject;
use incise_incremental::differ::{Judgement, Question, Sameness, differ};
use incise_relate::Visible;
use incise_testing::hooks;
use incise_testing::program;

fn compare(old: &str, new: &str) -> Judgement {
    compare_with(old, new, |_| {})
}

fn compare_with(old: &str, new: &str, set: impl Fn(&mut Config)) -> Judgement {
    compare_all(old, new, set, true)
}

fn compare_all(old: &str, new: &str, set: impl Fn(&mut Config), all_ways: bool) -> Judgement {
    let (old, new) = (program(old), program(new));
    let (old_entry, new_entry) = (old.function_named("f").expect("f"), new.function_named("f").expect("f"));
    let versions = Versions::compare(&old, &new);
    let (forward, backward) =
        Impact::both_ways(&old, &new, versions, (&[old_entry], &[new_entry]), Rules::Closed, false);
    let mut config = Config::new("f");
    config.limits.loop_iterations = 16;
    set(&mut config);
    let hooks = hooks();
    let (Some(new_effects), Some(old_effects)) = (&forward.effects, &backward.effects) else {
        panic!("nothing changed");
    };
    let mut old_scope = backward.below(&[old_entry], old_effects, Rules::Closed);
    let mut new_scope = forward.below(&[new_entry], new_effects, Rules::Closed);
    let (old_root, new_root) = (old_scope.root(old_entry), new_scope.root(new_entry));
    let (old_subject, new_subject) = (Subject::new(&old_scope, old_root), Subject::new(&new_scope, new_root));
    let question = Question {
        old: (&old, &config),
        new: (&new, &config),
        subjects: Some((&old_subject, &new_subject)),
        impact: Some(&forward),
        visible: Visible::default(),
        all_ways,
        loops_grow: false,
    };
    differ(&question, &hooks).expect("they are compared")
}

fn values(judgement: &Judgement) -> Vec<(String, InputValue, InputValue)> {
    let all = judgement.witnesses.iter().flat_map(|witness| witness.values.clone());
    all.map(|value| (value.name, value.old, value.new)).collect()
}

/// A loop that ends for every number, and one that does not for odd ones.
const ENDS: &str = "int f(unsigned char n) { int c = 0; while (n > 1) { n -= 2; c++; } return c; }";
const ENDS_FOR_EVEN: &str = "int f(unsigned char n) { int c = 0; while (n != 0) { n -= 2; c++; } return c; }";

#[test]
fn a_version_that_goes_on_where_the_other_ended_is_not_the_same_within_bounds() {
    // Not enough to see that it does not end.
    let short = |config: &mut Config| config.limits.work = Some(Work::about_milliseconds(700));
    let found = compare_with(ENDS, ENDS_FOR_EVEN, short);
    assert_eq!(found.verdict, Sameness::Undecided, "{:?}", found.bounds);
    let found = compare(ENDS, ENDS_FOR_EVEN);
    assert_eq!(found.verdict, Sameness::Differs);
    assert!(found.witnesses.iter().all(|witness| witness.endless));
}

#[test]
fn a_version_that_goes_on_where_the_other_ended_and_ends_later_is_the_same_within_bounds() {
    let found = compare(
        "unsigned f(unsigned char n) { return n * (n + 1u) / 2; }",
        "unsigned f(unsigned char n) { unsigned s = 0; while (n) s += n--; return s; }",
    );
    assert_eq!(found.verdict, Sameness::WithinBounds, "{:?}", found.undecided);
}

#[test]
fn a_difference_has_a_small_input() {
    let found = compare(
        "int g; void f(int x, int y) { if (x <= 0) g = 1; else g = 2; }",
        "int g; void f(int x, int y) { if (x == 0) g = 1; else g = 2; }",
    );
    assert_eq!(found.verdict, Sameness::Differs);
    assert_eq!(values(&found), [("g".to_owned(), InputValue::Signed(1), InputValue::Signed(2))]);
    let inputs = found.witnesses[0].new.inputs.as_ref().expect("inputs");
    let x = inputs.iter().find(|input| input.name == "x").expect("x");
    assert_eq!(x.value, InputValue::Signed(-1));
}

/// Branches that depend on what a changed statement gives, more than can be explored.
fn with_branches_behind(changed: &str) -> String {
    let rare = "static int rare(int x, int r) { if (x != 77) return 1; return r; }";
    let mut text = format!("int in[20], out[20];\n{rare}\nint f(int x) {{\n    int r = {changed};\n");
    for index in 0..20 {
        text += &format!("    if (in[{index}] > r)\n        out[{index}] = r;\n");
    }
    text + "    return 0;\n}\n"
}

#[test]
fn what_an_early_decision_hides_is_found_before_all_that_follows_is_explored() {
    // The first way is the side on which nothing differs, with all that can follow it.
    let (old, new) = (with_branches_behind("rare(x, 2)"), with_branches_behind("rare(x, 3)"));
    let found = compare_all(&old, &new, |config| config.limits.paths = 400, false);
    assert_eq!(found.verdict, Sameness::Differs, "{:?}", found.undecided);
    assert!(found.effort.leading < 200, "{:?}", found.effort);
}

#[test]
fn the_search_for_more_ways_to_differ_ends_where_none_turns_up() {
    let (old, new) = (with_branches_behind("x"), with_branches_behind("x + 1"));
    let found = compare_all(&old, &new, |config| config.limits.paths = 800, false);
    assert_eq!(found.verdict, Sameness::Differs);
    assert!(found.settled_early && found.effort.abandoned > 0);
    assert!(
        found.undecided.iter().any(|reason| reason.to_string().contains("no new way to differ")),
        "{:?}",
        found.undecided
    );
    let pairs = found.effort.pairs;
    let all = compare_all(&old, &new, |config| config.limits.paths = 800, true);
    assert!(!all.settled_early && all.effort.pairs > 2 * pairs, "{pairs} of {:?}", all.effort);
    assert_eq!(values(&all).len(), values(&found).len(), "there was no other");
    // Where there are few pairs all of them are looked at.
    let (old, new) = ("int f(int x) { return x > 3; }", "int f(int x) { return x > 4; }");
    let found = compare_all(old, new, |_| {}, false);
    assert!(found.verdict == Sameness::Differs && !found.settled_early && found.undecided.is_empty());
}

#[test]
fn refactorings_are_proved() {
    for (old, new) in [
        ("int f(int x) { return x * 2; }", "int f(int x) { return x << 1; }"),
        ("int f(unsigned x) { return x / 4; }", "int f(unsigned x) { return x >> 2; }"),
        (
            "int f(int a, int b) { if (!(a > 1 && b > 2)) return 1; return 0; }",
            "int f(int a, int b) { if (a <= 1 || b <= 2) return 1; return 0; }",
        ),
        (
            "int f(int k) { switch (k) { case 1: return 5; case 2: return 7; default: return 0; } }",
            "int f(int k) { if (k == 1) return 5; if (k == 2) return 7; return 0; }",
        ),
        (
            "double f(double a, double b) { return a + b; }",
            "double f(double a, double b) { double s = b; return s + a; }",
        ),
        (
            "struct s { int a, b; }; int f(struct s *p) { p->a = 1; p->b = 2; return 0; }",
            "struct s { int a, b; }; int f(struct s *p) { p->b = 2; p->a = 1; return 0; }",
        ),
    ] {
        let found = compare(old, new);
        assert_eq!(found.verdict, Sameness::Same, "{old}\n{new}\n{found:#?}");
    }
}

#[test]
fn traps_are_seen() {
    for (old, new) in [
        // An observation that an unaffected branch decides.
        (
            "int f(int x, int k) { int y = x; if (k == 2) return y; return 0; }",
            "int f(int x, int k) { int y = x + 1; if (k == 2) return y; return 0; }",
        ),
        // A dependence that only the old version has.
        (
            "int f(int x) { int b = 0; if (x == 77) b = 1; int a = b; return a; }",
            "int f(int x) { int b = 0; if (x == 77) b = 1; int a = 0; return a; }",
        ),
        // A difference hidden behind an unaffected constraint.
        (
            "int f(int x, int y) { int r = 0; if (x > 5) r = 1; if (x == 3) y = 7; return y + r; }",
            "int f(int x, int y) { int r = 0; if (x > 5) r = 1; if (x == 3) y = 8; return y + r; }",
        ),
        // A division that can newly fail.
        ("int f(int x) { if (x) return 8 / x; return 0; }", "int f(int x) { return 8 / x; }"),
        // A value that nobody uses, and that fails before control comes to its statement.
        (
            "int t[4]; int f(int c) { int v = 0; v = c ? 5 : 1; return c; }",
            "int t[4]; int f(int c) { int v = 0; v = c ? 5 : t[7]; return c; }",
        ),
        (
            "int t[4]; int f(int c) { int v = 0; v = c ? 5 : 1; return c; }",
            "int t[4]; int f(int c) { int v = 0; v = c ? t[7] : 1; return c; }",
        ),
        // A loop that no longer ends.
        (
            "int f(unsigned n) { unsigned i = 0; while (i < n) { i++; } return i; }",
            "int f(unsigned n) { unsigned i = 0; while (i < n) { if (n != 9) i++; } return i; }",
        ),
        // A global that is no longer written, and a pointer.
        ("int g; void f(int x) { g = x; }", "int g; void f(int x) { }"),
        ("int a, b; int *p; void f(void) { p = &a; }", "int a, b; int *p; void f(void) { p = &b; }"),
        // A struct that is returned through memory.
        (
            "struct s { int a; double d; char name[8]; }; struct s f(int a) { struct s r = { a, 1.0, \"abc\" }; return r; }",
            "struct s { int a; double d; char name[8]; }; struct s f(int a) { struct s r = { a, 1.0, \"abd\" }; return r; }",
        ),
        // Output.
        (
            "#include <stdio.h>\nvoid f(int x) { printf(\"%d\\n\", x); }",
            "#include <stdio.h>\nvoid f(int x) { printf(\"%d\\n\", x + 1); }",
        ),
        // Reassociation of floating-point numbers.
        (
            "double f(double a, double b, double c) { return (a + b) + c; }",
            "double f(double a, double b, double c) { return a + (b + c); }",
        ),
    ] {
        let found = compare(old, new);
        assert_eq!(found.verdict, Sameness::Differs, "{old}\n{new}\n{found:#?}");
    }
}

#[test]
fn errors_are_put_in_buckets() {
    let found = compare(
        "int f(int x, int *p) { if (x == 0) return 0; return *p / x; }",
        "int f(int x, int *p) { if (!p) return 0; return *p / x; }",
    );
    let names = |errors: &[incise_incremental::differ::FoundError]| -> Vec<&str> {
        errors.iter().map(|error| error.kind.name()).collect()
    };
    assert_eq!(names(&found.introduced), ["division-by-zero"]);
    assert_eq!(names(&found.fixed), ["null-pointer"]);
}

#[test]
fn bounds_are_part_of_the_verdict() {
    let old = "int f(unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s += i; return s; }";
    let new = "int f(unsigned n) { int s = 0; for (unsigned i = n; i > 0; i--) s += i - 1; return s; }";
    let found = compare_with(old, new, |config| config.limits.loop_iterations = 6);
    assert_eq!(found.verdict, Sameness::WithinBounds, "{found:#?}");
    assert!(found.bounds.contains(&LimitKind::Loop));
}

#[test]
fn recursion_is_proved_by_induction_over_calls() {
    let same = [
        (
            "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }",
            "int f(int n) { if (n <= 100) { int m = f(11 + n); return f(m); } return n - 10; }",
        ),
        (
            "static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }\nint f(int n, int k) { return sum(n) * 2 + k; }",
            "static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }\nint f(int n, int k) { int t = sum(n); return k + t + t; }",
        ),
        // The same call once and twice.
        (
            "static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }\nint f(int n) { return sum(n) + sum(n); }",
            "static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }\nint f(int n) { return sum(n) * 2; }",
        ),
    ];
    for (old, new) in same {
        let found = compare(old, new);
        assert_eq!(found.verdict, Sameness::Same, "{old}\n{new}\n{found:#?}");
    }
    let bounded = [
        // Another argument, for which the results agree within the bounds only.
        (
            "int f(unsigned n) { if (n == 0) return 0; return f(n - 1); }",
            "int f(unsigned n) { if (n == 0) return 0; if (n == 5000) return f(n - 2) + 1; return f(n - 1); }",
        ),
        // The result of the call is not used in the same way.
        (
            "int f(unsigned n) { if (n < 2) return 1; return f(n - 1) + 1; }",
            "int f(unsigned n) { if (n < 2) return 1; int m = f(n - 1); if (m > 900) return m; return m + 1; }",
        ),
    ];
    for (old, new) in bounded {
        let found = compare_with(old, new, |config| config.limits.stack = 40);
        assert_ne!(found.verdict, Sameness::Same, "{old}\n{new}\n{found:#?}");
    }
}

#[test]
fn variables_of_one_name_are_told_apart() {
    let text = "int f(int x) { static int n; n = x; return 0; }\nint g(int x) { static int n; n = x + 1; return n; }\n";
    let found = compare(
        &format!("{text}int h(int x) {{ return f(x) + g(x); }}")
            .replace("int f(", "int a(")
            .replace("f(x)", "a(x)")
            .replace("int h(", "int f("),
        &format!("{text}int h(int x) {{ return g(x) + f(x); }}")
            .replace("int f(", "int a(")
            .replace("f(x)", "a(x)")
            .replace("int h(", "int f("),
    );
    assert_eq!(found.verdict, Sameness::Same, "{found:#?}");
}

#[test]
fn what_was_never_initialised_decides_nothing() {
    let found = compare(
        "int f(int x) { int y; if (x > 0) y = 1; return y; }",
        "int f(int x) { int y; if (x >= 1) y = 1; return y; }",
    );
    assert_eq!(found.verdict, Sameness::Undecided, "{found:#?}");
}
