//! Impacted coverage on random versions of functions: what directed exploration covers is what full exploration covers.

use crate::cover_check::{Tally, limited, program, summary, with_scope};
use incise_change::{Impact, Rules};
use incise_testing::{Features, batch, shorter};

/// Functions alone and with what they call.
fn functions(seeds: std::ops::Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let batch = batch(&Features::functions(), seed, 100);
        let old = program(folder.path(), "old", &batch.old);
        let new = program(folder.path(), "new", &batch.new);
        let impact = Impact::new(&old, &new, Rules::Closed, false);
        let effects = impact.effects.as_ref().expect("something changed");
        for pair in &batch.pairs {
            let Some(function) = impact.function(&pair.entry()) else { continue };
            let context = || format!("seed {seed}, {}", pair.texts());
            let alone = impact.within(function, effects, Rules::Closed);
            let below = impact.below(&[function.function], effects, Rules::Closed);
            for scope in [alone, below] {
                with_scope(scope, function.function, effects, &limited(pair), &context, &mut tally);
            }
        }
    }
    tally
}

#[test]
fn what_full_exploration_covers_is_covered_in_functions() {
    summary(&functions(shorter(0..2, 0..6)));
}
