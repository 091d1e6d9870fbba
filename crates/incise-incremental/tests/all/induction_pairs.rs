//! Random pairs of loops, rewritten or changed, with inputs enumerated natively: what a proof by induction calls the
//! same never differs.

use incise_exec::Config;
use incise_incremental::differ::{Question, prove};
use incise_relate::{Induction, Visible};
use incise_testing::kinds::loops::batch;
use incise_testing::{hooks, program, shorter};

#[test]
fn what_is_proved_never_differs() {
    let batch = batch(20_261_115, shorter(75, 400));
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
