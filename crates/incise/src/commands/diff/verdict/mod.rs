//! The verdict of `incise diff`: compares each entry of two versions, runs what differs natively on both, and makes the
//! finding model of it.

mod callers;
mod model;
mod native;
mod native_threads;
mod stored;
pub(crate) mod witnesses;

use super::so_far::{SoFar, not_compared};
use crate::change::analysis::Analysis;
use crate::commands::diff::verdict_arguments::FailOn;
use crate::commands::diff::verdict_settings::VerdictSettings;
use crate::exit::Status;
use crate::initial_note::initial_note;
use crate::session::{InOrder, Session};
use anyhow::Result;
use incise_change::{Impact, allocates, begin_otherwise, reached_variables};
use incise_exec::{Given, LimitKind, SymbolicGlobals, ThreadConfig, Work, is_maker, starts_threads};
use incise_frontend::NativeSource;
use incise_incremental::Subject;
use incise_incremental::differ::{Question, add_ways, differ_from, given_to_both};
use incise_ir::{FunctionId, Program, Type};
use incise_reading::{Inputs, Source, Taken, What, matched_parameters, taken_apart, unrestricted};
use incise_report::verdict::{Comparison, OtherInputs, Sameness, TakenInput, Verdicts};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
pub(crate) use stored::StoredPrograms;
use stored::rests_on_work_alone;

/// Inputs that are not what they are taken to be are worth so much work.
const OTHERS: Work = Work::about_milliseconds(4_000);
/// What happens where an allocation fails is worth so much, and so much time is kept for it.
const FAILING: Work = Work::about_milliseconds(8_000);
const KEPT_FOR_FAILING: Duration = Duration::from_secs(8);
/// A first call is worth so much.
const FIRST_CALL: Work = Work::about_milliseconds(8_000);
/// Natural inputs are worth so much before it is looked at what happens where an allocation fails.
const FIRST: Work = Work::about_milliseconds(24_000);
/// Natural inputs that differ on the way of others are worth so much work.
const NATURAL: Work = Work::about_milliseconds(2_000);
/// An entry for which its share of the time was too short gets more if there is so much left.
const AGAIN: Duration = Duration::from_secs(5);
/// One of several entries has so much time at least, as long as there is any.
const LEAST: Duration = Duration::from_secs(1);
/// The steps of one thread that others see.
const MOST_STEPS: u64 = 10_000;
/// Functions below the entry have this part of its time, or less if they are many.
const SHARE_BELOW: u32 = 4;

/// Compares functions of two versions.
pub(crate) struct VersionJudge<'a> {
    pub(crate) old: NativeSource<'a>,
    pub(crate) new: NativeSource<'a>,
    pub(crate) settings: &'a VerdictSettings,
    pub(crate) session: &'a Session,
    /// Where verdicts are kept until all are there.
    pub(crate) so_far: &'a SoFar,
    /// When the comparison began.
    pub(crate) start: Instant,
    /// What verdicts are kept under, once that is known.
    pub(crate) stored: OnceLock<Option<StoredPrograms>>,
    /// The variables that begin otherwise in one of the versions, once that is known.
    pub(crate) begin_otherwise: OnceLock<BTreeSet<String>>,
}

/// Which inputs are looked at.
enum Looked {
    /// Those that are what they are taken to be.
    Natural,
    /// All others, too.
    Others,
    /// Natural ones where an allocation may fail, in both versions alike.
    Failing,
    /// Those of a first call: variables that begin otherwise in one of the versions hold what they begin with.
    First,
    /// Natural ones, these before all others.
    From(Vec<Given>),
}

/// What one comparison may take.
#[derive(Copy, Clone)]
struct Share {
    time: Duration,
    work: Option<Work>,
    /// Whether all ways to differ are looked for.
    all_ways: bool,
}

/// What was found of a function.
struct Compared {
    comparison: Comparison,
    /// Whether nothing of it rests on a clock: another run would find the same.
    steady: bool,
}

