//! The verdict of `incise diff`: compares each entry of two versions, runs what differs natively on both, and makes the finding model of it.

mod callers;
mod model;
mod native;
pub(crate) mod witnesses;

use crate::change::analysis::Analysis;
use crate::commands::diff::verdict_arguments::FailOn;
use crate::commands::diff::verdict_settings::VerdictSettings;
use crate::exit::Status;
use crate::initial_note::initial_note;
use crate::inputs::apart_note;
use crate::session::Session;
use anyhow::Result;
use incise_change::Impact;
use incise_frontend::NativeSource;
use incise_incremental::Subject;
use incise_incremental::differ::{Question, differ};
use incise_ir::FunctionId;
use incise_reading::{Inputs, Source, matched_parameters, unrestricted};
use incise_report::verdict::{Comparison, OtherInputs, Sameness, Verdicts};
use std::time::{Duration, Instant};

/// For so long inputs are looked at that are not what they are taken to be.
const OTHERS: Duration = Duration::from_secs(4);
/// Functions below the entry have this part of its time, or less if they are many.
const SHARE_BELOW: u32 = 4;

/// Compares functions of two versions.
pub(crate) struct VersionJudge<'a> {
    pub(crate) old: NativeSource<'a>,
    pub(crate) new: NativeSource<'a>,
    pub(crate) settings: &'a VerdictSettings,
    pub(crate) session: &'a Session,
}

/// A function in both versions.
#[derive(Copy, Clone)]
struct Entries {
    old: FunctionId,
    new: FunctionId,
    /// Whether the user asked for it, and not for one that calls it.
    asked_for: bool,
}

impl<'a> VersionJudge<'a> {
    /// Compares the entries of an analysis, and with `below` the changed functions that they call.
    pub(crate) fn versions(&self, found: &Analysis<'a>, below: bool) -> Result<Verdicts> {
        let mut verdicts = Verdicts { reasons: found.not_compared().to_vec(), ..Verdicts::default() };
        for &entry in &found.entries {
            let Some(old) = found.old_of(entry) else { continue };
            let time = self.settings.config.limits.time;
            verdicts.entries.push(self.aligned(found, Entries { old, new: entry, asked_for: true }, time)?);
        }
        if below {
            let called = found.changed_below();
            let share = SHARE_BELOW.max(u32::try_from(called.len()).unwrap_or(u32::MAX));
            let time = self.settings.config.limits.time / share;
            for (old, new) in called {
                verdicts.below.push(self.aligned(found, Entries { old, new, asked_for: false }, time)?);
            }
        }
        number(&mut verdicts);
        Ok(verdicts)
    }

    /// Compares two functions that need not have anything to do with each other.
    pub(crate) fn functions(&self, old: FunctionId, new: FunctionId) -> Result<Verdicts> {
        let compared = self.compare(
            Entries { old, new, asked_for: true },
            None,
            None,
            self.settings.config.limits.time,
        )?;
        let mut verdicts = Verdicts { entries: vec![compared], ..Verdicts::default() };
        number(&mut verdicts);
        Ok(verdicts)
    }

    /// Compares a function of both versions, of which it is known what changed.
    fn aligned(&self, found: &Analysis<'a>, entries: Entries, time: Duration) -> Result<Comparison> {
        let scopes = found.old_scope(entries.new).zip(found.new_scope(entries.new));
        let Some(((_, mut old_scope, _), (mut new_scope, _))) = scopes else {
            return self.compare(entries, None, None, time);
        };
        let (old_root, new_root) = (old_scope.root(entries.old), new_scope.root(entries.new));
        let (old, new) = (Subject::new(&old_scope, old_root), Subject::new(&new_scope, new_root));
        self.compare(entries, Some((&old, &new)), found.impact(), time)
    }

    fn compare(
        &self,
        entries: Entries,
        subjects: Option<(&Subject<'_>, &Subject<'_>)>,
        impact: Option<&Impact<'_>>,
        time: Duration,
    ) -> Result<Comparison> {
        let start = Instant::now();
        let (mut comparison, settled_early) =
            self.compare_once(entries, subjects, impact, time, self.settings.all_ways, false)?;
        // What settled it was not confirmed.
        if settled_early && comparison.sameness != Sameness::Differs {
            let left = time.saturating_sub(start.elapsed());
            (comparison, _) = self.compare_once(entries, subjects, impact, left, true, false)?;
        }
        // Where inputs as they are taken differ, others have nothing to add.
        let open = comparison.sameness != Sameness::Differs && !self.session.is_interrupted();
        if open && comparison.taken.iter().any(|taken| taken.restricts) {
            let left = time.saturating_sub(start.elapsed()).min(OTHERS);
            let (found, _) = self.compare_once(entries, subjects, impact, left, false, true)?;
            // What is still taken, and not because the user says so, leaves inputs out that nobody looked at.
            let all =
                !found.taken.iter().any(|taken| taken.restricts && taken.source != Source::Contract.name());
            comparison.others = Some(OtherInputs {
                complete: found.sameness == Sameness::Same && found.bounds.is_empty() && all,
                differences: found.differences,
                introduced: found.introduced,
                fixed: found.fixed,
            });
        }
        comparison.effort.time_ms = start.elapsed().as_secs_f64() * 1e3;
        Ok(comparison)
    }

