//! Beyond the bounds: where only the number of turns of loops is bounded, the loops are proved by induction.
//!
//! The proof looks at all paths of both versions, and rests on nothing that was found before (see
//! [`incise_relate::induct`]).

use super::{Judgement, Question, assumed_away};
use incise_exec::{ExploreError, Given, Hooks, LimitKind, Need, Outcome, Satisfiable, Session, Work};
use incise_relate::{
    Concerned, Effort, Induction, LONGEST_ARRAY, Pair, Relation, Visible, induct, induct_rearranged,
};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Whether a pair of paths has a loop that an induction may do away with.
pub(super) fn may_help(pair: &Pair) -> bool {
    // A question that is too hard may come of the turns before it.
    let cut = |outcome: &Outcome| {
        matches!(outcome, Outcome::Limit(LimitKind::Loop | LimitKind::InputSize) | Outcome::Undecided(_))
    };
    cut(&pair.leading.outcome) || cut(&pair.following.outcome)
}

/// Turns in another arrangement are worth one of so many parts of all that was done, and so much at least and at most.
const PARTS: u32 = 2;
const LEAST: Work = Work::about_milliseconds(250);
const MOST: Work = Work::about_milliseconds(5_000);
/// Where nothing else is done, they are worth so much.
const ALONE: Work = Work::about_milliseconds(600);
/// They are looked for again only with so many times the work.
const MORE: u32 = 3;

/// The inductions that are tried while inputs grow.
pub(super) struct Inductions {
    /// What was done when the comparison began.
    start: Work,
    /// One failed for another reason than the size of inputs: it fails on larger ones, too.
    in_vain: Cell<bool>,
    /// The last one failed because inputs are taken to be small: so would others.
    too_small: Cell<bool>,
    /// The work that they took.
    took: Cell<Work>,
    /// What turns in another arrangement were last thought worth; none if there is no point in more.
    rearranged: Cell<Option<Work>>,
}

impl Inductions {
    pub(super) fn new() -> Self {
        let none = Work::default();
        Self {
            start: Work::done(),
            in_vain: Cell::new(false),
            too_small: Cell::new(false),
            took: Cell::new(none),
            rearranged: Cell::new(Some(none)),
        }
    }

    /// Whether one is worth trying.
    pub(super) fn may_help(&self) -> bool {
        !self.in_vain.get()
    }

    /// The work that they took so far.
    pub(super) fn took(&self) -> Work {
        self.took.get()
    }

    /// What is to be said if two versions do the same by induction; `None` if that is not proved.
    pub(super) fn proved(
        &self,
        question: &Question<'_>,
        hooks: &Hooks<'_>,
    ) -> Result<Option<Judgement>, ExploreError> {
        let start = Work::done();
        let found = induct(question.new, question.old, hooks, &mut comparing(question.visible));
        self.took.set(self.took.get().plus(Work::since(start)));
        Ok(match found? {
            Induction::Proved { loops, effort, queries, bounded } => {
                Some(judgement(loops, *effort, queries, bounded))
            }
            Induction::Open { for_size, .. } => {
                self.in_vain.set(!for_size);
                self.too_small.set(for_size);
                None
            }
        })
    }
}

impl Inductions {
    /// The same for turns in another arrangement, if that is worth trying: a part of what was done is spent on it. Some
    /// inputs that were cut are known.
    pub(super) fn proved_otherwise(
        &self,
        question: &Question<'_>,
        hooks: &Hooks<'_>,
        known: &[Given],
    ) -> Result<Option<Judgement>, ExploreError> {
        let Some(before) = self.rearranged.get() else { return Ok(None) };
        let worth = Work::since(self.start).part(PARTS).max(LEAST).min(MOST);
        if worth < before.times(MORE) || self.too_small.get() {
            return Ok(None);
        }
        let start = Work::done();
        let mut comparing = comparing(question.visible);
        let found = induct_rearranged(question.new, question.old, hooks, &mut comparing, (worth, known));
        let took = Work::since(start);
        self.took.set(self.took.get().plus(took));
        // What came to its end before all was spent comes to the same with more.
        self.rearranged.set((took >= worth).then_some(worth));
        Ok(match found? {
            Induction::Proved { loops, effort, queries, bounded } => {
                Some(judgement(loops, *effort, queries, bounded))
            }
            Induction::Open { .. } => None,
        })
    }
}

/// What a proof says.
fn judgement(loops: usize, effort: Effort, queries: u64, bounded: BTreeMap<String, u64>) -> Judgement {
    let mut judgement = Judgement { effort, queries, ..Judgement::same() };
    judgement.pairs.proved = judgement.effort.pairs;
    // Loops of few turns need none.
    if loops > 0 {
        let s = if loops == 1 { "" } else { "s" };
        judgement.notes.insert(format!("{loops} loop{s} by induction"));
    }
    for (input, element) in bounded {
        let need = Need { made: LONGEST_ARRAY / element.max(1), needed: 0, element };
        judgement.effort.needs.elements.insert(input, need);
        judgement.bounds.insert(LimitKind::InputSize);
    }
    judgement.settle();
    judgement
}

/// Tries to prove by induction that two versions do the same, whatever their loops take.
pub fn prove(question: &Question<'_>, hooks: &Hooks<'_>) -> Result<Induction, ExploreError> {
    let mut comparing = comparing(question.visible);
    let found = induct(question.new, question.old, hooks, &mut comparing)?;
    match found {
        Induction::Open { for_size: false, .. } => {}
        found => return Ok(found),
    }
    induct_rearranged(question.new, question.old, hooks, &mut comparing, (ALONE, &[]))
}

/// How paths are compared in a proof.
fn comparing(visible: Visible) -> impl FnMut(&mut Session, &mut Relation<'_>, Pair) -> Result<(), String> {
    move |session, relation, pair| compare(session, relation, pair, visible)
}

/// Whether two paths leave the same behind, for all inputs that take both.
fn compare(
    session: &mut Session,
    relation: &mut Relation<'_>,
    mut pair: Pair,
    visible: Visible,
) -> Result<(), String> {
    match assumed_away(&pair) {
        Some(true) => return Ok(()),
        Some(false) => return Err("one version assumes away what the other does not".into()),
        None => {}
    }
    // The function was not made for inputs on which the old version itself goes wrong.
    if pair.following.outcome.is_memory_error() && matches!(pair.leading.outcome, Outcome::Error(_)) {
        return Ok(());
    }
    if !pair.following.outcome.ends_like(&pair.leading.outcome) {
        let (old, new) = (&pair.following.outcome, &pair.leading.outcome);
        return Err(format!("the versions may end differently: {old:?}, {new:?}"));
    }
    if pair.indeterminate {
        return Err("what was never initialised is read".into());
    }
    let compared = relation.compare(session, &mut pair, visible, &Concerned::everything());
    if let Some(unsure) = compared.unsure.into_iter().next() {
        return Err(unsure);
    }
    let differs: Vec<_> = compared.leaves.iter().map(|leaf| leaf.differs).collect();
    if differs.is_empty() {
        return Ok(());
    }
    let any = session.any(&differs);
    match session.satisfiable(&pair.conditions, any, &pair.assignment) {
        Satisfiable::No => Ok(()),
        Satisfiable::Yes(_) => Err("results may differ".into()),
        Satisfiable::Unknown(reason) => Err(format!("whether results are equal: {reason}")),
    }
}
