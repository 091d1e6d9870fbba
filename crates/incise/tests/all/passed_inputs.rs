//! What a function does by itself, and no caller was found to pass inputs for.

use crate::common::Folder;
use serde_json::json;

#[test]
fn an_error_that_no_caller_was_found_to_pass_inputs_for_may_be_none() {
    // The caller goes over a string of any length: nobody looks at all of them.
    let text = |guard: &str, full: &str, status: &str| {
        format!(
            "static char line[8];\nstatic void put(unsigned at, char c) {{\n    {guard}line[at] = c;\n}}\n\
             int f(const char *text) {{\n    unsigned n = 0, blanks = 0;\n    for (; *text; text++) {{\n        \
             if (*text == ' ' && ++blanks > 2)\n            continue;\n        if (n {full} 8)\n            \
             return {status};\n        put(n++, *text);\n    }}\n    return n;\n}}\n"
        )
    };
    let old = text("if (at < 8)\n        ", "==", "-1");
    let folder = Folder::with(&[("old.c", &old), ("new.c", &text("", "==", "-1"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--format", "json"]);
    let document = said.json().expect("JSON");
    assert_eq!((&document["verdict"], said.status), (&json!("differs"), 3), "{document:#}");
    let put = &document["entries"][1];
    assert_eq!((&put["name"], &put["confirmed"]), (&json!("put"), &json!(false)), "{document:#}");
    assert_eq!(put["not_passed_by"], json!({"callers": ["f"], "errors_only": false}));
    // Who differs otherwise does not pass them either.
    let folder = Folder::with(&[("old.c", &old), ("new.c", &text("", "==", "-2"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--format", "json"]);
    let document = said.json().expect("JSON");
    assert_eq!((&document["verdict"], &document["confirmed"]), (&json!("differs"), &json!(true)));
    assert_eq!(document["entries"][1]["not_passed_by"], json!({"callers": ["f"], "errors_only": true}));
    // One who passes them counts.
    let (old, new) = (text("if (at < 8)\n        ", ">", "-1"), text("", ">", "-1"));
    let folder = Folder::with(&[("old.c", &old), ("new.c", &new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--fail-on", "introduced"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(said.stdout.contains("  introduced: write of 1 byte at offset 8"), "{}", said.stdout);
}
