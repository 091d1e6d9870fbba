//! What changed between two versions, on small C functions with a statement a line, so that lines tell statements.

use incise_change::{Alignment, FunctionChange, NewStatus, NodeId, OldStatus, StatementGraph, Versions};
use incise_ir::{FunctionId, Program};
use incise_testing::Compiler;
use incise_testing::{Batch, Features, Mutation, batch_with, change, shorter};
use std::fmt::Write;

/// The program of a text, compiled as usual.
fn compile(text: &str) -> Program {
    Compiler::default().program(text)
}

/// The line of a statement.
fn line(program: &Program, graph: &StatementGraph, node: NodeId) -> u32 {
    graph.node(node).location.map_or(0, |location| program.locations[location].line)
}

/// The lines of statements, each once, in order.
fn lines(
    program: &Program,
    graph: &StatementGraph,
    label: &str,
    nodes: impl Iterator<Item = NodeId>,
    found: &mut Vec<String>,
) {
    let mut lines: Vec<u32> = nodes.map(|node| line(program, graph, node)).collect();
    lines.sort_unstable();
    lines.dedup();
    if !lines.is_empty() {
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        found.push(format!("{label} {}", lines.join(" ")));
    }
}

/// An alignment as text: `changed 3; added 5; removed 4; gaps 2.1 entry`, the removed lines being those of the old
/// version.
fn describe(old: &Program, new: &Program, alignment: &Alignment) -> String {
    let graph = &alignment.new_graph;
    let old_graph = alignment.old_graph.as_ref().expect("two versions were aligned");
    let with = |status| graph.ids().filter(move |&node| alignment.status_of_new(node) == status);
    let removed = old_graph.ids().filter(|&node| alignment.status_of_old(node) == OldStatus::Removed);
    let mut found = Vec::new();
    lines(new, graph, "changed", with(NewStatus::Changed), &mut found);
    lines(new, graph, "added", with(NewStatus::Added), &mut found);
    lines(old, old_graph, "removed", removed, &mut found);
    if !alignment.gaps.is_empty() {
        let mut text = "gaps".to_owned();
        for gap in &alignment.gaps {
            match gap.from {
                None => text.push_str(" entry"),
                Some(node) => write!(text, " {}.{}", line(new, graph, node), gap.side).expect("a string"),
            }
        }
        found.push(text);
    }
    if found.is_empty() { "same".to_owned() } else { found.join("; ") }
}

fn graph(program: &Program, name: &str) -> StatementGraph {
    let id: FunctionId =
        program.function_named(name).unwrap_or_else(|| panic!("there is no function '{name}'"));
    StatementGraph::new(program, id)
}

fn aligned(old: &Program, new: &Program, name: &str) -> Alignment {
    let alignment = Alignment::new(old, graph(old, name), new, graph(new, name));
    crate::lockstep::check(&alignment).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    alignment
}

/// Checks what became of `f`.
#[track_caller]
fn check_with(compiler: &Compiler, old: &str, new: &str, expected: &str) {
    let (old_program, new_program) = (compiler.program(old), compiler.program(new));
    let found = describe(&old_program, &new_program, &aligned(&old_program, &new_program, "f"));
    assert_eq!(found, expected, "\nold:{old}\nnew:{new}");
    let versions = Versions::compare(&old_program, &new_program);
    let change = versions.named("f").expect("f is there").change;
    if change == FunctionChange::Unchanged {
        assert_eq!(expected, "same", "the fingerprints are equal");
    }
}

/// Checks what became of `f`, compiled as usual.
#[track_caller]
fn check(old: &str, new: &str, expected: &str) {
    check_with(&Compiler::default(), old, new, expected);
}

/// Checks that `f` is the same, by its fingerprint already.
#[track_caller]
fn check_same(old: &str, new: &str) {
    check(old, new, "same");
    let (old, new) = (compile(old), compile(new));
    assert_eq!(
        Versions::compare(&old, &new).named("f").map(|pair| pair.change),
        Some(FunctionChange::Unchanged)
    );
}

/// What became of all functions, as text.
fn functions(old: &str, new: &str) -> String {
    let (old, new) = (compile(old), compile(new));
    let versions = Versions::compare(&old, &new);
    let text = versions.functions.iter().map(|pair| {
        let signature = if pair.signature_changed { " signature" } else { "" };
        format!("{} {:?}{signature}", pair.name, pair.change)
    });
    text.collect::<Vec<_>>().join("; ")
}

