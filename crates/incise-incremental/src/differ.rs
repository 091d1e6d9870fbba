//! What a change does: inputs on which old and new differ, or a proof that there are none.
//!
//! The new version leads: its paths that meet the change are explored, and under the condition of each the old version
//! is (see [`incise_relate::Relation`]). Until a path of the new version meets the change the old one does the same, so
//! that no input on which they differ is left out, and what was removed counts as well as what was added. At the end of
//! each pair of paths what both leave behind is compared as expressions. What is not the same expression is a question
//! for the solver: whether inputs that take both paths can make a difference.
//!
//! An answer is only a candidate. Its input is brought near to zero, then traced through both versions; what differs
//! there is the difference that is reported, and whoever reports it replays it natively. Candidates that turn out not
//! to differ make the verdict undecided: something was not understood.
//!
//! **Verdicts.** *Same* is said if every pair of paths was compared and nothing was cut. Where limits of loops, depth
//! or data structures cut a path, it is *same within bounds*. Where the solver could not tell, time was up or something
//! is not supported, it is *undecided*. For a pair of paths that was cut its inputs are still traced, with larger
//! limits: that finds differences beyond the bounds, and loops that no longer end.

mod candidates;
mod changes;
mod composition;
mod concern;
mod drawn_texts;
mod equal_effects;
mod growth;
mod hypothesis;
mod induction;
mod leading_paths;
pub(crate) mod longer;
mod open_reason;
mod progress;
mod special;
mod threads;
mod volatile;
mod watched;
mod watched_joined;
mod witness_way;

use crate::subject::Subject;
use candidates::PairJudge;
pub use changes::Unmet;
use changes::{CameBy, Changes};
use composition::ComposedFound;
pub use concern::ConcernedBytes;
use concern::{Concern, Follower};
pub use equal_effects::equal_effects;
use growth::Way;
use hypothesis::Assumed;
use incise_change::Impact;
use incise_exec::{
    Config, ErrorKind, ExploreError, FullExploration, Given, Hooks, LimitKind, Outcome, Path, Session,
    StackFrame, Strategy, Volatile, Work,
};
use incise_ir::{Program, SourcePosition, join_branches};
use incise_relate::{CommonTypes, Concerned, Effort, LoopHeads, Pair, Party, Relation, Seen, Visible};
pub use incise_vocabulary::{Sameness, Special};
use induction::Inductions;
pub use induction::prove;
use leading_paths::LeadingPaths;
pub use longer::{given, given_to_both};
pub use open_reason::OpenReason;
use progress::Progress;
use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};
pub use threads::{Only, ThreadsFound, Version};
pub use watched::{Watched, concerned, concerned_bytes, differing_on};
pub use witness_way::{WitnessBranch, WitnessWay, add_ways};

/// The instructions of a path that is explored: one that is longer is cut, and its inputs are run by themselves.
pub const LONGEST: u64 = 20_000_000;

/// The nested calls of a path that is explored.
pub const DEEPEST: u64 = 128;

/// After so many turns of a loop an induction is tried.
const TURNS: u64 = 4;

/// Where inputs that were tried at first show a difference, and not all ways to differ are looked for, others are worth
/// so much work.
const SETTLING: Work = Work::about_milliseconds(5_000);

/// What to compare, and how.
#[derive(Copy, Clone)]
pub struct Question<'a> {
    /// The old version, with its entry.
    pub old: (&'a Program, &'a Config),
    /// The new version, with its entry.
    pub new: (&'a Program, &'a Config),
    /// What the change means for the old and the new version; without it every path is looked at.
    pub subjects: Option<(&'a Subject<'a>, &'a Subject<'a>)>,
    /// The same change as a whole: what it does not concern is left out then.
    pub impact: Option<&'a Impact<'a>>,
    /// What is looked at.
    pub visible: Visible,
    /// Whether all ways to differ are looked for, for as long as there is time. Else the search ends when no new one
    /// has turned up for long.
    pub all_ways: bool,
    /// Whether loops may be gone round more often where inputs grow.
    pub loops_grow: bool,
    /// The parts that each have to be decided, if that is wanted: nothing else is compared then, and a difference in
    /// one of them does not stand for the others.
    pub watched: Option<&'a Watched>,
}

/// Something that two versions leave behind differently, for one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DifferingValue {
    /// Its name as in C; empty for the result, output and exit status.
    pub name: String,
    /// What it belongs to.
    pub seen: Seen,
    /// What the old version leaves.
    pub old: incise_exec::InputValue,
    /// What the new version leaves.
    pub new: incise_exec::InputValue,
}

