//! What is around what a pointer points to: the rest of a struct that it is a member of, where the program says so, and
//! numbers and pointers as the program uses them, where it does not.

use crate::common::Folder;

const SOURCE: &str = r#"#include <stddef.h>
#define container_of(ptr, type, member) ({ \
  const typeof(((type *)0)->member) *__mptr = (ptr); \
  (type *)((char *)__mptr - offsetof(type, member)); })
#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_for_each_entry(pos, head, member) \
  for (pos = list_entry((head)->next, typeof(*pos), member); &pos->member != (head); \
       pos = list_entry(pos->member.next, typeof(*pos), member))
struct list_head { struct list_head *next, *prev; };
struct item { long key; struct list_head link; int flags; char *name; };
struct other { int rank; struct list_head link; };

int variable(struct list_head *l) {
  struct item *i = (struct item *)((char *)l - offsetof(struct item, link));
  return i->key > 3 ? 1 : 0;
}
int expression(struct list_head *l) { return container_of(l, struct item, link)->key > 3; }
static struct item *item_of(struct list_head *l) { return container_of(l, struct item, link); }
int helper(struct list_head *l) { return item_of(l->next)->key > 3; }
long walk(struct list_head *head) {
  struct item *pos;
  long sum = 0;
  int number = 0;
  list_for_each_entry(pos, head, link) {
    number++;
    sum += pos->key;
  }
  return sum;
}
int paths(struct list_head *items, struct list_head *others) {
  return container_of(items->next, struct item, link)->key == 3
    || container_of(others->next, struct other, link)->rank == 5;
}

struct inner { int depth; struct list_head link; };
struct outer { long secret; struct inner in; };
long nested(struct list_head *l) {
  struct inner *i = container_of(l, struct inner, link);
  struct outer *o = container_of(i, struct outer, in);
  return o->secret == 3 ? i->depth : 0;
}

struct base { int kind; };
struct circle { struct base base; long radius; };
struct label { struct base base; char *text; };
int derived(struct base *b) {
  if (b->kind == 1)
    return ((struct circle *)b)->radius > 3;
  if (b->kind == 2)
    return ((struct label *)b)->text != NULL;
  return 0;
}

struct hlist_node { struct hlist_node *next, **pprev; };
struct hlist_head { struct hlist_node *first; };
struct object { long id; struct hlist_node node; int hits; };
int buckets(struct hlist_head *heads, unsigned n, long id) {
  struct hlist_node *p;
  for (p = heads[n & 3].first; p; p = p->next)
    if (container_of(p, struct object, node)->id == id)
      return container_of(p, struct object, node)->hits + 1;
  return -1;
}

struct tree_node { struct tree_node *left, *right; };
struct range { unsigned long start, length; struct tree_node node; };
unsigned long lookup(struct tree_node **root, unsigned long at) {
  struct tree_node *n = *root;
  while (n) {
    struct range *r = container_of(n, struct range, node);
    if (at < r->start)
      n = n->left;
    else if (at - r->start >= r->length)
      n = n->right;
    else
      return r->length;
  }
  return 0;
}
"#;

fn folder(change: (&str, &str)) -> Folder {
    assert!(SOURCE.contains(change.0));
    Folder::with(&[("old.c", SOURCE), ("new.c", &SOURCE.replacen(change.0, change.1, 1))])
}

/// What a comparison says of a function.
fn compared(folder: &Folder, entry: &str, more: &[&str]) -> String {
    let mut arguments = vec!["diff", "old.c", "new.c", "--entry", entry, "--verdict-only"];
    arguments.extend(more);
    let said = folder.run(&arguments);
    format!("{}{}status {}", said.stdout, said.stderr, said.status)
}

/// A change that only a small number in eight bytes before or behind the member tells is found, and seen natively.
fn is_found(entry: &str, change: (&str, &str), taken: &str) {
    let said = compared(&folder(change), entry, &[]);
    assert!(said.contains(&format!("{entry} differs in 1 way")), "{said}");
    assert!(said.contains(taken), "{said}");
    assert!(!said.contains("not confirmed") && said.ends_with("status 1"), "{said}");
}

#[test]
fn a_number_before_a_struct_of_pointers_is_not_taken_for_a_pointer() {
    is_found("variable", ("i->key > 3 ?", "i->key > 4 ?"), "l is the member link of a struct item");
}

#[test]
fn a_container_is_seen_where_no_variable_has_its_type() {
    is_found("expression", ("link)->key > 3", "link)->key > 4"), "l is the member link of a struct item");
}

#[test]
fn a_container_is_seen_through_a_function() {
    is_found("helper", ("next)->key > 3", "next)->key > 4"), "l->next is the member link of a struct item");
}

#[test]
fn a_difference_at_the_third_item_of_a_list_is_found() {
    let change = ("sum += pos->key", "sum += number == 3 && pos->key == 9 ? 8 : pos->key");
    is_found("walk", change, "head->next is the member link of a struct item");
}

#[test]
fn one_type_is_in_different_containers_by_the_way_to_it() {
    let change = ("link)->rank == 5", "link)->rank == 6");
    is_found("paths", change, "others->next is the member link of a struct other");
    is_found("paths", ("key == 3\n", "key == 4\n"), "items->next is the member link of a struct item");
}