const BASE: &str = "
int g, h;
int f(int a, int b) {
  int x = 0;
  if (a > b) {
    x = a - b;
    g = x;
  } else {
    x = b;
  }
  h = x + 1;
  return x;
}
";

#[test]
fn layout_does_not_count() {
    check_same(BASE, BASE);
    check_same(BASE, &BASE.replace('\n', "\n\n"));
    check_same(BASE, &BASE.replace("x = a - b;", "x = /* a minus b */ a-b; // so"));
    check_same(BASE, &format!("/* a comment\n   of two lines */\n{BASE}"));
    check_same(BASE, &BASE.replace("h = x + 1;", "h =\n   x\n   + 1;"));
    check_same(BASE, &BASE.replace("(a > b)", "((a) > (b))"));
    check_same(BASE, &BASE.replace("x = a - b;\n", "x = a - b;").replace("h = x + 1;\n", "h = x + 1;"));
    check_same(&BASE.replace("x = a - b;\n", "x = a - b;"), &BASE.replace("int x = 0;", "int\nx\n= 0;"));
    check_same(BASE, &BASE.replace("{\n    x = b;\n  }", "x = b;"));
}

#[test]
fn line_breaks_and_a_change() {
    let one_line = BASE.replace("x = a - b;\n", "x = a - b;").replace("h = x + 1;\n", "h = x + 1;");
    check(BASE, &one_line.replace("g = x", "g = x + 2"), "changed 6");
    check(&one_line, &BASE.replace("g = x", "g = x + 2"), "changed 7");
    check(&one_line, &BASE.replace("    g = x;\n", ""), "changed 6");
    check(BASE, &one_line.replace("g = x;", ""), "removed 7; gaps 6.0");
}

#[test]
fn names_of_locals_and_parameters_do_not_count() {
    let renamed = BASE.replace("x ", "sum ").replace("x;", "sum;");
    check_same(BASE, &renamed);
    check_same(BASE, &BASE.replace("int a", "int first").replace("a >", "first >").replace("a -", "first -"));
    check(BASE, &renamed.replace("+ 1", "+ 2"), "changed 11");
    let two = "
int f(int a) {
  int p;
  int q;
  p = a + 1;
  q = a * 2;
  if (p > q)
    p = q - 3;
  return p - q;
}
";
    let swapped = two
        .replace('p', "t")
        .replace('q', "p")
        .replace('t', "q")
        .replace("inq", "int")
        .replace("requrn", "return");
    check_same(two, &swapped);
    check(two, &swapped.replace("- 3", "- 4"), "changed 8");
    check_same(two, &two.replace("  int p;\n  int q;\n", "  int q;\n  int p;\n"));
    // Half of a renaming is a change.
    check(two, &two.replace("return p - q", "return q - p"), "changed 9");
}

#[test]
fn each_loop_has_its_own_counter() {
    let loops = "
int g;
int f(int n) {
  for (int i = 0; i < n; i++)
    g += 1;
  for (int i = 0; i < n; i++)
    g += i;
  for (int i = 0; i < n; i++)
    g -= i;
  return g;
}
";
    check(
        loops,
        &loops.replace("  for (int i = 0; i < n; i++)\n    g += 1;\n", ""),
        "removed 4 5; gaps entry",
    );
    check(loops, &loops.replace("g += i", "g += i + 1"), "changed 7");
}

#[test]
fn what_is_elsewhere_does_not_count() {
    check_same(
        BASE,
        &BASE.replace("int g, h;", "int before(void) { return 3; }\nint h, g;\nconst char *s = \"new\";"),
    );
    check_same(BASE, &format!("{BASE}\nint after(int x) {{ return x; }}\n"));
    let literal = "int puts(const char *);\nint f(void) {\n  return puts(\"one\");\n}\n";
    check_same(literal, &format!("const char *first = \"zero\";\n{literal}\nconst char *last = \"two\";"));
}

#[test]
fn macros_and_enumerations_count_where_they_are_used() {
    let text = "
#define LIMIT 10
#define UNUSED 1
enum state { IDLE, BUSY, DONE };
int f(int a) {
  if (a > LIMIT)
    return BUSY;
  return IDLE;
}
";
    check(text, &text.replace("LIMIT 10", "LIMIT 11"), "changed 6");
    check_same(text, &text.replace("LIMIT 10", "LIMIT (5 + 5)"));
    check_same(text, &text.replace("UNUSED 1", "UNUSED 2"));
    check(text, &text.replace("IDLE, BUSY", "IDLE, NEW, BUSY"), "changed 7");
    check_same(text, &text.replace("DONE", "STOPPED"));
}

