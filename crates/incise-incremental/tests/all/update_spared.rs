//! A question that every path comes to is asked once: what the solver told on one path is used on the others, where it
//! holds there.

use crate::update_check::{Check, Tally, program};
use incise_change::Versions;
use incise_exec::Config;

/// The paths of four conditions that have nothing to do with the change, and then `end`.
fn source(end: &str) -> String {
    let conditions = "if (a > 0) r += 1; if (b > 0) r += 2; if (c > 0) r += 4; if (d > 0) r += 8;";
    format!(
        "int f(int a, int b, int c, int d, int level, int x, int y) {{ int r = 0; {conditions} {end} return r; }}\n"
    )
}

/// The paths of the new version are those of full exploration; what that took.
fn update(old: &str, new: &str) -> Tally {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let context = format!("OLD {old}\nNEW {new}");
    let old = program(folder.path(), "old", &source(old));
    let new = program(folder.path(), "new", &source(new));
    let mut tally = Tally::default();
    let mut config = Config::new("f");
    // A busy machine must not leave a question open.
    config.solver.timeout = std::time::Duration::from_secs(600);
    let versions = Versions::compare(&old, &new);
    Check { old: &old, new: &new, versions: &versions, config: &config, context: &context }.run(&mut tally);
    assert_eq!(tally.pairs, 1, "{context}");
    tally
}

#[test]
fn a_boundary_that_moved_is_found_once() {
    let tally = update("if (level > 9000) r += 16;", "if (level > 11000) r += 16;");
    assert_eq!((tally.paths, tally.added, tally.queries), (32, 16, 1));
}

#[test]
fn what_belongs_together_moves_together() {
    let tally = update(
        "if (x != y) return 50; if (x > 9000) r += 16;",
        "if (x != y) return 50; if (x > 11000) r += 16;",
    );
    assert_eq!((tally.paths, tally.added, tally.queries), (48, 16, 1));
}

#[test]
fn what_is_ruled_out_on_one_path_is_on_the_others() {
    let tally =
        update("if (level < 600) r += 16;", "if (level < 600) { r += 16; if (level >= 1200) r += 32; }");
    assert_eq!((tally.paths, tally.added, tally.queries), (32, 0, 1));
}

#[test]
fn what_other_constraints_rule_out_is_asked_again() {
    // The sum is impossible where both are small, and possible elsewhere: that it was so on one path says nothing of
    // another.
    let limits = "if (a > 0 && x > 4) return 100; if (b > 0 && y > 4) return 200; if (x < 0 || y < 0 || x > 1000 || y > 1000) return 300;";
    let old = format!("{limits} if (x == 3) r += 16;");
    let new = format!("{limits} if (x + y > 8) r += 16;");
    let tally = update(&old, &new);
    assert!(tally.queries < tally.queries_full / 2, "{tally:?}");
}

#[test]
fn what_the_old_version_decides_too_spares_a_hard_question() {
    // The product is no prime number, which takes the solver long to see. The change is met before, and has nothing to
    // do with it.
    let hard = "if (x < 2 || y < 2 || x > 65535 || y > 65535) return 100; if ((unsigned)x * (unsigned)y == 2147483647u) r += 32;";
    let tally = update(&format!("r += 16; {hard}"), &format!("r += 64; {hard}"));
    assert_eq!((tally.added, tally.queries), (0, 0), "{tally:?}");
}
