//! Random libraries over structs, unions, bytes, heap objects, global variables and callbacks, in two versions that
//! differ in one number, or in several of one function. Their functions are called natively, each by itself and one
//! after the other on the same memory: what a statement does differently must be affected, or be counted as what is
//! only executed more or less often or, where callers hand memory on, as what these bring about.

use incise_change::{Entries, FunctionChange, Impact, NodeId, Rules, StatementGraph, Versions, WholeImpact};
use incise_ir::{FunctionId, LocationId, Program};
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
struct operations { int (*run)(struct node *, int); int uses; };
static int total;
static int table[4];
static struct item state;
static struct node *kept;
static int *held;
static int first(struct node *n, int x);
static int second(struct node *n, int x);
static struct operations operations = { first, 0 };
";

/// The functions that are called through pointers.
const CALLED_BACK: &str = "static int first(struct node *n, int x) {
    total = REC(LINE, total + x);
    return REC(LINE, n->count + x);
}
static int second(struct node *n, int x) {
    state.value = REC(LINE, x & 7);
    return REC(LINE, n->value - x);
}";

const PARAMETERS: &str =
    "struct node *n, struct item *it, union number *u, int *p, char *c, int (*h)(int), int x";

/// What can be written and read, with the type that is written.
const PLACES: [(&str, &str); 20] = [
    ("a", "int"),
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
    ("table[1]", "int"),
    ("table[x & 3]", "int"),
    ("state.value", "int"),
    ("state.size", "int"),
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
        match self.random.below(10) {
            0 => "x".to_owned(),
            1 | 2 => format!("(int)({place}) + NUMBER{}", self.next_line()),
            3 => format!("(int)({place}) - (int)({other})"),
            4 => "(u->f > 1.0f)".to_owned(),
            5 => "(kept ? kept->value : 3)".to_owned(),
            6 => "(held ? *held : 1)".to_owned(),
            // Clang leaves out what a constant decides about.
            7 => format!("x - x + NUMBER{}", self.next_line()),
            _ => format!("(int)({place})"),
        }
    }

    /// What decides.
    fn condition(&mut self) -> String {
        let (value, limit) = (self.value(), self.random.below(6));
        match self.random.below(4) {
            0 => format!("({value}) > {limit} && x != {limit}"),
            1 => format!("(({value}) & 3) == {}", limit & 3),
            _ => format!("({value}) > {limit}"),
        }
    }

    fn write(&mut self) {
        let ((place, ty), value) = (self.random.pick(&PLACES), self.value());
        self.line(format!("    {place} = ({ty})REC({}, (int)(({value}) & 0xffff));", self.next_line()));
    }

    fn call(&mut self, function: usize) {
        let value = self.value();
        let line = self.next_line();
        match self.random.below(4) {
            0 => self.line(format!("    b = REC({line}, h({value}));")),
            1 => self.line(format!("    a = REC({line}, operations.run(n, {value}));")),
            _ if function > 0 => {
                let callee = self.random.below(function);
                let pointer =
                    self.random.pick(&["p", "&a", "&local.value", "&n->count", "&total", "&table[2]"]);
                let node = self.random.pick(&["n", "n", "n->next", "heap"]);
                let call = format!("f{callee}({node}, it, u, {pointer}, c, h, {value})");
                // The functions use what the first node leads to.
                let guard = if node == "n" { "" } else { "n->next && n->next->next && heap->next && " };
                self.line(format!("    if ({guard}1) b = REC({line}, {call});"));
            }
            _ => self.write(),
        }
    }

    fn block(&mut self, function: usize, depth: usize) {
        for _ in 0..1 + self.random.below(2) {
            self.statement(function, depth);
        }
    }

    fn statement(&mut self, function: usize, depth: usize) {
        let kind = self.random.below(if depth < 2 { 20 } else { 11 });
        match kind {
            0 => self.line("    kept = n;".to_owned()),
            1 => self.line("    memcpy(&local, it, sizeof local);".to_owned()),
            2 => self.line("    held = &n->count;".to_owned()),
            3..=5 => self.call(function),
            11..=13 => {
                let condition = self.condition();
                self.line(format!("    if (REC({}, {condition})) {{", self.next_line()));
                self.block(function, depth + 1);
                if self.random.percent(30) {
                    self.line(format!("        return REC({}, 5);", self.next_line()));
                } else if self.random.percent(40) {
                    self.line("    } else {".to_owned());
                    self.block(function, depth + 1);
                }
                self.line("    }".to_owned());
            }
            14 | 15 => {
                let (value, turns) = (self.value(), format!("i{depth}"));
                let test = format!("{turns} < (({value}) & 3)");
                self.line(format!(
                    "    for (int {turns} = 0; REC({}, {test}); {turns}++) {{",
                    self.next_line()
                ));
                self.block(function, depth + 1);
                if self.random.percent(50) {
                    let (condition, leave) =
                        (self.condition(), self.random.pick(&["break", "continue", "return 2"]));
                    self.line(format!("        if (REC({}, {condition})) {leave};", self.next_line()));
                    self.block(function, depth + 1);
                }
                self.line("    }".to_owned());
            }
            16 => {
                let condition = self.condition();
                let name = self.random.pick(&["first", "second"]);
                self.line(format!(
                    "    if (REC({}, {condition})) operations.run = {name};",
                    self.next_line()
                ));
            }
            17 => {
                let (condition, one, other) = (self.condition(), self.value(), self.value());
                let line = self.next_line();
                self.line(format!("    a = REC({line}, ({condition}) ? ({one}) : ({other}));"));
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
            self.statement(number, 0);
        }
        let value = self.value();
        self.line(format!("    return REC({}, {value});", self.next_line()));
        self.line("}".to_owned());
    }
}

