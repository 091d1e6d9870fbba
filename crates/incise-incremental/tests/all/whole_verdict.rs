//! Two versions compared from an entry with all that is known of the change, as the command line does.

use incise_change::{Impact, Rules, Versions};
use incise_exec::Config;
use incise_incremental::Subject;
use incise_incremental::differ::{Question, Sameness, differ};
use incise_ir::Program;
use incise_relate::Visible;
use incise_testing::hooks;

/// The verdict on the entry of the configuration. What did not change is the same.
pub(crate) fn verdict(
    (old, new): (&Program, &Program),
    versions: &Versions,
    config: &Config,
    all_ways: bool,
) -> Sameness {
    let entry = |program: &Program| program.function_named(&config.entry).expect("the entry is there");
    let (before, after) = ([entry(old)], [entry(new)]);
    let (forward, backward) =
        Impact::both_ways(old, new, versions.clone(), (&before, &after), Rules::Closed, false);
    let (Some(new_effects), Some(old_effects)) = (&forward.effects, &backward.effects) else {
        return Sameness::Same;
    };
    let mut old_scope = backward.below(&before, old_effects, Rules::Closed);
    let mut new_scope = forward.below(&after, new_effects, Rules::Closed);
    let (old_root, new_root) = (old_scope.root(before[0]), new_scope.root(after[0]));
    let (old_subject, new_subject) = (Subject::new(&old_scope, old_root), Subject::new(&new_scope, new_root));
    let question = Question {
        old: (old, config),
        new: (new, config),
        subjects: Some((&old_subject, &new_subject)),
        impact: Some(&forward),
        visible: Visible::default(),
        all_ways,
        loops_grow: false,
        watched: None,
    };
    differ(&question, &hooks()).expect("they are compared").verdict
}
