//! The verdict of `incise diff`: whether two versions do the same, and the inputs on which they do not.

use crate::common::{Folder, Said, assert_fails, incise, root};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The document of a comparison of two texts.
fn compared(old: &str, new: &str, arguments: &[&str]) -> Value {
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let arguments = [&["diff", "old.c", "new.c", "--verdict-only", "--format", "json"], arguments].concat();
    folder.run(&arguments).json().unwrap()
}

fn verdict_of(old: &str, new: &str, arguments: &[&str]) -> String {
    compared(old, new, arguments)["verdict"].as_str().unwrap().to_owned()
}

fn kinds(errors: &Value) -> Vec<&str> {
    errors.as_array().unwrap().iter().map(|error| error["kind"].as_str().unwrap()).collect()
}

const SCALED_OLD: &str = "int f(int x, int y) {\n    return 2 * x + y;\n}\n";
const SCALED_NEW: &str = "int f(int x, int y) {\n    return (x << 1) + y;\n}\n";
const WRONG_NEW: &str =
    "int f(int x, int y) {\n    if (x == 5)\n        y = y + 1;\n    return (x << 1) + y;\n}\n";

#[test]
fn the_witness_is_the_first_thing_on_the_screen() {
    let said = Said::by(incise().current_dir(root().join("examples/diff")).args([
        "diff",
        "brake-old.c",
        "brake-new.c",
        "--entry",
        "update",
    ]));
    let mut lines = said.stdout.lines();
    let first = "Given PedalPos = -1, BSwitch = 0, PedalCmd = 0:  old: AltPress = 50   new: AltPress = 0   (brake-new.c:2)";
    assert_eq!(lines.next(), Some(first));
    assert_eq!(lines.next(), Some("update differs in 1 way"));
    assert_eq!(said.status, 1);
    assert!(said.stdout.contains("8 affected paths"), "the paths follow: {}", said.stdout);
    assert!(
        said.stdout.ends_with("\nupdate differs in 1 way\n"),
        "and the verdict once more: {}",
        said.stdout
    );
}