#[test]
fn types_count_where_they_change_the_code() {
    let text = "
struct s { int a; int b; };
typedef int number;
int f(struct s *p, number n) {
  int x = 0;
  x = p->a;
  if (n < x)
    p->b = 7;
  return x / n;
}
";
    check(text, &text.replace("{ int a;", "{ long front; int a;"), "changed 6; added 8; removed 8");
    check_same(text, &text.replace("int b; }", "int b; int behind; }"));
    check_same(text, &text.replace("typedef int number", "typedef signed number"));
    // A type that is as wide is the same variable; what is computed with it may differ.
    check(text, &text.replace("typedef int number", "typedef unsigned number"), "changed 7 9");
    check(text, &text.replace("  int x = 0", "  unsigned x = 0"), "changed 7 9");
    // A variable of another width is another variable.
    check(text, &text.replace("  int x = 0", "  long x = 0"), "changed 7 9; added 5 6; removed 5 6");
    let array = "
int f(int i) {
  int table[4];
  int k = i;
  table[0] = i;
  k++;
  return table[1];
}
";
    check(array, &array.replace("[4]", "[5]"), "changed 7; added 5; removed 5");
}

#[test]
fn initial_values_count_where_they_are_read() {
    let text = "
int level = 3;
int count = 0;
const int table[3] = {1, 2, 3};
const char *names[2] = {\"a\", \"b\"};
int f(int i) {
  int x = level;
  count = 1;
  x += table[i];
  return x + names[i][0];
}
";
    check(text, &text.replace("level = 3", "level = 4"), "changed 7");
    check_same(text, &text.replace("count = 0", "count = 5"));
    check(text, &text.replace("2, 3}", "2, 4}"), "changed 9");
    check(text, &text.replace("\"b\"", "\"c\""), "changed 10");
    let read = text.replace("count = 1", "count += 1");
    check(&read, &read.replace("count = 0", "count = 5"), "changed 8");
    let circle = "
struct node { int key; struct node *next; };
extern struct node second;
struct node first = {1, &second};
struct node second = {2, &first};
int f(void) {
  return first.key;
}
";
    check_same(circle, circle);
    check(circle, &circle.replace("{2,", "{3,"), "changed 7");
}

#[test]
fn string_literals_count_by_their_content() {
    let text = "
int puts(const char *);
int f(int a) {
  puts(\"one\");
  if (a)
    puts(\"two\");
  return 0;
}
";
    check(text, &text.replace("two", "three"), "changed 6");
    // The compiler numbers literals in order of use.
    check(text, &text.replace("  puts(\"one\");\n", "  puts(\"zero\");\n  puts(\"one\");\n"), "added 4");
    check(text, &text.replace("  puts(\"one\");\n", ""), "removed 4; gaps entry");
}

#[test]
fn assertions_may_move() {
    let text = "
void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
int f(int value) {
  assert(value > 3);
  return value;
}
";
    check_same(text, &text.replace("int f", "\n\nint f"));
    check_same(text, &text.replace("value", "v"));
    check(text, &text.replace("> 3", "> 4"), "changed 5");
}

#[test]
fn parameters_are_told_by_position() {
    let text = "
int f(int a, int b) {
  int x = a;
  x += b * 2;
  return x;
}
";
    check(text, &text.replace("int a, int b", "int b, int a"), "changed 3 4");
    check_same(text, &text.replace("a, int b", "u, int v").replace("= a", "= u").replace("b *", "v *"));
    check(text, &text.replace("int b)", "int b, int c)"), "same");
    check(text, &text.replace("int a, int b", "int b").replace("= a", "= 3"), "changed 3");
    check(text, &text.replace("int a, ", "int c, int a, "), "same");
    assert_eq!(functions(text, &text.replace("int b)", "int b, int c)")), "f Changed signature");
    assert_eq!(functions(text, &text.replace("int f", "long f")), "f Changed signature");
    assert_eq!(functions(text, &text.replace("int a", "short a")), "f Changed signature");
    assert_eq!(functions(text, &text.replace("int b)", "int b, ...)")), "f Changed signature");
    assert_eq!(functions(text, &text.replace("= a", "= a + 1")), "f Changed");
    assert_eq!(functions(text, text), "f Unchanged");
}

#[test]
fn statements_are_added_removed_and_changed() {
    // At the start.
    check(BASE, &BASE.replace("int x = 0;", "int x = 1;"), "changed 4");
    check(BASE, &BASE.replace("int x = 0;", "int x;"), "removed 4; gaps entry");
    check(&BASE.replace("int x = 0;", "int x;"), BASE, "added 4");
    check(BASE, &BASE.replace("(a > b)", "(a >= b)"), "changed 5");
    // In a branch.
    check(BASE, &BASE.replace("x = a - b", "x = b - a"), "changed 6");
    check(BASE, &BASE.replace("    x = a - b;\n", ""), "removed 6; gaps 5.0");
    check(BASE, &BASE.replace("    g = x;\n", ""), "removed 7; gaps 6.0");
    check(BASE, &BASE.replace("    g = x;\n", "    g = x;\n    h = 3;\n"), "added 8");
    // At the end.
    check(BASE, &BASE.replace("return x;", "return x + 1;"), "changed 12");
    check(BASE, &BASE.replace("  h = x + 1;\n", ""), "removed 11; gaps 7.0 9.0");
    check(BASE, &BASE.replace("  h = x + 1;\n", "  h = x + 1;\n  g = 0;\n"), "added 12");
    // Another target is no version of the same statement.
    check(BASE, &BASE.replace("g = x", "h = x"), "added 7; removed 7");
    // Several at once.
    let several = BASE.replace("= 0", "= 1").replace("h = x + 1", "h = x + 2").replace("    g = x;\n", "");
    check(BASE, &several, "changed 4 10; removed 7");
}

#[test]
fn branches_are_made_and_unmade() {
    // The body of an if is gone: its side leads elsewhere.
    let text = "
int g;
int f(int a) {
  int x = 1;
  if (a > 0) {
    x = 2;
  }
  g = x;
  return x;
}
";
    check(text, &text.replace("    x = 2;\n", ""), "removed 6; gaps 5.0");
    check(text, &text.replace("  }\n  g", "  } else {\n    x = 3;\n  }\n  g"), "added 8");
    check(text, &text.replace("  if (a > 0) {\n    x = 2;\n  }\n", "  x = 2;\n"), "removed 5; gaps 4.0");
    check(&text.replace("  if (a > 0) {\n    x = 2;\n  }\n", "  x = 2;\n"), text, "added 5");
    // Into and out of an existing branch.
    let inside = text.replace("  }\n  g = x;\n", "    g = x;\n  }\n");
    check(text, &inside, "changed 7; gaps 5.1");
    check(&inside, text, "changed 8");
    // Before and after.
    let before = text.replace("  g = x;\n", "").replace("  if (a", "  g = x;\n  if (a");
    check(text, &before, "added 5; removed 8; gaps 6.1 7.0");
}

#[test]
fn equal_statements_are_told_by_their_branches() {
    let text = "
int f(int a, int b) {
  int x = 5;
  if (a) {
    x = 0;
  } else {
    x = 0;
  }
  if (b)
    x = 0;
  return x;
}
";
    check(text, &text.replacen("    x = 0;\n", "", 1), "removed 5; gaps 4.0");
    check(text, &text.replace("else {\n    x = 0;\n", "else {\n"), "removed 7; gaps 4.1");
    check(text, &text.replace("if (b)\n    x = 0;\n", "if (b)\n    ;\n"), "removed 10; gaps 9.0");
    check(text, &text.replace("if (b)\n    x = 0;\n", "if (b)\n    x = 1;\n"), "changed 10");
}

#[test]
fn loops_change_their_form() {
    let text = "
int f(int n) {
  int s = 0;
  int i = 0;
  while (i < n) {
    s += i;
    i++;
  }
  return s;
}
";
    check(text, &text.replace("i < n", "i <= n"), "changed 5");
    check(text, &text.replace("while (i < n) {", "for (; i < n;) {"), "same");
    check(text, &text.replace("while (i < n) {", "for (; i < n; i++) {").replace("    i++;\n", ""), "same");
    check(
        text,
        &text.replace("while (i < n) {", "do {").replace("  }\n", "  } while (i < n);\n"),
        "added 8; removed 5; gaps 4.0",
    );
    check(text, &text.replace("    i++;\n", "    i++;\n    if (s > 9)\n      break;\n"), "added 8");
    check(text, &text.replace("while (i < n) {", "while (1) {"), "removed 5 9; gaps 4.0 7.0");
}

#[test]
fn cases_and_jumps() {
    let text = "
int f(int k) {
  int x = 0;
  switch (k) {
  case 1:
    x = 10;
    break;
  case 2:
    x = 20;
    break;
  default:
    x = 30;
  }
  return x;
}
";
    check(text, &text.replace("case 2", "case 3"), "changed 4");
    check(text, &text.replace("x = 20", "x = 21"), "changed 9");
    check(text, &text.replace("    x = 10;\n    break;\n", "    x = 10;\n"), "changed 8");
    check(
        text,
        &text.replace("  default:", "  case 5:\n    x = 50;\n    break;\n  default:"),
        "changed 4; added 12",
    );
    check(text, &text.replace("case 2:", "case 2:\n  case 3:"), "changed 4");
    let ordered = text
        .replace("  case 1:\n    x = 10;\n    break;\n", "")
        .replace("  default:", "  case 1:\n    x = 10;\n    break;\n  default:");
    check(text, &ordered, "changed 4; added 9; removed 6; gaps 4.0");
    let jumps = "
int f(int a) {
  int x = a;
again:
  x--;
  if (x > 5)
    goto again;
  if (x == 3)
    goto out;
  x = 7;
out:
  return x;
}
";
    check(jumps, &jumps.replace("goto again", "goto out"), "changed 5 6 8; gaps 6.0");
    check(jumps, &jumps.replace("goto out", "return 0"), "changed 12; added 9");
    check_same(jumps, &jumps.replace("again", "repeat"));
}

/// A version of a file: the program, and its text line by line.
type Version = (Program, Vec<String>);

/// Both versions of a batch.
fn compiled(batch: &Batch, compiler: &Compiler) -> [Version; 2] {
    [&batch.old, &batch.new].map(|text| (compiler.program(text), text.lines().map(str::to_owned).collect()))
}

/// A text with the names that locals have in the old version.
fn plain(text: &str) -> String {
    ["x", "y", "z"].iter().fold(text.to_owned(), |text, name| text.replace(&format!("{name}_"), name))
}

/// Statements that count as unchanged must read the same, but for the names of locals.
fn check_texts(name: &str, old: &Version, new: &Version, alignment: &Alignment) {
    let old_graph = alignment.old_graph.as_ref().expect("two versions were aligned");
    for node in alignment.new_graph.ids() {
        if alignment.status_of_new(node) != NewStatus::Unchanged {
            continue;
        }
        let partner = alignment.to_old[node.index()].expect("an unchanged statement has a partner");
        let text = |version: &Version, graph: &StatementGraph, node| {
            // Clang gives some joins of `&&` no line.
            let text = line(&version.0, graph, node).checked_sub(1).map(|line| &version.1[line as usize]);
            text.map(|text| plain(text).replace("int ", "").replace("} else ", "").trim().to_owned())
        };
        let (left, right) = (text(old, old_graph, partner), text(new, &alignment.new_graph, node));
        // Of a line with several conditions, one may be the same.
        let several = |text: &Option<String>| {
            text.as_ref().is_none_or(|text| ["&&", "||", "?"].iter().any(|each| text.contains(each)))
        };
        if !several(&left) && !several(&right) {
            assert_eq!(left, right, "in {name}");
        }
    }
}

#[test]
fn both_versions_go_together_until_a_change() {
    let count = shorter(200, 600);
    for compiler in [Compiler::default(), Compiler { level: "1", flags: Vec::new() }] {
        let batch = batch_with(&Features::texts(), 1, count, |_, new, generator| {
            (0..generator.random.below(4)).filter_map(|_| change::mutate(new, generator)).collect()
        });
        let [old, new] = compiled(&batch, &compiler);
        let versions = Versions::compare(&old.0, &new.0);
        let mut unchanged = 0;
        for number in 0..count {
            let name = format!("e{number}");
            let alignment = versions.align(&old.0, graph(&old.0, &name), &new.0, graph(&new.0, &name));
            crate::lockstep::check(&alignment).unwrap_or_else(|problem| panic!("{name}: {problem}"));
            if compiler.level == "0" {
                check_texts(&name, &old, &new, &alignment);
            }
            let pair = versions.named(&name).expect("the function is there");
            if pair.change == FunctionChange::Unchanged {
                assert!(alignment.is_unchanged(), "{name}");
            }
            unchanged += usize::from(alignment.is_unchanged());
        }
        assert!((count / 10..count / 2).contains(&unchanged), "{unchanged} of {count} are unchanged");
    }
}

#[test]
fn one_edit_changes_one_statement() {
    let count = shorter(150, 400);
    let kinds = [Mutation::Part, Mutation::Added, Mutation::Removed];
    let batch = batch_with(&Features::texts(), 2, count, |number, new, generator| {
        change::apply(new, kinds[number % 3], generator).then_some(kinds[number % 3]).into_iter().collect()
    });
    let [old, new] = compiled(&batch, &Compiler::default());
    let versions = Versions::compare(&old.0, &new.0);
    for pair in &batch.pairs {
        let name = pair.entry();
        let alignment = versions.align(&old.0, graph(&old.0, &name), &new.0, graph(&new.0, &name));
        let (old_text, new_text) = (&pair.old_text, &pair.new_text);
        let (old_lines, new_lines) = (old_text.lines().count(), new_text.lines().count());
        // A return that went decides about all that comes after it.
        if old_text.matches("return").count() != new_text.matches("return").count() {
            continue;
        }
        let what = describe(&old.0, &new.0, &alignment);
        if plain(old_text) == plain(new_text) {
            assert_eq!(what, "same", "{old_text}{new_text}");
            continue;
        }
        let mut lines: Vec<u32> =
            alignment.changed_in_new().map(|node| line(&new.0, &alignment.new_graph, node)).collect();
        lines.dedup();
        // Where something was only removed, nothing else changed; except that a switch is another when a case has lost
        // its statements.
        let expected = usize::from(old_lines <= new_lines || old_text.contains("switch"));
        assert!(lines.len() <= expected, "{what}\n{old_text}{new_text}");
    }
}

/// The names of functions.
fn names(program: &Program, ids: impl IntoIterator<Item = FunctionId>) -> String {
    ids.into_iter().map(|id| program.functions[id].name.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn functions_are_matched_by_name() {
    let text = "
static int one(int x) { return x + 1; }
int two(int x) { return one(x) * 2; }
int three(int x) { return two(x) - 1; }
int four(int x) { return x; }
";
    assert_eq!(functions(text, text), "two Unchanged; one Unchanged; three Unchanged; four Unchanged");
    assert_eq!(
        functions(text, &text.replace("x + 1", "x + 2")),
        "two Unchanged; one Changed; three Unchanged; four Unchanged"
    );
    // A name is what callers know.
    assert_eq!(
        functions(text, &text.replace("one(", "uno(")),
        "two Changed; uno Added; three Unchanged; four Unchanged; one Removed"
    );
    let (old, new) = (compile(text), compile(&text.replace("x + 1", "x + 2")));
    let versions = Versions::compare(&old, &new);
    assert!(!versions.is_unchanged());
    assert_eq!(names(&new, versions.changed_new()), "one");
    assert_eq!(names(&new, versions.calls_changed(&old, &new)), "two three");
    let (old, new) = (compile(text), compile(&text.replace("int four(int x) { return x; }", "")));
    let versions = Versions::compare(&old, &new);
    assert_eq!(names(&new, versions.changed_new()), "");
    assert_eq!(names(&new, versions.calls_changed(&old, &new)), "");
    let declared = text.replace("static int one(int x) { return x + 1; }", "int one(int x);");
    let new = compile(&declared);
    let versions = Versions::compare(&old, &new);
    assert_eq!(names(&new, versions.changed_new()), "");
    assert_eq!(names(&new, versions.calls_changed(&old, &new)), "two three");
}

#[test]
fn calls_through_pointers_may_reach_what_changed() {
    let text = "
static int plus(int x) { return x + 1; }
static int minus(int x) { return x - 1; }
static int both(int x, int y) { return x + y; }
int (*table[2])(int) = {plus, minus};
int (*other)(int, int) = both;
int apply(int i, int x) { return table[i](x); }
int combine(int x) { return other(x, x); }
";
    let (old, new) = (compile(text), compile(&text.replace("x - 1", "x - 2")));
    let versions = Versions::compare(&old, &new);
    assert_eq!(names(&new, versions.changed_new()), "minus");
    assert_eq!(names(&new, versions.calls_changed(&old, &new)), "apply");
    // Another function in the table is another content of the table.
    assert_eq!(
        functions(text, &text.replace("{plus, minus}", "{minus, plus}")),
        "minus Unchanged; plus Unchanged; both Unchanged; apply Changed; combine Unchanged"
    );
}

#[test]
fn statics_of_one_name_are_told_by_their_files() {
    let file = |name: &str, number: usize| {
        format!("static int helper(void) {{ return {number}; }}\nint {name}(void) {{ return helper(); }}\n")
    };
    let compiler = Compiler::default();
    let (first, second) = (file("first", 1), file("second", 2));
    let old = compiler.programs(&[("one/a.c", &first), ("one/b.c", &second)]);
    let text = |old: &Program, new: &Program| {
        let versions = Versions::compare(old, new);
        let pairs = versions.functions.iter().map(|pair| format!("{} {:?}", pair.name, pair.change));
        pairs.collect::<Vec<_>>().join("; ")
    };
    // The order of the files does not count.
    let new = compiler.programs(&[("two/b.c", &second), ("two/a.c", &first)]);
    assert_eq!(text(&old, &new), "second Unchanged; helper Unchanged; first Unchanged; helper Unchanged");
    let new = compiler.programs(&[("two/b.c", &file("second", 3)), ("two/a.c", &first)]);
    assert_eq!(text(&old, &new), "second Unchanged; helper Changed; first Unchanged; helper Unchanged");
    // Another file comes in front.
    let zero = file("zero", 0);
    let new = compiler.programs(&[("two/0.c", &zero), ("two/a.c", &first), ("two/b.c", &second)]);
    assert_eq!(
        text(&old, &new),
        "zero Added; helper Added; first Unchanged; helper Unchanged; second Unchanged; helper Unchanged"
    );
    // From one of its name to two.
    let single = compiler.programs(&[("one/b.c", &second)]);
    assert_eq!(
        text(&single, &new),
        "zero Added; helper Added; first Added; helper Added; second Unchanged; helper Unchanged"
    );
}

#[test]
fn the_order_of_evaluation_counts() {
    let text = "
int g;
int call(int);
int f(int i) {
  int x = 0;
  x = g + call(i);
  i = 3;
  return x;
}
";
    // The same operations, but `g` is read after the call.
    let later = text
        .replace("  int x = 0;", "  int x = 0;\n  int c;")
        .replace("x = g + call(i);", "c = call(i), x = g + c;");
    check(text, &later, "changed 7");
    let volatile = "
int f(int i) {
  int a = i + i++;
  return a;
}
";
    check(volatile, &volatile.replace("i + i++", "i++ + i"), "changed 3");
    let quotient = "
int call(int);
int f(int a, int b) {
  return a / b + call(a);
}
";
    check(quotient, &quotient.replace("a / b + call(a)", "call(a) + a / b"), "changed 4");
}

#[test]
fn what_can_fail_is_a_statement_even_if_nobody_uses_its_value() {
    let text = "
int g;
int f(int *p, int a, int b) {
  g = 1;
  *p;
  if (a)
    a / b;
  g = 2;
  return 0;
}
";
    check_same(text, text);
    check(text, &text.replace("  *p;\n", "  ;\n"), "removed 5; gaps 4.0");
    check(text, &text.replace("a / b", "0"), "removed 7; gaps 6.0");
    check(text, &text.replace("a / b", "b / a"), "changed 7");
}

#[test]
fn joined_values_are_told_by_their_edges() {
    let text = "
int g;
int f(int a, int b, int c) {
  int x = a ? b : c;
  int y = a && b;
  g = y || (b ? a : 3);
  return x + y;
}
";
    check_same(text, text);
    check(text, &text.replace("a ? b : c", "a ? c : b"), "changed 4");
    check(text, &text.replace("a && b", "b && a"), "changed 5");
    check(text, &text.replace("(b ? a : 3)", "(b ? a : 4)"), "changed 6");
}

#[test]
fn debug_information_is_not_needed() {
    let plain = Compiler { level: "0", flags: vec!["-g0"] };
    let both = |old: &str, new: &str| {
        let (old, new) = (plain.program(old), plain.program(new));
        let alignment = aligned(&old, &new, "f");
        let count = |status| alignment.new_status.iter().filter(|&&each| each == status).count();
        let removed = alignment.old_status.iter().filter(|&&each| each == OldStatus::Removed).count();
        (count(NewStatus::Changed), count(NewStatus::Added), removed, alignment.gaps.len())
    };
    assert_eq!(both(BASE, BASE), (0, 0, 0, 0));
    assert_eq!(both(BASE, &BASE.replace("x ", "sum ").replace("x;", "sum;")), (0, 0, 0, 0));
    assert_eq!(both(BASE, &BASE.replace("a - b", "b - a")), (1, 0, 0, 0));
    assert_eq!(both(BASE, &BASE.replace("    g = x;\n", "")), (0, 0, 1, 1));
    assert_eq!(both(BASE, &BASE.replace("    g = x;\n", "    g = x;\n    h = 1;\n")), (0, 1, 0, 0));
    // With debug information on one side only.
    let (old, new) = (compile(BASE), plain.program(BASE));
    assert!(Versions::compare(&old, &new).is_unchanged());
    assert!(aligned(&old, &new, "f").is_unchanged());
    assert!(aligned(&new, &old, "f").is_unchanged());
}

#[test]
fn optimised_code_is_compared() {
    let optimised = Compiler { level: "1", flags: Vec::new() };
    let text = "
int g, h;
int call(int);
int f(int a, int b) {
  int x = a;
  while (x < b) {
    g = call(x);
    x += 2;
  }
  h = x;
  return x;
}
";
    check_with(&optimised, text, text, "same");
    check_with(&optimised, text, &text.replace('x', "z"), "same");
    check_with(&optimised, text, &text.replace("h = x", "h = x + 1"), "changed 10");
    check_with(&optimised, text, &text.replace("  h = x;\n", "  h = x;\n  g = 9;\n"), "added 11");
    check_with(&optimised, text, &text.replace("g = call(x)", "g = call(x + 1)"), "changed 7");
}

#[test]
fn equal_calls_are_told_apart() {
    let optimised = Compiler { level: "1", flags: Vec::new() };
    let text = "
int g, h;
int call(int);
void f(int a) {
  int x = call(a);
  int y = call(a);
  g = x;
  h = y;
}
";
    check_with(&optimised, text, &text.replace("g = x", "g = y").replace("h = y", "h = x"), "changed 7 8");
}

#[test]
fn reading_before_or_after_a_call_is_told_apart() {
    let optimised = Compiler { level: "1", flags: Vec::new() };
    let text = "
int g, h;
int call(int);
void f(int a) {
  call(a);
  int y = g;
  h = 3;
  call(y);
}
";
    // One root is between the reading and the use in both versions, but another.
    let early = text.replace("  call(a);\n  int y = g;\n  h = 3;\n", "  int y = g;\n  call(a);\n\n");
    check_with(&optimised, text, &early, "changed 8; removed 7");
}

#[test]
fn returning_is_another_end_than_what_must_not_be_reached() {
    let text = "
int g;
void f(int a) {
  if (a) {
    g = 1;
    return;
  }
  g = 2;
}
";
    check(text, &text.replace("return", "__builtin_unreachable()"), "gaps 5.0");
}

#[test]
fn given_changes_need_no_old_version() {
    let program = compile(BASE);
    let graph = graph(&program, "f");
    let changed: Vec<NodeId> = graph.ids().filter(|&node| line(&program, &graph, node) == 6).collect();
    assert_eq!(changed.len(), 1);
    let alignment = Alignment::from_changed_nodes(&program, graph, &changed);
    assert!(alignment.old_graph.is_none() && alignment.gaps.is_empty());
    assert_eq!(alignment.changed_in_new().collect::<Vec<_>>(), changed);
    assert_eq!(alignment.changed_in_old().count(), 0);
}

#[test]
fn swapped_sides_change_the_condition() {
    let text = "
int g;
int f(int a, int b) {
  if (!a)
    g = 1;
  if (b)
    g = 2;
  else
    g = 3;
  return g;
}
";
    check(text, &text.replace("!a", "a"), "changed 4; gaps 4.0 4.1");
    check(text, &text.replace("if (b)", "if (!b)"), "changed 6; gaps 6.0 6.1");
}

#[test]
fn what_another_side_leads_to_is_changed() {
    let old = "int f(int x) {
    int y = 0, z = 1;
    switch (x) {
    case 0:
        z = 3;
    case 1:
        y = z;
        break;
    default:
        z = 2;
    }
    return y;
}
";
    // A case that went on into the next one ends.
    check(old, &old.replace("z = 3;", "z = 3; break;"), "changed 7; gaps 5.0");
    let old = "int f(int n) {
    int y = 0, a = 0, b = 0;
    while (n--) {
        if (n & 1) {
            a++;
            continue;
        } else {
            b++;
        }
        y++;
    }
    return y;
}
";
    // The other side of a condition skips the rest.
    let new = old.replace("            continue;\n", "").replace("b++;", "b++;\n            continue;");
    check(old, &new, "changed 10; gaps 7.0");
}