/// An input on which the versions differ.
#[derive(Clone, Debug)]
pub struct Witness {
    /// Its path in the old version, with the inputs as that has them.
    pub old: Path,
    /// Its path in the new version, with the inputs.
    pub new: Path,
    /// What differs where both return.
    pub values: Vec<DifferingValue>,
    /// The change that the path meets first.
    pub location: Option<SourcePosition>,
    /// Whether the new version seems not to come to an end, and not only to end otherwise: it was still running when it
    /// was stopped.
    pub endless: bool,
    /// Whether it depends on what was never initialised: native runs may do something else.
    pub indeterminate: bool,
    /// What it needs, if there is none like it without that.
    pub special: Option<Special>,
    /// With threads: which version can do that, and the other cannot, whatever the order of its threads.
    pub only: Option<Only>,
    /// Its way through the old and the new version, if that was asked for.
    pub ways: (Option<WitnessWay>, Option<WitnessWay>),
}

/// An error of the program on a path that the change affects.
#[derive(Clone, Debug)]
pub struct FoundError {
    /// Which kind.
    pub kind: ErrorKind,
    /// What happens.
    pub message: String,
    /// Where.
    pub position: Option<SourcePosition>,
    /// The active functions there.
    pub stack: Vec<StackFrame>,
    /// An input that leads there.
    pub witness: Witness,
}

/// What a comparison found.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The verdict, if all witnesses are confirmed.
    pub verdict: Sameness,
    /// One for each way to differ.
    pub witnesses: Vec<Witness>,
    /// Errors that the old version does not have on the same input.
    pub introduced: Vec<FoundError>,
    /// Errors of the old version that the new one does not have.
    pub fixed: Vec<FoundError>,
    /// Errors of both.
    pub preexisting: Vec<FoundError>,
    /// Where the old version itself goes wrong in memory, and the new one does not end well either: what the function
    /// was not made for, and is not compared.
    pub invalid: Vec<FoundError>,
    /// Pairs of paths that came to their ends on inputs on which the old version does not go wrong in memory.
    pub valid: u64,
    /// How often loops were gone round, if that grew with the inputs.
    pub loops: u64,
    /// The limits that cut paths: what was compared is only up to there.
    pub bounds: BTreeSet<LimitKind>,
    /// Why it could not be told, if something is open.
    pub undecided: BTreeSet<OpenReason>,
    /// What the verdict rests on and a reader should know.
    pub notes: BTreeSet<String>,
    /// Pairs of paths that were the same without a question, that the solver proved the same, and that differ.
    pub pairs: PairCounts,
    /// Effort and what was left out.
    pub effort: Effort,
    /// Questions put to the solver chain.
    pub queries: u64,
    /// The changed functions that were compared by themselves, if that is the proof; `pairs` and `effort` are about
    /// these then.
    pub composed: Vec<String>,
    /// Whether no statement changed that the entry can reach: what differs is how they are written.
    pub unchanged: bool,
    /// Whether inputs were left out of the comparison, or taken to have nothing to do with those of the other version.
    pub partial: bool,
    /// Whether the search ended because no new way to differ turned up, and not all were looked for.
    pub settled_early: bool,
    /// The parts of the change that nothing which was compared came by, although a path that was cut might have; `None`
    /// if that is not known.
    pub unmet: Option<Unmet>,
    /// The changed statements that nothing which was compared came by, because the old version goes wrong in memory on
    /// all inputs that came there, or would have; `None` if that is not known.
    pub hidden: Option<Unmet>,
    /// Some of the inputs whose paths were cut.
    pub cut: Vec<Given>,
    /// Watched parts that could not be decided, and why; the reasons are among those that something is open for.
    pub open_parts: BTreeMap<String, String>,
    /// Whether a run contradicted what was said to have no influence: nothing may rest on that then.
    pub contradicted: bool,
    /// What was found of threads, if the programs have any.
    pub threads: Option<ThreadsFound>,
}

/// How pairs of paths were decided.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct PairCounts {
    /// The same expressions.
    pub identical: u64,
    /// Proved equal by the solver.
    pub proved: u64,
    /// With an input that differs.
    pub differing: u64,
    /// Not asked about, because a difference of that kind is known.
    pub unasked: u64,
    /// Cut or undecided.
    pub open: u64,
    /// Not compared, because the old version itself goes wrong in memory there.
    pub invalid: u64,
    /// Of these, those on which one of the versions does something else than to go through a null pointer.
    pub wild: u64,
}

