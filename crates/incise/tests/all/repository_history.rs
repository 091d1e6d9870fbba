//! Repositories with a history: the right functions are paired, and nothing in them changes.

use crate::common::made::{Made, functions, texts};
use crate::common::{Said, incise};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const F: &str = "#include \"in.h\"\nint f(int x) { return x + IN; }\nint g(int x) { return x * 3; }\n";

fn report_in(folder: &Path, words: &[&str]) -> Value {
    let mut command = incise();
    command.current_dir(folder).args(["diff", "--format", "json", "--no-native", "-j", "2"]).args(words);
    Said::by(&mut command).json().unwrap_or_else(|error| panic!("{words:?}: {error}"))
}

/// A submodule, a file that moves and changes, a merge, ends of lines, names that are odd, and a dirty tree.
fn history() -> (Made, Made) {
    let inner = Made::with(&[("in.h", "#define IN 1\n")]);
    let made = Made::with(&[("f.c", F), ("odd näme/ü b.c", "int odd(int x) { return x - 1; }\n")]);
    made.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        &inner.root().to_string_lossy(),
        "lib",
    ]);
    made.write(&[
        (".gitattributes", "crlf.c text eol=crlf\n"),
        ("crlf.c", "int c(int x)\r\n{\r\n  return x;\r\n}\r\n"),
    ]);
    made.commit();
    made.git(&["branch", "side"]);
    // On the main branch a file moves, and a function of it changes.
    std::fs::create_dir(made.root().join("src")).expect("a folder is made");
    made.git(&["mv", "f.c", "src/moved.c"]);
    made.write(&[("src/moved.c", &F.replace("x * 3", "x * 4"))]).commit();
    made.git(&["tag", "main-only"]);
    // On the other one another file changes.
    made.git(&["checkout", "-q", "side"]);
    made.write(&[("odd näme/ü b.c", "int odd(int x) { return -1 + x; }\n")]).commit();
    made.git(&["checkout", "-q", "main"]);
    made.git(&["merge", "-q", "--no-ff", "-m", "both", "side"]);
    (made, inner)
}

#[test]
fn functions_are_paired_through_moves_merges_and_submodules() {
    let (made, _inner) = history();
    let at = |words: &[&str]| functions(&report_in(&made.root(), words));
    assert_eq!(at(&["main-only~1", "main-only"]), ["differs g src/moved.c"], "the file moved");
    assert_eq!(at(&["HEAD^1", "HEAD"]), ["same odd odd näme/ü b.c"], "what the merge brought in");
    assert_eq!(at(&["HEAD^2", "HEAD"]), ["differs g src/moved.c"], "what it was merged with");
    assert_eq!(at(&["main-only...side"]), ["same odd odd näme/ü b.c"], "since they parted");
    assert_eq!(at(&["side...main-only"]), ["differs g src/moved.c"]);
    assert_eq!(at(&[]), [""; 0]);
    // Ends of lines are no change.
    made.write(&[("crlf.c", "int c(int x)\n{\n  return x;\n}\n")]);
    assert_eq!(at(&[]), [""; 0]);
    // A change in a submodule that nobody committed.
    made.write(&[("lib/in.h", "#define IN 2\n")]);
    assert_eq!(at(&[]), ["differs f src/moved.c"]);
    // The same in a worktree, and in a clone that lacks the base.
    made.git(&["worktree", "add", "-q", "--detach", "tree", "main-only"]);
    let tree = made.root().join("tree");
    assert_eq!(functions(&report_in(&tree, &["HEAD~1", "HEAD"])), ["differs g src/moved.c"]);
    let place = tempfile::tempdir().expect("a folder");
    let from = format!("file://{}", made.root().display());
    made.git(&["clone", "-q", "--depth", "2", &from, &place.path().join("clone").to_string_lossy()]);
    let clone = place.path().join("clone");
    let report = report_in(&clone, &["HEAD^1", "HEAD"]);
    assert_eq!(functions(&report), ["same odd odd näme/ü b.c"], "{}", texts(&report["reasons"]));
    let said = Said::by(incise().current_dir(&clone).args(["diff", "HEAD~5", "HEAD"]));
    assert_eq!(said.status, 2, "{}", said.stderr);
    assert!(said.stderr.contains("shallow") || said.stderr.contains("fetch"), "{}", said.stderr);
}

fn status(made: &Made) -> String {
    made.git(&["--no-optional-locks", "status", "--porcelain=v2", "--branch", "--ignored"])
}

fn assert_untouched(made: &Made, (files, said): &(BTreeMap<PathBuf, Vec<u8>>, String), when: &str) {
    let after = made.everything();
    for (path, content) in &after {
        assert!(files.get(path) == Some(content), "{when}: {} is not as it was", path.display());
    }
    assert_eq!(files.len(), after.len(), "{when}: something is gone");
    assert_eq!(status(made), *said, "{when}");
}

#[test]
fn no_command_writes_into_a_repository_also_if_it_is_killed() {
    let (made, _inner) = history();
    made.write(&[("src/moved.c", &F.replace("x + IN", "IN + x"))]);
    made.write(&[("staged.c", "int s;\n")]).git(&["add", "staged.c"]);
    made.write(&[("lib/in.h", "#define IN 2\n"), ("new.c", "int n(int x) { return x; }\n")]);
    made.git(&["worktree", "add", "-q", "--detach", "tree", "main-only"]);
    let before = (made.everything(), status(&made));
    let program = incise().get_program().to_string_lossy().into_owned();
    let external = format!("diff.external='{program}' git-diff");
    let commands: [Vec<&str>; 7] = [
        vec![&program, "diff", "-j", "2"],
        vec![&program, "diff", "main-only~1", "side", "-j", "2"],
        vec![&program, "diff", "main-only...", "--format", "json"],
        vec![&program, "diff", "--watch", "--format", "json"],
        vec![&program, "impact", "HEAD", "--unit", "src/moved.c"],
        vec![&program, "explain", "HEAD", "--unit", "src/moved.c", "--entry", "g", "--input", "x=1"],
        vec![
            "git",
            "--no-optional-locks",
            "-c",
            &external,
            "--no-pager",
            "diff",
            "--submodule=short",
            "HEAD",
        ],
    ];
    for words in &commands {
        for milliseconds in [30, 150, 500] {
            let place = tempfile::tempdir().expect("a folder");
            let mut command = Command::new(words[0]);
            command.args(&words[1..]).current_dir(made.root()).env("TMPDIR", place.path());
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
            std::thread::sleep(std::time::Duration::from_millis(milliseconds));
            let _ = child.kill();
            let _ = child.wait();
            assert_untouched(&made, &before, &format!("{words:?} killed after {milliseconds} ms"));
        }
        if !words.contains(&"--watch") {
            let _ = Said::by(Command::new(words[0]).args(&words[1..]).current_dir(made.root()));
            assert_untouched(&made, &before, &format!("{words:?}"));
        }
    }
}
