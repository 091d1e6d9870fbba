//! Whole explorations of small C programs: what must hold whatever the searcher, the workers and the limits.
//!
//! Native replay of every path is tested with the command line; here is what only the engine's own interface shows.

use incise_exec::{
    Config, Decision, Detail, End, ErrorKind, Exploration, Hooks, LimitKind, Outcome, Path, SearcherKind,
    Stack, Strategy, Visit, Watches, Work, explore, explore_with,
};
use incise_ir::{Op, Program};
use incise_solver::Validate;
use incise_testing::hooks;
use incise_testing::program_with_models;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn config(entry: &str) -> Config {
    let mut config = Config::new(entry);
    config.solver.validate = Validate::Bitwuzla;
    config
}

fn run(program: &Program, config: &Config) -> Exploration {
    let hooks = hooks();
    explore(program, config, &hooks).expect("the exploration starts")
}

/// What a path is, as text that can be compared.
fn summary(path: &Path) -> String {
    let condition: Vec<&str> = path.condition.iter().map(|constraint| constraint.text.as_str()).collect();
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {} {}",
        path.decisions,
        path.decided,
        path.outcome,
        path.inputs,
        path.returned,
        path.finals,
        path.instructions,
        condition.join(" && ")
    )
}

const MATCHER: &str = r#"
#include "klee/klee.h"
int hits;
static int step(int state, char c) {
    switch (state) {
    case 0: return c == 'a' ? 1 : c == 'b' ? 2 : 0;
    case 1: if (c > 'm') { hits++; return 2; } return c == 'a';
    default: return c & 1 ? 0 : 3;
    }
}
int main(void) {
    char text[4];
    int table[8] = {3, 1, 4, 1, 5, 9, 2, 6}, state = 0, i;
    klee_make_symbolic(text, sizeof text, "text");
    klee_make_symbolic(&i, sizeof i, "i");
    for (int n = 0; n < 4; n++) state = step(state, text[n]);
    if (state == 3) return table[i];
    return 100 / (hits - state);
}
"#;

#[test]
fn the_result_is_the_same_for_every_searcher_and_number_of_workers() {
    let program = program_with_models(MATCHER);
    let mut expected: Option<Vec<String>> = None;
    let searchers = [
        SearcherKind::DepthFirst,
        SearcherKind::BreadthFirst,
        SearcherKind::RandomPath,
        SearcherKind::CoverageFirst,
    ];
    for searcher in searchers {
        for workers in [1, 2, 3, 5] {
            let mut config = config("main");
            (config.searcher, config.workers, config.seed) = (searcher, workers, workers as u64);
            let result = run(&program, &config);
            let found: Vec<String> = result.paths.iter().map(summary).collect();
            assert!(found.len() > 20, "{} paths", found.len());
            let expected = expected.get_or_insert_with(|| found.clone());
            assert_eq!(*expected, found, "{searcher:?} with {workers} workers");
        }
    }
}

/// Each decision of a path, with the conjunct that it added.
fn steps(path: &Path) -> Vec<String> {
    let step = |(decision, decided): (&Decision, &incise_exec::Decided)| {
        let kind = if matches!(decision, Decision::Side { .. }) { "of two" } else { "of several" };
        let conjunct = decided.conjunct.expect("one is added");
        format!("{} {kind}: {}", decision.number(), path.condition[conjunct as usize].text)
    };
    path.decisions.iter().zip(&path.decided).map(step).collect()
}

#[test]
fn each_decision_has_the_conjunct_that_it_added() {
    let source = r#"
#include "klee/klee.h"
int f(int x, int y) {
    klee_assume(y > 5);
    switch (x) {
    case 1: return y;
    case 2: if (y > 7) return 1; return 0;
    default: return 0;
    }
}
"#;
    let program = program_with_models(source);
    let exploration = run(&program, &config("f"));
    let all: Vec<Vec<String>> = exploration.paths.iter().map(steps).collect();
    let expected = [
        vec!["0 of several: x == 1"],
        vec!["1 of several: x == 2", "0 of two: y >= 8"],
        vec!["1 of several: x == 2", "1 of two: y < 8"],
        vec!["2 of several: x != 1 && x != 2"],
    ];
    assert_eq!(all, expected);
    // What an assumption adds is no decision.
    assert!(exploration.paths.iter().all(|path| path.condition[0].text == "y >= 6"));
}

