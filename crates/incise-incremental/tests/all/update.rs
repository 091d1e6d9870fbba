//! The guarantee of keeping tests up to date, on random version pairs of functions: with the tests of the old version,
//! the new one's paths are found as full exploration finds them.

use crate::update_check::{Check, Tally, program};
use incise_change::Versions;
use incise_testing::{Features, batch, shorter};

/// Functions in one file.
const BATCH: usize = 250;

fn check(seeds: std::ops::Range<u64>) {
    let mut tally = Tally::default();
    for seed in seeds {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let batch = batch(&Features::functions(), seed, BATCH);
        let old = program(folder.path(), "old", &batch.old);
        let new = program(folder.path(), "new", &batch.new);
        let versions = Versions::compare(&old, &new);
        for pair in &batch.pairs {
            let context = format!("seed {seed}, {}", pair.texts());
            let config = pair.config();
            Check { old: &old, new: &new, versions: &versions, config: &config, context: &context }
                .run(&mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.untouched > 0 && tally.kept > 0 && tally.added > 0 && tally.collapsed > 0);
    assert!(tally.shared > 0 && tally.as_expected > 0 && tally.different > 0);
    assert!(tally.queries < tally.queries_without_rules, "the rules spare queries");
    assert!(tally.queries_without_rules < tally.queries_full, "tests spare queries");
    assert!(tally.noted > 0 && tally.queries_noted < tally.queries_not_noted, "notes spare queries");
}

#[test]
fn paths_are_those_of_full_exploration() {
    check(shorter(0..1, 0..4));
}

#[test]
fn paths_are_those_of_full_exploration_on_more_functions() {
    check(shorter(4..5, 4..8));
}
