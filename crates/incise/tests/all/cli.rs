//! The command line: what it says, where, and with which exit status, above all when something is wrong.

use crate::common::{Folder, Said, assert_fails, check_blessed, incise, indented, root, transcript};
use serde_json::{Value, json};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const ABSOLUTE: &str =
    "int absolute(int x) { if (x < 0) return -x; return x; }\nint twice(int x) { return 2 * x; }\n";

#[test]
fn help_and_version_are_data() {
    for arguments in [
        &["--help"][..],
        &["run", "--help"],
        &["run", "-h"],
        &["replay", "--help"],
        &["--version"],
        &["diff", "--help"],
        &["diff", "-h"],
        &["impact", "--help"],
    ] {
        let said = Said::by(incise().args(arguments));
        assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{arguments:?}");
        assert!(said.stdout.contains("incise"), "{arguments:?}");
    }
    assert!(
        Said::by(incise().args(["run", "--help"])).stdout.contains("--sym-args 2 3"),
        "help teaches by example"
    );
}

#[test]
fn wrong_usage_has_status_two() {
    let folder = Folder::with(&[("a.c", ABSOLUTE)]);
    assert_fails(&folder.run(&["run"]), &["FILE"]);
    assert_fails(&folder.run(&["fly"]), &["fly"]);
    assert_fails(&folder.run(&["run", "a.c", "--search", "luck"]), &["luck", "dfs"]);
    assert_fails(&folder.run(&["run", "a.c", "--max-time", "soon"]), &["soon", "5m"]);
    assert_fails(&folder.run(&["run", "a.c", "--max-memory", "much"]), &["much", "4G"]);
    assert_fails(&folder.run(&["run", "a.c", "--array", "p"]), &["NAME=VALUE"]);
    assert_fails(&folder.run(&["run", "a.c", "--concrete", "p=x"]), &["no integer"]);
    assert_fails(&folder.run(&["run", "a.c", "--c-tests"]), &["--tests"]);
    assert_fails(&folder.run(&["replay"]), &["DIR"]);
}

#[test]
fn files_that_cannot_be_taken_are_named() {
    let folder = Folder::with(&[("empty.c", ""), ("text.txt", "hello"), ("a.c", ABSOLUTE)]);
    std::fs::create_dir(folder.path("void")).unwrap();
    assert_fails(&folder.run(&["run", "nowhere.c"]), &["nowhere.c", "does not exist"]);
    assert_fails(&folder.run(&["run", "empty.c"]), &["empty.c", "empty"]);
    assert_fails(&folder.run(&["run", "void"]), &["void", "no '.c' file"]);
    assert_fails(&folder.run(&["run", "text.txt"]), &["text.txt", "not C"]);
    assert_fails(&folder.run(&["run", "a.c", "a.c", "--entry", "twice"]), &["defined both"]);
}

#[test]
fn code_that_does_not_compile_shows_clangs_words() {
    let folder = Folder::with(&[("bad.c", "int f(void) {\n    return undeclared;\n}\n")]);
    assert_fails(
        &folder.run(&["run", "bad.c"]),
        &["bad.c:2:12", "use of undeclared identifier 'undeclared'"],
    );
    assert_fails(&folder.run(&["run", "bad.c", "--cflags", "-fno-such-flag"]), &["-fno-such-flag"]);
}

