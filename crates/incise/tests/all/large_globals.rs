//! Global variables that are too large to be symbols, byte by byte: programs with them are explored all the same.

use crate::common::Folder;

const SOURCE: &str = "static char buffer[SIZE]; static int used;
int put(int c) { if (used < 0 || used >= 4) return -1; buffer[used] = (char)c; return buffer[used + 1]; }
int twice(int x) { return x > 3 ? 2 * x : 0; }
";

#[test]
fn a_large_buffer_that_nothing_comes_to_costs_nothing() {
    let folder = Folder::with(&[("a.c", SOURCE)]);
    let said = folder.run(&["run", "a.c", "-DSIZE=67108864", "--entry", "twice", "--max-memory", "1G"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.contains("2 paths") && said.stdout.contains("complete: these are"),
        "{}",
        said.stdout
    );
}

#[test]
fn a_buffer_that_is_too_large_for_symbols_is_said_to_be() {
    let folder = Folder::with(&[("a.c", SOURCE)]);
    let said = folder.run(&["run", "a.c", "-DSIZE=1048576", "--entry", "put", "--tests", "t", "--replay"]);
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("the content of buffer (1048576 bytes"), "{}", said.stdout);
    assert!(said.stdout.contains("not complete"), "{}", said.stdout);
    // What is left is as it is at the start, natively too.
    assert!(!said.stdout.contains("disagrees"), "{}", said.stdout);
}

#[test]
fn a_smaller_one_has_any_content() {
    let folder = Folder::with(&[("a.c", SOURCE)]);
    let said = folder.run(&["run", "a.c", "-DSIZE=4096", "--entry", "put"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("complete: these are"), "{}", said.stdout);
}

#[test]
fn same_is_not_said_of_what_depends_on_such_a_buffer() {
    let read = "static char buffer[1 << 20]; void set(int i) { buffer[i & 7] = 1; }\n";
    let old = format!("{read}int first(void) {{ return buffer[0] == 9 ? 1 : 2; }}\n");
    let new = format!("{read}int first(void) {{ return buffer[0] == 9 ? 3 : 2; }}\n");
    let folder = Folder::with(&[("old.c", &old), ("new.c", &new)]);
    let said = folder.run(&["diff", "old.c", "new.c", "--entry", "first", "--verdict-only"]);
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
}
