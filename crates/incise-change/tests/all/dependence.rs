//! What statements read and write, checked on small C functions. Each statement stands on a line of its own, and lines
//! are counted from the line after the opening quotes, so that `3 -> 5` says that line 5 may read what line 3 writes.

use incise_change::{Base, Dependence, Effects, NodeId, NodeKind, StatementGraph};
use incise_ir::Program;
use incise_llvm::{ModuleText, link};
use incise_testing::Compiler;
use std::collections::BTreeSet;

/// Compiles C text; its first line is the one after the opening quotes.
fn compile(source: &str, flags: &[&'static str]) -> Program {
    let compiler = Compiler { flags: flags.to_vec(), ..Compiler::default() };
    compiler.program(source.strip_prefix('\n').unwrap_or(source))
}

/// The name of a statement: its line, or its number without debug information.
fn name(program: &Program, graph: &StatementGraph, node: NodeId) -> String {
    match graph.node(node).location {
        Some(location) => program.locations[location].line.to_string(),
        None => format!("{node:?}"),
    }
}

/// The statements that control can come to after a statement.
fn reached_by_walking(graph: &StatementGraph, from: NodeId) -> BTreeSet<NodeId> {
    let mut reached = BTreeSet::new();
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        for next in graph.successors(node).iter().filter_map(|target| target.node()) {
            if reached.insert(next) {
                work.push(next);
            }
        }
    }
    reached
}

