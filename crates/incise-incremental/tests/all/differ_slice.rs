//! Two versions compared on random programs in which most things have nothing to do with each other: what is left out
//! because the change does not concern it makes no other verdict than comparing everything.

use incise_change::{Impact, Rules, Versions};
use incise_exec::Config;
use incise_incremental::Subject;
use incise_incremental::differ::{Judgement, Question, Sameness, differ};
use incise_relate::Visible;
use incise_testing::Random;
use incise_testing::hooks;
use incise_testing::independent::{HELPERS, pair};
use incise_testing::program;
use incise_testing::shorter;

const PROGRAMS: usize = 40;

fn errors(found: &Judgement) -> [Vec<&str>; 2] {
    [&found.introduced, &found.fixed].map(|errors| errors.iter().map(|error| error.kind.name()).collect())
}

#[test]
fn what_does_not_concern_the_change_has_no_influence() {
    let (mut states, mut all_states, mut differing, mut same) = (0, 0, 0, 0);
    for seed in shorter(0..4, 0..12) {
        let mut random = Random::new(seed, 4711);
        let (mut old, mut new) = (HELPERS.to_owned(), HELPERS.to_owned());
        let mut texts = Vec::new();
        for number in 0..PROGRAMS {
            let (before, after) = pair(&mut random, number);
            old += &before;
            new += &after;
            texts.push(after);
        }
        let (old, new) = (program(&old), program(&new));
        for (number, text) in texts.iter().enumerate() {
            let name = format!("e{number}");
            let entries = (old.function_named(&name).expect("old"), new.function_named(&name).expect("new"));
            let versions = Versions::compare(&old, &new);
            let ids = (&[entries.0][..], &[entries.1][..]);
            let (forward, backward) = Impact::both_ways(&old, &new, versions, ids, Rules::Closed, false);
            let effects = (backward.effects.as_ref(), forward.effects.as_ref());
            let (Some(old_effects), Some(new_effects)) = effects else { panic!("nothing changed") };
            let mut old_scope = backward.below(ids.0, old_effects, Rules::Closed);
            let mut new_scope = forward.below(ids.1, new_effects, Rules::Closed);
            let (old_root, new_root) = (old_scope.root(entries.0), new_scope.root(entries.1));
            let subjects = (Subject::new(&old_scope, old_root), Subject::new(&new_scope, new_root));
            let config = Config::new(&name);
            let hooks = hooks();
            let ask = |subjects, impact| {
                let (old, new, visible) = ((&old, &config), (&new, &config), Visible::default());
                differ(
                    &Question { old, new, subjects, impact, visible, all_ways: true, loops_grow: false },
                    &hooks,
                )
                .expect("they are compared")
            };
            let all = ask(None, None);
            let found = ask(Some((&subjects.0, &subjects.1)), Some(&forward));
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
