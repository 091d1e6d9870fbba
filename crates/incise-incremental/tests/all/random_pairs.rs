//! The random pairs themselves: both versions compile, run natively, and are recorded statement by statement as the
//! graphs have them.

use incise_change::StatementGraph;
use incise_ir::Program;
use incise_testing::pairs::{Batch, End, NativeJudge, Run, Visit, batch};
use incise_testing::program_in;
use std::collections::{BTreeMap, BTreeSet};

/// The points of a function's graph: for each line, how many statements.
fn points(program: &Program, name: &str) -> BTreeMap<u32, u32> {
    let (id, _) = program.functions.iter().find(|(_, function)| function.name == name).expect(name);
    let graph = StatementGraph::new(program, id);
    let mut lines = BTreeMap::new();
    for node in &graph.nodes {
        let line = node.location.map_or(0, |location| program.locations[location].line);
        *lines.entry(line).or_insert(0) += 1;
    }
    // Clang gives the joins of `&&` and `||` no line; the statement that uses the joined value follows.
    lines.remove(&0);
    lines
}

/// The points of a function's text: for each line, how many macros record.
fn marks(batch: &Batch, text: &str, number: usize) -> BTreeMap<u32, u32> {
    let pair = &batch.functions[number];
    let lines = if text == batch.old { &pair.old_lines } else { &pair.new_lines };
    let lines = (1..).zip(text.lines()).filter(|(line, _)| lines.contains(line));
    let counted = lines.map(|(line, text)| {
        let names = ["T(", "C(", "J("];
        let count = names.map(|name| text.matches(name).count() as u32).iter().sum();
        (line, count)
    });
    counted.filter(|&(_, count)| count > 0).collect()
}

fn is_for(line: &str) -> bool {
    line.trim_start().starts_with("for (")
}

#[test]
fn texts_and_graphs_have_the_same_statements() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for seed in 0..4 {
        let batch = batch(seed, 100);
        for (name, text) in [("old", &batch.old), ("new", &batch.new)] {
            let program = program_in(folder.path(), name, text);
            for (number, pair) in batch.functions.iter().enumerate() {
                let (graph, mut text_points) = (points(&program, &pair.name), marks(&batch, text, number));
                // Code after a choice of which all sides leave is in no graph, nor is the step of a loop whose body
                // always leaves.
                text_points.retain(|line, count| {
                    let there = graph.get(line).copied().unwrap_or(0);
                    if (there, *count) == (2, 3) && text.lines().nth(*line as usize - 1).is_some_and(is_for) {
                        *count = 2;
                    }
                    there > 0
                });
                let lines = if name == "old" { &pair.old_lines } else { &pair.new_lines };
                assert_eq!(graph, text_points, "seed {seed}, {name}\n{}", Batch::excerpt(text, lines));
            }
        }
    }
}

#[test]
fn the_judge_sees_every_kind_of_end_and_of_difference() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let batch = batch(7, 150);
    let (mut ends, mut different, mut equal) = (BTreeSet::new(), 0, 0);
    let build = |name, text| {
        NativeJudge::build(folder.path(), name, &batch, text).unwrap_or_else(|why| panic!("{why}"))
    };
    let (old, new) = (build("old", &batch.old), build("new", &batch.new));
    for (number, pair) in batch.functions.iter().enumerate() {
        let calls: Vec<_> = pair.inputs(200).into_iter().map(|input| (number, input)).collect();
        let before = old.run(&calls).unwrap_or_else(|why| panic!("{why}"));
        let after = new.run(&calls).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!((before.len(), after.len()), (calls.len(), calls.len()));
        for run in before.iter().chain(&after) {
            ends.insert(match run.end {
                End::Returned(_) => 0,
                End::Failed(_) => 1,
                End::Aborted(_) => 2,
                End::Exited(..) => 3,
            });
            assert!(!run.trace.is_empty(), "{} does something", pair.name);
        }
        let same = before.iter().zip(&after).all(|(before, after)| before.same_behaviour(after));
        if same {
            equal += 1
        } else {
            different += 1
        }
        if pair.mutations.is_empty() && !pair.calls_changed_helper {
            assert!(same, "{} was not changed\n{}", pair.name, Batch::excerpt(&batch.new, &pair.new_lines));
            let lengths = |runs: &[Run]| runs.iter().map(|run| run.trace.len()).collect::<Vec<_>>();
            assert_eq!(lengths(&before), lengths(&after), "{} was not changed", pair.name);
        }
    }
    assert_eq!(ends.len(), 4, "every kind of end occurs");
    assert!(different > 30 && equal > 30, "{different} differ, {equal} do not");
}

#[test]
fn a_run_is_recorded_as_it_happens() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut batch = batch(3, 1);
    batch.functions[0].parameters = vec![incise_testing::pairs::Type::Int];
    let head = batch.old.lines().take_while(|line| !line.starts_with("int f0")).count() as u32;
    let prelude: String = batch.old.lines().take(head as usize).map(|line| format!("{line}\n")).collect();
    let text = format!(
        "{prelude}int f0(int a) {{\n    for (T(0), g0 = 0; C(1, g0 < 1); T(2), g0++) {{\n    }}\n    \
         T(0); a = DIV(6, /, a);\n    g1 = J(1, C(0, a > 2) && (a < 6));\n    T(0); return a;\n}}\n"
    );
    let judge = NativeJudge::build(folder.path(), "one", &batch, &text).unwrap_or_else(|why| panic!("{why}"));
    let call = |a| (0, incise_testing::pairs::Input { parameters: vec![a], globals: vec![9, 9, 5, 6] });
    let runs = judge.run(&[call(2), call(0)]).unwrap_or_else(|why| panic!("{why}"));
    let at = |points: &[(u32, u32)]| -> Vec<Visit> {
        points.iter().map(|&(line, part)| Visit { line: head + line, part }).collect()
    };
    let start = [(2, 0), (2, 1), (2, 2), (2, 1), (4, 0)];
    let whole = [&start[..], &[(5, 0), (5, 1), (6, 0)]].concat();
    assert_eq!(runs[0], Run { trace: at(&whole), end: End::Returned(3), globals: vec![1, 1, 5, 6] });
    assert_eq!(runs[1], Run { trace: at(&start), end: End::Failed(head + 4), globals: vec![1, 9, 5, 6] });
}
