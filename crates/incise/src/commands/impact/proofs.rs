//! What changed functions are proved to do alike in both versions, so that impact ends there.

use crate::session::Session;
use anyhow::Result;
use incise_change::{ByItself, Effect, FunctionChange, Impact, Proofs};
use incise_exec::{Config, Detail, Work};
use incise_incremental::differ::equal_effects;
use incise_ir::FunctionId;
use incise_report::{EqualEffect, EqualFunction};
use std::collections::BTreeMap;

/// A function is worth so much work, and all of them together.
const EACH: Work = Work::about_milliseconds(2_000);
const ALL: Work = Work::about_milliseconds(20_000);

/// What is proved of the changed functions, and what cannot be asked about in words.
pub(super) fn found(
    impact: &Impact<'_>,
    mirrored: &Impact<'_>,
    session: &Session,
) -> Result<(Proofs, Option<String>)> {
    let (old, new) = (impact.old, impact.new);
    let (Some(new_effects), Some(old_effects)) = (&impact.effects, &mirrored.effects) else {
        return Ok((Proofs::default(), None));
    };
    let changed = impact.versions.functions.iter().filter(|pair| pair.change == FunctionChange::Changed);
    let pairs: Vec<(FunctionId, FunctionId)> =
        changed.filter_map(|pair| Some((pair.old?, pair.new?))).collect();
    let (mut proofs, mut refused, start) = (Proofs::default(), 0, Work::done());
    let config = Config::new("");
    for &pair in &pairs {
        let function = ByItself::new((old, new), (old_effects, new_effects), &impact.versions, pair);
        tracing::debug!(function = new.functions[pair.1].name, ?function, "asked for effects by itself");
        let left = ALL.minus(Work::since(start));
        let (Ok(function), false) = (function, left == Work::default()) else {
            refused += 1;
            continue;
        };
        let most = if left < EACH { left } else { EACH };
        let versions = ((old, &config), (new, &config));
        let equal = session
            .exploring(Detail::All, |hooks| equal_effects(versions.0, versions.1, &function, hooks, most))?;
        if !equal.is_empty() {
            proofs.add(function, equal);
        }
    }
    let note = (refused > 0).then(|| {
        format!(
            "{refused} of {} changed functions cannot be compared by themselves for every call",
            pairs.len()
        )
    });
    Ok((proofs, note))
}

/// What was proved, for the report.
pub(super) fn described(impact: &Impact<'_>, proofs: &Proofs) -> Vec<EqualFunction> {
    let words = BTreeMap::from([
        (Effect::Result, EqualEffect::Result),
        (Effect::Variables, EqualEffect::Variables),
        (Effect::Memory, EqualEffect::Memory),
    ]);
    let of =
        |(function, equal, all): (FunctionId, &std::collections::BTreeSet<Effect>, bool)| EqualFunction {
            name: impact.new.functions[function].name.clone(),
            effects: equal.iter().map(|effect| words[effect]).collect(),
            all,
        };
    proofs.each().map(of).collect()
}
