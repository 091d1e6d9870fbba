//! Random pairs of versions that call functions which nobody can see into, run natively with functions that read and
//! write all that they can get at: what differs there is never called the same.

use crate::differ_check::{Asked, Both};
use incise_exec::{Config, Externals};
use incise_incremental::differ::Sameness;
use incise_testing::kinds::externals::{Batch, batch, keeping_batch, looping_batch};
use incise_testing::program_in;

/// How many pairs are made.
const PAIRS: usize = 120;
/// How many pairs with loops.
const LOOPING: usize = 40;

/// How many pairs that keep pointers over calls.
const KEEPING: usize = 80;

/// How many verdicts there were: the same, different, undecided.
struct Verdicts {
    same: usize,
    found: usize,
    open: usize,
}

#[test]
fn what_differs_with_some_functions_is_never_the_same() {
    let Verdicts { same, found, open } = judge(&batch(20_261_116, PAIRS));
    assert!(same * 5 > PAIRS && found * 4 > PAIRS, "{same} and {found}: both kinds are frequent");
    assert!(open * 10 < PAIRS, "{open} are undecided");
}

/// What a function was given in one turn it knows in all that follow.
#[test]
fn what_differs_after_some_turns_is_never_the_same() {
    let Verdicts { same, found, .. } = judge(&looping_batch(20_261_118, LOOPING));
    assert!(same * 8 > LOOPING && found * 4 > LOOPING, "{same} and {found}: both kinds are frequent");
}

/// A function may return the same buffer each time, what it was given, or a variable.
#[test]
fn what_differs_if_a_result_is_an_earlier_one_is_never_the_same() {
    let Verdicts { same, found, open } = judge(&keeping_batch(20_261_119, KEEPING));
    assert!(same * 8 > KEEPING && found * 3 > KEEPING, "{same} and {found}: both kinds are frequent");
    assert!(open * 4 < KEEPING, "{open} are undecided");
}

/// Compares the versions of each pair, and holds the verdicts against native runs.
fn judge(batch: &Batch) -> Verdicts {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let differs = batch.differing(folder.path()).unwrap_or_else(|why| panic!("{why}"));
    let old = program_in(folder.path(), "old", &batch.old_text());
    let new = program_in(folder.path(), "new", &batch.new_text());
    let both = Both::new(old, new);
    let (mut same, mut found, mut open) = (0, 0, 0);
    for (pair, &differs) in differs.iter().enumerate() {
        let texts = batch.texts(pair);
        let mut config = Config::new(format!("f{pair}"));
        config.externals = Externals::Recorded;
        config.limits.loop_iterations = 2;
        // By what changed, or without knowing that.
        let asked = Asked { directed: pair % 2 == 0, ..Asked::default() };
        let judgement = both.compare(&config, asked);
        let verdict = judgement.as_ref().map_or(Sameness::Same, |judgement| judgement.verdict);
        let why = || judgement.as_ref().map(|judgement| (&judgement.undecided, &judgement.bounds));
        match verdict {
            Sameness::Same | Sameness::WithinBounds => {
                assert!(!differs, "{verdict:?}, and natively it differs:\n{texts}");
                same += 1;
            }
            Sameness::Differs => {
                assert!(!batch.rewritten[pair], "it is only written in another way:\n{texts}");
                found += 1;
            }
            Sameness::Undecided => {
                println!("undecided, differs natively {differs}: {:?}\n{texts}", why());
                open += 1;
            }
        }
    }
    let different = differs.iter().filter(|&&differs| differs).count();
    println!(
        "{} pairs: {same} same, {found} differ, {open} undecided; {different} differ natively",
        differs.len()
    );
    Verdicts { same, found, open }
}
