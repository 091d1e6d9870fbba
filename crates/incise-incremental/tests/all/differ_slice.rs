//! Two versions compared on random programs in which most things have nothing to do with each other: what is left out
//! because the change does not concern it makes no other verdict than comparing everything.

use crate::differ_check::{Asked, Both};
use incise_exec::Config;
use incise_incremental::differ::{Judgement, Sameness};
use incise_testing::kinds::independent::batch;
use incise_testing::{Random, program, shorter};

const PROGRAMS: usize = 40;

fn errors(found: &Judgement) -> [Vec<&str>; 2] {
    [&found.introduced, &found.fixed].map(|errors| errors.iter().map(|error| error.kind.name()).collect())
}

#[test]
fn what_does_not_concern_the_change_has_no_influence() {
    let (mut states, mut all_states, mut differing, mut same) = (0, 0, 0, 0);
    for seed in shorter(0..2, 0..12) {
        let batch = batch(Random::new(seed, 4711), PROGRAMS);
        let both = Both::new(program(&batch.old), program(&batch.new));
        for (number, text) in batch.texts.iter().enumerate() {
            let config = Config::new(format!("e{number}"));
            let ask = |directed| {
                let asked = Asked { directed, all_ways: true, loops_grow: false };
                both.compare(&config, asked).expect("something changed")
            };
            let (all, found) = (ask(false), ask(true));
            assert_eq!(found.verdict, all.verdict, "seed {seed}\n{text}\n{:?}", found.undecided);
            assert_eq!(errors(&found), errors(&all), "seed {seed}\n{text}");
            assert_eq!(found.effort.diverged, 0, "seed {seed}\n{text}");
            match found.verdict {
                Sameness::Differs => differing += 1,
                Sameness::Same => same += 1,
                other => panic!("{other:?}: {:?}\n{text}", found.undecided),
            }
            states += found.effort.states;
            all_states += all.effort.states;
        }
    }
    println!("{differing} differ, {same} are the same; states {states} of {all_states}");
    assert!(
        states * 4 < all_states * 3,
        "branches without an influence are not explored: {states} of {all_states}"
    );
}
