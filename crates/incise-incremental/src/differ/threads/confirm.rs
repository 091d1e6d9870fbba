//! Both versions on one input alone: what one can do there, and the other cannot.

use super::{MOST_WAYS, Only, ThreadJudge, Version, bounded, ending, found_error};
use crate::differ::DifferingValue;
use crate::differ::candidates::witness;
use incise_exec::{Assignment, Config, ExploreError, FullExploration, Outcome, Session, Work};
use incise_relate::{Execution, Leaf, OutcomeGroup, Outcomes, Party, Relation};
use std::collections::BTreeSet;

/// An input is worth so much.
const ONE_INPUT: Work = Work::about_milliseconds(10_000);
/// How often a loop is gone round on one input, and how many steps of one thread others can see there.
const TURNS: u64 = 4_096;

/// What an input shows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Shown {
    /// The versions differ there.
    Differs,
    /// They do not.
    Nothing,
    /// Not all executions could be explored.
    Cut,
}

impl ThreadJudge<'_> {
    /// Explores both versions on an input, and keeps what only one of them can do.
    pub(super) fn shows(
        &mut self,
        session: &mut Session,
        inputs: &Assignment,
    ) -> Result<Shown, ExploreError> {
        let generous = |config: &Config| {
            let mut config = bounded(config);
            config.limits.loop_iterations = config.limits.loop_iterations.max(TURNS);
            config.limits.depth = u64::MAX;
            config.limits.give_up_after(ONE_INPUT);
            config
        };
        let (old_config, new_config) = (generous(self.question.old.1), generous(self.question.new.1));
        let (mut leading, mut following) = (FullExploration, FullExploration);
        let new = Party { program: self.question.new.0, config: &new_config, strategy: &mut leading };
        let old = Party { program: self.question.old.0, config: &old_config, strategy: &mut following };
        let visible = self.question.visible;
        let (mut relation, found) = Relation::outcomes_for(session, new, old, self.hooks, inputs, &visible)?;
        let Some((new, old)) = found else { return Ok(Shown::Nothing) };
        let mut shown = Shown::Nothing;
        for version in [Version::New, Version::Old] {
            let (mine, theirs) = match version {
                Version::New => (&new, &old),
                Version::Old => (&old, &new),
            };
            if theirs.stopped || !theirs.cut.is_empty() {
                shown = if shown == Shown::Differs { shown } else { Shown::Cut };
                continue;
            }
            // An input that the other version assumes away is not compared.
            if theirs.groups.is_empty() {
                continue;
            }
            for group in &mine.groups {
                if self.only_here(session, &mut relation, (group, theirs), version) {
                    shown = Shown::Differs;
                }
            }
        }
        Ok(shown)
    }

    /// Whether the other version cannot end as a group of executions does; it is kept then.
    fn only_here(
        &mut self,
        session: &mut Session,
        relation: &mut Relation<'_>,
        (group, theirs): (&OutcomeGroup, &Outcomes),
        version: Version,
    ) -> bool {
        let one = group.first();
        let inputs = one.inputs(session);
        let mut closest: Option<(&Execution, Vec<Leaf>)> = None;
        for other in &theirs.groups {
            let pair = ordered(version, one, other.first());
            if !self.places.end_alike(pair) {
                continue;
            }
            let same = relation.same_when(session, pair, self.question.visible, &inputs);
            // What cannot be compared may be the same.
            if same.differing.is_empty() {
                return false;
            }
            if closest.as_ref().is_none_or(|(_, known)| same.differing.len() < known.len()) {
                closest = Some((other.first(), same.differing));
            }
        }
        let (other, leaves) = match closest {
            Some((other, leaves)) => (other, leaves),
            None => (theirs.groups[0].first(), Vec::new()),
        };
        let values: Vec<DifferingValue> = leaves
            .into_iter()
            .map(|leaf| DifferingValue {
                name: leaf.name,
                seen: leaf.seen,
                old: leaf.following,
                new: leaf.leading,
            })
            .collect();
        let only = Only { version, executions: theirs.executions, outcomes: theirs.groups.len() as u64 };
        self.keep(session, relation, (one, other), values, only);
        true
    }

    fn keep(
        &mut self,
        session: &mut Session,
        relation: &mut Relation<'_>,
        (one, other): (&Execution, &Execution),
        values: Vec<DifferingValue>,
        only: Only,
    ) {
        let version = only.version;
        let (new, old) = ordered(version, one, other);
        let place = match version {
            Version::New => relation.end_of_leading(one),
            Version::Old => relation.end_of_following(one),
        };
        let error = match one.outcome() {
            Outcome::Error(error) => Some(error),
            _ => None,
        };
        let names: BTreeSet<String> =
            values.iter().map(|value| format!("{:?} {}", value.seen, value.name)).collect();
        let told = error.map_or_else(String::new, |_| format!(" {:?}", place.0));
        let way = (version, ending(one.outcome()) + &told, names);
        if self.witnesses.contains_key(&way) {
            return;
        }
        if self.witnesses.len() >= MOST_WAYS {
            self.notes.insert(format!("more than {MOST_WAYS} ways to differ: not all are shown"));
            return;
        }
        let (new_inputs, old_inputs) = (new.inputs(session), old.inputs(session));
        let new_path = relation.describe_leading(session, new, &new_inputs);
        let old_path = relation.describe_following(session, old, &old_inputs);
        let indeterminate = one.is_indeterminate(session);
        let mut found = witness(old_path, new_path, values, indeterminate);
        found.only = Some(only);
        if let Some(error) = error {
            let bucket = match version {
                Version::New => &mut self.introduced,
                Version::Old => &mut self.fixed,
            };
            let key = (error.kind.name().to_owned(), place.0.clone());
            let kind = (error.kind, error.message.clone());
            bucket.entry(key).or_insert_with(|| found_error(kind, place, found.clone()));
        }
        self.witnesses.insert(way, found);
    }
}

/// The execution of the new version before that of the old one.
fn ordered<'e>(version: Version, one: &'e Execution, other: &'e Execution) -> (&'e Execution, &'e Execution) {
    match version {
        Version::New => (one, other),
        Version::Old => (other, one),
    }
}
