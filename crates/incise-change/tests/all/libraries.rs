//! Random libraries over structs, unions, bytes, heap objects and global variables, in two versions that differ in one
//! number. Their functions are called natively, each by itself and one after the other on the same memory: what a
//! statement does differently must be affected, or, where callers hand memory on, be counted as what these bring about.

use incise_change::{Entries, FunctionChange, Impact, NodeId, Rules, StatementGraph, Versions, WholeImpact};
use incise_ir::{LocationId, Program};
use incise_testing::{Compiler, Native, Random, shorter};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const PRELUDE: &str = "#include <stdlib.h>
#include <string.h>
#ifdef RECORD
#include <stdio.h>
static int REC(int line, int value) { printf(\"%d %d\\n\", line, value); return value; }
#else
#define REC(line, value) (value)
#endif
struct node { int value; int count; struct node *next; char *text; };
struct item { int value; long size; unsigned char bytes[8]; };
union number { int i; float f; unsigned char raw[4]; };
static int total;
static struct node *kept;
";

const PARAMETERS: &str = "struct node *n, struct item *it, union number *u, int *p, char *c, int x";

/// What can be written and read, with the type that is written.
const PLACES: [(&str, &str); 15] = [
    ("a", "int"),
    ("b", "int"),
    ("n->value", "int"),
    ("n->count", "int"),
    ("n->next->value", "int"),
    ("it->value", "int"),
    ("it->size", "int"),
    ("it->bytes[2]", "unsigned char"),
    ("u->i", "int"),
    ("u->raw[1]", "unsigned char"),
    ("*p", "int"),
    ("c[1]", "signed char"),
    ("local.value", "int"),
    ("heap->count", "int"),
    ("total", "int"),
];

/// A library under construction. One number of it is the one that differs.
struct Maker {
    random: Random,
    lines: Vec<String>,
}

impl Maker {
    fn line(&mut self, text: String) {
        self.lines.push(text);
    }

    /// The number of the line that comes next.
    fn next_line(&self) -> usize {
        PRELUDE.lines().count() + self.lines.len() + 1
    }

    fn value(&mut self) -> String {
        let place = self.random.pick(&PLACES).0;
        let other = self.random.pick(&PLACES).0;
        match self.random.below(8) {
            0 => "x".to_owned(),
            1 => format!("(int)({place}) + NUMBER{}", self.next_line()),
            2 => format!("(int)({place}) - (int)({other})"),
            3 => "(u->f > 1.0f)".to_owned(),
            4 => "(kept ? kept->value : 3)".to_owned(),
            5 => format!("NUMBER{}", self.next_line()),
            _ => format!("(int)({place})"),
        }
    }

    fn write(&mut self) {
        let ((place, ty), value) = (self.random.pick(&PLACES), self.value());
        self.line(format!("    {place} = ({ty})REC({}, (int)(({value}) & 0xffff));", self.next_line()));
    }

    fn statement(&mut self, function: usize) {
        match self.random.below(10) {
            0 => self.line("    kept = n;".to_owned()),
            1 => self.line("    memcpy(&local, it, sizeof local);".to_owned()),
            2 | 3 => {
                let value = self.value();
                self.line(format!("    if (REC({}, ({value}) > 2)) {{", self.next_line()));
                self.write();
                if self.random.percent(30) {
                    self.line(format!("        return REC({}, 5);", self.next_line()));
                }
                self.line("    }".to_owned());
            }
            4 if function > 0 => {
                let (callee, value) = (self.random.below(function), self.value());
                let pointer = self.random.pick(&["p", "&a", "&local.value", "&n->count", "&total"]);
                let line = self.next_line();
                self.line(format!("    b = REC({line}, f{callee}(n, it, u, {pointer}, c, {value}));"));
            }
            _ => self.write(),
        }
    }

    fn function(&mut self, number: usize) {
        let hidden = if self.random.percent(40) { "static " } else { "" };
        self.line(format!("{hidden}int f{number}({PARAMETERS}) {{"));
        self.line("    int a = 1, b = 2; struct item local = {0};".to_owned());
        self.line("    struct node *heap = malloc(sizeof *heap); memset(heap, 0, sizeof *heap);".to_owned());
        for _ in 0..4 + self.random.below(5) {
            self.statement(number);
        }
        let value = self.value();
        self.line(format!("    return REC({}, {value});", self.next_line()));
        self.line("}".to_owned());
    }
}

/// The two versions of a library, and the names of its functions that others can see.
fn library(seed: u64) -> (String, String, Vec<String>) {
    let mut maker = Maker { random: Random::new(seed, 71), lines: Vec::new() };
    for number in 0..6 {
        maker.function(number);
    }
    let text = maker.lines.join("\n");
    let numbers: Vec<&str> = text
        .match_indices("NUMBER")
        .map(|(at, _)| text[at..].split([' ', ')', ',']).next().unwrap())
        .collect();
    let changed = maker.random.pick(&numbers);
    let with = |replaced: &str| {
        let mut text = text.clone();
        for number in &numbers {
            let value = if *number == changed { replaced } else { "3" };
            text = text.replace(&format!("{number})"), &format!("{value})"));
            text = text.replace(&format!("{number} "), &format!("{value} "));
        }
        format!("{PRELUDE}{text}\n")
    };
    let visible = maker.lines.iter().filter(|line| line.starts_with("int f"));
    let names = visible.map(|line| line[4..6].to_owned()).collect();
    (with("3"), with("7"), names)
}

/// The library with a program around it that calls one function, or all one after the other.
fn driven(library: &str, names: &[String]) -> String {
    let mut text = format!("{library}int main(int argc, char **argv) {{\n");
    text.push_str("    struct node second = {5, 6, 0, 0}, n = {1, 2, &second, 0};\n");
    text.push_str("    struct item it = {3, 4, {1, 2, 3}}; union number u = {.i = 9}; int p = 8; char c[16] = \"text\";\n");
    text.push_str("    int which = argc > 1 ? atoi(argv[1]) : -1;\n    for (int turn = 0; turn < (which < 0 ? 2 : 1); turn++) {\n");
    for (number, name) in names.iter().enumerate() {
        text.push_str(&format!(
            "        if (which < 0 || which == {number}) {name}(&n, &it, &u, &p, c, 4);\n"
        ));
    }
    text + "    }\n    return 0;\n}\n"
}

/// For each line, the values that were computed there.
fn trace(native: &Native, argument: &str) -> BTreeMap<u32, Vec<String>> {
    let output = native.output(&[argument], &[]).expect("it runs");
    let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output).lines() {
        let (line, value) = line.split_once(' ').expect("a line and a value");
        found.entry(line.parse().expect("a number")).or_default().push(value.to_owned());
    }
    found
}

/// The lines on which two versions did different things.
fn differing(versions: &[Native; 2], argument: &str) -> BTreeSet<u32> {
    let [old, new] = versions.each_ref().map(|native| trace(native, argument));
    let lines: BTreeSet<u32> = old.keys().chain(new.keys()).copied().collect();
    lines.into_iter().filter(|line| old.get(line) != new.get(line)).collect()
}

fn lines_of(program: &Program, graph: &StatementGraph, nodes: impl Iterator<Item = NodeId>) -> BTreeSet<u32> {
    let line = |location: LocationId| program.locations[location].line;
    nodes.filter_map(|node| Some(line(graph.node(node).location?))).collect()
}

/// The affected lines, and those with what callers may bring about.
fn analysed(old: &Program, new: &Program) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let versions = Versions::compare(old, new);
    let changed = versions.functions.iter().filter(|pair| pair.change != FunctionChange::Unchanged);
    let changed_old = changed.filter_map(|pair| pair.old).collect();
    let (old_entries, entries) = (Entries::of(old, &changed_old), Entries::of(new, &versions.changed_new()));
    let functions = (old_entries.functions.as_slice(), entries.functions.as_slice());
    let rules = Rules::Closed;
    let (impact, mirrored) = Impact::both_ways(old, new, versions, functions, rules, false);
    let whole = WholeImpact::new(&impact, &mirrored, &entries, &old_entries, rules);
    let mut affected = BTreeSet::new();
    for function in &whole.functions {
        let alignment = &function.impact.alignment;
        affected.extend(lines_of(new, &alignment.new_graph, function.impact.affected.nodes()));
        if let Some(graph) = &alignment.old_graph {
            affected.extend(lines_of(old, graph, function.impact.affected_old.nodes()));
        }
    }
    let mut all = affected.clone();
    let Some(scope) = &whole.scope else { return (affected, all) };
    for (&function, nodes) in &whole.later {
        all.extend(lines_of(new, &scope.facts(function).graph, nodes.iter().copied()));
    }
    (affected, all)
}

