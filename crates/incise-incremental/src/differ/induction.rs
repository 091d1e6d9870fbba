//! Beyond the bounds: where only the number of turns of loops is bounded, the loops are proved by induction.
//!
//! The proof looks at all paths of both versions, and rests on nothing that was found before (see
//! [`incise_relate::induct`]).

use super::candidates::{ends_at_null, only_in_one};
use super::{Judgement, Question, assumed_away};
use incise_exec::{ExploreError, Given, Hooks, LimitKind, Need, Outcome, Satisfiable, Session, Work};
use incise_ir::recursion_as_loops;
use incise_relate::{
    Concerned, Effort, Induction, LONGEST_ARRAY, Pair, Relation, Visible, induct, induct_rearranged,
};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Whether a pair of paths has a loop that an induction may do away with, or calls that are as good as one.
pub(super) fn may_help(pair: &Pair, calls_are_loops: impl Fn() -> bool) -> bool {
    // A question that is too hard may come of the turns before it.
    let cut = |outcome: &Outcome| {
        matches!(outcome, Outcome::Limit(LimitKind::Loop | LimitKind::InputSize) | Outcome::Undecided(_))
    };
    let deep = |outcome: &Outcome| matches!(outcome, Outcome::Limit(LimitKind::Stack));
    let outcomes = [&pair.leading.outcome, &pair.following.outcome];
    outcomes.into_iter().any(cut) || outcomes.into_iter().any(deep) && calls_are_loops()
}

/// Whether functions of one of the versions that call themselves are as good as loops.
pub(super) fn calls_are_loops(question: &Question<'_>) -> bool {
    [question.new, question.old]
        .into_iter()
        .any(|(program, config)| recursion_as_loops(program, &config.entry).is_some())
}

/// Turns in another arrangement are worth so much.
const REARRANGED: Work = Work::about_milliseconds(4_000);

/// The inductions that are tried while inputs grow.
#[derive(Default)]
pub(super) struct Inductions {
    /// One failed for another reason than the size of inputs: it fails on larger ones, too.
    in_vain: Cell<bool>,
    /// The work that they took.
    took: Cell<Work>,
    /// Whether turns in another arrangement were looked for.
    rearranged: Cell<bool>,
}

impl Inductions {
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
        let left_out = LeftOut::default();
        let found = induct(question.new, question.old, hooks, &mut comparing(question.visible, &left_out));
        self.took.set(self.took.get().plus(Work::since(start)));
        let found = found?;
        if let Induction::Open { for_size, .. } = &found {
            self.in_vain.set(!for_size);
            // Where all the time is used, there would be none left for what comes last.
            if question.all_ways {
                return self.proved_otherwise(question, hooks, &[]);
            }
        }
        Ok(judged(found, &left_out))
    }

    /// The same for loops whose turns are arranged in another way. Some inputs that were cut are known. It comes when
    /// small inputs were compared, so that what differs on them is not found later because of it.
    pub(super) fn proved_otherwise(
        &self,
        question: &Question<'_>,
        hooks: &Hooks<'_>,
        known: &[Given],
    ) -> Result<Option<Judgement>, ExploreError> {
        if !self.in_vain.get() || self.rearranged.replace(true) {
            return Ok(None);
        }
        let (start, left_out) = (Work::done(), LeftOut::default());
        let mut comparing = comparing(question.visible, &left_out);
        let found = induct_rearranged(question.new, question.old, hooks, &mut comparing, (REARRANGED, known));
        self.took.set(self.took.get().plus(Work::since(start)));
        Ok(judged(found?, &left_out))
    }
}

/// What is to be said of a proof, and of what it left out; `None` if there is none.
fn judged(found: Induction, left_out: &LeftOut) -> Option<Judgement> {
    let Induction::Proved { loops, effort, queries, bounded, recursive } = found else { return None };
    let mut judgement = judgement(loops, *effort, queries, bounded);
    judgement.notes.extend(recursive.iter().map(|name| format!("{name} is taken to have room on the stack")));
    judgement.pairs.invalid = left_out.pairs.get();
    judgement.pairs.wild = left_out.wild.get();
    judgement.notes.extend(left_out.unmatched.take().iter().map(|name| only_in_one(name)));
    judgement.effort.needs.one_sided = left_out.one_sided.take();
    if !judgement.effort.needs.one_sided.is_empty() {
        judgement.bounds.insert(LimitKind::OneSided);
        judgement.settle();
    }
    Some(judgement)
}

/// What a proof does not speak of.
#[derive(Default)]
struct LeftOut {
    /// The pairs of paths on which the old version goes wrong in memory.
    pairs: Cell<u64>,
    /// Those on which one of the versions does something else than to go through a null pointer.
    wild: Cell<u64>,
    /// What only one version has, and what of that it writes.
    unmatched: RefCell<BTreeSet<String>>,
    one_sided: RefCell<BTreeSet<String>>,
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
    let left_out = LeftOut::default();
    let mut comparing = comparing(question.visible, &left_out);
    match induct(question.new, question.old, hooks, &mut comparing)? {
        Induction::Open { for_size: false, .. } => {}
        found => return Ok(found),
    }
    induct_rearranged(question.new, question.old, hooks, &mut comparing, (REARRANGED, &[]))
}

/// How paths are compared in a proof. Notes what is left out, such as the pairs of paths on which the old version goes
/// wrong in memory.
fn comparing(
    visible: Visible,
    left_out: &LeftOut,
) -> impl FnMut(&mut Session, &mut Relation<'_>, Pair) -> Result<(), String> {
    move |session, relation, pair| {
        // The function was not made for inputs on which the old version itself goes wrong.
        if pair.following.outcome.is_memory_error() && matches!(pair.leading.outcome, Outcome::Error(_)) {
            left_out.pairs.set(left_out.pairs.get() + 1);
            let null = ends_at_null(&pair.following.outcome) && ends_at_null(&pair.leading.outcome);
            left_out.wild.set(left_out.wild.get() + u64::from(!null));
            return Ok(());
        }
        compare(session, relation, pair, visible, left_out)
    }
}

/// Whether two paths leave the same behind, for all inputs that take both.
fn compare(
    session: &mut Session,
    relation: &mut Relation<'_>,
    mut pair: Pair,
    visible: Visible,
    left_out: &LeftOut,
) -> Result<(), String> {
    match assumed_away(&pair) {
        Some(true) => return Ok(()),
        Some(false) => return Err("one version assumes away what the other does not".into()),
        None => {}
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
    left_out.unmatched.borrow_mut().extend(compared.unmatched);
    left_out.one_sided.borrow_mut().extend(compared.one_sided);
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
