//! `incise impact`: what it says of changes, where, and with which exit status.

mod common;

use common::{Folder, Said, assert_fails, check_blessed, incise, root};
use serde_json::{Value, json};
use std::process::Command;

fn example(arguments: &[&str]) -> Said {
    Said::by(incise().current_dir(root().join("examples/diff")).arg("impact").args(arguments))
}

/// The impact on the only function of a pair of the examples.
fn function_of(name: &str, rules: &str) -> Value {
    let (old, new) = (format!("{name}-old.c"), format!("{name}-new.c"));
    let said = example(&[&old, &new, "--rules", rules, "--format", "json"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let document = said.json().unwrap();
    assert_eq!((&document["schema"], &document["rules"]), (&json!("incise-impact/1"), &json!(rules)));
    assert_eq!(document["functions"].as_array().unwrap().len(), 1, "{document:#}");
    document["functions"][0].clone()
}

#[test]
fn the_papers_example_has_the_papers_sets() {
    for rules in ["paper", "complete"] {
        let function = function_of("brake", rules);
        assert_eq!(function["changed"], json!([2]));
        assert_eq!(function["affected_conditions"], json!([2, 4, 15, 17]), "ACN by {rules}");
        assert_eq!(function["affected_writes"], json!([3, 5, 6, 8, 16, 18, 19]), "AWN by {rules}");
        assert_eq!(function["removed"], json!([]));
    }
}

#[test]
fn the_derivation_is_that_of_figure_5b() {
    let function = function_of("brake", "paper");
    let steps: Vec<Value> = function["derivation"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| json!([step["cause"], step["line"], step["rule"]]))
        .collect();
    // The statements n0 to n14 of the figure are the lines 2 3 4 5 6 8 10 11 12 13 15 16 17 18 19.
    let figure = json!([
        [null, 2, null],
        [2, 4, 1],
        [2, 3, 2],
        [4, 5, 2],
        [4, 6, 2],
        [3, 15, 3],
        [15, 16, 2],
        [3, 17, 3],
        [17, 18, 2],
        [17, 19, 2],
        [15, 8, 4]
    ]);
    assert_eq!(json!(steps), figure);
    let text = example(&["brake-old.c", "brake-new.c", "--rules", "paper", "--why"]).stdout;
    let last = "{2, 4, 15, 17}  {3, 5, 6, 8, 16, 18, 19}     8    15  (4)";
    assert!(text.contains(last), "{text}");
}

#[test]
fn the_small_examples_are_affected_where_the_papers_say() {
    let cases = [
        ("condtest", json!([2]), json!([3, 5])),
        ("datatest", json!([4]), json!([2, 5, 7, 8])),
        ("prunetest", json!([6]), json!([7, 9])),
    ];
    for (name, conditions, writes) in cases {
        let function = function_of(name, "complete");
        assert_eq!(function["affected_conditions"], conditions, "{name}");
        assert_eq!(function["affected_writes"], writes, "{name}");
    }
}

#[test]
fn the_text_of_the_example_is_as_blessed() {
    let arguments = ["brake-old.c", "brake-new.c", "--why"];
    let said = example(&arguments);
    let text = format!(
        "$ incise impact {}\n{}{}status {}\n",
        arguments.join(" "),
        said.stdout,
        said.stderr,
        said.status
    );
    check_blessed(&root().join("crates/incise/tests/blessed/impact-brake.txt"), &text).unwrap();
}

#[test]
fn what_does_the_same_is_no_change() {
    let old = "int f(int x) {\n    int y = x + 1;\n    return y;\n}\n";
    let new =
        "/* better */\n\nint f(int value)\n{\n    int sum = (value + 1);  // the sum\n\n    return sum;\n}\n";
    let folder = Folder::with(&[("old.c", old), ("new.c", new)]);
    for pair in [["old.c", "new.c"], ["old.c", "old.c"]] {
        let said = folder.run(&["impact", pair[0], pair[1]]);
        assert_eq!(
            (said.status, said.stdout.as_str()),
            (0, "no function changed: 1 function compared\n"),
            "{}",
            said.stderr
        );
        let document = folder.run(&["impact", pair[0], pair[1], "--format", "json"]).json().unwrap();
        assert_eq!((&document["functions"], &document["summary"]["changed_nodes"]), (&json!([]), &json!(0)));
    }
}

const OLD: &str = "int limit = 3;
int helper(int x) { return x + 1; }
int f(int x) {
    int y = 0;
    if (x > 1)
        y = 5;
    y = y + 1;
    return y;
}
int g(int x) {
    return helper(x);
}
int gone(int x) { return x; }
";
const NEW: &str = "int limit = 3;
int helper(int x) { return x + 2; }
int f(int x) {
    int y = 0;
    if (x > 1)
        y = 5;
    return y;
}
int g(int x) {
    return helper(x);
}
int fresh(int x) { return x; }
";

#[test]
fn removed_lines_calls_and_lone_functions_are_shown() {
    let folder = Folder::with(&[("old.c", OLD), ("new.c", NEW)]);
    let said = folder.run(&["impact", "old.c", "new.c", "--why"]);
    assert_eq!(said.status, 1);
    for part in [
        "- y = y + 1;",
        "removed write",
        "g (new.c): its own code did not change, but what it calls did",
        "calls helper",
        "fresh: function added",
        "gone: function removed",
        "1 function added; 1 function removed",
    ] {
        assert!(said.stdout.contains(part), "no {part:?} in\n{}", said.stdout);
    }
    let document = folder.run(&["impact", "old.c", "new.c", "--format", "json"]).json().unwrap();
    let named = |name: &str| {
        let functions = document["functions"].as_array().unwrap();
        functions.iter().find(|each| each["name"] == name).unwrap_or_else(|| panic!("no {name}")).clone()
    };
    assert_eq!((&named("f")["removed"], &named("f")["changed"]), (&json!([7]), &json!([])));
    let through: Vec<Value> = named("f")["derivation"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|step| step["reason"] == "through-removed")
        .map(|step| json!([step["line"], step["cause"], step["cause_version"]]))
        .collect();
    assert!(through.contains(&json!([6, 7, "old"])), "{through:?}");
    assert_eq!((&named("g")["change"], &named("g")["changed"]), (&json!("calls-changed"), &json!([])));
    assert_eq!(named("g")["derivation"][0]["functions"], json!(["helper"]));
    assert_eq!(document["added_functions"], json!(["fresh"]));
    assert_eq!(document["removed_functions"], json!(["gone"]));
}

#[test]
fn only_the_functions_asked_for_are_shown() {
    let folder = Folder::with(&[("old.c", OLD), ("new.c", NEW)]);
    let said = folder.run(&["impact", "old.c", "new.c", "--function", "helper"]);
    assert_eq!(said.status, 1);
    assert!(said.stdout.contains("helper (new.c)") && !said.stdout.contains("gone"), "{}", said.stdout);
    assert_eq!(folder.run(&["impact", "old.c", "new.c", "--function", "gone"]).status, 1);
    assert_fails(
        &folder.run(&["impact", "old.c", "new.c", "--function", "helpr"]),
        &["did you mean helper?"],
    );
}

#[test]
fn a_changed_signature_is_said() {
    let folder = Folder::with(&[
        ("old.c", "int f(int x, char *s) { return x; }\n"),
        ("new.c", "int f(long x, char *s, int n) { return x; }\n"),
    ]);
    let said = folder.run(&["impact", "old.c", "new.c"]);
    assert_eq!(said.status, 1);
    for part in ["signature changed", "was int f(int x, char *s)", "now int f(long x, char *s, int n)"] {
        assert!(said.stdout.contains(part), "no {part:?} in\n{}", said.stdout);
    }
    let document = folder.run(&["impact", "old.c", "new.c", "--format", "json"]).json().unwrap();
    assert_eq!(document["functions"][0]["signature"]["old"], "int f(int x, char *s)");
}

#[test]
fn code_without_debug_information_is_named_by_block_and_instruction() {
    let text = |limit: u32| {
        format!(
            "define i32 @f(i32 %x) {{\n  %c = icmp sgt i32 %x, {limit}\n  br i1 %c, label %a, label %b\na:\n  ret i32 1\nb:\n  ret i32 0\n}}\n"
        )
    };
    let folder = Folder::with(&[("old.ll", &text(7)), ("new.ll", &text(8))]);
    let document = folder.run(&["impact", "old.ll", "new.ll", "--format", "json"]).json().unwrap();
    let function = &document["functions"][0];
    assert_eq!(function["changed"], json!(["0:0"]));
    assert_eq!(function["affected_writes"], json!(["1:0", "2:0"]));
    assert_eq!(function["file"], Value::Null);
}

#[test]
fn folders_are_versions_too() {
    let folder = Folder::with(&[]);
    for (version, limit) in [("v1", 3), ("v2", 4)] {
        std::fs::create_dir(folder.path(version)).unwrap();
        let put = |name: &str, text: String| std::fs::write(folder.path(version).join(name), text).unwrap();
        put("a.c", "#include \"limit.h\"\nint f(int x) {\n    return x > LIMIT;\n}\n".to_owned());
        put("b.c", "int f(int);\nint g(int x) {\n    return f(x);\n}\n".to_owned());
        // Only the header changes: what counts is the code that results.
        put("limit.h", format!("#define LIMIT {limit}\n"));
    }
    let document = folder.run(&["impact", "v1", "v2", "--format", "json"]).json().unwrap();
    assert_eq!(document["new"]["files"], json!(["v2/a.c", "v2/b.c"]));
    let functions = document["functions"].as_array().unwrap();
    let changes: Vec<Value> =
        functions.iter().map(|each| json!([each["name"], each["file"], each["change"]])).collect();
    assert_eq!(json!(changes), json!([["f", "v2/a.c", "changed"], ["g", "v2/b.c", "calls-changed"]]));
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = Folder::with(&[
        ("a.c", "int f(void) { return 1; }\n"),
        ("b.c", "int g(void) { return 1; }\n"),
        ("text.txt", "hello"),
        ("bad.c", "int f(void) { return undeclared; }\n"),
    ]);
    assert_fails(&folder.run(&["impact", "a.c"]), &["NEW"]);
    assert_fails(
        &folder.run(&["impact", "a.c", "b.c"]),
        &["no function in common", "OLD has f", "NEW has g"],
    );
    assert_fails(&folder.run(&["impact", "a.c", "text.txt"]), &["text.txt", "not C"]);
    assert_fails(&folder.run(&["impact", "nowhere.c", "a.c"]), &["nowhere.c", "does not exist"]);
    assert_fails(&folder.run(&["impact", "bad.c", "a.c"]), &["bad.c:1", "undeclared"]);
    assert_fails(&folder.run(&["impact", "a.c", "bad.c"]), &["bad.c:1", "undeclared"]);
    assert_fails(&folder.run(&["impact", "a.c", "a.c", "--rules", "all"]), &["all", "complete"]);
}

#[test]
fn the_names_of_the_json_are_documented() {
    let documented = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    let folder = Folder::with(&[("old.c", OLD), ("new.c", NEW)]);
    let document = folder.run(&["impact", "old.c", "new.c", "--format", "json"]).json().unwrap();
    let mut checked = 0;
    let mut check = |object: &Value| {
        for name in object.as_object().unwrap().keys() {
            let forms = [format!("`{name}`"), format!("\"{name}\"")];
            assert!(forms.iter().any(|form| documented.contains(form.as_str())), "{name} is not documented");
            checked += 1;
        }
    };
    check(&document);
    check(&document["summary"]);
    for function in document["functions"].as_array().unwrap() {
        check(function);
        for list in ["new", "old", "derivation"] {
            function[list].as_array().unwrap().iter().for_each(&mut check);
        }
    }
    assert!(checked > 100);
}

#[test]
fn a_bitcode_file_is_a_version_where_llvm_dis_is_there() {
    let folder = Folder::with(&[("old.c", OLD), ("new.c", NEW)]);
    let compiled = ["old", "new"].iter().all(|name| {
        let (from, to) = (format!("{name}.c"), format!("{name}.bc"));
        let arguments = ["-c", "-emit-llvm", "-g", "-o", &to, &from];
        let clang = Command::new("clang-19").current_dir(folder.root()).args(arguments).status();
        clang.is_ok_and(|status| status.success())
    });
    let said = folder.run(&["impact", "old.bc", "new.bc", "-q"]);
    if !compiled || said.stderr.contains("llvm-dis") {
        println!("not tested: no clang-19 or no llvm-dis here");
        return;
    }
    assert_eq!(said.status, 1, "{}", said.stderr);
}
