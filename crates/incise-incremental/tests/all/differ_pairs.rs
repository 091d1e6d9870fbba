//! The verdicts on random pairs of versions, with all inputs run natively: `same` is never said where an input differs,
//! every witness differs, and little is undecided.

use incise_change::{Impact, Rules, Versions};
use incise_exec::Config;
use incise_incremental::Subject;
use incise_incremental::differ::{Judgement, Question, Sameness, Witness, differ};
use incise_ir::Program;
use incise_relate::Visible;
use incise_testing::hooks;
use incise_testing::program_in;
use incise_testing::shorter;
use incise_testing::versions::{Pair, Seen, batch, judge};

/// Programs in one file.
const BATCH: usize = 125;

/// Compares two versions from an entry; nothing if the change does not concern it.
fn compare(old: &Program, new: &Program, name: &str, directed: bool) -> Option<Judgement> {
    let config = Config::new(name);
    let hooks = hooks();
    let visible = Visible::default();
    let (before, after) = ((old, &config), (new, &config));
    if !directed {
        let question = Question {
            old: before,
            new: after,
            subjects: None,
            impact: None,
            visible,
            all_ways: true,
            loops_grow: false,
        };
        return Some(differ(&question, &hooks).expect("they are compared"));
    }
    let (old_entry, new_entry) = (old.function_named(name)?, new.function_named(name)?);
    let versions = Versions::compare(old, new);
    let entries: (&[_], &[_]) = (&[old_entry], &[new_entry]);
    let (forward, backward) = Impact::both_ways(old, new, versions, entries, Rules::Closed, false);
    let mut old_scope = backward.below(&[old_entry], backward.effects.as_ref()?, Rules::Closed);
    let mut new_scope = forward.below(&[new_entry], forward.effects.as_ref()?, Rules::Closed);
    let (old_root, new_root) = (old_scope.root(old_entry), new_scope.root(new_entry));
    let (old_subject, new_subject) = (Subject::new(&old_scope, old_root), Subject::new(&new_scope, new_root));
    let subjects = Some((&old_subject, &new_subject));
    let question = Question {
        old: before,
        new: after,
        subjects,
        impact: Some(&forward),
        visible,
        all_ways: true,
        loops_grow: false,
    };
    Some(differ(&question, &hooks).expect("they are compared"))
}

/// The number of the input that a witness shows.
fn input_number(pair: &Pair, witness: &Witness) -> usize {
    let inputs = witness.new.inputs.as_ref().expect("a witness has inputs");
    let given = |name: &str| inputs.iter().find(|input| input.name == name).map(|input| input.bytes.clone());
    pair.input_number(given)
}

/// What a reader of a failure wants to know of a judgement.
fn summary(judgement: &Judgement) -> String {
    let shown = judgement.witnesses.iter().map(|witness| {
        let inputs = witness.new.inputs.iter().flatten().map(|input| (&input.name, &input.value));
        let inputs: Vec<_> = inputs.collect();
        format!("{inputs:?}: {:?} and {:?}, {:?}", witness.old.outcome, witness.new.outcome, witness.values)
    });
    let shown: Vec<String> = shown.collect();
    let Judgement { verdict, bounds, undecided, notes, .. } = judgement;
    format!("{verdict:?}, bounds {bounds:?}, undecided {undecided:?}, notes {notes:?}\n{}", shown.join("\n"))
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
        let batch = batch(seed, BATCH);
        let judged = judge(folder.path(), &batch).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        let (old, new) =
            (program_in(folder.path(), "old", &batch.old), program_in(folder.path(), "new", &batch.new));
        for (pair, seen) in batch.pairs.iter().zip(&judged) {
            let judgement = compare(&old, &new, &pair.entry(), directed);
            tally.pair(pair, seen, judgement.as_ref(), &format!("seed {seed}, {}", pair.entry()));
        }
    }
    tally.print();
    assert!(tally.same * 5 > tally.pairs && tally.differing * 5 > tally.pairs, "both kinds are frequent");
    assert!(tally.undecided * 50 < tally.pairs, "{} of {} are undecided", tally.undecided, tally.pairs);
}

#[test]
fn verdicts_are_those_of_all_inputs() {
    check(shorter(0..2, 0..14), true);
}

#[test]
fn verdicts_are_those_of_all_inputs_on_more_programs() {
    check(shorter(14..16, 14..28), true);
}

#[test]
fn verdicts_without_a_change_to_go_by_are_the_same() {
    check(shorter(100..101, 100..104), false);
}
