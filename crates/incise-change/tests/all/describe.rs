//! Statements as C-like text.

use incise_change::{StatementGraph, describe};
use incise_testing::Compiler;

/// The statements of `f`, each on a line.
fn statements(compiler: &Compiler, text: &str) -> String {
    let program = compiler.program(text);
    let graph = StatementGraph::new(&program, program.function_named("f").expect("f is there"));
    graph.ids().map(|node| describe(&program, &graph, node) + "\n").collect()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let found = statements(&Compiler::default(), text);
    assert_eq!(found.trim(), expected.trim());
}

#[test]
fn statements_read_like_the_source() {
    check(
        "
int PedalCmd, PedalPos, table[8];
int call(int, int);
int f(int x, int y) {
  PedalCmd = PedalCmd + 1;
  if (PedalPos <= 0)
    x = -y;
  while (!(x > y) && table[x + 1] != 3)
    table[y] = call(x, 3) * (x + y);
  switch (x % 4) {
  case 1:
    call(y - 1, ~x);
  }
  x = y ? 2 : table[1];
  y = x && y;
  return (x - (y - 1)) << 2;
}
",
        "
PedalCmd = PedalCmd + 1
PedalPos <= 0
x = -y
x > y
!(x > y) && table[x + 1] != 3
table[y] = call(x, 3) * (x + y)
switch (x % 4)
call(y - 1, ~x)
y != 0
x = y != 0 ? 2 : table[1]
x != 0
y = x != 0 && y != 0
return x - (y - 1) << 2
",
    );
}

#[test]
fn pointers_and_members_have_their_names() {
    check(
        "
struct inner { int a, b; };
struct node { int key; struct node *next; struct inner in; int list[3]; };
struct node root;
// Nothing is known of the types of what is only declared.
struct node *find(struct node *, const char *, int *);
int f(struct node *p, int key, int i, int *q, double d) {
  if (p->next->key < key)
    p->in.b = 7;
  root.in.a = p->list[i];
  *q = q[2] + *p->next->list;
  p = find(&root, \"a\\n\", &i);
  q = root.list;
  struct node copy = *p;
  if (p == 0 || d < 1.5)
    copy.list[1] = sizeof copy;
  return find(p->next, 0, q)->key;
}
",
        "
p->next->key < key
p->in.b = 7
root.in.a = p->list[i]
*q = q[2] + p->next->list[0]
p = find(&root, \"a\\n\", &i)
q = root.list
copy = *p
p == NULL
d < 1.5
copy.list[1] = 40
return *find(p->next, NULL, q)
",
    );
}

#[test]
fn texts_are_short_and_need_no_debug_information() {
    let plain = Compiler { level: "0", flags: vec!["-g0"] };
    let text = "int g; int f(int *p, int a) { g = a + 2; if (p[1] > a) return g; return 0; }";
    assert_eq!(statements(&plain, text), "g = a + 2\np[4] > a\nreturn g\nreturn 0\n");
    let deep = format!("int f(int a) {{ return {}a{}; }}", "(a + ".repeat(40), ")".repeat(40));
    let found = statements(&Compiler::default(), &deep);
    assert!(found.len() < 180 && found.contains("..."), "{found}");
}
