//! `incise suite update` and `incise suite select`: what becomes of the tests of a suite when the program changes.

use super::check::{say_strangers, sources_of};
use super::settings::{SelectSettings, UpdateSettings, VersionedSuite};
use crate::arguments::Format;
use crate::commands::written::say_left_out;
use crate::convert;
use crate::exit::Status;
use crate::frontend::{self, Loaded};
use crate::initial;
use crate::session::Session;
use crate::session::output::write_data;
use crate::suite::bring::{Bringer, Brought, Found};
use crate::suite::lines::Lines;
use crate::suite::proved;
use crate::suite::ready::Ready;
use crate::suite::retake::Retaken;
use crate::suite::store::{Explored, NewSuite};
use crate::suite::stored::{self, StoredSuite};
use crate::suite::{config, program_hash, signature};
use crate::versions;
use anyhow::{Result, bail};
use incise_change::{FunctionChange, Versions};
use incise_exec::{
    Assignment, Config, Detail, FullExploration, Given, Hooks, LimitKind, Path as ExecPath, Session as Engine,
};
use incise_incremental::{FEW_PATHS, MOST_ELEMENTS, explore_update, update::met};
use incise_ir::{FunctionId, Program};
use incise_report::emit::Emit;
use incise_report::suite::SuiteManifest;
use incise_report::suite_update::{
    TestClass, render_json, render_selection_json, render_selection_text, render_text,
};
use incise_report::{Program as Identity, TestCase};
use incise_seeds::{Judge, LeftBehind, Seed, Seeded, Seeds, explore_seeded};
use incise_solver::Contradictions;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// Does what `incise suite update` is asked to do.
pub(crate) fn run(settings: &UpdateSettings, session: &Session) -> Result<Status> {
    let UpdateSettings { versioned, directory, accept, workers, output } = settings;
    let mut loaded = Versioned::load(versioned, session, *accept)?;
    loaded.config.workers = *workers;
    // Before the work, not after it.
    let place = NewSuite::for_update(directory, &loaded.suite, &versioned.suite)?;
    loaded.config.solver.notes = true;
    let (Brought { tests, mut update }, contradictions, config) =
        session.exploring(Detail::All, |hooks| loaded.bring(*accept, hooks))?;
    if update.limits.iter().any(|limit| limit == LimitKind::Interrupt.name()) {
        bail!("interrupted: {} is as it was", directory.display());
    }
    update.place = directory.display().to_string();
    update.accepted = *accept;
    let emit: Vec<Emit> = loaded.suite.manifest.emit.iter().filter_map(|name| Emit::named(name)).collect();
    let explored = Explored { loaded: &loaded.new, entry: loaded.entry, config: &config, emit: &emit };
    let emitted = place.write_brought(tests, &update, &explored)?;
    let known = loaded.config.solver.noted.as_deref();
    proved::keep(directory, known.map(|known| (versioned.suite.as_path(), known)), contradictions);
    for (kind, emitted) in &emitted {
        say_left_out(session, *kind, emitted);
    }
    write_data(|out| match output.format {
        Format::Text => render_text(&update, output.text, out),
        Format::Json => render_json(&update, out),
    })?;
    let status = match (update.complete, update.tests.iter().all(|test| test.class == TestClass::Kept)) {
        (false, _) => Status::Undecided,
        (true, true) => Status::Nothing,
        (true, false) => Status::Found,
    };
    // The process ends: giving back the memory of tens of thousands of tests piece by piece would only take time.
    std::mem::forget((loaded.suite, update));
    Ok(status)
}

