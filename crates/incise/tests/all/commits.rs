//! The verdict on changes as they are made to real libraries: what is not come by is said, and nothing is reassured
//! that was not looked at.

use crate::common::Folder;
use serde_json::{Value, json};

/// The document of a comparison of two texts.
fn compared(old: &str, new: &str, arguments: &[&str]) -> Value {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let arguments = [&["diff", "old.c", "new.c", "--verdict-only", "--format", "json"], arguments].concat();
    folder.run(&arguments).json().unwrap()
}

fn reasons(document: &Value) -> String {
    document["reasons"].as_array().unwrap().iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; ")
}

/// A function over a string, of which a part is only come to on long strings.
fn over_a_string(length: u32, rare: &str, result: &str) -> String {
    format!(
        "int f(const char *s, int k) {{\n    int n = 0;\n    while (s[n])\n        n++;\n    if (n > {length})\n        {rare}\n    return {result};\n}}\n"
    )
}

#[test]
fn a_change_that_no_input_comes_by_is_not_the_same_within_bounds() {
    let old = over_a_string(200_000, "k = k + 1;", "2 * k");
    let new = over_a_string(200_000, "k = k + 2;", "k + k");
    let document = compared(&old, &new, &["--max-time", "20"]);
    assert_eq!(document["verdict"], "undecided", "{document}");
    let reasons = reasons(&document);
    assert!(reasons.contains("new.c:6"), "{reasons}");
    assert!(reasons.contains("s was taken to have at most"), "{reasons}");
}

#[test]
fn a_changed_condition_that_only_ever_goes_one_way_is_not_the_same_within_bounds() {
    let old = over_a_string(200_000, "k = k + 1;", "2 * k");
    let new = over_a_string(300_000, "k = k + 1;", "k + k");
    let document = compared(&old, &new, &["--max-time", "20"]);
    assert_eq!(document["verdict"], "undecided", "{document}");
    assert!(reasons(&document).contains("new.c:5"), "{document}");
}

#[test]
fn removed_code_that_no_input_comes_by_is_not_the_same_within_bounds() {
    let old = over_a_string(200_000, "k = k + 1;", "2 * k");
    let new = over_a_string(200_000, ";", "k + k");
    let document = compared(&old, &new, &["--max-time", "20"]);
    assert_eq!(document["verdict"], "undecided", "{document}");
}

#[test]
fn a_change_that_nothing_can_come_by_is_no_doubt() {
    let function = |dead: &str, result: &str| {
        format!(
            "int f(const char *s, unsigned k) {{\n    unsigned n = 0;\n    if (k > 9 && k < 5)\n        k = {dead};\n    while (s[n] == 'x' + k % 2)\n        n++;\n    return {result};\n}}\n"
        )
    };
    let document = compared(&function("7", "2 * n"), &function("8", "n + n"), &[]);
    let verdict = document["verdict"].as_str().unwrap();
    assert!(["same", "same-within-bounds"].contains(&verdict), "{document}");
}

#[test]
fn a_difference_far_beyond_what_is_explored_is_found_by_longer_inputs() {
    let old = over_a_string(1000, "k = k + 1;", "2 * k");
    let new = over_a_string(1000, "k = k + 2;", "k + k");
    let document = compared(&old, &new, &[]);
    assert_eq!(document["verdict"], "differs", "{document}");
    assert_eq!(document["differences"][0]["replayed"], true, "{document}");
}

#[test]
fn a_static_function_with_other_parameters_is_judged_by_its_callers() {
    let old = "static int clamp(int x) {\n    return x > 9 ? 9 : x;\n}\n\nint f(int x) {\n    return clamp(x) + 1;\n}\n";
    let new = |most: &str| {
        format!(
            "static int clamp(int x, int most) {{\n    return x > most ? most : x;\n}}\n\nint f(int x) {{\n    return clamp(x, {most}) + 1;\n}}\n"
        )
    };
    let document = compared(old, &new("9"), &[]);
    let entries: Vec<&Value> =
        document["entries"].as_array().unwrap().iter().map(|entry| &entry["name"]).collect();
    assert_eq!((&document["verdict"], entries), (&json!("same"), vec![&json!("f")]), "{document}");
    assert_eq!(compared(old, &new("8"), &[])["verdict"], "differs");
}

#[test]
fn what_begins_before_an_input_can_be_freed() {
    let function = |result: &str| {
        format!(
            "#include <stdlib.h>\nstruct header {{\n    unsigned long size;\n}};\n\nunsigned long f(char *data) {{\n    struct header *h = (struct header *)data - 1;\n    unsigned long n = h->size;\n    free(h);\n    return {result};\n}}\n"
        )
    };
    let document = compared(&function("2 * n"), &function("n + n"), &[]);
    let verdict = document["verdict"].as_str().unwrap();
    assert!(["same", "same-within-bounds"].contains(&verdict), "{document}");
    assert_eq!(document["entries"][0]["invalid"], json!([]));
    let document = compared(&function("2 * n"), &function("3 * n"), &[]);
    let shown = (&document["verdict"], &document["differences"][0]["replayed"]);
    assert_eq!(shown, (&json!("differs"), &json!(true)), "{document}");
}

#[test]
fn headers_of_several_sizes_before_an_input_can_be_freed() {
    let function = |result: &str| {
        format!(
            "#include <stdlib.h>\nunsigned f(unsigned char *data) {{\n    unsigned kind = data[-1], size = kind % 2 ? 2 : 4;\n    unsigned first = data[0];\n    free(data - size);\n    return {result};\n}}\n"
        )
    };
    let document = compared(&function("2 * first"), &function("first + first"), &[]);
    let verdict = document["verdict"].as_str().unwrap();
    assert!(["same", "same-within-bounds"].contains(&verdict), "{document}");
    let document = compared(&function("2 * first"), &function("first + size"), &[]);
    let shown = (&document["verdict"], &document["differences"][0]["replayed"]);
    assert_eq!(shown, (&json!("differs"), &json!(true)), "{document}");
}

#[test]
fn changed_functions_share_the_time() {
    let hard = |index: u32, result: &str| {
        format!(
            "unsigned long f{index}(unsigned long x, unsigned long y) {{\n    return (x * y) % 1000003 * (x + {index}) + {result};\n}}\n"
        )
    };
    let file = |result: &str| (1..=6).map(|index| hard(index, result)).collect::<String>();
    // Whether these are equal no solver finds out.
    let document =
        compared(&file("(x * y) % 1000003"), &file("(y * x + 1000003 * x) % 1000003"), &["--max-time", "6"]);
    let entries = document["entries"].as_array().unwrap();
    let took: f64 = entries.iter().filter_map(|entry| entry["compared"]["time_ms"].as_f64()).sum();
    assert!(entries.len() == 6 && took < 20_000.0, "{took} ms: {document}");
}

#[test]
fn an_allocation_that_fails_is_looked_at() {
    let function = |check: &str| {
        format!(
            "#include <stdlib.h>\nchar *f(char c) {{\n    char *p = malloc(2);\n{check}    p[0] = c;\n    p[1] = 0;\n    return p;\n}}\n"
        )
    };
    let document = compared(&function(""), &function("    if (!p)\n        return 0;\n"), &[]);
    assert_eq!(document["verdict"], "differs", "{document}");
    assert_eq!(document["errors"]["fixed"][0]["kind"], "null-pointer", "{document}");
    let document = compared(
        &function("    if (!p)\n        return 0;\n"),
        &function("    if (p == NULL)\n        return NULL;\n"),
        &[],
    );
    assert_eq!(document["verdict"], "same", "{document}");
}
