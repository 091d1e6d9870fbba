//! Where pointers point, whom calls by address mean, and what that makes of dependence, checked on small C programs.
//! Lines are counted from the line after the opening quotes.

use incise_change::{
    CallGraph, CallKind, Dependence, Effects, NodeId, ObjectId, ObjectKind, Pointee, StatementGraph,
};
use incise_ir::{FunctionId, Id, Op, Operand, Program};
use incise_testing::Compiler;

fn program(source: &str) -> Program {
    Compiler::default().program(source.strip_prefix('\n').unwrap_or(source))
}

/// The effects of a program that begins in `main`, if it has one, and anywhere else otherwise.
fn effects(program: &Program) -> Effects {
    match program.function_named("main") {
        Some(main) => Effects::for_entries(program, false, &[main]),
        None => Effects::new(program),
    }
}

fn function(program: &Program, name: &str) -> FunctionId {
    program.function_named(name).unwrap_or_else(|| panic!("{name} is not there"))
}

fn object_name(program: &Program, effects: &Effects, object: ObjectId) -> String {
    match effects.points_to().kind(object) {
        ObjectKind::Global(global) => program.globals[global].name.clone(),
        ObjectKind::Local(id, value) => {
            let function = &program.functions[id];
            let variable =
                function.variables.iter().find(|variable| variable.storage == Some(Operand::Value(value)));
            format!("{}.{}", function.name, variable.map_or("?", |variable| &variable.name))
        }
        ObjectKind::Heap(id, at) => {
            let location = program.functions[id].instructions[at].location.expect("it has a line");
            format!("heap {}", program.locations[location].line)
        }
        ObjectKind::Function(id) => format!("{}()", program.functions[id].name),
        ObjectKind::Arguments(id) => format!("{}(...)", program.functions[id].name),
        ObjectKind::Literals => "literals".to_owned(),
        ObjectKind::Input(value) => format!("input {}", value.index()),
        ObjectKind::Passed(number) => format!("passed {number}"),
    }
}

/// What a function may return the address of.
fn returned(program: &Program, effects: &Effects, name: &str) -> String {
    let id = function(program, name);
    let mut found = Vec::new();
    for (_, instruction) in program.functions[id].instructions.iter() {
        let Op::Return(Some(Operand::Value(value))) = instruction.op else { continue };
        for pointee in effects.points_to().pointees(id, value) {
            found.push(match pointee {
                Pointee::Object(object, offset) => {
                    let name = object_name(program, effects, object);
                    match offset {
                        Some(0) => name,
                        Some(offset) => format!("{name}+{offset}"),
                        None => format!("{name}+?"),
                    }
                }
                Pointee::Outside => "outside".to_owned(),
                Pointee::Unknown => "unknown".to_owned(),
            });
        }
    }
    found.sort_unstable();
    found.join(", ")
}

/// Checks what functions return the address of.
fn check_returned(source: &str, expected: &[(&str, &str)]) {
    let program = program(source);
    let effects = effects(&program);
    for &(name, expected) in expected {
        assert_eq!(returned(&program, &effects, name), expected, "{name} of{source}");
    }
}

/// Checks whom the calls by address of a function may mean, line by line.
fn check_calls(source: &str, name: &str, expected: &str) {
    let program = program(source);
    let effects = effects(&program);
    let graph = CallGraph::new(&program, &effects);
    let mut lines: Vec<(u32, String)> = Vec::new();
    for edge in graph.calls(function(&program, name)) {
        let word = match edge.kind {
            CallKind::Direct => continue,
            CallKind::Pointer => "means",
            CallKind::Guessed => "may mean",
            CallKind::Exit => "runs",
        };
        let line = edge.position.as_ref().expect("it has a line").line;
        let callee = edge.callee.map_or("anything", |callee| &graph.nodes[callee.index()].name);
        match lines.last_mut() {
            Some((last, text)) if *last == line => *text = format!("{text} {callee}"),
            _ => lines.push((line, format!("{line} {word} {callee}"))),
        }
    }
    let found: Vec<String> = lines.into_iter().map(|(_, text)| text).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected, "{source}");
}

