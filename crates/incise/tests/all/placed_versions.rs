//! Versions that lie in folders: what is compared is the program, and not where it lies.

use crate::common::{Said, assert_fails, incise};
use std::path::Path;

/// A folder with files in folders.
struct Tree(tempfile::TempDir);

impl Tree {
    fn with(files: &[(&str, &str)]) -> Self {
        let tree = Self(tempfile::tempdir().expect("a temporary folder"));
        for (name, text) in files {
            tree.write(name, text);
        }
        tree
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("a folder is made");
        std::fs::write(path, text).expect("a file is written");
    }

    fn diff(&self, arguments: &[&str]) -> Said {
        let arguments = [&["diff"], arguments, &["--verdict-only"]].concat();
        Said::by(incise().current_dir(self.0.path()).args(arguments))
    }
}

#[track_caller]
fn ends(said: &Said, status: i32, words: &[&str]) {
    let all = format!("{}{}", said.stdout, said.stderr);
    assert_eq!(said.status, status, "{all}");
    for word in words {
        assert!(all.contains(word), "no {word:?} in: {all}");
    }
    assert!(!all.contains("internal error"), "{all}");
}

const BUG: &str =
    "void BUG(const char *, int);\nint f(int x) { if (x < 0) BUG(__FILE__, __LINE__); return x; }\n";

#[test]
fn a_comment_above_made_lines_and_folders_differ() {
    let moved = format!("/* a comment */\n{BUG}");
    let tree = Tree::with(&[("old/a.c", BUG), ("new/a.c", &moved), ("one.c", BUG), ("two.c", &moved)]);
    ends(&tree.diff(&["old", "new"]), 0, &["same: nothing that is compared changed", "__LINE__ in OLD"]);
    ends(&tree.diff(&["one.c", "two.c"]), 0, &["same: nothing that is compared changed"]);
    ends(&tree.diff(&["old/a.c", "new"]), 0, &["same: nothing that is compared changed"]);
}

#[test]
fn a_file_that_moved_to_another_folder_is_the_same_file() {
    let tree = Tree::with(&[
        ("old/src/a.c", BUG),
        ("old/b.c", "int g;"),
        ("new/lib/a.c", &format!("\n{BUG}")),
        ("new/b.c", "int g;"),
    ]);
    ends(&tree.diff(&["old", "new"]), 0, &["same: nothing that is compared changed"]);
}

#[test]
fn numbers_that_only_look_like_lines_still_differ() {
    let text = |number: u32| format!("void BUG(int);\nint f(int x) {{ BUG({number}); return x; }}\n");
    let tree = Tree::with(&[("old.c", &text(2)), ("new.c", &format!("\n{}", text(3)))]);
    ends(&tree.diff(&["old.c", "new.c"]), 1, &["calls BUG(2)", "calls BUG(3)"]);
}

#[test]
fn two_failures_that_became_one_still_differ() {
    let old = "int f(int a) {\n  if (a)\n    return __LINE__;\n  return __LINE__;\n}\n";
    let new = "int f(int a) {\n  return __LINE__;\n}\n";
    let tree = Tree::with(&[("old.c", old), ("new.c", new)]);
    ends(&tree.diff(&["old.c", "new.c"]), 1, &["f differs in 1 way"]);
}

#[test]
fn a_line_that_is_printed_is_the_same_natively() {
    let text = |sum: &str| {
        format!(
            "#include <stdio.h>\nint f(int x) {{\n  printf(\"%s:%d\", __FILE__, __LINE__);\n  return {sum};\n}}\n"
        )
    };
    let tree = Tree::with(&[("old.c", &text("x")), ("new.c", &format!("\n{}", text("x + (x == 7)")))]);
    let said = tree.diff(&["old.c", "new.c"]);
    ends(&said, 1, &["Given x = 7:  old: returns 7   new: returns 8"]);
    assert!(!said.stdout.contains("not confirmed"), "{}", said.stdout);
}

