//! Two versions compared as the command line does it, and what a reader of a failure wants to know.

use incise_change::{Impact, Rules, Versions};
use incise_exec::Config;
use incise_incremental::Subject;
use incise_incremental::differ::{Judgement, Question, differ};
use incise_ir::Program;
use incise_relate::Visible;
use incise_testing::hooks;

/// What is asked besides.
#[derive(Copy, Clone, Default)]
pub(crate) struct Asked {
    /// Only what the change concerns.
    pub(crate) directed: bool,
    pub(crate) all_ways: bool,
    pub(crate) loops_grow: bool,
}

/// Two versions of a file of programs, which are compared once for all of them.
pub(crate) struct Both {
    old: Program,
    new: Program,
    versions: Versions,
}

impl Both {
    pub(crate) fn new(old: Program, new: Program) -> Self {
        let versions = Versions::compare(&old, &new);
        Self { old, new, versions }
    }

    /// The old version and the new one.
    pub(crate) fn programs(&self) -> (&Program, &Program) {
        (&self.old, &self.new)
    }

    /// Compares them from an entry; nothing if the change does not concern it.
    pub(crate) fn compare(&self, config: &Config, asked: Asked) -> Option<Judgement> {
        compare(self, config, asked)
    }
}

fn compare(both: &Both, config: &Config, asked: Asked) -> Option<Judgement> {
    let Both { old, new, versions } = both;
    let Asked { directed, all_ways, loops_grow } = asked;
    let name = &config.entry;
    let question = Question {
        old: (old, config),
        new: (new, config),
        subjects: None,
        impact: None,
        visible: Visible::default(),
        all_ways,
        loops_grow,
    };
    if !directed {
        return Some(differ(&question, &hooks()).expect("they are compared"));
    }
    let (old_entry, new_entry) = (old.function_named(name)?, new.function_named(name)?);
    let versions = versions.clone();
    let entries: (&[_], &[_]) = (&[old_entry], &[new_entry]);
    let (forward, backward) = Impact::both_ways(old, new, versions, entries, Rules::Closed, false);
    let mut old_scope = backward.below(&[old_entry], backward.effects.as_ref()?, Rules::Closed);
    let mut new_scope = forward.below(&[new_entry], forward.effects.as_ref()?, Rules::Closed);
    let (old_root, new_root) = (old_scope.root(old_entry), new_scope.root(new_entry));
    let (old_subject, new_subject) = (Subject::new(&old_scope, old_root), Subject::new(&new_scope, new_root));
    let subjects = Some((&old_subject, &new_subject));
    let question = Question { subjects, impact: Some(&forward), ..question };
    Some(differ(&question, &hooks()).expect("they are compared"))
}

/// What a reader of a failure wants to know of a judgement.
pub(crate) fn summary(judgement: &Judgement) -> String {
    let shown = judgement.witnesses.iter().map(|witness| {
        let inputs = witness.new.inputs.iter().flatten().map(|input| (&input.name, &input.value));
        let inputs: Vec<_> = inputs.collect();
        format!("{inputs:?}: {:?} and {:?}, {:?}", witness.old.outcome, witness.new.outcome, witness.values)
    });
    let shown: Vec<String> = shown.collect();
    let Judgement { verdict, bounds, undecided, notes, .. } = judgement;
    format!("{verdict:?}, bounds {bounds:?}, undecided {undecided:?}, notes {notes:?}\n{}", shown.join("\n"))
}
