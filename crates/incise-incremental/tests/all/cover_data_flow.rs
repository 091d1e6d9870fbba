//! Definitions and uses: which belong together, and when a path covers them.

use crate::cover_check::{all_covered, config, cover, hooks, program};
use incise_change::{Impact, Rules};
use incise_exec::explore_with;
use incise_incremental::cover::BLURRED;
use incise_incremental::cover::{DataFlow, Goals};
use incise_incremental::{Covered, Criterion, Obligation, ObligationStatus, Plan, Subject};
use std::collections::BTreeSet;

/// The uses of what is defined at changed statements: statement numbers, whether they are certain, and whether they are
/// covered.
fn uses(found: &Covered) -> Vec<(usize, usize, bool, bool)> {
    let flows = found.obligations.iter().filter_map(|(each, status)| match each {
        Obligation::DataFlow(flow) => Some((flow, matches!(status, ObligationStatus::Covered(_)))),
        _ => None,
    });
    let shown = |(flow, covered): (&DataFlow, bool)| {
        (flow.definition.1.index(), flow.usage.1.index(), flow.certain, covered)
    };
    flows.map(shown).collect()
}

/// Definitions in a called function, uses in its callers, and what comes in between.
const ACROSS: &str = "int g;
void set(int v) {
    if (v > 0)
        g = 1;
    else
        g = 2;
}
int f(int v, int w) {
    set(v);
    if (w > 0)
        g = w;
    return g;
}
";

#[test]
fn definitions_in_called_functions_reach_uses_in_callers() {
    let (found, _) = cover(&ACROSS.replace("v > 0", "v > 1"), ACROSS, Criterion::DataFlow);
    assert!(all_covered(&found), "{:?}", found.obligations);
    let line = |statement: &incise_incremental::Statement| statement.1;
    let pairs: BTreeSet<_> = found
        .obligations
        .iter()
        .filter_map(|(each, _)| match each {
            Obligation::DataFlow(flow) => Some((flow.definition.0, line(&flow.definition), flow.certain)),
            _ => None,
        })
        .collect();
    assert_eq!(pairs.len(), 2, "each write of g in set(): {:?}", found.obligations);
    assert!(pairs.iter().all(|pair| pair.2), "a global is the same everywhere");
}

/// The use is executed, but only after another write: the pair is connected, and no path covers it.
const OVERWRITTEN: &str = "int f(int v, int w) {
    int x = v;
    if (w > 0)
        x = 1;
    if (w > 0)
        return x;
    return 0;
}
";

#[test]
fn a_use_after_another_write_is_not_covered() {
    let (found, _) = cover(&OVERWRITTEN.replace("x = v", "x = v + 1"), OVERWRITTEN, Criterion::DataFlow);
    let of_v = |each: &Obligation| matches!(each, Obligation::DataFlow(flow) if flow.definition.1.index() == 0 && flow.usage.1.index() > 2);
    let status: Vec<&ObligationStatus> =
        found.obligations.iter().filter(|(each, _)| of_v(each)).map(|(_, status)| status).collect();
    assert_eq!(status, [&ObligationStatus::Infeasible], "{:?}", found.obligations);
}

/// The variable is used on one way through the statement only.
const CHOICE: &str = "int f(int c, int v) {
    int x = v;
    int r = c ? x : 0;
    return r;
}
";

#[test]
fn a_use_in_a_choice_is_covered_only_where_it_is_chosen() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let old = program(folder.path(), "old", &CHOICE.replace("x = v", "x = v + 1"));
    let new = program(folder.path(), "new", CHOICE);
    let impact = Impact::new(&old, &new, Rules::Closed, false);
    let effects = impact.effects.as_ref().expect("a change");
    let entry = new.function_named("f").expect("the entry");
    let mut scope = impact.below(&[entry], effects, Rules::Closed);
    let root = scope.root(entry);
    let subject = Subject::new(&scope, root);
    let plan = Plan::new(&subject, effects, Criterion::DataFlow);
    let of_x = |each: &Obligation| matches!(each, Obligation::DataFlow(flow) if flow.variable.as_deref() == Some("x"));
    let x = plan.obligations().iter().position(of_x).expect("x is used");
    let mut looking = Goals::looking_on(&plan);
    let paths = explore_with(&new, &config("f"), &hooks(), &mut looking).expect("it is explored").paths;
    let covering = |path: &&incise_exec::Path| looking.covered_by(path.note).contains(&(x as u32));
    assert_eq!((paths.len(), paths.iter().filter(covering).count()), (2, 1));
}