#[test]
fn flags_reach_clang() {
    let source =
        "#include <limit.h>\n#include MORE\nint f(int x) { if (x > LIMIT + EXTRA) return 1; return 0; }\n";
    let folder = Folder::with(&[("a.c", source)]);
    std::fs::create_dir(folder.path("include")).unwrap();
    std::fs::write(folder.path("include/limit.h"), "#define LIMIT 5\n").unwrap();
    std::fs::write(folder.path("more.h"), "#if __STDC_VERSION__ == 199901L\n#define EXTRA 2\n#endif\n")
        .unwrap();
    let flags = ["-Iinclude", "-DMORE=\"more.h\"", "-std=c99", "-include", "more.h", "--format", "json"];
    for (x, result) in [("x=7", 0), ("x=8", 1)] {
        let said = folder.run(&[&["run", "a.c", "--concrete", x][..], &flags].concat());
        assert_eq!(said.json().unwrap()["paths"][0]["result"], result, "{}", said.stderr);
    }
    // Without them it does not compile.
    assert_fails(&folder.run(&["run", "a.c"]), &["limit.h"]);
}

#[test]
fn a_missing_clang_says_what_to_install() {
    let folder = Folder::with(&[("a.c", ABSOLUTE)]);
    let said = Said::by(incise().current_dir(folder.root()).env("PATH", "/nowhere").args(["run", "a.c"]));
    assert_fails(&said, &["clang", "apt-get install clang-19"]);
    assert_fails(&folder.run(&["run", "a.c", "--clang", "/nowhere/clang"]), &["/nowhere/clang"]);
}

#[test]
fn the_log_speaks_only_when_asked() {
    let folder = Folder::with(&[("a.c", ABSOLUTE)]);
    let with = |log: &str| {
        let arguments = ["run", "a.c", "--entry", "absolute"];
        Said::by(incise().current_dir(folder.root()).env("INCISE_LOG", log).args(arguments))
    };
    let (silent, speaking) = (with(""), with("incise_exec=debug"));
    assert!(!silent.stderr.contains("explored"), "{}", silent.stderr);
    assert!(speaking.stderr.contains("DEBUG incise_exec") && speaking.stderr.contains("explored"));
    assert_eq!(silent.stdout, speaking.stdout);
    assert_fails(&with("incise_exec=loud"), &["INCISE_LOG=incise_exec=loud", "debug"]);
}

#[test]
fn the_entry_is_found_or_the_nearest_is_named() {
    let folder = Folder::with(&[
        ("a.c", ABSOLUTE),
        ("one.c", "static int help(void) { return 1; }\nint only(void) { return help(); }\n"),
    ]);
    assert_fails(
        &folder.run(&["run", "a.c", "--entry", "absolut"]),
        &["no function absolut", "did you mean absolute?"],
    );
    assert_fails(&folder.run(&["run", "a.c"]), &["no main", "--entry absolute", "--entry twice"]);
    let said = folder.run(&["run", "one.c", "--format", "json"]);
    assert_eq!((said.status, &said.json().unwrap()["program"]["entry"]), (0, &json!("only")));
    let declared = Folder::with(&[("a.c", "int other(int);\nint f(int x) { return other(x); }\n")]);
    assert_fails(&declared.run(&["run", "a.c", "--entry", "other"]), &["other", "no body"]);
}

#[test]
fn inputs_that_do_not_exist_are_refused() {
    let folder = Folder::with(&[("a.c", ABSOLUTE)]);
    assert_fails(&folder.run(&["run", "a.c", "--entry", "twice", "--array", "nothing=3"]), &["nothing"]);
}

#[test]
fn broken_ir_is_placed() {
    let folder = Folder::with(&[
        ("bad.ll", "define i32 @f(i32 %x) {\n  %y = add i32 %x, %nowhere\n  ret i32 %y\n}\n"),
        ("cut.ll", "define i32 @f(i32 %x) {\n  %y = add i32 %x,"),
        ("junk.ll", "\u{1}\u{2}define @@@ {{{ !!!"),
    ]);
    assert_fails(&folder.run(&["run", "bad.ll"]), &["bad.ll:2:"]);
    assert_fails(&folder.run(&["run", "cut.ll"]), &["cut.ll:2:"]);
    assert_fails(&folder.run(&["run", "junk.ll"]), &["junk.ll:1:"]);
}

