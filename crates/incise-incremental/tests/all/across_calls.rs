//! The examples of Rungta, Person and Branchaud, "A Change Impact Analysis to Characterize Evolving Program Behaviors"
//! (ICSM 2012).

use incise_change::{Impact, Inputs, NodeId, Rules, Scope};
use incise_exec::Config;
use incise_incremental::{Directed, Kind, Statement, Subject, explore_change};
use incise_ir::Program;
use incise_testing::hooks;
use incise_testing::program;
use std::collections::BTreeSet;

/// Compares two versions and hands over the scope below an entry.
fn below<T>(old: &str, new: &str, entry: &str, check: impl FnOnce(&Program, &mut Scope<'_>) -> T) -> T {
    let (old, new) = (program(old), program(new));
    let impact = Impact::new(&old, &new, Rules::Across, false);
    let effects = impact.effects.as_ref().expect("something changed");
    let entry = new.function_named(entry).expect("the entry");
    check(&new, &mut impact.below(&[entry], effects, Rules::Across))
}

fn explore(program: &Program, scope: &mut Scope<'_>, entry: &str, kind: Kind) -> Directed {
    let root = scope.root(program.function_named(entry).expect("the entry"));
    let subject = Subject::new(scope, root);
    let hooks = hooks();
    explore_change(program, &Config::new(entry), &hooks, &subject, kind, false).expect("it is explored")
}

fn line(program: &Program, scope: &Scope<'_>, (function, node): Statement) -> u32 {
    let location = scope.facts(function).graph.node(node).location.expect("a line");
    program.locations[location].line
}

fn conditions(found: &Directed) -> BTreeSet<String> {
    let condition = |path: &incise_incremental::ChangedPath| {
        let texts: Vec<&str> = path.path.condition.iter().map(|each| each.text.as_str()).collect();
        texts.join(" && ")
    };
    found.paths.iter().map(condition).collect()
}

const SECTION_2D: &str = "
int B(int x) {
    if (x > 0)
        return 1;
    else
        return 0;
}
int A(int x) {
    x = x + 1;
    return B(x);
}
";

#[test]
fn both_behaviours_of_section_2d_are_found() {
    let new = SECTION_2D.replace("x + 1", "x - 1");
    below(SECTION_2D, &new, "A", |program, scope| {
        let found = explore(program, scope, "A", Kind::Exact);
        assert_eq!(found.paths.len(), 2, "{:?}", conditions(&found));
        assert!(found.complete);
    });
}

// Figure 2(a), with a body for B that has a way of its own.
const FIGURE_2: &str = "
int t;
int B(int z) {
    if (z > 5)
        return 1;
    return 2;
}
int A(int x, int y) {
    if (x > 0)
        y = y + 1;
    if (y > 0)
        x = B(y);
    return x + y;
}
void run(int x, int y, int z) {
    B(z);
    t = A(x, y);
}
";

fn new_figure_2() -> String {
    FIGURE_2.replace("y + 1", "y + 2")
}

#[test]
fn the_impact_sets_are_those_of_figure_2b() {
    below(FIGURE_2, &new_figure_2(), "run", |program, scope| {
        let named = |name: &str| program.function_named(name).expect(name);
        let (run, a, b) = (named("run"), named("A"), named("B"));
        let root = scope.root(run);
        let lines = |scope: &Scope<'_>, function, nodes: Vec<NodeId>| -> Vec<u32> {
            nodes.into_iter().map(|node| line(program, scope, (function, node))).collect()
        };
        let of = |scope: &Scope<'_>, id| -> Vec<u32> {
            let activation = scope.activation(id);
            lines(scope, activation.function, activation.affected.nodes().collect())
        };
        // l0 to l4 in A, the call of A in main, and B only as A calls it: with z impacted, as the edge says (y -> z).
        assert_eq!(of(scope, root), [17]);
        let calls = &scope.activation(root).calls;
        assert_eq!(calls.keys().map(|(_, callee)| *callee).collect::<Vec<_>>(), [a]);
        let in_a = *calls.values().next().expect("the call of A");
        assert_eq!(of(scope, in_a), [9, 10, 11, 12, 13]);
        let calls = &scope.activation(in_a).calls;
        assert_eq!(calls.keys().map(|(_, callee)| *callee).collect::<Vec<_>>(), [b]);
        let in_b = *calls.values().next().expect("the call of B");
        let impacted = Inputs { parameters: BTreeSet::from([0]), ..Inputs::default() };
        assert_eq!(scope.activation(in_b).inputs, impacted);
        assert_eq!(of(scope, in_b), [4, 5, 6]);
        // B by itself is not affected, nor by an impacted parameter that nobody passes.
        let alone = scope.root(b);
        assert!(of(scope, alone).is_empty());
    });
}