/// Checks which statements of a function read what others write.
fn check_readers(source: &str, name: &str, expected: &str) {
    let program = program(source);
    let effects = effects(&program);
    let graph = StatementGraph::new(&program, function(&program, name));
    let dependence = Dependence::new(&program, &effects, &graph);
    let line = |node: NodeId| {
        let location = graph.node(node).location.expect("it has a line");
        program.locations[location].line.to_string()
    };
    let found: Vec<String> = graph
        .ids()
        .filter_map(|node| {
            let readers: Vec<String> = dependence.readers(node).into_iter().map(line).collect();
            (!readers.is_empty()).then(|| format!("{} -> {}", line(node), readers.join(" ")))
        })
        .collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(found, expected, "{source}");
}

#[test]
fn assignments_choices_and_fields() {
    check_returned(
        "
struct s { int a; int *p; int *q; } s;
int x, y, z;
int *one(void) { int *p = &x; return p; }
int *two(int c) { int *p = &x; if (c) p = &y; return p; }
int *three(int c) { return c ? &x : &z; }
int *field(void) { return s.p; }
int *other(void) { return s.q; }
int *inside(void) { struct s *p = &s; return &p->a; }
int **part(void) { struct s *p = &s; return &p->q; }
int main(int c) { s.p = &x; s.q = two(c); one(); three(c); field(); other(); inside(); part(); return 0; }",
        &[
            ("one", "x"),
            ("two", "x, y"),
            ("three", "x, z"),
            ("field", "x"),
            ("other", "x, y"),
            ("inside", "s"),
            ("part", "s+16"),
        ],
    );
}

#[test]
fn pointers_to_pointers_and_parameters_that_are_written_through() {
    check_returned(
        "
int x, y;
void set(int **where, int *what) { *where = what; }
int *direct(void) { int *p; int **pp = &p; *pp = &x; return p; }
int *through(void) { int *p = 0; set(&p, &y); return p; }
int **address(int **pp) { return pp; }
int main(void) { int *local; direct(); through(); address(&local); return 0; }",
        &[("direct", "x"), ("through", "y"), ("address", "main.local")],
    );
}

#[test]
fn heap_objects_are_told_apart_by_where_they_are_made() {
    check_returned(
        "
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
struct node { int value; struct node *next; int *data; };
int x;
struct node *first(void) { return malloc(sizeof(struct node)); }
struct node *second(void) { return calloc(1, sizeof(struct node)); }
struct node *chain(void) { struct node *a = first(); a->next = second(); a->next->next = a; return a; }
struct node *next(void) { return chain()->next; }
int *data(void) { struct node *a = first(); a->data = &x; return a->data; }
int *none(void) { return second()->data; }
int **grown(int n) { int **p = malloc(n); p[0] = &x; p = realloc(p, 2 * n); return p; }
int *kept(int n, int i) { return grown(n)[i]; }
int main(int n) { next(); data(); none(); kept(n, 1); return 0; }",
        &[
            ("first", "heap 6"),
            ("next", "heap 7"),
            ("data", "x"),
            ("none", ""),
            ("grown", "heap 12, heap 12"),
            ("kept", "x"),
        ],
    );
}