    /// Compares, and says whether the search ended before all ways to differ were found.
    fn compare_once(
        &self,
        entries: Entries,
        subjects: Option<(&Subject<'_>, &Subject<'_>)>,
        impact: Option<&Impact<'_>>,
        time: Duration,
        all_ways: bool,
        others: bool,
    ) -> Result<(Comparison, bool)> {
        let matched = matched_parameters(self.old.program, entries.old, self.new.program, entries.new);
        let mut new_config = self.settings.config.clone();
        let reading = &self.settings.reading;
        let (old, new) = ((self.old.program, entries.old), (self.new.program, entries.new));
        new_config.inputs.reading = reading.common(old, new, &matched.old_names);
        new_config.inputs.any_size = reading.inputs == Inputs::Any;
        if others {
            new_config.inputs.reading = unrestricted(&new_config.inputs.reading);
            new_config.inputs.any_size = true;
        }
        new_config.entry = self.new.program.functions[entries.new].name.clone();
        new_config.limits.time = time;
        if !entries.asked_for {
            let names = incise_ir::parameters::parameter_names(
                self.new.program,
                &self.new.program.functions[entries.new],
            );
            new_config.inputs.concrete.retain(|(name, _)| !names.contains(&root(name).to_owned()));
            new_config.inputs.may_be_unknown = true;
        }
        let mut old_config = new_config.clone();
        // A parameter that was added has no name in the old version.
        old_config.inputs.may_be_unknown = true;
        old_config.entry = self.old.program.functions[entries.old].name.clone();
        old_config.inputs.parameter_names = matched.old_names;
        let question = Question {
            old: (self.old.program, &old_config),
            new: (self.new.program, &new_config),
            subjects,
            impact,
            visible: self.settings.visible,
            all_ways,
            loops_grow: self.settings.loops_grow,
        };
        let judgement = self.session.comparing(&new_config.entry, |hooks| differ(&question, hooks))?;
        let settled_early = judgement.settled_early;
        let externals: Vec<String> = judgement.effort.externals.iter().cloned().collect();
        let mut comparison = model::comparison(self, entries, &new_config, judgement, matched.notes);
        comparison.notes.extend(initial_note(self.new.program, entries.new, &new_config.inputs));
        if !externals.is_empty() {
            comparison.notes.push(same_calls(&externals));
        }
        comparison.notes.extend(apart_note(self.new.program, entries.new, &new_config.inputs.reading));
        native::confirm(self, entries, &externals, &mut comparison);
        model::settle(&mut comparison);
        Ok((comparison, settled_early))
    }
}

/// The name that the path of an input begins with: `list` of `list->data`.
fn root(path: &str) -> &str {
    path.split(['-', '.', '[']).next().unwrap_or(path)
}

/// What the verdict rests on where functions are called that nobody can see into.
fn same_calls(externals: &[String]) -> String {
    /// How many names are shown.
    const SHOWN: usize = 6;
    let names = externals.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    let more = match externals.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let words = match externals.len() {
        1 => ["has", "it is", "it is called alike and finds the same", "it can name and is given"],
        _ => ["have", "they are", "they are called alike and find the same", "they can name and are given"],
    };
    let [verb, taken, alike, known] = words;
    format!(
        "{names}{more} {verb} neither a body nor a model: {taken} taken to do the same in both versions where {alike}, and to know no more than {known}"
    )
}

/// Numbers the ways to differ, over everything that was compared.
fn number(verdicts: &mut Verdicts) {
    let all = verdicts.entries.iter_mut().chain(&mut verdicts.below);
    for (index, witness) in all.flat_map(|each| &mut each.differences).enumerate() {
        witness.group = index + 1;
    }
}

/// The exit status that the verdicts give.
pub(crate) fn status(verdicts: &Verdicts, settings: &VerdictSettings) -> Status {
    let fails = |when: FailOn| settings.fail_on.contains(&when);
    let introduced = verdicts.entries.iter().any(|entry| !entry.introduced.is_empty());
    match verdicts.sameness() {
        _ if introduced && fails(FailOn::Introduced) => Status::Found,
        Sameness::Differs if fails(FailOn::Difference) => Status::Found,
        // Where differences are no failure, what is open beside them still may be one.
        Sameness::Undecided if fails(FailOn::Undecided) => Status::Undecided,
        _ => Status::Nothing,
    }
}
