//! Random programs that use memory in many ways are executed natively, and what their statements really read, write and
//! call is compared with what the analysis says that they may.

use incise_change::{CallGraph, Dependence, Effects, Footprint, NodeId, StatementGraph};
use incise_ir::{Id, Program};
use incise_testing::Compiler;
use incise_testing::kinds::memory::RECORDER;
use incise_testing::{Native, shorter};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What happened in a run.
#[derive(Default)]
struct Record {
    /// Statements by their lines: what the first wrote, the second read in the same activation, itself or in what it
    /// calls.
    dependences: BTreeSet<(u32, u32)>,
    /// The same, of the innermost statements, wherever they stand.
    across: BTreeSet<(u32, u32)>,
    /// Calls by address: the line and who was called.
    calls: BTreeSet<(u32, String)>,
}

/// Compiles and executes a batch with its marks.
fn execute(folder: &Path, text: &str) -> Record {
    std::fs::write(folder.join("recorder.h"), RECORDER).expect("the recorder is written");
    let flags = ["-O0", "-DRECORD", "-fwrapv"];
    let native = Native::build(folder, "batch", &flags, text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let output = native.output(&[], &[]).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let mut record = Record::default();
    for line in String::from_utf8_lossy(&output).lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [what, from, to] = words[..] else { panic!("a line of the record is {line}") };
        let number = |word: &str| word.parse().unwrap_or_else(|_| panic!("a line of the record is {line}"));
        let _ = match what {
            "d" => record.dependences.insert((number(from), number(to))),
            "x" => record.across.insert((number(from), number(to))),
            _ => record.calls.insert((number(from), to.to_owned())),
        };
    }
    record
}

/// What the analysis says of a program.
struct Analysis<'p> {
    program: &'p Program,
    effects: Effects,
    functions: Vec<(StatementGraph, Dependence)>,
    /// For each line, the statements on it.
    statements: BTreeMap<u32, Vec<(usize, NodeId)>>,
    /// The lines of statements of one function of which the second may read what the first writes.
    dependences: BTreeSet<(u32, u32)>,
    calls: BTreeSet<(u32, String)>,
}

impl<'p> Analysis<'p> {
    fn new(program: &'p Program, effects: Effects) -> Self {
        let ids = program.functions.ids().filter(|&id| program.functions[id].is_definition());
        let functions: Vec<(StatementGraph, Dependence)> = ids
            .map(|id| {
                let graph = StatementGraph::new(program, id);
                let dependence = Dependence::new(program, &effects, &graph);
                (graph, dependence)
            })
            .collect();
        let mut statements: BTreeMap<u32, Vec<(usize, NodeId)>> = BTreeMap::new();
        let mut dependences = BTreeSet::new();
        for (index, (graph, dependence)) in functions.iter().enumerate() {
            let line =
                |node| graph.node(node).location.map_or(0, |location| program.locations[location].line);
            for node in graph.ids() {
                statements.entry(line(node)).or_default().push((index, node));
                dependences
                    .extend(dependence.readers(node).into_iter().map(|reader| (line(node), line(reader))));
            }
        }
        let graph = CallGraph::new(program, &effects);
        let calls = graph.edges.iter().filter_map(|edge| {
            Some((edge.position.as_ref()?.line, graph.nodes[edge.callee?.index()].name.clone()))
        });
        let calls = calls.collect();
        Self { program, effects, functions, statements, dependences, calls }
    }

    fn on_line(&self, line: u32) -> &[(usize, NodeId)] {
        self.statements.get(&line).map_or(&[], Vec::as_slice)
    }

    /// Whether what a statement of one line writes may be what a statement of another line of any function reads.
    fn overlaps(&self, from: u32, to: u32) -> bool {
        let footprint = |&(function, node): &(usize, NodeId)| -> &Footprint {
            self.functions[function].1.footprint(node)
        };
        self.on_line(from).iter().any(|writer| {
            self.on_line(to).iter().any(|reader| {
                let ids = (self.functions[writer.0].0.function, self.functions[reader.0].0.function);
                footprint(writer).writes.iter().any(|written| {
                    let overlaps =
                        |read| self.effects.may_overlap(self.program, (ids.0, written), (ids.1, read));
                    footprint(reader).reads.iter().any(overlaps)
                })
            })
        })
    }

    fn check(&self, record: &Record, text: &str, mode: &str) {
        let line = |number: u32| text.lines().nth(number as usize - 1).unwrap_or("").trim();
        for &(from, to) in &record.dependences {
            assert!(
                self.dependences.contains(&(from, to)),
                "{mode}: line {to} read what line {from} wrote\n{from}: {}\n{to}: {}\n{text}",
                line(from),
                line(to)
            );
        }
        for &(from, to) in &record.across {
            assert!(
                self.overlaps(from, to),
                "{mode}: line {to} read what line {from} wrote, in another function\n{from}: {}\n{to}: {}\n{text}",
                line(from),
                line(to)
            );
        }
        for call in &record.calls {
            assert!(self.calls.contains(call), "{mode}: line {} called {}\n{text}", call.0, call.1);
        }
    }
}

/// Checks batches of random programs; tells how many dependences, dependences across functions and calls by address
/// there were, and how many dependences the analysis allows.
fn check_batches(seeds: std::ops::Range<u64>, count: usize, shared: bool) -> [usize; 4] {
    let folder = tempfile::tempdir().expect("a folder");
    let mut counts = [0; 4];
    for seed in seeds {
        let text = incise_testing::kinds::memory::batch(seed, count, shared);
        let record = execute(folder.path(), &text);
        let program =
            Compiler { flags: incise_testing::kinds::memory::PLAIN.to_vec(), ..Compiler::default() }
                .program(&text);
        let main = program.function_named("main").expect("it is there");
        let closed = Analysis::new(&program, Effects::for_entries(&program, false, &[main]));
        closed.check(&record, &text, "from main");
        // Nothing is known outside of these programs, unless the analysis lost track of what is shared.
        let points_to = closed.effects.points_to();
        assert_eq!(points_to.objects().any(|object| points_to.is_exposed(object)), shared);
        Analysis::new(&program, Effects::new(&program)).check(&record, &text, "from anywhere");
        let found =
            [record.dependences.len(), record.across.len(), record.calls.len(), closed.dependences.len()];
        counts.iter_mut().zip(found).for_each(|(count, found)| *count += found);
    }
    let [dependences, across, calls, allowed] = counts;
    println!("{dependences} dependences of {allowed}, {across} across functions, {calls} calls by address");
    counts
}

#[test]
fn what_happens_is_what_may_happen() {
    let batches = shorter(2, 8);
    let [dependences, across, calls, allowed] = check_batches(0..batches as u64, 30, false);
    let enough = dependences > 600 * batches && across > 600 * batches && calls > 25 * batches;
    assert!(enough, "{dependences} {across} {calls}");
    // Far from anything may depend on anything.
    assert!(allowed < 8 * dependences, "{allowed} {dependences}");
}

#[test]
fn what_happens_is_what_may_happen_where_pointers_may_point_to_too_many_objects() {
    check_batches(8..9, 60, true);
}