#[test]
fn a_path_limit_keeps_the_first_paths_whatever_the_number_of_workers() {
    let program = program_with_models(MATCHER);
    let all: Vec<String> = run(&program, &config("main")).paths.iter().map(summary).collect();
    for workers in [1, 2, 4] {
        for limit in [1, 5, 17] {
            let mut config = config("main");
            (config.workers, config.limits.paths) = (workers, limit);
            let result = run(&program, &config);
            let found: Vec<String> = result.paths.iter().map(summary).collect();
            assert_eq!(found, all[..limit as usize], "{workers} workers, {limit} paths");
            assert!(result.limits.contains(&LimitKind::Paths) && !result.complete());
        }
    }
}

#[test]
fn paths_do_not_overlap_and_leave_nothing_out() {
    // Every value of a small input takes exactly one of the paths, and the one whose result it has.
    let source = r#"
unsigned char f(unsigned char x, unsigned char y) {
    if (x % 5 == y % 3) return x > y ? x - y : y;
    if ((x ^ y) & 4) return x / (y + 1);
    return y > 200 ? x << 1 : x | y;
}"#;
    let program = program_with_models(source);
    let f = |x: u8, y: u8| -> u8 {
        if x % 5 == y % 3 {
            return if x > y { x - y } else { y };
        }
        if (x ^ y) & 4 != 0 {
            return (u32::from(x) / (u32::from(y) + 1)) as u8;
        }
        if y > 200 { x << 1 } else { x | y }
    };
    let whole = run(&program, &config("f"));
    assert!(whole.complete());
    assert_eq!(whole.paths.len(), 5);
    for (x, y) in (0..=255u8).step_by(7).flat_map(|x| (0..=255u8).step_by(11).map(move |y| (x, y))) {
        let mut config = config("f");
        config.inputs.concrete = vec![("x".into(), i128::from(x)), ("y".into(), i128::from(y))];
        let result = run(&program, &config);
        assert_eq!(result.paths.len(), 1);
        let returned = format!("{:?}", result.paths[0].returned);
        assert_eq!(returned, format!("Some(Unsigned({}))", f(x, y)), "f({x}, {y})");
    }
}

#[test]
fn deep_recursion_and_long_conditions_need_no_stack() {
    let source = r#"
static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
int f(unsigned x, char *bytes) {
    unsigned sum = 0;
    if (x == 7) return depth(100000);
    for (int i = 0; i < 20000; i++) sum = (sum >> 1) ^ (x + i);
    for (int i = 0; i < 3000; i++) if (bytes[i] == 1) return -1;
    return sum == 0;
}"#;
    let program = program_with_models(source);
    let mut config = Config::new("f");
    config.inputs.arrays = vec![("bytes".into(), 3000)];
    config.limits.paths = 3100;
    let result = run(&program, &config);
    assert!(result.paths.iter().any(|path| path.condition.len() > 2500));
    assert!(result.paths.iter().any(|path| format!("{:?}", path.returned) == "Some(Signed(100000))"));
}

#[test]
fn every_limit_that_cuts_is_named() {
    let source = r#"
int f(unsigned n, struct list { struct list *next; } *p) {
    unsigned count = 0;
    while (n != count) count++;
    while (p) p = p->next;
    return count;
}
int g(void) { return g() + 1; }
int h(int x) { for (;;) x++; }
"#;
    let program = program_with_models(source);
    let limits = |entry: &str, change: &dyn Fn(&mut Config)| {
        let mut config = Config::new(entry);
        change(&mut config);
        let result = run(&program, &config);
        assert!(!result.complete(), "{entry}");
        result.limits.into_iter().collect::<Vec<_>>()
    };
    let first = |config: &mut Config| config.limits.loop_iterations = 5;
    assert_eq!(limits("f", &first), [LimitKind::Loop, LimitKind::PointerDepth]);
    let depth = |config: &mut Config| config.limits.depth = 6;
    assert!(limits("f", &depth).contains(&LimitKind::Depth));
    let stack = |config: &mut Config| config.limits.stack = 1000;
    assert_eq!(limits("g", &stack), [LimitKind::Stack]);
    let instructions = |config: &mut Config| config.limits.instructions = 100_000;
    assert_eq!(limits("h", &instructions), [LimitKind::Instructions]);
    let time = |config: &mut Config| config.limits.time = std::time::Duration::from_millis(50);
    assert_eq!(limits("h", &time), [LimitKind::Time]);
}

#[test]
fn an_interrupt_keeps_what_was_found() {
    let source = "int f(int x) { if (x == 3) return 1; for (;;) x++; }";
    let program = program_with_models(source);
    let interrupt = Arc::new(AtomicBool::new(false));
    let hooks = Hooks {
        interrupt: interrupt.clone(),
        stopped_by: None,
        progress: None,
        memory_used: None,
        detail: Detail::All,
        found: None,
    };
    let waiter = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(200));
        interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let result = explore(&program, &Config::new("f"), &hooks).expect("the exploration starts");
    waiter.join().expect("the other thread");
    assert_eq!(result.paths.len(), 1);
    assert_eq!(result.limits.into_iter().collect::<Vec<_>>(), [LimitKind::Interrupt]);
}