#[test]
fn equal_versions_are_the_same() {
    let folder = Folder::with(&[("old.c", SCALED_OLD), ("new.c", SCALED_NEW)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert_eq!(said.stdout, "f does the same on every input (1 pair of paths compared)\n");
    assert_eq!(said.status, 0, "{}", said.stderr);
    let document = compared(SCALED_OLD, SCALED_NEW, &[]);
    assert_eq!((&document["verdict"], &document["differences"]), (&json!("same"), &json!([])));
    let said = folder.run(&["diff", "old.c", "new.c"]);
    assert_eq!(said.status, 0, "affected is not different");
    assert!(said.stdout.contains("1 affected path"), "{}", said.stdout);
}

#[test]
fn a_difference_has_an_input_that_ran_on_both() {
    let document = compared(SCALED_OLD, WRONG_NEW, &[]);
    assert_eq!(document["verdict"], "differs");
    let difference = &document["differences"][0];
    assert_eq!(difference["inputs"], json!({"x": 5, "y": 0}));
    assert_eq!((&difference["old"]["result"], &difference["new"]["result"]), (&json!(10), &json!(11)));
    assert_eq!((&difference["replayed"], &difference["group"]), (&json!(true), &json!(1)));
    assert_eq!(document["entries"][0]["verdict"], "differs");
    assert_eq!(document["errors"], json!({"introduced": [], "fixed": [], "preexisting": []}));
}

#[test]
fn pointers_are_seen_natively() {
    let replayed = |old: &str, new: &str| {
        let document = compared(old, new, &[]);
        let difference = &document["differences"][0];
        assert_eq!(
            (&document["verdict"], &difference["replayed"]),
            (&json!("differs"), &json!(true)),
            "{document}"
        );
        (difference["old"]["values"].clone(), difference["new"]["values"].clone())
    };
    // Which of two texts is returned.
    let text = |two: &str| format!("const char *f(int x) {{\n    return x == 2 ? {two} : \"other\";\n}}\n");
    let (old, new) = replayed(&text("\"two\""), &text("\"zwei\""));
    assert_eq!((old, new), (json!({"result": "&\"two\""}), json!({"result": "&\"zwei\""})));
    // Where in an input.
    let text = |step: u32| format!("char *f(char *p) {{\n    return p[0] == 'a' ? p + {step} : p;\n}}\n");
    let (old, new) = replayed(&text(1), &text(2));
    assert_eq!((old, new), (json!({"result": "&*p+1"}), json!({"result": "&*p+2"})));
    // An element of a table.
    let text = |one: u32| {
        format!(
            "static int table[4];\nint *f(int x) {{\n    table[0]++;\n    return x == 7 ? &table[{one}] : table;\n}}\n"
        )
    };
    replayed(&text(1), &text(2));
    // A member that is left behind.
    let list = "struct list { struct list *next; int key; };\n";
    let text = |value: &str| {
        format!("{list}void f(struct list *p) {{\n    if (p->key == 3) p->next = {value};\n}}\n")
    };
    replayed(&text("p"), &text("0"));
}

/// A static function that a table or a `switch` may make, and a caller that checks the argument.
fn static_helper(helper: &str, check: &str) -> String {
    format!(
        "static int days(int m) {{\n    {helper}\n}}\nint f(int m, int d) {{\n    if ({check})\n        return 0;\n    return d <= days(m);\n}}\n"
    )
}

const TABLE: &str = "static const int all[] = {31, 28, 31, 30}; return all[m - 1];";

#[test]
fn a_static_function_is_judged_by_its_callers_where_the_old_version_goes_wrong() {
    let switch = "return m == 2 ? 28 : m == 4 ? 30 : 31;";
    let (old, new) = (static_helper(TABLE, "m < 1 || m > 4"), static_helper(switch, "m < 1 || m > 4"));
    let document = compared(&old, &new, &[]);
    assert_eq!((&document["verdict"], &document["entries"][0]["name"]), (&json!("same"), &json!("f")));
    let below = &document["changed_functions"][0];
    assert_eq!((&below["name"], &below["verdict"]), (&json!("days"), &json!("differs")));
    // Who asks for the function itself gets to know about it.
    assert_eq!(compared(&old, &new, &["--entry", "days"])["verdict"], "differs");
    // A caller that passes such an argument shows what is fixed.
    let (old, new) = (static_helper(TABLE, "m < 1"), static_helper(switch, "m < 1"));
    let document = compared(&old, &new, &[]);
    assert_eq!((&document["verdict"], &document["entries"][0]["name"]), (&json!("differs"), &json!("f")));
    assert_eq!(kinds(&document["errors"]["fixed"]), ["out-of-bounds"]);
    // Anybody may call what has another linkage, or an address.
    for (from, to) in [("static int days", "int days"), ("int f(", "int (*any)(int) = days;\nint f(")] {
        let document = compared(&old.replacen(from, to, 1), &new.replacen(from, to, 1), &[]);
        assert_eq!(document["entries"][0]["name"], "days", "{to}");
    }
}

#[test]
fn a_static_function_that_differs_counts_unless_all_callers_do_the_same() {
    let text = |more: &str, check: &str| static_helper(&format!("return m * 3 + (m == 7){more};"), check);
    let document = compared(&text("", "m > 5"), &text(" * 2", "m > 5"), &[]);
    assert_eq!(document["verdict"], "same", "{document}");
    let document = compared(&text("", "m > 8"), &text(" * 2", "m > 8"), &[]);
    assert_eq!((&document["verdict"], &document["entries"][0]["name"]), (&json!("differs"), &json!("days")));
}

#[test]
fn a_static_function_of_which_nothing_is_known_by_itself_is_judged_by_its_callers() {
    let text = |turns: &str| {
        format!(
            "#include <stdarg.h>\nstatic int sum(int count, ...) {{\n    va_list l;\n    va_start(l, count);\n    int s = 0;\n    {turns}\n    va_end(l);\n    return s;\n}}\n\
             int both(int a, int b) {{\n    return sum(2, a & 15, b & 15);\n}}\nint one(int a) {{\n    return a > 0 ? sum(1, a) : 0;\n}}\n"
        )
    };
    let old = text("while (count--) s += va_arg(l, int);");
    let document = compared(&old, &text("for (int i = 0; i < count; i++) s = va_arg(l, int) + s;"), &[]);
    assert_eq!(document["verdict"], "same", "{document:#}");
    assert_eq!(document["changed_functions"][0]["name"], "sum");
    // What one caller passes shows a difference; what the other one passes never does.
    let new = text("while (count--) { int v = va_arg(l, int); if (v != 4242) s += v; }");
    let document = compared(&old, &new, &[]);
    assert_eq!(document["verdict"], "differs", "{document:#}");
    let verdicts: Vec<(&str, &str)> = document["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|entry| (entry["name"].as_str().unwrap_or(""), entry["verdict"].as_str().unwrap_or("")))
        .collect();
    assert_eq!(verdicts, [("both", "same"), ("one", "differs")]);
    assert_eq!(document["differences"][0]["replayed"], true);
}

#[test]
fn a_size_that_is_larger_than_memory_is_not_tried() {
    // The loops are not compared turn by turn, so that something is left to try; of a size of nearly 2^64 an empty
    // object is no natural input.
    let old = "void f(unsigned char *p, unsigned long n) {\n    for (unsigned long i = 0; i < n / 2; i++) {\n        unsigned char k = p[i];\n        p[i] = p[n - 1 - i];\n        p[n - 1 - i] = k;\n    }\n}\n";
    let new = "void f(unsigned char *p, unsigned long n) {\n    if (n < 2)\n        return;\n    unsigned char *q = p + n - 1;\n    while (p < q) {\n        unsigned char k = *q;\n        *q-- = *p;\n        *p++ = k;\n    }\n}\n";
    let document = compared(old, new, &[]);
    assert_ne!(document["verdict"], "differs", "{document}");
    assert_eq!(document["errors"]["fixed"], json!([]));
}

#[test]
fn a_difference_beyond_what_sixteen_bits_count_is_shown() {
    let old =
        "unsigned f(const unsigned char *p, unsigned long n) {\n    return n > 70000 ? p[n - 1] : 0;\n}\n";
    let new = "unsigned f(const unsigned char *p, unsigned long n) {\n    return n > 70000 ? p[n - 1] + 1u : 0;\n}\n";
    let document = compared(old, new, &["--length", "p=n"]);
    assert_eq!(document["verdict"], "differs", "{document}");
    assert_eq!(document["differences"][0]["replayed"], true);
}

#[test]
fn pointers_that_lead_to_the_same_are_the_same() {
    let text =
        |value: &str| format!("const char *f(int x, char *p) {{\n    return x == 2 ? {value} : p;\n}}\n");
    assert_eq!(verdict_of(&text("\"two\""), &text("(\"tw\" \"o\")"), &[]), "same");
}

#[test]
fn a_changed_function_that_does_the_same_by_itself_spares_its_callers() {
    // What follows depends on the result in more ways than could be explored.
    let text = |body: &str| {
        let mut text = format!(
            "int in[64], out[64];\nstatic int price(int x) {{\n    return {body};\n}}\nint f(int x) {{\n    int r = price(x);\n"
        );
        for index in 0..64 {
            text += &format!(
                "    if (in[{index}] * r > {index})\n        out[{index}] = r;\n    r += out[{index}] & 1;\n"
            );
        }
        text + "    return r;\n}\n"
    };
    let (old, new) = (text("x * 2 < 30"), text("x << 1 < 30"));
    let folder = Folder::with(&[("old.c", &old), ("new.c", &new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--entry", "f", "--verdict-only"]);
    let first = "f does the same on every input: price does by itself, and nothing else that it reaches changed (1 pair of paths compared)";
    assert_eq!(said.stdout.lines().next(), Some(first));
    assert_eq!(said.status, 0, "{}", said.stderr);
    let document = compared(&old, &new, &["--entry", "f"]);
    let entry = &document["entries"][0];
    assert_eq!((&entry["verdict"], &entry["composed_of"]), (&json!("same"), &json!(["price"])));
    assert_eq!(entry["compared"]["paths"], 1, "nothing is explored from the entry");
    // Whoever changes more is explored, and no such proof is claimed.
    let document = compared(SCALED_OLD, SCALED_NEW, &[]);
    assert_eq!(document["entries"][0].get("composed_of"), None);
}

#[test]
fn more_ways_to_differ_are_not_looked_for_without_end() {
    let text = |changed: &str| {
        let mut text = format!("int in[30], out[30];\nint f(int x) {{\n    int r = {changed};\n");
        for index in 0..30 {
            text += &format!("    if (in[{index}] > r)\n        out[{index}] = r;\n");
        }
        text + "    return 0;\n}\n"
    };
    let folder = Folder::with(&[("old.c", &text("x")), ("new.c", &text("x + 1"))]);
    let run = |arguments: &[&str]| {
        let said = folder.run(&[&["diff", "old.c", "new.c", "--verdict-only"], arguments].concat());
        assert!(said.stdout.contains("f differs in "), "{}", said.stdout);
        said
    };
    let words = "showed no new way to differ, and ";
    let said = run(&[]);
    assert!(said.stdout.contains(words), "{}", said.stdout);
    assert_eq!(said.status, 1);
    // A time that is named is used, and who does not fail for a difference wants to know what else there is.
    assert!(!run(&["--max-time", "1s"]).stdout.contains(words));
    let said = folder.run(&[
        "diff",
        "old.c",
        "new.c",
        "--verdict-only",
        "--fail-on",
        "introduced",
        "--max-paths",
        "600",
    ]);
    assert!(!said.stdout.contains(words), "{}", said.stdout);
}

#[test]
fn bounds_are_named() {
    let old = "unsigned f(unsigned n) {\n    unsigned s = 0;\n    for (unsigned i = 0; i < n; i++)\n        s += i;\n    return s;\n}\n";
    let new = "unsigned f(unsigned n) {\n    unsigned s = 0;\n    for (unsigned i = n; i > 0; i--)\n        s += i - 1;\n    return s;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let words = "f does the same within bounds: loops up to 16 iterations";
    assert!(said.stdout.starts_with(words), "{}", said.stdout);
    let document = compared(old, new, &["--max-loop", "5"]);
    assert_eq!(document["verdict"], "same-within-bounds");
    assert_eq!(document["bounds"], json!([{"limit": "max-loop", "value": 5}]));
}

#[test]
fn what_could_not_be_told_is_undecided_and_says_why() {
    let folder = Folder::with(&[("old.c", SCALED_OLD), ("new.c", WRONG_NEW)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--max-time", "0ms"]);
    assert_eq!(said.status, 3, "{}", said.stdout);
    let words = "note: stopped by --max-time before it was known what changed\nundecided: nothing could be compared\n";
    assert_eq!(said.stdout, words);
    let arguments =
        ["diff", "old.c", "new.c", "--verdict-only", "--max-time", "0ms", "--fail-on", "difference"];
    assert_eq!(folder.run(&arguments).status, 0);
}

#[test]
fn a_loop_that_no_longer_ends_is_a_difference() {
    let old = "int f(unsigned char n) {\n    int i = 0;\n    while (i < n)\n        i++;\n    return i;\n}\n";
    let new = "int f(unsigned char n) {\n    int i = 0;\n    while (i < n)\n        if (n != 3)\n            i++;\n    return i;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    let first = said.stdout.lines().next().unwrap();
    let words = "Given n = 3:  old: returns 3   new: is still running after 20 million instructions";
    assert!(first.starts_with(words) && !first.contains("not confirmed"), "{first}");
}

#[test]
fn errors_are_introduced_fixed_or_were_there() {
    let old = "int f(int x, int y, int *p) {\n    if (x == 0)\n        return 0;\n    return *p / x;\n}\n";
    let new = "int f(int x, int y, int *p) {\n    if (!p)\n        return 1 / y;\n    return *p / x;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let document = compared(old, new, &[]);
    let errors = &document["errors"];
    assert_eq!(kinds(&errors["introduced"]), ["division-by-zero", "division-by-zero"], "{errors:#}");
    assert_eq!(kinds(&errors["fixed"]), ["null-pointer"], "{errors:#}");
    assert!(
        errors["introduced"].as_array().unwrap().iter().all(|error| error["replayed"] == true),
        "{errors:#}"
    );
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert!(said.stdout.contains("introduced: division by zero at new.c:"), "{}", said.stdout);
    assert!(said.stdout.contains("fixed: "), "{}", said.stdout);
    let status = |arguments: &[&str]| {
        folder.run(&[&["diff", "old.c", "new.c", "--verdict-only"], arguments].concat()).status
    };
    assert_eq!(status(&[]), 1);
    assert_eq!(status(&["--fail-on", "introduced"]), 1);
    assert_eq!(status(&["--fail-on", "undecided"]), 0);
    assert_eq!(verdict_of(old, old, &[]), "same");
}

#[test]
fn an_error_that_both_have_is_not_new() {
    let old =
        "int f(int x, int y) {\n    int r = 100 / x;\n    if (y == 2)\n        r = 1;\n    return r;\n}\n";
    let new = "int f(int x, int y) {\n    int r = 0;\n    r = r + 100 / x;\n    if (y == 2)\n        r = 2;\n    return r;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    let errors = &compared(old, new, &[])["errors"];
    assert_eq!(kinds(&errors["introduced"]), [""; 0]);
    assert_eq!(kinds(&errors["preexisting"]), ["division-by-zero"]);
    let quiet = ["diff", "old.c", "new.c", "--verdict-only", "--fail-on", "introduced"];
    assert_eq!(folder.run(&quiet).status, 0, "it differs, and no error is new");
}

#[test]
fn two_functions_of_one_file_are_compared() {
    let text = "unsigned slow(unsigned x) {\n    unsigned n = 0;\n    for (int i = 0; i < 32; i++)\n        n += x >> i & 1;\n    return n;\n}
unsigned fast(unsigned v) {\n    v = v - (v >> 1 & 0x55555555);\n    v = (v & 0x33333333) + (v >> 2 & 0x33333333);\n    return ((v + (v >> 4) & 0x0f0f0f0f) * 0x01010101) >> 24;\n}
unsigned wrong(unsigned v) {\n    return v & 1;\n}\n";
    let folder = Folder::with(&[("bits.c", text)]);
    let said = folder.run(&["diff", "bits.c", "--entry", "slow", "--with", "wrong"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert!(said.stdout.starts_with("Given v = "), "the new name is shown: {}", said.stdout);
    assert!(!said.stdout.contains("not confirmed"), "{}", said.stdout);
    assert!(said.stdout.contains("slow and wrong differ in 1 way"), "{}", said.stdout);
    let said = folder.run(&["diff", "bits.c", "--entry", "wrong", "--with", "wrong", "--format", "json"]);
    assert_eq!((said.status, &said.json().unwrap()["verdict"]), (0, &json!("same")));
    assert_fails(
        &folder.run(&["diff", "bits.c", "--entry", "slo", "--with", "fast"]),
        &["did you mean slow"],
    );
    assert_fails(&folder.run(&["diff", "bits.c", "--with", "fast"]), &["--entry"]);
    let missing = folder.run(&["diff", "bits.c", "--entry", "slow", "--with", "fast", "--no-verdict"]);
    assert_fails(&missing, &["--no-verdict"]);
}

#[test]
fn a_renamed_function_and_its_renamed_parameters_are_matched() {
    let old = "int total(const int *numbers, int count) {\n    int s = 0;\n    for (int i = 0; i < count && i < 3; i++)\n        s += numbers[i];\n    return s;\n}\n";
    let new = "int sum(const int *values, int n) {\n    int s = 0, i = 0;\n    while (i < 3) {\n        if (i >= n)\n            break;\n        s += values[i++];\n    }\n    return s;\n}\n";
    let array = ["--entry", "total:sum", "--array", "values=3", "--no-null"];
    assert_eq!(verdict_of(old, new, &array), "same");
    let wrong = new.replace("i < 3", "i < 2");
    let document = compared(old, &wrong, &array);
    assert_eq!(document["verdict"], "differs");
    let difference = &document["differences"][0];
    assert!(difference["inputs"]["n"].as_i64().unwrap() >= 3, "{difference:#}");
    assert_eq!(difference["replayed"], true, "{difference:#}");
    assert_eq!(difference.get("old_inputs"), None, "the names are those of the new version");
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    assert_fails(&folder.run(&["diff", "old.c", "new.c", "--entry", "sum:sum"]), &["no function in common"]);
    assert_fails(&folder.run(&["diff", "old.c", "new.c", "--entry", "total:"]), &["two names"]);
}

#[test]
fn an_added_parameter_is_said_and_may_have_any_value() {
    let old = "int f(int x) {\n    return x + 1;\n}\n";
    let new = "int f(int x, int step) {\n    return x + step;\n}\n";
    let document = compared(old, new, &[]);
    assert_eq!(document["verdict"], "differs");
    let notes = document["entries"][0]["verdict_notes"].to_string();
    assert!(notes.contains("the new version has a parameter step"), "{notes}");
    let difference = &document["differences"][0];
    assert_eq!(difference["replayed"], true, "{difference:#}");
    assert_ne!(difference["inputs"]["step"], 1);
    let unused = "int f(int unused, int x) {\n    return 1 + x;\n}\n";
    assert_eq!(verdict_of(old, unused, &[]), "same", "x is matched by its name");
}

#[test]
fn members_are_compared_by_their_names() {
    let old = "struct point { int x; int y; };\nvoid f(struct point *p) {\n    p->x = p->x + 1;\n}\n";
    let moved =
        "struct point { int y; int z; int x; };\nvoid f(struct point *p) {\n    p->x = 1 + p->x;\n}\n";
    let arguments = ["--no-null"];
    let document = compared(old, moved, &arguments);
    assert_eq!(document["verdict"], "same", "{document:#}");
    let notes = document["entries"][0]["verdict_notes"].to_string();
    assert!(notes.contains("z is in one version only"), "{notes}");
    let wrong = moved.replace("1 + p->x", "2 + p->x");
    let document = compared(old, &wrong, &arguments);
    assert_eq!(
        (&document["verdict"], &document["differences"][0]["observed"]),
        (&json!("differs"), &json!(["memory"]))
    );
}

#[test]
fn observe_selects_what_is_compared() {
    let old = "#include <stdio.h>\nint g;\nint f(int x) {\n    g = x;\n    printf(\"%d\\n\", x);\n    return x;\n}\n";
    let global = old.replace("g = x", "g = x + 1");
    let output = old.replace("%d\\n", "%d\\n\\n");
    assert_eq!(verdict_of(old, &global, &["--observe", "globals,memory"]), "differs");
    assert_eq!(verdict_of(old, &global, &["--observe", "result,output"]), "same");
    assert_eq!(verdict_of(old, &output, &["--observe", "result", "--observe", "globals"]), "same");
    let document = compared(old, &output, &[]);
    assert_eq!(document["differences"][0]["observed"], json!(["stdout"]), "{document:#}");
    assert_eq!(document["differences"][0]["replayed"], true);
    let fails = "int f(int x) {\n    return 8 / x;\n}\n";
    let checks = "int f(int x) {\n    return x ? 8 / x : 0;\n}\n";
    assert_eq!(verdict_of(fails, checks, &[]), "differs");
    assert_eq!(verdict_of(fails, checks, &["--observe", "result"]), "same");
}

#[test]
fn floats_may_be_as_far_apart_as_the_user_says() {
    let old = "double f(unsigned char x) {\n    return x / 10.0;\n}\n";
    let new = "double f(unsigned char x) {\n    return x * 0.1;\n}\n";
    let document = compared(old, new, &[]);
    assert_eq!(
        (&document["verdict"], &document["differences"][0]["replayed"]),
        (&json!("differs"), &json!(true))
    );
    assert_eq!(verdict_of(old, new, &["--float-tolerance", "1e-9"]), "same");
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    assert_fails(&folder.run(&["diff", "old.c", "new.c", "--float-tolerance", "-1"]), &["not negative"]);
}

#[test]
fn external_functions_are_taken_to_do_the_same() {
    let old = "int sensor(int port);\nvoid log_value(int value);\nint f(int port) {\n    int v = sensor(port);\n    log_value(v);\n    return 2 * v;\n}\n";
    let new = old.replace("2 * v", "v + v");
    let document = compared(old, &new, &[]);
    assert_eq!(document["verdict"], "same", "{document:#}");
    let notes = document["entries"][0]["verdict_notes"].to_string();
    assert!(notes.contains("log_value, sensor have neither a body nor a model"), "{notes}");
    assert_eq!(verdict_of(old, &new, &["--externals", "error"]), "undecided");
    let wrong = old.replace("2 * v", "3 * v");
    let document = compared(old, &wrong, &[]);
    let difference = &document["differences"][0];
    assert_eq!(
        (&document["verdict"], &difference["replayed"]),
        (&json!("differs"), &json!(true)),
        "{difference:#}"
    );
    let silent = old.replace("    log_value(v);\n", "");
    let document = compared(old, &silent, &[]);
    let difference = &document["differences"][0];
    assert_eq!((&document["verdict"], &difference["observed"]), (&json!("differs"), &json!(["calls"])));
    assert_eq!(difference["replayed"], false, "a native run does not show calls");
    assert!(difference["replay_note"].is_string(), "{difference:#}");
    assert_eq!(verdict_of(old, &silent, &["--observe", "result,globals,memory,output"]), "same");
}

#[test]
fn external_functions_may_write_what_they_get_at() {
    let old = "int get(int *out);\nint f(int x) {\n    int v = 1;\n    if (get(&v))\n        return -1;\n    if (v == 1)\n        return x;\n    return 5;\n}\n";
    let document = compared(old, &old.replace("return 5", "return 6"), &[]);
    let difference = &document["differences"][0];
    assert_eq!(document["verdict"], "differs", "what get leaves in v is not 1: {document:#}");
    assert_eq!(difference["replayed"], true, "the stand-in writes it: {difference:#}");
    assert_eq!(verdict_of(old, &old.replace("v == 1", "1 == v"), &[]), "same");
    // What is only read stays, and so does what nobody outside knows of.
    let pure = old.replace("int get(int *out);", "__attribute__((pure)) int get(int *out);");
    assert_eq!(verdict_of(&pure, &pure.replace("return 5", "return 6"), &[]), "same");
    let hidden =
        "void tick(void);\nstatic int g;\nint f(int x) {\n    g = x;\n    tick();\n    return g;\n}\n";
    let moved = hidden.replace("    g = x;\n    tick();\n", "    tick();\n    g = x;\n");
    assert_eq!(verdict_of(hidden, &moved, &[]), "same");
    let (known, moved) = (hidden.replace("static ", ""), moved.replace("static ", ""));
    assert_eq!(verdict_of(&known, &moved, &[]), "differs", "tick sees g");
}

#[test]
fn what_external_functions_find_is_part_of_their_call() {
    let old = "struct message { int kind; char text[4]; };\nint send(struct message *);\nint f(int x) {\n    struct message m = {0};\n    m.kind = x;\n    m.text[0] = 'a';\n    return send(&m);\n}\n";
    let document = compared(old, &old.replace("'a'", "'b'"), &[]);
    let difference = &document["differences"][0];
    assert_eq!((&document["verdict"], &difference["observed"]), (&json!("differs"), &json!(["calls"])));
    let text = difference.to_string();
    assert!(text.contains("send(&m) with m.text[0] = 'a'") && text.contains("m.text[0] = 'b'"), "{text}");
    let other = "    char text = 'a';\n    struct message m = {x, {text}};\n";
    let new = old.replace("    struct message m = {0};\n    m.kind = x;\n    m.text[0] = 'a';\n", other);
    assert_eq!(verdict_of(old, &new, &[]), "same");
}

#[test]
fn functions_of_their_arguments_alone_may_be_called_in_any_order() {
    let old = "__attribute__((const)) int sq(int);\nint f(int x, int y) {\n    int a = sq(x);\n    int b = sq(y);\n    return a - b;\n}\n";
    let new =
        old.replace("    int a = sq(x);\n    int b = sq(y);\n", "    int b = sq(y);\n    int a = sq(x);\n");
    assert_eq!(verdict_of(old, &new, &[]), "same");
    let document = compared(old, &old.replace("sq(y)", "sq(y + 1)"), &[]);
    assert_eq!(
        (&document["verdict"], &document["differences"][0]["replayed"]),
        (&json!("differs"), &json!(true))
    );
    let equal = old.replace("    int a", "    if (x != y)\n        return 0;\n    int a");
    assert_eq!(verdict_of(&equal, &equal.replace("sq(y)", "sq(x)"), &[]), "same", "equal arguments");
    let event = |text: &str| text.replace("__attribute__((const)) ", "");
    assert_eq!(verdict_of(&event(old), &event(&new), &[]), "differs", "the calls are in another order");
}

#[test]
fn callbacks_are_unknown_functions() {
    let old = "struct hooks { int (*get)(int); };\nint f(struct hooks *h, int x) {\n    if (!h || !h->get)\n        return -1;\n    return h->get(x) + 1;\n}\n";
    let document = compared(old, &old.replace("+ 1", "+ 2"), &[]);
    let difference = &document["differences"][0];
    assert_eq!(
        (&document["verdict"], &difference["replayed"]),
        (&json!("differs"), &json!(true)),
        "{document:#}"
    );
    let notes = document["entries"][0]["verdict_notes"].to_string();
    assert!(notes.contains("h->get() has neither a body nor a model"), "{notes}");
    assert_eq!(verdict_of(old, &old.replace("h->get(x) + 1", "1 + (*h->get)(x)"), &[]), "same");
    let document = compared(old, &old.replace("get(x)", "get(x + 1)"), &[]);
    assert_eq!(document["differences"][0]["observed"], json!(["calls"]), "{document:#}");
    let filling = "int f(void (*fill)(char *, int), int n) {\n    char b[4];\n    if (!fill)\n        return 0;\n    fill(b, n);\n    return b[0] == 'x';\n}\n";
    let document = compared(filling, &filling.replace("'x'", "'y'"), &[]);
    let difference = &document["differences"][0];
    assert_eq!(
        (&document["verdict"], &difference["replayed"]),
        (&json!("differs"), &json!(true)),
        "{document:#}"
    );
}

#[test]
fn results_of_external_functions_may_be_pointers() {
    let old = "char *ext(int);\nchar *f(int x) {\n    if (x > 3)\n        return ext(x);\n    return 0;\n}\n";
    assert_eq!(verdict_of(old, &old.replace("x > 3", "x >= 4"), &[]), "same");
    assert_eq!(verdict_of(old, &old.replace("return 0", "return ext(x)"), &[]), "differs");
    let node = "struct node { int v; struct node *next; };\nstruct node *find(int);\nint f(int x) {\n    struct node *p = find(x);\n    if (!p)\n        return -1;\n    return p->v;\n}\n";
    let document = compared(node, &node.replace("p->v;", "p->v + (p->next != 0);"), &[]);
    let difference = &document["differences"][0];
    assert_eq!(
        (&document["verdict"], &difference["replayed"]),
        (&json!("differs"), &json!(true)),
        "{document:#}"
    );
}

#[test]
fn functions_that_do_not_return_end_the_path() {
    let old = "__attribute__((noreturn)) void die(int);\nint f(int x) {\n    if (x < 0)\n        die(1);\n    return x;\n}\n";
    assert_eq!(verdict_of(old, &old.replace("x < 0", "0 > x"), &[]), "same");
    let document = compared(old, &old.replace("x < 0", "x <= 0"), &[]);
    let difference = &document["differences"][0];
    assert_eq!(
        (&document["verdict"], &difference["replayed"]),
        (&json!("differs"), &json!(true)),
        "{document:#}"
    );
    assert_eq!(document["errors"]["preexisting"], json!([]));
}

#[test]
fn changed_functions_below_the_entry_have_verdicts_of_their_own() {
    let old = "static int clamp(int x) {\n    if (x > 10)\n        return 10;\n    return x;\n}\nint f(int x) {\n    if (x < 0 || x > 5)\n        return 0;\n    return clamp(x);\n}\n";
    let new = old.replace("x > 10", "x > 8");
    let document = compared(old, &new, &["--entry", "f"]);
    assert_eq!(document["verdict"], "same", "f never calls it with so much");
    let below = &document["changed_functions"][0];
    assert_eq!((&below["name"], &below["verdict"]), (&json!("clamp"), &json!("differs")));
    assert_eq!(below["differences"][0]["inputs"], json!({"x": 9}));
    let folder = Folder::with(&[("old.c", old), ("new.c", &new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--entry", "f", "--verdict-only"]);
    assert_eq!(said.status, 0);
    assert!(said.stdout.contains("by itself, clamp differs in 1 way"), "{}", said.stdout);
    let several =
        folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--format", "json"]).json().unwrap();
    // Nobody else can call it.
    assert_eq!((&several["verdict"], &several["entries"][0]["name"]), (&json!("same"), &json!("f")));
    assert_eq!(several["changed_functions"][0]["name"], "clamp");
    let visible = |text: &str| text.replace("static ", "");
    let several = compared(&visible(old), &visible(&new), &[]);
    assert_eq!((&several["verdict"], &several["entries"][0]["name"]), (&json!("differs"), &json!("clamp")));
}

#[test]
fn witnesses_fail_on_one_version_and_pass_on_the_other() {
    let old = "int g;\nint f(int x, int y) {\n    if (x > 3)\n        g = y;\n    return x / (y | 1);\n}\n";
    let new = old.replace("x > 3", "x >= 3").replace("(y | 1)", "y");
    let folder = Folder::with(&[("old.c", old), ("new.c", &new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only", "--witnesses", "w", "--c-tests"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let count = said.stdout.lines().filter(|line| line.starts_with("Given")).count();
    assert!(count >= 2, "{}", said.stdout);
    assert!(said.stderr.contains(&format!("{count} tests written to w")), "{}", said.stderr);
    assert!(folder.path("w/test000001.ktest").is_file() && folder.path("w/test000001.c").is_file());
    let outcomes = |arguments: &[&str]| -> Vec<Value> {
        let said = folder.run(&[arguments, &["--format", "json"]].concat());
        let document = said.json().unwrap();
        let tests = document["tests"].as_array().unwrap();
        tests.iter().map(|test| test["verdict"].clone()).collect()
    };
    assert_eq!(outcomes(&["replay", "w"]), vec![json!("disagrees"); count]);
    assert_eq!(outcomes(&["replay", "w", "--on", "old.c"]), vec![json!("confirmed"); count]);
    assert_eq!(outcomes(&["replay", "w", "--on", "new.c"]), vec![json!("disagrees"); count]);
}

#[test]
fn witnesses_of_a_renamed_function_run_on_both() {
    let text =
        "int one(int a, int b) {\n    return a - b;\n}\nint two(int x, int y) {\n    return x + y;\n}\n";
    let folder = Folder::with(&[("p.c", text)]);
    let said = folder.run(&["diff", "p.c", "--entry", "one", "--with", "two", "--witnesses", "w"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert_eq!(folder.run(&["replay", "w"]).status, 1);
    let on_old = folder.run(&["replay", "w", "--on", "p.c", "--entry", "one"]);
    assert_eq!(on_old.status, 0, "{}{}", on_old.stdout, on_old.stderr);
}

#[test]
fn where_there_is_no_verdict_it_is_not_asked_for() {
    let folder = Folder::with(&[("old.c", SCALED_OLD), ("new.c", WRONG_NEW)]);
    for arguments in [&["--no-verdict"][..], &["--strategy", "paper"], &["--cover", "branch"]] {
        let said = folder.run(&[&["diff", "old.c", "new.c", "--format", "json"], arguments].concat());
        assert_eq!(said.json().unwrap().get("verdict"), None, "{arguments:?}");
    }
    let lines = folder.run(&["diff", "new.c", "--changed", "2", "--format", "json"]);
    assert_eq!(lines.json().unwrap().get("verdict"), None);
    assert_fails(
        &folder.run(&["diff", "new.c", "--changed", "2", "--fail-on", "difference"]),
        &["one version"],
    );
    assert_fails(
        &folder.run(&["diff", "old.c", "new.c", "--cover", "branch", "--verdict-only"]),
        &["--cover"],
    );
    assert_fails(&folder.run(&["diff", "old.c", "new.c", "--c-tests"]), &["--tests or --witnesses"]);
}

#[test]
fn the_names_of_the_json_are_documented() {
    let documented = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    let check = |object: &Value| {
        for name in object.as_object().unwrap().keys() {
            let forms = [format!("`{name}`"), format!("\"{name}\"")];
            assert!(forms.iter().any(|form| documented.contains(form.as_str())), "{name} is not documented");
        }
    };
    let old = "int f(int x) {\n    if (x > 3)\n        return 8 / x;\n    return 0;\n}\n";
    let new = "int f(int x) {\n    if (x >= 0)\n        return 8 / x;\n    return 0;\n}\n";
    let document = compared(old, new, &[]);
    check(&document);
    check(&document["entries"][0]);
    check(&document["entries"][0]["compared"]);
    check(&document["errors"]["introduced"][0]);
    for difference in document["differences"].as_array().unwrap() {
        check(difference);
        check(&difference["old"]);
        check(&difference["new"]);
    }
    for name in ["inputs", "old", "new", "location", "group", "replayed"] {
        assert!(document["differences"][0].get(name).is_some(), "no {name}");
    }
}

#[test]
fn ctrl_c_keeps_the_differences() {
    let old = "int f(unsigned char *p, int k) {\n    int r = 0;\n    for (int i = 0; i < 200; i++)\n        if (p[i] > k)\n            r++;\n    return r;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("> k", ">= k"))]);
    let mut command = incise();
    command.current_dir(folder.root()).args(["diff", "old.c", "new.c", "--array", "p=200", "--no-null"]);
    command.args(["--format", "json", "--verdict-only", "--max-time", "10m", "--max-loop", "1000"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(4));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).expect("a whole report");
    let verdict = document["verdict"].as_str().unwrap();
    assert!(["differs", "undecided"].contains(&verdict), "{verdict}");
}

#[test]
fn inputs_that_only_one_version_assumes_away_are_told() {
    let text = |assumption: &str| {
        format!(
            "void klee_assume(unsigned long);\nint g;\nint f(int x) {{\n    {assumption}\n    if (x > 5)\n        g = 1;\n    else\n        g = 2;\n    return g;\n}}\n"
        )
    };
    let note = |which: &str| format!("inputs that only the {which} version assumes away are not compared");
    let early = "if (x <= 0)\n        return 7;\n    klee_assume(x > 0);";
    let cases = [
        ("klee_assume(x > 0);", "klee_assume(x > -10);", Some("old")),
        ("klee_assume(x > 0);", "klee_assume(x > 9);", Some("new")),
        // Both assume the same, but only one comes to it with every input.
        (early, "klee_assume(x > 0);", Some("new")),
        ("klee_assume(x > 0);", "klee_assume(0 < x);", None),
        ("klee_assume(x > 0);", "klee_assume(x * 2L > 1);", None),
        ("klee_assume(x > 0);", "klee_assume(x != 0); klee_assume(x >= 0);", None),
    ];
    for (old, new, which) in cases {
        let document = compared(&text(old), &text(new), &["--entry", "f"]);
        let entry = &document["entries"][0];
        let notes: Vec<String> = which.map(note).into_iter().collect();
        assert_eq!(entry["verdict"], "same", "{old} {new}: {entry}");
        assert_eq!(
            (&entry["verdict_notes"], &entry["partial"]),
            (&json!(notes), &json!(which.is_some())),
            "{old} {new}"
        );
    }
}

#[test]
fn a_branch_that_is_not_explored_does_not_hide_what_is_assumed_away() {
    let text = |assumption: &str| {
        format!(
            "void klee_assume(unsigned long);\nint h, g;\nint f(int x, int y) {{\n    if (x > 50)\n        h = 1;\n    else\n        h = 2;\n    klee_assume({assumption});\n    g = y + 1;\n    return y;\n}}\n"
        )
    };
    // The branch has nothing to do with the change, and is followed to the side where both assumptions hold.
    let cases =
        [("x < 70", "x < 60", Some("new")), ("x < 60", "x < 70", Some("old")), ("x < 60", "x <= 59", None)];
    for (old, new, which) in cases {
        let document = compared(&text(old), &text(new), &["--entry", "f"]);
        let entry = &document["entries"][0];
        let note = |which| format!("inputs that only the {which} version assumes away are not compared");
        let notes: Vec<String> = which.map(note).into_iter().collect();
        assert_eq!(
            (&entry["verdict"], &entry["verdict_notes"]),
            (&json!("same"), &json!(notes)),
            "{old}; {new}"
        );
    }
}

#[test]
fn an_assumption_before_a_loop_does_not_hide_what_the_other_version_does() {
    let text = |assumption: &str, step: &str| {
        format!(
            "void klee_assume(unsigned long);\nint f(unsigned n) {{\n    {assumption}\n    int sum = 0;\n    for (unsigned i = 0; i < n; ++i)\n        sum {step};\n    return sum;\n}}\n"
        )
    };
    let alike = compared(
        &text("klee_assume(n > 3);", "+= 2"),
        &text("klee_assume(n > 3);", "-= -2"),
        &["--entry", "f"],
    );
    assert_eq!(
        (&alike["entries"][0]["verdict"], &alike["entries"][0]["partial"]),
        (&json!("same"), &json!(false))
    );
    let apart = compared(
        &text("klee_assume(n > 3);", "+= 2"),
        &text("klee_assume(n > 4);", "-= -2"),
        &["--entry", "f"],
    );
    assert_ne!(apart["entries"][0]["verdict"], "same", "it holds for no input that one version leaves out");
}

#[test]
fn another_initialiser_is_a_change() {
    let text = |limit: u32| format!("int limit = {limit};\nint over(int x) {{\n    return x > limit;\n}}\n");
    let document = compared(&text(5), &text(6), &[]);
    assert_eq!(
        (&document["verdict"], &document["differences"][0]["inputs"]),
        (&json!("differs"), &json!({"x": 6}))
    );
    let notes = document["entries"][0]["verdict_notes"].to_string();
    assert!(notes.contains("limit has the initial value"), "{notes}");
    assert_eq!(verdict_of(&text(5), &text(6), &["--symbolic-globals", "all"]), "same");
    let written = |limit: u32| text(limit) + "void set(int x) {\n    limit = x;\n}\n";
    assert_eq!(
        verdict_of(&written(5), &written(6), &[]),
        "differs",
        "whoever calls it first finds another limit"
    );
    let hidden = |limit: u32| format!("static {}", text(limit));
    let document = compared(&hidden(5), &hidden(6), &[]);
    assert_eq!(
        (&document["verdict"], &document["entries"][0]["verdict_notes"]),
        (&json!("differs"), &json!([]))
    );
}

#[test]
fn sizes_of_allocations_and_copies_are_bounds_with_a_number() {
    let allocating = |unit: &str| {
        format!(
            "#include <stdlib.h>\nint f(long n) {{\n    char *p = malloc(n);\n    if (!p) return 1;\n    free(p);\n    \
             return n {unit};\n}}\n"
        )
    };
    let copying = |unit: &str| {
        format!(
            "#include <string.h>\nchar to[9000], from[9000];\nint f(unsigned n) {{\n    if (n > 9000) return 0;\n    \
             memcpy(to, from, n);\n    return n {unit};\n}}\n"
        )
    };
    let bounds = |text: &dyn Fn(&str) -> String| {
        let document = compared(&text("% 2 == 0"), &text("& 1 ? 0 : 1"), &[]);
        assert_eq!(document["verdict"], "same-within-bounds");
        document["bounds"].clone()
    };
    assert_eq!(bounds(&allocating), json!([{"limit": "max-object", "value": 65536}]));
    assert_eq!(bounds(&copying), json!([{"limit": "max-copy", "value": 4096}]));
}

#[test]
fn a_table_that_nobody_writes_is_what_it_is() {
    let text = |element: &str| {
        let names = "static const char *names[] = {\"Sun\", \"Mon\"};";
        format!("{names}\nint first(int i) {{\n    return i == 1 ? {element} : 0;\n}}\n")
    };
    let document = compared(&text("names[1][0]"), &text("'M'"), &[]);
    assert_eq!((&document["verdict"], &document["errors"]["fixed"]), (&json!("same"), &json!([])));
    assert_eq!(verdict_of(&text("names[1][0]"), &text("'S'"), &[]), "differs");
}

#[test]
fn an_allocation_can_fail() {
    let text = |check: &str| {
        format!(
            "#include <stdlib.h>\n#include <string.h>\nint f(int n) {{\n    char *a = malloc(4), *b = strdup(\"x\");\n    {check}\n    \
             a[0] = b[0] = 1;\n    free(a);\n    free(b);\n    return n;\n}}\n"
        )
    };
    let (old, new) = (text("if (!a) return -1;"), text("if (!a || !b) { free(a); free(b); return -1; }"));
    // Nobody needs to ask for it.
    for arguments in [&[][..], &["--malloc-fails"]] {
        let document = compared(&old, &new, arguments);
        assert_eq!(document["verdict"], "differs");
        assert_eq!(kinds(&document["errors"]["fixed"]), ["null-pointer"]);
        let difference = &document["differences"][0];
        let shown = (&difference["inputs"]["failing_malloc"], &difference["replayed"]);
        assert_eq!(shown, (&json!(2), &json!(true)));
    }
}

#[test]
fn what_an_input_leads_to_can_be_freed() {
    let text = |free: &str| {
        format!("#include <stdlib.h>\nint drop(int *p, int n) {{\n    {free}\n    return n;\n}}\n")
    };
    let (twice, once) = (text("if (n > 3) free(p); free(p);"), text("free(p);"));
    let document = compared(&once, &twice, &[]);
    assert_eq!(kinds(&document["errors"]["introduced"]), ["double-free"]);
    assert_eq!(document["differences"][0]["replayed"], true);
    let document = compared(
        &text("if (p && *p == 7) return 1; free(p);"),
        &text("int x = p ? *p : 0; free(p); if (x == 7) return 1;"),
        &[],
    );
    assert_eq!(document["differences"][0]["old"]["values"]["freed(p)"], false, "{document:#}");
    assert_eq!(document["differences"][0]["new"]["values"]["freed(p)"], true);
    let later =
        compared(&text("int x = p ? *p : 0; free(p); n += x;"), &text("free(p); if (p) n += *p;"), &[]);
    assert_eq!(kinds(&later["errors"]["introduced"]), ["use-after-free"]);
}

#[test]
fn copying_what_was_never_initialised_decides_nothing() {
    let text = |used: &str| {
        format!(
            "struct s {{ int a, b; }};\nvoid fill(struct s *to, int x) {{\n    struct s s;\n    s.a = x + 1;\n    int kept = s.b;\n    \
             to->a = s.a;\n    to->b = kept;\n    {used}\n}}\nint f(int x) {{\n    struct s t;\n    fill(&t, x);\n    return t.a;\n}}\n"
        )
    };
    let changed = text("").replace("x + 1", "1 + x");
    assert_eq!(verdict_of(&text(""), &changed, &["--entry", "f"]), "same");
    let deciding = text("if (kept > 3) to->a++;");
    let document = compared(&deciding, &deciding.replace("x + 1", "1 + x"), &["--entry", "f"]);
    assert_eq!(document["verdict"], "undecided");
    let returning = |sum: &str| format!("int f(int x) {{\n    int y;\n    return y + {sum};\n}}\n");
    assert_eq!(verdict_of(&returning("x * 2"), &returning("(x << 1)"), &[]), "undecided");
}

#[test]
fn both_fail_alike_wherever_the_bad_access_is() {
    let text = |head: &str| {
        format!(
            "int sum(const int *p, unsigned n) {{\n    int s = 0;\n    {head}\n        s += p[i];\n    return s;\n}}\n"
        )
    };
    let up = text("for (unsigned i = 0; i < n; i++)");
    let down = text("for (unsigned i = n; i-- > 0;)");
    let document = compared(&up, &down, &["--max-loop", "6"]);
    assert_ne!(document["verdict"], "differs", "{document:#}");
    assert_ne!(document["verdict"], "undecided", "{document:#}");
}

#[test]
fn differences_of_special_numbers_come_after_the_others() {
    let special = |old: &str, new: &str| {
        let document = compared(old, new, &[]);
        assert_eq!(document["verdict"], "differs", "{document:#}");
        let differences = document["differences"].as_array().unwrap().iter();
        differences
            .map(|each| each["special"].as_str().unwrap_or("-").to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let int = |body: &str| format!("int f(int x, int y) {{\n    {body}\n}}\n");
    assert_eq!(special(&int("return 5 * x < 25;"), &int("return x < 5;")), "overflow");
    assert_eq!(special(&int("return x + 1 > x;"), &int("return 1;")), "overflow");
    assert_eq!(special(&int("return 5 * x < 25;"), &int("return x < 6;")), "-", "there is a plain one");
    assert_eq!(special(&int("return x < 5;"), &int("return 5 * x < 25;")), "-", "the new version overflows");
    let double = |body: &str| format!("double f(double x, double y) {{\n    {body}\n}}\n");
    assert_eq!(special(&double("return x;"), &double("return x + 0.0;")), "sign-of-zero");
    assert_eq!(special(&double("return x < y ? x : y;"), &double("return x >= y ? y : x;")), "not-a-number");
    assert_eq!(special(&double("return x;"), &double("return x * 2;")), "-");
    let two = "if (y == 3) return x + 1;";
    let ways = special(&int(&format!("{two} return x + 1 > x;")), &int("if (y == 3) return x; return 1;"));
    assert_eq!(ways.split(' ').next(), Some("-"), "{ways}");
}

#[test]
fn an_index_that_wrapped_around_into_its_struct_was_a_plain_difference() {
    let text = |members: &str, limit: &str, step: u32| {
        format!(
            "struct item {{ {members} unsigned next; }};
struct queue {{ struct item pool[8]; unsigned long used; unsigned long sum; }};
int push(struct queue *q, unsigned char priority) {{
    if ({limit})
        return -1;
    struct item *item = &q->pool[q->used++];
    item->priority = priority;
    item->flags = 0;
    q->sum += {step};
    return 0;
}}
"
        )
    };
    let special = |old: &str, new: &str| {
        let document = compared(old, new, &[]);
        assert_eq!(document["verdict"], "differs", "{document:#}");
        document["differences"][0]["special"].clone()
    };
    let (one, other) =
        ("unsigned char flags; unsigned char priority;", "unsigned char priority; unsigned char flags;");
    let old = text(one, "q->used == 8", 1);
    assert_eq!(special(&old, &text(other, "q->used == 8", 1)), "index");
    assert_eq!(special(&old, &text(other, "q->used == 8", 2)), Value::Null, "there is a plain one");
    // What the new version alone does is no excuse.
    assert_eq!(special(&text(one, "q->used >= 8", 1), &text(one, "q->used == 8", 1)), Value::Null);
}

#[test]
fn overflow_is_ordinary_where_it_wraps() {
    let text = |body: &str| format!("int f(int x) {{\n    {body}\n}}\n");
    let document = compared(&text("return x + 1 > x;"), &text("return 1;"), &["--cflags=-fwrapv"]);
    assert_eq!(
        (&document["verdict"], &document["differences"][0]["special"]),
        (&json!("differs"), &Value::Null)
    );
}

#[test]
fn a_freed_object_is_not_shown_by_its_address() {
    let old = "#include <stdlib.h>
void f(char **a) { char *p = malloc(1); free(p); *a = p; }
";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("*a = p", "*a = 0"))]);
    let said = folder.run(&["diff", "old.c", "new.c", "--verdict-only"]);
    assert!(said.stdout.contains("a freed object") && !said.stdout.contains("0x"), "{}", said.stdout);
}
