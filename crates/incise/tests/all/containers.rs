//! What is before an element that a pointer points to: the rest of what the element is a part of, where the program
//! says so.

use crate::common::Folder;

const SOURCE: &str = "#include <stddef.h>
struct link { struct link *next; };
struct item { int key; struct link link; };
int key(struct link *l) {
  struct item *i = (struct item *)((char *)l - offsetof(struct item, link));
  return i->key > 3 ? i->key : 0;
}
";

#[test]
fn a_number_before_a_struct_of_pointers_is_not_taken_for_a_pointer() {
    let folder = Folder::with(&[("old.c", SOURCE), ("new.c", &SOURCE.replace("> 3", "> 4"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--entry", "key", "--verdict-only"]);
    // Only a key of four tells them apart, and an address never is four.
    assert_ne!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(!said.stdout.contains("does the same"), "{}", said.stdout);
}