/// Does what `incise suite select` is asked to do.
pub(crate) fn select(settings: &SelectSettings, session: &Session) -> Result<Status> {
    let SelectSettings { versioned, output } = settings;
    let loaded = Versioned::load(versioned, session, false)?;
    let (Brought { update, .. }, ..) = session.exploring(Detail::All, |hooks| loaded.bring(false, hooks))?;
    if update.limits.iter().any(|limit| limit == LimitKind::Interrupt.name()) {
        bail!("interrupted");
    }
    write_data(|out| match output.format {
        Format::Text => render_selection_text(&update, output.text, out),
        Format::Json => render_selection_json(&update, out),
    })?;
    let found = update.selected().next().is_some() || update.count(TestClass::Added) > 0;
    Ok(match (update.complete, found) {
        (false, _) => Status::Undecided,
        (true, false) => Status::Nothing,
        (true, true) => Status::Found,
    })
}

/// A suite, the program that it was made for, and the one that it is to be brought over to.
struct Versioned {
    suite: StoredSuite,
    /// `None` if both versions are the same files.
    old: Option<Loaded>,
    new: Loaded,
    entry: FunctionId,
    config: Config,
    /// How inputs have to be taken instead once something is executed.
    retaken: Option<Retaken>,
    hashes: (String, String),
}

impl Versioned {
    /// Reads a suite and both versions.
    fn load(versioned: &VersionedSuite, session: &Session, accept: bool) -> Result<Self> {
        let VersionedSuite { old, new, suite: directory, compilation } = versioned;
        let suite = stored::read(directory)?;
        say_strangers(&suite, session);
        let sources = |file: &Path| sources_of(directory, &suite.manifest, &[file.to_owned()], compilation);
        let (mut old, new) = session.load_both(sources(old)?, sources(new)?)?;
        let new_hash = program_hash(&new)?;
        let mut old_hash = old.as_ref().map_or_else(|| Ok(new_hash.clone()), program_hash)?;
        let manifest = &suite.manifest;
        let shown = directory.display();
        if old_hash != manifest.program.hash && new_hash == manifest.program.hash {
            // What an update showed can be accepted by the same command.
            if !accept || manifest.tests.iter().all(|test| !test.pending) {
                bail!(
                    "the suite in {shown} is for NEW already: give the version that it was made for as OLD, and what comes after it as NEW"
                );
            }
            (old, old_hash) = (None, new_hash.clone());
        }
        if old_hash != manifest.program.hash {
            bail!(
                "the suite in {shown} was made for another program than OLD: give the version that it was made for, \
                 or make it anew with `incise suite generate`"
            );
        }
        let entry = &manifest.entry;
        let Ok(function) = frontend::find_function(&new.program, entry) else {
            bail!(
                "NEW has no function {entry}, so that all {} tests in {} are obsolete: remove the suite, or make one \
                 for another function with `incise suite generate`",
                manifest.tests.len(),
                directory.display()
            );
        };
        let mut config = config(entry, &manifest.options)?;
        initial::of_program(&new.program, &mut config.inputs);
        config.solver.noted = proved::read(directory);
        let old_program = old.as_ref().map_or(&new.program, |old| &old.program);
        let other_signature = changed_signature(manifest, &new.program, function).is_some();
        let retaken = Retaken::of(&config, old_program, (&new.program, function), other_signature);
        Ok(Self { old, new, entry: function, config, retaken, hashes: (old_hash, new_hash), suite })
    }

    fn old_program(&self) -> &Program {
        self.old.as_ref().map_or(&self.new.program, |old| &old.program)
    }

    /// Finds out what becomes of the tests, and in doing so what is impossible.
    fn bring(&self, accept: bool, hooks: &Hooks<'_>) -> Result<(Brought, Contradictions, Config)> {
        let start = Instant::now();
        let versions = Versions::compare(self.old_program(), &self.new.program);
        versions::refuse_strangers(&versions)?;
        let mut config = self.config.clone();
        let (mut found, asked_again) = self.explore(&mut config, &versions, hooks)?;
        let contradictions = found.as_mut().map_or_else(Contradictions::default, |found| {
            std::mem::take(&mut found.seeded.exploration.contradictions)
        });
        let (old, new) = (self.old_program(), &self.new.program);
        let observe = |test: &TestCase| self.observe(test, &config, hooks);
        let bringer = Bringer {
            suite: &self.suite,
            program: new,
            entry: self.entry,
            lines: Lines::new(old, new, &versions),
            accept,
            met,
            observe: &observe,
        };
        let mut brought = bringer.bring(found)?;
        let update = &mut brought.update;
        let identity = |loaded: &Loaded, hash: &String| Identity {
            files: loaded.sources.file_texts(),
            flags: loaded.sources.flag_texts(),
            entry: self.suite.manifest.entry.clone(),
            hash: hash.clone(),
        };
        update.old = identity(self.old.as_ref().unwrap_or(&self.new), &self.hashes.0);
        update.new = identity(&self.new, &self.hashes.1);
        update.taken = convert::taken(&config.inputs.reading);
        update.asked_again = asked_again;
        update.time_ms = start.elapsed().as_secs_f64() * 1e3;
        Ok((brought, contradictions, config))
    }

