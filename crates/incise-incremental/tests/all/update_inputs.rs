//! The inputs of a path that no old test takes: those of the nearest old test, but for what the path demands otherwise.

use crate::update_check::program;
use incise_change::Versions;
use incise_exec::{Config, InputValue, Path};
use incise_incremental::explore_update;
use incise_seeds::{Seed, SeedEnd, Seeds};
use incise_testing::hooks;

/// An old test: the values of its inputs by name.
type Test<'a> = &'a [(&'a str, i32)];

/// The inputs of the paths without an old test, with what they return, in order.
fn added(old: &str, new: &str, tests: &[Test<'_>], workers: usize) -> Vec<(Vec<(String, i32)>, i128)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (old, new) = (program(folder.path(), "old", old), program(folder.path(), "new", new));
    let bytes = |test: &Test<'_>| test.iter().map(|(_, value)| value.to_le_bytes()).collect::<Vec<_>>();
    let bytes: Vec<Vec<[u8; 4]>> = tests.iter().map(bytes).collect();
    let seeds: Vec<Seed<'_>> = tests
        .iter()
        .zip(&bytes)
        .map(|(test, bytes)| Seed {
            pointers: Vec::new(),
            inputs: test.iter().zip(bytes).map(|((name, _), bytes)| (*name, bytes.as_slice())).collect(),
            end: SeedEnd::Ended,
            renumbered: false,
        })
        .collect();
    let seeds = Seeds { all: &seeds, paths_of: None, judge: None };
    let config = Config { workers, ..Config::new("f") };
    let versions = Versions::compare(&old, &new);
    let found = explore_update(&config, &hooks(), (&old, &new), &versions, &seeds).expect("it is explored");
    found.paths().filter(|(_, takers)| takers.seeds.is_empty()).map(|(path, _)| told(path)).collect()
}

fn told(path: &Path) -> (Vec<(String, i32)>, i128) {
    let number = |bytes: &[u8]| i32::from_le_bytes(bytes.try_into().expect("four bytes"));
    let inputs = path.inputs.iter().flatten();
    let returned = match path.returned {
        Some(InputValue::Signed(returned)) => returned,
        ref other => panic!("no number is returned: {other:?}"),
    };
    (inputs.map(|input| (input.name.clone(), number(&input.bytes))).collect(), returned)
}

fn named(values: Test<'_>) -> Vec<(String, i32)> {
    values.iter().map(|&(name, value)| (name.to_owned(), value)).collect()
}

/// For any number of workers.
fn check(old: &str, new: &str, tests: &[Test<'_>], expected: &[(Test<'_>, i128)]) {
    let expected: Vec<_> = expected.iter().map(|&(inputs, returned)| (named(inputs), returned)).collect();
    for workers in [1, 3] {
        assert_eq!(added(old, new, tests, workers), expected, "{workers} workers");
    }
}

const TESTS: &[Test<'static>] = &[
    &[("a", -50), ("b", 8), ("c", 60), ("d", 9)],
    &[("a", 77), ("b", 42), ("c", -9), ("d", 1000)],
    &[("a", 80), ("b", 43), ("c", -9), ("d", 2000)],
    &[("a", 77), ("b", 2), ("c", -9), ("d", 3000)],
];

#[test]
fn what_the_path_does_not_demand_otherwise_is_kept() {
    let old =
        "int f(int a, int b, int c, int d) { if (a > 10) { if (b > 5) return 1; return 2; } return 3; }";
    let new = "int f(int a, int b, int c, int d) { if (a > 10) { if (b > 5) { if (b > 100) return 7; return 1; } return 2; } return 3; }";
    // The first two go as far as `b > 5`: the first of them counts.
    check(old, new, TESTS, &[(&[("a", 77), ("b", 101), ("c", -9), ("d", 1000)], 7)]);
}

#[test]
fn parts_that_a_test_satisfies_by_chance_are_kept_too() {
    let old = "int f(int a, int b, int c, int d) { if (a > 10) return 1; return 3; }";
    let new = "int f(int a, int b, int c, int d) { if (a > 1000) { if (c < 0 && b == 42) { if (b < d) return 7; return 8; } return 9; } if (a > 10) return 1; return 3; }";
    check(
        old,
        new,
        &TESTS[1..2],
        &[
            (&[("a", 1001), ("b", 42), ("c", -9), ("d", 1000)], 7),
            (&[("a", 1001), ("b", 42), ("c", -9), ("d", 42)], 8),
            (&[("a", 1001), ("b", 41), ("c", -9), ("d", 1000)], 9),
            (&[("a", 1001), ("b", 42), ("c", 0), ("d", 1000)], 9),
            (&[("a", 10), ("b", 42), ("c", -9), ("d", 1000)], 3),
        ],
    );
}

#[test]
fn inputs_that_are_made_later_have_the_values_of_the_test() {
    const MAKE: &str = "void klee_make_symbolic(void *, unsigned long, const char *);";
    let old = format!(
        "{MAKE} int f(int a) {{ int later; klee_make_symbolic(&later, sizeof later, \"later\"); if (later > 5) return 1; return 2; }}"
    );
    let new = format!(
        "{MAKE} int f(int a) {{ if (a == 3) {{ int later; klee_make_symbolic(&later, sizeof later, \"later\"); if (later > 5) return 7; return 8; }}
           int later; klee_make_symbolic(&later, sizeof later, \"later\"); if (later > 5) return 1; return 2; }}"
    );
    let tests: &[Test<'_>] = &[&[("a", 40), ("later", 33)], &[("a", 41), ("later", 1)]];
    check(&old, &new, tests, &[(&[("a", 3), ("later", 33)], 7), (&[("a", 3), ("later", 5)], 8)]);
}

#[test]
fn without_a_test_that_fits_inputs_are_as_in_a_new_suite() {
    let old = "int f(int a, int b) { if (a > 10) return 1; return 3; }";
    let new = "int f(int a, int b) { if (a > 11) return 1; return 3; }";
    let expected: &[(Test<'_>, i128)] = &[(&[("a", 12), ("b", 0)], 1), (&[("a", 0), ("b", 0)], 3)];
    check(old, new, &[], expected);
    check(old, new, &[&[("a", 7)]], expected);
}
