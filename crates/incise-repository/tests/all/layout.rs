//! What is laid out: ends of lines, odd names, links, submodules, filters, and what archives leave out.

use crate::common::{Made, compare, git, open, short};
use std::os::unix::ffi::OsStrExt;

fn read(root: &std::path::Path, file: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}")))
        .into_owned()
}

#[test]
fn files_have_the_ends_of_lines_of_a_checkout() {
    let made = Made::new(&[]);
    made.git(&["config", "core.autocrlf", "true"]);
    made.write("a.c", "int a;\r\nint b;\r\n")
        .write(".gitattributes", "*.h eol=lf\n")
        .write("h.h", "int h;\n")
        .commit("one");
    let (old, _, found) = made.compare(&[]);
    assert_eq!(
        (read(&old.root, "a.c").as_str(), read(&old.root, "h.h").as_str()),
        ("int a;\r\nint b;\r\n", "int h;\n")
    );
    assert_eq!(short(&found), [""; 0]);
    // Touched, with the same in it: that is no change.
    made.write("a.c", "int a;\r\nint b;\r\n");
    assert_eq!(short(&made.compare(&[]).2), [""; 0]);
    made.write("a.c", "int a;\r\nint c;\r\n");
    assert_eq!(short(&made.compare(&[]).2), ["a.c"]);
}

#[test]
fn names_may_be_odd() {
    let made = Made::new(&[]);
    let names =
        ["a b.c", "q\"uote.c", "new\nline.c", "tab\there.c", "ümläut/ß.c", "-dash.c", "back\\slash.c", "*.c"];
    for name in names {
        made.write(name, "int x;\n");
    }
    let bytes = std::ffi::OsStr::from_bytes(b"\xff\xfe.c");
    std::fs::write(made.path().join(bytes), "int y;\n").expect("it is written");
    made.commit("one");
    for name in names {
        made.write(name, "int x = 1;\n");
    }
    let (old, new, found) = made.compare(&[]);
    assert_eq!(found.len(), names.len());
    for change in &found {
        let file = change.old.as_ref().expect("it was there");
        assert_eq!(std::fs::read(old.root.join(file)).expect("laid out"), b"int x;\n", "{}", file.display());
        assert_eq!(std::fs::read(new.root.join(file)).expect("there"), b"int x = 1;\n");
    }
    assert!(old.root.join(bytes).exists());
}

#[test]
fn what_archives_leave_out_is_there() {
    let made = Made::new(&[]);
    made.write("a.c", "int a;\n")
        .write("t/t.c", "int t;\n")
        .write(".gitattributes", "t export-ignore\n")
        .commit("one");
    assert_eq!(read(&made.compare(&[]).0.root, "t/t.c"), "int t;\n");
}

#[test]
fn links_stay_links() {
    let made = Made::new(&[]);
    made.write("real.h", "int a;\n");
    std::os::unix::fs::symlink("real.h", made.path().join("link.h")).expect("a link");
    made.commit("one");
    let (old, _, found) = made.compare(&[]);
    assert_eq!(std::fs::read_link(old.root.join("link.h")).expect("a link").as_os_str(), "real.h");
    assert_eq!(short(&found), [""; 0]);
}

#[test]
fn filters_run_for_sources_only_and_those_of_lfs_never() {
    let made = Made::new(&[]);
    let trace = made.path().join(".git/ran");
    let program = |name: &str| format!("echo {name} %f >> '{}'; tr a-z A-Z", trace.display());
    for name in ["shout", "lfs"] {
        made.git(&["config", &format!("filter.{name}.smudge"), &program(name)]);
        made.git(&["config", &format!("filter.{name}.clean"), "tr A-Z a-z"]);
    }
    made.write(".gitattributes", "a.c filter=shout\nbig.bin filter=shout\nl.c filter=lfs\n");
    made.write("a.c", "INT A;\n").write("big.bin", "DATA\n").write("l.c", "int l;\n").commit("one");
    let _ = std::fs::remove_file(&trace);
    let (old, _, _) = made.compare(&["HEAD"]);
    assert_eq!(read(&old.root, "a.c"), "INT A;\n", "as a checkout has it");
    assert_eq!(read(&old.root, "big.bin"), "data\n");
    assert_eq!(read(&old.root, "l.c"), "int l;\n");
    assert_eq!(read(&made.path(), ".git/ran"), "shout a.c\n");
    assert!(old.notes.iter().any(|note| note.contains("filters")), "{:?}", old.notes);
}