/// Checks one library; tells how many lines differed in single calls, how many in calls one after the other that single
/// calls did not show, and how many lines are affected.
fn check(folder: &Path, seed: u64, strict: bool) -> [usize; 3] {
    let (old, new, names) = library(seed);
    let programs = [&old, &new].map(|text| Compiler::default().program(text));
    let (affected, all) = analysed(&programs[0], &programs[1]);
    let mut flags = vec!["-O0", "-DRECORD", "-fwrapv", "-w"];
    flags.extend((!strict).then_some("-fno-strict-aliasing"));
    let natives = [("old", &old), ("new", &new)].map(|(name, text)| {
        Native::build(folder, name, &flags, &driven(text, &names)).unwrap_or_else(|why| panic!("{why}"))
    });
    let mut single = BTreeSet::new();
    for number in 0..names.len() {
        single.extend(differing(&natives, &number.to_string()));
    }
    let several = differing(&natives, "-1");
    let line = |number: u32| new.lines().nth(number as usize - 1).unwrap_or("");
    if let Some(&number) = single.difference(&affected).next() {
        panic!("seed {seed}: line {number} differs and is not affected: {}\n{new}", line(number));
    }
    if let Some(&number) = several.difference(&all).next() {
        panic!("seed {seed}: line {number} differs in later calls, and is not told: {}\n{new}", line(number));
    }
    [single.len(), several.difference(&single).count(), affected.len()]
}

#[test]
fn nothing_differs_natively_but_what_is_affected_or_brought_about_by_callers() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut counts = [0; 3];
    for seed in 0..shorter(14, 200) as u64 {
        let found = check(folder.path(), seed, seed % 4 != 3);
        counts.iter_mut().zip(found).for_each(|(count, found)| *count += found);
    }
    let [single, later, affected] = counts;
    println!("{single} lines differed in single calls, {later} more in later ones, {affected} affected");
    assert!(single > 10 && later > 1, "{single} {later}");
}
