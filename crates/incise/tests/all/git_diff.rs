//! `incise git-diff`: git's external diff with the verdict below each C file.

use crate::common::incise;
use crate::common::made::Made;
use std::process::{Command, Output};

fn git_diff(made: &Made, words: &[&str], environment: &[(&str, &str)]) -> Output {
    let incise = incise().get_program().to_string_lossy().into_owned();
    let external = format!("diff.external='{incise}' git-diff");
    let mut command = Command::new("git");
    command.current_dir(made.root()).args(["-c", &external, "--no-pager"]).args(words);
    command.envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null")]);
    command.envs(environment.iter().copied()).output().expect("git runs")
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const A: &str = "#include \"h.h\"\nint one(int x) { return x + ONE; }\n";

fn made() -> Made {
    Made::with(&[
        ("src/a b.c", A),
        ("src/h.h", "#define ONE 1\n"),
        ("words", "some\n"),
        ("gone.c", "int g;\n"),
    ])
}

#[test]
fn the_verdict_stands_below_the_diff_of_each_c_file() {
    let made = made();
    made.write(&[
        ("src/a b.c", &A.replace("x + ONE", "x + 2")),
        ("words", "others\n"),
        ("new.c", "int n;\n"),
    ]);
    std::fs::remove_file(made.root().join("gone.c")).expect("it was there");
    made.git(&["add", "-N", "new.c"]);
    let said = text(&git_diff(&made, &["diff"], &[]));
    let plain = text(&git_diff(&made, &["diff", "--no-ext-diff"], &[]));
    let own: Vec<&str> = said.lines().filter(|line| !line.starts_with("incise: ")).collect();
    let body = |text: &[&str]| -> Vec<String> {
        let kept = text.iter().filter(|line| !line.starts_with("index "));
        kept.map(|line| line.trim_end().to_owned()).collect()
    };
    assert_eq!(body(&own), body(&plain.lines().collect::<Vec<_>>()), "{said}");
    let verdicts: Vec<&str> = said.lines().filter(|line| line.starts_with("incise: ")).collect();
    assert!(verdicts.iter().any(|line| line.contains("one differs")), "{said}");
    let at = said.find("incise: ").expect("a verdict");
    assert!(said[..at].contains("src/a b.c") && said[at..].contains("b/words"), "below its own file: {said}");
    let commit = text(&git_diff(made.commit(), &["show", "--ext-diff"], &[]));
    assert!(commit.contains("one differs"), "{commit}");
}

/// Git hands over copies, and they are copied again.
#[test]
fn places_are_those_of_the_repository() {
    let text_of = |check: &str| format!("int first(int *p) {{\n    {check}\n    return *p;\n}}\n");
    let made = Made::with(&[("src/a b.c", &text_of("if (!p) return 0;"))]);
    made.write(&[("src/a b.c", &text_of("(void)0;"))]);
    let said = text(&git_diff(&made, &["diff"], &[]));
    assert!(said.contains("read through a null pointer (src/a b.c:3)"), "{said}");
    let verdict: String = said.lines().filter(|line| line.starts_with("incise: ")).collect();
    assert!(!verdict.contains("/new/") && !verdict.contains("/old/"), "{verdict}");
}

#[test]
fn it_never_fails_the_diff() {
    let made = made();
    made.write(&[("src/a b.c", "int one(int x) { return nothing; }\n")]);
    let said = text(&git_diff(&made, &["diff"], &[]));
    assert!(
        said.contains("+int one(int x) { return nothing; }") && said.contains("incise: no verdict"),
        "{said}"
    );
    // Without clang, and without time.
    made.write(&[("src/a b.c", &A.replace("x + ONE", "x + 2"))]);
    let git = Command::new("sh").args(["-c", "command -v git"]).output().expect("a shell runs");
    let folder = made.root().join("bin");
    std::fs::create_dir(&folder).expect("a folder is made");
    let git = String::from_utf8_lossy(&git.stdout).trim().to_owned();
    std::os::unix::fs::symlink(git, folder.join("git")).expect("a link is made");
    std::os::unix::fs::symlink("/bin/sh", folder.join("sh")).expect("a link is made");
    let said = text(&git_diff(&made, &["diff"], &[("PATH", &folder.to_string_lossy())]));
    assert!(said.contains("x + 2") && said.contains("incise: no verdict"), "{said}");
    let said = text(&git_diff(&made, &["diff"], &[("INCISE_GIT_DIFF_TIME", "0")]));
    assert!(said.contains("x + 2") && said.contains("incise: "), "{said}");
    // A conflict has no two sides.
    made.git(&["stash", "-q"]);
    made.write(&[("src/a b.c", &A.replace("x + ONE", "x + 3"))]).git(&["commit", "-q", "-am", "other"]);
    let _ = Command::new("git").current_dir(made.root()).args(["stash", "pop", "-q"]).output();
    let said = text(&git_diff(&made, &["diff"], &[]));
    assert!(said.contains("a b.c"), "{said}");
}
