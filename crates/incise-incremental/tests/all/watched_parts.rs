//! Parts that are each decided, on random programs: one exploration that is about some variables, and leaves out what
//! does not concern them, finds the same of them to differ as comparing everything does.

use crate::differ_check::{Asked, Both};
use incise_exec::Config;
use incise_incremental::differ::{Judgement, Watched};
use incise_ir::Program;
use incise_relate::Seen;
use incise_testing::kinds::independent::batch_that_leaves;
use incise_testing::{Random, program, shorter};
use std::collections::BTreeSet;

const PROGRAMS: usize = 40;

/// The watched variables that differ on some witness.
fn differing(found: &Judgement, watched: &Watched) -> BTreeSet<String> {
    let values = found.witnesses.iter().flat_map(|witness| &witness.values);
    let global = values.filter(|value| value.seen == Seen::Global);
    let about = |name: &str| watched.names.iter().find(|each| Watched::is_about(name, each)).cloned();
    global.filter_map(|value| about(&value.name)).collect()
}

/// Every so many of the global variables.
fn some(program: &Program, every: usize) -> Watched {
    let globals = program.globals.iter().filter(|(_, global)| !global.model && !global.constant);
    let globals = globals.enumerate().filter(|(number, _)| number % every == 0);
    let mut watched = Watched::default();
    for (_, (_, global)) in globals {
        watched.symbols.insert(global.name.clone());
        watched.names.insert(global.source_name.clone().unwrap_or_else(|| global.name.clone()));
    }
    watched
}

#[test]
fn watched_parts_differ_where_comparing_everything_says_so() {
    let (mut differ, mut same) = (0, 0);
    for seed in shorter(0..3, 0..12) {
        let batch = batch_that_leaves(Random::new(seed, 5_212), PROGRAMS);
        let both = Both::new(program(&batch.old), program(&batch.new));
        let (_, new) = both.programs();
        for (number, text) in batch.texts.iter().enumerate() {
            let config = Config::new(format!("e{number}"));
            let ask = |directed, watched: &Watched| {
                let asked = Asked { directed, all_ways: true, loops_grow: false };
                both.compare_watched(&config, asked, Some(watched)).expect("something changed")
            };
            let everything = some(new, 1);
            let all = ask(false, &everything);
            for every in [1, 2, 3] {
                let watched = some(new, every);
                let found = ask(true, &watched);
                assert!(found.undecided.is_empty() && all.undecided.is_empty(), "seed {seed}\n{text}");
                let expected: BTreeSet<String> =
                    differing(&all, &everything).intersection(&watched.names).cloned().collect();
                let shown = differing(&found, &watched);
                assert_eq!(shown, expected, "seed {seed}, every {every}\n{text}");
                differ += shown.len();
                same += watched.names.len() - shown.len();
            }
        }
    }
    assert!(differ >= 50 && same > 50, "{differ} differ, {same} are the same");
}
