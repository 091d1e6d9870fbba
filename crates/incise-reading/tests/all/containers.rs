//! Pointers to members of structs.

use crate::support::{check, reading};

const TYPES: &str = "
#include <stddef.h>
struct link { struct link *next; };
struct item { long key; struct link link; int flags; char name[8]; };
#define ITEM(l) ((struct item *)((char *)(l) - offsetof(struct item, link)))
";

fn with_types(function: &str) -> String {
    format!("{TYPES}{function}")
}

#[test]
fn a_pointer_that_is_moved_back_to_a_struct_is_a_member_of_it() {
    let expected = ["l is not null", "l is the member link of a struct item"];
    check(&with_types("int f(struct link *l) { return ITEM(l)->flags; }"), &expected);
    check(&with_types("int f(struct link *l) { struct item *i = ITEM(l); return i->key > 3; }"), &expected);
    check(
        &with_types(
            "static long key(struct item *i) { return i->key; }
             int f(struct link *l) { return key(ITEM(l)) > 3; }",
        ),
        &expected,
    );
    check(
        &with_types(
            "static struct item *item(struct link *l) { return ITEM(l); }
             int f(struct link *l) { return item(l)->flags; }",
        ),
        &expected,
    );
}

#[test]
fn every_node_of_a_list_is_in_an_item_and_the_head_is_not() {
    let text = with_types(
        "long f(struct link *head) {
           long sum = 0;
           for (struct link *l = head->next; l != head; l = l->next) sum += ITEM(l)->key;
           return sum;
         }",
    );
    check(
        &text,
        &[
            "head is not null",
            "head->next is not null",
            "head->next may be head",
            "head->next is the member link of a struct item",
        ],
    );
    let reading = reading(&text, "f");
    let is_member = |input: &str| reading.of(input).any(|what| what.name() == "member-of");
    assert!(is_member("head->next->next->next") && !is_member("head"));
}

#[test]
fn what_is_beside_a_member_has_a_name() {
    check(
        &with_types(
            "#include <string.h>
             int f(struct link *l) { return strlen(ITEM(l)->name) > 3; }",
        ),
        &[
            "l is not null",
            "l is the member link of a struct item",
            "container_of(l, struct item, link)->name is a string",
        ],
    );
}

#[test]
fn what_is_no_member_there_is_no_container() {
    check(&with_types("int f(struct link *l) { return ((struct item *)l - 1)->flags; }"), &["l is not null"]);
    check(
        &with_types("int f(int *l) { return ((struct item *)((char *)l - 8))->key > 3; }"),
        &["l is not null"],
    );
}