#[test]
fn sources_that_lfs_keeps_elsewhere_are_named() {
    let made = Made::new(&[]);
    made.write("t.c", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n").commit("one");
    let (old, _, _) = made.compare(&["HEAD"]);
    assert!(old.notes.iter().any(|note| note.contains("t.c is kept by LFS")), "{:?}", old.notes);
}

fn with_submodule() -> (Made, Made) {
    let inner = Made::new(&[]);
    inner.write("in.h", "#define N 1\n").commit("one");
    let outer = Made::new(&[]);
    outer.write("a.c", "#include \"lib/in.h\"\n").commit("zero");
    outer.git(&["submodule", "add", "-q", &inner.path().to_string_lossy(), "lib"]).commit("one");
    (inner, outer)
}

#[test]
fn submodules_are_followed() {
    let (inner, outer) = with_submodule();
    inner.write("in.h", "#define N 2\n").commit("two");
    git(&outer.path().join("lib"), &["pull", "-q"]);
    let (old, new, found) = outer.compare(&[]);
    assert_eq!(short(&found), ["lib/in.h"], "not committed");
    assert_eq!(
        (read(&old.root, "lib/in.h").as_str(), read(&new.root, "lib/in.h").as_str()),
        ("#define N 1\n", "#define N 2\n")
    );
    outer.commit("two");
    let (old, new, found) = outer.compare(&["HEAD~1..HEAD"]);
    assert_eq!(short(&found), ["lib/in.h"]);
    assert_eq!(
        (read(&old.root, "lib/in.h").as_str(), read(&new.root, "lib/in.h").as_str()),
        ("#define N 1\n", "#define N 2\n")
    );
    // A file inside that nobody committed.
    std::fs::write(outer.path().join("lib/in.h"), "#define N 3\n").expect("written");
    assert_eq!(short(&outer.compare(&[]).2), ["lib/in.h"]);
}

#[test]
fn a_submodule_that_is_not_checked_out_is_found_where_git_keeps_it() {
    let (_inner, outer) = with_submodule();
    outer.git(&["submodule", "deinit", "-q", "-f", "lib"]);
    let (old, new, _) = outer.compare(&["HEAD", "HEAD"]);
    assert_eq!(read(&old.root, "lib/in.h"), "#define N 1\n");
    assert!(new.notes.is_empty(), "{:?}", new.notes);
    let (_, new, _) = outer.compare(&[]);
    assert!(new.notes.iter().any(|note| note.contains("lib is not checked out")), "{:?}", new.notes);
}

#[test]
fn a_submodule_that_nobody_has_is_named() {
    let (_inner, outer) = with_submodule();
    let place = tempfile::tempdir().expect("a folder");
    git(place.path(), &["clone", "-q", &outer.path().to_string_lossy(), "it"]);
    let (old, _, _) = compare(&open(&place.path().join("it")), &["HEAD"]);
    assert!(
        old.notes.iter().any(|note| note.contains("the submodule lib of HEAD is not here")),
        "{:?}",
        old.notes
    );
}

#[test]
fn files_that_moved_are_paired_by_what_is_in_them() {
    let made = Made::new(&[]);
    let body = |name: &str| (0..20).map(|n| format!("int {name}{n};\n")).collect::<String>();
    made.write("a.c", body("a")).write("b.c", body("b")).write("gone.c", body("g")).commit("one");
    made.git(&["mv", "a.c", "deep.c"]).git(&["rm", "-q", "gone.c"]);
    std::fs::create_dir(made.path().join("src")).expect("a folder");
    std::fs::rename(made.path().join("b.c"), made.path().join("src/b.c")).expect("it moves");
    made.write("src/b.c", body("b") + "int more;\n").write("fresh.c", body("f"));
    assert_eq!(short(&made.compare(&[]).2), ["a.c>deep.c", "+fresh.c", "-gone.c", "b.c>src/b.c"]);
}