#[test]
fn ir_is_explored_and_replayed_like_c() {
    let text = "define i32 @f(i32 %x) {\n  %c = icmp sgt i32 %x, 7\n  br i1 %c, label %a, label %b\na:\n  ret i32 1\nb:\n  ret i32 0\n}\n";
    let folder = Folder::with(&[("f.ll", text)]);
    let said = folder.run(&["run", "f.ll", "--tests", "t", "--replay"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("2 of 2 tests confirmed natively"), "{}", said.stdout);
}

#[test]
fn exit_statuses_tell_findings_from_cuts() {
    let source = "int good(int x) { return x > 3; }\nint bad(int x) { return 10 / x; }\n\
                  int loop(unsigned n) { unsigned i = 0; while (i < n) i++; return i; }\n\
                  int both(unsigned n) { if (n == 77) return 1 / (n - 77); unsigned i = 0; while (i < n) i++; return i; }\n";
    let folder = Folder::with(&[("a.c", source)]);
    for (entry, status) in [("good", 0), ("bad", 1), ("loop", 3), ("both", 1)] {
        let said = folder.run(&["run", "a.c", "--entry", entry, "--max-loop", "5"]);
        assert_eq!(said.status, status, "{entry}: {}{}", said.stdout, said.stderr);
        let cut = matches!(entry, "loop" | "both");
        assert_eq!(said.stdout.contains("--max-loop"), cut, "{}", said.stdout);
    }
}

#[test]
fn the_names_of_the_json_are_as_documented() {
    let folder = Folder::with(&[("a.c", "int f(int x) { return 10 / x; }\n")]);
    let document = folder.run(&["run", "a.c", "--format", "json"]).json().unwrap();
    assert_eq!(document["schema"], "incise-run/1");
    let has = |object: &Value, names: &[&str]| {
        for name in names {
            assert!(object.get(name).is_some(), "no {name} in {object}");
        }
    };
    let summary = [
        "paths",
        "errors",
        "states",
        "instructions",
        "queries",
        "solver_ms",
        "time_ms",
        "complete",
        "limits",
    ];
    has(&document["summary"], &summary);
    has(&document["coverage"], &["lines", "branches", "files"]);
    for path in document["paths"].as_array().unwrap() {
        has(
            path,
            &[
                "id",
                "outcome",
                "condition",
                "inputs",
                "result",
                "location",
                "stack",
                "decisions",
                "stdout",
                "finals",
            ],
        );
    }
    let failing =
        document["paths"].as_array().unwrap().iter().find(|path| path["outcome"] == "error").unwrap();
    assert_eq!(failing["error"]["kind"], "division-by-zero");
    assert_eq!((&failing["inputs"], &failing["condition"]), (&json!({"x": 0}), &json!("x == 0")));
    assert_eq!(
        failing["location"],
        json!({"file": "a.c", "line": 1, "column": failing["location"]["column"]})
    );
}

#[test]
fn the_text_of_the_examples_is_as_blessed() {
    let cases: &[(&str, &[&str])] = &[
        ("quote", &["examples/quote.c", "--entry", "quote_name", "--no-null"]),
        ("bill", &["examples/bill.c"]),
        ("list", &["examples/list.c"]),
        ("word", &["examples/word.c", "--sym-args", "1", "4"]),
    ];
    let mut failures = Vec::new();
    for (name, arguments) in cases {
        let said = Said::by(incise().current_dir(root()).arg("run").args(*arguments));
        let text = format!(
            "$ incise run {}\n{}{}status {}\n",
            arguments.join(" "),
            said.stdout,
            said.stderr,
            said.status
        );
        failures.extend(
            check_blessed(&root().join(format!("crates/incise/tests/blessed/{name}.txt")), &text).err(),
        );
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_readme_shows_what_really_happens() {
    let folder = Folder::with(&[]);
    for name in ["diff", "monitor", "threads", "verdict"] {
        std::fs::create_dir_all(folder.path(&format!("examples/{name}"))).unwrap();
    }
    let files = [
        "bill.c",
        "diff/prunetest-old.c",
        "diff/prunetest-new.c",
        "verdict/middle-old.c",
        "verdict/middle-new.c",
        "verdict/middle-fixed.c",
        "verdict/frame-old.c",
        "verdict/frame-new.c",
        "monitor/old.c",
        "monitor/new.c",
        "monitor/wbs.bif",
        "threads/stock-old.c",
        "threads/stock-new.c",
        "threads/stock-fine.c",
    ];
    for name in files {
        let name = format!("examples/{name}");
        std::fs::copy(root().join(&name), folder.path(&name)).unwrap();
    }
    let pages: [(&str, &[&str]); 6] = [
        ("README.md", &["verdict/middle"]),
        ("docs/diff.md", &["verdict/middle", "verdict/frame", "diff/prunetest"]),
        ("docs/monitor.md", &["monitor"]),
        ("docs/impact.md", &["diff/prunetest-impact"]),
        ("docs/run.md", &["bill.c"]),
        ("docs/threads.md", &["threads/stock"]),
    ];
    for (page, examples) in pages {
        check_page_of_readme(&folder, page, examples);
    }
}

/// Runs the commands of a page's transcripts, and compares what they say with what is shown.
fn check_page_of_readme(folder: &Folder, page: &str, examples: &[&str]) {
    let file = root().join(page);
    let text = std::fs::read_to_string(&file).unwrap();
    let mut current = text.clone();
    for example in examples {
        let marker = &format!("<!-- transcript: examples/{example} -->");
        let shown = transcript(&text, marker);
        assert!(!shown.is_empty(), "{marker}");
        let (mut before, mut after) = (String::new(), String::new());
        for (command, output) in shown {
            let said = folder.run(&command.split_whitespace().skip(1).collect::<Vec<_>>());
            before += &indented(&command, &output);
            after += &indented(&command, &format!("{}{}", said.stdout, said.stderr));
        }
        assert!(
            text.contains(&format!("{marker}\n{before}")),
            "the transcript is not laid out as expected:\n{before}"
        );
        current = current.replace(&before, &after);
    }
    check_blessed(&file, &current).unwrap();
}

#[test]
fn colours_come_only_when_asked_for() {
    let folder = Folder::with(&[("a.c", "int f(int x) { return 10 / x; }\n")]);
    assert!(!folder.run(&["run", "a.c"]).stdout.contains('\x1b'), "standard output is no terminal");
    assert!(folder.run(&["run", "a.c", "--color", "always"]).stdout.contains("\x1b[1;31m"));
}

#[test]
fn quiet_says_errors_and_one_line() {
    let folder = Folder::with(&[("a.c", ABSOLUTE)]);
    let said = folder.run(&["run", "a.c", "--entry", "absolute", "--quiet", "--tests", "t"]);
    assert_eq!(said.stdout, "no errors found: 2 paths (2 returned)\n");
    assert_eq!(said.stderr, "");
}

#[test]
fn the_same_input_gives_the_same_bytes_whatever_the_workers() {
    let source = "int count; int f(char *s, int n) { for (int i = 0; i < 4; i++) if (s[i] == n) count++; return count; }\n";
    let folder = Folder::with(&[("a.c", source)]);
    let mut seen = Vec::new();
    for (number, jobs) in ["1", "1", "3"].iter().enumerate() {
        let tests = format!("tests{number}");
        let arguments = ["run", "a.c", "--array", "s=4", "--tests", &tests, "-j", jobs];
        let said = folder.run(&arguments);
        assert!(matches!(said.status, 0 | 1), "{}", said.stderr);
        seen.push((said.stdout, contents(&folder.path(&tests))));
    }
    assert!(seen[0].1.len() > 10);
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
}

/// The files of a folder with their bytes, in order.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_folder_of_tests_is_replaced_as_a_whole() {
    let folder = Folder::with(&[("a.c", ABSOLUTE)]);
    assert_eq!(folder.run(&["run", "a.c", "--entry", "absolute", "--tests", "t"]).status, 0);
    assert_eq!(contents(&folder.path("t")).len(), 5, "two tests in two forms, and the manifest");
    assert_eq!(folder.run(&["run", "a.c", "--entry", "twice", "--tests", "t"]).status, 0);
    let names: Vec<_> = contents(&folder.path("t")).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["manifest.json", "test000001.json", "test000001.ktest"]);
    let rest: Vec<_> =
        std::fs::read_dir(folder.root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(rest.len(), 2, "something was left behind: {rest:?}");
}

#[test]
fn folders_of_others_are_left_alone() {
    let folder = Folder::with(&[("a.c", ABSOLUTE), ("file", "x")]);
    std::fs::create_dir(folder.path("mine")).unwrap();
    std::fs::write(folder.path("mine/thesis.tex"), "years of work").unwrap();
    let arguments = ["run", "a.c", "--entry", "twice", "--tests"];
    let with = |target: &str| folder.run(&[&arguments[..], &[target]].concat());
    assert_fails(&with("mine"), &["mine", "did not write"]);
    assert_fails(&with("file"), &["file", "no folder"]);
    assert_fails(&with("file/t"), &["file"]);
    assert_eq!(std::fs::read_to_string(folder.path("mine/thesis.tex")).unwrap(), "years of work");
}

#[test]
fn a_full_disk_leaves_nothing_behind() {
    let folder = Folder::with(&[(
        "a.c",
        "int f(int x) { int r = 0; for (int i = 0; i < 6; i++) if (x & (1 << i)) r += i; return r; }\n",
    )]);
    std::fs::create_dir(folder.path("disk")).unwrap();
    // In a mount namespace of its own, so that the small disk is nobody else's.
    let script = "mount -t tmpfs -o size=64k tmpfs disk || exit 77; \"$0\" run a.c --tests disk/t; echo status $?; ls -A disk";
    let said = Said::by(
        Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, env!("CARGO_BIN_EXE_incise")])
            .current_dir(folder.root()),
    );
    if said.status == 77 || said.stderr.contains("unshare") {
        println!("not tested: this system allows no mount namespaces");
        return;
    }
    assert!(said.stdout.ends_with("status 2\n"), "{}{}", said.stdout, said.stderr);
    assert!(said.stderr.contains("disk/t") && said.stderr.contains("space"), "{}", said.stderr);
}