/// A library with the names of its functions that others can see. Its numbers are still to be given.
struct Library {
    text: String,
    names: Vec<String>,
    /// The names of the numbers, which end in their lines.
    numbers: Vec<String>,
    random: Random,
}

impl Library {
    fn new(seed: u64) -> Self {
        let mut maker = Maker { random: Random::new(seed, 71), lines: Vec::new() };
        for line in CALLED_BACK.lines() {
            let line = line.replace("LINE", &maker.next_line().to_string());
            maker.line(line);
        }
        for number in 0..6 {
            maker.function(number);
        }
        let text = maker.lines.join("\n");
        let numbers = text.match_indices("NUMBER");
        let numbers = numbers.map(|(at, _)| text[at..].split([' ', ')', ',']).next().unwrap().to_owned());
        let visible = maker.lines.iter().filter(|line| line.starts_with("int f"));
        let names = visible.map(|line| line[4..6].to_owned()).collect();
        Self { numbers: numbers.collect(), text, names, random: maker.random }
    }

    /// The text with some numbers that are others.
    fn with(&self, changed: &[&String], value: &str) -> String {
        let mut text = self.text.clone();
        for number in &self.numbers {
            let value = if changed.contains(&number) { value } else { "3" };
            text = text.replace(&format!("{number})"), &format!("{value})"));
            text = text.replace(&format!("{number} "), &format!("{value} "));
        }
        format!("{PRELUDE}{text}\n")
    }

    /// A version that differs in a number on one of these lines, or in several of one function.
    fn changed(&mut self, lines: &BTreeSet<u32>, several: bool) -> Option<String> {
        let line = |number: &str| number[6..].parse::<u32>().expect("it ends in its line");
        let there: Vec<&String> = self.numbers.iter().filter(|each| lines.contains(&line(each))).collect();
        if there.is_empty() {
            return None;
        }
        let (picked, value) = (self.random.pick(&there), self.random.pick(&["7", "0", "-2", "40"]));
        let text: Vec<&str> = self.text.lines().collect();
        let function = |number: &str| {
            let before = line(number) as usize - PRELUDE.lines().count();
            text[..before].iter().rposition(|line| line.ends_with("int x) {"))
        };
        let same =
            |number: &&&String| **number == picked || (several && function(number) == function(picked));
        let changed: Vec<&String> = there.iter().filter(same).copied().collect();
        Some(self.with(&changed, value))
    }
}

/// The library with a program around it that calls one function, or several one after the other: `argv[1]` is the
/// number of the function and `argv[2]` what it is given; or -1, and what the order is made from.
fn driven(library: &str, names: &[String]) -> String {
    let mut text = format!("{library}static int plus(int value) {{ return value + 1; }}\n");
    text.push_str("int main(int argc, char **argv) {\n");
    text.push_str(
        "    struct node third = {7, 1, 0, 0}, second = {5, 6, &third, 0}, n = {1, 2, &second, 0};\n",
    );
    text.push_str("    third.next = &second;\n");
    text.push_str("    struct item it = {3, 4, {1, 2, 3}}; union number u = {.i = 9}; int p = 8; char c[16] = \"text\";\n");
    text.push_str(
        "    int which = argc > 2 ? atoi(argv[1]) : -1; unsigned given = argc > 2 ? atoi(argv[2]) : 1;\n",
    );
    text.push_str("    for (int turn = 0; turn < (which < 0 ? 12 : 1); turn++) {\n");
    text.push_str(&format!(
        "        int next = which < 0 ? (int)(given >> 3) % {} : which;\n",
        names.len().max(1)
    ));
    for (number, name) in names.iter().enumerate() {
        text.push_str(&format!(
            "        if (next == {number}) {name}(&n, &it, &u, &p, c, plus, which < 0 ? (int)(given >> 9) % 6 : (int)given);\n"
        ));
    }
    text + "        given = (given * 1103515245u + 12345u) & 0x7fffffff;\n    }\n    return 0;\n}\n"
}

