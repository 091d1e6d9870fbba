//! What suites take inputs to be: natural inputs, sizes that grow, and facts that stay from version to version.

use crate::common::{Folder, Said};
use incise_report::TestCase;
use incise_report::suite::SuiteManifest;
use serde_json::Value;

const CHECK: &str = "#include <stddef.h>
#include <string.h>
int check(const char *name, char *to, size_t room) {
    size_t n = strlen(name);
    if (n == 0)
        return 0;
    if (n >= 4)
        return -1;
    if (n + 1 > room)
        return -2;
    memcpy(to, name, n + 1);
    return 1;
}
";

const TAKEN: &str =
    "taken: name is not null; name is a string; to is not null; to has room for `room` elements\n";

fn manifest(folder: &Folder, suite: &str) -> SuiteManifest {
    let text = std::fs::read_to_string(folder.path(suite).join("suite.json")).unwrap();
    SuiteManifest::from_json(text).unwrap()
}

fn generate(folder: &Folder, entry: &str, more: &[&str]) -> Said {
    let said = folder.run(&[&["suite", "generate", "old.c", "--entry", entry, "-o", "s"], more].concat());
    assert!(said.status == 0 || said.status == 3, "{}{}", said.stdout, said.stderr);
    said
}

fn update(folder: &Folder, more: &[&str]) -> Said {
    let said =
        folder.run(&[&["suite", "update", "old.c", "new.c", "--suite", "s", "--accept"], more].concat());
    assert_ne!(said.status, 2, "{}{}", said.stdout, said.stderr);
    said
}