#[test]
fn a_container_in_a_container_is_the_outer_one() {
    is_found("nested", ("secret == 3", "secret == 4"), "l is the member in.link of a struct outer");
}

#[test]
fn a_struct_that_begins_with_another_one_is_made_whole() {
    let change = ("radius > 3", "radius > 4");
    is_found("derived", change, "b is the member base of a struct circle");
    is_found("derived", ("text != NULL", "text == NULL"), "b is the member base of a struct label");
}

#[test]
fn nodes_of_tables_and_trees_are_in_what_they_are_nodes_of() {
    let taken = "heads->first is the member node of a struct object";
    is_found("buckets", ("->hits + 1", "->hits + 1 + (id == 7)"), taken);
    let change = ("return r->length;", "return r->length - (r->start == 9);");
    is_found("lookup", change, "*root is the member node of a struct range");
}

#[test]
fn tests_with_containers_hold_natively() {
    let folder = Folder::with(&[("old.c", SOURCE)]);
    for entry in ["walk", "nested", "derived", "paths", "helper"] {
        let made = folder.run(&["run", "old.c", "--entry", entry, "--tests", entry]);
        assert!(made.stdout.contains("no errors found"), "{}{}", made.stdout, made.stderr);
        let said = folder.run(&["replay", entry]);
        // There is nothing to compare where a list was not followed.
        let unlike = said.stdout.lines().filter(|line| !line.contains("not-checked")).count();
        assert_eq!((unlike, said.status != 1), (usize::from(said.status == 0), true), "{}", said.stdout);
        assert!(said.stdout.contains("confirmed natively"), "{}", said.stdout);
    }
}

#[test]
fn an_update_takes_tests_of_lists_in_containers_along() {
    let folder = folder(("sum += pos->key", "sum += pos->key + 0"));
    folder.run(&["suite", "generate", "old.c", "--entry", "walk", "-o", "s"]);
    let said = folder.run(&["suite", "update", "old.c", "new.c", "--suite", "s"]);
    assert!(
        said.stdout.contains("5 tests of walk in s: 5 kept, 0 changed, 0 redundant, 0 obsolete, 0 added"),
        "{}{}",
        said.stdout,
        said.stderr
    );
}

#[test]
fn a_contract_says_what_a_pointer_is_a_member_of() {
    let source = "struct link { struct link *next; };
struct item { long key; struct link link; };
struct item all;
int f(struct link *l) { long *words = (long *)l; return words[-1] > 3; }
";
    let folder = Folder::with(&[("old.c", source), ("new.c", &source.replace("> 3", "> 4"))]);
    let said = compared(&folder, "f", &["--member", "l=struct item.link"]);
    assert!(said.contains("container_of(l, struct item, link) = {.key = 4"), "{said}");
    assert!(said.contains("l is the member link of a struct item"), "{said}");
    let wrong = folder.run(&["run", "old.c", "--entry", "f", "--member", "l=item"]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.stderr.contains("expected NAME=STRUCT.MEMBER, as in l=item.link"), "{}", wrong.stderr);
}

#[test]
fn what_is_beside_a_struct_of_pointers_is_a_number_if_the_program_says_so() {
    let source = "struct link { struct link *next; };
struct header { long size; char *owner; };
long before(struct link *l) { long *words = (long *)l; return words[-2] > 3; }
long after(struct link *l) { long *words = (long *)l; return words[1] > 3; }
long header(struct link *l) { return ((struct header *)l)[-1].size > 3; }
int owner(int *l) { char **words = (char **)l; return words[-2][0] > 3; }
";
    let folder = Folder::with(&[("old.c", source), ("new.c", &source.replace("> 3", "> 4"))]);
    for entry in ["before", "after", "header", "owner"] {
        let said = compared(&folder, entry, &[]);
        assert!(!said.contains("does the same") && !said.contains("not confirmed"), "{said}");
    }
    for entry in ["before", "header"] {
        assert!(compared(&folder, entry, &[]).contains("differs in 1 way"));
    }
}

#[test]
fn structs_beyond_those_that_were_made_are_cut() {
    let source = "struct slot { unsigned key; int value; };
struct table { struct slot *slots; unsigned capacity; };
int find(const struct table *table, unsigned key) {
  for (unsigned at = 0; at < table->capacity; at++)
    if (table->slots[at].key == key)
      return table->slots[at].value;
  return 0;
}
";
    let folder = Folder::with(&[("old.c", source), ("new.c", &source.replace("return 0", "return -1"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
}

#[test]
fn a_number_in_a_union_with_a_pointer_is_not_taken_for_an_address() {
    let sources = [
        "union u { void *p; long n; };\nint f(union u *x) { return x->n > 3; }\n",
        "union u { void *p; int n; } w;\nint f(void) { return w.n > 3; }\n",
        "union u { char *p; long n; };\nint f(const union u *x) { union u y = *x; return y.n > 3; }\n",
    ];
    for source in sources {
        let folder = Folder::with(&[("old.c", source), ("new.c", &source.replace("> 3", "> 4"))]);
        let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
        // Four tells them apart, and no address is four.
        assert_ne!(said.status, 0, "{source}{}{}", said.stdout, said.stderr);
        assert!(!said.stdout.contains("does the same"), "{source}{}", said.stdout);
        assert!(said.stdout.contains("taken to be a pointer, and not a number"), "{source}{}", said.stdout);
    }
}
