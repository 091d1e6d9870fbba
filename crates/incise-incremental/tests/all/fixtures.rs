//! The figures and tables of "Directed Incremental Symbolic Execution" (PLDI 2011), and the smallest programs on which
//! its Figure 6 fails.

use incise_change::{Affected, Impact, NodeId, Rules, StatementGraph};
use incise_exec::Config;
use incise_incremental::{Directed, Kind, Subject, explore_change};
use incise_ir::Program;
use incise_testing::hooks;
use incise_testing::program_of;
use std::collections::BTreeSet;
use std::path::Path;

/// Compares the two versions of an example and hands its impact over.
fn with<T>(
    pair: &str,
    entry: &str,
    rules: Rules,
    check: impl FnOnce(&Affected, &StatementGraph, &Explore<'_>) -> T,
) -> T {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/diff");
    let program = |version: &str| program_of(&folder.join(format!("{pair}-{version}.c")));
    let (old, new) = (program("old"), program("new"));
    let impact = Impact::new(&old, &new, rules, false);
    let function = impact.function(entry).expect("it changed");
    let effects = impact.effects.as_ref().expect("something changed");
    let mut scope = impact.within(function, effects, rules);
    let root = scope.root(function.function);
    let subject = Subject::new(&scope, root);
    let explore = Explore { program: &new, subject: &subject, entry };
    check(&scope.activation(root).affected, &function.alignment.new_graph, &explore)
}

struct Explore<'a> {
    program: &'a Program,
    subject: &'a Subject<'a>,
    entry: &'a str,
}

impl Explore<'_> {
    fn by(&self, kind: Kind) -> Directed {
        let hooks = hooks();
        let config = Config::new(self.entry);
        explore_change(self.program, &config, &hooks, self.subject, kind, true).expect("it is explored")
    }

    fn count(&self, kind: Kind) -> usize {
        self.by(kind).paths.len()
    }
}

fn set(nodes: impl IntoIterator<Item = NodeId>) -> String {
    let names: Vec<String> = nodes.into_iter().map(|node| format!("{node:?}")).collect();
    format!("{{{}}}", names.join(", "))
}

#[test]
fn the_affected_sets_are_those_of_figure_2() {
    for rules in [Rules::Paper, Rules::Closed] {
        with("brake", "update", rules, |affected, graph, _| {
            assert_eq!(set(affected.conditions(graph)), "{n0, n2, n10, n12}");
            assert_eq!(set(affected.writes(graph)), "{n1, n3, n4, n5, n11, n13, n14}");
        });
    }
}

#[test]
fn the_derivation_is_that_of_figure_5b() {
    for rules in [Rules::Paper, Rules::Closed] {
        with("brake", "update", rules, |affected, _, _| {
            let steps: Vec<String> = affected.steps[1..]
                .iter()
                .map(|step| {
                    let (cause, rule) = (step.cause.expect("a cause"), step.rule.number().expect("a rule"));
                    // Rule (4) is written the other way round: the statement that is added comes first.
                    match rule {
                        4 => format!("{:?} {cause:?} ({rule})", step.node),
                        _ => format!("{cause:?} {:?} ({rule})", step.node),
                    }
                })
                .collect();
            assert_eq!(
                steps,
                [
                    "n0 n2 (1)",
                    "n0 n1 (2)",
                    "n2 n3 (2)",
                    "n2 n4 (2)",
                    "n1 n10 (3)",
                    "n10 n11 (2)",
                    "n1 n12 (3)",
                    "n12 n13 (2)",
                    "n12 n14 (2)",
                    "n5 n10 (4)",
                ]
            );
        });
    }
}