/// What one comparison found.
struct Once {
    comparison: Comparison,
    /// Whether nothing of it rests on a clock.
    steady: bool,
    /// Whether the search ended before all ways to differ were found.
    settled_early: bool,
    /// Whether nothing came by some part of the change.
    missed: bool,
    /// The inputs on which the versions differ.
    guesses: Vec<Given>,
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
        verdicts.entries = self.shared(found)?;
        self.so_far.judged(&verdicts);
        if below {
            // What threads execute means nothing by itself.
            let threads = |entry: &FunctionId| starts_threads(self.new.program, *entry);
            let called = match found.entries.iter().any(threads) {
                true => Vec::new(),
                false => found.changed_below(),
            };
            let share = SHARE_BELOW.max(u32::try_from(called.len()).unwrap_or(u32::MAX));
            let time = self.settings.config.limits.time / share;
            for (old, new) in called {
                verdicts.below.push(self.in_time(found, Entries { old, new, asked_for: false }, time)?);
            }
        }
        number(&mut verdicts);
        Ok(verdicts)
    }

    /// Compares the entries of an analysis, which share the time that there is: what one of them leaves is there for
    /// the others.
    fn shared(&self, found: &Analysis<'a>) -> Result<Vec<Comparison>> {
        let both = |&new: &FunctionId| Some(Entries { old: found.old_of(new)?, new, asked_for: true });
        let entries: Vec<Entries> = found.entries.iter().filter_map(both).collect();
        self.so_far.comparing(entries.iter().map(|&each| self.names(each)), found.not_compared());
        let start = Instant::now();
        let whole = match entries.len() {
            1 => self.settings.config.limits.time,
            _ => self.settings.shared_time,
        };
        let left = || whole.saturating_sub(start.elapsed());
        let workers = self.session.workers();
        let told = InOrder::new();
        let compared = workers.each(entries.len(), |turn| {
            let (share, begun) = (turn.share(left(), LEAST), Instant::now());
            let compared = self.in_time(found, entries[turn.index], share)?;
            self.so_far.compared(turn.index, &compared);
            let short = begun.elapsed() >= share && compared.sameness == Sameness::Undecided;
            let tells = !short && entries.len() > 1 && !self.may_be_judged_above(&compared);
            told.put(turn.index, tells.then(|| compared.clone()), |_, tells| {
                tells.map_or(Ok(()), |compared| self.so_far.tell(&compared))
            })?;
            Ok((compared, short))
        })?;
        let short: Vec<usize> =
            compared.iter().enumerate().filter(|(_, (_, short))| *short).map(|(index, _)| index).collect();
        let mut compared: Vec<Comparison> = compared.into_iter().map(|(compared, _)| compared).collect();
        let again = workers.each(short.len(), |turn| {
            let (index, share) = (short[turn.index], turn.share(left(), AGAIN));
            if share < AGAIN || self.session.is_interrupted() {
                return Ok(None);
            }
            let mut again = self.aligned(found, entries[index], (share, None))?;
            again.contradicted |= compared[index].contradicted;
            let decided = again.sameness != Sameness::Undecided;
            if decided {
                self.so_far.compared(index, &again);
            }
            Ok(decided.then_some((index, again)))
        })?;
        again.into_iter().flatten().for_each(|(index, decided)| compared[index] = decided);
        Ok(compared)
    }

    /// Compares a function, if there is time for it.
    fn in_time(&self, found: &Analysis<'a>, entries: Entries, time: Duration) -> Result<Comparison> {
        // Even to find out that there is no time takes some.
        let none = time.is_zero().then_some(LimitKind::Time);
        match self.session.stopped_by().or(none) {
            Some(limit) => {
                let (new, old) = self.names(entries);
                Ok(not_compared(new, old, limit))
            }
            None => self.aligned(found, entries, (time, None)),
        }
    }

    /// What a function is called in NEW and in OLD.
    fn names(&self, entries: Entries) -> (String, String) {
        let new = self.new.program.functions[entries.new].name.clone();
        (new, self.old.program.functions[entries.old].name.clone())
    }

    /// Compares two functions that need not have anything to do with each other.
    pub(crate) fn functions(&self, old: FunctionId, new: FunctionId) -> Result<Verdicts> {
        let entries = Entries { old, new, asked_for: true };
        let limits = (self.settings.config.limits.time, None);
        let compared =
            self.stored_or_anew(entries, ("", None), &|| self.compare(entries, None, None, limits))?;
        let mut verdicts = Verdicts { entries: vec![compared], ..Verdicts::default() };
        number(&mut verdicts);
        Ok(verdicts)
    }

    /// Compares a function of both versions, of which it is known what changed.
    fn aligned(
        &self,
        found: &Analysis<'a>,
        entries: Entries,
        limits: (Duration, Option<Work>),
    ) -> Result<Comparison> {
        self.stored_or_anew(entries, (found.analysed(), limits.1), &|| {
            if self.has_threads(entries) {
                return self.compare(entries, None, None, limits);
            }
            let scopes = found.old_scope(entries.new).zip(found.new_scope(entries.new));
            let Some(((_, mut old_scope, _), (mut new_scope, _))) = scopes else {
                return self.compare(entries, None, None, limits);
            };
            let (old_root, new_root) = (old_scope.root(entries.old), new_scope.root(entries.new));
            let (old, new) = (Subject::new(&old_scope, old_root), Subject::new(&new_scope, new_root));
            self.compare(entries, Some((&old, &new)), found.impact(), limits)
        })
    }

    fn compare(
        &self,
        entries: Entries,
        subjects: Option<(&Subject<'_>, &Subject<'_>)>,
        impact: Option<&Impact<'_>>,
        (time, work): (Duration, Option<Work>),
    ) -> Result<Compared> {
        let start = Instant::now();
        let left = || time.saturating_sub(start.elapsed());
        let worth = |work: Work| Share {
            time: left(),
            work: Some(self.settings.config.limits.worth(work)),
            all_ways: false,
        };
        // What one of several comparisons contradicted counts, whichever of them is kept.
        let contradicted = Cell::new(false);
        let steady = Cell::new(true);
        let once = |share, looked| {
            let found = self.compare_once(entries, subjects, impact, share, looked)?;
            steady.set(steady.get() && found.steady);
            contradicted.set(contradicted.get() || found.comparison.contradicted);
            Ok(found)
        };
        let may_fail = !self.settings.config.inputs.malloc_fails
            && impact.is_some_and(|impact| may_allocate(impact, entries));
        // What happens where an allocation fails does not wait for all that can be found out of other inputs.
        let (kept, first) = match may_fail {
            true => (KEPT_FOR_FAILING.min(time / 4), Some(self.settings.config.limits.worth(FIRST))),
            false => (Duration::ZERO, work),
        };
        let all_ways = self.settings.all_ways;
        let natural = |work, all_ways| Share { time: left().saturating_sub(kept), work, all_ways };
        let mut found = once(natural(first, all_ways), Looked::Natural)?;
        // What settled it was not confirmed.
        let shown = |found: &Comparison| found.sameness == Sameness::Differs && !found.is_unconfirmed();
        if found.settled_early && !shown(&found.comparison) {
            found = once(natural(first, true), Looked::Natural)?;
        }
        let Once { mut comparison, missed, .. } = found;
        // Of parts that are each decided, others may differ elsewhere.
        let parts = self.settings.watched.is_some();
        let is_open = |comparison: &Comparison| {
            (parts || comparison.sameness != Sameness::Differs) && !self.session.is_interrupted()
        };
        // Who writes a program has the failure of an allocation in mind, and nobody names one that fails.
        if is_open(&comparison) && may_fail {
            let failing = once(worth(FAILING), Looked::Failing)?.comparison;
            let errors = !failing.introduced.is_empty() || !failing.fixed.is_empty();
            if failing.sameness == Sameness::Differs && (missed || errors || parts) {
                match comparison.sameness {
                    Sameness::Differs => comparison.add_differences(failing),
                    _ => comparison = failing,
                }
            }
        }
        // Whether there is so much time left is the clock's affair.
        let again = comparison.sameness == Sameness::Undecided && may_fail;
        steady.set(steady.get() && !again);
        if is_open(&comparison) && again && left() > time / 2 {
            comparison = once(Share { time: left(), work, all_ways }, Looked::Natural)?.comparison;
        }
        if is_open(&comparison) && !parts {
            comparison =
                self.with_first_call(entries, comparison, &|| once(worth(FIRST_CALL), Looked::First))?;
        }
        // Where inputs as they are taken differ, others have nothing to add.
        if is_open(&comparison) && comparison.taken.iter().any(|taken| taken.restricts) {
            let others = once(worth(OTHERS), Looked::Others)?;
            if comparison.sameness == Sameness::Undecided
                && let Some(differing) =
                    self.decided_by_others(others.guesses, &others.comparison, worth(NATURAL), &once)?
            {
                comparison = differing;
                comparison.contradicted = contradicted.get();
                comparison.effort.time_ms = start.elapsed().as_secs_f64() * 1e3;
                return Ok(Compared { comparison, steady: steady.get() });
            }
            let found = others.comparison;
            // What is still taken, and not because the user says so, leaves inputs out that nobody looked at.
            let left_out = |taken: &TakenInput| taken.restricts && taken.source != Source::Contract.name();
            // That two objects may be one is looked at, and not that they overlap in part.
            let apart = What::Apart { other: String::new() };
            let in_part = |taken: &TakenInput| taken.kind == apart.name();
            let all = !found.taken.iter().any(left_out) && !comparison.taken.iter().any(in_part);
            if comparison.taken.iter().any(left_out) {
                model::leave_open_if_unmet(&mut comparison, &found);
            }
            comparison.others = Some(OtherInputs {
                complete: found.sameness == Sameness::Same && found.bounds.is_empty() && all,
                differences: found.differences,
                introduced: found.introduced,
                fixed: found.fixed,
            });
        }
        comparison.contradicted = contradicted.get();
        comparison.effort.time_ms = start.elapsed().as_secs_f64() * 1e3;
        Ok(Compared { comparison, steady: steady.get() })
    }

    /// What a variable holds that something writes is an input, the same in both versions. If it begins otherwise in
    /// one of them the first call finds something else there: the worse of two verdicts counts.
    fn with_first_call(
        &self,
        entries: Entries,
        mut comparison: Comparison,
        first: &dyn Fn() -> Result<Once>,
    ) -> Result<Comparison> {
        let (old, new) = (self.old.program, self.new.program);
        let default = self.settings.config.inputs.globals == SymbolicGlobals::Default;
        if !default || new.functions[entries.new].name == "main" {
            return Ok(comparison);
        }
        let symbols = self.begin_otherwise.get_or_init(|| begin_otherwise(old, new));
        // What nothing writes holds that already.
        let written = symbols.difference(&self.settings.config.inputs.initial).cloned().collect();
        let mut names = reached_variables(new, entries.new, &written);
        names.extend(reached_variables(old, entries.old, &written));
        names.sort();
        names.dedup();
        if names.is_empty() {
            return Ok(comparison);
        }
        let first = first()?.comparison;
        let names = names.join(", ");
        let worse = |verdict| match verdict {
            Sameness::Differs => 3,
            Sameness::Undecided => 2,
            Sameness::WithinBounds => 1,
            Sameness::Same => 0,
        };
        if worse(first.sameness) > worse(comparison.sameness) {
            comparison = first;
            comparison
                .notes
                .push(format!("{names} as in a first call: the versions begin with other values"));
        } else {
            comparison.notes.push(format!(
                "{names} with any value that is the same in both versions, and as in a first call, which begins with \
                 other values in each"
            ));
        }
        Ok(comparison)
    }

    /// Where natural inputs do not tell, others that differ do: as natural ones, if they are natural after all.
    fn decided_by_others(
        &self,
        guesses: Vec<Given>,
        others: &Comparison,
        share: Share,
        once: &dyn Fn(Share, Looked) -> Result<Once>,
    ) -> Result<Option<Comparison>> {
        if !others.differences.iter().any(|witness| witness.replayed) {
            return Ok(None);
        }
        let natural = once(share, Looked::From(guesses))?.comparison;
        let decided = natural.sameness == Sameness::Differs;
        Ok(Some(if decided { natural } else { others.clone() }))
    }

    /// Whether a function starts threads in one of the versions.
    fn has_threads(&self, entries: Entries) -> bool {
        starts_threads(self.old.program, entries.old) || starts_threads(self.new.program, entries.new)
    }

    /// Compares within a share of what there is.
    fn compare_once(
        &self,
        entries: Entries,
        subjects: Option<(&Subject<'_>, &Subject<'_>)>,
        impact: Option<&Impact<'_>>,
        share: Share,
        looked: Looked,
    ) -> Result<Once> {
        let matched = matched_parameters(self.old.program, entries.old, self.new.program, entries.new);
        let mut new_config = self.settings.config.clone();
        let reading = &self.settings.reading;
        let (old, new) = ((self.old.program, entries.old), (self.new.program, entries.new));
        new_config.inputs.reading = reading.common(old, new, &matched.old_names);
        // Whoever asks whether two pointers are equal has both in mind, in whichever version.
        let after = incise_reading::infer(new.0, new.1, &BTreeSet::new());
        let asked = |apart: &Taken| {
            let same = |taken: &Taken| matches!(taken.what, What::MaySame { .. });
            let names = |taken: &Taken| pair_of(taken).is_some_and(|pair| Some(pair) == pair_of(apart));
            after.parts.iter().any(|taken| same(taken) && names(taken))
        };
        let apart = taken_apart(new.0, new.1, &new_config.inputs.reading);
        new_config.inputs.reading.parts.extend(apart.into_iter().filter(|apart| !asked(apart)));
        new_config.inputs.any_size = reading.inputs == Inputs::Any;
        if matches!(looked, Looked::First) {
            new_config.inputs.initial.extend(self.begin_otherwise.get().into_iter().flatten().cloned());
        }
        if matches!(looked, Looked::Failing) {
            (new_config.inputs.malloc_fails, new_config.inputs.failures_alike) = (true, true);
        }
        if matches!(looked, Looked::Others) {
            new_config.inputs.reading = unrestricted(&new_config.inputs.reading);
            new_config.inputs.any_size = true;
        }
        if self.has_threads(entries) {
            // Who says how often loops are gone round says it of those that others see, too.
            let steps = self.settings.loops_grow.then_some(MOST_STEPS);
            let schedules = self.settings.schedules;
            new_config.threads =
                Some(ThreadConfig { schedules, steps, world: true, ..ThreadConfig::default() });
        }
        new_config.entry = self.new.program.functions[entries.new].name.clone();
        (new_config.limits.time, new_config.limits.work) = (share.time, share.work);
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
            all_ways: share.all_ways,
            loops_grow: self.settings.loops_grow,
            watched: self.settings.watched.as_ref(),
        };
        let guesses = match &looked {
            Looked::From(guesses) => guesses.as_slice(),
            _ => &[],
        };
        let judgement = self.session.comparing(&new_config.entry, |hooks| {
            let mut judgement = differ_from(&question, hooks, guesses)?;
            if self.settings.ways {
                add_ways(&question, hooks, &mut judgement);
            }
            Ok::<_, incise_exec::ExploreError>(judgement)
        })?;
        let guesses = judgement.witnesses.iter().map(given_to_both).collect();
        let settled_early = judgement.settled_early;
        let missed = judgement.unmet.as_ref().is_some_and(|unmet| unmet.missed);
        let mut steady = rests_on_work_alone(&judgement);
        let externals: Vec<String> = judgement.effort.externals.iter().cloned().collect();
        let mut comparison = model::comparison(self, entries, &new_config, judgement, matched.notes);
        comparison.notes.extend(initial_note(self.new.program, entries.new, &new_config.inputs));
        if !externals.is_empty() {
            comparison.notes.push(same_calls(&externals));
            comparison.notes.extend(new_results(self.new.program, &externals));
        }
        steady &= native::confirm(self, entries, &externals, &mut comparison);
        model::settle(&mut comparison);
        Ok(Once { comparison, steady, settled_early, missed, guesses })
    }
}