#[test]
fn array_elements_may_be_different_ones() {
    let text = "int f(int v, unsigned i, unsigned j) {
    int a[4] = {0, 0, 0, 0};
    a[i & 3] = v;
    return a[j & 3];
}
";
    let (found, _) = cover(&text.replace("= v", "= v + 1"), text, Criterion::DataFlow);
    assert_eq!(uses(&found), [(1, 2, false, true)]);
}

#[test]
fn members_do_not_overwrite_each_other() {
    let text = "struct pair { int a; int b; };
int f(int v, int w) {
    struct pair p;
    p.a = v;
    p.b = w;
    return p.a;
}
";
    let (found, _) = cover(&text.replace("p.a = v", "p.a = v + 1"), text, Criterion::DataFlow);
    assert_eq!(uses(&found), [(0, 2, true, true)]);
    // The same through a pointer that is a parameter.
    let text = "struct pair { int a; int b; };
int f(struct pair *p, int v, int w) {
    p->a = v;
    p->b = w;
    return p->a;
}
";
    let (found, _) = cover(&text.replace("p->a = v", "p->a = v + 1"), text, Criterion::DataFlow);
    assert_eq!(uses(&found), [(0, 2, true, true)]);
}

#[test]
fn what_a_call_overwrites_is_not_used_after_it() {
    let text = "static void clear(int *p) {
    *p = 0;
}
int f(int v) {
    int x = v;
    clear(&x);
    return x;
}
";
    let (found, _) = cover(&text.replace("x = v", "x = v + 1"), text, Criterion::DataFlow);
    // What the pointer leads to is x and nothing else, but that is not known for certain.
    assert_eq!(uses(&found), [(0, 2, true, false)]);
    // Without the write in between it is.
    let harmless = text.replace("*p = 0;", "if (p == 0) *p = 0;");
    let (found, _) = cover(&harmless.replace("x = v", "x = v + 1"), &harmless, Criterion::DataFlow);
    assert_eq!(uses(&found), [(0, 2, true, true)]);
}

#[test]
fn calls_of_one_function_have_variables_of_their_own() {
    // The definition of the inner call is not what the outer one returns.
    let text = "int f(int n) {
    int x;
    if (n > 3)
        return 0;
    if (n == 1) {
        x = n + 5;
        return x;
    }
    x = 2;
    if (n == 0)
        f(1);
    return x;
}
";
    let (found, _) = cover(&text.replace("n + 5", "n + 6"), text, Criterion::DataFlow);
    let of_inner: BTreeSet<(usize, usize, bool, bool)> =
        uses(&found).into_iter().filter(|&(definition, ..)| definition == 3).collect();
    assert_eq!(of_inner, BTreeSet::from([(3, 4, true, true)]), "{:?}", found.obligations);
}

#[test]
fn what_a_caller_defines_is_used_in_what_it_calls() {
    let text = "int g;
static int get(int c) {
    if (c > 0)
        return g;
    return 0;
}
int f(int v, int c) {
    g = v;
    return get(c);
}
";
    let (found, conditions) = cover(&text.replace("g = v", "g = v + 1"), text, Criterion::DataFlow);
    assert!(all_covered(&found) && found.obligations.len() == 1, "{:?}", found.obligations);
    assert_eq!(conditions, ["c > 0"]);
}

/// What is written in between may be the element that was defined, or another.
const ELEMENT: &str = "int t[4];
int f(int v, int i) {
    t[0] = v;
    t[i & 3] = 7;
    return t[0];
}
";

#[test]
fn a_write_that_may_go_elsewhere_leaves_it_open() {
    let (found, _) = cover(&ELEMENT.replace("= v", "= v + 1"), ELEMENT, Criterion::DataFlow);
    let of_v =
        |each: &Obligation| matches!(each, Obligation::DataFlow(flow) if flow.definition.1.index() == 0);
    let status: Vec<&ObligationStatus> =
        found.obligations.iter().filter(|(each, _)| of_v(each)).map(|(_, status)| status).collect();
    let open = status
        .iter()
        .all(|status| matches!(status, ObligationStatus::NotReached(why) if why.contains(BLURRED)));
    assert!(open && !status.is_empty(), "an input with i == 1 covers it: {status:?}");
}