    /// Explores the new version with the tests that fit; `None` if the tests cannot meet a change. Says why the solver had to be asked for every side without a test.
    fn explore(
        &self,
        config: &mut Config,
        versions: &Versions,
        hooks: &Hooks<'_>,
    ) -> Result<(Option<Found>, Option<String>)> {
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
        for (index, test) in Ready::all(&self.suite).into_iter().enumerate() {
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
        let seeds: Result<Vec<Seed<'_>>> =
            ready.iter().zip(entries).map(|(test, entry)| test.seed(entry, moved)).collect();
        let seeds = seeds?;
        let judge = |seed: u32, left: &mut dyn LeftBehind| ready[seed as usize].is_as_expected(left);
        let mut seeded = self.explore_with(config, versions, hooks, &seeds, doubt.is_none(), &judge)?;
        let mut doubt = doubt.or_else(|| {
            let (_, why) = seeded.unusable.first_key_value()?;
            Some(format!("a test does not fit any more: {why}"))
        });
        // Inputs that were large enough for the old version grow where they are too small for the new one.
        let large_enough =
            self.suite.manifest.complete || self.retaken.as_ref().is_some_and(Retaken::starts_small);
        while large_enough && may_grow(&seeded, hooks) {
            if !config.inputs.sizes.grow(&seeded.exploration.needs, MOST_ELEMENTS) {
                break;
            }
            doubt.get_or_insert_with(|| "inputs are too small for NEW, and were made larger".to_owned());
            seeded = self.explore_with(config, versions, hooks, &seeds, false, &judge)?;
        }
        Ok((Some(Found { seeded, tests, unfit }), doubt))
    }

    fn explore_with(
        &self,
        config: &Config,
        versions: &Versions,
        hooks: &Hooks<'_>,
        seeds: &[Seed<'_>],
        exhaustive: bool,
        judge: &Judge<'_>,
    ) -> Result<Seeded> {
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
        let cut = manifest.limits.iter().find(|limit| whole.iter().any(|each| each.name() == **limit));
        if let Some(limit) = cut {
            return Some(format!("the suite was cut by {limit}"));
        }
        let assumes = |function: &incise_ir::Function| incise_exec::may_discard(&function.name);
        let assumes = self.old_program().functions.iter().any(|(_, function)| assumes(function));
        assumes.then(|| "what the program assumes may have cut paths".to_owned())
    }

    /// What a test does in the new version.
    fn observe(&self, test: &TestCase, config: &Config, hooks: &Hooks<'_>) -> Result<Option<ExecPath>> {
        let mut session = Engine::new(config, &hooks.interrupt);
        let inputs = Assignment::given(Given { bytes: bytes(test), ..Given::default() });
        let trace = session.trace(&self.new.program, config, hooks, &mut FullExploration, &inputs)?;
        Ok(trace.path)
    }
}

/// How the signature of the entry changed, if it did.
fn changed_signature(manifest: &SuiteManifest, new: &Program, entry: FunctionId) -> Option<String> {
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

fn bytes(test: &TestCase) -> BTreeMap<String, Vec<u8>> {
    test.inputs.iter().map(|input| (input.name.clone(), input.bytes.clone())).collect()
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
