//! Verdicts that other runs found out are taken from the store, and those that this one finds are kept there.
//!
//! A verdict is kept under everything that it follows from: both programs as a whole, as they were linked, with their
//! types, positions in the source and models of the library; the functions; what the analysis began with; all settings;
//! how files are compiled; and the build of Incise. The programs count as a whole because the comparison looks at them
//! as a whole: who else calls a function tells what its inputs are, what others write tells what a pointer may lead to,
//! and what nobody writes keeps its initial value. A change anywhere in them makes another key.
//!
//! What rests on a clock is not kept: verdicts that are undecided, those of which any part was stopped by time, memory
//! or the user, and those with a native run that did not do what was predicted, that there was none of, or that did
//! not end. Nor are verdicts on programs with threads. A witness that was run natively is not run again: the native
//! runs are a part of what was found.
//!
//! A sample of what is taken is found out again. If that is not the same, the store is not used any more.

use super::{Compared, Entries, VersionJudge};
use anyhow::Result;
use incise_exec::{LimitKind, Work};
use incise_frontend::{NativeSource, Sources};
use incise_incremental::differ::{Judgement, OpenReason};
use incise_report::verdict::stored::{from_bytes, to_bytes};
use incise_report::verdict::{Comparison, Sameness, Witness};
use incise_store::{Key, KeyBuilder};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// What changes with what a verdict follows from, if nothing else does.
const KIND: &str = "verdict 1";

/// Both programs, as far as verdicts follow from them.
pub(crate) struct StoredPrograms {
    key: Key,
    /// Where files lie, as texts: what is kept has numbers in their place.
    folders: Vec<String>,
}

impl VersionJudge<'_> {
    /// The verdict on a function, taken from a part or the store, or found out.
    pub(super) fn stored_or_anew(
        &self,
        entries: Entries,
        (analysed, work): (&str, Option<Work>),
        anew: &dyn Fn() -> Result<Compared>,
    ) -> Result<Comparison> {
        let parts = &self.settings.parts;
        let (Some(programs), true) = (self.programs(), parts.any()) else {
            return self.of_store_or_anew(entries, (analysed, work), anew);
        };
        let key = self.key(programs, entries, analysed, work);
        let known = parts.get(&key).and_then(|bytes| from_bytes(&bytes, &programs.folders));
        parts.note(known.is_some());
        if let Some(known) = known {
            return Ok(known);
        }
        let found = self.of_store_or_anew(entries, (analysed, work), anew)?;
        // What was broken off by the user or by a limit is for who merges to find out.
        if self.session.was_stopped_by().is_none()
            && let Some(bytes) = to_bytes(&found, &programs.folders)
        {
            parts.put(&key, &bytes, found.sameness != Sameness::Undecided);
        }
        Ok(found)
    }

    /// The verdict on a function, taken from the store or found out.
    fn of_store_or_anew(
        &self,
        entries: Entries,
        (analysed, work): (&str, Option<Work>),
        anew: &dyn Fn() -> Result<Compared>,
    ) -> Result<Comparison> {
        let start = Instant::now();
        // What was found of threads, with its schedules, is not kept.
        let is_used = self.session.store().verdicts.is_there() && !self.has_threads(entries);
        let programs = self.programs().filter(|_| is_used);
        let Some(programs) = programs else { return Ok(anew()?.comparison) };
        let key = self.key(programs, entries, analysed, work);
        let store = &self.session.store().verdicts;
        let known = store.get(&key).and_then(|bytes| from_bytes(&bytes, &programs.folders));
        let Some(mut known) = known else {
            let found = anew()?;
            self.keep(&key, programs, &found);
            return Ok(found.comparison);
        };
        if self.session.store().is_in_sample(&key) {
            let found = anew()?;
            let may_be_kept = is_steady(&found) && !self.session.is_interrupted();
            if may_be_kept && claims(&found.comparison) != claims(&known) {
                store.leave_alone(&format!(
                    "it has another verdict on {} than this run finds",
                    found.comparison.entry
                ));
                return Ok(found.comparison);
            }
            self.session.store().note_taken(may_be_kept);
            if may_be_kept {
                return Ok(found.comparison);
            }
        } else {
            self.session.store().note_taken(false);
        }
        known.effort.time_ms = start.elapsed().as_secs_f64() * 1e3;
        tracing::debug!(entry = known.entry, %key, "taken from the store");
        Ok(known)
    }

    /// Both programs, hashed once; nothing if there is no store.
    fn programs(&self) -> Option<&StoredPrograms> {
        let make = || {
            let session = self.session;
            let is_used = session.store().verdicts.is_there() || self.settings.parts.any();
            let build = session.store().build().filter(|_| is_used)?;
            let folders = self.folders();
            let named = |text: &str| in_place(text, &folders);
            let mut key = KeyBuilder::new(KIND).with("build", build);
            for source in [self.old, self.new] {
                source.program.hash_content(&named, &mut key);
                let sources = source.sources;
                key.part("files", &sources.file_texts().iter().map(|text| named(text)).collect::<Vec<_>>());
                key.part("flags", &flags(sources).iter().map(|text| named(text)).collect::<Vec<_>>());
                key.part("optimisation", &sources.optimisation);
                key.part("clang", &clang(sources));
            }
            key.part("native", &session.runs_natively());
            self.settings(&mut key);
            Some(StoredPrograms { key: key.key(), folders })
        };
        self.stored.get_or_init(make).as_ref()
    }

    /// What is asked of verdicts. How long they may take is left out: what is kept does not rest on it.
    fn settings(&self, key: &mut KeyBuilder) {
        let settings = self.settings;
        let mut config = settings.config.clone();
        (config.limits.time, config.limits.end) = (Duration::ZERO, None);
        key.shown("config", &config);
        key.shown("reading", &settings.reading);
        key.shown("visible", &settings.visible);
        key.shown("watched", &settings.watched);
        key.part("errors", &settings.errors);
        key.part("all ways", &settings.all_ways);
        key.part("ways of witnesses", &settings.ways);
        key.part("loops grow", &settings.loops_grow);
    }

    /// Where files lie that are not named as the user names them: trees that were laid out, and our own headers.
    fn folders(&self) -> Vec<String> {
        let tree = |source: &NativeSource<'_>| {
            let root = source.sources.extra.tree.as_ref().map(|tree| tree.root.clone());
            [root, Some(source.headers.to_owned())]
        };
        let folders = [&self.old, &self.new].into_iter().flat_map(tree);
        folders.map(|folder| folder.map_or_else(String::new, |folder| folder.display().to_string())).collect()
    }

    fn key(&self, programs: &StoredPrograms, entries: Entries, analysed: &str, work: Option<Work>) -> Key {
        let Entries { old, new, asked_for } = entries;
        let mut key = KeyBuilder::new(KIND).with("programs", &programs.key);
        key.part("entries", &(old, new, asked_for));
        key.part("analysed", analysed);
        key.shown("work", &work);
        key.key()
    }

    fn keep(&self, key: &Key, programs: &StoredPrograms, found: &Compared) {
        // A limit may have stopped something that tells nobody.
        if !is_steady(found) || self.session.was_stopped_by().is_some() {
            return;
        }
        if let Some(bytes) = to_bytes(&found.comparison, &programs.folders) {
            self.session.store().verdicts.put(key, &bytes);
        }
    }
}

