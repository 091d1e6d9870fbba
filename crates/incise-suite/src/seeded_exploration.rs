//! Explores the new version with the tests of the old one.

use crate::changed_reading::ChangedReading;
use crate::error::SuiteError;
use crate::fingerprint::signature;
use crate::seed_test::SeedTest;
use crate::update::SeededTests;
use crate::versioned_suite::VersionedSuite;
use incise_change::{FunctionChange, Versions};
use incise_exec::{Config, FullExploration, Hooks, LimitKind};
use incise_incremental::{FEW_PATHS, MOST_ELEMENTS, explore_update};
use incise_ir::{FunctionId, Program};
use incise_report::suite::SuiteManifest;
use incise_seeds::{EndJudge, LeftBehind, Seed, Seeded, Seeds, explore_seeded};
use std::collections::BTreeMap;

impl VersionedSuite {
    /// Explores the new version with the tests that fit; `None` if the tests cannot meet a change. Says why the solver
    /// had to be asked for every side without a test.
    pub(crate) fn explore(
        &self,
        config: &mut Config,
        versions: &Versions,
        hooks: &Hooks<'_>,
    ) -> Result<(Option<SeededTests>, Option<String>), SuiteError> {
        let (old, new) = (self.old_program(), &self.new.program);
        let outside = self.changed_outside(versions);
        let concerned = outside.is_some() || {
            let mut concerned = versions.calls_changed(old, new);
            concerned.extend(versions.changed_new());
            concerned.contains(&self.entry)
        };
        let signature = changed_signature(&self.suite.manifest, new, self.entry);
        let moved = symbols(old) != symbols(new);
        let same_variables = sizes(old) == sizes(new);
        if !concerned && signature.is_none() && same_variables && self.all_whole() {
            return Ok((None, None));
        }
        let mut unfit: BTreeMap<usize, String> = BTreeMap::new();
        let (mut ready, mut tests) = (Vec::new(), Vec::new());
        for (index, test) in SeedTest::all(&self.suite).into_iter().enumerate() {
            let fitting = test.map_err(|why| format!("damaged: {why}")).and_then(|test| {
                signature.clone().map_or(Ok(()), Err)?;
                // It fitted the old version.
                if same_variables { Ok(test) } else { test.fits(new).map(|()| test) }
            });
            match fitting {
                Ok(test) => {
                    ready.push(test);
                    tests.push(index);
                }
                Err(why) => drop(unfit.insert(index, why)),
            }
        }
        if !concerned && unfit.is_empty() {
            return Ok((None, None));
        }
        let retaken = self.retaken.as_ref().map(|retaken| {
            retaken.apply(config);
            retaken.why.clone()
        });
        let doubt = retaken.or(outside).or_else(|| self.doubt(&unfit));
        let entries = tests.iter().map(|&index: &usize| &self.suite.manifest.tests[index]);
        let seeds: Vec<Seed<'_>> =
            ready.iter().zip(entries).map(|(test, entry)| test.seed(entry, moved)).collect();
        let judge = |seed: u32, left: &mut dyn LeftBehind| ready[seed as usize].is_as_expected(left);
        let mut seeded = self.explore_with(config, versions, hooks, &seeds, doubt.is_none(), &judge)?;
        let mut doubt = doubt.or_else(|| {
            let (_, why) = seeded.unusable.first_key_value()?;
            Some(format!("a test does not fit any more: {why}"))
        });
        // Inputs that were large enough for the old version grow where they are too small for the new one.
        let large_enough =
            self.suite.manifest.complete || self.retaken.as_ref().is_some_and(ChangedReading::starts_small);
        while large_enough && may_grow(&seeded, hooks) {
            if !config.inputs.sizes.grow(&seeded.exploration.needs, MOST_ELEMENTS) {
                break;
            }
            doubt.get_or_insert_with(|| "inputs are too small for NEW, and were made larger".to_owned());
            seeded = self.explore_with(config, versions, hooks, &seeds, false, &judge)?;
        }
        Ok((Some(SeededTests { seeded, tests, unfit }), doubt))
    }

