//! `incise impact`: what it says of changes, where, and with which exit status.

use crate::common::{Folder, Said, assert_fails, check_blessed, incise, root};
use serde_json::{Value, json};
use std::process::Command;

fn example(arguments: &[&str]) -> Said {
    Said::by(incise().current_dir(root().join("examples/diff")).arg("impact").args(arguments))
}

/// The impact on the only function of a pair of the examples.
fn function_of(name: &str, rules: &str) -> Value {
    let (old, new) = (format!("{name}-old.c"), format!("{name}-new.c"));
    let said = example(&[&old, &new, "--rules", rules, "--format", "json"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let document = said.json().unwrap();
    assert_eq!((&document["schema"], &document["rules"]), (&json!("incise-impact/1"), &json!(rules)));
    assert_eq!(document["functions"].as_array().unwrap().len(), 1, "{document:#}");
    document["functions"][0].clone()
}

#[test]
fn the_papers_example_has_the_papers_sets() {
    for rules in ["paper", "complete"] {
        let function = function_of("brake", rules);
        assert_eq!(function["changed"], json!([2]));
        assert_eq!(function["affected_conditions"], json!([2, 4, 15, 17]), "ACN by {rules}");
        assert_eq!(function["affected_writes"], json!([3, 5, 6, 8, 16, 18, 19]), "AWN by {rules}");
        assert_eq!(function["removed"], json!([]));
    }
}

#[test]
fn the_derivation_is_that_of_figure_5b() {
    let function = function_of("brake", "paper");
    let steps: Vec<Value> = function["derivation"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| json!([step["cause"], step["line"], step["rule"]]))
        .collect();
    // The statements n0 to n14 of the figure are the lines 2 3 4 5 6 8 10 11 12 13 15 16 17 18 19.
    let figure = json!([
        [null, 2, null],
        [2, 4, 1],
        [2, 3, 2],
        [4, 5, 2],
        [4, 6, 2],
        [3, 15, 3],
        [15, 16, 2],
        [3, 17, 3],
        [17, 18, 2],
        [17, 19, 2],
        [15, 8, 4]
    ]);
    assert_eq!(json!(steps), figure);
    let text = example(&["brake-old.c", "brake-new.c", "--rules", "paper", "--why"]).stdout;
    let last = "{2, 4, 15, 17}  {3, 5, 6, 8, 16, 18, 19}     8    15  (4)";
    assert!(text.contains(last), "{text}");
}

#[test]
fn the_small_examples_are_affected_where_the_papers_say() {
    let cases = [
        ("condtest", json!([2]), json!([3, 5])),
        ("datatest", json!([4]), json!([2, 5, 7, 8])),
        ("prunetest", json!([6]), json!([7, 9])),
    ];
    for (name, conditions, writes) in cases {
        let function = function_of(name, "complete");
        assert_eq!(function["affected_conditions"], conditions, "{name}");
        assert_eq!(function["affected_writes"], writes, "{name}");
    }
}

#[test]
fn the_text_of_the_example_is_as_blessed() {
    let arguments = ["brake-old.c", "brake-new.c", "--why"];
    let said = example(&arguments);
    let text = format!(
        "$ incise impact {}\n{}{}status {}\n",
        arguments.join(" "),
        said.stdout,
        said.stderr,
        said.status
    );
    check_blessed(&root().join("crates/incise/tests/blessed/impact-brake.txt"), &text).unwrap();
}

#[test]
fn what_does_the_same_is_no_change() {
    let old = "int f(int x) {\n    int y = x + 1;\n    return y;\n}\n";
    let new =
        "/* better */\n\nint f(int value)\n{\n    int sum = (value + 1);  // the sum\n\n    return sum;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    for pair in [["old.c", "new.c"], ["old.c", "old.c"]] {
        let said = folder.run(&["impact", pair[0], pair[1]]);
        assert_eq!(
            (said.status, said.stdout.as_str()),
            (0, "no function changed: 1 function compared\n"),
            "{}",
            said.stderr
        );
        let document = folder.run(&["impact", pair[0], pair[1], "--format", "json"]).json().unwrap();
        assert_eq!((&document["functions"], &document["summary"]["changed_nodes"]), (&json!([]), &json!(0)));
    }
}

const OLD: &str = "int limit = 3;
int helper(int x) { return x + 1; }
int f(int x) {
    int y = 0;
    if (x > 1)
        y = 5;
    y = y + 1;
    return y;
}
int g(int x) {
    return helper(x);
}
int gone(int x) { return x; }
";
const NEW: &str = "int limit = 3;
int helper(int x) { return x + 2; }
int f(int x) {
    int y = 0;
    if (x > 1)
        y = 5;
    return y;
}
int g(int x) {
    return helper(x);
}
int fresh(int x) { return x; }
";

#[test]
fn removed_lines_calls_and_lone_functions_are_shown() {
    let folder = Folder::with(&[("old.c", OLD), ("new.c", NEW)]);
    let said = folder.run(&["impact", "old.c", "new.c", "--why"]);
    assert_eq!(said.status, 1);
    for part in [
        "- y = y + 1;",
        "removed write",
        "g (new.c): its own code did not change, but what it calls did",
        "calls helper",
        "fresh: function added",
        "gone: function removed",
        "1 function added; 1 function removed",
    ] {
        assert!(said.stdout.contains(part), "no {part:?} in\n{}", said.stdout);
    }
    let document = folder.run(&["impact", "old.c", "new.c", "--format", "json"]).json().unwrap();
    let named = |name: &str| {
        let functions = document["functions"].as_array().unwrap();
        functions.iter().find(|each| each["name"] == name).unwrap_or_else(|| panic!("no {name}")).clone()
    };
    assert_eq!((&named("f")["removed"], &named("f")["changed"]), (&json!([7]), &json!([])));
    let through: Vec<Value> = named("f")["derivation"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|step| step["reason"] == "through-removed")
        .map(|step| json!([step["line"], step["cause"], step["cause_version"]]))
        .collect();
    assert_eq!(json!(through), json!([[7, 7, "old"]]), "the return reads what the removed line wrote");
    assert_eq!((&named("g")["change"], &named("g")["changed"]), (&json!("calls-changed"), &json!([])));
    assert_eq!(named("g")["derivation"][0]["functions"], json!(["helper"]));
    assert_eq!(document["added_functions"], json!(["fresh"]));
    assert_eq!(document["removed_functions"], json!(["gone"]));
}

#[test]
fn only_the_functions_asked_for_are_shown() {
    let folder = Folder::with(&[("old.c", OLD), ("new.c", NEW)]);
    let said = folder.run(&["impact", "old.c", "new.c", "--function", "helper"]);
    assert_eq!(said.status, 1);
    assert!(said.stdout.contains("helper (new.c)") && !said.stdout.contains("gone"), "{}", said.stdout);
    assert_eq!(folder.run(&["impact", "old.c", "new.c", "--function", "gone"]).status, 1);
    assert_fails(
        &folder.run(&["impact", "old.c", "new.c", "--function", "helpr"]),
        &["did you mean helper?"],
    );
}

#[test]
fn a_changed_signature_is_said() {
    let folder = Folder::with(&[
        ("old.c", "int f(int x, char *s) { return x; }\n"),
        ("new.c", "int f(long x, char *s, int n) { return x; }\n"),
    ]);
    let said = folder.run(&["impact", "old.c", "new.c"]);
    assert_eq!(said.status, 1);
    for part in ["signature changed", "was int f(int x, char *s)", "now int f(long x, char *s, int n)"] {
        assert!(said.stdout.contains(part), "no {part:?} in\n{}", said.stdout);
    }
    let document = folder.run(&["impact", "old.c", "new.c", "--format", "json"]).json().unwrap();
    assert_eq!(document["functions"][0]["signature"]["old"], "int f(int x, char *s)");
}

#[test]
fn code_without_debug_information_is_named_by_block_and_instruction() {
    let text = |limit: u32| {
        format!(
            "define i32 @f(i32 %x) {{\n  %c = icmp sgt i32 %x, {limit}\n  br i1 %c, label %a, label %b\na:\n  ret i32 1\nb:\n  ret i32 0\n}}\n"
        )
    };
    let folder = Folder::with(&[("old.ll", &text(7)), ("new.ll", &text(8))]);
    let document = folder.run(&["impact", "old.ll", "new.ll", "--format", "json"]).json().unwrap();
    let function = &document["functions"][0];
    assert_eq!(function["changed"], json!(["0:0"]));
    assert_eq!(function["affected_writes"], json!(["1:0", "2:0"]));
    assert_eq!(function["file"], Value::Null);
}

#[test]
fn folders_are_versions_too() {
    let folder = Folder::with(&[]);
    for (version, limit) in [("v1", 3), ("v2", 4)] {
        std::fs::create_dir(folder.path(version)).unwrap();
        let put = |name: &str, text: String| std::fs::write(folder.path(version).join(name), text).unwrap();
        put("a.c", "#include \"limit.h\"\nint f(int x) {\n    return x > LIMIT;\n}\n".to_owned());
        put("b.c", "int f(int);\nint g(int x) {\n    return f(x);\n}\n".to_owned());
        // Only the header changes: what counts is the code that results.
        put("limit.h", format!("#define LIMIT {limit}\n"));
    }
    let document = folder.run(&["impact", "v1", "v2", "--format", "json"]).json().unwrap();
    assert_eq!(document["new"]["files"], json!(["v2/a.c", "v2/b.c"]));
    let functions = document["functions"].as_array().unwrap();
    let changes: Vec<Value> =
        functions.iter().map(|each| json!([each["name"], each["file"], each["change"]])).collect();
    assert_eq!(json!(changes), json!([["f", "v2/a.c", "changed"], ["g", "v2/b.c", "calls-changed"]]));
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = Folder::with(&[
        ("a.c", "int f(void) { return 1; }\n"),
        ("b.c", "int g(void) { return 1; }\n"),
        ("text.txt", "hello"),
        ("bad.c", "int f(void) { return undeclared; }\n"),
    ]);
    assert_fails(&folder.run(&["impact", "a.c"]), &["NEW"]);
    assert_fails(
        &folder.run(&["impact", "a.c", "b.c"]),
        &["no function in common", "OLD has f", "NEW has g"],
    );
    assert_fails(&folder.run(&["impact", "a.c", "text.txt"]), &["text.txt", "not C"]);
    assert_fails(&folder.run(&["impact", "nowhere.c", "a.c"]), &["nowhere.c", "does not exist"]);
    assert_fails(&folder.run(&["impact", "bad.c", "a.c"]), &["bad.c:1", "undeclared"]);
    assert_fails(&folder.run(&["impact", "a.c", "bad.c"]), &["bad.c:1", "undeclared"]);
    assert_fails(&folder.run(&["impact", "a.c", "a.c", "--rules", "all"]), &["all", "complete"]);
}

#[test]
fn the_names_of_the_json_are_documented() {
    let documented = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    let folder = Folder::with(&[("old.c", OLD), ("new.c", NEW)]);
    let document = folder.run(&["impact", "old.c", "new.c", "--format", "json"]).json().unwrap();
    let mut checked = 0;
    let mut check = |object: &Value| {
        for name in object.as_object().unwrap().keys() {
            let forms = [format!("`{name}`"), format!("\"{name}\"")];
            assert!(forms.iter().any(|form| documented.contains(form.as_str())), "{name} is not documented");
            checked += 1;
        }
    };
    check(&document);
    check(&document["summary"]);
    let linked = versions(&OLD.replace("int helper", "int probe(int);\nint helper"), "x + 1", "probe(x)");
    let whole = linked.run(&["impact", "old.c", "new.c", "--callgraph", "--format", "json"]).json().unwrap();
    check(&whole);
    check(&whole["summary"]["forward_slice"]);
    for list in [&whole["unresolved"], &whole["callgraph"]["nodes"], &whole["callgraph"]["edges"]] {
        assert!(!list.as_array().unwrap().is_empty());
        list.as_array().unwrap().iter().for_each(&mut check);
    }
    for function in document["functions"].as_array().unwrap() {
        check(function);
        for list in ["new", "old", "derivation"] {
            function[list].as_array().unwrap().iter().for_each(&mut check);
        }
    }
    assert!(checked > 100);
}

#[test]
fn a_bitcode_file_is_a_version_where_llvm_dis_is_there() {
    let folder = Folder::with(&[("old.c", OLD), ("new.c", NEW)]);
    let compiled = ["old", "new"].iter().all(|name| {
        let (from, to) = (format!("{name}.c"), format!("{name}.bc"));
        let arguments = ["-c", "-emit-llvm", "-g", "-o", &to, &from];
        let clang = Command::new("clang-19").current_dir(folder.root()).args(arguments).status();
        clang.is_ok_and(|status| status.success())
    });
    let said = folder.run(&["impact", "old.bc", "new.bc", "-q"]);
    if !compiled || said.stderr.contains("llvm-dis") {
        println!("not tested: no clang-19 or no llvm-dis here");
        return;
    }
    assert_eq!(said.status, 1, "{}", said.stderr);
}

// Figure 2(a) of Rungta, Person and Branchaud, "A Change Impact Analysis to Characterize Evolving Program Behaviors"
// (ICSM 2012), with a body for B.
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

fn versions(old: &str, from: &str, to: &str) -> Folder {
    assert!(old.contains(from), "{from}");
    Folder::with(&[("old.c", old), ("new.c", &old.replacen(from, to, 1))])
}

/// The document of `incise impact old.c new.c` with more arguments.
fn document(folder: &Folder, arguments: &[&str]) -> Value {
    let said = folder.run(&[&["impact", "old.c", "new.c", "--format", "json"], arguments].concat());
    assert_eq!(said.status, 1, "{}", said.stderr);
    said.json().unwrap()
}

/// The one with that name of a list.
fn named<'v>(list: &'v Value, name: &str) -> &'v Value {
    list.as_array().unwrap().iter().find(|each| each["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

/// The affected lines of a function, in order.
fn affected(document: &Value, name: &str) -> Vec<u64> {
    let function = named(&document["functions"], name);
    let lines =
        ["affected_conditions", "affected_writes"].map(|list| function[list].as_array().unwrap().clone());
    let mut lines: Vec<u64> = lines.concat().iter().map(|line| line.as_u64().unwrap()).collect();
    lines.sort_unstable();
    lines
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|each| each["name"].as_str().unwrap()).collect()
}

#[test]
fn figure_2_has_the_papers_impact_sets_and_annotation() {
    let folder = versions(FIGURE_2, "y + 1", "y + 2");
    let document = document(&folder, &["--rules", "idise", "--callgraph"]);
    assert_eq!((&document["scope"], &document["entries"]), (&json!("program"), &json!(["main"])));
    // l0 to l4 of A, the call of A in main, and B as A calls it.
    assert_eq!(affected(&document, "A"), [8, 9, 10, 11, 12]);
    assert_eq!(affected(&document, "main"), [16]);
    assert_eq!(affected(&document, "B"), [3, 4, 5]);
    let graph = &document["callgraph"];
    let node = |name: &str| named(&graph["nodes"], name).clone();
    assert_eq!(node("A")["impact"], json!([8, 9, 10, 11, 12]));
    assert_eq!(node("B")["impact"], json!([]));
    assert_eq!(node("B")["parameters"], json!([{"name": "z", "impact": [3, 4, 5]}]));
    let edges: Vec<Value> = graph["edges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edge| json!([edge["caller"], edge["callee"], edge["line"], edge["carries"], edge["impacted"]]))
        .collect();
    let y_to_z = json!([{"argument": "y", "parameter": "z"}]);
    assert_eq!(
        json!(edges),
        json!([["A", "B", 11, y_to_z, true], ["main", "B", 15, [], false], ["main", "A", 16, [], true]])
    );
    let text = folder.run(&["impact", "old.c", "new.c", "--callgraph", "--rules", "idise"]).stdout;
    for part in [
        "  -> B  line 11: y -> z; back: result\n",
        "  -> B  line 15\n",
        "  Imp(B) = {}\n",
        "  Imp(B(z)) = {3, 4, 5}\n",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    let dot = folder.run(&["impact", "old.c", "new.c", "--callgraph=dot"]).stdout;
    assert!(dot.starts_with("digraph callgraph {\n") && dot.trim_end().ends_with('}'), "{dot}");
    assert!(dot.contains("n1 -> n0 [label=\"l11: y -> z\\nback: result\", color=red"), "{dot}");
    let why = folder.run(&["impact", "old.c", "new.c", "--why"]).stdout;
    assert!(why.contains("the condition reads parameter z, which carries impact from A (new.c:11)"), "{why}");
}

#[test]
fn the_called_function_of_section_2d_is_affected_through_its_parameter() {
    let old = "int B(int x) {
    if (x > 0)
        return 1;
    else
        return 0;
}
int A(int x) {
    x = x + 1;
    return B(x);
}
";
    let folder = versions(old, "x + 1", "x - 1");
    let found = document(&folder, &["--entry", "A"]);
    assert_eq!(affected(&found, "A"), [8, 9]);
    assert_eq!(affected(&found, "B"), [2, 3, 5]);
    assert_eq!(named(&found["functions"], "B")["change"], "reached");
    // By themselves, only A has something affected.
    let alone = document(&folder, &["--intra"]);
    assert_eq!((&alone["scope"], names(&alone["functions"])), (&json!("function"), vec!["A"]));
    // From B nothing comes to the change.
    let said = folder.run(&["impact", "old.c", "new.c", "--entry", "B"]);
    assert_eq!(said.status, 1, "something changed");
    assert!(
        said.stdout.contains("A: function changed, but nothing that starts at the entries comes to it"),
        "{}",
        said.stdout
    );
}

const FLOWS: &str = "#include <stdlib.h>
struct node { int key; struct node *next; };
static int level;
static struct node *head;
static void push(int key) {
    struct node *made = malloc(sizeof *made);
    made->key = key;
    made->next = head;
    head = made;
}
static int first(void) {
    return head ? head->key : 0;
}
static int low(int v) {
    return v < level;
}
static int high(int v) {
    return v > level;
}
static int (*const checks[2])(int) = {low, high};
static int unrelated(int v) {
    return v * 3;
}
int main(int argc, char **argv) {
    int other = unrelated(argc);
    level = argc + 1;
    push(level);
    if (checks[argc & 1](first()))
        return 1;
    return other;
}
";

#[test]
fn impact_flows_through_globals_the_heap_and_pointers_to_functions() {
    let document = document(&versions(FLOWS, "argc + 1", "argc + 2"), &["--callgraph"]);
    let mut concerned = names(&document["functions"]);
    concerned.sort_unstable();
    assert_eq!(concerned, ["first", "high", "low", "main", "push"]);
    let edges = document["callgraph"]["edges"].as_array().unwrap();
    let edge = |callee: &str| edges.iter().find(|edge| edge["callee"] == callee).unwrap();
    assert_eq!(edge("low")["kind"], "pointer");
    assert!(edge("low")["carries"].as_array().unwrap().contains(&json!({"global": "level"})), "{edges:?}");
    assert_eq!(edge("push")["carries"][0], json!({"argument": "level", "parameter": "key"}));
    assert!(edge("first")["returns"].as_array().unwrap().contains(&json!({"result": true})), "{edges:?}");
    let unrelated = edge("unrelated");
    assert_eq!((&unrelated["carries"], &unrelated["impacted"]), (&json!([]), &json!(false)));
    // The C library is left out of the graph.
    assert!(!names(&document["callgraph"]["nodes"]).contains(&"malloc"));
    assert_eq!(document["unresolved"], json!([]));
}

#[test]
fn what_cannot_be_resolved_is_named() {
    let old = "extern int probe(int);
static int (*hook)(int);
void set_hook(int (*f)(int)) { hook = f; }
int main(int argc, char **argv) {
    int x = argc + 1;
    __asm__ volatile(\"nop\");
    return probe(x) + hook(x);
}
";
    let folder = versions(old, "argc + 1", "argc + 2");
    let document = document(&folder, &[]);
    let mut kinds: Vec<Value> = document["unresolved"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| json!([each["kind"], each["function"], each["line"], each["name"], each["affected"]]))
        .collect();
    kinds.sort_by_key(Value::to_string);
    assert_eq!(
        json!(kinds),
        json!([
            ["assembly", "main", 6, null, false],
            ["external", "main", 7, "probe", true],
            ["pointer", "main", 7, null, true]
        ])
    );
    let text = folder.run(&["impact", "old.c", "new.c"]).stdout;
    assert!(text.contains("impacted: new.c:7 in main calls probe, whose code is not here"), "{text}");
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let folder = versions(FIGURE_2, "y + 1", "y + 2");
    let refused = |arguments: &[&str], parts: &[&str]| {
        assert_fails(&folder.run(&[&["impact", "old.c", "new.c"], arguments].concat()), parts);
    };
    refused(&["--entry", "mian"], &["did you mean main?"]);
    refused(&["--intra", "--entry", "main"], &["--intra"]);
    refused(&["--intra", "--callgraph"], &["--callgraph"]);
    refused(&["--callgraph=svg"], &["svg", "dot"]);
    refused(&["--callgraph=dot", "--format", "json"], &["a format of its own"]);
}

/// Functions that have nothing to do with the change: pointers, global variables, a table of functions.
fn unrelated_functions() -> String {
    use std::fmt::Write;
    let mut text = "struct far { int value; struct far *next; };\nstatic struct far *far_list;\n".to_owned();
    for number in 0..50 {
        let _ = write!(
            text,
            "static int far_state_{number};
static int far_{number}(int *p, int v) {{
    struct far *each = far_list;
    while (each && each->value < v + far_state_{number})
        each = each->next;
    if (each)
        *p = each->value;
    far_state_{number} = *p + v;
    return far_state_{number};
}}
"
        );
    }
    let table: Vec<String> = (0..50).map(|number| format!("far_{number}")).collect();
    let _ = write!(
        text,
        "static int (*const far_table[50])(int *, int) = {{{}}};
int far_all(int n) {{
    int sum = 0;
    for (int i = 0; i < 50; i++)
        sum += far_table[i](&sum, n);
    return sum;
}}
",
        table.join(", ")
    );
    text
}

#[test]
fn precision_does_not_suffer_from_unrelated_functions() {
    let set = |document: &Value| -> Vec<(String, Vec<u64>)> {
        let functions = names(&document["functions"]);
        functions.iter().map(|name| ((*name).to_owned(), affected(document, name))).collect()
    };
    // main calls them, on a line that there is anyway.
    let flows = FLOWS.replace("unrelated(argc);", "unrelated(argc) + far_all(argc);");
    let figure = FIGURE_2.replace("B(argc);", "B(argc + far_all(0));");
    for (program, from, to) in [(flows, "argc + 1", "argc + 2"), (figure, "y + 1", "y + 2")] {
        assert!(program.contains("far_all"));
        let program = format!("int far_all(int n); {program}").replace("; #include", ";\n#include");
        let before =
            document(&versions(&format!("{program}int far_all(int n) {{ return n; }}\n"), from, to), &[]);
        let after = document(&versions(&format!("{program}{}", unrelated_functions()), from, to), &[]);
        assert_eq!(set(&before), set(&after));
        let figures =
            |document: &Value, name: &str| document["summary"]["forward_slice"][name].as_u64().unwrap();
        for name in ["affected_nodes", "forward_nodes"] {
            assert_eq!(figures(&before, name), figures(&after, name), "{name}");
        }
        assert!(figures(&after, "nodes") > figures(&before, "nodes") + 300, "they were analysed as well");
        assert!(figures(&before, "forward_nodes") <= figures(&before, "sliced_nodes"));
    }
    // What B does when main calls it is not affected: a slice without contexts marks that call.
    let document = document(&versions(FIGURE_2, "y + 1", "y + 2"), &[]);
    let slice = &document["summary"]["forward_slice"];
    assert_eq!((&slice["forward_nodes"], &slice["sliced_nodes"]), (&json!(8), &json!(10)));
}

#[test]
fn the_call_graph_shows_the_sets_of_the_second_paper() {
    let old = "int B(int z) {\n    if (z > 10)\n        return 1;\n    return 0;\n}\n\
               int A(int x, int y) {\n    if (x > 0)\n        y = y + 2;\n    if (y > 0)\n        x = B(y);\n    return x + y;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("y + 2", "y + 1"))]);
    let shown = folder.run(&["impact", "old.c", "new.c", "--callgraph"]).stdout;
    assert!(shown.contains("Imp(A) = {7, 8, 9, 10, 11}") && shown.contains("y -> z"), "{shown}");
    let lean = folder.run(&["impact", "old.c", "new.c", "--callgraph", "--rules", "complete"]).stdout;
    assert!(lean.contains("Imp(A) = {8, 9, 10, 11}"), "{lean}");
}

#[test]
fn impact_ends_at_what_is_proved() {
    const CALLER: &str = "int use(struct box *b, int x) {\n    int r = twice(b, x);\n    if (r > 3)\n        \
                          return b->v;\n    return 0;\n}\n";
    let text = |body: &str| {
        format!("struct box {{ int v; }};\nint twice(struct box *b, int x) {{ {body} }}\n{CALLER}")
    };
    let compared = |old: &str, new: &str, options: &[&str]| {
        let folder = Folder::with(&[("old.c", &text(old)), ("new.c", &text(new))]);
        folder.run(&[&["impact", "old.c", "new.c"], options].concat())
    };
    let old = "b->v = x; return x * 2;";
    let said = compared(old, "b->v = x; return x + x;", &["--prove"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert!(
        said.stdout.contains("proved on every input: twice does the same, and hands on nothing"),
        "{}",
        said.stdout
    );
    assert!(!said.stdout.contains("if (r > 3)"), "{}", said.stdout);
    assert!(compared(old, "b->v = x; return x + x;", &[]).stdout.contains("if (r > 3)"));
    // One of two effects is the same: nobody asks otherwise, and what is read is something else.
    let said = compared(old, "b->v = x + 1; return x + x;", &["--prove", "--format", "json"]).json().unwrap();
    assert_eq!(said["proved"], json!([{"name": "twice", "effects": ["result"], "all": false}]));
    let lines = |document: &Value, kind: &str| {
        let functions = document["functions"].as_array().unwrap();
        functions
            .iter()
            .find(|each| each["name"] == "use")
            .map(|each| each[kind].clone())
            .unwrap_or(json!([]))
    };
    assert_eq!(lines(&said, "affected_conditions"), json!([]));
    assert!(lines(&said, "affected_writes").as_array().unwrap().contains(&json!(6)), "{said:#}");
    // Nothing is proved of what differs, nor of what a bound was met for.
    let said = compared(old, "b->v = x + 1; return x * 3;", &["--prove", "--format", "json"]).json().unwrap();
    assert_eq!((&said["proved"], lines(&said, "affected_conditions")), (&json!([]), json!([5])));
}
