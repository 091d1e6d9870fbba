//! Pointer inputs that are compared with each other.

use crate::common::Folder;

#[test]
fn a_list_that_is_walked_up_to_a_mark_is_no_circle() {
    let source = "struct node { int v; struct node *next; };
int sum(struct node *n, struct node *stop) {
  int s = 0;
  while (n && n != stop) {
    s += n->v;
    n = n->next;
  }
  return s;
}
";
    let folder =
        Folder::with(&[("old.c", source), ("new.c", &source.replace("s += n->v", "s += n->v + (s == 7)"))]);
    let said = folder.run(&["run", "old.c", "--entry", "sum"]);
    assert!(
        said.stdout.contains("no errors found: 10 paths (9 returned, 1 cut by a limit)"),
        "{}",
        said.stdout
    );
    assert!(!said.stdout.contains("time limit"), "{}", said.stdout);
    let said = folder.run(&["diff", "old.c", "new.c", "--entry", "sum", "--verdict-only"]);
    assert!(said.stdout.contains("sum differs in 1 way"), "{}", said.stdout);
}

#[test]
fn a_path_without_an_end_lets_the_others_come_first() {
    let source = "int f(unsigned n, int a) {
  unsigned s = 1;
  if (n != 3)
    while (s) s = s * 5 + 2 | 1;
  return a > 3 ? 1 : a < -3;
}
";
    let folder = Folder::with(&[("f.c", source)]);
    let said = folder.run(&["run", "f.c", "--entry", "f", "--max-time", "20s"]);
    assert!(said.stdout.contains("2 paths (2 returned)"), "{}", said.stdout);
    assert!(said.stdout.contains("not complete"), "{}", said.stdout);
}

#[test]
fn pointers_that_are_only_compared_come_in_either_order() {
    let source = "int f(const int *a, const int *b) {
  if (a == b) return 0;
  if (a < b) return -1;
  return 1;
}
int g(const int *a, const int *b) { return a < b ? *a : *b; }
";
    let folder = Folder::with(&[("old.c", source), ("new.c", &source.replace("return 1;", "return 2;"))]);
    for inputs in ["natural", "any"] {
        let said = folder.run(&["run", "old.c", "--entry", "f", "--inputs", inputs]);
        assert!(said.stdout.contains("3 paths (3 returned)"), "{}", said.stdout);
        assert!(said.stdout.contains("not complete"), "{}", said.stdout);
        let said =
            folder.run(&["diff", "old.c", "new.c", "--entry", "f", "--verdict-only", "--inputs", inputs]);
        assert!(said.stdout.contains("f differs in 1 way"), "{}", said.stdout);
        assert!(!said.stdout.contains("not confirmed"), "{}", said.stdout);
    }
    let said = folder.run(&["run", "old.c", "--entry", "g"]);
    assert!(said.stdout.contains("no errors found: 2 paths (2 returned)"), "{}", said.stdout);
}