#[test]
fn lines_of_an_inline_function_in_a_header_moved() {
    let header = "#include <assert.h>\nstatic inline int z(int x) { assert(x > 0); return x; }\n";
    let source = "#include \"z.h\"\nint y(int x) { return z(x); }\n";
    let moved = format!("/* a comment */\n{header}");
    let tree =
        Tree::with(&[("old/z.h", header), ("old/y.c", source), ("new/z.h", &moved), ("new/y.c", source)]);
    ends(&tree.diff(&["old", "new"]), 0, &["same: nothing that is compared changed"]);
}

fn with_headers() -> Tree {
    let source = "#include <c.h>\nint f(int x) { return x + K; }\n";
    Tree::with(&[
        ("old/a.c", source),
        ("new/a.c", source),
        ("old/inc/c.h", "#define K 1\n"),
        ("new/inc/c.h", "#define K 2\n"),
    ])
}

#[test]
fn headers_of_the_old_version_were_used_for_both() {
    let tree = with_headers();
    let found = "Given x = 0:  old: returns 1   new: returns 2";
    ends(&tree.diff(&["old", "new", "-I", "old/inc"]), 1, &[found, "note: -I old/inc is new/inc for NEW"]);
    ends(&tree.diff(&["old", "new", "-I", "new/inc"]), 1, &[found, "note: -I new/inc is old/inc for OLD"]);
    ends(&tree.diff(&["old", "new", "-I", "inc"]), 1, &[found, "-I inc is old/inc for OLD"]);
    ends(&tree.diff(&["old/a.c", "new/a.c", "--cflags", "-isystem old/inc"]), 1, &[found]);
    ends(&tree.diff(&["old", "new", "-include", "old/inc/c.h", "-I", "inc"]), 1, &[found]);
}

#[test]
fn a_folder_of_headers_that_only_one_version_has_comes_last() {
    let tree = with_headers();
    tree.write("old/more/c.h", "#define K 1\n");
    let said = tree.diff(&["old", "new", "-I", "old/more", "-I", "new/inc"]);
    ends(
        &said,
        1,
        &["old: returns 1   new: returns 2", "note: -I old/more is OLD's, and NEW has no such thing"],
    );
}

#[test]
fn a_change_in_a_folder_below_was_not_seen() {
    let caller = "int g(int); int f(int x) { return g(x) + 1; }\n";
    let tree = Tree::with(&[
        ("old/a.c", caller),
        ("new/a.c", caller),
        ("old/sub/b.c", "int g(int x) { return x; }\n"),
        ("new/sub/b.c", "int g(int x) { return x + 1; }\n"),
    ]);
    ends(&tree.diff(&["old", "new"]), 1, &["g differs in 1 way"]);
}

#[test]
fn a_second_main_is_left_out_and_said() {
    let main = "int main(void) { return 0; }\n";
    let files = ["old/a.c", "old/t/b.c", "new/a.c", "new/t/b.c"].map(|name| (name, main));
    let tree = Tree::with(&files);
    let left_out = "not looked at: t/b.c (defines main, and so does new/a.c)";
    ends(&tree.diff(&["old", "new"]), 0, &["same", left_out]);
    tree.write("new/t/b.c", "int main(void) { return 1; }\n");
    let changed = "t/b.c changed and is not looked at: it defines main, and so does new/a.c";
    ends(&tree.diff(&["old", "new"]), 3, &["undecided", changed]);
}

#[test]
fn code_that_is_not_looked_at_is_no_sameness() {
    let source = "int f(int x) { return x; }\n";
    let tree =
        Tree::with(&[("old/a.c", source), ("new/a.c", source), ("old/b.S", "nop"), ("new/b.S", "ret")]);
    ends(&tree.diff(&["old", "new"]), 3, &["b.S changed and is not looked at: it is not C"]);
    tree.write("old/b.S", "ret");
    ends(&tree.diff(&["old", "new"]), 0, &["note: not looked at: b.S (is not C)"]);
    tree.write("new/u.h", "#define K 2\n");
    ends(&tree.diff(&["old", "new"]), 3, &["u.h changed, and no C file that is compared includes it"]);
}