fn passes(folder: &Folder, file: &str) {
    let said = folder.run(&["suite", "check", file, "--suite", "s"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
}

#[test]
fn a_suite_takes_inputs_as_they_are_meant() {
    let folder = Folder::with(&[("old.c", CHECK)]);
    let said = generate(&folder, "check", &["--emit", "c"]);
    assert!(said.stdout.contains(TAKEN), "{}", said.stdout);
    let suite = manifest(&folder, "s");
    assert!(suite.tests.iter().all(|test| test.outcome != "error"), "{:?}", suite.tests);
    for test in &suite.tests {
        let text = std::fs::read_to_string(folder.path(&format!("s/tests/{}.json", test.name))).unwrap();
        let case = TestCase::from_json(&text).unwrap();
        let bytes = |name: &str| &case.inputs.iter().find(|input| input.name == name).unwrap().bytes;
        assert!(bytes("*name").contains(&0), "{text}");
        assert!(bytes("name").iter().any(|&byte| byte != 0), "{text}");
        let room = u64::from_le_bytes(bytes("room")[..].try_into().unwrap());
        assert!(room <= bytes("*to").len() as u64, "{text}");
    }
    // The facts are contracts, each with its evidence.
    let facts: Vec<(&str, &str)> =
        suite.options.taken.iter().map(|fact| (&*fact.contract, &*fact.because)).collect();
    assert!(facts.contains(&("text name", "it is passed to strlen")), "{facts:?}");
    assert!(facts.contains(&("length to=room", "it is passed to memcpy with `room`")), "{facts:?}");
    let source = std::fs::read_to_string(folder.path("s/c/test_check.c")).unwrap();
    assert!(source.contains(" *   name is a string: it is passed to strlen\n"), "{source}");
    passes(&folder, "old.c");
}

#[test]
fn a_suite_is_not_complete_over_inputs_that_are_left_out_or_cut() {
    let old = "int first(const int *p) {\n    if (*p > 3)\n        return 1;\n    return 0;\n}\n";
    let folder = Folder::with(&[("old.c", old)]);
    let said = generate(&folder, "first", &[]);
    assert!(said.stdout.contains("a test for every path on inputs as taken\n"), "{}", said.stdout);
    let json = folder.run(&["suite", "generate", "old.c", "--entry", "first", "-o", "s", "--format", "json"]);
    assert_eq!(json.json().unwrap()["as_taken"], true);
    let any = generate(&folder, "first", &["--inputs", "any"]);
    assert!(
        any.stdout.contains("a test for every path\n") && !any.stdout.contains("taken"),
        "{}",
        any.stdout
    );
    assert!(manifest(&folder, "s").options.any_inputs);
    let said = generate(&Folder::with(&[("old.c", CHECK)]), "check", &[]);
    assert!(said.stdout.contains("not complete: input-size\n"), "{}", said.stdout);
}

#[test]
fn inputs_of_a_suite_grow_where_they_were_cut() {
    let old = "int seventh(const unsigned char *data, unsigned length) {\n    if (length < 7)\n        return -1;\n    \
               return data[6];\n}\n";
    let folder = Folder::with(&[("old.c", old)]);
    let said = generate(&folder, "seventh", &[]);
    assert_eq!(said.status, 0, "{}", said.stdout);
    assert_eq!(manifest(&folder, "s").options.sizes.elements["data"], 8);
    passes(&folder, "old.c");
}

#[test]
fn an_update_takes_what_the_suite_took() {
    // NEW no longer tells that it is a string, and the suite knows all the same.
    let new = CHECK
        .replace("size_t n = strlen(name);", "size_t n = 0;\n    while (n < 4 && name[n] != 0) n++;")
        .replace("return -2", "return -3");
    let folder = Folder::with(&[("old.c", CHECK), ("new.c", &new)]);
    generate(&folder, "check", &[]);
    let facts = manifest(&folder, "s").options.taken;
    let said = update(&folder, &["--format", "json"]);
    let document = said.json().unwrap();
    assert_eq!(document["as_taken"], true);
    assert_eq!(document["summary"]["obsolete"], 0, "{}", said.stdout);
    assert_eq!(manifest(&folder, "s").options.taken, facts);
    passes(&folder, "new.c");
    assert!(folder.run(&["suite", "update", "new.c", "new.c", "--suite", "s"]).stdout.contains(TAKEN));
}

#[test]
fn tests_show_what_was_impossible_on_inputs_as_taken() {
    let new = CHECK.replace("return 1;", "return 7;");
    let folder = Folder::with(&[("old.c", CHECK), ("new.c", &new)]);
    generate(&folder, "check", &[]);
    let document = update(&folder, &["--format", "json"]).json().unwrap();
    assert_eq!(document["asked_again"], Value::Null, "{document}");
    let summary = &document["summary"];
    assert_eq!((&summary["obsolete"], &summary["added"]), (&0.into(), &0.into()), "{document}");
    passes(&folder, "new.c");
    assert_same_as_anew(&folder, "check");
}

/// After an update there is a test for each path, as if the suite had been made anew.
fn assert_same_as_anew(folder: &Folder, entry: &str) {
    let anew = folder.run(&["suite", "generate", "new.c", "--entry", entry, "-o", "anew"]);
    assert_ne!(anew.status, 2, "{}{}", anew.stdout, anew.stderr);
    let paths = |suite: &str| -> Vec<String> {
        manifest(folder, suite).tests.iter().map(|test| test.path.to_string()).collect()
    };
    assert_eq!(paths("s"), paths("anew"));
}

#[test]
fn a_renamed_parameter_is_read_anew_and_that_is_said() {
    let new = CHECK.replace("name", "text").replace("return 1;", "return 7;");
    let folder = Folder::with(&[("old.c", CHECK), ("new.c", &new)]);
    generate(&folder, "check", &[]);
    let said = update(&folder, &[]);
    let why =
        "inputs are read anew from NEW: the suite takes it that name is not null, which NEW does not have";
    assert!(said.stdout.contains(why), "{}", said.stdout);
    assert!(said.stdout.contains("text is a string"), "{}", said.stdout);
    assert!(manifest(&folder, "s").options.taken.iter().all(|fact| !fact.contract.contains("name")));
    passes(&folder, "new.c");
    assert_same_as_anew(&folder, "check");
}

#[test]
fn a_check_for_null_that_is_new_gets_a_test() {
    let old = "int first(const int *p) {\n    if (*p > 3)\n        return 1;\n    return 0;\n}\n";
    let new = old.replace("    if (*p > 3)", "    if (!p)\n        return -1;\n    if (*p > 3)");
    let folder = Folder::with(&[("old.c", old), ("new.c", &new)]);
    generate(&folder, "first", &[]);
    let said = update(&folder, &[]);
    assert!(said.stdout.contains("NEW compares p with null"), "{}", said.stdout);
    assert!(said.stdout.contains("2 kept, 0 changed, 0 redundant, 0 obsolete, 1 added"), "{}", said.stdout);
    passes(&folder, "new.c");
    // What the user says stays.
    generate(&folder, "first", &["--nonnull", "p"]);
    let said = update(&folder, &[]);
    assert!(said.stdout.contains("2 kept, 0 changed, 0 redundant, 0 obsolete, 0 added"), "{}", said.stdout);
    assert!(said.stdout.contains("a test for every path on inputs as taken"), "{}", said.stdout);
}

#[test]
fn inputs_that_are_too_small_for_the_new_version_grow() {
    let old = "int third(const int *p, int n) {\n    if (n > 3)\n        return p[0];\n    return 0;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("p[0]", "p[5]"))]);
    let made = generate(&folder, "third", &[]);
    assert_eq!(made.status, 0, "{}", made.stdout);
    let said = update(&folder, &[]);
    assert!(said.stdout.contains("complete: there is a test for every path"), "{}", said.stdout);
    assert!(said.stdout.contains("were made larger"), "{}", said.stdout);
    passes(&folder, "new.c");
    assert_same_as_anew(&folder, "third");
}

#[test]
fn pointers_of_tests_lead_where_they_led() {
    let sum = "int sum(const int *begin, const int *end) {\n    int all = 0;\n    for (const int *at = begin; at < end; at++) {\n        \
               if (at - begin > 2)\n            return -1;\n        all += *at > 0;\n    }\n    return all;\n}\n";
    let same = "int move(int *to, const int *from) {\n    if (to == from)\n        return 0;\n    *to = *from;\n    return *to > 3 ? 1 : 2;\n}\n";
    for (old, entry, change) in
        [(sum, "sum", ("return -1", "return -2")), (same, "move", ("? 1 : 2", "? 5 : 2"))]
    {
        let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace(change.0, change.1))]);
        generate(&folder, entry, &[]);
        passes(&folder, "old.c");
        let said = update(&folder, &[]);
        assert!(said.stdout.contains("0 redundant, 0 obsolete, 0 added"), "{entry}: {}", said.stdout);
        passes(&folder, "new.c");
        assert_same_as_anew(&folder, entry);
    }
}