impl Judgement {
    /// Without anything to compare.
    fn same() -> Self {
        Self {
            verdict: Sameness::Same,
            witnesses: Vec::new(),
            introduced: Vec::new(),
            fixed: Vec::new(),
            preexisting: Vec::new(),
            invalid: Vec::new(),
            valid: 0,
            loops: 0,
            bounds: BTreeSet::new(),
            undecided: BTreeSet::new(),
            notes: BTreeSet::new(),
            pairs: PairCounts::default(),
            effort: Effort::default(),
            queries: 0,
            composed: Vec::new(),
            unchanged: false,
            partial: false,
            settled_early: false,
            unmet: None,
            hidden: None,
            cut: Vec::new(),
            open_parts: BTreeMap::new(),
            contradicted: false,
            threads: None,
        }
    }

    /// Notes what another comparison came by.
    fn met_also(&mut self, other: &Self) {
        let kept = [&mut self.unmet, &mut self.hidden];
        for (before, after) in kept.into_iter().zip([&other.unmet, &other.hidden]) {
            if let (Some(before), Some(after)) = (before, after) {
                before.keep_common(after);
            }
        }
    }

    /// The verdict that what was found makes.
    pub fn settle(&mut self) {
        let races = self.threads.as_ref().is_some_and(|threads| !threads.introduced.is_empty());
        let errors = !self.introduced.is_empty() || !self.fixed.is_empty();
        let differs = !self.witnesses.is_empty() || errors || races;
        self.verdict = Sameness::of(differs, !self.undecided.is_empty(), !self.bounds.is_empty());
    }
}

/// Compares what two versions do. An input that they have in different types is one value, which both can hold.
pub fn differ(question: &Question<'_>, hooks: &Hooks<'_>) -> Result<Judgement, ExploreError> {
    differ_from(question, hooks, &[])
}

/// The same, with inputs that are tried before all others.
pub fn differ_from(
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    guesses: &[Given],
) -> Result<Judgement, ExploreError> {
    let types = CommonTypes::of(question.new, question.old, hooks)?;
    // Whatever is explored on the way, all of it ends then.
    let end = question.new.1.limits.deadline().time();
    let with = |config: &Config, volatile: Volatile| {
        let mut config = config.clone();
        config.limits.end = end;
        config.inputs.symbol_types = types.types().clone();
        config.volatile = volatile;
        config
    };
    let configs = [question.old.1, question.new.1].map(|config| with(config, Volatile::Memory));
    let (old, new) = ((question.old.0, &configs[0]), (question.new.0, &configs[1]));
    if new.1.threads.is_some() {
        let mut judgement = threads::compared(&Question { old, new, ..*question }, hooks)?;
        if volatile::accessed(question) && volatile::others_change(question) {
            let reason =
                "what others than the program's own threads do to volatile variables is not looked at";
            judgement.undecided.insert(reason.into());
            judgement.settle();
        }
        judgement.notes.extend(types.notes());
        judgement.partial |= types.leaves_out();
        return Ok(judgement);
    }
    let mut judgement = compared(&Question { old, new, ..*question }, hooks, guesses)?;
    let volatile = volatile::accessed(question);
    // Of parts that are each decided, others may differ than those that differ without volatile variables.
    let open = judgement.verdict != Sameness::Differs || question.watched.is_some();
    if volatile && volatile::others_change(question) && open {
        let configs = [question.old.1, question.new.1].map(|config| with(config, Volatile::Changing));
        let (old, new) = ((question.old.0, &configs[0]), (question.new.0, &configs[1]));
        let whole = Question { old, new, subjects: None, impact: None, ..*question };
        judgement = volatile::both(judgement, from_entry(&whole, hooks, guesses)?);
    }
    tracing::debug!(
        entry = question.new.1.entry,
        verdict = ?judgement.verdict,
        bounds = ?judgement.bounds,
        undecided = ?judgement.undecided,
        "judged"
    );
    judgement.notes.extend(types.notes());
    if volatile && !volatile::others_change(question) {
        judgement.notes.insert(volatile::TAKEN.to_owned());
    }
    judgement.partial |= types.leaves_out();
    Ok(judgement)
}

