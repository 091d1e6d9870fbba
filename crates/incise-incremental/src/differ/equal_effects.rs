//! Which effects of a changed function are the same in both versions, whatever it is given.
//!
//! Which functions can be asked about is known statically ([`incise_change::ByItself`], where the conditions are told).
//! A proof counts as it does function by function (`composition.rs`): every path of both versions came to its end, no
//! limit, no doubt and no assumption was met. Where the old version goes wrong in memory nothing is compared; so that
//! counts only if both versions go through a null pointer there, and do not come back.

use super::composition::{alone, is_whole};
use super::{Judgement, Question, differ};
use incise_change::{ByItself, Effect};
use incise_exec::{Config, ExploreError, Hooks, Work};
use incise_ir::Program;
use incise_relate::Visible;
use std::collections::BTreeSet;

/// The effects of a function that are proved to be the same in both versions, for so much work. All of them are asked
/// for at once, and each by itself if that is in vain.
pub fn equal_effects(
    (old, old_config): (&Program, &Config),
    (new, new_config): (&Program, &Config),
    function: &ByItself,
    hooks: &Hooks<'_>,
    most: Work,
) -> Result<BTreeSet<Effect>, ExploreError> {
    let start = Work::done();
    let ask = |visible: Visible| -> Result<bool, ExploreError> {
        let left = most.minus(Work::since(start));
        if left == Work::default() {
            return Ok(false);
        }
        let configs = (
            alone(old_config, &old.functions[function.old], &function.variables, left),
            alone(new_config, &new.functions[function.new], &function.variables, left),
        );
        let question = Question {
            old: (old, &configs.0),
            new: (new, &configs.1),
            subjects: None,
            impact: None,
            visible,
            all_ways: false,
            loops_grow: false,
            watched: None,
        };
        let found = differ(&question, hooks)?;
        tracing::debug!(function = configs.1.entry, ?visible, verdict = ?found.verdict, "asked for equal effects");
        Ok(counts(&found))
    };
    if ask(Visible::default())? {
        return Ok(function.effects.clone());
    }
    let mut equal = BTreeSet::new();
    for &effect in function.effects.iter().filter(|_| function.effects.len() > 1) {
        if ask(only(effect))? {
            equal.insert(effect);
        }
    }
    Ok(equal)
}

/// Whether a comparison is a proof for every call.
fn counts(found: &Judgement) -> bool {
    is_whole(found) && found.pairs.wild == 0 && !found.contradicted && found.effort.needs.is_empty()
}

/// What is looked at where only one effect is asked for. Output and calls are none that such a function has.
fn only(effect: Effect) -> Visible {
    Visible {
        result: effect == Effect::Result,
        globals: effect == Effect::Variables,
        memory: effect == Effect::Memory,
        ..Visible::default()
    }
}