#[test]
fn a_suite_from_before_takes_nothing() {
    let old = "int first(const int *p) {\n    if (*p > 3)\n        return 1;\n    return 0;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", &old.replace("return 1", "return 2"))]);
    generate(&folder, "first", &[]);
    let mut before = manifest(&folder, "s");
    before.options.taken.clear();
    before.complete = false;
    let text = before.to_json().unwrap();
    assert!(!text.contains("taken"), "{text}");
    std::fs::write(folder.path("s/suite.json"), text).unwrap();
    let said = update(&folder, &[]);
    assert!(!said.stdout.contains("taken"), "{}", said.stdout);
    // What means nothing is refused.
    let mut strange = manifest(&folder, "s");
    strange.options.taken.push(incise_report::suite::SuiteFact {
        contract: "prime p".to_owned(),
        source: "use".to_owned(),
        ..Default::default()
    });
    std::fs::write(folder.path("s/suite.json"), strange.to_json().unwrap()).unwrap();
    let said = folder.run(&["suite", "update", "new.c", "old.c", "--suite", "s"]);
    assert_eq!(said.status, 2, "{}", said.stdout);
    assert!(said.stderr.contains("\"prime p\""), "{}", said.stderr);
}

#[test]
fn tests_say_what_was_taken() {
    let folder = Folder::with(&[("old.c", CHECK)]);
    let said = folder.run(&["run", "old.c", "--entry", "check", "--tests", "t", "--c-tests"]);
    assert_ne!(said.status, 2, "{}{}", said.stdout, said.stderr);
    let test = std::fs::read_to_string(folder.path("t/test000002.json")).unwrap();
    let case: Value = serde_json::from_str(&test).unwrap();
    assert_eq!(case["taken"][1], "name is a string: it is passed to strlen", "{test}");
    let source = std::fs::read_to_string(folder.path("t/test000002.c")).unwrap();
    assert!(source.contains(" *   name is a string: it is passed to strlen\n"), "{source}");
}

/// What a suite was made for is known; a new version that looks further is not, however large inputs became.
#[test]
fn an_update_over_sizes_that_were_assumed_is_not_complete() {
    let frame = "int f(const unsigned char *p, unsigned n) {\n    if (n < 4)\n        return 0;\n    \
        return p[0] == 0x55 && p[3] == 7;\n}\n";
    let further = frame.replace("p[3] == 7", "p[3] == 7 && (n < 40 || p[39] == 1)");
    let list = "struct n { int v; struct n *next; };\nint f(const struct n *l) {\n    int k = 0;\n    \
        if (!l || !l->next)\n        return -1;\n    LOOP\n    return l->next->v + k > 3;\n}\n";
    let deeper = "for (const struct n *p = l; p; p = p->next)\n        if (k++ == 40)\n            return 9;";
    let text = "#include <string.h>\nint f(const char *s) {\n    return s[0] == '#';\n}\n";
    let longer = text.replace("'#'", "'#' && strlen(s) > 20");
    let pairs = [
        (frame.to_owned(), further),
        (list.replace("LOOP", ""), list.replace("LOOP", deeper)),
        (text.to_owned(), longer),
    ];
    for (old, new) in pairs {
        let folder = Folder::with(&[("old.c", &old), ("new.c", &new)]);
        let said = generate(&folder, "f", &[]);
        assert!(said.stdout.contains("\ncomplete: there is a test for every path"), "{}", said.stdout);
        let said = update(&folder, &[]);
        assert_eq!(said.status, 3, "{}", said.stdout);
        assert!(said.stdout.contains("\nnot complete: "), "{}", said.stdout);
        assert!(!said.stdout.contains("a test for every path"), "{}", said.stdout);
    }
}
