//! Nothing in a repository changes, whatever is asked and whatever the repository is told to do by itself.

use crate::common::{Made, compare, everything, git, open};

#[test]
fn nothing_in_the_repository_is_written() {
    let inner = Made::new(&[]);
    inner.write("in.h", "int i;\n").commit("one");
    let made = Made::new(&[]);
    made.write("a.c", "int a;\n").write("b.c", "int b;\n").commit("one");
    made.git(&["submodule", "add", "-q", &inner.path().to_string_lossy(), "lib"]).commit("two");
    // What would write: hooks for any index, indices in two parts, a cache of what is untracked, and clean-ups.
    made.write(".git/hooks/post-index-change", "#!/bin/sh\ntouch .git/hook-ran ../hook-ran\n");
    made.git(&["config", "core.splitIndex", "true"]).git(&["config", "core.untrackedCache", "true"]);
    made.git(&["config", "gc.auto", "1"]).git(&["update-index", "--untracked-cache", "--split-index"]);
    let hook = made.path().join(".git/hooks/post-index-change");
    std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it may run");
    made.write("a.c", "int dirty;\n").write("new.c", "int n;\n").git(&["add", "b.c"]);
    let status = || git(&made.path(), &["--no-optional-locks", "status", "--porcelain=v2", "--branch"]);
    let (before, said) = (everything(&made.path()), status());
    for words in [&[][..], &["HEAD~1"], &["HEAD~1..HEAD"], &["HEAD~1", "HEAD"], &["HEAD^!"]] {
        let (old, _, _) = compare(&open(&made.path().join("lib/..")), words);
        assert!(old.root.join("a.c").exists() && !old.root.starts_with(made.path()));
    }
    let after = everything(&made.path());
    for (path, content) in &after {
        assert_eq!(Some(content), before.get(path), "{}", path.display());
    }
    assert_eq!((before.len(), said), (after.len(), status()));
}

#[test]
fn trees_that_were_laid_out_go_away() {
    let made = Made::new(&[]);
    made.write("a.c", "int a;\n").commit("one");
    let (old, _, _) = made.compare(&[]);
    let root = old.root.clone();
    assert!(root.exists());
    drop(old);
    assert!(!root.exists());
}