#[test]
fn a_full_standard_output_is_an_error_and_no_panic() {
    let folder = Folder::with(&[("a.c", ABSOLUTE)]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = incise();
    command
        .current_dir(folder.root())
        .args(["run", "a.c", "--entry", "twice"])
        .stdout(full)
        .stderr(Stdio::piped());
    let output = command.spawn().unwrap().wait_with_output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert!(words.contains("standard output cannot be written") && !words.contains("panicked"), "{words}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::with(&[(
        "a.c",
        "int f(int x) { int r = 0; for (int i = 0; i < 11; i++) if (x & (1 << i)) r += i; return r; }\n",
    )]);
    let mut command = incise();
    command.current_dir(folder.root()).args(["run", "a.c", "--format", "json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut start = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let output = child.wait_with_output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), words.as_ref()), (Some(0), ""));
}

#[test]
fn ctrl_c_stops_at_once_and_reports_what_there_is() {
    let source =
        "int f(unsigned char *p) { int r = 0; for (int i = 0; i < 200; i++) if (p[i] > 7) r++; return r; }\n";
    let folder = Folder::with(&[("a.c", source)]);
    let mut command = incise();
    command.current_dir(folder.root()).args([
        "run",
        "a.c",
        "--array",
        "p=200",
        "--format",
        "json",
        "--no-null",
    ]);
    command.args(["--max-paths", "100000000"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).expect("a whole report");
    assert_eq!(document["summary"]["limits"], json!(["interrupt"]));
    assert_eq!((output.status.code(), &document["summary"]["complete"]), (Some(3), &json!(false)));
    assert!(document["summary"]["paths"].as_u64().unwrap() > 0);
}

#[test]
fn symbolic_arguments_and_input_reach_main() {
    let source = "#include <stdio.h>\nint main(int argc, char **argv) {\n  if (argc != 3) return 9;\n  int c = getchar();\n\
                  if (argv[1][0] == 'x' && argv[2][0] == 'a' && c == '!') { printf(\"%s %c\\n\", argv[1], c); return 5; }\n  return 0;\n}\n";
    let folder = Folder::with(&[("a.c", source)]);
    let said = folder.run(&[
        "run",
        "a.c",
        "--arg",
        "x",
        "--sym-args",
        "1",
        "2",
        "--sym-stdin",
        "1",
        "--tests",
        "t",
        "--format",
        "json",
    ]);
    let document = said.json().unwrap();
    let found = document["paths"]
        .as_array()
        .unwrap()
        .iter()
        .find(|path| path["result"] == 5)
        .expect("the path is found");
    assert_eq!(found["inputs"]["stdin"], "!");
    assert!(found["inputs"]["arg1"].as_str().unwrap().starts_with('a'));
    assert_eq!(found["stdout"], "x !\n");
    let replay = folder.run(&["replay", "t"]);
    assert_eq!(replay.status, 0, "{}", replay.stdout);
}

#[test]
fn a_folder_stands_for_the_c_files_in_it() {
    let folder = Folder::with(&[]);
    std::fs::create_dir(folder.path("src")).unwrap();
    std::fs::write(
        folder.path("src/a.c"),
        "int g(int);\nint f(int x) { if (x > 2) return g(x); return 0; }\n",
    )
    .unwrap();
    std::fs::write(folder.path("src/b.c"), "int g(int x) { return x + 1; }\n").unwrap();
    let said = folder.run(&["run", "src", "--entry", "f", "--tests", "t", "--replay", "--format", "json"]);
    let document = said.json().unwrap();
    assert_eq!(document["program"]["files"], json!(["src/a.c", "src/b.c"]));
    assert_eq!((said.status, &document["replay"]["summary"]["confirmed"]), (0, &json!(2)), "{document:#}");
}

#[test]
fn completions_are_scripts() {
    for shell in ["bash", "zsh", "fish"] {
        let said = Said::by(incise().args(["completions", shell]));
        assert_eq!(said.status, 0);
        assert!(said.stdout.contains("--sym-args") || said.stdout.contains("sym-args"), "{shell}");
    }
}

#[test]
fn clangs_warnings_are_shown_once_and_when_they_are_asked_for() {
    let header = "static int odd(int x) { if (x = 3) return 1; return 0; }\n";
    let first = "#include \"odd.h\"\nint f(int x) { return odd(x) + (x > 3); }\n";
    let second = "#include \"odd.h\"\nint g(int x) { return odd(x); }\n";
    let folder = Folder::with(&[("odd.h", header), ("a.c", first), ("b.c", second)]);
    std::fs::write(folder.path("c.c"), first.replace("> 3", "> 4")).expect("a file can be written");
    for arguments in [&["run", "a.c", "b.c", "--entry", "f"][..], &["diff", "a.c", "c.c", "--verdict-only"]] {
        let silent = folder.run(arguments);
        assert!(!silent.stderr.contains("warning"), "{}", silent.stderr);
        let said = folder.run(&[arguments, &["-v"]].concat());
        assert_eq!(said.stderr.matches("-Wparentheses").count(), 1, "{}", said.stderr);
        assert_eq!((said.status, &said.stdout), (silent.status, &silent.stdout));
    }
}
