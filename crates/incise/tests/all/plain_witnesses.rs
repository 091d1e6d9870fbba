//! An input that is shown has what matters and no more: the least number, no pointers to what nobody looks at.

use crate::common::Folder;
use serde_json::Value;

fn compared(old: &str, new: &str) -> Value {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--format", "json"]);
    said.json().expect("a document")
}

#[test]
fn a_number_is_the_least_that_shows_a_difference() {
    let old = "int f(unsigned n) { return n > 256 ? 2 : 1; }\nint g(long n) { return n < -5000 ? 2 : 1; }\n";
    let found = compared(old, &old.replace("2 :", "3 :"));
    let numbers: Vec<_> = found["entries"]
        .as_array()
        .expect("functions")
        .iter()
        .map(|entry| entry["differences"][0]["inputs"]["n"].as_i64())
        .collect();
    assert_eq!(numbers, [Some(257), Some(-5001)], "{found}");
}

#[test]
fn pointers_that_nobody_looks_at_are_null() {
    let old = "struct option { const char *name, *help; void *value; const char *usage; int type; };
int kind(const struct option *option) {
    if (option->name[0] != '-')
        return 0;
    return option->type + 1;
}
";
    let found = compared(old, &old.replace("+ 1", "+ 2"));
    let option = &found["differences"][0]["inputs"]["*option"];
    for pointer in ["help", "value", "usage"] {
        assert!(option[pointer].is_null(), "{pointer}: {option}");
    }
}

#[test]
fn an_index_that_wraps_around_is_told_apart() {
    let old = "struct header { long name, value, line, column; };
int add(struct header *headers, unsigned long count, unsigned long most) {
    if (count >= most)
        return -1;
    return 0;
}
";
    let new = old.replace("return 0;", "headers[count + (1ul << 59)].name = 1;\n    return 0;");
    let found = compared(old, &new);
    assert_eq!(found["verdict"], "differs", "{found}");
    assert_eq!(found["differences"][0]["special"], "index", "{found}");
}