/// The same for inputs of the same types.
fn compared(
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    guesses: &[Given],
) -> Result<Judgement, ExploreError> {
    if !guesses.is_empty() {
        return from_entry(question, hooks, guesses);
    }
    let composed = match composition::compared(question, hooks)? {
        ComposedFound::Proved(composed) => composed,
        ComposedFound::Differs(guesses) => return from_entry(question, hooks, &guesses),
        ComposedFound::Nothing => return from_entry(question, hooks, &[]),
    };
    if !composed.fails {
        return Ok(composed.judgement);
    }
    // What is left to find out is which errors can be reached: the verdict need not wait for all paths.
    let limited = |config: &Config| {
        let mut config = config.clone();
        if !question.all_ways {
            config.limits.give_up_after(composition::PROVING);
        }
        config
    };
    let configs = (limited(question.old.1), limited(question.new.1));
    let (old, new) = ((question.old.0, &configs.0), (question.new.0, &configs.1));
    let explored = from_entry(&Question { old, new, ..*question }, hooks, &[])?;
    Ok(composed.with_errors_of(explored))
}

/// Compares what two versions do by exploring both from the entry. Some inputs are tried before.
fn from_entry(
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    guesses: &[Given],
) -> Result<Judgement, ExploreError> {
    match watched_joined::may_help(question) {
        true => watched_joined::decided(question, hooks, |question| as_they_are(question, hooks, guesses)),
        false => as_they_are(question, hooks, guesses),
    }
}

/// The same on the programs as they are at first; larger inputs may take joined ones.
fn as_they_are(
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    guesses: &[Given],
) -> Result<Judgement, ExploreError> {
    let concern = question.subjects.zip(question.impact);
    let concern = concern.map(|((old, new), impact)| Concern::new(old, new, impact, question.watched));
    // Loops and recursion that need not be looked into make the exploration long: what can be proved without them comes
    // first.
    if let Some(assumed) = Assumed::new(question)
        && let Some(effort) = hypothesis::proved(question, hooks, &assumed)?
    {
        let mut judgement = Judgement { effort, ..Judgement::same() };
        judgement.pairs.proved = judgement.effort.pairs;
        judgement.notes.insert("recursion and unchanged functions by induction over calls".into());
        return Ok(judgement);
    }
    let inductions = Inductions::default();
    let joined = OnceCell::new();
    // Of several explorations one judgement is kept: a contradiction counts whichever of them came by it.
    let contradicted = Cell::new(false);
    let found = growth::grown(question, hooks, &inductions, |question, way| {
        let (inductions, guesses, towards) = match way {
            Way::Plain => (Some(&inductions), guesses, None),
            Way::Towards(unmet) => (None, &[][..], Some(unmet)),
            Way::From(inputs) => (None, inputs, None),
            Way::Proved(proof) => {
                return with_hidden(proof.clone(), question, hooks, concern.as_ref(), Aim::default());
            }
            Way::Joined => {
                let (old, new) =
                    joined.get_or_init(|| (join_branches(question.old.0), join_branches(question.new.0)));
                let (old, new) = ((old, question.old.1), (new, question.new.1));
                let question = Question { old, new, subjects: None, impact: None, ..*question };
                return explore(&question, hooks, None, None, Aim { merging: true, ..Aim::default() });
            }
        };
        let aim = Aim { guesses, towards, merging: false };
        let judgement = explore(question, hooks, concern.as_ref(), inductions, aim)?;
        contradicted.set(contradicted.get() || judgement.contradicted || judgement.effort.diverged > 0);
        match judgement.effort.diverged {
            0 => Ok(judgement),
            // A branch that was left out had an influence after all: nothing is left out then.
            _ => explore(question, hooks, None, None, aim),
        }
    })?;
    Ok(Judgement { contradicted: contradicted.get(), ..found })
}

/// What an exploration looks at before all else, and what it looks for.
#[derive(Copy, Clone, Default)]
struct Aim<'g> {
    /// Inputs that are tried before.
    guesses: &'g [Given],
    /// The part of the change that paths have to come by.
    towards: Option<&'g Unmet>,
    /// Whether states are merged at the heads of loops; nothing is left out then, and nothing steered.
    merging: bool,
}

