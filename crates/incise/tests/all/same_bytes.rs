//! The same input gives the same bytes: for any number of workers, any searcher, and tables that are ordered by chance
//! in each process.

use crate::common::{incise, root};

/// What a command says of programs that have many paths, inputs and errors.
fn said(arguments: &[&str], more: &[&str]) -> String {
    let output = incise().current_dir(root()).args(arguments).args(more).output().expect("the binary runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|status| status != 2), "{arguments:?}: {errors}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.len() > 100, "{arguments:?} says little: {text}");
    text
}

const PROGRAMS: [&[&str]; 4] = [
    &["run", "tests/corpus/entry_linked_list.c", "--entry", "second_value", "--pointer-depth", "3"],
    &["run", "tests/corpus/entry_struct_with_pointers.c", "--entry", "total", "--array", "order->items=2"],
    &["diff", "examples/diff/brake-old.c", "examples/diff/brake-new.c"],
    &["impact", "examples/diff/brake-old.c", "examples/diff/brake-new.c"],
];

#[test]
fn two_runs_say_the_same() {
    for arguments in PROGRAMS {
        assert_eq!(said(arguments, &[]), said(arguments, &[]), "{arguments:?}");
    }
}

#[test]
fn the_number_of_workers_makes_no_difference() {
    for arguments in &PROGRAMS[..3] {
        let alone = said(arguments, &["-j", "1"]);
        for workers in ["2", "5"] {
            assert_eq!(alone, said(arguments, &["-j", workers]), "{arguments:?} -j {workers}");
        }
    }
}

#[test]
fn the_searcher_makes_no_difference() {
    for arguments in &PROGRAMS[..2] {
        let first = said(arguments, &["--search", "dfs"]);
        for searcher in ["bfs", "random-path", "coverage"] {
            assert_eq!(first, said(arguments, &["--search", searcher]), "{arguments:?} --search {searcher}");
        }
    }
}