#[test]
fn b_is_explored_from_a_and_not_from_main() {
    below(FIGURE_2, &new_figure_2(), "run", |program, scope| {
        let full = explore(program, scope, "run", Kind::Full);
        let exact = explore(program, scope, "run", Kind::Exact);
        // Full: B(z) doubles everything. Exact: one way through B as main calls it.
        assert!(full.paths.len() >= 2 * exact.paths.len(), "{} {}", full.paths.len(), exact.paths.len());
        let about_z: BTreeSet<String> = exact
            .paths
            .iter()
            .flat_map(|path| &path.path.condition)
            .filter(|constraint| constraint.text.contains('z'))
            .map(|constraint| constraint.text.clone())
            .collect();
        assert_eq!(about_z.len(), 1, "{about_z:?}");
        let feasible: BTreeSet<Vec<Statement>> =
            full.paths.iter().filter(|path| path.met).map(|path| path.sequence.clone()).collect();
        let reported: BTreeSet<Vec<Statement>> =
            exact.paths.iter().map(|path| path.sequence.clone()).collect();
        assert_eq!(reported, feasible);
        assert_eq!(reported.len(), exact.paths.len());
    });
}

#[test]
fn impact_flows_through_globals_memory_and_results() {
    let text = "
int g, h;
static void set(int *p, int v) {
    *p = v;
}
static int get(void) {
    return g;
}
static int twice(int v) {
    return v * 2;
}
int f(int a) {
    int local = 0;
    g = a + 1;
    set(&local, get());
    if (local > 10)
        h = twice(local);
    return h;
}
";
    below(text, &text.replace("a + 1", "a + 2"), "f", |program, scope| {
        let root = scope.root(program.function_named("f").expect("f"));
        let activation = scope.activation(root);
        let affected: Vec<u32> = activation
            .affected
            .nodes()
            .map(|node| line(program, scope, (activation.function, node)))
            .collect();
        for expected in [14, 15, 16, 17, 18] {
            assert!(affected.contains(&expected), "line {expected} is affected: {affected:?}");
        }
        let found = explore(program, scope, "f", Kind::Exact);
        assert_eq!(found.paths.len(), 2, "{:?}", conditions(&found));
    });
}

#[test]
fn what_a_removed_statement_wrote_below_is_affected() {
    let old = "
void set(int *p) {
    *p = 5;
}
int e(int a) {
    int x = a;
    set(&x);
    if (x > 3)
        return 1;
    return 0;
}
";
    below(old, &old.replace("*p = 5;", ";"), "e", |program, scope| {
        let found = explore(program, scope, "e", Kind::Exact);
        assert_eq!(found.paths.len(), 2, "{:?}", conditions(&found));
    });
}

#[test]
fn a_recursion_without_an_affected_statement_ends() {
    let old = "
int r(int n) {
    int x;
    x = 1;
    if (n > 0)
        r(n - 1);
    return 0;
}
int e(int a) {
    return r(a & 3);
}
";
    for entry in ["e", "r"] {
        below(old, &old.replace("x = 1;", ";"), entry, |program, scope| {
            let root = scope.root(program.function_named(entry).expect("the entry"));
            let subject = Subject::new(scope, root);
            let mut config = Config::new(entry);
            config.limits.loop_iterations = 4;
            config.limits.stack = 6;
            let hooks = hooks();
            let found = explore_change(program, &config, &hooks, &subject, Kind::Exact, false);
            assert!(!found.expect("it is explored").paths.is_empty());
        });
    }
}

/// A program that calls functions that decide something, and have nothing to do with the change.
fn with_helpers(count: usize) -> String {
    let mut text = String::from("int changed;\n");
    for n in 0..count {
        text += &format!(
            "int state{n};\nvoid helper{n}(int x) {{\n    if (x > {n})\n        state{n} = x;\n}}\n"
        );
    }
    text += "int e(int a, int b) {\n";
    for n in 0..count {
        text += &format!("    helper{n}(a);\n");
    }
    text + "    if (b > 3)\n        changed = 1;\n    return changed;\n}\n"
}

#[test]
fn calls_that_the_change_does_not_concern_are_not_explored() {
    for count in [3, 9] {
        let old = with_helpers(count);
        below(&old, &old.replace("b > 3", "b > 4"), "e", |program, scope| {
            let found = explore(program, scope, "e", Kind::Exact);
            assert_eq!(found.paths.len(), 2, "{:?}", conditions(&found));
            assert!(found.complete);
            assert_eq!(found.exploration.counters.states, 2, "{count} calls");
        });
    }
}

/// What a function is called with decides whether it fails, and a branch that the change does not concern decides what
/// it is called with.
const FAILS_BELOW: &str = "
int g;
int divide(int z) {
    return 10 / z;
}
int through(int z) {
    return divide(z) + 1;
}
int e(int a, int c) {
    int x = 0;
    int y = 1;
    if (a > 3)
        x = 1;
    if (c)
        y = 0;
    g = CALL(y);
    return x;
}
";

#[test]
fn arguments_that_decide_whether_a_call_fails_are_explored() {
    for call in ["divide", "through"] {
        let old = FAILS_BELOW.replace("CALL", call);
        below(&old, &old.replace("a > 3", "a > 4"), "e", |program, scope| {
            let sequences = |found: Directed| -> BTreeSet<Vec<Statement>> {
                found.paths.into_iter().filter(|path| path.met).map(|path| path.sequence).collect()
            };
            let full = sequences(explore(program, scope, "e", Kind::Full));
            assert_eq!(full.len(), 4, "each side of the change, with the failing division and without");
            assert_eq!(sequences(explore(program, scope, "e", Kind::Exact)), full);
        });
    }
}