/// Leaves out the paths that reach a call of `boring`.
struct AvoidBoring {
    watches: Watches,
}

impl Strategy for AvoidBoring {
    fn watches(&self) -> Watches {
        self.watches.clone()
    }
    fn reached(&mut self, note: &mut u64, point: u32, _stack: &Stack<'_>) -> Visit {
        *note += 1;
        if point == 1 { Visit::Prune } else { Visit::Continue }
    }
    fn finished(&mut self, note: &mut u64, _end: &End<'_>) -> bool {
        *note == 1
    }
}

#[test]
fn a_strategy_is_told_of_what_it_watches_and_cuts() {
    let source = r#"
void boring(void) {}
void good(void) {}
int f(int x, int y) {
    if (x > 0) good();
    if (y > 0) boring();
    return x + y;
}"#;
    let program = program_with_models(source);
    let entry = program.function_named("f").expect("f");
    let mut watches = Watches::new();
    for (id, instruction) in program.functions[entry].instructions.iter() {
        if let Op::Call(call) = &instruction.op
            && let incise_ir::Callee::Direct(callee) = call.callee
        {
            let point = u32::from(program.functions[callee].name == "boring");
            watches.add(entry, id, point);
        }
    }
    let hooks = hooks();
    let mut strategy = AvoidBoring { watches };
    let result =
        explore_with(&program, &Config::new("f"), &hooks, &mut strategy).expect("the exploration starts");
    // Of the four paths two are boring, and one of the others never called `good`.
    assert_eq!(result.paths.len(), 1);
    let condition: Vec<&str> = result.paths[0].condition.iter().map(|each| each.text.as_str()).collect();
    assert_eq!(condition, ["x > 0", "y <= 0"]);
}

#[test]
fn an_error_names_its_kind_its_place_and_an_input() {
    let source = "int f(int *p, unsigned i) {\n    int a[4] = {1, 2, 3, 4};\n    return a[i] / *p;\n}";
    let program = program_with_models(source);
    let result = run(&program, &config("f"));
    let mut kinds: Vec<ErrorKind> = result
        .paths
        .iter()
        .filter_map(|path| match &path.outcome {
            Outcome::Error(error) => {
                assert_eq!(path.position.as_ref().map(|position| position.line), Some(3));
                assert!(path.inputs.is_some());
                Some(error.kind)
            }
            _ => None,
        })
        .collect();
    kinds.sort_unstable();
    assert_eq!(kinds, [ErrorKind::OutOfBounds, ErrorKind::NullPointer, ErrorKind::DivisionByZero]);
}

#[test]
fn inputs_of_one_name_are_not_one_input() {
    let source = r#"
#include "klee/klee.h"
int x;
int get(void) { static int x; return x; }
static int again(void) { return x; }
int f(int x) { if (x == again()) return 1; return 2; }
int g(void) { if (x == get()) return 1; return 2; }
int h(void) {
    int a[2], b;
    klee_make_symbolic(a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "a[0]");
    if (a[0] == b) return 1;
    return 2;
}
int k(void) { if (klee_int("n") == klee_int("n")) return 1; return 2; }
"#;
    let program = program_with_models(source);
    for entry in ["f", "g", "h", "k"] {
        let result = run(&program, &config(entry));
        assert_eq!(result.paths.len(), 2, "{entry}: both outcomes are possible");
        for path in &result.paths {
            let names: Vec<&String> = path.inputs.iter().flatten().map(|input| &input.name).collect();
            let distinct: std::collections::BTreeSet<_> = names.iter().collect();
            assert_eq!(distinct.len(), names.len(), "{entry}: {names:?}");
        }
    }
}

/// A loop of a few instructions that each copy much.
#[test]
fn copies_count_as_work() {
    let program = program_with_models(
        "#include <string.h>\nstatic char from[60000], to[60000];\n\
         int f(int n) { for (int i = 0; i < 1000000; i++) memcpy(to, from, sizeof to); return to[n & 7]; }\n",
    );
    let mut config = config("f");
    config.limits.work = Some(Work::about_milliseconds(300));
    let found = run(&program, &config);
    assert!(found.limits.contains(&LimitKind::Work), "{:?}", found.limits);
    assert!(found.counters.instructions < 100_000, "{}", found.counters.instructions);
}