/// Explores both versions together, all of them or what concerns the change. Where a loop is without end, an induction
/// is tried before all of its turns are, if there is hope.
fn explore(
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    concern: Option<&Concern>,
    inductions: Option<&Inductions>,
    aim: Aim<'_>,
) -> Result<Judgement, ExploreError> {
    let inductive = inductions.is_some_and(Inductions::may_help);
    let influence = concern.map(|concern| &concern.new);
    let mut lead = question.subjects.map(|(_, new)| LeadingPaths::new(new, influence, aim.towards));
    if let Some(lead) = lead.as_ref().filter(|lead| !lead.can_begin()) {
        return Ok(Judgement { unchanged: is_unchanged(question, lead), ..Judgement::same() });
    }
    let programs = [question.new.0, question.old.0];
    let [mut full, mut whole] = programs.map(|program| -> Box<dyn Strategy> {
        if aim.merging { Box::new(LoopHeads::new(program)) } else { Box::new(FullExploration) }
    });
    let mut follower =
        question.subjects.map(|(old, _)| Follower::new(old, concern.map(|concern| &concern.old)));
    let mut session = Session::new(question.new.1, &hooks.interrupt).with_time_of(question.new.1);
    let mut judge = PairJudge::new(question, hooks, observed(question, concern));
    let hurried =
        judge.guess(&mut session, aim.guesses, lead.as_ref().and_then(LeadingPaths::only_change))?
            && !question.all_ways;
    let bounded = |config| bounded(config, hurried, inductive);
    let (mut old_config, new_config) = (bounded(question.old.1), bounded(question.new.1));
    old_config.checks.note_overflow = true;
    let mut relation = {
        let leading: &mut dyn Strategy = match &mut lead {
            Some(lead) => lead,
            None => &mut *full,
        };
        let following: &mut dyn Strategy = match &mut follower {
            Some(follower) => follower,
            None => &mut *whole,
        };
        let leading = Party { program: question.new.0, config: &new_config, strategy: leading };
        let following = Party { program: question.old.0, config: &old_config, strategy: following };
        Relation::new(&mut session, leading, following, hooks)?
    };
    if aim.merging {
        relation.go_in_lockstep();
    }
    // Where a difference is known there is nothing to prove.
    let mut untried = inductive && !judge.knows_a_difference();
    let mut progress = Progress::new();
    let loops = OnceCell::new();
    let calls_are_loops = || *loops.get_or_init(|| induction::calls_are_loops(question));
    while let Some(pair) = relation.next(&mut session) {
        if let Some(inductions) =
            inductions.filter(|_| untried && induction::may_help(&pair, calls_are_loops))
        {
            if let Some(judgement) = inductions.proved(question, hooks)? {
                drop(relation);
                return with_hidden(judgement, question, hooks, concern, aim);
            }
            untried = false;
            let limits = [question.old.1, question.new.1].map(|config| config.limits.loop_iterations);
            if limits.into_iter().any(|limit| limit > TURNS) {
                let in_vain = Some(inductions).filter(|each| !each.may_help());
                return explore(question, hooks, concern, in_vain, aim);
            }
        }
        progress.comes_to(&pair);
        judge.pair(&mut session, &mut relation, pair)?;
        // What is too hard as it is may be a matter of how turns are arranged.
        if let Some(inductions) = inductions.filter(|_| judge.is_stuck())
            && let Some(judgement) = inductions.proved_otherwise(question, hooks, &[])?
        {
            drop(relation);
            return with_hidden(judgement, question, hooks, concern, aim);
        }
        relation.search_widely(judge.is_lost());
        relation.leave_cut(judge.knows_cuts());
        if !question.all_ways && is_over(question, aim, &progress, &mut judge, &mut relation) {
            break;
        }
    }
    let effort = relation.effort();
    let followed_all = relation.left_alone().1 == 0;
    judge.left_alone(relation.left_alone());
    let unlike = relation.unlike().to_vec();
    drop(relation);
    if effort.diverged == 0 || concern.is_none() {
        judge.search_on(&mut session)?;
        judge.shorten(&mut session, lead.as_ref().is_some_and(|lead| lead.only_change().is_none()))?;
    }
    // That inputs are not one and the same, for one, hides paths and does not cut them.
    let by_cuts = effort.needs.hiding().next().is_none();
    let unmet = lead.as_ref().zip(follower.as_ref()).map(|(lead, follower)| {
        unmet(lead, follower, judge.came_by(), question, (by_cuts && followed_all, by_cuts))
    });
    let hidden =
        lead.as_ref().zip(follower.as_ref()).map(|(lead, follower)| hidden(lead, follower, judge.came_by()));
    let met = |note| lead.as_ref().map_or((0, None), |lead| lead.met(note));
    let judgement = judge.judgement(&session, effort, &unlike, met);
    Ok(Judgement { unmet, hidden, ..judgement })
}