/// What single calls are given.
const GIVEN: [&str; 4] = ["4", "0", "1", "3"];
/// What orders of calls are made from.
const ORDERS: [&str; 4] = ["1", "77", "4321", "900001"];

/// For each line, the values that were computed there.
fn trace(native: &Native, arguments: [&str; 2]) -> BTreeMap<u32, Vec<String>> {
    let output = native.output(&arguments, &[]).expect("it runs");
    let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output).lines() {
        let (line, value) = line.split_once(' ').expect("a line and a value");
        found.entry(line.parse().expect("a number")).or_default().push(value.to_owned());
    }
    found
}

/// The lines on which two versions did different things.
fn differing(versions: &[Native; 2], arguments: [&str; 2]) -> BTreeSet<u32> {
    let [old, new] = versions.each_ref().map(|native| trace(native, arguments));
    let lines: BTreeSet<u32> = old.keys().chain(new.keys()).copied().collect();
    lines.into_iter().filter(|line| old.get(line) != new.get(line)).collect()
}

fn lines_of(program: &Program, graph: &StatementGraph, nodes: impl Iterator<Item = NodeId>) -> BTreeSet<u32> {
    let line = |location: LocationId| program.locations[location].line;
    nodes.filter_map(|node| Some(line(graph.node(node).location?))).collect()
}

/// What is said of the lines of a library.
struct Analysed {
    affected: BTreeSet<u32>,
    /// Those that may be executed more or less often.
    called: BTreeSet<u32>,
    /// All that callers may bring about, too.
    all: BTreeSet<u32>,
}

fn analysed(old: &Program, new: &Program) -> Analysed {
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
    let mut found = Analysed { all: affected.clone(), affected, called: BTreeSet::new() };
    let Some(scope) = &whole.scope else { return found };
    let lines = |(&function, nodes): (&FunctionId, &Vec<NodeId>)| {
        lines_of(new, &scope.facts(function).graph, nodes.iter().copied())
    };
    found.called = whole.called.iter().flat_map(lines).collect();
    found.all.extend(whole.later.iter().chain(&whole.called).flat_map(lines));
    found
}

/// Checks one library; tells how many lines differed in single calls, how many of these were not affected but only
/// executed more or less often, how many differed in calls one after the other that single calls did not show, and how
/// many are affected.
fn check(folder: &Path, seed: u64, (strict, more): (bool, bool)) -> [usize; 4] {
    let mut library = Library::new(seed);
    let names = library.names.clone();
    let old = library.with(&[], "");
    let mut flags = vec!["-O0", "-DRECORD", "-fwrapv", "-w"];
    flags.extend((!strict).then_some("-fno-strict-aliasing"));
    let build = |name: &str, text: &str| {
        Native::build(folder, name, &flags, &driven(text, &names)).unwrap_or_else(|why| panic!("{why}"))
    };
    let numbers: Vec<String> = (0..names.len()).map(|number| number.to_string()).collect();
    let calls = || numbers.iter().flat_map(|number| GIVEN.map(|given| [number.as_str(), given]));
    let old_native = build("old", &old);
    let executed: BTreeSet<u32> = calls().flat_map(|call| trace(&old_native, call).into_keys()).collect();
    let Some(new) = library.changed(&executed, more) else { return [0; 4] };
    let programs = [&old, &new].map(|text| Compiler::default().program(text));
    let Analysed { affected, called, all } = analysed(&programs[0], &programs[1]);
    let natives = [old_native, build("new", &new)];
    let single: BTreeSet<u32> = calls().flat_map(|call| differing(&natives, call)).collect();
    let several: BTreeSet<u32> = ORDERS.iter().flat_map(|order| differing(&natives, ["-1", order])).collect();
    let line = |number: u32| new.lines().nth(number as usize - 1).unwrap_or("");
    let told = |number: &&u32| affected.contains(number) || called.contains(number);
    if let Some(&number) = single.iter().find(|number| !told(number)) {
        panic!("seed {seed}: line {number} differs and is not affected: {}\n{new}", line(number));
    }
    if let Some(&number) = several.difference(&all).next() {
        panic!("seed {seed}: line {number} differs in later calls, and is not told: {}\n{new}", line(number));
    }
    let only_called = single.difference(&affected).count();
    [single.len(), only_called, several.difference(&single).count(), affected.len()]
}

#[test]
fn nothing_differs_natively_but_what_is_affected_or_brought_about_by_callers() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut counts = [0; 4];
    for seed in 0..shorter(48, 400) as u64 {
        let found = check(folder.path(), seed, (seed % 4 != 3, seed % 3 != 0));
        counts.iter_mut().zip(found).for_each(|(count, found)| *count += found);
    }
    let [single, called, later, affected] = counts;
    println!(
        "{single} lines differed in single calls, {called} of them only executed more or less often, {later} more in \
         later calls, {affected} affected"
    );
    assert!(single > 60 && later > 60, "{single} {later}");
}
