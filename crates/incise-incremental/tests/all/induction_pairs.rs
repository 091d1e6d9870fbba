//! Random pairs of loops, rewritten or changed, with inputs enumerated natively: what a proof by induction calls the
//! same never differs.

use incise_exec::Config;
use incise_incremental::differ::{Question, prove};
use incise_relate::{Induction, Visible};
use incise_testing::kinds::aligned;
use incise_testing::kinds::loops::{Batch, batch};
use incise_testing::kinds::recursive;
use incise_testing::{hooks, program, shorter};

#[test]
fn what_is_proved_never_differs() {
    judge(&batch(20_261_115, shorter(75, 400)));
}

#[test]
fn what_is_proved_of_turns_in_another_arrangement_never_differs() {
    judge(&aligned::batch(20_261_117, shorter(8, 300)));
}

#[test]
fn what_is_proved_of_recursion_never_differs() {
    judge(&recursive::batch(20_261_119, shorter(8, 600)));
}

/// Tries to prove all pairs: at least half of those that are the same are, and none that differs.
fn judge(batch: &Batch) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let differs = batch.differing(folder.path()).unwrap_or_else(|why| panic!("{why}"));
    let program = program(&batch.text);
    let hooks = hooks();
    let mut proved = 0;
    for (number, &differs) in differs.iter().enumerate() {
        let (old, new) = (Config::new(format!("old{number}")), Config::new(format!("new{number}")));
        let visible = Visible::default();
        let question = Question {
            old: (&program, &old),
            new: (&program, &new),
            subjects: None,
            impact: None,
            visible,
            all_ways: true,
            loops_grow: false,
            watched: None,
        };
        let found = prove(&question, &hooks).expect("it is tried");
        let is_proved = matches!(found, Induction::Proved { .. });
        assert!(!(is_proved && differs), "{}", batch.pairs[number]);
        proved += usize::from(is_proved);
        if !is_proved && !differs {
            println!("open: {found:?}\n{}", batch.pairs[number]);
        }
    }
    let same = differs.iter().filter(|&&differs| !differs).count();
    println!("{proved} of {same} pairs that seem to be the same are proved, of {}", batch.pairs.len());
    assert!(proved * 2 > same, "only {proved} of {same}");
}
