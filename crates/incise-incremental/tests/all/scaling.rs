//! The effort follows the affected part: it does not double with each branch that the change does not concern.

use incise_change::{Impact, Rules};
use incise_exec::Config;
use incise_incremental::{Directed, Kind, Subject, explore_change};
use incise_testing::hooks;
use incise_testing::program;
use std::fmt::Write;

fn exact(old: &str, new: &str) -> Directed {
    let (old, new) = (program(old), program(new));
    let impact = Impact::new(&old, &new, Rules::Closed, false);
    let function = impact.function("f").expect("f changed");
    let effects = impact.effects.as_ref().expect("something changed");
    let mut scope = impact.within(function, effects, Rules::Closed);
    let root = scope.root(function.function);
    let subject = Subject::new(&scope, root);
    let hooks = hooks();
    let found = explore_change(&new, &Config::new("f"), &hooks, &subject, Kind::Exact, false);
    let found = found.expect("it is explored");
    assert!(found.complete, "nothing is cut");
    assert_eq!(found.exploration.diverged, 0, "no branch has an influence that was not seen");
    found
}

/// `count` conditions on inputs of their own around one that is given.
fn independent(count: usize, middle: &str) -> String {
    let mut text = format!("int in[{count}], out[{count}], r;\nint f(int x) {{\n");
    for index in 0..count {
        if index == count / 2 {
            let _ = writeln!(text, "{middle}");
        }
        let _ = writeln!(text, "    if (in[{index}] > {index})\n        out[{index}] = in[{index}];");
    }
    text + "    return r;\n}\n"
}

#[test]
fn branches_on_other_inputs_cost_no_states() {
    for count in [10, 100, 500] {
        let middle = |operator| format!("    if (x {operator} 3)\n        r = 1;\n    else\n        r = 2;");
        let found = exact(&independent(count, &middle("<")), &independent(count, &middle("<=")));
        assert_eq!(found.paths.len(), 2, "{count}");
        assert!(found.exploration.counters.states <= 4, "{count}: {:?}", found.exploration.counters);
        assert!(found.exploration.counters.queries <= 4, "{count}: {:?}", found.exploration.counters);
        // The path condition is whole: one constraint for each branch.
        assert_eq!(found.paths[0].path.condition.len(), count + 1);
        assert_eq!(found.paths[0].affected.iter().filter(|&&affected| affected).count(), 1);
    }
}

#[test]
fn branches_inside_loops_cost_no_states() {
    let around = |operator: &str| {
        let mut text = "int in[60], out[60], r;\nint f(int x) {\n".to_owned();
        for index in 0..60 {
            if index == 30 {
                let _ = writeln!(text, "    r = x {operator} 3 ? 1 : 2;");
            }
            let _ = writeln!(
                text,
                "    for (int k = 0; k < 3; k++)\n        if (in[{index}] == k)\n            out[{index}] += k;"
            );
        }
        text + "    return r;\n}\n"
    };
    let found = exact(&around("<"), &around("<="));
    assert!(found.exploration.counters.states <= 4, "{:?}", found.exploration.counters);
}

#[test]
fn branches_on_the_same_input_cost_no_states() {
    // The unaffected branches constrain x, and the first way through them stands against one side of the changed
    // condition.
    let text = |operator: &str| {
        let mut text = "int out[64], r;\nint f(int x) {\n".to_owned();
        for index in 0..64 {
            let _ = writeln!(text, "    if (x > {index})\n        out[{index}] = x;");
        }
        text + &format!(
            "    if (x {operator} 30)\n        r = 1;\n    else\n        r = 2;\n    return r;\n}}\n"
        )
    };
    let found = exact(&text("<"), &text("<="));
    assert_eq!(found.paths.len(), 2);
    assert!(found.exploration.counters.states <= 6, "{:?}", found.exploration.counters);
}

#[test]
fn affected_sequences_that_cannot_be_cost_no_states() {
    // After `y = 1` the condition on y has one side only, whatever the branches between do.
    let text = |value: &str| {
        let mut text = format!(
            "int in[40], out[40], r;\nint f(int x) {{\n    int y = {value};\n    if (x > 0)\n        y = 1;\n"
        );
        for index in 0..40 {
            let _ = writeln!(text, "    if (in[{index}])\n        out[{index}] = 1;");
        }
        text + "    if (y == 1)\n        r = 1;\n    else\n        r = 2;\n    return r;\n}\n"
    };
    let found = exact(&text("2"), &text("3"));
    assert_eq!(found.paths.len(), 2);
    assert!(found.exploration.counters.states <= 4, "{:?}", found.exploration.counters);
}
