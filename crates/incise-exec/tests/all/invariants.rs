//! What holds of every exploration, whatever is explored.

use incise_exec::{Assignment, Config, FullExploration, Given, Outcome, Session, SymbolicGlobals, explore};
use incise_solver::Validate;
use incise_testing::{hooks, program_with_models};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Functions in which everything is known, and that do more the larger their constant is.
const CONCRETE: &str = r#"
    #include <stdlib.h>
    #include <string.h>
    static int table[64];
    int arithmetic(void) {
        unsigned sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            table[i & 63] = sum ^ i;
            sum = sum * 31 + table[(i * 7) & 63] / (i | 1);
        }
        return sum > 7;
    }
    static double half(double x) { return x / 2 + 1; }
    int floats(void) {
        double x = 3;
        for (int i = 0; i < ROUNDS; i++) x = half(x) + (float)i;
        return x > 7;
    }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    int calls(void) {
        int sum = 0;
        for (int i = 0; i < ROUNDS; i++) sum += fib(i & 7);
        return sum > 7;
    }
    int strings(void) {
        char text[32] = "", copy[32];
        unsigned sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            memset(text, 'a' + i % 26, sizeof text - 1);
            memcpy(copy, text, sizeof copy);
            sum += strlen(copy);
        }
        return sum > 7;
    }
    struct node { long value; struct node *next; };
    int lists(void) {
        struct node nodes[8], *list = 0;
        long sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            struct node *node = &nodes[i & 7];
            node->value = i;
            node->next = i & 7 ? list : 0;
            list = node;
            for (struct node *at = list; at; at = at->next) sum += at->value;
        }
        return sum > 7;
    }
    int heap(void) {
        long sum = 0;
        for (int i = 0; i < ROUNDS; i++) {
            struct node *node = malloc(sizeof *node);
            if (node == 0) return 0;
            node->value = i;
            sum += node->value;
            free(node);
        }
        return sum > 7;
    }
"#;

/// How many expressions there are after a function was executed.
fn expressions(entry: &str, rounds: usize) -> usize {
    let program = program_with_models(&CONCRETE.replace("ROUNDS", &rounds.to_string()));
    let mut config = Config::new(entry);
    config.inputs.globals = SymbolicGlobals::None;
    let mut session = Session::new(&config, &Arc::new(AtomicBool::new(false)));
    let given = Assignment::given(Given::default());
    let trace = session.trace(&program, &config, &hooks(), &mut FullExploration, &given);
    let trace = trace.expect("it is traced");
    assert_eq!(trace.path.as_ref().map(|path| &path.outcome), Some(&Outcome::Returned));
    session.exprs.node_count()
}

#[test]
fn a_concrete_word_never_touches_the_expressions() {
    for entry in ["arithmetic", "floats", "calls", "strings", "lists", "heap"] {
        let (few, many) = (expressions(entry, 20), expressions(entry, 2000));
        assert_eq!(few, many, "{entry}: {few} expressions after 20 rounds, {many} after 2000");
    }
}

/// Branches on bytes, words and pointers, loops and assumptions: whatever was decided, the model at hand has to fit.
const DECIDING: &str = r#"
    #include "klee/klee.h"
    int f(unsigned char *p, int x, int y) {
        klee_assume(x > -100 && x < 100);
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            if (p[i] == i + 7) sum += x;
            else if ((p[i] ^ y) & 1) sum -= y;
        }
        switch (sum & 3) { case 0: return x / (y | 1); case 1: return p[sum & 1]; }
        return x * y > 30 ? sum : -sum;
    }
"#;

/// With validation on, the solver chain refuses to answer whoever asks with a model that breaks what holds so far.
#[test]
fn the_model_of_a_state_satisfies_its_constraints() {
    let program = program_with_models(DECIDING);
    let mut config = Config::new("f");
    config.solver.validate = Validate::Bitwuzla;
    config.inputs.arrays.push(("p".to_owned(), 4));
    let found = explore(&program, &config, &hooks()).expect("it is explored");
    let faults = found.paths.iter().filter(|path| matches!(&path.outcome, Outcome::Undecided(_)));
    assert_eq!(faults.map(|path| format!("{:?}", path.outcome)).collect::<Vec<_>>(), Vec::<String>::new());
    assert!(found.paths.len() > 20, "{} paths", found.paths.len());
}

/// A program, and whether all that it can do was seen.
fn complete(source: &str, change: impl Fn(&mut Config)) -> bool {
    let program = program_with_models(source);
    let mut config = Config::new("f");
    change(&mut config);
    explore(&program, &config, &hooks()).expect("it is explored").complete()
}

#[test]
fn whatever_cuts_a_path_makes_the_result_incomplete() {
    let same = |_: &mut Config| {};
    assert!(complete("int f(int x) { return x > 3 ? 1 : 10 / x; }", same), "an error is an end like others");
    assert!(!complete("int g(int); int f(int x) { return x > 3 ? g(x) : 1; }", same), "external");
    assert!(!complete("int f(int x) { if (x) __asm__(\"hlt\"); return 1; }", same), "unsupported");
    let loops = |config: &mut Config| config.limits.loop_iterations = 2;
    assert!(!complete("int f(unsigned x) { int n = 0; while (x--) n++; return n; }", loops), "limit");
    let paths = |config: &mut Config| config.limits.paths = 1;
    assert!(!complete("int f(int x) { if (x > 3) return 1; return 2; }", paths), "paths that were not kept");
    let hurried = |config: &mut Config| config.solver.timeout = std::time::Duration::from_millis(1);
    let hard = "int f(unsigned long x, unsigned long y) {
        if (x > 1 && y > 1 && x < 1UL << 32 && y < 1UL << 32 && x * y == 18446743979220271189UL) return 1;
        return 0;
    }";
    assert!(!complete(hard, hurried), "undecided");
}
