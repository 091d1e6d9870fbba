//! The working tree as a version: what is untracked, ignored, deleted, half merged, sparse or said to be unchanged.

use crate::common::{Made, compare, git, open, short};

fn base() -> Made {
    let made = Made::new(&[]);
    made.write("a.c", "int a;\n")
        .write("d/b.c", "int b;\n")
        .write(".gitignore", "*.o\ngen.h\n")
        .commit("one");
    made
}

#[test]
fn files_that_nobody_added_count_unless_they_are_ignored() {
    let made = base();
    made.write("new.c", "int n;\n")
        .write("gen.h", "int g;\n")
        .write("x.o", "o")
        .write("d/deep/e.c", "int e;\n");
    std::fs::remove_file(made.path().join("a.c")).expect("it was there");
    assert_eq!(short(&made.compare(&[]).2), ["-a.c", "+d/deep/e.c", "+new.c"]);
}

#[test]
fn what_is_staged_does_not_matter() {
    let made = base();
    made.write("a.c", "int staged;\n").git(&["add", "a.c"]).write("a.c", "int a;\n");
    assert_eq!(short(&made.compare(&[]).2), [""; 0], "the files count, not the index");
    made.write("n.c", "int n;\n").git(&["add", "-N", "n.c"]);
    assert_eq!(short(&made.compare(&[]).2), ["+n.c"]);
}

#[test]
fn files_that_git_was_told_not_to_look_at_are_looked_at() {
    let made = base();
    made.git(&["update-index", "--assume-unchanged", "a.c"]).write("a.c", "int changed;\n");
    assert_eq!(short(&made.compare(&[]).2), ["a.c"]);
}

#[test]
fn half_of_a_merge_is_what_lies_there() {
    let made = base();
    made.git(&["checkout", "-q", "-b", "side"]).write("a.c", "int s;\n").commit("s");
    made.git(&["checkout", "-q", "main"]).write("a.c", "int m;\n").commit("m");
    let _ =
        std::process::Command::new("git").arg("-C").arg(made.path()).args(["merge", "-q", "side"]).output();
    let text = std::fs::read_to_string(made.path().join("a.c")).expect("it is there");
    assert!(text.contains("<<<<<<<"), "{text}");
    assert_eq!(short(&made.compare(&[]).2), ["a.c"]);
}

#[test]
fn what_a_sparse_checkout_leaves_out_did_not_change() {
    for cone in ["--cone", "--no-cone"] {
        let made = base();
        made.git(&["sparse-checkout", "init", cone]);
        assert!(!made.path().join("d/b.c").exists());
        let (old, _, found) = made.compare(&[]);
        assert_eq!(short(&found), [""; 0], "{cone}");
        assert!(old.root.join("d/b.c").exists(), "a revision is laid out as a whole");
    }
}

#[test]
fn a_worktree_of_its_own_is_one() {
    let made = base();
    made.write("a.c", "int two;\n").commit("two");
    let place = tempfile::tempdir().expect("a folder");
    let other = place.path().join("other");
    made.git(&["worktree", "add", "-q", &other.to_string_lossy(), "HEAD~1"]);
    let repository = open(&other);
    assert_eq!(short(&compare(&repository, &[]).2), [""; 0]);
    assert_eq!(short(&compare(&repository, &["main"]).2), ["a.c"]);
    std::fs::write(other.join("a.c"), "int three;\n").expect("written");
    assert_eq!(short(&compare(&repository, &[]).2), ["a.c"]);
    assert_eq!(short(&made.compare(&[]).2), [""; 0]);
}

#[test]
fn a_repository_is_found_from_its_folders() {
    let made = base();
    let repository = open(&made.path().join("d"));
    assert_eq!(repository.work_tree(), Some(made.path().as_path()));
    let within = |path: &str| {
        repository.within(path.as_ref(), &made.path().join("d")).map_err(|error| error.to_string())
    };
    assert_eq!(within("b.c"), Ok("d/b.c".into()));
    assert_eq!(within("../a.c"), Ok("a.c".into()));
    assert_eq!(within(".."), Ok("".into()));
    assert!(within("/etc").expect_err("it is outside").contains("outside of the repository"));
    assert!(within("../../x").expect_err("it is outside").contains("outside"));
    git(&made.path(), &["status", "--short"]);
}
