//! The verdicts on random pairs of versions, with all inputs run natively: `same` is never said where an input differs,
//! every witness differs, and little is undecided.

use crate::differ_check::{Asked, Both, summary};
use incise_incremental::differ::{Judgement, Sameness, Witness};
use incise_testing::judge::{Seen, all_inputs};
use incise_testing::{Features, Pair, batch, program_in, shorter};

/// Programs in one file.
const BATCH: usize = 125;

/// The number of the input that a witness shows.
fn input_number(pair: &Pair, witness: &Witness) -> usize {
    let inputs = witness.new.inputs.as_ref().expect("a witness has inputs");
    let given = |name: &str| inputs.iter().find(|input| input.name == name).map(|input| input.bytes.clone());
    pair.input_number(given)
}

#[derive(Default)]
struct Tally {
    pairs: usize,
    same: usize,
    differing: usize,
    witnesses: usize,
    bounded: usize,
    undecided: usize,
    missed: usize,
    states: u64,
    queries: u64,
    composed: usize,
}

impl Tally {
    fn pair(&mut self, pair: &Pair, seen: &[Seen], judgement: Option<&Judgement>, context: &str) {
        let different = seen.contains(&Seen::Different);
        let verdict = judgement.map_or(Sameness::Same, |judgement| judgement.verdict);
        self.pairs += 1;
        self.states += judgement.map_or(0, |judgement| judgement.effort.states);
        self.queries += judgement.map_or(0, |judgement| judgement.queries);
        self.composed += usize::from(judgement.is_some_and(|judgement| !judgement.composed.is_empty()));
        let why = || format!("{context}\n{}{}", pair.texts(), judgement.map_or_else(String::new, summary));
        match verdict {
            Sameness::Same | Sameness::WithinBounds => {
                let example = seen.iter().position(|&seen| seen == Seen::Different);
                assert!(!different, "input {example:?} differs, and the verdict is {verdict:?}: {}", why());
                self.same += 1;
                self.bounded += usize::from(verdict == Sameness::WithinBounds);
            }
            Sameness::Differs => {
                assert!(seen.iter().any(|&seen| seen != Seen::Same), "nothing differs: {}", why());
                self.differing += 1;
            }
            Sameness::Undecided => {
                self.undecided += 1;
                self.missed += usize::from(different);
            }
        }
        for witness in judgement.iter().flat_map(|judgement| &judgement.witnesses) {
            let number = input_number(pair, witness);
            assert_ne!(seen[number], Seen::Same, "input {number} does not differ: {}", why());
            self.witnesses += 1;
        }
    }

    fn print(&self) {
        let Self { pairs, same, differing, witnesses, bounded, undecided, missed, states, queries, composed } =
            self;
        println!(
            "{pairs} pairs: {same} same ({bounded} of them within bounds, {composed} function by function), {differing} differ with {witnesses} witnesses, \
             {undecided} undecided ({missed} of them differ); {states} states, {queries} queries"
        );
    }
}

fn check(seeds: std::ops::Range<u64>, directed: bool) {
    let mut tally = Tally::default();
    for seed in seeds {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let batch = batch(&Features::few_inputs(), seed, BATCH);
        let judged = all_inputs(folder.path(), &batch).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        let (old, new) =
            (program_in(folder.path(), "old", &batch.old), program_in(folder.path(), "new", &batch.new));
        let both = Both::new(old, new);
        for (pair, seen) in batch.pairs.iter().zip(&judged) {
            let asked = Asked { directed, all_ways: true, ..Asked::default() };
            let judgement = both.compare(&pair.config(), asked);
            tally.pair(pair, seen, judgement.as_ref(), &format!("seed {seed}"));
        }
    }
    tally.print();
    assert!(tally.same * 5 > tally.pairs && tally.differing * 5 > tally.pairs, "both kinds are frequent");
    assert!(tally.undecided * 50 < tally.pairs, "{} of {} are undecided", tally.undecided, tally.pairs);
}

#[test]
fn verdicts_are_those_of_all_inputs() {
    check(shorter(0..1, 0..14), true);
}

#[test]
fn verdicts_are_those_of_all_inputs_on_more_programs() {
    check(shorter(14..15, 14..28), true);
}

#[test]
fn verdicts_without_a_change_to_go_by_are_the_same() {
    check(shorter(100..101, 100..104), false);
}