    fn explore_with(
        &self,
        config: &Config,
        versions: &Versions,
        hooks: &Hooks<'_>,
        seeds: &[Seed<'_>],
        exhaustive: bool,
        judge: &EndJudge<'_>,
    ) -> Result<Seeded, SuiteError> {
        let (old, new) = (self.old_program(), &self.new.program);
        match versions.old_of(self.entry) {
            Some(_) => {
                let seeds = Seeds { all: seeds, paths_of: exhaustive.then_some(old), judge: Some(judge) };
                Ok(explore_update(config, hooks, (old, new), versions, &seeds)?)
            }
            None => {
                let seeds = Seeds { all: seeds, paths_of: None, judge: Some(judge) };
                Ok(explore_seeded(new, config, hooks, &FullExploration, |_| true, &seeds)?)
            }
        }
    }

    /// Whether no test is damaged.
    fn all_whole(&self) -> bool {
        let mut files = self.suite.files();
        (0..self.suite.len()).all(|index| files.is_whole(index))
    }

    /// What changed that is not below the entry, but may have an influence.
    fn changed_outside(&self, versions: &Versions) -> Option<String> {
        let (old, new) = (self.old_program(), &self.new.program);
        let mut changed = versions.calls_changed(old, new);
        changed.extend(versions.changed_new());
        let around = new.constructors.iter().chain(&new.destructors);
        if let Some(&function) = around.clone().find(|function| changed.contains(function)) {
            return Some(format!(
                "{} runs before or after the entry, and changed",
                new.functions[function].name
            ));
        }
        if (old.constructors.len(), old.destructors.len()) != (new.constructors.len(), new.destructors.len())
        {
            return Some("other functions run before or after the entry".to_owned());
        }
        let removed = versions.functions.iter().filter(|pair| pair.change == FunctionChange::Removed);
        let declared = removed.map(|pair| &pair.name).find(|name| new.function_named(name).is_some())?;
        Some(format!("{declared} has no body any more"))
    }

    /// Why the tests do not show which sides were impossible in the old version, if they do not.
    fn doubt(&self, unfit: &BTreeMap<usize, String>) -> Option<String> {
        let manifest = &self.suite.manifest;
        if let Some((_, why)) = unfit.first_key_value() {
            return Some(format!("a test could not be used: {why}"));
        }
        if !manifest.unsolved.is_empty() {
            return Some("the suite has paths without a test".to_owned());
        }
        if let Some(what) = manifest.concretised.first() {
            return Some(format!("something was made concrete when the suite was made: {what}"));
        }
        let whole = [LimitKind::Time, LimitKind::Memory, LimitKind::Paths, LimitKind::Interrupt];
        let cut = manifest.limits.iter().find(|limit| whole.contains(limit));
        if let Some(limit) = cut {
            return Some(format!("the suite was cut by {limit}"));
        }
        let assumes = |function: &incise_ir::Function| incise_exec::may_discard(&function.name);
        let assumes = self.old_program().functions.iter().any(|(_, function)| assumes(function));
        assumes.then(|| "what the program assumes may have cut paths".to_owned())
    }
}

/// How the signature of the entry changed, if it did.
pub(crate) fn changed_signature(
    manifest: &SuiteManifest,
    new: &Program,
    entry: FunctionId,
) -> Option<String> {
    let now = signature(new, entry);
    // The arguments of main are given as the command line has them, whatever it declares.
    let comparable = !manifest.signature.is_empty() && !now.is_empty() && manifest.entry != "main";
    (comparable && now != manifest.signature)
        .then(|| format!("{} is `{now}` now, and was `{}`", manifest.entry, manifest.signature))
}

/// Whether larger inputs may be tried: as `incise suite generate` does, as long as there are few paths.
fn may_grow(seeded: &Seeded, hooks: &Hooks<'_>) -> bool {
    let Seeded { exploration, untouched, .. } = seeded;
    let few = exploration.paths.len() + untouched.len() <= FEW_PATHS && exploration.abandoned_states == 0;
    let stopped = hooks.interrupt.load(std::sync::atomic::Ordering::Relaxed);
    few && !stopped && !exploration.needs.is_empty()
}

/// The names of functions and variables, in order: alternatives of pointers are numbered by that.
fn symbols(program: &Program) -> Vec<&str> {
    let functions = program.functions.iter().map(|(_, function)| function.name.as_str());
    functions.chain(program.globals.iter().map(|(_, global)| global.name.as_str())).collect()
}

/// The sizes of variables, by name.
fn sizes(program: &Program) -> BTreeMap<&str, u64> {
    let size = |global: &incise_ir::Global| program.types.size_of(global.ty);
    program.globals.iter().map(|(_, global)| (global.name.as_str(), size(global))).collect()
}