/// A text with numbers in the place of folders.
fn in_place(text: &str, folders: &[String]) -> String {
    let mut text = text.to_owned();
    for (number, folder) in folders.iter().enumerate().filter(|(_, folder)| !folder.is_empty()) {
        if text.contains(folder.as_str()) {
            text = text.replace(folder.as_str(), &format!("\0{number}"));
        }
    }
    text
}

/// Everything that clang is told.
fn flags(sources: &Sources) -> Vec<String> {
    let own = sources.own_flags.iter();
    let own = own
        .flat_map(|(file, flags)| std::iter::once(file.as_os_str().to_owned()).chain(flags.iter().cloned()));
    let all = own.chain(sources.flags.iter().cloned()).chain(sources.extra.flags.iter().cloned());
    all.map(|flag| flag.to_string_lossy().into_owned()).collect()
}

/// Which compiler is used, as far as its file tells.
fn clang(sources: &Sources) -> Option<(PathBuf, u64)> {
    let path = incise_frontend::clang(sources).ok()?;
    let size = path.metadata().ok()?.len();
    Some((path, size))
}

/// Whether another run would find the same.
fn is_steady(found: &Compared) -> bool {
    found.steady && found.comparison.sameness != Sameness::Undecided && !found.comparison.contradicted
}

/// What a verdict claims, without what it took.
fn claims(comparison: &Comparison) -> String {
    let mut claimed = comparison.clone();
    (claimed.effort, claimed.pairs) = Default::default();
    format!("{claimed:?}")
}

/// Whether nothing of a judgement rests on a clock, or on how much memory there is.
pub(super) fn rests_on_work_alone(judgement: &Judgement) -> bool {
    let clock =
        |limit: &LimitKind| matches!(limit, LimitKind::Time | LimitKind::Memory | LimitKind::Interrupt);
    let by_clock = |reason: &OpenReason| match reason {
        OpenReason::Stopped { limit, .. } => clock(limit),
        // That the solver was asked for too long is said in words.
        OpenReason::Other(_) => true,
        _ => false,
    };
    !judgement.undecided.iter().any(by_clock)
        && !judgement.effort.limits.iter().any(clock)
        && !judgement.bounds.iter().any(clock)
}

/// Whether native runs did what was predicted, and came to an end.
pub(super) fn ran_as_predicted(comparison: &Comparison) -> bool {
    let errors = comparison.introduced.iter().chain(&comparison.fixed).map(|error| &error.witness);
    let as_predicted = |witness: &Witness| {
        !witness.endless
            && (witness.replayed || witness.replay_note.as_deref() == Some(super::native::UNSEEN))
    };
    comparison.differences.iter().chain(errors).all(as_predicted)
}
