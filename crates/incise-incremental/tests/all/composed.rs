//! Verdicts function by function: what a proof of a changed function by itself has to be for its callers to need none.
//! Each pair would be called the same, or with less than there is to say, if one condition was left out.

use incise_change::{Composition, Impact, Rules, Versions};
use incise_exec::Config;
use incise_incremental::differ::{Judgement, Question, Sameness, differ};
use incise_relate::Visible;
use incise_testing::hooks;
use incise_testing::program;

/// Compares `f` of two texts, which static analysis lets be judged function by function.
fn compare(old: &str, new: &str, set: impl Fn(&mut Config, &mut Visible)) -> Judgement {
    let (old, new) = (program(old), program(new));
    let entries = (old.function_named("f").expect("f"), new.function_named("f").expect("f"));
    let versions = Versions::compare(&old, &new);
    let ids: (&[_], &[_]) = (&[entries.0], &[entries.1]);
    let (impact, _) = Impact::both_ways(&old, &new, versions, ids, Rules::Closed, false);
    Composition::new((&old, &new), &impact.versions, entries).expect("all is in sight");
    let (mut config, mut visible) = (Config::new("f"), Visible::default());
    config.limits.loop_iterations = 16;
    set(&mut config, &mut visible);
    let hooks = hooks();
    let (before, after) = ((&old, &config), (&new, &config));
    let question = Question {
        old: before,
        new: after,
        subjects: None,
        impact: Some(&impact),
        visible,
        all_ways: true,
        loops_grow: false,
        watched: None,
    };
    differ(&question, &hooks).expect("they are compared")
}

/// Two versions of `h` with the same callers.
fn versions(old: &str, new: &str, callers: &str) -> Judgement {
    compare(&format!("{old}\n{callers}"), &format!("{new}\n{callers}"), |_, _| {})
}

const CALLER: &str = "int f(int x, int y) { int r = h(x, y); return r > 3 ? r : y; }";

#[test]
fn equal_functions_make_equal_callers() {
    let found = versions(
        "int h(int x, int y) { return x * 2 + y; }",
        "int h(int x, int y) { return y + (x << 1); }",
        CALLER,
    );
    assert_eq!(found.verdict, Sameness::Same);
    assert_eq!(found.composed, ["h"]);
    assert_eq!(found.pairs.identical + found.pairs.proved, 1, "nothing is explored from the entry");
    // Loops without a bound, where both go around together.
    let found = versions(
        "int h(int x, int y) { int s = 0; for (int i = 0; i < x; i++) s += y * 2; return s; }",
        "int h(int x, int y) { int s = 0; for (int i = 0; i < x; i++) s += y << 1; return s; }",
        CALLER,
    );
    assert_eq!((found.verdict, found.composed.len()), (Sameness::Same, 1));
    assert!(found.notes.contains("1 loop by induction"), "{:?}", found.notes);
}

#[test]
fn parameters_are_the_same_by_their_position() {
    let found =
        versions("int h(int a, int b) { return a - b; }", "int h(int b, int a) { return a - b; }", CALLER);
    assert_eq!(found.verdict, Sameness::Differs);
    let found =
        versions("int h(int a, int b) { return a - b; }", "int h(int b, int a) { return -(a - b); }", CALLER);
    assert_eq!((found.verdict, found.composed.len()), (Sameness::Same, 1));
}

#[test]
fn variables_have_any_value_and_not_their_first() {
    let found = versions(
        "static int g; int h(int x, int y) { return g; }",
        "static int g; int h(int x, int y) { return g * 0; }",
        "int f(int x, int y) { g = x; return h(x, y); }",
    );
    assert_eq!(found.verdict, Sameness::Differs);
    let found = versions(
        "static int g; int h(int x, int y) { g = x * 2; return y; }",
        "static int g; int h(int x, int y) { g = x; return y; }",
        "int f(int x, int y) { h(x, y); return g; }",
    );
    assert_eq!(found.verdict, Sameness::Differs, "what is written counts as well");
}

#[test]
fn what_the_entry_is_given_is_nothing_that_others_are_given() {
    let old = "int h(int x) { return x == 4; }\nint f(int x) { return h(x + 1); }";
    let new = "int h(int x) { return 0; }\nint f(int x) { return h(x + 1); }";
    let found = compare(old, new, |config, _| config.inputs.concrete.push(("x".into(), 3)));
    assert_eq!(found.verdict, Sameness::Differs);
    let found = compare(
        "int g; int h(int x) { return g == 4; }\nint f(int x) { g = x; return h(x); }",
        "int g; int h(int x) { return 0; }\nint f(int x) { g = x; return h(x); }",
        |config, _| config.inputs.concrete.push(("g".into(), 3)),
    );
    assert_eq!(found.verdict, Sameness::Differs);
}

#[test]
fn what_nobody_looks_at_after_the_entry_is_looked_at_after_a_function() {
    let found = compare(
        "int g; int h(int x) { return x; }\nint f(int x) { g = h(x); return 0; }",
        "int g; int h(int x) { return x + 1; }\nint f(int x) { g = h(x); return 0; }",
        |_, visible| visible.result = false,
    );
    assert_eq!(found.verdict, Sameness::Differs);
    let found = compare(
        "int g; void h(int x) { g = x; }\nint f(int x) { h(x); return g; }",
        "int g; void h(int x) { g = x + 1; }\nint f(int x) { h(x); return g; }",
        |_, visible| visible.globals = false,
    );
    assert_eq!(found.verdict, Sameness::Differs);
}

