//! Random pairs of versions that call functions which nobody can see into, run natively with functions that read and
//! write all that they can get at: what differs there is never called the same.

use incise_change::{Impact, Rules, Versions};
use incise_exec::{Config, Externals};
use incise_incremental::Subject;
use incise_incremental::differ::{Judgement, Question, Sameness, differ};
use incise_ir::Program;
use incise_relate::Visible;
use incise_testing::externals::batch;
use incise_testing::{hooks, program_in};

/// How many pairs are made.
const PAIRS: usize = 120;

/// Compares a function of both versions, by what changed or without knowing that.
fn compare(old: &Program, new: &Program, name: &str, directed: bool) -> Option<Judgement> {
    let mut config = Config::new(name);
    config.externals = Externals::Recorded;
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
            all_ways: false,
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
        all_ways: false,
        loops_grow: false,
    };
    Some(differ(&question, &hooks).expect("they are compared"))
}

#[test]
fn what_differs_with_some_functions_is_never_the_same() {
    let batch = batch(20_261_116, PAIRS);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let differs = batch.differing(folder.path()).unwrap_or_else(|why| panic!("{why}"));
    let old = program_in(folder.path(), "old", &batch.old_text());
    let new = program_in(folder.path(), "new", &batch.new_text());
    let (mut same, mut found, mut open) = (0, 0, 0);
    for (pair, &differs) in differs.iter().enumerate() {
        let texts = batch.texts(pair);
        let judgement = compare(&old, &new, &format!("f{pair}"), pair % 2 == 0);
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
    println!("{PAIRS} pairs: {same} same, {found} differ, {open} undecided; {different} differ natively");
    assert!(same * 5 > PAIRS && found * 4 > PAIRS, "{same} and {found}: both kinds are frequent");
    assert!(open * 10 < PAIRS, "{open} are undecided");
}
