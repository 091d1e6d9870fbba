//! Verdicts function by function, on random pairs of versions in which functions changed that the entry calls: they are
//! said only where no input differs natively, and where exploring both versions from the entry finds nothing.

use incise_change::{Composition, Impact, Rules, Versions};
use incise_incremental::differ::{Judgement, Question, Sameness, differ};
use incise_ir::Program;
use incise_relate::Visible;
use incise_testing::judge::{Seen, all_inputs};
use incise_testing::{Features, Pair, batch, hooks, program_in, shorter};

/// Programs in one file.
const BATCH: usize = 125;

/// So many paths are too few for most entries, and enough for most functions.
const FEW: u64 = 3;

/// Compares two versions from an entry, with what is known of the change or without, and with so many paths at most.
fn compare(
    old: &Program,
    new: &Program,
    pair: &Pair,
    impact: Option<&Impact<'_>>,
    paths: Option<u64>,
) -> Judgement {
    let mut config = pair.config();
    config.limits.paths = paths.unwrap_or(config.limits.paths);
    let hooks = hooks();
    let visible = Visible::default();
    let question = Question {
        old: (old, &config),
        new: (new, &config),
        subjects: None,
        impact,
        visible,
        all_ways: true,
        loops_grow: false,
    };
    differ(&question, &hooks).expect("they are compared")
}

#[test]
fn what_is_the_same_function_by_function_is_the_same() {
    let (mut composed, mut variables, mut failing, mut differing) = (0, 0, 0, 0);
    let seeds = shorter(500..501, 500..504);
    let batches = seeds.clone().count();
    for seed in seeds {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let batch = batch(&Features::few_inputs_changed_below(), seed, BATCH);
        let judged = all_inputs(folder.path(), &batch).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        let (old, new) =
            (program_in(folder.path(), "old", &batch.old), program_in(folder.path(), "new", &batch.new));
        let versions = Versions::compare(&old, &new);
        for (pair, seen) in batch.pairs.iter().zip(&judged) {
            let name = pair.entry();
            let (Some(before), Some(after)) = (old.function_named(&name), new.function_named(&name)) else {
                panic!("{name} is there")
            };
            let entries: (&[_], &[_]) = (&[before], &[after]);
            let (impact, _) = Impact::both_ways(&old, &new, versions.clone(), entries, Rules::Closed, false);
            differing += usize::from(seen.contains(&Seen::Different));
            let parts = Composition::new((&old, &new), &impact.versions, (before, after));
            let Ok(parts) = parts else { continue };
            let mut found = compare(&old, &new, pair, Some(&impact), None);
            if found.composed.is_empty() {
                // Where functions fail in both versions alike, exploring from the entry has the first word.
                found = compare(&old, &new, pair, Some(&impact), Some(FEW));
                failing += usize::from(!found.composed.is_empty());
            }
            if found.composed.is_empty() {
                continue;
            }
            let why = || format!("seed {seed}, {:?}\n{}", found.composed, pair.texts());
            assert_eq!(found.verdict, Sameness::Same, "{}", why());
            let example = seen.iter().position(|&seen| seen == Seen::Different);
            assert_eq!(example, None, "an input differs: {}", why());
            let all = compare(&old, &new, pair, None, None);
            assert!(all.composed.is_empty(), "without a change to go by all is explored");
            // Where every input goes wrong in memory in both versions nothing was compared, and that is said.
            let nothing_valid =
                all.undecided.iter().all(|reason| reason.to_string().contains("itself goes wrong in memory"));
            let expected = if all.valid == 0 && nothing_valid { all.verdict } else { Sameness::Same };
            assert_eq!(all.verdict, expected, "{:?}: {}", all.undecided, why());
            composed += 1;
            variables += usize::from(parts.changed.iter().any(|part| !part.variables.is_empty()));
        }
    }
    println!(
        "{composed} function by function, {variables} of them with variables of the program, {failing} with errors; {differing} differ"
    );
    assert!(
        composed > 20 * batches
            && variables > 12 * batches
            && failing > shorter(0, 2)
            && differing > 15 * batches,
        "{composed}, {variables}, {failing}, {differing}"
    );
}
