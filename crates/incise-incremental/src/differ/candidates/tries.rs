//! Runs of both versions on one input: what was predicted is seen there, or is not.

use super::{OpenPair, PairJudge, WayToDiffer, ending, number, witness};
use crate::differ::{DifferingValue, FoundError, Special, Witness, special};
use incise_exec::{
    Assignment, Conjunction, ExploreError, FullExploration, LimitKind, Note, Outcome, Satisfiable, Session,
    StackFrame, Strategy, Work,
};
use incise_ir::SourcePosition;
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

/// The same, with what differs.
pub(super) enum Ran {
    Differs(Box<FoundDifference>),
    Nothing,
    Cut,
}

/// What differs between two versions that ran on one input.
pub(super) struct FoundDifference {
    /// What the strategy of the new version noted.
    pub(super) note: Note,
    pub(super) witness: Witness,
    /// How the old and the new version ended, and where.
    outcomes: [Outcome; 2],
    places: [(Option<SourcePosition>, Vec<StackFrame>); 2],
    ends_alike: bool,
}

impl FoundDifference {
    /// The errors that the old and the new version ended with, where they do not end alike.
    pub(super) fn errors(&self) -> [Option<FoundError>; 2] {
        [0, 1].map(|version: usize| {
            let (Outcome::Error(error), false) = (&self.outcomes[version], self.ends_alike) else {
                return None;
            };
            let (position, stack) = self.places[version].clone();
            let (kind, message, witness) = (error.kind, error.message.clone(), self.witness.clone());
            Some(FoundError { kind, message, position, stack, witness })
        })
    }
}

impl FoundError {
    /// What it is known by.
    pub(super) fn key(&self) -> (String, Option<SourcePosition>) {
        (self.kind.name().to_owned(), self.position.clone())
    }
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
        Ok(match self.run_both(session, &mut FullExploration, inputs)? {
            Ran::Differs(found) => {
                self.keep(note, *found);
                Tried::Differs
            }
            Ran::Nothing => Tried::Nothing,
            Ran::Cut => Tried::Cut,
        })
    }

    /// The same, with a strategy that sees the way of the new version; nothing is kept. In which way they differ, if
    /// they do: whether they end alike, and what that needs.
    pub(in crate::differ) fn differ_on(
        &mut self,
        session: &mut Session,
        leading: &mut dyn Strategy,
        inputs: &Assignment,
    ) -> Result<Option<(bool, Option<Special>)>, ExploreError> {
        let Ran::Differs(found) = self.run_both(session, leading, inputs)? else { return Ok(None) };
        Ok(Some((found.ends_alike, found.witness.special)))
    }

    /// Runs both versions on an input, the new one under a strategy.
    pub(super) fn run_both(
        &mut self,
        session: &mut Session,
        leading: &mut dyn Strategy,
        inputs: &Assignment,
    ) -> Result<Ran, ExploreError> {
        let mut following = FullExploration;
        let new = Party { program: self.question.new.0, config: &self.generous.1, strategy: leading };
        let old = Party { program: self.question.old.0, config: &self.generous.0, strategy: &mut following };
        let (mut relation, pair) = Relation::trace(session, new, old, self.hooks, inputs)?;
        let Some(mut pair) = pair else {
            // A run that was stopped on its way has no end.
            let stopped = !relation.effort().limits.is_empty();
            return Ok(if stopped { Ran::Cut } else { Ran::Nothing });
        };
        if self.question.new.1.inputs.failures_alike && pair.fails_apart(session) {
            return Ok(Ran::Nothing);
        }
        let (new_outcome, old_outcome) = (pair.leading.outcome.clone(), pair.following.outcome.clone());
        let still =
            |outcome: &Outcome| matches!(outcome, Outcome::Limit(LimitKind::Instructions | LimitKind::Stack));
        let endless =
            still(&new_outcome) && !old_outcome.is_cut() || still(&old_outcome) && !new_outcome.is_cut();
        if old_outcome == Outcome::Discarded {
            return Ok(Ran::Nothing);
        }
        if !endless && (new_outcome.is_cut() || old_outcome.is_cut()) {
            return Ok(Ran::Cut);
        }
        // Who needs more instructions for the same does not come to the same bad access in as many.
        if still(&old_outcome) && new_outcome.is_memory_error() {
            return Ok(Ran::Cut);
        }
        if old_outcome.is_memory_error() && (matches!(new_outcome, Outcome::Error(_)) || still(&new_outcome))
        {
            return Ok(Ran::Nothing);
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
                return Ok(Ran::Nothing);
            }
        }
        let (new, old) = relation.describe(session, &mut pair);
        let places = [relation.following_end(&pair), relation.leading_end(&pair)];
        let note = pair.leading.note;
        drop(relation);
        let mut witness = witness(old, new, values, pair.indeterminate);
        witness.endless = endless;
        let oddities = pair.oddities(session);
        witness.special = special::of(session, &oddities, &pair.assignment, &leaves);
        let outcomes = [old_outcome, new_outcome];
        Ok(Ran::Differs(Box::new(FoundDifference { note, witness, outcomes, places, ends_alike })))
    }

    /// In which way two versions differ, for those that met a change first.
    pub(super) fn way(&self, note: Note, found: &FoundDifference) -> WayToDiffer {
        match found.ends_alike {
            true => {
                let way = |each: &DifferingValue| (each.seen, self.key(note, each.seen, &each.name).2);
                WayToDiffer::Values(found.witness.values.iter().map(way).collect())
            }
            false => WayToDiffer::Ending(ending(&found.outcomes[0]), ending(&found.outcomes[1])),
        }
    }

    /// Keeps what differs, unless it is known.
    fn keep(&mut self, note: Note, found: FoundDifference) {
        let way = self.way(note, &found);
        for value in &found.witness.values {
            let key = self.key(note, value.seen, &value.name);
            let known =
                if found.witness.special.is_some() { &mut self.specially } else { &mut self.differing };
            known.insert(key);
        }
        for (bucket, error) in [&mut self.fixed, &mut self.introduced].into_iter().zip(found.errors()) {
            let Some(error) = error else { continue };
            let key = error.key();
            if bucket.get(&key).is_none_or(|(_, known)| is_better(&error.witness, &known.witness)) {
                bucket.insert(key, (note, error));
            }
        }
        let key = (number(note), way);
        if self.witnesses.get(&key).is_none_or(|(_, known)| is_better(&found.witness, known)) {
            self.witnesses.insert(key, (note, found.witness));
        }
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

/// Whether a witness needs no special numbers, and another one of its kind does.
fn is_better(witness: &Witness, known: &Witness) -> bool {
    witness.special.is_none() && known.special.is_some()
}