/// What is looked at of what the versions leave behind.
fn observed(question: &Question<'_>, concern: Option<&Concern>) -> Concerned {
    concern.map_or_else(
        || question.watched.map_or_else(Concerned::everything, Watched::concerned),
        |concern| concern.observed.clone(),
    )
}

/// The parts of the change that other parts hide.
fn hidden(lead: &LeadingPaths<'_>, follower: &Follower<'_>, (old, new): (&CameBy, &CameBy)) -> Unmet {
    Unmet { old: follower.hidden(old), new: lead.hidden(new), missed: false }
}

/// Whether neither version has a statement that changed.
fn is_unchanged(question: &Question<'_>, lead: &LeadingPaths<'_>) -> bool {
    let old = question.subjects.map(|(old, _)| Changes::new(old, |_| {}).count());
    old == Some(0) && lead.changes() == 0
}

/// Whether a search ends although states are left: nothing new turns up, or it would not come to its end.
fn is_over(
    question: &Question<'_>,
    aim: Aim<'_>,
    progress: &Progress,
    judge: &mut PairJudge<'_>,
    relation: &mut Relation<'_>,
) -> bool {
    if judge.is_settled() {
        judge.ended_early(relation.stop());
        return true;
    }
    if judge.is_hopeless() {
        judge.gave_up(relation.stop());
        return true;
    }
    let steered = aim.merging || aim.towards.is_some();
    if question.watched.is_some() || steered || judge.knows_a_difference() {
        return false;
    }
    let Some(percent) = progress.is_too_slow(relation, &question.new.1.limits) else { return false };
    judge.was_too_slow(percent, relation.stop());
    true
}

/// The limits of an exploration: shorter ones where a difference is known, and a few turns where an induction may do.
fn bounded(config: &Config, hurried: bool, inductive: bool) -> Config {
    let mut config = config.clone();
    if hurried {
        config.limits.give_up_after(SETTLING);
    }
    config.limits.instructions = config.limits.instructions.min(LONGEST);
    config.limits.stack = config.limits.stack.min(DEEPEST);
    if inductive {
        config.limits.loop_iterations = config.limits.loop_iterations.min(TURNS);
    }
    config
}

/// The changes that no path came by. `by_cuts` says for the old and for the new version whether all that is missing
/// was cut.
fn unmet(
    lead: &LeadingPaths<'_>,
    follower: &Follower<'_>,
    (old, new): (&CameBy, &CameBy),
    question: &Question<'_>,
    by_cuts: (bool, bool),
) -> Unmet {
    let fail = question.new.1.inputs.malloc_fails;
    // Whoever lets allocations fail next wants to know what only that would come by.
    let missed = !follower.unmet(old, false, true).is_empty() || !lead.unmet(new, false, true).is_empty();
    let (old, new) = (follower.unmet(old, by_cuts.0, fail), lead.unmet(new, by_cuts.1, fail));
    Unmet { old, new, missed }
}

/// A proof on all inputs but those on which the old version goes wrong in memory, with what only these come by: that
/// shows on paths of a few turns.
fn with_hidden(
    mut proof: Judgement,
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    concern: Option<&Concern>,
    aim: Aim<'_>,
) -> Result<Judgement, ExploreError> {
    if proof.pairs.invalid == 0 || question.subjects.is_none() {
        return Ok(proof);
    }
    let short = |config: &Config| {
        let mut config = config.clone();
        config.limits.loop_iterations = config.limits.loop_iterations.min(TURNS);
        config
    };
    let (old, new) = (short(question.old.1), short(question.new.1));
    let (old, new) = ((question.old.0, &old), (question.new.0, &new));
    let looked = explore(&Question { old, new, ..*question }, hooks, concern, None, aim)?;
    if looked.verdict == Sameness::Differs {
        return Ok(looked);
    }
    proof.contradicted |= looked.effort.diverged > 0;
    proof.hidden = looked.hidden;
    proof.invalid = looked.invalid;
    Ok(proof)
}

/// Whether both programs assume away the inputs of a pair of paths; `None` if neither does.
fn assumed_away(pair: &Pair) -> Option<bool> {
    match [&pair.leading, &pair.following].map(|end| end.outcome == Outcome::Discarded) {
        [false, false] => None,
        both => Some(both == [true, true]),
    }
}
