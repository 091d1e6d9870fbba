//! The impact on whole programs: which statements of which functions are affected, and how impact came there.

use incise_change::{
    Entries, FunctionChange, FunctionImpact, Impact, Input, Rules, Site, StatementGraph, Versions,
    WholeFunction, WholeImpact,
};
use incise_ir::Program;
use incise_testing::Compiler;

/// Compares two versions, and hands over the impact on the whole.
fn whole(old: &str, new: &str, given: &[&str], check: impl FnOnce(&Program, &WholeImpact<'_>)) {
    whole_by(Rules::Across, old, new, given, check);
}

/// The same, by other rules.
fn whole_by(
    rules: Rules,
    old: &str,
    new: &str,
    given: &[&str],
    check: impl FnOnce(&Program, &WholeImpact<'_>),
) {
    let (old, new) = (Compiler::default().program(old), Compiler::default().program(new));
    let entries = |before, program: &Program| match given {
        [] => Entries::of(program, &Versions::compare(before, program).changed_new()),
        names => Entries::given(program, names.iter().filter_map(|name| program.function_named(name))),
    };
    let (old_entries, new_entries) = (entries(&new, &old), entries(&old, &new));
    let impact = |old, new, entries: &Entries| {
        Impact::for_entries(old, new, Versions::compare(old, new), &entries.functions, rules, false)
    };
    let (impact, mirrored) = (impact(&old, &new, &new_entries), impact(&new, &old, &old_entries));
    check(&new, &WholeImpact::new(&impact, &mirrored, &new_entries, &old_entries, rules));
}

fn lines(
    program: &Program,
    graph: &StatementGraph,
    nodes: impl Iterator<Item = incise_change::NodeId>,
) -> Vec<u32> {
    let line = |node| {
        graph
            .node(node)
            .location
            .map_or(0, |location: incise_ir::LocationId| program.locations[location].line)
    };
    let mut lines: Vec<u32> = nodes.map(line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The affected lines of the new version.
fn affected(program: &Program, function: &FunctionImpact) -> Vec<u32> {
    lines(program, &function.alignment.new_graph, function.affected.nodes())
}

/// The names and affected lines of the functions.
fn all(program: &Program, whole: &WholeImpact<'_>) -> Vec<(String, Vec<u32>)> {
    let of = |each: &WholeFunction| (each.impact.name.clone(), affected(program, &each.impact));
    whole.functions.iter().map(of).collect()
}

/// What carries impact into a function: the input, and the lines of the calls that pass it.
fn inputs(program: &Program, whole: &WholeImpact<'_>, name: &str) -> Vec<(String, Vec<(String, u32)>)> {
    let scope = whole.scope.as_ref().expect("something changed");
    let function = whole.function(name).expect("it is concerned");
    let parameters = &program.functions[function.impact.function].parameters;
    let name = |input: &Input| match input {
        Input::Parameter(number) => parameters[*number as usize].name.clone(),
        Input::Global(global) => program.globals[*global].name.clone(),
        Input::Memory => "memory".to_owned(),
    };
    let site = |&(caller, node): &Site| {
        let graph = &scope.facts(caller).graph;
        (program.functions[caller].name.clone(), lines(program, graph, std::iter::once(node))[0])
    };
    let of = |(input, calls): (&Input, &std::collections::BTreeSet<Site>)| {
        (name(input), calls.iter().map(site).collect())
    };
    function.ways.inputs.iter().map(of).collect()
}

fn named(list: &[(&str, &[u32])]) -> Vec<(String, Vec<u32>)> {
    list.iter().map(|(name, lines)| ((*name).to_owned(), lines.to_vec())).collect()
}

fn passed(list: &[(&str, &[(&str, u32)])]) -> Vec<(String, Vec<(String, u32)>)> {
    let calls = |calls: &[(&str, u32)]| calls.iter().map(|&(name, line)| (name.to_owned(), line)).collect();
    list.iter().map(|(name, list)| ((*name).to_owned(), calls(list))).collect()
}

// Figure 2(a) of the paper.
const FIGURE_2: &str = "int t;
int B(int z) {
    if (z > 5)
        return 1;
    return 2;
}
int A(int x, int y) {
    if (x > 0)
        y = y + 1;
    if (y > 0)
        x = B(y);
    return x + y;
}
int main(int argc, char **argv) {
    B(argc);
    t = A(argc, argc + 2);
    return 0;
}
";

#[test]
fn figure_2_of_the_paper() {
    whole(FIGURE_2, &FIGURE_2.replace("y + 1", "y + 2"), &[], |program, whole| {
        let expected = named(&[("B", &[3, 4, 5]), ("A", &[8, 9, 10, 11, 12]), ("main", &[16])]);
        assert_eq!(all(program, whole), expected);
        assert_eq!(inputs(program, whole, "B"), passed(&[("z", &[("A", 11)])]));
        assert_eq!(inputs(program, whole, "A"), []);
        let main = whole.function("main").expect("main calls A");
        let called: Vec<&str> = main
            .ways
            .calls
            .values()
            .flatten()
            .map(|&function| program.functions[function].name.as_str())
            .collect();
        assert_eq!(called, ["A"]);
    });
}

#[test]
fn only_what_an_entry_comes_to_is_affected() {
    whole(FIGURE_2, &FIGURE_2.replace("y + 1", "y + 2"), &["B"], |program, whole| {
        assert_eq!(all(program, whole), []);
        assert_eq!(whole.reached.len(), 1);
    });
}

#[test]
fn both_versions_have_their_affected_statements() {
    let old = "int g;
static void set(int v) {
    g = v;
    if (v > 3)
        g = 7;
}
static int get(void) {
    return g;
}
int main(int argc, char **argv) {
    set(argc);
    return get();
}
";
    let new = old.replace("    if (v > 3)\n        g = 7;\n", "");
    whole(old, &new, &[], |program, whole| {
        let get = whole.function("get").expect("it reads g");
        assert_eq!(get.change, FunctionChange::Unchanged);
        assert_eq!(affected(program, &get.impact), [6]);
        assert_eq!(inputs(program, whole, "get"), passed(&[("g", &[("main", 10)])]));
        let set = &whole.function("set").expect("it changed").impact;
        let old_graph = set.alignment.old_graph.as_ref().expect("both versions have it");
        let old = Compiler::default().program(old);
        assert_eq!(lines(&old, old_graph, set.affected_old.nodes()), [4, 5]);
        let old_graph = get.impact.alignment.old_graph.as_ref().expect("both versions have it");
        assert_eq!(lines(&old, old_graph, get.impact.affected_old.nodes()), [8]);
    });
}

#[test]
fn what_one_entry_of_a_library_leaves_behind_is_read_by_another() {
    let old = "static int state, other;
void set(int v) {
    state = v + 1;
}
void set_other(int v) {
    other = v + 1;
}
int get(void) {
    return state;
}
int get_other(void) {
    return other;
}
";
    let new = old.replacen("v + 1", "v + 2", 1);
    whole(old, &new, &[], |program, whole| {
        assert_eq!(all(program, whole), named(&[("set", &[3]), ("get", &[9])]));
        assert_eq!(inputs(program, whole, "get"), passed(&[("state", &[])]));
    });
    // One of them alone is executed once.
    whole(old, &new, &["set"], |program, whole| assert_eq!(all(program, whole), named(&[("set", &[3])])));
}

#[test]
fn a_function_that_nothing_calls_does_not_disturb_main() {
    let old = "int g;
void unused(void) {
    g = 1;
}
int main(void) {
    return g;
}
";
    whole(old, &old.replace("g = 1", "g = 2"), &[], |program, whole| {
        assert_eq!(all(program, whole), named(&[("unused", &[3])]));
    });
}

#[test]
fn a_function_that_nothing_calls_does_not_blur_what_main_does() {
    let old = "struct item { int value; };
static int (*table[2])(struct item *);
static int low(struct item *i) {
    return i->value;
}
static int high(struct item *i) {
    return 7;
}
static int unrelated(struct item *i) {
    return i->value + 1;
}
int (*other)(struct item *) = unrelated;
int unused(struct item *i) {
    return table[i->value & 1](i);
}
int main(int argc, char **argv) {
    struct item item = {argc};
    table[0] = low;
    table[1] = high;
    item.value = table[argc & 1](&item);
    return unused(&item);
}
";
    // The table is set by main alone, as long as nothing else begins an execution.
    let idle = old.replace("return unused(&item)", "return item.value");
    whole(&idle, &idle.replace("{argc}", "{argc + 1}"), &[], |_, whole| {
        assert!(whole.unresolved.is_empty(), "{:?}", whole.unresolved);
        assert!(whole.function("low").is_some() && whole.function("unrelated").is_none());
        assert!(whole.function("unused").is_none());
    });
    // What changed is looked at, even if main does not come there.
    whole(&idle, &idle.replace("i->value & 1", "i->value & 3"), &[], |_, whole| {
        assert!(whole.function("unused").is_some());
        assert!(!whole.unresolved.is_empty());
    });
}

#[test]
fn new_functions_are_new_from_first_to_last_and_carry_impact() {
    let old = "int use(int v) {
    return v;
}
int main(int argc, char **argv) {
    int x = argc;
    return use(x);
}
";
    let new = old
        .replace("int main", "static int twice(int v) {\n    return v * 2;\n}\nint main")
        .replace("x = argc", "x = twice(argc)");
    whole(old, &new, &[], |program, whole| {
        let twice = whole.function("twice").expect("it was added");
        assert_eq!((twice.change, affected(program, &twice.impact)), (FunctionChange::Added, vec![5]));
        assert_eq!(inputs(program, whole, "use"), passed(&[("v", &[("main", 9)])]));
    });
}

#[test]
fn calls_by_address_and_structs_on_the_heap_carry_impact() {
    let old = "#include <stdlib.h>
struct node { int key; int value; };
static int first(struct node *n) {
    return n->key;
}
static int second(struct node *n) {
    return n->value;
}
static int (*table[2])(struct node *) = {first, second};
int main(int argc, char **argv) {
    struct node *n = malloc(sizeof *n);
    n->key = argc + 1;
    n->value = argc;
    return table[argc & 1](n);
}
";
    whole(old, &old.replace("argc + 1", "argc + 2"), &[], |program, whole| {
        assert_eq!(affected(program, &whole.function("first").expect("it reads key").impact), [4]);
        assert!(affected(program, &whole.function("main").expect("it changed").impact).contains(&14));
    });
}

#[test]
fn lines_that_were_put_together_are_shown_in_both_versions() {
    let old = "static int get(int v) {
    int x = v;
    if (x > 3) x = 4;
    return x;
}
int main(int argc, char **argv) {
    return get(argc + 1);
}
";
    let new = old.replace("    int x = v;\n", "    int x = v; ").replace("argc + 1", "argc + 2");
    whole(old, &new, &[], |program, whole| {
        let get = &whole.function("get").expect("its parameter carries impact").impact;
        assert!(!get.changed);
        assert_eq!(affected(program, get), [2, 3]);
        let old_graph = get.alignment.old_graph.as_ref().expect("both versions have it");
        let old = Compiler::default().program(old);
        assert_eq!(lines(&old, old_graph, get.affected_old.nodes()), [2, 3, 4]);
        let kept = get.alignment.new_status.iter();
        assert!(kept.into_iter().all(|status| *status == incise_change::NewStatus::Unchanged));
    });
}

#[test]
fn code_that_nobody_can_see_is_named_and_passes_impact_on() {
    let old = "extern int ext(int);
extern void each(void (*)(int));
int g;
static void visit(int v) {
    g = v;
}
static int quiet(int v) {
    return v;
}
int main(int argc, char **argv) {
    int before = quiet(argc);
    g = argc + 1;
    each(visit);
    int x = ext(3);
    return x + before;
}
";
    whole(old, &old.replace("argc + 1", "argc + 2"), &[], |program, whole| {
        let names: Vec<String> = whole.unresolved.iter().map(|call| format!("{:?}", call.callee)).collect();
        assert_eq!(whole.unresolved.len(), 2, "{names:?}");
        // What `each` passes to `visit` may depend on g; and `ext` may have been told of it.
        let visit = whole.function("visit").expect("unknown code calls it");
        assert_eq!(affected(program, &visit.impact), [5]);
        assert_eq!(inputs(program, whole, "visit")[0], passed(&[("v", &[("main", 13), ("main", 14)])])[0]);
        assert_eq!(
            affected(program, &whole.function("main").expect("it changed").impact),
            [11, 12, 13, 14, 15]
        );
        assert!(whole.function("quiet").is_none());
    });
    // A change in what unknown code may call is met where it is called.
    whole(old, &old.replace("g = v;", "g = v + 1;"), &[], |program, whole| {
        assert_eq!(
            affected(program, &whole.function("main").expect("it calls each").impact),
            [11, 12, 13, 14, 15]
        );
    });
}

/// The names and lines of the statements that are affected only if callers hand on memory.
fn later(program: &Program, whole: &WholeImpact<'_>) -> Vec<(String, Vec<u32>)> {
    let scope = whole.scope.as_ref().expect("something changed");
    let of = |(&function, nodes): (&incise_ir::FunctionId, &Vec<incise_change::NodeId>)| {
        let lines = lines(program, &scope.facts(function).graph, nodes.iter().copied());
        (program.functions[function].name.clone(), lines)
    };
    whole.later.iter().map(of).collect()
}

const STACK: &str = "struct stack { int depth; int top; const char *name; };
static int pushes;
void push(struct stack *s, int value) {
    s->top = value;
    pushes++;
}
int top(struct stack *s) {
    return s->top;
}
int depth(struct stack *s) {
    return s->depth;
}
int pushed(void) {
    return pushes;
}
";

#[test]
fn what_only_callers_could_hand_on_is_not_affected_but_counted() {
    whole_by(Rules::Closed, STACK, &STACK.replace("= value", "= value + 1"), &[], |program, whole| {
        assert_eq!(all(program, whole), named(&[("push", &[4])]));
        assert_eq!(later(program, whole), named(&[("top", &[8]), ("depth", &[11])]));
    });
}

#[test]
fn what_the_library_keeps_in_a_global_variable_is_affected_in_later_calls() {
    whole_by(Rules::Closed, STACK, &STACK.replace("pushes++", "pushes += 2"), &[], |program, whole| {
        assert_eq!(all(program, whole), named(&[("push", &[5]), ("pushed", &[14])]));
        assert_eq!(later(program, whole), []);
    });
}

#[test]
fn what_a_global_pointer_leads_to_is_affected_in_later_calls() {
    let old = "struct node { int value; struct node *next; };
static struct node *first;
void add(struct node *node, int value) {
    node->value = value;
    node->next = first;
    first = node;
}
int sum(void) {
    int sum = 0;
    for (struct node *at = first; at; at = at->next)
        sum += at->value;
    return sum;
}
";
    whole_by(Rules::Closed, old, &old.replace("= value;", "= value * 2;"), &[], |program, whole| {
        let found = all(program, whole);
        assert!(found.iter().any(|(name, lines)| name == "sum" && lines.contains(&11)), "{found:?}");
    });
}

#[test]
fn members_of_a_union_and_copied_bytes_are_the_same_memory() {
    let old = "union u { int i; float f; };
struct tagged { int tag; union u data; };
void *memcpy(void *, const void *, unsigned long);
int through(struct tagged *one, struct tagged *two) {
    one->data.i = 1;
    if (two->data.f > 0)
        return 2;
    return 3;
}
int copied(int *from, int *to) {
    *from = 1;
    memcpy(to, from, sizeof *to);
    if (*to)
        return 2;
    return 3;
}
";
    let new = old.replace("data.i = 1", "data.i = 4").replace("*from = 1", "*from = 4");
    whole_by(Rules::Closed, old, &new, &[], |program, whole| {
        let expected = named(&[("through", &[5, 6, 7, 8]), ("copied", &[11, 12, 13, 14, 15])]);
        assert_eq!(all(program, whole), expected);
    });
}

#[test]
fn a_second_call_in_a_statement_reads_what_the_first_one_wrote() {
    let old = "static void set(int *p) {
    *p = 1;
}
static int get(const int *p) {
    if (*p)
        return 2;
    return 3;
}
int both(int *p) {
    set(p); return get(p);
}
";
    whole_by(Rules::Closed, old, &old.replace("= 1", "= 4"), &["both"], |program, whole| {
        assert_eq!(all(program, whole), named(&[("both", &[10]), ("set", &[2]), ("get", &[5, 6, 7])]));
    });
}

#[test]
fn a_call_through_a_pointer_that_may_be_another_hands_on_what_the_functions_write() {
    let old = "static int a, b;
static void set_a(void) {
    a = 1;
}
static void set_b(void) {
    b = 1;
}
static void (*set)(void) = set_a;
int choose(int n) {
    if (n > 3)
        set = set_b;
    set();
    return a;
}
int other(void) {
    return 1;
}
";
    whole_by(Rules::Closed, old, &old.replace("n > 3", "n > 4"), &[], |program, whole| {
        let found = all(program, whole);
        assert!(found.iter().any(|(name, lines)| name == "choose" && lines.contains(&13)), "{found:?}");
    });
}

#[test]
fn a_variable_that_is_written_again_hands_nothing_on() {
    let old = "int a[8], b[8], s;
void f(int n) {
    int i;
    for (i = 0; i < n; i++)
        a[i & 7] = 1;
    for (i = 0; i < 8; i++)
        b[i] = 2;
    n = 3;
    s = n;
}
int run(int argc) {
    f(argc);
    return 0;
}
";
    whole_by(Rules::Closed, old, &old.replace("i < n", "i <= n"), &[], |program, whole| {
        assert_eq!(all(program, whole)[0], ("f".to_owned(), vec![4, 5]));
    });
    // What is passed is the parameter as it came, and not what takes its place.
    whole_by(Rules::Closed, old, &old.replace("f(argc)", "f(argc + 1)"), &[], |program, whole| {
        assert_eq!(all(program, whole)[0], ("f".to_owned(), vec![4, 5]));
    });
}

#[test]
fn what_was_read_before_a_write_is_not_taken_for_what_the_write_left() {
    let old = "int s, t;
static int pair(int first, int second) {
    return first * 10 + second;
}
int run(int argc) {
    int x = argc + 1;
    s = pair(x,
        x = 4);
    t = x;
    return 0;
}
int idle(void) {
    return 0;
}
";
    whole_by(Rules::Closed, old, &old.replace("argc + 1", "argc + 2"), &[], |program, whole| {
        // Line 8 feeds the call; line 9 reads what line 8 left.
        assert_eq!(all(program, whole), named(&[("run", &[6, 7, 8]), ("pair", &[3])]));
    });
}

#[test]
fn an_unknown_call_that_was_removed_reaches_other_entries_only_over_callers() {
    let old = "int strange(const char *name);
static int state;
int save(const char *name) {
    strange(name);
    return 1;
}
int load(int *p) {
    state += *p;
    return state;
}
";
    let new = old.replace("    strange(name);\n", "    strange(\"other\");\n");
    whole_by(Rules::Closed, old, &new, &[], |program, whole| {
        assert_eq!(all(program, whole), named(&[("save", &[4])]));
        assert!(whole.later.values().any(|nodes| !nodes.is_empty()), "callers may hand on memory");
    });
    let removed = old.replace("    strange(name);\n", "");
    whole_by(Rules::Closed, old, &removed, &[], |program, whole| {
        assert_eq!(all(program, whole), named(&[("save", &[])]));
    });
}

#[test]
fn an_entry_finds_only_the_memory_that_the_program_keeps_for_it() {
    let old = "#include <stdlib.h>
struct node { int value; struct node *next; };
const char *quiet = \"quiet\";
static struct node *kept;
static struct node *other;
void keep(int x) {
    kept = malloc(sizeof *kept);
    if (!kept)
        return;
    kept->value = x + 1;
}
void other_keep(int x) {
    other = malloc(sizeof *other);
    if (other)
        other->value = x;
}
int kept_value(void) {
    return kept->value;
}
int other_value(void) {
    return other->value;
}
int length(struct node *n, const char *how) {
    int count = 0;
    for (; n; n = n->next)
        count += how != quiet;
    return count;
}
";
    let (old, new) =
        (Compiler::default().program(old), Compiler::default().program(&old.replace("x + 1", "x + 2")));
    let versions = Versions::compare(&old, &new);
    let entries = |program: &Program| Entries::of(program, &versions.changed_new());
    let (old_entries, new_entries) = (entries(&old), entries(&new));
    let functions = (old_entries.functions.as_slice(), new_entries.functions.as_slice());
    let (impact, mirrored) = Impact::both_ways(&old, &new, versions, functions, Rules::Closed, false);
    let found = WholeImpact::new(&impact, &mirrored, &new_entries, &old_entries, Rules::Closed);
    assert_eq!(all(&new, &found), named(&[("keep", &[7, 10]), ("kept_value", &[18])]));
}
