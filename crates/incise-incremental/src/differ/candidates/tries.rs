//! Runs of both versions on one input: what was predicted is seen there, or is not.

use super::{OpenPair, PairJudge, WayToDiffer, ending, number, witness};
use crate::differ::{DifferingValue, FoundError, Witness, special};
use incise_exec::{
    Assignment, Conjunction, ExploreError, FullExploration, LimitKind, Note, Outcome, Satisfiable, Session,
    Work,
};
use incise_relate::{Concerned, Party, Relation};

/// So many inputs are traced where something is open.
const RANDOM: u64 = 48;
/// That is worth so much work.
const SEARCHING: Work = Work::about_milliseconds(4_000);
/// The lengths of inputs that are tried before longer ones are shown.
const SHORT: [u64; 6] = [1, 2, 3, 4, 6, 12];
/// It is worth so much to bring an input near to zero.
const NEARING: Work = Work::about_milliseconds(1_500);
/// So many ways to differ are told apart.
const MOST_GROUPS: usize = 64;

/// What a run of both versions on one input told.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Tried {
    /// Something differs.
    Differs,
    /// Nothing does, or the input is of no interest.
    Nothing,
    /// One of them did not come to its end.
    Cut,
}

impl PairJudge<'_> {
    /// Makes a candidate readable, runs both versions on it, and keeps what differs. Whether something does.
    pub(super) fn confirm(
        &mut self,
        session: &mut Session,
        note: Note,
        relation: &Relation<'_>,
        mut conditions: Conjunction,
        found: &Assignment,
    ) -> Result<bool, ExploreError> {
        if self.witnesses.len() >= MOST_GROUPS && self.question.watched.is_none() {
            self.notes.insert(format!("more than {MOST_GROUPS} ways to differ: not all are shown"));
            return Ok(true);
        }
        // Inputs that can be shown as a whole are better than those that go on beyond what was looked at.
        let mut found = found.clone();
        let whole = relation.whole();
        let shown = match session.holds(whole, &found) {
            true => Some(found.clone()),
            false => match session.satisfiable(&conditions, whole, &found) {
                Satisfiable::Yes(better) => Some(better),
                Satisfiable::No | Satisfiable::Unknown(_) => None,
            },
        };
        if let Some(better) = shown {
            session.add(&mut conditions, whole);
            found = better;
            // Short ones are better still.
            for most in SHORT {
                let short = relation.short(session, most);
                if let Satisfiable::Yes(shorter) = session.satisfiable(&conditions, short, &found) {
                    session.add(&mut conditions, short);
                    found = shorter;
                    break;
                }
            }
        }
        let found = &found;
        let simple = session.simplified(&conditions, found);
        let zeros = Assignment::given(Default::default());
        let until = self.question.new.1.limits.deadline_after(NEARING);
        let near = session.nearest(&conditions, &zeros, &simple, until);
        let near = session.simplified(&conditions, &near);
        Ok(self.shows(session, note, &near)? || self.shows(session, note, found)?)
    }

    /// Whether both versions differ on an input.
    pub(super) fn shows(
        &mut self,
        session: &mut Session,
        note: Note,
        inputs: &Assignment,
    ) -> Result<bool, ExploreError> {
        Ok(self.try_input(session, note, inputs)? == Tried::Differs)
    }

    /// Runs both versions on an input, and keeps what differs.
    fn try_input(
        &mut self,
        session: &mut Session,
        note: Note,
        inputs: &Assignment,
    ) -> Result<Tried, ExploreError> {
        let (mut leading, mut following) = (FullExploration, FullExploration);
        let new = Party { program: self.question.new.0, config: &self.generous.1, strategy: &mut leading };
        let old = Party { program: self.question.old.0, config: &self.generous.0, strategy: &mut following };
        let (mut relation, pair) = Relation::trace(session, new, old, self.hooks, inputs)?;
        let Some(mut pair) = pair else {
            // A run that was stopped on its way has no end.
            let stopped = !relation.effort().limits.is_empty();
            return Ok(if stopped { Tried::Cut } else { Tried::Nothing });
        };
        if self.question.new.1.inputs.failures_alike && pair.fails_apart(session) {
            return Ok(Tried::Nothing);
        }
        let (new_outcome, old_outcome) = (pair.leading.outcome.clone(), pair.following.outcome.clone());
        let still =
            |outcome: &Outcome| matches!(outcome, Outcome::Limit(LimitKind::Instructions | LimitKind::Stack));
        let endless =
            still(&new_outcome) && !old_outcome.is_cut() || still(&old_outcome) && !new_outcome.is_cut();
        if old_outcome == Outcome::Discarded {
            return Ok(Tried::Nothing);
        }
        if !endless && (new_outcome.is_cut() || old_outcome.is_cut()) {
            return Ok(Tried::Cut);
        }
        if old_outcome.is_memory_error() && matches!(new_outcome, Outcome::Error(_)) {
            return Ok(Tried::Nothing);
        }
        let ends_alike = !endless && old_outcome.ends_like(&new_outcome);
        let (mut values, mut leaves) = (Vec::new(), Vec::new());
        if ends_alike {
            let compared =
                relation.compare(session, &mut pair, self.question.visible, &Concerned::everything());
            for leaf in compared.leaves {
                if session.holds(leaf.differs, &pair.assignment) && leaf.leading != leaf.following {
                    leaves.push(leaf.clone());
                    let (name, seen, old, new) = (leaf.name, leaf.seen, leaf.following, leaf.leading);
                    values.push(DifferingValue { name, seen, old, new });
                }
            }
            if values.is_empty() {
                return Ok(Tried::Nothing);
            }
        }
        let (new, old) = relation.describe(session, &mut pair);
        let place = relation.leading_end(&pair);
        let old_place = relation.following_end(&pair);
        drop(relation);
        let mut found = witness(old, new, values, pair.indeterminate);
        found.endless = endless;
        let oddities = pair.oddities(session);
        found.special = special::of(session, &oddities, &pair.assignment, &leaves);
        let way = match ends_alike {
            true => {
                let way = |each: &DifferingValue| (each.seen, self.key(note, each.seen, &each.name).2);
                WayToDiffer::Values(found.values.iter().map(way).collect())
            }
            false => WayToDiffer::Ending(ending(&old_outcome), ending(&new_outcome)),
        };
        for value in &found.values {
            let key = self.key(note, value.seen, &value.name);
            let known = if found.special.is_some() { &mut self.specially } else { &mut self.differing };
            known.insert(key);
        }
        if !ends_alike {
            for (bucket, outcome, (position, stack)) in
                [(&mut self.introduced, &new_outcome, place), (&mut self.fixed, &old_outcome, old_place)]
            {
                if let Outcome::Error(error) = outcome {
                    let key = (error.kind.name().to_owned(), position.clone());
                    let (kind, message) = (error.kind, error.message.clone());
                    let witness = found.clone();
                    let found = FoundError { kind, message, position, stack, witness };
                    if bucket.get(&key).is_none_or(|(_, known)| is_better(&found.witness, &known.witness)) {
                        bucket.insert(key, (note, found));
                    }
                }
            }
        }
        let key = (number(note), way);
        if self.witnesses.get(&key).is_none_or(|(_, known)| is_better(&found, known)) {
            self.witnesses.insert(key, (note, found));
        }
        Ok(Tried::Differs)
    }

    /// Where something is open, inputs are run that may still show a difference.
    pub(in crate::differ) fn search_on(&mut self, session: &mut Session) -> Result<(), ExploreError> {
        let until = self.question.new.1.limits.deadline_after(SEARCHING);
        let mut open = std::mem::take(&mut self.open);
        open.sort_by_key(|pair| !pair.one_ended);
        self.one_ended = open.first().is_some_and(|pair| pair.one_ended);
        for OpenPair { note, inputs, one_ended } in open {
            // A path that does not end takes as long as a path may take.
            if self.stopped() || until.passed().is_some() {
                break;
            }
            let simple = session.simplified(&session.conjunction([]), &inputs);
            let mut cut = false;
            for inputs in [&inputs, &simple] {
                cut |= self.stopped() || self.try_input(session, note, inputs)? == Tried::Cut;
            }
            if one_ended {
                self.one_ended = cut;
            }
            if cut && one_ended {
                break;
            }
        }
        let open = !self.undecided.is_empty() || !self.bounds.is_empty();
        for seed in 0..RANDOM {
            if !open || !self.witnesses.is_empty() || self.stopped() || until.passed().is_some() {
                break;
            }
            let inputs = session.random(seed);
            self.try_input(session, 0, &inputs)?;
        }
        Ok(())
    }
}

/// Whether a witness is to be shown rather than another one of its kind: one that needs no special numbers, and of those
/// the smallest.
fn is_better(witness: &Witness, known: &Witness) -> bool {
    match (witness.special, known.special) {
        (None, Some(_)) => true,
        (one, other) => one == other && size(witness) < size(known),
    }
}

/// The bytes of all inputs of a witness.
pub(super) fn size(witness: &Witness) -> usize {
    witness.new.inputs.iter().flatten().map(|input| input.bytes.len()).sum()
}