#[test]
fn a_file_that_does_not_compile_is_left_out_only_if_it_did_not_change() {
    let source = "int f(int x) { return x; }\n";
    let broken = "#include <no_such_header.h>\n";
    let files = [("old/a.c", source), ("new/a.c", source), ("old/w/x.c", broken), ("new/w/x.c", broken)];
    let tree = Tree::with(&files);
    ends(&tree.diff(&["old", "new"]), 0, &["not looked at: w/x.c (does not compile: "]);
    tree.write("new/w/x.c", &format!("{broken}int g;\n"));
    assert_fails(&tree.diff(&["old", "new"]), &["x.c' does not compile"]);
}

#[test]
fn a_static_function_was_not_compared_because_another_file_has_one_of_its_name() {
    let text = |name: &str, sum: u32| {
        format!("static int k(int x) {{ return x + {sum}; }}\nint {name}(int x) {{ return k(x); }}\n")
    };
    let tree = Tree::with(&[
        ("old/a.c", &text("a", 1)),
        ("old/b.c", &text("b", 2)),
        ("new/a.c", &text("a", 1)),
        ("new/b.c", &text("b", 3)),
    ]);
    let said = tree.diff(&["old", "new"]);
    ends(&said, 1, &["Given x = 0:  old: returns 2   new: returns 3", "k is compared where b calls it"]);
    // Whoever has its address may call it.
    for version in ["old", "new"] {
        let text = text("b", if version == "old" { 2 } else { 3 });
        tree.write(&format!("{version}/b.c"), &format!("{text}int (*p)(int) = k;\n"));
    }
    ends(&tree.diff(&["old", "new"]), 3, &["k is not explored: several files have a static function"]);
}

#[test]
fn inputs_of_the_entry_failed_a_function_below() {
    let text = |test: &str| {
        format!(
            "static int digit(int c) {{ return c >= '0' && c {test} '9'; }}\n\
             int count(const char *s, int n) {{ int k = 0; for (int i = 0; i < n && i < 4; i++) k += digit(s[i]); return k; }}\n"
        )
    };
    let tree = Tree::with(&[("old.c", &text("<=")), ("new.c", &text("<"))]);
    let asked = ["old.c", "new.c", "--entry", "count", "--array", "s=4"];
    ends(&tree.diff(&asked), 1, &["count differs", "by itself, digit differs in 1 way"]);
    // A value that the entry has is not the one that a function below is called with.
    let asked = [&asked[..], &["--concrete", "c=1"]].concat();
    ends(&tree.diff(&asked), 1, &["by itself, digit differs in 1 way"]);
    assert_fails(
        &tree.diff(&["old.c", "new.c", "--entry", "count", "--array", "t=4"]),
        &["--array names 't'"],
    );
}

/// A change behind a condition of the preprocessor is none in this build, and that is said.
#[test]
fn changed_lines_that_are_not_compiled_are_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = |checked: &str, level: &str| {
        format!(
            "#ifdef TRACE\n#define LOG(x) note(x)\n#else\n#define LOG(x)\n#endif\nvoid note(int);\n\
             int f(int a) {{\n    LOG({level});\n#ifdef CHECKED\n    {checked}\n#endif\n    /* {checked} */\n    return a;\n}}\n"
        )
    };
    let (old, new) = (folder.path().join("old.c"), folder.path().join("new.c"));
    std::fs::write(&old, text("if (a < 0) return 0;", "1")).expect("a file is written");
    std::fs::write(&new, text("if (a < 1)\n        return 0;", "2")).expect("a file is written");
    let told = |flags: &[&str]| {
        let output = incise().arg("diff").args([&old, &new]).args(flags).output().expect("it runs");
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
    };
    let note = "changed, and not compared, because the preprocessor leaves it out";
    let all = told(&[]);
    assert!(all.contains(note), "{all}");
    assert!(all.contains("lines 8, 10 to 11 of "), "{all}");
    assert!(all.contains("lines 8, 10 of ") && all.contains(" in the old version"), "{all}");
    let checked = told(&["-DCHECKED", "--verdict-only"]);
    assert!(checked.contains("line 8 of ") && !checked.contains("10"), "{checked}");
    let traced = told(&["-DCHECKED", "-DTRACE", "--verdict-only"]);
    assert!(!traced.contains(note), "{traced}");
}
