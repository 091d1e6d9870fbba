//! The slice of directed exploration on random programs in which most things have nothing to do with each other:
//! variables that branches and small functions work on one by one.
//!
//! In the programs of `theorem_across.rs` nearly everything matters. Here little does, so that most branches are
//! followed and not explored: a branch that is left out by mistake loses a sequence.

use incise_change::{Impact, Rules, Versions};
use incise_exec::{Config, ErrorKind, Outcome};
use incise_incremental::{ChangedPath, Directed, Kind, Statement, Subject, explore_change};
use incise_ir::Program;
use incise_testing::kinds::independent::batch;
use incise_testing::{Random, hooks, program, shorter};
use std::collections::BTreeMap;

const PROGRAMS: usize = 40;
fn explore(program: &Program, subject: &Subject<'_>, entry: &str, kind: Kind) -> Directed {
    let hooks = hooks();
    explore_change(program, &Config::new(entry), &hooks, subject, kind, false).expect("it is explored")
}

/// A sequence, and how its last statement fails if that is affected.
type Key = (Vec<Statement>, Option<ErrorKind>);

fn keys(found: &Directed) -> BTreeMap<Key, usize> {
    let mut keys = BTreeMap::new();
    let key = |path: &ChangedPath| {
        let fails = match &path.path.outcome {
            Outcome::Error(error) if path.fails => Some(error.kind),
            _ => None,
        };
        (path.sequence.clone(), fails)
    };
    for path in found.paths.iter().filter(|path| path.met && path.path.outcome != Outcome::Discarded) {
        *keys.entry(key(path)).or_default() += 1;
    }
    keys
}

#[test]
fn what_is_left_out_has_no_influence() {
    let (mut states, mut full_states, mut affected) = (0, 0, 0);
    for seed in shorter(0..3, 0..15) {
        let batch = batch(Random::new(seed, 77), PROGRAMS);
        let (old, new) = (program(&batch.old), program(&batch.new));
        let versions = Versions::compare(&old, &new);
        for (number, text) in batch.texts.iter().enumerate() {
            let name = format!("e{number}");
            let entry = new.function_named(&name).expect("the entry");
            let impact = Impact::for_entries(&old, &new, versions.clone(), &[entry], Rules::Closed, false);
            let effects = impact.effects.as_ref().expect("something changed");
            let mut scope = impact.below(&[entry], effects, Rules::Closed);
            let root = scope.root(entry);
            let subject = Subject::new(&scope, root);
            let full = explore(&new, &subject, &name, Kind::Full);
            let exact = explore(&new, &subject, &name, Kind::Exact);
            assert_eq!(exact.exploration.diverged, 0, "seed {seed}\n{text}");
            let (found, expected) = (keys(&exact), keys(&full));
            let lost: Vec<&Key> = expected.keys().filter(|key| !found.contains_key(*key)).collect();
            assert!(lost.is_empty(), "seed {seed}: lost {lost:?}\n{text}");
            assert!(found.keys().all(|key| expected.contains_key(key)), "seed {seed}\n{text}");
            assert!(found.values().all(|&count| count == 1), "seed {seed}: twice\n{text}");
            states += exact.exploration.counters.states;
            full_states += full.exploration.counters.states;
            affected += found.len();
        }
    }
    println!("{affected} sequences; states {states} of {full_states}");
    assert!(states * 2 < full_states, "most branches are not explored: {states} of {full_states}");
}