/// The two inputs that a fact about their being the same names, in one order.
fn pair_of(taken: &Taken) -> Option<(&str, &str)> {
    let (What::MaySame { other } | What::Apart { other }) = &taken.what else { return None };
    let (one, two) = (taken.input.as_str(), other.as_str());
    Some((one.min(two), one.max(two)))
}

/// Whether a function of either version may allocate memory, by itself or by what it calls.
fn may_allocate(impact: &Impact<'_>, entries: Entries) -> bool {
    let Some(effects) = &impact.effects else { return false };
    let mut reached = effects.reachable(entries.new).into_iter();
    reached.any(|id| allocates(&impact.new.functions[id].name))
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

/// That functions without a body are taken to return pointers to something new, because of their names.
fn new_results(program: &Program, externals: &[String]) -> Option<String> {
    let by_name = |name: &&String| {
        let function = program.function_named(name).map(|id| &program.functions[id]);
        function.is_some_and(|function| {
            let pointer = matches!(program.types.get(function.result), Type::Pointer);
            pointer && !function.unshared_result && is_maker(name)
        })
    };
    let names: Vec<&str> = externals.iter().filter(by_name).map(String::as_str).collect();
    let each = if names.len() == 1 { "returns is" } else { "return is" };
    (!names.is_empty())
        .then(|| format!("what {} {each} taken to be new each time, by the name", names.join(", ")))
}

/// Numbers the ways to differ, over everything that was compared.
pub(crate) fn number(verdicts: &mut Verdicts) {
    let all = verdicts.entries.iter_mut().chain(&mut verdicts.below);
    for (index, witness) in all.flat_map(|each| &mut each.differences).enumerate() {
        witness.group = index + 1;
    }
}

/// The exit status that the verdicts give.
pub(crate) fn status(verdicts: &Verdicts, settings: &VerdictSettings) -> Status {
    let fails = |when: FailOn| settings.fail_on.contains(&when);
    // What could not be run natively may be no difference at all.
    let counts = |shown: bool| shown || fails(FailOn::Unconfirmed);
    let introduced = |entry: &Comparison| entry.has_introduced() && counts(entry.introduces());
    match verdicts.sameness() {
        _ if fails(FailOn::Introduced) && verdicts.entries.iter().any(introduced) => Status::Found,
        Sameness::Differs if !counts(!verdicts.is_unconfirmed()) => match fails(FailOn::Undecided) {
            true => Status::Undecided,
            false => Status::Nothing,
        },
        Sameness::Differs if fails(FailOn::Unconfirmed) && verdicts.is_unconfirmed() => Status::Found,
        Sameness::Differs if fails(FailOn::Difference) => Status::Found,
        // Where differences are no failure, what is open beside them still may be one.
        Sameness::Undecided if fails(FailOn::Undecided) => Status::Undecided,
        // An error that may be introduced is no reason to say that none is.
        _ if fails(FailOn::Introduced)
            && fails(FailOn::Undecided)
            && verdicts.entries.iter().any(Comparison::has_introduced) =>
        {
            Status::Undecided
        }
        _ => Status::Nothing,
    }
}