#[test]
fn arrays_of_pointers_and_walks_along_arrays() {
    check_returned(
        "
struct entry { char *name; int *value; };
int x, y;
int *table[3] = {&x, 0, &y};
struct entry entries[] = {{\"x\", &x}, {\"y\", &y}};
struct entry many[100];
int *element(int i) { return table[i]; }
int *constant(void) { return table[0]; }
int *field(int i) { return entries[i].value; }
char *name(int i) { return entries[i].name; }
int *walk(int n) { struct entry *p = entries; while (n--) p++; return p->value; }
int *large(int i) { many[i].value = &x; return many[i + 1].value; }
char *large_name(int i) { return many[i].name; }
int main(int i) { element(i); constant(); field(i); name(i); walk(i); large(i); large_name(i); return 0; }",
        &[
            ("element", "x, y"),
            ("constant", "x"),
            ("field", "x, y"),
            ("name", "literals"),
            ("walk", "x, y"),
            ("large", "x"),
            ("large_name", ""),
        ],
    );
}

#[test]
fn copies_of_memory_unions_and_numbers_keep_addresses() {
    check_returned(
        "
void *memcpy(void *, const void *, unsigned long);
struct s { long a; int *p; int *q; };
union u { int *p; unsigned long n; char bytes[8]; };
int x, y;
int *assigned(void) { struct s a = {0, &x, &y}, b; b = a; return b.p; }
int *copied(void) { struct s a = {0, &x, &y}, b; memcpy(&b, &a, sizeof a); return b.q; }
int *some(unsigned long n) { struct s a = {0, &x, &y}, b; memcpy(&b, &a, n); return b.q; }
int *member(void) { union u u, v; u.p = &x; v.n = u.n; return v.p; }
int *made_up(long n) { return (int *)(n * 8); }
int *number(void) { long n = (long)&x; return (int *)(n & ~7L); }
int *bytes(void) {
    int *p = &y, *q = &x;
    for (int i = 0; i < 8; i++) ((char *)&q)[i] = ((char *)&p)[i];
    return q;
}
static struct s by_value(struct s s) { return s; }
int *passed(void) { struct s a = {0, &x, &y}; return by_value(a).p; }
static struct { int *p; long n; } small(int *p);
int main(int n) { assigned(); copied(); some(n); member(); number(); made_up(n); bytes(); passed(); return 0; }",
        &[
            ("assigned", "x"),
            ("copied", "y"),
            ("some", "y"),
            ("member", "x"),
            ("number", "x+?"),
            ("made_up", "unknown"),
            ("bytes", "x, y"),
            ("passed", "x"),
        ],
    );
}

#[test]
fn variable_arguments_and_structs_in_registers() {
    check_returned(
        "
#include <stdarg.h>
int x, y;
static int *last(int n, ...) {
    va_list list;
    va_start(list, n);
    int *p = 0;
    while (n--) p = va_arg(list, int *);
    va_end(list);
    return p;
}
int *variable(void) { return last(2, &x, &y); }
struct pair { int *p; int *q; };
static struct pair pair(int *p, int *q) { struct pair r = {p, q}; return r; }
int *second(void) { struct pair r = pair(&x, &y); return r.q; }
int main(void) { variable(); second(); return 0; }",
        &[("variable", "x, y"), ("second", "x, y")],
    );
}

#[test]
fn what_is_outside_knows_what_it_is_given() {
    check_returned(
        "
int *elsewhere(void);
void give(int *);
struct s { int *p; };
static int kept, given;
static struct s shared;
void show(struct s *);
int *got(void) { return elsewhere(); }
int *own(void) { int *p = &kept; return p; }
int *through(void) { show(&shared); return shared.p; }
int *input(struct s *s) { return s->p; }
int main(int argc, char **argv) { give(&given); got(); own(); through(); input((struct s *)argv); return 0; }",
        &[("got", "outside"), ("own", "kept"), ("through", "outside"), ("input", "input 1+?")],
    );
    let source = "
struct s { int *p; };
static int kept;
int *input(struct s *s) { return s->p; }
int *own(void) { int *p = &kept; return p; }";
    check_returned(source, &[("input", "outside"), ("own", "kept")]);
}

#[test]
fn tables_of_functions_are_resolved() {
    let source = "
static int one(int a) { return a; }
static int two(int a) { return a + 1; }
static int other(int a) { return a + 2; }
static int unused(int a) { return other(a); }
static int (*table[])(int) = {one, two};
static int (*lone)(int) = other;
struct ops { int (*open)(int); int (*close)(int); };
static const struct ops ops = {two, other};
static struct ops set;
int call(struct ops *o, int a) { return o->close(a); }
int main(int n) {
    table[n](1);
    lone(2);
    ops.open(3);
    set.open = one;
    set.close = unused;
    set.close(4);
    struct ops mine = set;
    mine.open(5);
    return call(&mine, 6);
}";
    check_calls(
        source,
        "main",
        "
        12 means one two
        13 means other
        14 means two
        17 means unused
        19 means one",
    );
    check_calls(source, "call", "10 means unused");
}

#[test]
fn callbacks_are_resolved() {
    let source = "
static int count;
static void each(int *a, int n, void (*visit)(int *, void *), void *data) {
    for (int i = 0; i < n; i++)
        visit(&a[i], data);
}
static void add(int *a, void *data) { *(int *)data += *a; }
static void clear(int *a, void *data) { *a = 0; }
static void never(int *a, void *data) { count++; }
void (*keep)(int *, void *) = never;
int main(int n) {
    int a[4], sum = 0;
    each(a, 4, clear, 0);
    each(a, 4, n ? add : clear, &sum);
    return sum;
}";
    check_calls(source, "each", "4 means clear add");
    check_readers(
        source,
        "main",
        "
        11 -> 13 14
        12 -> 13
        13 -> 14",
    );
}

#[test]
fn a_call_of_an_address_from_outside_is_guessed() {
    let source = "
static int fits(int a) { return a; }
static int other(int a, int b) { return a + b; }
int (*first)(int) = fits;
int (*second)(int, int) = other;
int f(int (*p)(int), int a) {
    return p(a);
}";
    check_calls(source, "f", "6 may mean fits");
    check_calls("\nint f(int (*p)(int), int a) {\n    return p(a);\n}", "f", "2 may mean anything");
}

#[test]
fn handlers_run_when_the_program_exits() {
    let source = "
int atexit(void (*)(void));
void exit(int);
static void handler(void) {}
int main(void) {
    atexit(handler);
    exit(0);
}";
    check_calls(source, "main", "6 runs handler");
}

#[test]
fn the_call_graph_lists_functions_and_calls_in_order() {
    let program = program(
        "
int outside(void);
static int low(void) { return outside(); }
int high(void) {
    int a = low();
    return a + low();
}",
    );
    let graph = CallGraph::new(&program, &effects(&program));
    let nodes: Vec<(&str, u32, bool)> =
        graph.nodes.iter().map(|node| (&*node.name, node.line, node.defined)).collect();
    assert!(nodes.contains(&("high", 3, true)) && nodes.contains(&("outside", 0, false)), "{nodes:?}");
    let low = function(&program, "low");
    let lines = |edges: Vec<&incise_change::CallEdge>| -> Vec<u32> {
        edges.iter().filter_map(|edge| edge.position.as_ref()).map(|position| position.line).collect()
    };
    assert_eq!(lines(graph.callers(low).collect()), [4, 5]);
    assert_eq!(lines(graph.calls(low).iter().collect()), [2]);
    assert!(graph.nodes.iter().all(|node| node.file.is_some() == node.defined));
    assert_eq!(graph.unresolved().count(), 0);
}

#[test]
fn lists_on_the_heap_do_not_mix_with_other_objects() {
    check_readers(
        "
void *malloc(unsigned long);
struct node { int value; struct node *next; };
static int other;
static struct node *push(struct node *list, int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = list;
    return n;
}
static int sum(struct node *list) { int s = 0; for (; list; list = list->next) s += list->value; return s; }
static void twice(struct node *list) { for (; list; list = list->next) list->value *= 2; }
static void bump(int *p) { *p += 1; }
int main(int a) {
    int x = a;
    struct node *list = push(0, a);
    bump(&x);
    bump(&other);
    list = push(list, 7);
    int s = sum(list);
    twice(list);
    s = sum(list);
    s += other;
    return s + x;
}",
        "main",
        "
        14 -> 16 23
        15 -> 18 19 20 21
        16 -> 23
        17 -> 22
        18 -> 19 20 21
        19 -> 22 23
        20 -> 21
        21 -> 22 23
        22 -> 23",
    );
}

#[test]
fn fields_that_callees_write_are_told_apart() {
    check_readers(
        "
struct s { int a, b, c; };
static void set_a(struct s *s) { s->a = 1; }
static int get_b(const struct s *s) { return s->b; }
static int get_a(const struct s *s) { return s->a; }
static struct s g;
int main(void) {
    struct s l;
    l.b = 3;
    set_a(&l);
    set_a(&g);
    int x = get_b(&l);
    int y = get_a(&l);
    return x + y + g.b + g.a;
}",
        "main",
        "
        8 -> 11
        9 -> 12
        10 -> 13
        11 -> 13
        12 -> 13",
    );
}

#[test]
fn recursion_keeps_the_variables_of_several_calls() {
    check_readers(
        "
static int *last;
static int f(int n, int *above) {
    int x = n;
    if (above)
        *above = n;
    if (n > 0)
        f(n - 1, &x);
    last = &x;
    *last = 3;
    return x;
}
int main(int n) { return f(n, 0); }",
        "f",
        "
        3 -> 10
        7 -> 9 10
        8 -> 9
        9 -> 10",
    );
}

#[test]
fn an_object_that_is_reallocated_depends_on_what_it_held() {
    check_readers(
        "
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
int main(int n) {
    int *p = malloc(4 * n);
    p[0] = n;
    int *q = realloc(p, 8 * n);
    return q[0];
}",
        "main",
        "
        4 -> 5 6
        5 -> 6
        6 -> 7",
    );
}

#[test]
fn unrelated_functions_do_not_change_what_is_known() {
    let source = "
static int x, y;
static int *p = &x;
static void set(int *q) { *q = 1; }
int main(void) {
    set(p);
    return y;
}";
    let more = "
static int *q = &y;
static void unrelated(int *r) { p = r; set(r); }
void entry(int *r) { unrelated(r); unrelated(&y); *q = 2; }";
    check_readers(source, "main", "");
    check_readers(&format!("{source}{more}"), "main", "");
}

#[test]
fn summaries_name_objects_fields_and_what_parameters_point_to() {
    let program = program(
        "
struct s { int a, b; int *p; };
static struct s g;
static int h;
static void through(struct s *s) { *s->p = s->b; }
static void globals(void) { g.a = h; }
static void both(void) { through(&g); globals(); }
int main(void) { g.p = &h; both(); return 0; }",
    );
    let effects = effects(&program);
    let describe = |name: &str| {
        let summary = effects.summary(function(&program, name));
        let places = |places: &[incise_change::MemoryPlace]| -> String {
            let text = places.iter().map(|place| {
                let base = match place.base {
                    incise_change::Base::Global(global) => program.globals[global].name.clone(),
                    base => format!("{base:?}"),
                };
                match place.range {
                    Some((start, end)) => format!("{base}[{start}..{end}]"),
                    None => base,
                }
            });
            text.collect::<Vec<_>>().join(" ")
        };
        format!("{} / {}", places(&summary.reads), places(&summary.writes))
    };
    assert_eq!(describe("through"), "Pointee(v0)[4..16] / h[0..4]");
    assert_eq!(describe("globals"), "h[0..4] / g[0..4]");
    assert_eq!(describe("both"), "h[0..4] g[4..16] / h[0..4] g[0..4]");
}

#[test]
fn places_of_two_functions_are_compared() {
    let program = program(
        "
struct s { int a, b; };
static void set_a(struct s *s) { s->a = 1; }
static void set_b(struct s *s) { s->b = 1; }
static int other(int *p) { return *p; }
int main(void) { struct s x; int y = 0; set_a(&x); set_b(&x); return other(&y) + x.a; }",
    );
    let effects = effects(&program);
    let written =
        |name: &str| (function(&program, name), effects.summary(function(&program, name)).writes[0]);
    let read = (function(&program, "other"), effects.summary(function(&program, "other")).reads[0]);
    let (a, b) = (written("set_a"), written("set_b"));
    assert!(effects.may_overlap(&program, (a.0, &a.1), (b.0, &b.1)), "the same object, by pointers");
    assert!(!effects.may_overlap(&program, (a.0, &a.1), (read.0, &read.1)), "another object");
}