/// Compiles `source` and describes the function `f` by `describe`; compares with `expected`, line by line.
fn check_with(
    source: &str,
    flags: &[&'static str],
    expected: &str,
    describe: impl Fn(&Dependence, NodeId, &dyn Fn(NodeId) -> String) -> Option<String>,
) {
    check_program(&compile(source, flags), source, expected, describe);
}

fn check_program(
    program: &Program,
    source: &str,
    expected: &str,
    describe: impl Fn(&Dependence, NodeId, &dyn Fn(NodeId) -> String) -> Option<String>,
) {
    let effects = Effects::new(program);
    let graph = StatementGraph::new(program, program.function_named("f").expect("f is there"));
    let dependence = Dependence::new(program, &effects, &graph);
    for from in graph.ids() {
        for to in graph.ids() {
            let (forward, backward) = (dependence.readers(from), dependence.writers(to));
            assert_eq!(forward.contains(&to), backward.contains(&from), "{from:?} {to:?}");
        }
        let reached = reached_by_walking(&graph, from);
        for to in graph.ids() {
            assert_eq!(dependence.reach().can_reach(from, to), reached.contains(&to), "{from:?} {to:?}");
        }
        assert_eq!(dependence.reach().in_loop(from), reached.contains(&from), "{from:?}");
    }
    let name = |node| name(program, &graph, node);
    let described: Vec<String> = graph.ids().filter_map(|node| describe(&dependence, node, &name)).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(described, expected, "for{source}");
}

/// Checks the statements that read what each statement writes; those that nobody reads are left out.
fn check(source: &str, expected: &str) {
    check_flags(source, &[], expected);
}

fn check_flags(source: &str, flags: &[&'static str], expected: &str) {
    check_with(source, flags, expected, describe_readers);
}

/// As [`check`], for LLVM IR.
fn check_ir(text: &str, expected: &str) {
    let module = ModuleText { name: "test.ll", text: text.as_bytes() };
    let program = link(&[module]).unwrap_or_else(|error| panic!("{error}"));
    check_program(&program, text, expected, describe_readers);
}

fn describe_readers(
    dependence: &Dependence,
    node: NodeId,
    name: &dyn Fn(NodeId) -> String,
) -> Option<String> {
    let readers: Vec<String> = dependence.readers(node).into_iter().map(name).collect();
    (!readers.is_empty()).then(|| format!("{} -> {}", name(node), readers.join(" ")))
}

/// Checks which statements may stop, decide, or call unknown code; the others are left out.
fn check_hazards(source: &str, expected: &str) {
    check_with(source, &[], expected, |dependence, node, name| {
        let footprint = dependence.footprint(node);
        let flags = [
            (footprint.may_stop, " stops"),
            (footprint.decides, " decides"),
            (footprint.calls_unknown, " unknown"),
        ];
        let flags: String = flags.into_iter().filter(|(set, _)| *set).map(|(_, word)| word).collect();
        (!flags.is_empty()).then(|| format!("{}{flags}", name(node)))
    });
}

#[test]
fn locals_are_told_apart() {
    check(
        "
int f(int a, int b) {
    int x = a;
    int y = b;
    if (x > 0)
        y = x + 1;
    x = 7;
    return y;
}",
        "
        2 -> 4 5
        3 -> 7
        5 -> 7",
    );
}

#[test]
fn a_later_write_does_not_hide_an_earlier_one() {
    check(
        "
int f(int a) {
    int x = a;
    x = 0;
    return x;
}",
        "
        2 -> 4
        3 -> 4",
    );
}

#[test]
fn parameters_that_are_written_are_variables() {
    check(
        "
int f(int a) {
    a = a + 1;
    a += 2;
    return a;
}",
        "
        2 -> 3 4
        3 -> 4",
    );
}

#[test]
fn globals_are_told_apart_by_name() {
    check(
        "
int g, h;
int f(int a) {
    g = a;
    h = g;
    if (g)
        g = 2;
    return h;
}",
        "
        3 -> 4 5
        4 -> 7",
    );
}

#[test]
fn a_static_local_is_a_global() {
    check(
        "
int f(int a) {
    static int count;
    count++;
    int x = count + a;
    return x;
}",
        "
        3 -> 4
        4 -> 5",
    );
}

#[test]
fn fields_of_one_pointer_are_told_apart() {
    check(
        "
struct s { int a, b; };
int f(struct s *p, struct s *q) {
    p->a = 1;
    p->b = 2;
    int x = p->a;
    int y = q->a;
    return x + y;
}",
        "
        3 -> 5 6
        4 -> 6
        5 -> 7
        6 -> 7",
    );
}

#[test]
fn a_pointer_parameter_that_is_written_points_anywhere() {
    check(
        "
struct s { int a, b; struct s *next; };
int f(struct s *p) {
    p->a = 1;
    p = p->next;
    p->b = 2;
    return p->a;
}",
        "
        3 -> 4 6
        4 -> 5 6
        5 -> 6",
    );
}

#[test]
fn a_pointer_may_point_to_a_global_but_not_to_a_private_one() {
    check(
        "
static int hidden;
static int shown;
int visible;
int *address(void) { return &shown; }
int f(int *p) {
    hidden = 1;
    shown = 2;
    visible = 3;
    return *p;
}",
        "
        7 -> 9
        8 -> 9",
    );
}

#[test]
fn constant_indices_are_told_apart_and_variable_ones_are_not() {
    check(
        "
int f(int i) {
    int a[4];
    a[0] = 1;
    a[1] = 2;
    a[i] = 3;
    int x = a[1];
    return x + a[i];
}",
        "
        3 -> 7
        4 -> 6 7
        5 -> 6 7
        6 -> 7",
    );
}

#[test]
fn overlapping_ranges_of_a_union_are_found() {
    check(
        "
union u { int word; unsigned char bytes[4]; };
int f(int a) {
    union u u;
    u.word = a;
    u.bytes[3] = 1;
    int x = u.bytes[0];
    return u.word + x;
}",
        "
        4 -> 6 7
        5 -> 7
        6 -> 7",
    );
}

#[test]
fn a_struct_is_copied_as_a_whole() {
    check(
        "
struct s { int a, b; };
int f(int i) {
    struct s s;
    struct s t;
    s.b = i;
    t = s;
    return t.b;
}",
        "
        5 -> 6
        6 -> 7",
    );
}

#[test]
fn only_a_local_whose_address_goes_somewhere_is_seen_by_callees() {
    check(
        "
void set(int *p) { *p = 1; }
int f(int *q) {
    int x = 0;
    int y = 0;
    set(&x);
    int z = y + *q;
    return x + z;
}",
        "
        3 -> 7
        4 -> 6
        5 -> 7
        6 -> 7",
    );
}

#[test]
fn a_pointer_to_a_local_in_a_variable() {
    check(
        "
int f(int a) {
    int x = a;
    int y = a;
    int *p = &x;
    if (a)
        p = &y;
    *p = 3;
    return x + y;
}",
        "
        2 -> 8
        3 -> 8
        4 -> 7
        6 -> 7
        7 -> 8",
    );
}

#[test]
fn a_pointer_variable_that_is_written_once_is_followed() {
    check(
        "
int f(int a) {
    int x[2];
    int y = a;
    int *p = x;
    p[1] = a;
    x[0] = 4;
    return p[1] + y;
}",
        "
        3 -> 7
        4 -> 5 7
        5 -> 7",
    );
}

#[test]
fn calls_read_and_write_what_their_callees_do() {
    check(
        "
int g, h;
int pure(int a) { return a + 1; }
int get(void) { return g; }
void put(int a) { h = a; }
void both(int a) { put(get() + a); }
int f(int a) {
    g = 1;
    int x = pure(a);
    int y = get();
    put(y);
    both(x);
    return h;
}",
        "
        7 -> 9 11
        8 -> 11
        9 -> 10
        10 -> 12
        11 -> 12",
    );
}

#[test]
fn recursive_functions_share_their_effects() {
    check(
        "
int g, h;
void odd(int n);
void even(int n) { if (n) odd(n - 1); g = 1; }
void odd(int n) { if (n) even(n - 1); h = 1; }
int f(int a) {
    even(a);
    int x = h;
    return x;
}",
        "
        6 -> 7
        7 -> 8",
    );
}

#[test]
fn unknown_code_may_do_everything_but_to_private_locals() {
    check(
        "
int unknown(int a);
static int hidden;
int f(int a) {
    int x = a;
    hidden = 1;
    int y = unknown(a);
    int z = hidden;
    return x + y + z;
}",
        "
        4 -> 8
        5 -> 6 7
        6 -> 7 8
        7 -> 8",
    );
}

#[test]
fn printing_reads_its_arguments_only() {
    check(
        "
int printf(const char *, ...);
int g;
int f(int a) {
    char text[8];
    g = a;
    text[0] = 'a';
    printf(\"%d\\n\", a);
    printf(\"%s\\n\", text);
    return g;
}",
        "
        5 -> 9
        6 -> 8",
    );
}

#[test]
fn memory_functions_touch_what_they_are_given() {
    check(
        "
void *memcpy(void *, const void *, unsigned long);
void klee_make_symbolic(void *, unsigned long, const char *);
int f(int n) {
    char a[8];
    char b[8];
    int x;
    klee_make_symbolic(&x, sizeof x, \"x\");
    a[0] = n;
    memcpy(b, a, n);
    return b[1] + x;
}",
        "
        7 -> 10
        8 -> 9
        9 -> 10",
    );
}

#[test]
fn a_choice_of_values_is_one_statement_with_what_it_reads() {
    check(
        "
int f(int a, int b) {
    int x = a;
    int y = b;
    int z = a ? x : y;
    int w = x && y;
    return z + w;
}",
        "
        2 -> 4 5
        3 -> 4 5
        4 -> 6
        5 -> 6",
    );
}

#[test]
fn a_function_pointer_may_mean_any_function_that_fits() {
    check(
        "
int g, h, k;
void one(int a) { g = a; }
void two(int a) { h = a; }
void other(int a, int b) { k = a + b; }
void (*table[])(int) = {one, two};
void (*lone)(int, int) = other;
int f(int i) {
    table[i](3);
    int x = g;
    int y = h;
    int z = k;
    return x + y + z;
}",
        "
        8 -> 9 10
        9 -> 12
        10 -> 12
        11 -> 12",
    );
}

#[test]
fn a_function_pointer_that_fits_nothing_is_unknown() {
    check_hazards(
        "
int f(int (*p)(int), int a) {
    int x = p(a);
    return x;
}",
        "2 stops decides unknown",
    );
}

#[test]
fn loops_lead_back() {
    check(
        "
int f(int n) {
    int s = 0;
    int last = 0;
    while (n > 0) {
        s = s + last;
        last = n;
        n = n - 1;
    }
    return s;
}",
        "
        2 -> 5 9
        3 -> 5
        5 -> 5 9
        6 -> 5
        7 -> 4 6 7",
    );
}

#[test]
fn what_comes_after_does_not_reach_back() {
    check(
        "
int f(int n) {
    int x = 0;
    if (n)
        n = x;
    else
        x = n;
    x = 3;
    return n;
}",
        "
        2 -> 4
        4 -> 8",
    );
}

#[test]
fn an_endless_loop_leads_back() {
    check(
        "
volatile int in, out;
void f(void) {
    int state = 0;
    while (1) {
        int c = in;
        if (c)
            state = state + 1;
        else
            state = 0;
        out = state;
    }
}",
        "
        3 -> 7 10
        5 -> 6
        7 -> 7 10
        9 -> 7 10",
    );
}

#[test]
fn a_return_that_is_never_reached_does_not_make_its_variable_the_result() {
    check_ir(
        "
@g = global i32 0
define i32 @f(i32 %n) {
entry:
  %x = alloca i32
  store i32 %n, ptr %x
  br label %loop
loop:
  %old = load i32, ptr %x
  %new = add i32 %old, 1
  store i32 %new, ptr %x
  %again = load i32, ptr %x
  store i32 %again, ptr @g
  br label %loop
dead:
  %result = load i32, ptr %x
  ret i32 %result
}",
        "n0 -> n0 n1",
    );
}

#[test]
fn a_vector_of_addresses_is_followed() {
    check_ir(
        "
define i32 @f(i32 %n) {
  %a = alloca [2 x i32]
  %both = getelementptr i32, ptr %a, <2 x i64> <i64 0, i64 1>
  %one = extractelement <2 x ptr> %both, i32 1
  store i32 7, ptr %one
  %element = getelementptr i8, ptr %a, i64 4
  %result = load i32, ptr %element
  ret i32 %result
}",
        "n0 -> n1",
    );
}

#[test]
fn jumps_and_nested_loops_lead_back() {
    check(
        "
int f(int n) {
    int a = 0;
    int b = 0;
again:
    a = b;
    for (int i = 0; i < n; i++) {
        if (i == a)
            goto out;
        switch (n) {
        case 1:
            b = i;
            break;
        case 2:
            n = 1;
            goto again;
        default:
            continue;
        }
    }
out:
    return a + b;
}",
        "
        2 -> 7 21
        3 -> 5 21
        5 -> 7 21
        6 -> 6 7 11 6
        11 -> 5 21
        14 -> 6 9
        6 -> 6 7 11 6",
    );
}

#[test]
fn decisions_in_an_endless_loop_are_known() {
    let source = "
int g, c;
void f(void) {
    while (1) {
        if (c)
            g = 1;
        else
            c = 2;
        g = 3;
    }
}";
    let program = compile(source, &[]);
    let graph = StatementGraph::new(&program, program.function_named("f").expect("f is there"));
    let controlled: Vec<String> = graph
        .ids()
        .filter(|node| !graph.controlled_by[node.index()].is_empty())
        .map(|node| {
            let names: Vec<String> =
                graph.controlled_by[node.index()].iter().map(|&by| name(&program, &graph, by)).collect();
            format!("{} by {}", name(&program, &graph, node), names.join(" "))
        })
        .collect();
    assert_eq!(controlled, ["5 by 4", "7 by 4"]);
}

#[test]
fn conditions_that_decide_how_often_a_loop_is_gone_round_are_known() {
    let source = "
int g, c;
void f(int n) {
    for (int i = 0; i < n; i++)
        if (i == c)
            g = 1;
    while (n > 3) {
        if (n == c)
            break;
        if (c > 4)
            continue;
        n--;
    }
    for (int i = 0; i < 2; i++) {
        if (c > 2)
            g = 2;
        else
            while (g < 4)
                g++;
    }
    if (n)
        while (1)
            if (c)
                g = 3;
}";
    let program = compile(source, &[]);
    let graph = StatementGraph::new(&program, program.function_named("f").expect("f is there"));
    let repeating = graph.repeating();
    let names = graph.ids().filter(|node| repeating[node.index()]).map(|node| name(&program, &graph, node));
    // `break` ends the loop, `continue` only a turn; the branch around an inner loop is none of the outer one; what
    // cannot be left counts.
    assert_eq!(names.collect::<Vec<_>>(), ["3", "6", "7", "13", "17", "22"]);
}

#[test]
fn optimised_code_passes_results() {
    let source = "
int g;
int f(int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] ^ g;
    g = s;
    return s;
}";
    let program = compile(source, &["-O1", "-fno-vectorize", "-fno-unroll-loops"]);
    let effects = Effects::new(&program);
    let graph = StatementGraph::new(&program, program.function_named("f").expect("f is there"));
    let dependence = Dependence::new(&program, &effects, &graph);
    let result = graph.ids().find(|&node| graph.node(node).kind == NodeKind::Return).expect("it returns");
    let mut sources = vec![result];
    for next in 0.. {
        let Some(&node) = sources.get(next) else { break };
        let writers = dependence.writers(node).into_iter().filter(|writer| !sources.contains(writer));
        sources.extend(writers.collect::<Vec<_>>());
    }
    // The sum is a value that goes around the loop, with no variable in memory.
    let sum = sources.iter().find(|&&node| dependence.reach().in_loop(node)).expect("the sum is a source");
    assert!(dependence.readers(*sum).contains(sum), "a turn uses the result of the one before");
    let bases: Vec<Base> = dependence.footprint(*sum).reads.iter().map(|place| place.base).collect();
    assert!(bases.iter().any(|base| matches!(base, Base::Result(_))), "{bases:?}");
    assert!(bases.iter().any(|base| matches!(base, Base::Pointee(_))), "{bases:?}");
}

#[test]
fn code_without_debug_information_is_no_different() {
    check_flags(
        "
int f(int a, int b) {
    int x = a;
    int y = b;
    if (x > 0)
        y = x + 1;
    x = 7;
    return y;
}",
        &["-g0"],
        "
        n0 -> n2 n3
        n1 -> n5
        n3 -> n5",
    );
}

#[test]
fn what_can_fail_stops_and_decides() {
    check_hazards(
        "
int g[4];
int f(int a, int b, int *p) {
    int x = a / 3;
    x = a / b;
    x = a % -1;
    x = a << 3;
    x = a << b;
    x = a << 40;
    x = g[3];
    x = g[a];
    x = *p;
    x = a * b + 7;
    if (a / b > 2)
        return 1;
    if (a > 2)
        return 2;
    return x;
}",
        "
        4 stops decides
        5 stops decides
        7 stops decides
        8 stops decides
        10 stops decides
        11 stops decides
        13 stops decides",
    );
}

#[test]
fn rare_statements_are_hazards() {
    check_hazards(
        "
int setjmp(void *);
int f(int n, int *p, int c) {
    int x = 1;
    int y[2];
    __asm__ volatile(\"nop\");
    __asm__ volatile(\"\");
    setjmp(p);
    char a[n];
    a[0] = 1;
    *(c ? &x : &y[1]) = 3;
    __builtin_trap();
}",
        "
        5 stops decides unknown
        7 stops decides unknown
        8 stops decides
        9 stops decides
        10 decides
        11 stops",
    );
}

#[test]
fn calls_stop_and_decide_as_their_callees_do() {
    check_hazards(
        "
int printf(const char *, ...);
double sqrt(double);
void exit(int);
void *malloc(unsigned long);
void klee_assume(unsigned long);
int __VERIFIER_nondet_int(void);
int elsewhere(void);
int plain(int a) { return a + 1; }
int decides(int a) { if (a) return 1; return 2; }
int loops(int a) { while (a) a--; return a; }
int endless(int a) { return endless(a); }
int fails(int *p) { return *p; }
int leaves(int a) { exit(a); }
int below(int a) { return decides(a); }
int f(int a, int *p, const char *text) {
    plain(a);
    decides(a);
    loops(a);
    endless(a);
    fails(p);
    below(a);
    printf(\"%d %s\\n\", a, \"text\");
    printf(\"%s\\n\", text);
    printf(text);
    double d = sqrt(a);
    p = malloc(a);
    klee_assume(a);
    a = __VERIFIER_nondet_int();
    elsewhere();
    leaves(a);
    return 0;
}",
        "
        17 decides
        18 stops decides
        19 stops
        20 stops decides
        21 decides
        23 stops decides
        24 stops decides
        26 stops decides
        27 stops decides
        29 stops decides unknown
        30 stops",
    );
}

#[test]
fn overflow_is_a_hazard_if_it_is_checked() {
    let program = compile("int f(int a) { return a + 1; }\nunsigned g(unsigned a) { return a + 1; }", &[]);
    let stops = |effects: &Effects, name: &str| {
        effects.summary(program.function_named(name).expect("it is there")).may_stop
    };
    let (plain, checked) = (Effects::new(&program), Effects::with_overflow_checks(&program, true));
    assert!(!stops(&plain, "f") && !stops(&plain, "g"));
    assert!(stops(&checked, "f") && !stops(&checked, "g"));
}

#[test]
fn summaries_tell_globals_memory_and_calls() {
    let source = "
int g, h;
const int table[2] = {1, 2};
static void helper(int *p) { *p = h; }
int read_only(int i) { return table[i] + g; }
void write_through(int *p) { helper(p); }
int own(void) { int x; helper(&x); return x; }
int alone(int a) { int b[2]; b[0] = a; return b[0]; }
void handler(void) { g = 1; }
int atexit(void (*)(void));
void exit(int);
void leave(void) { atexit(handler); exit(0); }
struct big { int words[16]; };
int by_value(struct big big) { big.words[0] = 1; return big.words[1]; }
";
    let program = compile(source, &[]);
    let effects = Effects::new(&program);
    let function = |name: &str| program.function_named(name).expect("it is there");
    let describe = |name: &str| {
        let id = function(name);
        let summary = effects.summary(id);
        let names = |globals: Vec<incise_ir::GlobalId>| -> Vec<String> {
            globals.into_iter().map(|global| program.globals[global].name.clone()).collect()
        };
        let mut text = format!(
            "{:?} {:?}",
            names(effects.globals_read(id).collect()),
            names(effects.globals_written(id).collect())
        );
        for (set, word) in [
            (summary.reads_memory, " reads"),
            (summary.writes_memory, " writes"),
            (summary.unknown, " unknown"),
        ] {
            text.push_str(if set { word } else { "" });
        }
        text
    };
    assert_eq!(describe("helper"), r#"["h"] [] writes"#);
    assert_eq!(describe("read_only"), r#"["g"] []"#);
    assert_eq!(describe("write_through"), r#"["h"] [] writes"#);
    assert_eq!(describe("own"), r#"["h"] []"#);
    assert_eq!(describe("alone"), "[] []");
    assert_eq!(describe("leave"), r#"[] ["g"] reads writes"#);
    assert_eq!(describe("by_value"), "[] []");
    assert!(effects.may_reach(function("write_through"), function("helper")));
    assert!(effects.may_reach(function("leave"), function("handler")), "through exit");
    assert!(!effects.may_reach(function("helper"), function("write_through")));
    assert!(!effects.may_reach(function("helper"), function("helper")));
    assert_eq!(effects.reachable(function("own")), [function("helper")]);
}

#[test]
fn a_large_function_is_analysed_quickly_enough_to_finish() {
    // Quadratic work on 20,000 statements would not.
    let mut source = String::from("int g[64];\nint f(int a) {\n    int x = 0;\n");
    for index in 0..5_000 {
        source.push_str(&format!("    if (a == {index})\n        x = x + g[{}];\n", index % 64));
        source.push_str(&format!("    g[{}] = x;\n", (index + 1) % 64));
    }
    source.push_str("    return x;\n}\n");
    let program = compile(&source, &[]);
    let effects = Effects::new(&program);
    let graph = StatementGraph::new(&program, program.function_named("f").expect("f is there"));
    let dependence = Dependence::new(&program, &effects, &graph);
    let last = graph.ids().next_back().expect("it has statements");
    assert_eq!(dependence.writers(last).len(), 5_001);
    let first = graph.ids().next().expect("it has statements");
    assert_eq!(dependence.readers(first).len(), 10_001);
    assert!(!dependence.reach().in_loop(last) && dependence.reach().can_reach(first, last));
    assert!(!dependence.reach().can_reach(last, first));
}