#[test]
fn errors_of_both_versions_are_told() {
    let (old, new) =
        ("int h(int x, int y) { return x * 2 / y; }", "int h(int x, int y) { return (x << 1) / y; }");
    let found = versions(old, new, CALLER);
    assert!(found.composed.is_empty(), "exploring decides it");
    assert_eq!(found.verdict, Sameness::Same);
    assert_eq!(found.preexisting[0].kind.name(), "division-by-zero");
    // Where it does not, the functions do, and what was found is told.
    let mut caller = "int in[20], out[20];\nint f(int x, int y) {\nint r = h(x, y);\n".to_owned();
    for index in 0..20 {
        caller += &format!("if (in[{index}] > r) out[{index}] = r;\n");
    }
    caller += "return r;\n}";
    let few = |config: &mut Config, _: &mut Visible| config.limits.paths = 50;
    let found = compare(&format!("{old}\n{caller}"), &format!("{new}\n{caller}"), few);
    assert_eq!((found.verdict, found.composed.len()), (Sameness::Same, 1), "{:?}", found.undecided);
    assert_eq!(found.preexisting[0].kind.name(), "division-by-zero");
    assert!(found.notes.iter().any(|note| note.contains("as far as they were found")), "{:?}", found.notes);
    // Another kind of error is a difference.
    let found = versions(
        "int t[2]; int h(int x, int y) { return 1 / x + t[y]; }",
        "int t[2]; int h(int x, int y) { return t[y] + 1 / x; }",
        CALLER,
    );
    assert_eq!(found.verdict, Sameness::Differs);
}

#[test]
fn a_proof_within_bounds_is_none() {
    let found = versions(
        "int h(int x, int y) { int s = 0; for (int i = 0; i < x; i++) s += i; return s; }",
        "int h(int x, int y) { int s = 0; for (int i = x; i > 0; i--) s += i - 1; return s; }",
        "int f(int x, int y) { return h(x & 3, y); }",
    );
    assert!(found.composed.is_empty());
    assert_eq!(found.verdict, Sameness::Same, "the entry goes round three times at most");
    let found = versions(
        "int h(int x, int y) { int s = 0; for (int i = 0; i < x; i++) s += i; return s; }",
        "int h(int x, int y) { int s = 0; for (int i = x; i > 0; i--) s += i - 1; return s; }",
        CALLER,
    );
    assert_eq!(found.verdict, Sameness::WithinBounds);
}

#[test]
fn what_was_never_initialised_is_no_proof() {
    let found = versions(
        "int h(int x, int y) { int z; if (x > 0) z = 1; return z; }",
        "int h(int x, int y) { int z; if (x >= 1) z = 1; return z; }",
        CALLER,
    );
    assert!(found.composed.is_empty());
    assert_eq!(found.verdict, Sameness::Undecided);
}

#[test]
fn inputs_on_which_a_function_differs_are_tried_from_the_entry() {
    let (old, new) = (
        "int h(int x, int y) { if (x != 77) return 1; return 2; }",
        "int h(int x, int y) { if (x != 77) return 1; return 3; }",
    );
    let mut caller = "int in[20], out[20];\nint f(int a, int b) {\nint r = h(b, a);\n".to_owned();
    for index in 0..20 {
        caller += &format!("if (in[{index}] > r) out[{index}] = r;\n");
    }
    caller += "return r;\n}";
    // The paths that are explored are those of the other side.
    let few = |config: &mut Config, _: &mut Visible| config.limits.paths = 20;
    let found = compare(&format!("{old}\n{caller}"), &format!("{new}\n{caller}"), few);
    assert_eq!(found.verdict, Sameness::Differs, "{:?}", found.undecided);
    let inputs = found.witnesses[0].new.inputs.as_ref().expect("inputs");
    let b = inputs.iter().find(|input| input.name == "b").expect("b");
    assert_eq!(b.bytes, [77, 0, 0, 0]);
    // An input that the user fixed stays as it is.
    let caller = "int f(int a, int b) { return h(b, a); }";
    let fixed = |config: &mut Config, _: &mut Visible| config.inputs.concrete.push(("b".into(), 3));
    let found = compare(&format!("{old}\n{caller}"), &format!("{new}\n{caller}"), fixed);
    assert_eq!(found.verdict, Sameness::Same);
}

#[test]
fn one_function_that_differs_is_enough() {
    let callers = "int f(int x, int y) { return h(x, y) + k(x); }";
    let found = versions(
        "int h(int x, int y) { return x * 2; } int k(int x) { return x; }",
        "int h(int x, int y) { return x << 1; } int k(int x) { return x == 77 ? 78 : x; }",
        callers,
    );
    assert_eq!(found.verdict, Sameness::Differs);
    let found = versions(
        "int h(int x, int y) { return x * 2; } int k(int x) { return x + x; }",
        "int h(int x, int y) { return x << 1; } int k(int x) { return x << 1; }",
        callers,
    );
    assert_eq!((found.verdict, found.composed), (Sameness::Same, vec!["h".to_owned(), "k".to_owned()]));
}