#[test]
fn the_rows_of_figure_6_are_those_of_table_1() {
    with("brake", "update", Rules::Paper, |_, _, explore| {
        let rows: Vec<String> = explore
            .by(Kind::Paper)
            .rows
            .iter()
            .take(11)
            .map(|row| {
                let path: Vec<String> = row.path.iter().map(|node| format!("{node:?}")).collect();
                format!(
                    "<{}>{} {} {} {} {}",
                    path.join(" "),
                    if row.no_path { " no path" } else { "" },
                    set(row.explored_writes.iter().copied()),
                    set(row.explored_conditions.iter().copied()),
                    set(row.unexplored_writes.iter().copied()),
                    set(row.unexplored_conditions.iter().copied())
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                "<> {} {} {n1, n3, n4, n5, n11, n13, n14} {n0, n2, n10, n12}",
                "<n0> {} {n0} {n1, n3, n4, n5, n11, n13, n14} {n2, n10, n12}",
                "<n0 n1> {n1} {n0} {n3, n4, n5, n11, n13, n14} {n2, n10, n12}",
                "<n0 n1 n5> {n1, n5} {n0} {n3, n4, n11, n13, n14} {n2, n10, n12}",
                "<n0 n1 n5 n6 n7 n10> {n1, n5} {n0, n10} {n3, n4, n11, n13, n14} {n2, n12}",
                "<n0 n1 n5 n6 n7 n10 n11> {n1, n5, n11} {n0, n10} {n3, n4, n13, n14} {n2, n12}",
                "<n0 n1 n5 n6 n7 n10 n12> {n1, n5, n11} {n0, n10, n12} {n3, n4, n13, n14} {n2}",
                "<n0 n1 n5 n6 n7 n10 n12 n13> {n1, n5, n11, n13} {n0, n10, n12} {n3, n4, n14} {n2}",
                "<n0 n1 n5 n6 n7 n10 n12 n14> {n1, n5, n11, n13, n14} {n0, n10, n12} {n3, n4} {n2}",
                "<n0 n1 n5 n6 n8> no path {n1, n5, n11, n13, n14} {n0, n10, n12} {n3, n4} {n2}",
                "<n0 n2> {n1} {n0, n2} {n3, n4, n5, n11, n13, n14} {n10, n12}",
            ]
        );
    });
}

#[test]
fn the_example_has_24_paths_of_which_8_are_affected() {
    with("brake", "update", Rules::Closed, |_, _, explore| {
        assert_eq!(explore.count(Kind::Full), 24);
        let exact = explore.by(Kind::Exact);
        assert_eq!(exact.paths.len(), 8);
        for path in &exact.paths {
            let affected: Vec<&str> = path
                .path
                .condition
                .iter()
                .zip(&path.affected)
                .filter(|(_, affected)| **affected)
                .map(|(constraint, _)| constraint.text.as_str())
                .collect();
            assert!(affected.iter().all(|text| text.contains("Pedal")), "{affected:?}");
            assert!(path.path.condition.iter().any(|constraint| constraint.text.contains("BSwitch")));
        }
    });
}

#[test]
fn the_small_examples_of_the_monitors_paper() {
    // By lines: all statements of condTest; all of dataTest but `tmp = 0`; the second block of pruneTest.
    let lines = |pair: &str, entry: &str| -> (BTreeSet<u32>, usize, usize) {
        with(pair, entry, Rules::Closed, |affected, graph, explore| {
            let location = |node: NodeId| graph.node(node).location.expect("a line");
            let line = |node: NodeId| explore.program.locations[location(node)].line;
            let affected = affected.nodes().map(line).collect();
            (affected, explore.count(Kind::Exact), explore.count(Kind::Full))
        })
    };
    assert_eq!(lines("condtest", "condTest"), (BTreeSet::from([2, 3, 5]), 2, 2));
    assert_eq!(lines("datatest", "dataTest"), (BTreeSet::from([2, 4, 5, 7, 8]), 2, 2));
    assert_eq!(lines("prunetest", "pruneTest"), (BTreeSet::from([6, 7, 9]), 2, 4));
}

#[test]
fn figure_6_loses_and_repeats_where_we_do_not() {
    let counts = |pair: &str| {
        with(pair, "step", Rules::Paper, |_, _, explore| {
            (explore.count(Kind::Paper), explore.count(Kind::Exact))
        })
    };
    assert_eq!(counts("loss-side"), (1, 2));
    assert_eq!(counts("loss-write"), (1, 2));
    assert_eq!(counts("loss-condition"), (2, 3));
    assert_eq!(counts("twice"), (2, 1));
}
