//! Figure 4 of "A Change Impact Analysis to Characterize Evolving Program Behaviors" (ICSM 2012): the path conditions
//! that its text lists for each criterion.

use crate::cover_check::{all_covered, config, cover, hooks, program};
use incise_change::{Impact, Rules};
use incise_incremental::{Criterion, Obligation, ObligationStatus, Plan, Subject, explore_cover};
use std::collections::BTreeSet;

/// Figure 4(a): the condition i0 is impacted, i1 and i2 are on its sides. Only i0 is to be impacted, so nothing is
/// written there.
const FIGURE_A: &str = "int f(int x) {
    if (x > 0) {
        ;
    }
    return 1;
}
";

#[test]
fn figure_4a_takes_one_path_for_statements_and_blocks_and_two_for_branches() {
    let (old, new) = (FIGURE_A.replace("x > 0", "x > 1"), FIGURE_A);
    for criterion in [Criterion::Statement, Criterion::Block] {
        let (found, conditions) = cover(&old, new, criterion);
        assert_eq!(found.obligations.len(), 1, "{criterion:?}");
        assert!(all_covered(&found));
        assert_eq!(conditions.len(), 1, "through one side or the other: {conditions:?}");
    }
    let (found, conditions) = cover(&old, new, Criterion::Branch);
    assert!(all_covered(&found));
    assert_eq!(conditions, ["x <= 0", "x > 0"]);
    let sides = found.obligations.iter().filter(|(each, _)| matches!(each, Obligation::Side(..)));
    assert_eq!(sides.count(), 2);
}

/// Figure 4(b): the conditions j0 and j1 are impacted, each reached by a path fragment.
const FIGURE_B: &str = "int r;
void f(int x, int y, int w) {
    if (w == 7)
        r = w;
    if (x > 0)
        r = 1;
    else
        r = 2;
    if (y > 0)
        r = 3;
    else
        r = 4;
}
";

#[test]
fn figure_4b_takes_the_four_combinations_for_path_fragments_and_two_paths_for_branches() {
    let old = FIGURE_B.replace("x > 0", "x > 1").replace("y > 0", "y > 1");
    let (found, conditions) = cover(&old, FIGURE_B, Criterion::PathFragment);
    assert!(all_covered(&found) && found.open.is_empty());
    let listed = ["x <= 0 && y <= 0", "x <= 0 && y > 0", "x > 0 && y <= 0", "x > 0 && y > 0"];
    let without_w = |condition: &String| {
        let parts: Vec<&str> = condition.split(" && ").filter(|part| !part.contains('w')).collect();
        parts.join(" && ")
    };
    assert_eq!(conditions.iter().map(without_w).collect::<Vec<_>>(), listed);
    // The condition on w has no influence: it is followed, and not explored.
    assert_eq!(found.directed.exploration.counters.states, 4);
    let (found, conditions) = cover(&old, FIGURE_B, Criterion::Branch);
    assert!(all_covered(&found));
    assert_eq!(conditions.len(), 2, "{conditions:?}");
}

/// Figure 4(c): k0 and k1 write x on the two sides of a condition on y, and the condition k2 uses it. The text lists
/// y > 0, y <= 0, z > 0 and z <= 0: so what k2 decides must be decided by z, and each definition must be used on both
/// sides of k2. The four path conditions are the four combinations.
const FIGURE_C: &str = "int f(int y, int z) {
    int x;
    if (y > 0)
        x = z;
    else
        x = z + 0;
    if (x > 0)
        return 1;
    return 0;
}
";

#[test]
fn figure_4c_uses_each_definition_on_both_sides() {
    // Both writes changed; before, the result could not be told from y.
    let old = FIGURE_C.replace("x = z;", "x = 5;").replace("x = z + 0;", "x = 6;");
    let (found, conditions) = cover(&old, FIGURE_C, Criterion::DataFlow);
    assert!(all_covered(&found));
    let uses: Vec<(usize, bool)> = found
        .obligations
        .iter()
        .filter_map(|(each, _)| match each {
            Obligation::DataFlow(flow) => Some((flow.side?, flow.certain)),
            _ => None,
        })
        .collect();
    assert_eq!(uses, [(0, true), (1, true), (0, true), (1, true)]);
    assert_eq!(conditions, ["y <= 0 && z <= 0", "y <= 0 && z > 0", "y > 0 && z <= 0", "y > 0 && z > 0"]);
    let constraints: BTreeSet<&str> = conditions.iter().flat_map(|each| each.split(" && ")).collect();
    assert_eq!(constraints, BTreeSet::from(["y > 0", "y <= 0", "z > 0", "z <= 0"]));
}

/// A loop that goes on for long, an unreachable side, and a side that needs more iterations than the limit allows.
const BOUNDED: &str = "int f(int n) {
    int i = 0;
    int c = 0;
    while (i < n)
        i = i + 1;
    if (i > 20)
        c = 1;
    if (c > 1)
        c = 3;
    return c;
}
";

#[test]
fn what_is_beyond_the_limits_is_not_called_infeasible() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let old = program(folder.path(), "old", &BOUNDED.replace("i > 20", "i > 21"));
    let new = program(folder.path(), "new", BOUNDED);
    let impact = Impact::new(&old, &new, Rules::Closed, false);
    let effects = impact.effects.as_ref().expect("a change");
    let entry = new.function_named("f").expect("the entry");
    let mut scope = impact.below(&[entry], effects, Rules::Closed);
    let root = scope.root(entry);
    let subject = Subject::new(&scope, root);
    let plan = Plan::new(&subject, effects, Criterion::Branch);
    let mut config = config("f");
    config.limits.loop_iterations = 5;
    let found = explore_cover(&config, &hooks(), &plan, &BTreeSet::new()).expect("it is explored");
    let missing: Vec<&ObligationStatus> = found
        .obligations
        .iter()
        .map(|(_, status)| status)
        .filter(|status| !matches!(status, ObligationStatus::Covered(_)))
        .collect();
    let beyond = ObligationStatus::NotReached(BTreeSet::from(["max-loop".to_owned()]));
    assert!(missing.contains(&&beyond), "{:?}", found.obligations);
    assert!(!missing.contains(&&ObligationStatus::Infeasible), "{:?}", found.obligations);
}
