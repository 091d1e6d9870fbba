//! Inputs that are shown are short, whatever path the difference was found on.

use crate::common::Folder;

/// The first line of the verdict on a change.
fn shown(old: &str, from: &str, to: &str) -> String {
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace(from, to))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    said.stdout.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_loop_over_calls_is_shown_with_one_call() {
    let old = "int each(const int *items, int n, int (*visit)(int)) {\n\
               int s = 0;\n for (int i = 0; i < n; i++)\n s += visit(items[i]);\n return s; }\n";
    let line = shown(old, "s +=", "s -=");
    assert!(line.contains("n = 1,") && line.contains("visit() = 1"), "{line}");
}

#[test]
fn a_sum_over_a_list_is_shown_with_one_node() {
    let old = "struct node { int key; struct node *next; };\n\
               int sum(const struct node *l) {\n\
               int s = 0;\n for (; l; l = l->next)\n s += l->key;\n return s; }\n";
    let line = shown(old, "s += l->key", "s += 2 * l->key");
    assert!(line.contains("{.key = 1, .next = NULL}") && !line.contains("l->next"), "{line}");
}

#[test]
fn a_difference_that_needs_several_elements_keeps_them() {
    let old = "int third(const unsigned char *p, unsigned n) { return n > 2 && p[2] == 7; }\n";
    let line = shown(old, "p[2] == 7", "p[2] == 8");
    assert!(line.contains("n = 3"), "{line}");
}
