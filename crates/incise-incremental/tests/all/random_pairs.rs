//! The random pairs themselves: both versions compile, run natively, and are recorded statement by statement as the
//! graphs have them.

use incise_change::StatementGraph;
use incise_ir::Program;
use incise_testing::judge::{End, Mark, Run, Trace};
use incise_testing::{Features, Input, batch, function_lines, program_in};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The points of a function's graph: for each line, how many statements.
fn points(program: &Program, name: &str) -> BTreeMap<u32, u32> {
    let graph = StatementGraph::new(program, program.function_named(name).expect(name));
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
fn marks(text: &str, lines: Range<u32>) -> BTreeMap<u32, u32> {
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

fn check_points(features: &Features, seed: u64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let batch = batch(features, seed, 100);
    for (name, text) in [("old", &batch.old), ("new", &batch.new)] {
        let program = program_in(folder.path(), name, text);
        let functions: Vec<(u32, &str)> = function_lines(text).into_iter().collect();
        for (index, &(first, function)) in functions.iter().enumerate() {
            let end = functions.get(index + 1).map_or(u32::MAX, |next| next.0);
            let (graph, mut text_points) = (points(&program, function), marks(text, first..end));
            // Code after a choice of which all sides leave is in no graph, nor is the step of a loop whose body always
            // leaves.
            text_points.retain(|line, count| {
                let there = graph.get(line).copied().unwrap_or(0);
                if (there, *count) == (2, 3) && text.lines().nth(*line as usize - 1).is_some_and(is_for) {
                    *count = 2;
                }
                there > 0
            });
            let lines = text.lines().skip(first as usize - 1).take_while(|line| *line != "}");
            let shown: Vec<&str> = lines.collect();
            assert_eq!(graph, text_points, "seed {seed}, {name}, from line {first}\n{}", shown.join("\n"));
        }
    }
}

#[test]
fn texts_and_graphs_have_the_same_statements() {
    (0..4).for_each(|seed| check_points(&Features::functions(), seed));
    (0..2).for_each(|seed| check_points(&Features::programs(), seed));
}

#[test]
fn the_judge_sees_every_kind_of_end_and_of_difference() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let batch = batch(&Features::functions(), 7, 150);
    let (mut ends, mut different, mut equal) = (BTreeSet::new(), 0, 0);
    let build =
        |name, text| Trace::build(folder.path(), name, &batch, text).unwrap_or_else(|why| panic!("{why}"));
    let (old, new) = (build("old", &batch.old), build("new", &batch.new));
    for (number, pair) in batch.pairs.iter().enumerate() {
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
            assert!(!run.trace.is_empty(), "{} does something", pair.entry());
        }
        let same = before.iter().zip(&after).all(|(before, after)| before.same_behaviour(after));
        if same {
            equal += 1
        } else {
            different += 1
        }
        if pair.mutations.is_empty() {
            assert!(same, "it was not changed: {}", pair.texts());
            let lengths = |runs: &[Run]| runs.iter().map(|run| run.trace.len()).collect::<Vec<_>>();
            assert_eq!(lengths(&before), lengths(&after), "it was not changed: {}", pair.texts());
        }
    }
    assert_eq!(ends.len(), 4, "every kind of end occurs");
    assert!(different > 30 && equal > 30, "{different} differ, {equal} do not");
}

#[test]
fn a_run_is_recorded_as_it_happens() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut batch = batch(&Features::functions(), 3, 1);
    batch.pairs[0].new.functions[0].parameters.truncate(1);
    let head = batch.old.lines().take_while(|line| !line.starts_with("int g0_0")).count() as u32;
    let prelude: String = batch.old.lines().take(head as usize).map(|line| format!("{line}\n")).collect();
    let text = format!(
        "{prelude}int g0_0, g0_1, t0[4];\nint e0(int a) {{ ENTER;\n    \
         for (T(0), g0_0 = 0; C(1, g0_0 < 1); T(2), g0_0++) {{\n    }}\n    \
         T(0); a = DIV(6, /, a);\n    g0_1 = J(1, C(0, a > 2) && (a < 6));\n    T(0); return a;\n}}\n"
    );
    let judge = Trace::build(folder.path(), "one", &batch, &text).unwrap_or_else(|why| panic!("{why}"));
    let call = |a| (0, Input { parameters: vec![a], globals: vec![9, 9, 5, 6, 7, 8] });
    let runs = judge.run(&[call(2), call(0)]).unwrap_or_else(|why| panic!("{why}"));
    let at = |points: &[(u32, u32)]| -> Vec<Mark> {
        points.iter().map(|&(line, part)| Mark::Statement(head + line, part)).collect()
    };
    let start = [vec![Mark::Enter(head + 2)], at(&[(3, 0), (3, 1), (3, 2), (3, 1), (5, 0)])].concat();
    let whole = [&start[..], &at(&[(6, 0), (6, 1), (7, 0)]), &[Mark::Leave]].concat();
    assert_eq!(runs[0], Run { trace: whole, end: End::Returned(3), globals: vec![1, 1, 5, 6, 7, 8] });
    assert_eq!(runs[1], Run { trace: start, end: End::Failed(head + 5), globals: vec![1, 9, 5, 6, 7, 8] });
}
