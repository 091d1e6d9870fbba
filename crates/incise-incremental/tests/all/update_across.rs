//! The guarantee of keeping tests up to date, on random version pairs of programs of several functions.

use crate::update_check::{Check, Tally, program};
use incise_change::Versions;
use incise_testing::{Features, batch, shorter};

/// Programs in one file.
const BATCH: usize = 40;
/// A program with more paths than this is left out: it says nothing that a smaller one does not.
const MOST_PATHS: u64 = 300;

fn check(seeds: std::ops::Range<u64>) {
    let mut tally = Tally::default();
    for seed in seeds {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let batch = batch(&Features::programs(), seed, BATCH);
        let old = program(folder.path(), "old", &batch.old);
        let new = program(folder.path(), "new", &batch.new);
        let versions = Versions::compare(&old, &new);
        for pair in &batch.pairs {
            let context = format!("seed {seed}, {}", pair.texts());
            let mut config = pair.config();
            config.limits.paths = MOST_PATHS;
            Check { old: &old, new: &new, versions: &versions, config: &config, context: &context }
                .run(&mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.untouched > 0 && tally.kept > 0 && tally.added > 0 && tally.collapsed > 0);
    assert!(tally.shared > 0);
    assert!(tally.queries < tally.queries_without_rules, "the rules spare queries");
    assert!(tally.queries_without_rules < tally.queries_full, "tests spare queries");
    assert!(tally.noted > 0 && tally.queries_noted < tally.queries_not_noted, "notes spare queries");
}

#[test]
fn paths_are_those_of_full_exploration_across_calls() {
    check(shorter(0..1, 0..5));
}

#[test]
fn paths_are_those_of_full_exploration_across_calls_in_more_programs() {
    check(shorter(5..6, 5..10));
}
